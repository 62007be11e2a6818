/** Laser jobs as LightBurn projects (`.lbrn2`): outlines with their operations, order, settings and notes. */

import { type LaserSettings, laserSettingNames } from '../../document/laserSettings.ts';
import { FIRST_TOOL_SLOT, lightBurnSlotName, lightBurnSlotOf } from '../../document/lightBurnPalette.ts';
import { ByteText } from '../../svg/byteText.ts';
import { formatNumber } from '../../svg/svg.ts';
import type { Job, JobRaster, OutlinePlate } from '../job.ts';
import { FormatUnfit, laserPlates, loopsOf, type SegmentLoop, turnUp } from './segments.ts';

export interface LightBurnOptions {
  /** The shop's settings by the plate's id. A plate without gets placeholders, which are marked as such. */
  readonly settings?: ReadonlyMap<string, LaserSettings> | undefined;
  /** True when the outlines hold the kerf already: the settings' own is then left out, or it would count twice. */
  readonly isKerfApplied?: boolean | undefined;
  /** The PNG of each raster of the job, by its id. */
  readonly pictures?: ReadonlyMap<string, Uint8Array> | undefined;
  /** Lines that the operator reads on opening, after those of the job. */
  readonly notes?: readonly string[] | undefined;
}

/** So weak that a forgotten setting spoils nothing. */
const placeholder: LaserSettings = { minPower: 1, maxPower: 1, maxPower2: 1, speed: 100 };
const PLACEHOLDER_INTERVAL_MM = 0.1;

const operationNames: Readonly<Record<OutlinePlate['kind'], string>> = {
  engrave: 'Engrave',
  score: 'Score',
  cut: 'Cut',
  white: 'White',
  gloss: 'Gloss',
  guide: 'Guide',
};

/** The layer of a job's first raster. Each has one of its own, beyond the layers of outlines. */
const FIRST_IMAGE_SLOT = 20;

/** Returns the slot of the n-th raster of a job. Throws `FormatUnfit` when there are more than layers. */
function imageSlot(index: number): number {
  const slot = FIRST_IMAGE_SLOT + index;
  if (slot >= FIRST_TOOL_SLOT) throw new FormatUnfit('A LightBurn project holds ten photographs at most.');
  return slot;
}

/** Decimals of coordinates: a tenth of a micron. */
const DECIMALS = 4;

/** Returns the slot of a plate in LightBurn's palette. A guide is the first tool layer. Throws for a foreign color. */
export function lightBurnSlot({ kind, color, id }: OutlinePlate): number {
  const slot = kind === 'guide' ? FIRST_TOOL_SLOT : lightBurnSlotOf(color);
  if (slot === undefined)
    throw new RangeError(`The plate ${id} has a color that LightBurn's palette has not: ${color}.`);
  return slot;
}

/**
 * Writes a laser job as a LightBurn project. Every outline is one shape, its contours in the job's order; y points up
 * from the frame's bottom left corner. A raster is a bitmap that LightBurn passes through as it is, in a layer of its
 * own, whose pixels are still missing: `encodeProject` puts them in. Settings are read only when the project is opened,
 * not when it is imported. Throws `FormatUnfit` for a job that is not a laser's. Cost: linear.
 */
export function writeLightBurn(job: Job, options: LightBurnOptions = {}): ByteText {
  const plates = laserPlates(job, 'LightBurn projects');
  const matrix = turnUp(job);
  const text = new ByteText();
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<LightBurnProject AppVersion="1.7.08" FormatVersion="1" MaterialHeight="0" MirrorX="False" MirrorY="False">\n',
    writePreferences(),
    ...job.rasters.map((raster, i) => writeImageSetting(raster, i, options)),
    ...plates.map((plate, i) => writeSetting(plate, job.rasters.length + i, options)),
    ...job.rasters.map((raster, i) => writeBitmap(raster, i, job)),
  ];
  for (const part of parts) text.addUtf8(part);
  for (const plate of plates) {
    const slot = lightBurnSlot(plate);
    for (const outline of plate.outlines) {
      const loops = loopsOf(outline, DECIMALS, matrix);
      if (loops.length > 0) writeShape(text, loops, slot);
    }
  }
  const notes = [...describe(job, plates, options), ...(options.notes ?? [])].join('\n');
  text.addUtf8(`  <Notes ShowOnLoad="1" Notes="${escapeAttribute(notes)}"/>\n</LightBurnProject>\n`);
  return text;
}

/** The order of cutting: by priority, inner before outer. */
const writePreferences = () => `  <UIPrefs>
    <Optimize_ByLayer Value="0"/>
    <Optimize_ByGroup Value="-1"/>
    <Optimize_ByPriority Value="1"/>
    <Optimize_InnerToOuter Value="1"/>
    <Optimize_ReduceTravel Value="1"/>
    <Optimize_RemoveOverlaps Value="0"/>
  </UIPrefs>
`;

function writeSetting(plate: OutlinePlate, priority: number, { settings, isKerfApplied }: LightBurnOptions): string {
  const slot = lightBurnSlot(plate);
  const type = plate.kind === 'guide' ? 'Tool' : isLine(plate) ? 'Cut' : 'Scan';
  const own = settings?.get(plate.id);
  const values = plate.kind === 'guide' ? {} : (own ?? placeholderOf(plate));
  const fields = laserSettingNames
    .filter((name) => values[name] !== undefined && !(name === 'kerf' && isKerfApplied))
    .map((name) => `    <${name} Value="${formatNumber(values[name]!, 6)}"/>\n`);
  const isPlaceholder = !own && plate.kind !== 'guide';
  const name = `${operationNames[plate.kind]} ${lightBurnSlotName(slot)}${isPlaceholder ? ' - SET POWER' : ''}`;
  return (
    `  <CutSetting type="${type}">\n` +
    `    <index Value="${slot}"/>\n    <name Value="${name}"/>\n` +
    fields.join('') +
    `    <priority Value="${priority}"/>\n  </CutSetting>\n`
  );
}

/** `threshold` leaves black and white as they are; a machine that controls its power gets the gray itself. */
function writeImageSetting(raster: JobRaster, index: number, { settings }: LightBurnOptions): string {
  const slot = imageSlot(index);
  const own = settings?.get(raster.id);
  const values: LaserSettings = { ...(own ?? placeholder), interval: raster.intervalMm };
  const fields = laserSettingNames
    .filter((name) => values[name] !== undefined && name !== 'kerf')
    .map((name) => `    <${name} Value="${formatNumber(values[name]!, 6)}"/>\n`);
  const name = `Photo ${lightBurnSlotName(slot)}${own ? '' : ' - SET POWER'}`;
  return (
    `  <CutSetting_Img type="Image">\n    <index Value="${slot}"/>\n    <name Value="${name}"/>\n` +
    fields.join('') +
    `    <priority Value="${index}"/>\n    <passThrough Value="1"/>\n` +
    `    <ditherMode Value="${raster.file?.isGray ? 'grayscale' : 'threshold'}"/>\n` +
    `    <dpi Value="${formatNumber(MM_PER_INCH / raster.intervalMm, 6)}"/>\n  </CutSetting_Img>\n`
  );
}

const MM_PER_INCH = 25.4;

/**
 * Writes a raster as a bitmap about its middle. Its first row is the upper one, as it is in projects that LightBurn
 * saves. The neutral Gamma, Contrast, Brightness and Enhance values stand there because LightBurn's own would change
 * the dots.
 */
function writeBitmap(raster: JobRaster, index: number, job: Job): string {
  const [width, height] = [raster.width * raster.intervalMm, raster.height * raster.intervalMm];
  const middle = [raster.x + width / 2, job.heightMm - raster.y - height / 2].map(number).join(' ');
  return (
    `  <Shape Type="Bitmap" CutIndex="${imageSlot(index)}" W="${number(width)}" H="${number(height)}" Gamma="1" ` +
    'Contrast="0" Brightness="0" EnhanceAmount="0" EnhanceRadius="0" EnhanceDenoise="0" File="" SourceHash="0" ' +
    `${NO_DATA}>\n    <XForm>1 0 0 1 ${middle}</XForm>\n  </Shape>\n`
  );
}

/** The place of a picture's pixels. Quotes of a text are escaped: it is nowhere else. */
const NO_DATA = 'Data=""';

/**
 * Encodes the text of `writeLightBurn` with the PNGs of its rasters in their places, in the memory of the file: a text
 * of a large picture would take as much again. Throws a RangeError for a raster without its PNG. Cost: linear.
 */
export function encodeProject(text: ByteText, { rasters }: Job, { pictures }: LightBurnOptions): Uint8Array {
  const pngs = rasters.map(({ id }) => {
    const png = pictures?.get(id);
    if (!png) throw new RangeError(`The raster ${id} has no picture.`);
    return png;
  });
  if (pngs.length === 0) return text.bytes();
  const texts = text
    .toString()
    .split(NO_DATA)
    .map((part) => new TextEncoder().encode(part));
  const base64Bytes = (png: Uint8Array) => 4 * Math.ceil(png.length / 3);
  const open = new TextEncoder().encode(NO_DATA.slice(0, -1));
  const size = pngs.reduce(
    (sum, png) => sum + NO_DATA.length + base64Bytes(png),
    texts.reduce((sum, part) => sum + part.length, 0),
  );
  const file = new Uint8Array(size);
  let at = 0;
  const put = (bytes: Uint8Array) => {
    file.set(bytes, at);
    at += bytes.length;
  };
  texts.forEach((part, i) => {
    put(part);
    const png = pngs[i];
    if (!png) return;
    put(open);
    encodeBase64(png, file.subarray(at, at + base64Bytes(png)));
    at += base64Bytes(png);
    file[at++] = QUOTE;
  });
  return file;
}

const ALPHABET = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const [QUOTE, PADDING] = ['"'.charCodeAt(0), '='.charCodeAt(0)];

/** Writes bytes as base64 (RFC 4648) into a place of four bytes for each three that begin. */
function encodeBase64(bytes: Uint8Array, out: Uint8Array): void {
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const left = bytes.length - from;
    const bits = (bytes[from]! << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    out[to] = ALPHABET[bits >> 18]!;
    out[to + 1] = ALPHABET[(bits >> 12) & 63]!;
    out[to + 2] = left > 1 ? ALPHABET[(bits >> 6) & 63]! : PADDING;
    out[to + 3] = left > 2 ? ALPHABET[bits & 63]! : PADDING;
  }
}

const isLine = ({ kind }: OutlinePlate) => kind === 'score' || kind === 'cut' || kind === 'guide';

const placeholderOf = (plate: OutlinePlate): LaserSettings =>
  isLine(plate) ? placeholder : { ...placeholder, interval: PLACEHOLDER_INTERVAL_MM };

function writeShape(text: ByteText, loops: readonly SegmentLoop[], slot: number): void {
  text.add(`  <Shape Type="Path" CutIndex="${slot}">\n    <XForm>1 0 0 1 0 0</XForm>\n    <VertList>`);
  for (const loop of loops) writeVertices(text, loop);
  text.add('</VertList>\n    <PrimList>');
  writePrimitives(text, loops);
  text.add('</PrimList>\n  </Shape>\n');
}

/** Every vertex has both handles: c0 leaves it and c1 arrives at it. `1` without a y stands for none. */
function writeVertices(text: ByteText, { x, y, segments, isClosed }: SegmentLoop): void {
  const add = (first: string, firstValue: number, second: string, secondValue: number) => {
    text.add(first);
    text.addNumber(firstValue, DECIMALS);
    text.add(second);
    text.addNumber(secondValue, DECIMALS);
  };
  const count = segments.length;
  let endX = x;
  let endY = y;
  let arriving = isClosed ? segments[count - 1] : undefined;
  // The end of a closed loop is its start.
  for (let i = 0; i < count + (isClosed ? 0 : 1); i++) {
    const leaving = segments[i];
    add('V', endX, ' ', endY);
    if (leaving?.length === 6) add('c0x', leaving[0]!, 'c0y', leaving[1]!);
    else text.add('c0x1');
    if (arriving?.length === 6) add('c1x', arriving[2]!, 'c1y', arriving[3]!);
    else text.add('c1x1');
    if (!leaving) break;
    endX = leaving[leaving.length - 2]!;
    endY = leaving[leaving.length - 1]!;
    arriving = leaving;
  }
}

/** Lists lines and curves by the indices of their vertices, which run on through all loops of a shape. */
function writePrimitives(text: ByteText, loops: readonly SegmentLoop[]): void {
  const [only] = loops;
  if (loops.length === 1 && only!.segments.every(({ length }) => length === 2)) {
    text.add(only!.isClosed ? 'LineClosed' : 'LineOpen');
    return;
  }
  let first = 0;
  for (const { segments, isClosed } of loops) {
    const count = segments.length;
    for (let i = 0; i < count; i++) {
      const to = isClosed && i === count - 1 ? first : first + i + 1;
      text.add(segments[i]!.length === 6 ? 'B' : 'L');
      text.addNumber(first + i, 0);
      text.add(' ');
      text.addNumber(to, 0);
    }
    first += count + (isClosed ? 0 : 1);
  }
}

const number = (value: number) => formatNumber(value, DECIMALS);

function describe(job: Job, plates: readonly OutlinePlate[], { settings }: LightBurnOptions): string[] {
  const lines = [
    `${formatNumber(job.widthMm, 2)} x ${formatNumber(job.heightMm, 2)} mm.`,
    'Open this file (File > Open). Import leaves the settings out.',
    ...job.rasters.map((_raster, i) => `${lightBurnSlotName(imageSlot(i))}: photograph in dots, first`),
    ...plates.map((plate) => `${lightBurnSlotName(lightBurnSlot(plate))}: ${operationNames[plate.kind].toLowerCase()}`),
  ];
  const layerIds = [...job.rasters, ...plates.filter(({ kind }) => kind !== 'guide')].map(({ id }) => id);
  if (job.rasters.length > 0) {
    lines.push('Photographs pass through: leave size and image mode as they are, or their dots are made anew.');
  }
  if (layerIds.some((id) => !settings?.has(id))) {
    lines.push('Layers that say SET POWER have placeholders: set power and speed for your machine and material.');
  }
  if (job.isMirrored) lines.push('The design is mirrored already.');
  return lines;
}

const escapeAttribute = (text: string) =>
  text
    // XML has no way to write other control characters.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are left out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\t', '&#9;');
