import { PROGRESS_STREAM_TYPE, TRACE_STAGES } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { designs } from '../designs/tables.ts';

let server: TestApp;
let ann: Record<string, string>;
beforeAll(async () => {
  server = await createTestApp();
  ann = await server.signUp();
});
afterAll(() => server.close());

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><rect width="60" height="40" fill="#fff"/>' +
  '<circle cx="30" cy="20" r="15" fill="#147"/><path d="M5 5h20v9z" fill="#c31"/></svg>';
/** A JPEG that lies on its side, as a phone writes it. */
const photo = (width: number, height = Math.round((width * 2) / 3)) =>
  sharp(Buffer.from(drawing))
    .resize(width, height, { fit: 'fill' })
    .jpeg({ quality: 80 })
    .withMetadata({ orientation: 6 })
    .toBuffer();

async function upload(bytes: Uint8Array, filename: string) {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), filename);
  const answer = await server.app.inject({ method: 'POST', url: '/api/designs/upload', payload: form, headers: ann });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ id: string; width: number; height: number; originalFileUrl: string; tracePictureUrl: string }>();
}
const fetchBytes = async (url: string) => {
  const answer = await server.app.inject({ url });
  expect(answer.statusCode, url).toBe(200);
  return answer.rawPayload;
};
async function trace(designId: string): Promise<string> {
  const payload = { designId, settings: { colorMode: 'color' } };
  const answer = await server.app.inject({ method: 'POST', url: '/api/designs/vectorize', payload, headers: ann });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ vectorizedSvgUrl: string }>().vectorizedSvgUrl;
}
const keyOf = (url: string) => decodeURIComponent(url.slice('/files/'.length, url.indexOf('?')));
async function namesIn(folder: string) {
  const names: string[] = [];
  for await (const { key } of server.context.files.list(folder)) names.push(key.slice(folder.length));
  return names.sort();
}

test('stores an uploaded JPEG unchanged, and counts its own bytes', async () => {
  const jpeg = await photo(600);
  const { id, width, height } = await upload(jpeg, 'photo.jpg');
  expect([width, height]).toEqual([400, 600]);
  const file = await server.context.files.get(`designs/${id}/upload.jpg`);
  expect(Buffer.from(file!.bytes).equals(jpeg)).toBe(true);
  const [row] = await server.context.db.select().from(designs).where(eq(designs.id, id));
  expect(row!.sizeBytes).toBe(jpeg.length);
});

test.each([
  ['a JPEG', 'photo.jpg', () => photo(600)],
  ['a JPEG larger than a trace needs', 'photo.jpg', () => photo(2400, 200)],
  ['a PNG with a palette', 'logo.png', () => sharp(Buffer.from(drawing)).resize(600).png({ palette: true }).toBuffer()],
])(
  'makes the same pixels and the same trace of %s after its cache was dropped',
  { tags: ['detail'] },
  async (_name, filename, make) => {
    const { id, originalFileUrl, tracePictureUrl } = await upload(await make(), filename);
    const firstTraceUrl = await trace(id);
    const urls = [originalFileUrl, tracePictureUrl, firstTraceUrl];
    const before = await Promise.all(urls.map(fetchBytes));

    const dropEverythingButTheUpload = async () => {
      for (const name of await namesIn(`designs/${id}/`)) {
        if (!name.startsWith('upload')) await server.context.files.delete(`designs/${id}/${name}`);
      }
    };
    await dropEverythingButTheUpload();
    expect(keyOf(await trace(id))).toBe(keyOf(firstTraceUrl));
    expect((await fetchBytes(firstTraceUrl)).equals(before[2]!)).toBe(true);

    // The browser may be the first to need the pixels again.
    await dropEverythingButTheUpload();
    expect((await fetchBytes(tracePictureUrl)).equals(before[1]!)).toBe(true);
    expect((await fetchBytes(originalFileUrl)).equals(before[0]!)).toBe(true);
  },
);

test('never serves the bytes of an upload, and answers 404 for a picture that does not exist', async () => {
  const { id } = await upload(await photo(60), 'photo.jpg');
  const get = async (key: string) => (await server.app.inject({ url: server.context.urls.sign(key) })).statusCode;
  expect(JSON.stringify(await server.context.db.select().from(designs).where(eq(designs.id, id)))).not.toContain(
    'upload.jpg',
  );
  expect(await get('designs/nobody/original.png')).toBe(404);
  expect(await get(`designs/${id}/cutout-traced.png`)).toBe(404);
});

test.each(['/api/designs/vectorize', '/api/designs/generate-preview'])(
  '%s reports the stages of a trace to a caller who asks for them, and none of a stored trace',
  async (url) => {
    const { id } = await upload(await photo(300), 'photo.jpg');
    const stagesOf = async () => {
      const headers = { ...ann, accept: PROGRESS_STREAM_TYPE };
      const payload = { designId: id, settings: { colorMode: 'color' } };
      const { body, headers: replyHeaders } = await server.app.inject({ method: 'POST', url, payload, headers });
      if (!String(replyHeaders['content-type']).startsWith(PROGRESS_STREAM_TYPE)) return [];
      const lines = body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { stage?: string; reply?: object });
      expect(lines.at(-1)?.reply).toBeDefined();
      return lines.flatMap(({ stage }) => stage ?? []);
    };
    expect(await stagesOf()).toEqual([...TRACE_STAGES]);
    expect(await stagesOf()).toEqual([]);
  },
);
