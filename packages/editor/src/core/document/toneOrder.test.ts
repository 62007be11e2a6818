import { describe, expect, it } from 'vitest';
import { byLightness, moveMember, tonesOf } from './toneOrder.ts';

const colors = ['#ffffff', '#f2d024', '#111111', '#1f4fa3'].map((color) => ({ color, name: color }));

describe('the order of tones', () => {
  it('is by lightness at first, without white', () => {
    expect(byLightness(colors)).toEqual(['#111111', '#1f4fa3', '#f2d024']);
  });

  it('stays as set when the colors change: what is gone leaves, what is new finds its place', () => {
    expect(tonesOf({ tones: undefined }, colors)).toBeUndefined();
    expect(tonesOf({ tones: ['#f2d024', '#00ff00', '#111111'] }, colors)).toEqual(['#f2d024', '#111111', '#1f4fa3']);
  });

  it('moves one color and keeps the others in order', () => {
    expect(moveMember([1, 2, 3, 4], 3, 1)).toEqual([1, 4, 2, 3]);
    expect(moveMember([1, 2, 3, 4], 0, 9)).toEqual([2, 3, 4, 1]);
    const list = [1, 2];
    expect(moveMember(list, 0, -1)).toBe(list);
  });
});
