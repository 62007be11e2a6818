import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makeProductPicture } from './productPicture.ts';

const strict = (bytes: Uint8Array) => makeProductPicture({ bytes, accept: 'strict' });
const any = (bytes: Uint8Array) => makeProductPicture({ bytes, accept: 'any' });
const plain = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 40, g: 90, b: 160, alpha } } });
const photograph = (width: number, height: number) =>
  sharp(
    Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 31 + (i >> 9) * 17) & 255),
    {
      raw: { width, height, channels: 3 },
    },
  );
const namesOf = ({ files }: Awaited<ReturnType<typeof strict>>) => files.map(({ name }) => name);
const svg = (body: string) =>
  new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 150">${body}</svg>`);

test('stores a photograph as one picture to draw on, with its thumbnails', async () => {
  const sideways = await photograph(3_000, 1_500)
    .withMetadata({ orientation: 6 })
    .withExif({ IFD0: { Copyright: 'planted-owner' } })
    .jpeg()
    .toBuffer();
  const output = await strict(sideways);
  expect([output.width, output.height]).toEqual([1_000, 2_000]);
  expect(namesOf(output)).toEqual(['picture-2000.jpg', '104.avif', '104.webp', '104.jpg', '960.avif', '960.webp']);
  for (const { name, bytes, mediaType } of output.files) {
    const { format, width, height, exif, icc, orientation } = await sharp(bytes).metadata();
    const side = Number(/\d+/.exec(name)![0]);
    expect([width, height], name).toEqual([side / 2, side]);
    expect([exif, icc, orientation], name).toEqual([undefined, undefined, undefined]);
    expect(mediaType).toBe(`image/${format === 'heif' ? 'avif' : format}`);
    expect(Buffer.from(bytes).includes('planted-owner')).toBe(false);
  }
  const small = output.files.find(({ name }) => name === '104.avif')!;
  expect(small.bytes.length).toBeLessThan(8_000);
});

test('does not enlarge a small picture, and keeps transparent parts', async () => {
  const output = await strict(await plain(60, 40, 0.5).png().toBuffer());
  expect(namesOf(output)).toEqual(['picture-60.png', '104.avif', '104.webp', '104.png']);
  for (const { bytes, name } of output.files) {
    const { width, height, hasAlpha } = await sharp(bytes).metadata();
    expect([width, height, hasAlpha], name).toEqual([60, 40, true]);
  }
  // A channel nobody uses is no reason for a PNG.
  expect(namesOf(await strict(await plain(60, 40).png().toBuffer()))[0]).toBe('picture-60.jpg');
});

test('stores an SVG as a safe SVG, with thumbnails in pixels', async () => {
  const output = await strict(svg('<script>alert(1)</script><path onload="x()" d="M0 0H300V150Z" fill="#c00"/>'));
  expect([output.width, output.height]).toEqual([300, 150]);
  expect(namesOf(output)).toEqual(['picture.svg', '104.avif', '104.webp', '104.png']);
  const text = new TextDecoder().decode(output.files[0]!.bytes);
  expect(text).toContain('<path');
  expect(text).not.toMatch(/script|onload/);
  const { width, height } = await sharp(output.files[3]!.bytes).metadata();
  expect([width, height]).toEqual([104, 52]);
});

test('accepts all of sharp’s formats from companies, and PNG, JPG and SVG from administrators, by the bytes', async () => {
  const picture = plain(80, 80);
  for (const [format, bytes] of [
    ['webp', await picture.clone().webp().toBuffer()],
    ['gif', await picture.clone().gif().toBuffer()],
    ['avif', await picture.clone().avif({ effort: 0 }).toBuffer()],
    ['tiff', await picture.clone().tiff().toBuffer()],
  ] as const) {
    expect(namesOf(await any(bytes))[0], format).toMatch(/^picture-80\.(jpg|png)$/);
    await expect(strict(bytes), format).rejects.toMatchObject({ code: 'unsupported' });
  }
  for (const accept of [strict, any]) {
    for (const other of ['', 'plain words', '%PDF-1.7', '<html><body>', 'BM\0\0', 'PK\x03\x04']) {
      await expect(accept(Buffer.from(other, 'latin1')), other).rejects.toMatchObject({ code: 'unsupported' });
    }
  }
});

test('stores the first frame of a company’s animated picture', async () => {
  const frames = Buffer.concat([
    await plain(40, 40).raw().toBuffer(),
    await sharp({ create: { width: 40, height: 40, channels: 4, background: '#ff0000' } })
      .raw()
      .toBuffer(),
  ]);
  const moving = await sharp(frames, { raw: { width: 40, height: 80, channels: 4, pageHeight: 40 } })
    .gif()
    .toBuffer();
  expect((await sharp(moving).metadata()).pages).toBe(2);
  const output = await any(moving);
  expect([output.width, output.height]).toEqual([40, 40]);
  const { data } = await sharp(output.files[0]!.bytes).raw().toBuffer({ resolveWithObject: true });
  expect(data[2]).toBeGreaterThan(data[0]!); // blue
});

test('refuses a damaged or too large picture with a sentence', async () => {
  const png = await photograph(200, 200).png().toBuffer();
  await expect(strict(png.subarray(0, png.length / 2))).rejects.toMatchObject({ code: 'unprocessable' });
  const wide = await plain(17_000, 1).png().toBuffer();
  await expect(strict(wide)).rejects.toMatchObject({ code: 'tooLarge' });
});

test('draws a JPEG into a mockup', async () => {
  const { rasterize } = await import('./rasterize.ts');
  const output = await strict(await plain(60, 60).png().toBuffer());
  const href = `data:image/jpeg;base64,${Buffer.from(output.files[0]!.bytes).toString('base64')}`;
  const rendering = await rasterize({
    svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><image width="10" height="10" href="${href}"/></svg>`,
    widthPx: 10,
  });
  const { data } = await sharp(rendering.png).raw().toBuffer({ resolveWithObject: true });
  expect([...data.subarray(0, 3)].map((value, i) => Math.abs(value - [40, 90, 160][i]!) < 4)).toEqual([
    true,
    true,
    true,
  ]);
});
