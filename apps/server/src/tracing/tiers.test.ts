/**
 * The tiers of the vectorizer, through the calls: who traces, what comes of a failure, what is kept and what is
 * charged.
 */
import { readArtwork, readSvg } from '@markwright/scene';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { API_ID, API_SECRET, type Fault, startVectorizerPeer, type VectorizerPeer } from '../../test/vectorizerPeer.ts';
import { users } from '../accounts/tables.ts';
import { usage } from '../allowances/tables.ts';
import { settings } from './tables.ts';

let peer: VectorizerPeer;
let server: TestApp;
let maker: Record<string, string>;
const lines: string[] = [];
beforeAll(async () => {
  peer = await startVectorizerPeer();
  server = await createTestApp({
    logTo: { write: (line) => void lines.push(line) },
    environment: { VECTORIZER_API_ID: API_ID, VECTORIZER_API_SECRET: API_SECRET, VECTORIZER_API_URL: peer.url },
  });
  server.setNow(new Date()); // no month turns while charges are counted
  maker = await server.signUp('maker@example.com');
  await server.context.db
    .update(users)
    .set({ subscriptionPlan: 'agency', subscriptionStatus: 'active' })
    .where(eq(users.email, 'maker@example.com'));
});
afterAll(async () => {
  await server.close();
  await peer.close();
});

const switchTo = (value: 'free' | 'paid') =>
  server.context.db
    .insert(settings)
    .values({ name: 'vectorizerMode', value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
beforeEach(async () => {
  peer.breakDown(undefined);
  peer.calls.length = 0;
  await switchTo('paid');
});

const post = (url: string, payload: object, headers = maker) =>
  server.app.inject({ method: 'POST', url, payload, headers });
async function upload(bytes?: Uint8Array, type = 'image/png'): Promise<string> {
  const square = { width: 120, height: 90, channels: 3, background: '#fff' } as const;
  const spot = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="50"><path d="M0 0H60V50H0z"/></svg>',
  );
  const picture =
    bytes ??
    (await sharp({ create: square })
      .composite([{ input: spot, left: 20, top: 20 }])
      .png()
      .toBuffer());
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(picture)], { type }), type === 'image/png' ? 'logo.png' : 'logo.svg');
  const answer = await server.app.inject({ method: 'POST', url: '/api/designs/upload', payload: form, headers: maker });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json().id;
}
const trace = async (designId: string, changes: object = {}) => {
  const answer = await post('/api/designs/vectorize', { designId, settings: changes });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ vectorizedSvgUrl: string; fellBack?: boolean }>();
};
const read = async (url: string) => (await server.app.inject({ url })).body;
/** The peer draws a triangle; the built-in engine gives the square its four corners. */
const isOfService = async ({ vectorizedSvgUrl }: { vectorizedSvgUrl: string }) => {
  const [shape] = readArtwork(readSvg(await read(vectorizedSvgUrl)))!.shapes;
  return shape?.d.match(/L/g)?.length === 2;
};
const charges = async () => (await server.context.db.select().from(usage).where(eq(usage.kind, 'vector'))).length;

describe('the paid tier', () => {
  test('requests a preview for the screen and production for the file, once each', async () => {
    const id = await upload();
    const preview = await trace(id);
    expect(preview.fellBack).toBeUndefined();
    expect(await isOfService(preview)).toBe(true);
    const svg = await read(preview.vectorizedSvgUrl);
    expect(svg).not.toMatch(/DOCTYPE|\?xml/);
    expect(readArtwork(readSvg(svg))).toMatchObject({ width: 120, height: 90, shapes: [{ fill: '#000000' }] });
    await trace(id);
    expect(peer.calls.map(({ fields }) => fields.mode)).toEqual(['preview']);

    const reply = await trace(id, { mode: 'vectorize' });
    await trace(id, { mode: 'vectorize' });
    expect(reply.fellBack).toBeUndefined();
    expect(await isOfService(reply)).toBe(true);
    expect(peer.calls.map(({ fields }) => fields.mode)).toEqual(['preview', 'production']);
    expect(peer.calls[1]?.fields['output.curves.line_fit_tolerance']).toBe('0.067');
  });

  test('makes the production file of a composition, and its custom SVG from the same trace', async () => {
    const id = await upload();
    await trace(id, { colorMode: 'color' });
    const composition = { version: 0, data: { machine: 'laser', design: { designId: id, aspect: 4 / 3 } } };
    const { body } = await post('/api/designs/vectorize', {
      designId: id,
      settings: { mode: 'vectorize' },
      composition,
    });
    const reply = JSON.parse(body);
    expect(reply.vectorizedSvgUrl, body).toBeDefined();
    expect(await isOfService(reply)).toBe(true);
    const custom = await post('/api/exports/custom-svg', { composition });
    expect(custom.statusCode, custom.body).toBe(200);
    expect(peer.calls.map(({ fields }) => fields.mode)).toEqual(['preview', 'production']);
  });

  test('sends a picture without colors for a trace in one ink', async () => {
    const red = sharp({
      create: { width: 40, height: 40, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0.4 } },
    });
    const id = await upload(await red.png().toBuffer());
    await trace(id);
    const sentPicture = sharp(peer.calls[0]!.picture.bytes);
    expect((await sentPicture.metadata()).hasAlpha).toBe(false);
    const [r, g, b] = await sentPicture.toColourspace('srgb').raw().toBuffer();
    expect(r).toBe(g);
    expect(g).toBe(b);
  });

  test('sends the cropped picture with brightness, contrast and threshold applied', async () => {
    const id = await upload();
    await trace(id, { crop: { x: 0.5, y: 0, width: 0.5, height: 1 }, brightness: 20, threshold: 80 });
    expect(peer.calls[0]?.picture).toMatchObject({ width: 60, height: 90 });
    const plain = await trace(id, { crop: { x: 0.5, y: 0, width: 0.5, height: 1 } });
    expect(plain.fellBack).toBeUndefined();
    const lightest = async (call: number) =>
      (await sharp(peer.calls[call]!.picture.bytes).greyscale().raw().toBuffer()).reduce((a, b) => Math.max(a, b), 0);
    expect([await lightest(0), await lightest(1)]).toEqual([178, 255]);
  });

  test('sends the straightened picture', async () => {
    const corners = [
      { x: 0, y: 0 },
      { x: 0.5, y: 0 },
      { x: 0.5, y: 0.5 },
      { x: 0, y: 0.5 },
    ];
    await trace(await upload(), { straighten: { corners, aspect: 4 / 3 } });
    expect(peer.calls[0]?.picture).toMatchObject({ width: 60, height: 45 });
  });

  test.each([
    ['the lines a laser follows', { laserMode: 'outline' }],
    ['a background cut away in colors', { cutout: true, colorMode: 'color' }],
  ])('leaves %s to the built-in engine', async (_name, changes) => {
    const answer = await trace(await upload(), changes);
    expect(answer.fellBack).toBeUndefined();
    expect(peer.calls).toEqual([]);
  });

  test('leaves an SVG to the built-in engine, which keeps its outlines', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#c8102e" d="M1 1L5 8L8 1Z"/></svg>';
    const answer = await trace(await upload(Buffer.from(svg), 'image/svg+xml'), { colorMode: 'color' });
    expect(await read(answer.vectorizedSvgUrl)).toContain('#c8102e');
    expect(peer.calls).toEqual([]);
  });

  test('and the free tier store their traces separately', async () => {
    const id = await upload();
    const paidTrace = await trace(id);
    await switchTo('free');
    const free = await trace(id);
    expect(await isOfService(paidTrace)).toBe(true);
    expect(await isOfService(free)).toBe(false);
    await switchTo('paid');
    expect(await isOfService(await trace(id))).toBe(true);
    expect(peer.calls).toHaveLength(1);
  });
});

const entities =
  '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 90"><path d="M0 0H9V9z" id="&b;"/></svg>';
const svgOf = (inner: string, box = '0 0 120 90') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${inner}</svg>`;
const faults: [string, Fault][] = [
  ['has no credits left', { kind: 'status', status: 402 }],
  ['is too busy', { kind: 'status', status: 429 }],
  ['breaks', { kind: 'status', status: 500 }],
  ['closes the connection', { kind: 'silence' }],
  ['cuts its answer off', { kind: 'cut' }],
  ['leads elsewhere', { kind: 'redirect', to: 'http://127.0.0.1:1/' }],
  ['sends a page', { kind: 'body', body: '<html></html>', type: 'text/html' }],
  ['sends what only says it is an SVG', { kind: 'body', body: '<html></html>' }],
  ['declares entities', { kind: 'body', body: entities }],
  [
    'sends a picture in an SVG',
    { kind: 'body', body: svgOf('<image href="data:image/png;base64,iVBORw0KGgo=" width="9" height="9"/>') },
  ],
  ['sends text', { kind: 'body', body: svgOf('<text>hello</text><path d="M0 0H9V9z"/>') }],
  ['sends an empty drawing', { kind: 'body', body: svgOf('') }],
  ['sends another shape', { kind: 'body', body: svgOf('<path d="M0 0H9V9z"/>', '0 0 100 100') }],
];

describe('when the service', () => {
  test.each(faults)(
    '%s, the built-in engine makes the file, at the same charge, and the answer says so',
    async (_name, fault) => {
      const id = await upload();
      const before = await charges();
      peer.breakDown(fault);
      const reply = await trace(id, { mode: 'vectorize' });
      expect(reply.fellBack).toBe(true);
      expect(await isOfService(reply)).toBe(false);
      expect(readArtwork(readSvg(await read(reply.vectorizedSvgUrl)))!.shapes.length).toBeGreaterThan(0);
      expect(await charges()).toBe(before + 1);

      // It is not kept as the service's: once that is well again, it is asked.
      peer.breakDown(undefined);
      const again = await trace(id, { mode: 'vectorize' });
      expect(again.fellBack).toBeUndefined();
      expect(await isOfService(again)).toBe(true);
      expect(await charges()).toBe(before + 1);
    },
  );

  test('sends scripts, links and handlers with its drawing, only the drawing is kept', async () => {
    const hostile =
      '<script>alert(1)</script><style>@import "https://evil.example/a.css"</style><a href="javascript:alert(1)"><path onload="alert(1)" fill="#abcdef" d="M1 1L50 80L90 1Z"/></a>';
    peer.breakDown({ kind: 'body', body: svgOf(hostile) });
    const reply = await trace(await upload());
    const svg = await read(reply.vectorizedSvgUrl);
    expect(reply.fellBack).toBeUndefined();
    expect(svg).toContain('#abcdef');
    expect(svg).not.toMatch(/script|import|href|onload|evil/i);
  });
});

test('does not fall back to the built-in engine for a caller who disconnected', async () => {
  const id = await upload();
  peer.breakDown({ kind: 'hang' });
  const leaving = new AbortController();
  const origin = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const done = server.context.media.stats().done;
  const peerAborted = peer.aborted();
  const before = lines.length;
  const response = fetch(`${origin}/api/designs/vectorize`, {
    method: 'POST',
    headers: { ...maker, 'content-type': 'application/json' },
    body: JSON.stringify({ designId: id }),
    signal: leaving.signal,
  }).catch(() => 'gone');
  await expect.poll(() => peer.calls.length).toBe(1);
  leaving.abort();
  expect(await response).toBe('gone');
  await expect.poll(peer.aborted).toBe(peerAborted + 1);
  await expect.poll(() => lines.slice(before).join('')).toContain('"msg":"The caller went away."');
  // The picture was made gray for the service, and nothing more was done.
  expect(server.context.media.stats()).toMatchObject({ running: 0, queued: 0, done: done + 1 });
});

test('logs a fallback, without the keys', () => {
  const fallbacks = lines.filter((line) => line.includes('the built-in engine stands in'));
  expect(fallbacks.length).toBeGreaterThanOrEqual(faults.length);
  for (const line of lines) {
    expect(line).not.toContain(API_SECRET);
    expect(line).not.toContain(Buffer.from(`${API_ID}:${API_SECRET}`).toString('base64'));
  }
});
