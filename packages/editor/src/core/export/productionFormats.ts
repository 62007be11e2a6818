/** The formats of a production file: those that a machine has a use for, and what can be chosen in each. */
import type { FileFormat, FileOptions, FilePreset, FileReport } from '@markwright/contract/schemas';
import { hasWhiteInk, type MachineMode } from '@markwright/scene';

/** A format with its choices. Absent options are the server's own for the machine. */
export interface FormatChoice {
  readonly format: FileFormat;
  readonly preset?: FilePreset | undefined;
  readonly options: FileOptions;
}

export interface ProductionFormat {
  readonly format: FileFormat;
  readonly name: string;
  /** For a button. */
  readonly shortName: string;
  /** The line below the format's name: what to use the format for. */
  readonly use: string;
  /** True for a format that cannot hold what is on the stage. */
  readonly isUnfit?: boolean;
}

/** The file of the specification, made by the paid vectorizer where there is one. */
export const SPECIFIED_FORMAT: FormatChoice = { format: 'svg', options: {} };

/** The file that a machine has before one is chosen. DTF has no specified file: its programs take pixels. */
export const firstChoice = (machine: MachineMode): FormatChoice =>
  machine === 'dtf' ? { format: 'png', options: {} } : SPECIFIED_FORMAT;

export const isSpecifiedFormat = ({ format, preset, options }: FormatChoice): boolean =>
  format === 'svg' && preset === undefined && Object.keys(options).length === 0;

const toFormat = (format: FileFormat, name: string, shortName: string, use: string): ProductionFormat => ({
  format,
  name,
  shortName,
  use,
});

const laserFormats = [
  toFormat('svg', 'SVG', 'SVG', 'Opens in every laser program.'),
  toFormat('lbrn2', 'LightBurn project', 'LBRN2', 'Layers, order and notes. Open it, do not import it.'),
  toFormat('xcs', 'xTool project', 'XCS', 'Experimental. The SVG for xTool is the safer file.'),
  toFormat('dxf', 'DXF', 'DXF', 'True arcs in millimeters, for CAD and fiber lasers.'),
  toFormat('plt', 'PLT', 'PLT', 'Plotter lines, for older drivers and vinyl cutters.'),
  toFormat('pdf', 'PDF', 'PDF', 'For drivers that print: fills engrave, hairlines cut.'),
  toFormat('package', 'Job package', 'ZIP', 'Four files in a zip, with mockup and job sheet.'),
];

/** The page that goes with a file to the machine. The machine does not read it, so it is not among its formats. */
export const JOB_SHEET = toFormat('sheet', 'Job sheet', 'PDF', 'A page for the person at the machine.');

/** The paper that shows on a round blank where its marks will be. */
export const PAPER_TEST = toFormat('paperTest', 'Paper test', 'PDF', 'The blank unrolled at 1:1, to lay round it.');

/** A laser's file of a photograph in dots alone. */
const dotsPng = toFormat('png', 'PNG of the dots', 'PNG', 'One photograph at its exact dpi. Black is burnt.');

const formats: Readonly<Record<MachineMode, readonly ProductionFormat[]>> = {
  laser: laserFormats,
  uv: [
    toFormat('svg', 'SVG', 'SVG', 'The colors alone, at true size.'),
    toFormat('pdf', 'PDF', 'PDF', 'Colors, white underbase, gloss and cut line as named inks.'),
    toFormat('png', 'PNG', 'PNG', '300 dpi, transparent, for programs that make their own white.'),
    toFormat('tiff', 'TIFF', 'TIFF', '300 dpi: four inks and a named white channel.'),
    toFormat('package', 'Job package', 'ZIP', 'Four files in a zip, with mockup and job sheet.'),
  ],
  sublimation: [
    toFormat('svg', 'SVG', 'SVG', 'The colors at true size.'),
    toFormat('png', 'PNG', 'PNG', '300 dpi, transparent.'),
    toFormat('pdf', 'PDF', 'PDF', 'At true size, with bleed.'),
    toFormat('package', 'Job package', 'ZIP', 'Three files in a zip, with mockup and job sheet.'),
  ],
  dtf: [
    toFormat('png', 'PNG', 'PNG', '300 dpi, transparent. Your program makes the white from it.'),
    toFormat('pdf', 'PDF', 'PDF', 'Colors and the white below them as a named ink.'),
    toFormat('tiff', 'TIFF', 'TIFF', '300 dpi: four inks and a named white channel.'),
    toFormat('package', 'Job package', 'ZIP', 'Three files in a zip, with mockup and job sheet.'),
  ],
};

/** The formats that hold a photograph in dots. */
const DOT_FORMATS: readonly FileFormat[] = ['lbrn2', 'png', 'package'];

/**
 * Lists the formats that a machine has a use for, the specified one first. With a photograph in dots, those of outlines
 * alone are unfit.
 */
export function formatsOf(machine: MachineMode, hasDots = false): readonly ProductionFormat[] {
  if (!hasDots) return formats[machine];
  return formats[machine].flatMap((entry) => {
    if (entry.format === 'package') return [dotsPng, entry];
    const isFit = DOT_FORMATS.includes(entry.format);
    return [isFit ? entry : { ...entry, isUnfit: true, use: 'Holds outlines, and no photograph in dots.' }];
  });
}

/** Returns the choice, or a LightBurn project in place of a format that cannot hold a photograph in dots. */
export function toFitChoice(choice: FormatChoice, hasDots: boolean): FormatChoice {
  if (hasDots) return DOT_FORMATS.includes(choice.format) ? choice : { format: 'lbrn2', options: {} };
  return choice;
}

/** Returns the format of a choice. A format that the machine has no use for counts as the specified one. */
export const findFormat = (machine: MachineMode, { format }: FormatChoice): ProductionFormat =>
  formatsOf(machine, machine === 'laser' && format === 'png').find((entry) => entry.format === format) ??
  formats[machine][0]!;

export interface PresetOption {
  readonly value: FilePreset;
  readonly label: string;
}

const svgPresets: readonly PresetOption[] = [
  { value: 'lightburn', label: 'LightBurn' },
  { value: 'glowforge', label: 'Glowforge' },
  { value: 'xtool', label: 'xTool' },
  { value: 'hairline', label: 'Hairline drivers (Trotec, Epilog)' },
  { value: 'cricut', label: 'Cricut' },
];
const inkPresets: readonly PresetOption[] = [
  { value: 'generic', label: 'White, Gloss, CutContour' },
  { value: 'versaWorks', label: 'Roland VersaWorks' },
  { value: 'customGateway', label: 'Custom Gateway' },
];

/** Lists the programs that a format can be written for, the default first; none where it is one for all. */
export function presetsOf(machine: MachineMode, format: FileFormat): readonly PresetOption[] {
  if (machine === 'laser') return format === 'svg' ? svgPresets : [];
  return hasWhiteInk(machine) && (format === 'pdf' || format === 'tiff' || format === 'package') ? inkPresets : [];
}

/** The options that a format has on a machine. That for a taper is one of tapered blanks alone. */
export function optionsOf(machine: MachineMode, format: FileFormat): readonly (keyof FileOptions)[] {
  return machine === 'laser' && format === 'png' ? [] : [...ownOptionsOf(machine, format), 'taper'];
}

function ownOptionsOf(machine: MachineMode, format: FileFormat): readonly (keyof FileOptions)[] {
  if (machine === 'laser') return format === 'lbrn2' || format === 'package' ? ['laser', 'kerfMm'] : ['kerfMm'];
  const isPdf = format === 'pdf' || format === 'package';
  if (machine === 'sublimation') return format === 'svg' ? ['isMirrored'] : ['isMirrored', 'bleedMm'];
  if (format === 'tiff') return ['white', 'chokeMm', 'profile'];
  return isPdf ? ['white', 'chokeMm', 'colors', 'profile'] : [];
}

/**
 * Reads a choice that was kept on a device. Returns undefined for one that this machine does not have any more, and
 * leaves out options that it does not know.
 */
export function readFormatChoice(machine: MachineMode, value: unknown): FormatChoice | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { format, preset, options } = value as Record<string, unknown>;
  const entry = formats[machine].find((each) => each.format === format);
  if (!entry) return undefined;
  const knownPreset = presetsOf(machine, entry.format).find((each) => each.value === preset)?.value;
  const values = (typeof options === 'object' && options !== null ? options : {}) as Record<string, unknown>;
  const names = optionsOf(machine, entry.format).filter((name) => isValid[name]?.(values[name]));
  return {
    format: entry.format,
    ...(knownPreset && { preset: knownPreset }),
    options: Object.fromEntries(names.map((name) => [name, values[name]])),
  };
}

const isOneOf = (list: readonly unknown[]) => (value: unknown) => list.includes(value);
const isBetween = (min: number, max: number) => (value: unknown) =>
  typeof value === 'number' && value >= min && value <= max;

const isId = (value: unknown) => typeof value === 'string' && value.length <= 64;

/** The ranges are those of the call. */
const isValid: Readonly<Partial<Record<keyof FileOptions, (value: unknown) => boolean>>> = {
  white: isOneOf(['underColor', 'flood', 'underWhite', 'none']),
  colors: isOneOf(['sRGB', 'CMYK']),
  isMirrored: isOneOf([true, false]),
  chokeMm: isBetween(0.1, 0.3),
  bleedMm: isBetween(0, 10),
  kerfMm: isBetween(0, 1),
  taper: isOneOf(['rotary', 'sheet']),
  laser: isId,
  profile: isId,
};

/** Returns the sentence that the chosen file will be mirrored; undefined for a file that will not. */
export const mirrorNote = (machine: MachineMode, { options }: FormatChoice): string | undefined =>
  (options.isMirrored ?? machine === 'sublimation') ? 'The file is mirrored for the press.' : undefined;

/** Returns the notice after an export: the size of the file, open cuts, and what the operator has to set. */
export function describeFile({ format }: FormatChoice, report: FileReport): string {
  const { widthMm, heightMm, isMirrored, taper, findings, settings } = report;
  const openCuts = findings.filter(({ kind }) => kind === 'openContour' || kind === 'clippedCut');
  return [
    `${widthMm.toFixed(1)} × ${heightMm.toFixed(1)} mm.`,
    isMirrored ? 'Mirrored already: do not turn it again.' : '',
    taper?.kind === 'rotary' ? `Set the rotary to ${taper.diameterMm.toFixed(1)} mm.` : '',
    taper?.kind === 'sheet' ? 'Bent for the taper of the blank.' : '',
    format === 'lbrn2' ? 'Open it in LightBurn; an import drops the settings.' : '',
    settings ? sayPowers(settings) : '',
    openCuts.length > 0 ? 'Some cuts are open: see Preflight.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Returns a sentence on the powers in a LightBurn project: those of the shop's laser, or placeholders to set. */
function sayPowers({ laser, layers }: NonNullable<FileReport['settings']>): string {
  const placeholders = layers.filter(({ isPlaceholder }) => isPlaceholder).length;
  if (placeholders === layers.length) return 'Set the power of each layer that says SET POWER.';
  const own = `Speeds and powers of ${laser}`;
  if (placeholders === 0) return `${own}.`;
  return `${own}; ${placeholders === 1 ? '1 layer says' : `${placeholders} layers say`} SET POWER.`;
}
