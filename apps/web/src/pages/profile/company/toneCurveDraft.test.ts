import { expect, test } from 'vitest';
import { decimalsOf, findProblem, readNumbers, sharesOf } from './toneCurveDraft.ts';

test.each([
  ['1 2 3', [1, 2, 3]],
  ['1,2,3', [1, 2, 3]],
  ['1, 2.5, 3', [1, 2.5, 3]],
  ['1,5 2,5\n3', [1.5, 2.5, 3]],
  ['61\n66\n72\n', [61, 66, 72]],
  ['0.5;0.25\t7', [0.5, 0.25, 7]],
  ['patch 1: 12', [12]],
  ['', []],
])('reads %j', (text, numbers) => {
  expect(readNumbers(text)).toEqual(numbers);
});

const rising = Array.from({ length: 20 }, (_, i) => i * 10);

test('says what a curve lacks', () => {
  expect(findProblem(rising)).toBeUndefined();
  expect(findProblem(rising.slice(5))).toBe('15 numbers, and 20 are needed: one for each patch.');
  expect(findProblem(Array(20).fill(4))).toContain('must look different');
  expect(findProblem(rising.map((value) => -value))).toContain('from 0 to 65,535');
});

test('shows how dark a patch looks of all that the material can show, also where marks are light', () => {
  expect(sharesOf([0, 25, 100])).toEqual([0, 0.25, 1]);
  expect(sharesOf([200, 150, 0])).toEqual([0, 0.25, 1]);
  expect(sharesOf([7, 7])).toEqual([]);
});

test('shows no more decimals than there are', () => {
  expect([decimalsOf(rising), decimalsOf([1.5, 2]), decimalsOf([0.125])]).toEqual([0, 1, 3]);
});
