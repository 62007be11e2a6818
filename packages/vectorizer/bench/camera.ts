/**
 * Pictures of drawings as a camera takes them: a material under uneven light, seen at an angle through a lens, with
 * defocus, motion, noise and two saves as JPEG. The same seed gives the same picture on the same version of sharp.
 */
import type { Bitmap } from '../src/index.ts';
import { randomFrom } from './art.ts';
import { type CameraArt, PAGE } from './cameraArt.ts';
import { blur, expose, saveTwice, smear, toBitmap, toByte } from './cameraSensor.ts';
import { render } from './metrics.ts';

export const MATERIALS = ['white', 'cream', 'kraft', 'cotton', 'steel', 'wood'] as const;
export const SPECIALS = [
  'folded',
  'yellowed',
  'show-through',
  'marker',
  'pencil',
  'stamp',
  'halftone',
  'screen',
  'subpixel',
  'moire',
  'display',
  'ballpoint',
] as const;
/** Faults of one kind, on white paper: a lamp's highlight, and those of lens, focus, hand, sensor and file. */
export const FAULTS = ['glare', 'lens', 'defocus', 'motion', 'noise', 'lossy'] as const;
export type Surface = (typeof MATERIALS)[number] | (typeof SPECIALS)[number] | (typeof FAULTS)[number];
export type Severity = 'mild' | 'hard';

export interface Shot {
  art: CameraArt;
  surface: Surface;
  severity: Severity;
  seed: number;
  /** Pixels of the picture's width. */
  width: number;
  /** With one dark ink for the whole drawing. */
  isOneInk: boolean;
}

/** A picture with its truth. */
export interface Photo {
  shot: Shot;
  bitmap: Bitmap;
  /** The map from the page to the picture without the lens's distortion: a 3 × 3 matrix, row by row. */
  homography: readonly number[];
  /** Share by which the lens moves a corner of the picture. */
  lens: number;
}

type Color = readonly [number, number, number];
type Noise = (x: number, y: number) => number;

/** Pixels of the rendering of a page per unit. */
export const PAGE_SCALE = 3;
const STRONG: readonly string[] = ['#1b1b1f', '#1d3f8f', '#b3261e', '#1f6b3a', '#6a2c86', '#7a3b12', '#0e6f7c'];
const SPARKLING: readonly string[] = ['#d98b1a', '#d2527f', '#3fa34d', '#2f86d6'];
const PAPERS: Record<(typeof MATERIALS)[number], Color> = {
  white: [244, 244, 243],
  cream: [242, 232, 208],
  kraft: [196, 158, 114],
  cotton: [236, 234, 228],
  steel: [188, 190, 193],
  wood: [206, 168, 122],
};

const toLinear = (byte: number): number =>
  byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4;
const parse = (hex: string): Color =>
  [1, 3, 5].map((k) => toLinear(Number.parseInt(hex.slice(k, k + 2), 16))) as unknown as Color;

/** Returns smooth noise -1..1 over a lattice of unit squares. */
function makeNoise(random: () => number): Noise {
  const knots = Float32Array.from({ length: 128 * 128 }, () => 2 * random() - 1);
  return (x, y) => {
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [x - i, y - j];
    const [a, b] = [u * u * (3 - 2 * u), v * v * (3 - 2 * v)];
    const row = (j & 127) << 7;
    const next = ((j + 1) & 127) << 7;
    const [left, right] = [i & 127, (i + 1) & 127];
    const above = knots[row + left] * (1 - a) + knots[row + right] * a;
    return above * (1 - b) + (knots[next + left] * (1 - a) + knots[next + right] * a) * b;
  };
}

/** Returns the inks of a shot: colors well apart from each other and from the paper. */
export function chooseInks({ art, seed, isOneInk, surface }: Shot): string[] {
  const random = randomFrom(seed * 31 + 5);
  const dark = surface === 'pencil' ? '#55565a' : STRONG[Math.floor(random() * (isOneInk ? 6 : STRONG.length))];
  if (isOneInk || surface === 'pencil') return Array.from({ length: art.inks }, () => dark);
  const pool = [...STRONG.filter((ink) => ink !== dark), ...SPARKLING];
  const inks = [dark];
  while (inks.length < art.inks) {
    const [ink] = pool.splice(Math.floor(random() * pool.length), 1);
    const color = parse(ink).map(toByte);
    const isApart = inks.every((other) => Math.hypot(...parse(other).map((v, k) => toByte(v) - color[k])) > 90);
    if (isApart) inks.push(ink);
  }
  return inks;
}

/** Returns the body of the page of a shot as an SVG, with the colors of its inks. */
export function drawTruth(art: CameraArt, inks: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PAGE.width} ${PAGE.height}">${art.draw(inks)}</svg>`;
}

/** The index of the ink at each pixel of a page, from 1; 0 where there is paper. */
export interface PageLabels {
  width: number;
  height: number;
  labels: Uint8Array;
}

const pages = new WeakMap<CameraArt, Map<boolean, PageLabels>>();

/** Returns the labels of a page, kept for the next picture of it. */
export function labelPage(art: CameraArt, isOneInk: boolean): PageLabels {
  const own = pages.get(art) ?? new Map<boolean, PageLabels>();
  pages.set(art, own);
  const page = own.get(isOneInk) ?? drawLabels(art, isOneInk);
  own.set(isOneInk, page);
  return page;
}

function drawLabels(art: CameraArt, isOneInk: boolean): PageLabels {
  const codes = Array.from({ length: art.inks }, (_, k) => `#${(isOneInk ? 1 : k + 1).toString(16).padStart(6, '0')}`);
  const { width, height, rgb } = render(drawTruth(art, codes), PAGE.width * PAGE_SCALE, true);
  const labels = new Uint8Array(rgb.length);
  for (let i = 0; i < rgb.length; i++) labels[i] = rgb[i] === 0xffffff ? 0 : rgb[i] & 255;
  return { width, height, labels };
}

/** The relief of a material at a point of the page: a factor of its light, near 1. */
function makeMaterial(surface: Surface, random: () => number): Noise {
  const fine = makeNoise(random);
  const coarse = makeNoise(random);
  const phase = random() * 100;
  const pitch = 6 + 3 * random();
  switch (surface) {
    case 'kraft':
      return (x, y) =>
        1 + 0.05 * fine(x / 3, y / 2) + 0.035 * coarse(x / 14, y / 9) + (fine(x / 9, y / 1.6) > 0.75 ? -0.09 : 0);
    case 'cotton': {
      const turnOf = (v: number): number => 2 * Math.PI * (v / pitch);
      return (x, y) => {
        const [u, v] = [x + 2.5 * coarse(x / 40, y / 40), y + 2.5 * coarse(y / 40, x / 40 + 9)];
        return (
          1 +
          0.07 * Math.sin(turnOf(u)) * Math.cos(turnOf(v)) +
          0.03 * fine(x / 2, y / 14) +
          0.03 * fine(x / 14 + 50, y / 2)
        );
      };
    }
    case 'steel':
      return (x, y) => 1 + 0.07 * fine(x / 90, y / 1.3) + 0.04 * coarse(x / 160, y / 3.5);
    case 'wood':
      return (x, y) => {
        const bend = 26 * coarse(x / 260, y / 90);
        const rings = Math.sin((y + bend) / 9 + phase) + 0.5 * Math.sin((y + bend) / 3.7);
        return 1 + 0.055 * rings + 0.05 * fine(x / 70, y / 1.8) + (fine(x / 34 + 7, y / 1.5) > 0.7 ? -0.11 : 0);
      };
    case 'yellowed':
      return (x, y) => 1 + 0.09 * coarse(x / 130, y / 130) + 0.05 * coarse(x / 45, y / 45) + 0.02 * fine(x / 3, y / 3);
    case 'folded':
      return (x, y) => {
        const across = Math.abs(x - 500 + 8 * coarse(y / 200, 3));
        const crease = Math.abs(y - 375 + 6 * coarse(x / 200, 7));
        const line = -0.25 * Math.exp(-((across / 2.5) ** 2)) - 0.2 * Math.exp(-((crease / 2.5) ** 2));
        const plane =
          (x > 500 ? 0.07 : -0.07) * Math.exp(-across / 260) + (y > 375 ? -0.05 : 0.05) * Math.exp(-crease / 260);
        return 1 + line + plane + 0.015 * fine(x / 3, y / 3);
      };
    default:
      return (x, y) => 1 + 0.014 * fine(x / 2.4, y / 2.4) + 0.008 * coarse(x / 11, y / 11);
  }
}

/** How much of the ink lies on the page at a point: 1 where it covers. */
function makeCover(surface: Surface, random: () => number): Noise {
  const fine = makeNoise(random);
  const coarse = makeNoise(random);
  if (surface === 'marker')
    return (x, y) => 0.9 + 0.08 * Math.sin((x + 0.4 * y) / 17 + 2 * coarse(x / 90, y / 90)) + 0.03 * fine(x / 4, y / 4);
  if (surface === 'pencil')
    return (x, y) => Math.min(1, Math.max(0.25, 0.8 + 0.45 * fine(x / 2.2, y / 2.2) + 0.2 * coarse(x / 8, y / 8)));
  if (surface === 'stamp')
    return (x, y) =>
      fine(x / 2.6, y / 2.6) + 0.5 * coarse(x / 50, y / 50) > 0.92 ? 0.25 : 0.93 + 0.06 * coarse(x / 25, y / 25);
  if (surface === 'ballpoint')
    return (x, y) => (fine(x / 1.5, y / 16) > 0.82 ? 0.4 : 0.9 + 0.08 * coarse(x / 7, y / 7));
  if (surface === 'halftone') {
    const turnOf = (v: number): number => (2 * Math.PI * v) / 5.2;
    return (x, y) => 0.86 + 0.14 * Math.sin(turnOf(x + y) / Math.SQRT2) * Math.sin(turnOf(x - y) / Math.SQRT2);
  }
  return () => 1;
}

/** A screenshot: neither lens nor light, and no noise. */
const isScreenshot = (surface: Surface): boolean => surface === 'screen' || surface === 'subpixel';

type Bands = (x: number, y: number, out: Float64Array) => void;

/**
 * Returns the moiré at a point of the picture, in its pixels, as a factor for each channel: two gratings of nearly one
 * pitch leave bands of the difference of their frequencies. In a scan of a halftone print they lie on the ink; in a
 * picture of a display, on everything, and each color of its pixels has bands of its own phase.
 */
function makeMoire({ surface, seed }: Shot): Bands | undefined {
  if (surface !== 'moire' && surface !== 'display') return undefined;
  const random = randomFrom(seed * 131 + 17);
  const range = (low: number, high: number): number => low + (high - low) * random();
  const [pitch, other] = [range(2.2, 3), range(1.2, 1.35)];
  const turn = range(0.02, 0.08);
  const bow = surface === 'display' ? range(-4e-4, 4e-4) : 0;
  const depth = surface === 'display' ? 0.05 : 0.07;
  const shift = surface === 'display' ? (2 * Math.PI) / 3 : 0;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return (x, y, out) => {
    const bend = bow * x * y;
    const across = 2 * Math.PI * (x / pitch - (x * cos + y * sin + bend) / (pitch * other));
    const down = 2 * Math.PI * (y / pitch - (y * cos - x * sin + bend) / (pitch * other));
    for (let c = 0; c < 3; c++) out[c] = 1 + depth * (Math.sin(across + c * shift) + 0.7 * Math.sin(down + c * shift));
  };
}

/** Returns the light at a point of the picture, 0..1 along its width: a factor for each channel, and what is added. */
function makeLight(
  { surface, severity }: Shot,
  random: () => number,
): (u: number, v: number, out: Float64Array) => void {
  if (isScreenshot(surface) || surface === 'moire') return (_u, _v, out) => void out.fill(1).fill(0, 3);
  const isHard = severity === 'hard';
  const range = (low: number, high: number): number => low + (high - low) * random();
  const [slope, direction] = [range(0.1, isHard ? 0.45 : 0.28), range(0, 2 * Math.PI)];
  const vignette = range(0.05, isHard ? 0.4 : 0.25);
  const bulge = range(-0.1, 0.1);
  const warm = range(-0.06, isHard ? 0.14 : 0.09);
  const shadows = Array.from({ length: random() < 0.25 ? 0 : random() < 0.7 ? 1 : 2 }, () => ({
    angle: range(0, 2 * Math.PI),
    offset: range(-0.25, 0.25),
    curve: range(-0.6, 0.6),
    depth: isHard ? range(0.25, 0.5) : range(0.1, 0.25),
    softness: isHard ? range(0.006, 0.03) : range(0.012, 0.05),
    blue: range(0, 0.06),
  }));
  const shine = { u: range(0.2, 0.8), v: range(0.15, 0.6), size: range(0.06, 0.18), light: 0 };
  if (surface === 'steel' || surface === 'wood' || random() < 0.2) shine.light = range(0.03, isHard ? 0.16 : 0.1);
  if (surface === 'glare') shine.light = isHard ? 0.3 : 0.2;
  return (u, v, out) => {
    const [x, y] = [u - 0.5, v - 0.375];
    let light = 1 + slope * (x * Math.cos(direction) + y * Math.sin(direction)) + bulge * Math.sin(5 * x + 3 * y);
    light *= 1 - vignette * (x * x + y * y) * 2.5;
    let blue = 1;
    for (const { angle, offset, curve, depth, softness, blue: tint } of shadows) {
      const along = -x * Math.sin(angle) + y * Math.cos(angle);
      const away = x * Math.cos(angle) + y * Math.sin(angle) - offset + curve * along * along;
      const share = 1 / (1 + Math.exp(-away / (softness / 2)));
      light *= 1 - depth * share;
      blue += tint * share;
    }
    const glare = shine.light * Math.exp(-((u - shine.u) ** 2 + ((v - shine.v) * 1.6) ** 2) / (2 * shine.size ** 2));
    out[0] = light * (1 + warm);
    out[1] = light;
    out[2] = light * (1 - warm) * blue;
    out[3] = glare;
  };
}

export function invert(m: readonly number[]): number[] {
  const [a, b, c, d, e, f, g, h, i] = m;
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
}

/** Returns where the camera sees the page: a map from the page to the picture. */
function makePose({ severity, surface, width }: Shot, random: () => number): number[] {
  if (isScreenshot(surface)) return [width / PAGE.width, 0, 0, 0, width / PAGE.width, 0, 0, 0, 1];
  const range = (limit: number): number => limit * (2 * random() - 1);
  const isHard = severity === 'hard';
  const angle = (range(isHard ? 9 : 4) * Math.PI) / 180;
  const zoom = (width / PAGE.width) * (0.9 + range(0.05));
  const height = width * 0.75;
  const [g, h] = [range(isHard ? 1.1e-4 : 5e-5), range(isHard ? 1.1e-4 : 5e-5)];
  const [cos, sin] = [zoom * Math.cos(angle), zoom * Math.sin(angle)];
  // The page's middle stays near the picture's: p = R (q - middle) / (1 + g x + h y) + center.
  const [cx, cy] = [width / 2 + range(0.02) * width, height / 2 + range(0.02) * height];
  const w0 = 1 - g * 500 - h * 375;
  return [
    cos + cx * g,
    -sin + cx * h,
    -cos * 500 + sin * 375 + cx * w0,
    sin + cy * g,
    cos + cy * h,
    -sin * 500 - cos * 375 + cy * w0,
    g,
    h,
    w0,
  ];
}

/** Takes a picture. */
export async function takePhoto(shot: Shot): Promise<Photo> {
  const { art, surface, severity, width } = shot;
  const random = randomFrom(shot.seed * 7919 + 77);
  const isHard = severity === 'hard';
  const range = (low: number, high: number): number => low + (high - low) * random();
  const height = Math.round(width * 0.75);
  const homography = makePose(shot, random);
  const bend = isScreenshot(surface) ? 0 : range(-1, 1);
  const lens = surface === 'lens' ? 0.025 * Math.sign(bend) : bend * (isHard ? 0.012 : 0.005);
  const page = labelPage(art, false);
  const inks = chooseInks(shot).map(parse);
  const paperOf =
    surface in PAPERS ? PAPERS[surface as 'white'] : surface === 'yellowed' ? ([228, 208, 158] as const) : PAPERS.white;
  const colors = [paperOf.map(toLinear) as unknown as Color, ...inks];
  const material = makeMaterial(surface, random);
  const cover = makeCover(surface, random);
  const light = makeLight(shot, random);
  const moire = makeMoire(shot);
  const bands = new Float64Array(3).fill(1);
  const back = invert(homography);
  const steps = Math.max(2, Math.ceil(2100 / width));
  let plane: Float32Array = new Float32Array(width * height * 3);
  const lit = new Float64Array(4);
  const [middleX, middleY, corner] = [width / 2, height / 2, Math.hypot(width, height) / 2];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      light((x + 0.5) / width, (y + 0.5) / width, lit);
      moire?.(x, y, bands);
      for (let k = 0; k < steps * steps; k++) {
        let px = x + ((k % steps) + 0.5) / steps - middleX;
        let py = y + (Math.floor(k / steps) + 0.5) / steps - middleY;
        const factor = 1 + lens * ((px * px + py * py) / (corner * corner));
        px = px * factor + middleX;
        py = py * factor + middleY;
        const w = back[6] * px + back[7] * py + back[8];
        const u = (back[0] * px + back[1] * py + back[2]) / w;
        const v = (back[3] * px + back[4] * py + back[5]) / w;
        const label = labelAt(page, u, v);
        // The three parts of a display's pixel lie side by side, and text is drawn on them.
        const third = surface === 'subpixel' ? PAGE.width / width / 3 : 0;
        const relief = material(u, v);
        const opacity = label === 0 ? 0 : cover(u, v);
        const ghost = surface === 'show-through' && label === 0 && labelAt(page, PAGE.width - u, v) > 0 ? 0.93 : 1;
        for (let c = 0; c < 3; c++) {
          const paper = colors[0][c] * relief * (surface === 'yellowed' && c === 2 ? relief ** 1.5 : 1) * ghost;
          if (third > 0) {
            plane[at + c] += colors[labelAt(page, u + (c - 1) * third, v)][c];
            continue;
          }
          const ink = colors[label][c] * (0.5 + 0.5 * relief);
          if (surface === 'moire') {
            const cover = Math.min(1, 0.86 * opacity * bands[c]); // larger dots leave less of the paper
            plane[at + c] += paper * (1 - cover) + ink * cover;
          } else plane[at + c] += (paper * (1 - opacity) + ink * opacity) * bands[c];
        }
      }
      for (let c = 0; c < 3; c++) plane[at + c] = (plane[at + c] / steps ** 2) * lit[c] + lit[3];
    }
  }
  if (isScreenshot(surface))
    return {
      shot,
      bitmap: await saveTwice(
        toBitmap(plane, width, height, () => 0, 0),
        85,
        92,
      ),
      homography,
      lens,
    };
  const worst = surface in WORST ? WORST[surface as keyof typeof WORST][isHard ? 1 : 0] : undefined;
  const pick = (fault: Surface, usual: number): number => (surface === fault && worst !== undefined ? worst : usual);
  const focus = (isHard ? range(0.5, 1.05) : range(0.5, 0.95)) * (isHard ? 1 : 1.1);
  plane = blur(plane, width, height, pick('defocus', focus));
  const motion = isHard ? range(0.3, 1.8) : range(0, 1.2);
  plane = smear(plane, width, height, pick('motion', motion), range(0, Math.PI));
  expose(plane, isHard ? range(0.55, 0.95) : range(0.68, 0.95));
  const noise = isHard ? range(0.006, 0.016) : range(0.002, 0.006);
  const bitmap = toBitmap(plane, width, height, random, pick('noise', noise));
  const [low, high] = isHard ? [40, 65] : [70, 85];
  const [first, second] = [0, 1].map(() => Math.round(pick('lossy', range(low, high))));
  return { shot, bitmap: await saveTwice(bitmap, first, second), homography, lens };
}

/** The faults of `FAULTS`, mild and hard: px of blur, px of motion, noise as a share of light, quality of JPEG. */
const WORST = { defocus: [1.8, 1.6], motion: [4, 3], noise: [0.014, 0.03], lossy: [45, 40] } as const;

function labelAt(
  { width, height, labels }: { width: number; height: number; labels: Uint8Array },
  u: number,
  v: number,
): number {
  const [x, y] = [Math.floor(u * PAGE_SCALE), Math.floor(v * PAGE_SCALE)];
  return x >= 0 && y >= 0 && x < width && y < height ? labels[y * width + x] : 0;
}
