import { hypot } from '../geometry/hypot.ts';
import type { Branches } from './branch.ts';
import { median } from './branches.ts';
import type { Crossings } from './crossings.ts';

/** `blur` of a line measured by its outline, px. */
const EVEN_BLUR = 3;

/** A stroke under construction: its good points, in order. Lengths and widths are in px. */
export interface Draft {
  region: number;
  x: number[];
  y: number[];
  /** Width at each point; NaN at an inserted corner, -1 on a bridge across a crossing. */
  across: number[];
  isClosed: boolean;
  width: number;
  /**
   * Twice the distance from a corner or an end within which its points are distorted, in px; the width for thin lines.
   */
  blur: number;
  /** Length along the points, px. */
  length: number;
  /** For the start and the end: true when the line itself ends there. */
  isFree: [boolean, boolean];
  /** For both ends: how far the ink continues past the last point of a free end, in px. */
  ahead: [number, number];
}

/** Links joined branches into drafts, from end to end. */
export function linkBranches(branches: Branches, crossings: Crossings): Draft[] {
  const { list } = branches;
  const { first, last, mate } = crossings;
  const isUsed = new Uint8Array(list.length);
  const drafts: Draft[] = [];
  const follow = (start: number): void => {
    const { region } = list[start >> 1];
    const draft: Draft = {
      region,
      x: [],
      y: [],
      across: [],
      isClosed: false,
      width: NaN,
      blur: 0,
      length: 0,
      isFree: [crossings.isFree[start] === 1, false],
      ahead: [0, 0],
    };
    const put = (x: number, y: number, width: number): void => {
      draft.x.push(x);
      draft.y.push(y);
      draft.across.push(width);
    };
    const putMeeting = (end: number): void => {
      const { meetX, meetY } = crossings;
      if (!Number.isNaN(meetX[end])) put(meetX[end], meetY[end], NaN);
    };
    /** Adds points of a smooth curve across a meeting, so that the fitted curve cannot stray there. */
    const bridge = (exit: number, entry: number): void => {
      const s = crossings.tails[exit];
      const t = crossings.tails[entry];
      if (!s || !t) return;
      const gap = hypot(t.x - s.x, t.y - s.y);
      const turn = Math.acos(Math.max(-1, Math.min(1, -(s.dx * t.dx + s.dy * t.dy))));
      // The handles of an arc over this chord.
      const handle = turn < 0.01 ? gap / 3 : (gap * (2 / 3) * Math.tan(turn / 4)) / Math.sin(turn / 2);
      const steps = Math.floor(gap / 1.5);
      for (let k = 1; k < steps; k++) {
        const v = k / steps;
        const u = 1 - v;
        const a = 3 * u * u * v;
        const b = 3 * u * v * v;
        const before = u * u * u + a;
        const after = v * v * v + b;
        put(
          before * s.x + after * t.x - a * handle * s.dx - b * handle * t.dx,
          before * s.y + after * t.y - a * handle * s.dy - b * handle * t.dy,
          -1,
        );
      }
    };
    putMeeting(start);
    if (mate[start] >= 0) {
      draft.x.length = draft.y.length = draft.across.length = 0; // a joined start: its meeting comes last
    }
    for (let end = start; ; ) {
      const b = end >> 1;
      isUsed[b] = 1;
      const isForward = (end & 1) === 0;
      for (let n = 0; n <= last[b] - first[b]; n++) {
        const k = isForward ? first[b] + n : last[b] - n;
        if (branches.isGood[k]) put(branches.x[k], branches.y[k], branches.width[k]);
      }
      const exit = end ^ 1;
      putMeeting(exit);
      if (mate[exit] < 0) {
        draft.isFree[1] = crossings.isFree[exit] === 1;
        break;
      }
      if (mate[exit] === start) {
        draft.isClosed = true;
        bridge(exit, start);
        break;
      }
      end = mate[exit];
      bridge(exit, end);
    }
    if (list[start >> 1].start < 0) draft.isClosed = true;
    for (let k = 1; k < draft.x.length; k++) {
      draft.length += hypot(draft.x[k] - draft.x[k - 1], draft.y[k] - draft.y[k - 1]);
    }
    draft.width = median(draft.across.filter((width) => width > 0));
    draft.blur = list[start >> 1].isEven ? EVEN_BLUR : draft.width;
    if (draft.isClosed) draft.isFree = [false, false];
    if (draft.x.length > 0) drafts.push(draft);
  };
  for (const hasStart of [true, false]) {
    for (let b = 0; b < list.length; b++) {
      if (isUsed[b] || first[b] > last[b]) continue;
      if (!hasStart || list[b].start < 0) {
        follow(2 * b);
        continue;
      }
      const start = mate[2 * b] < 0 ? 2 * b : mate[2 * b + 1] < 0 ? 2 * b + 1 : -1;
      if (start >= 0) follow(start);
    }
  }
  return drafts;
}
