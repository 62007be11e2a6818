import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { onPlace } from '../placeInLine.ts';
import { onToast, readToast, showPlace } from './notices.ts';

const Toasts = lazy(() => import('./Toasts.tsx').then((module) => ({ default: module.Toasts })));

/** Loads the code of the toasts with the first notice. */
export function ToastsLater() {
  useEffect(() => onPlace(showPlace), []);
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
