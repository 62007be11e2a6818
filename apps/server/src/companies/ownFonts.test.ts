import { emptyComposition, newText, saveComposition } from '@markwright/scene';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bundledFont,
  endlessFonts,
  hostileFonts,
  plainPostScript,
  plainTrueType,
} from '../../../../packages/scene/test/fontFiles.ts';
import { isStress } from '../../test/campaign.ts';
import { createTestApp, formOf, type TestApp } from '../../test/server.ts';
import { makeBatches } from '../exports/batchRun.ts';
import { storedFiles } from '../platform/tables.ts';
import { readSections } from '../privacy/takeout.ts';
import { ownFontKey, sweepOwnFonts } from './ownFonts.ts';
import { companyFonts } from './tables.ts';

type Headers = Record<string, string>;
const FONTS = '/api/company/fonts';
let server: TestApp;
let ann: Headers;
beforeAll(async () => {
  server = await createTestApp();
  server.setNow(new Date());
  ann = await server.signUp();
  await server.takePlan(ann, 'studio');
});
afterAll(() => server.close());

async function send(bytes: Uint8Array, headers = ann, { filename = 'My font.ttf', hasRight = 'true' } = {}) {
  const form = await formOf({ font: { bytes, filename, mediaType: 'font/ttf' }, ...(hasRight && { hasRight }) });
  const request = { method: 'POST', url: FONTS, payload: form.payload } as const;
  return server.app.inject({ ...request, headers: { ...form.headers, ...headers } });
}
const list = async (headers: Headers) => (await server.app.inject({ url: FONTS, headers })).json();
const call = (method: 'PUT' | 'DELETE', id: string, headers: Headers, payload?: object) =>
  server.app.inject({ method, url: `${FONTS}/${id}`, headers, ...(payload && { payload }) });
const compositionIn = (fontFamily: string, text = 'Oak') =>
  saveComposition({ ...emptyComposition, elements: [{ ...newText('name'), text, fontFamily, heightInches: 0.4 }] });
const make = (url: string, payload: object, headers = ann) =>
  server.app.inject({ method: 'POST', url, payload, headers });
const readFile = async (url: string) => (await server.app.inject({ url })).rawPayload;

describe('an account’s own font', () => {
  test('is added, listed, and sets texts in files and mockups as a bundled one does', async () => {
    const answer = await send(bundledFont('rye'));
    expect(answer.statusCode, answer.body).toBe(200);
    const font = answer.json();
    expect([font.name, font.letters > 150]).toEqual(['Rye Regular', true]);
    expect(await list(ann)).toEqual([font]);
    const outlines = await server.app.inject({ url: font.url });
    expect([outlines.headers['content-type'], outlines.rawPayload.length]).toEqual(['font/otf', font.sizeBytes]);

    const pathOf = async (family: string) => {
      const reply = await make('/api/exports/file', { composition: compositionIn(family), format: 'svg' });
      expect(reply.statusCode, reply.body).toBe(200);
      return { url: reply.json().url, path: / d="([^"]+)"/.exec((await readFile(reply.json().url)).toString())![1]! };
    };
    const [own, studio] = [await pathOf(`own:${font.id}`), await pathOf('Rye')];
    // Alike but for the rounding of outlines.
    const shapeOf = (path: string) => path.replace(/-?[\d.]+/g, '0');
    const numbersOf = (path: string) => path.match(/-?(?:\d+\.?\d*|\.\d+)/g)!.map(Number);
    expect(shapeOf(own.path)).toBe(shapeOf(studio.path));
    const numbers = numbersOf(studio.path);
    const furthestMm = Math.max(...numbersOf(own.path).map((value, i) => Math.abs(value - numbers[i]!)));
    expect([numbers.length > 500, furthestMm < 0.005]).toEqual([true, true]);
    const mockup = await make('/api/exports/mockup', { composition: compositionIn(`own:${font.id}`) });
    expect(mockup.statusCode, mockup.body).toBe(200);
  });

  test('is held by a list of names that is being made; files outlive it, and none is made without it', async () => {
    const font = (await send(plainTrueType())).json();
    const file = { composition: compositionIn(`own:${font.id}`, 'AB'), format: 'svg' };
    const { url: fileUrl } = (await make('/api/exports/file', file)).json();
    const batch = {
      ...{ composition: compositionIn(`own:${font.id}`, '{name}'), columns: ['name'], rows: [['A'], ['AB']] },
      ...{ fit: { widthsMm: { 'text:name': 60 } }, format: 'svg' },
    };
    const batchReply = await make('/api/batches', batch);
    expect(batchReply.statusCode, batchReply.body).toBe(200);

    const early = await call('DELETE', font.id, ann);
    expect([early.statusCode, early.json().message]).toEqual([409, expect.stringContaining('being made')]);
    expect(await list(ann)).toContainEqual(font);
    await makeBatches(server.context);
    const finalBatch = await server.app.inject({ url: `/api/batches/${batchReply.json().id}`, headers: ann });
    expect(finalBatch.json()).toMatchObject({ state: 'done', done: 2 });
    expect((await call('DELETE', font.id, ann)).json()).toEqual({ ok: true });
    expect(await server.context.files.has(ownFontKey(font.id))).toBe(false);
    expect((await readFile(fileUrl)).toString()).toContain('<path');
    for (const [url, payload] of [
      ['/api/exports/file', { composition: compositionIn(`own:${font.id}`), format: 'svg' }],
      ['/api/exports/mockup', { composition: compositionIn(`own:${font.id}`) }],
      ['/api/batches', { ...batch, rows: [['B']] }],
    ] as const) {
      const refusal = await make(url, payload);
      expect([url, refusal.statusCode, refusal.json().message]).toEqual([
        url,
        422,
        'A text is set in a font that was deleted or is not yours. Please choose another font for it.',
      ]);
    }
  });

  test('is nobody else’s, counts as stored, and goes with its deletion and with the account', async () => {
    const [gus, eve] = [await server.signUp(), await server.signUp()];
    const { id } = (await send(plainTrueType(), gus)).json();
    for (const [method, payload] of [
      ['PUT', { name: 'Eve’s' }],
      ['DELETE', undefined],
    ] as const) {
      const [theirs, missing] = [await call(method, id, eve, payload), await call(method, 'nothing', eve, payload)];
      expect([theirs.statusCode, theirs.json().message]).toEqual([404, missing.json().message]);
    }
    expect(await list(eve)).toEqual([]);
    const composition = compositionIn(`own:${id}`);
    expect((await make('/api/exports/file', { composition, format: 'svg' }, eve)).statusCode).toBe(422);
    expect((await make('/api/exports/mockup', { composition }, eve)).statusCode).toBe(422);
    expect((await call('PUT', id, gus, { name: ' Oak  sign ' })).json().name).toBe('Oak sign');
    const key = ownFontKey(id);
    const isStored = eq(storedFiles.key, key);
    const [row] = await server.context.db.select().from(storedFiles).where(isStored);
    const { id: gusId } = (await server.app.inject({ url: '/api/auth/me', headers: gus })).json();
    expect([row?.kind, row?.owner]).toEqual(['fonts', `user:${gusId}`]);
    server.setNow(new Date(Date.now() + 3 * 24 * 60 * 60 * 1000));
    await sweepOwnFonts(server.context);
    server.setNow(new Date());
    expect(await server.context.files.has(key)).toBe(true);

    const actor = { kind: 'user', id: gusId, email: '', address: '127.0.0.1', isAdmin: false } as never;
    const sections = new Map<string, unknown>();
    for await (const [name, value] of readSections(server.context, actor)) sections.set(name, value);
    expect(sections.get('fonts')).toEqual([expect.objectContaining({ name: 'Oak sign', letters: 2 })]);
    const [{ file }] = sections.get('fonts') as [{ file: string }];
    expect((await readFile(file.replace(server.context.origin, ''))).length).toBe(row!.bytes);

    const payload = { password: 'walnut-board' };
    await server.app.inject({ method: 'POST', url: '/api/users/delete-account', payload, headers: gus });
    expect(await server.context.files.has(key)).toBe(false);
    expect(await server.seeAll.$count(companyFonts, eq(companyFonts.id, id))).toBe(0);
  });

  test('needs an account and the right to use it, and a visible name', async () => {
    expect((await send(plainTrueType(), {})).statusCode).toBe(401);
    for (const hasRight of ['', 'false']) {
      const answer = await send(plainTrueType(), ann, { hasRight });
      expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringMatching(/the right|confirm/i)]);
    }
    const { id, name } = (await send(plainPostScript(), ann, { filename: 'Engraver’s own.otf' })).json();
    expect(name).toBe('Engraver’s own');
    expect((await call('PUT', id, ann, { name: '\u200b' })).statusCode).toBe(400);
  });
});

describe('a hostile font', () => {
  const some = hostileFonts().filter((_, i) => isStress || i % 6 === 0);
  test.each(some)('%s is refused by the call, and nothing is stored', async (_name, bytes, sentence) => {
    const count = () => server.seeAll.$count(storedFiles);
    const before = [await count(), await server.seeAll.$count(companyFonts)];
    const answer = await send(bytes);
    expect([bytes.length > 5 * 2 ** 20 ? 413 : 422]).toContain(answer.statusCode);
    if (answer.statusCode === 422) expect(answer.json().message).toMatch(sentence);
    expect([await count(), await server.seeAll.$count(companyFonts)]).toEqual(before);
  });

  test.runIf(isStress).each(endlessFonts())('%s is ended by the limits of its process', async (_name, bytes) => {
    const answer = await send(bytes);
    expect([answer.statusCode, answer.json().message]).toEqual([422, expect.stringMatching(/too long|time or memory/)]);
    // Another font is read as before.
    expect((await send(plainTrueType())).statusCode).toBe(200);
  });
});
