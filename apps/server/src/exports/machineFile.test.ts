import { createHash } from 'node:crypto';
import { emptyComposition, parseComposition, saveComposition } from '@markwright/scene';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { users } from '../accounts/tables.ts';
import { seedCatalogue } from '../catalogue/products.ts';

let server: TestApp;
let maker: Record<string, string>;
let designId: string;

beforeAll(async () => {
  server = await createTestApp();
  server.setNow(new Date()); // no month begins while charges are counted
  await seedCatalogue(server.context);
  maker = await server.signUp();
  const { id } = (await server.app.inject({ url: '/api/auth/me', headers: maker })).json();
  const subscription = { subscriptionPlan: 'studio', subscriptionStatus: 'active' } as const;
  await server.context.db.update(users).set(subscription).where(eq(users.id, id));
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><path fill="#112233" d="M10 5L20 35L30 5Z"/></svg>';
  const form = new FormData();
  form.set('file', new Blob([svg]), 'fox logo.svg');
  const upload = { method: 'POST', url: '/api/designs/upload', payload: form, headers: maker } as const;
  designId = (await server.app.inject(upload)).json().id;
});
afterAll(() => server.close());

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
  const formats = ['pdf', 'dxf', 'lbrn2', 'xcs', 'plt', 'svg', 'package'];
  for (const format of formats) {
    const answer = await make('laser', { format });
    expect(answer.statusCode, `${format}: ${answer.body}`).toBe(200);
    const { url, filename, sha256, report } = answer.json();
    const file = await server.app.inject({ url });
    expect(file.headers['content-disposition']).toContain('attachment');
    expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(sha256);
    const ending = format === 'package' ? 'zip' : format;
    expect(filename).toBe(format === 'svg' ? 'fox_logo_production.svg' : `fox_logo_100x100mm.${ending}`);
    expect(report).toMatchObject({ widthMm: 100, heightMm: 100, isMirrored: false, findings: [] });
    expect(report.layers.map(({ kind }: { kind: string }) => kind)).toEqual(['engrave']);
    // The same again is the stored file.
    expect((await make('laser', { format })).json()).toMatchObject({ filename, sha256, report });
  }
  expect(await countCharges()).toBe(before + 1);
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
