/** The addresses that a checkout may lead to: pages of this site, and those of the payment provider. */

const PROVIDER = 'stripe.com';

export type CheckoutUrl = { readonly page: string } | { readonly provider: string };

/** Reads an address from the server. Returns undefined for one that must not be opened. `origin` is this page's. */
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

/** True on this site, also under another name of this machine: the server knows one name, and only the path is used. */
const isHere = (url: URL, here: URL): boolean => url.origin === here.origin || (isLoopback(url) && isLoopback(here));

const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
