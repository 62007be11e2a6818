/** A composition's copy on this device, and a new one. `deviceComposition.ts` stores and reads it. */
import type { Composition } from '@markwright/scene';

export interface DeviceComposition {
  /** Random; also the idempotency key of its first save on the server. */
  readonly id: string;
  /** The account it belongs to; null for whoever uses this device without an account. */
  readonly owner: number | null;
  /** Blank when the person gave none: then it is called by its product. */
  readonly name: string;
  readonly composition: Composition;
  readonly updatedAt: string;
  /** The server's copy, as far as this device knows; null before the first save. */
  readonly saved: { readonly id: string; readonly revision: number } | null;
  /** True when the device has changes that the server does not have. */
  readonly isUnsaved: boolean;
  readonly isRenamed: boolean;
  /** Fingerprints of versions that were sent and not answered. */
  readonly pending: readonly string[];
}

/** Returns 128 random bits in hexadecimal. */
export function newCompositionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns a copy that is not stored yet: that happens with the first change. */
export function blankCopy(id: string, owner: number | null, now: Date, composition: Composition): DeviceComposition {
  return {
    id,
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
