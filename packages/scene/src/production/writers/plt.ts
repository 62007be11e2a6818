/** Jobs as plotter files (HPGL), for cutters and engravers: one pen for each plate, 40 units to the mm, y up. */
import { signedArea } from '../../geometry/measure.ts';
import { type Contour, flatten, transformContours } from '../../geometry/pathData.ts';
import type { Job, OutlinePlate } from '../job.ts';
import { linePlates, turnUp } from './segments.ts';

const UNITS_PER_MM = 40;
/** The farthest that lines leave their curves, mm. The grid alone moves a point by up to 0.018 mm. */
const TOLERANCE_MM = 0.0015;
/** How far a coordinate may go, in units: 0.0155 mm, with the line's own deviation, as far as half a unit and 0.003. */
const FARTHEST = { lines: 0.62, curves: 0.56 } as const;
/** The least area of an island in a file, 0.01 mm², in units. */
const LEAST_ISLAND = 0.01 * UNITS_PER_MM ** 2;
/** The farthest that a point goes, in units, squared: half of a unit in x and in y. */
const FARTHEST_SQUARE = 0.5;

/** Returns the plates that the file holds. Guides are left out: a plotter draws what it gets. */
export const pltPlates = (job: Job): readonly OutlinePlate[] =>
  linePlates(job, 'PLT').filter(({ kind }) => kind !== 'guide');

/** Returns the name of a plate's layer, the number of its pen, by its place among `pltPlates`. */
export const pltLayer = (index: number): string => String(index + 1);

/**
 * Writes the outlines of a job as lines, in running order. Coordinates are whole plotter units of 0.025 mm, because
 * cutters take no others: points and sizes are that coarse. Of two units that are about as near, a closed line gets the
 * one that keeps its area. Throws `FormatUnfit` for a job that has ink alone. Cost: n log n in the flattened points.
 */
export function writePlt(job: Job): string {
  const lines = ['IN;PA;'];
  const matrix = turnUp(job);
  for (const [i, plate] of pltPlates(job).entries()) {
    lines.push(`SP${pltLayer(i)};`);
    for (const { contours } of plate.outlines) {
      for (const contour of transformContours(contours, matrix)) {
        const points = writePoints(toUnits(contour), contour.isClosed);
        if (points.length < 2) continue;
        const [start, ...rest] = points;
        lines.push(`PU${start};`, `PD${rest.join(',')};`);
      }
    }
  }
  lines.push('PU;', 'SP0;', '');
  return lines.join('\n');
}

/** Returns the points of a contour in whole units, x and y in turn. */
function toUnits(contour: Contour): number[] {
  const exact = flatten(contour, TOLERANCE_MM).map((value) => value * UNITS_PER_MM);
  const units = exact.map((value) => {
    if (!(Math.abs(value) < 1e9)) throw new RangeError('A file cannot hold a number that is not finite.');
    // Adding 0 turns a minus zero into a zero.
    return Math.round(value) + 0;
  });
  if (contour.isClosed) {
    // The line back to the start ends in the start itself, which is one point and goes one way.
    if (units.length > 2 && exact.at(-2) === exact[0] && exact.at(-1) === exact[1]) {
      exact.length -= 2;
      units.length -= 2;
    }
    const farthest = contour.commands.includes('C') ? FARTHEST.curves : FARTHEST.lines;
    const area = signedArea(contour) * UNITS_PER_MM ** 2;
    // An island of the least area that a file holds does not fall below it.
    const target = Math.sign(area) * Math.max(Math.abs(area), Math.abs(area) < LEAST_ISLAND ? 0 : LEAST_ISLAND + 1);
    keepArea(units, exact, { area: target, farthest });
  }
  return units;
}

/**
 * Moves coordinates that lie about halfway between two units to the other one, until a closed line has the area of its
 * curve, in squared units. Rounding alone adds up along a line: one half a unit aside takes in 1.25 mm² in 100 mm.
 */
function keepArea(
  units: number[],
  exact: readonly number[],
  { area, farthest }: { readonly area: number; readonly farthest: number },
): void {
  const count = units.length;
  /** Twice the area that is too much. */
  let excess = -2 * area;
  for (let i = 0; i < count; i += 2) {
    const next = (i + 2) % count;
    excess += units[i]! * units[next + 1]! - units[next]! * units[i + 1]!;
  }
  const shiftOf = (k: number) => exact[k]! - units[k]!;
  const choices = [...units.keys()].filter((k) => Math.abs(shiftOf(k)) >= 1 - farthest);
  choices.sort((a, b) => Math.abs(shiftOf(b)) - Math.abs(shiftOf(a)) || a - b);
  for (const k of choices) {
    const step = shiftOf(k) < 0 ? -1 : 1;
    const other = k % 2 === 0 ? k + 1 : k - 1;
    if ((1 - Math.abs(shiftOf(k))) ** 2 + shiftOf(other) ** 2 > FARTHEST_SQUARE) continue;
    const before = units[(other + count - 2) % count]!;
    const after = units[(other + 2) % count]!;
    const change = step * (k % 2 === 0 ? after - before : before - after);
    if (Math.abs(excess + change) >= Math.abs(excess)) continue;
    units[k]! += step;
    excess += change;
  }
}

/**
 * Returns points as `x,y`, without those that fall onto the one before, and without the way back of a step of one or
 * two units, which would be cut twice: a tip keeps its point. A closed line ends where it starts.
 */
function writePoints(units: readonly number[], isClosed: boolean): string[] {
  const count = units.length / 2;
  const places: number[] = [];
  const isSame = (a: number, b: number) => units[2 * a] === units[2 * b] && units[2 * a + 1] === units[2 * b + 1];
  const isNear = (a: number, b: number) =>
    Math.abs(units[2 * a]! - units[2 * b]!) <= 2 && Math.abs(units[2 * a + 1]! - units[2 * b + 1]!) <= 2;
  const push = (i: number): void => {
    const [before, last] = [places.at(-2), places.at(-1)];
    if (last !== undefined && isSame(last, i)) return;
    if (isClosed && before !== undefined && isSame(before, i) && isNear(last!, i)) {
      places.length -= 2;
      push(last!);
      push(i);
    } else places.push(i);
  };
  for (let i = 0; i < count; i++) push(i);
  if (isClosed) {
    while (places.length > 1 && isSame(places[0]!, places.at(-1)!)) places.pop();
    while (places.length > 3 && isSame(places[1]!, places.at(-1)!) && isNear(places[0]!, places[1]!)) places.pop();
    while (places.length > 3 && isSame(places[0]!, places.at(-2)!) && isNear(places[0]!, places.at(-1)!))
      places.splice(-2, 1);
    if (places.length > 1) places.push(places[0]!);
  }
  return places.map((i) => `${units[2 * i]},${units[2 * i + 1]}`);
}
