// @ts-expect-error: the types of pages know no Node; tests run there
import { readFileSync } from 'node:fs';
import type { VectorizeSettings } from '@markwright/contract/schemas';
import { toVectorizerOptions } from '@markwright/contract/tracing';
import { VECTORIZE_DEFAULTS } from '@markwright/contract/words';
import { findSkew } from '@markwright/straighten';
import { vectorize } from '@markwright/vectorizer';
import { expect, test } from 'vitest';
import { samplePictures } from './samples.ts';

const read = (url: string) => readFileSync(new URL(`./${url.split('/').pop()}`, import.meta.url));
const openImage = async () => (await import('sharp' as string)).default; // its types would bring those of Node

async function traceFor(machineType: 'laser' | 'uv', url: string) {
  const sharp = await openImage();
  const { data, info } = await sharp(read(url)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const settings: VectorizeSettings = {
    ...VECTORIZE_DEFAULTS,
    machineType,
    colorMode: machineType === 'laser' ? 'black' : 'color',
    shapeStacking: machineType === 'laser' ? 'cutouts' : 'stacked',
  };
  const drawing = vectorize({ width: info.width, height: info.height, data }, toVectorizerOptions(settings));
  const rings = drawing.layers.flatMap(({ paths }) => paths).flatMap((path) => path.rings);
  return { colorCount: new Set(drawing.layers.map(({ color }) => color)).size, ringCount: rings.length };
}

test('keeps each sample within 60 kB and 1000 px, and its thumbnail within 6 kB at 160 px', async () => {
  const sharp = await openImage();
  for (const { url, thumbnailUrl } of samplePictures) {
    const { width, height } = await sharp(read(url)).metadata();
    expect(Math.max(width, height), url).toBeLessThanOrEqual(1000);
    expect(read(url).length, url).toBeLessThanOrEqual(60_000);
    expect(read(thumbnailUrl).length, thumbnailUrl).toBeLessThanOrEqual(6_000);
    expect(await sharp(read(thumbnailUrl)).metadata()).toMatchObject({ width: 160, height: 160 });
  }
});

test('traces the logo for a laser without a speck of its paper', async () => {
  const { colorCount, ringCount } = await traceFor('laser', samplePictures[0]!.url);
  expect(colorCount).toBe(1);
  // 27 letters and figures with 16 counters, the loaf with 3 cuts, 3 lines of steam, and the two ears.
  expect(ringCount).toBeLessThan(80);
});

test('traces the clip art in its five colors', async () => {
  const { colorCount } = await traceFor('uv', samplePictures[1]!.url);
  expect(colorCount).toBe(5);
});

test('traces the portrait as a photograph, in many tones', async () => {
  const { colorCount } = await traceFor('uv', samplePictures[2]!.url);
  expect(colorCount).toBeGreaterThan(30);
});

test('offers to straighten neither the portrait nor the clip art', async () => {
  const sharp = await openImage();
  for (const { url } of samplePictures.slice(1)) {
    const { data, info } = await sharp(read(url)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(findSkew({ width: info.width, height: info.height, data }), url).toBeUndefined();
  }
});
