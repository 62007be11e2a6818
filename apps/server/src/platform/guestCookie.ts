/** Signed cookies. Identifies guests by cookie or header, and stops other sites from acting as a guest (CSRF). */
import type {} from '@fastify/cookie'; // what it adds to request and reply
import { GUEST_HEADER } from '@markwright/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const GUEST = 'guest';

/**
 * Returns the guest id of the widget's header, or else of the signed cookie; undefined without either. A forged cookie
 * counts as none. Throws unauthorized for a forged header, because its page would otherwise go on as another guest
 * without knowing.
 */
export function findGuestId(context: Context, request: FastifyRequest): string | undefined {
  const token = request.headers[GUEST_HEADER];
  const value = token === undefined ? readSignedCookie(context, request, GUEST) : readSigned(request, token);
  const guestId = value !== undefined && /^[\w-]{16,64}$/.test(value) ? value : undefined;
  if (token === undefined) return guestId;
  if (guestId === undefined) throw new AppError('unauthorized', 'This visit has ended. Please start over.');
  return guestId;
}

/** Returns the value of a cookie that `setSignedCookie` set; undefined for none and for a forged one. */
export function readSignedCookie(
  context: Pick<Context, 'config'>,
  request: FastifyRequest,
  name: string,
): string | undefined {
  return readSigned(request, request.cookies[cookieName(context, name)]);
}

function readSigned(request: FastifyRequest, signedValue: unknown): string | undefined {
  if (typeof signedValue !== 'string' || signedValue === '') return undefined;
  const unsignedCookie = request.unsignCookie(signedValue);
  return unsignedCookie.valid ? unsignedCookie.value : undefined;
}

/** Returns the signed token that identifies a guest in the widget's header. */
export const writeGuestToken = (app: FastifyInstance, guestId: string): string => app.signCookie(guestId);

/** Sets the cookie that identifies a guest. */
export function keepGuestId(context: Context, reply: FastifyReply, guestId: string): void {
  setSignedCookie(context, reply, GUEST, guestId);
}

/** Sets a cookie for a year that pages cannot read and other sites do not send with a write. */
export function setSignedCookie(
  context: Pick<Context, 'config'>,
  reply: FastifyReply,
  name: string,
  value: string,
): void {
  reply.setCookie(cookieName(context, name), value, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(context),
    path: '/',
    maxAge: YEAR_SECONDS,
  });
}

/**
 * Throws forbidden for a write that another site's page started (OWASP's CSRF sheet: Sec-Fetch-Site first, then
 * Origin). Browsers send an Origin with every write; a program that sends neither header carries no one else's cookie.
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
  const own = `${protocol}//${request.headers.host}`; // parsed as a URL too, so that a default port makes no difference
  return !URL.canParse(own) || new URL(own).host !== host;
}

/**
 * Returns the name of a cookie. With the `__Host-` prefix, browsers refuse a cookie that a subdomain or an insecure
 * page tries to set.
 */
function cookieName(context: Pick<Context, 'config'>, name: string): string {
  return isHttps(context) ? `__Host-${name}` : name;
}

function isHttps(context: Pick<Context, 'config'>): boolean {
  return context.config.publicUrl?.protocol === 'https:';
}
