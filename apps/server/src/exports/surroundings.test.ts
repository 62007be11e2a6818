import { MOCKUP_SCENES, stanceOf, standingBlanks } from '@markwright/contract';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { DrawnProduct } from '../catalogue/tables.ts';
import { findSeed } from '../catalogue/variants.ts';
import { readSurroundings } from './surroundings.ts';

const find = (productId: string) => findSeed(productId)!;

test('what stands in its picture stands, and the rest lies', () => {
  const stances = [
    'tumbler-20oz-black',
    'mug-11oz-white',
    'lighter-windproof-chrome',
    'pen-aluminum-black',
    'tshirt-cotton-white',
  ];
  expect(stances.map((id) => stanceOf(find(id)))).toEqual(['standing', 'standing', 'standing', 'lying', 'lying']);
  expect([...standingBlanks].filter((id) => !find(id))).toEqual([]);
  expect(stanceOf({ productId: 'own', surface: null })).toBe('lying');
});

test('every scene has a picture for both', async () => {
  for (const scene of MOCKUP_SCENES) {
    for (const id of ['mug-11oz-white', 'coaster-slate-square']) {
      const { picture, stance } = await readSurroundings(scene, find(id) as unknown as DrawnProduct);
      const size = await sharp(picture).metadata();
      expect([scene, stance, size.width, size.height]).toEqual([scene, stanceOf(find(id)), 2000, 2000]);
    }
  }
});
