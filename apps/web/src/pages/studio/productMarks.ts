/** What a person keeps on this device about products: favorites, and the bed that they have to fit. */
import type { Ports } from '@markwright/editor';

const FAVORITES = 'markwright-favorite-products';
const BED = 'markwright-bed';
/** More are no favorites. */
const MOST = 100;

/** A record that cannot be read counts as empty; where the storage refuses, nothing else is lost. */
export const productMarks: NonNullable<Ports['productMarks']> = {
  readFavorites() {
    const ids = read(FAVORITES);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  },
  writeFavorites: (ids) => write(FAVORITES, ids.slice(-MOST)),
  readBed() {
    const bed = read(BED) as { widthMm?: unknown; heightMm?: unknown } | undefined;
    const { widthMm, heightMm } = bed ?? {};
    const isLength = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 1e5;
    return isLength(widthMm) && isLength(heightMm) ? { widthMm, heightMm } : undefined;
  },
  writeBed: (bed) => write(BED, bed ?? null),
};

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or refused.
  }
}
