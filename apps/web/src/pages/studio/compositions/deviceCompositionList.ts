/** All works kept on this device, with their small pictures. */
import { type DeviceWork, readWork, WORK, write } from './deviceComposition.ts';

const PICTURE = 'markwright-picture:';

/** How many a visitor keeps, and how many an account's are kept here beside the server's. */
export const DEVICE_WORKS = 20;

/** The owner's works on this device, or everybody's; last changed first. */
export function listWorks(owner?: number | null): DeviceWork[] {
  return idsOf(WORK)
    .flatMap((id) => readWork(id) ?? [])
    .filter((work) => owner === undefined || work.owner === owner)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
}

export function removeWork(id: string): void {
  try {
    localStorage.removeItem(WORK + id);
    localStorage.removeItem(PICTURE + id);
  } catch {
    // Refused: then nothing was kept either.
  }
}

/** A data URL. */
export function readPicture(id: string): string | undefined {
  try {
    return localStorage.getItem(PICTURE + id) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writePicture(id: string, dataUrl: string): void {
  write(PICTURE + id, dataUrl);
}

function idsOf(prefix: string): string[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '');
    return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  } catch {
    return [];
  }
}
