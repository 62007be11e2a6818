/**
 * The position of the product on the stage: screen px (from the top left of the stage) to picture mm and back, and the
 * rulers.
 */
import {
  applyMatrix,
  type Bounds,
  type ElementBox,
  type FractionRect,
  invert,
  isArtworkId,
  type Matrix,
  multiply,
  type Point,
  rotateDeg,
  type Scene,
  scale,
  translate,
} from '@markwright/scene';
import { MM_PER_INCH } from '../document/measure.ts';
import { boundsOf } from './bounds.ts';
import type { SurfaceMap } from './surfaceMap.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How far something reaches into the stage from each of its sides, in screen px. */
export interface Inset {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The stage's size, and how far cards cover it from each side. */
export interface Viewport extends Size {
  readonly inset?: Inset | undefined;
}

/** The least width and height that the product is fitted into, however little the cards leave free. */
const MIN_FREE_PX = 40;

/** Returns the part of the stage that no card covers. */
export function freeBox({ width, height, inset = noInset }: Viewport): Bounds {
  const span = (length: number, before: number, after: number): readonly [number, number] => {
    const free = Math.max(MIN_FREE_PX, length - before - after);
    const start = Math.max(0, Math.min(before, length - free));
    return [start, start + free];
  };
  const [left, right] = span(width, inset.left, inset.right);
  const [top, bottom] = span(height, inset.top, inset.bottom);
  return { left, top, right, bottom };
}

const noInset: Inset = { left: 0, top: 0, right: 0, bottom: 0 };

/**
 * Returns the margin around the product at zoom 1, for crop marks and dimension lines; smaller where there is little
 * room.
 */
const marginPx = (width: number, height: number) => Math.min(32, Math.min(width, height) * 0.03);

/** The view of the product on the stage. */
export interface StageView {
  readonly pxPerMm: number;
  /** The scale at zoom 1, where the product fits into the free part of the stage. */
  readonly fitPxPerMm: number;
  readonly angleDeg: number;
  readonly picture: Size;
  /** The part of the picture that shows the product, in mm of the picture. */
  readonly product: Bounds;
  /** The part of the stage that no card covers, and its middle, in screen px. */
  readonly free: Bounds;
  readonly middle: Point;
  /** The machine area's top left corner, in mm from that of the picture. */
  readonly originMm: Point;
  /** From the picture to the screen, and back. Places of the scene take `sceneToScreen` and `screenToPicture`. */
  readonly toScreen: Matrix;
  readonly toPicture: Matrix;
  /** Where a round blank shows its places, while the stage shows it as it will be. Absent: the stage is flat. */
  readonly surface: SurfaceMap | undefined;
}

const wholePicture: FractionRect = { x: 0, y: 0, width: 1, height: 1 };

/**
 * Fits the rotated product into the free part of the stage, then zooms and pans. `productBox` is the part of the
 * picture that shows the product. Without a product, the machine area takes the place of the picture.
 */
export function createStageView(
  stage: Viewport,
  scene: Scene,
  zoom: number,
  pan: Point,
  productBox: FractionRect = wholePicture,
  surface?: SurfaceMap,
): StageView {
  const { backdrop } = scene;
  const picture = {
    width: backdrop?.pictureWidthMm ?? scene.widthMm,
    height: backdrop?.pictureHeightMm ?? scene.heightMm,
  };
  const product = {
    left: productBox.x * picture.width,
    top: productBox.y * picture.height,
    right: (productBox.x + productBox.width) * picture.width,
    bottom: (productBox.y + productBox.height) * picture.height,
  };
  const angleDeg = backdrop?.angleDeg ?? 0;
  const free = freeBox(stage);
  const middle = middleOf(free);
  const fitPxPerMm = fitScale(
    free,
    sizeOf(product),
    angleDeg,
    marginPx(free.right - free.left, free.bottom - free.top),
  );
  const pxPerMm = fitPxPerMm * zoom;
  const center = middleOf(product);
  const toScreen = multiply(
    translate(middle.x + pan.x, middle.y + pan.y),
    rotateDeg(angleDeg),
    scale(pxPerMm),
    translate(-center.x, -center.y),
  );
  return {
    pxPerMm,
    fitPxPerMm,
    angleDeg,
    picture,
    product,
    free,
    middle,
    originMm: backdrop?.originMm ?? { x: 0, y: 0 },
    toScreen,
    toPicture: invert(toScreen),
    surface,
  };
}

/** Returns the scale, in px per mm, at which a rotated box just fits into the free part of the stage. */
function fitScale(free: Bounds, box: Size, angleDeg: number, margin: number): number {
  const turn = rotateDeg(angleDeg);
  const width = Math.abs(turn.a) * box.width + Math.abs(turn.c) * box.height;
  const height = Math.abs(turn.b) * box.width + Math.abs(turn.d) * box.height;
  const room = (length: number) => Math.max(MIN_FREE_PX, length - 2 * margin);
  return Math.min(room(free.right - free.left) / width, room(free.bottom - free.top) / height);
}

const sizeOf = ({ left, top, right, bottom }: Bounds): Size => ({ width: right - left, height: bottom - top });

const middleOf = ({ left, top, right, bottom }: Bounds): Point => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

/** Returns the smallest rectangle around two. */
export function unionRect(a: FractionRect, b: FractionRect): FractionRect {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** The position and scale of the product on the stage, as the editor's state holds them. */
export interface ViewPosition {
  readonly zoom: number;
  readonly pan: Point;
}

/** The position at which the product fits into the free part of the stage. */
export const fittedPosition: ViewPosition = { zoom: 1, pan: { x: 0, y: 0 } };

/** The share of the free part of the stage that stays empty around the machine area when the view moves to it. */
const AREA_MARGIN = 0.1;
/** The least width of the largest artwork, in px, that the view is moved nearer for. */
const MARK_PX = 136;
/** The room around everything on the product, in which a finger finds the grips. */
const GRIPS_PX = 28;
/** How much nearer than the whole machine area that may be. */
const MAX_NEARER = 3;

/**
 * Returns the position that shows the machine area with some margin, and never smaller than the fitted product. Where
 * an artwork would be small then, as on a phone, the view is nearer: everything on the product stays in sight, and what
 * is empty of the machine area may reach past the stage.
 */
export function areaPosition(view: StageView, scene: Scene, maxZoom: number): ViewPosition {
  const { free, originMm, angleDeg, fitPxPerMm } = view;
  const turn = rotateDeg(angleDeg);
  const center = middleOf(view.product);
  /** Returns the upright box around points of the scene as the screen shows them, in mm from the product's middle. */
  const boxOf = (points: readonly Point[]): Bounds =>
    boundsOf(
      points.map(({ x, y }) => applyMatrix(turn, { x: x + originMm.x - center.x, y: y + originMm.y - center.y })),
    );
  const { width, height } = sizeOf(free);
  const margin = AREA_MARGIN * Math.min(width, height);
  const within = (px: number) => ({
    width: Math.max(MIN_FREE_PX, width - 2 * px),
    height: Math.max(MIN_FREE_PX, height - 2 * px),
  });
  const room = within(margin);
  const scaleFor = (box: Bounds, { width, height } = room) =>
    Math.min(width / sizeOf(box).width, height / sizeOf(box).height);

  const area = boxOf([
    { x: 0, y: 0 },
    { x: scene.widthMm, y: 0 },
    { x: scene.widthMm, y: scene.heightMm },
    { x: 0, y: scene.heightMm },
  ]);
  const artworks = scene.groups.filter(({ elementId }) => isArtworkId(elementId));
  const content = scene.groups.length > 0 ? boxOf(scene.groups.flatMap(({ corners }) => corners)) : area;
  const markMm = Math.max(0, ...artworks.map(({ corners }) => sizeOf(boxOf(corners)).width));
  const areaScale = scaleFor(area);
  const nearer =
    markMm > 0
      ? Math.min(MARK_PX / markMm, scaleFor(content, within(Math.max(margin, GRIPS_PX))), MAX_NEARER * areaScale)
      : 0;
  const zoom = Math.min(maxZoom, Math.max(1, Math.max(areaScale, nearer) / fitPxPerMm));
  const px = fitPxPerMm * zoom;
  /** Returns the place that is shown in the middle: that of the area, or of what is on it where not all is in sight. */
  const middleAlong = (from: 'left' | 'top', to: 'right' | 'bottom', roomPx: number) => {
    const half = roomPx / px / 2;
    if (area[to] - area[from] <= 2 * half) return (area[from] + area[to]) / 2;
    return Math.min(area[to] - half, Math.max(area[from] + half, (content[from] + content[to]) / 2));
  };
  const pan = {
    x: -middleAlong('left', 'right', room.width) * px,
    y: -middleAlong('top', 'bottom', room.height) * px,
  };
  return { zoom, pan: clampPan(view, pan, zoom) };
}

/** CSS px of an inch on every screen. */
const CSS_PX_PER_INCH = 96;

/** Returns the zoom at which an inch of the product is one CSS inch on the screen. */
export const trueSizeZoom = ({ fitPxPerMm }: StageView): number => CSS_PX_PER_INCH / MM_PER_INCH / fitPxPerMm;

/** Converts scene mm to screen px. On a round blank it is where the blank shows the place. */
export function sceneToScreen({ toScreen, originMm, surface }: StageView, point: Point): Point {
  const place = { x: point.x + originMm.x, y: point.y + originMm.y };
  return applyMatrix(toScreen, surface ? surface.project(place) : place);
}

/** Converts screen px to mm of the picture, which on a round blank are mm along its surface. */
export function screenToPicture({ toPicture, surface }: StageView, point: Point): Point {
  const place = applyMatrix(toPicture, point);
  return surface ? surface.unproject(place) : place;
}

/** Returns the corners of an element on the screen. */
export const screenCorners = (view: StageView, { corners }: ElementBox): readonly Point[] =>
  corners.map((corner) => sceneToScreen(view, corner));

/** The straight pieces of a side that bends round a blank. */
const SIDE_PIECES = 24;

/** Returns a closed outline on the screen, of corners in scene mm. Its sides follow the surface of a round blank. */
export function screenOutline(view: StageView, corners: readonly Point[]): readonly Point[] {
  if (!view.surface) return corners.map((corner) => sceneToScreen(view, corner));
  return corners.flatMap((from, index) => {
    const to = corners[(index + 1) % corners.length]!;
    return Array.from({ length: SIDE_PIECES }, (_, piece) => {
      const t = piece / SIDE_PIECES;
      return sceneToScreen(view, { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t });
    });
  });
}

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

/** Returns the corners of the machine area in scene mm, clockwise from its own top left. */
export const frameCorners = ({ widthMm, heightMm }: Scene): readonly [Point, Point, Point, Point] => [
  { x: 0, y: 0 },
  { x: widthMm, y: 0 },
  { x: widthMm, y: heightMm },
  { x: 0, y: heightMm },
];

/** Returns the corners of the machine area on the screen, clockwise from its own top left. */
export function areaCorners(view: StageView, scene: Scene): readonly [Point, Point, Point, Point] {
  const [a, b, c, d] = frameCorners(scene);
  const at = (corner: Point) => sceneToScreen(view, corner);
  return [at(a), at(b), at(c), at(d)];
}

/** Zooms about a point of the screen, which keeps showing the same place of the product. */
export function zoomAbout(
  { middle }: Pick<StageView, 'middle'>,
  from: ViewPosition,
  zoom: number,
  point: Point,
): ViewPosition {
  const factor = zoom / from.zoom;
  const fromMiddle = { x: point.x - middle.x, y: point.y - middle.y };
  return {
    zoom,
    pan: {
      x: fromMiddle.x - (fromMiddle.x - from.pan.x) * factor,
      y: fromMiddle.y - (fromMiddle.y - from.pan.y) * factor,
    },
  };
}

/**
 * Limits a pan, in screen px, so that a place of the product stays in the middle of the free part of the stage: the
 * product cannot be lost, whatever the zoom and the rotation.
 */
export function clampPan(view: StageView, pan: Point, zoom: number): Point {
  const pxPerMm = view.fitPxPerMm * zoom;
  const { width, height } = sizeOf(view.product);
  const limit = (value: number, most: number) => Math.min(most, Math.max(-most, value));
  const turnedPan = applyMatrix(rotateDeg(-view.angleDeg), pan);
  const offsetPx = { x: limit(turnedPan.x, (width / 2) * pxPerMm), y: limit(turnedPan.y, (height / 2) * pxPerMm) };
  const isWithin = offsetPx.x === turnedPan.x && offsetPx.y === turnedPan.y;
  return isWithin ? pan : applyMatrix(rotateDeg(view.angleDeg), offsetPx);
}
