/** The formats that a machine's file can have, and the choices of each machine. */
import type { FileFormat, FileOptions, FilePreset, FileReport } from '@markwright/contract';
import { hasWhiteInk, type Job, type MachineMode } from '@markwright/scene';
import { CHOKE_MM, SPOT_PRESETS, type SpotNames, type SpotPreset, type WhiteMode } from '@markwright/scene/inkFiles';
import { AppError } from '../../platform/errors.ts';
import type { InkProfileFile } from '../../platform/ports/mediaJobs.ts';

/** All choices of a file, none left open. */
export interface FileChoices {
  readonly white: WhiteMode;
  readonly chokeMm: number;
  readonly colors: 'sRGB' | 'CMYK';
  readonly bleedMm: number;
  readonly spots: SpotNames;
  /** The shop's ICC profile; undefined for the generic one. */
  readonly profile: InkProfileFile | undefined;
  /** The correction for a tapered blank that the job has. Absent: none. */
  readonly taper?: FileReport['taper'];
}

/** The bleed of a sublimation print, as wraps are printed. */
const SUBLIMATION_BLEED_MM = 3;

/**
 * Fills in what the maker left open: white under the colors where the machine has it, four inks in the PDF of a UV
 * print, sRGB for transfers, and a bleed for sublimation.
 */
export function chooseFile(
  machine: MachineMode,
  preset: FilePreset | undefined,
  options: FileOptions,
  profile?: InkProfileFile,
): FileChoices {
  return {
    white: options.white ?? (hasWhiteInk(machine) ? 'underColor' : 'none'),
    chokeMm: options.chokeMm ?? CHOKE_MM.initial,
    colors: options.colors ?? (machine === 'uv' ? 'CMYK' : 'sRGB'),
    bleedMm: options.bleedMm ?? (machine === 'sublimation' ? SUBLIMATION_BLEED_MM : 0),
    spots: { ...SPOT_PRESETS[isSpotPreset(preset) ? preset : 'generic'], ...options.spots },
    profile,
  };
}

export const isSpotPreset = (preset: string | undefined): preset is SpotPreset =>
  preset !== undefined && Object.hasOwn(SPOT_PRESETS, preset);

const PRINT_FORMATS: Readonly<Partial<Record<FileFormat, string>>> = { png: 'PNG', tiff: 'TIFF' };

/** Throws unprocessable for a format that a laser's programs have no use for. A photograph in dots is a PNG, too. */
export function refuseUnfit({ machine, rasters }: Pick<Job, 'machine' | 'rasters'>, format: FileFormat): void {
  const name = PRINT_FORMATS[format];
  if (machine !== 'laser' || !name || (format === 'png' && rasters.length > 0)) return;
  throw new AppError('unprocessable', `${name} files are for printers, and this design is for a laser.`);
}

/**
 * The formats of a job's package, the one that is opened first leading. Only one of them holds photographs in dots; the
 * others then have the outlines beside them, where there are some.
 */
export function packageFormats({
  machine,
  rasters,
  plates,
}: Pick<Job, 'machine' | 'rasters' | 'plates'>): readonly Exclude<FileFormat, 'package' | 'sheet' | 'paperTest'>[] {
  if (machine === 'laser' && rasters.length > 0) return plates.length > 0 ? ['lbrn2', 'svg', 'dxf', 'pdf'] : ['lbrn2'];
  if (machine === 'laser') return ['svg', 'lbrn2', 'dxf', 'pdf'];
  if (machine === 'dtf') return ['png', 'pdf', 'tiff'];
  return machine === 'uv' ? ['pdf', 'svg', 'png', 'tiff'] : ['png', 'pdf', 'svg'];
}
