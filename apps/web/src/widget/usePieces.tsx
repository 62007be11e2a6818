/** Different words on each piece: the switch beside the quantity, and the table of words, which is loaded with it. */
import { MAX_PIECES, MAX_QUANTITY } from '@markwright/contract/words';
import { lazyPart, Switch } from '@markwright/controls';
import { type Composition, withoutHidden } from '@markwright/scene';
import { toPieceDesign } from '@markwright/scene/rows';
import { type ComponentProps, type ReactNode, Suspense, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { WidgetEditor } from './widgetEditor.ts';

export interface PiecesPart {
  /** The switch; absent where there is one piece, or no text. */
  readonly control: ReactNode;
  /** Absent while all pieces are alike. */
  readonly table: ReactNode;
  /** The most pieces. */
  readonly max: number;
  /** Why the pieces cannot be ordered. */
  readonly problem: string | undefined;
}

const loadTable = () => import('./PiecesTable.tsx').then(({ PiecesTable }) => ({ default: PiecesTable }));
const TableLater = lazyPart(loadTable);

const Table = (props: ComponentProps<typeof TableLater>) => (
  <Suspense fallback={<p className="text-graphite text-sm">One moment…</p>}>
    <TableLater {...props} />
  </Suspense>
);

export function usePieces(widgetEditor: WidgetEditor, composition: Composition): PiecesPart {
  const { quantity, pieces } = useSyncExternalStore(widgetEditor.subscribe, widgetEditor.getState);
  const design = useMemo(() => toPieceDesign(withoutHidden(composition)), [composition]);
  const [problem, setProblem] = useState<string>();
  // True until the table is there that was switched on just now.
  const isNew = useRef(false);
  const isOn = pieces !== undefined && design !== undefined;
  const mayBeOn = design !== undefined && quantity > 1 && quantity <= MAX_PIECES;
  const toggle = (isWanted: boolean) => {
    if (!design) return;
    const { columns, words } = design;
    const first = Object.fromEntries(columns.map((column, i) => [column, words[i]!]));
    setProblem(undefined);
    isNew.current = isWanted;
    widgetEditor.setPieces(isWanted ? Array.from({ length: quantity }, (_, i) => (i === 0 ? first : {})) : undefined);
  };
  const [takeFocus] = useState(() => () => {
    const wasNew = isNew.current;
    isNew.current = false;
    return wasNew;
  });
  return {
    control: (mayBeOn || isOn) && (
      <span className="flex min-h-8 items-center gap-2 text-sm">
        <Switch label="Different words on each" checked={isOn} onChange={toggle} />
        <span aria-hidden="true">Different words on each</span>
      </span>
    ),
    table: isOn && (
      <Table
        design={design}
        pieces={pieces}
        takeFocus={takeFocus}
        onChange={widgetEditor.setPieces}
        onProblem={setProblem}
      />
    ),
    max: isOn ? MAX_PIECES : MAX_QUANTITY,
    problem: isOn ? problem : undefined,
  };
}
