/**
 * The states of the pointers on the stage, as a reducer: from a pointer event, the next state and what is to be done,
 * as data. It knows neither the browser nor the editor; `usePointers` runs the effects.
 *
 * | state      | from                                        | ends with                                     |
 * | ---------- | ------------------------------------------- | --------------------------------------------- |
 * | `idle`     |                                             |                                               |
 * | `pressing` | a press on an element or a grip             | up: a click; three pixels further: `dragging` |
 * | `dragging` | a press that moved                          | up: one undo step; cancel: none               |
 * | `marquee`  | a press on nothing                          | up or cancel                                  |
 * | `panning`  | middle button, Space, a finger zoomed in    | up or cancel                                  |
 * | `pinching` | a second finger, whatever went before       | the last finger up, or any cancel             |
 */
import type { Point } from '@markwright/scene';
import { type ElementId, ZOOM } from '../document/editor.ts';
import type { Grip, Modifiers } from './gestures.ts';

/** A press turns into a gesture once it has gone this far: a click does not move anything. */
const DRAG_THRESHOLD_PX = 3;

/** The selection that a press makes when it goes up without a drag. */
type Click =
  | { readonly type: 'none' }
  | { readonly type: 'select'; readonly elementId: ElementId }
  | { readonly type: 'selectElements'; readonly elementIds: readonly ElementId[] };

type PointerState =
  | { readonly name: 'idle' }
  | {
      readonly name: 'pressing';
      readonly pointerId: number;
      readonly start: Point;
      readonly grip: Grip;
      readonly click: Click;
    }
  | { readonly name: 'dragging'; readonly pointerId: number }
  /** `base` was selected before and stays so. */
  | {
      readonly name: 'marquee';
      readonly pointerId: number;
      readonly start: Point;
      readonly base: readonly ElementId[];
      readonly isDrawn: boolean;
    }
  | { readonly name: 'panning'; readonly pointerId: number; readonly start: Point; readonly pan: Point }
  | {
      readonly name: 'pinching';
      readonly distance: number;
      readonly middle: Point;
      readonly zoom: number;
      readonly pan: Point;
    };

/** The state of all pointers on the stage. */
export interface PointerMachine {
  readonly state: PointerState;
  /** Where each finger is, in the order they came; screen px. */
  readonly fingers: ReadonlyMap<number, Point>;
}

/** The thing under a press. `machineAreaEdge` selects the machine area; a grip of it resizes it. */
export type PressTarget =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'machineAreaEdge' }
  | { readonly kind: 'grip'; readonly grip: Grip }
  | { readonly kind: 'element'; readonly elementId: ElementId; readonly isLocked: boolean };

/** Points are in screen px, from the top left of the stage. */
export type StagePointerEvent =
  | {
      readonly type: 'down';
      readonly pointerId: number;
      readonly point: Point;
      readonly isFinger: boolean;
      /** As in the DOM: 0 is the main button, 1 the middle one. */
      readonly button: number;
      readonly isSpaceHeld: boolean;
      /** Adds to the selection: Shift, Control or Meta. */
      readonly isAdding: boolean;
      readonly target: PressTarget;
    }
  | {
      readonly type: 'move';
      readonly pointerId: number;
      readonly point: Point;
      readonly modifiers: Modifiers;
    }
  | { readonly type: 'up'; readonly pointerId: number }
  | { readonly type: 'cancel'; readonly pointerId: number };

/** The editor's state at the time of an event. */
export interface PointerSurroundings {
  readonly selectedIds: readonly ElementId[];
  /** The member of a group that is selected alone. A press elsewhere leads back to the group. */
  readonly memberId?: ElementId | undefined;
  readonly zoom: number;
  readonly pan: Point;
}

export type PointerEffect =
  | { readonly type: 'select'; readonly selection: ElementId | 'machineArea' | undefined }
  | { readonly type: 'selectElements'; readonly elementIds: readonly ElementId[] }
  /** `isCopying`: what is moved are copies of the elements. */
  | { readonly type: 'beginGesture'; readonly grip: Grip; readonly start: Point; readonly isCopying: boolean }
  | { readonly type: 'commitGesture' }
  | { readonly type: 'cancelGesture' }
  /** Performs the pending frame now. */
  | { readonly type: 'flushFrame' }
  /** Forgets the pending frame. */
  | { readonly type: 'dropFrame' }
  /** Takes guides and marquee off the stage. */
  | { readonly type: 'clearMarks' }
  | FrameEffect;

/**
 * Effects performed at most once a frame, however often the pointer reports: a newer one replaces the one that waits.
 */
export type FrameEffect =
  | { readonly type: 'drag'; readonly point: Point; readonly modifiers: Modifiers }
  | { readonly type: 'marquee'; readonly from: Point; readonly to: Point; readonly base: readonly ElementId[] }
  | { readonly type: 'pan'; readonly pan: Point }
  | {
      readonly type: 'pinch';
      readonly zoom: number;
      readonly from: { readonly zoom: number; readonly pan: Point; readonly middle: Point };
      readonly middle: Point;
    };

const idle: PointerState = { name: 'idle' };
export const noPointers: PointerMachine = { state: idle, fingers: new Map() };

type Step = { readonly machine: PointerMachine; readonly effects: readonly PointerEffect[] };

/** Returns the next state and the effects to perform, in order. */
export function reducePointer(machine: PointerMachine, event: StagePointerEvent, around: PointerSurroundings): Step {
  switch (event.type) {
    case 'down':
      return down(machine, event, around);
    case 'move':
      return move(machine, event);
    case 'up':
      return up({ ...machine, fingers: without(machine.fingers, event.pointerId) }, event.pointerId);
    case 'cancel':
      return cancel({ ...machine, fingers: without(machine.fingers, event.pointerId) }, event.pointerId);
  }
}

const step = (machine: PointerMachine, ...effects: readonly PointerEffect[]): Step => ({ machine, effects });

type Down = Extract<StagePointerEvent, { type: 'down' }>;

function down(machine: PointerMachine, event: Down, around: PointerSurroundings): Step {
  const fingers = event.isFinger ? new Map(machine.fingers).set(event.pointerId, event.point) : machine.fingers;
  const next = { ...machine, fingers };
  if (event.isFinger && fingers.size === 2) return startPinch(next, around);
  if ((event.isFinger && fingers.size > 2) || machine.state.name !== 'idle') return step(next);

  const { pointerId, point, target, isAdding } = event;
  const panning: PointerState = { name: 'panning', pointerId, start: point, pan: around.pan };
  if (event.button === 1 || event.isSpaceHeld) return step({ ...next, state: panning });
  if (event.button !== 0) return step(next);

  switch (target.kind) {
    case 'machineAreaEdge':
      return step(next, { type: 'select', selection: 'machineArea' });
    case 'nothing': {
      const base = isAdding ? around.selectedIds : [];
      const marquee: PointerState = { name: 'marquee', pointerId, start: point, base, isDrawn: false };
      const state = event.isFinger && around.zoom > 1 ? panning : marquee;
      return isAdding
        ? step({ ...next, state })
        : step({ ...next, state }, { type: 'select', selection: around.memberId });
    }
    case 'grip': {
      const { grip } = target;
      const state: PointerState = { name: 'pressing', pointerId, start: point, grip, click: { type: 'none' } };
      return grip.kind === 'area'
        ? step({ ...next, state }, { type: 'select', selection: 'machineArea' })
        : step({ ...next, state });
    }
    case 'element': {
      const { selectedIds, effects, click } = choose(target.elementId, isAdding, around);
      // A locked element can be selected and stays where it is.
      if (target.isLocked) return step(next, ...effects, ...perform(click));
      const grip: Grip = { kind: 'move', elementIds: selectedIds };
      return step({ ...next, state: { name: 'pressing', pointerId, start: point, grip, click } }, ...effects);
    }
  }
}

/**
 * Selects the element that was pressed, so that a drag moves it. One of several that are selected takes the others
 * along: whether it is to be the only one, or one less, shows when the pointer goes up without a drag.
 */
function choose(elementId: ElementId, isAdding: boolean, { selectedIds, memberId }: PointerSurroundings) {
  const others = selectedIds.filter((id) => id !== elementId);
  const isSelected = others.length < selectedIds.length;
  const toChoice = (
    after: readonly ElementId[],
    effects: readonly PointerEffect[],
    click: Click = { type: 'none' },
  ) => ({
    selectedIds: after,
    effects,
    click,
  });
  if (isAdding && isSelected) return toChoice(selectedIds, [], { type: 'selectElements', elementIds: others });
  if (isAdding) {
    const elementIds = [...selectedIds, elementId];
    return toChoice(elementIds, [{ type: 'selectElements', elementIds }]);
  }
  if (elementId === memberId) return toChoice(selectedIds, []);
  if (isSelected && others.length > 0) return toChoice(selectedIds, [], { type: 'select', elementId });
  return toChoice([elementId], [{ type: 'select', selection: elementId }]);
}

function perform(click: Click): readonly PointerEffect[] {
  if (click.type === 'select') return [{ type: 'select', selection: click.elementId }];
  return click.type === 'selectElements' ? [click] : [];
}

/** Starts a pinch with the second finger, and cancels the gesture of the first. */
function startPinch(machine: PointerMachine, { zoom, pan }: PointerSurroundings): Step {
  const [a, b] = [...machine.fingers.values()] as [Point, Point];
  const state: PointerState = { name: 'pinching', distance: distance(a, b), middle: middle(a, b), zoom, pan };
  return step({ ...machine, state }, { type: 'cancelGesture' }, { type: 'dropFrame' }, { type: 'clearMarks' });
}

function move(before: PointerMachine, event: Extract<StagePointerEvent, { type: 'move' }>): Step {
  const { pointerId, point, modifiers } = event;
  const isFinger = before.fingers.has(pointerId);
  const machine = isFinger ? { ...before, fingers: new Map(before.fingers).set(pointerId, point) } : before;
  const { state } = machine;
  if (state.name === 'pinching') return movePinch(machine, state);
  if (state.name === 'idle' || state.pointerId !== pointerId) return step(machine);
  switch (state.name) {
    case 'panning': {
      const pan = { x: state.pan.x + point.x - state.start.x, y: state.pan.y + point.y - state.start.y };
      return step(machine, { type: 'pan', pan });
    }
    case 'marquee': {
      const { start, base, isDrawn } = state;
      if (!isDrawn && distance(point, start) < DRAG_THRESHOLD_PX) return step(machine);
      const drawing: PointerState = { ...state, isDrawn: true };
      return step({ ...machine, state: drawing }, { type: 'marquee', from: start, to: point, base });
    }
    case 'pressing': {
      const { start, grip } = state;
      if (distance(point, start) < DRAG_THRESHOLD_PX) return step(machine);
      const dragging: PointerState = { name: 'dragging', pointerId };
      return step(
        { ...machine, state: dragging },
        { type: 'beginGesture', grip, start, isCopying: grip.kind === 'move' && modifiers.alt },
        { type: 'drag', point, modifiers },
      );
    }
    case 'dragging':
      return step(machine, { type: 'drag', point, modifiers });
  }
}

function movePinch(machine: PointerMachine, from: Extract<PointerState, { name: 'pinching' }>): Step {
  if (machine.fingers.size < 2) return step(machine);
  const [a, b] = [...machine.fingers.values()] as [Point, Point];
  const targetZoom = (from.zoom * distance(a, b)) / from.distance;
  const zoom = Math.min(ZOOM.pointer.max, Math.max(ZOOM.pointer.min, targetZoom));
  return step(machine, { type: 'pinch', zoom, from, middle: middle(a, b) });
}

function up(machine: PointerMachine, pointerId: number): Step {
  const { state, fingers } = machine;
  if (state.name === 'idle') return step(machine);
  if (state.name === 'pinching') {
    return step(fingers.size === 0 ? { ...machine, state: idle } : machine, { type: 'flushFrame' });
  }
  if (state.pointerId !== pointerId) return step(machine);
  const after = { ...machine, state: idle };
  const rest: readonly PointerEffect[] = [{ type: 'flushFrame' }, { type: 'clearMarks' }];
  if (state.name === 'dragging') return step(after, ...rest, { type: 'commitGesture' });
  if (state.name === 'pressing') return step(after, ...rest, ...perform(state.click));
  return step(after, ...rest);
}

function cancel(machine: PointerMachine, pointerId: number): Step {
  const { state } = machine;
  if (state.name === 'idle' || (state.name !== 'pinching' && state.pointerId !== pointerId)) return step(machine);
  const after = { ...machine, state: idle };
  const isGesture = state.name === 'pressing' || state.name === 'dragging';
  const rest: readonly PointerEffect[] = [{ type: 'dropFrame' }, { type: 'clearMarks' }];
  return isGesture ? step(after, ...rest, { type: 'cancelGesture' }) : step(after, ...rest);
}

function without(fingers: ReadonlyMap<number, Point>, pointerId: number): ReadonlyMap<number, Point> {
  const rest = new Map(fingers);
  rest.delete(pointerId);
  return rest;
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
