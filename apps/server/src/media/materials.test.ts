/** What a customer sees of a mark, material by material: pixels of the mockup. */
import { parseComposition } from '@markwright/scene';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { sampleOf } from '../../test/campaign.ts';
import type { DrawInput } from '../platform/ports/mediaJobs.ts';
import { BRUSHED_PX, brushedNickel } from './brushedNickel.ts';
import { draw } from './draw.ts';

/** A plain product of one color, 1000 mm of picture around a print area of 400. */
function productOf(material: string, surface: string, markColor: string): NonNullable<DrawInput['product']> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500"><rect width="500" height="500" fill="${surface}"/></svg>`;
  return {
    picture: { bytes: Buffer.from(svg), mediaType: 'image/svg+xml' },
    pictureAspect: 1,
    printArea: { x: 0.3, y: 0.3, width: 0.4, height: 0.4 },
    printWidthInches: 4,
    printHeightInches: 4,
    finish: { material, markColor },
  };
}
const square = (color: string, inset = 0) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path fill="${color}" d="M${inset} ${inset}L${100 - inset} ${inset}L${100 - inset} ${100 - inset}L${inset} ${100 - inset}Z"/></svg>`;

interface MockupInput {
  readonly product: NonNullable<DrawInput['product']>;
  readonly svg: string;
  readonly machine?: string;
  readonly size?: number;
}
const inputOf = ({ product, svg, machine = 'laser', size = 50 }: MockupInput) => ({
  composition: parseComposition({
    version: 0,
    data: { machine, productId: 'p', design: { designId: 'd', filename: 'a.svg', aspect: 1, size } },
  }),
  product,
  artworks: [{ id: 'design', picture: { svg } }],
});

type Box = readonly [number, number, number, number];

/** Draws a mockup. The result reads red, green and blue of its pixels in a box of fractions of the picture. */
async function drawMockup(rendering: MockupInput) {
  const output = await draw({ ...inputOf(rendering), target: { kind: 'mockup' } });
  if (!('png' in output)) throw new Error('A mockup is a PNG.');
  const { data, info } = await sharp(output.png).raw().toBuffer({ resolveWithObject: true });
  return async ([x, y, width, height]: Box) => {
    const [left, top, w, h] = [x, y, width, height].map((value) => Math.round(value * 2000));
    const cut = sharp(data, { raw: info }).extract({ left: left!, top: top!, width: w!, height: h! });
    const { channels } = await sharp(await cut.png().toBuffer()).stats();
    return {
      rgb: channels.slice(0, 3).map(({ mean }) => mean),
      spread: Math.max(...channels.slice(0, 3).map(({ stdev }) => stdev)),
    };
  };
}
/** The middle of the mark, well inside its edges. */
const inside = [0.44, 0.44, 0.12, 0.12] as const;

test('the brushed picture is tileable, gray and the same each time', async () => {
  const bytes = await brushedNickel();
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: BRUSHED_PX, height: BRUSHED_PX });
  const at = (x: number, y: number) => data[(y * info.width + x) * info.channels]!;
  const steps = (of: (i: number) => number) => {
    let sum = 0;
    for (let i = 0; i < BRUSHED_PX; i++) sum += Math.abs(of(i));
    return sum / BRUSHED_PX;
  };
  // Over the edge to its other side it changes no more than anywhere else; along the brush less than across it.
  const along = steps((y) => at(100, y) - at(101, y));
  const across = steps((x) => at(x, 100) - at(x, 101));
  expect(steps((y) => at(BRUSHED_PX - 1, y) - at(0, y))).toBeLessThan(2 * along + 1);
  expect(steps((x) => at(x, BRUSHED_PX - 1) - at(x, 0))).toBeLessThan(2 * across + 1);
  expect(along).toBeLessThan(across / 2);
  let least = 255;
  for (let i = 0; i < data.length; i += info.channels) least = Math.min(least, data[i]!);
  expect(least).toBeGreaterThan(90);
});

describe('a laser mark', () => {
  // The mark's middle within reach of what it is known for, and how rough it is.
  const marks = [
    ['powder-coat', '#2b2b2d', '#C0C0C0', [192, 192, 192], 4],
    ['walnut', '#7a5234', '#24130A', [42, 26, 16], 2],
    ['maple', '#dcbf92', '#5A3417', [92, 58, 32], 2],
    ['slate', '#4b5358', '#C9CDCE', [185, 190, 192], 4],
    ['leather', '#b98552', '#4A2410', [80, 46, 25], 2],
    ['brass', '#c9a24a', '#4A3510', [82, 63, 28], 2],
    ['acrylic', '#8fb0bd', '#F4FAFC', [230, 240, 244], 2],
    ['ceramic', '#f6f5f2', '#2B2A29', [53, 52, 51], 0],
    ['stainless', '#b4b8bb', '#3D3E41', [72, 73, 76], 2],
    ['aluminium', '#3a3d40', '#D2D4D6', [200, 202, 204], 2],
    ['cotton', '#222222', '#B9B1A4', [165, 158, 148], 2],
  ] as const;
  test.each(sampleOf(marks, 4))(
    'on %s has its color and its roughness',
    async (material, surface, markColor, expected, roughness) => {
      const product = productOf(material, surface, markColor);
      const look = await drawMockup({ product, svg: square('#000000') });
      const { rgb, spread } = await look(inside);
      rgb.forEach((value, k) => {
        expect(Math.abs(value - expected[k]!), `${material}: ${rgb}`).toBeLessThan(22);
      });
      expect(spread).toBeGreaterThanOrEqual(roughness);
      // Off the mark the product is as it was.
      const beside = await look([0.05, 0.05, 0.1, 0.1]);
      const plain = Number.parseInt(surface.slice(1, 3), 16);
      expect(Math.abs(beside.rgb[0]! - plain)).toBeLessThan(1);
      expect(beside.spread).toBeLessThan(1);
    },
  );

  test('of bare steel has its hairlines along the product, for any rotation of the art', {
    tags: ['detail'],
  }, async () => {
    const product = productOf('powder-coat', '#2b2b2d', '#C0C0C0');
    for (const svg of [square('#000000'), square('#C0C0C0')]) {
      const look = await drawMockup({ product, svg });
      const row = await look([0.44, 0.5, 0.12, 0.0005]);
      const column = await look([0.5, 0.44, 0.0005, 0.12]);
      expect(column.spread).toBeGreaterThan(1.5 * row.spread);
    }
  });

  test('is softer at its edge on wood: the scorch reaches beyond it', { tags: ['detail'] }, async () => {
    const product = productOf('walnut', '#7a5234', '#24130A');
    const look = await drawMockup({ product, svg: square('#000000', 20) });
    const edge = await look([0.438, 0.45, 0.001, 0.1]);
    const far = await look([0.42, 0.45, 0.001, 0.1]);
    expect(edge.rgb[0]!).toBeLessThan(far.rgb[0]! - 4);
  });
});

test('ink keeps its color, and dye shows the coating below it', async () => {
  const product = productOf('ceramic', '#ffffff', '#2B2A29');
  const ink = await (await drawMockup({ product, svg: square('#C8102E'), machine: 'uv' }))(inside);
  expect(ink.rgb.map(Math.round)).toEqual([200, 16, 46]);
  const dye = await (await drawMockup({ product, svg: square('#C8102E'), machine: 'sublimation' }))(inside);
  expect(dye.rgb[1]!).toBeGreaterThan(25);
  expect(dye.rgb[0]!).toBeGreaterThan(198);
});

test('no production file contains a material’s look', async () => {
  for (const machine of ['laser', 'uv', 'sublimation']) {
    for (const kind of ['production', 'customSvg', 'standardSvg'] as const) {
      const outputs = await Promise.all(
        [productOf('powder-coat', '#222222', '#C0C0C0'), productOf('slate', '#444444', '#ffffff')].map((product) =>
          draw({ ...inputOf({ product, svg: square('#C0C0C0'), machine }), target: { kind } }),
        ),
      );
      expect(outputs[0]).toEqual(outputs[1]);
      expect((outputs[0] as { svg: string }).svg).not.toMatch(/pattern|filter|<image|url\(/);
    }
  }
});
