/** Joins lines that touch, as programs for drawing leave them: a rectangle of four lines becomes one contour. */
import type { Contour } from '../geometry/pathData.ts';

/** Ends nearer than this are one point, mm: a hundredth of a laser's beam, and more than files round. */
const TOUCH_MM = 0.005;

interface End {
  readonly contour: number;
  readonly isStart: boolean;
}

/** A place where ends meet. Each of them lies within `TOUCH_MM` of it. */
interface Node {
  readonly x: number;
  readonly y: number;
  readonly ends: End[];
  /** The number of ends at the front that are part of a chain already, and never come back. */
  doneCount: number;
}

/**
 * Returns contours with those chained whose ends touch. A chain that comes back to its start is closed. At a point
 * where more than two ends meet, the chain goes on with the first of them. Cost: linear, also where all of them meet.
 */
export function joinTouching(contours: readonly Contour[]): Contour[] {
  const placeNode = createNodes();
  const nodesOf = contours.map(({ points, isClosed }, contour) => {
    if (isClosed) return undefined;
    const [start, end] = [placeNode(points[0]!, points[1]!), placeNode(points.at(-2)!, points.at(-1)!)];
    start.ends.push({ contour, isStart: true });
    end.ends.push({ contour, isStart: false });
    return { start, end };
  });
  const isDone = new Uint8Array(contours.length);

  /** Appends what goes on from a node, again and again. Returns the last node. */
  const grow = (chain: Contour, from: Node): Node => {
    for (let node = from; ; ) {
      while (node.doneCount < node.ends.length && isDone[node.ends[node.doneCount]!.contour]) node.doneCount++;
      const next = node.ends[node.doneCount];
      if (!next) return node;
      isDone[next.contour] = 1;
      const part = contours[next.contour]!;
      append(chain, next.isStart ? part : reverse(part));
      const { start, end } = nodesOf[next.contour]!;
      node = next.isStart ? end : start;
    }
  };

  const chains: Contour[] = [];
  for (const [i, contour] of contours.entries()) {
    if (isDone[i]) continue;
    const nodes = nodesOf[i];
    if (!nodes) {
      chains.push(contour);
      continue;
    }
    isDone[i] = 1;
    const forward: Contour = { commands: [...contour.commands], points: [...contour.points], isClosed: false };
    const last = grow(forward, nodes.end);
    // The other end: the chain is turned around, and goes on from its start.
    const chain = reverse(forward);
    const first = grow(chain, nodes.start);
    chains.push(first === last ? close(chain) : chain);
  }
  return chains;
}

/** More cells than a row of a drawing has: coordinates are at most 100 m. */
const ROW = 2 ** 27;

/** Returns what finds the node of a point, and makes one where none is near. Nodes are `TOUCH_MM` apart. */
function createNodes(): (x: number, y: number) => Node {
  const cells = new Map<number, Node[]>();
  const find = (key: number, x: number, y: number) =>
    cells.get(key)?.find((node) => Math.hypot(node.x - x, node.y - y) <= TOUCH_MM);
  return (x, y) => {
    const key = Math.floor(x / TOUCH_MM) * ROW + Math.floor(y / TOUCH_MM);
    for (const column of [0, -ROW, ROW]) {
      for (const row of [0, -1, 1]) {
        const node = find(key + column + row, x, y);
        if (node) return node;
      }
    }
    const node: Node = { x, y, ends: [], doneCount: 0 };
    const nodes = cells.get(key);
    if (nodes) nodes.push(node);
    else cells.set(key, [node]);
    return node;
  };
}

function append(chain: Contour, { commands, points }: Contour): void {
  for (const command of commands) chain.commands.push(command);
  for (let i = 2; i < points.length; i++) chain.points.push(points[i]!);
}

function reverse({ commands, points, isClosed }: Contour): Contour {
  const result = new Array<number>(points.length);
  for (let i = 0; i < points.length; i += 2) {
    result[points.length - 2 - i] = points[i]!;
    result[points.length - 1 - i] = points[i + 1]!;
  }
  return { commands: [...commands].reverse(), points: result, isClosed };
}

/** Closes a chain whose ends meet, if it is more than one line or curve. */
function close(chain: Contour): Contour {
  const { points } = chain;
  if (chain.commands.length < 2) return chain;
  points[points.length - 2] = points[0]!;
  points[points.length - 1] = points[1]!;
  return { ...chain, isClosed: true };
}
