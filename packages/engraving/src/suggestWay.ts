/** Looks at a picture and says by which way it is engraved best. */
import { engravingMaterial } from './materials.ts';
import type { Picture } from './picture.ts';

/** One ink; lines along edges and drawing lines; a vector halftone; a dithered raster. */
export const WAYS = ['silhouette', 'lineArt', 'tones', 'photo'] as const;
export type Way = (typeof WAYS)[number];

export interface Suggestion {
  readonly way: Way;
  readonly kind: 'photograph' | 'lineArt' | 'flatColor' | 'lettering' | 'shape' | 'empty';
  /** A sentence for people. */
  readonly reason: string;
  /** The measures that decided. */
  readonly features: Features;
}

export interface Features {
  /** The share of the picture that is not its ground: what is clear, or the one color of its border. */
  readonly inkShare: number;
  /** The share of ink without a whole pixel of ink around it, in the reduced copy. */
  readonly thinShare: number;
  /** The share of ink, away from its edges, that has one of its eight most frequent colors. */
  readonly flatShare: number;
  /** Colors that each cover a part of the ink that can be seen. */
  readonly colors: number;
  /** The difference of lightness between the lightest and the darkest of them, 0..255. */
  readonly lightnessRange: number;
  /** The share of separate shapes that stand in rows, as letters do. */
  readonly rowShare: number;
}

/** The picture is looked at in a copy of at most this long side. */
const LOOK_SIDE = 480;
/** Colors this near to the ground belong to it: noise and the blocks of a JPEG. */
const GROUND_DISTANCE = 28;
/** The least share of the border that has the color of a ground. */
const LEAST_GROUND = 0.7;
/** With this share of the border clear, the picture is cut out, and what is clear is its ground. */
const LEAST_CLEAR = 0.1;
const LEAST_INK = 0.0005;
const THIN = 0.6;
/** Photographs with soft grounds reach nearly this, because eight colors and their neighbors span a wide slope. */
const FLAT = 0.9;
/** Colors are counted in steps of this many levels. */
const COLOR_STEP = 24;
const MOST_COLORS = 8;
/** A color counts when it covers this share of the ink. */
const LEAST_COLOR = 0.03;
/** Tones are told apart from this difference of lightness on. */
const LEAST_RANGE = 40;
const LETTERS_IN_ROWS = 0.6;
/** A material whose pitch is coarser blurs the dots of a dither. */
const FINE_INTERVAL_MM = 0.12;

/**
 * Suggests the way for a picture, by what it shows and not by its type of file. Cost: one pass over the picture, and
 * about 20 ms for its reduced copy.
 */
export function suggestWay(picture: Picture, material: string): Suggestion {
  const look = reducePicture(picture);
  const isInk = markInk(look);
  const features = measure(look, isInk);
  const { inkShare, thinShare, flatShare, colors, lightnessRange, rowShare } = features;
  if (inkShare < LEAST_INK) {
    return { way: 'silhouette', kind: 'empty', reason: 'The picture shows nothing but its ground.', features };
  }
  const isDrawn = thinShare > THIN || flatShare >= FLAT;
  if (isDrawn && rowShare >= LETTERS_IN_ROWS && lightnessRange < LEAST_RANGE) {
    return { way: 'silhouette', kind: 'lettering', reason: 'Lettering is sharpest as filled outlines.', features };
  }
  if (thinShare > THIN) {
    return { way: 'lineArt', kind: 'lineArt', reason: 'Thin lines are engraved as lines.', features };
  }
  if (flatShare >= FLAT) {
    if (colors < 2 || lightnessRange < LEAST_RANGE) {
      return { way: 'silhouette', kind: 'shape', reason: 'Shapes in one tone need one filled outline each.', features };
    }
    const reason = `The ${colors} colors of this drawing become tones that stay apart.`;
    return { way: 'tones', kind: 'flatColor', reason, features };
  }
  if (engravingMaterial(material).intervalMm > FINE_INTERVAL_MM) {
    const reason = 'This material blurs fine dots; lines keep the tones.';
    return { way: 'tones', kind: 'photograph', reason, features };
  }
  return { way: 'photo', kind: 'photograph', reason: 'A photograph keeps its shading as fine dots.', features };
}

/** A reduced picture: bytes of red, green, blue and alpha. */
interface Look {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

function reducePicture({ width, height, data }: Picture): Look {
  const step = Math.max(1, Math.ceil(Math.max(width, height) / LOOK_SIDE));
  const [w, h] = [Math.ceil(width / step), Math.ceil(height / step)];
  const out = new Uint8Array(4 * w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      let [red, green, blue, alpha, count] = [0, 0, 0, 0, 0];
      for (let b = y * step; b < Math.min(height, (y + 1) * step); b++) {
        for (let a = x * step; a < Math.min(width, (x + 1) * step); a++) {
          const i = 4 * (b * width + a);
          const share = data[i + 3];
          red += data[i] * share;
          green += data[i + 1] * share;
          blue += data[i + 2] * share;
          alpha += share;
          count++;
        }
      }
      if (alpha > 0)
        out.set([red / alpha, green / alpha, blue / alpha, alpha / count].map(Math.round), 4 * (y * w + x));
    }
  }
  return { width: w, height: h, data: out };
}

const binOf = (data: Uint8Array, i: number) =>
  (Math.floor(data[i] / COLOR_STEP) * 32 + Math.floor(data[i + 1] / COLOR_STEP)) * 32 +
  Math.floor(data[i + 2] / COLOR_STEP);

function distance(data: Uint8Array, i: number, color: readonly number[]): number {
  return Math.max(Math.abs(data[i] - color[0]), Math.abs(data[i + 1] - color[1]), Math.abs(data[i + 2] - color[2]));
}

/** Marks what is not the ground. Without a color that most of the border has, everything opaque is ink. */
function markInk({ width, height, data }: Look): Uint8Array {
  const border: number[] = [];
  for (let x = 0; x < width; x++) border.push(4 * x, 4 * ((height - 1) * width + x));
  for (let y = 0; y < height; y++) border.push(4 * y * width, 4 * (y * width + width - 1));
  const middle = (channel: number) => {
    const values = border.map((i) => data[i + channel]).sort((a, b) => a - b);
    return values[Math.floor(values.length / 2)];
  };
  const color = [middle(0), middle(1), middle(2)];
  const shareOf = (has: (i: number) => boolean) => border.filter(has).length / border.length;
  const isClear = (i: number) => data[i + 3] < 128;
  const isNear = (i: number) => distance(data, i, color) <= GROUND_DISTANCE;
  const hasGround = shareOf(isClear) < LEAST_CLEAR && shareOf(isNear) >= LEAST_GROUND;
  const marks = new Uint8Array(width * height);
  for (let i = 0; i < marks.length; i++) marks[i] = isClear(4 * i) || (hasGround && isNear(4 * i)) ? 0 : 1;
  return marks;
}

function measure(look: Look, isInk: Uint8Array): Features {
  const { width, height, data } = look;
  const bins = new Map<number, { count: number; light: number }>();
  let [ink, inner] = [0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (!isInk[at]) continue;
      ink++;
      if (!isInkAround(isInk, x, y, width, height)) continue;
      inner++;
      const bin = bins.get(binOf(data, 4 * at)) ?? { count: 0, light: 0 };
      bin.count++;
      bin.light += 0.299 * data[4 * at] + 0.587 * data[4 * at + 1] + 0.114 * data[4 * at + 2];
      bins.set(binOf(data, 4 * at), bin);
    }
  }
  const colors = mergeBins(bins);
  const strong = colors.filter(({ count }) => count >= LEAST_COLOR * inner);
  const lights = strong.map(({ count, light }) => light / count);
  return {
    inkShare: ink / (width * height),
    thinShare: ink > 0 ? 1 - inner / ink : 0,
    flatShare: inner > 0 ? colors.reduce((sum, { count }) => sum + count, 0) / inner : 0,
    colors: strong.length,
    lightnessRange: lights.length > 1 ? Math.max(...lights) - Math.min(...lights) : 0,
    rowShare: shareInRows(isInk, width, height),
  };
}

function isInkAround(isInk: Uint8Array, x: number, y: number, width: number, height: number): boolean {
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const [u, v] = [x + dx, y + dy];
      // Ink that is cut by the border goes on beyond it.
      if (u >= 0 && v >= 0 && u < width && v < height && !isInk[v * width + u]) return false;
    }
  }
  return true;
}

/** Returns the most frequent colors, each with those a step away from it: noise falls on both sides of a step. */
function mergeBins(bins: ReadonlyMap<number, { count: number; light: number }>) {
  const left = new Map(bins);
  const colors: { count: number; light: number }[] = [];
  const order = [...bins.entries()].sort(([, a], [, b]) => b.count - a.count);
  for (const [key, bin] of order) {
    if (colors.length === MOST_COLORS) break;
    if (!left.has(key)) continue;
    const color = { count: 0, light: 0 };
    for (const step of [0, 1, -1, 32, -32, 1024, -1024]) {
      const near = left.get(key + step);
      // A neighbor that is as frequent is a color of its own.
      if (!near || (step !== 0 && near.count > bin.count / 2)) continue;
      color.count += near.count;
      color.light += near.light;
      left.delete(key + step);
    }
    colors.push(color);
  }
  return colors;
}

interface Box {
  top: number;
  bottom: number;
}
/** Fewer shapes make no line of letters. */
const LEAST_LETTERS = 4;

/** Returns the share of separate shapes that have others of their height on the same baseline. */
function shareInRows(isInk: Uint8Array, width: number, height: number): number {
  const boxes = findShapes(isInk, width, height).filter(({ top, bottom }) => bottom - top >= 4);
  if (boxes.length < LEAST_LETTERS || boxes.length > 2000) return 0;
  const inRow = boxes.filter((box) => {
    const size = box.bottom - box.top;
    const others = boxes.filter(
      (other) =>
        Math.abs(other.bottom - box.bottom) <= 0.2 * size + 1 &&
        Math.abs(other.bottom - other.top - size) <= 0.45 * size,
    );
    return others.length >= 3 && size < 0.6 * height;
  });
  return inRow.length / boxes.length;
}

/** Finds the upper and lower end of each connected shape. */
function findShapes(isInk: Uint8Array, width: number, height: number): Box[] {
  const visits = new Uint8Array(isInk.length);
  const boxes: Box[] = [];
  const stack: number[] = [];
  for (let start = 0; start < isInk.length; start++) {
    if (!isInk[start] || visits[start]) continue;
    const box = { top: height, bottom: 0 };
    stack.push(start);
    visits[start] = 1;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
      for (const [u, v] of [
        [x - 1, y],
        [x + 1, y],
        [x, y - 1],
        [x, y + 1],
      ]) {
        const next = v * width + u;
        if (u < 0 || v < 0 || u >= width || v >= height || !isInk[next] || visits[next]) continue;
        visits[next] = 1;
        stack.push(next);
      }
    }
    boxes.push(box);
  }
  return boxes;
}
