/**
 * The widget's calls before a product is chosen. They send no cookie and store nothing on the device: the guest token
 * is in the memory of this page alone.
 */
import { widget } from '@markwright/contract/paths/widget';
import type { calls as contract } from '@markwright/contract/schemas';
import { GUEST_HEADER } from '@markwright/contract/words';
import { type Client, createClient } from '../client.ts';
import { callWithJson } from '../jsonCall.ts';
import { createRequest, messageOf, NetworkError, type SendRequest, withSentence } from '../request.ts';

export interface WidgetApi extends Client<Pick<typeof contract, 'widget'>> {
  /** Sends a request of this visit. */
  readonly request: SendRequest;
  /** Names the guest in every later request. */
  setGuestToken(token: string): void;
}

/**
 * Creates the client of one visit. Every call rejects with a sentence for the shopper in `message`. The error of the
 * request is its `cause`.
 */
export function createWidgetApi(): WidgetApi {
  let guestToken: string | undefined;
  const request = createRequest({
    credentials: 'omit',
    headers: (): Record<string, string> => (guestToken ? { [GUEST_HEADER]: guestToken } : {}),
  });
  const client = createClient<Pick<typeof contract, 'widget'>>({ widget }, { request, call: callWithJson, toError });
  return {
    ...client,
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
