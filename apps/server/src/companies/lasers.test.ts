import { LASER_LIMITS, MATERIALS } from '@markwright/contract';
import { emptyComposition, laserOperations, parseComposition, saveComposition } from '@markwright/scene';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, repetitions, seed } from '../../test/campaign.ts';
import { createTestApp, formOf, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { seedCatalogue } from '../catalogue/products.ts';

type Headers = Record<string, string>;
let server: TestApp;
let ann: Headers;
let gus: Headers;
beforeAll(async () => {
  server = await createTestApp();
  server.setNow(new Date());
  await seedCatalogue(server.context);
  [ann, gus] = [await server.signUp(), await server.signUp()];
});
afterAll(() => server.close());

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: Headers, payload?: object) =>
  server.app.inject({ method, url, headers, ...(payload && { payload }) });
const LASERS = '/api/company/lasers';
const list = async (headers: Headers) => (await ask('GET', LASERS, headers)).json();
const entry = (changes: object = {}) => ({
  material: 'slate',
  operation: 'engrave',
  settings: { speed: 300, maxPower: 42, interval: 0.08 },
  ...changes,
});
async function sendLibrary(bytes: Uint8Array | string, headers = ann) {
  const file = { bytes: Buffer.from(bytes), filename: 'shop.clb', mediaType: 'application/octet-stream' };
  const form = await formOf({ library: file });
  return server.app.inject({
    method: 'POST',
    url: `${LASERS}/library`,
    payload: form.payload,
    headers: { ...form.headers, ...headers },
  });
}

describe('a shop’s lasers', () => {
  test('are addition, changed and deleted, and are nobody else’s', async () => {
    expect(await list(ann)).toEqual([]);
    const addition = await ask('POST', LASERS, ann, { name: ' Fiber 30 W ', entries: [entry()], companyId: 'x' });
    expect([addition.statusCode, addition.json()]).toEqual([
      200,
      { id: expect.any(String), name: 'Fiber 30 W', entries: [{ ...entry(), source: '' }] },
    ]);
    const { id } = addition.json();
    const change = { name: 'CO2', entries: [entry({ material: 'walnut', source: 'Walnut 3 mm' })] };
    for (const [method, payload] of [
      ['PUT', change],
      ['DELETE', undefined],
    ] as const) {
      const theirs = await ask(method, `${LASERS}/${id}`, gus, payload);
      const missing = await ask(method, `${LASERS}/nothing`, gus, payload);
      expect([theirs.statusCode, theirs.json().message]).toEqual([404, missing.json().message]);
    }
    expect(await list(gus)).toEqual([]);
    expect((await ask('PUT', `${LASERS}/${id}`, ann, change)).json()).toEqual({ id, ...change });
    expect(await list(ann)).toEqual([{ id, ...change }]);
    const takeout = await takeOut(server, ann);
    expect(takeout.lasers).toEqual([change]);
    expect((await ask('DELETE', `${LASERS}/${id}`, ann)).json()).toEqual({ ok: true });
    expect(await list(ann)).toEqual([]);
  });

  test.each([
    [{ name: '​' }, /give the laser a name/],
    [{ name: 'x'.repeat(61) }, /up to 60 characters/],
    [{ entries: [entry({ material: 'granite' })] }, /must be one of/],
    [{ entries: [entry({ settings: { speed: 300 } })] }, /at least a speed and a power/],
    [{ entries: [entry({ settings: { speed: 300, maxPower: 1000 } })] }, /too large: at most 100/],
    [{ entries: [entry({ settings: { speed: 1e308, maxPower: 1 } })] }, /too large/],
    [{ entries: [entry({ settings: { speed: 0, maxPower: 1 } })] }, /too small/],
    [{ entries: [entry(), entry()] }, /“Engrave” stands twice/],
    [{ entries: Array(121).fill(entry()) }, /at most 120 entries/],
  ])('refuse what is wrong, case %#', async (change, sentence) => {
    const answer = await ask('POST', LASERS, ann, { name: 'Fiber', entries: [], ...change });
    expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringMatching(sentence)]);
  });

  test('are at most 20, also when they are added at once', async () => {
    const headers = await server.signUp();
    const answers = await Promise.all(
      Array.from({ length: LASER_LIMITS.lasers + 4 }, (_, i) =>
        ask('POST', LASERS, headers, { name: `Laser ${i}`, entries: [] }),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(4);
    expect(await list(headers)).toHaveLength(LASER_LIMITS.lasers);
  });

  test('hold every material and operation at once', async () => {
    const headers = await server.signUp();
    const entries = MATERIALS.flatMap((material) =>
      laserOperations.map((operation) => ({ ...entry({ material, operation }), source: '' })),
    );
    expect((await ask('POST', LASERS, headers, { name: 'All', entries })).json()).toMatchObject({ entries });
  });
});

const LIBRARY = `<?xml version="1.0"?><LightBurnLibrary DisplayName="Shop">
  <Material name="Slate coaster"><Entry Thickness="4" Desc="Photo"><CutSetting type="Scan">
    <maxPower Value="31"/><speed Value="250"/><unknown Value="9"/></CutSetting></Entry></Material></LightBurnLibrary>`;

describe('a material library', () => {
  test('is read, and nothing of it is stored', async () => {
    const before = await list(gus);
    const answer = await sendLibrary(LIBRARY, gus);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        name: 'Shop',
        entries: [
          {
            ...{ material: 'Slate coaster', thicknessMm: 4, description: 'Photo', operation: 'engrave' },
            settings: { maxPower: 31, speed: 250 },
          },
        ],
      },
    ]);
    expect(await list(gus)).toEqual(before);
  });

  const entities = `<!DOCTYPE x [<!ENTITY a "${'b'.repeat(500)}">${Array.from(
    { length: 12 },
    (_, i) => `<!ENTITY a${i} "${`&a${i - 1};`.repeat(10).replaceAll('&a-1;', '&a;')}">`,
  ).join('')}]><LightBurnLibrary DisplayName="&a11;"/>`;
  const hostileFiles: readonly [string, Uint8Array | string, number][] = [
    ['nothing', '', 422],
    ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0), 422],
    ['another XML', '<svg xmlns="http://www.w3.org/2000/svg"/>', 422],
    ['an entity bomb', entities, 422],
    ['deep nesting', '<LightBurnLibrary>'.repeat(100_000), 422],
    ['a power of 1e308', LIBRARY.replace('"31"', '"1e308"'), 422],
    ['a speed of NaN', LIBRARY.replace('"250"', '"NaN"'), 422],
    ['too many entries', LIBRARY.replace(/(<Entry.*<\/Entry>)/s, (text) => text.slice(0, 200).repeat(6_000)), 422],
    ['more than 2 MB', `${LIBRARY}${' '.repeat(2 * 2 ** 20)}`, 413],
  ];
  test.each(hostileFiles)('%s is refused in a sentence', async (_name, bytes, status) => {
    const answer = await sendLibrary(bytes);
    expect([answer.statusCode, answer.json().message]).toEqual([status, expect.stringMatching(/\.$/)]);
  });

  test('cut anywhere or with broken bytes, it is read or refused', async () => {
    const next = createRandom(seed);
    const whole = Buffer.from(LIBRARY);
    for (let i = 0; i < repetitions(12, 1_000); i++) {
      const bytes = Buffer.from(whole.subarray(0, 1 + Math.floor(next() * whole.length)));
      bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
      const answer = await sendLibrary(bytes);
      expect([200, 422], answer.body).toContain(answer.statusCode);
    }
  });
});

describe('a LightBurn project', () => {
  const compositionOf = (productId: string | undefined, cutText = false) =>
    saveComposition(
      parseComposition({
        version: 0,
        data: {
          ...emptyComposition,
          machine: 'laser',
          productId,
          texts: [{ id: 'a', text: 'Oak', fontFamily: 'Inter', ...(cutText && { operation: 'cut' }) }],
        },
      }),
    );
  let slate: string;
  let headers: Headers;
  beforeAll(async () => {
    headers = await server.signUp();
    await server.takePlan(headers, 'studio');
    const products = (await ask('GET', '/api/products', headers)).json();
    slate = products.find(({ material }: { material: string }) => material === 'slate').productId;
  });
  const make = async (payload: object) =>
    ask('POST', '/api/exports/file', headers, { format: 'lbrn2', composition: compositionOf(slate), ...payload });
  const textOf = async ({ url }: { url: string }) => (await server.app.inject({ url })).body;

  test('has placeholders, then the shop’s speeds and powers for the material, and says which', async () => {
    const without = (await make({})).json();
    expect(without.report.settings).toEqual({
      laser: null,
      material: 'slate',
      layers: [{ id: 'engrave-c00', isPlaceholder: true }],
    });
    expect(await textOf(without)).toContain('SET POWER');

    const fiber = (await ask('POST', LASERS, headers, { name: 'Fiber & <Co>', entries: [entry()] })).json();
    const answer = (await make({})).json();
    expect(answer.report.settings).toEqual({
      laser: 'Fiber & <Co>',
      material: 'slate',
      layers: [{ id: 'engrave-c00', isPlaceholder: false }],
    });
    const project = await textOf(answer);
    expect(project).not.toContain('SET POWER');
    for (const part of ['<maxPower Value="42"/>', '<speed Value="300"/>', '<interval Value="0.08"/>', 'Fiber &amp;']) {
      expect(project).toContain(part);
    }
    expect((await make({ format: 'package' })).json().report.settings).toEqual(answer.report.settings);

    // A change of the settings is another file.
    const faster = [entry({ settings: { speed: 400, maxPower: 42 } })];
    await ask('PUT', `${LASERS}/${fiber.id}`, headers, { name: 'Fiber', entries: faster });
    expect(await textOf((await make({})).json())).toContain('<speed Value="400"/>');

    // With a second laser somebody has to say which; other materials and operations keep placeholders.
    const second = (await ask('POST', LASERS, headers, { name: 'CO2', entries: [] })).json();
    expect((await make({})).json().report.settings.laser).toBeNull();
    expect((await make({ options: { laser: fiber.id } })).json().report.settings.laser).toBe('Fiber');
    const unset = (await make({ options: { laser: second.id } })).json();
    expect(unset.report.settings.layers).toEqual([{ id: 'engrave-c00', isPlaceholder: true }]);
    const foreign = await ask('POST', LASERS, gus, { name: 'Theirs', entries: [entry()] });
    const refusal = await make({ options: { laser: foreign.json().id } });
    expect([refusal.statusCode, refusal.json().message]).toEqual([404, expect.stringContaining('not among those')]);
  });

  test('has the kerf in its outlines and not a second time in its settings', async () => {
    const cut = { material: 'slate', operation: 'cut', settings: { speed: 5, maxPower: 90, kerf: 0.3 } };
    const [laser] = await list(headers);
    await ask('PUT', `${LASERS}/${laser.id}`, headers, { name: 'Fiber', entries: [cut] });
    const makeCut = async (kerfMm?: number) =>
      (await make({ composition: compositionOf(slate, true), options: { laser: laser.id, kerfMm } })).json();
    const [plain, wide] = [await makeCut(), await makeCut(0.2)];
    expect(await textOf(plain)).toContain('<kerf Value="0.3"/>');
    expect(await textOf(wide)).not.toContain('<kerf');
    const lengthOf = ({ report }: typeof plain) => report.layers[0].lengthMm;
    expect(lengthOf(wide)).not.toBeCloseTo(lengthOf(plain), 1);
    expect((await make({ options: { kerfMm: 1.5 } })).statusCode).toBe(400);
  });
});
