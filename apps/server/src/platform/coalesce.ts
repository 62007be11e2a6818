/**
 * Returns a function that reads for many callers together (request coalescing). A caller gets a value that was read
 * after its call: the callers that come while a read runs wait for its end and share the next one. So at most one read
 * runs for any number of callers. When a read fails, the callers that wait for its end fail with it, because they
 * would wait twice as long for the same failure.
 */
export function coalesce<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function start(): Promise<T> {
    const pending = read().finally(() => {
      if (running === pending) running = undefined;
    });
    running = pending;
    return pending;
  }

  return () => {
    if (!running) return start();
    next ??= running
      .finally(() => {
        next = undefined;
      })
      .then(start);
    return next;
  };
}
