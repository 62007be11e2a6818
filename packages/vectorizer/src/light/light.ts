/**
 * Pictures taken by a camera: whether a picture is one, the light and the material on it, and the drawing without them.
 */
import type { Bitmap } from '../pixels/bitmap.ts';
import { isOpaque } from '../pixels/bitmap.ts';
import { readCells, toLinear } from './cells.ts';
import { measureRoughness, rangeOfTint } from './evidence.ts';
import { estimateField, type Field, rangeOfLight, refineField } from './field.ts';
import { type Flat, flatten, PAPER_LIGHT, toByte } from './flatten.ts';
import { findInks, type Inks } from './inks.ts';
import { redraw } from './redraw.ts';
import { type Mixes, unmix } from './unmix.ts';

/** A picture with a shorter side than this is too small to tell light from ink. */
const LEAST_SIDE = 48;
/** Paper covers at least this share of the border of a picture of a drawing, */
const LEAST_BORDER = 0.6;
/** and of the whole. */
const LEAST_PAPER = 0.2;
/** Light varies by at least this much, in logarithms: scans and drawings with noise stay below. */
const LEAST_RANGE = 0.045;
/** It varies by at most this much: scenes with a dark side are no drawings. */
const MOST_RANGE = 1.75;
/** A camera's noise in paper, in levels: the ramps of a drawing are smoother. */
const LEAST_ROUGHNESS = 0.12;
/** The color of light varies by this much, in logarithms, and by this share of its range, at most. */
const MOST_TINT = 0.1;
const TINT_SHARE = 0.35;
/** Levels by which edges waver, for each level of the paper's grain: blur makes a level worth more of a pixel. */
const EDGE_GRAIN = 2.5;
/** Inks explain all but this share of the pixels. */
const MOST_STRANGE = 0.003;
/** and all but this share of those within broad areas, which a thing's own shading makes uneven. */
const MOST_LOOSE = 0.012;

/** A picture of a drawing without the light and the material. */
export interface CameraPicture {
  field: Field;
  mixes: Mixes;
  flat: Flat;
  /** Bytes of each ink, paper first. */
  paints: Float64Array;
  /** Levels by which the material disturbs edges. */
  grain: number;
}

/**
 * Takes light and material out of a picture that a camera took of a drawing. Returns undefined for any other picture:
 * one whose paper is evenly lit, as drawings and scans are, or that has no paper, or that a few inks do not explain.
 * Linear in pixels; drawings cost a reduced copy.
 */
export function readCamera(bitmap: Bitmap): CameraPicture | undefined {
  const { width, height } = bitmap;
  if (Math.min(width, height) < LEAST_SIDE || !isOpaque(bitmap)) return undefined;
  const field = estimateField(readCells(bitmap));
  if (field.borderShare < LEAST_BORDER || shareOf(field.isPaper) < LEAST_PAPER) return undefined;
  const range = rangeOfLight(field);
  if (range < LEAST_RANGE || range > MOST_RANGE) return undefined;
  if (measureRoughness(bitmap, field) < LEAST_ROUGHNESS) return undefined;
  if (rangeOfTint(field) > MOST_TINT + TINT_SHARE * range) return undefined;
  const first = findDrawing(bitmap, field);
  if (!first) return undefined;
  const better = refineField(field, markInk(first.mixes), width);
  const { flat, inks, mixes } = (better === field ? undefined : findDrawing(bitmap, better)) ?? first;
  const paints = inks.colors.map((byte) => Math.round(toByte(Math.min(1, toLinear(Math.round(byte)) / PAPER_LIGHT))));
  return { field: better, flat, mixes, paints, grain: EDGE_GRAIN * flat.grain };
}

interface InkedDrawing {
  flat: Flat;
  inks: Inks;
  mixes: Mixes;
}

/** Finds the inks under a field of light. Returns undefined when a few inks do not explain the picture. */
function findDrawing(bitmap: Bitmap, field: Field): InkedDrawing | undefined {
  const flat = flatten(bitmap, field);
  const inks = findInks(flat);
  if (inks.count < 2 || inks.loose > MOST_LOOSE) return undefined;
  const mixes = unmix(flat, inks);
  return mixes.strange > MOST_STRANGE ? undefined : { flat, inks, mixes };
}

/** Returns 1 for each pixel in which an ink leads. */
function markInk({ first, second, share }: Mixes): Uint8Array {
  const out = new Uint8Array(share.length);
  for (let p = 0; p < out.length; p++) out[p] = (share[p] >= 0.5 ? first[p] : second[p]) > 0 ? 1 : 0;
  return out;
}

/** Draws the inks on their paper, or black on white when there is to be one. */
export function drawInks({ mixes, paints }: CameraPicture, isOneInk: boolean): Bitmap {
  return redraw(mixes, isOneInk ? paints.map((_, k) => (k < 3 ? 255 : 0)) : paints);
}

/** Returns the picture under even light on white paper, to be cut at a level. */
export function drawFlat({ flat }: CameraPicture): Bitmap {
  const { width, height, paper } = flat;
  const data = new Uint8ClampedArray(flat.data);
  for (let k = 0; k < data.length; k++) if (k % 4 < 3) data[k] = (data[k] * 255) / paper[k % 4];
  return { width, height, data };
}

/** Returns the light on the material as a picture: what a trace leaves out. */
export function drawLight({ field, mixes }: CameraPicture): Bitmap {
  const { width, height } = mixes;
  const { cells, light } = field;
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const cell = (Math.floor(y / cells.side) * cells.across + Math.floor(x / cells.side)) * 3;
      for (let c = 0; c < 3; c++) data[i + c] = toByte(Math.min(1, Math.exp(light[cell + c])));
    }
  }
  return { width, height, data };
}

function shareOf(marks: Uint8Array): number {
  let sum = 0;
  for (const mark of marks) sum += mark;
  return sum / marks.length;
}
