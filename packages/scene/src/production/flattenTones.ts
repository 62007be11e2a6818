/**
 * Resolves opacity for a laser, which has none: what a translucent shape shows over another one becomes a tone of its
 * own.
 */
import type { Contour } from '../geometry/pathData.ts';
import { looseBounds } from '../geometry/pathData.ts';
import { intersectOutlines, MM_GRID, partOutlines, touchingPairs, visibleParts } from '../geometry/planar.ts';
import { toneOf } from './layerShapes.ts';
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
 * their shapes. Cost: an overlay of all; of few shapes, a boolean operation for each pair of which the upper one is
 * translucent.
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

  return partTones(shapes, isTranslucent) ?? intersectTones(shapes, isTranslucent);
}

/** Up to so many shapes, each pair is intersected: that is quicker. */
const FEW_SHAPES = 10;

/** A shape with its opacity over bare material, the number of its group, and whether it is opaque by itself. */
interface Layer {
  readonly shape: FrameShape;
  readonly group: number;
  readonly isSolid: boolean;
}

/**
 * Parts the picture of many shapes by what lies on each place. An intersection for each pair took a third of the time
 * of all else, and gave up after so many pairs. Parts of one tone between two lines are one shape. Returns undefined
 * for few shapes.
 */
function partTones(layers: readonly Layer[], isTranslucent: (shape: FrameShape) => boolean): FrameShape[] | undefined {
  const fills = [...layers.keys()].filter((k) => layers[k]!.shape.fill !== undefined);
  if (fills.length <= FEW_SHAPES) return undefined;
  /** The number of lines below each layer: a mixed part must stay below the lines that are over it. */
  const runs: number[] = [];
  for (const [k, { shape }] of layers.entries()) runs.push((runs[k - 1] ?? 0) + (shape.fill === undefined ? 1 : 0));
  const colors = layers.map(({ shape }) => channelsOf(shape.fill ?? '#ffffff'));
  /** A layer that does not show as a whole, or as it is. */
  const isChanged = new Uint8Array(layers.length);
  const mixes: { readonly shape: FrameShape; readonly below: number }[] = [];
  const mixNumbers = new Map<string, number>();
  const labelOf = (stack: readonly number[]): number => {
    const top = fills[stack.at(-1)!]!;
    const visible = visibleStack(layers, stack, fills);
    for (const k of stack) if (fills[k] !== top) isChanged[fills[k]!] = 1;
    if (visible.length < 2 || !isTranslucent(layers[top]!.shape)) return top;
    isChanged[top] = 1;
    let color: Channels = [255, 255, 255];
    for (const k of visible) color = mixChannels(color, colors[k]!, layers[k]!.shape.opacity);
    const fill = toHex(color);
    const shape = { ...layers[top]!.shape, fill, opacity: 1 };
    const key = `${runs[top]} ${shape.elementId} ${toneOf(shape, fill)}`;
    let number = mixNumbers.get(key);
    if (number === undefined) {
      number = mixes.length;
      mixNumbers.set(key, number);
      mixes.push({ shape, below: runs[top]! });
    }
    return layers.length + number;
  };
  const outlines = fills.map((k) => layers[k]!.shape.contours);
  const parts = partOutlines(outlines, labelOf, MM_GRID);
  if (!parts) return undefined;
  const withContours = (shape: FrameShape, contours: readonly Contour[] = []) =>
    contours.length > 0 ? [{ ...shape, contours }] : [];
  const mixedUpTo = (run: number) =>
    mixes.flatMap(({ shape, below }, i) => (below === run ? withContours(shape, parts.get(layers.length + i)) : []));
  const result = layers.flatMap(({ shape }, k) => {
    const own = isChanged[k] === 1 ? withContours(shape, parts.get(k)) : [shape];
    return shape.fill === undefined ? [...mixedUpTo(runs[k]! - 1), ...own] : own;
  });
  return [...result, ...mixedUpTo(runs.at(-1)!)];
}

/** Returns what shows at a place, back to front: nothing below an opaque shape, nor below one of its own picture. */
function visibleStack(layers: readonly Layer[], stack: readonly number[], fills: readonly number[]): number[] {
  const visible: number[] = [];
  const solidGroups = new Set<number>();
  for (let i = stack.length - 1; i >= 0; i--) {
    const k = fills[stack[i]!]!;
    const { shape, group, isSolid } = layers[k]!;
    // The visible parts of one element do not overlap, but for slivers.
    if (shape.opacity <= 0 || (isSolid && solidGroups.has(group))) continue;
    if (isSolid) solidGroups.add(group);
    visible.push(k);
    if (shape.opacity >= 1) break;
  }
  return visible.reverse();
}

/** Lays the common part of each pair, in the mixed color, over both. */
function intersectTones(shapes: readonly Layer[], isTranslucent: (shape: FrameShape) => boolean): FrameShape[] {
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
const mix = (below: string, above: string, opacity: number): string =>
  toHex(mixChannels(channelsOf(below), channelsOf(above), opacity));

/** Red, green and blue, 0…255. */
type Channels = readonly [number, number, number];

function channelsOf(color: string): Channels {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const mixChannels = (below: Channels, above: Channels, opacity: number): Channels => [
  Math.round(below[0] * (1 - opacity) + above[0] * opacity),
  Math.round(below[1] * (1 - opacity) + above[1] * opacity),
  Math.round(below[2] * (1 - opacity) + above[2] * opacity),
];

const toHex = ([red, green, blue]: Channels): string =>
  `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`;
