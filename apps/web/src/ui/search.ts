/** Splits a search text into its words, in lower case. */
export const toSearchWords = (search: string): readonly string[] => search.toLowerCase().split(/\s+/).filter(Boolean);

/** True when every word of a search stands somewhere in one of the texts. */
export function hasWords(words: readonly string[], texts: readonly string[]): boolean {
  const text = texts.join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
