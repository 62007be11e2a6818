/** Unmixes the edges of an object: computes its alpha and color at each edge pixel. */
import { COARSE, STEPS, toBytes } from './distance.ts';
import { extremes } from './extremes.ts';
import type { MarkedPicture } from './marks.ts';
import { SURE_OBJECT } from './marks.ts';
import { eachAround, eachPatch } from './specks.ts';
import { collectStrands } from './strands.ts';

/** A part of the picture around edges, in pixels of the picture, with the fields computed for it. */
export interface Tile {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  readonly whole: MarkedPicture;
  /** Distance of each pixel from the background, in `STEPS` of an OKLab hundredth. */
  readonly distance: Uint16Array;
  /** 1: background. */
  readonly isBackground: Uint8Array;
  readonly hasShadow: boolean;
}

/** A part of the picture, in pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  /** Exclusive. */
  readonly right: number;
  readonly bottom: number;
}

const DX = [-1, 0, 1, -1, 1, -1, 0, 1];
const DY = [-1, -1, -1, 0, 0, 1, 1, 1];
/** An edge continues while a pixel is farther from the background than the previous one by this share. */
const RISE = 0.04;
/**
 * A rise is slow when it is less than this share of the steepest one on the way from the background. An edge ends after
 * this many of them, whatever its width: what rises on is the shading of the object.
 */
const SLOW_SHARE = 0.3;
const MOST_SLOW = 1;
/** Strands are looked for within this many pixels of fuzz. */
export const FUZZ_RADIUS = 6;
/** A hair is at least this share as strong as the strongest pixel within that radius. */
const HAIR_SHARE = 0.55;
/** Least share of hairs in a patch of fuzz. */
const LEAST_HAIRS = 0.25;
/**
 * Something solid is even: a pixel is at least this share as strong as those within the radius. Strands that lie close
 * together vary more from pixel to pixel; shades of a body change over more of them. A pale body varies little, but by
 * a larger share: where the network is sure of the object, what differs by less than the step is even too.
 */
const EVEN_SHARE = 0.75;
const GAP_RADIUS = 2;
const EVEN_STEP = 6 * STEPS;
/** Something solid is wider than twice this radius, in pixels. */
const SOLID_RADIUS = 3;
/** A pixel with a larger misfit belongs to no strand. It stays solid where the network is sure of the object. */
const MOST_MISFIT = 11;

/** In a noisy picture, the object's color is the mean of neighbors at least this share as far from the ground. */
const ALIKE = 0.9;
/** With a residual above this, 0..255, a picture is noisy. In others, the strongest pixel has the object's color. */
const QUIET = 0.25;

/** Writes the alphas of all edge pixels within `core`, and the object's colors there. */
export function unmix(tile: Tile, core: Box, out: Uint8Array): void {
  const { left, top, width, height, data, distance, isBackground } = tile;
  const { picture } = tile.whole;
  // Each window is built from the one within it.
  const beside = extremes(toBytes(distance), width, height, GAP_RADIUS, 'greatest');
  const around = extremes(beside, width, height, DIP_RADIUS - GAP_RADIUS, 'greatest');
  const { edge, rim, isEdge } = followEdges(tile, around);
  // The object's color beside each edge pixel, from the strongest pixel to the weakest: a pixel takes the color of its
  // stronger neighbor.
  const object = new Uint8Array(3 * isBackground.length);
  const order = byDistance(edge, distance);
  const isNoisy = tile.whole.isLossy || tile.whole.field.residual > QUIET;
  const copyColor = (i: number, j: number) => {
    for (let k = 0; k < 3; k++) object[3 * i + k] = object[3 * j + k];
  };
  /** Sets the color of the object at a pixel to that around another one, of pixels about as far from the background. */
  const setObject = (i: number, j: number) => {
    const x = j % width;
    const y = (j - x) / width;
    let r = data[4 * j];
    let g = data[4 * j + 1];
    let b = data[4 * j + 2];
    let count = 1;
    for (let q = 0; isNoisy && q < 8; q++) {
      const n = neighbor(x, y, q, width, height);
      if (n < 0 || isBackground[n] || distance[n] < ALIKE * distance[j]) continue;
      r += data[4 * n];
      g += data[4 * n + 1];
      b += data[4 * n + 2];
      count++;
    }
    object[3 * i] = r / count + 0.5;
    object[3 * i + 1] = g / count + 0.5;
    object[3 * i + 2] = b / count + 0.5;
  };
  for (let o = order.length - 1; o >= 0; o--) {
    const i = order[o];
    const x = i % width;
    const y = (i - x) / width;
    let best = -1;
    let most = distance[i];
    for (let q = 0; q < 8; q++) {
      const j = neighbor(x, y, q, width, height);
      if (j >= 0 && !isBackground[j] && distance[j] > most) {
        most = distance[j];
        best = j;
      }
    }
    if (best < 0) setObject(i, strongest(tile, i));
    else if (isEdge[best]) copyColor(i, best);
    else setObject(i, best);
  }
  const afar = extremes(around, width, height, FUZZ_RADIUS - DIP_RADIUS, 'greatest');
  const fuzz = findFuzz(tile, { isEdge, rim, beside, around: afar });

  const color = new Float64Array(3);
  const offset = new Float64Array(3);
  /** Writes the offset of a pixel from the ground beneath it. */
  const setOffset = (i: number) => {
    const x = i % width;
    readGround(tile, x, (i - x) / width, color);
    for (let k = 0; k < 3; k++) offset[k] = data[4 * i + k] - color[k];
  };
  const strands = collectStrands(width, height, isNoisy);
  const addStrand = (i: number) => {
    if (distance[i] < HAIR_SHARE * COARSE * afar[i]) return;
    const x = i % width;
    const y = (i - x) / width;
    for (let q = 0; q < 8; q++) {
      const j = neighbor(x, y, q, width, height);
      if (j >= 0 && distance[j] > distance[i]) return;
    }
    setOffset(i);
    strands.add(x, y, offset[0], offset[1], offset[2]);
  };
  if (fuzz.length > 0) {
    const isFuzz = new Uint8Array(width * height);
    for (let f = 0; f < fuzz.length; f++) isFuzz[fuzz[f]] = 1;
    const isNear = extremes(isFuzz, width, height, FUZZ_RADIUS, 'greatest');
    for (let i = 0; i < isNear.length; i++) if (isNear[i] && !isBackground[i]) addStrand(i);
  }

  /** Returns the share of the object's color in a pixel, by its position between that and the ground. */
  const shareOf = (i: number): number => {
    let whole = 0;
    let part = 0;
    for (let k = 0; k < 3; k++) {
      const span = object[3 * i + k] - color[k];
      whole += span * span;
      part += span * offset[k];
    }
    return whole < 1 ? 1 : Math.min(1, Math.max(0, part / whole));
  };
  /** Writes a pixel of a share; its offset is set. */
  const writePixel = (i: number, alpha: number) => {
    const x = i % width;
    const y = (i - x) / width;
    if (left + x < core.left || left + x >= core.right || top + y < core.top || top + y >= core.bottom) return;
    let share = alpha;
    if (share > 0.98) share = 1;
    else if (share < 0.015) share = 0;
    // Where little of the object shows, its color is taken from beside, as computing it would amplify noise.
    const trust = Math.min(1, Math.max(0, (share - 0.3) / 0.4));
    const at = 4 * ((top + y) * picture.width + left + x);
    for (let k = 0; k < 3; k++) {
      const beside = object[3 * i + k];
      const objectColor = share > 0.02 ? color[k] + offset[k] / share : beside;
      out[at + k] = Math.round(Math.min(255, Math.max(0, objectColor)) * trust + beside * (1 - trust));
    }
    out[at + 3] = Math.round(255 * share);
  };
  for (let e = 0; e < edge.length; e++) {
    setOffset(edge[e]);
    writePixel(edge[e], shareOf(edge[e]));
  }
  const mean = new Float64Array(3);
  for (let f = 0; f < fuzz.length; f++) {
    const i = fuzz[f];
    const x = i % width;
    setOffset(i);
    const y = (i - x) / width;
    const explanation = strands.explain(x, y, offset, mean);
    const isOther = explanation && explanation.misfit > MOST_MISFIT;
    if (!explanation || (isOther && isSeen(tile, x, y))) continue;
    for (let k = 0; k < 3; k++) object[3 * i + k] = Math.min(255, Math.max(0, color[k] + mean[k] + 0.5));
    writePixel(i, explanation.share);
  }
}

/** The color of a shadow is averaged within this many pixels. */
const SHADOW_RADIUS = 3;

/** Writes the background's color at a pixel: that of the field, or of the surrounding shadow. */
function readGround(tile: Tile, x: number, y: number, color: Float64Array): void {
  tile.whole.readField(tile.left + x, tile.top + y, color);
  if (!tile.hasShadow) return;
  const { width, height, data, isBackground } = tile;
  let count = 0;
  let r = 0;
  let g = 0;
  let b = 0;
  for (let yy = Math.max(0, y - SHADOW_RADIUS); yy <= Math.min(height - 1, y + SHADOW_RADIUS); yy++) {
    for (let xx = Math.max(0, x - SHADOW_RADIUS); xx <= Math.min(width - 1, x + SHADOW_RADIUS); xx++) {
      const j = yy * width + xx;
      if (!isBackground[j]) continue;
      count++;
      r += data[4 * j];
      g += data[4 * j + 1];
      b += data[4 * j + 2];
    }
  }
  if (count === 0) return;
  color[0] = r / count;
  color[1] = g / count;
  color[2] = b / count;
}

/** Returns the largest width of an edge, in pixels. */
export const edgeWidth = ({ picture: { width, height } }: MarkedPicture): number =>
  Math.max(12, Math.round(Math.max(width, height) / 64));

/**
 * Returns the edge pixels, from the background inward while the distance keeps rising steeply, and apart those
 * beside the background, by rows. `around` is the strength within `DIP_RADIUS`.
 */
function followEdges({ width, height, distance, isBackground, whole }: Tile, around: Uint8Array) {
  const count = width * height;
  const isEdge = new Uint8Array(count);
  const edge = new Int32Array(count);
  // On the way to each edge pixel: its steepest rise, and the number of slow ones.
  const steepest = new Uint16Array(count);
  const slow = new Uint8Array(count);
  let length = 0;
  const widest = edgeWidth(whole);
  const least = STEPS * (whole.isLossy ? 1.2 : 0.25 + 0.5 * whole.field.residual);
  const beside = extremes(isBackground, width, height, 1, 'greatest');
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (isBackground[i] || !beside[i]) continue;
      isEdge[i] = 1;
      edge[length++] = i;
      steepest[i] = distance[i];
    }
  }
  const rim = edge.subarray(0, length);
  for (let depth = 2, start = 0; depth <= widest && start < length; depth++) {
    const end = length;
    for (let f = start; f < end; f++) {
      const i = edge[f];
      const x = i % width;
      const y = (i - x) / width;
      const more = distance[i] * (1 + RISE) + least;
      for (let q = 0; q < 8; q++) {
        const j = neighbor(x, y, q, width, height);
        if (j < 0 || isBackground[j] || isEdge[j] || distance[j] <= more) continue;
        const rise = distance[j] - distance[i];
        const slowRises = rise < SLOW_SHARE * steepest[i] ? slow[i] + 1 : slow[i];
        if (slowRises > MOST_SLOW) continue;
        slow[j] = slowRises;
        steepest[j] = Math.max(rise, steepest[i]);
        isEdge[j] = 1;
        edge[length++] = j;
      }
    }
    start = end;
  }
  length = joinDips({ width, distance, isBackground }, around, isEdge, edge, length);
  return { edge: edge.subarray(0, length), rim, isEdge };
}

/** A dip holds at most this many pixels, and is weaker than this share of the strongest pixel within the radius. */
const MOST_DIP = 12;
const DIP_SHARE = 0.4;
const DIP_RADIUS = 4;

/**
 * Adds the dips of edges to them: small patches beside an edge that are weaker than their surroundings, such as
 * ringing, and ground that the dark side of a resampled edge encloses. Nothing rises toward them, but they are no
 * object either. Returns the new number of edge pixels.
 */
function joinDips(
  { width, distance, isBackground }: Pick<Tile, 'width' | 'distance' | 'isBackground'>,
  around: Uint8Array,
  isEdge: Uint8Array,
  edge: Int32Array,
  length: number,
): number {
  const open = new Uint8Array(distance.length);
  const isInside = (i: number) => !isBackground[i] && !isEdge[i];
  for (let i = 0; i < open.length; i++) {
    if (distance[i] < DIP_SHARE * COARSE * around[i] && isInside(i)) open[i] = 1;
  }
  const isWeak = open.slice();
  eachPatch(open, width, MOST_DIP, (patch) => {
    let isHighlight = false;
    for (const i of patch) {
      eachAround(i, width, open.length, (j) => {
        isHighlight ||= isInside(j) && !isWeak[j];
      });
    }
    if (isHighlight) return;
    for (const i of patch) {
      isEdge[i] = 1;
      edge[length++] = i;
    }
  });
  return length;
}

/** The edges of a tile, and the strength around each of its pixels. */
interface Surroundings {
  readonly isEdge: Uint8Array;
  /** The pixels beside the background. */
  readonly rim: Int32Array;
  /** The greatest within `GAP_RADIUS`, as a byte. */
  readonly beside: Uint8Array;
  /** The greatest within `FUZZ_RADIUS`, as a byte. */
  readonly around: Uint8Array;
}

/**
 * Returns the pixels of fuzz: beside something strong, not part of something solid, and connected to the background
 * through such pixels. A patch without strong pixels of its own, hairs, is not fuzz but the dim side of something
 * solid.
 */
function findFuzz(tile: Tile, { isEdge, rim, beside, around }: Surroundings): Int32Array {
  const { width, height, distance, isBackground, whole, left, top } = tile;
  const count = width * height;
  const isSure = surelyInside(whole, left, top, width, height);
  const even = new Uint8Array(count);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (isBackground[i]) continue;
      const most = COARSE * beside[i];
      if (distance[i] > EVEN_SHARE * most || (most - distance[i] < EVEN_STEP && isSeen(tile, x, y))) even[i] = 1;
    }
  }
  const cores = extremes(even, width, height, SOLID_RADIUS, 'least');
  const solid = extremes(cores, width, height, SOLID_RADIUS, 'greatest');
  const isReached = new Uint8Array(count);
  const patch = new Int32Array(count);
  let length = 0;
  let fuzzEnd = 0;
  const reach = (i: number) => {
    if (isBackground[i] || isReached[i] || solid[i] || isSure?.[i]) return;
    isReached[i] = 1;
    patch[length++] = i;
  };
  const eachBeside = (i: number, visit: (j: number) => void) => {
    const x = i % width;
    if (x > 0) visit(i - 1);
    if (x < width - 1) visit(i + 1);
    if (i >= width) visit(i - width);
    if (i < count - width) visit(i + width);
  };
  for (const start of rim) {
    if (isReached[start] || solid[start] || isSure?.[start]) continue;
    let isBeside = false;
    eachBeside(start, (j) => {
      isBeside ||= isBackground[j] === 1;
    });
    if (!isBeside) continue;
    const from = fuzzEnd;
    length = from;
    reach(start);
    let hairs = 0;
    for (let at = from; at < length; at++) {
      const i = patch[at];
      if (distance[i] > HAIR_SHARE * COARSE * around[i]) hairs++;
      eachBeside(i, reach);
    }
    if (hairs >= LEAST_HAIRS * (length - from)) fuzzEnd = length;
  }
  return patch.subarray(0, fuzzEnd).filter((i) => !isEdge[i]);
}

/** Returns true where the network is sure of the object. */
const isSeen = ({ left, top, whole: { picture, objectMask } }: Tile, x: number, y: number): boolean =>
  objectMask !== undefined && objectMask[(top + y) * picture.width + left + x] > SURE_OBJECT;

const INSIDE_RADIUS = 8;
/** An object's edge depends on pixels within this distance of the object alone, in px. */
export const REACH = Math.max(INSIDE_RADIUS, FUZZ_RADIUS);

/** Returns 1 where the network is sure of the object within `INSIDE_RADIUS`. */
function surelyInside(
  { picture, objectMask }: MarkedPicture,
  left: number,
  top: number,
  width: number,
  height: number,
): Uint8Array | undefined {
  if (!objectMask) return undefined;
  const sure = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const row = (top + y) * picture.width + left;
    for (let x = 0; x < width; x++, i++) sure[i] = objectMask[row + x] > SURE_OBJECT ? 1 : 0;
  }
  return extremes(sure, width, height, INSIDE_RADIUS, 'least');
}

const PEAK_RADIUS = 4;

/**
 * Returns the nearby pixel that is farthest from the background and of which this pixel's color may be a mix with the
 * background. Returns the pixel itself when there is none, or when most of its neighbors are as far: then it has the
 * object's own color.
 */
function strongest(tile: Tile, i: number, color = new Float64Array(3)): number {
  const { width, height, data, distance, isBackground } = tile;
  const { isLossy, field } = tile.whole;
  const x = i % width;
  const y = (i - x) / width;
  let alike = 0;
  for (let q = 0; q < 8; q++) {
    const j = neighbor(x, y, q, width, height);
    if (j >= 0 && !isBackground[j] && distance[j] >= 0.85 * distance[i]) alike++;
  }
  if (alike >= 4) return i;
  readGround(tile, x, y, color);
  let best = i;
  let most = 0;
  for (let yy = Math.max(0, y - PEAK_RADIUS); yy <= Math.min(height - 1, y + PEAK_RADIUS); yy++) {
    for (let xx = Math.max(0, x - PEAK_RADIUS); xx <= Math.min(width - 1, x + PEAK_RADIUS); xx++) {
      const j = yy * width + xx;
      if (isBackground[j] || distance[j] <= 1.1 * distance[i]) continue;
      let whole = 0;
      let part = 0;
      let own = 0;
      for (let k = 0; k < 3; k++) {
        const span = data[4 * j + k] - color[k];
        const here = data[4 * i + k] - color[k];
        whole += span * span;
        part += span * here;
        own += here * here;
      }
      const share = part / whole;
      const aside = Math.sqrt(Math.max(0, own - share * part));
      const tolerance = 3 + 2 * field.residual + (isLossy ? 10 : 0) + (isLossy ? 0.3 : 0.12) * Math.sqrt(whole) * share;
      if (aside > tolerance) continue;
      const worth = distance[j] - 0.15 * distance[i] * Math.hypot(xx - x, yy - y);
      if (worth > most) {
        most = worth;
        best = j;
      }
    }
  }
  return best;
}

function neighbor(x: number, y: number, q: number, width: number, height: number): number {
  const nx = x + DX[q];
  const ny = y + DY[q];
  return nx < 0 || ny < 0 || nx >= width || ny >= height ? -1 : ny * width + nx;
}

/** Returns the pixels by ascending distance, by counting sort: distances are small whole numbers. */
function byDistance(pixels: Int32Array, distance: Uint16Array): Int32Array {
  const starts = new Uint32Array(65_537);
  for (let p = 0; p < pixels.length; p++) starts[distance[pixels[p]] + 1]++;
  for (let d = 1; d < starts.length; d++) starts[d] += starts[d - 1];
  const order = new Int32Array(pixels.length);
  for (let p = 0; p < pixels.length; p++) order[starts[distance[pixels[p]]]++] = pixels[p];
  return order;
}
