import { expect, test } from 'vitest';
import { randomBytes } from '../../test/raster.ts';
import { type Distances, fromCircle, fromEllipse, fromRect, MOST_PARAMETERS } from './distances.ts';

const random = randomBytes(23);
const between = (low: number, high: number): number => low + ((high - low) * random()) / 255;
const COUNT = 40;

function scatter(): Distances {
  return {
    x: Float64Array.from({ length: COUNT }, () => between(-20, 20)),
    y: Float64Array.from({ length: COUNT }, () => between(-20, 20)),
    count: COUNT,
    off: new Float64Array(COUNT),
    slopes: new Float64Array(COUNT * MOST_PARAMETERS),
  };
}

test.each([
  ['circle', fromCircle, [0.7, -1.1, 9]],
  ['ellipse', fromEllipse, [0.7, -1.1, 12, 7, 0.4]],
  ['rectangle', fromRect, [0.7, -1.1, 12, 7, 0.4, 3]],
  ['sharp rectangle', fromRect, [0.7, -1.1, 12, 7, 0.4, 0]],
] as const)('gives the slopes of the distances from a %s', (_, measure, parameters) => {
  const points = scatter();
  measure(Float64Array.from(parameters), points);
  const slopes = points.slopes.slice();
  const step = 1e-6;
  parameters.forEach((_, i) => {
    const ends = [step, -step].map((by) => {
      measure(
        Float64Array.from(parameters, (value, k) => (k === i ? value + by : value)),
        points,
      );
      return points.off.slice();
    });
    for (let k = 0; k < COUNT; k++) {
      expect(slopes[k * MOST_PARAMETERS + i]).toBeCloseTo((ends[0][k] - ends[1][k]) / (2 * step), 4);
    }
  });
});

test('measures inside, outside and beside the corners of a rectangle', () => {
  const points = { ...scatter(), count: 4 };
  points.x.set([0, 15, 13, -12]);
  points.y.set([0, 0, 9, 5]);
  fromRect(Float64Array.of(0, 0, 12, 7, 0, 2), points);
  expect([...points.off.subarray(0, 4)].map((off) => Math.round(off * 1e6) / 1e6)).toEqual([-7, 3, 3, 0]);
});
