/** Puts cuts into the order in which they can be made: a part that is cut free moves, so what is in it comes before. */
import { nestContours } from '../geometry/nesting.ts';
import type { CutLine } from './cutLines.ts';

/**
 * Returns the lines in running order: inner ones before the ones around them, and otherwise as they came. Calls `note`
 * with each line that stood before something inside it.
 */
export function nestCuts(lines: readonly CutLine[], note: (outer: CutLine) => void): readonly CutLine[] {
  const { parent } = nestContours(lines.map(({ contour }) => contour));
  const children = new Map<number, number[]>();
  const early = new Set<number>();
  for (const [c, outer] of parent.entries()) {
    const list = children.get(outer);
    if (list) list.push(c);
    else children.set(outer, [c]);
    if (outer !== -1 && outer < c) early.add(outer);
  }
  for (const outer of early) note(lines[outer]!);
  if (early.size === 0) return lines;
  const order: CutLine[] = [];
  // Each line is met twice: at first its inner lines are put on top of it.
  const stack = [...(children.get(-1) ?? [])].reverse();
  const isOpened = new Uint8Array(lines.length);
  while (stack.length > 0) {
    const c = stack.at(-1)!;
    const inner = isOpened[c] ? undefined : children.get(c);
    isOpened[c] = 1;
    if (inner) for (let k = inner.length - 1; k >= 0; k--) stack.push(inner[k]!);
    else order.push(lines[stack.pop()!]!);
  }
  return order;
}
