/**
 * Remembers, in a browser's cookie, the accounts that signed in there (OWASP's "device cookies"). Guesses from many
 * networks use up the attempts of an account, but an owner's own browser has attempts of its own.
 *
 * The cookie proves nothing else. It names no account to a reader: an entry is a hash of the address, and a random
 * device id that the limit is counted by.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../platform/context.ts';
import { readSignedCookie, setSignedCookie } from '../platform/guestCookie.ts';
import { newId } from '../platform/ids.ts';

/** The accounts whose owners have signed in with the browser of a call. */
export interface KnownDevices {
  /** Returns the device's id when an owner of this address has signed in on it. */
  find(email: string): string | undefined;
  /** Remembers that the owner of this address uses the device. */
  remember(email: string): void;
}

const COOKIE = 'device';
/** Accounts that one browser remembers: a family or a workshop, and a short cookie. */
const MAX_ACCOUNTS = 5;

/** Reads the accounts that the browser of a call knows. A forged cookie counts as none. */
export function readKnownDevices(
  context: Pick<Context, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): KnownDevices {
  const cookie = readSignedCookie(context, request, COOKIE) ?? '';
  const entries = cookie.split('~').filter((entry) => /^[\w-]{22}\.[\w-]{1,64}$/.test(entry));
  const find = (email: string) =>
    entries.find((entry) => entry.startsWith(`${hashOf(email)}.`))?.slice(hashOf(email).length + 1);
  return {
    find,
    remember(email) {
      const own = `${hashOf(email)}.${find(email) ?? newId()}`;
      const others = entries.filter((entry) => !entry.startsWith(`${hashOf(email)}.`));
      setSignedCookie(context, reply, COOKIE, [own, ...others].slice(0, MAX_ACCOUNTS).join('~'));
    },
  };
}

const hashOf = (email: string): string => createHash('sha256').update(email).digest('base64url').slice(0, 22);
