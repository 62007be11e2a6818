import { Button, IconButton, Slider } from '@markwright/controls';
import { type Bounds, hasContent } from '@markwright/scene';
import { type ComponentProps, type CSSProperties, type PointerEvent, useEffect, useRef, useState } from 'react';
import { capturePreview, createSnapshot, SNAPSHOT } from '../../core/document/snapshot.ts';
import { isTurnable, turnOf } from '../../core/document/turn.ts';
import { boundsOf, isOverlapping } from '../../core/pointer/bounds.ts';
import { type PreviewPlace, placePreview, productBounds } from '../../core/pointer/previewPlace.ts';
import { type StageView, screenCorners } from '../../core/pointer/stageView.ts';
import { useEditor, useEditorState, useStore } from '../EditorProvider.tsx';
import { createBlankWrapper } from '../stage/blankWrapper.ts';
import { type FloatingProps, useMeasuredSize } from '../stage/StageControls.tsx';
import { SvgNodeView } from '../stage/SvgNodeView.tsx';
import { useRested } from '../stage/useRested.ts';

const SIZES_PX = { small: 176, expanded: 400 } as const;
type Size = keyof typeof SIZES_PX;

const HEADER_PX = 36;
/** The border of the window, on both sides. */
const BORDER_PX = 2;
const sizeOf = (px: number) => ({ width: px + BORDER_PX, height: px + HEADER_PX + BORDER_PX });

/** Shown once something is on a product; hidden during an export. */
function useIsShown(): boolean {
  const hasSomething = useEditorState(
    ({ composition }) => composition.productId !== undefined && hasContent(composition),
  );
  const isExporting = useEditorState((state) => state.isExporting);
  return hasSomething && !isExporting;
}

/** The mockup of the present product, in the flow of the page. */
export function LivePreview({ className = '' }: { className?: string }) {
  const isShown = useIsShown();
  const [size, setSize] = useState<Size>('small');
  const [isClosed, setIsClosed] = useState(false);
  if (!isShown || isClosed) return null;
  return <Window size={size} onSize={setSize} onClose={() => setIsClosed(true)} className={className} />;
}

/**
 * The mockup of the present product, floating over the stage: what the stage shows without handles, brackets and zoom.
 * It keeps clear of the product, of the selection and of the buttons, and folds to a chip where there is no room.
 */
export function FloatingPreview(props: FloatingProps) {
  const isShown = useIsShown();
  const [isClosed, setIsClosed] = useState(false);
  return isShown && !isClosed ? <Floating {...props} onClose={() => setIsClosed(true)} /> : null;
}

function Floating({ view, obstacles, onPlace, onClose }: FloatingProps & { onClose(): void }) {
  const [size, setSize] = useState<Size>('small');
  /** The selection that a person expanded the preview over. */
  const [askedOver, setAskedOver] = useState<string>();
  const selection = useEditorState((state) => state.selectedIds.join());
  const isGesturing = useEditorState((state) => state.isGesturing);
  const [chip, chipSize] = useMeasuredSize();
  const request = { isExpanded: size === 'expanded', isAsked: askedOver === selection };
  const sizes = { small: sizeOf(SIZES_PX.small), expanded: sizeOf(SIZES_PX.expanded), chip: chipSize };
  const elements = useElementBounds(view);
  const nextPlace = placePreview(view, sizes, request, { obstacles, elements });
  // What is dragged does not push it around, nor do the steps of a zoom: it is away while it would lie over something.
  const isMoving = useIsMoving();
  const isHeld = isMoving || isGesturing;
  const lastPlace = useRef<PreviewPlace>(undefined);
  const { free } = view;
  const isHoldable = ({ box }: PreviewPlace) => box.right <= free.right && box.bottom <= free.bottom;
  // A stage that became smaller has another place for it at once.
  const place = isHeld && lastPlace.current && isHoldable(lastPlace.current) ? lastPlace.current : nextPlace;
  useEffect(() => {
    lastPlace.current = place;
  });
  const isOver = (boxes: readonly Bounds[]) => place && boxes.some((each) => isOverlapping(each, place.box));
  const isLeaving = isMoving && !isSamePlace(place, nextPlace);
  const isAway = !place || (isHeld && isOver(obstacles)) || (isLeaving && isOver([...elements, productBounds(view)]));
  const { left = 0, top = 0, right = 0, bottom = 0 } = (isAway ? undefined : place?.box) ?? {};
  useEffect(() => {
    onPlace(right > left ? { left, top, right, bottom } : undefined);
    return () => onPlace(undefined);
  }, [left, top, right, bottom, onPlace]);

  const expand = (next: Size) => {
    setSize(next);
    setAskedOver(next === 'expanded' ? selection : undefined);
  };
  const style = { left: Math.round(left), top: Math.round(top) };
  const className = `pointer-events-auto absolute ${isAway ? 'invisible' : ''}`;
  if (place && place.form !== 'chip') {
    return <Window size={place.form} onSize={expand} onClose={onClose} className={className} style={style} />;
  }
  return (
    <aside aria-label="Live Preview" className={className} style={style}>
      <div ref={chip} className="w-max">
        <Button size="sm" icon="expand" onClick={() => expand('expanded')} className="rounded-card! shadow-float">
          Live Preview
        </Button>
      </div>
    </aside>
  );
}

const isSamePlace = (a: PreviewPlace | undefined, b: PreviewPlace | undefined) =>
  a?.form === b?.form && a?.box.left === b?.box.left && a?.box.top === b?.box.top;

/** A view that has not moved for so long has come to rest. */
const VIEW_REST_MS = 250;

/** Returns whether the view of the stage moves: another form of the preview costs more than a step of a zoom. */
function useIsMoving(): boolean {
  const position = useEditorState(({ zoom, pan }) => `${zoom} ${pan.x} ${pan.y}`);
  return useRested(position, VIEW_REST_MS) !== position;
}

function useElementBounds(view: StageView): readonly Bounds[] {
  const groups = useEditorState(({ scene }) => scene.groups);
  return groups.map((group) => boundsOf(screenCorners(view, group)));
}

function Window({
  size,
  onSize,
  onClose,
  className,
  style,
}: Pick<ComponentProps<'aside'>, 'className'> & {
  size: Size;
  onSize(size: Size): void;
  onClose(): void;
  style?: CSSProperties;
}) {
  const isSmall = size === 'small';
  return (
    <aside
      aria-label="Live Preview"
      className={`animate-float-in overflow-hidden rounded-card border border-line bg-paper shadow-float ${className}`}
      style={style}
    >
      <header className="flex h-9 items-center pr-1 pl-3">
        <h2 className="flex-1 text-xs font-medium">Live Preview</h2>
        <IconButton
          icon={isSmall ? 'expand' : 'collapse'}
          size="sm"
          label={isSmall ? 'Expand preview' : 'Shrink preview'}
          onClick={() => onSize(isSmall ? 'expanded' : 'small')}
        />
        <IconButton icon="close" size="sm" label="Close preview" onClick={onClose} />
      </header>
      <Picture sizePx={SIZES_PX[size]} />
    </aside>
  );
}

/** Follows the editor with the mockup of a blank that is turned by `turnDeg`. */
function useTurnedSnapshot(turnDeg: number) {
  const editor = useEditor();
  const turn = useRef(turnDeg);
  const [snapshot] = useState(() => {
    const wrapper = createBlankWrapper(() => snapshot.retake());
    const snapshot = createSnapshot(editor, () => capturePreview(editor, (scene) => wrapper.wrap(scene, turn.current)));
    return snapshot;
  });
  useEffect(() => snapshot.connect(), [snapshot]);
  useEffect(() => {
    if (turn.current === turnDeg) return;
    turn.current = turnDeg;
    snapshot.retake();
  }, [snapshot, turnDeg]);
  return useStore(snapshot, (state) => state);
}

/** Degrees for each pixel that a finger moves over the picture: half of a turn across an expanded one. */
const DEGREES_PER_PX = 180 / SIZES_PX.expanded;

/**
 * Returns the props with which a pointer turns a blank: along its rows, to the side, or upward for one that lies level.
 */
function useTurning(isLevel: boolean, turnDeg: number, onTurn: (degrees: number) => void) {
  const start = useRef<{ readonly at: number; readonly turnDeg: number }>(undefined);
  const stop = () => {
    start.current = undefined;
  };
  const placeOf = ({ clientX, clientY }: PointerEvent) => (isLevel ? -clientY : clientX);
  return {
    className: `cursor-grab active:cursor-grabbing ${isLevel ? 'touch-pan-x' : 'touch-pan-y'}`,
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { at: placeOf(event), turnDeg };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!start.current) return;
      onTurn(Math.round(start.current.turnDeg + (placeOf(event) - start.current.at) * DEGREES_PER_PX));
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  };
}

function Picture({ sizePx }: { sizePx: number }) {
  const editor = useEditor();
  const canTurn = useEditorState(({ scene }) => isTurnable(scene));
  const isLevel = useEditorState(({ scene }) => scene.backdrop?.surface?.form.axis === 'level');
  const turnDeg = useEditorState(turnOf);
  const onTurn = editor.setTurn;
  const node = useTurnedSnapshot(turnDeg);
  const { className: turningClass, ...turning } = useTurning(isLevel, turnDeg, onTurn);
  return (
    <div
      className="relative grid max-h-[70vh] max-w-[calc(100vw-2rem)] place-items-center bg-bone"
      style={{ width: sizePx, height: sizePx }}
    >
      {node ? (
        <div
          role="img"
          aria-label="Your product"
          {...(canTurn && turning)}
          // A layer of its own: what changes beside it would have all of its paths painted again. Lines as wide as on
          // the stage would run together in a picture this small.
          className={`will-change-transform ${canTurn ? turningClass : ''} ${sizePx === SIZES_PX.small ? '[&_[vector-effect]]:[stroke-width:0.6px]' : ''}`}
          style={{ width: `${SNAPSHOT.scale * 100}%`, height: `${SNAPSHOT.scale * 100}%` }}
        >
          <SvgNodeView node={node} />
        </div>
      ) : (
        <div className="size-1/2 animate-pulse rounded-card bg-ink/8" />
      )}
      {canTurn && sizePx === SIZES_PX.expanded && (
        <div className="absolute inset-x-6 bottom-2 flex items-center gap-3 text-xs">
          <span aria-hidden>Turn</span>
          <Slider
            label="Turn the product"
            {...{ value: turnDeg, min: -180, max: 180, step: 5, valueText: `${turnDeg}°`, onChange: onTurn }}
          />
          <span aria-hidden className="w-9 text-right tabular-nums">
            {turnDeg}°
          </span>
        </div>
      )}
    </div>
  );
}
