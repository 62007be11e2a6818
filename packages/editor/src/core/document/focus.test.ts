import type { ProductAsset } from '@markwright/scene';
import { expect, it } from 'vitest';
import { openEditor } from '../testHost.ts';
import { sayFocus } from './focus.ts';

it('says how much of the arc stays in focus, for a laser and a round blank alone', () => {
  const { product } = openEditor().getState().assets;
  const round = (focusMm?: number): ProductAsset => ({
    ...product!,
    surface: { kind: 'cylinder', diameterMm: 73, ...(focusMm !== undefined && { focusMm }) },
  });
  // 2 r acos(1 - d / r), with r = 36.5.
  expect(sayFocus('laser', round(), 'mm')).toBe(
    'Without a rotary, 24.3 mm across the front lie within 2.0 mm of the focus.',
  );
  expect(sayFocus('laser', round(1), 'in')).toContain('0.67 in across');
  expect(sayFocus('uv', round(), 'mm')).toBeUndefined();
  expect(sayFocus('laser', product, 'mm')).toBeUndefined();
});
