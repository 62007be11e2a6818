/** Splits a search text into its words, in lower case. */
export const toSearchWords = (search: string): readonly string[] => search.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns true when every word is part of at least one of the texts, in any case. */
export function hasWords(words: readonly string[], texts: readonly string[]): boolean {
  const text = texts.join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
