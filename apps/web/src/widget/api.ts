/**
 * The widget's client. It sends no cookie and stores nothing on the device: the guest token is in the memory of this
 * page alone.
 */
// One group a file: the widget leaves the others out of its bundle.
import { designs } from '@markwright/contract/paths/designs';
import { makers } from '@markwright/contract/paths/makers';
import { orderCalls } from '@markwright/contract/paths/orders';
import { widget } from '@markwright/contract/paths/widget';
import type { calls as contract } from '@markwright/contract/schemas';
import { GUEST_HEADER } from '@markwright/contract/words';
import { type Client, createClient } from '../client.ts';
import { createRequest, messageOf, NetworkError } from '../request.ts';
import { withSentence } from '../studioHost/ask.ts';

type WidgetCalls = Pick<typeof contract, 'designs' | 'makers' | 'orders' | 'widget'>;

export interface WidgetApi extends Client<WidgetCalls> {
  /** Names the guest in every later request. */
  setGuestToken(token: string): void;
}

/** Every call rejects with a sentence for the shopper in `message`. The error of the request is its `cause`. */
export function createWidgetApi(): WidgetApi {
  let guestToken: string | undefined;
  const request = createRequest({
    credentials: 'omit',
    headers: (): Record<string, string> => (guestToken ? { [GUEST_HEADER]: guestToken } : {}),
  });
  const client = createClient<WidgetCalls>(
    { designs, makers, orders: orderCalls, widget },
    { request, toError: (error) => withSentence(error, toSentence(error)) },
  );
  return {
    ...client,
    setGuestToken(token) {
      guestToken = token;
    },
  };
}

export const offlineSentence = (): string | undefined =>
  navigator.onLine ? undefined : 'You are offline. Please try again when you are connected.';

function toSentence(error: unknown): string {
  if (!(error instanceof NetworkError)) return messageOf(error);
  return offlineSentence() ?? `${messageOf(error)} Please try again.`;
}
