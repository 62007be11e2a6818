/** The gang sheet of a batch: its measures, and a drawing of its pieces. */
import { IconButton, NumberField, Switch } from '@markwright/controls';
import { type GangSheet, type PathBounds, type Sheet, sizeOfBox, turnSize } from '@markwright/scene/sheets';
import { useState } from 'react';
import { Setting } from './Setting.tsx';

interface GangEditorProps {
  readonly gang: GangSheet;
  /** Undefined while it is made, and without one. */
  readonly plan: { readonly sheets: readonly Sheet[]; readonly fill: number } | undefined;
  /** The boxes and rows of the pieces, by their places. */
  readonly boxes: readonly PathBounds[];
  readonly rowNumbers: readonly number[];
  onChange(gang: GangSheet): void;
}

const MM_PER_INCH = 25.4;
const toMm = (inches: number) => Number((inches * MM_PER_INCH).toFixed(2));

export function GangEditor({ gang, plan, boxes, rowNumbers, onChange }: GangEditorProps) {
  const set = (changes: Partial<GangSheet>) => onChange({ ...gang, ...changes });
  // Films are sold by the inch.
  const inches = { decimals: 2, unit: 'in', className: 'w-22' };
  const [place, setPlace] = useState(0);
  const sheets = plan?.sheets ?? [];
  const at = Math.min(place, Math.max(0, sheets.length - 1));
  const sheet = sheets[at];
  return (
    <section aria-label="Gang sheet" className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_300px]">
      <div className="grid min-h-40 content-start gap-1.5">
        {sheet && <SheetDrawing sheet={sheet} boxes={boxes} rowNumbers={rowNumbers} />}
        {sheet && (
          <div className="flex min-h-8 items-center justify-center gap-2 text-graphite text-xs">
            {sheets.length > 1 && (
              <IconButton
                icon="chevronRight"
                size="sm"
                label="Sheet before"
                className="rotate-180"
                disabled={at === 0}
                onClick={() => setPlace(at - 1)}
              />
            )}
            <span>
              Sheet {at + 1} of {sheets.length}: {sayInches(sheet.widthMm)} × {sayInches(sheet.heightMm)} in
            </span>
            {sheets.length > 1 && (
              <IconButton
                icon="chevronRight"
                size="sm"
                label="Next sheet"
                disabled={at === sheets.length - 1}
                onClick={() => setPlace(at + 1)}
              />
            )}
          </div>
        )}
      </div>
      <div className="grid content-start gap-1.5">
        <Setting label="Width">
          <NumberField
            {...inches}
            label="Width of the sheet"
            min={1}
            max={200}
            value={gang.widthMm / MM_PER_INCH}
            onCommit={(value) => set({ widthMm: toMm(value) })}
          />
        </Setting>
        <Setting label="Longest length">
          <NumberField
            {...inches}
            label="Longest length of a sheet"
            min={1}
            max={390}
            value={gang.lengthMm / MM_PER_INCH}
            onCommit={(value) => set({ lengthMm: toMm(value) })}
          />
        </Setting>
        <Setting label="Gap between pieces">
          <NumberField
            {...inches}
            label="Gap between pieces"
            min={0.01}
            max={3}
            step={0.05}
            value={gang.gapMm / MM_PER_INCH}
            onCommit={(value) => set({ gapMm: toMm(value) })}
          />
        </Setting>
        <Setting label="Pieces may be turned">
          <Switch label="Pieces may be turned" checked={gang.canRotate} onChange={(canRotate) => set({ canRotate })} />
        </Setting>
        {plan && (
          <Setting label="Filled">
            <span className="tabular-nums">{Math.round(100 * plan.fill)} %</span>
          </Setting>
        )}
      </div>
    </section>
  );
}

const sayInches = (mm: number) => String(Number((mm / MM_PER_INCH).toFixed(1)));

interface SheetDrawingProps {
  readonly sheet: Sheet;
  readonly boxes: readonly PathBounds[];
  readonly rowNumbers: readonly number[];
}

/** Draws a sheet with the numbers of the rows that lie on it. */
function SheetDrawing({ sheet, boxes, rowNumbers }: SheetDrawingProps) {
  const { widthMm, heightMm, placements } = sheet;
  return (
    <svg
      role="img"
      aria-label={`A sheet with ${placements.length} ${placements.length === 1 ? 'piece' : 'pieces'}`}
      viewBox={`0 0 ${widthMm} ${heightMm}`}
      className="mx-auto max-h-95 max-w-full rounded-control border border-edge bg-bone"
      style={{ aspectRatio: `${widthMm} / ${heightMm}` }}
    >
      {placements.map(({ piece, x, y, angleDeg }) => {
        const box = boxes[piece];
        if (!box) return null;
        const size = turnSize(sizeOfBox(box), angleDeg);
        const letterMm = Math.min(size.heightMm * 0.6, size.widthMm * 0.4, widthMm / 30);
        return (
          <g key={piece}>
            <rect
              x={x}
              y={y}
              width={size.widthMm}
              height={size.heightMm}
              className="fill-paper stroke-edge"
              strokeWidth={1}
              vectorEffect="non-scaling-stroke"
            />
            <text
              x={x + size.widthMm / 2}
              y={y + size.heightMm / 2}
              fontSize={letterMm}
              textAnchor="middle"
              dominantBaseline="central"
              className="fill-ink"
            >
              {rowNumbers[piece]}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
