import { hypot } from '../geometry/hypot.ts';
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

/** Returns twice the area within a closed curve, by its nodes and handles; positive clockwise on the screen. */
export function signedArea({ x, y, segments }: Curve): number {
  let area = 0;
  let [px, py] = [x, y];
  const add = (qx: number, qy: number): void => {
    area += px * qy - qx * py;
    [px, py] = [qx, qy];
  };
  for (const s of segments) {
    add(s.x1, s.y1);
    add(s.x2, s.y2);
    add(s.x, s.y);
  }
  return area;
}

/** Sides of a rectangle are those lines that lie in its direction within this, in radians. */
const ALONG = 0.1;

/** Returns a curve whose nodes were moved, with its shape, if it has one, moved like them. */
export function followNodes(curve: Curve, before: Curve): Curve {
  const { shape } = curve;
  if (!shape) return curve;
  if (shape.kind !== 'rect') {
    return { ...curve, shape: { ...shape, x: shape.x + curve.x - before.x, y: shape.y + curve.y - before.y } };
  }
  const sides: { angle: number; length: number; x: number; y: number }[] = [];
  let from: { x: number; y: number } = curve;
  for (const s of curve.segments) {
    const [dx, dy] = [s.x - from.x, s.y - from.y];
    if (s.isLine)
      sides.push({ angle: Math.atan2(dy, dx), length: hypot(dx, dy), x: from.x + dx / 2, y: from.y + dy / 2 });
    from = s;
  }
  if (sides.length === 0) return curve;
  const longest = sides.reduce((most, side) => (side.length > most.length ? side : most));
  const step = Math.PI / 2;
  const angle = longest.angle - step * Math.round((longest.angle - shape.angle) / step);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  /** Returns the middle and the extent in a direction, by the sides across it; as they were without two such sides. */
  const extent = (ux: number, uy: number, size: number): { middle: number; size: number } => {
    const across = sides.filter(({ angle: own }) => Math.abs(Math.cos(own) * ux + Math.sin(own) * uy) < ALONG);
    const places = across.map(({ x, y }) => x * ux + y * uy);
    if (places.length !== 2) return { middle: shape.x * ux + shape.y * uy, size };
    return { middle: (places[0] + places[1]) / 2, size: Math.abs(places[0] - places[1]) };
  };
  const along = extent(cos, sin, shape.width);
  const down = extent(-sin, cos, shape.height);
  const isRound = shape.radius >= Math.min(shape.width, shape.height) / 2 - 1e-9;
  const most = Math.min(along.size, down.size) / 2;
  const image: Shape = {
    kind: 'rect',
    x: along.middle * cos - down.middle * sin,
    y: along.middle * sin + down.middle * cos,
    width: along.size,
    height: down.size,
    radius: isRound ? most : Math.min(shape.radius, most),
    angle,
  };
  return toCurve(image, signedArea(curve) < 0);
}
