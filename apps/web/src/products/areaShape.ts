/** The shape of a print area as a form changes it. Points and boxes are in fractions of the area's rectangle. */
import { BLANK_LIMITS } from '@markwright/contract/words';
import { type AreaShape, type KeepOut, type Point, readContours } from '@markwright/scene';

export type ShapeKind = AreaShape['kind'];

/** An outline of more corners is not pulled by hand: it was traced. */
export const MOST_CORNERS = 40;
const LEAST_CORNERS = 3;
/** The shortest side of a part that is kept free. */
const LEAST_SIDE = 0.01;
const NEW_RADIUS_MM = 5;

/** A drawing begins as a rectangle without its corners. */
const START: readonly Point[] = [
  { x: 0.2, y: 0 },
  { x: 0.8, y: 0 },
  { x: 1, y: 0.2 },
  { x: 1, y: 0.8 },
  { x: 0.8, y: 1 },
  { x: 0.2, y: 1 },
  { x: 0, y: 0.8 },
  { x: 0, y: 0.2 },
];

/** Returns a shape of another kind, with the same parts kept free. */
export function withKind(shape: AreaShape | undefined, kind: ShapeKind): AreaShape {
  if (shape?.kind === kind) return shape;
  const rest = shape?.keepOuts && { keepOuts: shape.keepOuts };
  if (kind === 'rounded') return { kind, radiusMm: NEW_RADIUS_MM, ...rest };
  if (kind === 'outline') return { kind, d: writeCorners(START), ...rest };
  return { kind, ...rest };
}

/** Returns the corners of an outline that was drawn by hand; undefined for one with curves, parts or many points. */
export function readCorners(d: string): Point[] | undefined {
  const [contour, ...others] = readContours(d);
  if (!contour || others.length > 0 || contour.commands.some((command) => command !== 'L')) return undefined;
  const { points } = contour;
  const corners = Array.from({ length: points.length / 2 }, (_, i) => ({ x: points[2 * i]!, y: points[2 * i + 1]! }));
  const [first, last] = [corners[0]!, corners.at(-1)!];
  if (corners.length > LEAST_CORNERS && first.x === last.x && first.y === last.y) corners.pop();
  return corners.length >= LEAST_CORNERS && corners.length <= MOST_CORNERS ? corners : undefined;
}

export const writeCorners = (corners: readonly Point[]): string =>
  `M${corners.map(({ x, y }) => `${share(x)} ${share(y)}`).join('L')}Z`;

const clamp = (value: number, most = 1) => Math.min(most, Math.max(0, value));
const share = (value: number) => Number(clamp(value).toFixed(4));

/** Returns the outline with a corner more, on the side after corner `index`; the same outline when it has the most. */
export function splitSide(corners: readonly Point[], index: number, at: Point): readonly Point[] {
  if (corners.length >= MOST_CORNERS) return corners;
  return [...corners.slice(0, index + 1), at, ...corners.slice(index + 1)];
}

/** Returns the outline without a corner; the same one where only a triangle is left. */
export const dropCorner = (corners: readonly Point[], index: number): readonly Point[] =>
  corners.length > LEAST_CORNERS ? corners.filter((_, i) => i !== index) : corners;

export const keepOutsOf = (shape: AreaShape | undefined): readonly KeepOut[] => shape?.keepOuts ?? [];

/** Returns the shape with these parts kept free. */
export const withKeepOuts = (shape: AreaShape | undefined, keepOuts: readonly KeepOut[]): AreaShape => ({
  ...(shape ?? { kind: 'rectangle' }),
  keepOuts,
});

/** Returns the shape with one more part kept free, in the middle; a round one, as most holes are. */
export function addKeepOut(shape: AreaShape | undefined, aspect: number): AreaShape {
  const parts = keepOutsOf(shape);
  if (parts.length >= BLANK_LIMITS.keepOuts) return shape!;
  const [width, height] = aspect > 1 ? [0.2 / aspect, 0.2] : [0.2, 0.2 * aspect];
  const part: KeepOut = { kind: 'ellipse', x: (1 - width) / 2, y: (1 - height) / 2, width, height, reason: 'hole' };
  return withKeepOuts(shape, [...parts, part]);
}

/** Returns a part of this size and place, within the area. */
export function placeKeepOut(part: KeepOut, to: Partial<Pick<KeepOut, 'x' | 'y' | 'width' | 'height'>>): KeepOut {
  const size = { width: clampSide(to.width ?? part.width), height: clampSide(to.height ?? part.height) };
  return { ...part, ...size, x: clamp(to.x ?? part.x, 1 - size.width), y: clamp(to.y ?? part.y, 1 - size.height) };
}

const clampSide = (side: number) => Math.min(1, Math.max(LEAST_SIDE, side));
