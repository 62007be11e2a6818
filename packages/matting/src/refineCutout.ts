/**
 * Refines a cut-out: moves or softens its edge, and restores or erases areas with a brush. All lengths are relative to
 * the longer side, so that a small copy on a screen and the whole picture get the same result.
 */
import type { Picture } from './picture.ts';

/** One stroke of the correcting brush. */
export interface BrushStroke {
  /** `keep` restores the original, `erase` clears. */
  readonly mode: 'keep' | 'erase';
  /** In longer sides, above 0. */
  readonly radius: number;
  /** x, y, x, y, in widths and heights of the picture; a single point is a dab. */
  readonly points: readonly number[];
}

export interface EdgeRefinement {
  /** How far the edge moves outward, or inward below 0; thousandths of the longer side. */
  readonly edgeShift: number;
  /** Width of the fade on each side of the edge, from 0; thousandths of the longer side. */
  readonly feather: number;
}

/** Everything a person changed about a cut-out. */
export interface CutoutRefinement extends EdgeRefinement {
  /** In painting order; they are applied after the edge. */
  readonly strokes: readonly BrushStroke[];
}

/** The outer share of a brush's radius in which it fades. */
const SOFT_PART = 0.35;

/**
 * Moves the edge, then softens it, then paints the strokes. Both pictures have the same size; neither is changed.
 * Restored areas have the original's colors, and a softened edge has the object's colors. Linear in pixels, and where
 * the edge moves, times the shift in pixels. 1 megapixel takes about a fifth of a second with all three steps, and some
 * 12 bytes per pixel.
 */
export function refineCutout(original: Picture, cutout: Picture, { strokes, ...edge }: CutoutRefinement): Picture {
  const result = refineEdges(original, cutout, edge);
  for (const stroke of strokes) paintStroke(original, result, stroke);
  return result;
}

/** Returns a copy of the cut-out with its edge moved and softened. */
export function refineEdges(original: Picture, cutout: Picture, { edgeShift, feather }: EdgeRefinement): Picture {
  const { width, height } = cutout;
  const result = { width, height, data: cutout.data.slice() };
  const perThousandth = Math.max(width, height) / 1000;
  if (edgeShift !== 0) shiftEdge(original, result, edgeShift * perThousandth);
  if (feather > 0) softenEdge(result, feather * perThousandth);
  return result;
}

/** The rectangle of a picture that a stroke may have changed, in pixels; right and bottom are exclusive. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Paints one stroke into `picture`, which has the original's size. A stroke paints a pixel once, however often it
 * passes it. Returns the box that may have changed. Costs the brush's area in pixels for each point.
 */
export function paintStroke(original: Picture, picture: Picture, stroke: BrushStroke): PixelBox {
  const { width, height } = picture;
  const box = boxOf(stroke, width, height);
  const across = box.right - box.left;
  if (across <= 0 || box.bottom <= box.top) return box;
  const cover = coverOf(stroke, box, width, height);
  const isKeep = stroke.mode === 'keep';
  for (let y = box.top, at = 0; y < box.bottom; y++) {
    for (let i = y * width + box.left, end = i + across; i < end; i++, at++) {
      if (cover[at] === 0) continue;
      const share = cover[at] / 255;
      if (isKeep) bringBack(picture.data, original.data, 4 * i, share);
      else picture.data[4 * i + 3] = Math.round(picture.data[4 * i + 3] * (1 - share));
    }
  }
  return box;
}

function boxOf({ radius, points }: BrushStroke, width: number, height: number): PixelBox {
  const reach = radius * Math.max(width, height) + 1;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = 0; k + 1 < points.length; k += 2) {
    left = Math.min(left, points[k] * width);
    right = Math.max(right, points[k] * width);
    top = Math.min(top, points[k + 1] * height);
    bottom = Math.max(bottom, points[k + 1] * height);
  }
  return {
    left: Math.max(0, Math.floor(left - reach)),
    top: Math.max(0, Math.floor(top - reach)),
    right: Math.min(width, Math.ceil(right + reach)),
    bottom: Math.min(height, Math.ceil(bottom + reach)),
  };
}

/** Returns the coverage of each pixel of the box by a stroke, 0..255: the maximum over its pieces. */
function coverOf({ radius, points }: BrushStroke, box: PixelBox, width: number, height: number): Uint8Array {
  const across = box.right - box.left;
  const cover = new Uint8Array(across * (box.bottom - box.top));
  const outer = Math.max(0.5, radius * Math.max(width, height));
  // Never sharper than one pixel.
  const soft = Math.max(1, outer * SOFT_PART);
  const reach = outer + 0.5;
  const pieces = Math.max(1, (points.length >> 1) - 1);
  for (let k = 0; k < pieces; k++) {
    const from = 2 * k;
    const to = Math.min(from + 2, points.length - 2);
    const [ax, ay] = [points[from] * width, points[from + 1] * height];
    const [dx, dy] = [points[to] * width - ax, points[to + 1] * height - ay];
    const length = dx * dx + dy * dy;
    const left = Math.max(box.left, Math.floor(Math.min(ax, ax + dx) - reach));
    const right = Math.min(box.right, Math.ceil(Math.max(ax, ax + dx) + reach));
    const top = Math.max(box.top, Math.floor(Math.min(ay, ay + dy) - reach));
    const bottom = Math.min(box.bottom, Math.ceil(Math.max(ay, ay + dy) + reach));
    for (let y = top; y < bottom; y++) {
      for (let x = left, at = (y - box.top) * across + left - box.left; x < right; x++, at++) {
        if (cover[at] === 255) continue;
        const [px, py] = [x + 0.5 - ax, y + 0.5 - ay];
        const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
        const away = Math.hypot(px - along * dx, py - along * dy);
        const share = (outer + 0.5 - away) / soft;
        if (share > 0) cover[at] = Math.max(cover[at], share >= 1 ? 255 : 255 * share * share * (3 - 2 * share));
      }
    }
  }
  return cover;
}

/** Blends a pixel toward the original's by `share`; colors are weighted by alpha. */
function bringBack(data: Uint8Array, original: Uint8Array, at: number, share: number): void {
  const own = data[at + 3] * (1 - share);
  const back = original[at + 3] * share;
  const alpha = own + back;
  if (alpha <= 0) return;
  for (let k = at; k < at + 3; k++) data[k] = Math.round((data[k] * own + original[k] * back) / alpha);
  data[at + 3] = Math.round(alpha);
}

/** Moves the edge by `px`, outward above 0: alpha is dilated or eroded by a disc. */
function shiftEdge(original: Picture, picture: Picture, px: number): void {
  const { width, height, data } = picture;
  const isOut = px > 0;
  const alpha = new Uint8Array(width * height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = isOut ? data[4 * i + 3] : 255 - data[4 * i + 3];
  const newAlpha = dilate(alpha, width, height, Math.abs(px));
  for (let i = 0, at = 0; i < newAlpha.length; i++, at += 4) {
    const before = data[at + 3];
    // No pixel becomes more opaque than in the original.
    const after = isOut ? Math.min(newAlpha[i], Math.max(before, original.data[at + 3])) : 255 - newAlpha[i];
    if (after > before) {
      const gain = after - before;
      for (let k = at; k < at + 3; k++) {
        data[k] = Math.round((data[k] * before + original.data[k] * gain) / after);
      }
    }
    data[at + 3] = after;
  }
}

/**
 * Returns the greatest value within `radius` of each pixel (dilation by a disc). The radius may be fractional: values
 * between two pixels are interpolated linearly. The disc is processed row by row; maxima over windows of powers of two
 * are computed once for each row.
 *
 * Only pixels beside a lesser one need to be processed: whatever another pixel raises, a neighbor closer to it raises
 * too. So the inside of solid and clear areas costs nothing.
 */
function dilate(values: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const whole = Math.floor(radius);
  const tip = radius - whole;
  const result = values.slice();
  const pad = whole + 1;
  const levels: Uint8Array[] = [];
  for (let size = 1; size <= 2 * whole + 1; size *= 2) levels.push(new Uint8Array(width + 2 * pad));
  const row = levels[0];
  const best = new Uint8Array(width);

  const raise = (y: number, from: number, to: number): void => {
    if (y < 0 || y >= height) return;
    for (let x = from, i = y * width + from; x < to; x++, i++) if (best[x] > result[i]) result[i] = best[x];
  };
  const raises = (x: number, y: number): boolean => {
    const i = y * width + x;
    const value = values[i];
    return (
      (x > 0 && values[i - 1] < value) ||
      (x < width - 1 && values[i + 1] < value) ||
      (y > 0 && values[i - width] < value) ||
      (y < height - 1 && values[i + width] < value)
    );
  };
  /** Raises the values around the pixels of a row from `first` to `last`. */
  const raiseAround = (y: number, first: number, last: number): void => {
    const start = y * width;
    const [from, to] = [Math.max(0, first - pad), Math.min(width, last + pad + 1)];
    // The row extended by `pad` on both sides: x is at index x + pad.
    const [low, high] = [from, to + 2 * pad];
    row.fill(0, low, high);
    for (let x = Math.max(0, from - pad); x < Math.min(width, to + pad); x++) row[x + pad] = values[start + x];
    for (let level = 1, step = 1; level < levels.length; level++, step *= 2) {
      const [below, here] = [levels[level - 1], levels[level]];
      for (let x = low; x < high; x++) {
        const [a, b] = [below[x], x + step < high ? below[x + step] : 0];
        here[x] = a > b ? a : b;
      }
    }
    for (let dy = 0; dy <= whole; dy++) {
      const half = Math.sqrt(radius * radius - dy * dy);
      const reach = Math.floor(half);
      const part = half - reach;
      const level = 31 - Math.clz32(2 * reach + 1);
      const widest = levels[level];
      const second = 2 * reach + 1 - (1 << level);
      for (let x = from, p = from + pad - reach; x < to; x++, p++) {
        const [a, b] = [widest[p], widest[p + second]];
        let value = a > b ? a : b;
        if (part > 0 && value < 255) {
          const [left, right] = [row[p - 1], row[p + 2 * reach + 1]];
          const toLeft = row[p] + (left - row[p]) * part;
          const toRight = row[p + 2 * reach] + (right - row[p + 2 * reach]) * part;
          const ends = toLeft > toRight ? toLeft : toRight;
          if (ends > value) value = ends;
        }
        best[x] = value;
      }
      raise(y + dy, from, to);
      if (dy > 0) raise(y - dy, from, to);
    }
    if (tip === 0) return;
    // The top and bottom of the disc lie between two rows; this is the farther row.
    for (const side of [-1, 1]) {
      const nearer = y + side;
      for (let x = from; x < to; x++) {
        const near = nearer >= 0 && nearer < height ? values[nearer * width + x] : 0;
        const far = values[start + x];
        best[x] = far > near ? near + (far - near) * tip : 0;
      }
      raise(y + side * (whole + 1), from, to);
    }
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!raises(x, y)) continue;
      const first = x;
      let last = x;
      for (let next = x + 1; next < width && next <= last + 2 * pad; next++) if (raises(next, y)) last = next;
      raiseAround(y, first, last);
      x = last;
    }
  }
  return result;
}

/**
 * Fades the edge over `px` on both sides: blurs alpha and premultiplied colors alike, so that the faded area has the
 * object's colors.
 */
function softenEdge({ width, height, data }: Picture, px: number): void {
  const count = width * height;
  const shares = new Uint16Array(count);
  for (let i = 0; i < count; i++) shares[i] = 255 * data[4 * i + 3];
  blur(shares, width, height, px / 2);
  const spread = new Uint16Array(count);
  for (let k = 0; k < 3; k++) {
    for (let i = 0; i < count; i++) spread[i] = data[4 * i + k] * data[4 * i + 3];
    blur(spread, width, height, px / 2);
    for (let i = 0; i < count; i++) {
      const before = 255 * data[4 * i + 3];
      const gain = shares[i] - before;
      if (gain <= 0) continue;
      const around = (255 * spread[i]) / shares[i];
      data[4 * i + k] = Math.min(255, Math.round((data[4 * i + k] * before + around * gain) / shares[i]));
    }
  }
  for (let i = 0; i < count; i++) data[4 * i + 3] = Math.round(shares[i] / 255);
}

/**
 * Blurs in place by two box filters of `2 · half + 1` pixels in each direction. Pixels beyond the border repeat the
 * border.
 */
function blur(values: Uint16Array, width: number, height: number, half: number): void {
  const line = new Float64Array(Math.max(width, height));
  for (let y = 0; y < height; y++) {
    for (let pass = 0; pass < 2; pass++) mean(values, y * width, 1, width, half, line);
  }
  for (let x = 0; x < width; x++) {
    for (let pass = 0; pass < 2; pass++) mean(values, x, width, height, half, line);
  }
}

function mean(values: Uint16Array, start: number, step: number, count: number, half: number, line: Float64Array): void {
  const whole = Math.floor(half);
  const part = half - whole;
  const last = count - 1;
  for (let i = 0, at = start; i < count; i++, at += step) line[i] = values[at];
  let sum = 0;
  for (let i = -whole; i <= whole; i++) sum += line[Math.min(last, Math.max(0, i))];
  const weight = 1 / (2 * half + 1);
  for (let i = 0, at = start; i < count; i++, at += step) {
    const before = line[Math.max(0, i - whole - 1)];
    const behind = line[Math.min(last, i + whole + 1)];
    values[at] = (sum + part * (before + behind)) * weight + 0.5;
    sum += behind - line[Math.max(0, i - whole)];
  }
}
