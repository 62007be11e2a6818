import { SAVED_PICTURE_PATH, shop, widget } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { sendFile } from '../platform/fileRoutes.ts';
import { mount } from '../platform/mount.ts';
import { getShop } from '../shops/offers.ts';
import { openPreview, openSavedDesign, readSavedDesign, saveDesign } from './savedDesigns.ts';
import { addStart, removeStart } from './starts.ts';

export function savedDesignRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, widget.save, async ({ actor, body: { shop: key, ...order }, signal }) =>
    saveDesign(context, actor, { ...order, shop: await getShop(context, key) }, signal),
  );
  mount(app, context, widget.get, ({ params }) => readSavedDesign(context, params.id));
  mount(app, context, widget.open, ({ actor, params }) => openSavedDesign(context, actor, params.id));
  mount(app, context, shop.addStart, ({ actor, body, signal }) => addStart(context, actor, body.entryId, signal));
  mount(app, context, shop.removeStart, ({ actor, params }) => removeStart(context, actor, params.id));

  // Any page may show the picture, a cart above all: its address is a capability.
  app.get<{ Params: { id: string } }>(SAVED_PICTURE_PATH, async ({ params }, reply) => {
    const file = await openPreview(context, params.id);
    return sendFile(reply.header('cross-origin-resource-policy', 'cross-origin'), file, 'public, max-age=86400');
  });
}
