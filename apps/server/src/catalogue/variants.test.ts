import type { AdminProduct, Product } from '@markwright/contract';
import { applyCommand, type Composition, emptyComposition, newText, saveComposition } from '@markwright/scene';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { readProductPicture, seedCatalogue } from './products.ts';
import { drawingOf, inVariant } from './variants.ts';

let server: TestApp;
let maker: Record<string, string>;
beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  await seedCatalogue(server.context);
  maker = await server.signUp();
  await server.takePlan(maker, 'studio');
});
afterAll(() => server.close());

/** A composition with a name on it, as it is saved. */
const compose = (choice: Pick<Composition, 'productId' | 'variant'>, changes: Partial<Composition> = {}) =>
  saveComposition(
    applyCommand(
      { ...emptyComposition, ...choice, ...changes },
      { type: 'addText', element: { ...newText('t'), text: 'Anna' } },
    ),
  );
const post = (url: string, payload: object) => server.app.inject({ method: 'POST', url, payload, headers: maker });
const produce = async (composition: object) => {
  const answer = await post('/api/exports/file', { composition, format: 'svg' });
  const reply = answer.json<{ url: string; message?: string }>();
  if (answer.statusCode !== 200) return { status: answer.statusCode, message: reply.message };
  const svg = (await server.app.inject({ url: reply.url })).body;
  return { status: answer.statusCode, svg, size: / width="([\d.]+)mm" height="([\d.]+)mm"/.exec(svg)?.slice(1) };
};

describe('a composition', () => {
  test('in a size has files of that size, and in any color the same', async () => {
    const plain = await produce(compose({ productId: 'tshirt-cotton-white' }));
    expect(plain.size).toEqual(['254', '304.804']);
    const small = await produce(compose({ productId: 'tshirt-cotton-white', variant: { size: 'S' } }));
    expect(small.size?.map(Number)).toEqual([expect.closeTo(203.2), expect.closeTo(243.84)]);
    for (const variant of [{ size: 'L' }, { color: 'Navy' }, { color: 'Black', size: 'L' }]) {
      expect((await produce(compose({ productId: 'tshirt-cotton-white', variant }))).svg).toBe(plain.svg);
    }
  });

  test('saved when a color was a product of its own has the same file, and its color in the name', {
    tags: ['detail'],
  }, async () => {
    const old = compose({ productId: 'tshirt-cotton-black' });
    const now = compose({ productId: 'tshirt-cotton-white', variant: { color: 'Black' } });
    const [before, after] = [await produce(old), await produce(now)];
    expect(before.status).toBe(200);
    expect(before.svg).toBe(after.svg);
    const nameOf = async (composition: object) =>
      (await post('/api/exports/mockup', { composition })).json<{ filename: string }>().filename;
    const names = [await nameOf(old), await nameOf(now)];
    expect(names).toEqual(['Cotton_T-Shirt_Black_preview.png', 'Cotton_T-Shirt_Black_preview.png']);
  });

  test.each([
    [{ color: 'Mauve' }, 'There is no color “Mauve” of “Cotton T-Shirt”. Please choose another one.'],
    [{ size: '9XL' }, 'There is no size “9XL” of “Cotton T-Shirt”. Please choose another one.'],
  ])('in %j that the product does not have is refused in a sentence', async (variant, sentence) => {
    const answer = await produce(compose({ productId: 'tshirt-cotton-white', variant }));
    expect([answer.status, 'message' in answer && answer.message]).toEqual([400, sentence]);
  });

  test('in a color is drawn on its picture, with its mark', async () => {
    const { product } = await import('../exports/renderJob.ts').then(({ readRenderJob }) =>
      readRenderJob(
        server.context,
        { kind: 'guest', id: 'g', address: '127.0.0.1' } as never,
        compose({ productId: 'tumbler-20oz-stainless', variant: { color: 'Navy' } }),
      ),
    );
    expect(product).toMatchObject({
      productId: 'tumbler-20oz-stainless',
      name: '20 oz Skinny Tumbler, Navy',
      material: 'powder-coat',
      markColor: '#C6C8CA',
    });
    expect(drawingOf(product!.pictureKey!)).toBe('tumbler-20oz-navy');
    const [navy, stainless] = [
      await readProductPicture(server.context, product!),
      await readProductPicture(server.context, { productId: 'tumbler-20oz-stainless', pictureKey: null }),
    ];
    expect(Buffer.from(navy.bytes).equals(Buffer.from(stainless.bytes))).toBe(false);
    expect(inVariant(product!, {})).toBe(product);
  });
});

describe('changes of variants', () => {
  let admin: Record<string, string>;
  let shirt: Product;
  beforeAll(async () => {
    admin = await signInAdmin(server);
    shirt = (await server.app.inject({ url: '/api/products' }))
      .json<Product[]>()
      .find(({ productId }) => productId === 'tshirt-cotton-white')!;
  });
  const edit = async (variants: Product['variants'], of = shirt) => {
    const { name, category } = of;
    const payload = new FormData();
    for (const [field, value] of Object.entries({ name, category, variants: JSON.stringify(variants) })) {
      payload.set(field, value);
    }
    return server.app.inject({ method: 'PUT', url: `/api/admin/products/${of.id}`, payload, headers: admin });
  };

  test('keep pictures and earlier ids that the product has, and its addresses are served', async () => {
    const { colors, sizes } = shirt.variants;
    const newColors = colors.map((color) => (color.name === 'Navy' ? { ...color, name: 'Midnight' } : color));
    const answer = await edit({ colors: newColors, sizes });
    expect(answer.json<AdminProduct>().variants).toEqual({ colors: newColors, sizes });
    const picture = newColors.find(({ name }) => name === 'Midnight')!.picture!;
    expect((await server.app.inject({ url: picture })).statusCode).toBe(200);
    expect((await edit(shirt.variants)).json<AdminProduct>().variants).toEqual(shirt.variants);
  });

  test.each([
    [{ picture: 'https://example.com/red.png' }, 'The picture of “Red” is not the product’s.'],
    [{ picture: '/products/mug-11oz-white.svg' }, 'The picture of “Red” is not the product’s.'],
    [{ formerId: 'mug-11oz-white' }, 'The earlier product of “Red” is not known.'],
  ])('refuse %j', async (fields, sentence) => {
    const { colors, sizes } = shirt.variants;
    const answer = await edit({ colors: [...colors, { name: 'Red', color: '#ff0000', ...fields }], sizes });
    expect([answer.statusCode, answer.json().message]).toEqual([400, sentence]);
  });

  test('refuse a size that does not fit round the product', async () => {
    const tumbler = (await server.app.inject({ url: '/api/products' }))
      .json<Product[]>()
      .find(({ productId }) => productId === 'tumbler-20oz-stainless')!;
    const answer = await edit({ colors: [], sizes: [{ name: 'Huge', dimensions: '20x5' }] }, tumbler);
    expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringMatching(/does not fit round/)]);
  });
});
