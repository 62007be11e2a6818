/** The contact sheet of a list: each piece as it will be made, to be approved. Draws only what is in sight. */
import { Button, Icon } from '@markwright/controls';
import { SvgNodeView } from '@markwright/editor';
import { type FitOptions, isWrong, type Row, sayRowFinding } from '@markwright/scene/rows';
import { useEffect, useRef, useState } from 'react';
import { drawNear } from '../../../studioHost/drawNear.ts';
import type { PieceAssets } from '../../../studioHost/useFits.ts';
import { type FittedRow, usePieceScene } from '../../../studioHost/useFits.ts';
import type { Binding } from './list.ts';

/** The least width of a piece, and the height of one with its words, px. */
const CELL = { width: 150, height: 184 };

interface ContactSheetProps {
  readonly binding: Binding;
  readonly rows: readonly Row[];
  readonly assets: PieceAssets;
  readonly fit: FitOptions;
  readonly fits: readonly FittedRow[];
  /** The rows that are not approved, by their places. */
  readonly openPlaces: ReadonlySet<number>;
  readonly selection: number;
  onSelect(place: number): void;
  onApprove(place: number, isApproved: boolean): void;
  onApproveAll(isApproved: boolean): void;
}

export function ContactSheet(props: ContactSheetProps) {
  const { rows, openPlaces, onApproveAll } = props;
  const approvals = rows.length - openPlaces.size;
  const { ref, columns, from, to } = useRange(rows.length);
  const lines = Math.ceil(rows.length / columns);
  return (
    <section aria-label="Contact sheet" className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <p>
          {approvals.toLocaleString('en-US')} of {rows.length.toLocaleString('en-US')} approved. The others are left
          out.
        </p>
        <Button size="sm" onClick={() => onApproveAll(openPlaces.size > 0)}>
          {openPlaces.size > 0 ? 'Approve all' : 'Approve none'}
        </Button>
      </div>
      <div
        ref={ref}
        className="relative max-h-[max(240px,calc(min(760px,100dvh)-280px))] overflow-auto rounded-control border border-line bg-bone"
      >
        <ul className="relative" style={{ height: lines * CELL.height }}>
          {Array.from({ length: to - from }, (_, i) => from + i).map((place) => (
            <li
              key={place}
              aria-posinset={place + 1}
              aria-setsize={rows.length}
              className="absolute p-1"
              style={{
                ...{ width: `${100 / columns}%`, height: CELL.height, left: `${(100 * (place % columns)) / columns}%` },
                top: Math.floor(place / columns) * CELL.height,
              }}
            >
              <Piece {...props} place={place} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Returns the places of the pieces in sight, with a line before and after them, and how many make a line. */
function useRange(count: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, width: 0, height: 0 });
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const read = () => setView({ top: box.scrollTop, width: box.clientWidth, height: box.clientHeight });
    const observer = new ResizeObserver(read);
    observer.observe(box);
    box.addEventListener('scroll', read, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', read);
    };
  }, []);
  const columns = Math.max(1, Math.floor(view.width / CELL.width));
  const first = Math.max(0, Math.floor(view.top / CELL.height) - 1);
  const last = Math.ceil((view.top + view.height) / CELL.height) + 1;
  return { ref, columns, from: Math.min(count, first * columns), to: Math.min(count, last * columns) };
}

function Piece({ place, ...sheet }: ContactSheetProps & { readonly place: number }) {
  const { binding, rows, assets, fit, fits, openPlaces, selection, onSelect, onApprove } = sheet;
  const scene = usePieceScene(binding, rows[place], assets, fit);
  const problem = fits[place]?.findings.find(isWrong);
  const isOpen = openPlaces.has(place);
  return (
    <label
      onFocus={() => onSelect(place)}
      className={`flex h-full flex-col rounded-control border bg-paper p-1.5 ${place === selection ? 'border-accent' : 'border-line'}`}
    >
      <span
        aria-hidden="true"
        className={`grid min-h-0 flex-1 place-items-center overflow-hidden [&>svg]:h-full [&>svg]:w-full ${isOpen ? 'opacity-40' : ''}`}
      >
        {scene && <SvgNodeView node={drawNear(scene)} />}
      </span>
      <span className="mt-1 flex min-h-6 items-center gap-1.5 text-xs">
        <input
          type="checkbox"
          aria-label={`Approve row ${place + 1}`}
          checked={!isOpen}
          onChange={(event) => onApprove(place, event.target.checked)}
          className="size-4 shrink-0 accent-accent"
        />
        <span className="shrink-0 text-graphite tabular-nums">{place + 1}</span>
        <span className="truncate font-medium">{wordsOf(fits[place])}</span>
        {problem && (
          <span title={sayRowFinding(problem)} className="ml-auto shrink-0 text-danger">
            <Icon name="warning" className="size-4" />
            <span className="sr-only">{sayRowFinding(problem)}</span>
          </span>
        )}
      </span>
    </label>
  );
}

const wordsOf = (row: FittedRow | undefined): string =>
  row?.texts.map(({ text }) => text.replaceAll('\n', ' ')).join(' · ') ?? '';
