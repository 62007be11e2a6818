/** What a preflight finds, and how it is fixed. */
import type { Bounds } from '../arrange/arrange.ts';
import type { Command } from '../document/commands.ts';
import type { Point } from '../geometry/matrix.ts';
import type { Change, Check } from './fixes.ts';

export type FindingKind =
  | 'outside'
  | 'outsideArea'
  | 'onFreePart'
  | 'missingLetters'
  | 'smallText'
  | 'longArc'
  | 'thinLine'
  | 'specks'
  | 'narrowGap'
  | 'cutGap'
  | 'openContour'
  | 'crossingCut'
  | 'clippedCut'
  | 'duplicateCut'
  | 'translucent'
  | 'lowResolution'
  | 'tooDetailed'
  | 'badCode'
  | 'smallCode'
  | 'quietZone'
  | 'mirroredCode'
  | 'lightCode';

export interface Finding {
  readonly kind: FindingKind;
  /** `problem`: it will not come out as it is shown. `advice`: it may not. */
  readonly severity: 'problem' | 'advice';
  readonly elementId: string;
  /** The problem in a few words. */
  readonly title: string;
  /** The figures; and what to change, and by how much, where no click does it. */
  readonly sentence: string;
  /** The places to mark, as corners in scene mm. */
  readonly places: readonly (readonly Point[])[];
  readonly fix?: Fix | undefined;
}

/** Commands are one undo step; `despeckle` is a setting for another trace. */
export type Fix =
  | { readonly label: string; readonly commands: readonly Command[] }
  | { readonly label: string; readonly despeckle: number };

/**
 * Returns a finding about the checked element with a change as its fix. A locked element has no fix, because a command
 * would not change it; the sentence then says the change. Without a change the sentence ends with `otherwise`.
 */
export function toFinding(
  check: Check,
  { sentence, ...rest }: Omit<Finding, 'elementId' | 'fix'>,
  change: Change | undefined,
  otherwise: string,
): Finding {
  const finding = { ...rest, elementId: check.group.elementId };
  const { isLocked } = check.element;
  if (!change) return { ...finding, sentence: `${sentence} ${otherwise}` };
  if (isLocked) return { ...finding, sentence: `${sentence} It is locked: unlock it, then ${change.words}.` };
  return { ...finding, sentence, fix: { label: change.label, commands: change.commands } };
}

/** Returns the corners of a box, clockwise from the top left. */
export const corners = ({ left, top, right, bottom }: Bounds): Point[] => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];
