/**
 * Returns a function that loads something at its first call and returns the same result at all later ones (lazy,
 * memoized). A failure reaches every caller that waits and is not kept: the next call loads again.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
