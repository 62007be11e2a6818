/**
 * npm run -s make -- composition.json --format dxf out.dxf: makes a machine's file of a composition without a server,
 * by the same steps: resolved, cleaned, written, read back. Prints the report as JSON on stderr.
 *
 * composition.json is a composition as the API takes it: {"version": …, "data": …}. Its artworks' files are looked for
 * beside it by their names. SVG, DXF and LightBurn keep their outlines. A picture, and the part of an SVG that is
 * cropped, is traced as the server traces it. Texts are set in the bundled fonts.
 *
 * --format   svg, lbrn2, xcs, dxf, plt, pdf, png, tiff or package; without it, the ending of the output says it
 * --preset   of SVG: lightburn, glowforge, xtool, hairline, cricut; of PDF and TIFF: generic, versaWorks, customGateway
 * --area     the print area in mm, as in 76.2x63.5; 100x100 without it
 * --material what is engraved, as in slate or walnut: it decides the tones and the negative of an engraved picture
 * --options  the options of the API's call as JSON, as in '{"white":"none"}'
 * --settings the settings of traces as JSON, as the API's call takes them, as in '{"colorMode":"color"}'
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  FileFormat,
  FileOptions,
  FilePreset,
  MIN_CROP_PX,
  toPartSize,
  toPictureChanges,
  toVectorizerOptions,
  VectorizeSettings,
} from '@markwright/contract';
import { engravingMaterial } from '@markwright/engraving';
import {
  type ArtworkElement,
  artworksOf,
  type Composition,
  isEngraved,
  MM_PER_INCH,
  parseComposition,
} from '@markwright/scene';
import { traceLimits } from '../apps/server/src/exports/traceLimits.ts';
import { decodePicture } from '../apps/server/src/media/decode.ts';
import { makeMachineFile } from '../apps/server/src/media/file.ts';
import { shrink, trace } from '../apps/server/src/media/trace.ts';
import type { DrawnPicture, FileInput } from '../apps/server/src/platform/ports/mediaJobs.ts';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      format: { type: 'string' },
      preset: { type: 'string' },
      area: { type: 'string', default: '100x100' },
      material: { type: 'string', default: 'other' },
      options: { type: 'string', default: '{}' },
      settings: { type: 'string', default: '{}' },
    },
  });
  const [input, output] = positionals;
  if (!input || !output) throw new Error('Usage: npm run -s make -- composition.json [--format dxf] out.dxf');
  const composition = readComposition(input);
  const product = productOf(values.area, values.material);
  const settings = VectorizeSettings.parse({
    quality: 'high',
    machineType: composition.machine,
    ...JSON.parse(values.settings),
    mode: 'vectorize',
  });
  const { bytes, report } = await makeMachineFile({
    composition,
    product,
    artworks: await readArtworks(composition, { folder: dirname(input), product, settings }),
    format: choose('--format', FileFormat.options, values.format ?? extname(output).slice(1)),
    preset: values.preset === undefined ? undefined : choose('--preset', FilePreset.options, values.preset),
    options: FileOptions.parse(JSON.parse(values.options)),
    names: { designFilename: artworksOf(composition)[0]?.filename },
    material: undefined,
    now: new Date(),
    mockup: undefined,
  });
  writeFileSync(output, bytes);
  process.stderr.write(`${JSON.stringify(report, undefined, 2)}\n`);
}

function readComposition(path: string): Composition {
  const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
  try {
    return parseComposition(document);
  } catch {
    throw new Error(`${path} is no composition: {"version": …, "data": …}`);
  }
}

function choose<T extends string>(flag: string, choices: readonly T[], text: string): T {
  const choice = choices.find((candidate) => candidate === text);
  if (!choice) throw new Error(`${flag} is one of: ${choices.join(', ')}`);
  return choice;
}

/** A blank of which nothing but the print area is known. */
function productOf(area: string, material: string): NonNullable<FileInput['product']> {
  const [, width, height] = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/.exec(area) ?? [];
  const [widthMm, heightMm] = [Number(width), Number(height)];
  if (!(widthMm > 0 && heightMm > 0)) throw new Error('The print area is its width and height in mm: 76.2x63.5');
  return {
    picture: undefined,
    pictureAspect: widthMm / heightMm,
    printArea: { x: 0, y: 0, width: 1, height: 1 },
    printWidthInches: widthMm / MM_PER_INCH,
    printHeightInches: heightMm / MM_PER_INCH,
    finish: { material, markColor: engravingMaterial(material).colors.mark },
  };
}

interface Tracing {
  readonly folder: string;
  readonly product: NonNullable<FileInput['product']>;
  readonly settings: VectorizeSettings;
}

async function readArtworks(composition: Composition, tracing: Tracing): Promise<FileInput['artworks']> {
  const artworks: FileInput['artworks'][number][] = [];
  for (const artwork of artworksOf(composition)) {
    artworks.push(
      isEngraved(artwork, composition.machine)
        ? await readEngravable(artwork, tracing)
        : { id: artwork.id, picture: await readArtworkFile(composition, artwork, tracing) },
    );
  }
  return artworks;
}

/** Reads the picture of an artwork that is engraved itself, at the pixels that a trace would be made from. */
async function readEngravable(
  { id, filename, crop, straighten }: ArtworkElement,
  { folder }: Tracing,
): Promise<FileInput['artworks'][number]> {
  const picture = await decodePicture(readFileSync(join(folder, filename)));
  const isDrawing = picture.mediaType === 'image/svg+xml';
  const changes = toPictureChanges({ crop, straighten, brightness: 0, contrast: 0 });
  return { id, picture: isDrawing ? { svg: picture.svg } : await shrink(picture), engraved: { changes } };
}

/** Reads an artwork's file, and traces the part of it that the composition shows, with the limits of its machine. */
async function readArtworkFile(
  composition: Composition,
  { id, filename, crop, straighten }: ArtworkElement,
  { folder, product, settings }: Tracing,
): Promise<DrawnPicture> {
  const picture = await decodePicture(readFileSync(join(folder, filename)));
  const isDrawing = picture.mediaType === 'image/svg+xml';
  if (isDrawing && !crop && !straighten) return { svg: picture.svg, isUploaded: true };
  if (isDrawing && straighten) throw new Error(`${filename} has no pixels: only a picture can be straightened.`);
  const part = { ...settings, straighten, crop };
  const size = toPartSize(picture, part);
  if (!isDrawing && Math.min(size.width, size.height) < MIN_CROP_PX) {
    throw new Error(`The part of ${filename} is less than ${MIN_CROP_PX} pixels wide or high.`);
  }
  const options = toVectorizerOptions(part);
  const dimensions = `${product.printWidthInches}x${product.printHeightInches}`;
  const limits = isDrawing
    ? undefined
    : traceLimits(composition, { ...product, dimensions }, id, { ...size, despeckle: options.despeckle });
  const changes = toPictureChanges(part);
  const { svg } = await trace({ picture, options: { ...options, ...limits }, changes }, () => {});
  return { svg };
}

main().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
  process.stderr.write(`Could not make the file: ${reason}\n`);
  process.exitCode = 1;
});
