/** The routes that are no calls: pages, fonts and product pictures. */

import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import { site } from '@markwright/contract';
import { findFontPath } from '@markwright/fonts/files';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { siteOrigin } from '../config.ts';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';
import { TRACER_POLICY } from './headers.ts';
import { loadOnce } from './loadOnce.ts';
import { mount } from './mount.ts';
import { chooseEncoding } from './replies.ts';

const FOREVER = 'public, max-age=31536000, immutable';

/** The path of every page that has one instance. Any other address is answered with the not-found page and 404. */
export const pages: ReadonlySet<string> = new Set([
  '',
  'studio',
  'auth',
  'plans',
  'subscribe',
  'subscription-success',
  'test-checkout',
  'embed',
  'widget',
  'feedback',
  'makers',
  'orders',
  'proof',
  'admin',
  'admin-panel',
  'profile',
  'profile/plan',
  'profile/files',
  'profile/products',
  'profile/shop',
  'profile/maker',
  'profile/security',
  'password-reset',
  'verify-email',
  'invitation',
]);

/** Pages with many instances, by the first path segment; the second segment is the id of an instance. */
export type InstancePages = Readonly<Record<string, { isThere(id: string): Promise<boolean> }>>;

/** The folders of files that ship with the product. */
export interface SiteFolders {
  /** The built web app; absent while developing, when Vite serves it. */
  readonly web: string | undefined;
  /** The pictures that ship with the base products, `<productId>.svg`. */
  readonly productPictures: string;
  /** The pictures that mockups stand in, `<scene>-<stance>.webp`. */
  readonly surroundings: string;
}

/**
 * Returns the folders beside the sources, or beside the built server. Throws when the pictures of the base products are
 * missing.
 */
export function findSiteFolders(): SiteFolders {
  const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  // From `src/platform` the web app is three folders up, from the built `dist` two.
  const web = [at('../../../web/dist'), at('../../web/dist')].find((folder) => existsSync(`${folder}/index.html`));
  const pictures = [at('../catalogue/seed/pictures'), at('../src/catalogue/seed/pictures')].find((folder) =>
    existsSync(folder),
  );
  if (!pictures) throw new Error('The base products’ pictures are missing.');
  return { web, productPictures: pictures, surroundings: `${pictures}/../surroundings` };
}

/** Mounts the pages, their files and the fonts. Addresses that are no page are answered with 404. */
export async function siteRoutes(
  app: FastifyInstance,
  context: Context,
  folders: SiteFolders,
  instancePages: InstancePages,
): Promise<void> {
  mount(app, context, site.info, async () => ({
    supportEmail: context.config.supportEmail,
    payments: context.payments.kind,
    mail: context.config.smtpUrl ? ('smtp' as const) : ('outbox' as const),
    minPasswordLength: context.config.minPasswordLength,
  }));

  app.get<{ Params: { name: string } }>('/fonts/:name', async ({ params }, reply) => {
    const path = findFontPath(params.name);
    if (!path) throw nothingHere();
    const type = path.endsWith('.otf') ? 'font/otf' : 'font/woff2';
    return reply.headers({ 'content-type': type, 'cache-control': FOREVER }).send(createReadStream(path));
  });

  // `picture` ends in its extension, so the folder cannot influence the name.
  app.get<{ Params: { picture: string } }>('/products/:picture', async ({ params }, reply) => {
    if (!/^[a-z0-9][a-z0-9-]{0,99}\.svg$/.test(params.picture)) throw nothingHere();
    const bytes = await readFile(`${folders.productPictures}/${params.picture}`).catch(() => undefined);
    if (!bytes) throw nothingHere();
    return reply
      .headers({ 'content-type': 'image/svg+xml; charset=utf-8', 'cache-control': 'public, max-age=86400' })
      .send(bytes);
  });

  const index = folders.web && (await readFile(`${folders.web}/index.html`));
  const landing = folders.web && (await readLanding(`${folders.web}/landing.html`, siteOrigin(context.config)));
  if (folders.web) await mountFiles(app, folders.web);
  // A separate entry: a shop's page does not load the site.
  const widget = folders.web && (await readFile(`${folders.web}/widget.html`));
  const sendPage = (reply: FastifyReply, status: number, page = index): FastifyReply =>
    reply.code(status).headers(PAGE_HEADERS).send(page);

  // Calls that do not exist count too.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isPlace = !/^\/(api|files|fonts|products|assets)(\/|$)/.test(path) && !/\.\w{1,8}$/.test(path);
    if (!index || !isRead || !isPlace) throw nothingHere();
    if (path === '/' && landing) return sendLanding(reply, landing, request.headers['accept-encoding']);
    const page = path.replace(/^\//, '').replace(/\/$/, '');
    if (page === 'widget') return sendPage(reply, 200, widget);
    return sendPage(reply, pages.has(page) || (await isOneOf(instancePages, page)) ? 200 : 404);
  });
}

/**
 * Mounts the files of the web app. The build writes .br and .gz beside each of them, which have no address of their
 * own. Other addresses fall through to the pages.
 */
async function mountFiles(app: FastifyInstance, folder: string): Promise<void> {
  const options = {
    index: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply, path) {
      reply.header('vary', 'accept-encoding');
      reply.header('cache-control', path.includes('/assets/') ? FOREVER : 'public, max-age=3600');
      if (/\/tracer\.worker-[\w-]+\.js(\.\w+)?$/.test(path)) reply.header('content-security-policy', TRACER_POLICY);
      if (/\/embed\.(js|d\.ts)(\.\w+)?$/.test(path)) reply.headers(shopPageHeaders(path));
    },
  } satisfies Partial<FastifyStaticOptions>;
  // A route for each file, because pages share the folder.
  await app.register(fastifyStatic, {
    ...options,
    root: folder,
    wildcard: false,
    globIgnore: ['assets/**', '**/*.{br,gz}'],
  });
  // One route for all of its 200 files: a route for each takes 70 ms of each start.
  await app.register(fastifyStatic, {
    ...options,
    root: `${folder}/assets`,
    prefix: '/assets/',
    decorateReply: false,
    allowedPath: (path) => /^\/[\w.-]+$/.test(path) && !/\.(br|gz)$/.test(path),
  });
}

/** Returns true when such a page exists, and also when the lookup fails: the page itself then shows the error. */
async function isOneOf(instancePages: InstancePages, page: string): Promise<boolean> {
  const [, kind, id] = /^([\w-]+)\/([\w-]{1,64})$/.exec(page) ?? [];
  if (kind === undefined || id === undefined || !Object.hasOwn(instancePages, kind)) return false;
  return instancePages[kind]!.isThere(id).catch(() => true);
}

/**
 * Returns the headers of the loader and its types, which other sites load. Their addresses stay the same, so caches
 * revalidate them soon.
 */
function shopPageHeaders(path: string): Record<string, string> {
  return {
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
    ...(path.includes('.d.ts') ? { 'content-type': 'text/plain; charset=utf-8' } : {}),
  };
}

const PAGE_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' };

/** The landing page by content encoding. It is compressed for the first visitor: the best quality takes 50 ms. */
type Landing = Readonly<Record<'br' | 'gzip' | 'identity', () => Promise<Buffer>>>;

/**
 * Reads the landing page that the build rendered, and fills in the site's origin. Undefined when the web app was built
 * without one.
 */
async function readLanding(path: string, origin: string): Promise<Landing | undefined> {
  const html = await readFile(path, 'utf8').catch(() => undefined);
  if (html === undefined) return undefined;
  const identity = Buffer.from(html.replaceAll('%ORIGIN%', origin));
  return {
    br: loadOnce(() => promisify(brotliCompress)(identity)),
    gzip: loadOnce(() => promisify(gzip)(identity)),
    identity: async () => identity,
  };
}

async function sendLanding(
  reply: FastifyReply,
  landing: Landing,
  acceptEncoding: string | string[] | undefined,
): Promise<FastifyReply> {
  const encoding = chooseEncoding(acceptEncoding);
  if (encoding) reply.header('content-encoding', encoding);
  return reply.headers({ ...PAGE_HEADERS, vary: 'accept-encoding' }).send(await landing[encoding ?? 'identity']());
}

function nothingHere(): AppError {
  return new AppError('notFound', 'There is nothing at this address.');
}
