/** The outline formats of machines: how each is written, read back and compared with its job. */

import { lightBurnSlotName } from '../document/lightBurnPalette.ts';
import type { ContourFile } from '../import/contourFile.ts';
import { readDxf } from '../import/readDxf.ts';
import { readLightBurn } from '../import/readLightBurn.ts';
import { readPlt } from '../import/readPlt.ts';
import { readSvgContours } from '../import/readSvgContours.ts';
import { readXcs } from '../import/readXcs.ts';
import { ByteText } from '../svg/byteText.ts';
import {
  compareWithJob,
  type Difference,
  FILE_TOLERANCES,
  type NamedPlate,
  type Tolerances,
} from './compareWithJob.ts';
import type { Job, OutlinePlate } from './job.ts';
import { dxfLayer, writeDxf } from './writers/dxf.ts';
import { encodeProject, type LightBurnOptions, lightBurnSlot, writeLightBurn } from './writers/lightBurn.ts';
import { pltLayer, pltPlates, writePlt } from './writers/plt.ts';
import { laserPlates, linePlates, refuseRasters } from './writers/segments.ts';
import { type SvgPreset, svgPlates, writeSvgPreset } from './writers/svgPresets.ts';
import { writeXcs, xcsLayer, xcsPlates } from './writers/xcs.ts';

export type OutlineFormat = 'svg' | 'lbrn2' | 'xcs' | 'dxf' | 'plt';

export interface OutlineFileOptions extends LightBurnOptions {
  /** Of SVG. Default: `lightburn`. */
  readonly preset?: SvgPreset | undefined;
}

interface FormatRules {
  /** Those that write most are written as bytes: 20,000 dots have 25 MB. */
  write(job: Job, options: OutlineFileOptions): string | ByteText;
  /** A reader of its own: it shares no code with the writer. */
  read(bytes: Uint8Array): ContourFile;
  /** The plates that the file holds, with the names of their layers. */
  plates(job: Job, options: OutlineFileOptions): readonly NamedPlate[];
  readonly tolerances: Tolerances;
}

const name = (plates: readonly OutlinePlate[], layerOf: (plate: OutlinePlate, i: number) => string): NamedPlate[] =>
  plates.map((plate, i) => ({ plate, layer: layerOf(plate, i) }));

const presetOf = ({ preset }: OutlineFileOptions): SvgPreset => preset ?? 'lightburn';

/** Plotter units are 0.025 mm: a line is off by up to half of one on each side, and small curves are stairs. */
const PLOTTER_TOLERANCES: Tolerances = {
  lengthMm: 0.017,
  areaShare: 0.001,
  areaMm2: 0.05,
  areaPerLengthMm: 0.0125,
  lengthShare: 0.5,
  lengthPerSegmentMm: 0,
  // Ends that lie a unit apart in x and in y may fall on one place.
  gapMm: 0.036,
};

/** Arcs are within 0.002 mm of curves. On a rough edge of short curves that makes each a little shorter or longer. */
const ARC_TOLERANCES: Tolerances = { ...FILE_TOLERANCES, lengthPerSegmentMm: 0.004 };

const formats: Readonly<Record<OutlineFormat, FormatRules>> = {
  svg: {
    write: (job, options) => writeSvgPreset(job, presetOf(options)),
    read: readSvgContours,
    plates: (job, options) => svgPlates(job, presetOf(options)),
    tolerances: FILE_TOLERANCES,
  },
  lbrn2: {
    write: writeLightBurn,
    read: readLightBurn,
    plates: (job) => name(laserPlates(job, ''), (plate) => lightBurnSlotName(lightBurnSlot(plate))),
    tolerances: FILE_TOLERANCES,
  },
  xcs: { write: writeXcs, read: readXcs, plates: (job) => name(xcsPlates(job), xcsLayer), tolerances: FILE_TOLERANCES },
  dxf: {
    write: writeDxf,
    read: readDxf,
    plates: (job) => name(linePlates(job, ''), dxfLayer),
    tolerances: ARC_TOLERANCES,
  },
  plt: {
    write: writePlt,
    read: readPlt,
    plates: (job) => name(pltPlates(job), (_plate, i) => pltLayer(i)),
    tolerances: PLOTTER_TOLERANCES,
  },
};

export const outlineFormats = Object.keys(formats) as readonly OutlineFormat[];

/** Thrown when a file does not hold what its job says. It must not be given out. */
export class FileDiffers extends Error {
  override readonly name = 'FileDiffers';
  readonly differences: readonly Difference[];

  constructor(format: string, differences: readonly Difference[]) {
    super(`The ${format} file differs from its job: ${differences.map(({ detail }) => detail).join(' ')}`);
    this.differences = differences;
  }
}

/**
 * Writes a job without reading it back. A project has empty places for its pictures, which `makeOutlineFile` fills.
 * Throws `FormatUnfit`.
 */
export function writeOutlineFile(job: Job, format: OutlineFormat, options: OutlineFileOptions = {}): string {
  return String(writeText(job, format, options));
}

function writeText(job: Job, format: OutlineFormat, options: OutlineFileOptions): string | ByteText {
  if (format !== 'lbrn2') refuseRasters(job, format.toUpperCase());
  return formats[format].write(job, options);
}

/** Reads the outlines of a file. Throws `FileRefused` and nothing else. */
export const readOutlineFile = (bytes: Uint8Array, format: OutlineFormat): ContourFile => formats[format].read(bytes);

/** Returns the differences between a job and a file of it; a file that cannot be read is one. */
export function checkOutlineFile(
  bytes: Uint8Array,
  job: Job,
  format: OutlineFormat,
  options: OutlineFileOptions = {},
): Difference[] {
  return compare(formats[format].read(bytes), job, format, options);
}

function compare(contents: ContourFile, job: Job, format: OutlineFormat, options: OutlineFileOptions): Difference[] {
  const { plates, tolerances } = formats[format];
  return compareWithJob(job, plates(job, options), contents, tolerances);
}

/** A file that agrees with its job, and what was read from it. */
export interface OutlineFile {
  readonly bytes: Uint8Array;
  readonly contents: ContourFile;
}

/**
 * Writes a job, reads the file back and compares both. The pixels of pictures are left to who can decode them. Throws
 * `FormatUnfit` for a job that the format cannot hold, and `FileDiffers`. Cost: linear.
 */
export function makeOutlineFile(job: Job, format: OutlineFormat, options: OutlineFileOptions = {}): OutlineFile {
  const bytes = writeBytes(job, format, options);
  const contents = formats[format].read(bytes);
  const differences = compare(contents, job, format, options);
  if (differences.length > 0) throw new FileDiffers(format, differences);
  return { bytes, contents };
}

/** In a function of its own, so that a text is gone before the file is read. */
function writeBytes(job: Job, format: OutlineFormat, options: OutlineFileOptions): Uint8Array {
  const text = writeText(job, format, options);
  if (!(text instanceof ByteText)) return new TextEncoder().encode(text);
  return format === 'lbrn2' ? encodeProject(text, job, options) : text.bytes();
}
