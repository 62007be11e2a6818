/** Hooks that follow the page's environment: the window's width and the connection. */
import { useSyncExternalStore } from 'react';

const wide = '(min-width: 1100px)';

let isWide = matchMedia(wide).matches;

const isUnderWindow = (): boolean => document.querySelector('dialog:modal') !== null;

/**
 * Returns true when steps, stage and inspector fit beside each other. Under an open dialog it stays as it was: wide and
 * narrow are two trees, and turning a tablet would lose what is being done in the dialog.
 */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(wide);
      const closing = new MutationObserver(() => {
        if (isUnderWindow()) return;
        closing.disconnect();
        listener();
      });
      const onChange = () => {
        closing.observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] });
        listener();
      };
      query.addEventListener('change', onChange);
      return () => {
        query.removeEventListener('change', onChange);
        closing.disconnect();
      };
    },
    () => {
      if (!isUnderWindow()) isWide = matchMedia(wide).matches;
      return isWide;
    },
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
