/** The headers every answer carries. A route that needs another policy sets its own over these. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

const policy = (frameAncestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');

const PAGE_POLICY = policy("'none'");
const WIDGET_POLICY = policy('*');

export function securityHeaders(app: FastifyInstance, config: Config): void {
  const isHttps = config.publicUrl?.protocol === 'https:';
  const always = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(always);
    if (/^\/(api|files)\//.test(request.url)) reply.header('cross-origin-resource-policy', 'same-origin');
    if (isWidget(request.url)) {
      reply.header('content-security-policy', WIDGET_POLICY);
    } else {
      reply.headers({ 'content-security-policy': PAGE_POLICY, 'x-frame-options': 'DENY' });
    }
  });
}

/** The one page that may stand in a stranger's frame. It has no account actions. */
function isWidget(url: string): boolean {
  return /^\/widget\/?(\?|$)/.test(url);
}
