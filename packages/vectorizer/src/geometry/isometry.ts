import type { Curve, Segment, Shape } from './segment.ts';
import { lineTo } from './segment.ts';

/** A map of the plane that keeps distances: (x, y) goes to (a x + b y + dx, c x + d y + dy), in px. */
export interface Isometry {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly dx: number;
  readonly dy: number;
}

export const IDENTITY: Isometry = { a: 1, b: 0, c: 0, d: 1, dx: 0, dy: 0 };

/** Returns the rotation about (x, y) by an angle in radians, clockwise on the screen. */
export function rotation(x: number, y: number, angle: number): Isometry {
  const cos = exact(Math.cos(angle));
  const sin = exact(Math.sin(angle));
  return about(x, y, cos, -sin, sin, cos);
}

/** Returns the mirroring across the line through (x, y) in a direction in radians. */
export function mirroring(x: number, y: number, direction: number): Isometry {
  const cos = exact(Math.cos(2 * direction));
  const sin = exact(Math.sin(2 * direction));
  return about(x, y, cos, sin, sin, -cos);
}

/** Returns 0 and ±1 for what differs from them by rounding, so that quarter turns keep level lines level. */
function exact(value: number): number {
  const nearest = Math.round(value);
  return Math.abs(value - nearest) < 1e-12 ? nearest : value;
}

function about(x: number, y: number, a: number, b: number, c: number, d: number): Isometry {
  return { a, b, c, d, dx: x - a * x - b * y, dy: y - c * x - d * y };
}

/** Returns the map that applies `first`, then `second`. */
export function compose(second: Isometry, first: Isometry): Isometry {
  const { a, b, c, d, dx, dy } = second;
  return {
    a: a * first.a + b * first.c,
    b: a * first.b + b * first.d,
    c: c * first.a + d * first.c,
    d: c * first.b + d * first.d,
    dx: a * first.dx + b * first.dy + dx,
    dy: c * first.dx + d * first.dy + dy,
  };
}

export function invert({ a, b, c, d, dx, dy }: Isometry): Isometry {
  return { a, b: c, c: b, d, dx: -(a * dx + c * dy), dy: -(b * dx + d * dy) };
}

/** True for a mirroring, and for one with a shift. */
export function isFlip({ a, b, c, d }: Isometry): boolean {
  return a * d - b * c < 0;
}

export function mapX({ a, b, dx }: Isometry, x: number, y: number): number {
  return a * x + b * y + dx;
}

export function mapY({ c, d, dy }: Isometry, x: number, y: number): number {
  return c * x + d * y + dy;
}

/** Returns the image of a shape. */
export function mapShape(isometry: Isometry, shape: Shape): Shape {
  const x = mapX(isometry, shape.x, shape.y);
  const y = mapY(isometry, shape.x, shape.y);
  if (shape.kind === 'circle') return { ...shape, x, y };
  const turn = Math.atan2(isometry.c, isometry.a);
  return { ...shape, x, y, angle: isFlip(isometry) ? turn - shape.angle : turn + shape.angle };
}

/** Returns the image of a curve, without its shape. */
export function mapCurve(isometry: Isometry, { x, y, segments }: Curve): Curve {
  const toX = (px: number, py: number): number => mapX(isometry, px, py);
  const toY = (px: number, py: number): number => mapY(isometry, px, py);
  return {
    x: toX(x, y),
    y: toY(x, y),
    segments: segments.map((s) => ({
      isLine: s.isLine,
      x1: toX(s.x1, s.y1),
      y1: toY(s.x1, s.y1),
      x2: toX(s.x2, s.y2),
      y2: toY(s.x2, s.y2),
      x: toX(s.x, s.y),
      y: toY(s.x, s.y),
    })),
  };
}

/** Returns the same curve from its end to its start. */
export function reverseCurve(curve: Curve): Curve {
  const { segments } = curve;
  const backward: Segment[] = [];
  for (let k = segments.length - 1; k >= 0; k--) {
    const { isLine, x1, y1, x2, y2 } = segments[k];
    const { x, y } = k > 0 ? segments[k - 1] : curve;
    backward.push(isLine ? lineTo(x, y) : { isLine, x1: x2, y1: y2, x2: x1, y2: y1, x, y });
  }
  const { x, y } = segments.length > 0 ? segments[segments.length - 1] : curve;
  return { ...curve, x, y, segments: backward };
}
