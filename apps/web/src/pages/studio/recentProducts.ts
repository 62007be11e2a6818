import { readTexts, writeRecord } from './deviceRecord.ts';

/** The products used last on this device. */
const KEY = 'markwright-recent-products';
const MOST = 4;

/** Returns product ids, the newest first. A record that cannot be read counts as empty. */
export const readRecentProducts = (): readonly string[] => readTexts(KEY, MOST);

export function rememberProduct(productId: string): void {
  writeRecord(KEY, [productId, ...readRecentProducts().filter((id) => id !== productId)].slice(0, MOST));
}
