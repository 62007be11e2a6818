import { describe, expect, it } from 'vitest';
import { appendBulge } from '../import/roundShapes.ts';
import { seededRandom } from '../svg/seededRandom.ts';
import { type Arc, fitArcs } from './arcs.ts';
import { type Contour, flatten } from './pathData.ts';

const TOLERANCE = 0.002;

/** Returns the arcs as fine lines. */
function draw([x, y]: readonly number[], arcs: readonly Arc[]): number[] {
  const contour: Contour = { commands: [], points: [x!, y!], isClosed: false };
  for (const arc of arcs) appendBulge(contour, arc.x, arc.y, arc.bulge);
  return flatten(contour, 0.0002);
}

const curveOf = (points: readonly number[]): number[] =>
  flatten({ commands: ['C'], points: [...points], isClosed: false }, 0.0002);

/** Returns how far the points of one line are from another line at most. */
function deviation(points: readonly number[], line: readonly number[]): number {
  let worst = 0;
  for (let i = 0; i < points.length; i += 2) {
    let best = Infinity;
    for (let j = 2; j < line.length; j += 2) {
      const [ax, ay, bx, by] = line.slice(j - 2, j + 2) as [number, number, number, number];
      const length2 = (bx - ax) ** 2 + (by - ay) ** 2;
      const along = ((points[i]! - ax) * (bx - ax) + (points[i + 1]! - ay) * (by - ay)) / (length2 || 1);
      const t = Math.min(1, Math.max(0, along));
      best = Math.min(best, Math.hypot(points[i]! - ax - t * (bx - ax), points[i + 1]! - ay - t * (by - ay)));
    }
    worst = Math.max(worst, best);
  }
  return worst;
}

describe('fitArcs', () => {
  it('stays within the tolerance of any curve, in both directions, and ends where it ends', () => {
    const random = seededRandom(3);
    for (let i = 0; i < 60; i++) {
      const size = 10 ** (2 * random() - 1);
      const points = Array.from({ length: 8 }, () => (random() - 0.5) * size);
      const arcs = fitArcs(points, TOLERANCE);
      expect(arcs.at(-1)).toMatchObject({ x: points[6], y: points[7] });
      expect(arcs.every(({ bulge }) => Math.abs(bulge) <= 1)).toBe(true);
      const [line, curve] = [draw(points, arcs), curveOf(points)];
      expect(deviation(curve, line)).toBeLessThan(TOLERANCE * 1.5 + 0.0004);
      expect(deviation(line, curve)).toBeLessThan(TOLERANCE * 1.5 + 0.0004);
    }
  });

  it('makes a quarter circle of two arcs, and a straight curve one line', () => {
    const k = (4 / 3) * Math.tan(Math.PI / 8);
    const quarter = fitArcs([1, 0, 1, k, k, 1, 0, 1], TOLERANCE);
    expect(quarter).toHaveLength(2);
    // Counterclockwise with y up; an eighth of a circle has the bulge tan(45°/4).
    for (const { bulge } of quarter) expect(bulge).toBeCloseTo(Math.tan(Math.PI / 16), 3);
    expect(fitArcs([0, 0, 1, 1, 2, 2, 3, 3], TOLERANCE)).toEqual([{ x: 3, y: 3, bulge: 0 }]);
  });

  it('makes no arcs shorter than the least length of a curve that is longer, and stays near it', () => {
    const random = seededRandom(5);
    const least = 0.02;
    for (let i = 0; i < 300; i++) {
      const size = 0.03 + 0.3 * random();
      const bend = () => (random() - 0.5) * size;
      const points = [0, 0, size / 3, bend(), (2 * size) / 3, bend(), size, bend()];
      const arcs = fitArcs(points, TOLERANCE, least);
      let [x, y] = [0, 0];
      for (const arc of arcs) {
        const chord = Math.hypot(arc.x - x, arc.y - y);
        const angle = 4 * Math.atan(Math.abs(arc.bulge));
        const length = angle > 1e-6 ? (chord / 2 / Math.sin(angle / 2)) * angle : chord;
        expect(length, `${points}`).toBeGreaterThanOrEqual(least);
        [x, y] = [arc.x, arc.y];
      }
      const [line, curve] = [draw(points, arcs), curveOf(points)];
      expect(Math.max(deviation(curve, line), deviation(line, curve))).toBeLessThan(0.01);
    }
  });

  it.each([
    [[0, 0, 0, 0, 0, 0, 0, 0]],
    [[0, 0, 10, 0, -10, 0, 1, 0]],
    [[0, 0, 5, 5, 5, 5, 0, 0]],
    [[0, 0, 10, 10, -9, 10, 1, 0]],
    [[0, 0, 0, 0, 4, 0, 4, 4]],
  ])('ends for the degenerate curve %j', (points) => {
    const arcs = fitArcs(points, TOLERANCE);
    expect(arcs.every(({ x, y, bulge }) => [x, y, bulge].every(Number.isFinite))).toBe(true);
    expect(arcs.length).toBeLessThan(200);
    expect(deviation(curveOf(points), draw(points, arcs))).toBeLessThan(TOLERANCE * 1.5 + 0.0004);
  });
});
