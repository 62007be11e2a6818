import { createHash } from 'node:crypto';
import { emptyComposition, parseComposition, saveComposition } from '@markwright/scene';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { seedCatalogue } from '../catalogue/products.ts';
import { sweepExports } from './madeFiles.ts';
import { madeFiles } from './tables.ts';

let server: TestApp;
let maker: Record<string, string>;
let designId: string;

beforeAll(async () => {
  server = await createTestApp();
  server.setNow(new Date()); // no month begins while charges are counted
  await seedCatalogue(server.context);
  maker = await signUpWithPlan();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><path fill="#112233" d="M10 5L20 35L30 5Z"/></svg>';
  const form = new FormData();
  form.set('file', new Blob([svg]), 'fox logo.svg');
  const upload = { method: 'POST', url: '/api/designs/upload', payload: form, headers: maker } as const;
  designId = (await server.app.inject(upload)).json().id;
});
afterAll(() => server.close());

async function signUpWithPlan(email?: string) {
  const headers = await server.signUp(email);
  await server.takePlan(headers, 'studio');
  return headers;
}

const compositionOf = (machine: string) =>
  saveComposition(
    parseComposition({
      version: 0,
      data: { ...emptyComposition, machine, design: { designId, filename: 'fox logo.svg' } },
    }),
  );
const make = (machine: string, payload: object, headers = maker) =>
  server.app.inject({
    method: 'POST',
    url: '/api/exports/file',
    payload: { composition: compositionOf(machine), ...payload },
    headers,
  });
const countCharges = async () =>
  (await server.app.inject({ url: '/api/users/stats', headers: maker })).json().vectorsUsed;

test('all formats of a composition are one export, and each is the file that its hash says', async () => {
  const before = await countCharges();
  const formats = ['pdf', 'dxf', 'lbrn2', 'xcs', 'plt', 'svg', 'package', 'sheet'];
  for (const format of formats) {
    const answer = await make('laser', { format });
    expect(answer.statusCode, `${format}: ${answer.body}`).toBe(200);
    const { url, filename, sha256, report } = answer.json();
    const file = await server.app.inject({ url });
    expect(file.headers['content-disposition']).toContain('attachment');
    expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(sha256);
    const ending = { package: '.zip', sheet: '_job-sheet.pdf' }[format] ?? `.${format}`;
    expect(filename).toBe(format === 'svg' ? 'fox_logo_production.svg' : `fox_logo_100x100mm${ending}`);
    expect(report).toMatchObject({ widthMm: 100, heightMm: 100, isMirrored: false, findings: [] });
    expect(report.layers.map(({ kind }: { kind: string }) => kind)).toEqual(['engrave']);
    // The same again is the stored file.
    expect((await make('laser', { format })).json()).toMatchObject({ filename, sha256, report });
  }
  expect(await countCharges()).toBe(before + 1);
});

test('a job sheet made by itself names the files of its job that were made before', { tags: ['detail'] }, async () => {
  const sheet = async (machine = 'sublimation') => (await make(machine, { format: 'sheet' })).json().sha256;
  const bare = await sheet();
  await make('sublimation', { format: 'pdf' });
  const withFile = await sheet();
  expect(withFile).not.toBe(bare);
  // Neither another sheet nor a file of another composition is one of its files.
  await make('uv', { format: 'pdf' });
  expect(await sheet()).toBe(withFile);
});

test('a file that cannot be made costs nothing and is refused in a sentence', async () => {
  const before = await countCharges();
  const refusals: [string, object, number, string][] = [
    ['laser', { format: 'tiff' }, 422, 'TIFF files are for printers, and this design is for a laser.'],
    ['uv', { format: 'lbrn2' }, 422, 'for lasers'],
    ['uv', { format: 'gcode' }, 400, ''],
    ['uv', { format: 'pdf', options: { chokeMm: 5 } }, 400, ''],
    ['uv', { format: 'pdf', options: { bleedMm: 1e308 } }, 400, ''],
    ['uv', { format: 'pdf', options: { spots: { white: 'a\nb' } } }, 400, 'The name of an ink'],
    ['uv', { format: 'pdf', composition: { version: 99, data: 7 } }, 400, ''],
  ];
  for (const [machine, payload, status, sentence] of refusals) {
    const answer = await make(machine, payload);
    expect([answer.statusCode, JSON.stringify(payload)]).toEqual([status, JSON.stringify(payload)]);
    expect(answer.json().message).toContain(sentence);
  }
  const guest = await make('uv', { format: 'pdf' }, {});
  expect(guest.statusCode).toBe(401);
  expect(await countCharges()).toBe(before);
});

test('a UV print gets its inks by the names of the shop', async () => {
  const answer = await make('uv', { format: 'pdf', preset: 'versaWorks', options: { spots: { white: 'My White' } } });
  expect(answer.statusCode, answer.body).toBe(200);
  const { url, report } = answer.json();
  expect(report.colors).toBe('CMYK by a generic profile');
  expect(report.layers.map(({ id }: { id: string }) => id)).toEqual(['white', 'color']);
  const pdf = (await server.app.inject({ url })).rawPayload.toString('latin1');
  expect(pdf).toContain('/Separation /My#20White /DeviceCMYK');
});

describe('my files', () => {
  const words = (text: string) =>
    saveComposition(
      parseComposition({
        version: 0,
        data: { ...emptyComposition, machine: 'laser', texts: [{ id: 'a', text, fontFamily: 'Inter' }] },
      }),
    );
  const list = async (headers: Record<string, string>, query = '') =>
    (await server.app.inject({ url: `/api/files${query}`, headers })).json();
  /** Lists the files after the sessions have ended. */
  const listLater = async () => {
    const payload = { email: 'files@example.com', password: 'walnut-board' };
    const { token } = (await server.app.inject({ method: 'POST', url: '/api/auth/login', payload })).json();
    return list({ authorization: `Bearer ${token}` });
  };
  const dayLater = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  let headers: Record<string, string>;
  let reply: { url: string; filename: string; sha256: string };
  beforeAll(async () => {
    headers = await signUpWithPlan('files@example.com');
  });

  test('are empty at first, and then list each file with its size and hash, the newest first', async () => {
    expect(await list(headers)).toEqual({ files: [], next: null });
    const payload = { composition: words('Oak'), format: 'dxf' };
    reply = (await make('laser', payload, headers)).json();
    const production = { settings: { mode: 'vectorize', quality: 'high' }, composition: words('Oak') };
    server.setNow(new Date(Date.now() + 60_000));
    const svg = await server.app.inject({
      method: 'POST',
      url: '/api/designs/vectorize',
      payload: production,
      headers,
    });
    const { files, next } = await list(headers);
    const svgFile = await server.app.inject({ url: svg.json().vectorizedSvgUrl });
    expect(next).toBeNull();
    expect(files).toMatchObject([
      {
        ...{ format: 'svg', filename: svg.json().filename, widthMm: 100, heightMm: 100 },
        ...{ sha256: createHash('sha256').update(svgFile.rawPayload).digest('hex') },
        sizeBytes: svgFile.rawPayload.length,
      },
      { format: 'dxf', filename: reply.filename, widthMm: 100, heightMm: 100, sha256: reply.sha256 },
    ]);
    // Made again, it is the same line, at the top.
    server.setNow(new Date(Date.now() + 120_000));
    await make('laser', payload, headers);
    expect((await list(headers)).files.map(({ format }: { format: string }) => format)).toEqual(['dxf', 'svg']);
    const takeout = await takeOut(server, headers);
    expect(takeout.files.map(({ sha256 }: { sha256: string }) => sha256)).toContain(reply.sha256);
  });

  test('are downloaded again without a charge while they are kept, and their lines stay longer', async () => {
    const charges = async () =>
      (await server.app.inject({ url: '/api/users/stats', headers })).json().vectorsUsed as number;
    const before = await charges();
    const [file] = (await list(headers)).files;
    const again = await server.app.inject({ url: file.url });
    expect(createHash('sha256').update(again.rawPayload).digest('hex')).toBe(file.sha256);
    expect(await charges()).toBe(before);
    expect(before).toBe(1);

    const mockup = { method: 'POST', url: '/api/exports/mockup', payload: { composition: words('Oak') } } as const;
    const mockupUrl = (await server.app.inject({ ...mockup, headers })).json().url;
    server.setNow(dayLater(5));
    await sweepExports(server.context);
    const [lineNow] = (await list(headers)).files;
    expect(lineNow.deletedAt > new Date(Date.now() + 29 * 24 * 60 * 60 * 1000).toISOString()).toBe(true);
    expect((await server.app.inject({ url: lineNow.url })).statusCode).toBe(200);
    expect(await server.context.files.has(mockupUrl.split('?')[0].slice('/files/'.length))).toBe(false);

    server.setNow(dayLater(32));
    await sweepExports(server.context);
    const [lineLater] = (await listLater()).files;
    expect(lineLater).toMatchObject({ sha256: file.sha256, url: null, deletedAt: null });
    server.setNow(dayLater(410));
    await sweepExports(server.context);
    expect(await listLater()).toEqual({ files: [], next: null });
    server.setNow(new Date());
  });

  test('are nobody else’s, and are deleted one by one and with the account', async () => {
    const [ann, gus] = [await signUpWithPlan(), await signUpWithPlan()];
    for (const text of ['Elm', 'Ash']) await make('laser', { composition: words(text), format: 'plt' }, ann);
    const [first, second] = (await list(ann)).files;
    const keyOf = ({ url }: { url: string }) => url.split('?')[0]!.slice('/files/'.length);
    const remove = (id: string, by: Record<string, string>) =>
      server.app.inject({ method: 'DELETE', url: `/api/files/${id}`, headers: by });
    const [theirs, missing] = [await remove(first.id, gus), await remove('nothing', gus)];
    expect([theirs.statusCode, theirs.json().message]).toEqual([404, missing.json().message]);
    expect(await list(gus)).toEqual({ files: [], next: null });
    expect((await remove(first.id, ann)).json()).toEqual({ ok: true });
    expect((await list(ann)).files.map(({ id }: { id: string }) => id)).toEqual([second.id]);
    expect(await server.context.files.has(keyOf(first))).toBe(false);
    expect(await server.context.files.has(keyOf(second))).toBe(true);
    const payload = { password: 'walnut-board' };
    await server.app.inject({ method: 'POST', url: '/api/users/delete-account', payload, headers: ann });
    expect(await server.context.files.has(keyOf(second))).toBe(false);
    expect(await server.context.db.$count(madeFiles, eq(madeFiles.id, second.id))).toBe(0);
  });

  test('come in pages of 50, each once', async () => {
    const ann = await server.signUp();
    const { id: userId } = (await server.app.inject({ url: '/api/auth/me', headers: ann })).json();
    const rows = Array.from({ length: 120 }, (_, i) => ({
      ...{ id: `${userId}x${i}`, userId, key: `exports/${userId}x${i}.dxf`, format: 'dxf', filename: `${i}.dxf` },
      ...{ widthMm: 1, heightMm: 1, sizeBytes: 1, sha256: 'a' },
      // Many at one moment.
      createdAt: new Date(Date.UTC(2026, 1, 1, 0, 0, Math.floor(i / 40))),
    }));
    await server.context.db.insert(madeFiles).values(rows);
    const ids: string[] = [];
    for (let place = ''; ; ) {
      const { files, next } = await list(ann, place && `?before=${encodeURIComponent(place)}`);
      ids.push(...files.map(({ id }: { id: string }) => id));
      if (next === null) break;
      place = next;
    }
    expect(ids).toHaveLength(120);
    expect(new Set(ids).size).toBe(120);
    for (const wrong of ['x', '1.', "1.'", '%00', 'a'.repeat(500)]) {
      expect((await server.app.inject({ url: `/api/files?before=${wrong}`, headers: ann })).statusCode).toBe(400);
    }
  });
});
