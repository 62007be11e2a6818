/**
 * One composition's copy on this device, under a key of its own in the browser's storage. The device always has the
 * first copy: a visitor has no other, and an account's stays here until the server has it. `deviceCompositionList.ts`
 * handles all copies together.
 */
import { emptyComposition, parseComposition, SavedComposition, saveComposition } from '@markwright/scene';
import * as z from 'zod/mini';
import { blankCopy, type DeviceComposition, newCompositionId } from './blankCopy.ts';
import { CURRENT_KEY, LEGACY_KEY } from './compositionKeys.ts';

const StoredSchema = z.object({
  id: z.string(),
  owner: z.nullable(z.int()),
  name: z.string(),
  composition: SavedComposition,
  updatedAt: z.iso.datetime(),
  saved: z.nullable(z.object({ id: z.string(), revision: z.int() })),
  isUnsaved: z.boolean(),
  isRenamed: z.boolean(),
  pending: z.array(z.string()),
});

/** The storage key before a composition's id. */
export const STORAGE_PREFIX = 'markwright-work:';

/** Returns undefined when there is none, or when it cannot be read; the console then says why. */
export function readDeviceComposition(id: string): DeviceComposition | undefined {
  try {
    const text = localStorage.getItem(STORAGE_PREFIX + id);
    if (text === null) return undefined;
    const record = StoredSchema.parse(JSON.parse(text));
    return { ...record, composition: parseComposition(record.composition) };
  } catch (error) {
    console.warn('A composition on this device could not be read.', error);
    return undefined;
  }
}

/** Returns false when the storage is full or refused. */
export function writeDeviceComposition(copy: DeviceComposition): boolean {
  return writeItem(
    STORAGE_PREFIX + copy.id,
    JSON.stringify({ ...copy, composition: saveComposition(copy.composition) }),
  );
}

/** Returns the composition the studio was left with; a blank one when it is an account's and nobody is signed in. */
export function readFirstComposition(isSignedIn: boolean, now: Date): DeviceComposition {
  const last = readCurrent();
  return last && (isSignedIn || last.owner === null)
    ? last
    : blankCopy(newCompositionId(), null, now, emptyComposition);
}

/** Returns the composition this tab was left with, else the one the last tab was left with. */
export function readCurrent(): DeviceComposition | undefined {
  migrateLegacy();
  for (const storage of ['sessionStorage', 'localStorage'] as const) {
    try {
      const id = globalThis[storage].getItem(CURRENT_KEY);
      const copy = id === null ? undefined : readDeviceComposition(id);
      if (copy) return copy;
    } catch {
      // A browser that refuses storage starts with an empty composition.
    }
  }
  return undefined;
}

export function writeCurrent(id: string): void {
  writeItem(CURRENT_KEY, id);
  try {
    sessionStorage.setItem(CURRENT_KEY, id);
  } catch {
    // The tab then starts with the device's last one.
  }
}

/** Takes over the composition that was stored before a device kept several. */
function migrateLegacy(): void {
  try {
    const text = localStorage.getItem(LEGACY_KEY);
    if (text === null) return;
    localStorage.removeItem(LEGACY_KEY);
    const composition = parseComposition(JSON.parse(text));
    const copy = { ...blankCopy(newCompositionId(), null, new Date(), composition), isUnsaved: true };
    if (writeDeviceComposition(copy)) writeCurrent(copy.id);
  } catch (error) {
    console.warn('The saved composition could not be read.', error);
  }
}

/** Returns false when the storage is full or refused. */
export function writeItem(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
