/**
 * Reviews the production job of a scene for the preflight: what is wrong with its cuts, what of it a click mends, and
 * what no machine can hold. It asks the code that makes the files, so that there is one judge.
 */
import { applyMatrix, type Point, scale } from '../geometry/matrix.ts';
import type { Contour } from '../geometry/pathData.ts';
import { MM_GRID, partsOutside } from '../geometry/planar.ts';
import { buildJob } from '../production/buildJob.ts';
import { closeGaps } from '../production/chainCuts.ts';
import { type CutLine, contourBox } from '../production/cutLines.ts';
import { lengthOf } from '../production/dropDetail.ts';
import type { Job, JobFinding, JobOutline } from '../production/job.ts';
import { placeShapes } from '../production/placeShapes.ts';
import type { Scene, SceneGroup } from '../resolve/scene.ts';
import type { DoubleElement, DroppedDetail, JobReview, OpenEnds, OutsideParts } from './cutChecks.ts';

/** The widest gap that a click closes, mm: across more, a straight line is a guess. */
const MOST_GAP_MM = 2;
/** The most outlines of dropped detail that are shown. */
const MAX_DROPPED = 2000;
/** The most places of one finding that are shown. */
const MAX_PLACES = 200;

/**
 * Returns the faults of a scene's cuts, the doubles, the open ends and the dropped detail, by its production job.
 * Cost: that of `buildJob`, and where cuts are open once more that of their lines. Run it on a thread of its own.
 * Throws a RangeError when a coordinate is not finite.
 */
export function reviewJob(scene: Scene): JobReview {
  const job = buildJob(scene, { isMirrored: false });
  return {
    findings: job.findings
      .filter(({ kind }) => kind !== 'droppedDetail')
      .map((finding) => ({ ...finding, places: finding.places.slice(0, MAX_PLACES) })),
    doubles: findDoubles(scene, job),
    openEnds: findOpenEnds(scene, job),
    dropped: sumDropped(job.findings),
    outside: findOutside(scene),
  };
}

/** Finds what the shape of the print area cuts off: the same boolean operations that cut it off a file. */
function findOutside({ area = [], ...scene }: Scene): OutsideParts[] {
  if (area.length === 0) return [];
  return scene.groups.flatMap((group) => {
    const shapes = placeShapes(scene, group, scale(1)).filter(({ operation }) => operation !== 'guide');
    const parts = new Map<OutsideParts['reason'], Contour[]>();
    for (const { contours, reason } of area) {
      const outside = [...(parts.get(reason) ?? [])];
      for (const shape of shapes) outside.push(...partsOutside(shape.contours, contours, Boolean(shape.fill), MM_GRID));
      // A picture without outlines is in its box.
      if (group.children.length === 0) outside.push(...partsOutside([boxOf(group)], contours, true, MM_GRID));
      parts.set(reason, outside);
    }
    return [...parts].flatMap(([reason, outside]): OutsideParts[] =>
      outside.length === 0
        ? []
        : [{ elementId: group.elementId, reason, places: outside.slice(0, MAX_PLACES).map(contourBox) }],
    );
  });
}

const boxOf = ({ corners }: SceneGroup): Contour => ({
  commands: ['L', 'L', 'L'],
  points: corners.flatMap(({ x, y }) => [x, y]),
  isClosed: true,
});

function sumDropped(findings: readonly JobFinding[]): DroppedDetail {
  const details = findings.filter(({ kind }) => kind === 'droppedDetail');
  return {
    count: details.reduce((sum, { count }) => sum + count, 0),
    areaMm2: details.reduce((sum, { areaMm2 = 0 }) => sum + areaMm2, 0),
    outlines: details.flatMap(({ places }) => places).slice(0, MAX_DROPPED),
  };
}

/** The least share of an element's lines that lie on others where that is no shared edge, and where it is all of it. */
const DOUBLE_SHARE = 0.5;
const WHOLE_SHARE = 0.95;
/** Copies that are nearer than this lie on each other, mm. */
const SAME_PLACE_MM = 0.02;

function findDoubles(scene: Scene, job: Job): DoubleElement[] {
  const runs = job.findings.filter(({ kind, withId }) => kind === 'duplicateCut' && withId !== undefined);
  const doubles: DoubleElement[] = [];
  for (const elementId of new Set(runs.map((run) => run.elementId))) {
    const own = runs.filter((run) => run.elementId === elementId);
    const group = scene.groups.find((each) => each.elementId === elementId);
    const longest = own.reduce((most, run) => (run.lengthMm > most.lengthMm ? run : most));
    const other = scene.groups.find((each) => each.elementId === longest.withId);
    if (!group || !other || doubles.some((double) => double.elementId === other.elementId)) continue;
    const shapes = placeShapes(scene, group, scale(1));
    const lines = shapes.filter(({ operation }) => operation === 'cut' || operation === 'score');
    const lengthMm = lines.reduce((sum, { contours }) => sum + lengthOfAll(contours), 0);
    const doubleMm = own.reduce((sum, run) => sum + run.lengthMm, 0);
    if (doubleMm < DOUBLE_SHARE * lengthMm) continue;
    const isNothingElse = lines.length === shapes.length || isTwin(group, other);
    const isWhole = isNothingElse && doubleMm >= WHOLE_SHARE * lengthMm;
    doubles.push({ elementId, withId: other.elementId, doubleMm, lengthMm, isWhole });
  }
  return doubles;
}

const lengthOfAll = (contours: JobOutline['contours']): number =>
  contours.reduce((sum, contour) => sum + lengthOf(contour), 0);

/** True for two elements that hold the same at the same place. */
function isTwin(a: SceneGroup, b: SceneGroup): boolean {
  if (a.opacity !== b.opacity || a.children.length !== b.children.length) return false;
  const isSame = a.children.every((child, i) => {
    const other = b.children[i]!;
    if (child.kind !== 'path' || other.kind !== 'path') return false;
    return (
      child.d === other.d &&
      child.operation === other.operation &&
      child.fill === other.fill &&
      child.stroke === other.stroke &&
      child.opacity === other.opacity
    );
  });
  // Their own spaces are alike, and so their places are where three points of these are.
  return isSame && a.corners.every((corner, i) => isNear(corner, b.corners[i]!)) && isNear(middle(a), middle(b));
}

const middle = ({ matrix }: SceneGroup): Point => applyMatrix(matrix, { x: 0, y: 0 });
const isNear = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y) <= SAME_PLACE_MM;

/** The open lines of each element's cuts, in the order of the elements. */
function openLines(job: Job): Map<string, CutLine[]> {
  const lines = new Map<string, CutLine[]>();
  const elementIds = job.findings.filter(({ kind }) => kind === 'openContour').map(({ elementId }) => elementId);
  for (const elementId of elementIds) lines.set(elementId, []);
  for (const plate of job.plates) {
    if (plate.kind !== 'cut') continue;
    for (const { elementId, contours } of plate.outlines) {
      for (const contour of contours) if (!contour.isClosed) lines.get(elementId)?.push({ elementId, contour });
    }
  }
  return lines;
}

function findOpenEnds(scene: Scene, job: Job): OpenEnds[] {
  const open = openLines(job);
  if (open.size === 0) return [];
  const reaches = new Map<string, number>();
  for (const [elementId, lines] of open) {
    const widest: number[] = [];
    closeGaps(
      lines.map((line) => ({ ...line, gapMm: MOST_GAP_MM })),
      ({ lengthMm }) => widest.push(lengthMm),
    );
    const before = scene.groups.find((group) => group.elementId === elementId)?.gapMm ?? 0;
    if (widest.length > 0) reaches.set(elementId, Math.max(before, ...widest));
  }
  // Whether it helps, the job itself says.
  const after = reaches.size > 0 ? buildJob(cutsOf(scene, reaches), { isMirrored: false }) : job;
  return [...open].map(([elementId, lines]) => {
    const sum = (from: Job, kind: JobFinding['kind']) =>
      from.findings.reduce(
        (all, each) => (each.kind === kind && each.elementId === elementId ? all + each.count : all),
        0,
      );
    const openAfter = sum(after, 'openContour');
    const isBetter = openAfter < sum(job, 'openContour') && sum(after, 'crossingCut') <= sum(job, 'crossingCut');
    const closable = isBetter ? sum(after, 'closedGap') - sum(job, 'closedGap') : 0;
    return {
      elementId,
      apartMm: widestGap(lines, placesOf(job, elementId)),
      closable,
      gapMm: reaches.get(elementId) ?? 0,
      openAfter,
    };
  });
}

const placesOf = ({ findings }: Job, elementId: string): JobFinding['places'] =>
  findings.find((each) => each.kind === 'openContour' && each.elementId === elementId)?.places ?? [];

/** Returns the cuts of a scene, with gaps of these elements closed. */
function cutsOf(scene: Scene, gaps: ReadonlyMap<string, number>): Scene {
  const groups = scene.groups.map((group) => ({
    ...group,
    children: group.children.filter((child) => child.kind === 'path' && child.operation === 'cut'),
    gapMm: gaps.get(group.elementId) ?? group.gapMm,
  }));
  return { ...scene, groups };
}

/** The most open ends that are compared with all ends. */
const MAX_COMPARED = 300;

/**
 * Returns how far an open end, in the middle of its place, is from the nearest other end, at the most; infinite where
 * it is not known. An end at the edge of the frame is not open.
 */
function widestGap(lines: readonly CutLine[], places: JobFinding['places']): number {
  if (places.length > MAX_COMPARED) return Infinity;
  const ends = lines.flatMap(({ contour: { points } }): Point[] => [
    { x: points[0]!, y: points[1]! },
    { x: points.at(-2)!, y: points.at(-1)! },
  ]);
  const openEnds = places.map((place) => ({ x: (place[0]!.x + place[2]!.x) / 2, y: (place[0]!.y + place[2]!.y) / 2 }));
  const nearest = openEnds.map((end) => {
    const distances = ends.map((other) => Math.hypot(end.x - other.x, end.y - other.y));
    // The nearest one of all is the end itself.
    return distances.sort((a, b) => a - b)[1] ?? Infinity;
  });
  return Math.max(...nearest);
}
