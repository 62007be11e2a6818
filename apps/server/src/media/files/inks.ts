/** Converts sRGB colors to the four inks, by a shop's ICC profile or the generic one that sharp brings along (lcms). */
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from '@markwright/scene';
import { type Cmyk, gradientColors, type ToCmyk } from '@markwright/scene/inkFiles';
import sharp from 'sharp';
import type { Pixels } from './png.ts';

/** The name of this conversion in a report. */
export const CMYK_PROFILE = 'CMYK by a generic profile';

/**
 * Writes pixels on white paper as four inks, 255 being full, to the first four of each pixel's `count` samples. Cost:
 * linear, and a conversion for each color that is there; no memory for each pixel but the samples.
 */
export async function writeInks(
  { rgba }: Pixels,
  samples: Uint8Array,
  count: number,
  profile?: Uint8Array,
): Promise<void> {
  const indexes = new Map<number, number>();
  const colors: number[] = [];
  const view = new DataView(samples.buffer, samples.byteOffset, samples.byteLength);
  let [lastPixel, lastIndex] = [-1, 0];
  for (let p = 0, at = 0; p < rgba.length; p += 4, at += count) {
    const pixel = ((rgba[p]! << 24) | (rgba[p + 1]! << 16) | (rgba[p + 2]! << 8) | rgba[p + 3]!) >>> 0;
    // Neighbors are mostly of one color.
    if (pixel !== lastPixel) {
      lastPixel = pixel;
      const paper = 255 - rgba[p + 3]!;
      const alpha = rgba[p + 3]! / 255;
      const [r, g, b] = [rgba[p]! * alpha + paper, rgba[p + 1]! * alpha + paper, rgba[p + 2]! * alpha + paper];
      const color = (Math.round(r) << 16) | (Math.round(g) << 8) | Math.round(b);
      lastIndex = indexes.get(color) ?? colors.push(color) - 1;
      indexes.set(color, lastIndex);
    }
    // The place of the four inks holds the number of their color, until all colors are converted.
    view.setUint32(at, lastIndex);
  }
  const inks = await convertColors(colors, profile);
  for (let at = 0; at < samples.length; at += count) {
    const from = 4 * view.getUint32(at);
    for (let k = 0; k < 4; k++) samples[at + k] = inks[from + k]!;
  }
}

/**
 * Converts colors, `0xrrggbb` each, to four bytes each. Black stays black ink alone: fine lines of several inks would
 * need a register that no flatbed keeps.
 */
export async function convertColors(colors: readonly number[], profile?: Uint8Array): Promise<Uint8Array> {
  const rgb = Uint8Array.from(colors.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  const row = sharp(rgb, { raw: { width: colors.length, height: 1, channels: 3 } });
  const inks = profile
    ? await withFile(profile, (path) => row.withIccProfile(path).raw().toBuffer())
    : await row.toColourspace('cmyk').raw().toBuffer();
  for (const [i, color] of colors.entries()) if (color === 0) inks.set(BLACK_INK, 4 * i);
  return inks;
}

/** The age from which a profile file belongs to a job that was killed: no job lasts as long. */
const LEFT_BEHIND_MS = 60 * 60 * 1000;

/**
 * Runs `work` with a temporary file: sharp takes a profile by its path alone, and libvips remembers what lay there, so
 * that every path is used once. Files of processes that were killed meanwhile are removed by the next ones.
 */
async function withFile<T>(bytes: Uint8Array, work: (path: string) => Promise<T>): Promise<T> {
  await removeLeftBehind();
  const path = join(tmpdir(), `markwright-${randomUUID()}.icc`);
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

async function removeLeftBehind(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!/^markwright-[\w-]+\.icc$/.test(name)) continue;
    const path = join(tmpdir(), name);
    // Another process may be faster.
    const mtimeMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - mtimeMs > LEFT_BEHIND_MS) await rm(path, { force: true });
  }
}

const BLACK_INK = [0, 0, 0, 255];

/** Returns a conversion for every color that a job shows. It throws an Error for another one. */
export async function inksOf({ plates }: Job, profile?: Uint8Array): Promise<ToCmyk> {
  const colors = [...new Set(plates.flatMap((plate) => (plate.kind === 'color' ? colorsOf(plate.groups) : [])))];
  if (colors.length === 0) return () => [0, 0, 0, 0];
  const inks = await convertColors(
    colors.map((color) => Number.parseInt(color.slice(1), 16)),
    profile,
  );
  const table = new Map(
    colors.map((color, i) => [color, [...inks.subarray(4 * i, 4 * i + 4)].map((ink) => ink / 255)]),
  );
  return (color) => {
    const ink = table.get(color);
    if (!ink) throw new Error(`The color ${color} is not one of the job.`);
    return ink as unknown as Cmyk;
  };
}

type ColorGroups = Extract<Job['plates'][number], { kind: 'color' }>['groups'];

const colorsOf = (groups: ColorGroups): string[] =>
  groups.flatMap(({ shapes }) =>
    shapes.flatMap(({ fill, stroke, gradient }) => [
      ...(gradient ? gradientColors(gradient) : fill ? [fill] : []),
      ...(stroke ? [stroke] : []),
    ]),
  );
