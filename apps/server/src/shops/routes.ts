import { shop, widget } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import { isPaged } from '../catalogue/pages.ts';
import type { Context } from '../platform/context.ts';
import { writeGuestToken } from '../platform/guestCookie.ts';
import { newId } from '../platform/ids.ts';
import { mount } from '../platform/mount.ts';
import { getShop, listOffers, readBaseOffersReply, toWidgetShop } from './offers.ts';
import { readShop, renewKey, renewWebhookSecret, updateShop } from './shops.ts';

export function shopRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, shop.settings, ({ actor }) => readShop(context, actor));
  mount(app, context, shop.update, ({ actor, body }) => updateShop(context, actor, body));
  mount(app, context, shop.renewKey, ({ actor }) => renewKey(context, actor));
  mount(app, context, shop.renewWebhookSecret, ({ actor }) => renewWebhookSecret(context, actor));

  mount(app, context, widget.start, async ({ body }) => {
    const visitedShop = await getShop(context, body.shop);
    return { guestToken: writeGuestToken(app, newId()), shop: visitedShop ? toWidgetShop(visitedShop) : null };
  });
  mount(app, context, widget.products, async ({ query }) => {
    const visitedShop = await getShop(context, query.shop);
    const isShared = !visitedShop && !isPaged(query);
    return isShared ? readBaseOffersReply(context) : listOffers(context, visitedShop, query);
  });
}
