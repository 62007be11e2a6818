import type { Scene } from '@markwright/scene';
import { expect, test } from 'vitest';
import { createBlankWrapper } from './blankWrapper.ts';

const sceneOf = (isRound: boolean): Scene => ({
  machine: 'laser',
  widthMm: 50,
  heightMm: 40,
  groups: [],
  backdrop: {
    pictureHref: '/cup.png',
    pictureWidthMm: 100,
    pictureHeightMm: 100,
    originMm: { x: 25, y: 30 },
    angleDeg: 0,
    finish: { material: 'ceramic', markColor: '#000000' },
    ...(isRound && { surface: { form: { kind: 'cylinder', diameterMm: 80 }, middleMm: { x: 25, y: 20 } } }),
  },
});

test('a flat blank is shown as it is, at once', () => {
  const scene = sceneOf(false);
  const wrapper = createBlankWrapper(() => {});
  expect(wrapper.wrap(scene, 30)).toBe(scene);
});

test('a round blank is shown flat until the code for it is there, and then without what does not load', async () => {
  const scene = sceneOf(true);
  await new Promise<void>((resolve) => {
    const wrapper = createBlankWrapper(() => {
      // Nothing can load a picture here, so the light is left out.
      expect(wrapper.wrap(scene, 30)).toMatchObject({ wrap: { light: undefined }, area: [{}] });
      resolve();
    });
    expect(wrapper.wrap(scene, 30)).toBe(scene);
  });
});
