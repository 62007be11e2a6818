/** The headers of every reply. A route that needs another policy sets its own over these. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { isBelow, plainPath } from './plainPath.ts';

const policy = (frameAncestors: string, scripts = "'self'"): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    // The embed page shows the widget.
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');

/**
 * Returns the Permissions-Policy header. The search for local makers may ask for the position. The site is one
 * document, whichever page was opened first, so every page may; the widget, which is framed by other sites, may not.
 */
const permissions = (geolocation: '(self)' | '()'): string =>
  `camera=(), microphone=(), geolocation=${geolocation}, payment=(), usb=(), browsing-topics=()`;

const PAGE_POLICY = policy("'none'");

/** The policy of the worker that traces: its loops are WebAssembly, which no page may compile. */
export const TRACER_POLICY = policy("'none'", "'self' 'wasm-unsafe-eval'");

/** Returns the origins that may frame a shop's widget; an empty list means any. Undefined for an unknown key. */
export type FindAllowedOrigins = (shopKey: string) => Promise<readonly string[] | undefined>;

/** Returns the headers of a reply to a request that is for no route: the strictest ones. */
export const strictHeaders = (config: Config): Readonly<Record<string, string>> => ({
  ...commonHeaders(config),
  'content-security-policy': PAGE_POLICY,
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
});

const commonHeaders = ({ publicUrl }: Config): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': permissions('(self)'),
  ...(publicUrl?.protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
});

/** Sets the security headers of every answer, refusals included. */
export function securityHeaders(app: FastifyInstance, config: Config, findAllowedOrigins: FindAllowedOrigins): void {
  const always = commonHeaders(config);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...always, 'content-security-policy': PAGE_POLICY });
    const path = plainPath(request);
    if (isBelow('/api', path) || isBelow('/files', path)) reply.header('cross-origin-resource-policy', 'same-origin');
    if (isWidget(request.url)) {
      const { shop } = request.query as { shop?: string | string[] };
      reply.header('permissions-policy', permissions('()'));
      reply.header('content-security-policy', policy(await frameAncestors(shop, findAllowedOrigins)));
    } else {
      reply.header('x-frame-options', 'DENY');
    }
  });
}

/**
 * Returns true for the widget: the one page that other sites may frame. It has no account actions. Other spellings of
 * its address are no page.
 */
function isWidget(url: string): boolean {
  return /^\/widget\/?(\?|$)/.test(url);
}

/**
 * Returns the sources for `frame-ancestors` of the widget: any, unless the shop names its pages; then these and our
 * own embed page. None for an unknown shop. Only text that browsers write as an origin gets into the header.
 */
async function frameAncestors(
  shop: string | string[] | undefined,
  findAllowedOrigins: FindAllowedOrigins,
): Promise<string> {
  if (shop === undefined) return '*';
  const allowedOrigins = typeof shop === 'string' && /^[\w-]{8,64}$/.test(shop) && (await findAllowedOrigins(shop));
  if (!allowedOrigins) return "'none'";
  if (allowedOrigins.length === 0) return '*';
  return ["'self'", ...allowedOrigins.filter((origin) => ORIGIN.test(origin))].join(' ');
}

const ORIGIN = /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/;
