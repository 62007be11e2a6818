/**
 * npx tsx scripts/engravingPictures.ts: draws the sample portrait on blanks of six materials, as dots and as lines.
 * Each has a part at three times the size beside it, in docs/screenshots/engravings.webp. They are mockups as a maker
 * exports them, for a look at the tones, the negative and the dots of each material after a change of them.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { engravingMaterial } from '@markwright/engraving';
import { type Engraving, emptyComposition, newArtwork } from '@markwright/scene';
import sharp from 'sharp';
import { seedProducts } from '../apps/server/src/catalogue/seed/products.ts';
import { draw } from '../apps/server/src/media/draw.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const BLANKS = [
  'coaster-slate-square',
  'cutting-board-walnut',
  'tumbler-20oz-stainless',
  'journal-leather-a5',
  'sign-acrylic-walnut-base',
  'wallet-aluminium-card',
];
const METHODS = ['jarvis', 'halftone_lines'] as const;
const CELL = 360;
/** A pixel of the detail is a third of one of the mockup. */
const DETAIL = CELL / 3;

const portrait = await sharp(`${root}apps/web/src/samples/portrait.jpg`).png().toBuffer();
const { width, height } = await sharp(portrait).metadata();

/** Returns the mockup's print area, and its middle enlarged. */
async function drawOn(productId: string, method: Engraving['method']): Promise<[Buffer, Buffer]> {
  const product = seedProducts.find((each) => each.productId === productId);
  if (!product) throw new Error(`There is no blank ${productId}.`);
  const { material, markColor, printArea, dimensions } = product;
  const [printWidthInches = 1, printHeightInches = 1] = dimensions.split('x').map(Number);
  const svg = readFileSync(`${root}apps/server/src/catalogue/seed/pictures/${product.productId}.svg`);
  const picture = await sharp(svg).metadata();
  const tone = { brightness: 0, contrast: 10, gamma: 1, localContrast: 30, sharpen: 20 };
  const engraving: Engraving = { method, intervalMm: engravingMaterial(material).intervalMm, tone, invert: 'auto' };
  const artwork = { ...newArtwork('d'), id: 'a', aspect: width / height, size: 95, engraving };
  const drawing = await draw({
    composition: { ...emptyComposition, elements: [artwork] },
    product: {
      picture: { bytes: new Uint8Array(svg), mediaType: 'image/svg+xml' },
      pictureAspect: picture.width / picture.height,
      ...{ printArea, printWidthInches, printHeightInches, finish: { material, markColor } },
    },
    artworks: [{ id: 'a', picture: { png: portrait }, engraved: { changes: undefined } }],
    target: { kind: 'mockup', watermark: false },
  });
  if (!('png' in drawing)) throw new Error('A mockup is a PNG.');
  const mockup = await sharp(drawing.png).metadata();
  const middle = {
    x: mockup.width * (printArea.x + printArea.width / 2),
    y: mockup.height * (printArea.y + printArea.height / 2),
  };
  const cut = async (side: number) =>
    sharp(drawing.png)
      .extract({
        left: Math.max(0, Math.min(mockup.width - side, Math.round(middle.x - side / 2))),
        top: Math.max(0, Math.min(mockup.height - side, Math.round(middle.y - side / 2))),
        width: side,
        height: side,
      })
      .resize(CELL, CELL)
      .toBuffer();
  const side = Math.max(mockup.width * printArea.width, mockup.height * printArea.height) * 1.15;
  return [await cut(Math.min(mockup.width, mockup.height, Math.round(side))), await cut(DETAIL)];
}

const cells: { input: Buffer; left: number; top: number }[] = [];
for (const [row, productId] of BLANKS.entries()) {
  for (const [pair, method] of METHODS.entries()) {
    const pictures = await drawOn(productId, method);
    for (const [i, input] of pictures.entries()) cells.push({ input, left: (2 * pair + i) * CELL, top: row * CELL });
  }
}
const sheet = {
  width: 2 * METHODS.length * CELL,
  height: BLANKS.length * CELL,
  channels: 3,
  background: '#ffffff',
} as const;
await sharp({ create: sheet }).composite(cells).webp({ quality: 72 }).toFile(`${root}docs/screenshots/engravings.webp`);
