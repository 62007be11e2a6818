/** Makes one file for a machine: from a job, with everything read back before it leaves. */
import { deflateSync } from 'node:zlib';
import type { FileFormat, FilePreset } from '@markwright/contract';
import type { Job, OutlinePlate } from '@markwright/scene';
import { addUnderbase, SPOT_LOOKS, writePdf } from '@markwright/scene/inkFiles';
import {
  FormatUnfit,
  type LightBurnOptions,
  makeOutlineFile,
  type OutlineFileOptions,
  type OutlineFormat,
} from '@markwright/scene/production';
import { AppError } from '../../platform/errors.ts';
import { type FileChoices, isSpotPreset, refuseUnfit } from './fileOptions.ts';
import { CMYK_PROFILE, inksOf, writeInks } from './inks.ts';
import { bleedColors, mirrorEdges, writePng } from './png.ts';
import { drawColors, drawCover, PRINT_DPI } from './raster.ts';
import { checkColors, checkPdf, checkPixels } from './readBack.ts';
import { writeTiff } from './tiff.ts';

export type SingleFormat = Exclude<FileFormat, 'package'>;

/** A file of one format. `ending` follows the name and its size: `.dxf`, `_cricut.svg`. */
export interface FormatFile {
  readonly bytes: Uint8Array;
  readonly ending: string;
  /** The color space of the file; undefined for a file of outlines alone. */
  readonly colors: string | undefined;
  /** The job as the file holds it, with its white plate. */
  readonly job: Job;
}

/** So far the colors of a mark reach under what is clear beside it, in pixels. */
const COLOR_REACH = 4;
const MM_PER_INCH = 25.4;

/**
 * Makes a file of one format. Throws unprocessable for a format that cannot hold the job, and FileDiffers when the file
 * that was written does not hold what the job says. Cost: linear in the nodes or pixels, besides the white plate.
 */
export async function makeFormat(
  job: Job,
  format: SingleFormat,
  preset: FilePreset | undefined,
  choices: FileChoices,
  lightBurn: LightBurnOptions = {},
): Promise<FormatFile> {
  refuseUnfit(job.machine, format);
  if (format === 'pdf') return makePdf(addUnderbase(job, { mode: choices.white, chokeMm: choices.chokeMm }), choices);
  if (format === 'tiff') return makeTiff(addUnderbase(job, { mode: choices.white, chokeMm: choices.chokeMm }), choices);
  if (format === 'png') return makePng(job, choices);
  return makeOutlines(job, format, {
    preset: isSpotPreset(preset) ? undefined : preset,
    ...(format === 'lbrn2' && lightBurn),
  });
}

function makeOutlines(job: Job, format: OutlineFormat, options: OutlineFileOptions): FormatFile {
  const { preset } = options;
  try {
    const bytes = makeOutlineFile(job, format, options);
    const dialect = format === 'svg' && preset ? `_${preset}` : '';
    return { bytes, ending: `${dialect}.${format}`, colors: job.machine === 'laser' ? undefined : 'sRGB', job };
  } catch (error) {
    if (error instanceof FormatUnfit) throw new AppError('unprocessable', error.message);
    throw error;
  }
}

async function makePdf(job: Job, { colors, bleedMm, spots, profile }: FileChoices): Promise<FormatFile> {
  const isLaser = job.machine === 'laser';
  const toCmyk = colors === 'CMYK' && !isLaser ? await inksOf(job, profile?.bytes) : undefined;
  const bytes = writePdf(job, { title: 'Production file', toCmyk, spots, bleedMm, deflate: deflateSync });
  checkPdf(bytes, job, ({ kind, id }: OutlinePlate) => (isLaser ? id : (spots[kind as keyof typeof spots] ?? id)));
  return { bytes, ending: '.pdf', colors: isLaser ? undefined : toCmyk ? nameProfile(profile) : 'sRGB', job };
}

async function makePng(job: Job, { bleedMm }: FileChoices): Promise<FormatFile> {
  const trim = drawColors(job, PRINT_DPI);
  bleedColors(trim, COLOR_REACH);
  const bleedPx = Math.round((bleedMm / MM_PER_INCH) * PRINT_DPI);
  const pixels = mirrorEdges(trim, bleedPx);
  const bytes = await writePng(pixels, PRINT_DPI);
  await checkPixels(bytes, job, PRINT_DPI, { channels: 4, bleedPx });
  await checkColors(bytes, job, bleedPx);
  // No program reads a bleed from a PNG: its name says it.
  return { bytes, ending: bleedMm > 0 ? `_bleed${bleedMm}mm.png` : '.png', colors: 'sRGB', job };
}

async function makeTiff(job: Job, { spots, profile }: FileChoices): Promise<FormatFile> {
  const plates = job.plates.filter(
    (plate): plate is OutlinePlate & { kind: 'white' | 'gloss' } => plate.kind === 'white' || plate.kind === 'gloss',
  );
  const pixels = drawColors(job, PRINT_DPI);
  const { width, height } = pixels;
  const count = 4 + plates.length;
  const samples = new Uint8Array(width * height * count);
  await writeInks(pixels, samples, count, profile?.bytes);
  for (const [k, plate] of plates.entries()) {
    const cover = drawCover(job, plate, PRINT_DPI);
    for (let i = 0; i < cover.length; i++) samples[i * count + 4 + k] = cover[i]!;
  }
  const spotInks = plates.map(({ kind }) => ({ name: spots[kind], look: SPOT_LOOKS[kind] }));
  const bytes = writeTiff({ width, height, samples, spots: spotInks, dpi: PRINT_DPI });
  await checkPixels(bytes, job, PRINT_DPI, { channels: count });
  return { bytes, ending: '.tiff', colors: nameProfile(profile), job };
}

/** Says by which profile colors became inks. */
const nameProfile = (profile: FileChoices['profile']) => (profile ? `CMYK by ${profile.name}` : CMYK_PROFILE);
