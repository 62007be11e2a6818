import type { Engraver } from '@markwright/editor';
import { expect, test, vi } from 'vitest';
import { withShopCurves } from './shopCurves.ts';

const curve = Array.from({ length: 20 }, (_, k) => k);
const slate = { material: 'slate', curve, isTypical: false, marksLight: true, intervalMm: 0.1 } as const;
const walnut = { ...slate, material: 'walnut', isTypical: true } as const;
const { signal } = new AbortController();

function open(readCurves: Parameters<typeof withShopCurves>[1]) {
  const engrave = vi.fn<Engraver['engrave']>(async () => undefined);
  const engraver = withShopCurves({ engrave, suggestWay: async () => undefined }, readCurves);
  const surfaceFor = async (material: string | undefined) => {
    await engraver.engrave({ surface: { material } } as never, signal);
    return engrave.mock.lastCall![0].surface;
  };
  return surfaceFor;
}

test('a material that the shop measured is engraved by its curve, and no other', async () => {
  const surfaceFor = open(async () => [slate, walnut]);
  expect(await surfaceFor('slate')).toEqual({ material: 'slate', curve });
  expect(await surfaceFor('walnut')).toEqual({ material: 'walnut' });
  expect(await surfaceFor(undefined)).toEqual({ material: undefined });
});

test('a guest, and a page that cannot read the curves, engrave by the typical ones', async () => {
  expect(await open(async () => undefined)('slate')).toEqual({ material: 'slate' });
  expect(await open(() => Promise.reject(new Error('offline')))('slate')).toEqual({ material: 'slate' });
});
