/**
 * Resolves opacity for a laser, which has none: what a translucent shape shows over another one becomes a tone of its
 * own.
 */
import type { Contour } from '../geometry/pathData.ts';
import { looseBounds } from '../geometry/pathData.ts';
import { intersectOutlines, MM_GRID, touchingPairs, visibleParts } from '../geometry/planar.ts';
import type { FrameShape } from './placeShapes.ts';

/** One element's shapes with its opacity, 0…1. */
export interface ShapeGroup {
  readonly opacity: number;
  readonly shapes: readonly FrameShape[];
}

/** Overlaps beyond this many are left as they are: each translucent layer may double them. */
const MAX_OVERLAPS = 5000;

/**
 * Returns the shapes of all groups, back to front, each with its opacity over bare material. Over each place where a
 * translucent fill covers another fill comes an opaque shape of the mixed color. Groups without translucent fills keep
 * their shapes. Cost: a boolean operation for each pair of which the upper one is translucent.
 */
export function flattenTones(groups: readonly ShapeGroup[]): FrameShape[] {
  const shapes = groups.flatMap(({ opacity, shapes }, group) =>
    (opacity < 1 ? withoutHidden(shapes) : shapes).map((shape) => ({
      shape: { ...shape, opacity: shape.opacity * opacity },
      group,
      isSolid: shape.opacity >= 1,
    })),
  );
  const isTranslucent = ({ operation, opacity, fill }: FrameShape) =>
    operation === 'engrave' && fill !== undefined && opacity > 0 && opacity < 1;
  if (!shapes.some(({ shape }) => isTranslucent(shape))) return shapes.map(({ shape }) => shape);

  const below = new Map<number, number[]>();
  for (const [lower, upper] of touchingPairs(shapes.map(({ shape }) => looseBounds(shape.contours)))) {
    const [a, b] = [shapes[lower]!, shapes[upper]!];
    // The visible parts of one element do not overlap.
    if (!isTranslucent(b.shape) || !a.shape.fill || (a.group === b.group && a.isSolid && b.isSolid)) continue;
    const list = below.get(upper);
    if (list) list.push(lower);
    else below.set(upper, [lower]);
  }
  let overlaps = 0;
  /** Each shape with the mixed ones over it, back to front. */
  const layers: FrameShape[][] = [];
  for (const [k, { shape }] of shapes.entries()) {
    const layer = [shape];
    layers.push(layer);
    for (const lower of (below.get(k) ?? []).sort((a, b) => a - b)) {
      for (const under of layers[lower]!) {
        if (++overlaps > MAX_OVERLAPS) break;
        const contours: readonly Contour[] = intersectOutlines(under.contours, shape.contours, MM_GRID);
        if (contours.length === 0) continue;
        const ground = mix('#ffffff', under.fill!, under.opacity);
        layer.push({ ...shape, contours, fill: mix(ground, shape.fill!, shape.opacity), opacity: 1 });
      }
    }
  }
  return layers.flat();
}

/** Returns an element's shapes without what its own upper shapes hide, so that they can be made translucent. */
function withoutHidden(shapes: readonly FrameShape[]): readonly FrameShape[] {
  const parts = visibleParts(
    shapes.map((shape) => ({
      ...shape,
      tone: shape.operation === 'engrave' ? shape.fill : undefined,
      isOpaque: shape.opacity >= 1,
      isKeptWhole: shape.operation === 'cut',
    })),
    MM_GRID,
  );
  return parts ?? shapes;
}

/** Mixes a color over another one, `#rrggbb`, as a picture is drawn. */
function mix(below: string, above: string, opacity: number): string {
  const channel = (color: string, k: number) => Number.parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16);
  const parts = [0, 1, 2].map((k) => Math.round(channel(below, k) * (1 - opacity) + channel(above, k) * opacity));
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
