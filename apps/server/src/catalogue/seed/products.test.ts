import { readdirSync, readFileSync } from 'node:fs';
import { parseDimensions, Variants } from '@markwright/contract';
import { fittingSidePx, limitDrawing, readSvg } from '@markwright/scene';
import { radiusAt, wallOf } from '@markwright/scene/surface';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../../test/campaign.ts';
import { rasterize } from '../../media/rasterize.ts';
import { requireFit } from '../shapes.ts';
import { drawingOf } from '../variants.ts';
import { seedCategories, seedProducts } from './products.ts';

const pictures = new URL('./pictures/', import.meta.url);
const readPicture = (productId: string) => readFileSync(new URL(`${productId}.svg`, pictures), 'utf8');

const allowedTags = new Set([
  'svg',
  'defs',
  'g',
  'path',
  'rect',
  'circle',
  'ellipse',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
  'pattern',
  'filter',
  'feGaussianBlur',
]);
const allowedAttributes = new Set([
  ...['xmlns', 'width', 'height', 'viewBox', 'id', 'd', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry'],
  ...['transform', 'fill', 'fill-opacity', 'fill-rule', 'clip-rule', 'clip-path', 'filter', 'offset', 'stop-color'],
  ...['stop-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-linecap', 'stroke-linejoin'],
  ...[
    'stroke-dasharray',
    'gradientUnits',
    'patternUnits',
    'patternTransform',
    'filterUnits',
    'stdDeviation',
    'color-interpolation-filters',
  ],
]);

/** A list shows the drawing itself, and clothes have many folds. It is about a third of this when it is compressed. */
const MAX_PICTURE_BYTES = 56_000;

/** The pictures of products, and those that their colors have of their own, each with its product. */
const pictureSeeds = seedProducts.flatMap((product) => [
  [product.productId, product] as const,
  ...(product.variants?.colors ?? []).flatMap(({ picture }) =>
    picture ? [[drawingOf(picture) ?? picture, product] as const] : [],
  ),
]);

const firstIds =
  'tumbler-20oz-stainless tumbler-20oz-black tumbler-30oz-handle-sage mug-11oz-white mug-12oz-camp-navy bottle-17oz-terracotta bottle-32oz-wide-mouth-ivory coaster-slate-square coaster-leather-round cutting-board-walnut serving-board-maple pie-topper-maple-9in rescue-knife-aluminium-black rescue-knife-walnut keychain-brass-round keychain-brass-bar wallet-leather-bifold wallet-aluminium-card journal-leather-a5 phone-case-walnut tshirt-cotton-white tshirt-cotton-black tote-cotton-natural sign-acrylic-walnut-base sign-aluminium-plaque dog-tag-stainless pet-tag-bone-aluminium ornament-ceramic-round'.split(
    ' ',
  );

interface Tag {
  name: string;
  closing: boolean;
  empty: boolean;
  attributes: [string, string][];
}

/** Reads every tag of a picture. Throws for anything but white space between tags, and for a malformed attribute. */
function readTags(svg: string): Tag[] {
  const tags: Tag[] = [];
  const rest = svg.replace(/<(\/?)([A-Za-z]+)((?:\s+[\w:-]+="[^"<>]*")*)\s*(\/?)>/g, (_, slash, name, list, end) => {
    const attributes = [...String(list).matchAll(/([\w:-]+)="([^"]*)"/g)].map((m): [string, string] => [
      m[1] ?? '',
      m[2] ?? '',
    ]);
    tags.push({ name, closing: slash === '/', empty: end === '/', attributes });
    return '';
  });
  if (rest.trim() !== '') throw new Error(`Not plain markup: ${rest.trim().slice(0, 80)}`);
  return tags;
}

describe('seed categories', () => {
  it('are at least nine, named once each, and none is empty', () => {
    const names = seedCategories.map((category) => category.name);
    expect(names.length).toBeGreaterThanOrEqual(9);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names)
      expect(seedProducts.filter((product) => product.category === name).length, name).not.toBe(0);
  });

  it.each(['Cutting Boards/ Serving Trays', 'Foldable Rescue Knives', 'Pie Pan Toppers', 'Keychains - Brass'])(
    'hold %s by its exact name',
    (name) => {
      expect(seedCategories.map((category) => category.name)).toContain(name);
    },
  );
});

describe('seed products', () => {
  it('are at least sixty, with unique names and unique slugs', () => {
    expect(seedProducts.length).toBeGreaterThanOrEqual(60);
    expect(new Set(seedProducts.map((product) => product.productId)).size).toBe(seedProducts.length);
    expect(new Set(seedProducts.map((product) => product.name)).size).toBe(seedProducts.length);
    for (const { productId } of seedProducts) expect(productId).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('have one picture each, as colors may, and no picture is left over', () => {
    const expected = pictureSeeds.map(([name]) => `${name}.svg`).sort();
    expect(readdirSync(pictures).sort()).toEqual(expected);
  });

  it.each([
    ['laser', 25],
    ['uv', 20],
    ['sublimation', 15],
    ['dtf', 8],
  ] as const)('serve the %s with at least %i blanks', (machine, least) => {
    expect(seedProducts.filter(({ machines }) => machines.includes(machine)).length).toBeGreaterThanOrEqual(least);
  });

  it('are in the order of their categories', () => {
    const ranks = new Map(seedCategories.map(({ name }, rank) => [name, rank]));
    const places = seedProducts.map(({ category }) => ranks.get(category) ?? -1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('have all that the first catalogue had, because stored designs name them', () => {
    const ids = new Set(
      seedProducts.flatMap(({ productId, variants }) => [
        productId,
        ...(variants?.colors ?? []).map(({ formerId }) => formerId),
      ]),
    );
    expect(firstIds.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('cover the materials a workshop stocks', () => {
    const stockedMaterials = new Set(seedProducts.map((product) => product.material));
    for (const material of [
      'stainless',
      'powder-coat',
      'brass',
      'walnut',
      'slate',
      'leather',
      'ceramic',
      'acrylic',
      'cotton',
    ])
      expect(stockedMaterials).toContain(material);
  });

  it.each(seedProducts.map((product) => [product.productId, product] as const))(
    '%s is complete and to scale',
    (_, product) => {
      expect(seedCategories.map((category) => category.name)).toContain(product.category);
      expect(product.machines.length).toBeGreaterThan(0);
      expect(new Set(product.machines).size).toBe(product.machines.length);
      // A size that nobody measured says so; another one names its standard.
      expect(product.sizeSource).toMatch(/^(?:typical of the trade|ISO[^,]+|SAE [^,]+), \S/);
      expect(product.markColor).toMatch(/^#[0-9A-F]{6}$/);

      const { x, y, width, height } = product.printArea;
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(Math.min(width, height)).toBeGreaterThan(0);
      expect(x + width).toBeLessThanOrEqual(1);
      expect(y + height).toBeLessThanOrEqual(1);

      const inches = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/.exec(product.dimensions);
      expect(inches, product.dimensions).not.toBeNull();
      // The picture is square, so fractions compare like lengths.
      const aspect = Number(inches?.[1]) / Number(inches?.[2]);
      expect(Math.abs(width / height / aspect - 1)).toBeLessThan(0.005);
    },
  );
});

describe('seed variants', () => {
  const variedSeeds = seedProducts.flatMap(({ variants, ...product }) => (variants ? [{ ...product, variants }] : []));

  it('are as the contract has them, and each earlier product is a color of one product', () => {
    for (const { variants, productId } of variedSeeds) {
      expect(Variants.parse(variants), productId).toEqual(variants);
      expect(variants.colors.filter(({ formerId }) => formerId === productId).length, productId).toBe(1);
    }
    const formerIds = variedSeeds.flatMap(({ variants }) => variants.colors.flatMap(({ formerId }) => formerId ?? []));
    expect(new Set(formerIds).size).toBe(formerIds.length);
    const ids = new Set(seedProducts.map(({ productId }) => productId));
    expect(formerIds.filter((id) => ids.has(id)).sort()).toEqual(variedSeeds.map(({ productId }) => productId).sort());
  });

  it('of another size keep the shape of the print area that their picture shows', () => {
    for (const { variants, dimensions, productId } of variedSeeds) {
      const aspectOf = (size: string) => parseDimensions(size).widthInches / parseDimensions(size).heightInches;
      for (const size of variants.sizes) {
        expect(aspectOf(size.dimensions ?? dimensions), `${productId} ${size.name}`).toBeCloseTo(aspectOf(dimensions));
      }
    }
  });
});

describe('seed pictures', () => {
  it.each(pictureSeeds.map(([name]) => name))('%s is plain, safe and self-contained', (productId) => {
    const svg = readPicture(productId);
    expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(MAX_PICTURE_BYTES);

    const tags = readTags(svg);
    const ids = new Set<string>();
    const usedIds: string[] = [];
    const open: string[] = [];
    for (const tag of tags) {
      expect(allowedTags, `<${tag.name}>`).toContain(tag.name);
      if (tag.closing) expect(open.pop()).toBe(tag.name);
      else if (!tag.empty) open.push(tag.name);
      for (const [name, value] of tag.attributes) {
        expect(allowedAttributes, `${tag.name} ${name}`).toContain(name);
        expect(value, `${tag.name} ${name}`).not.toMatch(/NaN|undefined|Infinity|javascript:|data:/);
        if (name === 'id') {
          expect(ids, value).not.toContain(value);
          expect(value.startsWith(`${productId}-`), value).toBe(true);
          ids.add(value);
        }
        if (value.includes('url(')) {
          const id = /^url\(#([\w-]+)\)$/.exec(value)?.[1];
          expect(id, `${name}="${value}"`).toBeDefined();
          usedIds.push(id ?? '');
        }
      }
    }
    expect(open).toEqual([]);
    expect([...new Set(usedIds)].filter((id) => !ids.has(id))).toEqual([]);
    expect([...ids].filter((id) => !usedIds.includes(id))).toEqual([]);

    const root = Object.fromEntries(tags[0]?.attributes ?? []);
    expect(root).toEqual({
      xmlns: 'http://www.w3.org/2000/svg',
      width: '1200',
      height: '1200',
      viewBox: '0 0 1200 1200',
    });
  });

  it.each(sampleOf(pictureSeeds, 5).map(([name]) => name))('%s is quick to draw', (productId) => {
    const drawing = limitDrawing(readSvg(readPicture(productId)));
    expect(drawing.droppedTags).toEqual([]);
    // The side that fits the budget of an upload: at 536 px a drawing took 2.8 s at the size of a mockup.
    expect(fittingSidePx(drawing)).toBeGreaterThanOrEqual(800);
  });

  it.each(sampleOf(pictureSeeds, 5))(
    '%s has a clear background, and its print area lies on the thing',
    async (productId, { printArea }) => {
      const side = 400;
      const { png } = await rasterize({ svg: readPicture(productId), widthPx: side });
      const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height, info.channels]).toEqual([side, side, 4]);
      const alphaAt = (x: number, y: number) => data[(y * side + x) * 4 + 3]!;
      const edge = Array.from({ length: side }, (_, i) => [
        alphaAt(i, 0),
        alphaAt(i, side - 1),
        alphaAt(0, i),
        alphaAt(side - 1, i),
      ]);
      expect(Math.max(...edge.flat())).toBeLessThanOrEqual(8);
      let least = 255;
      const [left, top] = [Math.ceil(printArea.x * side), Math.ceil(printArea.y * side)];
      for (let y = top; y < Math.floor((printArea.y + printArea.height) * side); y++) {
        for (let x = left; x < Math.floor((printArea.x + printArea.width) * side); x++) {
          least = Math.min(least, alphaAt(x, y));
        }
      }
      // Clear glass and acrylic cover two thirds of what is behind them; a shadow covers less than half.
      expect(least).toBeGreaterThan(150);
    },
  );
});

describe('surfaces of round blanks', () => {
  const round = seedProducts.flatMap((product) => (product.surface ? [{ ...product, surface: product.surface }] : []));
  const roundPictures = pictureSeeds.flatMap(([name, { surface, ...rest }]) =>
    surface ? [[name, { ...rest, surface }] as const] : [],
  );

  it('are those of all cups, bottles and glasses, and of the pen', () => {
    const categories = new Set(['Tumblers', 'Mugs', 'Water Bottles', 'Glassware']);
    const others = ['can-cooler-12oz-white', 'pen-aluminum-black'];
    const expected = seedProducts.filter(
      ({ category, productId }) => categories.has(category) || others.includes(productId),
    );
    expect(round.map(({ productId }) => productId)).toEqual(expected.map(({ productId }) => productId));
  });

  it.each(sampleOf(roundPictures, 5))(
    '%s is as wide in its picture as its surface says, and its print area fits round it',
    async (productId, { surface, printArea, dimensions }) => {
      requireFit({ surface, dimensions });
      const wall = wallOf(surface)!;
      const pxPerMm = (printArea.width * PICTURE_PX) / (Number(dimensions.split('x')[0]) * 25.4);
      const { axis, axisMm = 0 } = surface.kind === 'flat' ? {} : surface;
      const place = { isLevel: axis === 'level', asidePx: axisMm * pxPerMm };
      const halves = await measureHalves(productId, printArea, place);
      const errors = halves.map(({ part, px }) => {
        const alongMm = ((part - 0.5) * printArea.height * PICTURE_PX) / pxPerMm;
        return px / pxPerMm / radiusAt(wall, alongMm / wall.drop) - 1;
      });
      // A barrel is laid on as a cylinder of its mean diameter: narrower in the middle, wider at the ends.
      const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
      // An edge is a pixel wide, which is much of a pen.
      const edge = 1 / (wall.radiusMm * pxPerMm);
      expect(Math.abs(mean)).toBeLessThan(0.008 + edge);
      const limit = (isBarrel(productId) ? 0.06 : 0.016) + edge;
      expect(errors.filter((error) => Math.abs(error) > limit)).toEqual([]);
    },
  );
});

const PICTURE_PX = 1200;
const isBarrel = (productId: string) => /wine|flute/.test(productId);

/**
 * Returns half of the width of a blank in its picture, in px, at nine places along its print area: from its axis to the
 * nearer side, because a handle stands at the other one.
 */
async function measureHalves(
  productId: string,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  { isLevel, asidePx }: { isLevel: boolean; asidePx: number },
) {
  const { png } = await rasterize({ svg: readPicture(productId), widthPx: PICTURE_PX });
  const { data } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  const [along, alongLength, axis] = isLevel ? [x, width, y + height / 2] : [y, height, x + width / 2];
  const axisPx = axis * PICTURE_PX + asidePx;
  return Array.from({ length: 9 }, (_, i) => {
    const part = 0.1 + 0.1 * i;
    const row = Math.round((along + part * alongLength) * PICTURE_PX);
    const isSolid = (at: number) => data[4 * (isLevel ? at * PICTURE_PX + row : row * PICTURE_PX + at) + 3]! > 140;
    const reach = (step: 1 | -1) => {
      let at = Math.round(axisPx);
      while (isSolid(at + step)) at += step;
      return Math.abs(at + (step + 1) / 2 - axisPx);
    };
    return { part, px: Math.min(reach(1), reach(-1)) };
  });
}
