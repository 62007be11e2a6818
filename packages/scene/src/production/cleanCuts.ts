/** Cleans the lines that a tool follows: each once, in the fewest contours; of cuts also what is wrong with them. */
import type { Contour } from '../geometry/pathData.ts';
import { chainCuts } from './chainCuts.ts';
import { findCutFaults } from './cutFaults.ts';
import { type CutLine, contourBox } from './cutLines.ts';
import { dedupeCuts } from './dedupeCuts.ts';
import { dropDetail } from './dropDetail.ts';
import type { FindingList } from './findings.ts';
import { nestCuts } from './nestCuts.ts';

/** Lines of one element, as they were drawn. */
export interface DrawnLines {
  readonly elementId: string;
  readonly contours: readonly Contour[];
}

/** Returns lines without detail, each stretch once, closed across small gaps and joined end to end. */
export function cleanLines(shapes: readonly DrawnLines[], findings: FindingList): readonly CutLine[] {
  const lines = shapes.flatMap(({ elementId, contours }): CutLine[] =>
    dropDetail(contours, false, ({ lengthMm, place }) =>
      findings.add('droppedDetail', elementId, lengthMm, [place]),
    ).map((contour) => ({ elementId, contour })),
  );
  const single = dedupeCuts(lines, ({ elementId, lengthMm, place }) =>
    findings.add('duplicateCut', elementId, lengthMm, [place]),
  );
  return chainCuts(single);
}

/** Adds the faults of clean lines that are cut. An end where `isAtEdge` is not open. */
export function checkCuts(
  lines: readonly CutLine[],
  isAtEdge: (x: number, y: number) => boolean,
  findings: FindingList,
): void {
  const { open, crossing } = findCutFaults(lines, isAtEdge);
  for (const { elementId, lengthMm, places } of open) findings.add('openContour', elementId, lengthMm, places);
  for (const { elementId, lengthMm, places } of crossing) findings.add('crossingCut', elementId, lengthMm, places);
}

/** Returns cuts in running order, inner ones first, and adds those that stood before something inside them. */
export const orderCuts = (lines: readonly CutLine[], findings: FindingList): readonly CutLine[] =>
  nestCuts(lines, ({ elementId, contour }) => findings.add('outerBeforeInner', elementId, 0, [contourBox(contour)]));
