import { parseComposition, SLOW_DRAWING } from '@markwright/scene';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { AppError } from '../platform/errors.ts';
import type { DrawInput, LimitStep } from '../platform/ports/mediaJobs.ts';
import { draw } from './draw.ts';
import { DRAWING_LIMIT } from './drawingLimit.ts';
import { rasterize } from './rasterize.ts';

/**
 * A drawing that cannot be read as plain outlines: layers, a clip, a pattern, dashes and a filter. The filter has no
 * direction: the renderer does not turn a shadow with the drawing that it embeds.
 */
const LAYERED = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 160">
  <filter id="f"><feGaussianBlur stdDeviation="1"/></filter>
  <clipPath id="c"><circle cx="100" cy="80" r="70"/></clipPath>
  <pattern id="p" width="8" height="8" patternUnits="userSpaceOnUse"><circle cx="4" cy="4" r="2" fill="#c33"/></pattern>
  <g clip-path="url(#c)"><rect width="200" height="160" fill="#eec"/>
    <g opacity=".6"><rect x="40" y="30" width="80" height="60" fill="#36c"/><circle cx="120" cy="90" r="40" fill="url(#p)"/></g>
  </g>
  <path d="M60 130L100 40L140 130Z" fill="none" stroke="#222" stroke-width="3" stroke-dasharray="6 2" filter="url(#f)"/>
</svg>`;

const product: NonNullable<DrawInput['product']> = {
  picture: { bytes: Buffer.from(LAYERED), mediaType: 'image/svg+xml' },
  pictureAspect: 200 / 160,
  printArea: { x: 0.3, y: 0.3, width: 0.4, height: 0.4 },
  printWidthInches: 4,
  printHeightInches: 4,
  finish: { material: 'ceramic', markColor: '#2B2A29' },
};
const compositionOf = (placement: object) =>
  parseComposition({
    version: 0,
    data: {
      machine: 'uv',
      productId: 'p',
      design: { designId: 'd', filename: 'a.svg', aspect: 200 / 160, ...placement },
    },
  });

test.each([
  ['straight', { size: 100 }],
  ['rotated, flipped and larger than the area', { size: 130, angleDeg: 33, x: 3, y: -4, isFlipped: true }],
])('a mockup shows uploaded SVGs as they are drawn themselves: %s', { tags: ['detail'] }, async (_name, placement) => {
  const input = {
    composition: compositionOf(placement),
    product,
    artworks: [{ id: 'design', picture: { svg: LAYERED } }],
  };
  const mockup = await draw({ ...input, target: { kind: 'mockup' }, sidePx: 800 });
  const preview = await draw({ ...input, target: { kind: 'preview' } });
  if (!('png' in mockup && 'svg' in preview)) throw new Error('A mockup is a PNG and a preview an SVG.');
  expect(preview.svg).toContain('data:image/svg+xml');
  const whole = await rasterize({ svg: preview.svg, widthPx: 800, background: '#ffffff' });
  const [expected, pixels] = await Promise.all(
    [whole.png, mockup.png].map((png) => sharp(png).removeAlpha().raw().toBuffer()),
  );
  expect(pixels!.length).toBe(expected!.length);
  let sum = 0;
  for (let i = 0; i < pixels!.length; i++) sum += Math.abs(pixels![i]! - expected![i]!);
  // Of 255: pixels at edges are sampled once more.
  expect(sum / pixels!.length).toBeLessThan(1);
});

test('a mockup has the pixels of a product’s picture of its size as they are', async () => {
  const side = 300;
  // Single pixels of black and white: interpolation would turn them gray.
  const pixels = Buffer.from(Array.from({ length: side * side }, (_, i) => 255 * ((i + Math.floor(i / side)) % 2)));
  const png = await sharp(pixels, { raw: { width: side, height: side, channels: 1 } })
    .png()
    .toBuffer();
  const mockup = await draw({
    composition: compositionOf({ size: 50 }),
    product: { ...product, picture: { bytes: png, mediaType: 'image/png' }, pictureAspect: 1, printWidthInches: 3.7 },
    artworks: [{ id: 'design', picture: { svg: LAYERED } }],
    target: { kind: 'mockup' },
    sidePx: side,
  });
  if (!('png' in mockup)) throw new Error('A mockup is a PNG.');
  const box = { left: 0, top: 0, width: side, height: 90 }; // above the print area
  const above = (picture: Uint8Array) =>
    sharp(picture).extract(box).removeAlpha().toColourspace('b-w').raw().toBuffer();
  expect((await above(mockup.png)).equals(await above(png))).toBe(true);
});

test('an uploaded drawing of a thousand full squares is drawn within the limit, a simple one as shapes', async () => {
  const stepsOf = async (count: number) => {
    const fill = (i: number) => `#${(i + 256).toString(16).padStart(6, '0')}`;
    const squares = Array.from({ length: count }, (_, i) => `<path fill="${fill(i)}" d="M0 0h100v100h-100z"/>`);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${squares.join('')}</svg>`;
    const limits: unknown[] = [];
    const limitStep: LimitStep = (limit, step) => {
      limits.push(limit);
      return step();
    };
    const composition = compositionOf({ aspect: 1, size: 100 });
    const artworks = [{ id: 'design', picture: { svg, isUploaded: true } }];
    await draw({ composition, product: undefined, artworks, target: { kind: 'mockup' } }, limitStep);
    return limits;
  };
  expect(await stepsOf(3)).toEqual([]);
  expect(await stepsOf(1000)).toEqual([DRAWING_LIMIT]);
});

test('an uploaded SVG that reaches the limit of drawings refuses the mockup with the sentence of the estimate', async () => {
  const refuse: LimitStep = ({ refusal }) => Promise.reject(new AppError('unprocessable', refusal));
  const composition = compositionOf({ size: 100 });
  const target = { kind: 'mockup' } as const;
  for (const input of [
    { composition, product: undefined, artworks: [{ id: 'design', picture: { svg: LAYERED } }], target },
    { composition, product, artworks: [], target },
  ]) {
    await expect(draw(input, refuse)).rejects.toThrow(SLOW_DRAWING);
  }
});
