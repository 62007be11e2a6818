/**
 * Joins two masks of one picture. A network sees details when the picture fills its view, and the whole when the
 * picture is smaller. Sometimes one of the two masks covers only a part of the object, or includes some background.
 */
import { extremes } from './extremes.ts';
import { type Mask, type Picture, resizeMask } from './picture.ts';

const SIDE = 384;
/** Masks with at least this intersection over union agree. */
const AGREEMENT = 0.85;
/** Least share of a mask that lies within the other when it is a part of it. */
const WITHIN = 0.95;
/** The larger mask's outline needs at least this share of the edge strength of the smaller one's. */
const LEAST_EDGE = 0.62;
/** Its outline needs at least this share of the focus of the smaller one's: an object is in focus as a whole. */
const LEAST_FOCUS = 0.7;
/** A mask that covers this share of the picture's border more than the other holds some of the background. */
const MORE_BORDER = 0.01;
/** Largest ratio of the raggedness of two masks, and of the widths of their unsure rims. */
const MORE_RAGGED = 2.5;
const MORE_UNSURE = 2;
/** A part whose outline is this many times as ragged as that of the whole is fragments of it, not an object. */
const FRAGMENT = 2;
/** A mask is vague when its unsure rim is wider than this, in hundredths of the picture's side. */
const WIDE_RIM = 2;

/**
 * Returns true when a second mask, of the picture at half size, is worth its time: always for a photograph (it changes
 * one in six masks of the bench and of held-out pictures), and on a plain background when the mask is vague, as it is
 * at shadows.
 */
export function isSecondLookWorth(kind: 'flat' | 'plain' | 'photograph', mask: Mask): boolean {
  if (kind !== 'plain') return kind === 'photograph';
  return isVague(measureMask(mask, SIDE, SIDE));
}

const isVague = ({ rimWidth }: MaskStats): boolean => rimWidth > (WIDE_RIM / 100) * SIDE;

/** Returns true when a mask covers the border where the other one does not: what it adds may be background. */
const spillsOver = (mask: MaskStats, other: MaskStats): boolean => mask.border > other.border + MORE_BORDER;

/**
 * Joins two masks. `near` was made with the picture filling the network's view, `far` with the picture at half that
 * size. When they agree, `near` is returned for its detail, unless it is vague and `far` is not. When one is a part of
 * the other, the larger one is returned if it stays off the border, is neither ragged nor vague, and ends on real edges
 * of the picture or has mere fragments as its part; else the smaller one. Its holes are closed where the larger one is
 * sure, unless that one spills over the border. When they contradict one another, the surer one is returned. Takes 20
 * ms.
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
  const isFarSurer = b.rimWidth * MORE_UNSURE < a.rimWidth && !spillsOver(b, a);
  if (isVague(a) && isFarSurer) return far;
  if (both >= AGREEMENT * either) return near;

  const isNearPart = both >= WITHIN * a.area;
  if (!isNearPart && both < WITHIN * b.area) return isFarSurer ? far : near;
  const [part, whole] = isNearPart ? [a, b] : [b, a];
  if (spillsOver(whole, part)) return isNearPart ? near : far;
  const edges = edgesOf(picture, width, height);
  const own = outlineOf(part.data, undefined, edges, width, height);
  const more = outlineOf(whole.data, part.data, edges, width, height);
  const isWholeSound =
    (more.strength >= LEAST_EDGE * own.strength || FRAGMENT * whole.raggedness <= part.raggedness) &&
    more.focus >= LEAST_FOCUS * own.focus &&
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
  /** Length of the outline divided by the square root of the area: 3.5 for a disk. */
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

/** The edges of a picture at a small size. */
interface Edges {
  /** Strength of the color gradient, 0..255, as the maximum within a pixel. It is small out of focus. */
  readonly change: Uint8Array;
  /** Contrast of the edge that a pixel belongs to, 0..255: the span of brightness within `CONTRAST_RADIUS`. */
  readonly contrast: Uint8Array;
}

/**
 * Returns the mean edge strength of the picture along the outline of `mask`, except inside `except`, and its focus:
 * that strength as a share of the contrast of the edges. An edge out of focus may have much contrast, but has it over
 * many pixels.
 */
function outlineOf(
  mask: Uint8Array,
  except: Uint8Array | undefined,
  { change, contrast }: Edges,
  width: number,
  height: number,
): { strength: number; focus: number } {
  let sum = 0;
  let span = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      if (mask[i] <= 127 || !isOutline(mask, i, width) || (except && except[i] > 127)) continue;
      sum += change[i];
      span += contrast[i];
      count++;
    }
  }
  return { strength: count === 0 ? 0 : sum / count, focus: sum / Math.max(1, span) };
}

const CONTRAST_RADIUS = 4;

function edgesOf({ width: fromWidth, height: fromHeight, data }: Picture, width: number, height: number): Edges {
  const small = new Uint8Array(3 * width * height);
  const gray = new Uint8Array(width * height);
  for (let y = 0, j = 0; y < height; y++) {
    const row = Math.min(fromHeight - 1, Math.floor(((y + 0.5) * fromHeight) / height)) * fromWidth;
    for (let x = 0; x < width; x++, j += 3) {
      const i = 4 * (row + Math.min(fromWidth - 1, Math.floor(((x + 0.5) * fromWidth) / width)));
      small[j] = data[i];
      small[j + 1] = data[i + 1];
      small[j + 2] = data[i + 2];
      gray[j / 3] = 0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2];
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
  const lowest = extremes(gray, width, height, CONTRAST_RADIUS, 'least');
  const contrast = extremes(gray, width, height, CONTRAST_RADIUS, 'greatest').map((most, i) => most - lowest[i]);
  return { change: extremes(change, width, height, 1, 'greatest'), contrast };
}

/** Fills the holes of `mask` where `other` is sure of the object. */
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
  // Stay two pixels off the outside, so that the outline of the finer mask is kept.
  const near = extremes(isOutside, width, height, 2, 'greatest');
  return { width, height, data: mask.data.map((value, i) => (near[i] ? value : Math.max(value, rest[i]))) };
}
