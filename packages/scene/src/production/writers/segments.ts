/** Outlines as writers take them: rounded, without segments of no length, closed ones back at their start. */
import { type Matrix, multiply, scale, translate } from '../../geometry/matrix.ts';
import { type Contour, transformContours } from '../../geometry/pathData.ts';
import type { Job, JobOutline, OutlinePlate, Plate } from '../job.ts';

/** A contour from its start on. A segment has the 2 numbers of a line's end, or the 6 of a curve. */
export interface SegmentLoop {
  readonly x: number;
  readonly y: number;
  readonly segments: readonly (readonly number[])[];
  /** The last segment of a closed loop ends at `x`, `y`. */
  readonly isClosed: boolean;
}

/** Thrown when a format cannot hold a job. The message is a sentence for the person who asked for it. */
export class FormatUnfit extends Error {
  override readonly name = 'FormatUnfit';
}

const isOutline = (plate: Plate): plate is OutlinePlate => plate.kind !== 'color';

/** Throws `FormatUnfit` for a job with a photograph, which a format of outlines alone cannot hold. */
export function refuseRasters({ rasters }: Job, format: string): void {
  if (rasters.length === 0) return;
  throw new FormatUnfit(
    `${format} files hold outlines, and this design has a photograph in dots. Choose LightBurn, PNG or the job ` +
      'package, or engrave the photograph as tones.',
  );
}

/** Returns the plates of a laser job. Throws `FormatUnfit` for another machine's. */
export function laserPlates({ machine, plates }: Job, format: string): readonly OutlinePlate[] {
  if (machine !== 'laser') throw new FormatUnfit(`${format} are for lasers, and this design is printed.`);
  return plates.filter(isOutline);
}

/**
 * Returns the plates for a file that holds outlines and no paint: all of a laser job, and of a print what is cut or
 * scored. Throws `FormatUnfit` for a print without such lines.
 */
export function linePlates(job: Job, format: string): readonly OutlinePlate[] {
  if (job.machine === 'laser') return job.plates.filter(isOutline);
  const plates = job.plates
    .filter(isOutline)
    .filter(({ kind }) => kind === 'cut' || kind === 'score' || kind === 'guide');
  if (!plates.some(({ kind }) => kind !== 'guide')) {
    throw new FormatUnfit(`A ${format} file holds lines to follow, and this design is only printed.`);
  }
  return plates;
}

/** Returns the matrix from the frame, whose y points down, to a sheet whose y points up from its bottom left corner. */
export const turnUp = ({ heightMm }: Job): Matrix => multiply(translate(0, heightMm), scale(1, -1));

/**
 * Returns the contours of an outline, rounded to `decimals` of a mm and optionally transformed. Leaves out segments
 * that have no length after rounding, and contours without any. Throws a RangeError for a number that is not finite.
 */
export function loopsOf({ contours }: JobOutline, decimals: number, matrix?: Matrix): SegmentLoop[] {
  const factor = 10 ** decimals;
  const round = (value: number) => {
    if (!(Math.abs(value) < 1e9)) throw new RangeError('A file cannot hold a number that is not finite.');
    // Adding 0 turns a minus zero into a zero.
    return Math.round(value * factor) / factor + 0;
  };
  const upright = matrix ? transformContours(contours, matrix) : contours;
  return upright.flatMap((contour) => toLoop(contour, round) ?? []);
}

function toLoop({ commands, points, isClosed }: Contour, round: (value: number) => number): SegmentLoop | undefined {
  const startX = round(points[0]!);
  const startY = round(points[1]!);
  const segments: number[][] = [];
  let x = startX;
  let y = startY;
  let p = 2;
  for (const command of commands) {
    const end = p + (command === 'C' ? 6 : 2);
    const segment: number[] = [];
    let hasLength = false;
    for (; p < end; p += 2) {
      const toX = round(points[p]!);
      const toY = round(points[p + 1]!);
      segment.push(toX, toY);
      if (toX !== x || toY !== y) hasLength = true;
    }
    if (!hasLength) continue;
    segments.push(segment);
    x = segment[segment.length - 2]!;
    y = segment[segment.length - 1]!;
  }
  if (isClosed && (x !== startX || y !== startY)) segments.push([startX, startY]);
  return segments.length > 0 ? { x: startX, y: startY, segments, isClosed } : undefined;
}
