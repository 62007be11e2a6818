import { createHash } from 'node:crypto';
import { BRUSHED_PICTURE, catalogue } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { brushedNickel } from '../media/brushedNickel.ts';
import { mount } from '../platform/mount.ts';
import { listCategories, listProducts } from './products.ts';

/** The catalogue is the same for everybody: shared caches may keep it for a moment and ask whether it changed. */
export function catalogueRoutes(app: FastifyInstance, deps: Deps): void {
  app.register(async (scope) => {
    scope.addHook('onSend', async (request, reply, payload) => {
      if (reply.statusCode !== 200) return payload;
      const etag = `"${createHash('sha256')
        .update(payload as string | Buffer)
        .digest('base64url')
        .slice(0, 22)}"`;
      const seconds = request.routeOptions.url === BRUSHED_PICTURE ? PICTURE_SECONDS : LIST_SECONDS;
      reply.headers({ etag, 'cache-control': `public, max-age=${seconds}` });
      if (request.headers['if-none-match'] !== etag) return payload;
      reply.code(304);
      return null;
    });
    mount(scope, deps, catalogue.products, () => listProducts(deps));
    mount(scope, deps, catalogue.baseCategories, () => listCategories(deps));
    scope.get(BRUSHED_PICTURE, async (_request, reply) => {
      return reply.type('image/png').send(Buffer.from(await brushedNickel()));
    });
  });
}

const LIST_SECONDS = 60;
const PICTURE_SECONDS = 24 * 60 * 60;
