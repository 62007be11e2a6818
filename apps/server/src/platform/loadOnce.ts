/**
 * Loads something with the first question for it and keeps it for all later ones. What fails is not kept: a system that was out of
 * handles or memory for a moment is asked again by the next question.
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
