import { MAX_COMPOSITIONS } from '@markwright/contract';
import { type Composition, emptyComposition, newText, saveComposition, type TextElement } from '@markwright/scene';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { users } from '../accounts/tables.ts';
import { seedCatalogue } from '../catalogue/products.ts';
import { newId } from '../platform/ids.ts';
import { SITE } from '../platform/storage.ts';
import { sweepCompositionFiles, sweepCompositions } from './compositions.ts';
import { compositions } from './tables.ts';

type Headers = Record<string, string>;

let server: TestApp;
let ann: Headers;
beforeAll(async () => {
  server = await createTestApp();
  ann = await server.signUp();
});
afterAll(() => server.close());

const URL_OF = '/api/compositions';
const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers = ann) => {
  const answer = await server.app.inject({ method, url: `${URL_OF}${path}`, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, ...answer.json() };
};
const withText = (text: string, more: Partial<Composition> = {}): Composition => ({
  ...emptyComposition,
  elements: [{ ...wordsOf(text) }],
  ...more,
});
const wordsOf = (text: string): TextElement => ({
  ...newText('a'),
  text,
  fontFamily: 'Open Sans',
  heightInches: 0.22,
});
const create = (text: string, { name = '', key = newId(), headers = ann, more = {} } = {}) =>
  call('POST', '', { key, name, composition: saveComposition(withText(text, more)) }, headers);
const save = (id: string, revision: number, text: string, headers = ann) =>
  call('PUT', `/${id}`, { revision, composition: saveComposition(withText(text)) }, headers);
const textOf = async (id: string, headers = ann) =>
  (await call('GET', `/${id}`, undefined, headers)).composition?.data.elements[0].text;

describe('a composition', () => {
  test('can be saved, opened, saved again, renamed, copied and deleted', async () => {
    const composition = await create('Ann', { name: 'Wedding' });
    expect(composition).toMatchObject({ status: 200, name: 'Wedding', revision: 1, pictureUrl: null, productId: null });
    expect(composition.id).toMatch(/^[\w-]{22}$/);
    expect(await save(composition.id, 1, 'Ann & Bob')).toMatchObject({ status: 200, revision: 2 });
    expect(await call('POST', `/${composition.id}/rename`, { name: ' Wedding of Ann ' })).toMatchObject({
      name: 'Wedding of Ann',
      revision: 2,
    });
    const copy = await call('POST', `/${composition.id}/duplicate`, { key: newId() });
    expect(copy).toMatchObject({ name: 'Wedding of Ann (copy)', revision: 1 });
    expect(await textOf(copy.id)).toBe('Ann & Bob');

    expect(await call('DELETE', `/${composition.id}`)).toMatchObject({ ok: true });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/duplicate'],
    ] as const) {
      expect(
        await call(method, `/${composition.id}${path}`, method === 'POST' ? { key: newId() } : undefined),
      ).toMatchObject({
        status: 404,
        message: 'This design is not there any more.',
      });
    }
    expect(await save(composition.id, 2, 'Too late')).toMatchObject({ status: 404 });
    expect(await call('POST', `/${composition.id}/restore`)).toMatchObject({ status: 200, name: 'Wedding of Ann' });
    expect(await textOf(composition.id)).toBe('Ann & Bob');
  });

  test('is not overwritten when it was changed elsewhere', async () => {
    const { id } = await create('first');
    expect(await save(id, 1, 'of the phone')).toMatchObject({ status: 200, revision: 2 });
    expect(await save(id, 1, 'of the desk')).toMatchObject({
      status: 409,
      message: 'This design was changed somewhere else in the meantime.',
    });
    expect(await textOf(id)).toBe('of the phone');
  });

  test('accepts one of twenty simultaneous saves of one revision', async () => {
    const { id } = await create('first');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => save(id, 1, `save ${i}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(await call('GET', `/${id}`)).toMatchObject({ revision: 2 });
  });

  test('may be sent again when the reply was lost', async () => {
    const key = newId();
    const first = await create('one', { key });
    expect(await create('one', { key })).toMatchObject({ id: first.id, revision: 1 });
    // The composition changed before it was sent again.
    expect(await create('one and two', { key })).toMatchObject({ id: first.id, revision: 1 });
    expect(await textOf(first.id)).toBe('one and two');
    expect(await save(first.id, 1, 'three')).toMatchObject({ revision: 2 });
    expect(await save(first.id, 1, 'three')).toMatchObject({ status: 200, revision: 2 });
    expect(await create('four', { key })).toMatchObject({ status: 409 });
    const bothAtOnce = await Promise.all([create('five', { key: `${key}5` }), create('five', { key: `${key}5` })]);
    expect(bothAtOnce[0].id).toBe(bothAtOnce[1].id);
  });

  test('belongs to one account: the same key of another account is another composition', async () => {
    const ben = await server.signUp();
    const key = newId();
    const [own, other] = [await create('Ann’s', { key }), await create('Ben’s', { key, headers: ben })];
    expect(other.id).not.toBe(own.id);
    expect(await textOf(own.id, ben)).toBeUndefined();
    expect(await textOf(own.id)).toBe('Ann’s');
  });
});

describe('the list', () => {
  test('returns the last changed first, 50 at a time, each once', async () => {
    const headers = await server.signUp();
    const ids: string[] = [];
    for (let i = 0; i < 52; i++) {
      server.setNow(new Date(Date.UTC(2026, 10, 1, 0, 0, Math.floor(i / 2)))); // two in each second
      ids.push((await create(`${i}`, { headers })).id);
    }
    server.setNow(new Date(Date.UTC(2026, 10, 2)));
    await save(ids[7]!, 1, 'changed', headers);
    server.setNow();
    const first = await call('GET', '', undefined, headers);
    expect(first.compositions).toHaveLength(50);
    expect(first.compositions[0]).toMatchObject({ id: ids[7], revision: 2, updatedAt: '2026-11-02T00:00:00.000Z' });
    expect(first.compositions[0]).not.toHaveProperty('composition');
    const second = await call('GET', `?before=${first.next}`, undefined, headers);
    expect(second.next).toBeNull();
    const listedIds = [...first.compositions, ...second.compositions].map(({ id }: { id: string }) => id);
    expect(new Set(listedIds)).toEqual(new Set(ids));
    expect(listedIds).toHaveLength(52);
    expect(await call('GET', '?before=nonsense', undefined, headers)).toMatchObject({ status: 400 });
  });

  test('can be searched by name and by product, with literal text', async () => {
    await seedCatalogue(server.context);
    const headers = await server.signUp();
    const [product] = (await server.app.inject('/api/products')).json();
    await create('a', { headers, name: '100% Oak' });
    await create('b', { headers, more: { productId: product.productId } });
    const searchNames = async (text: string) =>
      (await call('GET', `?search=${encodeURIComponent(text)}`, undefined, headers)).compositions.map(
        ({ name, productId }: { name: string; productId: string }) => name || productId,
      );
    expect(await searchNames('oak')).toEqual(['100% Oak']);
    expect(await searchNames('%')).toEqual(['100% Oak']);
    expect(await searchNames('_')).toEqual([]);
    expect(await searchNames(product.name.toUpperCase())).toEqual([product.productId]);
    expect(await searchNames('no such thing')).toEqual([]);
  });
});

describe('rejected input', () => {
  const body = { key: newId(), name: '', composition: saveComposition(emptyComposition) };
  const data = (change: object) => ({ ...body, composition: { version: 3, data: { ...emptyComposition, ...change } } });
  test.each<[string, object, number, string]>([
    ['no composition', { key: body.key, name: '' }, 400, '“composition” is missing.'],
    [
      'data that is no composition',
      { ...body, composition: { version: 1, data: 7 } },
      400,
      'This arrangement could not be read.',
    ],
    ['a machine nobody has', data({ machine: 'lathe' }), 400, 'This arrangement could not be read.'],
    ['a hundred texts', data({ elements: Array(100).fill(wordsOf('a')) }), 400, 'This arrangement could not be read.'],
    ['more than 256 kB', data({ extra: 'x'.repeat(257 * 1024) }), 413, 'This design is too large to be saved.'],
    [
      'a NUL in a text',
      data({ elements: [wordsOf('a\0b')] }),
      400,
      'There is a character in it that cannot be stored.',
    ],
    [
      'half a character',
      data({ elements: [wordsOf('\ud83d')] }),
      400,
      'There is a character in it that cannot be stored.',
    ],
    ['a NUL in the name', { ...body, name: 'a\0' }, 400, 'There is a character in it that cannot be stored.'],
    ['a long name', { ...body, name: 'a'.repeat(81) }, 400, 'Please keep the name under 80 characters.'],
    ['a key with a path in it', { ...body, key: '../../../etc/passwd' }, 400, '“key” is not valid.'],
  ])('%s', async (_name, payload, status, message) => {
    const headers = await server.signUp();
    expect(await call('POST', '', payload, headers)).toMatchObject({ status, message });
    const { id } = await create('mine', { headers });
    const { key, name, composition } = payload as Partial<typeof body>;
    if (composition && key === body.key && name === '') {
      expect(await call('PUT', `/${id}`, { revision: 1, ...payload }, headers)).toMatchObject({ status, message });
    }
    expect((await call('GET', '', undefined, headers)).compositions).toHaveLength(1);
    expect(await textOf(id, headers)).toBe('mine');
  });

  test('unknown fields are not stored, an owner among them', async () => {
    const composition = {
      version: 1,
      data: { ...emptyComposition, userId: 1, __proto__: { isAdmin: true }, script: 'x' },
    };
    const { id } = await call('POST', '', { key: newId(), name: 'x', userId: 1, revision: 9, id: 'mine', composition });
    const [row] = await server.context.db.select().from(compositions).where(eq(compositions.id, id));
    expect(row).toMatchObject({ revision: 1, composition: saveComposition(emptyComposition) });
    expect(row!.userId).not.toBe(1);
  });

  test('rejects more than the quota, even simultaneously', async () => {
    const email = 'hoarder@example.com';
    const headers = await server.signUp(email);
    const [account] = await server.context.db.select().from(users).where(eq(users.email, email));
    const composition = saveComposition(emptyComposition);
    await server.context.db.insert(compositions).values(
      Array.from({ length: MAX_COMPOSITIONS - 1 }, () => ({
        id: newId(),
        key: newId(),
        userId: account!.id,
        composition,
      })),
    );
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => create(`${i}`, { headers })));
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    const full = { status: 507, message: 'You keep 1000 designs. Delete one to keep another.' };
    expect(answers.find(({ status }) => status !== 200)).toMatchObject(full);
    const [{ id }] = successes as [{ id: string }];
    expect(await call('POST', `/${id}/duplicate`, { key: newId() }, headers)).toMatchObject(full);
    expect(await save(id, 1, 'still saved', headers)).toMatchObject({ status: 200 });
    await call('DELETE', `/${id}`, undefined, headers);
    expect(await create('another', { headers })).toMatchObject({ status: 200 });
    expect(await call('POST', `/${id}/restore`, undefined, headers)).toMatchObject(full);
  });
});

describe('the picture', () => {
  const picture = (width = 900, height = 600) =>
    sharp({ create: { width, height, channels: 4, background: '#c2410c80' } });
  function send(id: string, bytes: Uint8Array, headers: Headers = ann) {
    const payload = new FormData();
    payload.set('picture', new Blob([new Uint8Array(bytes)], { type: 'image/webp' }), 'picture.webp');
    return call('POST', `/${id}/picture`, payload, headers);
  }
  const filesOf = async (id: string) => {
    const keys: string[] = [];
    for await (const { key } of server.context.files.list(`compositions/${id}/`)) keys.push(key);
    return keys;
  };

  test('is re-encoded, small, one for each composition, and copied with it', async () => {
    const { id } = await create('seen');
    const { pictureUrl } = await send(
      id,
      await picture()
        .withExif({ IFD0: { Artist: 'Ann' } })
        .webp()
        .toBuffer(),
    );
    const file = await server.app.inject({ url: pictureUrl });
    expect(file.headers['content-type']).toBe('image/webp');
    expect(await sharp(file.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 480, height: 320 });
    expect(file.rawPayload.includes('Ann')).toBe(false);
    const second = await send(id, await picture(100, 50).png().toBuffer());
    expect(second.pictureUrl).not.toBe(pictureUrl);
    expect(await filesOf(id)).toHaveLength(1);
    expect(second.revision).toBe(1);
    const copy = await call('POST', `/${id}/duplicate`, { key: newId() });
    expect((await server.app.inject({ url: copy.pictureUrl })).statusCode).toBe(200);
    expect(copy.pictureUrl).not.toBe(second.pictureUrl);
  });

  test.each<[string, () => Promise<Uint8Array>, number, string]>([
    [
      'an SVG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'),
      415,
      'This file is not a PNG, JPG or WebP picture.',
    ],
    ['a GIF', () => picture(9, 9).gif().toBuffer(), 415, 'This file is not a PNG, JPG or WebP picture.'],
    ['words', async () => Buffer.from('no picture at all'), 415, 'This file is not a PNG, JPG or WebP picture.'],
    ['a very large one', () => picture(3000, 2000).png().toBuffer(), 422, 'This picture is too large for a list.'],
    [
      'half of one',
      async () => (await picture().jpeg({ quality: 100 }).toBuffer()).subarray(0, 1500),
      422,
      'This picture is damaged and could not be read.',
    ],
    ['more than 1 MB', async () => Buffer.alloc(1024 * 1024 + 1), 413, 'That is larger than what can be sent here.'],
  ])('rejects %s', async (_name, make, status, message) => {
    const { id } = await create('seen');
    expect(await send(id, await make())).toMatchObject({ status, message });
    expect(await filesOf(id)).toEqual([]);
  });

  test('is deleted with its composition, a day after that was deleted', async () => {
    const { id } = await create('gone');
    const { id: keptId } = await create('kept');
    for (const one of [id, keptId]) await send(one, await picture().png().toBuffer());
    await call('DELETE', `/${id}`);
    await sweepCompositions(server.context);
    expect(await filesOf(id)).toHaveLength(1);
    const later = {
      ...server.context,
      media: server.context.media,
      now: () => new Date(Date.now() + 25 * 60 * 60 * 1000),
    };
    await sweepCompositions(later);
    expect(await filesOf(id)).toEqual([]);
    expect(await call('POST', `/${id}/restore`)).toMatchObject({ status: 404 });
    expect(await textOf(keptId)).toBe('kept');

    await server.context.files.put('compositions/nobody/x.webp', Buffer.from('x'), 'image/webp', SITE);
    await sweepCompositionFiles(later);
    expect([await filesOf('nobody'), await filesOf(keptId)]).toEqual([[], [expect.any(String)]]);
  });
});

test('returns a design by its id', async () => {
  const form = new FormData();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
  form.set('file', new Blob([svg], { type: 'image/svg+xml' }), 'logo.svg');
  const uploadAnswer = await server.app.inject({
    method: 'POST',
    url: '/api/designs/upload',
    payload: form,
    headers: ann,
  });
  const answer = await server.app.inject({ url: `/api/designs/${uploadAnswer.json().id}`, headers: ann });
  expect(answer.json()).toMatchObject({ id: uploadAnswer.json().id, filename: 'logo.svg' });
  expect((await server.app.inject({ url: '/api/designs/nothing', headers: ann })).statusCode).toBe(404);
});
