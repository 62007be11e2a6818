/** Jobs for tests, of plain shapes whose areas are known. */
import type { Contour } from '../geometry/pathData.ts';
import type { ColorGroup, ColorShape, Job, Plate } from './job.ts';

/** A shape of one color without a line. */
export const shapeOf = (
  contours: readonly Contour[],
  fill = '#c81e1e',
  changes: Partial<ColorShape> = {},
): ColorShape => ({
  contours,
  fill,
  stroke: undefined,
  strokeWidthMm: 0,
  opacity: 1,
  ...changes,
});

export const groupOf = (shapes: readonly ColorShape[], opacity = 1, elementId = 'design'): ColorGroup => ({
  elementId,
  opacity,
  pictures: [],
  shapes,
});

/** A job of 60 × 40 mm. */
export const jobOf = (plates: readonly Plate[], machine: Job['machine'] = 'uv'): Job => ({
  machine,
  widthMm: 60,
  heightMm: 40,
  isMirrored: false,
  rasters: [],
  plates,
  findings: [],
});

export const inkJob = (...shapes: readonly ColorShape[]): Job =>
  jobOf([{ kind: 'color', id: 'color', groups: [groupOf(shapes)] }]);
