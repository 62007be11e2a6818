/**
 * Scales and turns several elements as one: their places, sizes and angles change together, so that the arrangement
 * keeps its form. Pure.
 */
import {
  type Bounds,
  type Command,
  type Composition,
  OFFSET_LIMIT,
  type Point,
  placeCommand,
  type Scene,
} from '@markwright/scene';
import type { ElementId } from '../document/editor.ts';
import { type Placement, readPlacement, sizeLimits } from './placement.ts';

interface Arrangement {
  readonly composition: Composition;
  readonly scene: Scene;
  readonly elementIds: readonly ElementId[];
}

/** Returns the placement of each element, with its middle in scene mm. */
function readPlaces({ composition, scene, elementIds }: Arrangement) {
  return elementIds.flatMap((elementId) => {
    const placement = readPlacement(composition, elementId);
    return placement ? [{ elementId, placement, middle: toMm(scene, placement) }] : [];
  });
}

const toMm = ({ widthMm, heightMm }: Scene, { x, y }: Point): Point => ({
  x: widthMm * (0.5 + x / 100),
  y: heightMm * (0.5 + y / 100),
});

const toPercent = ({ widthMm, heightMm }: Scene, { x, y }: Point): Point => ({
  x: (x / widthMm - 0.5) * 100,
  y: (y / heightMm - 0.5) * 100,
});

/** Returns the range of factors, around 1, by which all elements can be scaled about a point of the scene. */
export function scaleRange(arrangement: Arrangement, anchor: Point): { readonly min: number; readonly max: number } {
  const { x: anchorX, y: anchorY } = toPercent(arrangement.scene, anchor);
  let [min, max] = [0, Number.POSITIVE_INFINITY];
  for (const { elementId, placement } of readPlaces(arrangement)) {
    const limits = sizeLimits(elementId, placement.size);
    min = Math.max(min, limits.min / placement.size);
    max = Math.min(max, limits.max / placement.size);
    for (const [at, from] of [
      [placement.x, anchorX],
      [placement.y, anchorY],
    ] as const) {
      // The middle lies at `from + factor * (at - from)`, and must not leave the machine area.
      const distance = at - from;
      if (Math.abs(distance) < 1e-9) continue;
      const ends = [(-OFFSET_LIMIT - from) / distance, (OFFSET_LIMIT - from) / distance];
      min = Math.max(min, Math.min(...ends));
      max = Math.min(max, Math.max(...ends));
    }
  }
  // Rounding must not leave the present size out.
  return { min: Math.min(1, min), max: Math.max(1, max) };
}

/** Scales all elements about a point of the scene. `factor` must lie within `scaleRange`. */
export function scaleSeveral(arrangement: Arrangement, anchor: Point, factor: number): Command {
  const { scene } = arrangement;
  return change(arrangement, ({ placement, middle }) => ({
    ...toPercent(scene, {
      x: anchor.x + (middle.x - anchor.x) * factor,
      y: anchor.y + (middle.y - anchor.y) * factor,
    }),
    size: placement.size * factor,
  }));
}

/** Turns all elements about a point of the scene, clockwise. */
export function turnSeveral(arrangement: Arrangement, center: Point, byDeg: number): Command {
  const { scene } = arrangement;
  const angle = (byDeg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return change(arrangement, ({ placement, middle }) => {
    const offset = { x: middle.x - center.x, y: middle.y - center.y };
    return {
      ...toPercent(scene, {
        x: center.x + offset.x * cos - offset.y * sin,
        y: center.y + offset.x * sin + offset.y * cos,
      }),
      angleDeg: (((placement.angleDeg + byDeg) % 360) + 360) % 360,
    };
  });
}

type Place = ReturnType<typeof readPlaces>[number];

const change = (arrangement: Arrangement, changesOf: (place: Place) => Partial<Placement>): Command => ({
  type: 'several',
  commands: readPlaces(arrangement).map((place) => placeCommand(place.elementId, changesOf(place))),
});

/** Returns the corners of a box, clockwise from the top left. */
export const boxCorners = ({ left, top, right, bottom }: Bounds): readonly [Point, Point, Point, Point] => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];
