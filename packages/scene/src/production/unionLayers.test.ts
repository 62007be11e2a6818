import { expect, test } from 'vitest';
import { signedArea } from '../geometry/measure.ts';
import { readContours } from '../geometry/pathData.ts';
import type { JobOutline } from './job.ts';
import { unionLayers } from './unionLayers.ts';

const outline = (d: string, elementId = 'a'): JobOutline => ({ elementId, contours: readContours(d) });
const square = (x: number, y: number, side: number) =>
  `M${x} ${y}L${x + side} ${y}L${x + side} ${y + side}L${x} ${y + side}Z`;
const union = (...outlines: readonly JobOutline[]) => unionLayers(outlines, () => undefined);
const areasOf = ({ contours }: JobOutline) =>
  contours.map((contour) => Number(Math.abs(signedArea(contour)).toFixed(6))).sort((a, b) => a - b);

test('of the contours of an outline, those that touch are joined, and the others stay the same objects', () => {
  const dots = outline([square(0, 0, 1), square(1, 0.2, 1), square(5, 0, 1), square(7, 0, 1)].join(''));
  const [joint, ...others] = union(dots);
  expect(others).toEqual([]);
  expect(joint!.contours).toHaveLength(3);
  expect(joint!.contours.slice(1)).toEqual(dots.contours.slice(2));
  for (const [i, contour] of joint!.contours.slice(1).entries()) expect(contour).toBe(dots.contours[i + 2]);
  expect(areasOf(joint!)).toEqual([1, 1, 2]);
});

test('a hole stays a hole, whatever touches it', () => {
  // A frame; in its hole a square that touches the hole; in the fill of that square another hole.
  const nest = [square(0, 0, 10), square(2, 2, 6), square(2, 3, 2), square(2.5, 3.5, 1)].join('');
  const [joint] = union(outline(nest));
  // What is left of the hole is one outline, and the other two stay.
  expect(areasOf(joint!)).toEqual([1, 36 - 4, 100]);
});

test('outlines that do not touch themselves stay the same objects, and two that touch are joined', () => {
  const [a, b, c] = [outline(square(0, 0, 1)), outline(square(3, 0, 1), 'b'), outline(square(4, 0.5, 1), 'c')];
  const [first, second, ...rest] = union(a!, b!, c!);
  expect(first).toBe(a);
  expect(rest).toEqual([]);
  expect(second).toMatchObject({ elementId: 'b', contours: [{}] });
  expect(areasOf(second!)).toEqual([2]);
});
