import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, cardWidth, intersect, placeCard, unite } from './placement.ts';
import type { CardSide } from './steps.ts';

describe('the card', () => {
  it('is 400 px wide, and on small windows 350 or what the window leaves', () => {
    expect([1440, 640, 639, 390, 360].map(cardWidth)).toEqual([400, 400, 350, 350, 320]);
  });

  it('stands in the middle without a target', () => {
    expect(placeCard(undefined, { width: 400, height: 200 }, { width: 1440, height: 900 }, 'right')).toEqual({
      left: 520,
      top: 350,
    });
  });

  it('stands 20 px beside its target, on the wanted side where it fits', () => {
    const target = { left: 0, top: 100, right: 340, bottom: 300 };
    const card = { width: 400, height: 200 };
    const window = { width: 1440, height: 900 };
    expect(placeCard(target, card, window, 'right')).toEqual({ left: 360, top: 100 });
    expect(placeCard(target, card, window, 'left')).toEqual({ left: 360, top: 100 });
    expect(placeCard(target, card, window, 'bottom')).toEqual({ left: 20, top: 320 });
  });

  it('goes to the end of the window where nothing fits', () => {
    const card = { width: 350, height: 220 };
    const window = { width: 390, height: 844 };
    expect(placeCard({ left: 0, top: 60, right: 390, bottom: 844 }, card, window, 'right').top).toBe(604);
    expect(placeCard({ left: 0, top: 300, right: 390, bottom: 800 }, card, window, 'right').top).toBe(60);
    // A stage that leaves a column free at its left.
    const stage = { left: 340, top: 90, right: 1440, bottom: 860 };
    expect(placeCard(stage, card, { width: 1440, height: 900 }, 'left')).toEqual({ left: 20, top: 660 });
  });

  it('is always whole inside the window, and off its target wherever there is room for both', () => {
    const length = fc.integer({ min: 0, max: 900 });
    const box = fc.tuple(length, length, length, length).map(
      ([a, b, c, d]): Box => ({
        left: Math.min(a, b),
        right: Math.max(a, b),
        top: Math.min(c, d),
        bottom: Math.max(c, d),
      }),
    );
    const window = fc.record({
      width: fc.integer({ min: 320, max: 1600 }),
      height: fc.integer({ min: 400, max: 1000 }),
    });
    fc.assert(
      fc.property(box, window, fc.constantFrom<CardSide>('right', 'left', 'bottom', 'top'), (target, window, side) => {
        const card = { width: cardWidth(window.width), height: 240 };
        const { left, top } = placeCard(target, card, window, side);
        expect(left).toBeGreaterThanOrEqual(20);
        expect(top).toBeGreaterThanOrEqual(20);
        expect(left + card.width).toBeLessThanOrEqual(window.width - 20);
        expect(top + card.height).toBeLessThanOrEqual(window.height - 20);
        const room = Math.max(target.top, window.height - target.bottom);
        if (room >= card.height + 40) {
          const cardBox = { left, top, right: left + card.width, bottom: top + card.height };
          expect(intersect(cardBox, target)).toBeUndefined();
        }
      }),
    );
  });
});

it('unites boxes, and intersects them', () => {
  const a = { left: 0, top: 0, right: 10, bottom: 10 };
  const b = { left: 5, top: 5, right: 20, bottom: 8 };
  expect(unite([])).toBeUndefined();
  expect(unite([a, b])).toEqual({ left: 0, top: 0, right: 20, bottom: 10 });
  expect(intersect(a, b)).toEqual({ left: 5, top: 5, right: 10, bottom: 8 });
  expect(intersect(a, { ...b, left: 10 })).toBeUndefined();
});
