/**
 * Pictures on a plain background. The background's color is known at every pixel, so of a pixel on an edge only the object's color has
 * to be found, and its share follows: pixel = share · object + (1 − share) · background (the compositing equation of Porter and Duff).
 *
 * From the background inwards a pixel belongs to an edge while the picture goes on rising away from the background; where it stops rising
 * is the object's own color. So an edge may be one pixel wide or ten. Hair and other fuzz has no such place: there the strongest pixel
 * near by stands for the object.
 */
import { extremes } from './extremes.ts';
import { type Field, readField } from './field.ts';
import { type Mask, type Picture, resizeMask } from './picture.ts';

export interface PlainOptions {
  /** Protects insides of the background's color, decides about what is enclosed, and removes shadows. */
  readonly mask?: Mask;
  /** Whether enclosed areas of the background's color go too. Left out: where the mask says so, so without a mask none. */
  readonly clearEnclosed?: boolean;
}

/** Distances are kept in steps of an OKLab hundredth divided by this. */
const STEPS = 128;

/**
 * Takes a plain background away: one color or a smooth gradient, clean or noisy. The colors of what is kept are the object's own,
 * without a fringe of the background; the size stays. Linear in pixels: about 0.2 s and 25 bytes a pixel besides the picture and the
 * answer.
 */
export function removePlainBackground(
  picture: Picture,
  field: Field,
  { mask, clearEnclosed }: PlainOptions = {},
): Picture {
  const opinion = mask && resizeMask(mask, picture.width, picture.height);
  const ground = measure(picture, field, opinion);
  labelBackground(ground, clearEnclosed);
  return unmix(ground);
}

interface Ground {
  readonly picture: Picture;
  readonly field: Field;
  /** How far each pixel is from the background, in `STEPS` of an OKLab hundredth. */
  readonly distance: Uint16Array;
  /** Less than this is background. */
  readonly threshold: number;
  /** The picture was compressed with loss: near edges even the background is noisy. */
  readonly isLossy: boolean;
  /** 1: background. */
  readonly isBackground: Uint8Array;
  /** What the network takes for the object, 0..255 at the picture's size. */
  readonly opinion: Uint8Array | undefined;
}

/** Of 255: surer than this, the network protects a pixel that looks like the background; less sure than the other, it gives a shadow up. */
const SURE_OBJECT = 252;
const SURE_GROUND = 51;
/** A shadow is darker than the ground by less than this, in OKLab hundredths, and of its hue within this. */
const DEEPEST_SHADOW = 30;
const SHADOW_HUE = 1;

function measure(picture: Picture, field: Field, opinion: Uint8Array | undefined): Ground {
  const { width, height, data } = picture;
  const distance = new Uint16Array(width * height);
  const color = new Float64Array(3);
  const own = new Float64Array(3);
  const known = new Float64Array(3);
  const last = new Float64Array(3).fill(-1);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      readField(field, x, y, width, height, color);
      const isSameGround = color[0] === last[0] && color[1] === last[1] && color[2] === last[2];
      if (!isSameGround) {
        writeOklab(color[0], color[1], color[2], known);
        last.set(color);
      } else if (i > 0 && isSame(data, i, i - 1)) {
        // Flat art on one color: most pixels are as the one before.
        distance[i] = distance[i - 1];
        continue;
      }
      writeOklab(data[4 * i], data[4 * i + 1], data[4 * i + 2], own);
      distance[i] = Math.min(65_535, STEPS * Math.hypot(own[0] - known[0], own[1] - known[1], own[2] - known[2]));
    }
  }
  const isLossy = showsRinging(distance, width, height);
  const threshold = Math.round(STEPS * Math.max(isLossy ? 1.6 : 0.5, 0.75 * field.residual));
  return { picture, field, distance, threshold, isLossy, isBackground: new Uint8Array(width * height), opinion };
}

const isSame = (data: Uint8Array, i: number, j: number): boolean =>
  data[4 * i] === data[4 * j] && data[4 * i + 1] === data[4 * j + 1] && data[4 * i + 2] === data[4 * j + 2];

/** Whether beside strong edges, but not on them, the background is uneven: as lossy compression leaves it. */
function showsRinging(distance: Uint16Array, width: number, height: number): boolean {
  const near = extremes(distance, width, height, 3, 'greatest');
  const around = extremes(near, width, height, 5, 'greatest');
  let beside = 0;
  let uneven = 0;
  for (let i = 0; i < distance.length; i++) {
    if (around[i] < 8 * STEPS || near[i] > 6 * STEPS) continue;
    beside++;
    if (distance[i] > 0.25 * STEPS) uneven++;
  }
  return uneven > 0.15 * beside;
}

/** From the border inwards; then, where wanted, enclosed patches of its very color. */
function labelBackground(ground: Ground, clearEnclosed: boolean | undefined): void {
  const { distance, threshold, isBackground, opinion } = ground;
  const { width, height } = ground.picture;
  const count = width * height;
  const stack = new Int32Array(count);
  let depth = 0;
  const reach = (i: number, limit: number) => {
    if (isBackground[i]) return;
    if (distance[i] < limit ? opinion && opinion[i] > SURE_OBJECT : !isShadow(ground, i)) return;
    isBackground[i] = 1;
    stack[depth++] = i;
  };
  const flood = (limit: number): void => {
    while (depth > 0) {
      const i = stack[--depth];
      const x = i % width;
      if (x > 0) reach(i - 1, limit);
      if (x < width - 1) reach(i + 1, limit);
      if (i >= width) reach(i - width, limit);
      if (i < count - width) reach(i + width, limit);
    }
  };
  for (let x = 0; x < width; x++) {
    reach(x, threshold);
    reach(count - width + x, threshold);
  }
  for (let y = 0; y < height; y++) {
    reach(y * width, threshold);
    reach(y * width + width - 1, threshold);
  }
  flood(threshold);
  if (clearEnclosed === false || (!clearEnclosed && !opinion)) return;
  const exact = Math.round(0.6 * threshold) + 1;
  const isSeen = new Uint8Array(count);
  const patch = new Int32Array(count);
  for (let start = 0; start < count; start++) {
    if (isBackground[start] || isSeen[start] || distance[start] >= exact) continue;
    let length = 0;
    let sureness = 0;
    const take = (i: number) => {
      if (isSeen[i] || isBackground[i] || distance[i] >= exact) return;
      isSeen[i] = 1;
      patch[length++] = i;
      if (opinion) sureness += opinion[i];
    };
    take(start);
    for (let at = 0; at < length; at++) {
      const i = patch[at];
      const x = i % width;
      if (x > 0) take(i - 1);
      if (x < width - 1) take(i + 1);
      if (i >= width) take(i - width);
      if (i < count - width) take(i + width);
    }
    if (length < LEAST_PATCH || (!clearEnclosed && sureness > 128 * length)) continue;
    for (let at = 0; at < length; at++) {
      isBackground[patch[at]] = 1;
      stack[depth++] = patch[at];
    }
    flood(threshold);
  }
}

/** Where the network sees no object, what is a little darker than the background and of its hue is a shadow on it. */
function isShadow({ picture: { width, height, data }, field, threshold, opinion }: Ground, i: number): boolean {
  if (!opinion || opinion[i] >= SURE_GROUND) return false;
  const x = i % width;
  const color = new Float64Array(3);
  readField(field, x, (i - x) / width, width, height, color);
  const known = new Float64Array(3);
  const own = new Float64Array(3);
  writeOklab(color[0], color[1], color[2], known);
  writeOklab(data[4 * i], data[4 * i + 1], data[4 * i + 2], own);
  const darker = known[0] - own[0];
  return (
    darker > 0 &&
    darker < DEEPEST_SHADOW &&
    Math.hypot(own[1] - known[1], own[2] - known[2]) < threshold / STEPS + SHADOW_HUE
  );
}

/** Pixels of an enclosed patch that is more than a highlight. */
const LEAST_PATCH = 4;

const DX = [-1, 0, 1, -1, 1, -1, 0, 1];
const DY = [-1, -1, -1, 0, 0, 1, 1, 1];
/** An edge goes on while a pixel is so much further from the background than the one before it. */
const RISE = 0.04;
const FUZZ_RADIUS = 6;
/** Share of a patch of fuzz that its hairs make up at least. */
const LEAST_HAIRS = 0.2;

/** The shares of all pixels and the object's colors. */
function unmix(ground: Ground): Picture {
  const { picture, field, distance, isBackground } = ground;
  const { width, height, data } = picture;
  const out = new Uint8Array(data.length);
  for (let i = 0; i < isBackground.length; i++) {
    if (isBackground[i]) continue;
    for (let k = 0; k < 3; k++) out[4 * i + k] = data[4 * i + k];
    out[4 * i + 3] = 255;
  }

  const { edge, isEdge } = followEdges(ground);
  // The object's color beside each pixel of an edge, found from the strongest inwards: a pixel takes over what its stronger neighbour has.
  const object = new Uint8Array(3 * isBackground.length);
  const order = byDistance(edge, distance);
  const setObject = (i: number, from: Uint8Array, at: number) => {
    for (let k = 0; k < 3; k++) object[3 * i + k] = from[at + k];
  };
  for (let o = order.length - 1; o >= 0; o--) {
    const i = order[o];
    const x = i % width;
    const y = (i - x) / width;
    let best = -1;
    let most = distance[i];
    for (let q = 0; q < 8; q++) {
      const j = neighbour(x, y, q, width, height);
      if (j >= 0 && !isBackground[j] && distance[j] > most) {
        most = distance[j];
        best = j;
      }
    }
    if (best < 0) setObject(i, data, 4 * strongest(ground, i, 4, false));
    else if (isEdge[best]) setObject(i, object, 3 * best);
    else setObject(i, data, 4 * best);
  }
  const fuzz = findFuzz(ground, isEdge);
  for (let f = 0; f < fuzz.length; f++) setObject(fuzz[f], data, 4 * strongest(ground, fuzz[f], FUZZ_RADIUS, true));

  const color = new Float64Array(3);
  const settle = (i: number) => {
    const x = i % width;
    readField(field, x, (i - x) / width, width, height, color);
    let whole = 0;
    let part = 0;
    for (let k = 0; k < 3; k++) {
      const span = object[3 * i + k] - color[k];
      whole += span * span;
      part += span * (data[4 * i + k] - color[k]);
    }
    let share = whole < 1 ? 1 : Math.min(1, Math.max(0, part / whole));
    if (share > 0.98) share = 1;
    else if (share < 0.015) share = 0;
    // Where little of the object shows, its color is better taken from beside than worked out.
    const trust = Math.min(1, Math.max(0, (share - 0.3) / 0.4));
    for (let k = 0; k < 3; k++) {
      const beside = object[3 * i + k];
      const worked = share > 0.02 ? color[k] + (data[4 * i + k] - color[k]) / share : beside;
      out[4 * i + k] = Math.round(Math.min(255, Math.max(0, worked * trust + beside * (1 - trust))));
    }
    out[4 * i + 3] = Math.round(255 * share);
  };
  for (let e = 0; e < edge.length; e++) settle(edge[e]);
  for (let f = 0; f < fuzz.length; f++) settle(fuzz[f]);
  return { width, height, data: out };
}

/** The pixels of edges: from the background inwards, as long as the distance goes on rising. */
function followEdges({ picture: { width, height }, field, distance, isBackground, isLossy }: Ground) {
  const count = width * height;
  const isEdge = new Uint8Array(count);
  const edge = new Int32Array(count);
  let length = 0;
  const widest = Math.max(12, Math.round(Math.max(width, height) / 64));
  const least = STEPS * (isLossy ? 1.2 : 0.25 + 0.5 * field.residual);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (isBackground[i]) continue;
      for (let q = 0; q < 8; q++) {
        const j = neighbour(x, y, q, width, height);
        if (j < 0 || !isBackground[j]) continue;
        isEdge[i] = 1;
        edge[length++] = i;
        break;
      }
    }
  }
  for (let depth = 2, start = 0; depth <= widest && start < length; depth++) {
    const end = length;
    for (let f = start; f < end; f++) {
      const i = edge[f];
      const x = i % width;
      const y = (i - x) / width;
      const more = distance[i] * (1 + RISE) + least;
      for (let q = 0; q < 8; q++) {
        const j = neighbour(x, y, q, width, height);
        if (j < 0 || isBackground[j] || isEdge[j] || distance[j] <= more) continue;
        isEdge[j] = 1;
        edge[length++] = j;
      }
    }
    start = end;
  }
  return { edge: edge.subarray(0, length), isEdge };
}

/**
 * What is weak beside something strong, is no part of something solid, and is reached from the background through such pixels. A patch
 * of it without strong pixels of its own, hairs, is no fuzz but the dim side of something solid.
 */
function findFuzz(
  { picture: { width, height }, distance, isBackground, opinion }: Ground,
  isEdge: Uint8Array,
): Int32Array {
  const isSure = (i: number) => opinion !== undefined && opinion[i] > SURE_OBJECT;
  const count = width * height;
  const around = extremes(distance, width, height, FUZZ_RADIUS, 'greatest');
  const strong = new Uint8Array(count);
  for (let i = 0; i < count; i++) strong[i] = !isBackground[i] && distance[i] > 0.55 * around[i] ? 1 : 0;
  const solid = extremes(extremes(strong, width, height, 3, 'least'), width, height, 4, 'greatest');
  const isReached = new Uint8Array(count);
  const patch = new Int32Array(count);
  let length = 0;
  let kept = 0;
  const reach = (i: number) => {
    if (isBackground[i] || isReached[i] || solid[i] || isSure(i)) return;
    isReached[i] = 1;
    patch[length++] = i;
  };
  const eachBeside = (i: number, see: (j: number) => void) => {
    const x = i % width;
    if (x > 0) see(i - 1);
    if (x < width - 1) see(i + 1);
    if (i >= width) see(i - width);
    if (i < count - width) see(i + width);
  };
  for (let start = 0; start < count; start++) {
    if (isBackground[start] || isReached[start] || solid[start] || isSure(start)) continue;
    let isBeside = false;
    eachBeside(start, (j) => {
      isBeside ||= isBackground[j] === 1;
    });
    if (!isBeside) continue;
    const from = kept;
    length = from;
    reach(start);
    let hairs = 0;
    for (let at = from; at < length; at++) {
      hairs += strong[patch[at]];
      eachBeside(patch[at], reach);
    }
    if (hairs >= LEAST_HAIRS * (length - from)) kept = length;
  }
  return patch.subarray(0, kept).filter((i) => !isEdge[i]);
}

/**
 * The pixel near by that is furthest from the background while this one still lies on the way from the background to it; the pixel itself
 * where there is none, or, unless `isFuzz`, where most of its neighbours are as far: it is the object's own color then.
 */
function strongest(
  { picture, field, distance, isBackground, isLossy }: Ground,
  i: number,
  radius: number,
  isFuzz: boolean,
  color = new Float64Array(3),
): number {
  const { width, height, data } = picture;
  const x = i % width;
  const y = (i - x) / width;
  if (!isFuzz) {
    let alike = 0;
    for (let q = 0; q < 8; q++) {
      const j = neighbour(x, y, q, width, height);
      if (j >= 0 && !isBackground[j] && distance[j] >= 0.85 * distance[i]) alike++;
    }
    if (alike >= 4) return i;
  }
  readField(field, x, y, width, height, color);
  let best = i;
  let most = 0;
  for (let yy = Math.max(0, y - radius); yy <= Math.min(height - 1, y + radius); yy++) {
    for (let xx = Math.max(0, x - radius); xx <= Math.min(width - 1, x + radius); xx++) {
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
      const allowed = 3 + 2 * field.residual + (isLossy ? 10 : 0) + (isLossy ? 0.3 : 0.12) * Math.sqrt(whole) * share;
      if (aside > allowed) continue;
      const worth = distance[j] - 0.15 * distance[i] * Math.hypot(xx - x, yy - y);
      if (worth > most) {
        most = worth;
        best = j;
      }
    }
  }
  return best;
}

function neighbour(x: number, y: number, q: number, width: number, height: number): number {
  const nx = x + DX[q];
  const ny = y + DY[q];
  return nx < 0 || ny < 0 || nx >= width || ny >= height ? -1 : ny * width + nx;
}

/** Rising, by counting: distances are small whole numbers. */
function byDistance(pixels: Int32Array, distance: Uint16Array): Int32Array {
  const starts = new Uint32Array(65_537);
  for (let p = 0; p < pixels.length; p++) starts[distance[pixels[p]] + 1]++;
  for (let d = 1; d < starts.length; d++) starts[d] += starts[d - 1];
  const sorted = new Int32Array(pixels.length);
  for (let p = 0; p < pixels.length; p++) sorted[starts[distance[pixels[p]]]++] = pixels[p];
  return sorted;
}

/** sRGB, 0..255, to OKLab times 100 (Björn Ottosson, 2020). */
function writeOklab(red: number, green: number, blue: number, lab: Float64Array): void {
  const r = toLinear(red);
  const g = toLinear(green);
  const b = toLinear(blue);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  lab[0] = 100 * (0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s);
  lab[1] = 100 * (1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s);
  lab[2] = 100 * (0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s);
}

/** Sixteen steps to a level: finer than a gradient's noise, and no power to work out for each pixel. */
const linear = Float64Array.from({ length: 255 * 16 + 1 }, (_, step) => {
  const c = step / 16 / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});
const toLinear = (value: number): number => linear[Math.round(16 * value)];
