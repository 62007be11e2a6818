import { INK_PROFILE_LIMITS } from '@markwright/contract';
import { emptyComposition, parseComposition, saveComposition } from '@markwright/scene';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, repetitions, seed } from '../../test/campaign.ts';
import { createInkProfile } from '../../test/inkProfile.ts';
import { createTestApp, formOf, type TestApp } from '../../test/server.ts';
import { checkInkProfile } from '../media/inkProfile.ts';
import { storedFiles } from '../platform/tables.ts';
import { sweepInkProfiles } from './inkProfiles.ts';

type Headers = Record<string, string>;
const PROFILES = '/api/company/ink-profiles';
let server: TestApp;
let ann: Headers;
beforeAll(async () => {
  server = await createTestApp();
  server.setNow(new Date());
  ann = await server.signUp();
  await server.takePlan(ann, 'studio');
});
afterAll(() => server.close());

async function send(bytes: Uint8Array, headers = ann) {
  const form = await formOf({ profile: { bytes, filename: 'shop.icc', mediaType: 'application/octet-stream' } });
  return server.app.inject({
    method: 'POST',
    url: PROFILES,
    payload: form.payload,
    headers: { ...form.headers, ...headers },
  });
}
const list = async (headers: Headers) => (await server.app.inject({ url: PROFILES, headers })).json();
const remove = (id: string, headers: Headers) =>
  server.app.inject({ method: 'DELETE', url: `${PROFILES}/${id}`, headers });
const make = (payload: object, headers = ann) => {
  const texts = [{ id: 'a', text: 'Oak', fontFamily: 'Inter', color: '#808080' }];
  const data = { ...emptyComposition, machine: 'uv', texts };
  const composition = saveComposition(parseComposition({ version: 0, data }));
  return server.app.inject({ method: 'POST', url: '/api/exports/file', payload: { composition, ...payload }, headers });
};

describe('a shop’s ICC profile', () => {
  test('is added under its own name, makes the inks of a PDF and a TIFF, and is named in their report', {
    tags: ['detail'],
  }, async () => {
    const answer = await send(createInkProfile({ name: 'Shop UV on acrylic' }));
    expect([answer.statusCode, answer.json().name], answer.body).toEqual([200, 'Shop UV on acrylic']);
    const { id: profile } = answer.json();
    expect(await list(ann)).toEqual([answer.json()]);
    const inksOf = async (options: object) => {
      const reply = await make({ format: 'pdf', options });
      expect(reply.statusCode, reply.body).toBe(200);
      const pdf = (await server.app.inject({ url: reply.json().url })).rawPayload;
      return { colors: reply.json().report.colors, pdf: pdf.toString('latin1') };
    };
    const [generic, own] = [await inksOf({}), await inksOf({ profile })];
    expect([generic.colors, own.colors]).toEqual(['CMYK by a generic profile', 'CMYK by Shop UV on acrylic']);
    expect(own.pdf).not.toBe(generic.pdf);
    expect((await make({ format: 'tiff', options: { profile } })).json().report.colors).toBe(own.colors);
    expect((await make({ format: 'pdf', options: { profile, colors: 'sRGB' } })).json().report.colors).toBe('sRGB');
  });

  test('is nobody else’s, counts as stored, and goes with its deletion and with the account', async () => {
    const [gus, eve] = [await server.signUp(), await server.signUp()];
    const { id } = (await send(createInkProfile(), gus)).json();
    const theirs = await remove(id, eve);
    const missing = await remove('nothing', eve);
    expect([theirs.statusCode, theirs.json().message]).toEqual([404, missing.json().message]);
    expect(await list(eve)).toEqual([]);
    expect((await make({ format: 'pdf', options: { profile: id } })).statusCode).toBe(404);
    const key = `profiles/${id}/profile.icc`;
    expect(await server.context.db.$count(storedFiles, eq(storedFiles.key, key))).toBe(1);
    server.setNow(new Date(Date.now() + 3 * 24 * 60 * 60 * 1000));
    await sweepInkProfiles(server.context);
    server.setNow(new Date());
    expect(await server.context.files.has(key)).toBe(true);
    expect((await remove(id, gus)).json()).toEqual({ ok: true });
    expect(await server.context.files.has(key)).toBe(false);

    const second = (await send(createInkProfile(), gus)).json();
    const payload = { password: 'walnut-board' };
    await server.app.inject({ method: 'POST', url: '/api/users/delete-account', payload, headers: gus });
    expect(await server.context.files.has(`profiles/${second.id}/profile.icc`)).toBe(false);
  });

  test('is one of at most 10', async () => {
    const headers = await server.signUp();
    const bytes = createInkProfile();
    const answers = await Promise.all(
      Array.from({ length: INK_PROFILE_LIMITS.profiles + 1 }, () => send(bytes, headers)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(1);
    expect(await list(headers)).toHaveLength(INK_PROFILE_LIMITS.profiles);
  });
});

describe('a file that is no CMYK output profile', () => {
  const good = createInkProfile();
  const withChange = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(good);
    change(bytes);
    return bytes;
  };
  const files: [string, Uint8Array, number][] = [
    ['nothing', Buffer.alloc(0), 422],
    ['text', Buffer.from('acsp'.repeat(100)), 422],
    ['an RGB profile', createInkProfile({ space: 'RGB ' }), 422],
    ['a scanner’s profile', createInkProfile({ kind: 'scnr' }), 422],
    ['a profile that prints white full of ink', createInkProfile({ inks: 'flooded' }), 422],
    ['a profile that prints black without ink', createInkProfile({ inks: 'bare' }), 422],
    ['one that is cut off', good.subarray(0, 600), 422],
    ['four billion tags', withChange((bytes) => bytes.writeUInt32BE(0xffffffff, 128)), 422],
    ['a tag beyond the end', withChange((bytes) => bytes.writeUInt32BE(0xffffff00, 136)), 422],
    [
      'a table of 255 points along each color',
      withChange((bytes) => bytes.set([255], bytes.lastIndexOf('mft1') + 10)),
      422,
    ],
    ['more than 4 MB', Buffer.concat([good, Buffer.alloc(INK_PROFILE_LIMITS.bytes)]), 413],
  ];
  test.each(files)('%s is refused in a sentence', async (_name, bytes, status) => {
    const answer = await send(bytes);
    expect([answer.statusCode, answer.json().message]).toEqual([status, expect.stringMatching(/\.$/)]);
  });

  test('with random damage is read or refused, and nothing else', async () => {
    const next = createRandom(seed);
    for (let i = 0; i < repetitions(40, 600); i++) {
      const bytes = withChange((copy) => {
        for (let k = 0; k < 4; k++) copy[Math.floor(next() * (k < 3 ? 400 : copy.length))] = Math.floor(next() * 256);
      });
      await checkInkProfile(bytes).catch((error: unknown) => expect(error).toMatchObject({ code: 'unprocessable' }));
    }
  });
});
