/** The rows of a list: cells that can be edited, and what becomes of each. */
import { Button, IconButton } from '@markwright/controls';
import { isWrong, readCellColor, sayRowFinding, type Table, toPictureKey } from '@markwright/scene/rows';
import { useEffect, useRef, useState } from 'react';
import type { FittedRow } from '../../../studioHost/useFits.ts';
import type { Binding } from './list.ts';
import type { ListPictures } from './usePictures.ts';

/** So many rows are on the page at once. */
const PAGE = 100;

interface RowTableProps {
  readonly table: Table;
  readonly binding: Pick<Binding, 'columns' | 'colorColumns' | 'pictureColumns'>;
  readonly pictures: Pick<ListPictures, 'pictures' | 'progress' | 'isChosen'>;
  readonly fits: readonly FittedRow[];
  /** The rows that are not approved, by their places. */
  readonly openPlaces: ReadonlySet<number>;
  readonly selection: number;
  /** True where something else needs the room. */
  readonly isShort: boolean;
  onSelect(place: number): void;
  onEdit(place: number, column: number, cell: string): void;
  onRemove(place: number): void;
}

export function RowTable(props: RowTableProps) {
  const { table, binding, pictures, fits, openPlaces, selection, isShort, onSelect, onEdit, onRemove } = props;
  const { columns } = binding;
  const [length, setLength] = useState(PAGE);
  const selectedRow = useRef<HTMLTableRowElement>(null);
  // A row that is chosen elsewhere, such as by a finding, comes into sight.
  useEffect(() => {
    setLength((before) => Math.max(before, Math.ceil((selection + 1) / PAGE) * PAGE));
    const frame = requestAnimationFrame(() => selectedRow.current?.scrollIntoView({ block: 'nearest' }));
    return () => cancelAnimationFrame(frame);
  }, [selection]);
  const names = columns.map((column) => table.columns[column]!);
  return (
    <div
      className={`relative max-h-80 overflow-auto rounded-control border border-line ${isShort ? '' : 'sm:max-h-[max(240px,calc(min(760px,100dvh)-240px))]'}`}
    >
      <table className="w-full text-sm">
        <thead className="sticky top-0 z-1 bg-bone text-left text-graphite text-xs">
          <tr>
            <th scope="col" className="w-10 px-2 py-1.5 text-right font-medium">
              Row
            </th>
            {names.map((name) => (
              <th key={name} scope="col" className="max-w-40 truncate px-2 py-1.5 font-medium">
                {name}
              </th>
            ))}
            <th scope="col" className="min-w-36 px-2 py-1.5 font-medium">
              State
            </th>
            <th scope="col" className="w-9">
              <span className="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, length).map((cells, place) => (
            <tr
              key={place}
              ref={place === selection ? selectedRow : undefined}
              onFocus={() => onSelect(place)}
              onPointerDown={() => onSelect(place)}
              aria-current={place === selection || undefined}
              className={`scroll-mt-8 border-line border-t ${place === selection ? 'bg-accent-soft' : ''}`}
            >
              <td className="px-2 text-right text-graphite tabular-nums">{place + 1}</td>
              {columns.map((column) => (
                <td key={column} className="relative min-w-28 p-0.5">
                  <CellMark {...{ binding, pictures, column }} cell={cells[column]!} />
                  <input
                    aria-label={`${table.columns[column]}, row ${place + 1}`}
                    value={cells[column]}
                    maxLength={2_000}
                    onChange={(event) => onEdit(place, column, event.target.value)}
                    className={`h-7 w-full rounded-control border border-transparent bg-transparent px-1.5 hover:border-edge focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-accent pointer-coarse:h-10 ${binding.colorColumns.has(column) || binding.pictureColumns.has(column) ? 'pl-8!' : ''}`}
                  />
                </td>
              ))}
              <td className="px-2 py-1 text-xs">
                {openPlaces.has(place) ? (
                  <span className="text-graphite">Not approved</span>
                ) : (
                  <State fitted={fits[place]} isWaiting={pictures.progress !== undefined || !pictures.isChosen} />
                )}
              </td>
              <td>
                <IconButton
                  icon="close"
                  size="sm"
                  label={`Remove row ${place + 1}`}
                  disabled={table.rows.length === 1}
                  onClick={() => onRemove(place)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {table.rows.length > length && (
        <p className="flex items-center justify-between gap-2 border-line border-t px-2 py-1.5 text-graphite text-xs">
          {length.toLocaleString('en-US')} of {table.rows.length.toLocaleString('en-US')} rows are shown.
          <Button size="sm" onClick={() => setLength(length + PAGE)}>
            Show more
          </Button>
        </p>
      )}
    </div>
  );
}

interface CellMarkProps extends Pick<RowTableProps, 'binding' | 'pictures'> {
  readonly column: number;
  readonly cell: string;
}

const MARK = '-translate-y-1/2 pointer-events-none absolute top-1/2 left-1.5 rounded-sm border border-edge';

/** Shows the color or the picture that a cell names; an empty frame for none. */
function CellMark({ binding, pictures, column, cell }: CellMarkProps) {
  if (cell === '') return null;
  if (binding.colorColumns.has(column)) {
    return <span aria-hidden="true" className={`${MARK} left-2! size-4`} style={{ background: readCellColor(cell) }} />;
  }
  if (!binding.pictureColumns.has(column)) return null;
  const picture = pictures.pictures.get(toPictureKey(cell));
  // Traces are dark, whatever the page is.
  return picture ? (
    <img src={picture.thumbUrl} alt="" className={`${MARK} size-6 bg-white object-contain p-0.5`} />
  ) : (
    <span aria-hidden="true" className={`${MARK} size-6 border-dashed`} />
  );
}

interface StateProps {
  readonly fitted: FittedRow | undefined;
  /** True until the pictures are there. */
  readonly isWaiting: boolean;
}

function State({ fitted, isWaiting }: StateProps) {
  if (!fitted) return <span className="text-graphite">Checking…</span>;
  if (isWaiting && fitted.findings.some(({ kind }) => kind === 'noPicture')) {
    return <span className="text-graphite">Waits for its picture.</span>;
  }
  const { findings, preflight, texts } = fitted;
  const hasProblem = findings.some(isWrong);
  // The row names small text itself, so the preflight's finding about it is left out.
  const others = hasProblem ? [] : preflight.filter(({ kind }) => kind !== 'smallText');
  const sentences = [...findings.map(sayRowFinding), ...others.map(({ title }) => `${title}.`)];
  if (sentences.length > 0) {
    return <span className={hasProblem ? 'text-danger' : 'text-graphite'}>{sentences.join(' ')}</span>;
  }
  const least = Math.min(100, ...texts.map(({ percent }) => percent));
  const words = [
    ...(texts.some(({ isBroken }) => isBroken) ? ['Two lines'] : []),
    ...(least < 100 ? [`${Math.floor(least)} % of its size`] : []),
  ];
  return <span className="text-graphite">{words.join(', ') || 'Fits'}</span>;
}
