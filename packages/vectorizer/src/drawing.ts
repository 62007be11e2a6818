/** The result of a trace: layers of painted outlines, in pixels of the bitmap. */
import type { Segment, Shape } from './geometry/segment.ts';

/**
 * A closed outline: from (x, y) along the segments back to (x, y); or, when `isOpen`, a line that ends where the last
 * segment does.
 */
export interface Ring {
  x: number;
  y: number;
  segments: Segment[];
  isOpen?: boolean;
  /** The outline as one shape, when it is a circle, an ellipse or a rectangle. The segments say the same. */
  shape?: Shape;
}

/**
 * Colors along a line from (x1, y1) to (x2, y2); or, for `radial`, from the center (x1, y1) out to an ellipse whose
 * half axes end at (x2, y2) and (x3, y3), or to a circle when x3 and y3 are absent. In pixels of the bitmap.
 */
export interface Gradient {
  kind: 'linear' | 'radial';
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  x3?: number;
  y3?: number;
  /** At least two, by rising offset, 0..1. `opacity` is 0..1, default 1. */
  stops: { offset: number; color: string; opacity?: number }[];
}

/**
 * Filled by the nonzero rule: outlines run one way, holes the other. Drawn as a line of `strokeWidth` px when that is
 * given.
 */
export interface Path {
  /**
   * `#rrggbb`; the mean color when there is a gradient. A gradient with clear parts lies over a path with the same
   * rings.
   */
  color: string;
  gradient?: Gradient;
  rings: Ring[];
  strokeWidth?: number;
  /** The line cap, `butt` when absent, and the line join, `round` when absent. */
  cap?: 'butt' | 'round';
  join?: 'miter' | 'round';
}

/** Layers are painted in order. `color` is the color of all its paths, or `mixed`. */
export interface Layer {
  id: string;
  color: string;
  paths: Path[];
}

export interface Drawing {
  /** Size of the bitmap; all coordinates are its pixels, y down. */
  width: number;
  height: number;
  /**
   * Color of the page under the art, when the page has one color and was not dropped. Visible parts of the page stay
   * open; a region of the same color that belongs to the art is painted. Absent from cut-outs whose page is not white
   * paper: there the page is a shape beside the others.
   */
  background?: string;
  /** True when nearly all ink is lines of like width, so that `draw: 'centerline'` suits the picture. An estimate. */
  lineArt: boolean;
  layers: Layer[];
}
