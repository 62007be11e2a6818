import { plans } from '@markwright/contract/words';
import { expect, it } from 'vitest';
import { money, plansBetterWithCode, priceOf, priceWords } from './price.ts';

it.each([
  [0, '$0'],
  [1900, '$19'],
  [1450, '$14.50'],
  [14900, '$149'],
])('writes %i cents as %s', (cents, words) => expect(money(cents)).toBe(words));

it('takes the founding offer off for a year, and never goes below zero', () => {
  expect(priceOf(plans.pro, 'founding')).toEqual({ cents: 1900, months: 12 });
  expect(priceOf(plans.starter, 'founding')).toEqual({ cents: 0, months: 12 });
  expect(priceOf(plans.free, 'founding')).toEqual({ cents: 0, months: undefined });
  expect(priceOf(plans.pro, 'none')).toEqual({ cents: 2900, months: undefined });
});

it('writes the price of today, and the one that follows', () => {
  expect(priceWords(plans.starter, 'founding')).toBe('$0 a month for the first 12 months, then $9');
  expect(priceWords(plans.pro, 'none')).toBe('$29 a month');
});

it('halves three months for a code, and finds the plans on which that saves more', () => {
  expect(priceOf(plans.pro, 'waitlist')).toEqual({ cents: 1450, months: 3 });
  // Pro: 3 x 14.50 is less than 12 x 10; Agency: 3 x 74.50 is more.
  expect(plansBetterWithCode().map(({ id }) => id)).toEqual(['agency']);
});
