/**
 * Exchanges messages with the page around the frame. Messages of any other window are ignored, and without a channel
 * nothing is sent.
 */
import { type PageMessage, readMessage, type WidgetMessage, writeMessage } from '@markwright/embed';
import type { WidgetAddress } from './address.ts';

export interface Host {
  send(message: WidgetMessage): void;
  /** Calls the listener for each message of the page. Returns a function that unsubscribes. */
  listen(listener: (message: PageMessage) => void): () => void;
}

export function createHost({ host }: WidgetAddress): Host | undefined {
  if (!host) return undefined;
  const { origin, channel } = host;
  return {
    send: (message) => window.parent.postMessage(writeMessage(channel, message), origin),
    listen(listener) {
      const onMessage = (event: MessageEvent) => {
        if (event.source !== window.parent || event.origin !== origin) return;
        const message = readMessage(event.data, channel);
        if (message?.type === 'call' || message?.type === 'theme') listener(message);
      };
      addEventListener('message', onMessage);
      return () => removeEventListener('message', onMessage);
    },
  };
}
