/** For tests: surfaces of the trade, and an eye of their own that shares no code with the projection. */
import type { Surface } from './surface.ts';

export const testSurfaces: readonly { readonly name: string; readonly surface: Surface }[] = [
  { name: 'flat', surface: { kind: 'flat' } },
  { name: 'a pen of 11 mm', surface: { kind: 'cylinder', diameterMm: 11 } },
  { name: 'a tumbler of 73 mm', surface: { kind: 'cylinder', diameterMm: 73 } },
  { name: 'a skinny tumbler', surface: { kind: 'cone', topDiameterMm: 74.9, bottomDiameterMm: 71.1, heightMm: 208 } },
  { name: 'a steep cup', surface: { kind: 'cone', topDiameterMm: 95, bottomDiameterMm: 60, heightMm: 110 } },
  {
    name: 'a flask, measured above the print',
    surface: { kind: 'cone', topDiameterMm: 50, bottomDiameterMm: 90, heightMm: 120, middleMm: 95 },
  },
];

export type Vec = readonly [number, number, number];

/**
 * A blank in space, in mm: its axis is the y axis, y grows downward, and z points from the axis at the camera, which is
 * level with y = 0. Each answer follows from the diameters themselves.
 */
export function modelOf(surface: Exclude<Surface, { kind: 'flat' }>) {
  const cone =
    surface.kind === 'cone'
      ? surface
      : { topDiameterMm: surface.diameterMm, bottomDiameterMm: surface.diameterMm, heightMm: 100 };
  const { topDiameterMm: top, bottomDiameterMm: bottom, heightMm } = cone;
  const middle = ('middleMm' in cone ? cone.middleMm : undefined) ?? heightMm / 2;
  /** The radius at a level below the origin. */
  const radiusAtLevel = (level: number) => (top + ((bottom - top) * (level + middle)) / heightMm) / 2;
  /** Levels for each mm of the wall. */
  const levelPerMm = heightMm / Math.sqrt(heightMm ** 2 + ((bottom - top) / 2) ** 2);
  return { top, bottom, heightMm, middle, radiusAtLevel, levelPerMm };
}

/** Returns the point at an angle about the axis, in radians, and a level. */
export const pointAt = (radius: number, angle: number, level: number): Vec => [
  radius * Math.sin(angle),
  level,
  radius * Math.cos(angle),
];

/** Returns where a camera on the z axis, in front of the radius it looks at, sees a point. */
export function see([x, y, z]: Vec, frontMm: number, cameraMm: number | undefined): { x: number; y: number } {
  if (cameraMm === undefined) return { x, y };
  // Similar triangles: a screen stands at the front of the blank.
  const share = (cameraMm - frontMm) / (cameraMm - z);
  return { x: x * share, y: y * share };
}
