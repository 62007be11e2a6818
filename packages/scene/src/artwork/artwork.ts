/** The artwork of a design: painted outlines in its own units, or the picture itself before it is traced. */
import type { PathData } from '../geometry/pathData.ts';

/** All lengths are in the artwork's own units, from 0, 0 to `width`, `height`. */
export interface Artwork {
  readonly width: number;
  readonly height: number;
  /** In painting order, back to front. */
  readonly shapes: readonly ArtworkShape[];
  /** The same picture in shapes that do not overlap, for lasers. Set when `shapes` overlap. */
  readonly cutouts?: readonly ArtworkShape[] | undefined;
  /** Set instead of shapes until there is a trace. */
  readonly imageHref?: string | undefined;
  /** True for one that stands in until its picture is traced again: its frame is no picture's. */
  readonly isStandIn?: true | undefined;
}

export interface ArtworkShape extends ShapePaint {
  readonly d: PathData;
}

/** The paint of a shape. The stroke width has the unit of the outline; opacity is 0…1. */
export interface ShapePaint {
  readonly fill: string | undefined;
  /** The fill when it has more than one color; `fill` is its mean color then. */
  readonly gradient?: Gradient | undefined;
  readonly stroke: string | undefined;
  readonly strokeWidth: number;
  readonly opacity: number;
}

/**
 * A gradient in artwork units. Linear: colors along the line from (x1, y1) to (x2, y2). Radial: colors from the center
 * (x1, y1) out to the circle through (x2, y2), or to the ellipse whose half axes end at (x2, y2) and (x3, y3).
 */
export interface Gradient {
  readonly kind: 'linear' | 'radial';
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly x3?: number;
  readonly y3?: number;
  /** At least two, in rising offset, 0…1. `opacity` is 0…1; absent means 1. */
  readonly stops: readonly GradientStop[];
}

export interface GradientStop {
  readonly offset: number;
  readonly color: string;
  readonly opacity?: number;
}
