/**
 * The widget's way to the server. No cookie goes along and nothing is kept on the device: who is here stands in the
 * memory of this page alone. Answers are not checked against the contract, whose schemas are half of what the page may weigh.
 */
import type { CallReply, widget } from '@markwright/contract/schemas';

export interface WidgetServer {
  /** Who calls; `undefined` before the visit began. */
  guestToken: string | undefined;
  /** Rejects with a plain sentence in `message`, and the status in `status` when the server answered. */
  ask<T>(method: 'GET' | 'POST', url: string, options?: AskOptions): Promise<T>;
}

interface AskOptions {
  readonly body?: object;
  readonly file?: File;
  readonly signal?: AbortSignal;
}

export type Session = CallReply<typeof widget.start>;
export type Offers = CallReply<typeof widget.products>;
export type Saved = CallReply<typeof widget.save>;
export type Opened = CallReply<typeof widget.open>;

export class Refusal extends Error {
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

export function createServer(): WidgetServer {
  const server: WidgetServer = {
    guestToken: undefined,
    async ask<T>(method: 'GET' | 'POST', url: string, { body, file, signal }: AskOptions = {}): Promise<T> {
      const headers: Record<string, string> = {};
      if (server.guestToken) headers['x-markwright-guest'] = server.guestToken;
      let payload: BodyInit | undefined;
      if (file) {
        const form = new FormData();
        form.append('file', file);
        payload = form;
      } else if (body) {
        headers['content-type'] = 'application/json';
        payload = JSON.stringify(body);
      }
      let response: Response;
      try {
        response = await fetch(url, {
          method,
          headers,
          credentials: 'omit',
          ...(payload !== undefined && { body: payload }),
          ...(signal && { signal }),
        });
      } catch (cause) {
        if (signal?.aborted) throw cause;
        throw new Refusal(
          navigator.onLine
            ? 'The server cannot be reached right now. Please try again.'
            : 'You are offline. Please try again when you are connected.',
        );
      }
      if (response.ok) return (await response.json()) as T;
      const told = (await response.json().catch(() => ({}))) as { message?: unknown };
      const sentence = typeof told.message === 'string' ? told.message : 'Something went wrong. Please try again.';
      throw new Refusal(sentence, response.status);
    },
  };
  return server;
}
