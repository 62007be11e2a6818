/** The words of each piece: a row for each, checked while they are typed, and the piece of the focused row. */
import { MAX_PIECES } from '@markwright/contract/words';
import { Button, IconButton } from '@markwright/controls';
import { SvgNodeView, useEditorState } from '@markwright/editor';
import {
  cellsOf,
  isWrong,
  type PieceDesign,
  readCells,
  sayRowFinding,
  templatesOf,
  toRow,
} from '@markwright/scene/rows';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { drawNear } from '../studioHost/drawNear.ts';
import { type FittedRow, useFits, usePieceScene } from '../studioHost/useFits.ts';
import type { PieceWords } from './widgetEditorMachine.ts';

interface PiecesTableProps {
  readonly design: PieceDesign;
  readonly pieces: readonly PieceWords[];
  /** Returns true once for a table that was switched on just now: its second row is typed next. */
  takeFocus(): boolean;
  onChange(pieces: readonly PieceWords[]): void;
  /** Says why the pieces cannot be ordered; undefined when they can be. */
  onProblem(problem: string | undefined): void;
}

export function PiecesTable({ design, pieces, takeFocus, onChange, onProblem }: PiecesTableProps) {
  const { columns, fit } = design;
  const assets = useEditorState((state) => state.assets);
  const cells = useMemo(() => pieces.map((words) => cellsOf({ words, quantity: 1 }, columns)), [pieces, columns]);
  const rows = useMemo(() => cells.map((row) => toRow(columns, row)), [cells, columns]);
  const binding = useMemo(
    () => ({ composition: design.composition, templates: templatesOf(design.composition) }),
    [design.composition],
  );
  const { fits, problem } = useFits(binding, rows, { assets }, fit);
  const [selection, setSelection] = useState(0);
  const place = Math.min(selection, pieces.length - 1);
  const scene = usePieceScene(binding, rows[place], assets, fit);
  const edits = useEdits({ columns, pieces, takeFocus, onChange });
  const id = useId();

  const blocker = problem ?? sayBlocker(cells, fits);
  useEffect(() => onProblem(blocker), [onProblem, blocker]);

  return (
    <section aria-labelledby={`${id}-title`} className="grid gap-3">
      <div>
        <h3 id={`${id}-title`} className="text-base">
          Words on each piece
        </h3>
        <p className="mt-0.5 text-graphite text-xs">Type them, or paste a column of a spreadsheet.</p>
      </div>
      <figure aria-label={`Piece ${place + 1}`} className="rounded-control bg-bone p-2">
        <div className="grid h-28 place-items-center overflow-hidden [&>svg]:h-full [&>svg]:w-full">
          {scene && <SvgNodeView node={drawNear(scene)} />}
        </div>
        <figcaption className="mt-1 text-center text-graphite text-xs">
          Piece {place + 1} of {pieces.length}
        </figcaption>
      </figure>
      <table ref={edits.table} aria-labelledby={`${id}-title`} className="w-full text-sm">
        <thead className={columns.length === 1 ? 'sr-only' : 'text-left text-graphite text-xs'}>
          <tr>
            <th scope="col" className="w-7">
              <span className="sr-only">Piece</span>
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="max-w-24 truncate px-1 pb-1 font-medium">
                {column}
              </th>
            ))}
            <th scope="col" className="w-8">
              <span className="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        {cells.map((row, i) => (
          // Rows have no identity but their place: each is only its words.
          <PieceRow
            key={i}
            {...{ design, edits }}
            place={i}
            state={sayState(row, fits[i])}
            isFocused={i === place}
            onFocus={() => setSelection(i)}
          />
        ))}
      </table>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button icon="plus" disabled={pieces.length >= MAX_PIECES} onClick={() => edits.add(0)}>
          Add a piece
        </Button>
        <p role="status" className="text-graphite text-xs">
          {edits.notice || `${pieces.length} ${pieces.length === 1 ? 'piece' : 'pieces'}`}
        </p>
      </div>
    </section>
  );
}

interface PieceRowProps {
  readonly design: PieceDesign;
  readonly edits: ReturnType<typeof useEdits>;
  readonly place: number;
  readonly state: RowState | undefined;
  readonly isFocused: boolean;
  onFocus(): void;
}

function PieceRow({ design, edits, place, state, isFocused, onFocus }: PieceRowProps) {
  const id = useId();
  const { columns } = design;
  const border = state?.isWrong ? 'border-danger' : isFocused ? 'border-accent' : 'border-edge';
  return (
    <tbody onFocus={onFocus}>
      <tr>
        <td className="pr-1 text-right text-graphite text-xs tabular-nums">{place + 1}</td>
        {edits.fields[place]!.map((cell, column) => {
          const isMultiline = design.words[column]!.includes('\n');
          const field = {
            ...{ value: cell, maxLength: 500, 'data-cell': `${place} ${column}` },
            'aria-label': `${columns[column]}, piece ${place + 1}`,
            'aria-describedby': state && id,
            'aria-invalid': state?.isWrong || undefined,
            className: `block w-full min-w-0 scroll-my-14 rounded-control border bg-paper px-2 py-1 pointer-coarse:py-2 ${border}`,
            onChange: ({ target }: { target: { value: string } }) => edits.change(place, column, [[target.value]]),
            onPaste: (event: ClipboardEvent) => edits.paste(event, place, column),
            onKeyDown: (event: KeyboardEvent) => !isMultiline && edits.move(event, place, column),
          };
          return (
            <td key={columns[column]} className="p-0.5 align-top">
              {isMultiline ? <textarea rows={2} {...field} /> : <input {...field} />}
            </td>
          );
        })}
        <td>
          <IconButton
            icon="close"
            size="sm"
            label={`Remove piece ${place + 1}`}
            disabled={edits.fields.length === 1}
            onClick={() => edits.remove(place)}
          />
        </td>
      </tr>
      {state && (
        <tr>
          <td />
          <td
            id={id}
            colSpan={columns.length}
            className={`px-1 pb-1 text-xs [overflow-wrap:anywhere] ${state.isWrong ? 'text-danger' : 'text-graphite'}`}
          >
            {state.sentence}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** Returns the changes of the words by keys, paste and buttons, and leads the focus to the row that is next. */
function useEdits({ columns, pieces, takeFocus, onChange }: Omit<PiecesTableProps, 'design' | 'onProblem'> & Columns) {
  const table = useRef<HTMLTableElement>(null);
  const [notice, setNotice] = useState('');
  // As they are typed: a space at the end may come before another word.
  const fields = pieces.map((words) => columns.map((column) => words[column] ?? ''));
  const focusCell = (row: number, column: number) =>
    table.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)?.focus();
  // A row that is new has its field once it is drawn.
  const nextCell = useRef<readonly [row: number, column: number]>(undefined);
  useEffect(() => {
    if (takeFocus()) focusCell(1, 0);
  }, [takeFocus]);
  useEffect(() => {
    if (nextCell.current) focusCell(...nextCell.current);
    nextCell.current = undefined;
  }, [pieces]);

  /** Puts words into the table from a cell on. Rows that are not there yet are added. */
  const change = (row: number, column: number, words: readonly (readonly string[])[]) => {
    const length = Math.max(pieces.length, Math.min(MAX_PIECES, row + words.length));
    const next = Array.from({ length }, (_, i): PieceWords => {
      const newCells = words[i - row];
      if (!newCells) return pieces[i] ?? {};
      return Object.fromEntries(columns.map((name, at) => [name, newCells[at - column] ?? fields[i]?.[at] ?? '']));
    });
    setNotice('');
    onChange(next);
  };
  const add = (column: number) => {
    nextCell.current = [pieces.length, column];
    onChange([...pieces, {}]);
  };
  return {
    table,
    fields,
    notice,
    change,
    add,
    paste(event: ClipboardEvent, row: number, column: number) {
      const text = event.clipboardData.getData('text/plain');
      const words = /[\n\t]/.test(text.trim()) ? readRows(text) : undefined;
      if (!words) return;
      event.preventDefault();
      change(row, column, words);
      const rest = row + words.length - MAX_PIECES;
      const count = `${rest} pasted ${rest === 1 ? 'row was' : 'rows were'} left out`;
      setNotice(rest > 0 ? `${MAX_PIECES} pieces are the most: ${count}.` : `${words.length} rows pasted.`);
    },
    move(event: KeyboardEvent, row: number, column: number) {
      const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined || event.nativeEvent.isComposing) return;
      event.preventDefault();
      if (event.key === 'Enter' && row + 1 === pieces.length && row + 1 < MAX_PIECES) add(column);
      else focusCell(row + step, column);
    },
    remove(row: number) {
      nextCell.current = [Math.min(row, pieces.length - 2), 0];
      onChange(pieces.toSpliced(row, 1));
    },
  };
}

interface Columns {
  readonly columns: readonly string[];
}

/** Returns the rows of a paste; undefined for what is no table, which goes into the field as it is. */
function readRows(text: string): readonly (readonly string[])[] | undefined {
  try {
    return readCells(text, '\t').rows;
  } catch {
    return undefined;
  }
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell === '');

interface RowState {
  readonly isWrong: boolean;
  readonly sentence: string;
}

/** What is said below a row. One without any word says nothing: its turn may come. */
function sayState(cells: readonly string[], row: FittedRow | undefined): RowState | undefined {
  if (!row || isBlank(cells)) return undefined;
  const wrong = row.findings.filter(isWrong);
  if (wrong.length > 0) return { isWrong: true, sentence: wrong.map(sayRowFinding).join(' ') };
  const least = Math.min(100, ...row.texts.map(({ percent }) => percent));
  return least < 100 ? { isWrong: false, sentence: `Smaller, to fit: ${Math.floor(least)} %.` } : undefined;
}

/** Says why the pieces cannot be ordered yet. */
function sayBlocker(cells: readonly (readonly string[])[], fits: readonly FittedRow[]): string | undefined {
  const blank = cells.findIndex(isBlank);
  if (blank >= 0) return `Piece ${blank + 1} has no words yet.`;
  if (fits.length < cells.length) return 'Checking the words of the pieces…';
  const wrong = fits.findIndex(({ findings }) => findings.some(isWrong));
  if (wrong < 0) return undefined;
  return `Piece ${wrong + 1}: ${fits[wrong]!.findings.filter(isWrong).map(sayRowFinding).join(' ')}`;
}
