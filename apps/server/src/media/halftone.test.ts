import { toHalftoneTrace, toPictureChanges, toVectorizerOptions, VectorizeSettings } from '@markwright/contract';
import { readArtwork, readSvg } from '@markwright/scene';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { AppError } from '../platform/errors.ts';
import { rasterize } from './rasterize.ts';
import { trace } from './trace.ts';

const [WIDTH, HEIGHT] = [300, 200];
const STYLES = ['halftone_lines', 'halftone_dots', 'hatch', 'stipple'] as const;

const plain = (background: string, width = WIDTH, height = HEIGHT) =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
/** Light on the left, dark on the right. */
const ramp = () =>
  sharp(
    Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => 255 - Math.round((200 * (i % WIDTH)) / WIDTH)),
    { raw: { width: WIDTH, height: HEIGHT, channels: 1 } },
  )
    .png()
    .toBuffer();

/** Draws as a request for the screen would. */
async function draw(picture: { png: Uint8Array } | { svg: string }, settings: object) {
  const all = VectorizeSettings.parse(settings);
  const input = {
    picture,
    options: toVectorizerOptions(all),
    halftone: toHalftoneTrace(all),
    changes: toPictureChanges(all),
  };
  return trace(input, () => undefined);
}
const refusal = (picture: { png: Uint8Array }, settings: object) =>
  draw(picture, settings).then(
    () => undefined,
    (error: unknown) => error,
  );

/** The outlines of a halftone, each as points in pixels, x and y in turn. */
function outlinesOf(svg: string): number[][] {
  const [, d] = /^<svg [^>]*><path fill="#000000" d="([^"]+)"\/><\/svg>$/.exec(svg) ?? [];
  if (d === undefined) throw new Error(`this is more than a black path: ${svg.slice(0, 300)}`);
  const outlines = d.split('M').slice(1);
  expect(outlines.every((outline) => /^[\d.L -]+Z$/.test(outline))).toBe(true);
  return outlines.map((outline) => outline.replace('Z', '').split(/[L ]/).map(Number));
}
const inkOf = async (svg: string, x = 0, width = WIDTH) => {
  const { png } = await rasterize({ svg, widthPx: WIDTH, background: '#ffffff' });
  const part = await sharp(png).extract({ left: x, top: 0, width, height: HEIGHT }).png().toBuffer();
  return 1 - (await sharp(part).stats()).channels[0]!.mean / 255;
};

describe.each(STYLES)('%s', (drawStyle) => {
  test('is one black path of closed outlines, as dark as the picture', async () => {
    const { svg, width, height } = await draw({ png: await ramp() }, { drawStyle, widthMm: 30, pitchMm: 0.8 });
    expect([width, height]).toEqual([WIDTH, HEIGHT]);
    expect(outlinesOf(svg).length).toBeGreaterThan(20);
    expect(readArtwork(readSvg(svg))?.shapes).toHaveLength(1);
    for (const [x, mean] of [
      [50, 200 / 4 / 255],
      [125, 200 / 2 / 255],
    ] as const) {
      expect(Math.abs((await inkOf(svg, x, 50)) - mean)).toBeLessThan(0.03);
    }
  });

  test('follows brightness, invert and the crop, and no setting of a trace', async () => {
    const png = await ramp();
    const base = { drawStyle, widthMm: 30, pitchMm: 0.8 };
    const plainInk = await inkOf((await draw({ png }, base)).svg);
    expect(await inkOf((await draw({ png }, { ...base, brightness: 40 })).svg)).toBeLessThan(plainInk - 0.1);
    expect(await inkOf((await draw({ png }, { ...base, invert: true })).svg)).toBeGreaterThan(plainInk + 0.05);
    const crop = { x: 0, y: 0, width: 0.5, height: 1 };
    const half = await draw({ png }, { ...base, crop, widthMm: 15 });
    expect([half.width, half.height]).toEqual([WIDTH / 2, HEIGHT]);
    const other = await draw({ png }, { ...base, colorMode: 'color', quality: 'low', threshold: 20, simplify: 100 });
    expect(other.svg).toBe((await draw({ png }, base)).svg);
  });

  test('refuses in a sentence what gives no outlines, too many, or too fine ones', async () => {
    const base = { drawStyle, pitchMm: 0.4, widthMm: 20 };
    const white = await refusal({ png: await plain('#fff') }, base);
    const clear = await refusal({ png: await plain('#0000') }, base);
    const fine = await refusal({ png: await ramp() }, { ...base, beamMm: 0.25, pitchMm: 0.1 });
    const large = await refusal({ png: await ramp() }, { ...base, widthMm: 9000, pitchMm: 0.2 });
    for (const [error, sentence] of [
      [white, /^Nothing is left of this picture.*a lower brightness\.$/],
      [clear, /^Nothing is left/],
      [fine, /^A beam of 0.25 mm needs a halftone of/],
      [large, /^(A halftone has at most 4000 lines|This picture has more detail)/],
    ] as const) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: 'unprocessable', message: expect.stringMatching(sentence) });
    }
    // A single dark pixel is drawn.
    expect((await draw({ png: await plain('#000', 1, 1) }, { ...base, widthMm: 5 })).svg).toContain('<path');
  });
});

test('lines have their pitch in millimeters of the true width, whatever the pixels are', async () => {
  const settings = { drawStyle: 'halftone_lines', angleDeg: 0, pitchMm: 1, beamMm: 0.1 };
  for (const [widthMm, side] of [
    [30, WIDTH],
    [60, WIDTH],
    [30, 900],
  ] as const) {
    const png = await plain('#999', side, side);
    const outlines = outlinesOf((await draw({ png }, { ...settings, widthMm })).svg);
    const middles = outlines.map((points) => {
      const ys = points.filter((_, i) => i % 2 === 1);
      return ((Math.min(...ys) + Math.max(...ys)) / 2) * (widthMm / side);
    });
    const rows = [...new Set(middles.map((y) => Math.round(y * 100) / 100))].sort((a, b) => a - b);
    expect(rows.length).toBeGreaterThanOrEqual(widthMm - 1);
    // Lines at the border are cut off there.
    for (const [i, y] of rows.slice(2, -1).entries()) expect(y - rows[i + 1]!).toBeCloseTo(1, 2);
  }
});

test('outlines keep their gap, and nothing is thinner than the beam', async () => {
  const png = await plain('#111');
  const settings = { drawStyle: 'halftone_lines', angleDeg: 0, widthMm: 30, pitchMm: 1, beamMm: 0.2, gapMm: 0.3 };
  const boxes = outlinesOf((await draw({ png }, settings)).svg)
    .map((points) => points.filter((_, i) => i % 2 === 1).map((y) => y * (30 / WIDTH)))
    .map((ys) => ({ top: Math.min(...ys), bottom: Math.max(...ys) }))
    .sort((a, b) => a.top - b.top);
  for (const { top, bottom } of boxes) expect(bottom - top).toBeGreaterThan(0.199);
  for (const [i, { top }] of boxes.slice(1).entries()) expect(top - boxes[i]!.bottom).toBeGreaterThan(0.299);
  const light = outlinesOf((await draw({ png: await plain('#eee') }, { ...settings, gapMm: 0 })).svg);
  for (const points of light) {
    const ys = points.filter((_, i) => i % 2 === 1);
    expect((Math.max(...ys) - Math.min(...ys)) * (30 / WIDTH)).toBeGreaterThan(0.199);
  }
});

test('dots that no vector file could hold are refused before they are drawn', { tags: ['detail'] }, async () => {
  const png = await plain('#777');
  for (const settings of [
    { drawStyle: 'halftone_dots', widthMm: 900, pitchMm: 0.5 },
    { drawStyle: 'stipple', widthMm: 300, pitchMm: 0.2 },
  ]) {
    const message = 'This picture has more detail than a vector file can hold. Try a coarser pitch.';
    expect(await refusal({ png }, settings)).toMatchObject({ code: 'unprocessable', message });
  }
  // A single mark on white has few dots, however fine they are.
  const mark = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"
    fill="#fff"/><rect width="9" height="6"/></svg>`;
  const few = await sharp(Buffer.from(mark)).png().toBuffer();
  expect((await draw({ png: few }, { drawStyle: 'halftone_dots', widthMm: 900, pitchMm: 0.5 })).svg).toContain('<path');
});

test('an SVG is drawn before its tones are', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><rect width="30" height="40"/></svg>';
  const outlines = outlinesOf((await draw({ svg }, { drawStyle: 'halftone_dots', widthMm: 30 })).svg);
  expect(outlines.length).toBeGreaterThan(300);
});

test('a laser that follows outlines gets no halftone', () => {
  const settings = { drawStyle: 'stipple', laserMode: 'outline' };
  expect(toHalftoneTrace(VectorizeSettings.parse(settings))).toBeUndefined();
  expect(toVectorizerOptions(VectorizeSettings.parse(settings)).draw).toBe('outline');
  expect(toHalftoneTrace(VectorizeSettings.parse({ ...settings, machineType: 'uv' }))).toBeDefined();
});
