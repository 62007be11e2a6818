/** Blanks that a visitor made: kept in this browser's database, with their pictures. */
import type { Product } from '@markwright/contract/schemas';

/** What somebody typed and chose. `ownBlanks/draft.ts` of the studio says what it means. */
type StoredDraft = Readonly<Record<string, unknown>>;

export interface DeviceBlank {
  readonly id: string;
  readonly product: Product;
  /** As it was entered, to go on with. */
  readonly draft: StoredDraft;
  /** The photograph. */
  readonly source: Blob;
  /** The blank as the studio shows it. */
  readonly picture: Blob;
  readonly changedAt: number;
  /** The product of a company that it became. */
  readonly sentAs?: string | undefined;
}

const DATABASE = 'markwright';
const STORE = 'blanks';
const PREFIX = 'device-';

/** Stands in for a database that the browser refuses (private windows): it lasts for the page. */
const memory = new Map<string, DeviceBlank>();

export const newBlankId = (): string => PREFIX + crypto.randomUUID();
export const isDeviceBlank = (productId: string | undefined): productId is string =>
  productId?.startsWith(PREFIX) === true;

/** Returns the blanks of this device, the newest first. */
export async function listDeviceBlanks(): Promise<readonly DeviceBlank[]> {
  const records = await inStore<DeviceBlank[]>('readonly', (store) => store.getAll()).catch(() => []);
  return [...memory.values(), ...records].sort((a, b) => b.changedAt - a.changedAt);
}

export async function readDeviceBlank(id: string): Promise<DeviceBlank | undefined> {
  return (await listDeviceBlanks()).find((blank) => blank.id === id);
}

/** Resolves with false when the browser refuses to keep it: it then lasts for this page. */
export async function writeDeviceBlank(blank: DeviceBlank): Promise<boolean> {
  const isKept = await inStore('readwrite', (store) => store.put(blank)).then(
    () => true,
    () => false,
  );
  if (isKept) memory.delete(blank.id);
  else memory.set(blank.id, blank);
  return isKept;
}

export async function deleteDeviceBlank(id: string): Promise<void> {
  memory.delete(id);
  await inStore('readwrite', (store) => store.delete(id)).catch(() => undefined);
}

/** Runs one request. Rejects where there is no database, and when the browser refuses. */
async function inStore<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await openDatabase();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result as T);
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser did not keep it.'));
    });
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    if (typeof indexedDB === 'undefined') return reject(new Error('This browser has no database.'));
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser’s database did not open.'));
    request.onblocked = () => reject(new Error('The browser’s database is in use.'));
  });
}
