/**
 * The widget's calls before a product is chosen. They send no cookie and store nothing on the device: the guest token
 * is in the memory of this page alone.
 */
import type { Endpoint } from '@markwright/contract/paths/endpoint';
import { widget } from '@markwright/contract/paths/widget';
import type { CallReply, widget as schemas } from '@markwright/contract/schemas';
import { GUEST_HEADER } from '@markwright/contract/words';
import { type CallInput, callWithJson } from '../jsonCall.ts';
import { createRequest, messageOf, NetworkError, type SendRequest, withSentence } from '../request.ts';

/** Every call rejects with a sentence for the shopper in `message`. The error of the request is its `cause`. */
export interface WidgetApi {
  start(shop: string | undefined): Promise<CallReply<typeof schemas.start>>;
  products(shop: string | undefined): Promise<CallReply<typeof schemas.products>>;
  open(designId: string): Promise<CallReply<typeof schemas.open>>;
  /** Sends a request of this visit. */
  readonly request: SendRequest;
  /** Names the guest in every later request. */
  setGuestToken(token: string): void;
}

export function createWidgetApi(): WidgetApi {
  let guestToken: string | undefined;
  const request = createRequest({
    credentials: 'omit',
    headers: (): Record<string, string> => (guestToken ? { [GUEST_HEADER]: guestToken } : {}),
  });
  async function call<Reply>(endpoint: Endpoint, input: CallInput): Promise<Reply> {
    try {
      return (await callWithJson(request, endpoint, input, {})) as Reply;
    } catch (error) {
      throw toError(error);
    }
  }
  return {
    start: (shop) => call(widget.start, { body: { shop } }),
    products: (shop) => call(widget.products, { query: { shop } }),
    open: (id) => call(widget.open, { params: { id }, body: {} }),
    request,
    setGuestToken(token) {
      guestToken = token;
    },
  };
}

export const offlineSentence = (): string | undefined =>
  navigator.onLine ? undefined : 'You are offline. Please try again when you are connected.';

/** Returns the error of a request with a sentence for the shopper. */
export const toError = (error: unknown): Error => withSentence(error, toSentence(error));

function toSentence(error: unknown): string {
  if (!(error instanceof NetworkError)) return messageOf(error);
  return offlineSentence() ?? `${messageOf(error)} Please try again.`;
}
