/**
 * The cut doctor: what is wrong with lines that a laser follows, as the production job finds it, and how each is
 * mended. What the file mends by itself is no finding: `fileMends` says it.
 */

import type { KeepOutReason } from '../document/areaClips.ts';
import type { Command } from '../document/commands.ts';
import { isArtwork } from '../document/initial.ts';
import { MAX_CLOSED_GAP } from '../document/limits.ts';

import { lengthScale, type Point } from '../geometry/matrix.ts';
import type { JobFinding } from '../production/job.ts';
import type { Scene, SceneGroup } from '../resolve/scene.ts';
import { type Finding, type FindingKind, toFinding } from './finding.ts';
import { type Change, type Check, enlargeArea, fitInside } from './fixes.ts';

/** What the production job says of a scene, besides its files. The result of `reviewJob`. */
export interface JobReview {
  /** All but dropped detail. Places are in frame mm, not mirrored. */
  readonly findings: readonly JobFinding[];
  /** Elements of whose lines most lie on those of others. */
  readonly doubles: readonly DoubleElement[];
  /** Elements with open cuts. */
  readonly openEnds: readonly OpenEnds[];
  readonly dropped: DroppedDetail;
  /** What lies outside of the print area's shape, and is cut off. */
  readonly outside: readonly OutsideParts[];
}

/** The parts of an element that a print area's shape cuts off. */
export interface OutsideParts {
  readonly elementId: string;
  /** What stays free there; absent at the edge of the print area. */
  readonly reason?: KeepOutReason | undefined;
  /** Boxes around them, in frame mm. */
  readonly places: readonly (readonly Point[])[];
}

/** An element that lies on another one. */
export interface DoubleElement {
  readonly elementId: string;
  /** The id of the other element that most of the repeated lines belong to. */
  readonly withId: string;
  readonly doubleMm: number;
  readonly lengthMm: number;
  /** True where nothing is lost without it. */
  readonly isWhole: boolean;
}

/** The open ends of an element's cuts. */
export interface OpenEnds {
  readonly elementId: string;
  /** How far an end is from the nearest other one, at the most. */
  readonly apartMm: number;
  /** The gaps that are closed with a limit of `gapMm`; 0 where a straight line would be a guess. */
  readonly closable: number;
  readonly gapMm: number;
  /** The open lines that are left then. */
  readonly openAfter: number;
}

/** What no machine can hold, and the file leaves out. */
export interface DroppedDetail {
  readonly count: number;
  readonly areaMm2: number;
  /** The first ones, in frame mm. */
  readonly outlines: readonly (readonly Point[])[];
}

/** Returns what a review needs of a scene, without what another thread cannot take. */
export function reviewRequest({ machine, widthMm, heightMm, area, groups }: Scene): Scene {
  const isPath = ({ kind }: SceneGroup['children'][number]) => kind === 'path';
  return {
    machine,
    widthMm,
    heightMm,
    ...(area && { area }),
    groups: groups.map((group) => ({ ...group, children: group.children.filter(isPath) })),
    backdrop: undefined,
  };
}

const cutKinds: ReadonlySet<FindingKind> = new Set(['openContour', 'crossingCut', 'clippedCut', 'duplicateCut']);

/** True for a finding of `cutChecks`. */
export const isCutFinding = ({ kind }: Finding): boolean => cutKinds.has(kind);

type NameOf = (elementId: string) => string;

/** Returns what is wrong with the cuts of one element. */
export function cutChecks(check: Check, review: JobReview | undefined, nameOf: NameOf): Finding[] {
  if (!review) return [];
  const own = review.findings.filter(({ elementId }) => elementId === check.group.elementId);
  return [
    ...outsideArea(check, review),
    ...clippedCuts(check, own),
    ...openCuts(check, own, review),
    ...crossingCuts(check, own, nameOf),
    ...doubleElement(check, own, review, nameOf),
  ];
}

const ofKind = (findings: readonly JobFinding[], kind: JobFinding['kind']) =>
  findings.filter((finding) => finding.kind === kind);

/** The words for what stays free of marks. */
const freeParts: Readonly<Record<KeepOutReason, string>> = {
  hole: 'a hole',
  handle: 'the handle',
  logo: 'the maker’s logo',
  seam: 'the seam',
  hinge: 'the hinge',
  other: 'a part that stays free',
};

/** Marks outside of the print area's own shape. The machine area's edges are the check of `preflight`. */
function outsideArea(check: Check, { outside }: JobReview): Finding[] {
  return outside
    .filter(({ elementId }) => elementId === check.group.elementId)
    .map(({ reason, places }) =>
      toFinding(
        check,
        {
          kind: reason ? 'onFreePart' : 'outsideArea',
          severity: 'problem',
          title: reason ? `Lies on ${freeParts[reason]}` : 'Outside the print area',
          sentence: reason
            ? 'Nothing is made there: what lies on it is cut off.'
            : 'Reaches past the edge of the print area; what lies outside is cut off.',
          places,
        },
        undefined,
        'Move it away, or make it smaller.',
      ),
    );
}

/** Closed cuts that the edge of the machine area opens. */
function clippedCuts(check: Check, own: readonly JobFinding[]): Finding[] {
  return ofKind(own, 'clippedCut').map(({ count, places }) =>
    toFinding(
      check,
      {
        kind: 'clippedCut',
        severity: 'problem',
        title: count === 1 ? 'A cut runs out of the area' : `${count} cuts run out of the area`,
        sentence:
          count === 1
            ? 'The edge cuts its outline open, so the part stays in the sheet.'
            : 'The edge cuts their outlines open, so the parts stay in the sheet.',
        places,
      },
      fitInside(check),
      enlargeArea(check),
    ),
  );
}

function openCuts(check: Check, own: readonly JobFinding[], { openEnds }: JobReview): Finding[] {
  const { length, group } = check;
  return ofKind(own, 'openContour').map(({ count, places }) => {
    const ends = openEnds.find(({ elementId }) => elementId === group.elementId);
    const isOne = count === 1;
    const apart = ends && Number.isFinite(ends.apartMm) ? ` The ends are ${length(ends.apartMm)} apart.` : '';
    const change = ends && closeChange(check, ends);
    const rest = change && ends.openAfter > 0 ? ` ${ends.openAfter} of ${count} stay open after that.` : '';
    return toFinding(
      check,
      {
        kind: 'openContour',
        severity: 'problem',
        title: isOne ? 'One cut is open' : `${count} cuts are open`,
        sentence: `Nothing drops out along an open cut.${apart}${rest}`,
        places,
      },
      change,
      `Join ${isOne ? 'its ends' : 'them'} in your drawing, or score ${isOne ? 'this line' : 'these lines'} instead.`,
    );
  });
}

/** Room for rounding, so that the widest gap is closed. */
const GAP_SLACK = 1.001;
const REACH_STEP = 1e-6;

function closeChange({ element, group, frame }: Check, { closable, gapMm }: OpenEnds): Change | undefined {
  if (closable === 0 || !isArtwork(element) || !frame) return undefined;
  const longerMm = Math.max(frame.width, frame.height) * lengthScale(group.matrix);
  const reach = Math.ceil((gapMm * GAP_SLACK) / longerMm / REACH_STEP) * REACH_STEP;
  if (reach > MAX_CLOSED_GAP) return undefined;
  const gaps = closable === 1 ? 'the gap' : `${closable} gaps`;
  const command: Command = { type: 'closeGaps', elementId: group.elementId, reach };
  return { label: `Close ${gaps}`, words: `close ${gaps}`, commands: [command] };
}

function crossingCuts({ group, length }: Check, own: readonly JobFinding[], nameOf: NameOf): Finding[] {
  const crossings = ofKind(own, 'crossingCut');
  if (crossings.length === 0) return [];
  const places = crossings.flatMap((crossing) => crossing.places);
  const advice = crossings.map(({ withId, clearBy }) => {
    if (!clearBy) return 'An outline crosses itself: split it there in your drawing.';
    const by = length(Math.ceil(Math.hypot(clearBy.x, clearBy.y) * 10) / 10);
    if (withId === undefined) return `Join the outlines in your drawing, or move them ${by} apart.`;
    return `Move it ${by} ${wayOf(clearBy)} to clear “${nameOf(withId)}”, or join the two outlines in your drawing.`;
  });
  return [
    {
      kind: 'crossingCut',
      severity: 'problem',
      elementId: group.elementId,
      title: places.length === 1 ? 'Cuts cross in one place' : `Cuts cross in ${places.length} places`,
      sentence: `Slivers fall out where cuts cross. ${advice.join(' ')}`,
      places,
    },
  ];
}

const wayOf = ({ x, y }: Point): string => (x < 0 ? 'left' : x > 0 ? 'right' : y < 0 ? 'up' : 'down');

/** An element that lies on another one: a copy that nobody sees. */
function doubleElement(check: Check, own: readonly JobFinding[], { doubles }: JobReview, nameOf: NameOf): Finding[] {
  const { elementId } = check.group;
  const double = doubles.find((each) => each.elementId === elementId);
  if (!double) return [];
  const { withId, doubleMm, lengthMm, isWhole } = double;
  const runs = ofKind(own, 'duplicateCut').filter((run) => run.withId !== undefined);
  const share = isWhole ? `All ${check.length(lengthMm)}` : `${check.length(doubleMm)} of ${check.length(lengthMm)}`;
  return [
    toFinding(
      check,
      {
        kind: 'duplicateCut',
        severity: 'advice',
        title: isWhole ? 'Lies on another element' : 'Lies partly on another element',
        sentence: `${share} of its lines lie on “${nameOf(withId)}”. The file follows them once.`,
        places: runs.flatMap(({ places }) => places),
      },
      isWhole
        ? { label: 'Remove the double', words: 'remove it', commands: [{ type: 'remove', elementId }] }
        : undefined,
      'If you did not mean that, move it off or delete one of the two.',
    ),
  ];
}

/** What the file mends by itself, and the gaps that a person had closed. */
export interface FileMends {
  /** Each in a few words: "12 double lines", "cutting order". None where there is nothing. */
  readonly words: readonly string[];
  readonly places: readonly (readonly Point[])[];
  /** Leaves the gaps open again that a person had closed. Undefined where none is. */
  readonly reopen: Command | undefined;
}

/** Returns what the file mends of a scene without being asked again. */
export function fileMends(scene: Scene, { findings, doubles }: JobReview): FileMends {
  const isDouble = (id: string) => doubles.some(({ elementId }) => elementId === id);
  const doubleLines = ofKind(findings, 'duplicateCut').filter(
    ({ elementId, withId }) => withId === undefined || !isDouble(elementId),
  );
  const gaps = ofKind(findings, 'closedGap');
  const order = ofKind(findings, 'outerBeforeInner');
  const count = (list: readonly JobFinding[]) => list.reduce((sum, each) => sum + each.count, 0);
  const plural = (number: number, one: string) => (number === 0 ? [] : [`${number} ${one}${number === 1 ? '' : 's'}`]);
  const isClosing = scene.groups.filter(({ gapMm }) => gapMm !== undefined);
  const reopening = isClosing.map(({ elementId }): Command => ({ type: 'closeGaps', elementId, reach: undefined }));
  return {
    words: [
      ...plural(count(doubleLines), 'double line'),
      ...plural(count(gaps), 'gap'),
      ...(order.length > 0 ? ['cutting order'] : []),
    ],
    places: [...doubleLines, ...gaps, ...order].flatMap(({ places }) => places),
    reopen: gaps.length > 0 ? { type: 'several', commands: reopening } : undefined,
  };
}

/** Returns one command that mends every cut that can be mended; undefined where fewer than two can be. */
export function mendAll(
  findings: readonly Finding[],
): { readonly count: number; readonly command: Command } | undefined {
  const fixes = findings.flatMap((finding) => {
    const { fix } = finding;
    return isCutFinding(finding) && fix && 'commands' in fix ? [fix.commands] : [];
  });
  return fixes.length < 2 ? undefined : { count: fixes.length, command: { type: 'several', commands: fixes.flat() } };
}
