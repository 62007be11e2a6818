/** The stage: shows the product with everything on it and turns fingers, mouse, pen and keys into commands. */
import { lazyPart } from '@markwright/controls';
import { boxAround, findElement, type Point, type Scene } from '@markwright/scene';
import { type ComponentType, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { EditorState, ElementId } from '../../core/document/editor.ts';
import { roundViewOf } from '../../core/document/roundView.ts';
import { defaultViewOptions } from '../../core/document/viewOptions.ts';
import { hasWhiteLayer } from '../../core/export/whiteLayer.ts';
import { surfaceScale } from '../../core/pointer/rulers.ts';
import type { Guides } from '../../core/pointer/snapping.ts';
import {
  areaCorners,
  type Inset,
  type Marquee,
  type Size,
  type StageView,
  sceneToScreen,
  screenCorners,
} from '../../core/pointer/stageView.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { Announcer } from './Announcer.tsx';
import { RULER_PX, Ruler, UnitButton } from './Rulers.tsx';
import { SelectProduct } from './SelectProduct.tsx';
import { Stage } from './Stage.tsx';
import { type FloatingProps, StageControls } from './StageControls.tsx';
import { StageToolbar } from './StageToolbar.tsx';
import { useActions } from './useActions.ts';
import { useKeys } from './useKeys.ts';
import { usePointers } from './usePointers.ts';
import { useStageView } from './useStageView.ts';
import { ViewButtons } from './ViewButtons.tsx';

const loadHandles = () => import('./Handles.tsx').then(({ Handles }) => ({ default: Handles }));
const Handles = lazyPart(loadHandles);

const TextEditor = lazyPart(() => import('./TextEditor.tsx').then(({ TextEditor }) => ({ default: TextEditor })));
const StageMenu = lazyPart(() => import('./StageMenu.tsx').then(({ StageMenu }) => ({ default: StageMenu })));

const loadOverlays = () => import('./TraceOverlays.tsx');
const TraceOverlaysBelow = lazyPart(() =>
  loadOverlays().then(({ TraceOverlaysBelow }) => ({ default: TraceOverlaysBelow })),
);
const TraceOverlaysAbove = lazyPart(() =>
  loadOverlays().then(({ TraceOverlaysAbove }) => ({ default: TraceOverlaysAbove })),
);

const UnrolledLayer = lazyPart(() =>
  import('./UnrolledLayer.tsx').then(({ UnrolledLayer }) => ({ default: UnrolledLayer })),
);
const WhiteLayer = lazyPart(() => import('./WhiteLayer.tsx').then(({ WhiteLayer }) => ({ default: WhiteLayer })));

/**
 * Loads handles and overlays after the first paint: there is nothing to hold or to look into before a product is
 * chosen.
 */
function useHandlesSoon(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of [loadHandles, loadOverlays]) load().catch(() => undefined); // `lazyPart` tries again
    }, 200);
    return () => clearTimeout(timer);
  }, []);
}

const noInset: Inset = { left: 0, top: 0, right: 0, bottom: 0 };

export interface CanvasProps {
  className?: string;
  /** Drawn over the elements, for what the host wants to point out. */
  Marks?: ComponentType<{ view: StageView }> | undefined;
  /** How far cards of the host cover the stage from each side, in px. The product fits into what they leave free. */
  inset?: Inset | undefined;
  /** Elements are placed here and nothing else: there is no menu, and words are edited beside the stage. */
  placesOnly?: boolean | undefined;
  /** Shows the buttons for zoom, undo and redo on the stage, and a bar with the most frequent acts at the selection. */
  hasControls?: boolean | undefined;
  /**
   * With `hasControls`: the element of the host that holds undo, redo and the acts, in reach of thumbs; null until it
   * is there.
   */
  toolbar?: HTMLElement | null | undefined;
  /** With `hasControls`: floats over the stage, clear of what is on it. */
  Floating?: ComponentType<FloatingProps> | undefined;
}

/** The stage with rulers. Fills its container. */
export function Canvas({
  className = '',
  Marks,
  Floating,
  inset = noInset,
  placesOnly = false,
  hasControls = false,
  toolbar,
}: CanvasProps) {
  const editor = useEditor();
  const stage = useRef<HTMLDivElement>(null);
  const size = useSize(stage);
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const view = useStageView(size, inset);
  const hasOverlays = useEditorState(({ viewOptions }) => viewOptions !== defaultViewOptions);
  const showsWhite = useEditorState((state) => state.showsWhite && hasWhiteLayer(state));
  const showsUnrolled = useEditorState((state) => roundViewOf(state) === 'unrolled');
  const [editedId, setEditedId] = useState<string>();
  const [menuAt, setMenuAt] = useState<Point>();
  const editText = (id: string) => {
    if (placesOnly) return;
    editor.selectMember(`text:${id}`);
    setEditedId(id);
  };
  const openMenu = (at: Point) => placesOnly || setMenuAt(at);
  const perform = useActions(view, { editText, openMenu: () => view && openMenu(menuPlace(view, editor.getState())) });
  const { guides, marquee, hoveredId, cursor, hitPx, handlers } = usePointers(stage, view, {
    perform,
    openMenu,
  });
  const keyHandlers = useKeys(perform);
  const focusStage = () => stage.current?.focus({ preventScroll: true });
  useHandlesSoon();

  return (
    <div
      // On a low phone the stage needs the height of the ruler along its top.
      className={`relative min-h-0 min-w-0 overflow-hidden bg-bone [--ruler-top:24px] max-sm:low:[--ruler-top:0px] ${className}`}
    >
      <div
        ref={stage}
        // Screen readers hand their keys over here; everything is also in the list of elements.
        role="application"
        aria-label="Stage. Tab chooses an element, arrow keys move it."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move what is selected here
        tabIndex={0}
        {...handlers}
        {...keyHandlers}
        className="absolute touch-none overflow-hidden select-none [-webkit-touch-callout:none] focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
        style={{ ...stageBox, cursor }}
      >
        {view &&
          (hasProduct ? (
            <Stage view={view} editedId={editedId} />
          ) : (
            <SelectProduct advice="Choose a blank in step 2. It appears here at its true size." />
          ))}
        {view && size && hasOverlays && (
          <Suspense>
            <TraceOverlaysBelow view={view} size={size} />
          </Suspense>
        )}
        {view && showsUnrolled && (
          <Suspense>
            <UnrolledLayer view={view} isBelowWhite={showsWhite} />
          </Suspense>
        )}
        {view && size && showsWhite && (
          <Suspense>
            <WhiteLayer view={view} size={size} />
          </Suspense>
        )}
        {view && hasProduct && Marks && <Marks view={view} />}
        {view && hasProduct && (
          <Overlay {...{ view, guides, marquee, hoveredId, hitPx }} isEditing={editedId !== undefined} />
        )}
      </div>
      {view && size && hasOverlays && (
        <div className="pointer-events-none absolute" style={stageBox}>
          <Suspense>
            <TraceOverlaysAbove view={view} size={size} />
          </Suspense>
        </div>
      )}
      {hasProduct && !hasControls && <ViewButtons className="absolute top-7 right-2" />}
      {view && hasProduct && (
        <div className="pointer-events-none absolute overflow-hidden" style={stageBox}>
          {hasControls && (
            <StageControls
              {...{ view, hitPx, perform, Floating }}
              hasToolbar={toolbar !== undefined}
              hasSelectionBar={toolbar === undefined && editedId === undefined}
            />
          )}
          <Suspense>
            {editedId !== undefined && (
              <TextEditor
                key={editedId}
                id={editedId}
                view={view}
                onEnd={(keepsFocus) => {
                  setEditedId(undefined);
                  if (keepsFocus) focusStage();
                }}
              />
            )}
            {menuAt && (
              <StageMenu
                at={menuAt}
                perform={perform}
                onClose={() => {
                  setMenuAt(undefined);
                  focusStage();
                }}
              />
            )}
          </Suspense>
        </div>
      )}
      {toolbar && hasProduct && createPortal(<StageToolbar perform={perform} />, toolbar)}
      {view && <StageRulers view={view} inset={inset} />}
      <UnitButton inset={inset} />
      <Announcer />
    </div>
  );
}

/** The stage lies beside the rulers. */
const stageBox = { top: 'var(--ruler-top)', left: RULER_PX, right: 0, bottom: 0 } as const;

/** Returns the point at which the menu of the selected elements opens by a key. */
function menuPlace(view: StageView, { scene, selectedIds }: EditorState): Point {
  const box = boxAround(scene.groups.filter(({ elementId }) => selectedIds.includes(elementId as ElementId)));
  if (!box) return view.middle;
  return sceneToScreen(view, { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });
}

function Overlay({
  view,
  guides,
  marquee,
  hoveredId,
  hitPx,
  isEditing,
}: {
  view: StageView;
  guides: Guides | undefined;
  marquee: Marquee | undefined;
  hoveredId: string | undefined;
  hitPx: number;
  /** A text is edited in place: its grips would lie over the field. */
  isEditing: boolean;
}) {
  const scene = useEditorState((state) => state.scene);
  const isAreaSelected = useEditorState((state) => state.selection === 'machineArea');
  const selectedIds = useEditorState((state) => state.selectedIds);
  const unit = useEditorState((state) => state.unit);
  const isGesturing = useEditorState((state) => state.isGesturing);
  const isLocked = useEditorState(({ composition, selectedIds }) =>
    selectedIds.every((id) => findElement(composition, id)?.isLocked),
  );
  return (
    <Suspense>
      <Handles
        {...{
          view,
          scene,
          isAreaSelected,
          selectedIds,
          hoveredId,
          guides,
          marquee,
          unit,
          isGesturing,
          isLocked: isLocked || isEditing,
          hitPx,
        }}
      />
    </Suspense>
  );
}

/** The rulers lie along the part of the stage that no card covers. */
function StageRulers({ view, inset }: { view: StageView; inset: Inset }) {
  const scene = useEditorState((state) => state.scene);
  const selectedIds = useEditorState((state) => state.selectedIds);
  const corners = scene.groups
    .filter(({ elementId }) => selectedIds.includes(elementId as ElementId))
    .flatMap((group) => screenCorners(view, group));
  const selectedCorners = corners.length > 0 ? corners : undefined;
  const { free } = view;
  const area = areaCorners(view, scene);
  const scales = useRulerScales(view, scene, area);
  const props = (axis: 'x' | 'y', start: number, end: number) => ({
    axis,
    inset,
    lengthPx: Math.round(end - start),
    pxPerMm: view.pxPerMm,
    zeroPx: Math.min(...area.map((corner) => corner[axis])) - start,
    scale: scales?.[axis],
    from: selectedCorners && Math.min(...selectedCorners.map((corner) => corner[axis])) - start,
    to: selectedCorners && Math.max(...selectedCorners.map((corner) => corner[axis])) - start,
  });
  return (
    <>
      <Ruler {...props('x', free.left, free.right)} />
      <Ruler {...props('y', free.top, free.bottom)} />
    </>
  );
}

/** Returns where the rulers have their lengths on a round blank: the same while view and machine area are. */
function useRulerScales(view: StageView, scene: Scene, area: readonly Point[]) {
  const { surface, toScreen, free } = view;
  const key = JSON.stringify([toScreen, area, free.left, free.top]);
  return useMemo(
    () =>
      surface && {
        x: surfaceScale(view, scene, 'x', free.left),
        y: surfaceScale(view, scene, 'y', free.top),
      },
    [key, surface],
  );
}

/** Returns the stage's size, rounded, so that a scrollbar or a fraction of a pixel cannot start a loop. */
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
