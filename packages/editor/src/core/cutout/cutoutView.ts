/**
 * The part of a picture that is visible while its cut-out is edited. Places in the picture are fractions of it, places
 * on the stage are px.
 */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The zoomed and moved view of a picture. */
export interface CutoutView {
  /** 1: all of the picture fits. */
  readonly zoom: number;
  /** The place of the picture in the middle of the stage. */
  readonly x: number;
  readonly y: number;
}

export const wholeView: CutoutView = { zoom: 1, x: 0.5, y: 0.5 };
export const MAX_ZOOM = 16;
/** The margin around a picture that fits. */
const MARGIN_PX = 16;

/** The box of a picture on the stage, in px. */
export interface PictureFrame extends Size {
  readonly left: number;
  readonly top: number;
}

/** Returns the box of the whole picture on the stage, which may be larger than the stage. */
export function frameOf({ zoom, x, y }: CutoutView, picture: Size, stage: Size): PictureFrame {
  const fit = Math.min((stage.width - 2 * MARGIN_PX) / picture.width, (stage.height - 2 * MARGIN_PX) / picture.height);
  const scale = Math.max(0.001, fit) * zoom;
  const [width, height] = [picture.width * scale, picture.height * scale];
  return { left: stage.width / 2 - x * width, top: stage.height / 2 - y * height, width, height };
}

/** Limits a view so that the picture covers as much of the stage as it can at this zoom. */
function clampView({ zoom, x, y }: CutoutView, picture: Size, stage: Size): CutoutView {
  const { width, height } = frameOf({ zoom, x, y }, picture, stage);
  const hold = (at: number, long: number, visiblePx: number) => {
    const half = Math.min(0.5, (visiblePx / 2 - MARGIN_PX) / long);
    return Math.min(1 - half, Math.max(half, at));
  };
  return { zoom, x: hold(x, width, stage.width), y: hold(y, height, stage.height) };
}

/** Zooms by a factor. The point at `at` on the stage stays there where it can. */
export function zoomAt(
  view: CutoutView,
  factor: number,
  at: { readonly x: number; readonly y: number },
  picture: Size,
  stage: Size,
): CutoutView {
  const zoom = Math.min(MAX_ZOOM, Math.max(1, view.zoom * factor));
  const before = frameOf(view, picture, stage);
  const after = frameOf({ ...view, zoom }, picture, stage);
  const [fromX, fromY] = [at.x - stage.width / 2, at.y - stage.height / 2];
  const x = view.x + fromX / before.width - fromX / after.width;
  const y = view.y + fromY / before.height - fromY / after.height;
  return clampView({ zoom, x, y }, picture, stage);
}

/** Moves the picture by px on the stage. */
export function panBy(view: CutoutView, dx: number, dy: number, picture: Size, stage: Size): CutoutView {
  const { width, height } = frameOf(view, picture, stage);
  return clampView({ ...view, x: view.x - dx / width, y: view.y - dy / height }, picture, stage);
}

/** The least distance of the brush from the edge of the stage, px. */
const RIM_PX = 24;

/** Pans just far enough to show a place of the picture. */
export function reveal(
  view: CutoutView,
  place: { readonly x: number; readonly y: number },
  picture: Size,
  stage: Size,
): CutoutView {
  const { left, top, width, height } = frameOf(view, picture, stage);
  const short = (at: number, long: number) => Math.max(0, RIM_PX - at) - Math.max(0, at - long + RIM_PX);
  const dx = short(left + place.x * width, stage.width);
  const dy = short(top + place.y * height, stage.height);
  return dx === 0 && dy === 0 ? view : panBy(view, dx, dy, picture, stage);
}

/**
 * Adds a point to a line that is being painted, unless it is too near the last one to matter. Points are fractions of
 * the picture, rounded to a hundred-thousandth.
 */
export function addPoint(points: readonly number[], x: number, y: number, least: Size): readonly number[] {
  const [lastX, lastY] = points.slice(-2);
  const round = (value: number) => Math.round(Math.min(2, Math.max(-1, value)) * 1e5) / 1e5;
  const isNear =
    lastX !== undefined && lastY !== undefined && Math.hypot((x - lastX) / least.width, (y - lastY) / least.height) < 1;
  return isNear ? points : [...points, round(x), round(y)];
}
