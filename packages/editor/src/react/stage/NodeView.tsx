/** Draws the paths of a trace over the stage as hairlines, with their nodes where these do not run together. */
import { applyMatrix, lengthScale, type Matrix, type ScenePath } from '@markwright/scene';
import { useCallback, useMemo } from 'react';
import type { PlacedTrace } from '../../core/document/viewOptions.ts';
import type { Size } from '../../core/pointer/stageView.ts';
import { type Nodes, readNodes, sayNodes, sayOpen } from '../../core/trace/nodes.ts';
import { type Brush, OverlayCanvas, toArtwork, tokenColor } from './OverlayCanvas.tsx';

/** Nodes and handles are drawn when their mean distance on the screen is at least this, in px. */
const POINTS_FROM_PX = 7;
const HANDLES_FROM_PX = 22;
/** No nodes are drawn when more than this many are in view. */
const MOST_POINTS = 6000;
/** A trace with more nodes than this counts as heavy: its lines are painted only when the pointer rests. */
const HEAVY_NODES = 3000;

export function NodeView({ trace, matrix, size }: { trace: PlacedTrace; matrix: Matrix; size: Size }) {
  const { paths } = trace;
  const nodes = readNodes(paths);
  const outlines = useMemo(() => toPath2D(paths), [paths]);
  const paint = useCallback((brush: Brush) => drawNodes(brush, outlines, nodes), [outlines, nodes]);
  const isFar = nodes.spacing * lengthScale(matrix) < POINTS_FROM_PX;
  return (
    <>
      <OverlayCanvas size={size} matrix={matrix} paint={paint} isHeavy={nodes.nodes > HEAVY_NODES} />
      <p
        role="status"
        className="measure pointer-events-none absolute top-2 left-2 max-w-[calc(100%-104px)] rounded-control border border-line bg-paper/95 px-2 py-1 text-graphite"
      >
        <span className="text-ink">{sayNodes(nodes)}</span> · {sayOpen(nodes)}
        {isFar && <span className="block">Zoom in to see the points</span>}
      </p>
    </>
  );
}

/** Returns all outlines as one path. Parsing is the costly part, so it is done once per trace. */
function toPath2D(paths: readonly ScenePath[]): Path2D {
  return new Path2D(paths.map(({ d, fill }) => (fill && !d.endsWith('Z') ? `${d}Z` : d)).join(''));
}

function drawNodes(brush: Brush, outlines: Path2D, { points, handles, spacing }: Nodes): void {
  const { context, matrix, density, width, height } = brush;
  const accent = tokenColor('accent');
  const paper = tokenColor('paper');
  const unit = density / lengthScale(matrix); // a screen pixel in the artwork's units
  toArtwork(brush);
  context.lineJoin = 'round';
  context.strokeStyle = paper;
  context.globalAlpha = 0.85;
  context.lineWidth = 3 * unit;
  context.stroke(outlines);
  context.globalAlpha = 1;
  context.strokeStyle = accent;
  context.lineWidth = unit;
  context.stroke(outlines);

  context.setTransform(1, 0, 0, 1, 0, 0);
  const apart = spacing / unit;
  if (apart < POINTS_FROM_PX) return;
  const reach = 8 * density;
  const isIn = (x: number, y: number) => x > -reach && y > -reach && x < width + reach && y < height + reach;
  const visiblePoints: number[] = [];
  for (let p = 0; p < points.length && visiblePoints.length <= 2 * MOST_POINTS; p += 2) {
    const { x, y } = applyMatrix(matrix, { x: points[p]!, y: points[p + 1]! });
    if (isIn(x, y)) visiblePoints.push(x, y);
  }
  if (visiblePoints.length > 2 * MOST_POINTS) return;
  if (apart >= HANDLES_FROM_PX) drawHandles(brush, handles, isIn, accent, paper);
  const side = (apart < 14 ? 4 : 6) * density;
  context.fillStyle = paper;
  context.strokeStyle = accent;
  context.lineWidth = density;
  context.beginPath();
  for (let p = 0; p < visiblePoints.length; p += 2) {
    context.rect(
      Math.round(visiblePoints[p]! - side / 2) + 0.5,
      Math.round(visiblePoints[p + 1]! - side / 2) + 0.5,
      side,
      side,
    );
  }
  context.fill();
  context.stroke();
}

function drawHandles(
  { context, matrix, density }: Brush,
  handles: Float32Array,
  isIn: (x: number, y: number) => boolean,
  accent: string,
  paper: string,
): void {
  const radius = 2.5 * density;
  context.lineWidth = density;
  context.strokeStyle = accent;
  context.globalAlpha = 0.6;
  context.beginPath();
  const ends: number[] = [];
  for (let p = 0; p < handles.length; p += 4) {
    const from = applyMatrix(matrix, { x: handles[p]!, y: handles[p + 1]! });
    const to = applyMatrix(matrix, { x: handles[p + 2]!, y: handles[p + 3]! });
    if (!isIn(from.x, from.y) && !isIn(to.x, to.y)) continue;
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    ends.push(to.x, to.y);
  }
  context.stroke();
  context.globalAlpha = 1;
  context.fillStyle = paper;
  context.beginPath();
  for (let p = 0; p < ends.length; p += 2) {
    context.moveTo(ends[p]! + radius, ends[p + 1]!);
    context.arc(ends[p]!, ends[p + 1]!, radius, 0, 2 * Math.PI);
  }
  context.fill();
  context.stroke();
}
