import { createHash } from 'node:crypto';
import { emptyComposition, newText, saveComposition } from '@markwright/scene';
import { readCells } from '@markwright/scene/rows';
import { eq } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { seedCatalogue } from '../catalogue/products.ts';
import { storedFiles } from '../platform/tables.ts';
import { sweepBatches } from './batches.ts';
import { makeBatches } from './batchRun.ts';
import { sweepExports } from './madeFiles.ts';
import { batches, madeFiles } from './tables.ts';

type Headers = Record<string, string>;
let server: TestApp;
let maker: Headers;
const DAY_MS = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  server = await createTestApp();
  server.setNow(new Date()); // no month begins while charges are countingMedia
  await seedCatalogue(server.context);
  maker = await signUpWithPlan();
});
afterAll(() => server.close());

async function signUpWithPlan(email?: string): Promise<Headers> {
  const headers = await server.signUp(email);
  await server.takePlan(headers, 'studio');
  return headers;
}

const compositionOf = (text: string) =>
  saveComposition({ ...emptyComposition, elements: [{ ...newText('name'), text, heightInches: 0.4 }] });

const requestOf = (names: readonly string[], payload: object = {}) => ({
  ...{ composition: compositionOf('{Name}'), format: 'svg', columns: ['name', 'Phone'] },
  rows: names.map((name, i) => [name, `555-${i}`]),
  fit: { widthsMm: { 'text:name': 60 } },
  ...payload,
});
const create = (payload: object, headers = maker) =>
  server.app.inject({ method: 'POST', url: '/api/batches', payload, headers });
const find = async (id: string, headers = maker) =>
  (await server.app.inject({ url: `/api/batches/${id}`, headers })).json();
const remove = (id: string, headers = maker) =>
  server.app.inject({ method: 'DELETE', url: `/api/batches/${id}`, headers });
const countCharges = async (headers = maker) =>
  (await server.app.inject({ url: '/api/users/stats', headers })).json().vectorsUsed;
const filesOf = (id: string) =>
  server.context.db
    .select({ key: storedFiles.key })
    .from(storedFiles)
    .then((rows) => rows.filter(({ key }) => key.includes(id)));

async function unzip(url: string): Promise<Record<string, Uint8Array>> {
  const answer = await server.app.inject({ url });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-disposition']).toContain('attachment');
  return unzipSync(new Uint8Array(answer.rawPayload));
}
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

describe('a list of names', () => {
  const names = ['Ada', 'Grace Hopper', 'Bartholomew Jones', 'Ada', '=Zoë'];

  test('becomes a package with a file for each, its list and its sheet, for one export', async () => {
    const before = await countCharges();
    const answer = await create(requestOf(names));
    expect(answer.statusCode, answer.body).toBe(200);
    const batch = answer.json();
    expect(batch).toMatchObject({ state: 'waiting', pieces: 5, done: 0, exports: 1, leftOut: [], url: null });
    expect(await countCharges()).toBe(before + 1);

    await makeBatches(server.context);
    const done = await find(batch.id);
    expect(done).toMatchObject({ state: 'done', done: 5, filename: 'design_5_pieces.zip' });
    const files = await unzip(done.url);
    const pieces = ['001_Ada.svg', '002_Grace_Hopper.svg', '003_Bartholomew_Jones.svg', '004_Ada.svg', '005_Zoë.svg'];
    expect(Object.keys(files)).toEqual([...pieces, 'rows.csv', 'job-sheet.pdf']);
    const drawings = pieces.map((name) => textOf(files[name]));
    for (const drawing of drawings) expect(drawing).toMatch(/<svg[^>]* width="100mm"[\s\S]*<path/);
    // The two Adas are alike, and nothing else is.
    expect(drawings[3]).toBe(drawings[0]);
    expect(new Set(drawings).size).toBe(4);
    expect(textOf(files['job-sheet.pdf']).slice(0, 5)).toBe('%PDF-');

    const { rows } = readCells(files['rows.csv']!);
    expect(rows[0]).toEqual(['Row', 'File', 'name', 'Note']);
    expect(rows[3]![3]).toMatch(/^\d\d(\.\d)? % of its size\.$/);
    expect(rows[4]).toEqual(['4', '004_Ada.svg', 'Ada', 'The same as row 1.']);
    // A spreadsheet computes nothing of it.
    expect(rows[5]![2]).toBe("'=Zoë");
  });

  test('has each name in the color of its row, and names a cell that is none', async () => {
    const name = { ...newText('name'), text: '{Name}', heightInches: 0.4, colorColumn: 'Ink' };
    const composition = saveComposition({ ...emptyComposition, machine: 'uv', elements: [name] });
    const rows = [
      ['Ada', 'Red', 'left out'],
      ['Grace', '#00f', ''],
      ['Mary', '', ''],
    ];
    const request = { ...requestOf([]), composition, columns: ['name', 'ink', 'note'], rows };
    const wrong = await create({ ...request, rows: [...rows, ['Hedy', 'reddish', '']] });
    expect(wrong.statusCode).toBe(422);
    expect(wrong.json().message).toBe(
      'Row 4: “reddish” in “Ink” is no color. Write a name such as red, or #c8102e. Change these rows, or leave them out.',
    );
    const batch = (await create(request)).json();
    await makeBatches(server.context);
    const files = await unzip((await find(batch.id)).url);
    const fills = Object.entries(files).flatMap(([file, bytes]) =>
      file.endsWith('.svg') ? [[file, /fill="(#[0-9a-f]{6})"/i.exec(textOf(bytes))?.[1]?.toLowerCase()]] : [],
    );
    expect(fills).toEqual([
      ['001_Ada.svg', '#ff0000'],
      ['002_Grace.svg', '#0000ff'],
      ['003_Mary.svg', '#000000'],
    ]);
    expect(readCells(files['rows.csv']!).rows[1]!.slice(2, 4)).toEqual(['Ada', 'Red']);
  });

  test('on a ring keeps each name on it, and long ones within their arc', async () => {
    const circle = { radiusMm: 30, side: 'top', edge: 'outside', sweepDeg: 120 } as const;
    const name = { ...newText('name'), text: '{Name}', heightInches: 0.4, circle };
    const composition = saveComposition({ ...emptyComposition, elements: [name] });
    const request = { ...requestOf([]), composition, columns: ['name'] };
    const rows = ['HIM', 'MINIM HIM', 'HIM MINIM HIM'].map((cell) => [cell]);
    const refusal = await create({ ...request, rows: [...rows, ['MINIM '.repeat(6).trim()]] });
    expect(refusal.json().message).toMatch(/^Row 4: Does not fit: needs \d+(\.\d)? mm, has 62\.8 mm\./);
    const batch = (await create({ ...request, rows })).json();
    await makeBatches(server.context);
    const files = await unzip((await find(batch.id)).url);
    const drawings = Object.entries(files).flatMap(([file, bytes]) => (file.endsWith('.svg') ? [textOf(bytes)] : []));
    expect(drawings).toHaveLength(3);
    for (const drawing of drawings) {
      const numbers = [...drawing.matchAll(/ d="([^"]+)"/g)].flatMap(([, d]) =>
        [...d!.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number),
      );
      const points = numbers.flatMap((x, i) => (i % 2 ? [] : [{ x: x - 50, y: numbers[i + 1]! - 50 }]));
      // Feet are straight: their ends are a little further out than the ring.
      const least = Math.min(...points.map(({ x, y }) => Math.hypot(x, y)));
      expect(least).toBeGreaterThan(29.99);
      expect(least).toBeLessThan(30.1);
      for (const { x, y } of points) expect(Math.abs(Math.atan2(x, -y))).toBeLessThan((61 * Math.PI) / 180);
    }
  });

  test('is one batch and one charge when it is asked for again', async () => {
    const before = await countCharges();
    const all = await Promise.all([1, 2, 3].map(() => create(requestOf(names))));
    expect(new Set(all.map((answer) => answer.json().id)).size).toBe(1);
    expect(all[0]!.json().state).toBe('done');
    const other = await Promise.all([1, 2, 3].map(() => create(requestOf(['Twice']))));
    expect(new Set(other.map((answer) => answer.json().id)).size).toBe(1);
    expect(await countCharges()).toBe(before + 1);
    await remove(other[0]!.json().id);
    expect(await countCharges()).toBe(before);
  });

  test('keeps no other cell than those that it needs', async () => {
    const { id } = (await create(requestOf(names))).json(); // the first one again
    const row = (await server.context.db.select().from(batches)).find((one) => one.id === id);
    expect(row!.work.columns).toEqual(['name']);
    expect(JSON.stringify(row!.work)).not.toContain('555');
  });

  test('is refused with the rows that cannot be made, or made without them', async () => {
    const before = await countCharges();
    const faulty = ['Ada', '', 'Ada 😀', 'x'.repeat(60), 'Grace'];
    const refusal = await create(requestOf(faulty));
    expect(refusal.statusCode).toBe(422);
    const { message } = refusal.json();
    expect(message).toMatch(
      /^Row 2: The cell “Name” is empty\. Row 3: Not in our fonts: \S+ Row 4: Does not fit: needs/,
    );
    expect(await countCharges()).toBe(before);

    const batch = (await create(requestOf(faulty, { leaveOutWrong: true }))).json();
    expect(batch).toMatchObject({ pieces: 2, leftOut: [2, 3, 4] });
    await makeBatches(server.context);
    const files = await unzip((await find(batch.id)).url);
    expect(Object.keys(files)).toEqual(['001_Ada.svg', '005_Grace.svg', 'rows.csv', 'job-sheet.pdf']);
    expect(readCells(files['rows.csv']!).rows[2]).toEqual(['2', '', '', 'The cell “Name” is empty.']);

    // A row that is not approved refuses nothing, and the others keep their numbers.
    const open = (await create(requestOf(['Ada', 'Ben', '', 'Dora'], { leaveOut: [2, 3, 9] }))).json();
    expect(open).toMatchObject({ pieces: 2, leftOut: [2, 3] });
    await makeBatches(server.context);
    const rest = await unzip((await find(open.id)).url);
    expect(Object.keys(rest).slice(0, 2)).toEqual(['001_Ada.svg', '004_Dora.svg']);
    expect(readCells(rest['rows.csv']!).rows[2]).toEqual(['2', '', 'Ben', 'Not approved.']);
  });

  test('is refused in a sentence when it does not suit the design', async () => {
    const refusals: [object, number, string][] = [
      [{ columns: ['Vorname', 'Phone'] }, 400, 'The list has no column “Name”.'],
      [{ composition: compositionOf('Ada') }, 400, 'No text of this design holds a column'],
      [{ rows: [] }, 400, 'The list has no row.'],
      [{ rows: [['a\0b']] }, 400, 'cannot be stored'],
      [{ format: 'package' }, 400, ''],
      [{ rows: [['']], leaveOutWrong: true }, 422, 'No row of this list can be made.'],
    ];
    for (const [payload, status, sentence] of refusals) {
      const answer = await create(requestOf(['Ada'], payload));
      expect([answer.statusCode, JSON.stringify(payload)]).toEqual([status, JSON.stringify(payload)]);
      expect(answer.json().message).toContain(sentence);
    }
    expect((await create(requestOf(['Ada']), {})).statusCode).toBe(401);
  });
});

describe('the proof of a list', () => {
  const prove = (payload: object, headers = maker) =>
    server.app.inject({ method: 'POST', url: '/api/batches/proof', payload, headers });

  test('is a PDF of the pieces that would be made, charges nothing, and is one file a day', async () => {
    const before = await countCharges();
    const request = requestOf(['Ada', 'Ben', '', 'Dora'], { leaveOut: [2], leaveOutWrong: true });
    const answer = await prove(request);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({ filename: 'design_2_pieces_proof.pdf', pieces: 2 });
    const file = await server.app.inject({ url: answer.json().url });
    expect(file.headers['content-type']).toBe('application/pdf');
    expect(file.headers['content-disposition']).toContain('design_2_pieces_proof.pdf');
    expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    const path = (reply: typeof answer) => reply.json().url.split('?')[0];
    expect(path(await prove(request))).toBe(path(answer));
    expect(path(await prove({ ...request, leaveOut: [4] }))).not.toBe(path(answer));
    expect(await countCharges()).toBe(before);
  });

  test('is refused with the rows that cannot be made, beyond its pieces, and to strangers', async () => {
    const wrong = await prove(requestOf(['Ada', '']));
    expect([wrong.statusCode, wrong.json().message]).toEqual([
      422,
      'Row 2: The cell “Name” is empty. Change these rows, or leave them out.',
    ]);
    const names = Array.from({ length: 301 }, (_, i) => `N${i}`);
    const many = await prove(requestOf(names));
    expect([many.statusCode, many.json().message]).toEqual([
      422,
      'A proof has at most 300 pieces, and this list has 301. Make it in parts: leave rows out.',
    ]);
    expect((await prove(requestOf(['Ada']), {})).statusCode).toBe(401);
  });
});

describe('sheets', () => {
  const five = ['Ada', 'Ben', 'Cleo', 'Dora', 'Émile'];
  // The frame of a design without a product is 100 mm wide.
  const jig = {
    ...{ kind: 'jig', bedWidthMm: 450, bedHeightMm: 250, columns: 2, rows: 2, pitchXMm: 110, pitchYMm: 110 },
    ...{ offsetXMm: 10, offsetYMm: 10, isSerpentine: true, brokenSlots: [2] },
  };
  const make = async (payload: object) => {
    const answer = await create(payload);
    expect(answer.statusCode, answer.body).toBe(200);
    await makeBatches(server.context);
    const batch = await find(answer.json().id);
    expect(batch).toMatchObject({ state: 'done', problem: null });
    return { batch, files: await unzip(batch.url) };
  };

  test('of a jig: a file and an export each, with the jig and where each row lies', async () => {
    for (const format of ['svg', 'lbrn2']) {
      const before = await countCharges();
      const { batch, files } = await make(requestOf(five, { format, layout: jig }));
      expect(batch).toMatchObject({ pieces: 5, sheets: 2, done: 2, exports: 2 });
      expect(await countCharges()).toBe(before + 2);
      const sheets = [1, 2].map((i) => `sheet_0${i}.${format}`);
      expect(Object.keys(files)).toEqual([...sheets, 'rows.csv', 'job-sheet.pdf', 'jig.svg', 'jig.dxf']);
      const { rows } = readCells(files['rows.csv']!);
      expect(rows[0]).toEqual(['Row', 'File', 'Sheet', 'Slot', 'name', 'Note']);
      // The third slot of the path is the fourth place, and the second place is broken.
      expect(rows.slice(1).map((row) => row.slice(1, 4))).toEqual([
        ...[1, 3, 4].map((slot) => [sheets[0], '1', String(slot)]),
        ...[1, 3].map((slot) => [sheets[1], '2', String(slot)]),
      ]);
      if (format !== 'svg') continue;
      const [first, second] = sheets.map((name) => textOf(files[name]));
      expect(first).toMatch(/<svg[^>]* width="450mm"[^>]* height="250mm"/);
      expect(first).toContain('guide-t1');
      expect(second!.length).toBeLessThan(first!.length);
      expect(textOf(files['jig.svg'])).toMatch(/<svg[^>]* width="450mm"/);
    }
  });

  test('of film: packed with their gap, as pictures and PDF, mirrored as a whole', async () => {
    const film = { kind: 'gang', widthMm: 200, lengthMm: 60, gapMm: 5 };
    const composition = saveComposition({
      ...emptyComposition,
      machine: 'dtf',
      elements: [{ ...newText('name'), text: '{Name}', heightInches: 0.4 }],
    });
    const before = await countCharges();
    const png = await make(requestOf(five, { composition, format: 'png', layout: film }));
    expect(png.batch.sheets).toBe(png.batch.exports);
    expect(await countCharges()).toBe(before + png.batch.sheets);
    const { default: sharp } = await import('sharp');
    const read = async (bytes: Uint8Array | undefined) =>
      sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const plain = await read(png.files['sheet_01.png']);
    expect(plain.info.width).toBe(Math.round((200 / 25.4) * 300));
    const inkOf = ({ data }: typeof plain) => data.filter((_, i) => i % 4 === 3 && data[i]! > 0).length;
    expect(inkOf(plain)).toBeGreaterThan(1000);
    const mirrorImage = await make(
      requestOf(five, { composition, format: 'png', layout: film, options: { isMirrored: true } }),
    );
    const mirror = await sharp(mirrorImage.files['sheet_01.png']).flop().png().toBuffer();
    const back = await read(mirror);
    let off = 0;
    for (let i = 3; i < plain.data.length; i += 4) if (Math.abs(plain.data[i]! - back.data[i]!) > 128) off++;
    expect(off / inkOf(plain)).toBeLessThan(0.02);
    await make(requestOf(five, { composition, format: 'pdf', layout: film }));
  });

  test('of film by shapes: shorter, and every piece is whole on it', { tags: ['detail'] }, async () => {
    const film = { kind: 'gang', widthMm: 150, lengthMm: 500, gapMm: 5, canRotate: true };
    const byShapes = { ...film, packBy: 'shapes' };
    const slope = { ...newText('name'), text: '{Name}', heightInches: 0.5, angleDeg: 35 };
    const composition = saveComposition({ ...emptyComposition, machine: 'dtf', elements: [slope] });
    const names = ['Wilhelmina', 'Katherine', 'Margaret', 'Alexandra', 'Dorothea', 'Friederike', 'Josephine', 'Ada'];
    const { default: sharp } = await import('sharp');
    const read = async (bytes: Uint8Array | undefined) => {
      const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      return { ink: data.filter((_, i) => i % 4 === 3 && data[i]! > 127).length, height: info.height };
    };
    const sheetOf = async (options: object, layout: object) => {
      const { batch, files } = await make(requestOf(names, { composition, format: 'png', layout, options }));
      expect(batch).toMatchObject({ pieces: 8, sheets: 1, exports: 1 });
      expect(textOf(files['job-sheet.pdf']).slice(0, 5)).toBe('%PDF-');
      const { rows } = readCells(files['rows.csv']!);
      expect(
        rows
          .slice(1)
          .map(([, , , slot]) => Number(slot))
          .sort(),
      ).toEqual(names.map((_, i) => i + 1));
      return read(files['sheet_01.png']);
    };
    const boxes = await sheetOf({}, film);
    const shapes = await sheetOf({}, byShapes);
    expect(shapes.height).toBeLessThan(0.8 * boxes.height);
    // No piece lies over another one: all of their ink is seen.
    expect(Math.abs(shapes.ink / boxes.ink - 1)).toBeLessThan(0.01);
    const mirror = await sheetOf({ isMirrored: true }, byShapes);
    expect(mirror.height).toBe(shapes.height);
    expect(Math.abs(mirror.ink / boxes.ink - 1)).toBeLessThan(0.01);
  });

  test('that cannot be made are refused in a sentence, and nothing is charged', async () => {
    const before = await countCharges();
    const gang = { kind: 'gang', widthMm: 200, lengthMm: 100 };
    const refusals: [object, number, string][] = [
      [
        { layout: { ...jig, pitchXMm: 0 } },
        422,
        'The columns overlap: a slot is 100.6 mm wide, and the pitch is 0 mm.',
      ],
      [{ layout: { ...jig, brokenSlots: [1, 2, 3, 4] } }, 422, 'Every slot is marked as broken.'],
      [{ layout: { ...jig, columns: 0 } }, 400, ''],
      [{ layout: { ...gang, widthMm: 5, lengthMm: 5 } }, 422, 'Row 1 is '],
      [{ layout: gang, options: { bleedMm: 3 } }, 400, 'A sheet has no bleed.'],
      [{ layout: gang, options: { taper: 'sheet' } }, 400, 'A sheet makes up for no taper.'],
      [{ layout: { ...gang, lengthMm: 9_000 }, format: 'png' }, 422, 'A sheet of 200 × 9000 mm is too large'],
    ];
    for (const [payload, status, sentence] of refusals) {
      const answer = await create(requestOf(['Ada', 'Ben'], payload));
      expect([answer.statusCode, JSON.stringify(payload)]).toEqual([status, JSON.stringify(payload)]);
      expect(answer.json().message).toContain(sentence);
    }
    expect(await countCharges()).toBe(before);
  });

  test('of a batch that is canceled give their exports back', async () => {
    const before = await countCharges();
    const { id, exports } = (await create(requestOf([...five, 'Fay'], { layout: jig }))).json();
    expect([exports, await countCharges()]).toEqual([2, before + 2]);
    await remove(id);
    expect(await countCharges()).toBe(before);
  });
});

describe('making', () => {
  const twentySix = Array.from({ length: 26 }, (_, i) => `Guest ${i + 1}`);

  test('26 pieces are two exports, given back when it is canceled', async () => {
    const before = await countCharges();
    const { id, exports } = (await create(requestOf(twentySix, { format: 'dxf' }))).json();
    expect([exports, await countCharges()]).toEqual([2, before + 2]);
    expect((await remove(id)).statusCode).toBe(200);
    expect(await countCharges()).toBe(before);
    await makeBatches(server.context);
    expect((await remove(id)).statusCode).toBe(404);
    expect(await filesOf(id)).toEqual([]);
  });

  test('a stop in the middle is resumed where it was, and charged once', async () => {
    const before = await countCharges();
    const { id } = (await create(requestOf(twentySix))).json();
    const stop = new AbortController();
    const { media } = server.context;
    let pieceCount = 0;
    const countingMedia = {
      ...media,
      run: async (...args: Parameters<typeof media.run>) => {
        const [job, , { signal }] = args;
        if (job === 'piece' && ++pieceCount === 8) stop.abort();
        signal?.throwIfAborted();
        return media.run(...args);
      },
    } as typeof media;
    await makeBatches({ ...server.context, media: countingMedia }, stop.signal);
    expect(await find(id)).toMatchObject({ state: 'waiting', done: 7 });
    pieceCount = 0;
    await makeBatches({ ...server.context, media: countingMedia });
    expect(pieceCount).toBe(19);
    const files = await unzip((await find(id)).url);
    expect(Object.keys(files)).toHaveLength(28);
    expect(await countCharges()).toBe(before + 2);
  });

  test('a batch of a server that died is taken by another one, when its lease is over', async () => {
    const { id } = (await create(requestOf(['Ada', 'Ben'], { format: 'plt' }))).json();
    const later = new Date(server.context.now().getTime() + 30_000);
    const hold = { state: 'making', holder: 'dead', done: 1, ending: '.plt', dueAt: later } as const;
    await server.context.db.update(batches).set(hold).where(eq(batches.id, id));
    await makeBatches(server.context);
    expect(await find(id)).toMatchObject({ state: 'making', done: 1 });
    server.setNow(new Date(later.getTime() + 1));
    await server.context.files.put(`batches/${id}/00001.plt`, new Uint8Array([1]), 'application/octet-stream', {
      ...{ owner: 'site', payer: 'site' },
    });
    await makeBatches(server.context);
    const files = await unzip((await find(id)).url);
    expect(Object.keys(files)).toEqual(['001_Ada.plt', '002_Ben.plt', 'rows.csv', 'job-sheet.pdf']);
    expect(files['001_Ada.plt']).toEqual(new Uint8Array([1])); // not made again
  });

  test('a piece that cannot be made ends the batch, names its row and gives all back', async () => {
    const before = await countCharges();
    const { id } = (await create(requestOf(['Ada'], { format: 'tiff' }))).json();
    await makeBatches(server.context);
    expect(await find(id)).toMatchObject({
      state: 'failed',
      url: null,
      problem: expect.stringMatching(/^Row 1: TIFF/),
    });
    expect(await countCharges()).toBe(before);
    // The same request is tried again.
    expect((await create(requestOf(['Ada'], { format: 'tiff' }))).json()).toMatchObject({ state: 'waiting' });
    await makeBatches(server.context);
  });

  test('an account without turns waits and is not failed', async () => {
    const { AppError } = await import('../platform/errors.ts');
    const { id } = (await create(requestOf(['Pausing']))).json();
    const run = () => Promise.reject(new AppError('tooMany', 'Later.', { retryAfterSeconds: 60 }));
    await makeBatches({ ...server.context, media: { ...server.context.media, run } });
    expect(await find(id)).toMatchObject({ state: 'waiting', done: 0 });
    await remove(id);
  });

  test('what a plan has not left is refused, and nothing of it is charged', async () => {
    const headers = await server.signUp('free@example.com');
    const before = await countCharges(headers);
    const answer = await create(requestOf(Array.from({ length: 26 * 40 }, (_, i) => `N${i}`)), headers);
    expect(answer.statusCode, answer.body).toBe(402);
    expect(answer.json().message).toMatch(/^This takes 42 production exports, and \d+ of \d+ are left this month\.$/);
    expect(await countCharges(headers)).toBe(before);
  });
});

test('another account sees and deletes no batch', async () => {
  const [row] = await server.context.db.select().from(batches).limit(1);
  const other = await signUpWithPlan('other@example.com');
  expect((await server.app.inject({ url: `/api/batches/${row!.id}`, headers: other })).statusCode).toBe(404);
  expect((await remove(row!.id, other)).statusCode).toBe(404);
  expect((await server.app.inject({ url: '/api/batches', headers: other })).json()).toEqual({ batches: [] });
  for (const url of [`/files/batches/${row!.id}.zip`, `/files/batches/${row!.id}.zip?e=99999999999&s=AAAA`]) {
    expect((await server.app.inject({ url })).statusCode).toBe(404);
  }
});

test('its package is one of the files that were made, with its hash from the first download on', async () => {
  const headers = await signUpWithPlan('lister@example.com');
  const list = async () => (await server.app.inject({ url: '/api/files', headers })).json().files;
  const make = async (names: readonly string[]) => {
    const { id } = (await create(requestOf(names), headers)).json();
    await makeBatches(server.context);
    return id as string;
  };
  const id = await make(['Ada', 'Ben']);
  const [line] = await list();
  expect(line).toMatchObject({ id, format: 'package', filename: 'design_2_pieces.zip', pieces: 2, widthMm: 100 });
  expect(line).toMatchObject({ sha256: null, sizeBytes: null });
  const before = await countCharges(headers);
  const payload = async () => (await server.app.inject({ url: line.url, headers })).rawPayload;
  const bytes = await payload();
  const receipt = { sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };
  expect(await list()).toMatchObject([receipt]);
  expect(await payload()).toEqual(bytes);
  expect(await countCharges(headers)).toBe(before);

  // Deleted by either list, it is gone from both.
  const drop = (url: string, by = headers) => server.app.inject({ method: 'DELETE', url, headers: by });
  expect((await drop(`/api/files/${id}`, maker)).statusCode).toBe(404);
  expect((await drop(`/api/files/${id}`)).statusCode).toBe(200);
  expect((await remove(id, headers)).statusCode).toBe(404);
  expect([await filesOf(id), await list()]).toEqual([[], []]);
  await remove(await make(['Cleo']), headers);
  expect(await list()).toEqual([]);
});

test('a batch is kept 30 days with its files, and a deleted account takes it along', async () => {
  const headers = await signUpWithPlan('leaver@example.com');
  const { id } = (await create(requestOf(['Zelda']), headers)).json();
  await makeBatches(server.context);
  const takeout = await takeOut(server, headers);
  expect(takeout.batches).toMatchObject([{ state: 'done', columns: ['name'], rows: [['Zelda']] }]);

  const start = server.context.now().getTime();
  server.setNow(new Date(start + 29 * DAY_MS));
  await sweepExports(server.context);
  await sweepBatches(server.context);
  expect(await filesOf(id)).toHaveLength(3);
  server.setNow(new Date(start + 31 * DAY_MS));
  await sweepBatches(server.context);
  expect(await filesOf(id)).toEqual([]);
  expect(await server.context.db.$count(batches, eq(batches.id, id))).toBe(0);
  // The line in the list of files stays, without the file.
  const [line] = await server.context.db.select().from(madeFiles).where(eq(madeFiles.id, id));
  expect(line).toMatchObject({ pieces: 1, filename: 'design_1_piece.zip' });
});
