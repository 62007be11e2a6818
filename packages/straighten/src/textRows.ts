/** Rows of letters, and the lines they stand on. */
import type { Box, Gray, Point } from './bitmap.ts';
import type { Cue } from './planeFit.ts';

/** A connected component of ink. */
interface Letter extends Box {
  /** The middle of the lowest pixels. */
  readonly foot: Point;
}

/**
 * Ink differs by `INK_CONTRAST` levels from the mean of its surroundings, a window of `WINDOW_SHARE` of the long side.
 */
const WINDOW_SHARE = 0.06;
const INK_CONTRAST = 14;
/** Heights of letters in pixels. */
const HEIGHTS = [7, 140] as const;
const MOST_LETTERS = 2500;
const LEAST_ROW = 5;
/** Feet lie on their line to within this share of a letter's height, and this many pixels. */
const FOOT_SHARE = 0.05;
const FOOT_PIXELS = 0.6;
/** Letters whose feet stand (others have descenders), as a share of a row. */
const STANDING_SHARE = 0.6;
/** The least standard deviation of one foot, in pixels. */
const LEAST_FOOT_SIGMA = 0.35;
/** A row's feet may bend by this share of its length: more is lettering along an arc. */
const MOST_BEND = 0.004;

/** Finds rows of at least five letters on a straight line, dark on light and light on dark. */
export function findTextRows(gray: Gray): Cue[] {
  const contrast = contrastOf(gray);
  return [-1, 1].flatMap((sign) => {
    const letters = findLetters(gray, contrast, sign);
    return chainLetters(letters).flatMap((row) => fitBaseline(row) ?? []);
  });
}

/** Returns by how much each pixel is lighter than the mean of the window around it. */
function contrastOf({ width, height, data }: Gray): Float32Array {
  const radius = Math.max(4, Math.round((WINDOW_SHARE * Math.max(width, height)) / 2));
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    let line = 0;
    for (let x = 0; x < width; x++) {
      line += data[y * width + x];
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + line;
    }
  }
  const out = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)];
      const [above, below] = [top * (width + 1), bottom * (width + 1)];
      const sum = sums[below + right] - sums[above + right] - sums[below + left] + sums[above + left];
      out[y * width + x] = data[y * width + x] - sum / ((bottom - top) * (right - left));
    }
  }
  return out;
}

/** Finds the connected components of ink that have a letter's size. `sign`: 1 for light ink, -1 for dark. */
function findLetters({ width, height }: Gray, contrast: Float32Array, sign: number): Letter[] {
  // 1 for ink that is not visited yet. The border stays 0, so that no neighbor has to be checked against it.
  const isInk = new Uint8Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1, end = (y + 1) * width - 1; i < end; i++) {
      if (contrast[i] * sign >= INK_CONTRAST) isInk[i] = 1;
    }
  }
  const letters: Letter[] = [];
  const queue = new Int32Array(width * height);
  const steps = [-1, 1, -width, width];
  for (let start = isInk.indexOf(1); start >= 0 && letters.length < MOST_LETTERS; start = isInk.indexOf(1, start + 1)) {
    isInk[start] = 0;
    queue[0] = start;
    let count = 1;
    let [left, right, top, bottom] = [width, 0, height, 0];
    for (let at = 0; at < count; at++) {
      const i = queue[at];
      const y = Math.floor(i / width);
      const x = i - y * width;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
      for (let k = 0; k < 4; k++) {
        const next = i + steps[k];
        if (isInk[next] === 0) continue;
        isInk[next] = 0;
        queue[count++] = next;
      }
    }
    const [w, h] = [right - left + 1, bottom - top + 1];
    if (h < HEIGHTS[0] || h > HEIGHTS[1] || w > 3 * h || count < 0.12 * w * h) continue;
    if (left <= 1 || top <= 1 || right >= width - 2 || bottom >= height - 2) continue;
    letters.push({
      left,
      right: right + 1,
      top,
      bottom: bottom + 1,
      foot: footOf(queue.subarray(0, count), width, bottom, contrast),
    });
  }
  return letters;
}

/** Returns the middle of a component's lowest pixels, and where its contrast ends below them. */
function footOf(pixels: Int32Array, width: number, bottom: number, contrast: Float32Array): Point {
  let [sum, count, inside, below] = [0, 0, 0, 0];
  for (const i of pixels) {
    if (i < bottom * width) continue;
    sum += (i % width) + 0.5;
    count++;
    inside += Math.abs(contrast[i]);
    below += Math.abs(contrast[i + width] ?? 0);
  }
  // The row below the lowest is ink by a part: by its contrast, of which half is the bound of ink.
  const part = Math.min(1, below / Math.max(1, inside));
  return { x: sum / count, y: bottom + 1 + part - 0.5 };
}

/** Joins each letter to the nearest one on its right that is as tall and stands beside it. */
function chainLetters(letters: readonly Letter[]): Letter[][] {
  const inOrder = [...letters].sort((a, b) => a.left - b.left);
  const next = new Int32Array(inOrder.length).fill(-1);
  const isNext = new Uint8Array(inOrder.length);
  inOrder.forEach((letter, i) => {
    const height = letter.bottom - letter.top;
    let nearest = Number.POSITIVE_INFINITY;
    for (let k = i + 1; k < inOrder.length; k++) {
      const other = inOrder[k];
      const gap = other.left - letter.right;
      if (other.left > letter.right + 1.6 * height || gap > nearest) break;
      const otherHeight = other.bottom - other.top;
      if (otherHeight > 1.9 * height || otherHeight < height / 1.9) continue;
      const overlap = Math.min(letter.bottom, other.bottom) - Math.max(letter.top, other.top);
      if (overlap < 0.4 * Math.min(height, otherHeight) || gap < -0.5 * height || isNext[k]) continue;
      if (gap < nearest) [nearest, next[i]] = [gap, k];
    }
    if (next[i] >= 0) isNext[next[i]] = 1;
  });
  const rows: Letter[][] = [];
  inOrder.forEach((_, i) => {
    if (isNext[i]) return;
    const row: Letter[] = [];
    for (let k = i; k >= 0; k = next[k]) row.push(inOrder[k]);
    if (row.length >= LEAST_ROW) rows.push(row);
  });
  return rows;
}

/** Fits the line that most letters of a row stand on; undefined where they stand on no straight line. */
function fitBaseline(row: readonly Letter[]): Cue | undefined {
  const heights = row.map(({ top, bottom }) => bottom - top).sort((a, b) => a - b);
  const height = heights[Math.floor(heights.length / 2)];
  const tolerance = FOOT_SHARE * height + FOOT_PIXELS;
  const feet = row.map(({ foot }) => foot);
  const stand = (slope: number, start: number, width: number) =>
    feet.filter(({ x, y }) => Math.abs(y - start - slope * x) < width);
  let best: readonly Point[] = [];
  // Every pair of feet some letters apart proposes a line: rows are short, so that all can be tried.
  const few = feet.length > 40 ? feet.filter((_, i) => i % Math.ceil(feet.length / 40) === 0) : feet;
  for (const [i, a] of few.entries()) {
    for (const b of few.slice(i + Math.max(1, Math.floor(few.length / 4)))) {
      const slope = (b.y - a.y) / (b.x - a.x);
      const standing = stand(slope, a.y - slope * a.x, tolerance);
      if (Math.abs(slope) < 0.5 && standing.length > best.length) best = standing;
    }
  }
  if (best.length < Math.max(LEAST_ROW - 1, STANDING_SHARE * row.length)) return undefined;
  const n = best.length;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(best.map(({ x }) => x)), mean(best.map(({ y }) => y))];
  const xx = mean(best.map(({ x }) => (x - mx) ** 2));
  const slope = mean(best.map(({ x, y }) => (x - mx) * (y - my))) / xx;
  const offs = best.map(({ x, y }) => y - my - slope * (x - mx));
  const spread = Math.max(LEAST_FOOT_SIGMA, Math.sqrt(offs.reduce((sum, off) => sum + off * off, 0) / (n - 2 || 1)));
  const [low, high] = [best[0].x, best[n - 1].x];
  const length = (high - low) * Math.hypot(1, slope);
  if (length < 2.5 * height) return undefined;
  const t = best.map(({ x }) => (2 * x - low - high) / (high - low));
  const mq = mean(t.map((value) => value * value));
  const bend =
    Math.abs(mean(offs.map((off, i) => off * (t[i] ** 2 - mq)))) / mean(t.map((value) => (value ** 2 - mq) ** 2));
  if (bend > MOST_BEND * length + spread) return undefined;
  const size = Math.hypot(1, slope);
  const [dx, dy] = [1 / size, slope / size];
  const sigma = spread / Math.sqrt(n * xx);
  const middle = (low + high) / 2;
  const place = { x: middle, y: my + slope * (middle - mx) };
  return { ...place, dx, dy, length, sigma, normalX: -dy, normalY: dx, isBaseline: true };
}
