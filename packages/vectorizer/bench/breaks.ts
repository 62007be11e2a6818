/** Measures by how much the outlines of a drawing bend at nodes where those of the original are smooth. */
import { type Cubic, pointAt, readOutlines, type Subpath } from './paths.ts';

/** Outlines are sampled about this far apart, in px. */
const STEP = 0.25;
/** The original is smooth where it turns by no more than these, in radians: at a node, and within `REACH`. */
const NODE_TURN = 0.5 * (Math.PI / 180);
const MOST_TURN = 30 * (Math.PI / 180);
/** How far to each side of a node outlines are compared, and how near they must be to each other, in px. */
const REACH = 3;
const NEAR = 0.5;
/** Samples of the original to each side of the nearest one that are looked at. */
const WINDOW = Math.ceil((REACH + 1) / STEP);

/** A closed outline as samples in px. */
interface Line {
  x: number[];
  y: number[];
  /** Angle of the way from the sample to the next, in radians. */
  angle: number[];
  nodes: { at: number; bend: number }[];
}

/**
 * Returns the angle, in degrees, by which each node bends at which the original is smooth: one of its outlines runs
 * along both sides of the node, without a corner, and in no tighter bend than a radius of about 11 px. `scale` is the
 * number of px to a unit of the original.
 */
export function measureBreaks(svg: string, originalSvg: string, scale: number): number[] {
  const original = readLines(originalSvg, scale);
  const grid = indexSamples(original);
  const breaks: number[] = [];
  for (const line of readLines(svg, 1)) {
    for (const { at, bend } of line.nodes) {
      const nearest = new Map<Line, { at: number; far: number }>();
      const [x, y] = [line.x[at], line.y[at]];
      for (let column = Math.floor(x) - 1; column <= x + 1; column++) {
        for (let row = Math.floor(y) - 1; row <= y + 1; row++) {
          for (const sample of grid.get(`${column} ${row}`) ?? []) {
            const far = Math.hypot(sample.line.x[sample.at] - x, sample.line.y[sample.at] - y);
            if (far < NEAR && far < (nearest.get(sample.line)?.far ?? NEAR)) {
              nearest.set(sample.line, { at: sample.at, far });
            }
          }
        }
      }
      const isSmooth = [...nearest].some(
        ([other, place]) => isGentle(other, place.at) && runsAlong(line, at, other, place.at),
      );
      if (isSmooth) breaks.push((Math.abs(bend) * 180) / Math.PI);
    }
  }
  return breaks;
}

function readLines(svg: string, scale: number): Line[] {
  return readOutlines(svg).flatMap(({ subpaths }) => subpaths.map((subpath) => sample(subpath, scale)));
}

function sample({ segments }: Subpath, scale: number): Line {
  const cubics = segments.flatMap((segment) => segment.cubics.map((cubic) => cubic.map((v) => v * scale)));
  const [first, last] = [cubics[0], cubics[cubics.length - 1]];
  const gap = [last[6], last[7], last[6], last[7], first[0], first[1], first[0], first[1]];
  if (Math.hypot(gap[0] - gap[4], gap[1] - gap[5]) > 1e-6) cubics.push(gap);
  const line: Line = { x: [], y: [], angle: [], nodes: [] };
  const long = cubics.filter((c) => Math.hypot(c[2] - c[0], c[3] - c[1]) + Math.hypot(c[6] - c[0], c[7] - c[1]) > 1e-6);
  long.forEach((cubic, k) => {
    const before = long[(k + long.length - 1) % long.length];
    line.nodes.push({ at: line.x.length, bend: turnBetween(endAngle(before), startAngle(cubic)) });
    const [x0, y0, x1, y1, x2, y2, x3, y3] = cubic;
    const length = Math.hypot(x1 - x0, y1 - y0) + Math.hypot(x2 - x1, y2 - y1) + Math.hypot(x3 - x2, y3 - y2);
    const count = Math.max(1, Math.ceil(length / STEP));
    for (let s = 0; s < count; s++) {
      const [x, y] = pointAt(cubic as unknown as Cubic, s / count);
      line.x.push(x);
      line.y.push(y);
    }
  });
  const { x, y } = line;
  line.angle = x.map((_, k) => Math.atan2(y[(k + 1) % y.length] - y[k], x[(k + 1) % x.length] - x[k]));
  return line;
}

/** Returns the angle of the tangent at the start of a cubic, whose handles may lie on its ends. */
function startAngle([x0, y0, x1, y1, x2, y2, x3, y3]: number[]): number {
  const ends = [
    [x1, y1],
    [x2, y2],
    [x3, y3],
  ];
  const [x, y] = ends.find(([px, py]) => Math.hypot(px - x0, py - y0) > 1e-6) ?? ends[2];
  return Math.atan2(y - y0, x - x0);
}

function endAngle([x0, y0, x1, y1, x2, y2, x3, y3]: number[]): number {
  return startAngle([x3, y3, x2, y2, x1, y1, x0, y0]) + Math.PI;
}

function turnBetween(a: number, b: number): number {
  return Math.atan2(Math.sin(b - a), Math.cos(b - a));
}

interface Sample {
  line: Line;
  at: number;
}

/** Sorts samples by the pixel in which they lie. */
function indexSamples(lines: readonly Line[]): Map<string, Sample[]> {
  const grid = new Map<string, Sample[]>();
  for (const line of lines) {
    line.x.forEach((x, at) => {
      const key = `${Math.floor(x)} ${Math.floor(line.y[at])}`;
      const list = grid.get(key);
      if (list) list.push({ line, at });
      else grid.set(key, [{ line, at }]);
    });
  }
  return grid;
}

/** Tells whether an outline has no corner and no tight bend around a sample. */
function isGentle({ angle, nodes }: Line, at: number): boolean {
  const count = angle.length;
  if (count < 2 * WINDOW) return false;
  let turn = 0;
  for (let k = -WINDOW; k < WINDOW; k++) {
    turn += Math.abs(turnBetween(angle[(at + k + count) % count], angle[(at + k + 1 + count) % count]));
  }
  const isNear = (node: number): boolean => {
    const apart = Math.abs(node - at);
    return Math.min(apart, count - apart) <= WINDOW;
  };
  return turn <= MOST_TURN && nodes.every(({ at: node, bend }) => Math.abs(bend) <= NODE_TURN || !isNear(node));
}

/** Tells whether an outline runs along both sides of a node. */
function runsAlong(line: Line, at: number, other: Line, place: number): boolean {
  const sides: number[] = [];
  for (const step of [-1, 1]) {
    let along = 0;
    let from = at;
    for (let reach = 1; reach <= REACH; reach++) {
      while (along < reach) {
        const to = (from + step + line.x.length) % line.x.length;
        if (to === at) return false; // the outline is shorter than that
        along += Math.hypot(line.x[to] - line.x[from], line.y[to] - line.y[from]);
        from = to;
      }
      let nearest = NEAR;
      let side = 0;
      for (let k = -WINDOW; k <= WINDOW; k++) {
        const s = (place + k + other.x.length) % other.x.length;
        const far = Math.hypot(other.x[s] - line.x[from], other.y[s] - line.y[from]);
        if (far >= nearest) continue;
        nearest = far;
        side = Math.sign(k);
      }
      if (side === 0) return false;
      sides.push(side * step);
    }
  }
  return sides.every((side) => side === sides[0]);
}
