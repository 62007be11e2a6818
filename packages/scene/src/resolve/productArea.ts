/** The shape of a product's print area. Loaded apart, because most blanks have none. */
import type { AreaClip } from '../document/areaClips.ts';
import { clipsOf, type PrintArea } from '../document/printArea.ts';
import { MM_PER_INCH } from './resolve.ts';

/** The facts about a product that give its print area a size. */
export interface AreaCalibration {
  readonly printArea: PrintArea;
  readonly printWidthInches: number;
  /** Width over height of the picture. */
  readonly pictureAspect: number;
}

/**
 * Returns the shape of a product's print area as `ProductAsset` holds it: in mm from the top left corner of its
 * rectangle. Undefined where all of the rectangle can be marked.
 */
export function productArea({
  printArea,
  printWidthInches,
  pictureAspect,
}: AreaCalibration): readonly AreaClip[] | undefined {
  const width = printWidthInches * MM_PER_INCH;
  // As the scene has it: the picture's pixels are square.
  const height = (printArea.height * width) / printArea.width / pictureAspect;
  const clips = clipsOf(printArea, { x: 0, y: 0, width, height });
  return clips.length > 0 ? clips : undefined;
}
