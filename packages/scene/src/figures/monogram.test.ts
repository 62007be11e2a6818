import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import { expect, it } from 'vitest';
import { measureFilled } from '../geometry/filledArea.ts';
import { tightBounds, writeContours } from '../geometry/pathData.ts';
import { intersectOutlines, MM_GRID } from '../geometry/planar.ts';
import { measureFeatures } from '../preflight/features.ts';
import type { FontSource } from '../resolve/scene.ts';
import { createFontBook } from '../text/text.ts';
import { drawMonogram, MONOGRAM_STYLES, type Monogram } from './monogram.ts';

const book = createFontBook();
const fonts: FontSource = {
  outline(line) {
    for (const { name } of book.missing(line)) book.add(name, readFileSync(findFontPath(name)!));
    return book.outline(line);
  },
};
const draw = (changes: Partial<Monogram>) =>
  drawMonogram({ letters: 'ABR', style: 'row', fontFamily: 'Open Sans', ...changes }, fonts)!;

it('each style is one outline at 0, 0, closed, of one to three letters', () => {
  for (const style of MONOGRAM_STYLES) {
    for (const letters of ['W', 'JO', 'BQ8', ' a b ', 'ABCD']) {
      const { contours } = draw({ letters, style });
      const { minX, minY, maxX, maxY } = tightBounds(contours);
      expect([minX, minY].every((edge) => Math.abs(edge) < 0.01)).toBe(true);
      expect(Math.min(maxX, maxY)).toBeGreaterThan(5);
      expect(contours.every(({ isClosed }) => isClosed)).toBe(true);
    }
  }
  expect(draw({ letters: ' ' }).contours).toEqual([]);
  expect(drawMonogram({ letters: 'A', style: 'row', fontFamily: 'x' }, { outline: () => undefined })).toBeUndefined();
});

it('letters in a circle stay inside of it, and reach its sides', () => {
  const { contours } = draw({ letters: 'BQ8', style: 'circle', fontFamily: 'Bebas Neue' });
  const { maxX, maxY } = tightBounds(contours);
  expect(maxX).toBeCloseTo(60, 0);
  expect(maxY).toBeGreaterThan(55);
});

it('a stencil has no hole, and a split letter nothing in its band', () => {
  const isHole = (box: ReturnType<typeof tightBounds>, other: ReturnType<typeof tightBounds>) =>
    box.minX > other.minX && box.maxX < other.maxX && box.minY > other.minY && box.maxY < other.maxY;
  for (const letters of ['ABR', 'OQD', '860', 'PeG']) {
    const boxes = draw({ letters, style: 'stencil' }).contours.map((contour) => tightBounds([contour]));
    expect(boxes.some((box) => boxes.some((other) => isHole(box, other)))).toBe(false);
  }
  const { contours, band } = draw({ letters: 'M', style: 'split' });
  const [top, bottom] = [band!.middle - band!.height / 2 + 0.05, band!.middle + band!.height / 2 - 0.05];
  const free = {
    commands: ['L', 'L', 'L'] as 'L'[],
    points: [-9, top, 99, top, 99, bottom, -9, bottom],
    isClosed: true,
  };
  expect(measureFilled(intersectOutlines(contours, [free], MM_GRID))).toBe(0);
});

const FACES = [
  ['Playfair Display', 'ABC'],
  ['Montserrat', 'JO'],
  ['Cinzel', 'KJW'],
  ['Great Vibes', 'EMS'],
  ['Arvo', 'Q'],
] as const;

it('a vine is a circle whose parts keep a gap, and whose lines can be cut, at 25 mm', () => {
  for (const [fontFamily, letters] of FACES) {
    const { contours } = draw({ letters, style: 'vine', fontFamily });
    const { maxX, maxY } = tightBounds(contours);
    expect(maxX / maxY).toBeCloseTo(1, 1);
    const children = [
      {
        ...{ kind: 'path' as const, operation: 'print' as const, d: writeContours(contours), fill: '#000000' },
        ...{ stroke: undefined, strokeWidth: 0, opacity: 1 },
      },
    ];
    const limits = { lineMm: 0.3, gapMm: 0.3, cutGapMm: 0.3 };
    const features = measureFeatures({ children, unitMm: 25 / maxX, limits, hasWhiteInk: false });
    expect(features).toMatchObject({ isMeasured: true });
    if (!features.isMeasured) continue;
    expect(features.lines, `${fontFamily} ${letters}`).toBeUndefined();
    expect(features.specks).toBeUndefined();
    // Only inside of letters, as the font has them.
    expect(features.gaps?.narrowestMm ?? 1).toBeGreaterThan(0.15);
  }
});
