import { lazyPart, PART_MISSING } from '@markwright/controls';
import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { onPause } from '../pauses.ts';
import { onPlace } from '../placeInLine.ts';
import { onToast, readToast, showPause, showPlace, toast } from './notices.ts';

const Toasts = lazyPart(() => import('./Toasts.tsx').then((module) => ({ default: module.Toasts })));

/** Loads the code of the toasts with the first notice. */
export function ToastsLater() {
  useEffect(() => onPlace(showPlace), []);
  useEffect(() => onPause(showPause), []);
  useEffect(() => {
    addEventListener(PART_MISSING, sayMissing);
    return () => removeEventListener(PART_MISSING, sayMissing);
  }, []);
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

const sayMissing = () =>
  toast({
    title: 'Part of this page did not load',
    description: 'Save your design, then load the page again.',
    variant: 'destructive',
    staysOpen: true,
  });
