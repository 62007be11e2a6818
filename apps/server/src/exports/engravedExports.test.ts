import { emptyComposition, newArtwork, parseComposition, saveComposition } from '@markwright/scene';
import { readLightBurn } from '@markwright/scene/production';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { seedCatalogue } from '../catalogue/products.ts';

let server: TestApp;
let maker: Record<string, string>;
let designId: string;

beforeAll(async () => {
  server = await createTestApp();
  await seedCatalogue(server.context);
  server.setNow(new Date()); // no month begins while charges are counted
  maker = await server.signUp();
  await server.takePlan(maker, 'studio');
  const [width, height] = [80, 60];
  const gray = Uint8Array.from({ length: width * height }, (_, i) => 40 + 2 * (i % width));
  const picture = await sharp(gray, { raw: { width, height, channels: 1 } })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(picture)]), 'dog.jpg');
  const upload = { method: 'POST', url: '/api/designs/upload', payload: form, headers: maker } as const;
  designId = (await server.app.inject(upload)).json().id;
});
afterAll(() => server.close());

const tone = { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 };
function composition(engraving: object, changes: object = {}) {
  const artwork = { ...newArtwork(designId), id: 'a', aspect: 4 / 3, engraving, ...changes };
  return saveComposition(parseComposition(saveComposition({ ...emptyComposition, elements: [artwork as never] })));
}
const photo = { method: 'atkinson', intervalMm: 0.2, tone, invert: 'auto' };
const post = (url: string, payload: object) => server.app.inject({ method: 'POST', url, payload, headers: maker });
const countCharges = async () =>
  (await server.app.inject({ url: '/api/users/stats', headers: maker })).json().vectorsUsed;

test('a photograph that was never traced is engraved in all its formats for one charge', async () => {
  const before = await countCharges();
  for (const format of ['lbrn2', 'png', 'package']) {
    const answer = await post('/api/exports/file', { composition: composition(photo), format });
    expect(answer.statusCode, `${format}: ${answer.body}`).toBe(200);
    expect(answer.json().report.layers).toMatchObject([{ kind: 'raster' }]);
  }
  expect(await countCharges()).toBe(before + 1);
  const other = await post('/api/exports/file', {
    composition: composition({ ...photo, intervalMm: 0.25 }),
    format: 'png',
  });
  expect(other.statusCode).toBe(200);
  expect(await countCharges()).toBe(before + 2);
});

test('a crop is engraved alone, and what no file can hold is refused and not charged', async () => {
  const before = await countCharges();
  const crop = { x: 0.5, y: 0, width: 0.5, height: 1 };
  const right = await post('/api/exports/file', {
    composition: composition({ ...photo, method: 'gray' }, { crop, aspect: 2 / 3, ink: undefined }),
    format: 'lbrn2',
  });
  expect(right.statusCode, right.body).toBe(200);
  const file = await server.app.inject({ url: right.json().url });
  const { data } = await sharp(readLightBurn(file.rawPayload).pictures![0]!.png)
    .raw()
    .toBuffer({ resolveWithObject: true });
  // The left half is darker: all but burnt.
  expect(data.reduce((least, value) => Math.min(least, value), 255)).toBeGreaterThan(40);
  expect(await countCharges()).toBe(before + 1);
  for (const [format, badComposition] of [
    ['svg', composition(photo)],
    ['lbrn2', composition(photo, { crop: { x: 0, y: 0, width: 0.01, height: 0.01 } })],
  ] as const) {
    const answer = await post('/api/exports/file', { composition: badComposition, format });
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
  }
  const production = await post('/api/designs/vectorize', {
    designId,
    composition: composition(photo),
    settings: { mode: 'vectorize' },
  });
  expect(production.statusCode).toBe(422);
  expect(production.json().message).toContain('photograph in dots');
  expect(await countCharges()).toBe(before + 1);
});

test('its tones are a production SVG, and its mockup is a picture', { tags: ['detail'] }, async () => {
  const lines = composition({ ...photo, method: 'halftone_lines', intervalMm: 0.1 });
  const production = await post('/api/designs/vectorize', {
    designId,
    composition: lines,
    settings: { mode: 'vectorize' },
  });
  expect(production.statusCode, production.body).toBe(200);
  const svg = (await server.app.inject({ url: production.json().vectorizedSvgUrl })).body;
  expect(svg.match(/Z/gi)!.length).toBeGreaterThan(20);
  expect(svg).toContain('id="engrave-c00"');
  const mockup = await post('/api/exports/mockup', { composition: composition(photo) });
  expect(mockup.statusCode, mockup.body).toBe(200);
});

test('the curve that a shop measured on the material of its product decides the dots', async () => {
  const list = (await server.app.inject({ url: '/api/products', headers: maker })).json();
  const { productId } = list.find(({ material }: { material: string }) => material === 'slate');
  const artwork = { ...newArtwork(designId), id: 'a', aspect: 4 / 3, engraving: { ...photo, method: 'gray' } };
  const onSlate = saveComposition({ ...emptyComposition, productId, elements: [artwork as never] });
  const areaOf = async () => {
    const answer = await post('/api/exports/file', { composition: onSlate, format: 'lbrn2' });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().report.layers[0].areaMm2;
  };
  const typical = await areaOf();
  const url = '/api/company/tone-curves/slate';
  const curve = Array.from({ length: 20 }, (_, k) => 40 + Math.round(180 * (k / 19) ** 0.3));
  await server.app.inject({ method: 'PUT', url, payload: { curve }, headers: maker });
  // Few dots look half as light as all.
  expect(await areaOf()).toBeLessThan(0.7 * typical);
  await server.app.inject({ method: 'DELETE', url, headers: maker });
  expect(await areaOf()).toBe(typical);
});
