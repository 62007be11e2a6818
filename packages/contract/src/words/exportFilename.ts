/** Names of the files that people download. */

/** The ending of each kind of file. */
const endings = {
  production: '_production.svg',
  png: '_preview.png',
  customSvg: '_engraving-design.svg',
  spin: '_spin.webp',
} as const;
const MAX_LENGTH = 150;

/** A production file is kept this long after it was made or asked for last. */
export const MADE_FILE_DAYS = 30;

/**
 * Returns the specified name of an exported file: the name of the product, or of the uploaded picture without its
 * extension, with underscores: `Slate_Coaster_production.svg`. Every run of other characters than letters, digits,
 * points and hyphens is one underscore, so that the name is valid in any file system and address.
 */
export function exportFilename(names: FileNames, kind: keyof typeof endings): string {
  return `${labelOf(names)}${endings[kind]}`;
}

export interface FileNames {
  readonly productName?: string | undefined;
  readonly designFilename?: string | undefined;
}

/** The frame of a machine's file. */
export interface FileFrame {
  readonly widthMm: number;
  readonly heightMm: number;
  /** True for a file that is turned over already, so that nobody turns it a second time. */
  readonly isMirrored?: boolean | undefined;
}

/**
 * Returns the name of a machine's own file. It says the size and its unit, because many formats do not:
 * `Slate_Coaster_56x140mm.dxf`. `ending` has its point, and may begin with a word: `_cricut.svg`.
 */
export function machineFilename(names: FileNames, frame: FileFrame, ending: string): string {
  const round = (valueMm: number) => String(Math.round(valueMm * 10) / 10);
  const mirror = frame.isMirrored ? '_mirrored' : '';
  return `${labelOf(names)}_${round(frame.widthMm)}x${round(frame.heightMm)}mm${mirror}${ending}`;
}

function labelOf({ productName, designFilename }: FileNames): string {
  const label = productName ?? designFilename?.replace(/\.[^.]*$/, '') ?? '';
  const name = label
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}.-]+/gu, '_')
    .slice(0, MAX_LENGTH)
    .replace(/^_+|_+$/g, '');
  return name || 'design';
}
