import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeStorage } from '../../../test/fakeStorage.ts';
import { productMarks } from './productMarks.ts';

beforeEach(() => vi.stubGlobal('localStorage', fakeStorage()));
afterEach(() => vi.unstubAllGlobals());

it('keeps favorites and the bed on the device', () => {
  expect(productMarks.readFavorites()).toEqual([]);
  expect(productMarks.readBed()).toBeUndefined();
  productMarks.writeFavorites(['mug', 'tag']);
  productMarks.writeBed({ widthMm: 100, heightMm: 80 });
  expect(productMarks.readFavorites()).toEqual(['mug', 'tag']);
  expect(productMarks.readBed()).toEqual({ widthMm: 100, heightMm: 80 });
  productMarks.writeBed(undefined);
  expect(productMarks.readBed()).toBeUndefined();
});

it.each(['{', '[1, {}]', '{"widthMm": -3, "heightMm": 4}', 'null', '"mug"'])('takes %s for nothing', (text) => {
  localStorage.setItem('markwright-favorite-products', text);
  localStorage.setItem('markwright-bed', text);
  expect(productMarks.readFavorites()).toEqual([]);
  expect(productMarks.readBed()).toBeUndefined();
});

it('lives with a storage that refuses', () => {
  vi.stubGlobal('localStorage', undefined);
  productMarks.writeFavorites(['mug']);
  expect(productMarks.readFavorites()).toEqual([]);
});
