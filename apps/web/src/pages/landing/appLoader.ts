/**
 * Loads the app behind the landing page, and tries again when that fails.
 *
 * A browser may remember that a module could not be fetched and never request it again. So the files are fetched first,
 * which can be repeated. When all of them have arrived they are imported, and come from the browser's cache.
 */

/** The longest wait for an idle moment after the page has loaded. */
const IDLE_TIMEOUT_MS = 2_000;
/** The longest wait until the page has loaded. One picture that does not arrive delays that for ever. */
const LOAD_TIMEOUT_MS = 5_000;
/** The pause after a failed load (exponential backoff): it doubles with each failure. */
const RETRY_MS = { first: 2_000, most: 60_000 } as const;
/** The shortest time between two tries that presses cause. */
const LEAST_PAUSE_MS = 1_000;

export interface LoaderHost {
  fetch(file: string): Promise<{ readonly ok: boolean }>;
  /** Imports the app's entry, which starts the app. */
  importModule(file: string): Promise<unknown>;
  now(): number;
}

export interface AppLoader {
  /** Starts to load, unless the app has loaded, is loading, or failed to load less than a second ago. */
  load(): void;
  isLoaded(): boolean;
}

/** Creates the loader of `files`: the app's entry, then everything that it imports. Failures are retried. */
export function createAppLoader(files: readonly string[], host: LoaderHost): AppLoader {
  const [entry] = files;
  let state: 'waiting' | 'loading' | 'loaded' = 'waiting';
  let failures = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  let retry: ReturnType<typeof setTimeout> | undefined;

  async function fetchAndImport(file: string): Promise<void> {
    const responses = await Promise.all(files.map((one) => host.fetch(one)));
    if (responses.some(({ ok }) => !ok)) throw new Error('A file of the app did not arrive.');
    await host.importModule(file);
  }

  function load(): void {
    if (entry === undefined || state !== 'waiting' || host.now() - failedAt < LEAST_PAUSE_MS) return;
    clearTimeout(retry);
    state = 'loading';
    fetchAndImport(entry).then(
      () => {
        state = 'loaded';
      },
      () => {
        // The links of the page work without the app.
        state = 'waiting';
        failedAt = host.now();
        retry = setTimeout(load, Math.min(RETRY_MS.first * 2 ** failures++, RETRY_MS.most));
      },
    );
  }
  return { load, isLoaded: () => state === 'loaded' };
}

/** The parts of the window that `whenIdle` uses. Safari has no idle callbacks. */
export interface IdleWindow {
  readonly document: { readonly readyState: string };
  requestIdleCallback?: (work: () => void, options: { timeout: number }) => unknown;
  setTimeout(work: () => void, delayMs: number): unknown;
  addEventListener(type: 'load', listener: () => void, options: { once: true }): void;
}

/**
 * Calls `start` in the first idle moment after the page has loaded, and after a few seconds in any case. It may be
 * called twice.
 */
export function whenIdle(window: IdleWindow, start: () => void): void {
  const onLoad = () => {
    if (window.requestIdleCallback) window.requestIdleCallback(start, { timeout: IDLE_TIMEOUT_MS });
    else window.setTimeout(start, 500);
  };
  if (window.document.readyState === 'complete') onLoad();
  else {
    window.addEventListener('load', onLoad, { once: true });
    window.setTimeout(start, LOAD_TIMEOUT_MS);
  }
}
