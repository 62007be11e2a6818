/** Broken and hostile DXF, LightBurn, material library and ICC files through the calls that take them. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { deflateSync, gzipSync } from 'node:zlib';
import { INK_PROFILE_LIMITS, LASER_LIMITS, MAX_UPLOAD_BYTES } from '@markwright/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companyInkProfiles } from '../src/companies/tables.ts';
import { designs } from '../src/designs/tables.ts';
import { storedFiles } from '../src/platform/tables.ts';
import { createRandom, repetitions, seed } from './campaign.ts';
import { createInkProfile } from './inkProfile.ts';
import { createTestApp, formOf, type TestApp } from './server.ts';

let server: TestApp;
let ann: Record<string, string>;
let png: Buffer;
beforeAll(async () => {
  server = await createTestApp();
  server.setNow(new Date());
  ann = await server.signUp();
  png = await sharp({ create: { width: 9, height: 6, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();
});
afterAll(() => server.close());

const calls = {
  design: { url: '/api/designs/upload', field: 'file', maxBytes: MAX_UPLOAD_BYTES },
  library: { url: '/api/company/lasers/library', field: 'library', maxBytes: LASER_LIMITS.libraryBytes },
  profile: { url: '/api/company/ink-profiles', field: 'profile', maxBytes: INK_PROFILE_LIMITS.bytes },
} as const;
type CallName = keyof typeof calls;

async function send(name: CallName, bytes: Uint8Array | string, filename = 'file', headers = {}) {
  const { url, field } = calls[name];
  const mediaType = 'application/octet-stream';
  const form = await formOf({ [field]: { bytes: Buffer.from(bytes), filename, mediaType } });
  const answer = await server.app.inject({
    ...{ method: 'POST', url, payload: form.payload },
    headers: { ...form.headers, ...ann, ...headers },
  });
  return { status: answer.statusCode, body: answer.json() };
}

/** Counts what is stored: rows, and files of all areas. */
async function countStored() {
  const { db, files } = server.context;
  let fileCount = 0;
  for await (const _ of files.list('')) fileCount++;
  const rows = [designs, companyInkProfiles, storedFiles].map((table) => db.$count(table));
  return [fileCount, ...(await Promise.all(rows))];
}

/** Sends a file that is refused, or taken whole. Expects a sentence, and that nothing of a refused one is stored. */
async function sendHostile(name: CallName, bytes: Uint8Array | string, what: string) {
  const before = await countStored();
  const { status, body } = await send(name, bytes);
  expect([200, 413, 415, 422], `${what}: ${JSON.stringify(body)}`).toContain(status);
  if (status === 200) return;
  expect(body.message, what).toMatch(/^[\p{Lu}“].*[.!]$/su);
  expect(await countStored(), what).toEqual(before);
}

const dxf = (...tags: (string | number)[]) =>
  [0, 'SECTION', 2, 'ENTITIES', ...tags, 0, 'ENDSEC', 0, 'EOF', ''].join('\n');
const circle = [0, 'CIRCLE', 8, 'CUT', 10, 5, 20, 5, 40, 4];
const drawing = [
  ...[0, 'SECTION', 2, 'BLOCKS', 0, 'BLOCK', 2, 'B', ...circle, 0, 'ENDBLK', 0, 'ENDSEC'],
  ...[0, 'SECTION', 2, 'ENTITIES', 0, 'INSERT', 2, 'B', 0, 'LWPOLYLINE', 8, 'SCORE', 70, 1],
  ...[10, 0, 20, 0, 42, 0.5, 10, 9, 20, 0, 10, 9, 20, 9, 0, 'ENDSEC', 0, 'EOF', ''],
].join('\n');
const project = `<?xml version="1.0"?><LightBurnProject FormatVersion="1"><CutSetting type="Cut"><index Value="2"/></CutSetting>
<Shape Type="Path" CutIndex="2"><XForm>1 0 0 1 3 3</XForm><VertList>V0 0c0x1c1x1V5 0c0x6c0y2c1x1V5 5c0x1c1x6c1y3</VertList>
<PrimList>L0 1B1 2L2 0</PrimList></Shape><Shape Type="Rect" CutIndex="0" W="5" H="4" Cr="1"/></LightBurnProject>`;
const library = `<?xml version="1.0"?><LightBurnLibrary DisplayName="Shop"><Material name="Slate"><Entry Thickness="4"
Desc="Photo"><CutSetting type="Scan"><maxPower Value="31"/><speed Value="250"/></CutSetting></Entry></Material></LightBurnLibrary>`;
const profile = createInkProfile();

const goodFiles: readonly [what: string, CallName, Uint8Array | string][] = [
  ['a DXF drawing', 'design', drawing],
  ['a LightBurn project', 'design', project],
  ['a material library', 'library', library],
  ['an ICC profile', 'profile', profile],
];

describe.each(goodFiles)('%s', (_what, name, good) => {
  const bytes = Buffer.from(good);
  const next = createRandom(seed);
  const place = () => Math.floor(next() * bytes.length);

  test('is accepted', async () => {
    expect((await send(name, bytes)).status).toBe(200);
  });

  test('that breaks off is refused, or taken whole', async () => {
    for (let i = 0; i < repetitions(8, 400); i++) {
      const end = place();
      await sendHostile(name, bytes.subarray(0, end), `cut at ${end}`);
    }
  });

  test('with damaged bytes is refused, or taken whole', async () => {
    for (let i = 0; i < repetitions(8, 400); i++) {
      const copy = Buffer.from(bytes);
      for (let k = 0; k < 1 + (i % 5); k++) copy[place()] = Math.floor(next() * 256);
      await sendHostile(name, copy, `damage ${i} of seed ${seed}`);
    }
  });

  test('in another encoding, with NUL, or compressed, is refused or taken whole', async () => {
    const text = bytes.toString('latin1');
    const others = {
      'UTF-16 with its mark': Buffer.from(`\ufeff${text}`, 'utf16le'),
      'UTF-16 without its mark': Buffer.from(text, 'utf16le'),
      'UTF-8 with a mark': Buffer.concat([Buffer.from('\ufeff'), bytes]),
      'NUL inside': Buffer.from(text.replace('CTION', 'CT\0N').replace('Shape', 'Sh\0pe').replace('Entry', 'En\0ry')),
      gzip: gzipSync(bytes),
      deflate: deflateSync(bytes),
      zip: Buffer.concat([Buffer.from('PK\x03\x04'), bytes]),
    };
    for (const [what, other] of Object.entries(others)) await sendHostile(name, other, what);
  });

  test('sent as a compressed body is refused: a body is what its bytes are', async () => {
    const { url, field } = calls[name];
    const form = await formOf({ [field]: { bytes, filename: 'a', mediaType: 'text/plain' } });
    const headers = { ...form.headers, ...ann, 'content-encoding': 'gzip' };
    const answer = await server.app.inject({ method: 'POST', url, payload: gzipSync(form.payload), headers });
    expect([400, 415]).toContain(answer.statusCode);
    expect(answer.json().message).toMatch(/\.$/);
  });
});

const rect = '<Shape Type="Rect" CutIndex="0" W="5" H="5"/>';
const laughs = `<!DOCTYPE x [<!ENTITY a0 "${'b'.repeat(500)}">${Array.from(
  { length: 12 },
  (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`,
).join('')}]>`;
const block = (content: (string | number)[]) =>
  [0, 'SECTION', 2, 'BLOCKS', 0, 'BLOCK', 2, 'B', ...content, 0, 'ENDBLK', 0, 'ENDSEC'].join('\n');
const insert = [0, 'INSERT', 2, 'B'];
const withProfile = (change: (bytes: Buffer) => void) => {
  const bytes = Buffer.from(profile);
  change(bytes);
  return bytes;
};

const hostileFiles: readonly [what: string, CallName, () => Uint8Array | string][] = [
  ['a DXF whose block inserts itself', 'design', () => `${block([...insert, ...insert])}\n${dxf(...insert)}`],
  ['a DXF of 210,000 entities', 'design', () => dxf(`${'0\nPOINT\n'.repeat(210_000)}0`, 'POINT')],
  ['a DXF of a line of 9 MB', 'design', () => dxf(0, 'TEXT', 1, 'x'.repeat(9 * 2 ** 20))],
  ['a DXF radius of 1e308', 'design', () => dxf(0, 'CIRCLE', 10, 0, 20, 0, 40, '1e308')],
  ['a DXF coordinate of -Infinity', 'design', () => dxf(0, 'LINE', 10, '-Infinity', 20, 0, 11, 1, 21, 1)],
  ['a DXF of more than 10 MB', 'design', () => drawing + ' \n'.repeat(6 * 2 ** 20)],
  ['a DXF of 190,000 lines', 'design', () => dxf(`${'0\nLINE\n10\n1\n20\n2\n11\n3\n21\n4\n'.repeat(190_000)}0`, 'X')],
  ['a project with an entity bomb', 'design', () => `${laughs}<LightBurnProject>&a12;${rect}</LightBurnProject>`],
  ['a project after a document type', 'design', () => `<!DOCTYPE a SYSTEM "file:///etc/passwd">${project}`],
  ['a project nested 100,000 times', 'design', () => '<LightBurnProject>'.repeat(100_000)],
  ['a project with a size of NaN', 'design', () => project.replace('W="5"', 'W="NaN"')],
  ['a project with a transform of 1e308', 'design', () => project.replace('1 0 0 1 3 3', '1e308 0 0 1e308 3 3')],
  [
    'a project of 210,000 shapes',
    'design',
    () => `<LightBurnProject>${'<Shape Type="X"/>'.repeat(210_000)}</LightBurnProject>`,
  ],
  [
    'a project whose picture is no picture',
    'design',
    () => project.replace('<Shape', '<Shape Type="Bitmap" CutIndex="0" W="5" H="5" Data="%%"/><Shape'),
  ],
  ['a library with an entity bomb', 'library', () => `${laughs}${library.replace('Shop', '&a12;')}`],
  ['a library nested 50,000 times', 'library', () => '<LightBurnLibrary>'.repeat(50_000)],
  [
    'a library with 100,000 attributes',
    'library',
    () => library.replace('name=', `${Array.from({ length: 100_000 }, (_, i) => `a${i}=""`).join(' ')} name=`),
  ],
  ['a library with a power below 0', 'library', () => library.replace('"31"', '"-31"')],
  ['a library with a thickness of 1e308', 'library', () => library.replace('Thickness="4"', 'Thickness="1e308"')],
  [
    'a profile of 100 tags in 200 bytes',
    'profile',
    () => withProfile((bytes) => bytes.writeUInt32BE(100, 128)).subarray(0, 200),
  ],
  [
    'a profile whose tags lie over one another',
    'profile',
    () =>
      withProfile((bytes) => {
        for (let i = 0; i < 5; i++) bytes.writeUInt32BE(132, 136 + 12 * i);
      }),
  ],
  [
    'a profile whose tags are all it is',
    'profile',
    () =>
      withProfile((bytes) => {
        for (let i = 0; i < 5; i++)
          [132, bytes.length - 132].forEach((value, k) => void bytes.writeUInt32BE(value, 136 + 12 * i + 4 * k));
      }),
  ],
  [
    'a profile with 255 inks',
    'profile',
    () => withProfile((bytes) => void bytes.set([255, 255, 255], bytes.lastIndexOf('mft1') + 8)),
  ],
  ['a profile of the other byte order', 'profile', () => withProfile((bytes) => void bytes.swap32())],
  [
    'a profile with a name of four billion letters',
    'profile',
    () => withProfile((bytes) => void bytes.writeUInt32BE(0xffffffff, bytes.indexOf('desc', 200) + 8)),
  ],
];

test.each(hostileFiles)('%s is refused in a sentence, or taken whole', async (what, name, make) => {
  await sendHostile(name, make(), what);
  // The processes that read files live on.
  expect((await send('design', drawing)).status).toBe(200);
});

test('the bytes decide what a file is, whatever its name says', async () => {
  const statusOf = async (name: CallName, bytes: Uint8Array | string, filename: string) =>
    (await send(name, bytes, filename)).status;
  expect(await statusOf('design', drawing, 'photo.png')).toBe(200);
  expect(await statusOf('design', project, 'drawing.dxf')).toBe(200);
  expect(await statusOf('design', png, 'project.lbrn2')).toBe(200);
  expect(await statusOf('library', library, 'picture.svg')).toBe(200);
  expect(await statusOf('profile', profile, 'library.clb')).toBe(200);
  const wrong: [CallName, Uint8Array | string, string][] = [
    ['design', library, 'a.lbrn2'],
    ['design', profile, 'a.dxf'],
    ['library', project, 'a.clb'],
    ['library', drawing, 'a.clb'],
    ['library', profile, 'a.clb'],
    ['profile', library, 'a.icc'],
    ['profile', png, 'a.icc'],
  ];
  for (const [name, bytes, filename] of wrong) expect([415, 422]).toContain(await statusOf(name, bytes, filename));
});

describe.each(Object.entries(calls))('a body of 100 MB to the call for a %s', (_name, { url, field, maxBytes }) => {
  const TOTAL = 100 * 2 ** 20;
  const CHUNK = Buffer.alloc(64 * 1024, '0\nPOINT\n');

  test.each([
    ['in chunks', {}, maxBytes],
    ['with its length', { 'content-length': 2 * TOTAL }, 0],
  ])('%s is refused while it is sent', async (_how, length, readBytes) => {
    if (!server.app.server.listening) await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.app.server.address() as AddressInfo;
    const before = await countStored();
    let sentBytes = 0;
    async function* writeBody() {
      yield Buffer.from(`--x\r\nContent-Disposition: form-data; name="${field}"; filename="a"\r\n\r\n`);
      for (; sentBytes < TOTAL; sentBytes += CHUNK.length) yield CHUNK;
      yield Buffer.from('\r\n--x--\r\n');
    }
    const headers = { ...ann, ...length, 'content-type': 'multipart/form-data; boundary=x' };
    const call = request({ port, host: '127.0.0.1', method: 'POST', path: url, headers });
    const body = Readable.from(writeBody());
    body.pipe(call);
    try {
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      // The rest lies in the buffers of two sockets.
      expect([answer.statusCode, sentBytes < readBytes + 32 * 2 ** 20]).toEqual([413, true]);
      expect(JSON.parse(await text(answer)).message).toMatch(/\.$/);
    } finally {
      body.destroy();
      call.on('error', () => {}).destroy();
    }
    expect(await countStored()).toEqual(before);
  });
});
