/** What limits the marks on a blank besides the machine area: the shape of its print area, in mm. */
import type { Matrix } from '../geometry/matrix.ts';
import { type Contour, type PathData, transformContours, writeContours } from '../geometry/pathData.ts';

/** What a part of a print area is that stays free. */
export const KEEP_OUT_REASONS = ['hole', 'handle', 'logo', 'seam', 'hinge', 'other'] as const;
export type KeepOutReason = (typeof KEEP_OUT_REASONS)[number];

/**
 * A limit of what can be marked, in mm: closed contours, filled by even-odd. What lies in all clips of a print area can
 * be marked.
 */
export interface AreaClip {
  readonly contours: readonly Contour[];
  /** Why its inside stays free, for a part that is kept free. Absent: its outline is the edge of the print area. */
  readonly reason?: KeepOutReason | undefined;
}

/** Returns the outlines of clips as path data, filled by even-odd, after a transform. */
export const clipPaths = (clips: readonly AreaClip[] | undefined, matrix: Matrix): PathData[] =>
  (clips ?? []).map(({ contours }) => writeContours(transformContours(contours, matrix)));

/** Returns the clips after a transform. */
export const transformClips = (clips: readonly AreaClip[], matrix: Matrix): readonly AreaClip[] =>
  clips.map((clip) => ({ ...clip, contours: transformContours(clip.contours, matrix) }));
