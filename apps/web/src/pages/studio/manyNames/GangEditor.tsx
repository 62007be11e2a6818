/** The gang sheet of a batch: its measures, and a drawing of its pieces. */
import { IconButton, NumberField, SegmentedControl, Switch } from '@markwright/controls';
import {
  boxInside,
  type GangSheet,
  lengthOf,
  MOST_NESTED,
  type PackBy,
  type PathBounds,
  type Placement,
  placeSilhouette,
  ringBounds,
  type Sheet,
  type Silhouette,
  type SizeMm,
  sizeOfBox,
  turnSize,
} from '@markwright/scene/sheets';
import { useState } from 'react';
import { Setting } from './Setting.tsx';
import type { Plan } from './useLayout.ts';

interface GangEditorProps {
  readonly gang: GangSheet;
  /** Undefined while it is made, and without one. */
  readonly plan: Plan | undefined;
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
        {sheet && (
          <SheetDrawing sheet={sheet} boxes={boxes} silhouettes={plan?.shapes?.silhouettes} rowNumbers={rowNumbers} />
        )}
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
        <Setting label="Pack by">
          <SegmentedControl
            label="Pack by"
            value={gang.packBy ?? 'boxes'}
            options={WAYS}
            onChange={(packBy) => set({ packBy })}
          />
        </Setting>
        {plan && (
          <Setting label="Total length">
            <span className="tabular-nums">{sayInches(lengthOf(sheets))} in</span>
          </Setting>
        )}
        {plan && (
          <Setting label="Filled">
            <span className="tabular-nums">{Math.round(100 * plan.fill)} %</span>
          </Setting>
        )}
        {plan && gang.packBy === 'shapes' && <p className="text-graphite text-xs">{sayShapes(plan)}</p>}
      </div>
    </section>
  );
}

const WAYS: readonly { readonly value: PackBy; readonly label: string }[] = [
  { value: 'boxes', label: 'Boxes' },
  { value: 'shapes', label: 'Shapes' },
];

/** `Shapes: 32 in instead of 39.5 in.` */
function sayShapes({ sheets, shapes }: Plan): string {
  if (!shapes) return `More than ${MOST_NESTED} pieces are packed by their boxes.`;
  const [after, before] = [sayInches(lengthOf(sheets)), sayInches(shapes.boxLengthMm)];
  return after === before ? 'Shapes: as long as their boxes.' : `Shapes: ${after} in instead of ${before} in.`;
}

const sayInches = (mm: number) => String(Number((mm / MM_PER_INCH).toFixed(1)));

interface SheetDrawingProps {
  readonly sheet: Sheet;
  readonly boxes: readonly PathBounds[];
  /** Of pieces that are packed by their shapes. */
  readonly silhouettes: readonly Silhouette[] | undefined;
  readonly rowNumbers: readonly number[];
}

/** Draws a sheet with the numbers of the rows that lie on it. */
function SheetDrawing({ sheet, boxes, silhouettes, rowNumbers }: SheetDrawingProps) {
  const { widthMm, heightMm, placements } = sheet;
  return (
    <svg
      role="img"
      aria-label={`A sheet with ${placements.length} ${placements.length === 1 ? 'piece' : 'pieces'}`}
      viewBox={`0 0 ${widthMm} ${heightMm}`}
      className="mx-auto max-h-95 max-w-full rounded-control border border-edge bg-bone"
      style={{ aspectRatio: `${widthMm} / ${heightMm}` }}
    >
      {placements.map((placement) => {
        const { piece } = placement;
        const box = boxes[piece];
        if (!box) return null;
        const { ring, label } = toOutline(placement, sizeOfBox(box), silhouettes?.[piece]);
        const room = sizeOfBox(label);
        const whole = sizeOfBox(ringBounds(ring));
        // A slanted piece has little room inside for its number, and some around it.
        const leastMm = Math.min(whole.widthMm, whole.heightMm) * 0.25;
        const letterMm = Math.min(Math.max(Math.min(room.heightMm * 0.6, room.widthMm * 0.4), leastMm), widthMm / 30);
        return (
          <g key={piece}>
            <polygon
              points={ring.join(' ')}
              className="fill-paper stroke-edge"
              strokeWidth={1}
              vectorEffect="non-scaling-stroke"
            />
            <text
              x={(label.minX + label.maxX) / 2}
              y={(label.minY + label.maxY) / 2}
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

/** Returns the line of a piece on its sheet, and the box in it for its number. */
function toOutline(placement: Placement, size: SizeMm, silhouette: Silhouette | undefined) {
  if (silhouette) {
    const ring = placeSilhouette(silhouette, size, placement);
    return { ring, label: boxInside(ring) };
  }
  const { x, y, angleDeg } = placement;
  const { widthMm, heightMm } = turnSize(size, angleDeg);
  const label = { minX: x, minY: y, maxX: x + widthMm, maxY: y + heightMm };
  return { ring: [x, y, x + widthMm, y, x + widthMm, y + heightMm, x, y + heightMm], label };
}
