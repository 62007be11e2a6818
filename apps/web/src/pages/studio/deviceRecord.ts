/** Small records that a person keeps on this device. */

/** Returns a record; undefined where there is none, or it cannot be read. */
export function readRecord(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a record. Where the storage is full or refuses, nothing else is lost. */
export function writeRecord(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or refused.
  }
}

/** Returns a list of texts, at most so many; an empty one for any other record. */
export function readTexts(key: string, most: number): readonly string[] {
  const texts = readRecord(key);
  return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string').slice(0, most) : [];
}
