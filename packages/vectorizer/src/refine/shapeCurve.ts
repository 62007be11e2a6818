import { reverseCurve } from '../geometry/isometry.ts';
import type { Curve, Segment, Shape } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';

/** Handle length of a quarter circle of radius 1, for the least error of the radius. */
const CIRCLE_HANDLE = 0.5519;

/** Returns the outline of a shape, clockwise on the screen or backward. */
export function toCurve(shape: Shape, isBackward: boolean): Curve {
  const angle = shape.kind === 'circle' ? 0 : shape.angle;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const atX = (u: number, v: number): number => shape.x + u * cos - v * sin;
  const atY = (u: number, v: number): number => shape.y + u * sin + v * cos;
  const segments: Segment[] = [];
  const line = (u: number, v: number): void => {
    segments.push(lineTo(atX(u, v), atY(u, v)));
  };
  /** Adds a quarter of an ellipse around (u, v), from one half axis to the next. */
  const quarter = (u: number, v: number, ax: number, ay: number, bx: number, by: number): void => {
    const k = CIRCLE_HANDLE;
    segments.push({
      isLine: false,
      x1: atX(u + ax + k * bx, v + ay + k * by),
      y1: atY(u + ax + k * bx, v + ay + k * by),
      x2: atX(u + bx + k * ax, v + by + k * ay),
      y2: atY(u + bx + k * ax, v + by + k * ay),
      x: atX(u + bx, v + by),
      y: atY(u + bx, v + by),
    });
  };
  const w = shape.kind === 'circle' ? shape.radius : shape.kind === 'ellipse' ? shape.rx : shape.width / 2;
  const h = shape.kind === 'circle' ? shape.radius : shape.kind === 'ellipse' ? shape.ry : shape.height / 2;
  let startX = atX(w, 0);
  let startY = atY(w, 0);
  if (shape.kind === 'rect') {
    const r = shape.radius;
    const corners = [1, 1, -1, 1, -1, -1, 1, -1];
    for (let k = 0; k < 4; k++) {
      const u = corners[2 * k];
      const v = corners[2 * k + 1];
      // A corner leads from the side before it to the side after it.
      const isFromRight = k % 2 === 0;
      if (r === 0) {
        line(u * w, v * h);
        continue;
      }
      const sideways = isFromRight ? h - r : w - r;
      if (sideways > 0) {
        if (isFromRight) line(u * w, v * (h - r));
        else line(u * (w - r), v * h);
      }
      if (isFromRight) quarter(u * (w - r), v * (h - r), u * r, 0, 0, v * r);
      else quarter(u * (w - r), v * (h - r), 0, v * r, u * r, 0);
    }
    startX = segments[segments.length - 1].x;
    startY = segments[segments.length - 1].y;
  } else {
    quarter(0, 0, w, 0, 0, h);
    quarter(0, 0, 0, h, -w, 0);
    quarter(0, 0, -w, 0, 0, -h);
    quarter(0, 0, 0, -h, w, 0);
    segments[3].x = startX;
    segments[3].y = startY;
  }
  const curve: Curve = { x: startX, y: startY, segments, shape };
  return isBackward ? reverseCurve(curve) : curve;
}
