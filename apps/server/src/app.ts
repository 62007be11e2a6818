/** Puts the server together: the areas' calls, the pages, and what an operator asks. */
import { calls } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import { accountRoutes } from './accounts/routes.ts';
import { findSession } from './accounts/sessions.ts';
import { adminRoutes } from './admin/routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { companyRoutes } from './companies/routes.ts';
import { compositionRoutes } from './compositions/routes.ts';
import { designRoutes } from './designs/routes.ts';
import { exportRoutes } from './exports/routes.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import { mailRoutes } from './mail/routes.ts';
import { isMakerShown } from './makers/makers.ts';
import { makerRoutes } from './makers/routes.ts';
import type { Deps } from './openContext.ts';
import { orderRoutes } from './orders/routes.ts';
import { fileRoutes } from './platform/fileRoutes.ts';
import { healthRoutes } from './platform/health.ts';
import { createHttp, type HttpOptions } from './platform/http.ts';
import { writeOpenApi } from './platform/openapi.ts';
import { findSiteFolders, siteRoutes } from './platform/site.ts';
import { widgetRoutes } from './savedDesigns/routes.ts';
import { shopRoutes } from './shops/routes.ts';
import { findShop } from './shops/shops.ts';

export interface AppOptions extends HttpOptions {
  /** Resolves when the database answers a query. */
  readonly checkDatabase: () => Promise<void>;
}

/** The app, ready to listen. Throws when a route below /api has no declared access. */
export async function createApp(deps: Deps, options: AppOptions): Promise<FastifyInstance> {
  const asks = {
    findUser: (token: string) => findSession(deps, token),
    findAllowedOrigins: async (shopKey: string) => (await findShop(deps, shopKey))?.allowedOrigins,
  };
  const app = await createHttp(deps, asks, options);
  healthRoutes(app, deps, options.checkDatabase);
  const openApi = writeOpenApi(calls, deps.config.supportEmail);
  app.get('/api/openapi.json', async () => openApi);
  app.get('/api/login', async (_request, reply) => reply.redirect('/auth'));

  accountRoutes(app, deps);
  billingRoutes(app, deps);
  designRoutes(app, deps);
  compositionRoutes(app, deps);
  exportRoutes(app, deps);
  catalogueRoutes(app, deps);
  companyRoutes(app, deps);
  shopRoutes(app, deps);
  orderRoutes(app, deps);
  widgetRoutes(app, deps);
  feedbackRoutes(app, deps);
  makerRoutes(app, deps);
  mailRoutes(app, deps);
  adminRoutes(app, deps);

  fileRoutes(app, deps);
  await siteRoutes(app, deps, findSiteFolders(), { makers: { isThere: (id) => isMakerShown(deps, id) } });
  await app.ready();
  return app;
}
