/** What is drawn over the stage in screen px: machine area, selection with its handles and true size, snap guides. */
import type { Point, Scene, SceneGroup } from '@markwright/scene';
import type { Selection, Unit } from '../core/editor.ts';
import type { Guides } from '../core/gestures.ts';
import { formatLength, formatSize } from '../core/measure.ts';
import { areaCorners, type StageView, screenCorners } from '../core/stageView.ts';

interface HandlesProps {
  view: StageView;
  scene: Scene;
  selection: Selection;
  hovered: string | undefined;
  guides: Guides | undefined;
  unit: Unit;
  isGesturing: boolean;
  /** The selected element has a box and no grips. */
  isLocked: boolean;
  /** A finger needs more room than a mouse. */
  hitPx: number;
}

export function Handles({ view, scene, selection, hovered, guides, unit, isGesturing, isLocked, hitPx }: HandlesProps) {
  const selected = scene.groups.find((group) => group.elementId === selection);
  const under = hovered === selection ? undefined : scene.groups.find((group) => group.elementId === hovered);
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 size-full overflow-hidden will-change-transform"
    >
      <MachineArea view={view} scene={scene} isSelected={selection === 'machineArea'} unit={unit} hitPx={hitPx} />
      {guides && <GuideLines view={view} scene={scene} guides={guides} />}
      {under && !isGesturing && <Outline corners={screenCorners(view, under)} />}
      {selected && <SelectionBox group={selected} {...{ view, unit, isGesturing, isLocked, hitPx }} />}
    </svg>
  );
}

const points = (corners: readonly Point[]) => corners.map(({ x, y }) => `${x},${y}`).join(' ');

const CROP_GAP_PX = 4;
const CROP_LENGTH_PX = 14;

/** Crop marks at the corners, a hairline frame, and grips when it is selected. Takes hold at the crop marks. */
function MachineArea({
  view,
  scene,
  isSelected,
  unit,
  hitPx,
}: {
  view: StageView;
  scene: Scene;
  isSelected: boolean;
  unit: Unit;
  hitPx: number;
}) {
  const corners = areaCorners(view, scene);
  const outward = corners.map((corner, index) => {
    const along = direction(corners[(index + 3) % 4]!, corner);
    const across = direction(corners[(index + 1) % 4]!, corner);
    return { corner, along, across };
  });
  const marks = outward
    .flatMap(({ corner, along, across }) =>
      [along, across].map(
        ({ x, y }) =>
          `M${corner.x + x * CROP_GAP_PX} ${corner.y + y * CROP_GAP_PX}l${x * CROP_LENGTH_PX} ${y * CROP_LENGTH_PX}`,
      ),
    )
    .join('');
  return (
    <g>
      {scene.backdrop && (
        <polygon
          data-grip="area"
          points={points(corners)}
          fill="none"
          stroke="transparent"
          strokeWidth={10}
          pointerEvents="stroke"
          className="cursor-pointer"
        />
      )}
      <polygon
        points={points(corners)}
        fill="none"
        strokeWidth={isSelected ? 1.5 : 1}
        strokeDasharray={isSelected ? undefined : '3 4'}
        className={isSelected ? 'stroke-accent' : 'stroke-edge'}
      />
      <path d={marks} fill="none" strokeWidth={2.75} className="stroke-bone/80" />
      <path d={marks} fill="none" strokeWidth={1.5} className={isSelected ? 'stroke-accent' : 'stroke-ink'} />
      {scene.backdrop &&
        outward.map(({ corner, along, across }, index) => {
          // Unselected, the grip is the crop mark, clear of an element that fills the area.
          const shift = isSelected ? 0 : hitPx / 2;
          const center = { x: corner.x + (along.x + across.x) * shift, y: corner.y + (along.y + across.y) * shift };
          return (
            <g key={index}>
              {isSelected && <Grip at={corner} angleDeg={view.angleDeg} />}
              <HitBox grip={`area:${index}`} at={center} sizePx={hitPx} cursor={cornerCursor(index, view.angleDeg)} />
            </g>
          );
        })}
      {isSelected && <DimensionLines corners={corners} widthMm={scene.widthMm} heightMm={scene.heightMm} unit={unit} />}
    </g>
  );
}

function GuideLines({ view, scene, guides }: { view: StageView; scene: Scene; guides: Guides }) {
  const [a, b, c, d] = areaCorners(view, scene);
  const lines: [Point, Point][] = [];
  if (guides.vertical) lines.push([middle(a, b), middle(d, c)]);
  if (guides.horizontal) lines.push([middle(a, d), middle(b, c)]);
  return lines.map(([from, to]) => (
    <line
      key={`${from.x} ${from.y}`}
      x1={from.x}
      y1={from.y}
      x2={to.x}
      y2={to.y}
      strokeWidth={1}
      className="stroke-accent"
    />
  ));
}

function Outline({ corners }: { corners: readonly Point[] }) {
  return <polygon points={points(corners)} fill="none" strokeWidth={1.5} className="stroke-accent/60" />;
}

const ROTATE_PX = 26;

function SelectionBox({
  view,
  group,
  unit,
  isGesturing,
  isLocked,
  hitPx,
}: {
  view: StageView;
  group: SceneGroup;
  unit: Unit;
  isGesturing: boolean;
  isLocked: boolean;
  hitPx: number;
}) {
  const corners = screenCorners(view, group);
  const angleDeg = angleOf(corners[0]!, corners[1]!);
  const top = middle(corners[0]!, corners[1]!);
  const up = direction(corners[3]!, corners[0]!);
  const shortPx = Math.min(lengthOf(corners[0]!, corners[1]!), lengthOf(corners[1]!, corners[2]!));
  const shiftPx = Math.max(0, hitPx / 2 - shortPx / 4);
  const rotateAt = { x: top.x + up.x * ROTATE_PX, y: top.y + up.y * ROTATE_PX };
  return (
    <g>
      <polygon points={points(corners)} fill="none" strokeWidth={2.5} className="stroke-bone/45" />
      <polygon
        points={points(corners)}
        fill="none"
        strokeWidth={1.5}
        strokeDasharray={isLocked ? '5 4' : undefined}
        className="stroke-accent"
      />
      {shortPx < MIN_DRAWN_PX ? (
        <SizeLabel corners={corners} label={formatSize(group.sizeMm, unit)} />
      ) : (
        <DimensionLines corners={corners} widthMm={group.sizeMm.width} heightMm={group.sizeMm.height} unit={unit} />
      )}
      {!isLocked && (
        <g className={isGesturing ? 'opacity-0' : ''}>
          <line x1={top.x} y1={top.y} x2={rotateAt.x} y2={rotateAt.y} strokeWidth={1.25} className="stroke-accent" />
          <circle cx={rotateAt.x} cy={rotateAt.y} r={5} strokeWidth={1.5} className="fill-paper stroke-accent" />
          <HitBox grip="rotate" at={rotateAt} sizePx={hitPx} cursor="grab" />
          {corners.map((corner, index) => {
            // On a small element the boxes move outwards: its middle stays free to be dragged.
            const along = direction(corners[(index + 3) % 4]!, corner);
            const across = direction(corners[(index + 1) % 4]!, corner);
            const at = {
              x: corner.x + (along.x + across.x) * shiftPx,
              y: corner.y + (along.y + across.y) * shiftPx,
            };
            return (
              <g key={index}>
                <Grip at={corner} angleDeg={angleDeg} />
                <HitBox grip={`resize:${index}`} at={at} sizePx={hitPx} cursor={cornerCursor(index, angleDeg)} />
              </g>
            );
          })}
        </g>
      )}
    </g>
  );
}

const GRIP_PX = 8;

function Grip({ at, angleDeg }: { at: Point; angleDeg: number }) {
  return (
    <rect
      x={-GRIP_PX / 2}
      y={-GRIP_PX / 2}
      width={GRIP_PX}
      height={GRIP_PX}
      rx={1.5}
      strokeWidth={1.5}
      transform={`translate(${at.x} ${at.y}) rotate(${angleDeg})`}
      className="fill-paper stroke-accent"
    />
  );
}

function HitBox({ grip, at, sizePx, cursor }: { grip: string; at: Point; sizePx: number; cursor: string }) {
  return (
    <rect
      data-grip={grip}
      x={at.x - sizePx / 2}
      y={at.y - sizePx / 2}
      width={sizePx}
      height={sizePx}
      fill="transparent"
      pointerEvents="all"
      style={{ cursor }}
    />
  );
}

const DIMENSION_OFFSET_PX = 16;
const DIMENSION_TICK_PX = 4;
const MIN_DIMENSION_PX = 14;

/** A dimension line below the box and one beside it, as on a drawing. */
function DimensionLines({
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

function DimensionLine({ from, to, away, label }: { from: Point; to: Point; away: Point; label: string }) {
  const at = (point: Point, px: number) => ({ x: point.x + away.x * px, y: point.y + away.y * px });
  const a = at(from, DIMENSION_OFFSET_PX);
  const b = at(to, DIMENSION_OFFSET_PX);
  const length = lengthOf(a, b);
  const ticks = [a, b]
    .map((end) => {
      const [near, far] = [at(end, -DIMENSION_TICK_PX), at(end, DIMENSION_TICK_PX)];
      return `M${near.x} ${near.y}L${far.x} ${far.y}`;
    })
    .join('');
  const center = middle(a, b);
  // Written along the line, never upside down.
  let angleDeg = angleOf(a, b);
  if (angleDeg > 90.5 || angleDeg <= -89.5) angleDeg += 180;
  const isShort = length < labelWidth(label) + 8;
  const labelAt = isShort ? at(center, 12) : center;
  return (
    <g>
      {length >= MIN_DIMENSION_PX && (
        <>
          <path d={`M${a.x} ${a.y}L${b.x} ${b.y}${ticks}`} fill="none" strokeWidth={2.5} className="stroke-bone/45" />
          <path d={`M${a.x} ${a.y}L${b.x} ${b.y}${ticks}`} fill="none" strokeWidth={1} className="stroke-accent" />
        </>
      )}
      <Label at={labelAt} angleDeg={angleDeg}>
        {label}
      </Label>
    </g>
  );
}

/** Below this side a drawing with dimension lines would hide what it measures. */
const MIN_DRAWN_PX = 56;

/** Width and height in one, under a small element. */
function SizeLabel({ corners, label }: { corners: readonly Point[]; label: string }) {
  const bottom = Math.max(...corners.map(({ y }) => y));
  const x = corners.reduce((sum, corner) => sum + corner.x, 0) / corners.length;
  return <Label at={{ x, y: bottom + DIMENSION_OFFSET_PX + 4 }}>{label}</Label>;
}

const labelWidth = (label: string) => label.length * 7 + 12;

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

const lengthOf = (a: Point, b: Point) => Math.hypot(b.x - a.x, b.y - a.y);
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

function direction(from: Point, to: Point): Point {
  const length = lengthOf(from, to) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

const angleOf = (a: Point, b: Point) => (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;

const cursors = ['nwse-resize', 'ns-resize', 'nesw-resize', 'ew-resize'] as const;

/** The arrow that points along a corner's diagonal, whatever the turn. */
function cornerCursor(corner: number, angleDeg: number): string {
  // Corner 0 points to 225°, each next one 90° further; the arrows repeat every 180°.
  const eighths = Math.round((angleDeg + corner * 90) / 45);
  return cursors[((eighths % 4) + 4) % 4]!;
}
