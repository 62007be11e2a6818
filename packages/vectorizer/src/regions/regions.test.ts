import { expect, test } from 'vitest';
import { randomBytes } from '../../test/raster.ts';
import { traceBoundary } from '../boundary/boundary.ts';
import { findRegions } from './regions.ts';

function noiseLabels(width: number, height: number, colors: number, seed: number): Uint16Array {
  const random = randomBytes(seed);
  return Uint16Array.from({ length: width * height }, () => random() % colors);
}

test('numbers regions in scan order, never mixes labels, and areas add up to the picture', () => {
  const width = 64;
  const height = 48;
  const labels = noiseLabels(width, height, 3, 42);
  const { ids, count, labelOf, areaOf } = findRegions(labels, width, height);
  let highest = -1;
  for (let i = 0; i < ids.length; i++) {
    expect(ids[i]).toBeLessThanOrEqual(highest + 1);
    highest = Math.max(highest, ids[i]);
    expect(labelOf[ids[i]]).toBe(labels[i]);
    if (i % width && labels[i] === labels[i - 1]) expect(ids[i]).toBe(ids[i - 1]);
    if (i >= width && labels[i] === labels[i - width]) expect(ids[i]).toBe(ids[i - width]);
  }
  expect(highest).toBe(count - 1);
  expect(areaOf.reduce((sum, area) => sum + area, 0)).toBe(width * height);
});

test('keeps a diagonal line of one pixel connected', () => {
  const size = 12;
  const labels = new Uint16Array(size * size);
  for (let k = 1; k < size - 1; k++) labels[k * size + k] = 1;
  const { count, labelOf } = findRegions(labels, size, size);
  expect([...labelOf].filter((label) => label === 1)).toHaveLength(1);
  expect(count).toBe(2);
});

test('runs along every crack between regions exactly once', () => {
  const width = 40;
  const height = 31;
  const labels = noiseLabels(width, height, 4, 5);
  const regions = findRegions(labels, width, height);
  const { chains, path } = traceBoundary(regions);
  let cracks = 2 * (width + height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (x > 0 && regions.ids[i] !== regions.ids[i - 1]) cracks++;
      if (y > 0 && regions.ids[i] !== regions.ids[i - width]) cracks++;
    }
  }
  const walkedCracks = new Set<string>();
  for (const { from, to, left, right } of chains) {
    expect(left).not.toBe(right);
    for (let k = from; k < to; k++) walkedCracks.add([path[k], path[k + 1]].sort((a, b) => a - b).join());
  }
  expect(walkedCracks.size).toBe(cracks);
  expect(chains.reduce((sum, chain) => sum + chain.to - chain.from, 0)).toBe(cracks);
});
