/** What the page has to know of the device it runs on. */
import { useSyncExternalStore } from 'react';

const wide = '(min-width: 1100px)';

/** Whether steps, stage and inspector fit beside each other. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(wide);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(wide).matches,
  );
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
}
