/** Arcs and ellipses of files as cubic curves. */
import type { Contour } from '../geometry/pathData.ts';

/** An arc of a circle or ellipse. Angles are in radians and turn from the x axis to the y axis. */
export interface RoundArc {
  readonly centerX: number;
  readonly centerY: number;
  /** The ends of the two axes, relative to the center. */
  readonly axisX: readonly [number, number];
  readonly axisY: readonly [number, number];
  readonly start: number;
  readonly sweep: number;
}

/** A cubic follows an eighth of a circle to within four millionths of its radius. */
const MAX_PIECE = Math.PI / 4;

/** Appends an arc as curves. The contour must already end where the arc starts. */
export function appendArc({ commands, points }: Contour, arc: RoundArc): void {
  const { centerX, centerY, axisX, axisY, start, sweep } = arc;
  const pieces = Math.max(1, Math.ceil(Math.abs(sweep) / MAX_PIECE - 1e-9));
  const step = sweep / pieces;
  const handle = (4 / 3) * Math.tan(step / 4);
  const push = (cos: number, sin: number) => {
    points.push(centerX + axisX[0] * cos + axisY[0] * sin, centerY + axisX[1] * cos + axisY[1] * sin);
  };
  let cos = Math.cos(start);
  let sin = Math.sin(start);
  for (let i = 1; i <= pieces; i++) {
    commands.push('C');
    push(cos - handle * sin, sin + handle * cos);
    cos = Math.cos(start + step * i);
    sin = Math.sin(start + step * i);
    push(cos + handle * sin, sin - handle * cos);
    push(cos, sin);
  }
}

/** Returns an arc as a contour; a whole turn is closed. */
export function arcContour(arc: RoundArc): Contour {
  const { centerX, centerY, axisX, axisY, start, sweep } = arc;
  const [cos, sin] = [Math.cos(start), Math.sin(start)];
  const contour: Contour = {
    commands: [],
    points: [centerX + axisX[0] * cos + axisY[0] * sin, centerY + axisX[1] * cos + axisY[1] * sin],
    isClosed: Math.abs(sweep) >= 2 * Math.PI - 1e-9,
  };
  appendArc(contour, arc);
  return contour;
}

/**
 * Appends the arc to `x`, `y` that a bulge describes: the tangent of a quarter of its angle, positive where it turns
 * from the x axis to the y axis. A bulge that is nearly 0 is a line.
 */
export function appendBulge(contour: Contour, x: number, y: number, bulge: number): void {
  const fromX = contour.points[contour.points.length - 2]!;
  const fromY = contour.points[contour.points.length - 1]!;
  const dx = x - fromX;
  const dy = y - fromY;
  const chord = Math.sqrt(dx * dx + dy * dy);
  if (Math.abs(bulge) < 1e-9 || chord === 0) {
    contour.commands.push('L');
    contour.points.push(x, y);
    return;
  }
  // The center lies on the chord's perpendicular bisector, (1 - b²) / 4b chords from it.
  const offset = (1 - bulge * bulge) / (4 * bulge);
  const centerX = fromX + dx / 2 - dy * offset;
  const centerY = fromY + dy / 2 + dx * offset;
  const radius = Math.hypot(fromX - centerX, fromY - centerY);
  const start = Math.atan2(fromY - centerY, fromX - centerX);
  appendArc(contour, {
    centerX,
    centerY,
    axisX: [radius, 0],
    axisY: [0, radius],
    start,
    sweep: 4 * Math.atan(bulge),
  });
  // The last point is the file's own, without the rounding of cosines.
  contour.points[contour.points.length - 2] = x;
  contour.points[contour.points.length - 1] = y;
}
