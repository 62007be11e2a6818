import { expect, test } from 'vitest';
import { formatMoney, readMoney } from './money.ts';

test.each([
  ['12.50', 1250],
  ['12,5', 1250],
  [' $ 7 ', 700],
  ['0', 0],
  ['19.99', 1999],
  ['1.005', undefined],
  ['', null],
  ['-1', undefined],
  ['twelve', undefined],
  ['1,240.00', undefined],
  ['9999999', undefined],
])('%j is %s cents', (text, cents) => expect(readMoney(text)).toBe(cents));

test('is written with its sign', () => {
  expect(formatMoney(124_000, 'USD')).toBe('$1,240.00');
  expect(formatMoney(5, 'EUR')).toBe('€0.05');
});
