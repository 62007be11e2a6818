/**
 * Pictures taken by a camera: whether a picture is one, the light and the material on it, and the drawing without them.
 */
import type { Bitmap } from '../pixels/bitmap.ts';
import { isOpaque } from '../pixels/bitmap.ts';
import { FLOOR, readCells, toLinear } from './cells.ts';
import { measureInkLight, measureRoughness, rangeOfTint } from './evidence.ts';
import { estimateField, type Field, rangeOfLight, refineField } from './field.ts';
import { type Flat, flatten, PAPER_LIGHT, toByte } from './flatten.ts';
import { findInks, type Inks } from './inks.ts';
import { type Mixes, MOST_SMALL } from './mixes.ts';
import { isSameInLight } from './paper.ts';
import { redraw } from './redraw.ts';
import { unmix } from './unmix.ts';

/** A picture with a shorter side than this is too small to tell light from ink. */
const LEAST_SIDE = 48;
/** Paper covers at least this share of the border of a picture of a drawing, */
const LEAST_BORDER = 0.6;
/** this share before the shadows on it are known, */
const LEAST_FIRST_BORDER = 0.4;
/** and of the whole. */
const LEAST_PAPER = 0.2;
/** Light varies by at least this much, in logarithms: scans and drawings with noise stay below. */
const LEAST_RANGE = 0.045;
/** It varies by at most this much: scenes with a dark side are no drawings. */
const MOST_RANGE = 1.75;
/** A camera's noise in paper, in levels, of which compression leaves little: drawn ramps have none at all. */
const LEAST_ROUGHNESS = 0.001;
/** The color of light varies by this much, in logarithms, and by this share of its range, at most. */
const MOST_TINT = 0.1;
const TINT_SHARE = 0.35;
/** By this share where the inks show it too: a warm lamp beside a window. */
const MOST_TINT_SHARE = 0.6;
/** Light must vary by this much on the inks to tell whether they follow it; */
const LEAST_SPREAD = 0.01;
/** they do when they brighten by this share of what the paper does. */
const LEAST_SLOPE = 0.35;
/** by this share, when nothing but shadows with hard edges, or light of more colors, lies on the paper. */
const LEAST_PLAIN_SLOPE = 0.6;
/** Where the light around them does not tell, a broad ink that is steadier than this is drawn. */
const STEADY = 0.8;
/** Where nothing of them tells, more of the noise must be left. */
const UNTOLD_ROUGHNESS = 0.008;
/** Levels by which edges waver, for each level of the paper's grain: blur makes a level worth more of a pixel. */
const EDGE_GRAIN = 2.5;
/** Inks explain all but this share of the pixels. */
const MOST_STRANGE = 0.003;
/** and all but this share of those within broad areas, which a thing's own shading makes uneven. */
const MOST_LOOSE = 0.012;

/** So many times more may stay without one while the shadows are not known, and where the inks follow the light. */
const LENIENCY = 5;
/** Shadows on shadows that are looked for, at most. */
const MOST_SHADOWS = 3;
/** A channel of this byte or more may be clipped. */
const WHITE_OUT = 254;
/** Shades are less deep than this, in logarithms: darker pixels that are no ink are mixes with one. */
const SHALLOW = 0.6;
/** They change by less than this to the pixels at this distance on all sides. */
const SOFT_STEP = 0.15;
const ACROSS = 2;
/** A shadow covers at least this share of the border. */
const SHADE_BORDER = 0.02;
/** Edges of ink hold at least this share of their step within some pixels; blur leaves them that. */
const LEAST_SHARP = 0.45;
/** Grays that differ from paper by less than this, in logarithms, are rarely ink: all of their edges must be sharp. */
const FAINT = 0.45;
const LEAST_FAINT_SHARP = 0.7;

/** A picture of a drawing without the light and the material. */
export interface CameraPicture {
  mixes: Mixes;
  flat: Flat;
  /** Bytes of each ink, paper first. */
  paints: Float64Array;
  /** Levels by which the material disturbs edges. */
  grain: number;
  /** How many times as large the inks are drawn: small letters have gaps of less than a pixel. */
  scale: number;
}

/**
 * Takes light and material out of a picture that a camera took of a drawing. Returns undefined for one that has no
 * paper, or that a few inks do not explain; and, unless `isSure`, for one that does not show that it is such a picture:
 * whose paper is evenly lit, as in drawings and scans, or whose inks do not change with the light. Linear in pixels;
 * drawings cost a reduced copy.
 */
export function readCamera(bitmap: Bitmap, isSure: boolean): CameraPicture | undefined {
  const { width, height } = bitmap;
  if (Math.min(width, height) < LEAST_SIDE || !isOpaque(bitmap)) return undefined;
  const field = estimateField(readCells(bitmap));
  if (field.borderShare < LEAST_FIRST_BORDER || shareOf(field.isPaper) < LEAST_PAPER) return undefined;
  const lighting = isSure ? undefined : judgeLight(bitmap, field);
  if (!isSure && !lighting) return undefined;
  const first = findDrawing(bitmap, field);
  if (!first) return undefined;
  const { field: better, drawing } = findShadows(bitmap, field, first);
  if (!isSure && drawing && drawing.inks.loose > LENIENCY * MOST_LOOSE) return undefined;
  // Who asks for it gets it also where a shadow that is too deep for one stays along the border.
  if (!drawing || better.borderShare < (isSure ? LEAST_FIRST_BORDER : LEAST_BORDER)) return undefined;
  if (lighting && (isTintLost(better, drawing) || !isInkLit(bitmap, better, drawing, lighting))) return undefined;
  dropShades(drawing);
  const { flat, inks, mixes } = drawing;
  const paints = inks.colors.map((byte) => Math.round(toByte(Math.min(1, toLinear(Math.round(byte)) / PAPER_LIGHT))));
  const scale = width * height <= MOST_SMALL ? 2 : 1;
  return { flat, mixes, paints, grain: EDGE_GRAIN * flat.grain, scale };
}

/** How the paper is lit. */
interface Lighting {
  /** Only the edges of shadows show that it is lit. */
  isStepped: boolean;
  /** The color of the light differs by more than usual. */
  isTinted: boolean;
  roughness: number;
}

/** Returns undefined for paper that is not lit as a camera sees it. Reads a reduced copy and some rows. */
function judgeLight(bitmap: Bitmap, field: Field): Lighting | undefined {
  const onPatch = rangeOfLight(field.cells, field.isMain);
  const isStepped = onPatch < LEAST_RANGE;
  const range = isStepped ? rangeOfLight(field.cells, field.isPaper) : onPatch;
  if (range < LEAST_RANGE || range > MOST_RANGE) return undefined;
  const roughness = measureRoughness(bitmap, field);
  if (roughness < LEAST_ROUGHNESS) return undefined;
  const tint = rangeOfTint(field) - MOST_TINT;
  if (tint > MOST_TINT_SHARE * range) return undefined;
  return { isStepped, isTinted: tint > TINT_SHARE * range, roughness };
}

/** Returns true when the inks lie in the light of the paper. Where they do not tell, all else must be plain. */
function isInkLit(bitmap: Bitmap, field: Field, { inks, mixes }: InkedDrawing, lighting: Lighting): boolean {
  const { slope, spread, steadiness } = measureInkLight(bitmap, field, mixes);
  const isExplained = inks.loose <= MOST_LOOSE && mixes.strange <= MOST_STRANGE;
  const isPlain = isExplained && !lighting.isStepped && !lighting.isTinted;
  if (spread < LEAST_SPREAD) return isPlain && steadiness < STEADY && lighting.roughness >= UNTOLD_ROUGHNESS;
  return slope >= (isPlain ? LEAST_SLOPE : LEAST_PLAIN_SLOPE);
}

interface InkedDrawing {
  flat: Flat;
  inks: Inks;
  mixes: Mixes;
}

/**
 * Estimates the light again from what turned out to be no ink, until that adds nearly nothing: where two shadows lie on
 * each other, paper is too dark to pass for paper until one of them is known.
 */
function findShadows(
  bitmap: Bitmap,
  first: Field,
  firstDrawing: InkedDrawing,
): { field: Field; drawing: InkedDrawing | undefined } {
  let field = first;
  let drawing: InkedDrawing | undefined = firstDrawing;
  for (let round = 0; round < MOST_SHADOWS && drawing; round++) {
    const better = refineField(field, markInk(drawing), bitmap.width);
    if (better === field) break;
    field = better;
    drawing = findDrawing(bitmap, field);
  }
  return { field, drawing };
}

/** Finds the inks under a field of light. Returns undefined when a few inks do not explain the picture at all. */
function findDrawing(bitmap: Bitmap, field: Field): InkedDrawing | undefined {
  const flat = flatten(bitmap, field);
  const inks = findInks(flat);
  if (inks.count < 2) return undefined;
  const mixes = unmix(flat, inks);
  return mixes.strange > LENIENCY * MOST_STRANGE ? undefined : { flat, inks, mixes };
}

/**
 * Returns true when most of an even patch of another color than paper counts as paper: that of an ink that is nearly as
 * light.
 */
function isTintLost({ tints, cells }: Field, { mixes }: InkedDrawing): boolean {
  const { width, height } = mixes;
  const counts = new Map<number, { all: number; paper: number }>();
  for (let p = 0; p < tints.length; p++) {
    if (tints[p] === 0) continue;
    const x = Math.min(width - 1, Math.floor(((p % cells.across) + 0.5) * cells.side));
    const y = Math.min(height - 1, Math.floor((Math.floor(p / cells.across) + 0.5) * cells.side));
    const own = counts.get(tints[p]) ?? { all: 0, paper: 0 };
    own.all++;
    if (leadAt(mixes, y * width + x) === 0) own.paper++;
    counts.set(tints[p], own);
  }
  return [...counts.values()].some(({ all, paper }) => paper > all / 2);
}

/**
 * Returns 1 for each pixel in which an ink leads that is not paper in another light. A soft shade between inks may pass
 * for a mix of one of them, whose color is another: such pixels are paper, too.
 */
function markInk({ flat, inks, mixes }: InkedDrawing): Uint8Array {
  const isInk = markInks(flat, inks, mixes);
  const isGray = Uint8Array.from({ length: inks.count }, (_, ink) => (isGrayInk(ink, inks) ? 1 : 0));
  const shades = new Shades(flat, inks);
  return Uint8Array.from(mixes.share, (_, p) => {
    const ink = leadAt(mixes, p);
    return isInk[ink] && (isGray[ink] || !shades.isAt(p)) ? 1 : 0;
  });
}

/**
 * Returns true for an ink that is paper in light that was not seen: brighter than paper in the same color; or darker,
 * and along the border, as what casts a shadow is outside, or with edges softer than those of ink.
 */
function isPaperInLight(ink: number, flat: Flat, inks: Inks, mixes: Mixes): boolean {
  const ratios = compareInk(ink, inks);
  if (ratios.length === 0 || !isSameInLight(ratios)) return false;
  if (Math.min(...ratios) > 0 || lineOfBorder(ink, mixes) > SHADE_BORDER) return true;
  return sharpnessOf(ink, flat, mixes) < (Math.min(...ratios) > -FAINT ? LEAST_FAINT_SHARP : LEAST_SHARP);
}

/** Returns the logarithms of the light of an ink, as shares of that of paper, for the channels that are not clipped. */
function compareInk(ink: number, { colors }: Inks): number[] {
  const ratios: number[] = [];
  for (let c = 0; c < 3; c++) {
    if (colors[ink * 3 + c] < WHITE_OUT) ratios.push(logOf(colors[ink * 3 + c]) - logOf(colors[c]));
  }
  return ratios;
}

const logOf = (byte: number): number => Math.log(toLinear(Math.round(byte)) + FLOOR);

/** Returns true for an ink that has the hue of paper and is nearly as light. */
const isGrayInk = (ink: number, inks: Inks): boolean => isShallow(compareInk(ink, inks));
const isShallow = (ratios: readonly number[]): boolean =>
  ratios.length > 0 && isSameInLight(ratios) && Math.max(...ratios.map(Math.abs)) < SHALLOW;

/** A test of pixels: is one paper in a soft shade or in a glare? */
class Shades {
  private readonly logs = Float32Array.from({ length: 256 }, (_, byte) => logOf(byte));
  private readonly flat: Flat;
  private readonly paper: readonly number[];
  private readonly ratios = [0, 0, 0];

  constructor(flat: Flat, { colors }: Inks) {
    this.flat = flat;
    this.paper = [0, 1, 2].map((c) => logOf(colors[c]));
  }

  isAt(p: number): boolean {
    const { data, width, height } = this.flat;
    const x = p % width;
    const y = (p - x) / width;
    if (x < ACROSS || y < ACROSS || x >= width - ACROSS || y >= height - ACROSS) return false;
    for (let c = 0; c < 3; c++) this.ratios[c] = this.logs[data[p * 4 + c]] - this.paper[c];
    if (!isShallow(this.ratios)) return false;
    const [along, down] = [4 * ACROSS, 4 * ACROSS * width];
    for (let i = p * 4; i < p * 4 + 3; i++) {
      const own = this.logs[data[i]];
      for (const side of [i + along, i - along, i + down, i - down]) {
        if (Math.abs(this.logs[data[side]] - own) > SOFT_STEP) return false;
      }
    }
    return true;
  }
}

/** Returns 1 for each ink that is not paper in another light. */
const markInks = (flat: Flat, inks: Inks, mixes: Mixes): Uint8Array =>
  Uint8Array.from({ length: inks.count }, (_, ink) => (ink > 0 && !isPaperInLight(ink, flat, inks, mixes) ? 1 : 0));

/** Turns inks that are paper in another light, and pixels in shades, into paper: no estimate of the light had them. */
function dropShades(drawing: InkedDrawing): void {
  const { flat, inks, mixes } = drawing;
  const { first, second, share } = mixes;
  const isInk = markInks(flat, inks, mixes);
  const marks = markInk(drawing);
  for (let p = 0; p < share.length; p++) {
    const isLost = marks[p] === 0 && leadAt(mixes, p) > 0;
    if (isLost || !isInk[first[p]]) first[p] = 0;
    if (isLost || !isInk[second[p]]) second[p] = 0;
    if (first[p] === second[p]) share[p] = 1;
  }
}

const leadAt = ({ first, second, share }: Mixes, p: number): number => (share[p] >= 0.5 ? first[p] : second[p]);

/** Returns the share of the border along which an ink leads. */
function lineOfBorder(ink: number, mixes: Mixes): number {
  const { width, height } = mixes;
  let along = 0;
  const look = (p: number): void => {
    if (leadAt(mixes, p) === ink) along++;
  };
  for (let x = 0; x < width; x++) {
    look(x);
    look((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    look(y * width);
    look(y * width + width - 1);
  }
  return along / (2 * (width + height));
}

/** Returns the mean share of the step between an ink and paper that lies beside their edges; 1 where they have none. */
function sharpnessOf(ink: number, { data }: Flat, mixes: Mixes): number {
  const { width, height } = mixes;
  let steps = 0;
  let count = 0;
  let [own, paper, owns, papers] = [0, 0, 0, 0];
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const p = y * width + x;
      const lead = leadAt(mixes, p);
      const green = data[p * 4 + 1];
      if (lead === ink) [own, owns] = [own + green, owns + 1];
      else if (lead === 0) [paper, papers] = [paper + green, papers + 1];
      if (lead !== ink) continue;
      for (const step of [1, -1, width, -width]) {
        if (leadAt(mixes, p + step) !== 0) continue;
        steps += Math.abs(data[(p + 2 * step) * 4 + 1] - data[(p - step) * 4 + 1]);
        count++;
      }
    }
  }
  if (count === 0 || owns === 0 || papers === 0) return 1;
  return steps / count / Math.max(1, Math.abs(own / owns - paper / papers));
}

/** Draws the inks on their paper, or black on white when there is to be one. */
export function drawInks({ mixes, paints, scale }: CameraPicture, isOneInk: boolean): Bitmap {
  return redraw(mixes, isOneInk ? paints.map((_, k) => (k < 3 ? 255 : 0)) : paints, scale);
}

/**
 * Returns a picture that a camera took of a drawing as if it lay under even light on white paper, without grain: what a
 * trace with this option sees of it. Undefined where a trace takes nothing out. Costs about a third of a trace.
 */
export function takeOutLight(bitmap: Bitmap, dropLight: true | 'auto'): Bitmap | undefined {
  const camera = readCamera(bitmap, dropLight === true);
  return camera && drawFlat(camera);
}

/** Returns the picture under even light on white paper, to be cut at a level. */
export function drawFlat({ flat }: CameraPicture): Bitmap {
  const { width, height, paper } = flat;
  const data = new Uint8ClampedArray(flat.data);
  for (let k = 0; k < data.length; k++) if (k % 4 < 3) data[k] = (data[k] * 255) / paper[k % 4];
  return { width, height, data };
}

function shareOf(marks: Uint8Array): number {
  let sum = 0;
  for (const mark of marks) sum += mark;
  return sum / marks.length;
}
