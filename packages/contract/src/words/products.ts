/** Words and measures of products. */
import type { FractionRect } from '@markwright/scene';

/** Reads `'2.4x5.5'` as inches. A side that is 0, missing or no number counts as 1. */
export function parseDimensions(dimensions: string): { widthInches: number; heightInches: number } {
  const [width, height] = dimensions.split('x').map(Number);
  return { widthInches: width || 1, heightInches: height || 1 };
}

/** Returns dimensions as people read them: `2.4 × 5.5 in` for `'2.4x5.5'`. */
export function formatDimensions(dimensions: string): string {
  const { widthInches, heightInches } = parseDimensions(dimensions);
  return `${widthInches} × ${heightInches} in`;
}

/** A list of up to so many products is one answer. A longer one comes in pages, and is searched on the server. */
export const WHOLE_LIST = 2_000;
/** The products on a page of a longer list. */
export const PRODUCTS_PAGE = 100;

export const PLACEHOLDER_PATH = '/api/placeholder/:width/:height';
/** Returns the address of a drawn picture that stands in where there is none. Each side is from 1 to 2000 pixels. */
export const placeholderUrl = (width: number, height: number): string => `/api/placeholder/${width}/${height}`;

/** Address of the tileable picture of brushed steel. It is the finish of marks in bare metal. */
export const BRUSHED_PICTURE = '/api/overlay/brushed-nickel.png';

/**
 * The longest sides of a picture's thumbnails. 104 is 52 CSS pixels on a screen of double density, 960 the whole width
 * of a phone.
 */
export const THUMBNAIL_SIDES_PX = [104, 960] as const;

/** The surfaces a product may have. The surface decides how a mark looks on it. */
export const MATERIALS = [
  'stainless',
  'powder-coat',
  'brass',
  'aluminium',
  'walnut',
  'maple',
  'slate',
  'leather',
  'ceramic',
  'acrylic',
  'cotton',
  'other',
] as const;

/** Limits of one request of a bulk upload. A request with fewer files shows its progress sooner. */
export const BULK_UPLOAD = { maxFiles: 100, maxBytes: 200 * 2 ** 20 } as const;

/** The dimensions of a product for which nobody has given any. */
export const DEFAULT_DIMENSIONS = '1x1';

/**
 * Returns the print area of a product for which nobody has drawn one, in fractions of the picture. It lies in the
 * middle and has the shape of the dimensions. Dimensions of 1x1 are the whole picture, as far as it is square. Others
 * are an area of the usual size.
 */
export function initialPrintArea(dimensions: string, pictureAspect: number): FractionRect {
  const { widthInches, heightInches } = parseDimensions(dimensions);
  if (widthInches !== 1 || heightInches !== 1) return middlePrintArea(dimensions, pictureAspect);
  return centerArea(Math.min(1, 1 / pictureAspect), Math.min(1, pictureAspect));
}

/**
 * Returns an area in the middle of the picture with the shape of the dimensions, in fractions of the picture. Its
 * longer side is 0.4 of the picture's longer side, or as much as fits. `pictureAspect` is width over height.
 */
export function middlePrintArea(dimensions: string, pictureAspect: number): FractionRect {
  const { widthInches, heightInches } = parseDimensions(dimensions);
  // Lengths in picture heights.
  const fit = Math.min(
    (0.4 * Math.max(pictureAspect, 1)) / Math.max(widthInches, heightInches),
    (0.9 * pictureAspect) / widthInches,
    0.9 / heightInches,
  );
  return centerArea((widthInches * fit) / pictureAspect, heightInches * fit);
}

const centerArea = (width: number, height: number): FractionRect => ({
  x: (1 - width) / 2,
  y: (1 - height) / 2,
  width,
  height,
});

/** True for the path of a folder's table, in any case. It is no product. */
export const isProductTable = (path: string): boolean => /(^|[/\\])products\.csv$/i.test(path);
