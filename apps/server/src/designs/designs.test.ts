import { readArtwork, readSvg } from '@markwright/scene';
import { eq, inArray, like } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesOf, hasCorpora, repetitions } from '../../test/campaign.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { guests as guestRows } from '../accounts/tables.ts';
import { usage } from '../allowances/tables.ts';
import { exportRecords } from '../exports/tables.ts';
import { SITE } from '../platform/storage.ts';
import { storedFiles } from '../platform/tables.ts';
import { sweepDesignFiles, sweepGuestDesigns, sweepGuests } from './designs.ts';
import { designs } from './tables.ts';

let server: TestApp;
let ann: Record<string, string>;
let ben: Record<string, string>;
let logo: Buffer;
beforeAll(async () => {
  server = await createTestApp();
  ann = await server.signUp();
  ben = await server.signUp();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><rect width="60" height="40" fill="#fff"/><circle cx="30" cy="20" r="15" fill="#123"/></svg>';
  logo = await sharp(Buffer.from(svg)).resize(120, 80).png().toBuffer();
});
afterAll(() => server.close());

type Headers = Record<string, string>;
let guests = 0;
/** A guest with the signed cookie a browser would keep. */
const asGuest = (id = `guest-of-a-test-${++guests}`): Headers => ({
  cookie: `guest=${encodeURIComponent(server.app.signCookie(id))}`,
});

function upload(bytes: Uint8Array, headers: Headers, filename = 'logo.png', type = 'image/png') {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), filename);
  return server.app.inject({ method: 'POST', url: '/api/designs/upload', payload: form, headers });
}
const post = (url: string, payload: object, headers: Headers, remoteAddress = '198.51.100.9') =>
  server.app.inject({ method: 'POST', url, payload, headers, remoteAddress });
const vectorize = (designId: string, headers: Headers, settings: object = {}, remoteAddress?: string) =>
  post('/api/designs/vectorize', { designId, settings }, headers, remoteAddress);
const crossedCorners = [
  { x: 0, y: 0 },
  { x: 1, y: 1 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
];
const fetchFile = async (url: string) => {
  const answer = await server.app.inject({ url });
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  return answer;
};
const colorsOf = (svg: string) => new Set(readArtwork(readSvg(svg))!.shapes.map(({ fill, stroke }) => fill ?? stroke));
const countFiles = async () => {
  let count = 0;
  for await (const _ of server.context.files.list('')) count++;
  return count;
};

describe('an upload', () => {
  test('becomes a design with a file at a signed address', async () => {
    const answer = await upload(logo, ann, '../../etc/Mäin\u0000 Logo\u202e.png');
    expect(answer.statusCode).toBe(200);
    const design = answer.json();
    expect(design).toMatchObject({
      filename: 'Mäin Logo.png',
      width: 120,
      height: 80,
      backgroundRemovedUrl: null,
      vectorizedSvgUrl: null,
    });
    expect(design.id).toMatch(/^[\w-]{22}$/);
    const file = await fetchFile(design.originalFileUrl);
    expect(file.headers['content-type']).toBe('image/png');
    expect(file.headers['content-security-policy']).toContain('sandbox');
    expect((await sharp(file.rawPayload).metadata()).width).toBe(120);
    const forgedReply = await server.app.inject({ url: design.originalFileUrl.replace(/s=[^&]{6}/, 's=AAAAAA') });
    expect(forgedReply.statusCode).toBe(404);
  });

  test.each<[string, () => Promise<Uint8Array>, number, string]>([
    [
      'a GIF named .png',
      () => sharp(logo).gif().toBuffer(),
      415,
      'This file is not a JPG, PNG, SVG, DXF or LightBurn file.',
    ],
    [
      'a picture cut off',
      async () => logo.subarray(0, logo.length / 2),
      422,
      'This picture is damaged and could not be read.',
    ],
    ['an empty file', async () => new Uint8Array(), 415, 'This file is not a JPG, PNG, SVG, DXF or LightBurn file.'],
  ])('of %s is refused and leaves nothing behind', async (_name, make, status, message) => {
    const before = [await countFiles(), await server.context.db.$count(designs)];
    const answer = await upload(await make(), ann);
    expect([answer.statusCode, answer.json().message]).toEqual([status, message]);
    expect([await countFiles(), await server.context.db.$count(designs)]).toEqual(before);
  });

  test('of more than 20 MB is refused', async () => {
    const answer = await upload(Buffer.concat([logo, Buffer.alloc(20 * 1024 * 1024)]), ann);
    expect(answer.statusCode).toBe(413);
  });

  test('without a file, or as JSON, is refused', async () => {
    expect((await post('/api/designs/upload', {}, ann)).statusCode).toBe(415);
    const form = new FormData();
    form.set('other', 'text');
    const answer = await server.app.inject({ method: 'POST', url: '/api/designs/upload', payload: form, headers: ann });
    expect(answer.statusCode).toBe(400);
  });

  test('of an SVG is stored without scripts and the like, and reports the parts left out', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="alert(1)"><script>alert(2)</script>' +
      '<a href="javascript:alert(3)"><path d="M0 0h9v9z"/></a><text>Anna</text></svg>';
    const answer = await upload(Buffer.from(svg), ann, 'logo.svg', 'image/svg+xml');
    expect(answer.statusCode).toBe(200);
    expect(answer.json().notice).toContain('text');
    const svgText = (await fetchFile(answer.json().originalFileUrl)).payload;
    expect(svgText).toContain('<path');
    expect(svgText).not.toMatch(/script|onload|javascript|alert/);
  });

  test('of a file that says its size keeps that size and what kind it is, and says what was taken for granted', async () => {
    const line = '0\nSECTION\n2\nENTITIES\n0\nLINE\n8\nCUT\n10\n0\n20\n0\n11\n40\n21\n25\n0\nENDSEC\n0\nEOF\n';
    const { id, ...design } = (await upload(Buffer.from(line), ann, 'part.dxf', '')).json();
    const outlines = { outlineFile: 'DXF', widthMm: expect.closeTo(40, 3) };
    expect(design).toMatchObject({
      ...outlines,
      notice: 'This DXF file names no unit, so its numbers were read as millimeters.',
    });
    expect((await server.app.inject({ url: `/api/designs/${id}`, headers: ann })).json()).toMatchObject(outlines);
    const logoAnswer = (await upload(logo, ann)).json();
    expect(logoAnswer).not.toHaveProperty('widthMm');
    expect(logoAnswer).not.toHaveProperty('outlineFile');
  });

  test.each([
    [
      '<text>Anna</text>',
      'The text in this SVG was left out. Turn it into outlines in your drawing program and upload it again.',
    ],
    [
      '<filter><feTurbulence numOctaves="66"/></filter><foreignObject/>',
      'Parts of this drawing were left out: foreignObject, numOctaves of feTurbulence.',
    ],
    [
      '<text/><video/><rect width="1e39"/><g stroke-width="1e39"/>',
      'The text in this SVG was left out. Turn it into outlines in your drawing program and upload it again. ' +
        'Other parts were left out, too: stroke-width of g, video, width of rect.',
    ],
    ['<a1/><a2/><a3/><a4/><a5/><a6/><a7/>', 'Parts of this drawing were left out: a1, a2, a3, a4, a5 and 2 more.'],
  ])('of an SVG says what was left out, numbers too: %s', async (content, notice) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/>${content}</svg>`;
    const answer = await upload(Buffer.from(svg), ann, 'logo.svg', 'image/svg+xml');
    expect(answer.json().notice).toBe(notice);
  });

  test('beyond the number of designs of a guest is refused with a sentence', async () => {
    const guest = asGuest();
    const { id } = (await upload(logo, guest)).json();
    const [{ id: _id, ...row }] = (await server.context.db.select().from(designs).where(eq(designs.id, id))) as [
      typeof designs.$inferSelect,
    ];
    const more = Array.from({ length: 99 }, (_, number) => ({ ...row, id: `${id.slice(0, 18)}-${number}` }));
    await server.context.db.insert(designs).values(more);
    const answer = await upload(logo, guest);
    expect([answer.statusCode, answer.json().message]).toEqual([507, 'Your space for designs is full.']);
  });
});

describe('tracing for the screen', () => {
  test('returns a drawing in the colors of its mode, the same for the same settings', async () => {
    const { id } = (await upload(logo, ann)).json();
    const black = await vectorize(id, ann);
    expect(black.statusCode).toBe(200);
    const drawing = (await fetchFile(black.json().vectorizedSvgUrl)).payload;
    expect(colorsOf(drawing)).toEqual(new Set(['#000000']));

    const files = await countFiles();
    const again = await vectorize(id, ann, { machineType: 'laser' });
    expect(again.json().vectorizedSvgUrl.split('?')[0]).toBe(black.json().vectorizedSvgUrl.split('?')[0]);
    expect(await countFiles()).toBe(files);

    const steel = await vectorize(id, ann, { colorMode: 'stainless' });
    expect(colorsOf((await fetchFile(steel.json().vectorizedSvgUrl)).payload)).toEqual(new Set(['#8496a9']));
    const [listEntry] = (await server.app.inject({ url: '/api/designs', headers: ann })).json();
    expect(listEntry).toMatchObject({ id, colorMode: 'stainless' });
    expect(listEntry.vectorizedSvgUrl.split('?')[0]).toBe(steel.json().vectorizedSvgUrl.split('?')[0]);
  });

  test('with preview settings keeps the color mode of the shown trace', async () => {
    const { id } = (await upload(logo, ann)).json();
    await vectorize(id, ann, { colorMode: 'color' });
    const preview = await post('/api/designs/generate-preview', { designId: id, settings: { paletteSize: 4 } }, ann);
    expect(preview.json()).toMatchObject({ width: 120, height: 80 });
    const drawing = (await fetchFile(preview.json().previewUrl)).payload;
    expect(colorsOf(drawing).size).toBeLessThanOrEqual(4);
    expect(colorsOf(drawing)).not.toEqual(new Set(['#000000']));
    const [listEntry] = (await server.app.inject({ url: '/api/designs', headers: ann })).json();
    expect(listEntry.colorMode).toBe('color');
  });

  test('of a crop has the crop’s size and is stored, and preview settings keep the crop', async () => {
    const { id } = (await upload(logo, ann)).json();
    const crop = { x: 0.25, y: 0, width: 0.5, height: 1 };
    const answer = await vectorize(id, ann, { crop, threshold: 30, brightness: 10 });
    expect(answer.statusCode, answer.body).toBe(200);
    const drawing = readSvg((await fetchFile(answer.json().vectorizedSvgUrl)).payload);
    expect([drawing.width, drawing.height]).toEqual([60, 80]);
    const [listEntry] = (await server.app.inject({ url: '/api/designs', headers: ann })).json();
    expect(listEntry.settings).toMatchObject({ crop, threshold: 30, brightness: 10, contrast: 0 });
    const preview = await post('/api/designs/generate-preview', { designId: id, settings: { despeckle: 3 } }, ann);
    expect(preview.json()).toMatchObject({ width: 60, height: 80 });
  });

  test('with unchanged settings returns the stored trace', async () => {
    const { id } = (await upload(logo, ann)).json();
    const plain = (await vectorize(id, ann)).json().vectorizedSvgUrl.split('?')[0];
    const files = await countFiles();
    for (const settings of [
      { crop: { x: 0, y: 0, width: 1, height: 1 } },
      { brightness: 0, contrast: 0 },
      { mode: 'preview', machineType: 'uv' },
    ]) {
      expect((await vectorize(id, ann, settings)).json().vectorizedSvgUrl.split('?')[0]).toBe(plain);
    }
    expect(await countFiles()).toBe(files);
    for (const settings of [{ brightness: 1 }, { contrast: -1 }, { threshold: 50 }, { drawStyle: 'centerline' }]) {
      expect((await vectorize(id, ann, settings)).json().vectorizedSvgUrl?.split('?')[0]).not.toBe(plain);
    }
  });

  test('of a tiny crop is refused, and the shown trace stays', async () => {
    const { id } = (await upload(logo, ann)).json();
    await vectorize(id, ann, { despeckle: 2 });
    const sliver = await vectorize(id, ann, { crop: { x: 0.5, y: 0, width: 7 / 120, height: 1 } });
    expect([sliver.statusCode, sliver.json().message]).toEqual([
      400,
      'A crop must leave at least 8 pixels of the picture each way.',
    ]);
    const [listEntry] = (await server.app.inject({ url: '/api/designs', headers: ann })).json();
    expect(listEntry.settings.crop).toBeUndefined();
    const eight = await vectorize(id, ann, { crop: { x: 0.5, y: 0, width: 8 / 120, height: 1 } });
    expect(eight.statusCode, eight.body).toBe(200);
  });

  test('of a straightened picture has the straightened size and is stored, and preview settings keep it', async () => {
    const { id } = (await upload(logo, ann)).json();
    // The picture of 120 × 80 has 60 × 40 in it that was turned by 30 degrees.
    const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
    const toCorner = (x: number, y: number) => ({ x: 0.5 + (c * x - s * y) / 120, y: 0.5 + (s * x + c * y) / 80 });
    const straighten = {
      corners: [toCorner(-30, -20), toCorner(30, -20), toCorner(30, 20), toCorner(-30, 20)],
      aspect: 1.5,
    };
    const answer = await vectorize(id, ann, { straighten, crop: { x: 0, y: 0, width: 1, height: 0.5 } });
    expect(answer.statusCode, answer.body).toBe(200);
    const drawing = readSvg((await fetchFile(answer.json().vectorizedSvgUrl)).payload);
    expect([drawing.width, drawing.height]).toEqual([60, 20]);
    const [listEntry] = (await server.app.inject({ url: '/api/designs', headers: ann })).json();
    expect(listEntry.settings).toMatchObject({ straighten });
    const preview = await post('/api/designs/generate-preview', { designId: id, settings: { despeckle: 3 } }, ann);
    expect(preview.json()).toMatchObject({ width: 60, height: 20 });

    const tiny = { ...straighten, corners: straighten.corners.map(({ x, y }) => ({ x: 0.1 * x, y: 0.1 * y })) };
    const refusal = await vectorize(id, ann, { straighten: tiny });
    expect([refusal.statusCode, refusal.json().message]).toEqual([
      400,
      'A straightened part must leave at least 8 pixels of the picture each way.',
    ]);
    const svgFile = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"><path d="M1 1H8V5H1Z"/></svg>',
    );
    const svgId = (await upload(svgFile, ann, 'drawn.svg')).json().id;
    const svgAnswer = await vectorize(svgId, ann, { straighten });
    expect([svgAnswer.statusCode, svgAnswer.json().message]).toEqual([
      400,
      'Only a picture made of pixels can be straightened.',
    ]);
  });

  test('ignores a file name in currentPreviewUrl', async () => {
    const { id } = (await upload(logo, ann)).json();
    const forms = [
      'http://127.0.0.1:9/x',
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'data:text/html,x',
      'gopher://[::1]/',
      '//evil.example',
      '\u0000',
    ];
    for (const currentPreviewUrl of forms) {
      const answer = await post('/api/designs/vectorize', { designId: id, currentPreviewUrl, settings: {} }, ann);
      expect(answer.statusCode, currentPreviewUrl).toBe(200);
      expect(answer.json().vectorizedSvgUrl).toMatch(/^\/files\/designs\//);
    }
  });

  test.each([
    ['no design', {}, 400],
    ['a number for a design', { designId: 7 }, 400],
    ['an unknown color mode', { designId: 'x', settings: { colorMode: 'plaid' } }, 400],
    ['a palette of one', { designId: 'x', settings: { paletteSize: 1 } }, 400],
    ['a despeckle of eleven', { designId: 'x', settings: { despeckle: 11 } }, 400],
    ['a crop beyond the picture', { designId: 'x', settings: { crop: { x: 2, y: 0, width: 1, height: 1 } } }, 400],
    ['corners that cross', { designId: 'x', settings: { straighten: { corners: crossedCorners, aspect: 1 } } }, 400],
    ['a brightness of 101', { designId: 'x', settings: { brightness: 101 } }, 400],
    ['a threshold of nothing', { designId: 'x', settings: { threshold: 0 } }, 400],
    ['a design that is not there', { designId: '../../etc/passwd' }, 404],
  ])('with %s is answered in a sentence', async (_name, body, status) => {
    const answer = await post('/api/designs/vectorize', body, ann);
    expect(answer.statusCode).toBe(status);
    expect(answer.json().message).toMatch(/\.$|Please upload and vectorize/);
  });
});

test('a list of designs goes on after the last one, and lists none twice', async () => {
  const headers = await server.signUp();
  const { id } = (await upload(logo, headers)).json();
  const [{ id: _id, ...row }] = (await server.context.db.select().from(designs).where(eq(designs.id, id))) as [
    typeof designs.$inferSelect,
  ];
  // Some of them at the same time: then their ids decide.
  const times = [1, 2, 2, 2, 3].map((minutes) => new Date(row.createdAt.getTime() - minutes * 60_000));
  const more = Array.from({ length: 230 }, (_, i) => ({ ...row, id: `more-${i}`, createdAt: times[i % 5]! }));
  await server.context.db.insert(designs).values(more);
  const list = async (query = '') =>
    (await server.app.inject({ url: `/api/designs${query}`, headers }))
      .json()
      .map((design: { id: string }) => design.id);
  const first = await list();
  const second = await list(`?before=${first.at(-1)}`);
  expect([first.length, second.length, new Set([...first, ...second]).size]).toEqual([200, 31, 231]);
  expect(await list(`?before=${second.at(-1)}`)).toEqual([]);
  const others = await server.app.inject({ url: `/api/designs?before=${id}`, headers: ann });
  expect([others.statusCode, others.json().message]).toEqual([400, expect.stringMatching('load it again')]);
});

describe('ownership of a design', () => {
  test('answers every other caller as for a missing design', async () => {
    const guest = asGuest();
    const own: [Headers, string][] = [
      [ann, (await upload(logo, ann)).json().id],
      [guest, (await upload(logo, guest)).json().id],
    ];
    const strangers: Headers[] = [ben, asGuest(), {}, { authorization: 'Bearer gone' }];
    for (const [owner, id] of own) {
      for (const stranger of [...strangers, owner === ann ? guest : ann]) {
        for (const [url, body] of [
          ['/api/designs/vectorize', { designId: id }],
          ['/api/designs/generate-preview', { designId: id }],
        ] as const) {
          const foreign = await post(url, body, stranger);
          const missing = await post(url, { designId: 'nowhere' }, stranger);
          expect([foreign.statusCode, foreign.json().message]).toEqual([404, missing.json().message]);
          expect(missing.statusCode).toBe(404);
        }
        const list = (await server.app.inject({ url: '/api/designs', headers: stranger })).json();
        expect(list.map((design: { id: string }) => design.id)).not.toContain(id);
      }
      expect((await vectorize(id, owner)).statusCode).toBe(200);
    }
  });

  test('treats a forged cookie as no guest', async () => {
    const { id } = (await upload(logo, asGuest('known-guest-of-a-test'))).json();
    for (const cookie of ['guest=known-guest-of-a-test', 'guest=known-guest-of-a-test.AAAA', `guest=s:${id}`]) {
      expect((await vectorize(id, { cookie })).statusCode).toBe(404);
    }
  });
});

describe('a guest’s mockups', () => {
  beforeAll(() => server.setNow(new Date())); // no month turns while they are counted
  const countUsage = async (headers: Headers) =>
    (await server.app.inject({ url: '/api/users/guest-usage', headers })).json().mockupsGenerated;

  test('are counted once per design, with its trace, up to four', async () => {
    const guest = asGuest();
    const address = '203.0.113.77';
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await upload(logo, guest)).json().id);
    expect(await countUsage(guest)).toBe(0);
    expect((await vectorize(ids[0]!, guest, {}, address)).statusCode).toBe(200);
    expect((await vectorize(ids[0]!, guest, { colorMode: 'color' }, address)).statusCode).toBe(200);
    const crop = { x: 0.25, y: 0, width: 0.5, height: 1 };
    expect((await vectorize(ids[0]!, guest, { crop }, address)).statusCode).toBe(200);
    await post('/api/designs/generate-preview', { designId: ids[0] }, guest, address);
    expect(await countUsage(guest)).toBe(1);
    for (const id of ids.slice(1, 4)) expect((await vectorize(id, guest, {}, address)).statusCode).toBe(200);
    const fifth = await vectorize(ids[4]!, guest, {}, address);
    expect([fifth.statusCode, fifth.json().message]).toEqual([
      402,
      "You've used your 4 free mockups this month. Create an account to go on.",
    ]);
    expect((await vectorize(ids[2]!, guest, { despeckle: 3 }, address)).statusCode).toBe(200);
    expect(await countUsage(guest)).toBe(4);
    expect(await countUsage(asGuest())).toBe(0);
  });

  test('are not charged when the picture cannot be traced', async () => {
    const guest = asGuest();
    const blank = await sharp({ create: { width: 30, height: 30, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const { id } = (await upload(blank, guest)).json();
    const answer = await vectorize(id, guest);
    expect([answer.statusCode, answer.json().message]).toEqual([422, expect.stringContaining('Nothing is left')]);
    expect(await countUsage(guest)).toBe(0);
    const rows = await server.context.db.select().from(usage).where(eq(usage.key, id));
    expect(rows.map(({ state }) => state)).toEqual(['refunded']);
  });
});

describe('what a guest did not open for 30 days', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const setOpened = (ids: string[], daysAgo: number) =>
    server.context.db
      .update(designs)
      .set({ openedAt: new Date(Date.now() - daysAgo * DAY_MS) })
      .where(inArray(designs.id, ids));

  test('goes with its files; an account’s stays', async () => {
    const guest = asGuest();
    const [left, ownDesign] = [(await upload(logo, guest)).json(), (await upload(logo, ann)).json()];
    await vectorize(left.id, guest);
    await setOpened([left.id, ownDesign.id], 29);
    await sweepGuestDesigns(server.context);
    await fetchFile(left.originalFileUrl);
    await setOpened([left.id, ownDesign.id], 31);
    await sweepGuestDesigns(server.context);
    const files: string[] = [];
    for await (const { key } of server.context.files.list(`designs/${left.id}/`)) files.push(key);
    expect(files).toEqual([]);
    expect(await server.context.db.$count(storedFiles, like(storedFiles.key, `designs/${left.id}/%`))).toBe(0);
    expect((await vectorize(left.id, guest)).statusCode).toBe(404);
    await fetchFile(ownDesign.originalFileUrl);
  });

  test('goes in one sweep, however many there are', async () => {
    const guest = asGuest();
    const { id } = (await upload(logo, guest)).json();
    const [{ id: _id, ...row }] = (await server.context.db.select().from(designs).where(eq(designs.id, id))) as [
      typeof designs.$inferSelect,
    ];
    const openedAt = new Date(Date.now() - 31 * DAY_MS);
    const old = Array.from({ length: 501 }, (_, i) => ({ ...row, id: `left-${i}`, openedAt }));
    await server.context.db.insert(designs).values(old);
    await sweepGuestDesigns(server.context);
    expect(await server.context.db.$count(designs, eq(designs.guestId, row.guestId!))).toBe(1);
  });

  test('stays when it is opened again, which is recorded once a day', async () => {
    const guest = asGuest();
    const { id } = (await upload(logo, guest)).json();
    const open = () => server.app.inject({ url: `/api/designs/${id}`, headers: guest });
    const openedAt = async () =>
      (await server.context.db.select().from(designs).where(eq(designs.id, id)))[0]!.openedAt;
    await setOpened([id], 31);
    expect((await open()).statusCode).toBe(200);
    const firstOpenedAt = await openedAt();
    expect(Date.now() - firstOpenedAt.getTime()).toBeLessThan(DAY_MS);
    await open();
    expect(await openedAt()).toEqual(firstOpenedAt);
    await sweepGuestDesigns(server.context);
    expect((await open()).statusCode).toBe(200);
  });
});

describe('a guest', () => {
  const inDays = (days: number) => ({
    ...server.context,
    now: () => new Date(Date.now() + days * 24 * 60 * 60 * 1000),
  });

  test('is deleted 30 days after the last upload, with the records of exports', async () => {
    const { db } = server.context;
    const [id, otherId] = [`guest-of-a-test-${++guests}`, `guest-of-a-test-${++guests}`];
    const headers = asGuest(id);
    const isThere = (guestId: string) => db.$count(guestRows, eq(guestRows.id, guestId));
    const countRecords = () => db.$count(exportRecords, eq(exportRecords.guestId, id));
    const design = (await upload(logo, headers)).json();
    const mockup = { productName: 'Mug', designFilename: 'logo.png' };
    expect((await post('/api/exports/record-mockup', mockup, headers)).statusCode).toBe(200);
    await sweepGuests(inDays(31));
    expect([await isThere(id), await countRecords()]).toEqual([1, 1]); // the design is still there

    await db.delete(designs).where(eq(designs.id, design.id));
    await db.insert(guestRows).values({ id: otherId, address: '203.0.113.1', seenAt: inDays(2).now() });
    await sweepGuests(inDays(29));
    expect([await isThere(id), await isThere(otherId)]).toEqual([1, 1]);
    await sweepGuests(inDays(31));
    expect([await isThere(id), await isThere(otherId), await countRecords()]).toEqual([0, 1, 0]);

    // The cookie of one who comes back later is as good as ever.
    expect((await upload(logo, headers)).statusCode).toBe(200);
    expect(await isThere(id)).toBe(1);
  });

  test('is kept after storing something again', async () => {
    const id = `guest-of-a-test-${++guests}`;
    const first = (await upload(logo, asGuest(id))).json();
    const { db } = server.context;
    await db
      .update(guestRows)
      .set({ seenAt: inDays(-40).now() })
      .where(eq(guestRows.id, id));
    const second = (await upload(logo, asGuest(id))).json();
    await db.delete(designs).where(inArray(designs.id, [first.id, second.id]));
    await sweepGuests(server.context);
    expect(await db.$count(guestRows, eq(guestRows.id, id))).toBe(1);
  });
});

test('deletes files without a design after a day, and keeps files of a design', async () => {
  const ownDesign = (await upload(logo, ann)).json();
  const orphans = Array.from({ length: 205 }, (_, i) => `designs/nobody-${i}/original.png`); // more than one look-up
  for (const key of orphans) await server.context.files.put(key, logo, 'image/png', SITE);
  const left = async () =>
    (await Promise.all(orphans.map((key) => server.context.files.has(key)))).filter(Boolean).length;
  await sweepDesignFiles(server.context);
  expect(await left()).toBe(orphans.length);
  const tomorrow = new Date(Date.now() + 25 * 60 * 60 * 1000);
  await sweepDesignFiles({ ...server.context, media: server.context.media, now: () => tomorrow });
  expect(await left()).toBe(0);
  await fetchFile(ownDesign.originalFileUrl);
});

describe.runIf(hasCorpora)('strangers’ files through upload, preview and trace', () => {
  test.each([
    ['png-pngsuite', 12],
    ['png-fuzz', 20],
    ['jpeg-fuzz', 20],
    ['jpeg-afl', 50],
    ['image-rs', 1],
    ['sharp-fixtures', 1],
    ['bombs', 1],
    ['polyglot', 1],
    ['svg-resvg', 110],
    ['svg-xss-sanitizer', 1],
  ])('%s: never a 5xx, never anything that runs', { tags: ['detail'] }, async (folder, step) => {
    for (const { name, bytes } of filesOf(folder, step * repetitions(32, 1))) {
      const answer = await upload(bytes, ann, name);
      expect([200, 413, 415, 422], `${name}: ${answer.body}`).toContain(answer.statusCode);
      if (answer.statusCode !== 200) continue;
      const { id, originalFileUrl } = answer.json();
      const fileBytes = (await fetchFile(originalFileUrl)).rawPayload;
      expect(/<script|javascript:|\son\w+=|<foreignObject/i.test(fileBytes.toString('latin1')), name).toBe(false);
      const preview = post('/api/designs/generate-preview', { designId: id, paletteSize: 8 }, ann);
      // Whatever the picture does to its worker, the server answers meanwhile.
      expect((await server.app.inject({ url: '/api/health' })).statusCode, name).toBe(200);
      expect([200, 422], `${name}: ${(await preview).body}`).toContain((await preview).statusCode);
      const trace = await vectorize(id, ann, { colorMode: 'color', quality: 'low' });
      expect([200, 422], `${name}: ${trace.body}`).toContain(trace.statusCode);
    }
  });
});
