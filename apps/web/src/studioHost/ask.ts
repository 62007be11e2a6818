import { messageOf, statusOf } from '../api.ts';

/** Why nothing can be asked of the server just now, as far as this device knows. */
export const offlineSentence = (): string | undefined =>
  globalThis.navigator?.onLine === false
    ? 'You are offline. What you arrange is kept on this device; this needs the connection.'
    : undefined;

/** Turns what the client throws into what the studio shows: the sentence, and the status beside it. */
export async function ask<T>(call: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (signal?.aborted) throw error;
    const status = statusOf(error);
    const sentence = (status === undefined && offlineSentence()) || messageOf(error, '');
    throw Object.assign(new Error(sentence, { cause: error }), { status });
  }
}
