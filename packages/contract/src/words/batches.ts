/** Batches: one design with the names of a list, a file for each row. */
import { exportFilename, type FileNames } from './exportFilename.ts';

/** So many started pieces of a batch are one production export. */
export const PIECES_PER_EXPORT = 25;
export const MAX_BATCH_ROWS = 10_000;
/** The package of a batch is kept this long. */
export const BATCH_DAYS = 30;

/** The most pictures that the rows of a list may name. */
export const MAX_ROW_PICTURES = 500;

/** The most pieces of a proof. */
export const MAX_PROOF_PIECES = 300;

/** Returns how many production exports the pieces of a batch take. */
const exportsForPieces = (pieces: number): number => Math.ceil(pieces / PIECES_PER_EXPORT);

/** Returns how many production exports a batch takes: one for each sheet, where its pieces lie on sheets. */
export const exportsForBatch = (pieces: number, sheets: number | undefined): number =>
  sheets ?? exportsForPieces(pieces);

/** `24 pieces, 1 production export`, `24 pieces on 2 sheets, 2 production exports` */
export const sayBatchCost = (pieces: number, sheets?: number): string =>
  `${count(pieces, 'piece')}${sheets === undefined ? '' : ` on ${count(sheets, 'sheet')}`}, ` +
  count(exportsForBatch(pieces, sheets), 'production export');

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

/** Returns the name of a sheet's file: `sheet_03.svg`. */
export const sheetFilename = (number: number, sheets: number, ending: string): string =>
  `sheet_${String(number).padStart(Math.max(2, String(sheets).length), '0')}${ending}`;

/** A gang sheet as films are sold: 22 inches wide, with 1/4 inch between the pieces. */
export const GANG_SHEET = { widthMm: 558.8, lengthMm: 762, gapMm: 6.35 } as const;

/** Returns the name of a batch's package: `Steel_Tumbler_24_pieces.zip`. */
export const batchFilename = (names: FileNames, pieces: number): string =>
  `${labelOf(names)}_${count(pieces, 'piece').replace(/[ ,]/g, (char) => (char === ' ' ? '_' : ''))}.zip`;

/** Returns the name of a proof: `Steel_Tumbler_24_pieces_proof.pdf`. */
export const proofFilename = (names: FileNames, pieces: number): string =>
  batchFilename(names, pieces).replace(/\.zip$/, '_proof.pdf');

/** As every exported file is named, so that the name is valid in any file system. */
const labelOf = (names: FileNames): string => exportFilename(names, 'production').slice(0, -'_production.svg'.length);
