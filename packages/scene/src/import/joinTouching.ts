/** Joins lines that touch, as programs for drawing leave them: a rectangle of four lines becomes one contour. */
import type { Contour } from '../geometry/pathData.ts';

/** Ends nearer than this are one point, mm: a hundredth of a laser's beam, and more than files round. */
const TOUCH_MM = 0.005;

interface End {
  readonly contour: number;
  readonly isStart: boolean;
  readonly x: number;
  readonly y: number;
}

/**
 * Returns contours with those chained whose ends touch. A chain that comes back to its start is closed. At a point
 * where more than two ends meet, the chain goes on with the first of them. Cost: linear.
 */
export function joinTouching(contours: readonly Contour[]): Contour[] {
  const cells = new Map<string, End[]>();
  const endsOf = (i: number): [End, End] => {
    const { points } = contours[i]!;
    const start = { contour: i, isStart: true, x: points[0]!, y: points[1]! };
    return [start, { contour: i, isStart: false, x: points.at(-2)!, y: points.at(-1)! }];
  };
  const cell = (value: number) => Math.floor(value / TOUCH_MM);
  const openOnes = [...contours.keys()].filter((i) => !contours[i]!.isClosed);
  for (const end of openOnes.flatMap(endsOf)) {
    const key = `${cell(end.x)} ${cell(end.y)}`;
    const list = cells.get(key);
    if (list) list.push(end);
    else cells.set(key, [end]);
  }
  const isDone = new Set<number>();
  const findNext = (x: number, y: number): End | undefined => {
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        const key = `${cell(x) + dx} ${cell(y) + dy}`;
        const list = cells.get(key);
        if (!list) continue;
        // What is part of a chain already never comes back.
        while (list.length > 0 && isDone.has(list[0]!.contour)) list.shift();
        const next = list.find((end) => !isDone.has(end.contour) && Math.hypot(end.x - x, end.y - y) <= TOUCH_MM);
        if (next) return next;
      }
    }
    return undefined;
  };

  const chains: Contour[] = [];
  for (const [i, contour] of contours.entries()) {
    if (isDone.has(i)) continue;
    if (contour.isClosed) {
      chains.push(contour);
      continue;
    }
    isDone.add(i);
    const forward: Contour = { commands: [...contour.commands], points: [...contour.points], isClosed: false };
    const grow = (chain: Contour) => {
      for (;;) {
        const next = findNext(chain.points.at(-2)!, chain.points.at(-1)!);
        if (!next) return;
        isDone.add(next.contour);
        const part = contours[next.contour]!;
        append(chain, next.isStart ? part : reverse(part));
      }
    };
    grow(forward);
    // The other end: the chain is turned around, and goes on from its start.
    const chain = reverse(forward);
    grow(chain);
    chains.push(close(chain));
  }
  return chains;
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

function close(chain: Contour): Contour {
  const { points } = chain;
  const gap = Math.hypot(points[0]! - points.at(-2)!, points[1]! - points.at(-1)!);
  if (gap > TOUCH_MM || chain.commands.length < 2) return chain;
  points[points.length - 2] = points[0]!;
  points[points.length - 1] = points[1]!;
  return { ...chain, isClosed: true };
}
