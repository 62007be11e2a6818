/** The rulers along the top and the left edge of the stage. Zero is the machine area's corner. */
import { Tooltip } from '@markwright/controls';
import { memo } from 'react';
import type { Unit } from '../../core/document/editor.ts';
import { type RulerScale, rulerTicks, straightScale } from '../../core/pointer/rulers.ts';
import type { Inset } from '../../core/pointer/stageView.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';

export const RULER_PX = 24;

interface RulerProps {
  axis: 'x' | 'y';
  /** How far cards of the host cover the stage. */
  inset: Inset;
  lengthPx: number;
  zeroPx: number;
  pxPerMm: number;
  /** Where the lengths are along a round blank; the same object while it is the same. Absent: they are even. */
  scale?: RulerScale | undefined;
  /** Start and end of the stretch that the selected element covers, in px; undefined without a selection. */
  from: number | undefined;
  to: number | undefined;
}

export function Ruler({ axis, inset, lengthPx, zeroPx, pxPerMm, scale, from, to }: RulerProps) {
  const unit = useEditorState((state) => state.unit);
  const isTop = axis === 'x';
  const selectedRange = from !== undefined &&
    to !== undefined && { from: Math.max(0, from), to: Math.min(lengthPx, to) };
  return (
    <svg
      aria-hidden="true"
      width={isTop ? lengthPx : RULER_PX}
      height={isTop ? RULER_PX : lengthPx}
      className={`pointer-events-none absolute bg-paper will-change-transform ${isTop ? 'border-b max-sm:low:hidden' : 'border-r'} border-line`}
      style={{
        left: inset.left + (isTop ? RULER_PX : 0),
        top: isTop ? inset.top : `calc(${inset.top}px + var(--ruler-top))`,
      }}
    >
      {selectedRange && selectedRange.to > selectedRange.from && (
        <rect
          x={isTop ? selectedRange.from : 0}
          y={isTop ? 0 : selectedRange.from}
          width={isTop ? selectedRange.to - selectedRange.from : RULER_PX}
          height={isTop ? RULER_PX : selectedRange.to - selectedRange.from}
          className="fill-accent/14"
        />
      )}
      <RulerTicks {...{ axis, lengthPx, zeroPx, pxPerMm, scale, unit }} />
    </svg>
  );
}

const TICK_PX = [4, 7, 11] as const;

/** Draws the marks and numbers of a ruler `RULER_PX` thick, inside an SVG. */
export const RulerTicks = memo(function RulerTicks({
  axis,
  lengthPx,
  zeroPx,
  pxPerMm,
  scale,
  unit,
}: Pick<RulerProps, 'axis' | 'lengthPx' | 'zeroPx' | 'pxPerMm' | 'scale'> & { unit: Unit }) {
  const ticks = rulerTicks(lengthPx, scale ?? straightScale(zeroPx, pxPerMm), unit);
  const isTop = axis === 'x';
  const d = ticks
    .map(({ px, rank }) => {
      const at = Math.round(px) + 0.5;
      const start = RULER_PX - TICK_PX[rank];
      return isTop ? `M${at} ${start}V${RULER_PX}` : `M${start} ${at}H${RULER_PX}`;
    })
    .join('');
  return (
    <>
      <path d={d} className="stroke-edge" strokeWidth={1} fill="none" />
      {ticks.map(
        ({ px, label }) =>
          label !== undefined && (
            <text
              key={label}
              x={isTop ? px + 3 : undefined}
              y={isTop ? 10 : undefined}
              transform={isTop ? undefined : `translate(10 ${px - 3}) rotate(-90)`}
              className="fill-graphite font-mono tabular-nums"
              fontSize={10}
            >
              {label}
            </text>
          ),
      )}
    </>
  );
});

/** The button in the corner where the rulers meet. It switches between millimeters and inches. */
export function UnitButton({ inset }: { inset: Inset }) {
  const editor = useEditor();
  const unit = useEditorState((state) => state.unit);
  const other = unit === 'mm' ? 'in' : 'mm';
  return (
    <Tooltip label={`Show ${other === 'mm' ? 'millimeters' : 'inches'}`} side="right">
      <button
        type="button"
        aria-label={`Units: ${unit}. Show ${other === 'mm' ? 'millimeters' : 'inches'}`}
        onClick={() => editor.setUnit(other)}
        style={{ left: inset.left, top: inset.top }}
        className="absolute z-10 grid size-6 place-items-center border-r border-b border-line bg-paper font-mono text-[10px] text-graphite transition-colors hover:text-accent focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
      >
        {unit}
      </button>
    </Tooltip>
  );
}
