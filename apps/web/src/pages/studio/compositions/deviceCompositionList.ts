/** All copies on this device together, and their thumbnails. */
import type { DeviceComposition } from './blankCopy.ts';
import { readDeviceComposition, STORAGE_PREFIX, writeItem } from './deviceComposition.ts';

const THUMBNAIL_PREFIX = 'markwright-picture:';

/** The most a visitor keeps, and the most of an account's that stay here beside the server's copies. */
export const MAX_DEVICE_COMPOSITIONS = 20;

/** Returns the owner's copies, or everybody's without `owner`; the one changed last comes first. */
export function listDeviceCompositions(owner?: number | null): DeviceComposition[] {
  return storedIds()
    .flatMap((id) => readDeviceComposition(id) ?? [])
    .filter((copy) => owner === undefined || copy.owner === owner)
    .sort(byLastChange);
}

export const byLastChange = (a: DeviceComposition, b: DeviceComposition): number =>
  b.updatedAt.localeCompare(a.updatedAt);

/** Removes a copy and its thumbnail. */
export function removeDeviceComposition(id: string): void {
  try {
    localStorage.removeItem(STORAGE_PREFIX + id);
    localStorage.removeItem(THUMBNAIL_PREFIX + id);
  } catch {
    // A browser that refuses storage has stored nothing either.
  }
}

/** Returns a data URL. */
export function readThumbnail(id: string): string | undefined {
  try {
    return localStorage.getItem(THUMBNAIL_PREFIX + id) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeThumbnail(id: string, dataUrl: string): void {
  writeItem(THUMBNAIL_PREFIX + id, dataUrl);
}

function storedIds(): string[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '');
    return keys.filter((key) => key.startsWith(STORAGE_PREFIX)).map((key) => key.slice(STORAGE_PREFIX.length));
  } catch {
    return [];
  }
}
