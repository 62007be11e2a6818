/** Codes and shapes in the key of a charge: what a file shows of them, and nothing else. */
import { type Composition, emptyComposition, newCode, newShape } from '@markwright/scene';
import { expect, it } from 'vitest';
import { compositionKey } from './renderJob.ts';

const keyOf = (...elements: Composition['elements']) =>
  compositionKey(
    { composition: { ...emptyComposition, elements }, designs: new Map(), product: undefined, ownFonts: [] },
    'file',
  );

const code = { ...newCode('c'), data: 'A1' };
const shape = newShape('s');

it('is the same whatever their ids, names and locks, and beside a code without data', () => {
  const key = keyOf(code, shape);
  expect(keyOf({ ...code, id: 'x', name: 'Serial', isLocked: true, groupId: 'g' }, shape)).toBe(key);
  expect(keyOf(code, shape, newCode('empty'))).toBe(key);
});

it('is another one for other data, another size, another order', () => {
  const others = [
    keyOf(code, shape),
    keyOf({ ...code, data: 'A2' }, shape),
    keyOf({ ...code, errorLevel: 'H' }, shape),
    keyOf(code, { ...shape, widthMm: 31 }),
    keyOf(code, { ...shape, strokeMm: 1 }),
    keyOf(code, { ...shape, form: 'outline', outline: 'M0 0L9 0L9 9Z' }),
    keyOf(code, { ...shape, form: 'outline', outline: 'M0 0L9 0L9 8Z' }),
    keyOf(shape, code),
    keyOf(code),
    keyOf(shape),
  ];
  expect(new Set(others).size).toBe(others.length);
});
