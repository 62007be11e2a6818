import { expect, test } from 'vitest';
import { formatBytes } from './bytes.ts';

test.each([
  [0, '0 Bytes'],
  [1, '1 Bytes'],
  [1_023, '1023 Bytes'],
  [1_024, '1 KB'],
  [1_536, '1.5 KB'],
  [10_240, '10 KB'],
  [1_048_575, '1 MB'],
  [5 * 2 ** 20, '5 MB'],
  [2 ** 31, '2 GB'],
  [3_000 * 2 ** 30, '3000 GB'],
])('%d is %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
