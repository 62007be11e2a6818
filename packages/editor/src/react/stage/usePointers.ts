/**
 * Runs the pointer machine on the stage: reads DOM events and performs effects on the editor, at most one update a
 * frame.
 */
import { findElement, hitTest, type Point } from '@markwright/scene';
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { type Editor, type EditorState, type ElementId, findText, loneMember } from '../../core/document/editor.ts';
import { createGestureRun } from '../../core/pointer/gestureRun.ts';
import type { BoxCorner, Grip } from '../../core/pointer/gestures.ts';
import {
  type FrameEffect,
  noPointers,
  type PointerEffect,
  type PointerMachine,
  type PressTarget,
  reducePointer,
  type StagePointerEvent,
} from '../../core/pointer/pointerMachine.ts';
import type { Guides } from '../../core/pointer/snapping.ts';
import {
  clampPan,
  isTouched,
  type Marquee,
  type StageView,
  screenCorners,
  screenToPicture,
  zoomAbout,
} from '../../core/pointer/stageView.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import type { Perform } from './useActions.ts';
import { useMenuPress } from './useMenuPress.ts';
import { useWheel } from './useWheel.ts';

const HIT_PX = { mouse: 26, touch: 44 } as const;
const TOUCH_TOLERANCE_PX = 10;
const MOUSE_TOLERANCE_PX = 2;

/** Throttles updates to one per animation frame: the newest update replaces the one that waits. */
function createFrames() {
  let pending: { readonly frame: number; apply(): void } | undefined;
  const take = () => {
    const update = pending;
    if (update) cancelAnimationFrame(update.frame);
    pending = undefined;
    return update;
  };
  return {
    schedule(apply: () => void) {
      if (pending) pending.apply = apply;
      else pending = { frame: requestAnimationFrame(() => take()?.apply()), apply };
    },
    flush: () => take()?.apply(),
    drop: () => void take(),
  };
}

/**
 * Runs the pointer machine on the stage: turns the browser's events into the machine's, and performs its effects. It is
 * one straight story, as the handlers and effects share the refs of one press.
 */
export function usePointers(
  stage: React.RefObject<HTMLDivElement | null>,
  view: StageView | undefined,
  { perform: performAction, openMenu }: { perform: Perform; openMenu(at: Point): void },
) {
  const editor = useEditor();
  const [guides, setGuides] = useState<Guides>();
  const [marquee, setMarquee] = useState<Marquee>();
  const [hoveredId, setHoveredId] = useState<string>();
  const [isPanning, setIsPanning] = useState(false);
  const [hitPx, setHitPx] = useState<number>(HIT_PX.mouse);
  const isSpaceHeld = useSpaceHeld(stage);
  const machine = useRef<PointerMachine>(noPointers);
  const [run] = useState(() => createGestureRun(editor));
  const box = useRef<DOMRect>(undefined);
  const [frames] = useState(createFrames);
  /** The newest view, for the handlers below. */
  const latest = useRef({ view });
  latest.current = { view };
  useWheel(stage, latest);
  useNoFling(stage);

  const at = (event: { clientX: number; clientY: number }): Point => {
    // Measured once per press: the stage does not move under a pressed pointer, and measuring waits for layout.
    const isIdle = machine.current.state.name === 'idle';
    if (isIdle || !box.current) box.current = stage.current!.getBoundingClientRect();
    return { x: event.clientX - box.current.left, y: event.clientY - box.current.top };
  };

  const find = (point: Point, isTouch: boolean) =>
    latest.current.view && findElementAt(editor.getState(), latest.current.view, point, isTouch);

  const drawFrame = (effect: FrameEffect) => {
    const now = latest.current.view;
    if (!now) return;
    if (effect.type === 'pan' || effect.type === 'pinch') moveView(editor, now, effect);
    else if (effect.type === 'marquee') {
      setMarquee(effect);
      selectTouched(editor, now, effect);
    } else {
      const next = run.draw(effect, now);
      if (next) setGuides((before) => (isSameGuides(before, next) ? before : next));
    }
  };

  const perform = (effect: PointerEffect) => {
    switch (effect.type) {
      case 'select':
        return editor.select(effect.selection);
      case 'selectElements':
        return editor.selectElements(effect.elementIds);
      case 'beginGesture':
        return run.begin(effect, latest.current.view!);
      case 'commitGesture':
      case 'cancelGesture':
        return run.end(effect);
      case 'flushFrame':
        return frames.flush();
      case 'dropFrame':
        return frames.drop();
      case 'clearMarks':
        setGuides(undefined);
        setMarquee(undefined);
        return;
      default:
        return frames.schedule(() => drawFrame(effect));
    }
  };

  const send = (event: StagePointerEvent) => {
    const state = editor.getState();
    const step = reducePointer(machine.current, event, { ...state, memberId: loneMember(state) });
    machine.current = step.machine;
    setIsPanning(step.machine.state.name === 'panning');
    for (const effect of step.effects) perform(effect);
  };

  const menuPress = useMenuPress({
    open(point, { isTouch, isOnGrip }) {
      if (!isOnGrip) selectForMenu(editor, find(point, isTouch));
      openMenu(point);
    },
    cancel: (pointerId) => send({ type: 'cancel', pointerId }),
  });

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (!latest.current.view) return;
    const point = at(event);
    setHitPx(event.pointerType === 'mouse' ? HIT_PX.mouse : HIT_PX.touch);
    stage.current?.setPointerCapture(event.pointerId);
    menuPress.down(event, point);
    // The middle button scrolls the page.
    if (machine.current.state.name === 'idle' && (event.button === 1 || isSpaceHeld)) event.preventDefault();
    const target = findTarget(editor.getState(), event, find(point, event.pointerType !== 'mouse'));
    send({ ...readPress(event), point, isSpaceHeld, target });
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!latest.current.view) return;
    const point = at(event);
    if (machine.current.state.name === 'idle' && event.pointerType === 'mouse' && event.buttons === 0) {
      setHoveredId(gripOf(event) === undefined ? find(point, false) : undefined);
    }
    menuPress.move(point);
    const modifiers = { shift: event.shiftKey, alt: event.altKey };
    send({ type: 'move', pointerId: event.pointerId, point, modifiers });
  };

  const onDoubleClick = (event: MouseEvent<HTMLDivElement>) => {
    const elementId = find(at(event), false);
    if (!elementId && gripOf(event) === undefined) performAction({ kind: 'view', to: 'fit' });
    const text = findText(editor.getState().composition, elementId);
    if (text && !text.isLocked) performAction({ kind: 'editText', id: text.id });
    else if (elementId) editor.selectMember(elementId);
  };

  const isHoveredLocked = useEditorState(
    ({ composition }) => findElement(composition, hoveredId ?? '')?.isLocked ?? false,
  );
  return {
    guides,
    marquee,
    hoveredId,
    cursor: cursorOf({ isPanning, isSpaceHeld, isOverMovable: hoveredId !== undefined && !isHoveredLocked }),
    hitPx,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp({ pointerId }: PointerEvent) {
        menuPress.release();
        send({ type: 'up', pointerId });
      },
      onPointerCancel({ pointerId }: PointerEvent) {
        menuPress.release();
        send({ type: 'cancel', pointerId });
      },
      onPointerLeave: () => setHoveredId(undefined),
      onTouchEnd: menuPress.touchEnd,
      onDoubleClick,
      onContextMenu: (event: MouseEvent<HTMLDivElement>) =>
        latest.current.view && menuPress.contextMenu(event, at(event)),
    },
  };
}

/** Selects the element that a menu opens on, unless it is selected already; nothing for the empty stage. */
function selectForMenu(editor: Editor, elementId: ElementId | undefined): void {
  if (!elementId || !editor.getState().selectedIds.includes(elementId)) editor.select(elementId);
}

const readPress = (event: PointerEvent) =>
  ({
    type: 'down',
    pointerId: event.pointerId,
    isFinger: event.pointerType === 'touch',
    button: event.button,
    isAdding: event.shiftKey || event.ctrlKey || event.metaKey,
  }) as const;

function findElementAt(
  { scene, limits }: EditorState,
  view: StageView,
  point: Point,
  isTouch: boolean,
): ElementId | undefined {
  const picture = screenToPicture(view, point);
  const { x, y } = view.originMm;
  const tolerancePx = isTouch ? TOUCH_TOLERANCE_PX : MOUSE_TOLERANCE_PX;
  const groups = limits
    ? scene.groups.filter(({ elementId }) => limits.maySelect(elementId as ElementId))
    : scene.groups;
  return hitTest({ ...scene, groups }, { x: picture.x - x, y: picture.y - y }, tolerancePx / view.pxPerMm) as
    | ElementId
    | undefined;
}

/** Returns the target of a press. A grip comes before the element below it. */
function findTarget(state: EditorState, event: PointerEvent, elementId: ElementId | undefined): PressTarget {
  const grip = readGrip(gripOf(event), state);
  if (grip === 'area') return { kind: 'machineAreaEdge' };
  if (grip) return { kind: 'grip', grip };
  if (!elementId) return { kind: 'nothing' };
  const isLocked = findElement(state.composition, elementId)?.isLocked ?? false;
  return { kind: 'element', elementId, isLocked };
}

/** Selects the elements that the marquee touches. Locked ones are skipped: one is usually the others' background. */
function selectTouched(editor: Editor, view: StageView, marquee: Extract<FrameEffect, { type: 'marquee' }>): void {
  const { scene, composition } = editor.getState();
  const touchedGroups = scene.groups
    .filter(({ elementId }) => !findElement(composition, elementId)?.isLocked)
    .filter((group) => isTouched(screenCorners(view, group), marquee));
  editor.selectElements([...marquee.base, ...touchedGroups.map(({ elementId }) => elementId as ElementId)]);
}

function moveView(editor: Editor, view: StageView, effect: Extract<FrameEffect, { type: 'pan' | 'pinch' }>): void {
  if (effect.type === 'pan') {
    const { zoom } = editor.getState();
    editor.setView({ zoom, pan: clampPan(view, effect.pan, zoom) });
    return;
  }
  const { from, middle, zoom } = effect;
  const about = zoomAbout(view, from, zoom, from.middle);
  const pan = { x: about.pan.x + middle.x - from.middle.x, y: about.pan.y + middle.y - from.middle.y };
  editor.setView({ zoom, pan: clampPan(view, pan, zoom) });
}

function cursorOf(over: { isPanning: boolean; isSpaceHeld: boolean; isOverMovable: boolean }): string {
  if (over.isPanning) return 'grabbing';
  if (over.isSpaceHeld) return 'grab';
  if (over.isOverMovable) return 'move';
  return 'default';
}

/**
 * Keeps a browser from taking the end of a fast drag for a fling: it would swallow the tap that follows, such as on a
 * button for what was dragged.
 */
function useNoFling(stage: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = stage.current;
    const prevent = (event: TouchEvent) => event.preventDefault();
    // React's listener is passive and cannot prevent anything.
    element?.addEventListener('touchmove', prevent, { passive: false });
    return () => element?.removeEventListener('touchmove', prevent);
  }, [stage]);
}

/** Returns true while Space is held to pan. Not while the focus is on an element that uses Space itself. */
function useSpaceHeld(stage: React.RefObject<HTMLDivElement | null>): boolean {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== ' ') return;
      const isDown =
        event.type === 'keydown' &&
        (document.activeElement === stage.current || document.activeElement === document.body);
      if (isDown) event.preventDefault();
      setIsHeld(isDown);
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener('keyup', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('keyup', onKey);
    };
  }, [stage]);
  return isHeld;
}

/** Returns the grip under an event, as `Handles` marks it; undefined where there is none. */
const gripOf = (event: MouseEvent): string | undefined =>
  (event.target as Element).closest('[data-grip]')?.getAttribute('data-grip') ?? undefined;

/** Reads a grip. `area` alone selects the machine area. `move` is no grip: elements are found by their place. */
function readGrip(
  text: string | undefined,
  { selectedIds, assets: { product } }: EditorState,
): Grip | 'area' | undefined {
  if (!text) return undefined;
  const [kind, corner] = text.split(':');
  if (kind === 'area') {
    if (corner === undefined || !product) return 'area';
    const { printArea, pictureAspect } = product;
    return { kind, corner: Number(corner) as BoxCorner, printArea, pictureAspect };
  }
  const [elementId] = selectedIds;
  if (!elementId) return undefined;
  if (kind === 'rotateSeveral') return { kind, elementIds: selectedIds };
  if (kind === 'resizeSeveral') return { kind, elementIds: selectedIds, corner: Number(corner) as BoxCorner };
  if (kind === 'rotate') return { kind, elementId };
  if (kind === 'resize') return { kind, elementId, corner: Number(corner) as BoxCorner };
  return undefined;
}

const isSameGuides = (a: Guides | undefined, b: Guides) => JSON.stringify(a) === JSON.stringify(b);
