/**
 * From a pointer's way to a command. Pure: a gesture remembers how things were at pointer down, and every command is
 * start + delta, applied to the composition of that moment. Points are in mm of the product picture, which stays still while the
 * machine area (the origin of scene mm) is resized.
 */
import {
  type Command,
  type Composition,
  DESIGN_SIZE,
  type FractionRect,
  MIN_MACHINE_AREA,
  type Point,
  type Scene,
  TEXT_HEIGHT_INCHES,
} from '@markwright/scene';
import { type ElementId, findText } from './editor.ts';

/** Clockwise from the top left, as `SceneGroup.corners`. */
export type Corner = 0 | 1 | 2 | 3;

/** What was taken hold of. */
export type Grip =
  | { readonly kind: 'move'; readonly elementId: ElementId }
  | { readonly kind: 'resize'; readonly elementId: ElementId; readonly corner: Corner }
  | { readonly kind: 'rotate'; readonly elementId: ElementId }
  | {
      readonly kind: 'area';
      readonly corner: Corner;
      readonly printArea: FractionRect;
      readonly pictureAspect: number;
    };

export interface Modifiers {
  /** Rotation snaps to 15°; a move stays on one axis. */
  readonly shift: boolean;
  /** A move does not snap; a resize keeps the middle where it is. */
  readonly alt: boolean;
}

/** Lines of the machine area an element has snapped to: its vertical centre line, its horizontal one. */
export interface Guides {
  readonly vertical: boolean;
  readonly horizontal: boolean;
}

export interface Gesture {
  readonly grip: Grip;
  readonly start: Point;
  readonly composition: Composition;
  readonly scene: Scene;
}

export const ROTATION_SNAP_DEG = 15;
/** How near a centre line has to be to pull, in screen px. */
export const SNAP_PX = 6;

const noGuides: Guides = { vertical: false, horizontal: false };

export function startGesture(grip: Grip, start: Point, composition: Composition, scene: Scene): Gesture {
  return { grip, start, composition, scene };
}

/**
 * The command that takes the composition of the gesture's start to where the pointer is now. `undefined` when what was
 * gripped is not there. `snapMm` is `SNAP_PX` in millimetres at the present zoom.
 */
export function gestureCommand(
  gesture: Gesture,
  point: Point,
  modifiers: Modifiers,
  snapMm: number,
): { readonly command: Command; readonly guides: Guides } | undefined {
  const { grip } = gesture;
  if (grip.kind === 'area') return { command: areaCommand(gesture, grip, point), guides: noGuides };

  const element = findPlaced(gesture, grip.elementId);
  if (!element) return undefined;
  switch (grip.kind) {
    case 'move':
      return move(gesture, element, point, modifiers, snapMm);
    case 'resize':
      return { command: resize(gesture, element, grip.corner, point, modifiers), guides: noGuides };
    case 'rotate':
      return { command: rotate(gesture, element, point, modifiers), guides: noGuides };
  }
}

interface Placed {
  readonly elementId: ElementId;
  readonly x: number;
  readonly y: number;
  readonly angleDeg: number;
  /** Design: per cent. Text: inches. */
  readonly size: number;
  /** Its place and corners in picture mm. */
  readonly center: Point;
  readonly corners: readonly Point[];
}

function findPlaced({ composition, scene }: Gesture, elementId: ElementId): Placed | undefined {
  const origin = scene.backdrop?.originMm ?? { x: 0, y: 0 };
  const group = scene.groups.find((candidate) => candidate.elementId === elementId);
  const text = findText(composition, elementId);
  const placement = elementId === 'design' ? composition.design : text;
  if (!group || !placement) return undefined;
  return {
    elementId,
    x: placement.x,
    y: placement.y,
    angleDeg: placement.angleDeg,
    size: text ? text.heightInches : composition.design!.size,
    center: {
      x: origin.x + scene.widthMm * (0.5 + placement.x / 100),
      y: origin.y + scene.heightMm * (0.5 + placement.y / 100),
    },
    corners: group.corners.map((corner) => ({ x: corner.x + origin.x, y: corner.y + origin.y })),
  };
}

interface PlacementChanges {
  readonly x?: number;
  readonly y?: number;
  readonly angleDeg?: number;
  readonly size?: number;
}

function update(elementId: ElementId, { size, ...rest }: PlacementChanges): Command {
  if (elementId === 'design') {
    return { type: 'updateDesign', changes: size === undefined ? rest : { ...rest, size } };
  }
  const id = elementId.slice('text:'.length);
  return { type: 'updateText', id, changes: size === undefined ? rest : { ...rest, heightInches: size } };
}

function move(gesture: Gesture, element: Placed, point: Point, modifiers: Modifiers, snapMm: number) {
  const { scene, start } = gesture;
  let dx = point.x - start.x;
  let dy = point.y - start.y;
  if (modifiers.shift) {
    if (Math.abs(dx) > Math.abs(dy)) dy = 0;
    else dx = 0;
  }
  let x = element.x + (dx / scene.widthMm) * 100;
  let y = element.y + (dy / scene.heightMm) * 100;
  const isNear = (percent: number, lengthMm: number) => Math.abs((percent / 100) * lengthMm) <= snapMm;
  const vertical = !modifiers.alt && isNear(x, scene.widthMm);
  const horizontal = !modifiers.alt && isNear(y, scene.heightMm);
  if (vertical) x = 0;
  if (horizontal) y = 0;
  return { command: update(element.elementId, { x, y }), guides: { vertical, horizontal } };
}

/** Scales about the opposite corner (with alt: about the middle) by how far along its diagonal the corner was pulled. */
function resize(gesture: Gesture, element: Placed, corner: Corner, point: Point, modifiers: Modifiers): Command {
  const grabbed = element.corners[corner]!;
  const opposite = element.corners[(corner + 2) % 4]!;
  const anchor = modifiers.alt ? element.center : opposite;
  const along = { x: grabbed.x - anchor.x, y: grabbed.y - anchor.y };
  const lengthSquared = along.x ** 2 + along.y ** 2;
  // The pointer rarely hits the corner exactly: what counts is how far it went, not where it is.
  const pulled = { x: point.x - gesture.start.x, y: point.y - gesture.start.y };
  const ratio = lengthSquared === 0 ? 1 : 1 + (pulled.x * along.x + pulled.y * along.y) / lengthSquared;

  const { min, max } = element.elementId === 'design' ? DESIGN_SIZE : TEXT_HEIGHT_INCHES;
  const decimals = element.elementId === 'design' ? 1 : 4;
  const size = Math.min(max, Math.max(min, roundTo(element.size * ratio, decimals)));
  if (modifiers.alt) return update(element.elementId, { size });
  const factor = size / element.size;
  const { scene } = gesture;
  return update(element.elementId, {
    size,
    x: element.x + (((anchor.x - element.center.x) * (1 - factor)) / scene.widthMm) * 100,
    y: element.y + (((anchor.y - element.center.y) * (1 - factor)) / scene.heightMm) * 100,
  });
}

function rotate(gesture: Gesture, element: Placed, point: Point, modifiers: Modifiers): Command {
  const turned = angleOf(element.center, point) - angleOf(element.center, gesture.start);
  let angleDeg = element.angleDeg + turned;
  if (modifiers.shift) angleDeg = Math.round(angleDeg / ROTATION_SNAP_DEG) * ROTATION_SNAP_DEG;
  angleDeg = roundTo(((angleDeg % 360) + 360) % 360, 1);
  return update(element.elementId, { angleDeg: angleDeg === 360 ? 0 : angleDeg });
}

/** Pulls one corner of the machine area; the opposite one stays. At least 0.1 of the picture, and inside it. */
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
    const pulled = Math.max(0, Math.min(start + by, end - MIN_MACHINE_AREA));
    return [pulled, end - pulled];
  }
  return [start, Math.max(MIN_MACHINE_AREA, Math.min(1, end + by) - start)];
}

const angleOf = (center: Point, point: Point) => (Math.atan2(point.y - center.y, point.x - center.x) * 180) / Math.PI;

function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}
