import { type MakerCard, MakerFields, type OwnMaker } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { mailsTo } from '../../test/mailbox.ts';
import { createTestApp, formOf, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { users } from '../accounts/tables.ts';
import { findSiteFolders } from '../platform/site.ts';
import { auditTrail, rateLimits } from '../platform/tables.ts';
import { nearestMaker, sweepMakerPhotos } from './makers.ts';
import { makerPhotos, makers } from './tables.ts';

type Headers = Record<string, string>;
const PARIS = '2988507';
const LYON = '2996944';
const SYDNEY = '2147714';
const AT = { paris: { lat: 48.853, lon: 2.349 }, lyon: { lat: 45.748, lon: 4.846 } };

let server: TestApp;
let admin: Headers;
beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  admin = await signInAdmin(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.context.db.delete(makers);
  await server.context.db.delete(rateLimits);
  server.setNow(new Date('2026-11-21T12:00:00Z'));
});

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: Headers = {}, payload?: object) =>
  server.app.inject({ method, url, headers, ...(payload && { payload }) });
const page = (changes: object = {}) => ({
  name: 'Atelier Noyer',
  about: 'Boards and boxes.',
  placeId: PARIS,
  machines: ['laser'],
  materials: ['walnut', 'Cork'],
  delivery: 'country',
  turnaroundDays: 5,
  isListed: true,
  ...changes,
});
async function list(changes: object = {}, email?: string): Promise<{ headers: Headers; id: string }> {
  const headers = await server.signUp(email);
  const answer = await ask('PUT', '/api/maker', headers, page(changes));
  expect(answer.statusCode, answer.body).toBe(200);
  return { headers, id: answer.json<OwnMaker>().id! };
}
const find = async (query: object = {}) =>
  (await ask('GET', `/api/makers?${new URLSearchParams(query as Record<string, string>)}`)).json<{
    makers: MakerCard[];
    total: number;
    next: number | null;
  }>();
const findNames = async (query: object = {}) => (await find(query)).makers.map(({ name }) => name);

describe('a page', () => {
  test('is empty at first, saved as a whole, and visible only to its maker until it is listed', async () => {
    const headers = await server.signUp();
    await ask('PUT', '/api/company', headers, { companyName: 'Walnut & Wire' });
    expect((await ask('GET', '/api/maker', headers)).json()).toMatchObject({
      id: null,
      name: 'Walnut & Wire',
      isListed: false,
    });

    const savedPage = (await ask('PUT', '/api/maker', headers, page({ isListed: false }))).json<OwnMaker>();
    expect(savedPage).toMatchObject({
      name: 'Atelier Noyer',
      place: { name: 'Paris', region: 'Île-de-France', country: 'France', lat: 48.85341 },
      machines: ['laser'],
      materials: ['walnut', 'Cork'],
      delivery: 'country',
      turnaroundDays: 5,
      isListed: false,
      hiddenReason: null,
    });
    expect((await ask('GET', '/api/maker', headers)).json()).toEqual(savedPage);
    expect(await findNames()).toEqual([]);
    expect((await ask('GET', `/api/makers/${savedPage.id}`)).statusCode).toBe(404);

    await ask('PUT', '/api/maker', headers, page());
    expect(await findNames()).toEqual(['Atelier Noyer']);
    const publicPage = (await ask('GET', `/api/makers/${savedPage.id}`)).json();
    expect(publicPage).toMatchObject({ about: 'Boards and boxes.', distanceKm: null, products: [] });
    expect(JSON.stringify([publicPage, await find()])).not.toMatch(/@|userId|hidden/);

    expect((await ask('DELETE', '/api/maker/listing', headers)).json()).toEqual({ ...savedPage, isListed: false });
    expect([await findNames(), (await ask('GET', `/api/makers/${savedPage.id}`)).statusCode]).toEqual([[], 404]);
  });

  test.each<[object, number, string]>([
    [{ name: ' ' }, 400, 'Please give your page a name before it is listed.'],
    [{ placeId: null }, 400, 'Please choose your place before the page is listed.'],
    [{ placeId: '1' }, 400, 'This place is not known. Please choose one from the list.'],
    [{ machines: [] }, 400, 'Please say which machines you have.'],
    [{ machines: ['anvil'] }, 400, '“machines.0” must be one of: laser, uv, sublimation, dtf.'],
    [{ name: 'x'.repeat(81) }, 400, 'Names may be up to 80 characters long.'],
    [{ about: 'x'.repeat(1_201) }, 400, 'Please keep it under 1200 characters.'],
    [{ materials: Array(21).fill('oak') }, 400, 'Please name 20 materials at most.'],
    [{ materials: ['x'.repeat(41)] }, 400, 'A material may be up to 40 characters long.'],
    [{ turnaroundDays: 0 }, 400, '“turnaroundDays” is too small: at least 1.'],
    [{ photoIds: ['nothing'] }, 409, 'Your photos have changed in the meantime. Please reload the page.'],
  ])('rejects invalid fields and changes nothing, %#', async (changes, status, message) => {
    const { headers } = await list();
    const before = (await ask('GET', '/api/maker', headers)).json();
    const answer = await ask('PUT', '/api/maker', headers, page({ about: 'New.', ...changes }));
    expect([answer.statusCode, answer.json().message]).toEqual([status, message]);
    expect((await ask('GET', '/api/maker', headers)).json()).toEqual(before);
  });

  test('normalizes fields to plain text', () => {
    const fields = MakerFields.parse({
      ...page({ name: ' Oak\u202e\r\nBcc: x ', about: 'a\r\nb\n\n\n\n<b>c</b>\u202e' }),
      materials: ['Cork', 'cork', ' ', '\u200b', 'oak\n'],
      machines: ['uv', 'laser', 'uv'],
    });
    expect(fields).toMatchObject({
      name: 'Oak Bcc: x',
      about: 'a\nb\n\n<b>c</b>',
      materials: ['cork', 'oak'],
      machines: ['laser', 'uv'],
    });
  });
});

describe('searching', () => {
  test('finds the nearest first, within a distance, with a machine', async () => {
    await list({ name: 'Paris laser' });
    await list({ name: 'Lyon uv', placeId: LYON, machines: ['uv'] });
    await list({ name: 'Sydney both', placeId: SYDNEY, machines: ['laser', 'uv'] });

    expect(await findNames(AT.lyon)).toEqual(['Lyon uv', 'Paris laser', 'Sydney both']);
    expect(await findNames({ ...AT.paris, km: 250 })).toEqual(['Paris laser']);
    expect(await findNames({ ...AT.paris, km: 393 })).toEqual(['Paris laser', 'Lyon uv']);
    expect(await findNames({ ...AT.paris, machine: 'uv' })).toEqual(['Lyon uv', 'Sydney both']);
    const [near, far] = (await find(AT.paris)).makers;
    expect(near!.distanceKm).toBeLessThan(1);
    expect(far!.distanceKm).toBeCloseTo(392.9, 1);
    const publicPage = (await ask('GET', `/api/makers/${far!.id}?lat=48.853&lon=2.349`)).json();
    expect(publicPage.distanceKm).toBeCloseTo(far!.distanceKm!, 6);

    const nearest = await nearestMaker(server.context, { ...AT.paris, machine: 'uv' });
    expect(nearest).toMatchObject({ name: 'Lyon uv', place: 'Lyon, Auvergne-Rhône-Alpes, France' });
    expect(nearest!.email).toContain('@');
    expect(await nearestMaker(server.context, { ...AT.paris, machine: 'uv', km: 100 })).toBeUndefined();
    expect(await nearestMaker(server.context, { ...AT.paris, machine: 'sublimation' })).toBeUndefined();
  });

  test('returns pages of 24', async () => {
    const people = Array.from({ length: 30 }, (_, index) => ({
      email: `m${index}@example.com`,
      passwordHash: '',
      username: 'm',
    }));
    const rows = await server.context.db.insert(users).values(people).returning();
    const [place] = (await ask('GET', '/api/places?q=paris')).json();
    await server.context.db.insert(makers).values(
      rows.map(({ id }, index) => ({
        ...{ userId: id, id: `maker-${index}`, name: `M${index}`, machines: ['laser' as const] },
        ...{ place, lat: 48 + index / 100, lon: 2, isListed: true },
      })),
    );
    const first = await find({ lat: 48, lon: 2 });
    expect([first.total, first.makers.length, first.next]).toEqual([30, 24, 24]);
    const rest = await find({ lat: 48, lon: 2, from: 24 });
    expect([rest.makers.length, rest.next]).toEqual([6, null]);
    expect(new Set([...first.makers, ...rest.makers].map(({ id }) => id)).size).toBe(30);
  });

  test.each(['lat=91&lon=0', 'lat=1', 'lon=1', 'lat=x&lon=y', 'km=-1', 'machine=anvil', 'from=-1', 'from=1e9'])(
    'rejects the query %s',
    async (query) => {
      expect((await ask('GET', `/api/makers?${query}`)).statusCode).toBe(400);
    },
  );

  test('finds places by name and by position', async () => {
    const [first] = (await ask('GET', '/api/places?q=s%C3%A3o%20pau')).json();
    expect(first).toMatchObject({ name: 'São Paulo', country: 'Brazil' });
    expect((await ask('GET', '/api/places/nearest?lat=45.75&lon=4.85')).json()).toMatchObject({ name: 'Lyon' });
    expect((await ask('GET', `/api/places?q=${'x'.repeat(101)}`)).statusCode).toBe(400);
  });
});

describe('photos', () => {
  let jpeg: Buffer;
  beforeAll(async () => {
    jpeg = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#a05030' } })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'canary' }, IFD3: { GPSLatitude: '48/1 51/1 12/1', GPSLatitudeRef: 'N' } })
      .toBuffer();
  });
  async function add(headers: Headers, bytes: Uint8Array) {
    const form = await formOf({ photo: { bytes, filename: 'bench.jpg', mediaType: 'image/jpeg' } });
    return server.app.inject({
      method: 'POST',
      url: '/api/maker/photos',
      payload: form.payload,
      headers: { ...form.headers, ...headers },
    });
  }
  const files = async () => {
    const keys: string[] = [];
    for await (const { key } of server.context.files.list('makers/')) keys.push(key);
    return keys;
  };

  test('keeps up to six, without metadata of the camera, in the maker’s order', async () => {
    const { headers, id } = await list();
    expect((await sharp(jpeg).metadata()).exif?.includes('canary')).toBe(true);
    for (let count = 1; count <= 6; count++) {
      const answer = await add(headers, jpeg);
      expect([answer.statusCode, answer.json().photos?.length], answer.body).toEqual([200, count]);
    }
    const seventh = await add(headers, jpeg);
    expect([seventh.statusCode, seventh.json().message]).toEqual([
      409,
      'A page shows 6 photos. Please remove one of them first.',
    ]);

    const { photos } = (await ask('GET', '/api/maker', headers)).json<OwnMaker>();
    const photoIds = photos.map((photo) => photo.id).reverse();
    await ask('PUT', '/api/maker', headers, page({ photoIds }));
    const publicPage = (await ask('GET', `/api/makers/${id}`)).json();
    expect(publicPage.photos.map((photo: { id: string }) => photo.id)).toEqual(photoIds);
    expect((await find()).makers[0]!.photo!.id).toBe(photoIds[0]);
    const addresses = [
      publicPage.photos[0].url,
      ...publicPage.photos[0].thumbnails.map(({ url }: { url: string }) => url),
    ];
    for (const url of addresses) {
      const picture = await server.app.inject({ url });
      expect(picture.statusCode).toBe(200);
      const { exif, xmp, iptc } = await sharp(picture.rawPayload).metadata();
      expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined]);
    }

    for (const photo of photos)
      expect((await ask('DELETE', `/api/maker/photos/${photo.id}`, headers)).statusCode).toBe(200);
    expect(await files()).toEqual([]);
    const other = await list({ name: 'Other' });
    expect((await ask('DELETE', `/api/maker/photos/${photos[0]!.id}`, other.headers)).statusCode).toBe(404);
  });

  test('refuses drawings and files that are no picture, and sweeps a photo without a row', async () => {
    const { headers } = await list();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M0 0h2v2z"/></svg>';
    for (const bytes of [svg, '%PDF-1.7', '<html>']) {
      expect((await add(headers, new TextEncoder().encode(bytes))).statusCode).toBe(415);
    }
    expect(await files()).toEqual([]);
    await add(headers, jpeg);
    server.setNow(new Date(Date.now() + 48 * 3_600_000));
    await sweepMakerPhotos(server.context);
    expect((await files()).length).toBeGreaterThan(0);
    await server.context.db.delete(makerPhotos);
    await sweepMakerPhotos(server.context);
    expect(await files()).toEqual([]);
  });

  test('deleting the account deletes the page and its photos', async () => {
    const { headers, id } = await list({}, 'leaving@example.com');
    await add(headers, jpeg);
    const takeout = await takeOut(server, headers);
    expect(takeout.localMaker).toMatchObject({
      name: 'Atelier Noyer',
      place: { name: 'Paris' },
      photos: [expect.any(String)],
    });
    await ask('POST', '/api/users/delete-account', headers, { password: 'walnut-board' });
    expect(await server.context.db.select().from(makers)).toEqual([]);
    expect(await server.context.db.select().from(makerPhotos)).toEqual([]);
    expect([await files(), await findNames(), (await ask('GET', `/api/makers/${id}`)).statusCode]).toEqual([
      [],
      [],
      404,
    ]);
  });
});

describe('the products of a maker', () => {
  test('are those on the company’s profile, until they are taken off it', async () => {
    const { headers, id } = await list();
    await ask('PUT', '/api/company', headers, { customProductsEnabled: true });
    const png = await sharp({ create: { width: 12, height: 12, channels: 3, background: '#222' } })
      .png()
      .toBuffer();
    const ids: string[] = [];
    for (const name of ['Tray', 'Board']) {
      const form = await formOf({
        name,
        category: 'Boards',
        productImage: { bytes: png, filename: 'a.png', mediaType: 'image/png' },
      });
      const answer = await server.app.inject({
        method: 'POST',
        url: '/api/company/products',
        payload: form.payload,
        headers: { ...form.headers, ...headers },
      });
      ids.push(answer.json().id);
    }
    const listProductNames = async () =>
      (await ask('GET', `/api/makers/${id}`)).json().products.map(({ name }: { name: string }) => name);
    expect(await listProductNames()).toEqual([]);
    for (const one of ids) await ask('POST', `/api/company/products/${one}/submit-to-profile`, headers, {});
    expect(await listProductNames()).toEqual(['Board', 'Tray']);
    const off = () => ask('DELETE', `/api/company/products/${ids[0]}/submit-to-profile`, headers);
    expect([(await off()).json(), (await off()).json()]).toEqual([{ ok: true }, { ok: true }]);
    expect(await listProductNames()).toEqual(['Board']);
    const productsAfter = (await ask('GET', '/api/company/products', headers)).json<
      { name: string; isOnProfile: boolean }[]
    >();
    expect(productsAfter.map(({ name, isOnProfile }) => [name, isOnProfile])).toEqual([
      ['Board', true],
      ['Tray', false],
    ]);
    expect((await ask('POST', `/api/company/products/${ids[0]}/submit-to-profile`, headers, {})).json()).toEqual({
      duplicate: false,
    });
  });
});

describe('the address of a page', () => {
  test.runIf(findSiteFolders().web !== undefined)(
    'answers alike for a hidden page and one that never existed',
    async () => {
      const { headers, id } = await list();
      const visit = async (path: string) => {
        const { statusCode, body, headers: replyHeaders } = await server.app.inject({ url: path, headers });
        return { statusCode, body, headers: { ...replyHeaders, 'x-request-id': '', date: '' } };
      };
      const shownPage = await visit(`/makers/${id}`);
      expect(shownPage.statusCode).toBe(200);
      expect((await visit(`/makers/${id}/?lat=48.8&lon=2.3`)).statusCode).toBe(200);

      const never = await visit('/makers/AAAAAAAAAAAAAAAAAAAAAA');
      expect([never.statusCode, never.body]).toEqual([404, shownPage.body]);
      for (const path of [`/makers/${id}/photos`, `/makers/${id}x`, '/makers/%00', '/constructor/a']) {
        expect((await visit(path)).statusCode, path).toBe(404);
      }
      await ask('POST', `/api/admin/makers/${id}/hide`, admin, { reason: 'Not a maker' });
      expect(await visit(`/makers/${id}`)).toEqual(never);
      await ask('POST', `/api/admin/makers/${id}/unhide`, admin, {});
      await ask('PUT', '/api/maker', headers, page({ isListed: false }));
      expect(await visit(`/makers/${id}`)).toEqual(never);
    },
  );
});

describe('the administrator', () => {
  test('hides a page with a reason that its maker reads, shows it again, and records both', async () => {
    const { headers, id } = await list({}, 'hidden@example.com');
    const { headers: other } = await list({ name: 'Stays' });
    const hideAnswer = await ask('POST', `/api/admin/makers/${id}/hide`, admin, { reason: 'Not a maker' });
    expect(hideAnswer.json()).toMatchObject({
      id,
      email: 'hidden@example.com',
      hiddenReason: 'Not a maker',
      isListed: true,
    });
    expect([await findNames(), await findNames(AT.paris)]).toEqual([['Stays'], ['Stays']]);
    expect((await ask('GET', `/api/makers/${id}`)).json().message).toBe(
      'This maker is not listed here, or not any more.',
    );
    expect((await ask('POST', `/api/makers/${id}/messages`, {}, { ...note, stamp: '' })).statusCode).toBe(404);
    expect(await nearestMaker(server.context, { ...AT.paris, machine: 'laser' })).toMatchObject({ name: 'Stays' });
    // Saving the page again does not show it.
    const saveAnswer = await ask('PUT', '/api/maker', headers, page());
    expect(saveAnswer.json()).toMatchObject({ isListed: true, hiddenReason: 'Not a maker' });
    expect(await findNames()).toEqual(['Stays']);

    const { makers: all } = (await ask('GET', '/api/admin/makers', admin)).json();
    expect(all.map(({ name }: { name: string }) => name).sort()).toEqual(['Atelier Noyer', 'Stays']);
    expect((await ask('POST', `/api/admin/makers/${id}/hide`, admin, { reason: ' ' })).json().message).toBe(
      'Please give a reason. The maker reads it.',
    );
    expect((await ask('POST', `/api/admin/makers/${id}/hide`, other, { reason: 'x' })).statusCode).toBe(403);
    expect((await ask('POST', `/api/admin/makers/${id}/unhide`, admin, {})).json()).toMatchObject({ hiddenAt: null });
    expect((await findNames()).sort()).toEqual(['Atelier Noyer', 'Stays']);
    expect((await ask('POST', '/api/admin/makers/nothing/hide', admin, { reason: 'x' })).statusCode).toBe(404);
    const trail = await server.context.db.select().from(auditTrail).orderBy(auditTrail.createdAt);
    expect(trail.map(({ action, subject, detail }) => [action, subject, detail])).toEqual(
      expect.arrayContaining([
        ['maker.hide', 'Atelier Noyer', { reason: 'Not a maker' }],
        ['maker.unhide', 'Atelier Noyer', null],
      ]),
    );
  });
});

const note = { name: 'Ann', email: 'Ann@Example.com', message: 'Twelve boards, please.' };

describe('messages', () => {
  let maker: { headers: Headers; id: string };
  let mailbox: string;
  let people = 0;
  beforeEach(async () => {
    mailbox = `bench${++people}@example.com`;
    maker = await list({}, mailbox);
  });
  const wait = (ms: number) => server.setNow(new Date(server.context.now().getTime() + ms));
  const stampOf = async (id = maker.id) => (await ask('GET', `/api/makers/${id}`)).json().stamp as string;
  async function send(changes: object = {}, headers: Headers = {}, id = maker.id) {
    const stamp = await stampOf(id);
    wait(4_000);
    return ask('POST', `/api/makers/${id}/messages`, headers, { ...note, stamp, ...changes });
  }
  const listMessages = async () => (await mailsTo(server, mailbox)).filter(({ kind }) => kind === 'makerMessage');

  test('reach the maker with an address to reply to; the reply never contains the maker’s own', async () => {
    const answer = await send({ designLink: 'http://studio.test/widget?design=abc' });
    expect(answer.json()).toEqual({ ok: true });
    expect(answer.body + JSON.stringify(answer.headers)).not.toContain(mailbox);
    const [mail] = await listMessages();
    expect(mail).toMatchObject({
      recipient: mailbox,
      replyTo: 'ann@example.com',
      subject: 'Ann wrote to Atelier Noyer',
    });
    expect(mail!.text).toContain('> Twelve boards, please.');
    expect(mail!.text).toContain('http://studio.test/widget?design=abc');
  });

  test('T14: a message cannot inject a header, a link or a tag into the mail', async () => {
    const evil = 'Ann\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script> https://evil.example/x';
    expect(
      (await send({ name: evil, message: `${evil} www.evil.example`, designLink: 'https://evil.example/?a=<' }))
        .statusCode,
    ).toBe(400);
    expect(
      (await send({ name: evil, message: `${evil} www.evil.example`, designLink: 'https://evil.example/d' }))
        .statusCode,
    ).toBe(200);
    const [mail] = await listMessages();
    expect(mail!.subject).toMatch(/^Ann Bcc: victim@example\[\.\]com <script>[^\r\n]*$/);
    expect(mail!.replyTo).toBe('ann@example.com');
    expect(mail!.html).not.toContain('<script>');
    for (const text of [mail!.text, mail!.html, mail!.subject]) {
      expect(text).not.toMatch(/https?:\/\/evil|evil\.example|www\.evil/);
      expect(text).toContain('evil[.]example');
    }
    for (const email of [
      'a@b.example\r\nBcc: c@d.example',
      'a@b.example, c@d.example',
      '"x" <a@b.example>',
      'a b@c.example',
      'a@b',
    ]) {
      const answer = await send({ email });
      expect([answer.statusCode, answer.json().message]).toEqual([400, 'Invalid email address']);
    }
    for (const designLink of ['javascript:alert(1)', 'evil.example', 'https://a b']) {
      expect((await send({ designLink })).statusCode).toBe(400);
    }
    expect(await listMessages()).toHaveLength(1);
  });

  test('a bot that fills in the hidden field gets a success, and no mail is sent', async () => {
    expect((await send({ website: 'https://buy.example' })).json()).toEqual({ ok: true });
    expect(await listMessages()).toEqual([]);
  });

  test('need a stamp of this maker’s page that is some seconds old', async () => {
    const stamp = await stampOf();
    const other = await list({ name: 'Other' });
    const at = (pageStamp: string) =>
      ask('POST', `/api/makers/${maker.id}/messages`, {}, { ...note, stamp: pageStamp });
    expect((await at(stamp)).json().message).toBe('That was very quick. Please wait a moment and send it again.');
    const tooOld = 'This page has been open for too long. Please reload it and send your message again.';
    wait(4_000);
    for (const wrong of ['', 'x', stamp.slice(0, -2), await stampOf(other.id), `${maker.id} 0`]) {
      expect((await at(wrong)).json().message).toBe(tooOld);
    }
    expect((await at(stamp)).statusCode).toBe(200);
    wait(25 * 3_600_000);
    expect((await at(stamp)).json().message).toBe(tooOld);
    expect(await listMessages()).toHaveLength(1);
  });

  test('are limited: 3 a day from one address to one maker, 5 an hour from one network, 40 a day to one maker', async () => {
    const from = (n: number) => ({ email: `ann${n}@example.com` });
    expect([(await send()).statusCode, (await send()).statusCode, (await send()).statusCode]).toEqual([200, 200, 200]);
    expect((await send()).statusCode).toBe(429);
    expect([(await send(from(1))).statusCode, (await send(from(2))).statusCode]).toEqual([200, 200]);
    const sixth = await send(from(3));
    expect([sixth.statusCode, sixth.json().message]).toEqual([429, expect.stringMatching(/^Too many tries\./)]);
    wait(3_700_000);
    expect((await send(from(4))).statusCode).toBe(200);
    expect(await listMessages()).toHaveLength(6);
    const [makerLimit] = await server.context.db
      .select()
      .from(rateLimits)
      .where(eq(rateLimits.key, `maker messages to ${maker.id}`));
    expect(makerLimit!.count).toBe(6);
    await server.context.db
      .update(rateLimits)
      .set({ count: 40 })
      .where(eq(rateLimits.key, `maker messages to ${maker.id}`));
    expect((await send(from(5))).statusCode).toBe(429);
  });

  test('are limited for each account, too', async () => {
    const headers = await server.signUp();
    for (let n = 0; n < 5; n++) expect((await send({ email: `b${n}@example.com` }, headers)).statusCode).toBe(200);
    await server.context.db.delete(rateLimits).where(eq(rateLimits.key, 'maker messages an hour, network 127.0.0.1'));
    expect((await send({ email: 'b6@example.com' }, headers)).statusCode).toBe(429);
    expect((await send({ email: 'b7@example.com' })).statusCode).toBe(200);
  });
});
