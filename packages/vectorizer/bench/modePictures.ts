/**
 * Draws pictures that are hard on a tracer in one color mode or another: portraits and textures, whole and cut out,
 * with grain; ramps; halftones and dithers; flat art; and pictures of nothing. Every picture comes from its seed alone.
 */
import type { Bitmap } from '../src/index.ts';
import { createGenerator } from '../test/random.ts';

export interface ModePicture {
  readonly name: string;
  draw(): Bitmap;
}

type Rgba = readonly [number, number, number, number];
type Painter = (x: number, y: number) => Rgba;

/** Smooth noise over the plane, about -1..1. */
type Field = (x: number, y: number) => number;

function randomFrom(seed: number): () => number {
  const next = createGenerator(Math.imul(seed, 2654435761));
  for (let k = 0; k < 3; k++) next();
  return () => next() / 2 ** 32;
}

function paint(width: number, height: number, painter: Painter): Bitmap {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, i = 0; y < height; y++) for (let x = 0; x < width; x++, i += 4) data.set(painter(x, y), i);
  return { width, height, data };
}

/** Returns noise with features of `size` px: random values on a lattice, interpolated smoothly (value noise). */
function valueNoise(seed: number, size: number): Field {
  const random = randomFrom(seed);
  const values = Float64Array.from({ length: 4096 }, () => 2 * random() - 1);
  const at = (u: number, v: number): number => values[(Math.imul(u, 73) + Math.imul(v, 1619)) & 4095];
  return (x, y) => {
    const [u, v] = [Math.floor(x / size), Math.floor(y / size)];
    const [s, t] = [x / size - u, y / size - v].map((f) => f * f * (3 - 2 * f));
    const above = at(u, v) * (1 - s) + at(u + 1, v) * s;
    return above * (1 - t) + (at(u, v + 1) * (1 - s) + at(u + 1, v + 1) * s) * t;
  };
}

/** Returns noise with features of all sizes from `size` px down, each octave with `share` of the one before. */
function fractalNoise(seed: number, size: number, octaves: number, share = 0.5): Field {
  const layers = Array.from({ length: octaves }, (_, k) => valueNoise(seed + 101 * k, size / 2 ** k));
  const total = layers.reduce((sum, _, k) => sum + share ** k, 0);
  return (x, y) => layers.reduce((sum, layer, k) => sum + share ** k * layer(x, y), 0) / total;
}

const clampShare = (value: number): number => Math.max(0, Math.min(1, value));
const mix = (a: number, b: number, share: number): number => a + (b - a) * share;

/** Returns the share of a pixel inside an edge that lies `off` px beyond its middle. */
const cover = (off: number): number => clampShare(0.5 - off);

interface PortraitOptions {
  readonly side: number;
  readonly seed: number;
  /** Standard deviation of the grain, in byte levels. */
  readonly grain: number;
  readonly isCutOut: boolean;
}

/** Draws a head and shoulders: shaded skin, eyes, strands of hair, a knitted pullover, before a blurred room. */
function drawPortrait({ side, seed, grain, isCutOut }: PortraitOptions): Bitmap {
  const random = randomFrom(seed);
  const skin = fractalNoise(seed + 1, 0.02 * side, 4);
  const strands = valueNoise(seed + 2, 1);
  const tufts = fractalNoise(seed + 3, 0.05 * side, 3);
  const room = fractalNoise(seed + 4, 0.25 * side, 3);
  const [cx, cy] = [0.5 * side, 0.42 * side];
  const [rx, ry] = [0.19 * side, 0.25 * side];
  return paint(side, side, (x, y) => {
    const noise = grain * (random() + random() + random() + random() - 2) * Math.sqrt(3);
    const [u, v] = [(x - cx) / rx, (y - cy) / ry];
    const face = Math.hypot(u, v);
    const angle = Math.atan2(v, u);
    const hairRim = 1.32 + 0.1 * tufts(x, y) + 0.25 * Math.max(0, v);
    const isHair = face < hairRim && (face > 1 || v < -0.55 - 0.1 * tufts(x, y)) && v < 0.9;
    const shoulder = (y - 0.8 * side + 0.16 * (Math.abs(x - cx) / side) ** 2 * side * 4) / (0.01 * side);
    const isNeck = Math.abs(u) < 0.45 && v > 0.7;
    let color: [number, number, number];
    let alpha = 1;
    if (face < 1 && !isHair) {
      const light = clampShare(0.72 - 0.35 * u - 0.2 * v + 0.1 * skin(x, y) - 0.25 * face ** 4);
      const eye = Math.min(Math.hypot((u - 0.38) * 2, (v + 0.12) * 5), Math.hypot((u + 0.38) * 2, (v + 0.12) * 5));
      const mouth = Math.hypot(u * 2.4, (v - 0.5) * 9);
      const dark = 0.75 * clampShare(1.3 - 2.2 * eye) + 0.4 * clampShare(1.2 - 1.6 * mouth);
      color = [mix(70, 250, light) * (1 - dark), mix(40, 205, light) * (1 - dark), mix(30, 175, light) * (1 - dark)];
    } else if (isHair) {
      const strand = strands(400 * angle + 6 * tufts(x, y), face * 3);
      const light = clampShare(0.3 + 0.3 * strand + 0.25 * tufts(x, y) - 0.2 * u);
      color = [mix(15, 150, light), mix(10, 105, light), mix(8, 70, light)];
      alpha = cover((face - hairRim) * rx + 3 * strand);
    } else if (shoulder > 0 || isNeck) {
      const knit = Math.sin(x * 0.55 + 0.8 * Math.sin(y * 0.3)) * Math.sin(y * 0.4);
      const light = clampShare(0.5 + 0.2 * knit + 0.25 * tufts(x, y) - 0.3 * u * 0.5);
      color =
        isNeck && shoulder < 0 ? [190, 140, 115] : [mix(20, 110, light), mix(40, 130, light), mix(70, 190, light)];
      alpha = isNeck ? 1 : cover(-shoulder * 0.01 * side);
    } else {
      const light = clampShare(0.55 + 0.4 * room(x, y));
      color = [mix(60, 210, light), mix(80, 205, light), mix(70, 180, light)];
      alpha = 0;
    }
    return [color[0] + noise, color[1] + noise, color[2] + noise, isCutOut ? 255 * alpha : 255];
  });
}

/** Draws texture of all sizes, such as gravel or leaves; with `isRound`, inside a soft circle on clear. */
function drawTexture(side: number, seed: number, share: number, isRound: boolean): Bitmap {
  const light = fractalNoise(seed, 0.2 * side, 8, share);
  const hue = fractalNoise(seed + 50, 0.1 * side, 4);
  return paint(side, side, (x, y) => {
    const tone = 128 + 190 * light(x, y);
    const tint = 60 * hue(x, y);
    const alpha = isRound ? 255 * cover(Math.hypot(x - side / 2, y - side / 2) - 0.47 * side) : 255;
    return [tone + tint, tone, tone - tint, alpha];
  });
}

/** Returns the light of a pixel, 0..255, on white paper where it is clear. */
function lightAt({ data }: Bitmap, i: number): number {
  const gray = 0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2];
  return 255 + ((gray - 255) * data[i + 3]) / 255;
}

/** Dithers a picture to black and white by error diffusion (Floyd and Steinberg 1976), in dots of `dot` × `dot` px. */
function dither(picture: Bitmap, dot: number): Bitmap {
  const [across, down] = [Math.floor(picture.width / dot), Math.floor(picture.height / dot)];
  const rest = new Float64Array((across + 2) * (down + 1));
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++)
      rest[y * (across + 2) + x + 1] = lightAt(picture, (y * dot * picture.width + x * dot) * 4);
  }
  const isWhite = new Uint8Array(across * down);
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const at = y * (across + 2) + x + 1;
      isWhite[y * across + x] = rest[at] > 127 ? 1 : 0;
      const error = rest[at] - 255 * isWhite[y * across + x];
      rest[at + 1] += (7 / 16) * error;
      rest[at + across + 1] += (3 / 16) * error;
      rest[at + across + 2] += (5 / 16) * error;
      rest[at + across + 3] += (1 / 16) * error;
    }
  }
  return paint(across * dot, down * dot, (x, y) => {
    const tone = 255 * isWhite[Math.floor(y / dot) * across + Math.floor(x / dot)];
    return [tone, tone, tone, 255];
  });
}

/** Draws a picture as a halftone: round dots on a turned grid, antialiased, in inks of its colors or in black. */
function screen(picture: Bitmap, pitch: number, isColored: boolean): Bitmap {
  const { width, height, data } = picture;
  const [cos, sin] = [Math.cos(0.4), Math.sin(0.4)];
  return paint(width, height, (x, y) => {
    const [u, v] = [(x * cos + y * sin) / pitch, (y * cos - x * sin) / pitch];
    const [cu, cv] = [Math.round(u), Math.round(v)];
    const [px, py] = [(cu * cos - cv * sin) * pitch, (cu * sin + cv * cos) * pitch];
    const from = (Math.max(0, Math.min(height - 1, Math.round(py))) * width + clampTo(px, width)) * 4;
    const dark = 1 - lightAt(picture, from) / 255;
    const ink = cover((Math.hypot(u - cu, v - cv) - 0.56 * Math.sqrt(clampShare(dark))) * pitch);
    const own = (c: number): number => (isColored ? 64 * Math.floor(data[from + c] / 80) : 0);
    return [mix(255, own(0), ink), mix(255, own(1), ink), mix(255, own(2), ink), 255];
  });
}

const clampTo = (value: number, length: number): number => Math.max(0, Math.min(length - 1, Math.round(value)));

/** Draws `count` dots of random places and sizes, in `colors` inks, on white or on clear. */
function drawDots(side: number, seed: number, count: number, colors: number, isClear: boolean): Bitmap {
  const random = randomFrom(seed);
  const across = Math.ceil(Math.sqrt(count));
  const pitch = side / across;
  const cells = Array.from({ length: across * across }, () => ({
    x: 0.5 + 0.3 * (random() - 0.5),
    y: 0.5 + 0.3 * (random() - 0.5),
    radius: 0.12 + 0.2 * random(),
    ink: Math.floor(random() * colors),
  }));
  const inks = Array.from({ length: colors }, (_, k) =>
    k === 0 ? [0, 0, 0] : [200 * random(), 200 * random(), 200 * random()],
  );
  return paint(side, side, (x, y) => {
    const [u, v] = [(x + 0.5) / pitch, (y + 0.5) / pitch];
    const cell = cells[Math.min(across - 1, Math.floor(v)) * across + Math.min(across - 1, Math.floor(u))];
    const share = cover((Math.hypot(u - Math.floor(u) - cell.x, v - Math.floor(v) - cell.y) - cell.radius) * pitch);
    const ink = inks[cell.ink];
    if (isClear) return [ink[0], ink[1], ink[2], 255 * share];
    return [mix(255, ink[0], share), mix(255, ink[1], share), mix(255, ink[2], share), 255];
  });
}

/** Draws flat art: overlapping disks and bars in a few inks, antialiased. */
function drawFlat(side: number, seed: number, isCutOut: boolean): Bitmap {
  const random = randomFrom(seed);
  const shapes = Array.from({ length: 24 }, () => ({
    x: random() * side,
    y: random() * side,
    radius: (0.03 + 0.12 * random()) * side,
    bar: random() < 0.4,
    ink: [
      [200, 40, 30],
      [30, 70, 190],
      [20, 20, 20],
      [250, 200, 40],
      [30, 140, 70],
    ][Math.floor(5 * random())],
  }));
  return paint(side, side, (x, y) => {
    let color = [255, 255, 255];
    let alpha = isCutOut ? 0 : 1;
    for (const shape of shapes) {
      const [dx, dy] = [Math.abs(x - shape.x), Math.abs(y - shape.y)];
      const off = shape.bar ? Math.max(dx - shape.radius, dy - shape.radius / 4) : Math.hypot(dx, dy) - shape.radius;
      const share = cover(off);
      if (share === 0) continue;
      color = alpha === 0 ? shape.ink : color.map((value, c) => mix(value, shape.ink[c], share));
      alpha = Math.max(alpha, share);
    }
    return [color[0], color[1], color[2], 255 * alpha];
  });
}

/** Draws a ramp of colors, straight or round, on clear or filling the picture. */
function drawRamp(side: number, seed: number, isRound: boolean, grain: number): Bitmap {
  const random = randomFrom(seed);
  const [from, to] = [0, 1].map(() => [255 * random(), 255 * random(), 255 * random()]);
  return paint(side, side, (x, y) => {
    const far = Math.hypot(x - side / 2, y - side / 2) / side;
    const share = isRound ? 2 * far : (x + 0.3 * y) / (1.3 * side);
    const noise = grain * (random() + random() + random() + random() - 2) * Math.sqrt(3);
    const alpha = isRound ? 255 * cover((far - 0.45) * side) : 255;
    return [
      mix(from[0], to[0], share) + noise,
      mix(from[1], to[1], share) + noise,
      mix(from[2], to[2], share) + noise,
      alpha,
    ];
  });
}

function drawNoise(side: number, seed: number, isGray: boolean, hasAlpha: boolean): Bitmap {
  const random = randomFrom(seed);
  return paint(side, side, () => {
    const tone = 256 * random();
    const color: [number, number, number] = isGray ? [tone, tone, tone] : [tone, 256 * random(), 256 * random()];
    return [...color, hasAlpha ? 256 * random() : 255];
  });
}

/** Draws a weave of threads with light from one side. */
function drawWeave(side: number, seed: number, pitch: number, isCutOut: boolean): Bitmap {
  const wear = fractalNoise(seed, 0.1 * side, 5);
  return paint(side, side, (x, y) => {
    const isOver = (Math.floor(x / pitch) + Math.floor(y / pitch)) % 2 === 0;
    const along = ((isOver ? x : y) % pitch) / pitch;
    const tone = 90 + 110 * Math.sin(Math.PI * along) + 60 * wear(x, y);
    const alpha = isCutOut && Math.hypot(x - side / 2, y - side / 2) > 0.45 * side ? 0 : 255;
    return [tone, 0.85 * tone, isOver ? 0.6 * tone : 0.75 * tone, alpha];
  });
}

const one = (name: string, draw: () => Bitmap): ModePicture => ({ name, draw });

/**
 * Returns the pictures of a seed, `side` px wide at most. Different seeds give different pictures of the same kinds.
 */
export function listModePictures(seed: number, side = 1500): ModePicture[] {
  const portrait = (grain: number, isCutOut: boolean, size = side): Bitmap =>
    drawPortrait({ side: size, seed, grain, isCutOut });
  const half = Math.round(side / 2);
  return [
    one('portrait, cut out', () => portrait(0, true)),
    one('portrait, cut out, grain 4', () => portrait(4, true)),
    one('portrait, cut out, grain 12', () => portrait(12, true)),
    one('portrait', () => portrait(0, false)),
    one('portrait, grain 4', () => portrait(4, false)),
    one('portrait, grain 12', () => portrait(12, false)),
    one('gravel, cut out', () => drawTexture(side, seed, 0.8, true)),
    one('gravel', () => drawTexture(side, seed, 0.8, false)),
    one('clouds, cut out', () => drawTexture(side, seed + 7, 0.45, true)),
    one('clouds', () => drawTexture(side, seed + 7, 0.45, false)),
    one('weave, cut out', () => drawWeave(side, seed, 9, true)),
    one('weave', () => drawWeave(side, seed, 6, false)),
    one('straight ramp', () => drawRamp(side, seed, false, 0)),
    one('straight ramp, grain 5', () => drawRamp(side, seed, false, 5)),
    one('round ramp, cut out', () => drawRamp(side, seed + 1, true, 0)),
    one('round ramp, cut out, grain 5', () => drawRamp(side, seed + 1, true, 5)),
    one('dither, dots of 1 px', () => dither(portrait(0, false, half), 1)),
    one('dither, dots of 3 px', () => dither(portrait(0, false), 3)),
    one('dither, dots of 6 px', () => dither(portrait(0, false), 6)),
    one('halftone, pitch 5', () => screen(portrait(0, false), 5, false)),
    one('halftone, pitch 16', () => screen(portrait(0, false), 16, false)),
    one('halftone in color, pitch 12', () => screen(portrait(0, false), 12, true)),
    one('8,600 dots', () => drawDots(side, seed, 8600, 1, false)),
    one('8,600 dots in 8 inks', () => drawDots(side, seed, 8600, 8, false)),
    one('8,600 dots on clear', () => drawDots(side, seed, 8600, 4, true)),
    one('30,000 dots', () => drawDots(side, seed, 30_000, 1, false)),
    one('flat art', () => drawFlat(side, seed, false)),
    one('flat art, cut out', () => drawFlat(side, seed, true)),
    one('noise in color', () => drawNoise(half, seed, false, false)),
    one('noise in gray', () => drawNoise(half, seed, true, false)),
    one('noise with alpha', () => drawNoise(half, seed, false, true)),
    one('checkers of 1 px', () => paint(half, half, (x, y) => ((x + y) % 2 ? [0, 0, 0, 255] : [255, 255, 255, 255]))),
    one('all clear', () => paint(side, side, () => [0, 0, 0, 0])),
    one('all white', () => paint(side, side, () => [255, 255, 255, 255])),
    one('all half clear', () => paint(side, side, () => [120, 60, 30, 128])),
    one('one pixel', () => paint(1, 1, () => [120, 60, 30, 255])),
    one('portrait of 64 px, cut out', () => portrait(4, true, 64)),
    one('portrait of 300 px, cut out', () => portrait(4, true, 300)),
  ];
}
