/** The overlay of the stage, in screen px: machine area, selection with its handles and true size, snap guides. */
import { boxAround, clipPaths, multiply, type Point, type Scene, type SceneGroup, translate } from '@markwright/scene';
import type { ElementId, Unit } from '../../core/document/editor.ts';
import { formatLength, formatSize } from '../../core/document/measure.ts';
import { areaGripAt, GRIP_PX, placeGrips } from '../../core/pointer/gripPlaces.ts';
import type { GapMark, Guides } from '../../core/pointer/snapping.ts';
import {
  areaCorners,
  type Marquee,
  type StageView,
  sceneToScreen,
  screenCorners,
} from '../../core/pointer/stageView.ts';
import { boxCorners } from '../../core/pointer/transformSeveral.ts';

interface HandlesProps {
  view: StageView;
  scene: Scene;
  isAreaSelected: boolean;
  selectedIds: readonly ElementId[];
  hoveredId: string | undefined;
  guides: Guides | undefined;
  marquee: Marquee | undefined;
  unit: Unit;
  isGesturing: boolean;
  /** The selected element has a box and no grips. */
  isLocked: boolean;
  /** A finger needs more room than a mouse. */
  hitPx: number;
}

export function Handles(props: HandlesProps) {
  const { view, scene, isAreaSelected, selectedIds, hoveredId, guides, marquee, unit, isGesturing, isLocked, hitPx } =
    props;
  const groups = scene.groups.filter(({ elementId }) => selectedIds.includes(elementId as ElementId));
  const under = groups.some(({ elementId }) => elementId === hoveredId)
    ? undefined
    : scene.groups.find((group) => group.elementId === hoveredId);
  const [only, ...others] = groups;
  // A gap's own number stands where the height would.
  const isMeasured = !guides?.gaps.length;
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 size-full overflow-hidden will-change-transform"
    >
      <MachineArea view={view} scene={scene} isSelected={isAreaSelected} unit={unit} hitPx={hitPx} />
      {under && !isGesturing && <ElementOutline corners={screenCorners(view, under)} />}
      {only && others.length > 0 && (
        <SeveralBox {...{ view, groups, unit, isGesturing, isLocked, isMeasured, hitPx }} />
      )}
      {only && others.length === 0 && (
        <SelectionBox
          group={only}
          {...{ view, unit, isGesturing, isLocked: isLocked || selectedIds.length > 1, isMeasured, hitPx }}
        />
      )}
      {guides && <GuideMarks view={view} guides={guides} unit={unit} />}
      {marquee && <MarqueeBox marquee={marquee} />}
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
      <AreaShape view={view} scene={scene} isSelected={isSelected} />
      <path d={marks} fill="none" strokeWidth={2.75} className="stroke-bone/80" />
      <path d={marks} fill="none" strokeWidth={1.5} className={isSelected ? 'stroke-accent' : 'stroke-ink'} />
      {scene.backdrop &&
        // Unselected, the grip is the crop mark.
        (isSelected ? corners : areaGripAt(corners, hitPx)).map((center, index) => (
          <g key={index}>
            {isSelected && <Grip at={center} angleDeg={view.angleDeg} />}
            <HitBox grip={`area:${index}`} at={center} sizePx={hitPx} cursor={cornerCursor(index, view.angleDeg)} />
          </g>
        ))}
      {isSelected && <DimensionLines corners={corners} widthMm={scene.widthMm} heightMm={scene.heightMm} unit={unit} />}
    </g>
  );
}

/** The outlines of a print area that is no rectangle, and of what stays free in it. */
function AreaShape({ view, scene, isSelected }: { view: StageView; scene: Scene; isSelected: boolean }) {
  const toScreen = multiply(view.toScreen, translate(view.originMm.x, view.originMm.y));
  return clipPaths(scene.area, toScreen).map((path, index) => (
    <path
      key={index}
      d={path}
      data-area-shape
      fill="none"
      strokeWidth={isSelected ? 1.5 : 1}
      className={isSelected ? 'stroke-accent' : 'stroke-ink/70'}
    />
  ));
}

/** The lines that the moved element shares with others, and equal gaps with their width. */
function GuideMarks({ view, guides, unit }: { view: StageView; guides: Guides; unit: Unit }) {
  const lines = guides.lines.map(({ axis, at, from, to }) =>
    (axis === 'x'
      ? [
          { x: at, y: from },
          { x: at, y: to },
        ]
      : [
          { x: from, y: at },
          { x: to, y: at },
        ]
    ).map((point) => sceneToScreen(view, point)),
  );
  const d = lines.map(([a, b]) => `M${a!.x} ${a!.y}L${b!.x} ${b!.y}`).join('');
  return (
    <g data-guides={guides.lines.length > 0 || guides.gaps.length > 0 ? '' : undefined}>
      <path d={d} fill="none" strokeWidth={1} className="stroke-accent" />
      {guides.gaps.map((gap, index) => (
        <Gap
          key={`${gap.axis} ${gap.from}`}
          isFirst={gap.axis !== guides.gaps[index - 1]?.axis}
          {...{ view, gap, unit }}
        />
      ))}
    </g>
  );
}

/** A short gap has its number beside it: over it would lie on what leaves the gap. */
function Gap({ view, gap, unit, isFirst }: { view: StageView; gap: GapMark; unit: Unit; isFirst: boolean }) {
  const { axis, from, to, across, past } = gap;
  const at = (along: number, beside: number) =>
    sceneToScreen(view, axis === 'x' ? { x: along, y: beside } : { x: beside, y: along });
  const [a, b, end] = [at(from, across), at(to, across), at((from + to) / 2, past)];
  const away = direction(middle(a, b), end);
  const label = `${formatLength(to - from, unit)} ${unit}`;
  // Upright gaps have room to the side, level ones below both.
  const isLevel = Math.abs(away.y) > Math.abs(away.x);
  const distance = isLevel ? lengthOf(middle(a, b), end) + 14 : labelWidth(label) / 2 + 8;
  // Below a row of short gaps there is room for their number once.
  const isNamed = isFirst || !isLevel || lengthOf(a, b) >= roomFor(label);
  const asideAt = along(middle(a, b), away, distance);
  return <MeasuredLine from={a} to={b} away={away} label={isNamed ? label : undefined} asideAt={asideAt} />;
}

/** The rectangle that selects the elements it touches. */
function MarqueeBox({ marquee: { from, to } }: { marquee: Marquee }) {
  return (
    <rect
      x={Math.min(from.x, to.x)}
      y={Math.min(from.y, to.y)}
      width={Math.abs(to.x - from.x)}
      height={Math.abs(to.y - from.y)}
      strokeWidth={1}
      className="fill-accent/10 stroke-accent"
    />
  );
}

interface BoxProps {
  readonly view: StageView;
  readonly unit: Unit;
  readonly isGesturing: boolean;
  /** True when all that is selected is locked. */
  readonly isLocked: boolean;
  readonly isMeasured: boolean;
  readonly hitPx: number;
}

/** The outline of each selected element, and the box around all of them with its true size and its grips. */
function SeveralBox({
  view,
  groups,
  unit,
  isGesturing,
  isLocked,
  isMeasured,
  hitPx,
}: BoxProps & { readonly groups: readonly SceneGroup[] }) {
  const { left, top, right, bottom } = boxAround(groups)!;
  const corners = boxCorners({ left, top, right, bottom }).map((corner) => sceneToScreen(view, corner));
  return (
    <g>
      {groups.map((group) => (
        <ElementOutline key={group.elementId} corners={screenCorners(view, group)} />
      ))}
      <polygon
        points={points(corners)}
        fill="none"
        strokeWidth={1.25}
        strokeDasharray="4 3"
        className="stroke-accent"
      />
      {isMeasured && <TrueSize corners={corners} width={right - left} height={bottom - top} unit={unit} />}
      {!isLocked && (
        <BoxGrips corners={corners} isGesturing={isGesturing} hitPx={hitPx} free={view.free} suffix="Several" />
      )}
    </g>
  );
}

function ElementOutline({ corners }: { corners: readonly Point[] }) {
  return <polygon points={points(corners)} fill="none" strokeWidth={1.5} className="stroke-accent/60" />;
}

function SelectionBox({
  view,
  group,
  unit,
  isGesturing,
  isLocked,
  isMeasured,
  hitPx,
}: BoxProps & { readonly group: SceneGroup }) {
  const corners = screenCorners(view, group);
  return (
    <g>
      {group.code && <QuietZone corners={group.code.quietZone.map((corner) => sceneToScreen(view, corner))} />}
      <polygon points={points(corners)} fill="none" strokeWidth={2.5} className="stroke-bone/45" />
      <polygon
        points={points(corners)}
        fill="none"
        strokeWidth={1.5}
        strokeDasharray={isLocked ? '5 4' : undefined}
        className="stroke-accent"
      />
      {isMeasured && <TrueSize corners={corners} {...group.sizeMm} unit={unit} />}
      {!isLocked && <BoxGrips corners={corners} isGesturing={isGesturing} hitPx={hitPx} free={view.free} />}
    </g>
  );
}

/** The space around a code that must stay free. */
function QuietZone({ corners }: { corners: readonly Point[] }) {
  return (
    <g data-quiet-zone="">
      <polygon points={points(corners)} fill="none" strokeWidth={2.5} className="stroke-bone/45" />
      <polygon
        points={points(corners)}
        fill="none"
        strokeWidth={1.25}
        strokeDasharray="4 3"
        className="stroke-accent"
      />
    </g>
  );
}

/** The grips of a box: one at each corner to scale it, one above or below it to turn it. Hidden while one is held. */
function BoxGrips({
  corners,
  isGesturing,
  hitPx,
  free,
  suffix = '',
}: {
  corners: readonly Point[];
  free: StageView['free'];
  isGesturing: boolean;
  hitPx: number;
  /** Ends the names of the grips. */
  suffix?: 'Several' | '';
}) {
  const angleDeg = angleOf(corners[0]!, corners[1]!);
  const { rotateFrom, rotateAt, gripAt, hitAt, gripPx } = placeGrips(corners, hitPx, free);
  return (
    <g className={isGesturing ? 'opacity-0' : ''}>
      <line
        x1={rotateFrom.x}
        y1={rotateFrom.y}
        x2={rotateAt.x}
        y2={rotateAt.y}
        strokeWidth={1.25}
        className="stroke-accent"
      />
      <circle cx={rotateAt.x} cy={rotateAt.y} r={5} strokeWidth={1.5} className="fill-paper stroke-accent" />
      <HitBox grip={`rotate${suffix}`} at={rotateAt} sizePx={hitPx} cursor="grab" />
      {corners.map((_, index) => (
        <g key={index}>
          <Grip at={gripAt[index]!} angleDeg={angleDeg} sizePx={gripPx} />
          <HitBox
            grip={`resize${suffix}:${index}`}
            at={hitAt[index]!}
            sizePx={hitPx}
            cursor={cornerCursor(index, angleDeg)}
          />
        </g>
      ))}
    </g>
  );
}

function Grip({ at, angleDeg, sizePx = GRIP_PX }: { at: Point; angleDeg: number; sizePx?: number }) {
  return (
    <rect
      x={-sizePx / 2}
      y={-sizePx / 2}
      width={sizePx}
      height={sizePx}
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

/** Set off from what it measures. */
function DimensionLine({ from, to, away, label }: { from: Point; to: Point; away: Point; label: string }) {
  const off = (point: Point) => along(point, away, DIMENSION_OFFSET_PX);
  return <MeasuredLine from={off(from)} to={off(to)} away={away} label={label} />;
}

/**
 * A dimension line with a tick at each end and its length on it. Where it is too short, the length stands beside it:
 * level at `asideAt`, or else along the line.
 */
function MeasuredLine({
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
function TrueSize({
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

const labelWidth = (label: string) => label.length * 7 + 12;

/** Returns the least length, in px, of a line that carries its label. */
const roomFor = (label: string) => labelWidth(label) + 8;

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
const along = (from: Point, way: Point, px: number): Point => ({ x: from.x + way.x * px, y: from.y + way.y * px });
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

function direction(from: Point, to: Point): Point {
  const length = lengthOf(from, to) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

const angleOf = (a: Point, b: Point) => (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;

const cursors = ['nwse-resize', 'ns-resize', 'nesw-resize', 'ew-resize'] as const;

/** Returns the cursor that points along a corner's diagonal, whatever the rotation. */
function cornerCursor(corner: number, angleDeg: number): string {
  // Corner 0 points to 225°, each next one 90° further; the arrows repeat every 180°.
  const eighths = Math.round((angleDeg + corner * 90) / 45);
  return cursors[((eighths % 4) + 4) % 4]!;
}
