import { shop } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../openContext.ts';
import { mount } from '../platform/mount.ts';
import { readShop, renewKey, renewWebhookSecret, updateShop } from './shops.ts';

export function shopRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, shop.settings, ({ actor }) => readShop(deps, actor));
  mount(app, deps, shop.update, ({ actor, body }) => updateShop(deps, actor, body));
  mount(app, deps, shop.renewKey, ({ actor }) => renewKey(deps, actor));
  mount(app, deps, shop.renewWebhookSecret, ({ actor }) => renewWebhookSecret(deps, actor));
}
