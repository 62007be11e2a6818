import { messageOf, statusOf, withSentence } from '../request.ts';

/** Returns the sentence for a device without a connection; undefined when it has one. */
export const offlineSentence = (): string | undefined =>
  globalThis.navigator?.onLine === false
    ? 'You are offline. What you arrange is kept on this device; this needs the connection.'
    : undefined;

/** Awaits a call. Rejects with the sentence the studio shows, and the status beside it. */
export async function ask<T>(call: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (signal?.aborted) throw error;
    const status = statusOf(error);
    const sentence = (status === undefined && offlineSentence()) || messageOf(error, '');
    throw withSentence(error, sentence);
  }
}
