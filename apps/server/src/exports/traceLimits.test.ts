import { emptyComposition, parseComposition } from '@markwright/scene';
import { expect, it } from 'vitest';
import { traceLimits } from './traceLimits.ts';

const product = { dimensions: '4x4', pictureAspect: 1, printArea: { x: 0, y: 0, width: 1, height: 1 } };
const limitsAt = (size: number, despeckle = 1, angleDeg = 0) => {
  const elements = [{ kind: 'artwork', id: 'design', designId: 'd', size, angleDeg }];
  const composition = parseComposition({ version: 3, data: { ...emptyComposition, elements } });
  return traceLimits(composition, product, 'design', { width: 1000, height: 1000, despeckle });
};

it('says the scale at which an artwork is made, whatever its angle', () => {
  // 1000 pixels on half of 101.6 mm.
  for (const angleDeg of [0, 33, 90]) {
    expect(limitsAt(50, 1, angleDeg)).toEqual({ pixelsPerMm: 20, minAreaMm2: 0.01, minLineWidthMm: 0.02 });
  }
});

it('is the same for nearly the same size, so that a stored trace is used again', () => {
  expect(limitsAt(50.4)).toEqual(limitsAt(50));
});

it('asks for nothing where the trace leaves out as much by itself', () => {
  expect(limitsAt(200)).toBeUndefined();
  expect(limitsAt(50, 3)).toBeUndefined();
  expect(limitsAt(20, 3)).toMatchObject({ pixelsPerMm: 49 });
});
