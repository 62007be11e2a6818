import { useState } from 'react';

/**
 * Returns true from the time when nothing is pending for the first time. Parts of a page that are shown together would
 * otherwise go again when one of them is loaded once more.
 */
export function useFirstShown(isPending: boolean): boolean {
  const [isShown, setShown] = useState(!isPending);
  if (!isPending && !isShown) setShown(true);
  return isShown;
}
