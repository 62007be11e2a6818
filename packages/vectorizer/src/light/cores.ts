import type { Flat } from './flatten.ts';
import { type Inks, writeLab } from './inks.ts';
import { joinTones } from './joinTones.ts';

/** How far around a pixel its inks are looked for, in px: as far as blur reaches. */
export const REACH = 3;
/** The label of a pixel that no ink is known of. */
export const UNKNOWN = 255;
const UNSEEN = 254;
/** The label of an even pixel near no ink. */
const STRAY = 253;
/** An even pixel within this distance of an ink is that ink. */
const NEAR = 0.1;
const ownLab = new Float64Array(3);

/** The cores of the inks of a picture. */
export interface Cores {
  /** The ink of each pixel within an area of one ink, 0 for paper; `UNKNOWN` for all others. */
  core: Uint8Array;
  /** The inks of such pixels around each pixel, one bit each. */
  near: Uint32Array;
}

/** Finds the ink of each pixel that differs little from its neighbors. Linear in pixels. */
export function findCores(flat: Flat, inks: Inks): Cores {
  const { width, height } = flat;
  const core = labelEven(flat, inks);
  growInks(core, gatherNear(core, width, height), width);
  joinTones(core, UNKNOWN, flat, inks);
  return { core, near: gatherNear(core, width, height) };
}

/** Returns the ink of each even pixel; STRAY for one near no ink, and UNKNOWN for all others. */
function labelEven({ width, height, data, noise }: Flat, inks: Inks): Uint8Array {
  const out = new Uint8Array(width * height).fill(UNKNOWN);
  const cache = new Uint8Array(1 << 18).fill(UNSEEN);
  const range = 12 + 3 * noise;
  const row = width * 4;
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      const i = p * 4;
      if (
        (x > 0 && isApart(data, i, i - 4, range)) ||
        (x < width - 1 && isApart(data, i, i + 4, range)) ||
        (y > 0 && isApart(data, i, i - row, range)) ||
        (y < height - 1 && isApart(data, i, i + row, range))
      )
        continue;
      const key = ((data[i] >> 2) << 12) | ((data[i + 1] >> 2) << 6) | (data[i + 2] >> 2);
      if (cache[key] === UNSEEN) cache[key] = nearestInk(key, inks);
      out[p] = cache[key];
    }
  }
  return out;
}

/** Returns the ink near a color of 6 bits a channel, or STRAY. */
function nearestInk(key: number, { labs, count, paperReach }: Inks): number {
  writeLab((key >> 12) * 4 + 2, ((key >> 6) & 63) * 4 + 2, (key & 63) * 4 + 2, ownLab, 0);
  let nearest = Infinity;
  let ink = STRAY;
  for (let k = 0; k < count; k++) {
    const d = Math.hypot(ownLab[0] - labs[k * 3], ownLab[1] - labs[k * 3 + 1], ownLab[2] - labs[k * 3 + 2]);
    if (d >= nearest || d > (k === 0 ? paperReach : NEAR)) continue;
    nearest = d;
    ink = k;
  }
  return ink;
}

function isApart(data: Uint8ClampedArray, i: number, j: number, range: number): boolean {
  return (
    Math.abs(data[i] - data[j]) > range ||
    Math.abs(data[i + 1] - data[j + 1]) > range ||
    Math.abs(data[i + 2] - data[j + 2]) > range
  );
}

/** A stray area is a glare when it has at least this share of all pixels, */
const LEAST_GLARE = 0.0005;
/** and when there are at most this many stray areas of this many pixels: more are the grain of an ink. */
const MOST_GLARES = 12;
const LEAST_OF_GRAIN = 6;

/**
 * Labels the middle of a glare with the ink that it lies on: a broad stray area that an ink surrounds, where no paper
 * is near. Its color is far from that of the ink, but fades into it. All other strays become unknown.
 */
function growInks(core: Uint8Array, near: Uint32Array, width: number): void {
  const isSeen = new Uint8Array(core.length);
  const glares: { pixels: number[]; ink: number }[] = [];
  let count = 0;
  for (let start = 0; start < core.length; start++) {
    if (core[start] !== STRAY || isSeen[start]) continue;
    const pixels = [start];
    isSeen[start] = 1;
    let ink = UNKNOWN;
    for (let k = 0; k < pixels.length; k++) {
      const p = pixels[k];
      const x = p % width;
      for (const q of [x > 0 ? p - 1 : -1, x + 1 < width ? p + 1 : -1, p - width, p + width]) {
        if (core[q] > 0 && core[q] < STRAY) ink = core[q];
        if (core[q] !== STRAY || isSeen[q]) continue;
        isSeen[q] = 1;
        pixels.push(q);
      }
    }
    if (ink === UNKNOWN) continue;
    if (pixels.length >= LEAST_OF_GRAIN) count++;
    if (pixels.length >= LEAST_GLARE * core.length) glares.push({ pixels, ink });
  }
  for (let p = 0; p < core.length; p++) if (core[p] === STRAY) core[p] = UNKNOWN;
  if (count > MOST_GLARES) return;
  for (const { pixels, ink } of glares) for (const p of pixels) if (!(near[p] & 1)) core[p] = ink;
}

/** Returns the inks of the even pixels around each pixel, one bit each. */
function gatherNear(core: Uint8Array, width: number, height: number): Uint32Array {
  const rows = new Uint32Array(core.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let bits = 0;
      const last = Math.min(width - 1, x + REACH);
      for (let u = Math.max(0, x - REACH); u <= last; u++) {
        const label = core[y * width + u];
        if (label < STRAY) bits |= 1 << label;
      }
      rows[y * width + x] = bits;
    }
  }
  const out = new Uint32Array(core.length);
  for (let y = 0, p = 0; y < height; y++) {
    const last = Math.min(height - 1, y + REACH);
    for (let x = 0; x < width; x++, p++) {
      for (let v = Math.max(0, y - REACH); v <= last; v++) out[p] |= rows[v * width + x];
    }
  }
  return out;
}
