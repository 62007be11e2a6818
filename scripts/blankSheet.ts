/**
 * npx tsx scripts/blankSheet.ts [id…]: draws the base products, all of them or those named, in each of their colors,
 * as the catalogue shows them and with a logo, a name and a photograph on them, by the renderer of mockups, for each
 * machine that they suit. The sheets are `docs/screenshots/blanks/<machine>.webp`, in the order of the catalogue, for a
 * look at all of them after a change of the drawings or of the marks.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VECTORIZE_DEFAULTS, withVariant } from '@markwright/contract';
import { toVectorizerOptions } from '@markwright/contract/tracing';
import { engravingMaterial } from '@markwright/engraving';
import { Composition, FIRST_ARTWORK } from '@markwright/scene';
import { vectorize, writeSvg } from '@markwright/vectorizer';
import sharp from 'sharp';
import { type SeedProduct, seedProducts } from '../apps/server/src/catalogue/seed/products.ts';
import { drawingOf } from '../apps/server/src/catalogue/variants.ts';
import { draw } from '../apps/server/src/media/draw.ts';
import { rasterize } from '../apps/server/src/media/rasterize.ts';
import { traceBadge } from '../apps/web/src/pages/landing/pictures/traceBadge.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}docs/screenshots/blanks`;
const CELL_PX = 150;
/** Four cells for a blank; two blanks in a row. */
const ROW_BLANKS = 2;
const PAPER = '#f4f2ee';

const badge = await sharp(`${root}apps/web/src/pages/landing/pictures/customer.jpg`)
  .ensureAlpha()
  .raw()
  .toBuffer({ resolveWithObject: true });
const bitmap = { width: badge.info.width, height: badge.info.height, data: badge.data };
const logo = traceBadge(bitmap);
/** As the studio traces for a laser at first: one color, the mark of the material. */
const blackLogo = { ...VECTORIZE_DEFAULTS, machineType: 'laser', colorMode: 'black', cutout: true } as const;
const laserSvg = writeSvg(vectorize(bitmap, toVectorizerOptions(blackLogo)));
const portrait = await sharp(`${root}apps/web/src/samples/portrait.jpg`).resize(480).png().toBuffer();
const photo = await sharp(portrait).metadata();

/** A product in one of its colors, with the name of its drawing. */
type Blank = SeedProduct & { readonly drawing: string };

const toBlanks = (seed: SeedProduct): Blank[] => [
  { ...seed, drawing: seed.productId },
  ...(seed.variants?.colors ?? []).flatMap((color) => {
    const drawing = color.picture && drawingOf(color.picture);
    return drawing ? [{ ...seed, ...withVariant({ ...seed, pictureAspect: 1 }, { color }), drawing }] : [];
  }),
];

type Mark = 'logo' | 'name' | 'photograph';

/** Returns a mockup with one mark in the middle of the print area. */
async function drawMark(blank: Blank, machine: SeedProduct['machines'][number], mark: Mark): Promise<Buffer> {
  const [printWidthInches = 1, printHeightInches = 1] = blank.dimensions.split('x').map(Number);
  const { material, markColor, printArea, productId, surface, drawing: picture } = blank;
  const engraving = {
    method: 'jarvis',
    intervalMm: engravingMaterial(material).intervalMm,
    tone: { brightness: 0, contrast: 10, gamma: 1, localContrast: 30, sharpen: 20 },
    invert: 'auto',
  };
  const isBurnt = machine === 'laser' && mark === 'photograph';
  const artwork = {
    kind: 'artwork',
    id: FIRST_ARTWORK,
    designId: 'sheet',
    aspect: mark === 'logo' ? logo.picture.width / logo.picture.height : photo.width / photo.height,
    size: 90,
    ...(isBurnt ? { engraving } : {}),
  };
  const heightInches = Math.min(1, printHeightInches * 0.6, printWidthInches / 4.2);
  const text = { kind: 'text', id: 'name', text: 'Biscuit', fontFamily: 'Lobster', heightInches };
  const ink = machine === 'laser' ? {} : { color: markColor };
  const composition = Composition.parse({
    machine,
    productId,
    elements: [mark === 'name' ? { ...text, ...ink } : artwork],
  });
  const bytes = readFileSync(`${root}apps/server/src/catalogue/seed/pictures/${picture}.svg`);
  const drawing = await draw({
    composition,
    product: {
      picture: { bytes: new Uint8Array(bytes), mediaType: 'image/svg+xml' },
      pictureAspect: 1,
      ...{ printArea, printWidthInches, printHeightInches, finish: { material, markColor }, surface },
    },
    artworks:
      mark === 'name'
        ? []
        : mark === 'logo'
          ? [{ id: FIRST_ARTWORK, picture: { svg: machine === 'laser' ? laserSvg : logo.colorSvg } }]
          : [
              {
                id: FIRST_ARTWORK,
                picture: { png: portrait },
                ...(isBurnt ? { engraved: { changes: undefined } } : {}),
              },
            ],
    target: { kind: 'mockup', watermark: false },
    sidePx: 2 * CELL_PX,
  });
  if (!('png' in drawing)) throw new Error('A mockup is a PNG.');
  return sharp(drawing.png).resize(CELL_PX, CELL_PX).png().toBuffer();
}

async function drawBare(drawing: string): Promise<Buffer> {
  const svg = readFileSync(`${root}apps/server/src/catalogue/seed/pictures/${drawing}.svg`, 'utf8');
  const { png } = await rasterize({ svg, widthPx: 2 * CELL_PX, background: PAPER });
  return sharp(png).resize(CELL_PX, CELL_PX).png().toBuffer();
}

const ids = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const machine of ['laser', 'uv', 'sublimation', 'dtf'] as const) {
  const blanks = seedProducts
    .filter(({ productId, machines }) => machines.includes(machine) && (ids.length === 0 || ids.includes(productId)))
    .flatMap(toBlanks);
  if (blanks.length === 0) continue;
  const cells: { input: Buffer; left: number; top: number }[] = [];
  for (const [i, blank] of blanks.entries()) {
    const [left, top] = [(i % ROW_BLANKS) * 4 * CELL_PX, Math.floor(i / ROW_BLANKS) * CELL_PX];
    const pictures = [
      await drawBare(blank.drawing),
      await drawMark(blank, machine, 'logo'),
      await drawMark(blank, machine, 'name'),
      await drawMark(blank, machine, 'photograph'),
    ];
    for (const [k, input] of pictures.entries()) cells.push({ input, left: left + k * CELL_PX, top });
  }
  const sheet = {
    width: ROW_BLANKS * 4 * CELL_PX,
    height: Math.ceil(blanks.length / ROW_BLANKS) * CELL_PX,
    channels: 3,
    background: PAPER,
  } as const;
  const name = ids.length === 0 ? `${folder}/${machine}.webp` : `${folder}/part-${machine}.webp`;
  await sharp({ create: sheet }).composite(cells).webp({ quality: 54, effort: 6 }).toFile(name);
}
