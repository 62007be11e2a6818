import { expect, test } from 'vitest';
import { parsePath, readOutlines, straighten } from '../bench/paths.ts';

const endsOf = (d: string): number[][] =>
  parsePath(d).flatMap(({ segments }) => segments.map(({ cubics }) => cubics[cubics.length - 1].slice(6)));

test('reads arcs whose flags and ends stand close together', () => {
  const ends = endsOf('M490 373a96 96 0 0 0-144.01-83.14a96 96 0 000 166.28A96 96 0 01.5.25');
  expect(ends).toEqual([
    [490 - 144.01, 373 - 83.14],
    [490 - 144.01, 373 - 83.14 + 166.28],
    [0.5, 0.25],
  ]);
});

test('draws curves as lines that stay on them', () => {
  const circle = '<circle cx="50" cy="40" r="30" fill="#123456"/>';
  const [{ tag, subpaths }] = readOutlines(straighten(circle));
  expect(tag).toContain('fill="#123456"');
  const points = subpaths.flatMap(({ segments }) => segments.map(({ cubics }) => cubics[0].slice(6)));
  expect(points.length).toBeGreaterThan(600);
  for (const [x, y] of points) expect(Math.hypot(x - 50, y - 40)).toBeCloseTo(30, 4);
});

test('leaves what has lines alone as it is', () => {
  const square = '<path d="M0 0h10v10H0z" fill="#000"/>';
  expect(straighten(square)).toBe(square);
});
