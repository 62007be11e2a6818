/** Assembles the app: the areas' calls, the pages, and the operator's routes. */
import { calls } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import { findApiKey } from './accounts/apiKeys.ts';
import { accountRoutes } from './accounts/routes.ts';
import { findSession } from './accounts/sessions.ts';
import { adminRoutes } from './admin/routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { companyRoutes } from './companies/routes.ts';
import { compositionRoutes } from './compositions/routes.ts';
import { adoptDesigns } from './designs/ownDesigns.ts';
import { designRoutes } from './designs/routes.ts';
import { isFontInUse } from './exports/batches.ts';
import { exportRoutes } from './exports/routes.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import { libraryRoutes } from './library/routes.ts';
import { countMails } from './mail/mail.ts';
import { mailRoutes } from './mail/routes.ts';
import { isMakerShown } from './makers/makers.ts';
import { makerRoutes } from './makers/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import type { Context } from './platform/context.ts';
import { fileRoutes } from './platform/fileRoutes.ts';
import { healthRoutes } from './platform/health.ts';
import { createHttp, type HttpOptions } from './platform/http.ts';
import { writeOpenApi } from './platform/openapi.ts';
import { findSiteFolders, siteRoutes } from './platform/site.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { savedDesignRoutes } from './savedDesigns/routes.ts';
import { shopRoutes } from './shops/routes.ts';
import { findShop } from './shops/shops.ts';
import { restorePicture } from './tracing/pictures.ts';

export interface AppOptions extends HttpOptions {
  /** Resolves when the database answers a query. */
  readonly checkDatabase: () => Promise<void>;
}

/** Creates the app, ready to listen. Throws when a route below /api has no declared access. */
export async function createApp(context: Context, options: AppOptions): Promise<FastifyInstance> {
  const lookups = {
    findUser: (token: string) => findSession(context, token),
    findKey: (key: string) => findApiKey(context, key),
    findAllowedOrigins: async (shopKey: string) => (await findShop(context, shopKey))?.allowedOrigins,
    countMails: () => countMails(context),
  };
  const app = await createHttp(context, lookups, options);
  healthRoutes(app, context, options.checkDatabase);
  // Written for the first reader: it takes 40 ms, and most processes have none.
  let openApi: ReturnType<typeof writeOpenApi> | undefined;
  app.get('/api/openapi.json', async () => {
    openApi ??= writeOpenApi(calls, context.config.supportEmail);
    return openApi;
  });
  app.get('/api/login', async (_request, reply) => reply.redirect('/auth'));

  accountRoutes(app, context, adoptDesigns);
  billingRoutes(app, context);
  designRoutes(app, context);
  compositionRoutes(app, context);
  libraryRoutes(app, context);
  exportRoutes(app, context);
  catalogueRoutes(app, context);
  companyRoutes(app, context, { isInUse: isFontInUse });
  shopRoutes(app, context);
  orderRoutes(app, context);
  savedDesignRoutes(app, context);
  feedbackRoutes(app, context);
  makerRoutes(app, context);
  mailRoutes(app, context);
  adminRoutes(app, context);
  privacyRoutes(app, context);

  fileRoutes(app, context, async (key, run) => (await restorePicture(context, key, run)) !== undefined);
  await siteRoutes(app, context, findSiteFolders(), { makers: { isThere: (id) => isMakerShown(context, id) } });
  await app.ready();
  return app;
}
