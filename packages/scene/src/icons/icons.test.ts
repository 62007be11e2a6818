import { expect, it } from 'vitest';
import { isOutline } from '../document/outline.ts';
import { measureFilled } from '../geometry/filledArea.ts';
import { readContours, tightBounds } from '../geometry/pathData.ts';
import { ICON_SIDE, type IconIndexFile, outlineIn, readIconIndex, sliceOf, toSlices } from './iconIndex.ts';
import { readIcon } from './readIcon.ts';

const svg = (body: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${body}</svg>`;
/** The area that an icon fills, in squares of a 24th of its longer side. */
const areaOf = (d: string) => measureFilled(readContours(d)) / (ICON_SIDE / 24) ** 2;

it('the longer side of an icon touches its square, and it lies in the middle', () => {
  const d = readIcon(svg('<path fill="currentColor" d="M4 10h12v6H4z"/>'))!;
  expect(isOutline(d)).toBe(true);
  expect(tightBounds(readContours(d))).toEqual({ minX: 0, minY: 512, maxX: ICON_SIDE, maxY: 1536 });
});

it('lines become what they cover', () => {
  const d = readIcon(svg('<circle cx="12" cy="12" r="11" fill="none" stroke="currentColor" stroke-width="2"/>'))!;
  expect(isOutline(d)).toBe(true);
  expect(areaOf(d)).toBeCloseTo(Math.PI * (12 ** 2 - 10 ** 2), 0);
});

it('parts that overlap are one area, under both rules', () => {
  const halves = '<path d="M0 0h16v24H0z"/><path d="M8 0h16v24H8z"/>';
  expect(areaOf(readIcon(svg(halves))!)).toBeCloseTo(24 ** 2, 0);
  expect(areaOf(readIcon(svg('<path d="M0 0h16v24H0zM8 0h16v24H8z"/>'))!)).toBeCloseTo(24 ** 2, 0);
  const frame = '<path fill-rule="evenodd" d="M0 0h24v24H0zM6 6h12v12H6z"/>';
  expect(areaOf(readIcon(svg(frame))!)).toBeCloseTo(24 ** 2 - 12 ** 2, 0);
});

it.each([
  ['two colors', '<path d="M0 0h9v9H0z" fill="red"/><path d="M9 9h9v9H9z"/>'],
  ['translucent parts', '<path d="M0 0h9v9H0z"/><path d="M9 9h9v9H9z" opacity=".3"/>'],
  ['a mask', '<mask id="m"><path d="M0 0h9v9H0z"/></mask><path d="M0 0h24v24H0z" mask="url(#m)"/>'],
  ['nothing', ''],
])('%s are no icon', (_name, body) => {
  expect(readIcon(svg(body))).toBeUndefined();
});

it('each icon of an index lies in its slice', () => {
  const names = Array.from({ length: 95 }, (_, i) => `n-${i}${i === 3 ? '-filled' : ''}`);
  const set = { title: 'A', license: 'MIT', url: 'https://example.com' };
  const file: IconIndexFile = {
    topics: ['Animals', 'Food'],
    sets: [
      { ...set, prefix: 'a', names: names.slice(0, 50).join(' '), topics: `ab-${'-'.repeat(47)}` },
      { ...set, prefix: 'b', names: names.slice(50).join(' ') },
    ],
  };
  const { icons } = readIconIndex(file);
  const slices = toSlices(names);
  expect(icons.map((icon) => outlineIn(slices[sliceOf(icon)]!, icon))).toEqual(names);
  expect(icons.slice(0, 4).map(({ name, topic }) => [name, topic])).toEqual([
    ['N 0', 0],
    ['N 1', 1],
    ['N 2', undefined],
    ['N 3, filled', undefined],
  ]);
  expect(icons[50]!.id).toBe('b:n-50');
});
