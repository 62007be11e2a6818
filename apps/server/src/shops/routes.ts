import { shop } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { readShop, renewKey, renewWebhookSecret, updateShop } from './shops.ts';

export function shopRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, shop.settings, ({ actor }) => readShop(context, actor));
  mount(app, context, shop.update, ({ actor, body }) => updateShop(context, actor, body));
  mount(app, context, shop.renewKey, ({ actor }) => renewKey(context, actor));
  mount(app, context, shop.renewWebhookSecret, ({ actor }) => renewWebhookSecret(context, actor));
}
