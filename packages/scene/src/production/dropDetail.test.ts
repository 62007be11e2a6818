import { expect, test } from 'vitest';
import { readContours } from '../geometry/pathData.ts';
import { type DroppedContour, dropDetail } from './dropDetail.ts';

const drop = (d: string): [number, DroppedContour[]] => {
  const notes: DroppedContour[] = [];
  return [dropDetail(readContours(d), true, (contour) => notes.push(contour)).length, notes];
};

test('an area is judged as it is made, without its short segments', () => {
  // 0.00994 mm² without the bump on its upper side, 0.01003 with it.
  const [count, notes] = drop('M0 0L0.04 0L0.05 -0.009L0.06 0L0.1 0L0.1 0.0994L0 0.0994Z');
  expect(count).toBe(0);
  expect(notes).toMatchObject([{ areaMm2: expect.closeTo(0.01003, 6) }]);
  expect(drop('M0 0L0.04 0L0.05 -0.009L0.06 0L0.1 0L0.1 0.101L0 0.101Z')).toEqual([1, []]);
});
