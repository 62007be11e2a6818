/** Lines that a tool follows, and how to cut, turn and join them. All lengths are frame millimeters. */
import { cutCurve } from '../geometry/curves.ts';
import type { Point } from '../geometry/matrix.ts';
import { type Contour, looseBounds } from '../geometry/pathData.ts';

/** A line to follow, with the element that it came from. */
export interface CutLine {
  readonly elementId: string;
  readonly contour: Contour;
  /** Gaps up to this are closed, where that is more than those that every line is closed across. */
  readonly gapMm?: number | undefined;
}

/** A place on a contour: a command, counted from 0, and the share of it, 0…1. The closing line is the last command. */
export interface Place {
  readonly command: number;
  readonly share: number;
}

/**
 * Returns the open piece of a contour between two places, the second one after the first. Curves stay exact. `offsets`
 * are those of the contour.
 */
export function cutContour(contour: Contour, offsets: readonly number[], from: Place, to: Place): Contour {
  const { commands, points } = contour;
  const piece: Contour = { commands: [], points: pointAt(contour, offsets, from), isClosed: false };
  for (let k = from.command; k <= to.command; k++) {
    const [a, b] = [k === from.command ? from.share : 0, k === to.command ? to.share : 1];
    if (b <= a) continue;
    if (commands[k] === 'C') {
      piece.commands.push('C');
      piece.points.push(...cutCurve(points.slice(offsets[k]!, offsets[k]! + 8), a, b));
    } else {
      piece.commands.push('L');
      piece.points.push(...pointAt(contour, offsets, { command: k, share: b }));
    }
  }
  return piece;
}

/** Returns where the points of each command start; that of the closing line comes last. */
export function pointOffsets({ commands }: Contour): number[] {
  const offsets = [0];
  for (const command of commands) offsets.push(offsets.at(-1)! + (command === 'C' ? 6 : 2));
  return offsets;
}

function pointAt({ commands, points }: Contour, offsets: readonly number[], { command, share }: Place): number[] {
  const p = offsets[command]!;
  const isClosing = command === commands.length;
  const end = isClosing ? 0 : p + (commands[command] === 'C' ? 6 : 2);
  if (share <= 0) return [points[p]!, points[p + 1]!];
  if (share >= 1) return [points[end]!, points[end + 1]!];
  if (commands[command] === 'C') return cutCurve(points.slice(p, p + 8), 0, share).slice(4);
  const mix = (i: number) => points[p + i]! + (points[end + i]! - points[p + i]!) * share;
  return [mix(0), mix(1)];
}

/** Returns an open contour that runs the other way. */
export function turnAround({ commands, points, isClosed }: Contour): Contour {
  const reverse: number[] = [];
  for (let p = points.length - 2; p >= 0; p -= 2) reverse.push(points[p]!, points[p + 1]!);
  return { commands: [...commands].reverse(), points: reverse, isClosed };
}

/**
 * Ends that are nearer than this are moved onto each other, half the way each: a segment between them would be shorter
 * than a machine can follow.
 */
const MEET_MM = 0.022;

/** Appends an open contour to another one, with a line across the gap between them. */
export function append(first: Contour, second: Contour): Contour {
  const [points, more] = [[...first.points], [...second.points]];
  const gap = Math.hypot(more[0]! - points.at(-2)!, more[1]! - points.at(-1)!);
  const commands = [...first.commands];
  if (gap < MEET_MM) {
    meet(points, first.commands.at(-1) === 'C', more, second.commands[0] === 'C');
    return { commands: [...commands, ...second.commands], points: [...points, ...more.slice(2)], isClosed: false };
  }
  return { commands: [...commands, 'L', ...second.commands], points: [...points, ...more], isClosed: false };
}

/** Closes an open contour whose ends are near each other. */
export function close({ commands, points }: Contour): Contour {
  const closedPoints = [...points];
  const gap = Math.hypot(points[0]! - points.at(-2)!, points[1]! - points.at(-1)!);
  if (gap >= MEET_MM) return { commands: [...commands], points: closedPoints, isClosed: true };
  if (gap > 0) meet(closedPoints, commands.at(-1) === 'C', closedPoints, commands[0] === 'C');
  const isLine = commands.at(-1) === 'L' && commands.length > 1;
  // The closing draws a last line by itself.
  if (!isLine) return { commands: [...commands], points: closedPoints, isClosed: true };
  return { commands: commands.slice(0, -1), points: closedPoints.slice(0, -2), isClosed: true };
}

/** Moves the end of one list of points and the start of another one, which may be the same, to the middle. */
function meet(ending: number[], endsInCurve: boolean, beginning: number[], beginsInCurve: boolean): void {
  const last = ending.length - 2;
  for (let axis = 0; axis < 2; axis++) {
    const half = (beginning[axis]! - ending[last + axis]!) / 2;
    ending[last + axis]! += half;
    if (endsInCurve) ending[last - 2 + axis]! += half;
    beginning[axis]! -= half;
    if (beginsInCurve) beginning[2 + axis]! -= half;
  }
}

const BOX_MM = 0.5;

/** Returns a small box around a point, as corners: a place that can be shown. */
export const boxAround = (x: number, y: number): Point[] => [
  { x: x - BOX_MM, y: y - BOX_MM },
  { x: x + BOX_MM, y: y - BOX_MM },
  { x: x + BOX_MM, y: y + BOX_MM },
  { x: x - BOX_MM, y: y + BOX_MM },
];

/** Returns the box around a contour, as corners. */
export function contourBox(contour: Contour): Point[] {
  const { minX, minY, maxX, maxY } = looseBounds([contour]);
  return [
    { x: minX, y: minY },
    { x: maxX, y: minY },
    { x: maxX, y: maxY },
    { x: minX, y: maxY },
  ];
}
