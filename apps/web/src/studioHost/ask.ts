import { messageOf, statusOf, withSentence } from '../request.ts';

/** Returns the error sentence for a device that is offline; undefined when it is online. */
export const offlineSentence = (): string | undefined =>
  globalThis.navigator?.onLine === false
    ? 'You are offline. Your work is kept on this device, but this needs the connection.'
    : undefined;

/**
 * Awaits a call. Rejects with an Error whose message the studio shows and whose cause is the call's own error. An abort
 * rejects as it came.
 */
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
