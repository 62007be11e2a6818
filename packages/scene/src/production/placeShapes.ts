/** Places the shapes of a scene in the frame, where nothing reaches outside. All lengths are frame millimeters. */
import type { ShapePaint } from '../artwork/artwork.ts';
import { transformGradient } from '../artwork/gradient.ts';
import { type AreaClip, transformClips } from '../document/areaClips.ts';
import type { Operation } from '../document/composition.ts';
import { lengthScale, type Matrix, multiply } from '../geometry/matrix.ts';
import { type Contour, readContours, transformContours } from '../geometry/pathData.ts';
import { clipToBox, clipToOutline, type Grid, MM_GRID, outlineStroke } from '../geometry/planar.ts';
import type { Scene, SceneGroup } from '../resolve/scene.ts';

/** A shape at its final place. Its opacity is its own: that of its element is not in it. */
export interface FrameShape extends ShapePaint {
  readonly elementId: string;
  readonly operation: Operation;
  /** The place among its artwork's tones, from 0, where their order is set. */
  readonly toneIndex?: number | undefined;
  readonly contours: readonly Contour[];
  /** Closed lines that the edge of the frame or of the area opens. Absent where there are none. */
  readonly openedLines?: readonly Contour[];
}

/** What limits the shapes of a job: the frame, and the area that can be marked, before the turn. */
type Limits = Pick<Scene, 'widthMm' | 'heightMm' | 'area'>;

/**
 * Returns the shapes of one element, back to front, clipped to the frame and to the area that can be marked. `turn` is
 * applied after the placement. A line whose operation fills becomes the outline of its stroke; all filled contours are
 * closed.
 */
export function placeShapes({ widthMm, heightMm, area = [] }: Limits, group: SceneGroup, turn: Matrix): FrameShape[] {
  const matrix = multiply(turn, group.matrix);
  const clips = transformClips(area, turn);
  const frame = { minX: 0, minY: 0, maxX: widthMm, maxY: heightMm };
  return group.children.flatMap((child) => {
    if (child.kind !== 'path') return [];
    const contours = transformContours(child.contours ?? readContours(child.d), matrix);
    const shape: FrameShape = {
      elementId: group.elementId,
      operation: child.operation,
      ...(child.tone && { toneIndex: child.tone.index }),
      contours: child.fill ? closeAll(contours) : contours,
      fill: child.fill,
      gradient: child.gradient && transformGradient(child.gradient, matrix),
      stroke: child.stroke,
      strokeWidth: child.strokeWidth * lengthScale(matrix),
      opacity: child.opacity,
    };
    const whole = shape.operation === 'print' ? shape : withOneUse(shape);
    return clips.reduce(
      (parts, clip) =>
        parts.flatMap((part) =>
          clipShape(part, (lines, isFilled) => clipToOutline(lines, clip.contours, isFilled, MM_GRID)),
        ),
      clipShape(whole, (lines, isFilled) => clipToBox(lines, frame, isFilled, MM_GRID)),
    );
  });
}

const closeAll = (contours: readonly Contour[]) => contours.map((contour) => ({ ...contour, isClosed: true }));

/** Operations that fill outlines. Ink prints fill and stroke as they are. */
const fillingOperations: ReadonlySet<Operation> = new Set(['engrave', 'white', 'gloss']);
/** The least width of a line that is filled, mm. */
const LEAST_STROKE_MM = 0.1;

/** Leaves a shape its fill alone, or its lines alone, as its operation needs. */
function withOneUse(shape: FrameShape): FrameShape {
  const { fill, stroke, contours, strokeWidth, operation } = shape;
  if (!fillingOperations.has(operation)) return { ...shape, fill: undefined, stroke: stroke ?? fill };
  if (fill || !stroke) return { ...shape, stroke: undefined };
  const width = Math.max(strokeWidth, LEAST_STROKE_MM);
  const outline = outlineStroke(contours, { width, cap: 'butt', join: 'miter', miterLimit: 4 }, MM_GRID);
  return { ...shape, contours: outline, fill: stroke, stroke: undefined };
}

/** Returns the part of a filled outline that lies within all clips of an area: the outline itself when all does. */
export const clipToArea = (contours: readonly Contour[], area: readonly AreaClip[], grid: Grid): readonly Contour[] =>
  area.reduce(
    (inside, clip) => (inside.length > 0 ? clipToOutline(inside, clip.contours, true, grid) : inside),
    contours,
  );

/** Clips an outline, or its lines. Returns the same outline when all of it is inside. */
type Clip = (contours: readonly Contour[], isFilled: boolean) => readonly Contour[];

/**
 * Clips a shape. Returns the shape itself, exact, when all of it is inside; otherwise its clipped fill and its clipped
 * lines as two shapes; an empty list when it is outside.
 */
function clipShape(shape: FrameShape, clip: Clip): FrameShape[] {
  const fillContours = shape.fill ? clip(shape.contours, true) : [];
  const lines = shape.stroke ? clip(shape.contours, false) : [];
  if (fillContours === shape.contours || lines === shape.contours) return [shape];
  const parts: FrameShape[] = [];
  if (fillContours.length > 0) parts.push({ ...shape, contours: fillContours, stroke: undefined });
  if (lines.length === 0) return parts;
  const openedLines = shape.contours.filter((contour) => {
    const inside = contour.isClosed ? clip([contour], false) : [];
    return inside.length > 0 && inside[0] !== contour;
  });
  const { openedLines: openedBefore = [] } = shape;
  return [...parts, { ...shape, contours: lines, fill: undefined, openedLines: [...openedBefore, ...openedLines] }];
}
