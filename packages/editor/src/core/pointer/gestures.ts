/**
 * Turns pointer movement into commands. Pure: a gesture keeps the composition of its start, and each command is start +
 * delta, applied to that composition. Points are in mm of the product picture, which stays still while the machine area
 * (the origin of scene mm) is resized.
 */
import {
  type Axis,
  type Bounds,
  boxAround,
  type Command,
  type Composition,
  type FractionRect,
  findElement,
  kindOfId,
  MIN_MACHINE_AREA,
  moveCommand,
  OFFSET_LIMIT,
  type Point,
  placeCommand,
  type Scene,
} from '@markwright/scene';
import type { ElementId } from '../document/editor.ts';
import { type Placement, readPlacement, sizeLimits } from './placement.ts';
import {
  createSnapTargets,
  findGuides,
  findPulledGuides,
  type Guides,
  noGuides,
  type SnapTargets,
  scaleBox,
  shiftBox,
  snapMove,
  snapResize,
} from './snapping.ts';
import { boxCorners, scaleRange, scaleSeveral, turnSeveral } from './transformSeveral.ts';

/** Clockwise from the top left, as `SceneGroup.corners`. */
export type BoxCorner = 0 | 1 | 2 | 3;

/** The part of the stage that a press takes hold of. */
export type Grip =
  /** Locked elements among them do not move. */
  | { readonly kind: 'move'; readonly elementIds: readonly ElementId[] }
  | { readonly kind: 'resize'; readonly elementId: ElementId; readonly corner: BoxCorner }
  | { readonly kind: 'rotate'; readonly elementId: ElementId }
  /** A corner of the box around several elements, and its handle to turn them. Locked ones among them stay. */
  | { readonly kind: 'resizeSeveral'; readonly elementIds: readonly ElementId[]; readonly corner: BoxCorner }
  | { readonly kind: 'rotateSeveral'; readonly elementIds: readonly ElementId[] }
  | {
      readonly kind: 'area';
      readonly corner: BoxCorner;
      readonly printArea: FractionRect;
      readonly pictureAspect: number;
    };

/** The held keys that change a gesture. */
export interface Modifiers {
  /** Rotation snaps to 15°; a move stays on one axis. */
  readonly shift: boolean;
  /** Nothing snaps; a resize keeps the middle where it is; a move that begins with it moves copies. */
  readonly alt: boolean;
}

/** A running gesture with everything at its start, which each step is computed from. */
export interface Gesture {
  readonly grip: Grip;
  readonly start: Point;
  readonly composition: Composition;
  readonly scene: Scene;
  /** The snap targets of moved or pulled elements, and the box around them at the start; none for other grips. */
  readonly snap: { readonly targets: SnapTargets; readonly box: Bounds } | undefined;
}

export const ROTATION_SNAP_DEG = 15;
/** The distance within which a target pulls, in screen px. */
export const SNAP_PX = 6;

/** Starts a gesture. Sorts the snap targets, once for the whole gesture. */
export function startGesture(grip: Grip, start: Point, composition: Composition, scene: Scene): Gesture {
  return { grip, start, composition, scene, snap: createSnap(grip, composition, scene) };
}

function createSnap(grip: Grip, composition: Composition, scene: Scene): Gesture['snap'] {
  if (grip.kind === 'area' || grip.kind === 'rotate') return undefined;
  const movableIds = grip.kind === 'resize' ? [grip.elementId] : movable(composition, grip.elementIds);
  const box = boxAround(scene.groups.filter(({ elementId }) => movableIds.includes(elementId as ElementId)));
  return box && { targets: createSnapTargets(scene, movableIds), box };
}

const movable = (composition: Composition, elementIds: readonly ElementId[]) =>
  elementIds.filter((id) => findElement(composition, id)?.isLocked === false);

/**
 * Returns the command that takes the composition from the gesture's start to the present point; `undefined` when the
 * held element is gone. `snapMm` is `SNAP_PX` in millimeters at the present zoom.
 */
export function gestureCommand(
  gesture: Gesture,
  point: Point,
  modifiers: Modifiers,
  snapMm: number,
): { readonly command: Command; readonly guides: Guides } | undefined {
  const { grip } = gesture;
  if (grip.kind === 'area') return { command: areaCommand(gesture, grip, point), guides: noGuides };
  if (grip.kind === 'move') return move(gesture, grip.elementIds, point, modifiers, snapMm);
  if (grip.kind === 'resizeSeveral') return resizeSeveral(gesture, grip, point, modifiers, snapMm);
  if (grip.kind === 'rotateSeveral') return rotateSeveral(gesture, grip.elementIds, point, modifiers);

  const element = findPlace(gesture, grip.elementId);
  if (!element) return undefined;
  switch (grip.kind) {
    case 'resize':
      return resize(gesture, element, grip.corner, point, modifiers, snapMm);
    case 'rotate':
      return { command: rotate(gesture, element, point, modifiers), guides: noGuides };
  }
}

interface ElementPlace extends Placement {
  readonly elementId: ElementId;
  /** Its place and corners in picture mm. */
  readonly center: Point;
  readonly corners: readonly Point[];
}

function findPlace({ composition, scene }: Gesture, elementId: ElementId): ElementPlace | undefined {
  const origin = originOf(scene);
  const group = scene.groups.find((candidate) => candidate.elementId === elementId);
  const placement = readPlacement(composition, elementId);
  if (!group || !placement) return undefined;
  return {
    elementId,
    ...placement,
    center: {
      x: origin.x + scene.widthMm * (0.5 + placement.x / 100),
      y: origin.y + scene.heightMm * (0.5 + placement.y / 100),
    },
    corners: group.corners.map((corner) => ({ x: corner.x + origin.x, y: corner.y + origin.y })),
  };
}

/** Returns the machine area's top left corner on the picture, mm. */
const originOf = ({ backdrop }: Scene): Point => backdrop?.originMm ?? { x: 0, y: 0 };

function move(
  { composition, scene, start, snap }: Gesture,
  elementIds: readonly ElementId[],
  point: Point,
  modifiers: Modifiers,
  snapMm: number,
) {
  const movableIds = movable(composition, elementIds);
  if (!snap || movableIds.length === 0) return undefined;
  let dx = point.x - start.x;
  let dy = point.y - start.y;
  const axes: Axis[] = [];
  if (!modifiers.shift || Math.abs(dx) > Math.abs(dy)) axes.push('x');
  else dx = 0;
  if (!modifiers.shift || dx === 0) axes.push('y');
  else dy = 0;

  // The offset limits apply first: beyond them a snap is not reached, and its guide would be wrong.
  const limit = (axis: Axis, byMm: number, lengthMm: number) => {
    const offsets = movableIds.map((id) => findElement(composition, id)![axis]);
    const least = ((-OFFSET_LIMIT - Math.min(...offsets)) / 100) * lengthMm;
    const most = ((OFFSET_LIMIT - Math.max(...offsets)) / 100) * lengthMm;
    return Math.min(most, Math.max(least, byMm));
  };
  const limitedOffset = { x: limit('x', dx, scene.widthMm), y: limit('y', dy, scene.heightMm) };
  const box = shiftBox(snap.box, limitedOffset);
  const pull = modifiers.alt ? { x: 0, y: 0 } : snapMove(snap.targets, box, snapMm, axes);
  const by = {
    x: isSame(limit('x', limitedOffset.x + pull.x, scene.widthMm), limitedOffset.x + pull.x)
      ? limitedOffset.x + pull.x
      : limitedOffset.x,
    y: isSame(limit('y', limitedOffset.y + pull.y, scene.heightMm), limitedOffset.y + pull.y)
      ? limitedOffset.y + pull.y
      : limitedOffset.y,
  };
  const guides = modifiers.alt ? noGuides : findGuides(snap.targets, shiftBox(snap.box, by));
  return { command: moveTo(composition, movableIds, toPercent(by, scene)), guides };
}

/**
 * Moves a single element to its exact place, so that the middle is 0 and not nearly 0. Several elements keep their
 * distances.
 */
function moveTo(composition: Composition, [id, ...others]: readonly ElementId[], { x: dx, y: dy }: Point): Command {
  if (others.length > 0) return moveCommand(composition, [id!, ...others], dx, dy);
  const { x, y } = findElement(composition, id!)!;
  return placeCommand(id!, { x: roundTo(x + dx, PERCENT_DECIMALS), y: roundTo(y + dy, PERCENT_DECIMALS) });
}

/** Far below what a machine can make, and just enough to remove the rounding of floating point. */
const PERCENT_DECIMALS = 10;

const toPercent = ({ x, y }: Point, { widthMm, heightMm }: Scene): Point => ({
  x: (x / widthMm) * 100,
  y: (y / heightMm) * 100,
});

const isSame = (a: number, b: number) => Math.abs(a - b) < 1e-9;

/**
 * Scales about the opposite corner (with Alt: about the middle) by how far the pointer pulled the corner along its
 * diagonal.
 */
function resize(
  { scene, snap, start }: Gesture,
  element: ElementPlace,
  corner: BoxCorner,
  point: Point,
  modifiers: Modifiers,
  snapMm: number,
) {
  const handlePoint = element.corners[corner]!;
  const opposite = element.corners[(corner + 2) % 4]!;
  const anchor = modifiers.alt ? element.center : opposite;
  const ratio = pullRatio(handlePoint, anchor, start, point);

  const isText = kindOfId(element.elementId) === 'text';
  const { min, max } = sizeLimits(element.elementId, element.size);
  const freeSize = Math.min(max, Math.max(min, roundTo(element.size * ratio, isText ? 4 : 1)));
  if (modifiers.alt || !snap) return { command: placeCommand(element.elementId, { size: freeSize }), guides: noGuides };

  const placementAt = (size: number) => {
    const factor = size / element.size;
    return {
      size,
      x: element.x + (((anchor.x - element.center.x) * (1 - factor)) / scene.widthMm) * 100,
      y: element.y + (((anchor.y - element.center.y) * (1 - factor)) / scene.heightMm) * 100,
    };
  };
  const isAllowed = ({ size, x, y }: ReturnType<typeof placementAt>) =>
    size >= min && size <= max && Math.abs(x) <= OFFSET_LIMIT && Math.abs(y) <= OFFSET_LIMIT;

  const pull = {
    box: snap.box,
    anchor: toScene(scene, anchor),
    corner: toScene(scene, handlePoint),
    factor: freeSize / element.size,
  };
  const factor = snapResize(snap.targets, pull, snapMm);
  const snappedPlacement = factor === undefined ? undefined : placementAt(element.size * factor);
  if (factor === undefined || !snappedPlacement || !isAllowed(snappedPlacement)) {
    return { command: placeCommand(element.elementId, placementAt(freeSize)), guides: noGuides };
  }
  const box = scaleBox(snap.box, pull.anchor, factor);
  return {
    command: placeCommand(element.elementId, snappedPlacement),
    guides: findPulledGuides(snap.targets, box, pull.anchor, pull.corner),
  };
}

/** Converts picture mm to scene mm. */
function toScene(scene: Scene, { x, y }: Point): Point {
  const origin = originOf(scene);
  return { x: x - origin.x, y: y - origin.y };
}

/**
 * Returns how far the pointer pulled a corner along its diagonal from the anchor, as a factor. The pointer rarely hits
 * the corner exactly: what counts is how far it went, not where it is.
 */
function pullRatio(corner: Point, anchor: Point, start: Point, point: Point): number {
  const along = { x: corner.x - anchor.x, y: corner.y - anchor.y };
  const lengthSquared = along.x ** 2 + along.y ** 2;
  if (lengthSquared === 0) return 1;
  return 1 + ((point.x - start.x) * along.x + (point.y - start.y) * along.y) / lengthSquared;
}

/** Scales several elements about the opposite corner of their box, or with Alt about its middle. */
function resizeSeveral(
  { composition, scene, start, snap }: Gesture,
  { elementIds, corner }: Extract<Grip, { kind: 'resizeSeveral' }>,
  point: Point,
  modifiers: Modifiers,
  snapMm: number,
) {
  if (!snap) return undefined;
  const { box, targets } = snap;
  const corners = boxCorners(box);
  const anchor = modifiers.alt ? boxMiddle(box) : corners[(corner + 2) % 4]!;
  const arrangement = { composition, scene, elementIds: movable(composition, elementIds) };
  const { min, max } = scaleRange(arrangement, anchor);
  const ratio = pullRatio(corners[corner], anchor, toScene(scene, start), toScene(scene, point));
  const freeFactor = Math.min(max, Math.max(min, ratio));
  const pull = { box, anchor, corner: corners[corner], factor: freeFactor };
  const snapFactor = modifiers.alt ? undefined : snapResize(targets, pull, snapMm);
  if (snapFactor === undefined || snapFactor < min || snapFactor > max) {
    return { command: scaleSeveral(arrangement, anchor, freeFactor), guides: noGuides };
  }
  return {
    command: scaleSeveral(arrangement, anchor, snapFactor),
    guides: findPulledGuides(targets, scaleBox(box, anchor, snapFactor), anchor, pull.corner),
  };
}

/** Turns several elements about the middle of their box; with Shift in steps. */
function rotateSeveral(
  { composition, scene, start, snap }: Gesture,
  elementIds: readonly ElementId[],
  point: Point,
  modifiers: Modifiers,
) {
  if (!snap) return undefined;
  const center = boxMiddle(snap.box);
  const turnDeg = angleOf(center, toScene(scene, point)) - angleOf(center, toScene(scene, start));
  const byDeg = modifiers.shift ? Math.round(turnDeg / ROTATION_SNAP_DEG) * ROTATION_SNAP_DEG : roundTo(turnDeg, 1);
  const arrangement = { composition, scene, elementIds: movable(composition, elementIds) };
  return { command: turnSeveral(arrangement, center, byDeg), guides: noGuides };
}

const boxMiddle = ({ left, top, right, bottom }: Bounds): Point => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

function rotate(gesture: Gesture, element: ElementPlace, point: Point, modifiers: Modifiers): Command {
  const turnDeg = angleOf(element.center, point) - angleOf(element.center, gesture.start);
  let angleDeg = element.angleDeg + turnDeg;
  if (modifiers.shift) angleDeg = Math.round(angleDeg / ROTATION_SNAP_DEG) * ROTATION_SNAP_DEG;
  angleDeg = roundTo(((angleDeg % 360) + 360) % 360, 1);
  return placeCommand(element.elementId, { angleDeg: angleDeg === 360 ? 0 : angleDeg });
}

/**
 * Moves one corner of the machine area; the opposite one stays. The area keeps at least 0.1 of the picture and stays
 * inside it.
 */
function areaCommand(gesture: Gesture, grip: Extract<Grip, { kind: 'area' }>, point: Point): Command {
  const { composition, scene, start } = gesture;
  const { printArea, pictureAspect, corner } = grip;
  const before = composition.machineArea ?? printArea;
  const picture = scene.backdrop ?? { pictureWidthMm: scene.widthMm, pictureHeightMm: scene.heightMm };
  const isLeft = corner === 0 || corner === 3;
  const isTop = corner === 0 || corner === 1;
  const [x, width] = pullEdge(before.x, before.width, isLeft, (point.x - start.x) / picture.pictureWidthMm);
  const [y, height] = pullEdge(before.y, before.height, isTop, (point.y - start.y) / picture.pictureHeightMm);
  return { type: 'setMachineArea', area: { x, y, width, height }, printArea, pictureAspect };
}

function pullEdge(start: number, length: number, isStart: boolean, by: number): [start: number, length: number] {
  const end = start + length;
  if (isStart) {
    const edge = Math.max(0, Math.min(start + by, end - MIN_MACHINE_AREA));
    return [edge, end - edge];
  }
  return [start, Math.max(MIN_MACHINE_AREA, Math.min(1, end + by) - start)];
}

const angleOf = (center: Point, point: Point) => (Math.atan2(point.y - center.y, point.x - center.x) * 180) / Math.PI;

function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}
