/** Parts of a page whose code is loaded when they are first shown. */
import { lazy } from 'react';

/** The event that the window gets when the code of a part does not come though the device is online. */
export const PART_MISSING = 'part-missing';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Returns a component whose code `load` fetches when it is first shown; the `Suspense` around it shows what stands
 * there until then. Where the code does not come, it is tried again: as soon as the device is online, and after 1 s,
 * 2 s, 4 s and so on up to 30 s. An error that `lazy` throws takes away the whole page around it; a lost connection so
 * does not.
 *
 * Browsers that keep to the HTML standard remember a module that did not load until the page is loaded again. So what a
 * person may need without a connection is loaded before, and `PART_MISSING` lets the page say what to do.
 */
export const lazyPart: typeof lazy = (load) => lazy(() => loadUntilThere(load));

/** Calls `load` until it resolves. `wait` resolves when another try makes sense. */
export async function loadUntilThere<T>(
  load: () => Promise<T>,
  wait = waitForConnection,
  onMissing = () => void dispatchEvent(new Event(PART_MISSING)),
): Promise<T> {
  let isSaid = false;
  for (let pause = FIRST_WAIT_MS; ; pause = Math.min(LONGEST_WAIT_MS, pause * 2)) {
    try {
      return await load();
    } catch {
      if (!isSaid && pause > FIRST_WAIT_MS && navigator.onLine) {
        isSaid = true;
        onMissing();
      }
      await wait(pause);
    }
  }
}

/**
 * Resolves after a time, or as soon as the device says that it is online again. Its end names nothing global: a test's
 * page may be gone by then, and the next file's tests share the process.
 */
const waitForConnection = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const wait = new AbortController();
    const end = () => {
      clearTimeout(timer);
      wait.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end, { signal: wait.signal });
  });
