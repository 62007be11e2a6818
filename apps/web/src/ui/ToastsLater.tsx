import { lazy, Suspense, useSyncExternalStore } from 'react';
import { onToast, readToast } from './notices.ts';

const Toasts = lazy(() => import('./Toasts.tsx').then((module) => ({ default: module.Toasts })));

/** The toasts' code comes with the first notice. */
export function ToastsLater() {
  const isNeeded = useSyncExternalStore(
    onToast,
    () => readToast() !== undefined,
    () => false,
  );
  return isNeeded ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null;
}
