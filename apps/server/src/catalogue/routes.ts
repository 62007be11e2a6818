import { BRUSHED_PICTURE, catalogue, PLACEHOLDER_PATH } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import { brushedNickel } from '../media/brushedNickel.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { isKey, sendFile } from '../platform/fileRoutes.ts';
import { loadOnce } from '../platform/loadOnce.ts';
import { mount } from '../platform/mount.ts';
import { SharedReply } from '../platform/replies.ts';
import { bulkUpload } from './bulkUpload.ts';
import {
  addCategory,
  addProduct,
  deleteAllProducts,
  deleteCategory,
  deleteProduct,
  editProduct,
  renameCategory,
} from './changes.ts';
import { listAdminProducts, listCategories, readCategoriesReply, readProductsReply } from './products.ts';

export function catalogueRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, catalogue.products, ({ query }) => readProductsReply(context, query));
  mount(app, context, catalogue.baseCategories, () => readCategoriesReply(context));
  const brushedPicture = loadOnce(async () => {
    const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' };
    return new SharedReply(Buffer.from(await brushedNickel()), headers, false);
  });
  app.get(BRUSHED_PICTURE, async (request, reply) => (await brushedPicture()).send(request, reply));

  mount(app, context, catalogue.adminCategories, async () => [...(await listCategories(context))]);
  mount(app, context, catalogue.addCategory, ({ actor, body }) => addCategory(context, actor, body));
  mount(app, context, catalogue.renameCategory, ({ actor, params, body }) =>
    renameCategory(context, actor, params.id, body),
  );
  mount(app, context, catalogue.deleteCategory, ({ actor, params, query }) =>
    deleteCategory(context, actor, params.id, { withProducts: query.withProducts === 'true' }),
  );
  mount(app, context, catalogue.adminProducts, ({ query }) => listAdminProducts(context, query));
  mount(app, context, catalogue.addProduct, ({ actor, body, file, key, signal }) =>
    addProduct(context, actor, body, file, { key, signal }),
  );
  mount(app, context, catalogue.editProduct, ({ actor, params, body, file, signal }) =>
    editProduct(context, actor, params.id, body, file, signal),
  );
  mount(app, context, catalogue.deleteAllProducts, ({ actor }) => deleteAllProducts(context, actor));
  mount(app, context, catalogue.deleteProduct, ({ actor, params }) => deleteProduct(context, actor, params.id));
  mount(app, context, catalogue.bulkUpload, ({ actor, files, body, signal, reply }) =>
    bulkUpload(context, { actor, files, paths: body.paths, elapsedMs: reply.elapsedTime, signal }),
  );

  // A folder's name is random and its files never change: a replaced picture has another folder.
  app.get<{ Params: { folder: string; name: string } }>('/products/:folder/:name', async ({ params }, reply) => {
    const key = `products/${params.folder}/${params.name}`;
    const file = isKey(key) ? await context.files.open(key) : undefined;
    if (!file) throw new AppError('notFound', 'This picture is not there any more.');
    return sendFile(reply, file, 'public, max-age=31536000, immutable');
  });

  app.get<{ Params: { width: string; height: string } }>(PLACEHOLDER_PATH, async ({ params }, reply) => {
    const [width, height] = [params.width, params.height].map((side) => (/^\d{1,4}$/.test(side) ? Number(side) : 0));
    if (!width || !height || width > MAX_PLACEHOLDER_PX || height > MAX_PLACEHOLDER_PX) {
      throw new AppError('invalid', `A placeholder is from 1 to ${MAX_PLACEHOLDER_PX} pixels wide and high.`);
    }
    return reply
      .headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=31536000, immutable' })
      .send(drawPlaceholder(width, height));
  });
}

const MAX_PLACEHOLDER_PX = 2_000;

/** Draws a mug's outline in grays that suit light and dark pages. */
function drawPlaceholder(width: number, height: number): string {
  const side = Math.min(width, height);
  const place = `translate(${(width - side) / 2} ${(height - side) / 2}) scale(${side / 48})`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="#8a8f98" fill-opacity=".16"/>`,
    `<g transform="${place}" fill="none" stroke="#8a8f98" stroke-width="1.5" stroke-linejoin="round">`,
    '<path d="M14 15h17v15a4 4 0 0 1-4 4h-9a4 4 0 0 1-4-4Z"/><path d="M31 19h2.5a3.5 3.5 0 0 1 3.5 3.5v1a3.5 3.5 0 0 1-3.5 3.5H31"/>',
    '</g></svg>',
  ].join('');
}
