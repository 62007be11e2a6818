/**
 * Two looks at one picture. A network sees details when a picture fills its view and the whole when it is seen from
 * further away; now and then one of the two keeps a part of the object alone, or takes along what is behind it.
 */
import { extremes } from './extremes.ts';
import { type Mask, type Picture, resizeMask } from './picture.ts';

const SIDE = 384;
/** Masks that share so much of what either covers say the same. */
const AGREEMENT = 0.85;
/** Share of one mask that lies within the other when it is a part of it. */
const WITHIN = 0.95;
/** A larger mask may end on edges this much weaker than the smaller one's. */
const LEAST_EDGE = 0.62;
/** Share of the picture's border that a mask may cover more than the other. */
const MORE_BORDER = 0.03;
/** How much longer, for its area, a mask's outline may be than the other's, and how much wider its unsure rim. */
const MORE_RAGGED = 2.5;
const MORE_UNSURE = 2;
/** A mask is unsure as a whole when its rim is as wide as this, in hundredths of the picture's side. */
const WIDE_RIM = 2;

/**
 * Returns true when a look from further away is worth its time: always for a photograph (one in six masks of the bench
 * and of held-out pictures changes), and on a plain background where the mask is vague, as it is about shadows.
 */
export function isSecondLookWorth(kind: 'flat' | 'plain' | 'photograph', mask: Mask): boolean {
  if (kind !== 'plain') return kind === 'photograph';
  return isVague(measureMask(mask, SIDE, SIDE));
}

const isVague = ({ rimWidth: unsure }: MaskStats): boolean => unsure > (WIDE_RIM / 100) * SIDE;

/**
 * Makes one mask of two. `near` was made with the picture filling the network's view, `far` with the picture at half
 * that size. Where they agree, `near` has the better detail, unless it is vague and `far` is not. Where one is a part
 * of the other, the larger one is taken if it ends on real edges of the picture, stays off the border, and is neither
 * ragged nor vague; else the smaller one, and its holes are closed where the larger one is sure. Where they contradict
 * one another, the surer is taken. About 20 ms.
 */
export function joinMasks(picture: Picture, near: Mask, far: Mask): Mask {
  const scale = SIDE / Math.max(picture.width, picture.height);
  const width = Math.max(3, Math.round(picture.width * scale));
  const height = Math.max(3, Math.round(picture.height * scale));
  const a = measureMask(near, width, height);
  const b = measureMask(far, width, height);
  let both = 0;
  for (let i = 0; i < a.data.length; i++) if (a.data[i] > 127 && b.data[i] > 127) both++;
  const either = a.area + b.area - both;
  if (a.area === 0) return b.area === 0 ? near : far;
  if (b.area === 0) return near;
  if (isVague(a) && b.rimWidth * MORE_UNSURE < a.rimWidth) return far;
  if (both >= AGREEMENT * either) return near;

  const edges = edgesOf(picture, width, height);
  const isNearPart = both >= WITHIN * a.area;
  if (!isNearPart && both < WITHIN * b.area) return b.rimWidth * MORE_UNSURE < a.rimWidth ? far : near;
  const [part, whole] = isNearPart ? [a, b] : [b, a];
  const isWholeSound =
    outlineStrength(whole.data, part.data, edges, width, height) >=
      LEAST_EDGE * outlineStrength(part.data, undefined, edges, width, height) &&
    whole.border <= part.border + MORE_BORDER &&
    whole.raggedness <= MORE_RAGGED * part.raggedness &&
    whole.rimWidth <= MORE_UNSURE * part.rimWidth;
  if (isWholeSound) return isNearPart ? far : near;
  return isNearPart ? closeHoles(near, far) : closeHoles(far, near);
}

interface MaskStats {
  readonly data: Uint8Array;
  /** Pixels. */
  readonly area: number;
  /** Share of the border that is covered, 0..1. */
  readonly border: number;
  /** Length of the outline over the square root of the area: 3.5 for a disk. */
  readonly raggedness: number;
  /** Mean width of the rim where the mask is unsure, in pixels. */
  readonly rimWidth: number;
}

function measureMask(mask: Mask, width: number, height: number): MaskStats {
  const data = resizeMask(mask, width, height);
  let area = 0;
  let soft = 0;
  let border = 0;
  let outline = 0;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (data[i] > 25 && data[i] < 230) soft++;
      if (data[i] <= 127) continue;
      area++;
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) border++;
      else if (isOutline(data, i, width)) outline++;
    }
  }
  return {
    data,
    area,
    border: border / (2 * (width + height)),
    raggedness: outline / Math.sqrt(Math.max(1, area)),
    rimWidth: soft / Math.max(1, outline),
  };
}

const isOutline = (data: Uint8Array, i: number, width: number): boolean =>
  data[i - 1] <= 127 || data[i + 1] <= 127 || data[i - width] <= 127 || data[i + width] <= 127;

/** Returns the mean of the picture's edges along the outline of `mask`, without what lies inside `except`. */
function outlineStrength(
  mask: Uint8Array,
  except: Uint8Array | undefined,
  edges: Uint8Array,
  width: number,
  height: number,
): number {
  let sum = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      if (mask[i] <= 127 || !isOutline(mask, i, width) || (except && except[i] > 127)) continue;
      sum += edges[i];
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}

/**
 * Returns how fast the color changes from pixel to pixel, 0..255, the most of what is within a pixel. What is out of
 * focus changes slowly.
 */
function edgesOf({ width: fromWidth, height: fromHeight, data }: Picture, width: number, height: number): Uint8Array {
  const small = new Uint8Array(3 * width * height);
  for (let y = 0, j = 0; y < height; y++) {
    const row = Math.min(fromHeight - 1, Math.floor(((y + 0.5) * fromHeight) / height)) * fromWidth;
    for (let x = 0; x < width; x++, j += 3) {
      const i = 4 * (row + Math.min(fromWidth - 1, Math.floor(((x + 0.5) * fromWidth) / width)));
      small[j] = data[i];
      small[j + 1] = data[i + 1];
      small[j + 2] = data[i + 2];
    }
  }
  const change = new Uint8Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        const j = 3 * (y * width + x) + k;
        sum += (small[j + 3] - small[j - 3]) ** 2 + (small[j + 3 * width] - small[j - 3 * width]) ** 2;
      }
      change[y * width + x] = Math.min(255, Math.sqrt(sum) / 2);
    }
  }
  return extremes(change, width, height, 1, 'greatest');
}

/** Fills what `mask` encloses where `other` is sure that it is object. */
function closeHoles(mask: Mask, other: Mask): Mask {
  const { width, height } = mask;
  const count = width * height;
  const rest = resizeMask(other, width, height);
  const isOutside = new Uint8Array(count);
  const stack = new Int32Array(count);
  let depth = 0;
  const reach = (i: number) => {
    if (isOutside[i] || mask.data[i] > 127) return;
    isOutside[i] = 1;
    stack[depth++] = i;
  };
  for (let x = 0; x < width; x++) {
    reach(x);
    reach(count - width + x);
  }
  for (let y = 0; y < height; y++) {
    reach(y * width);
    reach(y * width + width - 1);
  }
  while (depth > 0) {
    const i = stack[--depth];
    const x = i % width;
    if (x > 0) reach(i - 1);
    if (x < width - 1) reach(i + 1);
    if (i >= width) reach(i - width);
    if (i < count - width) reach(i + width);
  }
  // Two pixels off the outside, so that the outline stays the finer mask's own.
  const near = extremes(isOutside, width, height, 2, 'greatest');
  return { width, height, data: mask.data.map((value, i) => (near[i] ? value : Math.max(value, rest[i]))) };
}
