import { serialize } from 'node:v8';
import type { PlanId } from '@markwright/contract';
import {
  type AreaShape,
  ArtworkElement,
  applyCommand,
  areaAspect,
  type Command,
  type Composition,
  emptyComposition,
  MOCKUP_PX,
  newCode,
  newShape,
  parseComposition,
  SPIN,
  type Straightening,
  saveComposition,
} from '@markwright/scene';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { repetitions } from '../../test/campaign.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { users } from '../accounts/tables.ts';
import { usage } from '../allowances/tables.ts';
import { seedCatalogue } from '../catalogue/products.ts';
import { products } from '../catalogue/tables.ts';
import { designs } from '../designs/tables.ts';
import { storedFiles } from '../platform/tables.ts';
import { sweepExports } from './madeFiles.ts';
import { exportRecords } from './tables.ts';

type Headers = Record<string, string>;
let server: TestApp;
let maker: Headers;
let logo: Buffer;
let drawing: Buffer;
const PRODUCT = 'tumbler-20oz-stainless';

beforeAll(async () => {
  server = await createTestApp();
  server.setNow(new Date()); // no month begins while charges are counted
  await seedCatalogue(server.context);
  const svg = (inner: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40">${inner}</svg>`);
  drawing = svg('<path fill="#112233" d="M10 5L20 35L30 5Z"/>');
  const picture = svg(
    '<rect width="60" height="40" fill="#fff"/><circle cx="30" cy="20" r="15" fill="#112233"/><circle cx="30" cy="20" r="6" fill="#c81e1e"/>',
  );
  logo = await sharp(picture).resize(240, 160).png().toBuffer();
});
afterAll(() => server.close());
afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  maker = await signUp('studio');
});

async function signUp(plan: PlanId): Promise<Headers> {
  const headers = await server.signUp();
  const { id } = (await server.app.inject({ url: '/api/auth/me', headers })).json();
  const subscriptionStatus = plan === 'free' ? ('inactive' as const) : ('active' as const);
  await server.context.db.update(users).set({ subscriptionPlan: plan, subscriptionStatus }).where(eq(users.id, id));
  return headers;
}
async function upload(bytes: Uint8Array, headers: Headers, filename = 'fox logo.png'): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), filename);
  return (await server.app.inject({ method: 'POST', url: '/api/designs/upload', payload: form, headers })).json().id;
}
const post = (url: string, payload: object, headers: Headers) =>
  server.app.inject({ method: 'POST', url, payload, headers });
const produce = (composition: unknown, headers: Headers, settings: object = {}, designId?: string) =>
  post(
    '/api/designs/vectorize',
    {
      designId,
      settings: { quality: 'high', mode: 'vectorize', paletteSize: 64, despeckle: 1, ...settings },
      composition,
    },
    headers,
  );
const stats = async (headers: Headers) => (await server.app.inject({ url: '/api/users/stats', headers })).json();
const file = async (url: string) => {
  const answer = await server.app.inject({ url });
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  return answer;
};

/** Draws equal jobs once: a drawing costs 1 s, and the same job gives the same bytes. */
function drawEqualJobsOnce(keyOf = (input: unknown): string => serialize(input).toString('base64')): void {
  const { media } = server.context;
  const run = media.run.bind(media) as (...job: unknown[]) => Promise<unknown>;
  const drawings = new Map<string, Promise<unknown>>();
  vi.spyOn(media, 'run').mockImplementation(((kind: string, input: unknown, ...rest: unknown[]) => {
    if (kind !== 'draw') return run(kind, input, ...rest);
    const key = keyOf(input);
    const drawing = drawings.get(key) ?? run(kind, input, ...rest);
    drawings.set(key, drawing);
    return drawing;
  }) as typeof media.run);
}

const arrange = (changes: object) =>
  saveComposition(parseComposition({ version: 0, data: { ...emptyComposition, ...changes } }));
/** Counts the characters of outlines in the file of an answer. */
async function countOutlines(answer: ReturnType<typeof produce>): Promise<number> {
  const { payload } = await file((await answer).json().vectorizedSvgUrl);
  return [...payload.matchAll(/ d="([^"]+)"/g)].reduce((sum, [, d]) => sum + d!.length, 0);
}
const withDesign = (designId: string, changes: object = {}, machine = 'laser') =>
  arrange({ machine, productId: PRODUCT, design: { designId, filename: 'fox logo.png', ...changes } });
const withArtworks = (first: string, second: string) =>
  saveComposition({
    ...emptyComposition,
    machine: 'uv',
    productId: PRODUCT,
    elements: [
      ArtworkElement.parse({ designId: first, x: -20, size: 30 }),
      ArtworkElement.parse({ id: 'b', designId: second, x: 20, size: 30 }),
    ],
  });
const words = [{ id: 't1', text: 'Anna & Bo', fontFamily: 'Lobster', y: 30 }];

describe('the production file', () => {
  test('is refused for a text in a font that is not here, as is the custom SVG, and costs nothing', async () => {
    const before = (await stats(maker)).vectorsUsed;
    const texts = [...words, { id: 't2', text: 'Motto', fontFamily: 'Comic “Sans”', y: 10 }];
    const composition = arrange({ productId: PRODUCT, design: { designId: await upload(logo, maker) }, texts });
    const sentence = 'The font “Comic “Sans”” is not one of the studio. Please choose another font.';
    for (const answer of [
      await produce(composition, maker),
      await post('/api/exports/custom-svg', { composition }, maker),
    ]) {
      expect([answer.statusCode, answer.json().message]).toEqual([422, sentence]);
    }
    expect((await stats(maker)).vectorsUsed).toBe(before);

    // A text that is not cut, because it is hidden or blank, stops nothing.
    const unseen = [...words, { ...texts[1], isHidden: true }, { ...texts[1], id: 't3', text: '  ' }];
    expect((await produce(arrange({ productId: PRODUCT, texts: unseen }), maker)).statusCode).toBe(200);
  });

  test('has every artwork, each traced as it was last shown, for one charge', async () => {
    const [first, second] = [await upload(logo, maker), await upload(logo, maker, 'second.png')];
    const show = (designId: string, colorMode: string) =>
      post('/api/designs/vectorize', { designId, settings: { colorMode } }, maker);
    await show(first, 'black');
    await show(second, 'stainless');
    const before = (await stats(maker)).vectorsUsed;
    const answer = await produce(withArtworks(first, second), maker, { colorMode: 'black' }, first);
    expect(answer.statusCode, answer.body).toBe(200);
    const { payload } = await file(answer.json().vectorizedSvgUrl);
    const fillsOf = (id: string) => {
      const [, group] = payload.match(new RegExp(`<g id="${id}">(.*?)</g>`, 's'))!;
      return new Set([...group!.matchAll(/ fill="([^"]+)"/g)].map(([, fill]) => fill!.toLowerCase()));
    };
    expect(fillsOf('design')).toContain('#000000');
    expect(fillsOf('design-b')).toContain('#8496a9');
    expect(fillsOf('design-b')).not.toContain('#000000');
    expect((await stats(maker)).vectorsUsed).toBe(before + 1);
    // The settings that are sent are those of the named design.
    const other = await upload(logo, maker);
    expect((await produce(withArtworks(first, second), maker, {}, other)).statusCode).toBe(400);
  });

  test('has the true size of the print area and the layers of a laser, and is named after the product', async () => {
    const id = await upload(logo, maker);
    await post('/api/designs/vectorize', { designId: id, settings: {} }, maker);
    const answer = await produce(
      arrange({ machine: 'laser', productId: PRODUCT, design: { designId: id }, texts: words }),
      maker,
    );
    expect(answer.statusCode, answer.body).toBe(200);
    const name = '20_oz_Skinny_Tumbler_Stainless_production.svg';
    expect(answer.json().filename).toBe(name);

    const { headers, payload } = await file(answer.json().vectorizedSvgUrl);
    expect(headers['content-disposition']).toContain('attachment');
    expect(decodeURIComponent(String(headers['content-disposition']))).toContain(name);
    const [product] = await server.context.db.select().from(products).where(eq(products.productId, PRODUCT));
    const [width, height] = product!.dimensions.split('x').map(Number);
    const size = /<svg [^>]*width="([\d.]+)mm" height="([\d.]+)mm"/.exec(payload)!;
    expect(Number(size[1])).toBeCloseTo(width! * 25.4, 1);
    expect(Number(size[2])).toBeCloseTo(height! * 25.4, 0);
    expect(payload).toContain('id="engrave-c00"');
    expect(payload).not.toMatch(/<text|<image|<use|transform=|clip-path|style=/);
  });

  test('is traced with the limits of the machine at its size, and leaves out what is smaller', async () => {
    const dots = [1, 2, 3].map((side, i) => `<rect x="${10 + 30 * i}" y="140" width="${side}" height="${side}"/>`);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160"><rect width="240" height="160" fill="#fff"/><circle cx="120" cy="70" r="50"/>${dots.join('')}</svg>`;
    const id = await upload(await sharp(Buffer.from(svg)).png().toBuffer(), maker);
    await post('/api/designs/vectorize', { designId: id, settings: { colorMode: 'black', despeckle: 1 } }, maker);
    const run = vi.spyOn(server.context.media, 'run');
    const rings = async (size: number) => {
      const answer = await produce(withDesign(id, { size }), maker);
      const { payload } = await file(answer.json().vectorizedSvgUrl);
      const traces = run.mock.calls.flatMap(([kind, input]) =>
        kind === 'trace' ? [input as { options: object }] : [],
      );
      run.mockClear();
      return { rings: payload.match(/Z/g)!.length, options: traces[0]?.options };
    };
    // At this size a dot of 2 pixels is 0.04 mm wide.
    const small = await rings(10);
    expect(small.options).toMatchObject({ minAreaMm2: 0.01, pixelsPerMm: expect.any(Number) });
    const large = await rings(200);
    expect(large.options ?? {}).not.toHaveProperty('pixelsPerMm');
    expect(large.rings).toBeGreaterThan(small.rings);
  });

  test('has the settings that the call leaves out as they were last shown', async () => {
    const id = await upload(logo, maker);
    await post('/api/designs/vectorize', { designId: id, settings: { colorMode: 'color', quality: 'medium' } }, maker);
    const fillsOf = async (settings: object) => {
      const answer = await produce(withDesign(id, {}, 'uv'), maker, settings);
      const { payload } = await file(answer.json().vectorizedSvgUrl);
      return [...new Set([...payload.matchAll(/fill="(#[0-9a-f]{6})"/g)].map(([, color]) => color))].sort();
    };
    expect(await fillsOf({})).toEqual(['#112233', '#c81e1e']);
    expect(await fillsOf({ colorMode: 'black' })).toEqual(['#000000']);
  });

  describe('follows the settings of the call', { tags: ['detail'] }, () => {
    let badge: Buffer;
    let sunset: Buffer;
    beforeAll(async () => {
      const bands = Array.from(
        { length: 24 },
        (_, i) => `<rect x="${i * 10}" y="10" width="10" height="50" fill="hsl(${i * 15} 70% 45%)"/>`,
      );
      const specks = Array.from({ length: 12 }, (_, i) => {
        const side = 1 + (i % 6);
        return `<rect x="${12 + i * 18}" y="150" width="${side}" height="${side}" fill="#203040"/>`;
      });
      badge = await sharp(
        Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120" viewBox="0 0 240 180"><defs><linearGradient id="g"><stop stop-color="#204080"/><stop offset="1" stop-color="#e0c040"/></linearGradient></defs><rect width="240" height="180" fill="#f4e0a0"/>${bands.join('')}<path d="M20 80q30 70 60-5q40 50 60 0q50 40 80 5v40h-200z" fill="url(#g)"/><circle cx="120" cy="125" r="18" fill="#803020"/><circle cx="120" cy="125" r="9" fill="#f4e0a0"/><path d="M10 168C60 160 120 178 230 166" fill="none" stroke="#101010" stroke-width="3"/>${specks.join('')}</svg>`,
        ),
      )
        .png()
        .toBuffer();
    });
    beforeAll(async () => {
      sunset = await sharp(
        Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120" viewBox="0 0 240 180"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#204080"/><stop offset="1" stop-color="#e07040"/></linearGradient></defs><rect width="240" height="180" fill="#f4e0a0"/><circle cx="120" cy="90" r="80" fill="url(#g)"/></svg>',
        ),
      )
        .png()
        .toBuffer();
    });
    const black = { colorMode: 'black' };
    const color = { colorMode: 'color' };
    const files = new Map<string, Promise<string>>();

    const rows: [name: string, stageSettings: object, callSettings: object][] = [
      ['colorMode', color, { colorMode: 'grayscale' }],
      ['colorMode', color, { colorMode: 'stainless' }],
      ['colorMode', black, { colorMode: 'color' }],
      ['paletteSize', color, { paletteSize: 4 }],
      ['paletteSize', { ...color, paletteSize: 4 }, { paletteSize: 64 }],
      ['despeckle', { ...black, despeckle: 6 }, { despeckle: 1 }],
      ['despeckle', { ...black, despeckle: 1 }, { despeckle: 6 }],
      ['drawStyle', black, { drawStyle: 'stroke_shapes' }],
      ['drawStyle', black, { drawStyle: 'centerline' }],
      ['shapeStacking', { ...color, machineType: 'uv' }, { shapeStacking: 'stacked' }],
      ['laserMode', black, { laserMode: 'outline' }],
      ['cutout', { ...color, machineType: 'uv' }, { cutout: true }],
      ['gradients', { ...color, machineType: 'uv' }, { gradients: false }],
      ['simplify', black, { simplify: 100 }],
      ['brightness', color, { brightness: 30 }],
      ['contrast', color, { contrast: -40 }],
      ['threshold', black, { threshold: 70 }],
      ['palette', color, { palette: [{ color: '#803020', paint: '#00ff00' }] }],
      ['quality', black, { quality: 'low' }],
    ];
    const sample = rows.filter((_, i) => i % repetitions(6, 1) === 0);
    test.each(sample)('%s, sent over %j as %j', async (name, stageSettings, callSettings) => {
      const picture = name === 'gradients' || name === 'cutout' ? sunset : badge;
      const machine = 'machineType' in stageSettings ? 'uv' : 'laser';
      const produceAfter = (preview: object, settings: object): Promise<string> => {
        // Many rows begin with the same settings, and equal calls give equal files.
        const key = JSON.stringify([picture === badge, machine, preview, settings]);
        const file = files.get(key) ?? makeAfter(preview, settings);
        files.set(key, file);
        return file;
      };
      const makeAfter = async (preview: object, settings: object) => {
        const designId = await upload(picture, maker);
        await post('/api/designs/vectorize', { designId, settings: preview }, maker);
        const composition = withDesign(designId, {}, machine);
        const call = { designId, composition, settings: { mode: 'vectorize', ...settings } };
        const answer = await post('/api/designs/vectorize', call, maker);
        expect(answer.statusCode, answer.body).toBe(200);
        return (await file(answer.json().vectorizedSvgUrl)).payload;
      };
      const svg = await produceAfter(stageSettings, callSettings);
      // A design that was shown like that gives the same file. Only the quality belongs to the call.
      const sameSettings = 'quality' in callSettings ? callSettings : {};
      expect(svg === (await produceAfter({ ...stageSettings, ...callSettings }, sameSettings))).toBe(true);
      expect(svg === (await produceAfter(stageSettings, {}))).toBe(false);
    });
  });

  test('has the colors of the chosen palette, as have mockup and custom SVG', async () => {
    const id = await upload(logo, maker);
    const settings = { colorMode: 'color', machineType: 'uv', shapeStacking: 'stacked' };
    const preview = await post('/api/designs/vectorize', { designId: id, settings }, maker);
    const fillsOf = (svg: string) => new Set([...svg.matchAll(/fill="(#[0-9a-f]{6})"/g)].map(([, color]) => color));
    const before = fillsOf((await file(preview.json().vectorizedSvgUrl)).payload);
    expect(before).toEqual(new Set(['#112233', '#c81e1e']));

    const palette = [
      { color: '#112233', paint: '#0a8f3c' },
      { color: '#c81e1e', paint: null },
    ];
    await post('/api/designs/vectorize', { designId: id, settings: { ...settings, palette } }, maker);
    const composition = withDesign(id, {}, 'uv');
    const answer = await produce(composition, maker, { colorMode: 'color' });
    const production = (await file(answer.json().vectorizedSvgUrl)).payload;
    expect(fillsOf(production)).toEqual(new Set(['#0a8f3c']));
    // The dot is cut out of the disk, not painted over.
    expect(/ d="([^"]+)"/.exec(production)![1]!.match(/M/g)).toHaveLength(2);
    const custom = await post('/api/exports/custom-svg', { composition }, maker);
    expect(fillsOf((await file(custom.json().url)).payload)).toEqual(new Set(['#0a8f3c']));
    const mockup = await post('/api/exports/mockup', { composition }, maker);
    const { data, info } = await sharp((await file(mockup.json().url)).rawPayload)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    let green = 0;
    let red = 0;
    for (let i = 0; i < data.length; i += info.channels) {
      const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!];
      if (Math.abs(r - 10) + Math.abs(g - 143) + Math.abs(b - 60) < 12) green++;
      if (Math.abs(r - 200) + Math.abs(g - 30) + Math.abs(b - 30) < 12) red++;
    }
    expect([green > 500, red]).toEqual([true, 0]);
  });

  test('of an uploaded drawing has the colors of the chosen palette, on its own outlines', {
    tags: ['detail'],
  }, async () => {
    const id = await upload(drawing, maker, 'star.svg');
    const palette = [{ color: '#112233', paint: '#0a8f3c' }];
    const settings = { colorMode: 'color', machineType: 'uv', palette };
    const answer = await post('/api/designs/vectorize', { designId: id, settings }, maker);
    const { payload } = await file(answer.json().vectorizedSvgUrl);
    expect(payload).toContain('fill="#0a8f3c"');
    expect(/ d="([^"]+)"/.exec(payload)![1]).toMatch(/^M[^MLC]+(L[^MLC]+){2,3}Z$/);
    const none = { ...settings, palette: [{ color: '#112233', paint: null }] };
    const refusal = await post('/api/designs/vectorize', { designId: id, settings: none }, maker);
    expect([refusal.statusCode, refusal.json().message]).toEqual([
      422,
      'Nothing is left of this picture with these settings. Try keeping another color.',
    ]);
  });

  test('of an uploaded drawing keeps its exact corners', async () => {
    const id = await upload(drawing, maker, 'star.svg');
    const answer = await produce(withDesign(id, { size: 100 }), maker, { colorMode: 'black' });
    const { payload } = await file(answer.json().vectorizedSvgUrl);
    const outlines = [...payload.matchAll(/ d="([^"]+)"/g)].map(([, d]) => d!);
    expect(outlines).toHaveLength(1);
    expect(outlines[0]).toMatch(/^M[^MLC]+(L[^MLC]+){2,3}Z$/); // a triangle is still a triangle
  });

  test('of text alone needs no design', async () => {
    const answer = await produce(arrange({ productId: PRODUCT, texts: words }), maker);
    expect(answer.statusCode, answer.body).toBe(200);
    expect((await file(answer.json().vectorizedSvgUrl)).payload).toContain('<path');
  });

  test('of codes and shapes needs no design; a code that cannot be made is refused, and costs nothing', async () => {
    const code = { ...newCode('c'), symbology: 'ean13' as const, data: '4006381333931' };
    const withFigures = (...elements: Composition['elements']) =>
      saveComposition({ ...emptyComposition, productId: PRODUCT, elements });
    const before = (await stats(maker)).vectorsUsed;
    const refusal = await produce(withFigures({ ...code, data: '4006381333932' }, newShape('s')), maker);
    expect(refusal.statusCode).toBe(422);
    expect(refusal.json().message).toBe(
      'A code cannot be made. The last digit does not fit the others: it would be 1. Check all of them.',
    );
    expect((await produce(withFigures({ ...code, data: '' }), maker)).statusCode).toBe(400);
    const hostile = await produce(
      withFigures({ ...newShape('s'), form: 'outline', outline: 'M0 0L1e9 0L"/>Z' }),
      maker,
    );
    expect(hostile.statusCode).toBe(400);
    expect(hostile.json().message).toBe('This arrangement could not be read.');
    expect((await stats(maker)).vectorsUsed).toBe(before);
    const icon = { ...newShape('i'), form: 'outline' as const, outline: 'M0 0L9 0L4 9Z' };
    const answer = await produce(withFigures(code, newShape('s'), icon), maker);
    expect(answer.statusCode, answer.body).toBe(200);
    expect((await file(answer.json().vectorizedSvgUrl)).payload).toContain('<path');
  });

  test('of nothing is rejected', async () => {
    const answer = await produce(arrange({ productId: PRODUCT, texts: [{ id: 'a', text: '  ' }] }), maker);
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'Please upload and vectorize a design first.']);
    expect((await produce(undefined, maker)).statusCode).toBe(400);
  });

  test('of a halftone has its pitch in millimeters at the size of the arrangement', { tags: ['detail'] }, async () => {
    const gray = { width: 240, height: 160, channels: 3 as const, background: '#999' };
    const id = await upload(await sharp({ create: gray }).png().toBuffer(), maker);
    const settings = { drawStyle: 'halftone_lines', angleDeg: 0, pitchMm: 1, widthMm: 55 };
    /** The distances between the middles of lines. The file's unit is the millimeter. */
    const pitchesOf = async (size: number) => {
      const { payload } = await file(
        (await produce(withDesign(id, { size }), maker, settings)).json().vectorizedSvgUrl,
      );
      const outlines = [...payload.matchAll(/ d="([^"]+)"/g)].flatMap(([, d]) => d!.split('M').slice(1));
      const middles = outlines.map((outline) => {
        const ys = outline.match(/-?[\d.]+/g)!.flatMap((value, i) => (i % 2 === 1 ? Number(value) : []));
        return (Math.min(...ys) + Math.max(...ys)) / 2;
      });
      middles.sort((a, b) => a - b);
      return middles.slice(2, -1).map((y, i) => y - middles[i + 1]!);
    };
    const [small, large] = [await pitchesOf(20), await pitchesOf(40)];
    expect(large.length).toBeGreaterThan(1.8 * small.length);
    // Level lines fill their frame: the pitch is stretched to whole ones.
    for (const pitch of [...small, ...large]) expect(Math.abs(pitch - 1)).toBeLessThan(0.1);
  });

  test('without an arrangement is the design’s own trace', async () => {
    const id = await upload(logo, maker);
    const answer = await produce(undefined, maker, { colorMode: 'stainless' }, id);
    expect(answer.json().filename).toBe('fox_logo_production.svg');
    expect((await file(answer.json().vectorizedSvgUrl)).payload).toContain('#8496a9');
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 1 });
  });

  test('needs an account and says so', async () => {
    const answer = await produce(arrange({ texts: words }), {});
    expect([answer.statusCode, answer.json().message]).toEqual([
      401,
      'Create an account to access professional SVG exports for production use.',
    ]);
  });

  test('is rejected before any work when the allowance is used up', async () => {
    const free = await signUp('free');
    const answer = await produce(arrange({ texts: words }), free);
    expect([answer.statusCode, answer.json().message]).toEqual([
      402,
      'Your plan has no vector exports. Starter, the smallest plan with some, has 8 a month.',
    ]);
  });

  test('of a picture that cannot be traced is a 422 and free', async () => {
    const blank = await sharp({ create: { width: 30, height: 30, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const answer = await produce(withDesign(await upload(blank, maker)), maker);
    expect([answer.statusCode, answer.json().message]).toEqual([422, expect.stringContaining('Nothing is left')]);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 0 });
  });

  test.each([
    ['a foreign design', async () => withDesign(await upload(logo, await signUp('free'))), 404],
    [
      'a foreign design beside an own one',
      async () => withArtworks(await upload(logo, maker), await upload(logo, await signUp('free'))),
      404,
    ],
    ['an unknown product', async () => arrange({ productId: 'no-such-blank', texts: words }), 404],
    ['a version from the future', async () => ({ version: 99, data: {} }), 400],
    ['no arrangement at all', async () => ({ version: 0, data: 'x' }), 400],
    ['a text of the wrong shape', async () => ({ version: 0, data: { texts: [{ id: 1 }] } }), 400],
  ])('of %s is rejected with a message', async (_name, make, status) => {
    const answer = await produce(await make(), maker);
    expect([answer.statusCode, typeof answer.json().message]).toEqual([status, 'string']);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 0 });
  });

  test('of one design with the arrangement of another is rejected', async () => {
    const [a, b] = [await upload(logo, maker), await upload(logo, maker)];
    expect((await produce(withDesign(a), maker, {}, b)).statusCode).toBe(400);
  });
});

describe('the charge of an export', () => {
  test('the same arrangement again is free, another is not, and the custom SVG shares the charge', async () => {
    const id = await upload(logo, maker);
    await post('/api/designs/vectorize', { designId: id, settings: {} }, maker);
    await produce(withDesign(id), maker);
    await produce(withDesign(id, { filename: 'another label', aspect: 3 }), maker);
    await produce({ ...withDesign(id), data: { ...(withDesign(id).data as object), productAngleDeg: 90 } }, maker);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 1 });

    const custom = await post('/api/exports/custom-svg', { composition: withDesign(id) }, maker);
    expect(custom.statusCode, custom.body).toBe(200);
    expect(custom.json().filename).toMatch(/_engraving-design\.svg$/);
    expect((await file(custom.json().url)).payload).toMatch(/<svg [^>]*width="1000" height="1000"/);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 1 });

    await produce(withDesign(id, { x: 5 }), maker);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 2, mockupsUsed: 0 });

    const [line] = words;
    await produce(arrange({ productId: PRODUCT, texts: [line] }), maker);
    const retypedTexts = [
      { ...line, id: 'another', text: ` ${line!.text} ` },
      { id: 'blank', text: ' ' },
    ];
    await produce(arrange({ productId: PRODUCT, texts: retypedTexts }), maker);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 3 });
    await produce(arrange({ productId: PRODUCT, texts: [{ ...line, text: 'Bo & Anna' }] }), maker);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 4 });
  });

  test('the same composition is paid with each trace, whatever part of its frame is ink', async () => {
    const id = await upload(logo, maker);
    await post('/api/designs/vectorize', { designId: id, settings: {} }, maker);
    const crop = { x: 0.1, y: 0, width: 0.7, height: 0.9 };
    const [product] = await server.context.db.select().from(products).where(eq(products.productId, PRODUCT));
    const make = async (...commands: Command[]) => {
      const start = parseComposition(withDesign(id, { x: 3.21, y: -7.77, size: 63, angleDeg: 25, crop }));
      const answer = await produce(saveComposition(commands.reduce(applyCommand, start)), maker);
      expect(answer.statusCode, answer.body).toBe(200);
      return (await stats(maker)).vectorsUsed;
    };
    // The part of the picture that is cropped, in pixels.
    const aspect = 168 / 144;
    const trim = (x: number, y: number, width: number, height: number): Command => {
      return {
        type: 'trimDesign',
        id: 'design',
        ink: { x, y, width, height },
        aspect,
        areaAspect: areaAspect({}, product),
      };
    };
    expect(await make(trim(0.2, 0.1, 0.5, 0.8))).toBe(1);
    expect(await make(trim(0.25, 0.15, 0.4, 0.7))).toBe(1);
    expect(await make(trim(0.25, 0.15, 0.4, 0.7), { type: 'flip', elementId: 'design' })).toBe(2);
  });

  test('names, locks and hidden elements are free; the z-order is charged', async () => {
    const id = await upload(logo, maker);
    await post('/api/designs/vectorize', { designId: id, settings: {} }, maker);
    const make = (changes: object, design: object = {}) =>
      produce(arrange({ productId: PRODUCT, design: { designId: id, ...design }, texts: words, ...changes }), maker);
    const countUsed = async () => (await stats(maker)).vectorsUsed;
    await make({});
    expect(await countUsed()).toBe(1);
    const unseen = { ...words[0], id: 'x', text: 'Not this', isHidden: true };
    const namedText = { ...words[0], name: 'Motto', isLocked: true };
    await make({ texts: [unseen, namedText], textsUnderDesign: 1 }, { name: 'Crest', isLocked: true });
    expect(await countUsed()).toBe(1);
    await make({ textsUnderDesign: 1 });
    expect(await countUsed()).toBe(2);
    const alone = await make({}, { isHidden: true });
    expect(alone.statusCode, alone.body).toBe(200);
    expect(await countUsed()).toBe(3);

    const [line] = words;
    await make({ texts: [{ ...line, lineSpacing: 150 }] });
    expect(await countUsed()).toBe(3);
    for (const look of [{ bend: 20 }, { letterSpacing: 5 }]) await make({ texts: [{ ...line, ...look }] });
    expect(await countUsed()).toBe(5);

    const [both, wordsOnly] = await Promise.all([make({}), make({}, { isHidden: true })].map(countOutlines));
    expect(wordsOnly).toBeLessThan(both!);
    const nothing = await make({ texts: [{ ...words[0], isHidden: true }] }, { isHidden: true });
    expect(nothing.statusCode).toBe(400);
    expect(nothing.json().message).toBe('Please upload and vectorize a design first.');
  });

  test('records charge nothing and are stored once', async () => {
    const record = { designFilename: 'fox.png', vectorMode: 'laser' };
    for (let i = 0; i < 3; i++) {
      const answer = await post('/api/exports/record-vector', record, maker);
      expect(answer.json()).toEqual({ recorded: true });
    }
    await post('/api/exports/record-mockup', { productName: 'Mug', designFilename: null }, maker);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 0, mockupsUsed: 0 });
    const { id } = (await server.app.inject({ url: '/api/auth/me', headers: maker })).json();
    expect(await server.context.db.$count(exportRecords, eq(exportRecords.userId, id))).toBe(2);
    expect((await post('/api/exports/record-mockup', { productName: 'Mug' }, {})).json()).toEqual({ recorded: true });
  });
});

describe('the custom SVG', () => {
  test('needs a design that was vectorized', async () => {
    const wordsOnly = await post('/api/exports/custom-svg', { composition: arrange({ texts: words }) }, maker);
    expect([wordsOnly.statusCode, wordsOnly.json().message]).toEqual([
      400,
      'Please upload and vectorize a design first.',
    ]);
    const untracedAnswer = await post(
      '/api/exports/custom-svg',
      { composition: withDesign(await upload(logo, maker)) },
      maker,
    );
    expect([untracedAnswer.statusCode, untracedAnswer.json().message]).toEqual([
      422,
      'Please upload and vectorize a design first.',
    ]);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 0 });
  });
});

describe('the mockup', () => {
  const mockup = (composition: unknown, headers: Headers) => post('/api/exports/mockup', { composition }, headers);

  test('shows product and design at 2x, charged once for each arrangement', async () => {
    const id = await upload(logo, maker);
    await post('/api/designs/vectorize', { designId: id, settings: {} }, maker);
    const answer = await mockup(withDesign(id), maker);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json().filename).toMatch(/^20_oz.*_preview\.png$/);
    const picture = (await file(answer.json().url)).rawPayload;
    const { width, height } = await sharp(picture).metadata();
    expect(Math.max(width, height)).toBe(MOCKUP_PX);

    const textAlone = await mockup(
      arrange({ productId: PRODUCT, texts: [{ id: 'a', text: '.', y: 50, x: 50 }] }),
      maker,
    );
    expect(await differs(picture, (await file(textAlone.json().url)).rawPayload, 0.005)).toBe(true);
    const bare = await sharp({ create: { width, height, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    // The product is visible.
    expect(await differs((await file(textAlone.json().url)).rawPayload, bare, 0.05)).toBe(true);

    await mockup(withDesign(id), maker);
    expect(await stats(maker)).toMatchObject({ mockupsUsed: 1, vectorsUsed: 0 });
    await mockup(withDesign(id, { x: 10 }), maker);
    expect(await stats(maker)).toMatchObject({ mockupsUsed: 2, vectorsUsed: 0 });
  });

  test('shows a blank at an angle at the same charge, where it can be turned', { tags: ['detail'] }, async () => {
    const id = await upload(logo, maker);
    const turnMockup = (composition: unknown, turnDeg: number) =>
      post('/api/exports/mockup', { composition, turnDeg }, maker);
    const front = await mockup(withDesign(id, {}, 'uv'), maker);
    const side = await turnMockup(withDesign(id, {}, 'uv'), 60);
    expect([front.statusCode, side.statusCode], side.body).toEqual([200, 200]);
    const [frontPicture, sidePicture] = [
      (await file(front.json().url)).rawPayload,
      (await file(side.json().url)).rawPayload,
    ];
    expect(await differs(frontPicture, sidePicture, 0.005)).toBe(true);
    expect(await stats(maker)).toMatchObject({ mockupsUsed: 1 });
    for (const [productId, message] of [
      ['mug-11oz-white', 'A product with a handle cannot be turned: its picture has the handle at the side.'],
      ['coaster-slate-square', 'Only a round product can be turned.'],
    ]) {
      const answer = await turnMockup(arrange({ productId, texts: words }), 60);
      expect([answer.statusCode, answer.json().message]).toEqual([400, message]);
    }
    expect((await turnMockup(arrange({ productId: PRODUCT, texts: words }), 1000)).statusCode).toBe(400);
  });

  test('stands in a scene at the same charge', { tags: ['detail'] }, async () => {
    const id = await upload(logo, maker);
    const inScene = (composition: unknown, scene: string) => post('/api/exports/mockup', { composition, scene }, maker);
    await mockup(withDesign(id, {}, 'uv'), maker);
    const answer = await inScene(withDesign(id, {}, 'uv'), 'wood');
    expect(answer.statusCode, answer.body).toBe(200);
    const picture = (await file(answer.json().url)).rawPayload;
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: MOCKUP_PX, height: MOCKUP_PX });
    expect(await stats(maker)).toMatchObject({ mockupsUsed: 1 });

    expect((await inScene(withDesign(id, {}, 'uv'), 'moon')).statusCode).toBe(400);
    const bare = await inScene(arrange({ texts: words }), 'wood');
    expect([bare.statusCode, bare.json().message]).toEqual([400, 'A scene needs a product to stand in it.']);
  });

  test('moves once around a blank at the same charge, where it can be turned', { tags: ['detail'] }, async () => {
    const id = await upload(logo, maker);
    const spin = (composition: unknown) => post('/api/exports/mockup', { composition, spin: true }, maker);
    await mockup(withDesign(id, {}, 'uv'), maker);
    const answer = await spin(withDesign(id, {}, 'uv'));
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json().filename).toMatch(/_spin\.webp$/);
    const webp = (await file(answer.json().url)).rawPayload;
    const { format, pages, loop, width, pageHeight, delay } = await sharp(webp, { animated: true }).metadata();
    expect([format, loop, Math.max(width, pageHeight!)]).toEqual(['webp', 0, SPIN.sidePx]);
    // Equal pictures, of the side without a mark, are one that lasts longer.
    expect(delay!.reduce((sum, ms) => sum + ms)).toBe(SPIN.frames * SPIN.frameMs);
    // The mark is on the back after half a turn.
    const [front, back] = await Promise.all(
      [0, Math.round(pages! / 2)].map((page) => sharp(webp, { page }).png().toBuffer()),
    );
    const still = (await file((await mockup(withDesign(id, {}, 'uv'), maker)).json().url)).rawPayload;
    const small = await sharp(still).resize(width, pageHeight!).png().toBuffer();
    expect(3 * (await meanChange(front!, small))).toBeLessThan(await meanChange(back!, small));
    expect(await stats(maker)).toMatchObject({ mockupsUsed: 1 });
    const flat = await spin(arrange({ productId: 'coaster-slate-square', texts: words }));
    expect([flat.statusCode, flat.json().message]).toEqual([400, 'Only a round product can be turned.']);
  });

  test('of text alone is free for every account, also with a hidden design; its production file counts', async () => {
    drawEqualJobsOnce(() => 'any'); // what a picture shows does not matter here
    const free = await signUp('free');
    const designId = await upload(logo, free);
    for (let i = 0; i < 5; i++) {
      const texts = [{ ...words[0], y: 10 * i }];
      const hiddenDesign = { designId, filename: 'fox logo.png', isHidden: true };
      const changes = i === 4 ? { texts, design: hiddenDesign } : { texts };
      const answer = await mockup(arrange({ productId: PRODUCT, ...changes }), free);
      expect(answer.statusCode, answer.body).toBe(200);
    }
    expect(await stats(free)).toMatchObject({ mockupsUsed: 0, mockupsLimit: 4 });

    vi.restoreAllMocks();
    await produce(arrange({ productId: PRODUCT, texts: words }), maker);
    expect(await stats(maker)).toMatchObject({ mockupsUsed: 0, vectorsUsed: 1 });
  });

  test('shows an untraced picture as it is', async () => {
    const answer = await mockup(withDesign(await upload(logo, maker), {}, 'uv'), maker);
    expect(answer.statusCode, answer.body).toBe(200);
    const { data } = await sharp((await file(answer.json().url)).rawPayload)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    let reds = 0;
    for (let i = 0; i < data.length; i += 3) if (data[i]! > 180 && data[i + 1]! < 60 && data[i + 2]! < 60) reds++;
    expect(reds).toBeGreaterThan(1000);
  });

  test('has a watermark on the free plan only', async () => {
    drawEqualJobsOnce();
    const composition = arrange({ productId: PRODUCT, texts: words });
    const pictureOf = async (headers: Headers) => {
      const answer = await mockup(composition, headers);
      expect(answer.statusCode, answer.body).toBe(200);
      return (await file(answer.json().url)).rawPayload;
    };
    const withWatermark = await pictureOf(await signUp('free'));
    const clean = await pictureOf(maker);
    expect(await differs(withWatermark, clean, 0.001)).toBe(true);
    for (const plan of ['starter', 'pro', 'studio', 'agency'] as const) {
      expect(await differs(clean, await pictureOf(await signUp(plan)), 0), plan).toBe(false);
    }
    expect(await differs(withWatermark, await pictureOf(await signUp('free')), 0)).toBe(false);

    const { id } = (await server.app.inject({ url: '/api/auth/me', headers: maker })).json();
    const pictureWithStatus = async (subscriptionStatus: 'past_due' | 'inactive') => {
      await server.context.db.update(users).set({ subscriptionStatus }).where(eq(users.id, id));
      return pictureOf(maker);
    };
    expect(await differs(clean, await pictureWithStatus('past_due'), 0)).toBe(false);
    expect(await differs(withWatermark, await pictureWithStatus('inactive'), 0)).toBe(false);
  });

  test('is limited to four a month on the free plan', async () => {
    const free = await signUp('free');
    const { id } = (await server.app.inject({ url: '/api/auth/me', headers: free })).json();
    const period = server.context.now();
    const start = new Date(Date.UTC(period.getUTCFullYear(), period.getUTCMonth()));
    for (let i = 0; i < 4; i++) {
      const row = {
        owner: `user:${id}`,
        kind: 'mockup' as const,
        period: start,
        key: `k${i}`,
        state: 'settled' as const,
      };
      await server.context.db
        .insert(usage)
        .values({ id: `m${id}-${i}`, holders: 0, leaseUntil: start, createdAt: start, ...row });
    }
    const answer = await mockup(withDesign(await upload(logo, free)), free);
    expect([answer.statusCode, answer.json().message]).toEqual([
      402,
      "You've used all 4 image mockups this month. Upgrade to export more.",
    ]);
    expect((await mockup(arrange({ texts: words }), free)).statusCode).toBe(200);
  });
});

/** Returns the left, top, right and bottom of the paths of a file. */
const boundsOf = (svg: string) => {
  const numbers = [...svg.matchAll(/ d="([^"]+)"/g)].flatMap(([, d]) => (d!.match(/-?[\d.]+/g) ?? []).map(Number));
  const [xs, ys] = [numbers.filter((_, i) => i % 2 === 0), numbers.filter((_, i) => i % 2 === 1)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

describe('a straightened design', () => {
  /** A bar of 100 × 50 in the middle of a picture of 240 × 160, turned clockwise by 10°. */
  const tiltedBar = () =>
    sharp(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160"><rect width="240" height="160" fill="#fff"/><rect x="70" y="55" width="100" height="50" fill="#111" transform="rotate(10 120 80)"/></svg>',
      ),
    )
      .png()
      .toBuffer();
  const [c, s] = [Math.cos(Math.PI / 18), Math.sin(Math.PI / 18)];
  const round = (value: number) => Number(value.toFixed(6));
  const toCorner = (x: number, y: number) => ({
    x: round(0.5 + (c * x - s * y) / 240),
    y: round(0.5 + (s * x + c * y) / 160),
  });
  const corners: Straightening['corners'] = [
    toCorner(-120, -75),
    toCorner(120, -75),
    toCorner(120, 75),
    toCorner(-120, 75),
  ];
  const straighten = { corners, aspect: 1.6 };
  const sizeOf = (svg: string) => {
    const [left, top, right, bottom] = boundsOf(svg);
    return [right! - left!, bottom! - top!] as const;
  };
  const arrangeStraight = (id: string) => {
    const whole = parseComposition(withDesign(id, { aspect: 1.5 }));
    return saveComposition(
      applyCommand(whole, {
        type: 'cropDesign',
        id: 'design',
        crop: undefined,
        straighten,
        pictureAspect: 1.6,
        areaAspect: 1,
      }),
    );
  };

  test('is straight in the production file, in the custom SVG, and paid once', async () => {
    const id = await upload(await tiltedBar(), maker);
    await post('/api/designs/vectorize', { designId: id, settings: { colorMode: 'black' } }, maker);
    const [tiltedWidth, tiltedHeight] = sizeOf(
      (await file((await produce(withDesign(id, { aspect: 1.5 }), maker)).json().vectorizedSvgUrl)).payload,
    );
    expect(tiltedWidth / tiltedHeight).toBeLessThan(1.75);
    const answer = await produce(arrangeStraight(id), maker);
    expect(answer.statusCode, answer.body).toBe(200);
    const [width, height] = sizeOf((await file(answer.json().vectorizedSvgUrl)).payload);
    expect(width / height).toBeCloseTo(2, 1);
    expect((await produce(arrangeStraight(id), maker)).statusCode).toBe(200);
    const custom = await post('/api/exports/custom-svg', { composition: arrangeStraight(id) }, maker);
    expect(custom.statusCode, custom.body).toBe(200);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 2 });
  });

  test('is refused with corners that are no quadrilateral', async () => {
    const id = await upload(await tiltedBar(), maker);
    await post('/api/designs/vectorize', { designId: id, settings: {} }, maker);
    const [a, b, c, d] = corners;
    const { version, data } = arrangeStraight(id);
    const crossedData = JSON.stringify(data).replace(JSON.stringify(corners), JSON.stringify([a, c, b, d]));
    expect(crossedData).not.toBe(JSON.stringify(data));
    const answer = await produce({ version, data: JSON.parse(crossedData) }, maker);
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'This arrangement could not be read.']);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 0 });
  });
});

describe('a cropped design', () => {
  /** A bar in the right half of a picture of 240 × 160. */
  const bar = () =>
    sharp(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160"><rect width="240" height="160" fill="#fff"/><rect x="140" y="40" width="80" height="70" fill="#111"/></svg>',
      ),
    )
      .png()
      .toBuffer();
  const crop = { x: 0.5, y: 0, width: 0.5, height: 1 };

  /** Returns the composition of the whole picture, and that of its right half as the studio makes it. */
  async function arrangeBoth(id: string, machine?: string) {
    const [product] = await server.context.db.select().from(products).where(eq(products.productId, PRODUCT));
    const areaAspect = (product!.printArea.width * product!.pictureAspect) / product!.printArea.height;
    const whole = parseComposition(withDesign(id, { aspect: 1.5, x: 3, angleDeg: 90 }, machine));
    const half = applyCommand(whole, { type: 'cropDesign', id: 'design', crop, pictureAspect: 1.5, areaAspect });
    return [saveComposition(whole), saveComposition(half)] as const;
  }

  test('keeps the visible part in place, to the hundredth of a millimeter, in file and mockup', {
    tags: ['detail'],
  }, async () => {
    const id = await upload(await bar(), maker);
    const settings = { colorMode: 'black' };
    const [whole, half] = await arrangeBoth(id);
    await post('/api/designs/vectorize', { designId: id, settings }, maker);
    const before = boundsOf((await file((await produce(whole, maker)).json().vectorizedSvgUrl)).payload);
    const mockupOf = async (composition: unknown) =>
      (await file((await post('/api/exports/mockup', { composition }, maker)).json().url)).rawPayload;
    // As UV print, because the brush of engraved steel begins with each mark.
    const [wholePrint, halfPrint] = await arrangeBoth(id, 'uv');
    const mockupBefore = await mockupOf(wholePrint);

    const preview = await post('/api/designs/vectorize', { designId: id, settings: { ...settings, crop } }, maker);
    expect((await file(preview.json().vectorizedSvgUrl)).payload).toContain('viewBox="0 0 120 160"');
    const after = boundsOf((await file((await produce(half, maker)).json().vectorizedSvgUrl)).payload);
    after.forEach((side, k) => {
      expect(side).toBeCloseTo(before[k]!, 2);
    });
    // A quarter turn: 80 px of the picture lie along the height.
    expect((after[3]! - after[1]!) / (after[2]! - after[0]!)).toBeCloseTo(80 / 70, 2);
    expect(await differs(mockupBefore, await mockupOf(halfPrint), 0)).toBe(false);
  });

  test('ends at the shape of its product’s print area', { tags: ['detail'] }, async () => {
    const id = await upload(await bar(), maker);
    await post('/api/designs/vectorize', { designId: id, settings: { colorMode: 'black' } }, maker);
    const [, half] = await arrangeBoth(id);
    const isProduct = eq(products.productId, PRODUCT);
    const [product] = await server.context.db.select().from(products).where(isProduct);
    const { printArea } = product!;
    const boxWith = async (shape: AreaShape | undefined) => {
      await server.context.db
        .update(products)
        .set({ printArea: { ...printArea, shape } })
        .where(isProduct);
      return boundsOf((await file((await produce(half, maker)).json().vectorizedSvgUrl)).payload);
    };
    try {
      const whole = await boxWith(undefined);
      expect(await boxWith({ kind: 'rectangle' })).toEqual(whole);
      // A strip of 5 mm across the mark, 3 mm below its top.
      const heightMm = Number(product!.dimensions.split('x')[1]) * 25.4;
      const [top, bottom] = [(whole[1]! + 3) / heightMm, (whole[1]! + 8) / heightMm];
      expect(whole[3]! - whole[1]!).toBeGreaterThan(9);
      const strip = await boxWith({ kind: 'outline', d: `M0 ${top}L1 ${top}L1 ${bottom}L0 ${bottom}Z` });
      expect(strip[1]).toBeCloseTo(whole[1]! + 3, 1);
      expect(strip[3]).toBeCloseTo(whole[1]! + 8, 1);
    } finally {
      await server.context.db.update(products).set({ printArea }).where(isProduct);
    }
  });

  test('follows the arrangement, not the last preview', async () => {
    const id = await upload(await bar(), maker);
    const [whole, half] = await arrangeBoth(id);
    await post('/api/designs/vectorize', { designId: id, settings: {} }, maker);
    const answer = await produce(half, maker);
    expect(answer.statusCode, answer.body).toBe(200);
    const halfBounds = boundsOf((await file(answer.json().vectorizedSvgUrl)).payload);
    const other = boundsOf((await file((await produce(whole, maker)).json().vectorizedSvgUrl)).payload);
    halfBounds.forEach((side, k) => {
      expect(side).toBeCloseTo(other[k]!, 2);
    });
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 2 });
  });

  test('that leaves nearly nothing is rejected and free', async () => {
    const id = await upload(await bar(), maker);
    await post('/api/designs/vectorize', { designId: id, settings: {} }, maker);
    const answer = await produce(withDesign(id, { crop: { x: 0, y: 0, width: 0.01, height: 1 } }), maker);
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      'A crop must leave at least 8 pixels of the picture each way.',
    ]);
    expect(await stats(maker)).toMatchObject({ vectorsUsed: 0 });
  });
});

test('center lines go through a mockup, and into the file of a laser as lines to score', {
  tags: ['detail'],
}, async () => {
  const ring =
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="#fff"/><circle cx="200" cy="200" r="140" fill="none" stroke="#111" stroke-width="12"/></svg>';
  const id = await upload(await sharp(Buffer.from(ring)).png().toBuffer(), maker);
  await post(
    '/api/designs/vectorize',
    { designId: id, settings: { drawStyle: 'centerline', machineType: 'laser' } },
    maker,
  );
  const { payload } = await file((await produce(withDesign(id), maker)).json().vectorizedSvgUrl);
  expect(payload).toContain('id="score-c01"');
  expect(payload).toMatch(/fill="none"[^>]*stroke="#0000FF"|stroke="#0000FF"[^>]*fill="none"/i);
  expect(payload).not.toContain('id="engrave');
  const mockup = await post('/api/exports/mockup', { composition: withDesign(id) }, maker);
  expect(mockup.statusCode, mockup.body).toBe(200);
});

test('the same file of an unchanged design is stored once, and another one beside it', async () => {
  const id = await upload(logo, maker);
  await post('/api/designs/vectorize', { designId: id, settings: {} }, maker);
  const urlOf = async (answer: ReturnType<typeof post>, name: 'url' | 'vectorizedSvgUrl') => {
    const { statusCode, body } = await answer;
    expect(statusCode, body).toBe(200);
    return (JSON.parse(body) as Record<string, string>)[name]!;
  };
  const mockup = (changes: object = {}) => post('/api/exports/mockup', { composition: withDesign(id, changes) }, maker);
  const ways = [
    async (changes?: object) => (await urlOf(mockup(changes), 'url')).split('?')[0],
    async (changes?: object) =>
      (await urlOf(produce(withDesign(id, changes), maker), 'vectorizedSvgUrl')).split('?')[0],
  ];
  const countExports = () => server.context.db.$count(storedFiles, eq(storedFiles.kind, 'exports'));
  for (const make of ways) {
    const path = await make();
    const count = await countExports();
    for (let round = 0; round < 2; round++) expect(await make()).toBe(path);
    expect(await countExports()).toBe(count);
    expect(await make({ x: 3 })).not.toBe(path);
    expect(await countExports()).toBe(count + 1);
  }

  // A file that was swept is made again.
  const path = await ways[0]!();
  await server.context.files.delete(path!.slice('/files/'.length));
  expect((await file(await urlOf(mockup(), 'url'))).rawPayload.length).toBeGreaterThan(1000);
});

test('sweeps exported files after some days, but not designs', async () => {
  const id = await upload(logo, maker);
  const { url } = (await post('/api/exports/mockup', { composition: arrange({ texts: words }) }, maker)).json();
  await sweepExports(server.context);
  await file(url);
  server.setNow(new Date(Date.now() + 5 * 24 * 60 * 60 * 1000));
  await sweepExports(server.context);
  server.setNow();
  expect((await server.app.inject({ url })).statusCode).toBe(404);
  const [row] = await server.context.db.select().from(designs).where(eq(designs.id, id));
  expect(await server.context.files.get(row!.originalKey)).toBeDefined();
});

/** Returns how far two pictures of one size are apart on average, of 255. */
async function meanChange(a: Uint8Array, b: Uint8Array): Promise<number> {
  const [first, second] = await Promise.all([a, b].map((picture) => sharp(picture).removeAlpha().raw().toBuffer()));
  return first!.reduce((sum, value, i) => sum + Math.abs(value - second![i]!), 0) / first!.length;
}

/** Returns true when more than a share of the pixels of two pictures differ clearly. */
async function differs(a: Uint8Array, b: Uint8Array, share: number): Promise<boolean> {
  if (Buffer.compare(a, b) === 0) return false; // the same file, without decoding it
  const [first, second] = await Promise.all([a, b].map((picture) => sharp(picture).removeAlpha().raw().toBuffer()));
  let count = 0;
  for (let i = 0; i < first!.length; i += 3) {
    let change = 0;
    for (let k = i; k < i + 3; k++) change = Math.max(change, Math.abs(first![k]! - second![k]!));
    if (change > 8) count++;
  }
  return count / (first!.length / 3) > share;
}
