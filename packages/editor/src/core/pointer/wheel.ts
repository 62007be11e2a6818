/** Reads a turn of the wheel, or two fingers on a trackpad, as a change of the view. Pure. */
import type { Point } from '@markwright/scene';

/** The parts of the DOM's `WheelEvent` that count. A pinch on a trackpad comes with `ctrlKey`. */
export interface WheelTurn {
  readonly deltaX: number;
  readonly deltaY: number;
  /** 0: px, 1: lines, 2: pages. */
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

export type ViewChange =
  | { readonly kind: 'zoom'; readonly factor: number }
  | { readonly kind: 'pan'; readonly by: Point };

const LINE_PX = 16;
/** Browsers report a pinch as a hundred times the logarithm of its scale. */
const PX_PER_E = 100;
/** A notch of a mouse wheel is 100 px and more: it counts as this much, a step of a sixth. */
const MAX_ZOOM_STEP_PX = 15;

/** With Control or Meta the wheel zooms, alone it pans, and with Shift it pans sideways. */
export function readWheel(turn: WheelTurn, pagePx: number): ViewChange {
  const unit = [1, LINE_PX, pagePx][turn.deltaMode] ?? 1;
  const x = turn.deltaX * unit;
  const y = turn.deltaY * unit;
  if (turn.ctrlKey || turn.metaKey) {
    const step = Math.min(MAX_ZOOM_STEP_PX, Math.max(-MAX_ZOOM_STEP_PX, y === 0 ? x : y));
    return { kind: 'zoom', factor: Math.exp(-step / PX_PER_E) };
  }
  // Some systems turn the axis themselves when Shift is held.
  if (turn.shiftKey && x === 0) return { kind: 'pan', by: { x: -y, y: 0 } };
  return { kind: 'pan', by: { x: -x, y: -y } };
}
