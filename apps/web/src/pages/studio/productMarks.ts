/** What a person keeps on this device about products: favorites, and the bed that they have to fit. */
import type { Ports } from '@markwright/editor';
import { readRecord, readTexts, writeRecord } from './deviceRecord.ts';

const FAVORITES = 'markwright-favorite-products';
const BED = 'markwright-bed';
/** More are no favorites. */
const MOST = 100;

/** A record that cannot be read counts as empty; where the storage refuses, nothing else is lost. */
export const productMarks: NonNullable<Ports['productMarks']> = {
  readFavorites: () => readTexts(FAVORITES, MOST),
  writeFavorites: (ids) => writeRecord(FAVORITES, ids.slice(-MOST)),
  readBed() {
    const bed = readRecord(BED) as { widthMm?: unknown; heightMm?: unknown } | undefined;
    const { widthMm, heightMm } = bed ?? {};
    const isLength = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 1e5;
    return isLength(widthMm) && isLength(heightMm) ? { widthMm, heightMm } : undefined;
  },
  writeBed: (bed) => writeRecord(BED, bed ?? null),
};
