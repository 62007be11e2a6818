import { expect, it } from 'vitest';
import { GUEST_MOCKUPS, plans } from './plans.ts';

it.each([
  ['free', 0, 4, 0, true],
  ['starter', 900, 24, 8, false],
  ['pro', 2900, 100, 33, false],
  ['studio', 7900, 375, 125, false],
  ['agency', 14900, 1000, 300, false],
] as const)('%s has the specified price and allowances', (id, priceCents, mockups, vectors, watermark) => {
  expect(plans[id]).toMatchObject({ priceCents, mockups, vectors, watermark, popular: id === 'pro' });
});

it('a visitor has four mockups a month', () => expect(GUEST_MOCKUPS).toBe(4));
