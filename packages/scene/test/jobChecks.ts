/** Checks a production job by brute force, with none of the code that builds it. */
import type { Contour } from '../src/geometry/pathData.ts';
import type { Job, JobFinding, OutlinePlate, Point } from '../src/index.ts';

/** The closed or open polyline of a contour: 24 chords for each curve. */
export interface Polyline {
  readonly points: readonly Point[];
  readonly isClosed: boolean;
}

export function toPolyline({ commands, points, isClosed }: Contour): Polyline {
  const at = (p: number): Point => ({ x: points[p]!, y: points[p + 1]! });
  const line = [at(0)];
  let p = 0;
  for (const command of commands) {
    if (command === 'L') {
      p += 2;
      line.push(at(p));
      continue;
    }
    const [a, b, c, d] = [at(p), at(p + 2), at(p + 4), at(p + 6)];
    for (let k = 1; k <= 24; k++) {
      const [t, s] = [k / 24, 1 - k / 24];
      const mix = (axis: 'x' | 'y') =>
        s * s * s * a[axis] + 3 * s * s * t * b[axis] + 3 * s * t * t * c[axis] + t * t * t * d[axis];
      line.push({ x: mix('x'), y: mix('y') });
    }
    p += 6;
  }
  return { points: line, isClosed };
}

type Segment = readonly [Point, Point];

function segmentsOf({ points, isClosed }: Polyline): Segment[] {
  const segments = points.slice(1).map((point, i): Segment => [points[i]!, point]);
  return isClosed ? [...segments, [points.at(-1)!, points[0]!]] : segments;
}

export const areaOf = ({ points }: Polyline): number =>
  Math.abs(
    points.reduce((sum, a, i) => {
      const b = points[(i + 1) % points.length]!;
      return sum + (a.x * b.y - b.x * a.y) / 2;
    }, 0),
  );

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

/** Returns the lengths of the segments of a contour as a reader of its file sees them; curves by their chords. */
export function segmentLengths({ commands, points, isClosed }: Contour): number[] {
  const micron = (value: number) => Math.round(value * 1000) / 1000;
  const lengths: number[] = [];
  let p = 0;
  const at = (q: number): Point => ({ x: micron(points[q]!), y: micron(points[q + 1]!) });
  for (const command of commands) {
    const next = p + (command === 'C' ? 6 : 2);
    // A curve that comes back to where it began is as long as its handles.
    lengths.push(
      command === 'C' ? Math.max(distance(at(p), at(next)), distance(at(p), at(p + 2))) : distance(at(p), at(next)),
    );
    p = next;
  }
  const closing = distance(at(p), at(0));
  if (isClosed && closing > 0) lengths.push(closing);
  return lengths;
}

export function contains({ points }: Polyline, { x, y }: Point): boolean {
  let isInside = false;
  for (const [i, a] of points.entries()) {
    const b = points[(i + 1) % points.length]!;
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) isInside = !isInside;
  }
  return isInside;
}

const distanceTo = ([a, b]: Segment, p: Point): number => {
  const [ux, uy] = [b.x - a.x, b.y - a.y];
  const t = Math.min(1, Math.max(0, ((p.x - a.x) * ux + (p.y - a.y) * uy) / (ux * ux + uy * uy || 1)));
  return Math.hypot(a.x + t * ux - p.x, a.y + t * uy - p.y);
};

const isNamed = (findings: readonly JobFinding[], kind: JobFinding['kind'], point: Point) =>
  findings.some(
    (finding) =>
      finding.kind === kind && finding.places.some((place) => contains({ points: place, isClosed: true }, point)),
  );

/** Returns the point in which two segments cross well inside both, by `margin`. */
function crossing([a, b]: Segment, [c, d]: Segment, margin: number): Point | undefined {
  const [ux, uy, vx, vy] = [b.x - a.x, b.y - a.y, d.x - c.x, d.y - c.y];
  const cross = ux * vy - uy * vx;
  if (Math.abs(cross) < 1e-12) return undefined;
  const s = ((c.x - a.x) * vy - (c.y - a.y) * vx) / cross;
  const t = ((c.x - a.x) * uy - (c.y - a.y) * ux) / cross;
  const [ms, mt] = [margin / Math.hypot(ux, uy), margin / Math.hypot(vx, vy)];
  return s > ms && s < 1 - ms && t > mt && t < 1 - mt ? { x: a.x + s * ux, y: a.y + s * uy } : undefined;
}

/** What is wrong with the cuts of a job and not named by a finding, as sentences. */
export function faultsOfCuts(job: Job): string[] {
  const plate = job.plates.find((each): each is OutlinePlate => each.kind === 'cut');
  if (!plate) return [];
  const lines = plate.outlines.flatMap(({ contours }) => contours.map(toPolyline));
  const segments = lines.map(segmentsOf);
  const show = ({ x, y }: Point) => `${x.toFixed(3)} ${y.toFixed(3)}`;
  const faults: string[] = [];
  for (const [i, line] of lines.entries()) {
    for (const end of line.isClosed ? [] : [line.points[0]!, line.points.at(-1)!]) {
      const isAtEdge = Math.min(end.x, end.y, job.widthMm - end.x, job.heightMm - end.y) < 0.02;
      const isHeld = segments.some(
        (others, j) => j !== i && others.some((segment) => distanceTo(segment, end) <= 0.11),
      );
      const isOwn = segments[i]!.some(
        (segment, k) => k > 2 && k < segments[i]!.length - 3 && distanceTo(segment, end) < 0.11,
      );
      if (!isAtEdge && !isHeld && !isOwn && !isNamed(job.findings, 'openContour', end))
        faults.push(`open at ${show(end)}`);
    }
    for (let j = i; j < lines.length; j++) {
      for (const [a, first] of segments[i]!.entries()) {
        for (const [b, second] of segments[j]!.entries()) {
          if (i === j && b <= a + 1) continue;
          const point = crossing(first, second, 0.06);
          if (point && !isNamed(job.findings, 'crossingCut', point)) faults.push(`crossing at ${show(point)}`);
        }
      }
    }
    for (let j = 0; j < i; j++) {
      const [inner, outer] = [lines[i]!, lines[j]!];
      const isWithin = outer.isClosed && inner.points.every((point) => contains(outer, point));
      if (isWithin && areaOf(inner) < areaOf(outer)) faults.push(`outer before inner at ${show(inner.points[0]!)}`);
    }
  }
  return faults;
}

/** Returns the length in mm that is cut twice: samples of a line, 0.05 mm apart, that lie on another stretch of cut. */
export function doubleLength(job: Job, kind: OutlinePlate['kind'] = 'cut'): number {
  const plate = job.plates.find((each): each is OutlinePlate => each.kind === kind);
  const segments = (plate?.outlines ?? []).flatMap(({ contours }) =>
    contours.flatMap((each) => segmentsOf(toPolyline(each))),
  );
  const step = 0.05;
  let length = 0;
  for (const [i, [a, b]] of segments.entries()) {
    const full = distance(a, b);
    const direction = { x: (b.x - a.x) / full, y: (b.y - a.y) / full };
    for (let along = step / 2; along < full; along += step) {
      const point = { x: a.x + direction.x * along, y: a.y + direction.y * along };
      const isDouble = segments.some((segment, j) => {
        if (j >= i) return false;
        const [c, d] = segment;
        const other = distance(c, d);
        const cosine = Math.abs((direction.x * (d.x - c.x) + direction.y * (d.y - c.y)) / other);
        const isBeside = distanceTo(segment, point) < 0.015 && distance(point, c) > 0.1 && distance(point, d) > 0.1;
        return isBeside && cosine > 0.999;
      });
      if (isDouble) length += step;
    }
  }
  return length;
}
