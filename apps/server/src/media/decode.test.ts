import { deflateSync } from 'node:zlib';
import { readSvg } from '@markwright/scene';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { filesOf, hasCorpora } from '../../test/campaign.ts';
import { AppError } from '../platform/errors.ts';
import { decodePicture } from './decode.ts';

const RED = { r: 220, g: 20, b: 30 };
const plain = (width = 8, height = 6) => sharp({ create: { width, height, channels: 3, background: RED } });

async function pixelsOf(bytes: Uint8Array) {
  const picture = await decodePicture(bytes);
  if (picture.mediaType !== 'image/png') throw new Error('not a raster picture');
  const { data, info } = await sharp(picture.png).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels, (y * info.width + x + 1) * info.channels),
  ];
  return { ...picture, info, at, metadata: await sharp(picture.png).metadata() };
}

async function refusal(bytes: Uint8Array): Promise<{ code: string; message: string }> {
  const error = await decodePicture(bytes).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`accepted, or failed with ${error}`);
  return { code: error.code, message: error.message };
}

const near = (pixel: number[], expected: number[], by: number) =>
  expected.every((value, i) => Math.abs((pixel[i] ?? -1000) - value) <= by);

describe('decoding writes upright 8-bit sRGB', () => {
  test('for a JPEG', async () => {
    const { at, width, height, info } = await pixelsOf(await plain().jpeg({ quality: 95 }).toBuffer());
    expect([width, height, info.channels]).toEqual([8, 6, 3]);
    expect(near(at(3, 3), [220, 20, 30], 6)).toBe(true);
  });

  test('for a JPEG in CMYK', async () => {
    const bytes = await plain().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    expect((await sharp(bytes).metadata()).space).toBe('cmyk');
    const { at, metadata, info } = await pixelsOf(bytes);
    expect([metadata.space, info.channels]).toEqual(['srgb', 3]);
    const [r = 0, g = 255, b = 255] = at(3, 3);
    expect(r).toBeGreaterThan(150);
    expect(Math.max(g, b)).toBeLessThan(110);
  });

  test('for a PNG with 16 bits', async () => {
    const bytes = await plain().toColourspace('rgb16').png().toBuffer();
    expect((await sharp(bytes).metadata()).depth).toBe('ushort');
    const { at, metadata } = await pixelsOf(bytes);
    expect(metadata.depth).toBe('uchar');
    expect(near(at(0, 0), [220, 20, 30], 1)).toBe(true);
  });

  test('for an interlaced PNG with a palette', async () => {
    const bytes = await plain().png({ palette: true, progressive: true }).toBuffer();
    expect(bytes[25]).toBe(3); // the header's color type: palette
    const { at } = await pixelsOf(bytes);
    expect(near(at(7, 5), [220, 20, 30], 1)).toBe(true);
  });

  test('in three channels for a gray PNG', async () => {
    const bytes = await plain().grayscale().png().toBuffer();
    const { at, info } = await pixelsOf(bytes);
    expect(info.channels).toBe(3);
    const [r, g, b] = at(1, 1);
    expect([g, b]).toEqual([r, r]);
  });

  test('with the alpha of the picture', async () => {
    const clear = sharp({ create: { width: 4, height: 4, channels: 4, background: { ...RED, alpha: 0.5 } } });
    const { at, info } = await pixelsOf(await clear.png().toBuffer());
    expect(info.channels).toBe(4);
    expect(near(at(2, 2), [220, 20, 30, 128], 1)).toBe(true);
  });

  test('and applies EXIF orientation 6 and removes it', async () => {
    const left = sharp({ create: { width: 4, height: 8, channels: 3, background: '#000' } });
    const bytes = await plain(16, 8)
      .composite([{ input: await left.png().toBuffer(), left: 0, top: 0 }])
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { width, height, at, metadata } = await pixelsOf(bytes);
    expect([width, height, metadata.orientation]).toEqual([8, 16, undefined]);
    expect(near(at(4, 1), [0, 0, 0], 10)).toBe(true); // what was left is on top
    expect(near(at(4, 14), [220, 20, 30], 10)).toBe(true);
  });

  test('and converts a wide-gamut profile', async () => {
    const bytes = await plain().withIccProfile('p3').png().toBuffer();
    const { at, metadata } = await pixelsOf(bytes);
    expect(metadata.icc).toBeUndefined();
    expect(near(at(0, 0), [220, 20, 30], 3)).toBe(true);
  });

  test('without metadata and trailing bytes', async () => {
    const secret = 'GPS of the workshop';
    const bytes = await plain()
      .withExif({ IFD0: { Copyright: secret } })
      .jpeg()
      .toBuffer();
    const polyglot = Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]);
    expect(polyglot.includes(secret)).toBe(true);
    const picture = await decodePicture(polyglot);
    const png = Buffer.from('png' in picture ? picture.png : []);
    expect([png.includes(secret), png.includes('script')]).toEqual([false, false]);
  });
});

describe('decoding reads the outlines of other programs', () => {
  const dxf = (...entities: (string | number)[]) =>
    Buffer.from(['0', 'SECTION', '2', 'ENTITIES', ...entities, '0', 'ENDSEC', '0', 'EOF', ''].join('\r\n'));
  const circle = [0, 'CIRCLE', 8, 'CUT', 10, 50, 20, 50, 40, 25.4];

  test('of a DXF drawing at true size, as a clean SVG', async () => {
    const picture = await decodePicture(dxf(...circle, 0, 'MTEXT', 8, 'CUT', 1, '<script>'));
    if (picture.mediaType !== 'image/svg+xml') throw new Error('not a drawing');
    expect(picture).toMatchObject({ widthMm: expect.closeTo(50.8, 3), outlineFile: { kind: 'DXF', isUnitless: true } });
    // Two inches are 192 px.
    expect([picture.width, picture.height]).toEqual([expect.closeTo(192, 2), expect.closeTo(192, 2)]);
    expect(picture.droppedTags).toEqual(['MTEXT']);
    expect(picture.svg).toContain('stroke="#ff0000"');
    expect(picture.svg).not.toContain('script');
  });

  test('of a LightBurn project', async () => {
    const project = '<LightBurnProject><Shape Type="Rect" CutIndex="0" W="25.4" H="50.8"/></LightBurnProject>';
    expect(await decodePicture(Buffer.from(project))).toMatchObject({
      width: 96,
      height: 192,
      droppedTags: [],
      widthMm: 25.4,
      outlineFile: { kind: 'LightBurn', isUnitless: false },
    });
  });

  test.each([
    ['width="40mm" height="25mm" viewBox="0 0 9 9"', 40],
    ['width="4cm"', 40],
    ['width="2in" viewBox="0 0 9 9"', 50.8],
    ['height="36PT" viewBox="0 0 2 1"', 25.4],
    ['width="40" height="25mm"', undefined],
    ['width="40px"', undefined],
    ['width="100%" viewBox="0 0 40 25"', undefined],
    ['viewBox="0 0 40 25"', undefined],
  ])('and the size that an SVG says in a unit one can measure: %s', async (attrs, widthMm) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${attrs}><path d="M0 0H9V9Z"/></svg>`;
    const picture = await decodePicture(Buffer.from(svg));
    if (picture.mediaType !== 'image/svg+xml') throw new Error('not a drawing');
    expect(picture.outlineFile).toBeUndefined();
    expect(picture.widthMm).toEqual(widthMm && expect.closeTo(widthMm, 9));
  });

  test('and refuses those that are damaged, hostile or too large', async () => {
    expect(await refusal(dxf(...circle).subarray(0, 60))).toEqual({
      code: 'unprocessable',
      message: expect.stringMatching(/^This DXF file is damaged: .*\.$/),
    });
    expect(await refusal(dxf(0, 'CIRCLE', 10, '1e308', 20, 0, 40, 5))).toMatchObject({ code: 'unprocessable' });
    const large = Buffer.concat([dxf(...circle), Buffer.alloc(10 * 1024 * 1024, 32)]);
    expect(await refusal(large)).toEqual({ code: 'tooLarge', message: 'DXF files may be up to 10 MB.' });
  });
});

describe('decoding refuses with its sentence', () => {
  const notAPicture = { code: 'unsupported', message: 'This file is not a JPG, PNG, SVG, DXF or LightBurn file.' };
  const damageError = { code: 'unprocessable', message: 'This picture is damaged and could not be read.' };

  test.each([
    ['GIF', () => plain().gif().toBuffer()],
    ['WebP', () => plain().webp().toBuffer()],
    ['TIFF', () => plain().tiff().toBuffer()],
    ['AVIF', () => plain().avif().toBuffer()],
    ['PDF', async () => Buffer.from('%PDF-1.7\n1 0 obj <</Type /Catalog>>')],
    ['HTML', async () => Buffer.from('<!doctype html><p>no picture</p>')],
    ['ZIP', async () => Buffer.from([0x50, 0x4b, 3, 4, 0, 0])],
    ['nothing', async () => Buffer.alloc(0)],
    ['one byte', async () => Buffer.from([0x89])],
    ['zeros', async () => Buffer.alloc(5000)],
  ])('%s', async (_name, make) => {
    expect(await refusal(await make())).toEqual(notAPicture);
  });

  test('a truncated picture', async () => {
    const noise = sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        noise: { type: 'gaussian', sigma: 60, mean: 128 },
        background: RED,
      },
    });
    for (const bytes of [await noise.jpeg().toBuffer(), await noise.png().toBuffer()]) {
      expect(await refusal(bytes.subarray(0, bytes.length / 2))).toEqual(damageError);
      expect(await refusal(bytes.subarray(0, 30))).toEqual(damageError);
    }
  });

  test('a header of more than 50 megapixels, before it decodes a pixel', async () => {
    expect(await refusal(pngHeader(16_000, 16_000))).toEqual({
      code: 'tooLarge',
      message: 'This picture is larger than 50 megapixels.',
    });
    expect(await refusal(pngHeader(7072, 7071))).toMatchObject({ code: 'tooLarge' });
  });

  test('a side of more than 16,384 pixels', async () => {
    expect(await refusal(pngHeader(16_385, 10))).toEqual({
      code: 'tooLarge',
      message: 'This picture is more than 16,384 pixels wide or high.',
    });
    expect(await refusal(pngHeader(16_384, 10))).toEqual(damageError); // its pixels are missing
  });

  test('an animated PNG', async () => {
    const png = await plain().png().toBuffer();
    const frames = Buffer.alloc(8);
    frames.writeUInt32BE(3);
    const animation = Buffer.concat([png.subarray(0, 33), chunk('acTL', frames), png.subarray(33)]);
    expect(await refusal(animation)).toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('Animated'),
    });
    frames.writeUInt32BE(1);
    await decodePicture(Buffer.concat([png.subarray(0, 33), chunk('acTL', frames), png.subarray(33)]));
  });
});

describe('SVG', () => {
  const svg = (inner: string, start = '') =>
    Buffer.from(`${start}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">${inner}</svg>`);

  test('is rewritten from an allowlist of harmless parts', async () => {
    const picture = await decodePicture(
      svg(
        '<script>alert(1)</script><path onclick="x()" d="M0 0h9v9z"/><image href="/etc/hostname.png" width="9" height="9"/>',
      ),
    );
    expect(picture).toMatchObject({ mediaType: 'image/svg+xml', width: 40, height: 20 });
    const text = 'svg' in picture ? picture.svg : '';
    expect(text).toContain('<path');
    expect(text).not.toMatch(/script|onclick|hostname/);
    expect(readSvg(text).droppedTags).toEqual([]);
  });

  test('reports the parts that were left out', async () => {
    const picture = await decodePicture(svg('<path d="M0 0h9v9z"/><text>Anna</text>'));
    expect('droppedTags' in picture && picture.droppedTags).toEqual(['text']);
  });

  test.each([
    ['UTF-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, big end first', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['Latin', (text: string) => Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1')],
    ['leading white space', (text: string) => Buffer.from(`\n \t${text}`)],
  ])('in %s', async (_name, encode) => {
    const bytes = encode(svg('<g id="Größe"><path d="M0 0h9v9z"/></g>').toString());
    expect(await decodePicture(bytes)).toMatchObject({ mediaType: 'image/svg+xml', width: 40 });
  });

  test('with an entity declaration is refused with a sentence', async () => {
    const bomb = '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>';
    expect(await refusal(svg('<path d="M0 0h9z"/>', bomb))).toMatchObject({
      code: 'unprocessable',
      message: expect.stringMatching(/^[A-Z].*\.$/),
    });
  });

  test('beyond 10 MB is refused', async () => {
    const filler = `<!--${'x'.repeat(10 * 1024 * 1024)}-->`;
    expect(await refusal(svg(filler))).toMatchObject({ code: 'tooLarge' });
  });
});

describe.runIf(hasCorpora)('strangers’ files', () => {
  test('every valid PNG of the suite is accepted', async () => {
    const files = filesOf('png-pngsuite');
    expect(files.length).toBeGreaterThan(50);
    for (const { name, bytes } of files) {
      expect(await decodePicture(bytes), name).toMatchObject({ mediaType: 'image/png' });
    }
  });

  test.each([
    ['png-fuzz', 1],
    ['jpeg-fuzz', 1],
    ['jpeg-afl', 4],
    ['image-rs', 1],
    ['sharp-fixtures', 1],
    ['bombs', 1],
    ['polyglot', 1],
    ['svg-resvg', 6],
    ['svg-xss-sanitizer', 1],
  ])('%s: a picture, or a sentence', async (folder, step) => {
    const files = filesOf(folder, step);
    expect(files.length).toBeGreaterThan(0);
    for (const { name, bytes } of files) {
      const outcome = await decodePicture(bytes).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome, `${name}: ${outcome.stack}`).toBeInstanceOf(AppError);
    }
  });
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A PNG that says how large it is and then has next to no pixels. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.alloc(100));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}
