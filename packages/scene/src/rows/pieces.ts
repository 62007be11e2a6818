/** Pieces of an order: one design with other words on each. */
import type { Composition } from '../document/composition.ts';
import { textElementId, textsOf } from '../document/elements.ts';
import type { FitOptions } from './fit.ts';
import { toColumnKey } from './keys.ts';
import { columnsOf, pickColumn, placeholders, templatesOf } from './template.ts';

/** A design with the columns of words that its pieces have. */
export interface PieceDesign {
  /** The composition with a placeholder for each column. */
  readonly composition: Composition;
  /** Their names: those of the design's own placeholders, or else a name for each of its texts. */
  readonly columns: readonly string[];
  /** What stands in the design by column; empty for a placeholder. */
  readonly words: readonly string[];
  /** How words are fitted to their boxes. */
  readonly fit: FitOptions;
}

/**
 * Returns what differs from piece to piece of a design: its `{placeholders}`, or each visible text where it has none.
 * Of a design that says what a customer may change, only texts whose words are open. Undefined for a design without
 * such a text. The same composition always has the same columns.
 */
export function toPieceDesign(composition: Composition): PieceDesign | undefined {
  if (placeholders(composition).length > 0) {
    const names = new Map(
      templatesOf(composition)
        .flatMap(columnsOf)
        .map((name) => [toColumnKey(name), name]),
    );
    const columns = [...names.values()];
    const sample = Object.fromEntries(columns.map((column) => [column, `{${column}}`]));
    return { composition, columns, words: columns.map(() => ''), fit: { sample } };
  }
  const isTemplate = composition.elements.some(({ customer }) => customer !== undefined);
  const texts = textsOf(composition).filter(
    ({ isHidden, text, customer }) => !isHidden && text.trim() !== '' && (!isTemplate || customer?.words === true),
  );
  if (texts.length === 0) return undefined;
  const columns = texts.map((_, i) => (texts.length === 1 ? 'Text' : `Text ${i + 1}`));
  const words = texts.map(({ text }) => text.trim());
  const sample = Object.fromEntries(columns.map((column, i) => [column, words[i]!]));
  const template = texts.reduce((last, { id }, i) => pickColumn(last, textElementId(id), columns[i]!), composition);
  return { composition: template, columns, words, fit: { sample } };
}

/** The words of one piece by column, and how many are made of it. */
export interface Piece {
  readonly words: Readonly<Record<string, string>>;
  readonly quantity: number;
}

/** Returns the words of a piece in the order of columns; empty for a column without any. */
export function cellsOf({ words }: Piece, columns: readonly string[]): string[] {
  const cells = new Map(Object.entries(words).map(([column, cell]) => [toColumnKey(column), cell.trim()]));
  return columns.map((column) => cells.get(toColumnKey(column)) ?? '');
}

/** Returns pieces with each words once and their quantities added, in the order of their first. Cost: linear. */
export function mergePieces(pieces: readonly Piece[], columns: readonly string[]): Piece[] {
  const byWords = new Map<string, Piece>();
  for (const piece of pieces) {
    const cells = cellsOf(piece, columns);
    const key = JSON.stringify(cells);
    const quantity = (byWords.get(key)?.quantity ?? 0) + piece.quantity;
    byWords.set(key, { words: Object.fromEntries(columns.map((column, i) => [column, cells[i]!])), quantity });
  }
  return [...byWords.values()];
}
