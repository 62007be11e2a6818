/**
 * The position of the product on the stage: screen px (from the top left of the stage) to picture mm and back, and the
 * rulers.
 */
import {
  applyMatrix,
  invert,
  type Matrix,
  multiply,
  type Point,
  rotateDeg,
  type Scene,
  type SceneGroup,
  scale,
  translate,
} from '@markwright/scene';
import type { Unit } from '../document/editor.ts';
import { fromUnit } from '../document/measure.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the margin around the product at zoom 1, for crop marks and dimension lines; smaller where there is little
 * room.
 */
const marginPx = (stage: Size) => Math.min(32, Math.min(stage.width, stage.height) * 0.03);

/** The view of the product on the stage. */
export interface StageView {
  readonly pxPerMm: number;
  readonly angleDeg: number;
  readonly picture: Size;
  /** The machine area's top left corner, in mm from that of the picture. */
  readonly originMm: Point;
  readonly toScreen: Matrix;
  readonly toPicture: Matrix;
}

/**
 * Fits the rotated product into the stage, then zooms and pans. Without a product, the machine area takes the place of
 * the picture.
 */
export function createStageView(stage: Size, scene: Scene, zoom: number, pan: Point): StageView {
  const { backdrop } = scene;
  const picture = {
    width: backdrop?.pictureWidthMm ?? scene.widthMm,
    height: backdrop?.pictureHeightMm ?? scene.heightMm,
  };
  const angleDeg = backdrop?.angleDeg ?? 0;
  const turn = rotateDeg(angleDeg);
  const rotatedSize = {
    width: Math.abs(turn.a) * picture.width + Math.abs(turn.c) * picture.height,
    height: Math.abs(turn.b) * picture.width + Math.abs(turn.d) * picture.height,
  };
  const fit = Math.min(
    Math.max(40, stage.width - 2 * marginPx(stage)) / rotatedSize.width,
    Math.max(40, stage.height - 2 * marginPx(stage)) / rotatedSize.height,
  );
  const pxPerMm = fit * zoom;
  const toScreen = multiply(
    translate(stage.width / 2 + pan.x, stage.height / 2 + pan.y),
    turn,
    scale(pxPerMm),
    translate(-picture.width / 2, -picture.height / 2),
  );
  return {
    pxPerMm,
    angleDeg,
    picture,
    originMm: backdrop?.originMm ?? { x: 0, y: 0 },
    toScreen,
    toPicture: invert(toScreen),
  };
}

/** Converts scene mm to screen px. */
export function sceneToScreen(view: StageView, point: Point): Point {
  return applyMatrix(view.toScreen, { x: point.x + view.originMm.x, y: point.y + view.originMm.y });
}

/** Returns the corners of an element on the screen. */
export const screenCorners = (view: StageView, group: SceneGroup): readonly Point[] =>
  group.corners.map((corner) => sceneToScreen(view, corner));

/** A rectangle that is drawn to select the elements it touches: two opposite corners, screen px. */
export interface Marquee {
  readonly from: Point;
  readonly to: Point;
}

/** True when any part of an element's box lies within the rectangle. */
export function isTouched(corners: readonly Point[], { from, to }: Marquee): boolean {
  const rectangle = [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
  // Two convex shapes are apart when a line along one of their sides parts them.
  const isParting = (normal: Point) => {
    const reach = (points: readonly Point[]) => points.map(({ x, y }) => x * normal.x + y * normal.y);
    const [a, b] = [reach(rectangle), reach(corners)];
    return Math.max(...a) < Math.min(...b) || Math.max(...b) < Math.min(...a);
  };
  const normals = corners.map((corner, index) => {
    const next = corners[(index + 1) % corners.length]!;
    return { x: corner.y - next.y, y: next.x - corner.x };
  });
  return ![{ x: 1, y: 0 }, { x: 0, y: 1 }, ...normals].some(isParting);
}

/** Returns the corners of the machine area on the screen, clockwise from its own top left. */
export function areaCorners(view: StageView, scene: Scene): readonly [Point, Point, Point, Point] {
  const at = (x: number, y: number) => sceneToScreen(view, { x, y });
  return [at(0, 0), at(scene.widthMm, 0), at(scene.widthMm, scene.heightMm), at(0, scene.heightMm)];
}

/** Zooms about a point of the screen, which keeps showing the same place of the product. */
export function zoomAbout(
  stage: Size,
  view: { readonly zoom: number; readonly pan: Point },
  zoom: number,
  point: Point,
): { zoom: number; pan: Point } {
  const factor = zoom / view.zoom;
  const fromMiddle = { x: point.x - stage.width / 2, y: point.y - stage.height / 2 };
  return {
    zoom,
    pan: {
      x: fromMiddle.x - (fromMiddle.x - view.pan.x) * factor,
      y: fromMiddle.y - (fromMiddle.y - view.pan.y) * factor,
    },
  };
}

/** Limits a pan, in screen px, so that a quarter of the stage stays covered: the product cannot be lost. */
export function clampPan(stage: Size, pan: Point, zoom: number): Point {
  const limitX = Math.max(0, (stage.width / 2) * zoom);
  const limitY = Math.max(0, (stage.height / 2) * zoom);
  return { x: Math.min(limitX, Math.max(-limitX, pan.x)), y: Math.min(limitY, Math.max(-limitY, pan.y)) };
}

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

/** Returns the ticks of a ruler `lengthPx` long whose zero is at `zeroPx`. */
export function rulerTicks(lengthPx: number, zeroPx: number, pxPerMm: number, unit: Unit): readonly Tick[] {
  const pxPer = (step: number) => fromUnit(step, unit) * pxPerMm;
  const options = steps[unit];
  const [step, parts] = options.find(([candidate]) => pxPer(candidate) >= MIN_LABEL_PX) ?? options.at(-1)!;
  const divisions = pxPer(step) / parts >= MIN_TICK_PX ? parts : 2;
  const spacing = pxPer(step) / divisions;
  const first = Math.ceil(-zeroPx / spacing);
  const last = Math.floor((lengthPx - zeroPx) / spacing);
  const ticks: Tick[] = [];
  for (let i = first; i <= last; i++) {
    const isLabeled = i % divisions === 0;
    const isHalf = divisions % 2 === 0 && i % (divisions / 2) === 0;
    ticks.push({
      px: zeroPx + i * spacing,
      rank: isLabeled ? 2 : isHalf ? 1 : 0,
      label: isLabeled ? String(Number(((i / divisions) * step).toFixed(3))) : undefined,
    });
  }
  return ticks;
}
