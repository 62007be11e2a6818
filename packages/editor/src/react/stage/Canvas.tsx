/** The stage: shows the product with everything on it and turns fingers, mouse, pen and keys into commands. */
import { applyMatrix, findElement, hitTest, type Point } from '@markwright/scene';
import {
  type ComponentType,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type PointerEvent,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { EditorState, ElementId } from '../../core/document/editor.ts';
import { type Action, dispatchAndChoose, globalAction, stageAction } from '../../core/document/keymap.ts';
import { findTrace, plainLook, toggleLook } from '../../core/document/look.ts';
import { commonSize, describeElement, formatSize } from '../../core/document/measure.ts';
import {
  type Corner,
  type Gesture,
  type Grip,
  gestureCommand,
  SNAP_PX,
  startGesture,
} from '../../core/pointer/gestures.ts';
import type { Guides } from '../../core/pointer/snapping.ts';
import {
  areaCorners,
  type Band,
  clampPan,
  createStageView,
  isTouched,
  type Size,
  type StageView,
  screenCorners,
  zoomAbout,
} from '../../core/pointer/stageView.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { LookButtons } from './LookButtons.tsx';
import { RULER_PX, Ruler, UnitButton } from './Rulers.tsx';
import { SelectProduct } from './SelectProduct.tsx';
import { Stage } from './Stage.tsx';

const loadHandles = () => import('./Handles.tsx').then(({ Handles }) => ({ default: Handles }));
const Handles = lazy(loadHandles);

const loadLook = () => import('./TraceLook.tsx');
const TraceLookBelow = lazy(() => loadLook().then(({ TraceLookBelow }) => ({ default: TraceLookBelow })));
const TraceLookAbove = lazy(() => loadLook().then(({ TraceLookAbove }) => ({ default: TraceLookAbove })));

/** There is nothing to take hold of or to look into before a product is chosen: both are fetched behind the first paint. */
function useHandlesSoon(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of [loadHandles, loadLook]) load().catch(() => undefined); // asked for again when it is shown
    }, 200);
    return () => clearTimeout(timer);
  }, []);
}

/** Fills its container. `Marks` is drawn over the elements, for what the host wants pointed out. */
export function Canvas({
  className = '',
  Marks,
}: {
  className?: string;
  Marks?: ComponentType<{ view: StageView }> | undefined;
}) {
  const stage = useRef<HTMLDivElement>(null);
  const size = useSize(stage);
  const view = useStageView(size);
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const isLooking = useEditorState(({ look }) => look !== plainLook);
  const { guides, band, hovered, cursor, hitPx, handlers } = usePointers(stage, view, size);
  const keyHandlers = useKeys();
  useHandlesSoon();

  return (
    <div className={`relative min-h-0 min-w-0 overflow-hidden bg-bone ${className}`}>
      <div
        ref={stage}
        // Screen readers hand their keys over here; everything is also in the list of elements.
        role="application"
        aria-label="Stage. Tab chooses an element, arrow keys move it."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move what is selected here
        tabIndex={0}
        {...handlers}
        {...keyHandlers}
        className="absolute touch-none overflow-hidden select-none focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
        style={{ top: RULER_PX, left: RULER_PX, right: 0, bottom: 0, cursor }}
      >
        {view &&
          (hasProduct ? (
            <Stage view={view} />
          ) : (
            <SelectProduct advice="Choose a blank in step 2. It appears here at its true size." />
          ))}
        {view && size && isLooking && (
          <Suspense>
            <TraceLookBelow view={view} size={size} />
          </Suspense>
        )}
        {view && hasProduct && Marks && <Marks view={view} />}
        {view && hasProduct && <Overlay {...{ view, guides, band, hovered, hitPx }} />}
      </div>
      {view && size && isLooking && (
        <div className="pointer-events-none absolute" style={{ top: RULER_PX, left: RULER_PX, right: 0, bottom: 0 }}>
          <Suspense>
            <TraceLookAbove view={view} size={size} />
          </Suspense>
        </div>
      )}
      {hasProduct && <LookButtons className="absolute top-7 right-2" />}
      {view && size && <StageRulers view={view} size={size} />}
      <UnitButton />
      <Announcer />
    </div>
  );
}

function Overlay({
  view,
  guides,
  band,
  hovered,
  hitPx,
}: {
  view: StageView;
  guides: Guides | undefined;
  band: Band | undefined;
  hovered: string | undefined;
  hitPx: number;
}) {
  const scene = useEditorState((state) => state.scene);
  const isAreaSelected = useEditorState((state) => state.selection === 'machineArea');
  const selected = useEditorState((state) => state.selected);
  const unit = useEditorState((state) => state.unit);
  const isGesturing = useEditorState((state) => state.isGesturing);
  const isLocked = useEditorState(
    ({ composition, selection: chosen }) => findElement(composition, chosen ?? '')?.isLocked ?? false,
  );
  return (
    <Suspense>
      <Handles
        {...{ view, scene, isAreaSelected, selected, hovered, guides, band, unit, isGesturing, isLocked, hitPx }}
      />
    </Suspense>
  );
}

function StageRulers({ view, size }: { view: StageView; size: Size }) {
  const scene = useEditorState((state) => state.scene);
  const selected = useEditorState((state) => state.selected);
  const area = areaCorners(view, scene);
  const corners = scene.groups
    .filter(({ elementId }) => selected.includes(elementId as ElementId))
    .flatMap((group) => screenCorners(view, group));
  const covered = corners.length > 0 ? corners : undefined;
  const props = (axis: 'x' | 'y') => ({
    axis,
    pxPerMm: view.pxPerMm,
    zeroPx: Math.min(...area.map((corner) => corner[axis])),
    from: covered && Math.min(...covered.map((corner) => corner[axis])),
    to: covered && Math.max(...covered.map((corner) => corner[axis])),
  });
  return (
    <>
      <Ruler {...props('x')} lengthPx={size.width} />
      <Ruler {...props('y')} lengthPx={size.height} />
    </>
  );
}

/** The stage's size. Rounded, so that a scrollbar or a fraction of a pixel cannot start a loop. */
function useSize(element: React.RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const width = Math.floor(entry.contentRect.width);
      const height = Math.floor(entry.contentRect.height);
      setSize((before) => (before?.width === width && before.height === height ? before : { width, height }));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

function useStageView(size: Size | undefined): StageView | undefined {
  const scene = useEditorState((state) => state.scene);
  const zoom = useEditorState((state) => state.zoom);
  const pan = useEditorState((state) => state.pan);
  return size && size.width > 0 && size.height > 0 ? createStageView(size, scene, zoom, pan) : undefined;
}

/** A press turns into a gesture once it has gone this far: a click does not move anything. */
const THRESHOLD_PX = 3;
const HIT_PX = { mouse: 26, touch: 44 } as const;
const TOUCH_TOLERANCE_PX = 10;

type Press =
  /** `onClick`: what the press meant if it goes nowhere. */
  | { kind: 'gesture'; pointerId: number; grip: Grip; start: Point; gesture: Gesture | undefined; onClick(): void }
  /** `base`: what was chosen already and stays so. */
  | { kind: 'band'; pointerId: number; start: Point; base: readonly ElementId[]; isDrawn: boolean }
  | { kind: 'pan'; pointerId: number; start: Point; pan: Point }
  | { kind: 'pinch'; distance: number; middle: Point; zoom: number; pan: Point };

function usePointers(
  stage: React.RefObject<HTMLDivElement | null>,
  view: StageView | undefined,
  size: Size | undefined,
) {
  const editor = useEditor();
  const zoom = useEditorState((state) => state.zoom);
  const [guides, setGuides] = useState<Guides>();
  const [band, setBand] = useState<Band>();
  const [hovered, setHovered] = useState<string>();
  const [isPanning, setIsPanning] = useState(false);
  const [isSpaceHeld, setIsSpaceHeld] = useState(false);
  const [hitPx, setHitPx] = useState<number>(HIT_PX.mouse);
  const press = useRef<Press>(undefined);
  const box = useRef<DOMRect>(undefined);
  const fingers = useRef(new Map<number, Point>());
  const pending = useRef<{ frame: number; apply(): void }>(undefined);
  /** What the handlers below see: always the newest. */
  const latest = useRef({ view, size });
  latest.current = { view, size };

  const at = (event: { clientX: number; clientY: number }): Point => {
    // Measured once per press: the stage does not move under a pressed pointer, and measuring waits for layout.
    if (!press.current || !box.current) box.current = stage.current!.getBoundingClientRect();
    return { x: event.clientX - box.current.left, y: event.clientY - box.current.top };
  };

  /** At most one update a frame, whatever the mouse's rate. */
  const schedule = (apply: () => void) => {
    if (pending.current) {
      pending.current.apply = apply;
      return;
    }
    const frame = requestAnimationFrame(() => {
      const { current } = pending;
      pending.current = undefined;
      current?.apply();
    });
    pending.current = { frame, apply };
  };
  const flush = () => {
    const { current } = pending;
    if (!current) return;
    cancelAnimationFrame(current.frame);
    pending.current = undefined;
    current.apply();
  };
  const drop = () => {
    if (pending.current) cancelAnimationFrame(pending.current.frame);
    pending.current = undefined;
  };

  const find = (point: Point, isTouch: boolean): string | undefined => {
    const { view: now } = latest.current;
    if (!now) return undefined;
    const { scene } = editor.getState();
    const picture = applyMatrix(now.toPicture, point);
    const { x, y } = now.originMm;
    return hitTest(scene, { x: picture.x - x, y: picture.y - y }, (isTouch ? TOUCH_TOLERANCE_PX : 2) / now.pxPerMm);
  };

  const startPinch = () => {
    const [a, b] = [...fingers.current.values()] as [Point, Point];
    const { zoom: from, pan, isGesturing } = editor.getState();
    if (isGesturing) editor.cancelGesture();
    drop();
    setGuides(undefined);
    setBand(undefined);
    press.current = { kind: 'pinch', distance: distance(a, b), middle: middle(a, b), zoom: from, pan };
  };

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (!latest.current.view) return;
    const point = at(event);
    const isTouch = event.pointerType !== 'mouse';
    setHitPx(isTouch ? HIT_PX.touch : HIT_PX.mouse);
    stage.current?.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') {
      fingers.current.set(event.pointerId, point);
      if (fingers.current.size === 2) {
        startPinch();
        return;
      }
      if (fingers.current.size > 2) return;
    }
    if (press.current) return;
    const { zoom: now, pan } = editor.getState();
    const startPan = () => {
      press.current = { kind: 'pan', pointerId: event.pointerId, start: point, pan };
      setIsPanning(true);
    };
    if (event.button === 1 || isSpaceHeld) {
      event.preventDefault();
      startPan();
      return;
    }
    if (event.button !== 0) return;

    const grip = readGrip(
      (event.target as Element).closest('[data-grip]')?.getAttribute('data-grip'),
      editor.getState(),
    );
    if (grip === 'area') {
      editor.select('machineArea');
      return;
    }
    const found = grip ? undefined : (find(point, isTouch) as ElementId | undefined);
    const isAdding = event.shiftKey || event.ctrlKey || event.metaKey;
    const { pointerId } = event;
    if (!grip && !found) {
      if (!isAdding) editor.select(undefined);
      if (now > 1 && !event.shiftKey) startPan();
      else press.current = { kind: 'band', pointerId, start: point, base: editor.getState().selected, isDrawn: false };
      return;
    }
    if (grip?.kind === 'area') editor.select('machineArea');
    const onClick = found ? choose(found, isAdding) : () => undefined;
    // What is locked can be chosen and stays where it is.
    if (found && findElement(editor.getState().composition, found)?.isLocked) {
      onClick();
      return;
    }
    const moved = editor.getState().selected;
    press.current = {
      kind: 'gesture',
      pointerId,
      grip: grip ?? { kind: 'move', elementIds: moved },
      start: point,
      gesture: undefined,
      onClick,
    };
  };

  /**
   * Chooses what was pressed, so that a drag moves it. One of several that are chosen takes the others along: whether it
   * is to be the only one, or one less, shows when the pointer goes up without a drag. Gives that.
   */
  const choose = (found: ElementId, isAdding: boolean): (() => void) => {
    const { selected } = editor.getState();
    const others = selected.filter((id) => id !== found);
    const isChosen = others.length < selected.length;
    if (isAdding && isChosen) return () => editor.selectElements(others);
    if (isAdding) editor.selectElements([...selected, found]);
    else if (isChosen && others.length > 0) return () => editor.select(found);
    else editor.select(found);
    return () => undefined;
  };

  const onDoubleClick = (event: MouseEvent<HTMLDivElement>) => {
    const found = find(at(event), false);
    if (found?.startsWith('text:')) editor.editText(found.slice('text:'.length));
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const { view: now, size: stageSize } = latest.current;
    if (!now || !stageSize) return;
    const point = at(event);
    if (fingers.current.has(event.pointerId)) fingers.current.set(event.pointerId, point);
    const { current } = press;
    if (!current) {
      if (event.pointerType === 'mouse' && event.buttons === 0) {
        const grip = (event.target as Element).closest('[data-grip]');
        const found = grip ? undefined : find(point, false);
        if (found !== hovered) setHovered(found);
      }
      return;
    }
    if (current.kind === 'pinch') {
      if (fingers.current.size < 2) return;
      // Read now: by the next frame a finger may have been lifted.
      const [a, b] = [...fingers.current.values()] as [Point, Point];
      schedule(() => {
        const to = middle(a, b);
        const wanted = Math.min(3, Math.max(0.25, (current.zoom * distance(a, b)) / current.distance));
        const about = zoomAbout(stageSize, current, wanted, current.middle);
        const pan = { x: about.pan.x + to.x - current.middle.x, y: about.pan.y + to.y - current.middle.y };
        editor.setView({ zoom: wanted, pan: clampPan(stageSize, pan, wanted) });
      });
      return;
    }
    if (current.pointerId !== event.pointerId) return;
    if (current.kind === 'pan') {
      const pan = { x: current.pan.x + point.x - current.start.x, y: current.pan.y + point.y - current.start.y };
      schedule(() => {
        const { zoom: level } = editor.getState();
        editor.setView({ zoom: level, pan: clampPan(stageSize, pan, level) });
      });
      return;
    }
    if (current.kind === 'band') {
      if (!current.isDrawn && distance(point, current.start) < THRESHOLD_PX) return;
      current.isDrawn = true;
      schedule(() => {
        const drawn = { from: current.start, to: point };
        setBand(drawn);
        const { scene, composition } = editor.getState();
        // What is locked is let be: most often it is the ground the others lie on.
        const touched = scene.groups
          .filter(({ elementId }) => !findElement(composition, elementId)?.isLocked)
          .filter((group) => isTouched(screenCorners(now, group), drawn));
        editor.selectElements([...current.base, ...touched.map(({ elementId }) => elementId as ElementId)]);
      });
      return;
    }
    if (!current.gesture) {
      if (distance(point, current.start) < THRESHOLD_PX) return;
      editor.beginGesture();
      const { composition, scene } = editor.getState();
      current.gesture = startGesture(current.grip, applyMatrix(now.toPicture, current.start), composition, scene);
    }
    const { gesture } = current;
    const modifiers = { shift: event.shiftKey, alt: event.altKey };
    schedule(() => {
      if (!editor.getState().isGesturing) return;
      const { view: fresh } = latest.current;
      if (!fresh) return;
      const step = gestureCommand(gesture, applyMatrix(fresh.toPicture, point), modifiers, SNAP_PX / fresh.pxPerMm);
      if (!step) return;
      editor.updateGesture(step.command);
      setGuides((before) => (isSameGuides(before, step.guides) ? before : step.guides));
    });
  };

  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    fingers.current.delete(event.pointerId);
    const { current } = press;
    if (!current) return;
    if (current.kind === 'pinch') {
      flush();
      if (fingers.current.size === 0) press.current = undefined;
      return;
    }
    if (current.pointerId !== event.pointerId) return;
    flush();
    press.current = undefined;
    setIsPanning(false);
    setGuides(undefined);
    setBand(undefined);
    if (current.kind !== 'gesture') return;
    if (current.gesture) editor.commitGesture();
    else current.onClick();
  };

  const onPointerCancel = (event: PointerEvent<HTMLDivElement>) => {
    fingers.current.delete(event.pointerId);
    const { current } = press;
    if (!current || (current.kind !== 'pinch' && current.pointerId !== event.pointerId)) return;
    drop();
    press.current = undefined;
    setIsPanning(false);
    setGuides(undefined);
    setBand(undefined);
    if (current.kind === 'gesture') editor.cancelGesture();
  };

  // Wheel listeners of React are passive: the page would zoom with the product.
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      const { size: stageSize } = latest.current;
      if (!stageSize) return;
      const state = editor.getState();
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const box = element.getBoundingClientRect();
        const point = { x: event.clientX - box.left, y: event.clientY - box.top };
        const lines = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
        const wanted = Math.min(3, Math.max(0.25, state.zoom * Math.exp(-lines * 0.004)));
        const { pan } = zoomAbout(stageSize, state, wanted, point);
        editor.setView({ zoom: wanted, pan: wanted === state.zoom ? state.pan : clampPan(stageSize, pan, wanted) });
      } else if (state.zoom > 1) {
        event.preventDefault();
        const pan = { x: state.pan.x - event.deltaX, y: state.pan.y - event.deltaY };
        editor.setView({ zoom: state.zoom, pan: clampPan(stageSize, pan, state.zoom) });
      }
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [editor, stage]);

  // Space turns the pointer into a hand, but only while nothing that wants a space has the focus.
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== ' ') return;
      const isDown =
        event.type === 'keydown' &&
        (document.activeElement === stage.current || document.activeElement === document.body);
      if (isDown) event.preventDefault();
      setIsSpaceHeld(isDown);
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener('keyup', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('keyup', onKey);
    };
  }, [stage]);

  const isHoveredLocked = useEditorState(
    ({ composition }) => findElement(composition, hovered ?? '')?.isLocked ?? false,
  );
  const isHand = isPanning || isSpaceHeld;
  const cursor = isHand
    ? isPanning
      ? 'grabbing'
      : 'grab'
    : hovered && !isHoveredLocked
      ? 'move'
      : zoom > 1
        ? 'grab'
        : 'default';
  return {
    guides,
    band,
    hovered,
    cursor,
    hitPx,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel,
      onPointerLeave: () => setHovered(undefined),
      onDoubleClick,
    },
  };
}

/** `move` is not among them: elements are found by where they are. `area` alone selects the machine area. */
function readGrip(
  text: string | null | undefined,
  { selected, assets: { product } }: EditorState,
): Grip | 'area' | undefined {
  if (!text) return undefined;
  const [kind, corner] = text.split(':');
  if (kind === 'area') {
    if (corner === undefined || !product) return 'area';
    const { printArea, pictureAspect } = product;
    return { kind, corner: Number(corner) as Corner, printArea, pictureAspect };
  }
  const [elementId] = selected;
  if (!elementId) return undefined;
  if (kind === 'rotate') return { kind, elementId };
  if (kind === 'resize') return { kind, elementId, corner: Number(corner) as Corner };
  return undefined;
}

const isSameGuides = (a: Guides | undefined, b: Guides) => JSON.stringify(a) === JSON.stringify(b);

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** Keys of the stage on the stage; undo, redo and zoom everywhere but in text fields. */
function useKeys() {
  const editor = useEditor();
  /** A held arrow key is one undo step. */
  const isHolding = useRef(false);

  const perform = (action: Action, isRepeat: boolean) => {
    switch (action.kind) {
      case 'command':
        if (!action.isRepeatable) {
          dispatchAndChoose(editor, action.command);
        } else {
          if (!isRepeat || !editor.getState().isGesturing) editor.beginGesture();
          isHolding.current = true;
          editor.stepGesture(action.command);
        }
        break;
      case 'zoom':
        editor.setZoom(action.zoom, { min: 0.5, max: 3 });
        break;
      case 'select':
        editor.select(action.selection);
        break;
      case 'selectElements':
        editor.selectElements(action.elementIds);
        break;
      case 'editText':
        editor.editText(action.id);
        break;
      case 'look': {
        const { scene, look } = editor.getState();
        if (findTrace(scene)) editor.setLook(toggleLook(look, action.at));
        break;
      }
      case 'undo':
        editor.undo();
        break;
      case 'redo':
        editor.redo();
        break;
      case 'escape':
        if (editor.getState().isGesturing) editor.cancelGesture();
        else editor.select(undefined);
        break;
    }
  };
  const release = () => {
    if (!isHolding.current) return;
    isHolding.current = false;
    editor.commitGesture();
  };

  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || isTextField(event.target)) return;
      const action = globalAction(event, editor.getState().zoom);
      if (!action) return;
      event.preventDefault();
      if (action.kind === 'undo') editor.undo();
      else if (action.kind === 'redo') editor.redo();
      else if (action.kind === 'zoom') editor.setZoom(action.zoom, { min: 0.5, max: 3 });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [editor]);

  return {
    onKeyDown(event: KeyboardEvent) {
      const action = stageAction(event, editor.getState());
      if (!action) return;
      event.preventDefault();
      perform(action, event.repeat);
    },
    onKeyUp: release,
    onBlur: release,
  };
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !['radio', 'checkbox', 'range', 'color', 'file'].includes(target.type);
}

const ANNOUNCE_MS = 500;

/** Says where the selected element is once it has come to rest. */
function Announcer() {
  const selection = useEditorState((state) => state.selection);
  const scene = useEditorState((state) => state.settledScene);
  const unit = useEditorState((state) => state.unit);
  const selected = useEditorState((state) => state.selected);
  const group = scene.groups.find(({ elementId }) => elementId === selection);
  const size = { width: scene.widthMm, height: scene.heightMm };
  const common = commonSize(scene, selected);
  const wanted =
    selected.length > 1
      ? [`${selected.length} elements selected`, common && formatSize(common, unit)].filter(Boolean).join(', ')
      : group
        ? describeElement(scene, group, unit)
        : selection === 'machineArea'
          ? `Machine area, ${formatSize(size, unit)}`
          : '';
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(wanted), ANNOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}
