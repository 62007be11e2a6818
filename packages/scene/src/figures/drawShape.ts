/** Draws shapes by their measures, in mm: 0, 0 is the top left of the box, whose edges the shape touches. */
import type { ShapeElement } from '../document/composition.ts';
import { isFrameForm } from '../document/elements.ts';
import { SHAPE_STROKE_MM } from '../document/limits.ts';
import { starCorners } from '../document/regularAspect.ts';
import { type Contour, readContours } from '../geometry/pathData.ts';
import { MM_GRID, offsetOutline, outlineStroke } from '../geometry/planar.ts';
import { badges } from './badges.ts';
import { drawFrame } from './frames.ts';
import { fitBox, roundedRectangle, toPolygon, UNIT_CIRCLE } from './outlines.ts';

/** What is filled of a shape, and what a tool follows. */
export interface ShapeDrawing {
  readonly fill: readonly Contour[];
  readonly lines: readonly Contour[];
}

/** True for a form that is a line and has no inside. */
const isLine = (form: ShapeElement['form']): boolean => form === 'line' || form === 'arc';

/**
 * Draws a shape. A line is as wide as its stroke, with straight ends. An outline lies inside of the shape's edge, so
 * that the shape is as large as it says; one that would fill it is filled. A tool follows the edge, the middle of a
 * line, and around what a frame is made of.
 */
export function drawShape(shape: ShapeElement): ShapeDrawing {
  const { form, strokeMm = SHAPE_STROKE_MM.initial } = shape;
  if (isLine(form)) {
    const line = form === 'line' ? straightLine(shape.widthMm) : arc(shape, strokeMm);
    const style = { width: strokeMm, cap: 'butt', join: 'miter', miterLimit: 4 } as const;
    return { fill: outlineStroke([line], style, MM_GRID), lines: [line] };
  }
  if (isFrameForm(form)) {
    const frame = drawFrame({ ...shape, form });
    return { fill: frame, lines: frame };
  }
  const edge = drawEdge(shape);
  const isFilled = shape.strokeMm === undefined || form === 'arrow';
  if (isFilled) return { fill: edge, lines: edge };
  return { fill: [...edge, ...offsetOutline(edge, -strokeMm, 'miter', MM_GRID)], lines: edge };
}

function drawEdge(shape: ShapeElement): Contour[] {
  const { form, widthMm, heightMm } = shape;
  switch (form) {
    case 'rectangle':
      return [roundedRectangle(shape)];
    case 'ellipse':
      return fitBox(readContours(UNIT_CIRCLE), widthMm, heightMm);
    case 'polygon':
    case 'star':
      return fitBox([toPolygon(starCorners(shape).flat())], widthMm, heightMm);
    case 'arrow':
      return [arrow(shape)];
    case 'outline':
      return fitBox(readContours(shape.outline!), widthMm, heightMm);
    default:
      return fitBox(readContours(badges[form as keyof typeof badges]), widthMm, heightMm);
  }
}

/** The head of an arrow is as long as it is wide, and no longer than this share of the arrow. */
const HEAD_SHARE = 0.6;

/** Returns an arrow to the right. Its shaft is as wide as its stroke, its head as its height. */
function arrow({ widthMm: width, heightMm: height, strokeMm = SHAPE_STROKE_MM.initial }: ShapeElement): Contour {
  const head = width - Math.min(height, width * HEAD_SHARE);
  const middle = height / 2;
  const half = Math.min(strokeMm, height) / 2;
  const [top, bottom] = [middle - half, middle + half];
  return toPolygon([0, top, head, top, head, 0, width, middle, head, height, head, bottom, 0, bottom]);
}

const straightLine = (length: number): Contour => ({ commands: ['L'], points: [0, 0, length, 0], isClosed: false });

/** Returns the middle line of an arc, symmetric about the vertical, on an ellipse as wide and high as the shape. */
function arc({ widthMm, heightMm, sweepDeg }: ShapeElement, strokeMm: number): Contour {
  const [rx, ry] = [widthMm, heightMm].map((side) => Math.max(side - strokeMm, side / 100) / 2) as [number, number];
  const steps = Math.ceil(sweepDeg / 45);
  const sweep = (sweepDeg * Math.PI) / 180;
  const step = sweep / steps;
  const handle = (4 / 3) * Math.tan(step / 4);
  const at = (angle: number) => [rx * Math.sin(angle), -ry * Math.cos(angle)] as const;
  const along = (angle: number) => [rx * Math.cos(angle) * handle, ry * Math.sin(angle) * handle] as const;
  const points: number[] = [...at(-sweep / 2)];
  for (let i = 0; i < steps; i++) {
    const [a, b] = [-sweep / 2 + i * step, -sweep / 2 + (i + 1) * step];
    const [[ax, ay], [bx, by], [da, db], [dc, dd]] = [at(a), at(b), along(a), along(b)];
    points.push(ax + da, ay + db, bx - dc, by - dd, bx, by);
  }
  return { commands: Array.from({ length: steps }, () => 'C' as const), points, isClosed: false };
}
