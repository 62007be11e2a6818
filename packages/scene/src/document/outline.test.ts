import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readContours, tightBounds, writeContours } from '../geometry/pathData.ts';
import { applyCommand } from './commands.ts';
import { ShapeElement } from './composition.ts';
import { emptyComposition, newShape } from './initial.ts';
import { MAX_OUTLINE_LENGTH, MAX_OUTLINES_LENGTH, OUTLINE_REACH } from './limits.ts';
import { isOutline } from './outline.ts';

const SQUARE = 'M0 0L10 0L10 10L0 10Z';
const coordinate = fc.double({ min: -OUTLINE_REACH, max: OUTLINE_REACH, noNaN: true });
const contours = fc.array(
  fc.array(
    fc.record({
      command: fc.constantFrom('L' as const, 'C' as const),
      at: fc.array(coordinate, { minLength: 6, maxLength: 6 }),
    }),
    {
      minLength: 2,
      maxLength: 8,
    },
  ),
  { minLength: 1, maxLength: 4 },
);

it('takes what is written as closed contours, and nothing that is changed in one place', () => {
  fc.assert(
    fc.property(
      contours,
      fc.nat(),
      fc.constantFrom('x', 'e', 'A', 'm', 'Z', '"', '\0', 'M', '<', '..'),
      (list, at, sign) => {
        const d = writeContours(
          list.map((segments) => ({
            commands: segments.map(({ command }) => command),
            points: [1, 2, ...segments.flatMap(({ command, at }) => (command === 'C' ? at : at.slice(0, 2)))],
            isClosed: true,
          })),
          2,
        );
        const { minX, maxX, minY, maxY } = tightBounds(readContours(d));
        fc.pre(maxX - minX > 1 && maxY - minY > 1);
        expect(isOutline(d)).toBe(true);
        const place = at % d.length;
        // A letter that is `M` before a number stays one.
        fc.pre(d[place] !== sign);
        expect(isOutline(d.slice(0, place) + sign + d.slice(place))).toBe(false);
      },
    ),
    { numRuns: 200 },
  );
});

it.each([
  ['nothing', ''],
  ['spaces', '   '],
  ['no start', 'L0 0L1 1Z'],
  ['an open contour', 'M0 0L10 0L10 10'],
  ['a contour without lines', 'M0 0Z'],
  ['no height', 'M0 0L10 0L5 0Z'],
  ['other commands', 'M0 0Q5 5 10 0L0 10Z'],
  ['relative commands', 'M0 0l10 0l0 10z'],
  ['a number too few', 'M0 0L10L10 10Z'],
  ['a number too many', 'M0 0L10 0 5L10 10Z'],
  ['exponents', 'M0 0L1e9 0L10 10Z'],
  ['numbers out of reach', `M0 0L${OUTLINE_REACH + 1} 0L10 10Z`],
  ['endless digits', `M0 0L1.${'0'.repeat(40)} 0L10 10Z`],
  ['words', 'M0 0LNaN 0L10 10Z'],
  ['markup', '"/><script>M0 0L10 0L10 10Z'],
  ['too much', SQUARE.repeat(MAX_OUTLINE_LENGTH / SQUARE.length + 1)],
])('refuses %s', (_name, d) => {
  expect(isOutline(d)).toBe(false);
  expect(ShapeElement.safeParse({ ...newShape('s'), form: 'outline', outline: d }).success).toBe(false);
});

it('only an outline has one, and no other form becomes one', () => {
  const outline = { ...newShape('s'), form: 'outline', outline: SQUARE } as const;
  expect(ShapeElement.safeParse(outline).success).toBe(true);
  expect(ShapeElement.safeParse({ ...newShape('s'), form: 'outline' }).success).toBe(false);
  expect(ShapeElement.safeParse({ ...newShape('s'), outline: SQUARE }).success).toBe(false);
  const change = (element: ShapeElement, form: ShapeElement['form']) =>
    applyCommand({ ...emptyComposition, elements: [element] }, { type: 'updateShape', id: 's', changes: { form } })
      .elements[0];
  expect(change(outline, 'star')).toEqual(outline);
  expect(change(newShape('s'), 'outline')).toEqual(newShape('s'));
});

it('a composition takes outlines until they are too detailed together', () => {
  const long = SQUARE.repeat(Math.floor(MAX_OUTLINE_LENGTH / SQUARE.length));
  const elements = Array.from({ length: 8 }, (_, i) => ({
    ...newShape(`s${i}`),
    form: 'outline' as const,
    outline: long,
  }));
  const full = applyCommand(emptyComposition, { type: 'addElements', elements });
  expect(full.elements).toHaveLength(Math.floor(MAX_OUTLINES_LENGTH / long.length));
});
