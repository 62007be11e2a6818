import sharp from 'sharp';
import { expect, it } from 'vitest';
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
