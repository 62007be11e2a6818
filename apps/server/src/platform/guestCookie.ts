/** How guests are told apart, and how a foreign page is kept from acting as one. */
import type {} from '@fastify/cookie'; // what it adds to request and reply
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { AppError } from './errors.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The guest a signed cookie names; undefined without one, or when it was made up or altered. */
export function findGuestId(deps: Deps, request: FastifyRequest): string | undefined {
  const cookie = request.cookies[cookieName(deps)];
  const read = cookie ? request.unsignCookie(cookie) : undefined;
  return read?.valid && /^[\w-]{16,64}$/.test(read.value) ? read.value : undefined;
}

export function keepGuestId(deps: Deps, reply: FastifyReply, guestId: string): void {
  reply.setCookie(cookieName(deps), guestId, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(deps),
    path: '/',
    maxAge: YEAR_SECONDS,
  });
}

/**
 * Refuses a write that another site's page started (OWASP's CSRF sheet: Sec-Fetch-Site first, then Origin). Browsers send
 * an Origin with every write; a program that sends neither header carries no one else's cookie.
 */
export function refuseForeignSite(request: FastifyRequest, publicUrl: URL | undefined): void {
  const site = request.headers['sec-fetch-site'];
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeignSite || isForeignOrigin(request, publicUrl)) {
    throw new AppError('forbidden', 'This call may only be made from the studio’s own pages.');
  }
}

function isForeignOrigin(request: FastifyRequest, publicUrl: URL | undefined): boolean {
  const { origin } = request.headers;
  if (origin === undefined || origin === publicUrl?.origin) return false;
  // `null` and anything malformed is foreign.
  if (!URL.canParse(origin)) return true;
  const { protocol, host } = new URL(origin);
  const own = `${protocol}//${request.headers.host}`; // read as a URL too, so that a default port is no difference
  return !URL.canParse(own) || new URL(own).host !== host;
}

/** The prefix makes browsers refuse a cookie that a subdomain or an insecure page tries to plant. */
function cookieName(deps: Deps): string {
  return isHttps(deps) ? '__Host-guest' : 'guest';
}

function isHttps(deps: Deps): boolean {
  return deps.config.publicUrl?.protocol === 'https:';
}
