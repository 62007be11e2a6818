/** The overlay of the stage, in screen px: machine area, selection with its handles and true size, snap guides. */
import { boxAround, clipPaths, multiply, type Point, type Scene, type SceneGroup, translate } from '@markwright/scene';
import { useMemo } from 'react';
import type { ElementId, Unit } from '../../core/document/editor.ts';
import { formatLength } from '../../core/document/measure.ts';
import { areaGripAt, GRIP_PX, placeGrips } from '../../core/pointer/gripPlaces.ts';
import type { GapMark, Guides } from '../../core/pointer/snapping.ts';
import {
  areaCorners,
  frameCorners,
  type Marquee,
  type StageView,
  sceneToScreen,
  screenCorners,
  screenOutline,
} from '../../core/pointer/stageView.ts';
import { boxCorners } from '../../core/pointer/transformSeveral.ts';
import {
  along,
  angleOf,
  DimensionLines,
  direction,
  labelWidth,
  lengthOf,
  MeasuredLine,
  middle,
  roomFor,
  TrueSize,
} from './Dimensions.tsx';

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
      {under && !isGesturing && <ElementOutline outline={screenOutline(view, under.corners)} />}
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
  const frame = points(screenOutline(view, frameCorners(scene)));
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
          points={frame}
          fill="none"
          stroke="transparent"
          strokeWidth={10}
          pointerEvents="stroke"
          className="cursor-pointer"
        />
      )}
      <polygon
        points={frame}
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
  const { surface, originMm } = view;
  const clips = useMemo(() => (surface ? surface.wrapArea(scene).slice(1) : scene.area), [surface, scene]);
  const toScreen = multiply(view.toScreen, translate(originMm.x, originMm.y));
  return clipPaths(clips, toScreen).map((path, index) => (
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
  const box = boxCorners({ left, top, right, bottom });
  const corners = box.map((corner) => sceneToScreen(view, corner));
  return (
    <g>
      {groups.map((group) => (
        <ElementOutline key={group.elementId} outline={screenOutline(view, group.corners)} />
      ))}
      <polygon
        points={points(screenOutline(view, box))}
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

function ElementOutline({ outline }: { outline: readonly Point[] }) {
  return <polygon points={points(outline)} fill="none" strokeWidth={1.5} className="stroke-accent/60" />;
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
  const outline = points(screenOutline(view, group.corners));
  return (
    <g>
      {group.code && <QuietZone outline={points(screenOutline(view, group.code.quietZone))} />}
      <polygon points={outline} fill="none" strokeWidth={2.5} className="stroke-bone/45" />
      <polygon
        points={outline}
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
function QuietZone({ outline }: { outline: string }) {
  return (
    <g data-quiet-zone="">
      <polygon points={outline} fill="none" strokeWidth={2.5} className="stroke-bone/45" />
      <polygon points={outline} fill="none" strokeWidth={1.25} strokeDasharray="4 3" className="stroke-accent" />
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

const cursors = ['nwse-resize', 'ns-resize', 'nesw-resize', 'ew-resize'] as const;

/** Returns the cursor that points along a corner's diagonal, whatever the rotation. */
function cornerCursor(corner: number, angleDeg: number): string {
  // Corner 0 points to 225°, each next one 90° further; the arrows repeat every 180°.
  const eighths = Math.round((angleDeg + corner * 90) / 45);
  return cursors[((eighths % 4) + 4) % 4]!;
}
