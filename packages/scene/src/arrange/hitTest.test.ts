import { describe, expect, it } from 'vitest';
import { applyCommand } from '../document/commands.ts';
import { emptyComposition } from '../document/initial.ts';
import { resolveScene } from '../resolve/resolve.ts';
import { onlyArtwork } from '../resolve/testProduct.ts';
import { hitTest } from './hitTest.ts';

// A frame of 100 x 100 mm; the design is 40 x 20 mm in its middle, turned by 90 degrees; the text a box of 20 x 20 mm
// over it.
const composition = [
  { type: 'placeDesign', id: 'design', designId: 'd', filename: '', aspect: 2 } as const,
  { type: 'updateDesign', id: 'design', changes: { size: 40, angleDeg: 90 } } as const,
  { type: 'addText', element: { id: 't', text: 'x', heightInches: 10 / 25.4, y: 25 } } as const,
].reduce(applyCommand, emptyComposition);
const scene = resolveScene(composition, {
  product: undefined,
  artworks: onlyArtwork({ width: 200, height: 100, shapes: [] }),
  fonts: { outline: () => ({ d: 'M0 0L1 0L1 1Z', advance: 2, ascent: 1, descent: 1 }) },
});

describe('hitTest', () => {
  it.each([
    ['the middle of the design', { x: 50, y: 50 }, 0, 'design'],
    ['its turned length', { x: 50, y: 31 }, 0, 'design'],
    ['beside its turned width', { x: 61, y: 50 }, 0, undefined],
    ['beside it, within tolerance', { x: 61, y: 50 }, 2, 'design'],
    ['where the text lies over the design', { x: 50, y: 67 }, 0, 'text:t'],
    ['nothing', { x: 5, y: 5 }, 1, undefined],
  ])('%s', (_name, point, tolerance, expected) => {
    expect(hitTest(scene, point, tolerance)).toBe(expected);
  });
});
