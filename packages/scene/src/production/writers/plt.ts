/** Jobs as plotter files (HPGL), for cutters and engravers: one pen for each plate, 40 units to the mm, y up. */
import { flatten, transformContours } from '../../geometry/pathData.ts';
import type { Job, OutlinePlate } from '../job.ts';
import { linePlates, turnUp } from './segments.ts';

const UNITS_PER_MM = 40;
/** The farthest that lines leave their curves, mm. The grid alone moves a point by up to 0.018 mm. */
const TOLERANCE_MM = 0.003;

/** Returns the plates that the file holds. Guides are left out: a plotter draws what it gets. */
export const pltPlates = (job: Job): readonly OutlinePlate[] =>
  linePlates(job, 'PLT').filter(({ kind }) => kind !== 'guide');

/** Returns the name of a plate's layer, the number of its pen, by its place among `pltPlates`. */
export const pltLayer = (index: number): string => String(index + 1);

/**
 * Writes the outlines of a job as lines, in running order. Coordinates are whole plotter units of 0.025 mm, because
 * cutters take no others: points and sizes are that coarse. Throws `FormatUnfit` for a job that has ink alone. Cost:
 * linear in the flattened points.
 */
export function writePlt(job: Job): string {
  const lines = ['IN;PA;'];
  const matrix = turnUp(job);
  for (const [i, plate] of pltPlates(job).entries()) {
    lines.push(`SP${pltLayer(i)};`);
    for (const { contours } of plate.outlines) {
      for (const contour of transformContours(contours, matrix)) {
        const points = toUnits(flatten(contour, TOLERANCE_MM), contour.isClosed);
        if (points.length < 2) continue;
        const [start, ...rest] = points;
        lines.push(`PU${start};`, `PD${rest.join(',')};`);
      }
    }
  }
  lines.push('PU;', 'SP0;', '');
  return lines.join('\n');
}

/** Returns points as `x,y`, without those that fall onto the one before; a closed line ends where it starts. */
function toUnits(flat: readonly number[], isClosed: boolean): string[] {
  const points: string[] = [];
  for (let i = 0; i < flat.length; i += 2) {
    const [x, y] = [flat[i]! * UNITS_PER_MM, flat[i + 1]! * UNITS_PER_MM];
    if (!(Math.abs(x) < 1e9 && Math.abs(y) < 1e9))
      throw new RangeError('A file cannot hold a number that is not finite.');
    // Adding 0 turns a minus zero into a zero.
    const point = `${Math.round(x) + 0},${Math.round(y) + 0}`;
    if (point !== points.at(-1)) points.push(point);
  }
  if (isClosed && points.length > 1 && points[0] !== points.at(-1)) points.push(points[0]!);
  return points;
}
