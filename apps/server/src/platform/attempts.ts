/** Work in the background on a database that may be away: nobody waits for its result, and it is tried again. */
import type { Logger } from 'pino';

/** Runs work. Returns undefined when it fails. */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T | undefined>;

/**
 * Returns a function that runs work and never throws, and one that waits until all of it has ended. Of several failures
 * in a row, the first one is logged with this message.
 */
export function createAttempts(
  log: Pick<Logger, 'warn'>,
  message: string,
): { readonly attempt: Attempt; settle(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  let isReached = true;
  return {
    attempt(work) {
      const result = work().then(
        (value) => {
          isReached = true;
          return value;
        },
        (error: unknown) => {
          if (isReached) log.warn({ err: error }, message);
          isReached = false;
          return undefined;
        },
      );
      running.add(result);
      void result.finally(() => running.delete(result));
      return result;
    },
    async settle() {
      // A piece of work that ends may begin another one.
      while (running.size > 0) await Promise.all(running);
    },
  };
}
