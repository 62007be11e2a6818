/**
 * What floats over the stage: the quiet buttons in its corners, the bar at the selection, and what the host puts there.
 * All of it keeps clear of the selection and its grips, and of each other.
 */
import { ButtonGroup, IconButton } from '@markwright/controls';
import { type Bounds, boxAround, type SceneGroup } from '@markwright/scene';
import { type ComponentType, type RefCallback, useCallback, useState } from 'react';
import type { ElementId } from '../../core/document/editor.ts';
import { placeBar, placeInCorner, selectionBounds } from '../../core/pointer/barPlace.ts';
import { boundsOf, isOverlapping } from '../../core/pointer/bounds.ts';
import { areaGripAt } from '../../core/pointer/gripPlaces.ts';
import {
  areaCorners,
  type Size,
  type StageView,
  sceneToScreen,
  screenCorners,
  trueSizeZoom,
} from '../../core/pointer/stageView.ts';
import { boxCorners } from '../../core/pointer/transformSeveral.ts';
import { useEditorState } from '../EditorProvider.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import type { Perform } from './useActions.ts';
import { ViewButtons } from './ViewButtons.tsx';
import { HistoryButtons, WordButton, ZoomButtons } from './ViewControls.tsx';

const GAP_PX = 8;

/** What a host puts over the stage. Boxes are in px from the top left of the stage beside its rulers. */
export interface FloatingProps {
  readonly view: StageView;
  /** What it must not cover: the selection with its grips, and the buttons. */
  readonly obstacles: readonly Bounds[];
  /** Says where it stands, so that the bar at the selection keeps clear of it; undefined while it is hidden. */
  onPlace(box: Bounds | undefined): void;
}

interface StageControlsProps {
  view: StageView;
  hitPx: number;
  hasSelectionBar: boolean;
  /** Undo and redo stand in a strip below, and there is no room for the zoom: fingers pinch. */
  hasToolbar: boolean;
  perform: Perform;
  Floating: ComponentType<FloatingProps> | undefined;
}

/** Lies over the stage and lets everything through but its buttons. */
export function StageControls({ view, hitPx, hasSelectionBar, hasToolbar, perform, Floating }: StageControlsProps) {
  const selection = useSelectionBounds(view, hitPx);
  const isBusy = useEditorState((state) => state.isGesturing || state.isExporting);
  const [top, topSize] = useMeasuredSize();
  const [bottom, bottomSize] = useMeasuredSize();
  const [floatingBox, setFloatingBox] = useState<Bounds>();
  const { free } = view;
  const topBox = toCorner(free, 'top', topSize, selection);
  const bottomBox = toCorner(free, 'bottom', bottomSize, selection);
  const buttons = [topBox, bottomBox].filter(({ left, right }) => right > left);
  const others = floatingBox ? [...buttons, floatingBox] : buttons;
  return (
    <>
      <div ref={top} className="pointer-events-auto absolute flex w-max gap-2" style={at(topBox)}>
        {!hasToolbar && (
          <ButtonGroup label="History">
            <HistoryButtons tooltipSide="bottom" />
          </ButtonGroup>
        )}
        <ViewButtons />
      </div>
      {!hasToolbar && (
        <div ref={bottom} className="pointer-events-auto absolute w-max max-sm:hidden" style={at(bottomBox)}>
          <ZoomGroup view={view} perform={perform} />
        </div>
      )}
      {Floating && (
        <Floating view={view} obstacles={selection ? [selection, ...buttons] : buttons} onPlace={setFloatingBox} />
      )}
      {hasSelectionBar && !isBusy && selection && <PlacedBar {...{ view, hitPx, selection, others, perform }} />}
    </>
  );
}

const at = ({ left, top }: Bounds) => ({ left: Math.round(left), top: Math.round(top) });

/** Returns the box of buttons in the right corner, or in the left one where the selection's grips are in the way. */
function toCorner(free: Bounds, edge: 'top' | 'bottom', size: Size, selection: Bounds | undefined): Bounds {
  const top = edge === 'top' ? free.top + GAP_PX : free.bottom - GAP_PX - size.height;
  const boxAt = (left: number): Bounds => ({ left, top, right: left + size.width, bottom: top + size.height });
  const right = boxAt(free.right - GAP_PX - size.width);
  const left = boxAt(free.left + GAP_PX);
  const isCovered = (box: Bounds) => selection !== undefined && isOverlapping(box, selection);
  return isCovered(right) && !isCovered(left) ? left : right;
}

/**
 * The bar beside the selection, where it lies on no other element and no grip. Without room for it, a button stands
 * there that opens the menu with the same acts, or in a corner of the stage.
 */
function PlacedBar({
  view,
  hitPx,
  selection,
  others,
  perform,
}: Pick<StageControlsProps, 'view' | 'hitPx' | 'perform'> & { selection: Bounds; others: readonly Bounds[] }) {
  const obstacles = [...others, ...useOtherBounds(view, hitPx)];
  const [bar, barSize] = useMeasuredSize();
  const [more, moreSize] = useMeasuredSize();
  const { free } = view;
  const room = { left: free.left + GAP_PX, top: free.top + GAP_PX, right: free.right - GAP_PX, bottom: free.bottom };
  const barAt = barSize.width > 0 ? placeBar(selection, barSize, room, obstacles) : undefined;
  const canFold = barSize.width > 0 && !barAt;
  const moreAt = canFold ? placeBar(selection, moreSize, room, obstacles) : undefined;
  const cornerBox =
    canFold && !moreAt
      ? placeInCorner(
          moreSize,
          free,
          ['bottom right', 'top right', 'bottom left', 'top left'],
          [selection, ...obstacles],
        )
      : undefined;
  const moreBox = moreAt ? { left: moreAt.x, top: moreAt.y } : cornerBox;
  return (
    <>
      <div
        ref={bar}
        className={`pointer-events-auto absolute w-max ${barAt ? '' : 'invisible'}`}
        style={barAt && { left: Math.round(barAt.x), top: Math.round(barAt.y) }}
      >
        <SelectionBar />
      </div>
      <div
        ref={more}
        className={`pointer-events-auto absolute w-max rounded-control border border-line bg-paper p-0.5 shadow-float ${moreBox ? '' : 'invisible'}`}
        style={moreBox && { left: Math.round(moreBox.left), top: Math.round(moreBox.top) }}
      >
        <IconButton
          icon={MORE}
          label="Actions for the selection"
          size="sm"
          aria-haspopup="menu"
          onClick={() => perform({ kind: 'openMenu' })}
        />
      </div>
    </>
  );
}

/** Path data of an icon: three dots. */
const MORE =
  'M4.75 9.5a.5.5 0 1 1 0 1a.5.5 0 1 1 0-1ZM10 9.5a.5.5 0 1 1 0 1a.5.5 0 1 1 0-1ZM15.25 9.5a.5.5 0 1 1 0 1a.5.5 0 1 1 0-1Z';

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
  return selectionBounds(corners, hitPx, view.free);
}

/** Returns the boxes around the elements that are not selected, and around the grips of the machine area. */
function useOtherBounds(view: StageView, hitPx: number): readonly Bounds[] {
  const scene = useEditorState((state) => state.scene);
  const selectedIds = useEditorState((state) => state.selectedIds);
  const clickable = (group: SceneGroup) => [
    ...screenCorners(view, group),
    ...(group.lineBox ? screenCorners(view, group.lineBox) : []),
  ];
  const grips = scene.backdrop ? areaGripAt(areaCorners(view, scene), hitPx) : [];
  return [
    ...scene.groups
      .filter(({ elementId }) => !selectedIds.includes(elementId as ElementId))
      .map((group) => boundsOf(clickable(group))),
    ...grips.map(({ x, y }) => ({
      left: x - hitPx / 2,
      top: y - hitPx / 2,
      right: x + hitPx / 2,
      bottom: y + hitPx / 2,
    })),
  ];
}

const noSize: Size = { width: 0, height: 0 };

/**
 * Measures an element when it comes and when its size changes, as its buttons do. To measure it after each render would
 * make the browser lay out the page in each step of a zoom.
 */
export function useMeasuredSize(): [RefCallback<HTMLDivElement>, Size] {
  const [size, setSize] = useState(noSize);
  const measure = useCallback((element: HTMLDivElement | null) => {
    if (!element) return;
    const read = () => {
      const { offsetWidth: width, offsetHeight: height } = element;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => {
      observer.disconnect();
      setSize(noSize);
    };
  }, []);
  return [measure, size];
}

function ZoomGroup({ view, perform }: { view: StageView; perform: Perform }) {
  const zoom = useEditorState((state) => state.zoom);
  const isFitted = useEditorState(({ zoom, pan }) => zoom === 1 && pan.x === 0 && pan.y === 0);
  return (
    <ButtonGroup label="View">
      <ZoomButtons label="Zoom of the stage" />
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
