/**
 * A work kept on this device, under a key of its own. It is the first copy of everything: a visitor has no other, and an
 * account's is here until the server has it. All of them together are in `shelf.ts`.
 */
import {
  type Composition,
  emptyComposition,
  parseComposition,
  SavedComposition,
  saveComposition,
} from '@markwright/scene';
import { z } from 'zod';

const Stored = z.object({
  id: z.string(),
  owner: z.number().int().nullable(),
  name: z.string(),
  composition: SavedComposition,
  updatedAt: z.iso.datetime(),
  saved: z.object({ id: z.string(), revision: z.number().int() }).nullable(),
  isUnsaved: z.boolean(),
  isRenamed: z.boolean(),
  pending: z.array(z.string()),
});

export interface DeviceWork {
  /** Random; also the key of its first save on the server. */
  readonly id: string;
  /** The account it belongs to; null: whoever uses this device without one. */
  readonly owner: number | null;
  /** Blank: it is called by its product. */
  readonly name: string;
  readonly composition: Composition;
  readonly updatedAt: string;
  /** What the server has of it, as far as this device knows. */
  readonly saved: { readonly id: string; readonly revision: number } | null;
  /** There is something here the server does not have. */
  readonly isUnsaved: boolean;
  readonly isRenamed: boolean;
  /** Marks of what was sent and not answered. */
  readonly pending: readonly string[];
}

export const WORK = 'markwright-work:';
/** The work of this tab, and the one a new tab begins with. */
const CURRENT = 'markwright-current-work';
/** Before there were several. */
const ONLY = 'markwright-composition';

/** 128 random bits. */
export function newWorkId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What cannot be read is told to the console and passed over. */
export function readWork(id: string): DeviceWork | undefined {
  try {
    const text = localStorage.getItem(WORK + id);
    if (text === null) return undefined;
    const stored = Stored.parse(JSON.parse(text));
    return { ...stored, composition: parseComposition(stored.composition) };
  } catch (error) {
    console.warn('A work kept on this device could not be read.', error);
    return undefined;
  }
}

/** False when the storage is full or refused. */
export function writeWork(work: DeviceWork): boolean {
  return write(WORK + work.id, JSON.stringify({ ...work, composition: saveComposition(work.composition) }));
}

/** What the studio begins with: the work it was left with, unless that is an account's and nobody is signed in. */
export function readFirstWork(isSignedIn: boolean, now: Date): DeviceWork {
  const last = readCurrent();
  return last && (isSignedIn || last.owner === null) ? last : blankWork(null, now, emptyComposition);
}

/** Not kept until something is done to it. */
export function blankWork(owner: number | null, now: Date, composition: Composition): DeviceWork {
  return {
    id: newWorkId(),
    owner,
    name: '',
    composition,
    updatedAt: now.toISOString(),
    saved: null,
    isUnsaved: false,
    isRenamed: false,
    pending: [],
  };
}

/** The work this tab was left with, else the one this device was; whatever was kept before there were several counts too. */
export function readCurrent(): DeviceWork | undefined {
  takeOverOnly();
  for (const storage of ['sessionStorage', 'localStorage'] as const) {
    try {
      const id = globalThis[storage].getItem(CURRENT);
      const work = id === null ? undefined : readWork(id);
      if (work) return work;
    } catch {
      // A browser that refuses storage starts anew.
    }
  }
  return undefined;
}

export function writeCurrent(id: string): void {
  write(CURRENT, id);
  try {
    sessionStorage.setItem(CURRENT, id);
  } catch {
    // The tab then starts with the device's.
  }
}

function takeOverOnly(): void {
  try {
    const text = localStorage.getItem(ONLY);
    if (text === null) return;
    localStorage.removeItem(ONLY);
    const id = newWorkId();
    const composition = parseComposition(JSON.parse(text));
    const updatedAt = new Date().toISOString();
    const isKept = writeWork({
      id,
      owner: null,
      name: '',
      composition,
      updatedAt,
      saved: null,
      isUnsaved: true,
      isRenamed: false,
      pending: [],
    });
    if (isKept) writeCurrent(id);
  } catch (error) {
    console.warn('The saved composition could not be read.', error);
  }
}

/** False when the storage is full or refused. */
export function write(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
