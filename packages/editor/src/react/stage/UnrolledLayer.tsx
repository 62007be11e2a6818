/**
 * Shows the wall of a round blank unrolled on the stage: the rest of the way round to both sides of the machine area,
 * its seam, and what a handle takes. The stage is flat already, so nothing on it moves.
 */
import { applyMatrix, clipPaths, invert, type Matrix, multiply, type Point, translate } from '@markwright/scene';
import { stripOf } from '@markwright/scene/surface';
import { useId, useMemo } from 'react';
import { formatLength } from '../../core/document/measure.ts';
import type { StageView } from '../../core/pointer/stageView.ts';
import { useEditorState } from '../EditorProvider.tsx';

export function UnrolledLayer({ view, isBelowWhite }: { view: StageView; isBelowWhite: boolean }) {
  const id = useId();
  const scene = useEditorState((state) => state.scene);
  const unit = useEditorState((state) => state.unit);
  const { backdrop, widthMm, heightMm, area } = scene;
  const blank = backdrop?.surface;
  const strip = useMemo(() => blank && stripOf({ blank, widthMm, heightMm }), [blank, widthMm, heightMm]);
  if (!strip) return null;
  const fromScene = multiply(view.toScreen, translate(view.originMm.x, view.originMm.y));
  const fromFlat = multiply(fromScene, invert(strip.view.toFlat));
  const { roundMm, goesRound, middle, half, top, bottom } = strip;
  const [left, right] = [middle - roundMm / 2, middle + roundMm / 2];
  const box = (from: number, to: number) => polygon(boxOf(from, to, top, bottom), fromFlat);
  const frame = polygon(boxOf(0, widthMm, 0, heightMm), fromScene);
  const handle = goesRound ? '' : box(left, middle - half) + box(middle + half, right);
  const free = clipPaths(
    area?.flatMap(({ contours, reason }) => (reason ? [{ contours: contours.slice(1) }] : [])),
    fromScene,
  ).join('');
  const name = goesRound ? 'Seam' : 'Handle';
  return (
    <>
      <svg aria-hidden="true" className="pointer-events-none absolute inset-0 size-full overflow-hidden">
        <pattern id={id} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" y1="0" x2="0" y2="7" className="stroke-graphite" strokeWidth="1.5" />
        </pattern>
        {/* What is on the machine area stays as clear as it is. */}
        <path d={box(left, right) + frame} fillRule="evenodd" className="fill-paper/85" />
        {[handle, free].map((d) => d && <path key={d} d={d} fill={`url(#${id})`} fillRule="evenodd" opacity={0.55} />)}
        <path d={box(left, right)} className="fill-none stroke-graphite" strokeWidth={1} />
        {[left, right].map((x) => (
          <path
            key={x}
            d={line(
              [
                { x, y: top },
                { x, y: bottom },
              ],
              fromFlat,
            )}
            className="fill-none stroke-ink [stroke-dasharray:6_4]"
            strokeWidth={1.5}
          />
        ))}
      </svg>
      {[left, right].map((x) => (
        <Label key={x} at={applyMatrix(fromFlat, { x, y: top })}>
          {name}
        </Label>
      ))}
      <p
        role="status"
        className={`measure pointer-events-none absolute z-1 max-w-[calc(100%-160px)] rounded-control border border-line bg-paper/95 px-2 py-1 text-graphite ${isBelowWhite ? 'mt-9' : ''}`}
        style={{ left: view.free.left + 8, top: view.free.top + 8 }}
      >
        <span className="text-ink">Unrolled</span> · {`${formatLength(roundMm, unit)} ${unit}`} round
        {!goesRound && `, ${formatLength(2 * half, unit)} ${unit} beside the handle`}
      </p>
    </>
  );
}

/** A word above the end of a line. */
const Label = ({ at: { x, y }, children }: { at: Point; children: string }) => (
  <span
    aria-hidden="true"
    className="measure pointer-events-none absolute -translate-x-1/2 -translate-y-full rounded-control bg-paper/90 px-1 text-ink text-xs"
    style={{ left: Math.round(x), top: Math.round(y) - 3 }}
  >
    {children}
  </span>
);

const boxOf = (left: number, right: number, top: number, bottom: number): Point[] => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];

function line(points: readonly Point[], matrix: Matrix): string {
  const places = points.map((point) => applyMatrix(matrix, point));
  return `M${places.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
}

const polygon = (points: readonly Point[], matrix: Matrix): string => `${line(points, matrix)}Z`;
