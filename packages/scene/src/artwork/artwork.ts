/** What a design's picture is made of: painted outlines in units of its own, or the picture itself before it is traced. */
import type { PathData } from '../geometry/pathData.ts';

/** A design's artwork in its own units: traced or uploaded outlines, or the picture itself before it is traced. */
export interface Artwork {
  readonly width: number;
  readonly height: number;
  /** As painted, back to front. */
  readonly shapes: readonly ArtworkShape[];
  /** The same picture in shapes that do not lie over one another, for lasers; set when `shapes` do. */
  readonly cutouts?: readonly ArtworkShape[] | undefined;
  /** Set instead of shapes while there is no trace yet. */
  readonly imageHref?: string | undefined;
}

export interface ArtworkShape {
  readonly d: PathData;
  readonly fill: string | undefined;
  /** What the shape is filled with when it is more than one color; `fill` is its mean then. */
  readonly gradient?: Gradient | undefined;
  readonly stroke: string | undefined;
  readonly strokeWidth: number;
  readonly opacity: number;
}

/**
 * Colors along a line from (x1, y1) to (x2, y2), or from the middle (x1, y1) out to the circle through (x2, y2), or to the ellipse whose
 * half axes end at (x2, y2) and (x3, y3).
 */
export interface Gradient {
  readonly kind: 'linear' | 'radial';
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly x3?: number;
  readonly y3?: number;
  /** At least two, by rising offset, 0…1. `opacity` is 0…1, and 1 where there is none. */
  readonly stops: readonly GradientStop[];
}

export interface GradientStop {
  readonly offset: number;
  readonly color: string;
  readonly opacity?: number;
}
