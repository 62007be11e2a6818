/** The targets that a scene is drawn for, with the frame of each: its unit, its size and the part it shows. */
import { boxAround } from '../arrange/arrange.ts';
import { applyMatrix, identity, type Matrix, type Point, rotateDeg } from '../geometry/matrix.ts';
import type { Scene } from '../resolve/scene.ts';

/** Pictures of the product with the composition on it. */
export type ViewTarget =
  | { readonly kind: 'preview' }
  | {
      readonly kind: 'mockup';
      readonly watermark?: boolean;
      /** Degrees by which a round blank is turned about its axis. Absent: 0. */
      readonly turnDeg?: number | undefined;
      /** True for a picture that moves: a round blank turns about its axis, once around. */
      readonly isSpin?: boolean | undefined;
    };

/**
 * Files of the marks alone, with transforms baked. `production` is at true size with a machine's layers. The other two
 * keep the artwork's own colors on a square canvas of `CUSTOM_SVG_PX` or `STANDARD_SVG_PX`.
 */
export type FileTarget =
  | { readonly kind: 'production' }
  | { readonly kind: 'customSvg' }
  | { readonly kind: 'standardSvg' };

export type Target = ViewTarget | FileTarget;

export const CUSTOM_SVG_PX = 1000;
export const STANDARD_SVG_PX = 400;
/** The longest side of a mockup in px: a stage of 1000 px at 2x. */
export const MOCKUP_PX = 2000;
/** The longest side of a mockup that spins, in px, and how many pictures it is. */
export const SPIN = { sidePx: 800, frames: 36, frameMs: 90 } as const;

/** The part of the rotated product that a picture shows, in view mm, and the matrix from scene mm to view mm. */
export interface SceneView {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Scene mm to view mm: the rotation of the product about the middle of its picture. */
  readonly matrix: Matrix;
}

/**
 * Returns what preview and mockup show: the whole rotated product picture, or the bare frame without a product. It is
 * the view box of `renderView`. A pointer at a point of it is at `applyMatrix(invert(view.matrix), point)` in the
 * scene.
 */
export function sceneView(scene: Scene): SceneView {
  const { backdrop, widthMm, heightMm } = scene;
  if (!backdrop) return { x: 0, y: 0, width: widthMm, height: heightMm, matrix: identity };
  const { originMm, pictureWidthMm, pictureHeightMm, angleDeg } = backdrop;
  const left = -originMm.x;
  const top = -originMm.y;
  const matrix = rotateDeg(angleDeg, { x: left + pictureWidthMm / 2, y: top + pictureHeightMm / 2 });
  const corners: Point[] = [
    { x: left, y: top },
    { x: left + pictureWidthMm, y: top },
    { x: left + pictureWidthMm, y: top + pictureHeightMm },
    { x: left, y: top + pictureHeightMm },
  ].map((corner) => applyMatrix(matrix, corner));
  const x = Math.min(...corners.map((corner) => corner.x));
  const y = Math.min(...corners.map((corner) => corner.y));
  return {
    x,
    y,
    width: Math.max(...corners.map((corner) => corner.x)) - x,
    height: Math.max(...corners.map((corner) => corner.y)) - y,
    matrix,
  };
}

/** The share of the marks' longer side that is free around them. */
const NEAR_MARGIN = 0.15;

/** Returns the part of `sceneView` with all marks, as near as they are all in sight; all of it without marks. */
export function nearView(scene: Scene): Omit<SceneView, 'matrix'> {
  const { matrix, ...whole } = sceneView(scene);
  const box = boxAround(
    scene.groups.map(({ corners: [a, b, c, d] }) => ({
      corners: [applyMatrix(matrix, a), applyMatrix(matrix, b), applyMatrix(matrix, c), applyMatrix(matrix, d)],
    })),
  );
  if (!box) return whole;
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const margin = NEAR_MARGIN * Math.max(width, height);
  return { x: box.left - margin, y: box.top - margin, width: width + 2 * margin, height: height + 2 * margin };
}
