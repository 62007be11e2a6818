/** The quiet buttons on the stage: zoom at the bottom right; undo, redo and the looks at a trace at the top right. */
import { ButtonGroup, IconButton, Tooltip } from '@markwright/controls';
import { type Bounds, boxAround } from '@markwright/scene';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type ElementId, stepZoom, ZOOM } from '../../core/document/editor.ts';
import { isOverlapping, placeBar, selectionBounds } from '../../core/pointer/barPlace.ts';
import { type Size, type StageView, sceneToScreen, screenCorners, trueSizeZoom } from '../../core/pointer/stageView.ts';
import { boxCorners } from '../../core/pointer/transformSeveral.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import type { Perform } from './useActions.ts';
import { ViewButtons } from './ViewButtons.tsx';

const GAP_PX = 8;

interface StageControlsProps {
  view: StageView;
  hitPx: number;
  hasSelectionBar: boolean;
  perform: Perform;
}

/** Lies over the stage and lets everything through but its buttons, which keep clear of the selection's grips. */
export function StageControls({ view, hitPx, hasSelectionBar, perform }: StageControlsProps) {
  const selection = useSelectionBounds(view, hitPx);
  const isBusy = useEditorState((state) => state.isGesturing || state.isExporting);
  const [top, topSize] = useMeasuredSize();
  const [bottom, bottomSize] = useMeasuredSize();
  const [bar, barSize] = useMeasuredSize();
  const { free } = view;
  const topBox = placeInCorner(free, 'top', topSize, selection);
  const bottomBox = placeInCorner(free, 'bottom', bottomSize, selection);
  const hasBar = hasSelectionBar && !isBusy && selection !== undefined;
  const room = { left: free.left + GAP_PX, top: free.top + GAP_PX, right: free.right - GAP_PX, bottom: free.bottom };
  const barAt = hasBar && barSize.width > 0 ? placeBar(selection, barSize, room, [topBox, bottomBox]) : undefined;
  const at = ({ left, top }: { left: number; top: number }) => ({ left: Math.round(left), top: Math.round(top) });
  return (
    <>
      <div ref={top} className="pointer-events-auto absolute flex w-max gap-2" style={at(topBox)}>
        <HistoryGroup />
        <ViewButtons />
      </div>
      <div ref={bottom} className="pointer-events-auto absolute w-max max-sm:hidden" style={at(bottomBox)}>
        <ZoomGroup view={view} perform={perform} />
      </div>
      {hasBar && (
        <div
          ref={bar}
          className={`pointer-events-auto absolute w-max ${barAt ? '' : 'invisible'}`}
          style={barAt ? at({ left: barAt.x, top: barAt.y }) : undefined}
        >
          <SelectionBar />
        </div>
      )}
    </>
  );
}

/** Returns the box of buttons in the right corner, or in the left one where the selection's grips are in the way. */
function placeInCorner(free: Bounds, edge: 'top' | 'bottom', size: Size, selection: Bounds | undefined): Bounds {
  const top = edge === 'top' ? free.top + GAP_PX : free.bottom - GAP_PX - size.height;
  const boxAt = (left: number): Bounds => ({ left, top, right: left + size.width, bottom: top + size.height });
  const right = boxAt(free.right - GAP_PX - size.width);
  const left = boxAt(free.left + GAP_PX);
  const isCovered = (box: Bounds) => selection !== undefined && isOverlapping(box, selection);
  return isCovered(right) && !isCovered(left) ? left : right;
}

/** Returns the box around the selection with its grips, in screen px. */
function useSelectionBounds(view: StageView, hitPx: number): Bounds | undefined {
  const groups = useEditorState(({ scene }) => scene.groups);
  const selectedIds = useEditorState((state) => state.selectedIds);
  const selectedGroups = groups.filter(({ elementId }) => selectedIds.includes(elementId as ElementId));
  const [only, ...others] = selectedGroups;
  if (!only) return undefined;
  const corners =
    others.length === 0
      ? screenCorners(view, only)
      : boxCorners(boxAround(selectedGroups)!).map((corner) => sceneToScreen(view, corner));
  return selectionBounds(corners, hitPx);
}

/** Measures an element after each render, as its buttons come and go. */
function useMeasuredSize(): [RefObject<HTMLDivElement | null>, Size] {
  const element = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { offsetWidth: width, offsetHeight: height } = element.current ?? { offsetWidth: 0, offsetHeight: 0 };
    setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
  });
  return [element, size];
}

function HistoryGroup() {
  const editor = useEditor();
  const canUndo = useEditorState((state) => state.canUndo);
  const canRedo = useEditorState((state) => state.canRedo);
  return (
    <ButtonGroup label="History">
      <IconButton
        icon="undo"
        label="Undo"
        shortcut="Ctrl Z"
        tooltipSide="bottom"
        disabled={!canUndo}
        onClick={() => editor.undo()}
      />
      <IconButton
        icon="redo"
        label="Redo"
        shortcut="Ctrl Y"
        tooltipSide="bottom"
        disabled={!canRedo}
        onClick={() => editor.redo()}
      />
    </ButtonGroup>
  );
}

/** A step of the buttons leads to the next quarter, also from a pinched 113 %. */
const nextQuarter = (zoom: number) => (Math.floor(zoom / ZOOM.buttons.step + 1e-6) + 1) * ZOOM.buttons.step;
const lastQuarter = (zoom: number) => (Math.ceil(zoom / ZOOM.buttons.step - 1e-6) - 1) * ZOOM.buttons.step;

function ZoomGroup({ view, perform }: { view: StageView; perform: Perform }) {
  const editor = useEditor();
  const zoom = useEditorState((state) => state.zoom);
  const isFitted = useEditorState(({ zoom, pan }) => zoom === 1 && pan.x === 0 && pan.y === 0);
  const { min, max } = ZOOM.buttons;
  return (
    <ButtonGroup label="View">
      <IconButton
        icon="minus"
        label="Zoom out"
        shortcut="Ctrl −"
        disabled={zoom <= min}
        onClick={() => editor.setZoom(stepZoom(zoom, lastQuarter(zoom), ZOOM.buttons))}
      />
      <output aria-label="Zoom of the stage" className="measure w-12 text-center text-ink text-xs">
        {Math.round(zoom * 100)} %
      </output>
      <IconButton
        icon="plus"
        label="Zoom in"
        shortcut="Ctrl +"
        disabled={zoom >= max}
        onClick={() => editor.setZoom(stepZoom(zoom, nextQuarter(zoom), ZOOM.buttons))}
      />
      <WordButton
        tooltip="Fit the product into the stage"
        shortcut="Ctrl 0"
        label="Fit"
        isPressed={isFitted}
        onClick={() => perform({ kind: 'view', to: 'fit' })}
      />
      <WordButton
        tooltip="True size: an inch of the product is one CSS inch on this screen"
        label="1:1"
        isPressed={Math.abs(zoom - trueSizeZoom(view)) < 1e-6}
        onClick={() => perform({ kind: 'view', to: 'trueSize' })}
      />
    </ButtonGroup>
  );
}

function WordButton({
  tooltip,
  shortcut,
  label,
  isPressed,
  onClick,
}: {
  tooltip: string;
  shortcut?: string;
  label: ReactNode;
  isPressed: boolean;
  onClick(): void;
}) {
  return (
    <Tooltip label={tooltip} shortcut={shortcut}>
      <button
        type="button"
        aria-pressed={isPressed}
        onClick={onClick}
        className="measure h-8 min-w-8 px-2 text-ink text-xs transition-colors hover:bg-ink/6 focus-visible:outline-2 focus-visible:outline-accent aria-pressed:text-accent pointer-coarse:h-10 pointer-coarse:min-w-10"
      >
        {label}
      </button>
    </Tooltip>
  );
}
