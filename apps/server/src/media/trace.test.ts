import {
  type PictureChanges,
  toAdjustments,
  toPictureChanges,
  toPixelBox,
  toScreenSettings,
  toVectorizerOptions,
  VectorizeSettings,
} from '@markwright/contract';
import { readArtwork, readSvg, writeSvg } from '@markwright/scene';
import { planWarp, warp } from '@markwright/straighten';
import { adjustBitmap, vectorize, writeSvg as writeDrawing } from '@markwright/vectorizer';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { AppError } from '../platform/errors.ts';
import type { TraceOptions } from '../platform/ports/mediaJobs.ts';
import { rasterize } from './rasterize.ts';
import { shrink, trace } from './trace.ts';

const color: TraceOptions = { maxColors: 64, colorMode: 'color', despeckle: 1, stacking: 'cutouts', draw: 'fill' };
const black: TraceOptions = { ...color, colorMode: 'monochrome', ink: '#000000' };
const stainless: TraceOptions = { ...black, ink: '#8496a9' };
const ignore = () => {};

const svg = (inner: string, box = '0 0 100 50') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${inner}</svg>`;

/** What a trace paints, as its colors and the shapes they have. */
async function traceShapes(picture: { svg: string } | { png: Uint8Array }, options: TraceOptions) {
  const output = await trace({ picture, options }, ignore);
  const artwork = readArtwork(readSvg(output.svg));
  if (!artwork) throw new Error('the trace is more than outlines');
  const fills = [...new Set(artwork.shapes.map(({ fill }) => fill))];
  return { ...output, artwork, fills };
}

const refusal = (picture: { svg: string } | { png: Uint8Array }, options: TraceOptions) =>
  trace({ picture, options }, ignore).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an SVG of plain outlines', () => {
  const star = '<path fill="#c8102e" d="M10 5L20 45L30 5Z"/>';

  test('keeps its exact corners and colors', async () => {
    const { artwork, width, height } = await traceShapes({ svg: svg(star) }, color);
    expect([width, height, artwork.width, artwork.height]).toEqual([100, 50, 100, 50]);
    expect(artwork.shapes).toMatchObject([{ fill: '#c8102e', d: expect.stringMatching(/^M10 5L20 45L30 5/) }]);
  });

  test('in black and stainless has one ink and leaves white bare', async () => {
    const art = svg(`<path fill="#fefefe" d="M0 0H100V50H0Z"/>${star}`);
    expect((await traceShapes({ svg: art }, black)).artwork.shapes).toMatchObject([
      { fill: '#000000', d: expect.stringMatching(/^M10 5L20 45L30 5/) },
    ]);
    expect((await traceShapes({ svg: art }, stainless)).fills).toEqual(['#8496a9']);
  });

  test('with white on dark has a hole and not a covered shape', async () => {
    const art = svg('<path fill="#000" d="M10 10H60V40H10Z"/><path fill="#fff" d="M20 20H50V30H20Z"/>');
    const result = await traceShapes({ svg: art }, black);
    expect(result.fills).toEqual(['#000000']);
    expect(await darkAt(result.svg, 15, 25)).toBe(true);
    expect(await darkAt(result.svg, 35, 25)).toBe(false);
  });

  test('in grays keeps its outlines', async () => {
    const { artwork } = await traceShapes({ svg: svg(star) }, { ...color, colorMode: 'grayscale' });
    expect(artwork.shapes[0]?.fill).toMatch(/^#([0-9a-f]{2})\1\1$/);
    expect(artwork.shapes[0]?.d).toMatch(/^M10 5L20 45L30 5/);
  });

  test('in outline mode has lines and no fill', async () => {
    const { artwork } = await traceShapes({ svg: svg(star) }, { ...black, draw: 'stroke' });
    expect(artwork.shapes.map(({ fill, stroke }) => [fill, stroke])).toEqual([[undefined, '#000000']]);
  });

  test('keeps a red line as a cut line', async () => {
    const art = svg(`${star}<path fill="none" stroke="#ff0000" stroke-width="0.1" d="M1 1H99V49H1Z"/>`);
    const { artwork } = await traceShapes({ svg: art }, black);
    expect(artwork.shapes.map(({ fill, stroke }) => fill ?? stroke)).toEqual(['#000000', '#ff0000']);
  });

  test('with more colors than the limit is traced from its pixels', { tags: ['detail'] }, async () => {
    const bars = Array.from(
      { length: 8 },
      (_, i) => `<path fill="hsl(${i * 45} 80% 50%)" d="M${i * 12} 5h10v40h-10z"/>`,
    );
    const { fills } = await traceShapes({ svg: svg(bars.join('')) }, { ...color, maxColors: 3 });
    expect(fills.length).toBeLessThanOrEqual(3);
    expect(fills.length).toBeGreaterThan(0);
  });

  test('of several tones is traced from its pixels in black, so that light tones stay bare', async () => {
    const art = svg('<path fill="#f3d9b1" d="M0 0H100V50H0Z"/><path fill="#3a1c0a" d="M40 10H60V40H40Z"/>');
    const result = await traceShapes({ svg: art }, black);
    expect(await darkAt(result.svg, 50, 25)).toBe(true);
    expect(await darkAt(result.svg, 10, 25)).toBe(false);
  });
});

describe('an SVG with more than plain outlines', () => {
  test('is rasterized and traced', async () => {
    const art = svg(
      '<defs><linearGradient id="g"><stop stop-color="#000"/><stop offset="1" stop-color="#222"/></linearGradient></defs>' +
        '<circle cx="50" cy="25" r="20" fill="url(#g)"/>',
    );
    expect(readArtwork(readSvg(art))).toBeUndefined();
    const result = await traceShapes({ svg: art }, black);
    expect(result.width / result.height).toBeCloseTo(2, 2);
    expect(await darkAt(result.svg, 50, 25)).toBe(true);
    expect(await darkAt(result.svg, 5, 5)).toBe(false);
  });
});

describe('a picture with a smooth ramp', () => {
  const picture = async () =>
    sharp(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1">' +
          '<stop stop-color="#f7b538"/><stop offset="1" stop-color="#d1495b"/></linearGradient></defs>' +
          '<rect width="300" height="200" fill="#fff"/><circle cx="150" cy="100" r="80" fill="url(#g)"/></svg>',
      ),
    )
      .png()
      .toBuffer();

  test('is traced to a gradient, or to flat tones where gradients are off', async () => {
    const png = await picture();
    const color = { colorMode: 'color', stacking: 'stacked' } as const;
    const smooth = readArtwork(readSvg((await traceShapes({ png }, { ...color, gradients: true })).svg))!;
    expect(smooth.shapes.some(({ gradient }) => gradient)).toBe(true);
    const bands = readArtwork(readSvg((await traceShapes({ png }, { ...color, gradients: false })).svg))!;
    expect(bands.shapes.some(({ gradient }) => gradient)).toBe(false);
    expect(bands.shapes.length).toBeGreaterThan(smooth.shapes.length);
  });
});

describe('pixels', () => {
  const disc = (side: number) =>
    sharp(Buffer.from(svg('<circle cx="50" cy="50" r="40" fill="#111"/>', '0 0 100 100')))
      .resize(side, side)
      .flatten({ background: '#fff' })
      .png()
      .toBuffer();

  test('are traced to closed shapes in one ink', async () => {
    const result = await traceShapes({ png: await disc(200) }, stainless);
    expect([result.width, result.height]).toEqual([200, 200]);
    expect(result.fills).toEqual(['#8496a9']);
    expect(result.artwork.shapes.every(({ d }) => d.endsWith('Z'))).toBe(true);
  });

  test('beyond the size limit are traced at a reduced size, in the same place', async () => {
    const result = await traceShapes({ png: await disc(2400) }, black);
    expect(result.width * result.height).toBeLessThanOrEqual(2_500_000 * 1.01);
    expect(await darkAt(result.svg, 50, 50)).toBe(true);
    expect(await darkAt(result.svg, 8, 8)).toBe(false);
  });

  test('with crop, brightness and contrast are the same as in the browser’s preview', async () => {
    const png = await disc(2400);
    const small = await shrink({ png });
    const { data, info } = await sharp(small.png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const settings = VectorizeSettings.parse({
      crop: { x: 0.25, y: 0.1, width: 0.5, height: 0.4 },
      brightness: 20,
      contrast: -30,
      threshold: 44,
    });
    const whole = { width: info.width, height: info.height, data };
    const expected = vectorize(adjustBitmap(whole, toAdjustments(toPictureChanges(settings), whole)), {
      ...toVectorizerOptions(toScreenSettings(settings)),
    });
    for (const picture of [{ png }, small]) {
      const output = await trace(
        { picture, options: toVectorizerOptions(toScreenSettings(settings)), changes: toPictureChanges(settings) },
        ignore,
      );
      const box = toPixelBox(settings.crop!, whole);
      expect([output.width, output.height]).toEqual([box.width, box.height]);
      expect(output.svg).toBe(writeSvg(readSvg(writeDrawing(expected)).node));
    }
  });

  test('that are straightened give the trace of the straight drawing, and of a part of it', async () => {
    const bars = '<path fill="#111" d="M40 30H200V70H40ZM240 30H330V260H240ZM40 120H150V260H40Z"/>';
    const page = await sharp(Buffer.from(svg(`<path fill="#fff" d="M0 0H400V300H0Z"/>${bars}`, '0 0 400 300')))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const straight = { width: page.info.width, height: page.info.height, data: page.data };
    expect([straight.width, straight.height]).toEqual([400, 300]);
    const quadrilateral = [
      { x: -30, y: 20 },
      { x: 410, y: -45 },
      { x: 445, y: 300 },
      { x: 20, y: 350 },
    ] as const;
    // The page as the quadrilateral shows it, and where its corners are then.
    const tiltedPage = warp(straight, { corners: quadrilateral }, { size: { width: 420, height: 320 } });
    const plan = planWarp(straight, { corners: quadrilateral }, { width: 420, height: 320 });
    const toCorner = (x: number, y: number) => {
      const point = plan.toResult({ x, y });
      return { x: point.x / 420, y: point.y / 320 };
    };
    const settings = VectorizeSettings.parse({
      straighten: {
        corners: [toCorner(0, 0), toCorner(400, 0), toCorner(400, 300), toCorner(0, 300)],
        aspect: 4 / 3,
      },
    });
    const encode = ({ width, height, data }: { width: number; height: number; data: Uint8Array | Uint8ClampedArray }) =>
      sharp(data, { raw: { width, height, channels: 4 } })
        .png()
        .toBuffer();
    const tracePart = async (png: Buffer, changes: PictureChanges | undefined) => {
      const output = await trace({ picture: { png }, options: black, changes }, ignore);
      return { ...output, artwork: readArtwork(readSvg(output.svg))! };
    };
    const crop = { x: 0.5, y: 0, width: 0.5, height: 1 };
    for (const part of [undefined, crop]) {
      const expected = await tracePart(await encode(straight), part && { crop: part });
      const actual = await tracePart(await encode(tiltedPage), toPictureChanges({ ...settings, crop: part }));
      const scale = expected.width / actual.width;
      expect(actual.width / actual.height).toBeCloseTo(expected.width / expected.height, 2);
      const boxes = ({ artwork: { shapes } }: typeof actual) =>
        shapes
          .flatMap(({ d }) => [...d.matchAll(/M[^M]+/g)])
          .map(([d]) => {
            const numbers = (d.match(/-?[\d.]+/g) ?? []).map(Number);
            const [xs, ys] = [numbers.filter((_, i) => i % 2 === 0), numbers.filter((_, i) => i % 2 === 1)];
            return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
          })
          .sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!);
      const [expectedBoxes, actualBoxes] = [boxes(expected), boxes(actual)];
      expect(actualBoxes.length).toBe(expectedBoxes.length);
      expectedBoxes.flat().forEach((side, i) => {
        // The crop begins and ends at whole pixels of either picture.
        expect(Math.abs(actualBoxes.flat()[i]! * scale - side)).toBeLessThan(part ? 1 : 0.4);
      });
    }
  });

  test('give more ink at a higher threshold, and a sentence of advice without any ink', async () => {
    const soft = await sharp(await disc(200))
      .blur(12)
      .png()
      .toBuffer();
    const inkAt = async (threshold: number) => {
      const { data } = await pixels((await traceShapes({ png: soft }, { ...black, threshold })).svg);
      return data.filter((level) => level < 128).length;
    };
    const [little, more, most] = [await inkAt(20), await inkAt(50), await inkAt(80)];
    expect(more).toBeGreaterThan(1.1 * little);
    expect(most).toBeGreaterThan(1.1 * more);
    const blank = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#ccc' } })
      .png()
      .toBuffer();
    expect(await refusal({ png: blank }, { ...black, threshold: 30 })).toMatchObject({
      message: expect.stringContaining('Try another threshold.'),
    });
  });

  test('of drawn lines give centerlines, and hairlines for a laser', async () => {
    const ring = svg('<circle cx="50" cy="50" r="35" fill="none" stroke="#111" stroke-width="3"/>', '0 0 100 100');
    const png = await sharp(Buffer.from(ring)).resize(400, 400).flatten({ background: '#fff' }).png().toBuffer();
    const lines = async (machineType: 'laser' | 'uv') => {
      const settings = VectorizeSettings.parse({ drawStyle: 'centerline', machineType });
      return (await traceShapes({ png }, toVectorizerOptions(settings))).artwork.shapes;
    };
    expect(await lines('laser')).toMatchObject([{ fill: undefined, stroke: '#000000', strokeWidth: 0.4 }]);
    // What is printed is as wide as it was drawn.
    expect(await lines('uv')).toMatchObject([{ fill: '#000000', stroke: undefined }]);
    const inside = svg('<path fill="#111" d="M10 48H90V52H10Z"/>', '0 0 100 100');
    const result = await traceShapes({ svg: inside }, { ...black, draw: 'centerline', lineWidth: 1 / 1000 });
    expect(result.artwork.shapes).toMatchObject([{ fill: undefined, stroke: '#000000' }]);
    // A part so small that a pixel of it is no fine line any more.
    for (const drawStyle of ['centerline', 'stroke_shapes'] as const) {
      const settings = VectorizeSettings.parse({ drawStyle, crop: { x: 0.1, y: 0.4, width: 0.2, height: 0.2 } });
      const changes = toPictureChanges(settings);
      const part = await trace({ picture: { png }, options: toVectorizerOptions(settings), changes }, ignore);
      const { shapes } = readArtwork(readSvg(part.svg))!;
      expect(shapes.length).toBeGreaterThan(0);
      expect(shapes.every(({ fill, stroke }) => !fill && stroke)).toBe(true);
    }
  });

  test('without any content are refused with a sentence', async () => {
    const blank = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const error = await refusal({ png: blank }, black);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'unprocessable', message: expect.stringContaining('Nothing is left') });
  });

  test('have the fewest nodes at low quality, more at medium, and clearly the most at high', async () => {
    const ornament = svg(
      `<path fill="#111" d="M10 50C10 20 40 5 50 30C60 5 90 20 90 50C90 80 60 95 50 70C40 95 10 80 10 50Z"/>
       <path fill="none" stroke="#111" stroke-width="2" d="M5 95Q20 80 30 92T55 90T80 92T95 84"/>`,
      '0 0 100 100',
    );
    const png = await sharp(Buffer.from(ornament)).resize(700).flatten({ background: '#fff' }).png().toBuffer();
    const countNodes = async (quality: 'low' | 'medium' | 'high') => {
      const options = toVectorizerOptions(toScreenSettings(VectorizeSettings.parse({ quality })));
      const { artwork } = await traceShapes({ png }, options);
      return artwork.shapes.reduce((sum, { d }) => sum + d.replace(/[^A-Za-z]/g, '').length, 0);
    };
    const [low, medium, high] = [await countNodes('low'), await countNodes('medium'), await countNodes('high')];
    expect(low).toBeLessThan(0.95 * medium);
    expect(medium).toBeLessThan(0.95 * high);
    expect(low).toBeLessThan(0.8 * high);
  });

  test('keep their shapes at a finer quality, which changes only curves', async () => {
    const png = await disc(300);
    const coarse = await traceShapes({ png }, { ...black, quality: 'draft' });
    const fine = await traceShapes({ png }, { ...black, quality: 'fine' });
    expect(fine.artwork.shapes.length).toBe(coarse.artwork.shapes.length);
    expect(await difference(coarse.svg, fine.svg)).toBeLessThan(0.01);
  });
});

/** Returns true when a place, in percent of the width, is dark when the drawing is rendered on white. */
async function darkAt(drawing: string, x: number, y: number): Promise<boolean> {
  const { data, info } = await pixels(drawing);
  return (
    data[(Math.round((y * info.width) / 100) * info.width + Math.round((x * info.width) / 100)) * info.channels]! < 160
  );
}

async function difference(a: string, b: string): Promise<number> {
  const [first, second] = [await pixels(a), await pixels(b)];
  let different = 0;
  for (let i = 0; i < first.data.length; i++) if (Math.abs(first.data[i]! - second.data[i]!) > 100) different++;
  return different / first.data.length;
}

async function pixels(drawing: string) {
  const { png } = await rasterize({ svg: drawing, widthPx: 400, background: '#ffffff' });
  return sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
}
