import type { Drawing, Gradient } from '../drawing.ts';
import type { Segment, Shape } from '../geometry/segment.ts';
import { fitWithin } from '../refine/shapes.ts';

/**
 * Scales the drawing of a reduced or enlarged picture to the size of the caller's: outlines, exact shapes, gradients
 * and widths. Points past the border, where the last reduced pixel may reach, are clamped to it.
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
      ...(path.gradient && { gradient: scaleGradient(path.gradient, scale) }),
      ...(path.strokeWidth !== undefined && { strokeWidth: path.strokeWidth * scale }),
      rings: path.rings.map(({ x, y, segments, isOpen, shape }) => ({
        x: toX(x),
        y: toY(y),
        segments: segments.map(move),
        ...(isOpen && { isOpen }),
        ...(shape && { shape: fitWithin(scaleShape(shape, scale), width, height) }),
      })),
    })),
  }));
  return { ...drawing, width, height, layers };
}

function scaleGradient(gradient: Gradient, scale: number): Gradient {
  const { x1, y1, x2, y2, x3, y3 } = gradient;
  const image = { ...gradient, x1: x1 * scale, y1: y1 * scale, x2: x2 * scale, y2: y2 * scale };
  return x3 === undefined || y3 === undefined ? image : { ...image, x3: x3 * scale, y3: y3 * scale };
}

function scaleShape(shape: Shape, scale: number): Shape {
  const center = { x: shape.x * scale, y: shape.y * scale };
  if (shape.kind === 'circle') return { ...shape, ...center, radius: shape.radius * scale };
  if (shape.kind === 'ellipse') return { ...shape, ...center, rx: shape.rx * scale, ry: shape.ry * scale };
  const { width, height, radius } = shape;
  return { ...shape, ...center, width: width * scale, height: height * scale, radius: radius * scale };
}
