/** Batches: one design with the names of a list, a file for each row. */
import { exportFilename, type FileNames } from './exportFilename.ts';

/** So many started pieces of a batch are one production export. */
export const PIECES_PER_EXPORT = 25;
export const MAX_BATCH_ROWS = 10_000;
/** The package of a batch is kept this long. */
export const BATCH_DAYS = 30;

/** Returns how many production exports the pieces of a batch take. */
export const exportsForPieces = (pieces: number): number => Math.ceil(pieces / PIECES_PER_EXPORT);

/** `24 pieces, 1 production export` */
export const sayBatchCost = (pieces: number): string =>
  `${count(pieces, 'piece')}, ${count(exportsForPieces(pieces), 'production export')}`;

const count = (n: number, noun: string): string => `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;

/** The most characters of a piece's text in its file name. */
const NAME_CHARACTERS = 60;

/**
 * Returns the name of a piece's file: the number of its row with as many digits as the largest has, at least three,
 * and its text: `007_Ada_Lovelace.svg`.
 */
export function pieceFilename(rowNumber: number, rows: number, text: string, ending: string): string {
  const digits = Math.max(3, String(rows).length);
  const label = labelOf({ productName: [...text].slice(0, NAME_CHARACTERS).join('') });
  return `${String(rowNumber).padStart(digits, '0')}_${label}${ending}`;
}

/** Returns the name of a batch's package: `Steel_Tumbler_24_pieces.zip`. */
export const batchFilename = (names: FileNames, pieces: number): string =>
  `${labelOf(names)}_${count(pieces, 'piece').replace(/[ ,]/g, (char) => (char === ' ' ? '_' : ''))}.zip`;

/** As every exported file is named, so that the name is valid in any file system. */
const labelOf = (names: FileNames): string => exportFilename(names, 'production').slice(0, -'_production.svg'.length);
