/**
 * The print area of a product: a rectangle of its picture, the shape of what can be marked in it, and what must stay
 * free. Lengths of a shape are in millimeters or in fractions (0…1) of the rectangle.
 */
import { type Contour, type PathData, readContours } from '../geometry/pathData.ts';
import type { AreaClip, KeepOutReason } from './areaClips.ts';
import type { FractionRect } from './composition.ts';

/** A part of the print area that is never marked, in fractions of its rectangle. */
export interface KeepOut {
  readonly kind: 'rectangle' | 'ellipse';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly reason: KeepOutReason;
}

/**
 * The shape of what can be marked. `circle` is the largest one in the middle of the rectangle, `ellipse` touches all
 * its sides, `outline` is path data of absolute `M L C Z` in fractions of the rectangle, filled by even-odd.
 */
export type AreaShape = (
  | { readonly kind: 'rectangle' }
  | { readonly kind: 'rounded'; readonly radiusMm: number }
  | { readonly kind: 'circle' }
  | { readonly kind: 'ellipse' }
  | { readonly kind: 'outline'; readonly d: PathData }
) & { readonly keepOuts?: readonly KeepOut[] | undefined };

/** A rectangle of the product's picture, with its shape. Absent: all of the rectangle. */
export type PrintArea = FractionRect & { readonly shape?: AreaShape | undefined };

/** A box in mm. */
export interface MmBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is kept free is cut out of a plane: a box that reaches this far beyond the print area, mm. */
const PLANE_MM = 2000;

/**
 * Returns the limits of a print area whose rectangle lies at `box`. None where the machine area alone limits it: where
 * all of the rectangle can be marked. Throws an Error for an outline of other commands than `M L C Z`.
 */
export function clipsOf({ shape }: PrintArea, box: MmBox): readonly AreaClip[] {
  if (!shape) return [];
  const { x, y, width, height } = box;
  const edge = edgeOf(shape, box);
  const plane = roundedBox(
    { x: x - PLANE_MM, y: y - PLANE_MM, width: width + 2 * PLANE_MM, height: height + 2 * PLANE_MM },
    0,
  );
  const freeParts = (shape.keepOuts ?? []).map((part): AreaClip => {
    const partBox = {
      x: x + part.x * width,
      y: y + part.y * height,
      width: part.width * width,
      height: part.height * height,
    };
    const outline = part.kind === 'ellipse' ? ellipse(partBox) : roundedBox(partBox, 0);
    return { contours: [plane, outline], reason: part.reason };
  });
  return [...(edge ? [{ contours: edge }] : []), ...freeParts];
}

/** How far outside of its rectangle an outline may reach by rounding, in fractions of it. */
const REACH = 1e-4;
const MAX_AREA_POINTS = 4000;

/** True for path data that can be the outline of a print area: closed lines and curves within the rectangle. */
export function isAreaPath(d: PathData): boolean {
  let contours: Contour[];
  try {
    contours = readContours(d);
  } catch {
    return false;
  }
  const points = contours.flatMap((contour) => contour.points);
  return (
    contours.length > 0 &&
    points.length <= 2 * MAX_AREA_POINTS &&
    points.every((value) => value >= -REACH && value <= 1 + REACH) &&
    contours.every(({ points }) => points.length >= 6)
  );
}

function edgeOf(shape: AreaShape, box: MmBox): readonly Contour[] | undefined {
  const { x, y, width, height } = box;
  switch (shape.kind) {
    case 'rectangle':
      return undefined;
    case 'rounded': {
      const radius = Math.min(shape.radiusMm, width / 2, height / 2);
      return radius > 0 ? [roundedBox(box, radius)] : undefined;
    }
    case 'circle': {
      const side = Math.min(width, height);
      return [ellipse({ x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side })];
    }
    case 'ellipse':
      return [ellipse(box)];
    case 'outline':
      return readContours(shape.d).map(({ commands, points }) => ({
        commands,
        points: points.map((value, i) => (i % 2 === 0 ? x + value * width : y + value * height)),
        isClosed: true,
      }));
  }
}

/**
 * The length of the handles of a quarter of an ellipse, in radii: the curve is nowhere further from it than 0.02 % of
 * the radius (Goldapp 1991).
 */
const QUARTER = 0.5519150244935106;

const ellipse = (box: MmBox): Contour => roundedBox(box, box.width / 2, box.height / 2);

function roundedBox({ x, y, width, height }: MmBox, rx: number, ry = rx): Contour {
  const [right, bottom] = [x + width, y + height];
  if (rx === 0)
    return { commands: ['L', 'L', 'L'], points: [x, y, right, y, right, bottom, x, bottom], isClosed: true };
  const [hx, hy] = [rx * (1 - QUARTER), ry * (1 - QUARTER)];
  const contour: Contour = { commands: [], points: [x + rx, y], isClosed: true };
  const line = (...points: number[]) => contour.commands.push('L') && contour.points.push(...points);
  const curve = (...points: number[]) => contour.commands.push('C') && contour.points.push(...points);
  if (width > 2 * rx) line(right - rx, y);
  curve(right - hx, y, right, y + hy, right, y + ry);
  if (height > 2 * ry) line(right, bottom - ry);
  curve(right, bottom - hy, right - hx, bottom, right - rx, bottom);
  if (width > 2 * rx) line(x + rx, bottom);
  curve(x + hx, bottom, x, bottom - hy, x, bottom - ry);
  if (height > 2 * ry) line(x, y + ry);
  curve(x, y + hy, x + hx, y, x + rx, y);
  return contour;
}
