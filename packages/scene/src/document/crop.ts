/**
 * Parts of a picture: its crop, which is the frame of the artwork, and the box around the ink in that frame. A crop is
 * in fractions of the whole picture, straightened if it is, whatever was cropped before; an absent one is the whole
 * picture.
 */
import { applyMatrix, rotateDeg } from '../geometry/matrix.ts';
import type { ArtworkElement, FractionRect, Straightening } from './composition.ts';

export const wholePicture: FractionRect = { x: 0, y: 0, width: 1, height: 1 };

/** Clamps a rectangle to the picture. Returns undefined for the whole picture, for no area, and for NaN. */
export function toCrop(rect: FractionRect | undefined): FractionRect | undefined {
  if (!rect || ![rect.x, rect.y, rect.width, rect.height].every(Number.isFinite)) return undefined;
  const left = Math.max(0, rect.x);
  const top = Math.max(0, rect.y);
  const width = Math.min(rect.width + Math.min(0, rect.x), 1 - left);
  const height = Math.min(rect.height + Math.min(0, rect.y), 1 - top);
  if (width <= 0 || height <= 0) return undefined;
  const crop = { x: left, y: top, width, height };
  return isSameCrop(crop, wholePicture) ? undefined : crop;
}

export function isSameCrop(a: FractionRect | undefined, b: FractionRect | undefined): boolean {
  const [p, q] = [a ?? wholePicture, b ?? wholePicture];
  return p === q || (p.x === q.x && p.y === q.y && p.width === q.width && p.height === q.height);
}

/** The part of a picture that an artwork is made of: straightened first, then cropped. */
export interface Framing {
  readonly straighten?: Straightening | undefined;
  readonly crop?: FractionRect | undefined;
}

export function isSameStraightening(a: Straightening | undefined, b: Straightening | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.aspect !== b.aspect) return false;
  return a.corners.every(({ x, y }, i) => x === b.corners[i]!.x && y === b.corners[i]!.y);
}

export const isSameFraming = (a: Framing | undefined, b: Framing | undefined): boolean =>
  isSameStraightening(a?.straighten, b?.straighten) && isSameCrop(a?.crop, b?.crop);

/**
 * Returns the size of a picture after it is straightened, in the picture's pixels and not rounded. The longer of two
 * opposite sides keeps its length, so that no pixel is lost.
 */
export function straightenedSize(
  { corners: [a, b, c, d], aspect }: Straightening,
  picture: { readonly width: number; readonly height: number },
): { width: number; height: number } {
  const distance = (p: Corner, q: Corner) => Math.hypot((p.x - q.x) * picture.width, (p.y - q.y) * picture.height);
  const across = Math.max(distance(a, b), distance(d, c));
  const down = Math.max(distance(a, d), distance(b, c));
  const width = Math.max(across, down * aspect);
  return { width, height: width / aspect };
}
type Corner = Straightening['corners'][number];

/**
 * Returns the crop of a picture after it is straightened: around the same middle, with the same lengths there, in
 * fractions of the straightened picture and clamped to it. Undefined when nothing is left of it.
 */
export function straightenCrop(
  crop: FractionRect,
  straighten: Straightening,
  picture: { readonly width: number; readonly height: number },
): FractionRect | undefined {
  const toStraight = mapToSquare(straighten.corners);
  const size = straightenedSize(straighten, picture);
  const at = (x: number, y: number) => toStraight({ x: crop.x + x * crop.width, y: crop.y + y * crop.height });
  const length = (p: Corner, q: Corner) => Math.hypot((q.x - p.x) * size.width, (q.y - p.y) * size.height);
  const middle = at(0.5, 0.5);
  const width = length(at(0, 0.5), at(1, 0.5)) / size.width;
  const height = length(at(0.5, 0), at(0.5, 1)) / size.height;
  return toCrop({ x: middle.x - width / 2, y: middle.y - height / 2, width, height });
}

/**
 * Returns the projective map of a convex quadrilateral, clockwise from its top left, to the unit square: the inverse of
 * the map in P. Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989, section 2.2.3.
 */
function mapToSquare([a, b, c, d]: Straightening['corners']): (point: Corner) => Corner {
  const [right, down] = [
    { x: b.x - c.x, y: b.y - c.y },
    { x: d.x - c.x, y: d.y - c.y },
  ];
  const sum = { x: a.x - b.x + c.x - d.x, y: a.y - b.y + c.y - d.y };
  const determinant = right.x * down.y - down.x * right.y;
  const g = (sum.x * down.y - down.x * sum.y) / determinant;
  const h = (right.x * sum.y - sum.x * right.y) / determinant;
  const [m, n, o] = [b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x];
  const [p, q, r] = [b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y];
  // The adjugate, which is the inverse up to a factor.
  return ({ x, y }) => {
    const u = (q - r * h) * x + (o * h - n) * y + (n * r - o * q);
    const v = (r * g - p) * x + (m - o * g) * y + (o * p - m * r);
    const w = (p * h - q * g) * x + (n * g - m * h) * y + (m * q - n * p);
    return { x: u / w, y: v / w };
  };
}

/** Returns the rectangle that `part`, in fractions of `rect`, covers. Undefined for either: the whole. */
export function partOf(rect: FractionRect | undefined, part: FractionRect | undefined): FractionRect {
  const [r, p] = [rect ?? wholePicture, part ?? wholePicture];
  return {
    x: r.x + p.x * r.width,
    y: r.y + p.y * r.height,
    width: p.width * r.width,
    height: p.height * r.height,
  };
}

/** Returns `part` in fractions of `rect`, clamped to it. Undefined when they have no area in common. */
export function fractionsOf(rect: FractionRect | undefined, part: FractionRect): FractionRect | undefined {
  const r = rect ?? wholePicture;
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const [left, right] = [part.x, part.x + part.width].map((x) => clamp((x - r.x) / r.width)) as [number, number];
  const [top, bottom] = [part.y, part.y + part.height].map((y) => clamp((y - r.y) / r.height)) as [number, number];
  if (right <= left || bottom <= top) return undefined;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The place and size of an artwork's box, as `ArtworkElement` has them. */
type Place = Pick<ArtworkElement, 'x' | 'y' | 'size' | 'angleDeg' | 'isFlipped'>;

/**
 * Returns the place of the box `to` such that the picture stays where the box `from` put it. Both are in fractions of
 * one picture.
 */
export function movePlace(
  place: Place,
  { from, to, pictureAspect, areaAspect }: BoxChange,
): Pick<Place, 'x' | 'y' | 'size'> {
  // Lengths are in heights of the picture and of the area.
  const fit = ({ width, height }: FractionRect) => Math.min(areaAspect / (width * pictureAspect), 1 / height);
  const scale = (fit(from) * place.size) / 100;
  const shiftX = (to.x + to.width / 2 - from.x - from.width / 2) * pictureAspect * scale;
  const shiftY = (to.y + to.height / 2 - from.y - from.height / 2) * scale;
  const shift = applyMatrix(rotateDeg(place.angleDeg), { x: place.isFlipped ? -shiftX : shiftX, y: shiftY });
  return {
    x: place.x + (100 * shift.x) / areaAspect,
    y: place.y + 100 * shift.y,
    size: (100 * scale) / fit(to),
  };
}

/** The machine area. */
export interface AreaMm {
  readonly widthMm: number;
  readonly heightMm: number;
}

/**
 * Returns the size, in percent as `ArtworkElement` has it, at which an artwork is as large as its file says. Undefined
 * for one whose file says nothing.
 */
export function trueSizeOf(
  { trueWidthMm, aspect, ink }: Pick<ArtworkElement, 'trueWidthMm' | 'aspect' | 'ink'>,
  area: AreaMm,
): number | undefined {
  if (trueWidthMm === undefined) return undefined;
  const { width, height } = ink ?? wholePicture;
  return 100 * Math.max((width * trueWidthMm) / area.widthMm, (height * trueWidthMm) / aspect / area.heightMm);
}

/**
 * Returns the place that the design's frame has, whatever part of it is ink: the same for each trace of a composition.
 * Aspects are widths over heights, of the frame and of the machine area.
 */
export function placeOfFrame(
  design: Place & Pick<ArtworkElement, 'ink'>,
  aspect: number,
  areaAspect: number,
): Pick<Place, 'x' | 'y' | 'size'> {
  const { x, y, size, ink } = design;
  if (!ink || isSameCrop(ink, wholePicture)) return { x, y, size };
  return movePlace(design, { from: ink, to: wholePicture, pictureAspect: aspect, areaAspect });
}

interface BoxChange {
  readonly from: FractionRect;
  readonly to: FractionRect;
  /** Width over height of the picture, and of the machine area. */
  readonly pictureAspect: number;
  readonly areaAspect: number;
}
