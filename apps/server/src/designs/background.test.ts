import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messages, PROGRESS_STREAM_TYPE } from '@markwright/contract';
import { readArtwork, readSvg } from '@markwright/scene';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { tinyModel } from '../../test/tinyModel.ts';
import { usage } from '../allowances/tables.ts';
import { AppError } from '../platform/errors.ts';
import type { MediaPool } from '../platform/ports/mediaPool.ts';
import { designs } from './tables.ts';

type Headers = Record<string, string>;

let server: TestApp;
let ann: Headers;
beforeAll(async () => {
  server = await createTestApp();
  server.setNow(new Date()); // no month turns while charges are counted
  ann = await server.signUp();
});
afterAll(() => server.close());

let guests = 0;
const asGuest = (): Headers => ({
  cookie: `guest=${encodeURIComponent(server.app.signCookie(`guest-without-ground-${++guests}`))}`,
});
const post = (url: string, payload: object, headers: Headers) =>
  server.app.inject({ method: 'POST', url, payload, headers });
const remove = (designId: string, headers: Headers, options?: object) =>
  post('/api/designs/remove-background', { designId, ...(options && { options }) }, headers);
async function upload(bytes: Uint8Array, headers: Headers, type = 'image/png'): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), type === 'image/png' ? 'disk.png' : 'disk.svg');
  const answer = await server.app.inject({ method: 'POST', url: '/api/designs/upload', payload: form, headers });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json<{ id: string }>().id;
}
const read = async (id: string, headers: Headers) =>
  (await server.app.inject({ url: `/api/designs/${id}`, headers })).json();
const fetchFile = async (url: string) => (await server.app.inject({ url })).rawPayload;
const filesOf = async (id: string) => {
  const keys: string[] = [];
  for await (const { key } of server.context.files.list(`designs/${id}/`)) keys.push(key);
  return keys;
};
const countUsage = async (headers: Headers) =>
  (await server.app.inject({ url: '/api/users/guest-usage', headers })).json().mockupsGenerated;

const RED = '#c8102e';
const SAGE = '#b9d3c0';
/** A red disk in the middle of a plain ground. */
const disk = (ground: string, width = 120, height = 80) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 120 80">
    <rect width="120" height="80" fill="${ground}"/><circle cx="60" cy="40" r="25" fill="${RED}"/></svg>`),
  )
    .png()
    .toBuffer();
const ring = () =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="${SAGE}"/>
    <circle cx="60" cy="40" r="25" fill="none" stroke="${RED}" stroke-width="12"/></svg>`),
  )
    .png()
    .toBuffer();
const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();

/** The pixels of a picture, read one by one. */
async function pixelsOf(png: Uint8Array) {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(4);
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return { width: info.width, height: info.height, at };
}
async function tracedColors(id: string, headers: Headers): Promise<Set<string | undefined>> {
  const settings = { colorMode: 'color', paletteSize: 8 };
  const answer = await post('/api/designs/vectorize', { designId: id, settings }, headers);
  const svg = (await fetchFile(answer.json().vectorizedSvgUrl)).toString();
  return new Set(readArtwork(readSvg(svg))!.shapes.map(({ fill }) => fill));
}

describe('the background', () => {
  test.each(['#ffffff', SAGE])('of a disk on %s is cleared, and the disk stays as it is', async (ground) => {
    const id = await upload(await disk(ground), ann);
    const answer = await remove(id, ann, { model: 'u2net', format: 'png', quality: 95 });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toEqual({ backgroundRemovedUrl: expect.any(String), modelUsed: 'classical' });
    const { width, height, at } = await pixelsOf(await fetchFile(answer.json().backgroundRemovedUrl));
    expect([width, height]).toEqual([120, 80]);
    for (const [x, y] of [
      [0, 0],
      [119, 0],
      [0, 79],
      [119, 79],
      [60, 5],
    ] as const)
      expect(at(x, y)[3]).toBe(0);
    for (const [x, y] of [
      [60, 40],
      [45, 40],
      [60, 58],
    ] as const)
      expect(at(x, y)).toEqual([200, 16, 46, 255]);
  });

  test('is in no later trace, and the original is kept', async () => {
    const id = await upload(await disk(SAGE), ann);
    expect(await tracedColors(id, ann)).toEqual(new Set([SAGE, RED]));
    const before = await read(id, ann);
    await remove(id, ann);
    const after = await read(id, ann);
    // How it was shown stays; the trace with the ground in it does not.
    expect(after).toMatchObject({ settings: before.settings, vectorizedSvgUrl: null });
    expect(after.originalFileUrl.split('?')[0]).toBe(before.originalFileUrl.split('?')[0]);
    expect(after.tracePictureUrl).toBe(after.backgroundRemovedUrl);
    expect(await fetchFile(after.originalFileUrl)).toEqual(await fetchFile(before.originalFileUrl));
    expect(await tracedColors(id, ann)).toEqual(new Set([RED]));
  });

  test('is removed once: a second call returns the same file without work, and keeps the trace', async () => {
    const id = await upload(await disk('#ffffff'), ann);
    const first = (await remove(id, ann)).json().backgroundRemovedUrl;
    await tracedColors(id, ann);
    const [files, { vectorizedSvgUrl }, { done }] = [
      await filesOf(id),
      await read(id, ann),
      server.context.media.stats(),
    ];
    const again = (await remove(id, ann, { quality: 40 })).json().backgroundRemovedUrl;
    expect(again.split('?')[0]).toBe(first.split('?')[0]);
    expect(await filesOf(id)).toEqual(files);
    expect((await read(id, ann)).vectorizedSvgUrl.split('?')[0]).toBe(vectorizedSvgUrl.split('?')[0]);
    expect(server.context.media.stats().done).toBe(done);
  });

  test('inside a ring is removed or kept by option, each in a file of its own', async () => {
    const id = await upload(await ring(), ann);
    const inside = async (options?: object) => {
      const { backgroundRemovedUrl } = (await remove(id, ann, options)).json();
      return {
        url: backgroundRemovedUrl.split('?')[0],
        alpha: (await pixelsOf(await fetchFile(backgroundRemovedUrl))).at(60, 40)[3],
      };
    };
    const [withInside, withoutInside] = [await inside({ clearEnclosed: false }), await inside({ clearEnclosed: true })];
    expect([withInside.alpha, withoutInside.alpha]).toEqual([255, 0]);
    expect(withoutInside.url).not.toBe(withInside.url);
    // A drawing in few colors: unasked, its holes are clear.
    expect((await inside()).alpha).toBe(0);
  });

  test('of a large picture is removed at full size, and the trace is made at a smaller one', {
    tags: ['detail'],
  }, async () => {
    const id = await upload(await disk(SAGE, 2400, 1600), ann);
    const { backgroundRemovedUrl } = (await remove(id, ann)).json();
    const { width, height, at } = await pixelsOf(await fetchFile(backgroundRemovedUrl));
    expect([width, height, at(3, 3)[3]]).toEqual([2400, 1600, 0]);
    expect(await tracedColors(id, ann)).toEqual(new Set([RED]));
    const { tracePictureUrl } = await read(id, ann);
    expect(tracePictureUrl).toMatch(/cutout-[0-9a-f]{32}-traced\.png/);
    expect((await pixelsOf(await fetchFile(tracePictureUrl))).width).toBeLessThan(2400);
  });
});

test('does not store a trace that ends after the background was removed', async () => {
  let letTraceEnd = () => {};
  let isTracing = () => {};
  const [traceMayEnd, tracing] = [
    new Promise<void>((resolve) => (letTraceEnd = resolve)),
    new Promise<void>((resolve) => (isTracing = resolve)),
  ];
  const png = new Uint8Array(await disk(SAGE));
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
  const media = {
    async run(job: string) {
      if (job === 'decode') return { mediaType: 'image/png', png, uploadFormat: 'png', width: 120, height: 80 };
      if (job === 'cutOut') return { png };
      isTracing();
      await traceMayEnd;
      return { svg, width: 120, height: 80 };
    },
    close: async () => {},
  } as unknown as MediaPool;
  const other = await createTestApp({ media });
  try {
    const headers = await other.signUp();
    const form = new FormData();
    form.set('file', new Blob([png], { type: 'image/png' }), 'disk.png');
    const send = (url: string, payload: object) => other.app.inject({ method: 'POST', url, payload, headers });
    const { id: designId } = (await send('/api/designs/upload', form)).json();
    const traceReply = send('/api/designs/vectorize', { designId }).then((answer) => answer);
    await tracing;
    expect((await send('/api/designs/remove-background', { designId })).statusCode).toBe(200);
    letTraceEnd();
    expect((await traceReply).statusCode).toBe(200);
    const { vectorizedSvgUrl } = (await other.app.inject({ url: `/api/designs/${designId}`, headers })).json();
    expect(vectorizedSvgUrl).toBeNull();
  } finally {
    await other.close();
  }
});

describe('a background that is not plain', () => {
  /** A white disk before dark and restless ground. */
  async function photograph(): Promise<Buffer> {
    let seed = 5;
    const tone = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed >>> 25;
    };
    const ground = Buffer.from(Array.from({ length: 60 * 40 * 3 }, tone));
    const disk =
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><circle cx="150" cy="100" r="60" fill="#fff"/></svg>';
    return sharp(ground, { raw: { width: 60, height: 40, channels: 3 } })
      .resize(300, 200, { kernel: 'nearest' })
      .composite([{ input: Buffer.from(disk) }])
      .png()
      .toBuffer();
  }
  let folder: string;
  let withModel: TestApp;
  let eve: Headers;
  const ask = async (url: string, payload: object | FormData) =>
    withModel.app.inject({ method: 'POST', url, payload, headers: eve });
  const send = async (bytes: Buffer): Promise<string> => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'disk.png');
    return (await ask('/api/designs/upload', form)).json().id;
  };
  const cut = (designId: string, options?: object) => ask('/api/designs/remove-background', { designId, options });
  const alphas = async (url: string) => {
    const { width, height, at } = await pixelsOf((await withModel.app.inject({ url })).rawPayload);
    expect([width, height]).toEqual([300, 200]);
    return [at(5, 5)[3], at(150, 100)[3]];
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'markwright-models-'));
    withModel = await createTestApp({ models: folder });
    eve = await withModel.signUp();
  });
  afterAll(async () => {
    await withModel.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('is removed by the mask of a network, which runs once', async () => {
    const id = await send(await photograph());
    const refusal = await cut(id);
    expect([refusal.statusCode, refusal.json().message]).toEqual([422, messages.backgroundNotPlain]);

    // The server finds the model the moment it is there.
    await writeFile(join(folder, 'isnet.onnx'), tinyModel({ side: 1024 }));
    const segmentSpy = vi.spyOn(withModel.context.backgroundModels, 'segment');
    const reply = await cut(id);
    expect(reply.json()).toMatchObject({ modelUsed: 'isnet' });
    expect(await alphas(reply.json().backgroundRemovedUrl)).toEqual([0, 255]);
    const other = await cut(id, { clearEnclosed: true });
    expect(other.json().backgroundRemovedUrl).not.toBe(reply.json().backgroundRemovedUrl);
    expect((await cut(id)).json().modelUsed).toBe('isnet');
    expect(segmentSpy).toHaveBeenCalledTimes(1);

    await writeFile(join(folder, 'u2net.onnx'), tinyModel({ side: 320 }));
    const byOther = await cut(id, { model: 'u2net' });
    expect(byOther.json()).toMatchObject({ modelUsed: 'u2net' });
    const [ground, object] = await alphas(byOther.json().backgroundRemovedUrl); // as little as its darkest there
    expect([ground! < 128, object]).toEqual([true, 255]);
    expect(segmentSpy).toHaveBeenCalledTimes(2);

    // A drawing needs nobody's opinion.
    expect((await cut(await send(await disk(SAGE)))).json().modelUsed).toBe('classical');
    expect(segmentSpy).toHaveBeenCalledTimes(2);
  });

  test('reports its stages to a caller who asks for them', { tags: ['detail'] }, async () => {
    await writeFile(join(folder, 'isnet.onnx'), tinyModel({ side: 1024 }));
    const stages = async (designId: string) => {
      const headers = { ...eve, accept: PROGRESS_STREAM_TYPE };
      const payload = { designId };
      const answer = await withModel.app.inject({
        method: 'POST',
        url: '/api/designs/remove-background',
        headers,
        payload,
      });
      const type = String(answer.headers['content-type']).split(';')[0];
      return {
        status: answer.statusCode,
        type,
        lines: answer.body
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      };
    };
    const id = await send(await photograph());
    const lines = await stages(id);
    const reply = { backgroundRemovedUrl: expect.any(String), modelUsed: expect.stringMatching(/net$/) };
    const all = ['reading', 'looking', 'refining', 'writing'].map((stage) => ({ stage }));
    expect(lines).toEqual({ status: 200, type: PROGRESS_STREAM_TYPE, lines: [...all, { reply }] });
    // What is kept needs no work.
    expect((await stages(id)).lines).toEqual([{ reply }]);
    expect((await stages(await send(await disk('#123456')))).lines.map(({ stage }) => stage)).toEqual([
      'reading',
      'refining',
      'writing',
      undefined,
    ]);
    // Refused before it began, as every call; refused later, in the last line.
    expect(await stages('AAAAAAAAAAAAAAAAAAAAAA')).toMatchObject({ status: 404, type: 'application/json' });
    for (const name of ['isnet', 'u2net']) await rm(join(folder, `${name}.onnx`), { force: true });
    const refusal = { message: messages.backgroundNotPlain, requestId: expect.any(String) };
    const photo = await stages(await send(await photograph()));
    expect(photo).toMatchObject({
      status: 200,
      lines: [{ stage: 'reading' }, { stage: 'refining' }, { status: 422, refusal }],
    });
  });

  test('that is plain is removed without the network where the machine is too small for it', async () => {
    await writeFile(join(folder, 'isnet.onnx'), tinyModel({ side: 1024 }));
    const many = Array.from(
      { length: 120 },
      (_, i) => `<rect x="${90 + i}" y="40" width="1" height="120" fill="hsl(${3 * i},80%,40%)"/>`,
    );
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="${SAGE}"/>${many.join('')}</svg>`;
    const id = await send(await sharp(Buffer.from(svg)).png().toBuffer());
    const tooMuch = new AppError('unprocessable', 'This picture needs more memory than there is for one picture.');
    vi.spyOn(withModel.context.backgroundModels, 'segment').mockRejectedValueOnce(tooMuch);
    const reply = await cut(id);
    expect(reply.json()).toMatchObject({ modelUsed: 'classical' });
    expect(await alphas(reply.json().backgroundRemovedUrl)).toEqual([0, 255]);
    expect((await cut(id)).json().modelUsed).not.toBe('classical'); // the next time it is asked again
  });

  test('is refused with a sentence when the only model is not usable', async () => {
    await rm(join(folder, 'u2net.onnx'), { force: true });
    await writeFile(join(folder, 'isnet.onnx'), 'no model');
    const answer = await cut(await send(await photograph()));
    expect([answer.statusCode, answer.json().message]).toEqual([422, messages.backgroundNotPlain]);
  });
});

describe('a removal is refused with a sentence and stores nothing', () => {
  const noise = async () => {
    let seed = 7;
    const grain = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed >>> 24;
    };
    const data = Buffer.from(Array.from({ length: 90 * 60 * 3 }, grain));
    return sharp(data, { raw: { width: 90, height: 60, channels: 3 } })
      .png()
      .toBuffer();
  };
  const onClear = () =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><circle cx="30" cy="20" r="15"/></svg>`,
      ),
    )
      .png()
      .toBuffer();
  const svg = async () =>
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>');
  const allBackground = /^This picture is all background|^No background was found/;

  test.each<[string, () => Promise<Buffer>, string | RegExp, string?]>([
    ['noise', noise, messages.backgroundNotPlain],
    ['a picture on clear ground', onClear, 'This picture has no background: it is transparent already.'],
    ['a clear picture', () => plain(30, 20, '#00000000'), 'This picture has no background: it is transparent already.'],
    ['an SVG', svg, 'An SVG has no background to remove.', 'image/svg+xml'],
    ['one color', () => plain(30, 20, '#336699'), allBackground],
    ['one pixel', () => plain(1, 1, '#336699'), allBackground],
  ])('for %s', async (_name, make, sentence, type) => {
    const guest = asGuest();
    const id = await upload(await make(), guest, type);
    const files = await filesOf(id);
    const answer = await remove(id, guest);
    expect(answer.statusCode, answer.body).toBe(422);
    expect(answer.json().message).toMatch(sentence);
    expect(await filesOf(id)).toEqual(files);
    expect((await read(id, guest)).backgroundRemovedUrl).toBeNull();
    expect(await countUsage(guest)).toBe(0);
  });

  test('for invalid options', async () => {
    const id = await upload(await disk('#ffffff'), ann);
    for (const options of [{ format: 'jpg' }, { quality: 0 }, { model: '../u2net.onnx' }, { clearEnclosed: 'yes' }]) {
      expect((await remove(id, ann, options)).statusCode).toBe(400);
    }
  });

  test('for another owner’s design, as for a missing one', async () => {
    const id = await upload(await disk('#ffffff'), ann);
    for (const stranger of [await server.signUp(), asGuest(), {}]) {
      const [foreign, missing] = [await remove(id, stranger), await remove('nowhere', stranger)];
      expect([foreign.statusCode, foreign.json().message]).toEqual([404, missing.json().message]);
    }
    expect((await read(id, ann)).backgroundRemovedUrl).toBeNull();
  });
});

test('charges a guest once for a design, for the background and the trace together', async () => {
  const guest = asGuest();
  const id = await upload(await disk(SAGE), guest);
  await remove(id, guest);
  expect(await countUsage(guest)).toBe(1);
  await tracedColors(id, guest);
  await remove(id, guest);
  expect(await countUsage(guest)).toBe(1);
});

test('asks a guest whose mockups are used up to sign up, and makes nothing', async () => {
  const guest = asGuest();
  for (let i = 0; i < 4; i++) expect((await remove(await upload(await disk(SAGE), guest), guest)).statusCode).toBe(200);
  const fifth = await upload(await disk(SAGE), guest);
  const uploadedFiles = await filesOf(fifth);
  const answer = await remove(fifth, guest);
  expect([answer.statusCode, answer.json().message]).toEqual([
    402,
    "You've used your 4 free mockups this month. Create an account to go on.",
  ]);
  expect(await filesOf(fifth)).toEqual(uploadedFiles);
});

test('charges an account nothing', async () => {
  const ben = await server.signUp();
  const id = await upload(await disk(SAGE), ben);
  expect((await remove(id, ben)).statusCode).toBe(200);
  const [row] = await server.context.db.select().from(designs).where(eq(designs.id, id));
  expect(await server.context.db.$count(usage, eq(usage.owner, `user:${row!.userId}`))).toBe(0);
});

describe('a corrected cut-out', () => {
  const restore = (designId: string, headers: Headers) =>
    post('/api/designs/restore-background', { designId }, headers);
  const making = async (id: string, headers: Headers) =>
    (await server.app.inject({ url: `/api/designs/${id}/background`, headers })).json();
  const erase = { mode: 'erase', radius: 0.05, points: [0.5, 0.5] };
  const keep = { mode: 'keep', radius: 0.03, points: [0.05, 0.1, 0.2, 0.1] };
  const nothingDone = { edgeShift: 0, feather: 0, strokes: [] };

  test('has its strokes applied, is traced so, and returns its settings on any device', async () => {
    const id = await upload(await disk(SAGE), ann);
    const cutoutUrl = (await remove(id, ann)).json().backgroundRemovedUrl;
    const finish = { edgeShift: -1.5, feather: 2, strokes: [erase, keep] };
    const answer = await remove(id, ann, { clearEnclosed: true, ...finish });
    expect(answer.statusCode, answer.body).toBe(200);
    const { at } = await pixelsOf(await fetchFile(answer.json().backgroundRemovedUrl));
    expect([at(60, 40)[3], at(45, 40), at(12, 8)]).toEqual([0, [200, 16, 46, 255], [185, 211, 192, 255]]);
    expect(await tracedColors(id, ann)).toEqual(new Set([SAGE, RED]));
    const storedFiles = await making(id, ann);
    expect(storedFiles).toEqual({ ...finish, clearEnclosed: true });
    // The cut-out itself is as it was.
    expect((await pixelsOf(await fetchFile(cutoutUrl))).at(60, 40)).toEqual([200, 16, 46, 255]);
  });

  test('is corrected again without a new cut-out, and only the newest file is kept', async () => {
    const id = await upload(await disk(SAGE), ann);
    await remove(id, ann, { strokes: [erase] });
    const before = await filesOf(id);
    const cutouts = before.filter((key) => key.includes('cutout-') && key.endsWith('.png'));
    expect(cutouts).toHaveLength(1);
    const { done } = server.context.media.stats();
    await remove(id, ann, { strokes: [erase, keep] });
    expect(server.context.media.stats().done).toBe(done + 1);
    const after = await filesOf(id);
    expect(after).toHaveLength(before.length);
    expect(after.filter((key) => before.includes(key))).toHaveLength(before.length - 2);
    // What it is now costs nothing to ask for again.
    await remove(id, ann, { strokes: [erase, keep] });
    expect(server.context.media.stats().done).toBe(done + 1);
  });

  test('is undone by restoring the original without work, and the trace follows', async () => {
    const id = await upload(await disk(SAGE), ann);
    const before = await read(id, ann);
    await remove(id, ann, { strokes: [erase] });
    const { done } = server.context.media.stats();
    const answer = await restore(id, ann);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({ backgroundRemovedUrl: null, vectorizedSvgUrl: null });
    expect(answer.json().tracePictureUrl.split('?')[0]).toBe(before.originalFileUrl.split('?')[0]);
    expect(await making(id, ann)).toEqual(nothingDone);
    expect(server.context.media.stats().done).toBe(done);
    expect(await tracedColors(id, ann)).toEqual(new Set([SAGE, RED]));
    // Once more changes nothing: the trace stays.
    await restore(id, ann);
    expect((await read(id, ann)).vectorizedSvgUrl).not.toBeNull();
  });

  test('can be tried: the answer has the cut-out, and the design does not change', async () => {
    const id = await upload(await disk(SAGE), ann);
    await tracedColors(id, ann);
    const answer = await remove(id, ann, { isTrial: true, strokes: [erase] });
    expect((await pixelsOf(await fetchFile(answer.json().backgroundRemovedUrl))).at(0, 0)[3]).toBe(0);
    expect(await read(id, ann)).toMatchObject({ backgroundRemovedUrl: null, vectorizedSvgUrl: expect.any(String) });
    expect(await making(id, ann)).toEqual(nothingDone);
  });

  test('without any content is refused, and the shown trace stays', async () => {
    const id = await upload(await disk(SAGE), ann);
    await remove(id, ann, { strokes: [keep] });
    const [files, { backgroundRemovedUrl }] = [await filesOf(id), await read(id, ann)];
    const all = [0.1, 0.3, 0.5, 0.7, 0.9].map((y) => ({ mode: 'erase', radius: 0.1, points: [0, y, 1, y] }));
    const answer = await remove(id, ann, { strokes: all });
    expect([answer.statusCode, answer.json().message]).toEqual([
      422,
      'Nothing would be left of this picture. Keep some of it with the brush.',
    ]);
    expect(await filesOf(id)).toEqual(files);
    expect((await read(id, ann)).backgroundRemovedUrl.split('?')[0]).toBe(backgroundRemovedUrl.split('?')[0]);
  });

  test.each<[string, object]>([
    ['an edge moved too far', { edgeShift: 5.1 }],
    ['too wide a feather', { feather: 10.1 }],
    ['half a point', { strokes: [{ ...erase, points: [0.1, 0.1, 0.1] }] }],
    ['a brush too large', { strokes: [{ ...erase, radius: 0.2 }] }],
    ['too many strokes', { strokes: Array.from({ length: 301 }, () => erase) }],
    ['strokes too long', { strokes: [1, 2].map(() => ({ ...erase, points: Array(6002).fill(0.5) })) }],
  ])('by %s is refused', async (_name, options) => {
    const id = await upload(await disk(SAGE), ann);
    expect((await remove(id, ann, options)).statusCode).toBe(400);
  });

  test('is free for a guest who has paid for the design', async () => {
    const guest = asGuest();
    const id = await upload(await disk(SAGE), guest);
    await remove(id, guest, { isTrial: true });
    await remove(id, guest, { strokes: [erase] });
    await remove(id, guest, { strokes: [keep] });
    await restore(id, guest);
    expect(await countUsage(guest)).toBe(1);
  });
});
