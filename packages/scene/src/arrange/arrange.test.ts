import { artworksOf } from '@markwright/scene';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyCommand, type Command, type OrderStep } from '../document/commands.ts';
import { type Composition, TextElement } from '../document/composition.ts';
import { findElement, textsOf, toZOrder } from '../document/elements.ts';
import { emptyComposition } from '../document/initial.ts';
import { OFFSET_LIMIT } from '../document/limits.ts';
import { inkBounds } from '../preflight/ink.ts';
import { resolveScene } from '../resolve/resolve.ts';
import type { Assets } from '../resolve/scene.ts';
import { onlyArtwork } from '../resolve/testProduct.ts';
import {
  type Alignment,
  type AlignTo,
  type Axis,
  alignCommand,
  boxAround,
  centerCommand,
  distributeCommand,
  extent,
  moveCommand,
  placeInOrder,
  reorderCommand,
  toDropIndex,
} from './arrange.ts';

/** Every letter is half an em wide. */
const assets: Assets = {
  product: undefined,
  artworks: onlyArtwork({
    width: 200,
    height: 100,
    shapes: [{ d: 'M0 0L200 0L200 100Z', fill: '#000000', stroke: undefined, strokeWidth: 0, opacity: 1 }],
  }),
  fonts: {
    outline: ({ text }) => ({
      d: `M0 0L${text.length / 2} 0L0 -0.7Z`,
      advance: text.length / 2,
      ascent: 0.75,
      descent: 0.25,
    }),
  },
};

const compose = (...texts: (Partial<TextElement> & { id: string })[]): Composition => ({
  ...emptyComposition,
  elements: texts.map((text) => TextElement.parse({ text: 'Ava', ...text })),
});
const idsOf = toZOrder;
const sceneOf = (composition: Composition) => resolveScene(composition, assets);
const boxOf = (composition: Composition, id: string) =>
  boxAround(sceneOf(composition).groups.filter(({ elementId }) => elementId === id))!;

const placements = fc.record({
  x: fc.double({ min: -40, max: 40, noNaN: true }),
  y: fc.double({ min: -40, max: 40, noNaN: true }),
  angleDeg: fc.integer({ min: 0, max: 359 }),
  text: fc.constantFrom('A', 'Ava', 'Ava & Finn'),
});
const arrangement = (minLength: number) =>
  fc
    .array(placements, { minLength, maxLength: 7 })
    .map((places) => compose(...places.map((place, index) => ({ id: `${index}`, ...place }))));

const lineOf: Record<Alignment, [axis: Axis, read: (from: number, to: number) => number]> = {
  left: ['x', (from) => from],
  center: ['x', (from, to) => (from + to) / 2],
  right: ['x', (_, to) => to],
  top: ['y', (from) => from],
  middle: ['y', (from, to) => (from + to) / 2],
  bottom: ['y', (_, to) => to],
};
const alignments = Object.keys(lineOf) as Alignment[];

test('aligned elements have their edge or middle on one line, of the machine area or of the box around them', () => {
  fc.assert(
    fc.property(
      arrangement(1),
      fc.constantFrom(...alignments),
      fc.constantFrom<AlignTo>('area', 'each other'),
      (composition, alignment, to) => {
        const before = sceneOf(composition);
        const ids = idsOf(composition);
        const after = applyCommand(composition, alignCommand(composition, before, ids, alignment, to));
        const [axis, read] = lineOf[alignment];
        const frame = to === 'area' ? ([0, 100] as const) : extent(boxAround(before.groups)!, axis);
        for (const id of ids) {
          // Nothing goes further than places reach.
          if (Math.abs(findElement(after, id)![axis]) < OFFSET_LIMIT) {
            expect(read(...extent(boxOf(after, id), axis))).toBeCloseTo(read(...frame), 6);
          }
          const other = axis === 'x' ? 'y' : 'x';
          expect(extent(boxOf(after, id), other)).toEqual(extent(boxOf(composition, id), other));
        }
      },
    ),
    { numRuns: 80 },
  );
});

test('the box of a text is that of its ink, and centering puts its ink in the middle of the machine area', () => {
  fc.assert(
    fc.property(placements, fc.boolean(), ({ angleDeg, ...place }, isLevel) => {
      const composition = compose({ id: 'a', ...place, angleDeg: isLevel ? 0 : angleDeg });
      const scene = sceneOf(composition);
      const [group] = scene.groups;
      const box = boxAround([group!])!;
      const ink = inkBounds(group!, 'laser')!;
      for (const side of ['left', 'top', 'right', 'bottom'] as const) {
        if (isLevel) expect(box[side]).toBeCloseTo(ink[side], 3);
      }
      const boxAfter = boxOf(applyCommand(composition, centerCommand(scene, 'text:a')), 'text:a');
      expect(boxAfter.left + boxAfter.right).toBeCloseTo(scene.widthMm, 6);
      expect(boxAfter.top + boxAfter.bottom).toBeCloseTo(scene.heightMm, 6);
    }),
    { numRuns: 60 },
  );
});

test('centering gives an artwork its exact place', () => {
  const composition = applyCommand(emptyComposition, {
    type: 'placeDesign',
    id: 'design',
    designId: 'd',
    filename: 'a.png',
    aspect: 2,
  });
  const nudgedComposition = applyCommand(composition, { type: 'nudge', elementId: 'design', dx: 3.1, dy: -7.7 });
  const centeredComposition = applyCommand(nudgedComposition, centerCommand(sceneOf(nudgedComposition), 'design'));
  expect(artworksOf(centeredComposition)[0]).toMatchObject({ x: 0, y: 0 });
});

test('distributed elements have equal gaps, between the outer two or across the machine area', () => {
  fc.assert(
    fc.property(
      arrangement(3),
      fc.constantFrom<Axis>('x', 'y'),
      fc.constantFrom<AlignTo>('area', 'each other'),
      (composition, axis, to) => {
        const ids = idsOf(composition);
        const after = applyCommand(composition, distributeCommand(composition, sceneOf(composition), ids, axis, to));
        const row = ids
          .toSorted((a, b) => sum(extent(boxOf(composition, a), axis)) - sum(extent(boxOf(composition, b), axis)))
          .map((id) => ({ before: extent(boxOf(composition, id), axis), after: extent(boxOf(after, id), axis) }));
        const gaps = row.slice(1).map((entry, index) => entry.after[0] - row[index]!.after[1]);
        for (const gap of gaps) expect(gap).toBeCloseTo(gaps[0]!, 6);
        expect(row[0]!.after[0]).toBeCloseTo(to === 'area' ? 0 : row[0]!.before[0], 6);
        expect(row.at(-1)!.after[1]).toBeCloseTo(to === 'area' ? 100 : row.at(-1)!.before[1], 6);
      },
    ),
    { numRuns: 80 },
  );
});

const sum = ([from, to]: readonly [number, number]) => from + to;

test('two elements are distributed in the machine area only, and locked ones stay', () => {
  const two = compose({ id: 'a', x: -5 }, { id: 'b', x: 10 });
  const ids = idsOf(two);
  const distribute = (composition: Composition, to: AlignTo) =>
    applyCommand(composition, distributeCommand(composition, sceneOf(composition), ids, 'x', to));
  expect(distribute(two, 'each other')).toBe(two);
  expect(extent(boxOf(distribute(two, 'area'), 'text:b'), 'x')[1]).toBeCloseTo(100, 6);

  const composition = compose({ id: 'a', x: -5, isLocked: true }, { id: 'b', x: 10 });
  const result = applyCommand(composition, alignCommand(composition, sceneOf(composition), ids, 'left', 'each other'));
  expect(textsOf(result).map(({ x }) => x)).toEqual([-5, expect.closeTo(-5, 6)]);
});

test('elements moved together stay together at the edge', () => {
  const pair = compose({ id: 'a', x: 30, y: -45 }, { id: 'b', x: 45, y: 10 }, { id: 'c', x: 50, isLocked: true });
  const { elements } = applyCommand(pair, moveCommand(pair, idsOf(pair), 20, -20));
  expect(elements.map(({ x, y }) => [x, y])).toEqual([
    [35, -50],
    [50, 5],
    [50, 0],
  ]);
});

const order = (command: Command, composition: Composition) =>
  idsOf(applyCommand(composition, command))
    .map((id) => id.slice('text:'.length))
    .join('');

test.each([
  ['forward', 'ac', 'badc'],
  ['forward', 'cd', 'abcd'],
  ['forward', 'bd', 'acbd'],
  ['backward', 'ac', 'acbd'],
  ['backward', 'cd', 'acdb'],
  ['front', 'ab', 'cdab'],
  ['back', 'bd', 'bdac'],
] as const)('%s of %s gives %s, with the moved ones in their own order', (to, ids, expected) => {
  const four = compose({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' });
  const elementIds = [...ids].map((id) => `text:${id}`);
  expect(order(reorderCommand(four, elementIds, to), four)).toBe(expected);
});

test('elements can be placed between any two others', () => {
  const four = compose({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' });
  const put = (ids: string, index: number) =>
    order(
      placeInOrder(
        four,
        [...ids].map((id) => `text:${id}`),
        index,
      ),
      four,
    );
  expect(put('a', 3)).toBe('bcad');
  expect(put('d', 1)).toBe('adbc');
  expect(put('ad', 2)).toBe('badc');
  expect(put('b', 1)).toBe('abcd');
  const same = placeInOrder(four, ['text:b'], 2);
  expect(applyCommand(four, same)).toBe(four);
});

test('groups change places as a whole, and a member alone stays in its group', () => {
  const withGroup = applyCommand(compose({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }, { id: 'e' }), {
    type: 'group',
    elementIds: ['text:b', 'text:c', 'text:d'],
    groupId: 'g',
  });
  const ids = (letters: string) => [...letters].map((id) => `text:${id}`);
  const reorder = (letters: string, to: OrderStep) => order(reorderCommand(withGroup, ids(letters), to), withGroup);
  expect(reorder('bcd', 'forward')).toBe('aebcd');
  expect(reorder('bcd', 'back')).toBe('bcdae');
  expect(reorder('a', 'forward')).toBe('bcdae');
  expect(reorder('b', 'forward')).toBe('acbde');
  expect(reorder('b', 'front')).toBe('acdbe');
  expect(reorder('d', 'forward')).toBe('abcde');

  const put = (letters: string, index: number) => order(placeInOrder(withGroup, ids(letters), index), withGroup);
  expect(put('b', 4)).toBe('acdbe');
  expect(put('b', 5)).toBe('acdbe');
  expect(put('d', 0)).toBe('adbce');
  expect(put('bcd', 5)).toBe('aebcd');
  expect(put('a', 2)).toBe('abcde');
  expect(put('a', 3)).toBe('bcdae');
  expect(put('ae', 3)).toBe('bcdae');
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...'abcde'), { minLength: 1 }), fc.nat(5), (letters, index) => {
      const at = toDropIndex(withGroup, ids(letters.join('')), index);
      const after = applyCommand(withGroup, placeInOrder(withGroup, ids(letters.join('')), index));
      // What is dropped at the place that was shown lies there.
      expect(applyCommand(withGroup, placeInOrder(withGroup, ids(letters.join('')), at))).toEqual(after);
      expect(after.elements.filter(({ groupId }) => groupId === 'g')).toHaveLength(3);
    }),
  );
});
