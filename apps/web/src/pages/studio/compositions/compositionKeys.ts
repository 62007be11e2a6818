/** Where the browser's storage names the composition that is open. */

/** Holds the id of the composition this tab has open, and of the one a new tab begins with. */
export const CURRENT_KEY = 'markwright-current-work';
/** Held the only composition, before a device kept several. */
export const LEGACY_KEY = 'markwright-composition';

/** True when there may be a composition to read. */
export function hasStored(): boolean {
  try {
    return [sessionStorage, localStorage].some(
      (storage) => storage.getItem(CURRENT_KEY) !== null || storage.getItem(LEGACY_KEY) !== null,
    );
  } catch {
    return false; // a browser that refuses storage
  }
}
