import { MAX_LIBRARY_ENTRIES } from '@markwright/contract';
import { artworksOf, type Composition, emptyComposition, newText, saveComposition } from '@markwright/scene';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { users } from '../accounts/tables.ts';
import { sweepGuestDesigns } from '../designs/designs.ts';
import { designs } from '../designs/tables.ts';
import { newId } from '../platform/ids.ts';
import { SITE } from '../platform/storage.ts';
import { sweepLibrary, sweepLibraryFiles } from './library.ts';
import { libraryEntries } from './tables.ts';

type Headers = Record<string, string>;

let server: TestApp;
let ann: Headers;
beforeAll(async () => {
  server = await createTestApp();
  ann = await server.signUp('ann@example.com');
});
afterAll(() => server.close());

const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object, headers = ann) => {
  const answer = await server.app.inject({ method, url: `/api/library${path}`, headers, ...(payload && { payload }) });
  const { requestId: _requestId, ...reply } = answer.json();
  return { status: answer.statusCode, ...reply };
};

const withText = (text: string): Composition => ({
  ...emptyComposition,
  elements: [{ ...newText('a'), text, fontFamily: 'Open Sans', heightInches: 0.22 }],
});
const withArtwork = (designId: string) => ({
  version: 3,
  data: { ...emptyComposition, elements: [{ kind: 'artwork', id: 'logo', designId, filename: 'logo.svg', size: 40 }] },
});
const bodyOf = (composition: object, name = 'Logo') => ({
  key: newId(),
  name,
  composition,
  area: { widthMm: 101.6, heightMm: 50.8 },
  widthMm: 42,
  heightMm: 12.5,
});
const save = (text: string, { headers = ann, ...more }: { headers?: Headers; name?: string; key?: string } = {}) =>
  call('POST', '', { ...bodyOf(saveComposition(withText(text))), name: text, ...more }, headers);

const asGuest = (): Headers => ({ cookie: `guest=${encodeURIComponent(server.app.signCookie(newId()))}` });

async function upload(headers: Headers): Promise<string> {
  const form = new FormData();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
  form.set('file', new Blob([svg], { type: 'image/svg+xml' }), 'logo.svg');
  const answer = await server.app.inject({ method: 'POST', url: '/api/designs/upload', payload: form, headers });
  return answer.json().id;
}

async function sendPicture(id: string, headers = ann) {
  const bytes = await sharp({ create: { width: 90, height: 60, channels: 4, background: '#c2410c80' } })
    .png()
    .toBuffer();
  const payload = new FormData();
  payload.set('picture', new Blob([new Uint8Array(bytes)], { type: 'image/webp' }), 'picture.webp');
  return call('POST', `/${id}/picture`, payload, headers);
}

async function filesOf(folder: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of server.context.files.list(folder)) keys.push(key);
  return keys;
}

const inDays = (days: number) => ({
  ...server.context,
  media: server.context.media,
  now: () => new Date(Date.now() + days * 24 * 60 * 60 * 1000),
});

describe('elements in the library', () => {
  test('are saved, read, renamed, deleted and restored', async () => {
    const entry = await save('Ava');
    expect(entry).toMatchObject({ status: 200, name: 'Ava', widthMm: 42, heightMm: 12.5, pictureUrl: null });
    expect(await call('GET', `/${entry.id}`)).toMatchObject({
      area: { widthMm: 101.6, heightMm: 50.8 },
      composition: saveComposition(withText('Ava')),
    });
    expect(await call('POST', `/${entry.id}/rename`, { name: '  Ava,  bold ' })).toMatchObject({ name: 'Ava, bold' });
    expect(await call('DELETE', `/${entry.id}`)).toMatchObject({ ok: true });
    const goneReply = { status: 404, message: 'This is not in your library any more.' };
    expect(await call('GET', `/${entry.id}`)).toMatchObject(goneReply);
    expect(await call('DELETE', `/${entry.id}`)).toMatchObject(goneReply);
    expect(await call('POST', `/${entry.id}/rename`, { name: 'x' })).toMatchObject(goneReply);
    expect(await sendPicture(entry.id)).toMatchObject(goneReply);
    expect(await call('POST', `/${entry.id}/restore`)).toMatchObject({ status: 200, name: 'Ava, bold' });
    expect(await call('GET', `/${entry.id}`)).toMatchObject({ status: 200 });
  });

  test('are one entry when the same call is sent again, also at once', async () => {
    const headers = await server.signUp();
    const key = newId();
    const replies = await Promise.all([1, 2, 3].map(() => save('Ava', { headers, key })));
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
    expect((await call('GET', '', undefined, headers)).entries).toHaveLength(1);
    await call('DELETE', `/${replies[0].id}`, undefined, headers);
    expect(await save('Ava', { headers, key })).toMatchObject({ status: 409 });
  });

  test('are kept without product and place, in the newest form', async () => {
    const composition = saveComposition({ ...withText('Ava'), machine: 'uv', productId: 'mug', productAngleDeg: 30 });
    const { id } = await call('POST', '', bodyOf(composition));
    const data = (await call('GET', `/${id}`)).composition.data;
    expect(data).toMatchObject({ machine: 'uv', productAngleDeg: 0 });
    expect(data).not.toHaveProperty('productId');
  });

  test('are listed newest first, 50 at a time, each once, and found by their names', async () => {
    const headers = await server.signUp();
    const ids: string[] = [];
    for (let i = 0; i < 52; i++) {
      server.setNow(new Date(Date.UTC(2026, 10, 1, 0, 0, Math.floor(i / 2)))); // two in each second
      ids.push((await save(i === 7 ? '100% Oak' : `n${i}`, { headers })).id);
    }
    server.setNow();
    const first = await call('GET', '', undefined, headers);
    const second = await call('GET', `?before=${first.next}`, undefined, headers);
    expect([first.entries.length, second.entries.length, second.next]).toEqual([50, 2, null]);
    expect(first.entries[0]).not.toHaveProperty('composition');
    const listedIds = [...first.entries, ...second.entries].map(({ id }: { id: string }) => id);
    expect(new Set(listedIds)).toEqual(new Set(ids));
    expect(new Set(listedIds.slice(-2))).toEqual(new Set(ids.slice(0, 2)));
    const countOf = async (search: string) =>
      (await call('GET', `?search=${encodeURIComponent(search)}`, undefined, headers)).entries.length;
    expect(await Promise.all(['oak', '%', '_', 'n51'].map(countOf))).toEqual([1, 1, 0, 1]);
    expect(await call('GET', '?before=nonsense', undefined, headers)).toMatchObject({ status: 400 });
  });
});

describe('what is refused', () => {
  const text = saveComposition(withText('Ava'));
  test.each<[string, object, number, string]>([
    [
      'no elements',
      bodyOf(saveComposition(emptyComposition)),
      400,
      'There is nothing to save. Select an element first.',
    ],
    ['no composition', bodyOf({ version: 3, data: 7 }), 400, 'This arrangement could not be read.'],
    [
      'more than 200 kB',
      bodyOf({ version: 3, data: { ...withText('Ava'), extra: 'x'.repeat(201 * 1024) } }),
      413,
      'This is too large for the library. Save it in parts.',
    ],
    [
      'a NUL in a text',
      bodyOf(saveComposition(withText('a\0'))),
      400,
      'There is a character in it that cannot be stored.',
    ],
    ['no name', bodyOf(text, ' \u200b '), 400, 'Please give it a name.'],
    ['a long name', bodyOf(text, 'a'.repeat(81)), 400, 'Please keep the name under 80 characters.'],
    ['a design of nobody', bodyOf(withArtwork('nothing')), 404, 'This design was not found. Please upload it again.'],
  ])('%s', async (_name, body, status, message) => {
    const headers = await server.signUp();
    expect(await call('POST', '', body, headers)).toMatchObject({ status, message });
    expect((await call('GET', '', undefined, headers)).entries).toEqual([]);
  });

  test.each([
    ['a size of nothing', { widthMm: 0 }],
    ['a size that is no number', { heightMm: '12' }],
    ['an area beyond every machine', { area: { widthMm: 1e6, heightMm: 50 } }],
    ['a key with a path in it', { key: '../../../etc/passwd' }],
  ])('%s', async (_name, change) => {
    expect(await call('POST', '', { ...bodyOf(text), ...change })).toMatchObject({ status: 400 });
  });

  test('a guest, by every call', async () => {
    const { id } = await save('Ava');
    for (const [method, path] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['POST', ''],
      ['DELETE', `/${id}`],
    ] as const) {
      const payload = method === 'POST' ? bodyOf(text) : undefined;
      expect(await call(method, path, payload, asGuest())).toMatchObject({ status: 401 });
    }
  });

  test('somebody else’s design and entry, in the words for a missing one', async () => {
    const ben = await server.signUp();
    const [annsDesign, guestsDesign] = [await upload(ann), await upload(asGuest())];
    const missing = await call('POST', '', bodyOf(withArtwork('nothing')), ben);
    for (const designId of [annsDesign, guestsDesign]) {
      expect(await call('POST', '', bodyOf(withArtwork(designId)), ben)).toEqual(missing);
    }
    expect((await call('GET', '', undefined, ben)).entries).toEqual([]);

    const key = newId();
    const [own, other] = [await save('Ann’s', { key }), await save('Ben’s', { key, headers: ben })];
    expect(other.id).not.toBe(own.id);
    const missingEntry = await call('GET', '/nothing', undefined, ben);
    expect(await call('GET', `/${own.id}`, undefined, ben)).toEqual(missingEntry);
    expect(await call('DELETE', `/${own.id}`, undefined, ben)).toEqual(missingEntry);
    expect(await call('POST', `/${own.id}/restore`, undefined, ben)).toEqual(missingEntry);
    expect(await sendPicture(own.id, ben)).toEqual(missingEntry);
    expect(await call('POST', `/${own.id}/rename`, { name: 'Mine' }, ben)).toEqual(missingEntry);
    expect(await call('GET', `/${own.id}`)).toMatchObject({ name: 'Ann’s' });
  });

  test('more than the quota, even simultaneously', async () => {
    const email = 'hoarder@example.com';
    const headers = await server.signUp(email);
    const [account] = await server.context.db.select().from(users).where(eq(users.email, email));
    const row = { name: 'x', composition: text, areaWidthMm: 1, areaHeightMm: 1, widthMm: 1, heightMm: 1 };
    await server.context.db.insert(libraryEntries).values(
      Array.from({ length: MAX_LIBRARY_ENTRIES - 1 }, () => ({
        ...row,
        id: newId(),
        key: newId(),
        userId: account!.id,
      })),
    );
    const answers = await Promise.all([1, 2, 3, 4].map((i) => save(`${i}`, { headers })));
    const full = { status: 507, message: 'Your library holds 500 entries. Delete one to save another.' };
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 507, 507, 507]);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject(full);
    const { id } = answers.find(({ status }) => status === 200)!;
    await call('DELETE', `/${id}`, undefined, headers);
    expect(await save('another', { headers })).toMatchObject({ status: 200 });
    expect(await call('POST', `/${id}/restore`, undefined, headers)).toMatchObject(full);
  });
});

test('the designs of an entry stay for as long as the account', async () => {
  const designId = await upload(ann);
  const { id } = await call('POST', '', bodyOf(withArtwork(designId)));
  await server.context.db
    .update(designs)
    .set({ openedAt: new Date('2020-01-01') })
    .where(eq(designs.id, designId));
  await sweepGuestDesigns(inDays(60));
  const [artwork] = artworksOf((await call('GET', `/${id}`)).composition.data);
  expect(artwork!.designId).toBe(designId);
  const design = await server.app.inject({ url: `/api/designs/${designId}`, headers: ann });
  expect(design.statusCode).toBe(200);
  expect((await server.app.inject({ url: design.json().originalFileUrl })).statusCode).toBe(200);
});

test('the picture is replaced, swept with its entry a day after deleting it, and by what crashed', async () => {
  const { id } = await save('gone');
  const { id: stayingId } = await save('staying');
  const first = await sendPicture(id);
  expect(first.pictureUrl).toMatch(/^\/files\/library\//);
  const file = await server.app.inject({ url: (await sendPicture(id)).pictureUrl });
  expect(await sharp(file.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 90, height: 60 });
  await sendPicture(stayingId);
  expect(await filesOf(`library/${id}/`)).toHaveLength(1);

  await call('DELETE', `/${id}`);
  await sweepLibrary(server.context);
  expect(await filesOf(`library/${id}/`)).toHaveLength(1);
  await sweepLibrary(inDays(1.1));
  expect(await filesOf(`library/${id}/`)).toEqual([]);
  expect(await call('POST', `/${id}/restore`)).toMatchObject({ status: 404 });

  await server.context.files.put('library/nobody/x.webp', Buffer.from('x'), 'image/webp', SITE);
  await sweepLibraryFiles(inDays(1.1));
  expect([await filesOf('library/nobody/'), await filesOf(`library/${stayingId}/`)]).toEqual([
    [],
    [expect.any(String)],
  ]);
});

test('the takeout has the library, and it goes with the account', async () => {
  const headers = await server.signUp('leaver@example.com');
  const { id } = await save('Mine', { headers });
  await sendPicture(id, headers);
  const [entry, ...others] = (await takeOut(server, headers)).library;
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ id, name: 'Mine', widthMm: 42, composition: saveComposition(withText('Mine')) });
  expect(entry.picture).toMatch(/^http.*\/files\/library\//);
  expect(entry).not.toHaveProperty('userId');

  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/users/delete-account',
    payload: { password: 'walnut-board' },
    headers,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  expect(await server.seeAll.$count(libraryEntries, eq(libraryEntries.id, id))).toBe(0);
  expect(await filesOf(`library/${id}/`)).toEqual([]);
});
