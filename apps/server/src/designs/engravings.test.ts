import { ENGRAVE_STAGES, PROGRESS_STREAM_TYPE } from '@markwright/contract';
import { DITHER_METHODS, engravingMaterial, toGray } from '@markwright/engraving';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { usage } from '../allowances/tables.ts';

type Headers = Record<string, string>;
let server: TestApp;
let ann: Headers;
let ben: Headers;
beforeAll(async () => {
  server = await createTestApp();
  server.setNow(new Date()); // no month turns while charges are counted
  [ann, ben] = [await server.signUp(), await server.signUp()];
});
afterAll(() => server.close());

const post = (url: string, payload: object, headers: Headers) =>
  server.app.inject({ method: 'POST', url, payload, headers });
async function upload(bytes: Uint8Array, headers: Headers = ann, type = 'image/png'): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'portrait');
  const answer = await server.app.inject({ method: 'POST', url: '/api/designs/upload', payload: form, headers });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json<{ id: string }>().id;
}
const engrave = (designId: string, changes: object = {}, headers: Headers = ann) =>
  post('/api/designs/engrave', { designId, widthMm: 12, intervalMm: 0.1, method: 'gray', ...changes }, headers);
const fetchFile = async (url: string) => (await server.app.inject({ url })).rawPayload;

/** The raster of an answer: a byte for each pixel, 0 is burnt. */
async function rasterOf(answer: Awaited<ReturnType<typeof engrave>>) {
  if (answer.statusCode !== 200) throw new Error(answer.body);
  const reply = answer.json<{ url: string; dpi: number; widthPx: number; heightPx: number; meanTone: number }>();
  const png = await fetchFile(reply.url);
  const { data, info } = await sharp(png).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([reply.widthPx, reply.heightPx, 1]);
  return { ...reply, png, data: new Uint8Array(data) };
}

/** The header and the pitch of a PNG, read from its bytes. */
function headerOf(png: Buffer) {
  const [bits, colorType] = [png[24], png[25]];
  const at = png.indexOf('pHYs');
  return { bits, colorType, perMeter: [png.readUInt32BE(at + 4), png.readUInt32BE(at + 8)], unit: png[at + 12] };
}

const [WIDTH, HEIGHT] = [120, 80];
/** A ramp in color, with light on the right. */
const pixelAt = (x: number, y: number) => [(255 * x) / WIDTH, (200 * x) / WIDTH + y / 4, (90 * x) / WIDTH + y / 2];
const rgba = Uint8Array.from({ length: WIDTH * HEIGHT * 4 }, (_, i) =>
  i % 4 === 3 ? 255 : pixelAt((i >> 2) % WIDTH, Math.floor((i >> 2) / WIDTH))[i % 4]!,
);
const ramp = () =>
  sharp(rgba, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })
    .png()
    .toBuffer();
const plain = (background: string, width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
const meanOf = (data: Uint8Array) => data.reduce((sum, value) => sum + value, 0) / data.length / 255;

describe('an engraving', () => {
  test('with neutral settings at the picture’s own size is the picture in gray, byte for byte', async () => {
    const id = await upload(await ramp());
    const { data, ...reply } = await rasterOf(await engrave(id));
    expect(reply).toMatchObject({ dpi: 254, widthPx: WIDTH, heightPx: HEIGHT });
    const gray = toGray({ width: WIDTH, height: HEIGHT, data: rgba });
    expect(Buffer.compare(data, gray.data)).toBe(0);
    expect(reply.meanTone).toBeCloseTo(1 - meanOf(gray.data), 6);
    expect(headerOf(reply.png)).toEqual({ bits: 8, colorType: 0, perMeter: [10_000, 10_000], unit: 1 });
  });

  test.each(DITHER_METHODS.filter((method) => method !== 'gray'))(
    'by %s has one bit, and the mean tone',
    async (method) => {
      const id = await upload(await ramp());
      const [{ meanTone: target }, raster] = [
        await rasterOf(await engrave(id, { widthMm: 25, intervalMm: 0.08 })),
        await rasterOf(await engrave(id, { widthMm: 25, intervalMm: 0.08, method })),
      ];
      expect(raster).toMatchObject({ dpi: 317.5, widthPx: 313, heightPx: 208 });
      expect(headerOf(raster.png)).toEqual({ bits: 1, colorType: 0, perMeter: [12_500, 12_500], unit: 1 });
      expect([...new Set(raster.data)].sort()).toEqual([0, 255]);
      expect(1 - meanOf(raster.data)).toBeCloseTo(raster.meanTone, 6);
      expect(Math.abs(raster.meanTone - target)).toBeLessThan(0.01);
    },
  );

  test('of a material has its curve and, where it marks light, the negative', async () => {
    const id = await upload(await ramp());
    const neutral = await rasterOf(await engrave(id));
    const negative = await rasterOf(await engrave(id, { invert: true }));
    expect(negative.data).toEqual(neutral.data.map((value) => 255 - value));
    const [slate, walnut, upright] = [
      await rasterOf(await engrave(id, { material: 'slate' })),
      await rasterOf(await engrave(id, { material: 'walnut' })),
      await rasterOf(await engrave(id, { material: 'slate', invert: false })),
    ];
    const darker = (data: Uint8Array) => data[10]! < data[110]!;
    expect([neutral, slate, walnut, upright].map(({ data }) => darker(data))).toEqual([true, false, true, true]);
    expect(engravingMaterial('walnut').marksLight).toBe(false);
    expect(walnut.data).not.toEqual(neutral.data);
    expect(slate.data).not.toEqual(negative.data);
  });

  test('has the tone that was set', async () => {
    const id = await upload(await ramp());
    const { meanTone } = await rasterOf(await engrave(id));
    for (const tone of [{ brightness: 30 }, { gamma: 2 }]) {
      expect((await rasterOf(await engrave(id, { tone }))).meanTone).toBeLessThan(meanTone - 0.05);
    }
    const neutral = { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 };
    expect((await rasterOf(await engrave(id, { tone: neutral }))).meanTone).toBe(meanTone);
    const slate = await rasterOf(await engrave(id, { material: 'slate' }));
    for (const tone of [{ localContrast: 60 }, { sharpen: 60 }, { contrast: 40 }]) {
      expect((await rasterOf(await engrave(id, { tone, material: 'slate' }))).data).not.toEqual(slate.data);
    }
  });

  test('is of the part that is framed, of the cut-out, and of all pixels', { tags: ['detail'] }, async () => {
    const id = await upload(await ramp());
    const whole = await rasterOf(await engrave(id));
    const crop = { x: 0.5, y: 0, width: 0.5, height: 0.5 };
    const part = await rasterOf(await engrave(id, { crop, widthMm: 6 }));
    expect([part.widthPx, part.heightPx]).toEqual([60, 40]);
    for (const y of [0, 39]) {
      const row = whole.data.subarray(y * WIDTH + 60, (y + 1) * WIDTH);
      expect(part.data.subarray(y * 60, (y + 1) * 60)).toEqual(row);
    }
    const corners = [
      { x: 0.2, y: 0.1 },
      { x: 0.9, y: 0.1 },
      { x: 0.9, y: 0.9 },
      { x: 0.2, y: 0.9 },
    ];
    const straight = await rasterOf(await engrave(id, { straighten: { corners, aspect: 2 }, crop }));
    expect([straight.widthPx, straight.heightPx]).toEqual([120, 60]);
    // The crop is the upper right of the straightened part.
    expect(straight.meanTone).toBeLessThan(whole.meanTone - 0.1);

    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80"
      fill="#b9d3c0"/><circle cx="60" cy="40" r="25"/></svg>`;
    const disk = await upload(await sharp(Buffer.from(svg)).png().toBuffer());
    const before = await rasterOf(await engrave(disk));
    expect((await post('/api/designs/remove-background', { designId: disk }, ann)).statusCode).toBe(200);
    const cutOut = await rasterOf(await engrave(disk));
    expect([before.data[0], cutOut.data[0], cutOut.data[WIDTH * 40 + 60]]).toEqual([expect.any(Number), 255, 0]);
    expect(before.data[0]).toBeLessThan(230);

    // More pixels than a trace is made from, each other one black.
    const stripes = Uint8Array.from({ length: 2400 * 1600 }, (_, i) => (i % 2) * 255);
    const large = sharp(stripes, { raw: { width: 2400, height: 1600, channels: 1 } });
    const fine = await rasterOf(await engrave(await upload(await large.png().toBuffer()), { widthMm: 240 }));
    expect([fine.widthPx, fine.heightPx, Buffer.compare(fine.data, stripes)]).toEqual([2400, 1600, 0]);
  });

  test('is stored once, costs an account nothing, and leaves the design as it is', async () => {
    const id = await upload(await ramp());
    const before = (await server.app.inject({ url: `/api/designs/${id}`, headers: ann })).json();
    const [charges, done] = [await server.context.db.$count(usage), server.context.media.stats().done];
    const first = (await engrave(id, { method: 'jarvis' })).json();
    const second = (await engrave(id, { method: 'jarvis', tone: { gamma: 1 }, invert: 'auto' })).json();
    expect(second).toEqual({ ...first, url: second.url });
    expect(second.url.split('?')[0]).toBe(first.url.split('?')[0]);
    expect(server.context.media.stats().done).toBe(done + 1);
    for (const changes of [{ method: 'stucki' }, { intervalMm: 0.11 }, { invert: true }, { tone: { sharpen: 1 } }]) {
      const other = (await engrave(id, { method: 'jarvis', ...changes })).json();
      expect(other.url.split('?')[0]).not.toBe(first.url.split('?')[0]);
    }
    expect(await server.context.db.$count(usage)).toBe(charges);
    const after = (await server.app.inject({ url: `/api/designs/${id}`, headers: ann })).json();
    expect([after.vectorizedSvgUrl, after.settings]).toEqual([before.vectorizedSvgUrl, before.settings]);
  });

  test('reports its stages, and is nobody else’s', async () => {
    const id = await upload(await ramp());
    const stream = await engrave(id, {}, { ...ann, accept: PROGRESS_STREAM_TYPE });
    const lines = stream.body.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
    expect(lines.flatMap(({ stage }) => stage ?? [])).toEqual(ENGRAVE_STAGES);
    expect(lines.at(-1)).toMatchObject({ reply: { widthPx: WIDTH } });
    const [theirs, missing] = [await engrave(id, {}, ben), await engrave('nothing', {}, ben)];
    expect([theirs.statusCode, theirs.json().message]).toEqual([404, missing.json().message]);
  });

  test('charges a guest once for a design, together with its traces', async () => {
    const guest = { cookie: `guest=${encodeURIComponent(server.app.signCookie('a-guest-who-engraves'))}` };
    const count = async () =>
      (await server.app.inject({ url: '/api/users/guest-usage', headers: guest })).json().mockupsGenerated;
    const id = await upload(await ramp(), guest);
    for (const method of ['gray', 'ordered']) expect((await engrave(id, { method }, guest)).statusCode).toBe(200);
    expect((await post('/api/designs/vectorize', { designId: id }, guest)).statusCode).toBe(200);
    expect(await count()).toBe(1);
  });
});

describe('a picture of another kind', () => {
  test('all white, all clear or of one pixel is engraved as what it is', async () => {
    const means: number[] = [];
    for (const png of [await plain('#fff'), await plain('#0000'), await plain('#000'), await plain('#000', 1, 1)]) {
      means.push((await rasterOf(await engrave(await upload(png), { method: 'floyd-steinberg' }))).meanTone);
    }
    expect(means).toEqual([0, 0, 1, 1]);
    // Clear pixels stay bare, also where marks are light.
    const clear = await engrave(await upload(await plain('#0000')), { material: 'slate', method: 'jarvis' });
    expect((await rasterOf(clear)).meanTone).toBe(0);
  });

  test('a JPEG in CMYK, a PNG with 16 bits and one in gray have their lightness', async () => {
    const wide = { create: { width: 40, height: 30, channels: 3 as const, background: '#808080' } };
    const cmyk = await sharp(wide).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
    const deep = await sharp(wide).toColourspace('rgb16').png().toBuffer();
    expect((await sharp(deep).metadata()).depth).toBe('ushort');
    const gray = await sharp(wide).toColourspace('b-w').png().toBuffer();
    for (const [bytes, type] of [
      [cmyk, 'image/jpeg'],
      [deep, 'image/png'],
      [gray, 'image/png'],
    ] as const) {
      const { meanTone } = await rasterOf(await engrave(await upload(bytes, ann, type)));
      expect(Math.abs(meanTone - 0.5)).toBeLessThan(type === 'image/jpeg' ? 0.06 : 0.005);
    }
  });

  test('an SVG is drawn as large as its engraving', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><rect width="15" height="20"/></svg>`;
    const id = await upload(Buffer.from(svg), ann, 'image/svg+xml');
    const raster = await rasterOf(await engrave(id, { widthMm: 60, method: 'floyd-steinberg' }));
    expect(raster).toMatchObject({ widthPx: 600, heightPx: 400, meanTone: 0.5 });
    const crop = { x: 0, y: 0, width: 0.5, height: 1 };
    const half = await rasterOf(await engrave(id, { widthMm: 60, crop }));
    expect(half).toMatchObject({ widthPx: 600, heightPx: 800, meanTone: 1 });
  });

  const corners = [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 1, y: 1 },
    { x: 0, y: 1 },
  ];
  test.each<[string, object, number, RegExp]>([
    ['a width of kilometers', { widthMm: 1e9 }, 400, /“widthMm” is too large/],
    ['no width', { widthMm: 0 }, 400, /“widthMm” is too small/],
    ['a negative width', { widthMm: -5 }, 400, /“widthMm” is too small/],
    ['a width of text', { widthMm: '9' }, 400, /“widthMm” must be a number/],
    ['too fine an interval', { intervalMm: 0.01 }, 400, /“intervalMm” is too small: at least 0.05/],
    [
      'too many pixels',
      { widthMm: 3000, intervalMm: 0.05 },
      422,
      /2400 million pixels.*a larger interval or a smaller/,
    ],
    ['an unknown method', { method: 'sierra' }, 400, /must be one of: floyd-steinberg/],
    ['a halftone', { method: 'stipple' }, 400, /must be one of: floyd-steinberg/],
    ['an unknown material', { material: 'granite' }, 400, /must be one of/],
    ['a tone out of range', { tone: { gamma: 9 } }, 400, /“tone.gamma” is too large/],
    ['a tiny crop', { crop: { x: 0, y: 0, width: 0.01, height: 0.01 } }, 400, /at least 8 pixels/],
  ])('%s is refused in a sentence', async (_name, changes, status, sentence) => {
    const id = await upload(await ramp());
    const answer = await engrave(id, changes);
    expect([answer.statusCode, answer.json().message]).toEqual([status, expect.stringMatching(sentence)]);
  });

  test('an SVG cannot be straightened, and a line of pixels has too many of them', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><rect width="15" height="20"/></svg>';
    const drawing = await upload(Buffer.from(svg), ann, 'image/svg+xml');
    const refusal = await engrave(drawing, { straighten: { corners, aspect: 1 } });
    expect([refusal.statusCode, refusal.json().message]).toEqual([400, expect.stringContaining('made of pixels')]);
    const line = await engrave(await upload(await plain('#000', 1, 9000)), { widthMm: 300 });
    expect([line.statusCode, line.json().message]).toEqual([422, expect.stringContaining('million pixels')]);
  });
});
