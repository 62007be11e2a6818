/**
 * The part of the proof's picture that is seen: how large, and where. Pure functions over lengths in CSS pixels and
 * millimeters, so that the screen's true scale is one number.
 */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface ProofView {
  /** Pixels for each millimeter of the product. */
  readonly scale: number;
  /** The point of the picture in the middle of the frame, as fractions of its width and height. */
  readonly center: Point;
}

/** The picture in mm, and the frame that shows it in px. */
export interface ProofStage {
  readonly pictureMm: Size;
  readonly frame: Size;
  /** Pixels of a true millimeter on this screen. */
  readonly trueScale: number;
}

/** One CSS inch has 96 px. Screens differ from it by up to a third. */
export const CSS_PX_PER_MM = 96 / 25.4;

/** The width of a bank card, ISO/IEC 7810 ID-1. */
export const CARD_MM: Size = { width: 85.6, height: 53.98 };

/** The largest view, in true sizes. */
const MOST = 6;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Returns the scale at which the whole picture is seen. */
export const fitScale = ({ pictureMm, frame }: ProofStage): number =>
  Math.min(frame.width / pictureMm.width, frame.height / pictureMm.height);

export const fittedView = (stage: ProofStage): ProofView => ({ scale: fitScale(stage), center: { x: 0.5, y: 0.5 } });

export const isFitted = (stage: ProofStage, { scale }: ProofView): boolean => scale <= fitScale(stage) * 1.001;

export const isTrueSize = ({ trueScale }: ProofStage, { scale }: ProofView): boolean =>
  Math.abs(scale / trueScale - 1) < 0.001;

/**
 * Keeps the scale in its range and the picture in the frame: where it is larger it covers the frame, and where it is
 * smaller it stays in the middle.
 */
export function limitView(stage: ProofStage, { scale, center }: ProofView): ProofView {
  const { pictureMm, frame, trueScale } = stage;
  // A product smaller than the frame may be seen at its true size too.
  const least = Math.min(fitScale(stage), trueScale);
  const nextScale = clamp(scale, least, Math.max(fitScale(stage), trueScale * MOST));
  const along = (value: number, picture: number, room: number) => {
    const half = room / (picture * nextScale) / 2;
    return half >= 0.5 ? 0.5 : clamp(value, half, 1 - half);
  };
  return {
    scale: nextScale,
    center: {
      x: along(center.x, pictureMm.width, frame.width),
      y: along(center.y, pictureMm.height, frame.height),
    },
  };
}

/** Zooms by a factor. The point of the picture at `at` stays there; `at` is measured from the middle of the frame. */
export function zoomAt(stage: ProofStage, view: ProofView, factor: number, at: Point): ProofView {
  const { scale } = limitView(stage, { ...view, scale: view.scale * factor });
  const shift = 1 / view.scale - 1 / scale;
  return limitView(stage, {
    scale,
    center: {
      x: view.center.x + (at.x * shift) / stage.pictureMm.width,
      y: view.center.y + (at.y * shift) / stage.pictureMm.height,
    },
  });
}

/** Moves the picture by pixels. */
export function moveBy(stage: ProofStage, { scale, center }: ProofView, { x, y }: Point): ProofView {
  const { width, height } = stage.pictureMm;
  return limitView(stage, {
    scale,
    center: { x: center.x - x / (scale * width), y: center.y - y / (scale * height) },
  });
}

/** Returns the longest round length whose bar is at most `mostPx` long: 1, 2 or 5 times a power of ten, in mm. */
export function barLengthMm(scale: number, mostPx: number): number {
  const most = mostPx / scale;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [5, 2, 1].find((factor) => factor * power <= most) ?? 1;
  return step * power;
}
