import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hitTest } from '../arrange/hitTest.ts';
import { applyCommand, type Command } from '../document/commands.ts';
import { type TextCircle, TextElement } from '../document/composition.ts';
import { emptyComposition } from '../document/initial.ts';
import { applyMatrix, type Point } from '../geometry/matrix.ts';
import { flatten, readContours } from '../geometry/pathData.ts';
import { createFontBook } from '../text/text.ts';
import { findCircleRoom, linesOf, MM_PER_INCH, resolveScene } from './resolve.ts';

const book = createFontBook();
const circle: TextCircle = { radiusMm: 20, side: 'top', edge: 'outside', sweepDeg: 180 };

const read = (changes: Partial<TextElement>): TextElement =>
  TextElement.parse({ id: 't', text: 'HIM', heightInches: 0.2, circle, ...changes });

function resolve(text: TextElement) {
  const composition = { ...emptyComposition, elements: [text] };
  for (const line of linesOf(composition)) {
    for (const { name } of book.missing(line)) book.add(name, new Uint8Array(readFileSync(findFontPath(name)!)));
  }
  return resolveScene(composition, { product: undefined, artworks: new Map(), fonts: book });
}

/** Returns the points of each letter of a text, from the middle of its circle, in mm. */
function lettersOf(text: TextElement): Point[][] {
  const { groups, widthMm, heightMm } = resolve(text);
  const middle = { x: widthMm * (0.5 + text.x / 100), y: heightMm * (0.5 + text.y / 100) };
  return groups.flatMap(({ matrix, children }) =>
    children.flatMap((child) =>
      (child.kind === 'path' ? readContours(child.d) : []).map((contour) => {
        const flat = flatten(contour, 1e-4);
        return flat.flatMap((x, i) => {
          if (i % 2) return [];
          const at = applyMatrix(matrix, { x, y: flat[i + 1]! });
          return [{ x: at.x - middle.x, y: at.y - middle.y }];
        });
      }),
    ),
  );
}

const pointsOf = (text: TextElement) => lettersOf(text).flat();

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns how far the baseline of a letter with straight feet is from the middle of its circle. */
function footOf(points: readonly Point[], side: TextCircle['side']): number {
  const angle = Math.atan2(mean(points.map(({ y }) => y)), mean(points.map(({ x }) => x)));
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const upright = points.map(({ x, y }) => ({ out: x * cos + y * sin, along: y * cos - x * sin }));
  const outs = upright.map(({ out }) => out);
  const foot = side === 'top' ? Math.min(...outs) : Math.max(...outs);
  // A letter turns about the middle of its advance, which is not quite that of its ink.
  const feet = upright.filter(({ out }) => Math.abs(out - foot) < 0.3).toSorted((p, q) => p.along - q.along);
  return (feet[0]!.out + feet.at(-1)!.out) / 2;
}

/** Letters that stand on their baseline with straight feet and are one contour; spaced, so that no two touch. */
const plain = fc
  .string({ unit: fc.constantFrom(...'HIMN '), minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() !== '');
const sides = fc.constantFrom('top' as const, 'bottom' as const);
const edges = fc.constantFrom('outside' as const, 'middle' as const, 'inside' as const);

/** Radius of the circle of baselines: capitals of Montserrat are 0.7 em high. */
function baseline({ radiusMm, side, edge }: TextCircle, heightInches: number): number {
  const capMm = 0.7 * heightInches * MM_PER_INCH;
  const share = { outside: 0, middle: 0.5, inside: 1 }[edge];
  return side === 'top' ? radiusMm - share * capMm : radiusMm + (1 - share) * capMm;
}

describe('a text on a circle', () => {
  it('has the baseline of every letter on it within 0.01 mm, whatever its words, size, place and angle', () => {
    fc.assert(
      fc.property(
        fc.record({ words: plain, side: sides, edge: edges }),
        fc.double({ min: 20, max: 60, noNaN: true }),
        fc.double({ min: 0.11, max: 0.3, noNaN: true }),
        fc.integer({ min: 0, max: 359 }),
        fc.constantFrom(40, 60),
        ({ words, side, edge }, radiusMm, heightInches, angleDeg, letterSpacing) => {
          const own = { ...circle, radiusMm, side, edge };
          const look = { fontFamily: 'Montserrat', heightInches, letterSpacing, angleDeg, x: 5, y: -3 };
          const letters = lettersOf(read({ ...look, text: words, circle: own }));
          expect(letters).toHaveLength(words.replaceAll(' ', '').length);
          const errors = letters.map((points) => Math.abs(footOf(points, side) - baseline(own, heightInches)));
          expect(Math.max(...errors)).toBeLessThan(0.01);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('reads from left to right on both sides, with its letters upright in the middle', () => {
    for (const side of ['top', 'bottom'] as const) {
      const own = { ...circle, side };
      const width = (points: readonly Point[]) =>
        Math.max(...points.map(({ x }) => x)) - Math.min(...points.map(({ x }) => x));
      const [narrow, wide] = lettersOf(read({ text: 'IM', circle: own })).toSorted((p, q) => width(p) - width(q));
      expect(mean(narrow!.map(({ x }) => x))).toBeLessThan(mean(wide!.map(({ x }) => x)));
      const l = pointsOf(read({ text: 'L', circle: own }));
      const ys = l.map(({ y }) => y);
      const reach = (at: number) => Math.max(...l.filter(({ y }) => Math.abs(y - at) < 0.3).map(({ x }) => x));
      // The stem of an L alone is at its top, and its foot reaches to the right.
      expect(reach(Math.min(...ys))).toBeLessThan(reach(Math.max(...ys)));
      expect(Math.sign(mean(ys))).toBe(side === 'top' ? -1 : 1);
    }
  });

  it('grows with its circle when it is resized, and leaves it as it is when its letters get another size', () => {
    const composition = { ...emptyComposition, elements: [read({})] };
    const after = (command: Command) => applyCommand(composition, command).elements[0] as TextElement;
    const larger = after({ type: 'placeText', id: 't', changes: { heightInches: 0.4 } });
    expect(larger).toMatchObject({ heightInches: 0.4, circle: { radiusMm: 40 } });
    const small = pointsOf(read({}));
    for (const [i, { x, y }] of pointsOf(larger).entries()) {
      expect(Math.hypot(x - 2 * small[i]!.x, y - 2 * small[i]!.y)).toBeLessThan(0.01);
    }
    // Beyond the largest letters neither grows.
    expect(after({ type: 'placeText', id: 't', changes: { heightInches: 3 } }).circle!.radiusMm).toBeCloseTo(100, 9);
    expect(after({ type: 'updateText', id: 't', changes: { heightInches: 0.4 } }).circle).toEqual(circle);
    expect(after({ type: 'updateText', id: 't', changes: { text: 'Other words' } }).circle).toEqual(circle);
  });

  it('is either bent or on a circle', () => {
    const composition = { ...emptyComposition, elements: [read({})] };
    const arch = applyCommand(composition, { type: 'updateText', id: 't', changes: { bend: 30 } });
    expect(arch.elements[0]).toMatchObject({ bend: 30 });
    expect(arch.elements[0]).not.toHaveProperty('circle');
    const again = applyCommand(arch, { type: 'updateText', id: 't', changes: { circle } });
    expect(again.elements[0]).toMatchObject({ bend: 0, circle });
    const straight = applyCommand(again, { type: 'updateText', id: 't', changes: { circle: null } });
    expect(straight.elements[0]).not.toHaveProperty('circle');
    const same = applyCommand(again, { type: 'updateText', id: 't', changes: { circle: { ...circle } } });
    expect(same).toBe(again);
    const wild = { ...circle, radiusMm: 5000, sweepDeg: Number.NaN };
    const clean = applyCommand(again, { type: 'updateText', id: 't', changes: { circle: wild } });
    expect(clean.elements[0]).toMatchObject({ circle: { radiusMm: 1000, sweepDeg: 180 } });
  });

  it('has the room of its arc: at that share of its size the longest line just fills it', () => {
    fc.assert(
      fc.property(plain, sides, edges, fc.integer({ min: 20, max: 360 }), (words, side, edge, sweepDeg) => {
        const own = { ...circle, side, edge, sweepDeg };
        const text = read({ text: `${words}${words}`, circle: own });
        resolve(text);
        const { share } = findCircleRoom(text, book)!;
        const atShare = findCircleRoom({ ...text, heightInches: text.heightInches * share }, book)!;
        expect(atShare.lengthMm).toBeCloseTo(atShare.arcMm, 6);
      }),
      { numRuns: 30 },
    );
  });

  it('begins or ends at an end of its arc where it is aligned so', () => {
    const middle = (textAlign: TextElement['textAlign']) => {
      const xs = pointsOf(read({ text: 'I', textAlign })).map(({ x }) => x);
      return (Math.min(...xs) + Math.max(...xs)) / 2;
    };
    expect(middle('left')).toBeLessThan(-20);
    expect(middle('center')).toBeCloseTo(0, 2);
    expect(middle('right')).toBeGreaterThan(20);
  });

  it('is hit in its band, and leaves the middle of its circle to what stands there', () => {
    const scene = resolve(read({ text: 'HHHHHHHHHHHH' }));
    expect(hitTest(scene, { x: 50, y: 28 }, 0)).toBe('text:t');
    expect(hitTest(scene, { x: 50, y: 45 }, 0)).toBeUndefined();
    expect(hitTest(scene, { x: 50, y: 72 }, 0)).toBeUndefined();
  });
});
