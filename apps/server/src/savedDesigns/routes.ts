import { SAVED_PICTURE_PATH, widget } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../openContext.ts';
import { sendFile } from '../platform/fileRoutes.ts';
import { writeGuestToken } from '../platform/guestCookie.ts';
import { newId } from '../platform/ids.ts';
import { mount } from '../platform/mount.ts';
import { getShop, listOffers, toWidgetShop } from '../shops/offers.ts';
import { openPreview, openSavedDesign, readSavedDesign, saveDesign } from './savedDesigns.ts';

export function widgetRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, widget.start, async ({ body }) => {
    const shop = await getShop(deps, body.shop);
    return { guestToken: writeGuestToken(app, newId()), shop: shop ? toWidgetShop(shop) : null };
  });
  mount(app, deps, widget.products, async ({ query }) => listOffers(deps, await getShop(deps, query.shop)));
  mount(app, deps, widget.save, async ({ actor, body: { shop, ...order }, signal }) =>
    saveDesign(deps, actor, { ...order, shop: await getShop(deps, shop) }, signal),
  );
  mount(app, deps, widget.get, ({ params }) => readSavedDesign(deps, params.id));
  mount(app, deps, widget.open, ({ actor, params }) => openSavedDesign(deps, actor, params.id));

  // For any page to show, a cart above all: whoever has the address was given it.
  app.get<{ Params: { id: string } }>(SAVED_PICTURE_PATH, async ({ params }, reply) => {
    const file = await openPreview(deps, params.id);
    return sendFile(reply.header('cross-origin-resource-policy', 'cross-origin'), file, 'public, max-age=86400');
  });
}
