/** Reads an icon of a set as one outline. */
import { type Contour, readContours, tightBounds, transformContours, writeContours } from '../geometry/pathData.ts';
import { type Grid, joinOutlines } from '../geometry/planar.ts';
import { readArtwork } from '../import/readArtwork.ts';
import { readSvg } from '../import/svgSafe.ts';
import { ICON_SIDE } from './iconIndex.ts';

/** Of the units that an icon is written in: a quarter of a unit is nothing on a blank. */
const GRID: Grid = { unit: 0.01, tolerance: 0.25, crumb: 2 };

/**
 * Reads an SVG of one color as an outline of closed contours that is filled by even-odd, in whole units, in the middle
 * of a square of `ICON_SIDE`, whose sides the longer ones touch. Lines become the areas that they cover. Returns
 * undefined for an SVG of several colors or opacities, for one that holds more than outlines, and for an empty one.
 * Throws `SvgRefused` as `readSvg` does.
 */
export function readIcon(svg: string): string | undefined {
  const artwork = readArtwork(readSvg(svg));
  if (!artwork || artwork.shapes.length === 0) return undefined;
  const [first] = artwork.shapes;
  if (artwork.shapes.some(({ fill, opacity }) => !fill || fill !== first!.fill || opacity < 1)) return undefined;
  const outlines = artwork.shapes.map(({ d }) => readContours(d));
  const { minX, minY, maxX, maxY } = tightBounds(outlines.flat());
  const [width, height] = [maxX - minX, maxY - minY];
  if (!(width > 0 && height > 0)) return undefined;
  const a = ICON_SIDE / Math.max(width, height);
  const place = {
    a,
    b: 0,
    c: 0,
    d: a,
    e: ICON_SIDE / 2 - (a * (minX + maxX)) / 2,
    f: ICON_SIDE / 2 - (a * (minY + maxY)) / 2,
  };
  const [single, ...others] = outlines.map((contours) => transformContours(contours, place));
  const outline = others.length === 0 ? single! : joinOutlines([single!, ...others], GRID);
  return writeContours(outline.map(closeContour), 0);
}

/** A fill closes what it fills. */
const closeContour = (contour: Contour): Contour => ({ ...contour, isClosed: true });
