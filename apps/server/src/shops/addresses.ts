/** Addresses in a shop's settings: the origins that may frame its widget, and its webhook. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { lookUpAddress } from '../platform/publicAddress.ts';

/** True when an address is this machine's. Calls to it may be unencrypted, where calls to it are allowed at all. */
export const isThisMachine = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/**
 * Returns the origin of a page's address as browsers write it: `https://host[:port]`, or `http://` on this machine. The
 * result is safe in a header: no wildcard, no name or password, nothing after the port. Throws invalid with the right
 * form.
 */
export function toOrigin(text: string): string {
  const address = text.trim();
  const url = URL.canParse(address) && !/[?#@]/.test(address) ? new URL(address) : undefined;
  const isPlain = url?.pathname === '/' && /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])$/.test(url.hostname);
  if (!url || !isPlain || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisMachine(url)))) {
    const label = address.slice(0, 80);
    throw new AppError(
      'invalid',
      `“${label}” is not the address of a site. Write it like https://shop.example, without a path.`,
    );
  }
  return url.origin;
}

/** A save waits this long for the name of a webhook. What is not found by then is checked with every call alone. */
const LOOKUP_MS = 2_000;

/**
 * Reads the address of a webhook from a person's input. Throws invalid with the right form, and for an address that is
 * not public.
 */
export async function toWebhookUrl({ config }: Pick<Context, 'config'>, text: string): Promise<URL> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && config.allowLocalWebhooks && isThisMachine(url);
  if (!url || (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) || url.username || url.password) {
    throw new AppError('invalid', 'The webhook address must begin with https:// and hold no name or password.');
  }
  const tooSlow = wait(LOOKUP_MS, 'unknown' as const, { ref: false });
  if ((await Promise.race([lookUpAddress(url, isLocal), tooSlow])) === 'private') {
    throw new AppError('invalid', 'The webhook address must be a public one, not one of a private network.');
  }
  return url;
}
