import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { measureFilled } from '../geometry/filledArea.ts';
import { type Contour, readContours, tightBounds, transformContours } from '../geometry/pathData.ts';
import { joinOutlines, MM_GRID } from '../geometry/planar.ts';
import { createFontBook } from '../text/text.ts';
import { addBridges, hasIslands } from './bridges.ts';

const book = createFontBook();

/** The area of a text with letters of about 20 mm. */
function words(text: string, fontFamily: string): Contour[] {
  const line = { text, fontFamily, isBold: false, isItalic: false };
  for (const { name } of book.missing(line)) book.add(name, readFileSync(findFontPath(name)!));
  const contours = readContours(book.outline(line)!.d);
  const { minY, maxY } = tightBounds(contours);
  const scale = 20 / (maxY - minY);
  const matrix = { a: scale, b: 0, c: 0, d: scale, e: 0, f: 0 };
  return joinOutlines([transformContours(contours, matrix)], MM_GRID);
}

/** A circle of four arcs. */
function circle(x: number, y: number, r: number): Contour {
  const k = 0.5523 * r;
  return {
    commands: ['C', 'C', 'C', 'C'],
    points: [
      ...[x + r, y, x + r, y + k, x + k, y + r, x, y + r, x - k, y + r, x - r, y + k, x - r, y],
      ...[x - r, y - k, x - k, y - r, x, y - r, x + k, y - r, x + r, y - k, x + r, y],
    ],
    isClosed: true,
  };
}

it('nothing falls out of a text, whatever its letters; and no more goes than the bridges', () => {
  const letters = fc.stringMatching(/^[ABDOPQRabdegopq04689&@%ØÄ®]{1,5}$/);
  const fonts = fc.constantFrom('Open Sans', 'Lobster', 'Bebas Neue', 'Playfair Display');
  fc.assert(
    fc.property(letters, fonts, fc.double({ min: 0.4, max: 2, noNaN: true }), (text, font, widthMm) => {
      const area = words(text, font);
      const stencil = addBridges(area, widthMm);
      expect(hasIslands(stencil)).toBe(false);
      const [before, after] = [measureFilled(area), measureFilled(stencil)];
      expect(after).toBeLessThanOrEqual(before + 0.01);
      // At most eight holes a letter, each with two bridges no longer than the letter.
      expect(before - after).toBeLessThan(text.length * 16 * 20 * widthMm);
      expect(after).toBeGreaterThan(0);
    }),
    { numRuns: 40 },
  );
});

it('rings in rings hang on each other, and what has no hole stays as it is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.double({ min: 0.3, max: 1.5, noNaN: true }), (rings, widthMm) => {
      const contours = Array.from({ length: 2 * rings }, (_, i) => circle(50, 50, 40 - 5 * i));
      const stencil = addBridges(contours, widthMm);
      expect(hasIslands(stencil)).toBe(false);
      // Each ring is 5 mm thick, and has two bridges.
      const loss = measureFilled(joinOutlines([contours], MM_GRID)) - measureFilled(stencil);
      expect(loss / (2 * rings * 5 * widthMm)).toBeCloseTo(1, 1);
    }),
    { numRuns: 20 },
  );
  const plain = [circle(0, 0, 5), circle(20, 0, 5)];
  expect(addBridges(plain, 1)).toEqual(plain);
  expect(hasIslands(plain)).toBe(false);
});

it('a wide hole in a tall letter hangs at its sides, where that is much shorter', () => {
  const frame = [box(0, 0, 100, 100), box(3, 40, 97, 60)];
  const stencil = addBridges(frame, 2);
  expect(hasIslands(stencil)).toBe(false);
  // Two of 3 mm instead of two of 40.
  expect(100 * 100 - 94 * 20 - measureFilled(stencil)).toBeCloseTo(2 * 3 * 2, 1);
});

const box = (left: number, top: number, right: number, bottom: number): Contour => ({
  commands: ['L', 'L', 'L'],
  points: [left, top, right, top, right, bottom, left, bottom],
  isClosed: true,
});
