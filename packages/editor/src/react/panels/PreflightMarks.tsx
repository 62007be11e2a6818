/** Shows on the stage where the preflight found something: crop marks, and the detail that the file leaves out. */
import type { DroppedDetail, FileMends, Finding, Point } from '@markwright/scene';
import { useMemo } from 'react';
import { type StageView, sceneToScreen } from '../../core/pointer/stageView.ts';
import { findingKey, MENDS_KEY } from '../../core/preflight/preflightFlow.ts';
import { useEditorState } from '../EditorProvider.tsx';
import { usePreflight } from './usePreflight.ts';

/** Marks closer than this are drawn as one. */
const NEAR_PX = 10;
const GAP_PX = 5;
const MIN_SIDE_PX = 8;
const ARM_PX = 6;

interface ScreenBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Crop marks around each place while the list is open, quiet until a finding is shown. Away while anything moves. */
export function PreflightMarks({ view }: { view: StageView }) {
  const [state] = usePreflight();
  const { findings, isCurrent, isOpen, shownKey } = state;
  const isGesturing = useEditorState((state) => state.isGesturing);
  if (!findings || !isOpen || !isCurrent || isGesturing) return null;
  return (
    <svg
      aria-hidden="true"
      data-preflight=""
      className="pointer-events-none absolute inset-0 size-full overflow-hidden"
    >
      {state.isDroppedShown && state.dropped && <DetailPicture view={view} outlines={state.dropped.outlines} />}
      <Marks view={view} findings={findings} shownKey={shownKey} />
      {shownKey === MENDS_KEY && state.mends && <MendMarks view={view} places={state.mends.places} />}
    </svg>
  );
}

/** Draws what is left out larger than it is: it is narrower than a line of the screen. */
function DetailPicture({ view, outlines }: { view: StageView; outlines: DroppedDetail['outlines'] }) {
  const d = useMemo(
    () => outlines.map((outline) => `M${outline.map(({ x, y }) => `${x} ${y}`).join('L')}Z`),
    [outlines],
  );
  const [origin, right, down] = [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 0, y: 1 },
  ].map((point) => sceneToScreen(view, point)) as [Point, Point, Point];
  const axes = [right.x - origin.x, right.y - origin.y, down.x - origin.x, down.y - origin.y];
  return (
    <g data-dropped="" transform={`matrix(${[...axes, origin.x, origin.y].join(' ')})`}>
      <path d={d.join('')} vectorEffect="non-scaling-stroke" strokeWidth={7} className={HALO_COLOR} />
      <path d={d.join('')} vectorEffect="non-scaling-stroke" strokeWidth={4} className={DROPPED_COLOR} />
    </g>
  );
}

/** A color that no product and no layer has, in a halo: products look the same in the dark. */
const DROPPED_COLOR = 'fill-[#e6007e] stroke-[#e6007e] [stroke-linejoin:round]';
const HALO_COLOR = 'fill-white stroke-white [stroke-linejoin:round]';

function MendMarks({ view, places }: { view: StageView; places: FileMends['places'] }) {
  const d = useMemo(() => marksAround(view, places), [view, places]);
  return (
    <g data-finding={MENDS_KEY}>
      <path d={d} fill="none" strokeWidth={4.5} className="stroke-bone/85" />
      <path d={d} fill="none" strokeWidth={2} className="stroke-success" />
    </g>
  );
}

const marksAround = (view: StageView, places: readonly (readonly Point[])[]): string =>
  joinNear(places.map((place) => boxOf(place.map((point) => sceneToScreen(view, point)))))
    .map(cropMarks)
    .join('');

function Marks({
  view,
  findings,
  shownKey,
}: {
  view: StageView;
  findings: readonly Finding[];
  shownKey: string | undefined;
}) {
  const marks = useMemo(
    () =>
      findings
        // A finding about a whole element is marked only on demand.
        .filter((finding) => findingKey(finding) === shownKey || !['lowResolution', 'smallText'].includes(finding.kind))
        .map((finding) => ({ finding, d: marksAround(view, finding.places) })),
    [findings, shownKey, view],
  );
  return (
    <>
      {marks.map(({ finding, d }) => {
        const isShown = findingKey(finding) === shownKey;
        const color = finding.severity === 'problem' ? 'stroke-danger' : 'stroke-ink';
        return (
          <g key={findingKey(finding)} data-finding={finding.kind} className={shownKey && !isShown ? 'opacity-40' : ''}>
            <path d={d} fill="none" strokeWidth={isShown ? 4.5 : 3} className="stroke-bone/85" />
            <path d={d} fill="none" strokeWidth={isShown ? 2 : 1.25} className={color} />
          </g>
        );
      })}
    </>
  );
}

function boxOf(points: readonly Point[]): ScreenBox {
  const box = {
    left: Math.min(...points.map(({ x }) => x)),
    top: Math.min(...points.map(({ y }) => y)),
    right: Math.max(...points.map(({ x }) => x)),
    bottom: Math.max(...points.map(({ y }) => y)),
  };
  const growX = GAP_PX + Math.max(0, MIN_SIDE_PX - (box.right - box.left)) / 2;
  const growY = GAP_PX + Math.max(0, MIN_SIDE_PX - (box.bottom - box.top)) / 2;
  return { left: box.left - growX, top: box.top - growY, right: box.right + growX, bottom: box.bottom + growY };
}

/** Merges marks that lie close together. Cost: the square of their number, which is at most some hundred. */
function joinNear(boxes: readonly ScreenBox[]): ScreenBox[] {
  const mergedBoxes: ScreenBox[] = [];
  for (const box of boxes) {
    let union = box;
    for (let i = mergedBoxes.length - 1; i >= 0; i--) {
      const other = mergedBoxes[i]!;
      const isFar =
        other.left > union.right + NEAR_PX ||
        other.right < union.left - NEAR_PX ||
        other.top > union.bottom + NEAR_PX ||
        other.bottom < union.top - NEAR_PX;
      if (isFar) continue;
      union = {
        left: Math.min(union.left, other.left),
        top: Math.min(union.top, other.top),
        right: Math.max(union.right, other.right),
        bottom: Math.max(union.bottom, other.bottom),
      };
      mergedBoxes.splice(i, 1);
      i = mergedBoxes.length;
    }
    mergedBoxes.push(union);
  }
  return mergedBoxes;
}

function cropMarks({ left, top, right, bottom }: ScreenBox): string {
  const armX = Math.min(ARM_PX, (right - left) / 3);
  const armY = Math.min(ARM_PX, (bottom - top) / 3);
  return (
    `M${left} ${top + armY}V${top}H${left + armX}M${right - armX} ${top}H${right}V${top + armY}` +
    `M${right} ${bottom - armY}V${bottom}H${right - armX}M${left + armX} ${bottom}H${left}V${bottom - armY}`
  );
}
