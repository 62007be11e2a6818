/** The addresses a checkout may lead to: pages of this site, and the payment provider's. */

const PROVIDER = 'stripe.com';

export type CheckoutUrl = { readonly page: string } | { readonly provider: string };

/** Reads an address the server gave. Undefined for one that is not followed. `origin` is where this page came from. */
export function readCheckoutUrl(text: string, origin: string): CheckoutUrl | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username || url.password) return undefined;
  if (isHere(url, new URL(origin))) {
    return url.pathname.startsWith('//') ? undefined : { page: `${url.pathname}${url.search}` };
  }
  const isProvider = url.hostname === PROVIDER || url.hostname.endsWith(`.${PROVIDER}`);
  return isProvider && url.protocol === 'https:' && url.port === '' ? { provider: url.href } : undefined;
}

/** This machine has several names, and the server knows one of them. Only the path is taken from such an address. */
const isHere = (url: URL, here: URL): boolean => url.origin === here.origin || (isLoopback(url) && isLoopback(here));

const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
