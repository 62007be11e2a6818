import { expect, test } from 'vitest';
import { readPng } from './readPng.ts';

const width = 37;
const height = 23;

const pixels = (channels: number): Uint8Array =>
  Uint8Array.from({ length: width * height * channels }, (_, i) => Math.imul(i + 7, 2654435761) >>> 24);

/** Returns a PNG whose row y is packed by filter `filterOf(y)`, straight from the definition of the filters. */
async function writePng(
  channels: number,
  filterOf: (y: number) => number,
  changes: { bits?: number; interlace?: number; extra?: string; data?: Uint8Array; cut?: number } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const raw = changes.data ?? pixels(channels);
  const stride = width * channels;
  const at = (x: number, y: number) => (x < 0 || y < 0 ? 0 : raw[y * stride + x]!);
  const rows: number[] = [];
  for (let y = 0; y < height; y++) {
    rows.push(filterOf(y));
    for (let x = 0; x < stride; x++) {
      const [left, up, corner] = [at(x - channels, y), at(x, y - 1), x < channels ? 0 : at(x - channels, y - 1)];
      const near = [left, up, corner].sort(
        (a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b),
      )[0]!;
      rows.push((at(x, y) - [0, left, up, (left + up) >> 1, near][filterOf(y)]!) & 255);
    }
  }
  const stream = new Blob([Uint8Array.from(rows)]).stream().pipeThrough(new CompressionStream('deflate'));
  const idat = new Uint8Array(await new Response(stream).arrayBuffer()).slice(0, changes.cut);
  const type = ({ 1: 0, 2: 4, 3: 2, 4: 6 } as Record<number, number>)[channels]!;
  const header = [0, 0, 0, width, 0, 0, 0, height, changes.bits ?? 8, type, 0, 0, changes.interlace ?? 0];
  const chunk = (name: string, data: Iterable<number>) => {
    const bytes = [...data];
    const length = bytes.length;
    return [0, length >> 16, (length >> 8) & 255, length & 255, ...name]
      .map((part) => (typeof part === 'string' ? part.charCodeAt(0) : part))
      .concat(bytes, 0, 0, 0, 0);
  };
  const half = idat.length >> 1;
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', header),
    ...(changes.extra ? chunk(changes.extra, [0, 1, 0, 2, 0, 3]) : []),
    ...chunk('IDAT', idat.subarray(0, half)),
    ...chunk('IDAT', idat.subarray(half)),
    ...chunk('IEND', []),
  ]);
}

test.each([1, 2, 3, 4])('reads %i channels byte for byte, however the rows are packed', async (channels) => {
  const raw = pixels(channels);
  const read = await readPng(await writePng(channels, (y) => y % 5));
  expect([read?.width, read?.height]).toEqual([width, height]);
  const isGray = channels < 3;
  for (let i = 0; i < width * height; i++) {
    const from = raw.subarray(i * channels, (i + 1) * channels);
    const expected = isGray ? [from[0], from[0], from[0]] : [...from.subarray(0, 3)];
    const alpha = channels % 2 === 0 ? from[channels - 1] : 255;
    expect([...read!.data.subarray(i * 4, i * 4 + 4)]).toEqual([...expected, alpha]);
  }
});

test('returns undefined for pictures of a form that the server does not write', async () => {
  const none = () => 0;
  expect(await readPng(await writePng(3, none))).toBeDefined();
  expect(await readPng(await writePng(3, none, { bits: 16 }))).toBeUndefined();
  expect(await readPng(await writePng(3, none, { interlace: 1 }))).toBeUndefined();
  expect(await readPng(await writePng(3, none, { extra: 'tRNS' }))).toBeUndefined();
  expect(await readPng(await writePng(3, none, { extra: 'PLTE' }))).toBeUndefined();
  expect(await readPng(await writePng(3, () => 5))).toBeUndefined();
  expect(await readPng(await writePng(3, none, { cut: 500 }))).toBeUndefined();
  expect(await readPng((await writePng(3, none)).slice(0, 300))).toBeUndefined();
  expect(await readPng(new TextEncoder().encode('<svg/>'))).toBeUndefined();
});
