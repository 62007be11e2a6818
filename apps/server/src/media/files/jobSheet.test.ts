import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { drawJobSheet, type JobSheet, toRuns } from './jobSheet.ts';
import { saySettings } from './laserPowers.ts';

const sheet = async (changes: Partial<JobSheet> = {}): Promise<JobSheet> => ({
  title: '20 oz Skinny Tumbler, Stainless',
  machine: 'UV print',
  material: 'stainless',
  date: new Date('2026-11-23T10:00:00Z'),
  widthMm: 236.2,
  heightMm: 208.3,
  picture: await sharp({ create: { width: 140, height: 120, channels: 4, background: '#c81e1e' } })
    .png()
    .toBuffer(),
  layers: [
    { color: '#ffffff', name: 'RDG_WHITE', operation: 'Print white', pieces: 12, amount: '1,024 mm²' },
    { color: undefined, name: 'Colors', operation: 'Print', pieces: 210, amount: '' },
  ],
  checks: ['The file opens 236.2 mm wide. Nothing scales it.', 'A test print was made.'],
  findings: [],
  files: [{ filename: 'Tumbler_236.2x208.3mm.pdf', sha256: 'a1'.repeat(32), sizeBytes: 120_400 }],
  ...changes,
});

const countPages = (pdf: Uint8Array) =>
  Buffer.from(pdf)
    .toString('latin1')
    .match(/\/Type \/Page\b(?!s)/g)!.length;

it('is one letter page, the same each time but for its date', async () => {
  const pdf = await drawJobSheet(await sheet());
  const text = Buffer.from(pdf).toString('latin1');
  expect(text).toMatch(/^%PDF-/);
  expect(text).toContain('/MediaBox [0 0 612 792]');
  expect(countPages(pdf)).toBe(1);
  expect(await drawJobSheet(await sheet())).toEqual(pdf);
});

it('says how a laser is set for each layer, and where nobody knows', () => {
  expect(saySettings({ maxPower: 30, speed: 250, numPasses: 2, interval: 0.1 })).toBe('30 % · 250 mm/s · 2 passes');
  expect(saySettings({ speed: 12.3456, numPasses: 1 })).toBe('12.35 mm/s');
  for (const settings of [undefined, {}, { kerf: 0.1 }]) expect(saySettings(settings)).toBe('Set on the machine');
});

it('goes on on another page when there are many layers and files', async () => {
  const [layer] = (await sheet()).layers;
  const [file] = (await sheet()).files;
  const pdf = await drawJobSheet(await sheet({ layers: Array(30).fill(layer), files: Array(9).fill(file) }));
  expect(countPages(pdf)).toBe(2);
});

it('takes any title, area and picture', async () => {
  const title = `\u0000\u202e🦊木の板 für Łódź ${'x'.repeat(500)}`;
  expect(countPages(await drawJobSheet(await sheet({ title, material: undefined, files: [] })))).toBe(1);
  expect(
    countPages(await drawJobSheet(await sheet({ title: '', widthMm: 2, heightMm: 900, findings: ['Cuts cross.'] }))),
  ).toBe(1);
});

it('writes Latin, Greek, Cyrillic and Vietnamese names, and a question mark for each other letter', async () => {
  const title = 'Łódź Ελλάδα Кружка № 5 – Cốc';
  expect(
    toRuns(title)
      .map(({ text }) => text)
      .join(''),
  ).toBe(title.normalize('NFC'));
  expect(toRuns('木 x')).toEqual([{ text: '? x', script: 'latin' }]);
  const plain = await drawJobSheet(await sheet());
  const pdf = await drawJobSheet(await sheet({ title }));
  const countFonts = (bytes: Uint8Array) =>
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\/FontFile/g)!.length;
  // Each script of the title brings its own file, for the bold face alone.
  expect(countFonts(pdf) - countFonts(plain)).toBe(4);
});

it('has a code that opens the page of its order, and the order’s number', async () => {
  const url = 'https://print.oak-and-steel.example/orders?order=0d1c6c0e-6a0b-4f7e-9f57-2f1f0c7f3b6a';
  const pdf = await drawJobSheet(await sheet({ order: { number: '7KQM-2D4P', url } }));
  expect(countPages(pdf)).toBe(1);
  expect(await readCodes(pdf)).toEqual([url]);
  expect(await readCodes(await drawJobSheet(await sheet()))).toEqual([]);
});

/** Reads the codes of a sheet by a program that is not the product's, at 300 dpi, from the rectangles it draws. */
async function readCodes(pdf: Uint8Array): Promise<string[]> {
  const scale = 300 / 72;
  const svgRects = [...contentOf(pdf).matchAll(/^([\d.-]+) ([\d.-]+) ([\d.-]+) ([\d.-]+) re$/gm)]
    .map((match) => match.slice(1).map(Number))
    .filter(([x, y]) => x! > 400 && y! < 120)
    .map(([x, y, width, height]) => `<rect x="${x}" y="${y}" width="${width}" height="${height}"/>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${612 * scale}" height="${792 * scale}" viewBox="0 0 612 792"><rect width="612" height="792" fill="#fff"/><g shape-rendering="crispEdges">${svgRects.join('')}</g></svg>`;
  const page = await sharp(Buffer.from(svg)).png().toBuffer();
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  // Without its own bytes the reader would ask the network for them.
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });
  const codes = await readBarcodes(page, { formats: ['QRCode'] });
  return codes.map(({ text }) => text);
}

/** Returns the drawing commands of a PDF, without its fonts and pictures. */
function contentOf(pdf: Uint8Array): string {
  const text = Buffer.from(pdf).toString('latin1');
  const streams = [...text.matchAll(/\/Filter \/FlateDecode\n>>\nstream\n([\s\S]*?)\nendstream/g)].map(([, body]) => {
    try {
      return inflateSync(Buffer.from(body!, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  return streams.filter((stream) => / re$/m.test(stream) && / Tf$/m.test(stream)).join('\n');
}
