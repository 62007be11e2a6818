import { invert, type Matrix, multiply, scale, translate } from '@markwright/scene';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Size } from '../../core/pointer/stageView.ts';

/** The canvas reaches this far beyond the stage on each side, so that a pan shows no bare edge at once. */
const MARGIN_PX = 120;
/** A heavy picture is painted when the pointer has rested for this long. Until then its pixels are moved. */
const REST_MS = 150;

/** A canvas context, with what is needed to draw in the artwork's own units. */
export interface Brush {
  readonly context: CanvasRenderingContext2D;
  /** Maps artwork units to canvas pixels. */
  readonly matrix: Matrix;
  /** Canvas pixels per screen pixel. */
  readonly density: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A canvas over the stage that follows the artwork. `paint` is called when it changes or the artwork moves. Meanwhile
 * the compositor moves a heavy picture, so that dragging and zooming cost the same for any number of nodes.
 */
export function OverlayCanvas({
  size,
  matrix,
  paint,
  isHeavy = false,
  className = '',
}: {
  size: Size;
  /** Maps artwork units to screen px. */
  matrix: Matrix;
  paint(brush: Brush): void;
  isHeavy?: boolean;
  className?: string;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const lastPaint = useRef<{ matrix: Matrix; paint: unknown; size: Size }>(undefined);
  const width = size.width + 2 * MARGIN_PX;
  const height = size.height + 2 * MARGIN_PX;

  const work = () => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    const density = devicePixelRatio;
    element.width = Math.round(width * density);
    element.height = Math.round(height * density);
    paint({
      context,
      matrix: multiply(scale(density), translate(MARGIN_PX, MARGIN_PX), matrix),
      density,
      width: element.width,
      height: element.height,
    });
    lastPaint.current = { matrix, paint, size };
    element.style.transform = '';
  };

  useLayoutEffect(() => {
    const before = lastPaint.current;
    const isDone = before?.paint === paint && before.size === size;
    if (!before || !isDone || !isHeavy) {
      if (!isDone || !isSameMatrix(before.matrix, matrix)) work();
      return;
    }
    const motion = multiply(
      translate(MARGIN_PX, MARGIN_PX),
      matrix,
      invert(before.matrix),
      translate(-MARGIN_PX, -MARGIN_PX),
    );
    const { a, b, c, d, e, f } = motion;
    if (canvas.current) canvas.current.style.transform = `matrix(${a}, ${b}, ${c}, ${d}, ${e}, ${f})`;
  });
  useEffect(() => {
    const before = lastPaint.current;
    if (!before || isSameMatrix(before.matrix, matrix)) return;
    const timer = setTimeout(work, REST_MS);
    return () => clearTimeout(timer);
  });

  return (
    <canvas
      ref={canvas}
      className={`pointer-events-none absolute origin-top-left will-change-transform ${className}`}
      style={{ left: -MARGIN_PX, top: -MARGIN_PX, width, height }}
    />
  );
}

const isSameMatrix = (p: Matrix, q: Matrix) =>
  p.a === q.a && p.b === q.b && p.c === q.c && p.d === q.d && p.e === q.e && p.f === q.f;

/** Sets the context's transform so that the following calls draw in the artwork's units. */
export function toArtwork({ context, matrix: { a, b, c, d, e, f } }: Brush): void {
  context.setTransform(a, b, c, d, e, f);
}

/** Returns a color of the page's current theme, as CSS text. */
export const tokenColor = (name: 'accent' | 'paper' | 'ink' | 'bone' | 'stage'): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
