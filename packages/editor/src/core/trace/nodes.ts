/** The nodes of a trace: their number and their places. */
import { type Operation, readContours, type ScenePath } from '@markwright/scene';

/** The numbers that the panel shows about a trace. */
export interface NodeCount {
  /** Outlines and lines, holes too: what a cutter follows without lifting. */
  readonly paths: number;
  /** Points on them. */
  readonly nodes: number;
  /** Paths that end somewhere else than they begin. */
  readonly open: number;
}

/** The nodes as flat arrays, for drawing. */
export interface Nodes extends NodeCount {
  /** x and y of each point, in the artwork's units. */
  readonly points: Float32Array;
  /** x and y of a point and of one of its handles. */
  readonly handles: Float32Array;
  /** The mean distance from one point to the next, in the artwork's units. */
  readonly spacing: number;
}

const nodesOf = new WeakMap<readonly ScenePath[], Nodes>();

/** Reads the nodes of the paths. Cost: linear in the path data, once for each trace. */
export function readNodes(paths: readonly ScenePath[]): Nodes {
  const nodes = nodesOf.get(paths) ?? collect(paths);
  nodesOf.set(paths, nodes);
  return nodes;
}

function collect(paths: readonly ScenePath[]): Nodes {
  const points: number[] = [];
  const handles: number[] = [];
  let count = 0;
  let open = 0;
  let length = 0;
  for (const { d, fill } of paths) {
    for (const { commands, points: all, isClosed } of readContours(d)) {
      if (commands.length === 0) continue;
      count++;
      // A filled outline counts as closed.
      const isLoop = isClosed || fill !== undefined;
      if (!isLoop) open++;
      const [startX, startY] = [all[0]!, all[1]!];
      points.push(startX, startY);
      let [x, y] = [startX, startY];
      let p = 2;
      commands.forEach((command, k) => {
        if (command === 'C') {
          pushHandle(handles, x, y, all[p]!, all[p + 1]!);
          pushHandle(handles, all[p + 4]!, all[p + 5]!, all[p + 2]!, all[p + 3]!);
          p += 4;
        }
        const [nextX, nextY] = [all[p]!, all[p + 1]!];
        p += 2;
        length += Math.hypot(nextX - x, nextY - y);
        [x, y] = [nextX, nextY];
        const isStart = isLoop && k === commands.length - 1 && Math.hypot(x - startX, y - startY) < SAME;
        if (!isStart) points.push(x, y);
      });
    }
  }
  const nodes = points.length / 2;
  return {
    paths: count,
    nodes,
    open,
    points: Float32Array.from(points),
    handles: Float32Array.from(handles),
    spacing: nodes > 0 ? length / nodes : 0,
  };
}

/** In artwork units: the distance that rounding leaves between an end and its beginning. */
const SAME = 1e-3;

/** Adds the line from a point to its handle. A handle that lies on its point is left out. */
function pushHandle(out: number[], x: number, y: number, toX: number, toY: number): void {
  if (Math.abs(toX - x) > SAME || Math.abs(toY - y) > SAME) out.push(x, y, toX, toY);
}

const plural = (count: number, word: string) => `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;

/** Formats the counts: `123 paths · 2,345 nodes`. */
export const sayNodes = ({ paths, nodes }: NodeCount): string => `${plural(paths, 'path')} · ${plural(nodes, 'node')}`;

const operationWords: Readonly<Partial<Record<Operation, string>>> = {
  engrave: 'engraved',
  score: 'scored',
  cut: 'cut',
  guide: 'guide',
};

/**
 * Formats the number of outlines and lines by what a laser does with them: `2 engraved · 1 scored · 4 cut`. Lines that
 * meet end to end count as one, as they leave in a file.
 */
export function sayOperations(paths: readonly ScenePath[]): string {
  const entries = Object.entries(operationWords) as [Operation, string][];
  return entries
    .flatMap(([operation, word]) => {
      const own = paths.filter((path) => path.operation === operation);
      return own.length > 0 ? `${countChains(own).toLocaleString('en-US')} ${word}` : [];
    })
    .join(' · ');
}

/**
 * Returns the number of outlines, and of chains of lines that a laser follows. Where several ends meet, each pair of
 * them is a joint.
 */
function countChains(paths: readonly ScenePath[]): number {
  /** The line that each line is joined to; a chain has one that is its own. */
  const next: number[] = [];
  const find = (line: number): number => {
    let root = line;
    while (next[root] !== root) root = next[root]!;
    next[line] = root;
    return root;
  };
  const freeEnds = new Map<string, number>();
  let count = 0;
  for (const { d, fill, operation } of paths) {
    const isFollowed = fill === undefined && (operation === 'score' || operation === 'cut');
    for (const { points, isClosed } of readContours(d)) {
      count++;
      if (isClosed || !isFollowed) continue;
      const line = next.push(next.length) - 1;
      for (const p of [0, points.length - 2]) {
        const place = `${Math.round(points[p]! / SAME)} ${Math.round(points[p + 1]! / SAME)}`;
        const other = freeEnds.get(place);
        if (other === undefined) freeEnds.set(place, line);
        else {
          freeEnds.delete(place);
          if (find(other) === find(line)) continue;
          next[find(other)] = find(line);
          count--;
        }
      }
    }
  }
  return count;
}

/** Formats the number of open paths: `all closed`, `2 open`. */
export const sayOpen = ({ open }: NodeCount): string =>
  open === 0 ? 'all closed' : `${open.toLocaleString('en-US')} open`;
