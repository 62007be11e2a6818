import { expect, test } from 'vitest';
import type { Ring } from '../drawing.ts';
import { lineTo } from '../geometry/segment.ts';
import { simplifyRing } from './rings.ts';

/** Returns a square whose lower right corner is cut off by a short line, as a junction may leave it. */
function squareWithStub(length: number): Ring {
  const segments = [lineTo(40, 0), lineTo(40, 40 - length), lineTo(40 - length, 40), lineTo(0, 40), lineTo(0, 0)];
  return { x: 0, y: 0, segments };
}

test('drops stubs of a fraction of a pixel, and nothing longer', () => {
  const short = squareWithStub(0.1);
  const { segments } = simplifyRing(short, new Set([short.segments[1]]), 0.1);
  expect(segments.map(({ x, y }) => [x, y])).toEqual([
    [40, 0],
    [40, 39.9],
    [0, 40],
    [0, 0],
  ]);
  const long = squareWithStub(0.5);
  expect(simplifyRing(long, new Set([long.segments[1]]), 0.1).segments).toHaveLength(5);
});
