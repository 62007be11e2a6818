/** Highlights colors of a trace on the stage and dims the rest, and picks a color with a press on it. */
import { applyMatrix, invert, lengthScale, type Matrix, type ScenePath } from '@markwright/scene';
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef } from 'react';
import type { PlacedTrace } from '../../core/document/viewOptions.ts';
import type { Size } from '../../core/pointer/stageView.ts';
import { paintAt, paintOf } from '../../core/trace/palette.ts';
import { useEditor } from '../EditorProvider.tsx';
import { type Brush, OverlayCanvas, toArtwork, tokenColor } from './OverlayCanvas.tsx';

const HEAVY_CHARACTERS = 80_000;
const DIM = 0.78;

/**
 * A veil over the artwork with holes where the paints are visible. Shapes are added to it and removed from it in
 * z-order, so that one under others shows no more than is visible of it.
 */
export function Spotlight({
  trace: { paths },
  matrix,
  size,
  paints,
}: {
  trace: PlacedTrace;
  matrix: Matrix;
  size: Size;
  paints: readonly string[];
}) {
  const paint = useCallback((brush: Brush) => drawVeil(brush, paths, new Set(paints)), [paths, paints]);
  if (!paths.some((path) => paints.includes(paintOf(path) ?? ''))) return null;
  const isHeavy = paths.reduce((sum, { d }) => sum + d.length, 0) > HEAVY_CHARACTERS;
  return <OverlayCanvas size={size} matrix={matrix} paint={paint} isHeavy={isHeavy} />;
}

const pathCache = new WeakMap<ScenePath, Path2D>();

function path2DOf(path: ScenePath): Path2D {
  const path2D = pathCache.get(path) ?? new Path2D(path.d);
  pathCache.set(path, path2D);
  return path2D;
}

function drawVeil(brush: Brush, paths: readonly ScenePath[], paints: ReadonlySet<string>): void {
  const { context, matrix, density } = brush;
  toArtwork(brush);
  const unit = density / lengthScale(matrix);
  // First all shapes are filled as one veil. Then the chosen ones are cut out of it, in z-order.
  context.fillStyle = tokenColor('stage');
  context.strokeStyle = context.fillStyle;
  for (const path of paths) {
    const isChosen = paints.has(paintOf(path) ?? '');
    context.globalCompositeOperation = isChosen ? 'destination-out' : 'source-over';
    const shape = path2DOf(path);
    // The cut is a hair wider, so that no seam of dimmed neighbors shows between shapes.
    context.lineWidth = path.stroke ? Math.max(path.strokeWidth, 2.5 * unit) : unit;
    if (path.fill) context.fill(shape, 'evenodd');
    if (path.stroke || !isChosen) context.stroke(shape);
  }
  context.globalCompositeOperation = 'destination-in';
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = DIM;
  context.fillRect(0, 0, brush.width, brush.height);
  context.globalAlpha = 1;
  context.globalCompositeOperation = 'source-over';
}

/** Covers the stage while a color is picked: the next press picks the color under it, Escape cancels. */
export function ColorPicker({ trace, matrix }: { trace: PlacedTrace; matrix: Matrix }) {
  const editor = useEditor();
  const surface = useRef<HTMLButtonElement>(null);
  useEffect(() => surface.current?.focus({ preventScroll: true }), []);
  const stop = () => editor.setViewOptions({ isPicking: false });
  const pick = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const point = applyMatrix(invert(matrix), { x: event.clientX - box.left, y: event.clientY - box.top });
    const paint = paintAt(trace.paths, point, 3 / lengthScale(matrix));
    editor.setViewOptions({ isPicking: false, ...(paint && { spotlight: [paint], swatches: [] }) });
  };
  return (
    <button
      ref={surface}
      type="button"
      aria-label="Press a color of the artwork. Escape cancels."
      onPointerDown={pick}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') stop();
      }}
      onBlur={stop}
      className="pointer-events-auto absolute inset-0 size-full cursor-crosshair touch-none focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
    />
  );
}
