/** Makes up for the width of the beam: parts come out as they were drawn. */
import type { Point } from '../geometry/matrix.ts';
import { nestContours } from '../geometry/nesting.ts';
import { MM_GRID, offsetOutline } from '../geometry/planar.ts';
import { type CutLine, contourBox } from './cutLines.ts';
import { lengthOf } from './dropDetail.ts';

/** A contour that the kerf took altogether, or broke into several. */
export interface KerfLoss {
  readonly elementId: string;
  readonly lengthMm: number;
  readonly place: readonly Point[];
}

interface KerfOptions {
  readonly kerfMm: number;
  /** The frame: a part at its edge stays in it. */
  readonly widthMm: number;
  readonly heightMm: number;
}

/**
 * Moves closed cuts by half a kerf: outer ones outward, holes inward, and so on by depth. Curves become lines that are
 * at most 0.005 mm from them. Open cuts stay. Calls `note` where a hole vanishes, a narrow place breaks or the frame
 * has no room. Cost: n log n in the nodes.
 */
export function addKerf(
  lines: readonly CutLine[],
  { kerfMm, widthMm, heightMm }: KerfOptions,
  note: (loss: KerfLoss) => void,
): readonly CutLine[] {
  if (kerfMm === 0) return lines;
  const { depth } = nestContours(lines.map(({ contour }) => contour));
  const clamp = (value: number, p: number) => Math.min(p % 2 === 0 ? widthMm : heightMm, Math.max(0, value));
  return lines.flatMap((line, c) => {
    const { contour, elementId } = line;
    if (!contour.isClosed) return [line];
    const isHole = depth[c]! % 2 === 1;
    const contours = offsetOutline([contour], isHole ? -kerfMm / 2 : kerfMm / 2, 'miter', MM_GRID);
    const inFrame = contours.map((outline) => ({ ...outline, points: outline.points.map(clamp) }));
    const isCramped = inFrame.some(({ points }, k) => points.some((value, p) => value !== contours[k]!.points[p]));
    if (contours.length !== 1 || isCramped) {
      note({ elementId, lengthMm: lengthOf(contour), place: contourBox(contour) });
    }
    return inFrame.map((outline) => ({ ...line, contour: outline }));
  });
}
