import { createHash } from 'node:crypto';
import { catalogue } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { mount } from '../platform/mount.ts';
import { listCategories, listProducts } from './products.ts';

/** The catalogue is the same for everybody: shared caches may keep it for a moment and ask whether it changed. */
export function catalogueRoutes(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    scope.addHook('onSend', async (request, reply, payload) => {
      if (reply.statusCode !== 200) return payload;
      const etag = `"${createHash('sha256').update(String(payload)).digest('base64url').slice(0, 22)}"`;
      reply.headers({ etag, 'cache-control': 'public, max-age=60' });
      if (request.headers['if-none-match'] !== etag) return payload;
      reply.code(304);
      return null;
    });
    mount(scope, deps, catalogue.products, () => listProducts(deps));
    mount(scope, deps, catalogue.baseCategories, () => listCategories(deps));
  });
}
