/** Dimension lines and labels over the stage, in screen px, and the arithmetic of points that they need. */
import type { Point } from '@markwright/scene';
import type { Unit } from '../../core/document/editor.ts';
import { formatLength, formatSize } from '../../core/document/measure.ts';

const DIMENSION_OFFSET_PX = 16;
const DIMENSION_TICK_PX = 4;
const MIN_DIMENSION_PX = 14;

/** A dimension line below the box and one beside it, as on a drawing. */
export function DimensionLines({
  corners,
  widthMm,
  heightMm,
  unit,
}: {
  corners: readonly Point[];
  widthMm: number;
  heightMm: number;
  unit: Unit;
}) {
  const [, topRight, bottomRight, bottomLeft] = corners as [Point, Point, Point, Point];
  return (
    <>
      <DimensionLine
        from={bottomLeft}
        to={bottomRight}
        away={direction(topRight, bottomRight)}
        label={`${formatLength(widthMm, unit)} ${unit}`}
      />
      <DimensionLine
        from={topRight}
        to={bottomRight}
        away={direction(bottomLeft, bottomRight)}
        label={`${formatLength(heightMm, unit)} ${unit}`}
      />
    </>
  );
}

/** Set off from what it measures. */
function DimensionLine({ from, to, away, label }: { from: Point; to: Point; away: Point; label: string }) {
  const off = (point: Point) => along(point, away, DIMENSION_OFFSET_PX);
  return <MeasuredLine from={off(from)} to={off(to)} away={away} label={label} />;
}

/**
 * A dimension line with a tick at each end and its length on it. Where it is too short, the length stands beside it:
 * level at `asideAt`, or else along the line.
 */
export function MeasuredLine({
  from: a,
  to: b,
  away,
  label,
  asideAt,
}: {
  from: Point;
  to: Point;
  away: Point;
  label: string | undefined;
  asideAt?: Point;
}) {
  const length = lengthOf(a, b);
  const ticks = [a, b]
    .map((end) => {
      const [near, far] = [along(end, away, -DIMENSION_TICK_PX), along(end, away, DIMENSION_TICK_PX)];
      return `M${near.x} ${near.y}L${far.x} ${far.y}`;
    })
    .join('');
  const center = middle(a, b);
  // Written along the line, never upside down.
  let angleDeg = angleOf(a, b);
  if (angleDeg > 90.5 || angleDeg <= -89.5) angleDeg += 180;
  const isShort = label !== undefined && length < roomFor(label);
  return (
    <g>
      {length >= (asideAt ? DIMENSION_TICK_PX : MIN_DIMENSION_PX) && (
        <>
          <path d={`M${a.x} ${a.y}L${b.x} ${b.y}${ticks}`} fill="none" strokeWidth={2.5} className="stroke-bone/45" />
          <path d={`M${a.x} ${a.y}L${b.x} ${b.y}${ticks}`} fill="none" strokeWidth={1} className="stroke-accent" />
        </>
      )}
      {label && isShort && asideAt && <Label at={asideAt}>{label}</Label>}
      {label && !(isShort && asideAt) && (
        <Label at={isShort ? along(center, away, 12) : center} angleDeg={angleDeg}>
          {label}
        </Label>
      )}
    </g>
  );
}

/** Below this side a drawing with dimension lines would hide what it measures. */
const MIN_DRAWN_PX = 56;

/** As dimension lines where there is room, mm. */
export function TrueSize({
  corners,
  width,
  height,
  unit,
}: {
  corners: readonly Point[];
  width: number;
  height: number;
  unit: Unit;
}) {
  const shortPx = Math.min(lengthOf(corners[0]!, corners[1]!), lengthOf(corners[1]!, corners[2]!));
  return shortPx < MIN_DRAWN_PX ? (
    <SizeLabel corners={corners} label={formatSize({ width, height }, unit)} />
  ) : (
    <DimensionLines corners={corners} widthMm={width} heightMm={height} unit={unit} />
  );
}

/** Width and height in one, under a small element. */
function SizeLabel({ corners, label }: { corners: readonly Point[]; label: string }) {
  const bottom = Math.max(...corners.map(({ y }) => y));
  const x = corners.reduce((sum, corner) => sum + corner.x, 0) / corners.length;
  return <Label at={{ x, y: bottom + DIMENSION_OFFSET_PX + 4 }}>{label}</Label>;
}

export const labelWidth = (label: string) => label.length * 7 + 12;

/** Returns the least length, in px, of a line that carries its label. */
export const roomFor = (label: string) => labelWidth(label) + 8;

function Label({ at, angleDeg = 0, children }: { at: Point; angleDeg?: number; children: string }) {
  const width = labelWidth(children);
  return (
    <g transform={`translate(${at.x} ${at.y}) rotate(${angleDeg})`}>
      <rect x={-width / 2} y={-9} width={width} height={18} rx={4} className="fill-accent" />
      <text textAnchor="middle" y={4} fontSize={11} className="fill-on-accent font-mono font-medium tabular-nums">
        {children}
      </text>
    </g>
  );
}

export const lengthOf = (a: Point, b: Point) => Math.hypot(b.x - a.x, b.y - a.y);
export const along = (from: Point, way: Point, px: number): Point => ({
  x: from.x + way.x * px,
  y: from.y + way.y * px,
});
export const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

export function direction(from: Point, to: Point): Point {
  const length = lengthOf(from, to) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

export const angleOf = (a: Point, b: Point) => (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
