/**
 * Pictures on a plain background. The background's color is known at every pixel, so of a pixel on an edge only the object's color has
 * to be found, and its share follows: pixel = share · object + (1 − share) · background (the compositing equation of Porter and Duff).
 *
 * From the background inwards a pixel belongs to an edge while the picture goes on rising away from the background; where it stops rising
 * is the object's own color. So an edge may be one pixel wide or ten. Hair and other fuzz has no such place: there the strongest pixel
 * near by stands for the object.
 */
import { extremes } from './extremes.ts';
import { createFieldReader, type Field, type FieldReader } from './field.ts';
import { type Mask, type Picture, resizeMask } from './picture.ts';
import { createQueue } from './queue.ts';
import { eachAround, eachPatch, findRinging, findSpecks } from './specks.ts';

export interface PlainOptions {
  /** Protects insides of the background's color, decides about what is enclosed, and removes shadows. */
  readonly mask?: Mask;
  /** Whether enclosed areas of the background's color go too. Left out: where the mask says so, so without a mask none. */
  readonly clearEnclosed?: boolean;
}

/** Distances are kept in steps of an OKLab hundredth divided by this. */
const STEPS = 128;
/** Edges are worked on in squares of so many pixels, those without an edge left out. A smaller picture is one of them. */
const TILE_SIDE = 1024;

/**
 * Takes a plain background away: one color or a smooth gradient, clean or noisy. The colors of what is kept are the object's own,
 * without a fringe of the background; the size stays. Linear in pixels: about 0.15 s for each megapixel with edges in it, and 6 bytes
 * a pixel (10 where it was compressed with loss) and 40 MB besides the picture.
 */
export function removePlainBackground(picture: Picture, field: Field, options: PlainOptions): Picture {
  const { width, height, data } = picture;
  const { mask } = options;
  const opinion = mask && resizeMask(mask, width, height);
  const whole = measure(picture, field, opinion);
  labelBackground(whole, options.clearEnclosed);

  const out = new Uint8Array(data.length);
  const margin = edgeWidth(whole) + 2 * FUZZ_RADIUS;
  for (let top = 0; top < height; top += TILE_SIDE) {
    for (let left = 0; left < width; left += TILE_SIDE) {
      const core = { left, top, right: Math.min(width, left + TILE_SIDE), bottom: Math.min(height, top + TILE_SIDE) };
      if (copyKept(whole, core, out) === 'mixed') unmix(cutTile(whole, core, margin), core, out);
    }
  }
  if (whole.isLossy) clearLooseRims(whole, out);
  return { width, height, data: out };
}

/** Of 255: more than this is seen, and less than the other is no object by itself. */
const LEAST_SEEN = 16;
const FAINT = 64;

/** Takes away what was left of ringing and is joined to nothing. */
function clearLooseRims({ picture: { width }, marks }: Whole, out: Uint8Array): void {
  const count = marks.length;
  const alpha = (i: number) => out[4 * i + 3];
  const isRest = (i: number) => alpha(i) > LEAST_SEEN && ((marks[i] & RIM) !== 0 || alpha(i) < FAINT);
  const open = new Uint8Array(count);
  for (let i = 0; i < count; i++) if (isRest(i)) open[i] = 1;
  eachPatch(open, width, count, (patch) => {
    let isJoined = false;
    for (const i of patch) {
      eachAround(i, width, count, (j) => {
        isJoined ||= alpha(j) > LEAST_SEEN && !isRest(j);
      });
      if (isJoined) return;
    }
    for (const i of patch) out.fill(0, 4 * i, 4 * i + 4);
  });
}

/** What is known of the whole picture. */
interface Whole {
  readonly picture: Picture;
  readonly field: Field;
  readonly readField: FieldReader;
  /** Less than this is background, in `STEPS` of an OKLab hundredth. */
  readonly threshold: number;
  /** The picture was compressed with loss: near edges even the background is noisy. */
  readonly isLossy: boolean;
  /** For each pixel what is known of it: `NEAR` and the others below. */
  readonly marks: Uint8Array;
  /** What the network takes for the object, 0..255 at the picture's size. */
  readonly opinion: Uint8Array | undefined;
}

/** Looks like the background. */
const NEAR = 1;
/** Looks exactly like it. */
const EXACT = 2;
/** Is background. */
const BACKGROUND = 4;
/** Is a shadow on it. */
const SHADOW = 8;
/** Looks like the background, and the network is sure that it is none. */
const PROTECTED = 16;
const SEEN = 32;
/** May be ringing of the edge it is joined to, or the soft side of that. */
const RIM = 64;

/** A part of the picture with all that is worked out there, its edges at least. */
interface Tile {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  readonly whole: Whole;
  /** How far each pixel is from the background, in `STEPS` of an OKLab hundredth. */
  readonly distance: Uint16Array;
  /** 1: background. */
  readonly isBackground: Uint8Array;
  readonly hasShadow: boolean;
}

interface Box {
  readonly left: number;
  readonly top: number;
  /** Behind the last pixel. */
  readonly right: number;
  readonly bottom: number;
}

/** Of 255: surer than this, the network protects a pixel that looks like the background; less sure than the others, it gives a shadow up. */
const SURE_OBJECT = 252;
const SURE_GROUND = 51;
const LIKELY_OBJECT = 140;
/** A shadow is darker than the ground by less than this, in OKLab hundredths, and of its hue within this. */
const DEEPEST_SHADOW = 30;
const SHADOW_HUE = 1;
/** A shadow changes less than this from pixel to pixel, in OKLab hundredths: an object's edge is sharper. */
const SHADOW_SLOPE = 1;
/** Noise of a residual above this, 0..255, leaves specks. */
const QUIET = 0.25;
/** Further than this in any channel, 0..255, is further than any threshold. */
const SURELY_FAR = 48;

function measure(picture: Picture, field: Field, opinion: Uint8Array | undefined): Whole {
  const { width, height, data } = picture;
  const readField = createFieldReader(field, width, height);
  const isLossy = showsRinging(picture, readField);
  const threshold = Math.round(STEPS * Math.max(isLossy ? 1.6 : 0.5, 0.75 * field.residual));
  const exact = Math.round(0.6 * threshold) + 1;
  const marks = new Uint8Array(width * height);
  const color = new Float64Array(3);
  const measureTo = distanceMeter();
  const off = isLossy || field.residual > QUIET ? new Uint8Array(width * height) : undefined;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      readField(x, y, color);
      const at = 4 * i;
      const worst = Math.max(
        Math.abs(data[at] - color[0]),
        Math.abs(data[at + 1] - color[1]),
        Math.abs(data[at + 2] - color[2]),
      );
      if (off) off[i] = worst;
      if (worst > SURELY_FAR) continue;
      const distance = measureTo(color, data, at);
      if (distance < threshold) marks[i] = distance < exact ? NEAR | EXACT : NEAR;
    }
  }
  if (off) markSpecks(marks, off, width, height, { isLossy, residual: field.residual });
  return { picture, field, readField, threshold, isLossy, marks, opinion };
}

/** Specks are no higher than the one where the picture was compressed with loss, and than the other times the noise, 0..255. */
const LOSSY_SPECK = 16;
const NOISY_SPECK = 8;
/** Pixels of a speck at most: more than a block of the compression. */
const LARGEST_SPECK = 100;

/** Marks noise and ringing as what looks like the background. */
function markSpecks(
  marks: Uint8Array,
  off: Uint8Array,
  width: number,
  height: number,
  { isLossy, residual }: { isLossy: boolean; residual: number },
): void {
  const isNear = marks.map((is) => is & NEAR);
  if (isLossy) {
    const { isGround, isRim } = findRinging(off, isNear, width, height);
    for (let i = 0; i < marks.length; i++) {
      if (isGround[i]) marks[i] = isNear[i] = NEAR;
      else if (isRim[i]) marks[i] = RIM;
    }
  }
  const least = Math.max(isLossy ? LOSSY_SPECK : 0, NOISY_SPECK * residual);
  const isSpeck = findSpecks(off, isNear, width, least, LARGEST_SPECK);
  for (let i = 0; i < marks.length; i++) if (isSpeck[i]) marks[i] = NEAR;
}

/** Gives a function that says how far a pixel is from a color, in `STEPS` of an OKLab hundredth. It knows again what it measured last. */
function distanceMeter() {
  const own = new Float64Array(3);
  const known = new Float64Array(3);
  const last = new Float64Array(3).fill(-1);
  let lastPixel = -1;
  let answer = 0;
  return (color: Float64Array, data: Uint8Array, at: number): number => {
    const pixel = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    if (color[0] === last[0] && color[1] === last[1] && color[2] === last[2]) {
      if (pixel === lastPixel) return answer;
    } else {
      writeOklab(color[0], color[1], color[2], known);
      last[0] = color[0];
      last[1] = color[1];
      last[2] = color[2];
    }
    lastPixel = pixel;
    writeOklab(data[at], data[at + 1], data[at + 2], own);
    const d0 = own[0] - known[0];
    const d1 = own[1] - known[1];
    const d2 = own[2] - known[2];
    answer = Math.min(65_535, STEPS * Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2));
    return answer;
  };
}

/** Steps to a step of a byte: half an OKLab hundredth. */
const COARSE = 64;

function toBytes(distance: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(distance.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.min(255, distance[i] / COARSE);
  return bytes;
}

/** Strips of so many rows are looked at for signs of compression, and so many of them. */
const STRIP = 64;
const STRIPS = 4;

/** Whether beside strong edges, but not on them, the background is uneven: as lossy compression leaves it. */
function showsRinging({ width, height, data }: Picture, readField: FieldReader): boolean {
  const color = new Float64Array(3);
  const measureTo = distanceMeter();
  let beside = 0;
  let uneven = 0;
  const rows = Math.min(STRIP, height);
  const strips = Math.min(STRIPS, Math.ceil(height / rows));
  const distance = new Uint16Array(width * rows);
  for (let strip = 0; strip < strips; strip++) {
    const top = Math.round(((height - rows) * (strip + 0.5)) / strips);
    for (let y = 0, i = 0; y < rows; y++) {
      for (let x = 0; x < width; x++, i++) {
        readField(x, top + y, color);
        distance[i] = measureTo(color, data, 4 * ((top + y) * width + x));
      }
    }
    const near = extremes(toBytes(distance), width, rows, 3, 'greatest');
    const around = extremes(near, width, rows, 5, 'greatest');
    for (let i = 0; i < distance.length; i++) {
      if (around[i] < (8 * STEPS) / COARSE || near[i] > (6 * STEPS) / COARSE) continue;
      beside++;
      if (distance[i] > 0.25 * STEPS) uneven++;
    }
  }
  return uneven > 0.15 * beside;
}

/** From the border inwards; then, where wanted, enclosed patches of its very color. */
function labelBackground(whole: Whole, clearEnclosed: boolean | undefined): void {
  const { marks, opinion } = whole;
  const { width, height } = whole.picture;
  const count = width * height;
  if (opinion) protectBodies(whole, opinion);
  const isShadow = opinion && shadowTest(whole, opinion);

  const queue = createQueue();
  let kept = BACKGROUND | PROTECTED;
  const reach = (i: number, from: number) => {
    const is = marks[i];
    if (is & kept) return;
    if (is & NEAR) marks[i] = is | BACKGROUND;
    else if (isShadow?.(i, from)) marks[i] = is | BACKGROUND | SHADOW;
    else return;
    queue.add(i);
  };
  const spread = (see: (i: number, from: number) => void) => {
    for (let i = queue.take(); i >= 0; i = queue.take()) {
      const x = i % width;
      if (x > 0) see(i - 1, i);
      if (x < width - 1) see(i + 1, i);
      if (i >= width) see(i - width, i);
      if (i < count - width) see(i + width, i);
    }
  };
  for (let x = 0; x < width; x++) {
    reach(x, x);
    reach(count - width + x, count - width + x);
  }
  for (let y = 0; y < height; y++) {
    reach(y * width, y * width);
    reach(y * width + width - 1, y * width + width - 1);
  }
  spread(reach);
  if (clearEnclosed === false || (!clearEnclosed && !opinion)) return;

  let length = 0;
  let sureness = 0;
  const look = (i: number) => {
    if ((marks[i] & (EXACT | BACKGROUND | SEEN)) !== EXACT) return;
    marks[i] |= SEEN;
    length++;
    if (opinion) sureness += opinion[i];
    queue.add(i);
  };
  for (let start = 0; start < count; start++) {
    if ((marks[start] & (EXACT | BACKGROUND | SEEN)) !== EXACT) continue;
    length = 0;
    sureness = 0;
    look(start);
    spread(look);
    if (length < LEAST_PATCH || (!clearEnclosed && sureness > 128 * length)) continue;
    kept = BACKGROUND;
    reach(start, start);
    spread(reach);
  }
}

/** At most so many pixels a side where it is decided what is a body. */
const BODY_SIDE = 768;
const BODY_RADIUS = 4;

/**
 * Marks what looks like the background but is a body of the object's: the network is sure of it, and it is wide. The gaps between hairs,
 * of which a network is as sure, are narrow.
 */
function protectBodies({ picture: { width, height }, marks }: Whole, opinion: Uint8Array): void {
  const scale = Math.min(1, BODY_SIDE / Math.max(width, height));
  const smallWidth = Math.max(1, Math.round(width * scale));
  const smallHeight = Math.max(1, Math.round(height * scale));
  const column = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * smallWidth) / width));
  const isWide = new Uint8Array(smallWidth * smallHeight).fill(1);
  const rowOf = (y: number) => Math.floor(((y + 0.5) * smallHeight) / height) * smallWidth;
  const isBody = (i: number) => (marks[i] & NEAR) !== 0 && opinion[i] > SURE_OBJECT;
  for (let y = 0, i = 0; y < height; y++) {
    const row = rowOf(y);
    for (let x = 0; x < width; x++, i++) if (!isBody(i)) isWide[row + column[x]] = 0;
  }
  const cores = extremes(isWide, smallWidth, smallHeight, BODY_RADIUS, 'least');
  const bodies = extremes(cores, smallWidth, smallHeight, BODY_RADIUS + 2, 'greatest');
  for (let y = 0, i = 0; y < height; y++) {
    const row = rowOf(y);
    for (let x = 0; x < width; x++, i++) if (bodies[row + column[x]] && isBody(i)) marks[i] |= PROTECTED;
  }
}

/**
 * Gives a function that says whether a pixel beside a background pixel is a shadow: where the network sees no object, what is darker than
 * the ground and of its hue; where it is not sure, if besides it is hardly another color than the pixel it was reached from.
 */
function shadowTest({ picture: { width, data }, field, readField, threshold }: Whole, opinion: Uint8Array) {
  const color = new Float64Array(3);
  const known = new Float64Array(3);
  const own = new Float64Array(3);
  const before = new Float64Array(3);
  const hue = threshold / STEPS + SHADOW_HUE;
  const slope = SHADOW_SLOPE + 0.5 * field.residual;
  return (i: number, from: number): boolean => {
    if (opinion[i] >= LIKELY_OBJECT) return false;
    const x = i % width;
    readField(x, (i - x) / width, color);
    writeOklab(color[0], color[1], color[2], known);
    writeOklab(data[4 * i], data[4 * i + 1], data[4 * i + 2], own);
    const darker = known[0] - own[0];
    if (darker <= 0 || darker > DEEPEST_SHADOW || Math.hypot(own[1] - known[1], own[2] - known[2]) >= hue) return false;
    writeOklab(data[4 * from], data[4 * from + 1], data[4 * from + 2], before);
    return Math.abs(own[0] - before[0]) < (opinion[i] < SURE_GROUND ? 2 * slope : slope);
  };
}

/** Copies what is no background, and says whether there is background besides. */
function copyKept({ picture: { width, data }, marks }: Whole, core: Box, out: Uint8Array): 'mixed' | 'uniform' {
  let kept = 0;
  for (let y = core.top; y < core.bottom; y++) {
    for (let i = y * width + core.left, end = y * width + core.right; i < end; i++) {
      if (marks[i] & BACKGROUND) continue;
      kept++;
      out[4 * i] = data[4 * i];
      out[4 * i + 1] = data[4 * i + 1];
      out[4 * i + 2] = data[4 * i + 2];
      out[4 * i + 3] = 255;
    }
  }
  return kept > 0 ? 'mixed' : 'uniform';
}

/** The part of the picture around what is kept of a core, with a margin. */
function cutTile(whole: Whole, core: Box, margin: number): Tile {
  const { picture, readField, marks } = whole;
  let { left, top, right, bottom } = { left: core.right, top: core.bottom, right: core.left, bottom: core.top };
  for (let y = core.top; y < core.bottom; y++) {
    const row = y * picture.width;
    for (let x = core.left; x < core.right; x++) {
      if (marks[row + x] & BACKGROUND) continue;
      if (x < left) left = x;
      if (x >= right) right = x + 1;
      if (y < top) top = y;
      bottom = y + 1;
    }
  }
  left = Math.max(0, left - margin);
  top = Math.max(0, top - margin);
  const width = Math.min(picture.width, right + margin) - left;
  const height = Math.min(picture.height, bottom + margin) - top;

  const data = new Uint8Array(4 * width * height);
  const distance = new Uint16Array(width * height);
  const isBackground = new Uint8Array(width * height);
  let hasShadow = false;
  const color = new Float64Array(3);
  const measureTo = distanceMeter();
  for (let y = 0, i = 0; y < height; y++) {
    const from = (top + y) * picture.width + left;
    data.set(picture.data.subarray(4 * from, 4 * (from + width)), 4 * i);
    for (let x = 0; x < width; x++, i++) {
      const is = marks[from + x];
      if (is & BACKGROUND) isBackground[i] = 1;
      if (is & SHADOW) hasShadow = true;
      readField(left + x, top + y, color);
      distance[i] = measureTo(color, data, 4 * i);
    }
  }
  return { left, top, width, height, data, whole, distance, isBackground, hasShadow };
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

/** Writes the shares of all pixels on edges within `core`, and the object's colors there. */
function unmix(tile: Tile, core: Box, out: Uint8Array): void {
  const { left, top, width, height, data, distance, isBackground } = tile;
  const { picture } = tile.whole;
  const { edge, isEdge } = followEdges(tile);
  // The object's color beside each pixel of an edge, found from the strongest inwards: a pixel takes over what its stronger neighbour has.
  const object = new Uint8Array(3 * isBackground.length);
  const order = byDistance(edge, distance);
  const setObject = (i: number, from: Uint8Array, at: number) => {
    object[3 * i] = from[at];
    object[3 * i + 1] = from[at + 1];
    object[3 * i + 2] = from[at + 2];
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
    if (best < 0) setObject(i, data, 4 * strongest(tile, i, 4, false));
    else if (isEdge[best]) setObject(i, object, 3 * best);
    else setObject(i, data, 4 * best);
  }
  const fuzz = findFuzz(tile, isEdge);
  for (let f = 0; f < fuzz.length; f++) setObject(fuzz[f], data, 4 * strongest(tile, fuzz[f], FUZZ_RADIUS, true));

  const color = new Float64Array(3);
  const settle = (i: number) => {
    const x = i % width;
    const y = (i - x) / width;
    if (left + x < core.left || left + x >= core.right || top + y < core.top || top + y >= core.bottom) return;
    readGround(tile, x, y, color);
    const [s0, s1, s2] = [object[3 * i] - color[0], object[3 * i + 1] - color[1], object[3 * i + 2] - color[2]];
    const [p0, p1, p2] = [data[4 * i] - color[0], data[4 * i + 1] - color[1], data[4 * i + 2] - color[2]];
    const whole = s0 * s0 + s1 * s1 + s2 * s2;
    const part = s0 * p0 + s1 * p1 + s2 * p2;
    let share = whole < 1 ? 1 : Math.min(1, Math.max(0, part / whole));
    if (share > 0.98) share = 1;
    else if (share < 0.015) share = 0;
    // Where little of the object shows, its color is better taken from beside than worked out.
    const trust = Math.min(1, Math.max(0, (share - 0.3) / 0.4));
    const at = 4 * ((top + y) * picture.width + left + x);
    for (let k = 0; k < 3; k++) {
      const beside = object[3 * i + k];
      const worked = share > 0.02 ? color[k] + (data[4 * i + k] - color[k]) / share : beside;
      out[at + k] = Math.round(Math.min(255, Math.max(0, worked)) * trust + beside * (1 - trust));
    }
    out[at + 3] = Math.round(255 * share);
  };
  for (let e = 0; e < edge.length; e++) settle(edge[e]);
  for (let f = 0; f < fuzz.length; f++) settle(fuzz[f]);
}

/** Within so many pixels of an edge a shadow's color is looked for. */
const SHADOW_RADIUS = 3;

/** The background's color beside or under a pixel: the field's, or that of the shadow around. */
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

/** The longest way an edge may go on. */
const edgeWidth = ({ picture: { width, height } }: Whole): number =>
  Math.max(12, Math.round(Math.max(width, height) / 64));

/** The pixels of edges: from the background inwards, as long as the distance goes on rising. */
function followEdges({ width, height, distance, isBackground, whole }: Tile) {
  const count = width * height;
  const isEdge = new Uint8Array(count);
  const edge = new Int32Array(count);
  let length = 0;
  const widest = edgeWidth(whole);
  const least = STEPS * (whole.isLossy ? 1.2 : 0.25 + 0.5 * whole.field.residual);
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
function findFuzz({ width, height, distance, isBackground, whole, left, top }: Tile, isEdge: Uint8Array): Int32Array {
  const count = width * height;
  const isSure = surelyInside(whole, left, top, width, height);
  const around = extremes(toBytes(distance), width, height, FUZZ_RADIUS, 'greatest');
  const strong = new Uint8Array(count);
  for (let i = 0; i < count; i++) strong[i] = !isBackground[i] && distance[i] > 0.55 * COARSE * around[i] ? 1 : 0;
  const solid = extremes(extremes(strong, width, height, 3, 'least'), width, height, 4, 'greatest');
  const isReached = new Uint8Array(count);
  const patch = new Int32Array(count);
  let length = 0;
  let kept = 0;
  const reach = (i: number) => {
    if (isBackground[i] || isReached[i] || solid[i] || isSure?.[i]) return;
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
    if (isBackground[start] || isReached[start] || solid[start] || isSure?.[start]) continue;
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

const INSIDE_RADIUS = 8;

/** 1 where the network is sure of all that is around: well inside the object. */
function surelyInside(
  { picture, opinion }: Whole,
  left: number,
  top: number,
  width: number,
  height: number,
): Uint8Array | undefined {
  if (!opinion) return undefined;
  const sure = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const row = (top + y) * picture.width + left;
    for (let x = 0; x < width; x++, i++) sure[i] = opinion[row + x] > SURE_OBJECT ? 1 : 0;
  }
  return extremes(sure, width, height, INSIDE_RADIUS, 'least');
}

/**
 * The pixel near by that is furthest from the background while this one still lies on the way from the background to it; the pixel itself
 * where there is none, or, unless `isFuzz`, where most of its neighbours are as far: it is the object's own color then.
 */
function strongest(tile: Tile, i: number, radius: number, isFuzz: boolean, color = new Float64Array(3)): number {
  const { width, height, data, distance, isBackground } = tile;
  const { isLossy, field } = tile.whole;
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
  readGround(tile, x, y, color);
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
