import type { Gradient } from '../drawing.ts';
import { hypot } from '../geometry/hypot.ts';
import { toHex } from './color.ts';

/**
 * The paint of a region: one flat color of the palette, or smooth ramps composited over one another. A paint is
 * identified by its label, as a color is; labels of ramps follow those of the palette.
 */

/**
 * Colors along a line from (x1, y1) to (x2, y2), in px; or, for `radial`, from the center (x1, y1) out to an ellipse
 * whose half axes end at (x2, y2) and (x3, y3). Beyond its ends a ramp has its end colors.
 */
export interface Ramp {
  kind: 'linear' | 'radial';
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  x3: number;
  y3: number;
  /** In ascending order, 0..1; at least two. */
  offsets: Float64Array;
  /** Straight-alpha RGBA, 0..255, 4 numbers per stop. Interpolated without premultiplication, as renderers do. */
  colors: Float64Array;
}

/** Ramps from bottom to top. The lowest is opaque. */
export type Ramps = readonly Ramp[];

/** Returns where (x, y) lies along the ramp: 0 at its first color, 1 at its last. */
export function offsetAt(ramp: Ramp, x: number, y: number): number {
  const ax = ramp.x2 - ramp.x1;
  const ay = ramp.y2 - ramp.y1;
  const dx = x - ramp.x1;
  const dy = y - ramp.y1;
  if (ramp.kind === 'linear') return (dx * ax + dy * ay) / (ax * ax + ay * ay);
  const bx = ramp.x3 - ramp.x1;
  const by = ramp.y3 - ramp.y1;
  const area = ax * by - ay * bx;
  return hypot(dx * by - dy * bx, ax * dy - ay * dx) / Math.abs(area);
}

/** Writes the premultiplied RGBA of composited ramps at (x, y), in pixels, to `out` at `at`. Linear in the stops. */
export function paintAt(ramps: Ramps, x: number, y: number, out: Float64Array, at: number): void {
  for (let c = 0; c < 4; c++) out[at + c] = 0;
  for (let r = 0; r < ramps.length; r++) {
    const { offsets, colors } = ramps[r];
    const t = offsetAt(ramps[r], x, y);
    const last = offsets.length - 1;
    let k = 0;
    while (k < last - 1 && t > offsets[k + 1]) k++;
    const width = offsets[k + 1] - offsets[k];
    const share = width > 0 ? Math.min(1, Math.max(0, (t - offsets[k]) / width)) : t > offsets[k] ? 1 : 0;
    const i = k * 4;
    const alpha = (colors[i + 3] + share * (colors[i + 7] - colors[i + 3])) / 255;
    for (let c = 0; c < 3; c++) {
      const value = colors[i + c] + share * (colors[i + 4 + c] - colors[i + c]);
      out[at + c] = alpha * value + (1 - alpha) * out[at + c];
    }
    out[at + 3] = 255 * alpha + (1 - alpha) * out[at + 3];
  }
}

/** Returns the ramp as a gradient of a drawing, rounded to differences that an eye can see. */
export function toGradient(ramp: Ramp): Gradient {
  const { kind, offsets, colors } = ramp;
  const to = (value: number, digits: number): number => Math.round(value * digits) / digits;
  const [x1, y1, x2, y2] = [ramp.x1, ramp.y1, ramp.x2, ramp.y2].map((value) => to(value, 100));
  const stops = Array.from(offsets, (offset, k) => {
    const i = k * 4;
    const stop = { offset: to(offset, 1000), color: toHex(colors[i], colors[i + 1], colors[i + 2]) };
    return colors[i + 3] < 255 ? { ...stop, opacity: to(colors[i + 3] / 255, 1000) } : stop;
  });
  if (kind === 'linear') return { kind, x1, y1, x2, y2, stops };
  return { kind, x1, y1, x2, y2, x3: to(ramp.x3, 100), y3: to(ramp.y3, 100), stops };
}
