/** Makes the package of a job: the files of its machine, the mockup, the job sheet and the job's facts in one zip. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { machineFilename } from '@markwright/contract';
import type { Job } from '@markwright/scene';
import { fitsPixels } from '@markwright/scene/inkFiles';
import type { LightBurnOptions } from '@markwright/scene/production';
import sharp from 'sharp';
import { ZipFile } from 'yazl';
import type { FileInput, SheetFile, SheetPapers } from '../../platform/ports/mediaJobs.ts';
import { type FileChoices, packageFormats } from './fileOptions.ts';
import { drawJobSheet, type SheetLayer } from './jobSheet.ts';
import { saySettings } from './laserPowers.ts';
import { type FormatFile, makeFormat, makePhotoFile, type SingleFormat } from './makeFile.ts';
import { refuseLargePhotos } from './photos.ts';
import type { Pixels } from './png.ts';
import { drawPicture } from './raster.ts';
import { measurePlates, roundMm } from './report.ts';

const PICTURE_PX = 1400;
const PIXELS: ReadonlySet<SingleFormat> = new Set(['png', 'tiff']);
/** Pictures and PDFs are compressed already. */
const STORED = /\.(png|tiff|pdf)$/;

/** A file of the package, by its name. */
type Entry = readonly [name: string, bytes: Uint8Array];

/** Returns the zip, and the file of the first format, whose job and colors the report is about. */
export async function makePackage(
  job: Job,
  choices: FileChoices,
  { names, material, now, mockup }: Pick<FileInput, 'names' | 'material' | 'now' | 'mockup'>,
  lightBurn: LightBurnOptions,
): Promise<{ bytes: Uint8Array; first: FormatFile; files: readonly SheetFile[] }> {
  refuseLargePhotos(job, true);
  const entries: Entry[] = [];
  const outlines = { ...job, rasters: [] };
  const make = (format: SingleFormat) =>
    makeFormat(format === 'lbrn2' ? job : outlines, format, undefined, choices, lightBurn);
  const fitFormats = packageFormats(job).filter((format) => !PIXELS.has(format) || fitsPixels(job));
  // The PNG and the picture of the sheet need no white plate: other threads draw them while this one makes the plate.
  const picture = drawSheetPicture(job);
  const early = fitFormats.includes('png') ? make('png') : undefined;
  const [formats] = await Promise.all([
    Promise.all(fitFormats.map((format) => (format === 'png' && early ? early : make(format)))),
    picture,
  ]);
  for (const { bytes, ending } of formats) entries.push([machineFilename(names, job, ending), bytes]);
  for (const raster of job.rasters) {
    const { bytes, ending, size } = await makePhotoFile(job, raster);
    entries.push([machineFilename(names, { ...job, ...size }, `_${raster.id}${ending}`), bytes]);
  }
  const [first] = formats;
  if (mockup) entries.push([machineFilename(names, { ...job, isMirrored: false }, '_mockup.png'), mockup]);
  const files = entries.map(describe);
  const sheet = await makeSheet(job, choices, { names, material, now }, lightBurn, {
    ...{ layersOf: first!.job, files, picture },
  });
  entries.push([machineFilename(names, job, SHEET_ENDING), sheet]);
  const facts = {
    title: titleOf(names),
    size: { widthMm: roundMm(job.widthMm), heightMm: roundMm(job.heightMm) },
    machine: job.machine,
    isMirrored: job.isMirrored,
    colors: first!.colors,
    layers: measurePlates(first!.job),
    findings: job.findings,
    files: entries.map(describe),
  };
  entries.push(['job.json', Buffer.from(`${JSON.stringify(facts, undefined, 2)}\n`)]);
  return { bytes: await zipEntries(entries, now), first: first!, files: entries.map(describe) };
}

/** Compresses on the threads of zlib, all entries at once: in JavaScript it took .7 s of a package of 20,000 nodes. */
async function zipEntries(entries: readonly Entry[], mtime: Date): Promise<Uint8Array> {
  const zip = new ZipFile();
  for (const [name, bytes] of entries) {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    zip.addBuffer(view, name, { mtime, compress: !STORED.test(name) });
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** Follows the name and the size of a job sheet. */
export const SHEET_ENDING = '_job-sheet.pdf';

export const titleOf = (names: FileInput['names']) => names.productName ?? names.designFilename ?? 'Design';

interface SheetParts extends Partial<SheetPapers> {
  /** The job whose layers the sheet lists, with its white plate. Absent: the job itself. */
  readonly layersOf?: Job;
  /** The picture of the job, where it was begun before. */
  readonly picture?: Promise<Uint8Array>;
}

/** Draws the job sheet of a job, by itself or with the files that it goes with. Cost: see `drawJobSheet`. */
export async function makeSheet(
  job: Job,
  choices: FileChoices,
  { names, material, now }: Pick<FileInput, 'names' | 'material' | 'now'>,
  lightBurn: LightBurnOptions,
  { layersOf = job, order, files = [], picture = drawSheetPicture(job) }: SheetParts = {},
): Promise<Uint8Array> {
  return drawJobSheet({
    title: titleOf(names),
    machine: `${MACHINE_NAMES[job.machine]}${job.isMirrored ? ', mirrored' : ''}`,
    material: material && nameMaterial(material),
    date: now,
    widthMm: job.widthMm,
    heightMm: job.heightMm,
    picture: await picture,
    layers: sheetLayers(layersOf, choices, lightBurn),
    checks: checksOf(job, choices),
    findings: job.findings.map(toSentence),
    order,
    files,
  });
}

const drawSheetPicture = async (job: Job): Promise<Uint8Array> => onPaper(await drawPicture(job, PICTURE_PX));

/** Returns a PNG of a picture on white. pdfkit takes the pixels of one with alpha apart, each by itself. */
const onPaper = ({ width, height, rgba }: Pixels): Promise<Uint8Array> =>
  sharp(rgba, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer();

const describe = ([filename, bytes]: Entry): SheetFile => ({
  filename,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  sizeBytes: bytes.length,
});

/** `powder-coat` is `Powder coat`. */
export const nameMaterial = (id: string) => `${id.charAt(0).toUpperCase()}${id.slice(1).replaceAll('-', ' ')}`;

export const MACHINE_NAMES: Readonly<Record<Job['machine'], string>> = {
  laser: 'Laser',
  uv: 'UV print',
  sublimation: 'Sublimation',
  dtf: 'DTF transfer',
};

const OPERATIONS: Readonly<Record<ReturnType<typeof measurePlates>[number]['kind'], string>> = {
  raster: 'Burn the photograph as it is',
  engrave: 'Engrave the fill',
  score: 'Score along the line',
  cut: 'Cut through',
  guide: 'Guide, not made',
  color: 'Print',
  white: 'Print white',
  gloss: 'Varnish',
};

function sheetLayers(job: Job, { spots }: FileChoices, { settings }: LightBurnOptions): SheetLayer[] {
  const measures = measurePlates(job);
  const photos = job.rasters.map(({ id, intervalMm }, i) => ({
    color: undefined,
    name: id,
    operation: OPERATIONS.raster,
    pieces: 1,
    amount: `${format(25.4 / intervalMm)} dpi, ${format(measures[i]!.areaMm2!)} mm²`,
    setting: saySettings(settings?.get(id)),
  }));
  const plates = job.plates.map((plate, i) => {
    const { areaMm2, lengthMm, contours } = measures[job.rasters.length + i]!;
    const spotName =
      job.machine !== 'laser' && Object.hasOwn(spots, plate.kind) ? spots[plate.kind as 'white'] : undefined;
    return {
      color: plate.kind === 'color' ? undefined : plate.color,
      name: spotName ?? (plate.kind === 'color' ? 'Colors' : plate.id),
      operation: OPERATIONS[plate.kind],
      pieces: contours,
      amount: areaMm2 !== null ? `${format(areaMm2)} mm²` : lengthMm !== null ? `${format(lengthMm)} mm` : '',
      ...(job.machine === 'laser' && plate.kind !== 'guide' && { setting: saySettings(settings?.get(plate.id)) }),
    };
  });
  return [...photos, ...plates];
}

const format = (value: number) => Math.round(value).toLocaleString('en-US');

function whiteNotes(machine: Job['machine'], white: FileChoices['white']): string[] {
  if (white === 'none') return [];
  if (machine === 'uv') return ['White is printed first, below the colors.'];
  return machine === 'dtf' ? ['White is printed last, over the colors: the film is pressed face down.'] : [];
}

function checksOf(job: Job, { bleedMm, white, taper }: FileChoices): string[] {
  const size = `${job.widthMm.toFixed(1)} mm`;
  return [
    `The file opens ${size} wide. Nothing scales it.`,
    ...(job.machine === 'laser'
      ? [
          'Speed and power fit this material.',
          taper?.kind === 'rotary'
            ? `The rotary is set to ${taper.diameterMm.toFixed(1)} mm, and the wall of the blank lies level.`
            : 'A rotary, if there is one, is set to the diameter.',
          'A test piece was run.',
        ]
      : ['Media and color profile are loaded.', 'A test print was made.']),
    ...(taper?.kind === 'sheet' ? ['Rows are bent: the print is laid round the blank, its middle at the front.'] : []),
    ...(job.isMirrored ? ['The file is mirrored already: mirror it nowhere else.'] : []),
    ...whiteNotes(job.machine, white),
    ...(bleedMm > 0 && job.machine !== 'laser'
      ? [`The PDF and the PNG have ${bleedMm} mm of bleed on each side.`]
      : []),
    'The piece is clean and lies flat.',
  ];
}

const FINDINGS: Readonly<Record<Job['findings'][number]['kind'], string>> = {
  missingLetters: 'A letter that no font has is not in the file',
  openContour: 'An outline is open',
  duplicateCut: 'A line lay on another one',
  crossingCut: 'Cuts cross',
  clippedCut: 'The edge of the area opens a cut: its part will not drop out',
  droppedDetail: 'Detail too small for the machine was left out',
  outerBeforeInner: 'A part would have been cut out before its hole',
  closedGap: 'A gap in an outline was closed, as asked',
  kerfLoss: 'The width of the beam takes a detail away',
};

const toSentence = ({ kind, count }: Job['findings'][number]) => `${FINDINGS[kind]}${count > 1 ? ` (${count}×)` : ''}.`;
