import { inflateSync } from 'node:zlib';
import { emptyComposition, newArtwork, newCode, newText } from '@markwright/scene';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { MediaJobs } from '../platform/ports/mediaJobs.ts';
import { drawProof } from './proof.ts';

type Input = MediaJobs['proof']['input'];

const wall = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#203040' } })
  .png()
  .toBuffer();
const square = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="#e00000" d="M0 0H10V10H0Z"/></svg>`;

const inputOf = (names: readonly string[], changes: Partial<Input> = {}): Input => ({
  composition: {
    ...emptyComposition,
    machine: 'uv',
    productId: 'p',
    elements: [
      { ...newArtwork('d'), id: 'logo', aspect: 1, size: 20, y: -20 },
      { ...newText('name'), text: '{Name}', heightInches: 0.4, y: 20 },
    ],
  },
  product: {
    picture: { bytes: wall, mediaType: 'image/png' },
    pictureAspect: 1,
    printArea: { x: 0.2, y: 0.2, width: 0.6, height: 0.6 },
    printWidthInches: 60 / 25.4,
    printHeightInches: 60 / 25.4,
    finish: { material: 'ceramic', markColor: '#2B2A29' },
  },
  artworks: [{ id: 'logo', picture: { svg: square } }],
  columns: ['Name'],
  fit: { minimumPercent: 60, overflow: 'ask' },
  cells: names.map((name) => [name]),
  hasWatermark: false,
  facts: {
    ...{ title: 'Mug, matte', machine: 'uv', material: 'ceramic', now: new Date('2026-11-23T10:00:00Z') },
    // Row 2 is left out.
    pieces: names.map((name, i) => ({ number: i === 0 ? 1 : i + 2, text: name })),
  },
  ...changes,
});

test('shows each piece with the number and the cells of its row, its size and its outlines, and a line to sign', async () => {
  const names = ['Ada', 'Zoë Łucja', ...Array.from({ length: 11 }, (_, i) => `Name ${i}`)];
  const { bytes } = await drawProof(inputOf(names));
  const pages = readPages(bytes);
  expect(pages).toHaveLength(2);
  const [first, last] = pages.map(({ lines }) => lines);
  for (const lines of [first!, last!]) {
    expect(lines).toEqual(expect.arrayContaining(['Mug, matte', '13 pieces  ·  UV print  ·  Ceramic  ·  2026-11-23']));
  }
  const words = first!.join('\n');
  expect(words).toMatch(/\n1\nAda\n\d+\.\d × \d+\.\d mm\n3\nZoë \n?Ł\n?ucja\n/);
  expect(words).toContain('Page 1 of 2');
  expect(words).not.toContain('Signature');
  expect(words).not.toMatch(/\n2\n/);
  expect(last!.join('\n')).toMatch(/\n14\nName 10\n[\s\S]*approve all 13 pieces[\s\S]*Name\nSignature\nDate/);
  // The logo is an outline on each piece, and the picture of the product is there once.
  expect(pages.map(({ content }) => content.match(/^0\.878\d* 0 0 scn$/gm)?.length)).toEqual([12, 1]);
  expect(
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\/Subtype \/Image/g),
  ).toHaveLength(1);
});

test('has a watermark where mockups have one, and names the row that cannot be drawn', async () => {
  const countCurves = async (hasWatermark: boolean) => {
    const { bytes } = await drawProof(inputOf(['Ada'], { hasWatermark }));
    return readPages(bytes)[0]!.content.match(/ [cv]$/gm)!.length;
  };
  expect(await countCurves(true)).toBeGreaterThan(10 * (await countCurves(false)));
  const { composition } = inputOf([]);
  const code = { ...newCode('c'), symbology: 'ean13' as const, data: '123' };
  const input = inputOf(['Ada'], { composition: { ...composition, elements: [...composition.elements, code] } });
  await expect(drawProof(input)).rejects.toThrow(/^Row 1: A code cannot be made\./);
});

interface PageText {
  readonly lines: readonly string[];
  readonly content: string;
}

/** Reads what stands on the pages of a PDF of pdfkit, by the tables of its fonts. */
function readPages(pdf: Uint8Array): PageText[] {
  const objects = new Map<string, string>();
  for (const [, id, body] of Buffer.from(pdf)
    .toString('latin1')
    .matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    objects.set(id!, body!);
  }
  const streamOf = (id: string) => {
    const [, stream] = /stream\n([\s\S]*)\nendstream/.exec(objects.get(id)!)!;
    return inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1');
  };
  const readTable = (font: string) => {
    const [, tableId] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)!)!;
    const ranges = [...streamOf(tableId!).matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g)];
    return new Map(
      ranges.flatMap(([, from, list]) =>
        [...list!.matchAll(/<([0-9a-f ]*)>/g)].map(([, codes], i): [number, string] => [
          Number.parseInt(from!, 16) + i,
          Buffer.from(codes!.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
        ]),
      ),
    );
  };
  return [...objects.values()]
    .filter((body) => /\/Type \/Page\b(?!s)/.test(body))
    .map((page) => {
      const content = streamOf(/\/Contents (\d+) 0 R/.exec(page)![1]!);
      const resources = objects.get(/\/Resources (\d+) 0 R/.exec(page)![1]!)!;
      const fonts = new Map(
        [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [name!, readTable(id!)]),
      );
      const lines = [...content.matchAll(/\/(F\d+) [\d.]+ Tf[^[]*\[([^\]]*)\] TJ/g)].map(([, font, glyphs]) =>
        [...glyphs!.matchAll(/<([0-9a-f]*)>/g)]
          .flatMap(([, hex]) => hex!.match(/.{4}/g) ?? [])
          .map((glyph) => fonts.get(font!)!.get(Number.parseInt(glyph, 16)))
          .join(''),
      );
      return { lines, content };
    });
}
