import { expect, test } from 'vitest';
import { findMisfit } from './blanks.ts';

test('a print area goes round an upright blank by its width, and round one that lies level by its height', () => {
  const pen = { kind: 'cylinder', diameterMm: 10.9 } as const;
  expect(findMisfit(pen, '1.7x0.22')).toBe(
    'A print area 43.2 mm wide does not fit round this cylinder: it is 34.2 mm round.',
  );
  expect(findMisfit({ ...pen, axis: 'level' }, '1.7x0.22')).toBeUndefined();
  expect(findMisfit({ ...pen, axis: 'level' }, '0.22x1.7')).toBe(
    'A print area 43.2 mm high does not fit round this cylinder: it is 34.2 mm round.',
  );
});
