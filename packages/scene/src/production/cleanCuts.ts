/** Cleans the lines that a tool follows: each once, in the fewest contours; of cuts also what is wrong with them. */
import type { Contour } from '../geometry/pathData.ts';
import { chainCuts, closeGaps } from './chainCuts.ts';
import { findCutFaults } from './cutFaults.ts';
import { type CutLine, contourBox } from './cutLines.ts';
import { dedupeCuts } from './dedupeCuts.ts';
import { dropDetail } from './dropDetail.ts';
import type { FindingList } from './findings.ts';
import { mergeShort } from './mergeShort.ts';
import { nestCuts } from './nestCuts.ts';

/** Lines of one element, as they were drawn. */
export interface DrawnLines {
  readonly elementId: string;
  readonly contours: readonly Contour[];
  /** Gaps up to this are closed, where a person asked for more than is always closed. */
  readonly gapMm?: number | undefined;
}

/** Returns lines without detail, each stretch once, closed across small gaps and joined end to end. */
export function cleanLines(shapes: readonly DrawnLines[], findings: FindingList): readonly CutLine[] {
  const lines = shapes.flatMap(({ elementId, contours, gapMm }): CutLine[] =>
    dropDetail(contours, false, ({ lengthMm, areaMm2, place }) =>
      findings.add('droppedDetail', elementId, lengthMm, [place], { areaMm2 }),
    ).map((contour) => ({ elementId, contour, gapMm })),
  );
  const single = dedupeCuts(lines, ({ elementId, withId, lengthMm, place }) =>
    findings.add('duplicateCut', elementId, lengthMm, [place], { withId }),
  );
  const whole = closeGaps(chainCuts(single), ({ elementId, lengthMm, place }) =>
    findings.add('closedGap', elementId, lengthMm, [place]),
  );
  return whole.map(withoutShort);
}

/** A stretch that was cut out of a line may begin or end with next to nothing. */
function withoutShort(line: CutLine): CutLine {
  const contour = mergeShort(line.contour);
  return contour === line.contour ? line : { ...line, contour };
}

/** Adds the faults of clean lines that are cut. An end where `isAtEdge` is not open. */
export function checkCuts(
  lines: readonly CutLine[],
  isAtEdge: (x: number, y: number) => boolean,
  findings: FindingList,
): void {
  const { open, crossing } = findCutFaults(lines, isAtEdge);
  for (const { elementId, lengthMm, places } of open) findings.add('openContour', elementId, lengthMm, places);
  for (const { elementId, withId, clearBy, places } of crossing) {
    findings.add('crossingCut', elementId, 0, places, { withId, clearBy });
  }
}

/** Returns cuts in running order, inner ones first, and adds those that stood before something inside them. */
export const orderCuts = (lines: readonly CutLine[], findings: FindingList): readonly CutLine[] =>
  nestCuts(lines, ({ elementId, contour }) => findings.add('outerBeforeInner', elementId, 0, [contourBox(contour)]));
