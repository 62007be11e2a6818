import { BatchRequest } from '@markwright/contract';
import { ArtworkElement, emptyComposition, type MachineMode, newText, saveComposition } from '@markwright/scene';
import { readCells } from '@markwright/scene/rows';
import { ringBounds } from '@markwright/scene/sheets';
import { eq } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { seedCatalogue } from '../catalogue/products.ts';
import { designs } from '../designs/tables.ts';
import { makeBatches } from './batchRun.ts';
import { batches } from './tables.ts';

type Headers = Record<string, string>;
let server: TestApp;
let maker: Headers;
/** The designs of the maker: a square on the stage, a wide bar, a tall bar. */
let stage: string;
let wide: string;
let tall: string;

beforeAll(async () => {
  server = await createTestApp();
  server.setNow(new Date());
  await seedCatalogue(server.context);
  maker = await signUpWithPlan();
  stage = await uploadBar(40, 40);
  wide = await uploadBar(80, 20);
  tall = await uploadBar(10, 60);
});
afterAll(() => server.close());

async function signUpWithPlan(): Promise<Headers> {
  const headers = await server.signUp();
  await server.takePlan(headers, 'studio');
  return headers;
}

const post = (url: string, payload: object, headers = maker) =>
  server.app.inject({ method: 'POST', url, payload, headers });

/** Uploads a black bar in the middle of 100 x 100 pixels, and traces it. */
async function uploadBar(width: number, height: number, headers = maker, isTraced = true): Promise<string> {
  const place = `x="${(100 - width) / 2}" y="${(100 - height) / 2}" width="${width}" height="${height}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" viewBox="0 0 100 100"><rect ${place}/></svg>`;
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(await sharp(Buffer.from(svg)).png().toBuffer())]), 'bar.png');
  const answer = await server.app.inject({ method: 'POST', url: '/api/designs/upload', payload: form, headers });
  const { id } = answer.json();
  if (isTraced) await post('/api/designs/vectorize', { designId: id, settings: { colorMode: 'black' } }, headers);
  return id;
}

const inkOf = (width: number, height: number) => ({
  ...{ x: (100 - width) / 200, y: (100 - height) / 200, width: width / 100, height: height / 100 },
});

/** An artwork with a box of 40 x 40 mm in the middle of the 100 mm of a composition without a product. */
const compositionWith = (artwork: object = {}, machine: MachineMode = 'uv') =>
  saveComposition({
    ...{ ...emptyComposition, machine },
    elements: [
      ArtworkElement.parse({ designId: stage, size: 40, ink: inkOf(40, 40), pictureColumn: 'Logo', ...artwork }),
      { ...newText('name'), text: '{Name}', heightInches: 0.3, y: 40 },
    ],
  });

const requestOf = (rows: readonly (readonly string[])[], payload: object = {}) => ({
  ...{ composition: compositionWith(), format: 'svg', columns: ['Name', 'logo'], rows },
  fit: { widthsMm: { 'text:name': 60 } },
  pictures: {
    'Wide.png': { designId: wide, ink: inkOf(80, 20) },
    'logos/tall.svg': { designId: tall, ink: inkOf(10, 60) },
  },
  ...payload,
});
const ROWS = [
  ['Ada', 'wide'],
  ['Grace', 'TALL.jpg'],
  ['Mary', ''],
];

const unzip = async (url: string) => unzipSync(new Uint8Array((await server.app.inject({ url })).rawPayload));
const find = async (id: string) => (await server.app.inject({ url: `/api/batches/${id}`, headers: maker })).json();

async function makeFiles(payload: object): Promise<Record<string, Uint8Array>> {
  const answer = await post('/api/batches', payload);
  expect(answer.statusCode, answer.body).toBe(200);
  await makeBatches(server.context);
  const batch = await find(answer.json().id);
  expect(batch).toMatchObject({ state: 'done' });
  return unzip(batch.url);
}

/** Returns the box of the group of a file whose id begins with `design`, in mm. */
function readArtwork(svg: Uint8Array | undefined): { id: string; box: number[] } {
  const words = new TextDecoder().decode(svg);
  const [, id, content] = /<g id="(design[^"]*)"[^>]*>([\s\S]*?)<\/g>/.exec(words)!;
  const numbers = [...content!.matchAll(/ d="([^"]+)"/g)].flatMap(([, d]) =>
    [...d!.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number),
  );
  const [xs, ys] = [0, 1].map((side) => numbers.filter((_, i) => i % 2 === side)) as [number[], number[]];
  return { id: id!, box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] };
}

describe('a list without pictures', () => {
  test('is the batch that it was before there were any', () => {
    const { pictures: _, ...request } = requestOf(ROWS);
    const composition = saveComposition({ ...emptyComposition, elements: [{ ...newText('name'), text: '{Name}' }] });
    const body = BatchRequest.parse({ ...request, composition });
    expect(JSON.stringify(body)).not.toContain('icture');
  });
});

describe('a list with pictures', () => {
  test('has the picture of each row in the box of the artwork, in its files, its list and its proof', async () => {
    const files = await makeFiles(requestOf(ROWS));
    const names = ['001_Ada.svg', '002_Grace.svg', '003_Mary.svg'];
    expect(Object.keys(files)).toEqual([...names, 'rows.csv', 'job-sheet.pdf']);
    const [ada, grace, mary] = names.map((name) => readArtwork(files[name]));
    const round = (box: readonly number[]) => box.map((value) => Math.round(value));
    expect(round(mary!.box)).toEqual([30, 30, 70, 70]);
    expect(round(ada!.box)).toEqual([30, 45, 70, 55]);
    expect(round(grace!.box)).toEqual([47, 30, 53, 70]);
    const notes = readCells(files['rows.csv']!).rows.map((cells) => cells.slice(2));
    expect(notes).toEqual([
      ['logo', 'Name', 'Note'],
      ['wide', 'Ada', ''],
      ['TALL.jpg', 'Grace', ''],
      ['', 'Mary', 'No picture in “Logo”: the one on the stage is used.'],
    ]);
    const proof = await post('/api/batches/proof', requestOf(ROWS));
    expect(proof.json()).toMatchObject({ pieces: 3 });
    const swap = { 'wide.png': { designId: tall }, 'tall.png': { designId: wide } };
    const other = await post('/api/batches/proof', requestOf(ROWS, { pictures: swap }));
    expect(other.json().url.split('?')[0]).not.toBe(proof.json().url.split('?')[0]);
  });

  test('makes a piece for each picture where no text has a name', async () => {
    const composition = saveComposition({
      ...{ ...emptyComposition, machine: 'uv' },
      elements: [ArtworkElement.parse({ designId: stage, size: 40, ink: inkOf(40, 40), pictureColumn: 'Logo' })],
    });
    const rows = [['wide'], ['tall'], ['wide']];
    const files = await makeFiles(requestOf(rows, { composition, columns: ['Logo'], fit: {} }));
    const [first, second, third, ...others] = Object.keys(files).filter((name) => name.endsWith('.svg'));
    expect(others).toEqual([]);
    const boxes = [first, second, third].map((name) => readArtwork(files[name!]).box.map((value) => Math.round(value)));
    expect(boxes).toEqual([
      [30, 45, 70, 55],
      [47, 30, 53, 70],
      [30, 45, 70, 55],
    ]);
    const notes = readCells(files['rows.csv']!).rows.map((cells) => cells.slice(2));
    expect(notes).toEqual([
      ['Logo', 'Note'],
      ['wide', ''],
      ['tall', ''],
      ['wide', 'The same as row 1.'],
    ]);
    const refusal = await post('/api/batches', requestOf([['acme']], { composition, columns: ['Logo'], fit: {} }));
    expect(refusal.json().message).toContain('Row 1: No picture is called “acme”.');
  });

  test('lies on sheets, each piece in a place of its own size', async () => {
    const gang = { kind: 'gang', widthMm: 200, lengthMm: 300, gapMm: 5, canRotate: false };
    const files = await makeFiles(requestOf(ROWS, { layout: gang }));
    const sheet = new TextDecoder().decode(files['sheet_01.svg']);
    expect(sheet.match(/ d="/g)!.length).toBeGreaterThanOrEqual(6);
    expect(readCells(files['rows.csv']!).rows.map((cells) => cells[1])).toContain('sheet_01.svg');
  });

  test('is nested by the shapes of its own pictures', { tags: ['detail'] }, async () => {
    const gang = { kind: 'gang', widthMm: 100, lengthMm: 1000, gapMm: 2, canRotate: false, packBy: 'shapes' };
    const answer = await post('/api/batches', requestOf(ROWS, { layout: gang }));
    expect(answer.statusCode, answer.body).toBe(200);
    const [batch] = await server.context.db.select().from(batches).where(eq(batches.id, answer.json().id));
    const heights = batch!.work.plan!.silhouettes!.map(ringBounds).map(({ minY, maxY }) => maxY - minY);
    // The wide bar is 30 mm lower than the tall one, and than the square on the stage.
    expect(heights[1]! - heights[0]!).toBeGreaterThan(10);
    expect(heights[2]! - heights[0]!).toBeGreaterThan(10);
    await makeBatches(server.context);
    expect(await find(answer.json().id)).toMatchObject({ state: 'done' });
  });

  test('names the rows whose picture is not there, and can leave them out', async () => {
    const rows = [...ROWS, ['Hedy', 'acme.png']];
    const refusal = await post('/api/batches', requestOf(rows));
    expect(refusal.statusCode).toBe(422);
    expect(refusal.json().message).toBe(
      'Row 4: No picture is called “acme.png”. Change these rows, or leave them out.',
    );
    const files = await makeFiles(requestOf(rows, { leaveOutWrong: true }));
    expect(Object.keys(files)).toHaveLength(5);
    // As one without any.
    const none = await post('/api/batches', requestOf([ROWS[0]!], { pictures: undefined }));
    expect(none.json().message).toContain('Row 1: No picture is called “wide”.');
  });

  test('takes the caller’s own designs that are traced, and says which is none', async () => {
    const stranger = await signUpWithPlan();
    const theirs = await uploadBar(30, 30, stranger);
    const bare = await uploadBar(30, 30, maker, false);
    for (const [pictures, status, sentence] of [
      [{ 'wide.png': { designId: theirs } }, 404, 'The picture “wide.png” is not among your designs.'],
      [{ 'unused.png': { designId: theirs } }, 404, 'The picture “unused.png” is not among your designs.'],
      [{ 'wide.png': { designId: 'none' } }, 404, 'The picture “wide.png” is not among your designs.'],
      [{ 'wide.png': { designId: bare } }, 422, 'The picture “wide.png” is not traced yet.'],
      [
        { 'wide.png': { designId: wide }, 'logos/WIDE.jpg': { designId: tall } },
        400,
        '“wide.png” and “logos/WIDE.jpg” are one name in a list.',
      ],
      [{ 'wide.png': { designId: wide, ink: { x: 0, y: 0, width: 0, height: 9 } } }, 400, ''],
      [Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`${i}`, { designId: wide }])), 400, 'at most 500'],
      [{ 'a\u0000b': { designId: wide } }, 400, ''],
    ] as const) {
      for (const url of ['/api/batches', '/api/batches/proof']) {
        const answer = await post(url, requestOf([ROWS[0]!], { pictures }));
        expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(sentence)]);
      }
    }
    const engraving = { method: 'jarvis', intervalMm: 0.1 };
    const composition = compositionWith({ engraving }, 'laser');
    const refusal = await post('/api/batches', requestOf(ROWS, { composition }));
    expect([refusal.statusCode, refusal.body]).toEqual([422, expect.stringContaining('A photograph in dots')]);
  });

  test('fails with a sentence, and gives its exports back, when a picture is deleted before it is made', async () => {
    const fleeting = await uploadBar(20, 30);
    const answer = await post('/api/batches', requestOf([ROWS[0]!], { pictures: { wide: { designId: fleeting } } }));
    expect(answer.statusCode, answer.body).toBe(200);
    await server.context.db.delete(designs).where(eq(designs.id, fleeting));
    await makeBatches(server.context);
    expect(await find(answer.json().id)).toMatchObject({
      state: 'failed',
      problem: 'The picture “wide” is not among your designs. Please upload it again.',
    });
  });
});
