import { expect, test } from 'vitest';
import { addLetter, findByLetters, noLetters } from './typeAhead.ts';

const labels = ['Arial', 'Bitter', 'Barlow', 'Cabin'];

test('joins letters that follow within 600 ms', () => {
  const first = addLetter(noLetters, 'B', 10_000);
  const second = addLetter(first, 'a', 10_599);
  expect(second.text).toBe('ba');
  expect(addLetter(second, 'c', 11_199).text).toBe('c');
});

test('goes to the next match with the same letter, around the end', () => {
  expect(findByLetters(labels, 'b', 0)).toBe(1);
  expect(findByLetters(labels, 'b', 1)).toBe(2);
  expect(findByLetters(labels, 'b', 2)).toBe(1);
});

test('stays at the active option while it begins with all the letters', () => {
  expect(findByLetters(labels, 'ba', 2)).toBe(2);
  expect(findByLetters(labels, 'ba', 1)).toBe(2);
});

test('finds nothing where no label begins with the letters', () => {
  expect(findByLetters(labels, 'x', 0)).toBeUndefined();
  expect(findByLetters([], 'x', 0)).toBeUndefined();
});
