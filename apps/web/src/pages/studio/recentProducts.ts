/** The products used last on this device. */
const KEY = 'markwright-recent-products';
const MOST = 4;

/** Returns product ids, the newest first. A record that cannot be read counts as empty. */
export function readRecentProducts(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberProduct(productId: string): void {
  const ids = [productId, ...readRecentProducts().filter((id) => id !== productId)].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // The storage is full or refused: nothing else is lost.
  }
}
