/** The ticks of the rulers: true lengths, straight or along the surface of a round blank. Pure. */
import type { Scene } from '@markwright/scene';
import type { Unit } from '../document/editor.ts';
import { fromUnit } from '../document/measure.ts';
import { type StageView, sceneToScreen } from './stageView.ts';

/** A tick of a ruler. */
export interface Tick {
  /** Its place along the ruler, in screen px. */
  readonly px: number;
  /** 2: labeled, 1: half, 0: fine. */
  readonly rank: 0 | 1 | 2;
  readonly label: string | undefined;
}

/** Distances between labeled ticks that people count in, and into how many parts each is divided. */
const steps: Record<Unit, readonly (readonly [step: number, parts: number])[]> = {
  mm: [
    [1, 2],
    [2, 4],
    [5, 5],
    [10, 10],
    [20, 4],
    [50, 10],
    [100, 10],
    [200, 4],
    [500, 10],
  ],
  in: [
    [0.125, 2],
    [0.25, 4],
    [0.5, 4],
    [1, 8],
    [2, 4],
    [5, 5],
    [10, 10],
    [20, 4],
  ],
};
const MIN_LABEL_PX = 44;
const MIN_TICK_PX = 4;

/** Where a ruler has its lengths. */
export interface RulerScale {
  /** Returns the place of a length, in px from the start of the ruler. It grows with the length. */
  placeAt(mm: number): number;
  /** The length about which the ruler is foreshortened to both sides. */
  readonly middleMm: number;
  /** The scale there. */
  readonly pxPerMm: number;
}

/** Returns the scale of a ruler that is the same everywhere, with its zero at `zeroPx`. */
export const straightScale = (zeroPx: number, pxPerMm: number): RulerScale => ({
  placeAt: (mm) => zeroPx + mm * pxPerMm,
  middleMm: 0,
  pxPerMm,
});

/**
 * Returns the scale of a ruler along an axis of the screen, as the surface of a round blank has it in the middle of the
 * machine area. Its zero is at the area's edge. `startPx` is where the ruler begins on the stage.
 */
export function surfaceScale(view: StageView, scene: Scene, axis: 'x' | 'y', startPx: number): RulerScale {
  const { widthMm, heightMm } = scene;
  const radians = (view.angleDeg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const way = axis === 'x' ? { x: cos, y: -sin } : { x: sin, y: cos };
  const middleMm = (Math.abs(way.x) * widthMm + Math.abs(way.y) * heightMm) / 2;
  return {
    placeAt(mm) {
      const from = mm - middleMm;
      const point = { x: widthMm / 2 + from * way.x, y: heightMm / 2 + from * way.y };
      return sceneToScreen(view, point)[axis] - startPx;
    },
    middleMm,
    pxPerMm: view.pxPerMm,
  };
}

/** The longest ruler, in its finest parts to each side of the middle. */
const MAX_PARTS = 1 << 20;
/** A label has room in this. */
const LABEL_PX = 26;

/**
 * Returns the ticks of a ruler `lengthPx` long, in the order of their places. Where it is foreshortened, the finer ones
 * are left out before they run together, and it ends where all would: at the outline of a round blank.
 */
export function rulerTicks(lengthPx: number, scale: RulerScale, unit: Unit): readonly Tick[] {
  const pxPer = (step: number) => fromUnit(step, unit) * scale.pxPerMm;
  const options = steps[unit];
  const [step, parts] = options.find(([candidate]) => pxPer(candidate) >= MIN_LABEL_PX) ?? options.at(-1)!;
  const divisions = pxPer(step) / parts >= MIN_TICK_PX ? parts : 2;
  const partMm = fromUnit(step, unit) / divisions;
  const placeOf = (i: number) => scale.placeAt(i * partMm);
  const roomOf = (i: number) => placeOf(i + 0.5) - placeOf(i - 0.5);
  const isReadable = (i: number) => roomOf(i) * divisions >= MIN_TICK_PX;
  const middle = Math.round(scale.middleMm / partMm);
  const first = firstOf(middle - MAX_PARTS, middle, (i) => isReadable(i) && placeOf(i) >= 0);
  const start = first <= middle ? first : firstOf(middle, middle + MAX_PARTS, (i) => placeOf(i) >= 0);
  const ticks: Tick[] = [];
  for (let i = start; isReadable(i) && placeOf(i) <= lengthPx; i++) {
    const isLabeled = i % divisions === 0;
    const isHalf = divisions % 2 === 0 && i % (divisions / 2) === 0;
    const roomPx = roomOf(i) * (isLabeled ? divisions : isHalf ? divisions / 2 : 1);
    if (roomPx < MIN_TICK_PX * (isLabeled ? 1 : LEAST_ROOM)) continue;
    ticks.push({
      px: placeOf(i),
      rank: isLabeled ? 2 : isHalf ? 1 : 0,
      label: isLabeled && roomPx >= LABEL_PX ? String(Number(((i / divisions) * step).toFixed(3))) : undefined,
    });
  }
  return ticks;
}

/** The share of the least distance that finer ticks may have beside the middle, where just that distance has room. */
const LEAST_ROOM = 0.6;

/** Returns the first whole number of a range from which on something is true; the one after it where there is none. */
function firstOf(from: number, to: number, isTrue: (i: number) => boolean): number {
  let [low, high] = [from, to + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
