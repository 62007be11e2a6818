import type { Drawing } from '../drawing.ts';
import type { Segment } from '../geometry/segment.ts';

/**
 * Scales the drawing of a reduced picture to the size of the whole one: outlines and widths, without exact shapes or
 * gradients. Points past the border, where the last reduced pixel may reach, are clamped to it.
 */
export function enlarge(drawing: Drawing, scale: number, width: number, height: number): Drawing {
  if (scale === 1) return drawing;
  const toX = (x: number): number => Math.max(0, Math.min(width, x * scale));
  const toY = (y: number): number => Math.max(0, Math.min(height, y * scale));
  const move = ({ isLine, x1, y1, x2, y2, x, y }: Segment): Segment => ({
    isLine,
    x1: toX(x1),
    y1: toY(y1),
    x2: toX(x2),
    y2: toY(y2),
    x: toX(x),
    y: toY(y),
  });
  const layers = drawing.layers.map((layer) => ({
    ...layer,
    paths: layer.paths.map((path) => ({
      ...path,
      ...(path.strokeWidth !== undefined && { strokeWidth: path.strokeWidth * scale }),
      rings: path.rings.map(({ x, y, segments, isOpen }) => ({
        x: toX(x),
        y: toY(y),
        segments: segments.map(move),
        ...(isOpen && { isOpen }),
      })),
    })),
  }));
  return { ...drawing, width, height, layers };
}
