import { Composition, FIRST_ARTWORK } from '@markwright/scene';
import type { PlacedSurface } from '@markwright/scene/surface';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { DrawInput } from '../platform/ports/mediaJobs.ts';
import { draw } from './draw.ts';

const PX = 240;
/** A gray wall as wide as the picture, darker at the right. */
const wall = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
  <rect width="100" height="100" fill="#b4b4b4"/><rect x="62" width="38" height="100" fill="#5a5a5a"/></svg>`;
const red = await sharp({ create: { width: 300, height: 300, channels: 4, background: '#e00000' } })
  .png()
  .toBuffer();
const square = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="#e00000" d="M0 0H10V10H0Z"/></svg>`;

/** The print area is 60 of the 100 mm of the picture. */
const inputOf = (
  surface: PlacedSurface | undefined,
  artwork: DrawInput['artworks'][number]['picture'],
): Omit<DrawInput, 'target'> => ({
  composition: Composition.parse({
    machine: 'sublimation',
    productId: 'p',
    elements: [{ kind: 'artwork', id: FIRST_ARTWORK, designId: 'd', aspect: 1, size: 100 }],
  }),
  product: {
    picture: { bytes: Buffer.from(wall), mediaType: 'image/svg+xml' },
    pictureAspect: 1,
    printArea: { x: 0.2, y: 0.2, width: 0.6, height: 0.6 },
    printWidthInches: 60 / 25.4,
    printHeightInches: 60 / 25.4,
    finish: { material: 'ceramic', markColor: '#2B2A29' },
    ...(surface && { surface }),
  },
  artworks: [{ id: FIRST_ARTWORK, picture: artwork }],
});

async function drawMockup(input: Omit<DrawInput, 'target'>, turnDeg?: number) {
  const drawing = await draw({ ...input, target: { kind: 'mockup', turnDeg }, sidePx: PX });
  if (!('png' in drawing)) throw new Error('A mockup is a PNG.');
  return Buffer.from(drawing.png);
}

/** Returns the place of the left and the right edge of the red in the middle row, mm from the middle of the picture. */
async function measureEdges(png: Buffer) {
  const { data } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const row = Array.from({ length: PX }, (_, x) => data.subarray(3 * ((PX / 2) * PX + x), 3 * ((PX / 2) * PX + x) + 3));
  const reds = row.flatMap(([r, g], x) => (r! - g! > 60 ? [x] : []));
  const toMm = (px: number) => (px / PX - 0.5) * 100;
  return { left: toMm(reds[0]!), right: toMm(reds.at(-1)! + 1), row };
}

const cup = { kind: 'cylinder', diameterMm: 70 } as const;
const outlines = { svg: square };
const photo = { png: red };

test('a product without a surface, and a flat one, look the same to the byte', async () => {
  const [absent, flat] = [
    await drawMockup(inputOf(undefined, outlines)),
    await drawMockup(inputOf({ kind: 'flat' }, outlines)),
  ];
  expect(flat.equals(absent)).toBe(true);
});

test.each([
  ['outlines', outlines],
  ['a photograph', photo],
] as const)('%s are as wide as a cylinder shows them, and in its light', async (_, artwork) => {
  const { left, right, row } = await measureEdges(await drawMockup(inputOf(cup, artwork)));
  const expected = 35 * Math.sin(30 / 35);
  expect(Math.abs(left + expected)).toBeLessThan(0.5);
  expect(Math.abs(right - expected)).toBeLessThan(0.5);
  const [light, shade] = [row[PX / 2]!, row[Math.round(0.7 * PX)]!];
  expect([light[0]! > 200, light[0]! - shade[0]! > 60]).toEqual([true, true]);

  const flat = await measureEdges(await drawMockup(inputOf(undefined, artwork)));
  expect(Math.abs(flat.right - 30)).toBeLessThan(0.5);
});

test('a turned cup shows what has come to its front', async () => {
  const { left, right } = await measureEdges(await drawMockup(inputOf(cup, photo), 40));
  const turn = (40 * Math.PI) / 180;
  expect(Math.abs(left - 35 * Math.sin(turn - 30 / 35))).toBeLessThan(0.5);
  expect(Math.abs(right - 35)).toBeLessThan(0.6);
});

test('files of a round blank are those of a flat one, to the byte', async () => {
  for (const kind of ['production', 'customSvg', 'standardSvg'] as const) {
    const [round, flat] = await Promise.all(
      [cup, undefined].map((surface) => draw({ ...inputOf(surface, outlines), target: { kind } })),
    );
    expect(round).toEqual(flat);
    expect(round).toHaveProperty('svg');
  }
});
