/** Makes one file for a machine: from a job, with everything read back before it leaves. */
import { deflateSync } from 'node:zlib';
import type { FileFormat, FilePreset } from '@markwright/contract';
import type { Job, JobRaster, OutlinePlate } from '@markwright/scene';
import { addUnderbase, PRINT_DPI, SPOT_LOOKS, writePdf } from '@markwright/scene/inkFiles';
import {
  type FilePicture,
  FormatUnfit,
  type LightBurnOptions,
  makeOutlineFile,
  type OutlineFileOptions,
  type OutlineFormat,
  refuseRasters,
} from '@markwright/scene/production';
import { AppError } from '../../platform/errors.ts';
import { type FileChoices, isSpotPreset, refuseUnfit } from './fileOptions.ts';
import { CMYK_PROFILE, inksOf, writeInks } from './inks.ts';
import { checkPhoto, checkPhotos, drawPhoto, drawPhotos, refuseLargePhotos } from './photos.ts';
import { bleedColors, mirrorEdges, mirrorPlace, type Pixels, writePngBands } from './png.ts';
import { type BandPainter, createColorPainter, createPlatePainter, rowsOfBand } from './raster.ts';
import { checkColors, checkPdf, checkPixels, checkTiff } from './readBack.ts';
import { writeTiff } from './tiff.ts';

export type SingleFormat = Exclude<FileFormat, 'package' | 'sheet' | 'paperTest'>;

/** A file of one format. `ending` follows the name and its size: `.dxf`, `_cricut.svg`. */
export interface FormatFile {
  readonly bytes: Uint8Array;
  readonly ending: string;
  /** The color space of the file; undefined for a file of outlines alone. */
  readonly colors: string | undefined;
  /** The job as the file holds it, with its white plate. */
  readonly job: Job;
  /** Of a file that is smaller than the frame: a photograph alone. */
  readonly size?: { readonly widthMm: number; readonly heightMm: number };
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
  refuseUnfit(job, format);
  if (format === 'pdf') return makePdf(withWhite(job, choices), choices);
  if (format === 'tiff') return makeTiff(withWhite(job, choices), choices);
  if (format === 'png') return job.machine === 'laser' ? makePhoto(job) : makePng(job, choices);
  const options = { preset: isSpotPreset(preset) ? undefined : preset, ...(format === 'lbrn2' && lightBurn) };
  if (format !== 'lbrn2') return makeOutlines(job, format, options).file;
  refuseLargePhotos(job, false);
  const { file, pictures } = makeOutlines(job, format, { ...options, pictures: await drawPhotos(job) });
  await checkPhotos(pictures, job.rasters);
  return file;
}

/** The last white plate of each job: the formats of a package share it, and it takes longer than their files. */
const whitePlates = new WeakMap<Job, { readonly choices: FileChoices; readonly job: Job }>();

/** Adds the white plate that the choices ask for; the same job again is not computed anew. */
export function withWhite(job: Job, choices: FileChoices): Job {
  const last = whitePlates.get(job);
  if (last && last.choices.white === choices.white && last.choices.chokeMm === choices.chokeMm) return last.job;
  const whole = addUnderbase(job, { mode: choices.white, chokeMm: choices.chokeMm });
  whitePlates.set(job, { choices, job: whole });
  return whole;
}

/** Makes the PNG of the photograph of a laser's job: as large as the photograph, for programs that place it. */
async function makePhoto(job: Job): Promise<FormatFile> {
  const [raster, ...others] = job.rasters;
  if (!raster || others.length > 0) {
    throw new AppError('unprocessable', 'A PNG holds one photograph. The job package has one for each.');
  }
  return makePhotoFile(job, raster);
}

/** Makes the PNG of one photograph. Throws FileDiffers. */
export async function makePhotoFile(job: Job, raster: JobRaster): Promise<FormatFile> {
  refuseLargePhotos({ rasters: [raster] }, false);
  const png = await drawPhoto(raster);
  await checkPhoto(png, raster);
  const dpi = Math.round(MM_PER_INCH / raster.intervalMm);
  const size = { widthMm: raster.width * raster.intervalMm, heightMm: raster.height * raster.intervalMm };
  return { bytes: png, ending: `_${dpi}dpi.png`, colors: raster.file?.isGray ? 'Gray' : 'Black and white', job, size };
}

/** Makes a file of outlines. Returns the pictures that were read back from it, too. */
function makeOutlines(
  job: Job,
  format: OutlineFormat,
  options: OutlineFileOptions,
): { readonly file: FormatFile; readonly pictures: readonly FilePicture[] } {
  const { preset } = options;
  try {
    const { bytes, contents } = makeOutlineFile(job, format, options);
    const dialect = format === 'svg' && preset ? `_${preset}` : '';
    const colors = job.machine === 'laser' ? undefined : 'sRGB';
    return { file: { bytes, ending: `${dialect}.${format}`, colors, job }, pictures: contents.pictures ?? [] };
  } catch (error) {
    if (error instanceof FormatUnfit) throw new AppError('unprocessable', error.message);
    throw error;
  }
}

async function makePdf(job: Job, { colors, bleedMm, spots, profile }: FileChoices): Promise<FormatFile> {
  refusePhotos(job);
  const isLaser = job.machine === 'laser';
  const toCmyk = colors === 'CMYK' && !isLaser ? await inksOf(job, profile?.bytes) : undefined;
  const bytes = writePdf(job, {
    title: 'Production file',
    toCmyk,
    spots,
    bleedMm,
    deflate: deflateSync,
    profile: toCmyk && profile,
  });
  checkPdf(bytes, job, ({ kind, id }: OutlinePlate) => (isLaser ? id : (spots[kind as keyof typeof spots] ?? id)));
  return { bytes, ending: '.pdf', colors: isLaser ? undefined : toCmyk ? nameProfile(profile) : 'sRGB', job };
}

async function makePng(job: Job, { bleedMm }: FileChoices): Promise<FormatFile> {
  const painter = createColorPainter(job, PRINT_DPI);
  const bleedPx = Math.round((bleedMm / MM_PER_INCH) * PRINT_DPI);
  const size = { width: painter.width + 2 * bleedPx, height: painter.height + 2 * bleedPx };
  const bytes = await writePngBands(size, PRINT_DPI, paintBands(painter, bleedPx));
  await checkPixels(bytes, job, PRINT_DPI, { channels: 4, bleedPx });
  await checkColors(bytes, job, bleedPx);
  // No program reads a bleed from a PNG: its name says it.
  return { bytes, ending: bleedMm > 0 ? `_bleed${bleedMm}mm.png` : '.png', colors: 'sRGB', job };
}

/** Draws a picture with its bleed, band by band, and gives its colors a reach. */
async function* paintBands(painter: BandPainter, bleedPx: number): AsyncGenerator<Pixels> {
  const { width, height } = painter;
  const most = rowsOfBand(width + 2 * bleedPx);
  for (let start = -bleedPx; start < height + bleedPx; start += most) {
    const count = Math.min(most, height + bleedPx - start);
    const rows = Array.from({ length: count }, (_, y) => mirrorPlace(start + y, height));
    const [first, last] = [Math.min(...rows), Math.max(...rows)];
    // A color's reach comes from the rows around the band, too.
    const top = Math.max(0, first - COLOR_REACH);
    const pixels = await painter.draw({ top, bottom: Math.min(height, last + COLOR_REACH + 1) });
    bleedColors(pixels, COLOR_REACH);
    if (bleedPx > 0) {
      yield mirrorEdges(
        pixels,
        bleedPx,
        rows.map((row) => row - top),
      );
      continue;
    }
    const rgba = pixels.rgba.subarray(4 * width * (start - top), 4 * width * (start - top + count));
    yield { width, height: count, rgba };
  }
}

async function makeTiff(job: Job, { spots, profile }: FileChoices): Promise<FormatFile> {
  const plates = job.plates.filter(
    (plate): plate is OutlinePlate & { kind: 'white' | 'gloss' } => plate.kind === 'white' || plate.kind === 'gloss',
  );
  const colors = createColorPainter(job, PRINT_DPI);
  const covers = plates.map((plate) => createPlatePainter(job, plate, PRINT_DPI));
  const { width, height } = colors;
  const rowsPerStrip = rowsOfBand(width);
  const count = 4 + plates.length;
  async function* paintSamples(): AsyncGenerator<Uint8Array> {
    for (let top = 0; top < height; top += rowsPerStrip) {
      const band = { top, bottom: Math.min(height, top + rowsPerStrip) };
      const samples = new Uint8Array(width * (band.bottom - top) * count);
      // Both at once, on threads of their own.
      const pictures = Promise.all(covers.map((cover) => cover.draw(band)));
      const [pixels, coverPixels] = await Promise.all([colors.draw(band), pictures]);
      await writeInks(pixels, samples, count, profile?.bytes);
      for (const [k, { rgba }] of coverPixels.entries()) {
        for (let i = 3, at = 4 + k; i < rgba.length; i += 4, at += count) samples[at] = rgba[i]!;
      }
      yield samples;
    }
  }
  const spotInks = plates.map(({ kind }) => ({ name: spots[kind], look: SPOT_LOOKS[kind] }));
  const size = { width, height, rowsPerStrip, dpi: PRINT_DPI };
  const bytes = await writeTiff({ ...size, bands: paintSamples(), spots: spotInks, profile: profile?.bytes });
  await checkPixels(bytes, job, PRINT_DPI, { channels: count });
  await checkTiff(bytes, job, { plates, profile: profile?.bytes });
  return { bytes, ending: '.tiff', colors: nameProfile(profile), job };
}

/** Throws unprocessable for a photograph in dots. */
function refusePhotos(job: Job): void {
  try {
    refuseRasters(job, 'PDF');
  } catch (error) {
    throw error instanceof FormatUnfit ? new AppError('unprocessable', error.message) : error;
  }
}

/** Returns the name of the color profile (ICC) that the colors were converted by, for the report. */
const nameProfile = (profile: FileChoices['profile']) => (profile ? `CMYK by ${profile.name}` : CMYK_PROFILE);
