/**
 * Signed distances of points from shapes, negative inside, and how they change with the parameters of the shape.
 *
 * One call measures all points of an outline, because a picture of dots has thousands of outlines: a call for each
 * point would box its numbers. Slopes come from the formulas: differences would need a pass for each parameter.
 */

/** The most parameters of a shape. */
export const MOST_PARAMETERS = 6;

/** Points along an outline, and the results for a shape. */
export interface Distances {
  readonly x: Float64Array;
  readonly y: Float64Array;
  count: number;
  /** The distance of each point. */
  readonly off: Float64Array;
  /** Its derivatives in the parameters, `MOST_PARAMETERS` numbers for each point. */
  readonly slopes: Float64Array;
}

/** Measures the points from a shape with parameters p. Linear in the points. */
export type MeasureDistances = (p: Float64Array, out: Distances) => void;

/** Parameters: center, radius. */
export const fromCircle: MeasureDistances = (p, { x, y, count, off, slopes }) => {
  for (let k = 0, at = 0; k < count; k++, at += MOST_PARAMETERS) {
    const dx = x[k] - p[0];
    const dy = y[k] - p[1];
    const far = Math.sqrt(dx * dx + dy * dy);
    const scale = far > 0 ? 1 / far : 0;
    off[k] = far - p[2];
    slopes[at] = -dx * scale;
    slopes[at + 1] = -dy * scale;
    slopes[at + 2] = -1;
  }
};

/** Parameters: center, half axes, angle. The distance is a first-order approximation. */
export const fromEllipse: MeasureDistances = (p, { x, y, count, off, slopes }) => {
  const cos = Math.cos(p[4]);
  const sin = Math.sin(p[4]);
  const a = 1 / p[2];
  const b = 1 / p[3];
  for (let k = 0, at = 0; k < count; k++, at += MOST_PARAMETERS) {
    const along = (x[k] - p[0]) * cos + (y[k] - p[1]) * sin;
    const across = (y[k] - p[1]) * cos - (x[k] - p[0]) * sin;
    // The point on the unit circle's plane (u, v), its distance r there, and the steepness s of that distance.
    const u = along * a;
    const v = across * b;
    const r = Math.sqrt(u * u + v * v);
    const su = u * a;
    const sv = v * b;
    const s = Math.sqrt(su * su + sv * sv);
    if (!(s > 0)) {
      off[k] = -Math.min(p[2], p[3]);
      slopes.fill(0, at, at + MOST_PARAMETERS);
      continue;
    }
    off[k] = ((r - 1) * r) / s;
    const byR = (2 * r - 1) / (s * r);
    const byS = -(r * r - r) / (s * s * s);
    const byAlong = byR * su + byS * su * a * a;
    const byAcross = byR * sv + byS * sv * b * b;
    slopes[at] = byAcross * sin - byAlong * cos;
    slopes[at + 1] = -byAlong * sin - byAcross * cos;
    slopes[at + 2] = -a * (byR * u * u + 2 * byS * su * su);
    slopes[at + 3] = -b * (byR * v * v + 2 * byS * sv * sv);
    slopes[at + 4] = byAlong * across - byAcross * along;
  }
};

/** Parameters: center, half width and height, angle, radius of the corners. */
export const fromRect: MeasureDistances = (p, { x, y, count, off, slopes }) => {
  const cos = Math.cos(p[4]);
  const sin = Math.sin(p[4]);
  for (let k = 0, at = 0; k < count; k++, at += MOST_PARAMETERS) {
    const along = (x[k] - p[0]) * cos + (y[k] - p[1]) * sin;
    const across = (y[k] - p[1]) * cos - (x[k] - p[0]) * sin;
    const signU = along < 0 ? -1 : 1;
    const signV = across < 0 ? -1 : 1;
    const u = signU * along - p[2] + p[5];
    const v = signV * across - p[3] + p[5];
    // The shares of both directions in the distance: both around a corner, one along a side.
    let shareU = u >= v ? 1 : 0;
    let shareV = 1 - shareU;
    off[k] = Math.max(u, v) - p[5];
    if (u > 0 && v > 0) {
      const far = Math.sqrt(u * u + v * v);
      off[k] = far - p[5];
      shareU = u / far;
      shareV = v / far;
    }
    const byAlong = shareU * signU;
    const byAcross = shareV * signV;
    slopes[at] = byAcross * sin - byAlong * cos;
    slopes[at + 1] = -byAlong * sin - byAcross * cos;
    slopes[at + 2] = -shareU;
    slopes[at + 3] = -shareV;
    slopes[at + 4] = byAlong * across - byAcross * along;
    slopes[at + 5] = shareU + shareV - 1;
  }
};
