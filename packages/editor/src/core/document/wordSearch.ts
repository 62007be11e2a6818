/** Finds what somebody types among texts, forgiving a slip of the finger in each word. */
import uFuzzy from '@leeoniya/ufuzzy';

const fuzzy = new uFuzzy({
  // Names in every script, as the library's notes on Unicode have it.
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
  // Tolerates one letter that is wrong, missing, doubled or swapped in a word.
  intraMode: 1,
});

/** Words may stand in any order; this many are tried in every one. */
const MOST_WORDS = 4;

/**
 * Builds a search over texts. The function it returns gives the places of those that have all words, the best match
 * first. A search over some thousand texts takes a few milliseconds.
 */
export function createWordSearch(texts: readonly string[]): (text: string) => readonly number[] {
  const haystack = uFuzzy.latinize([...texts]);
  return (text) => {
    const needle = uFuzzy.latinize(text.trim());
    const [indexes, info, order] = fuzzy.search(haystack, needle, MOST_WORDS, Number.POSITIVE_INFINITY);
    return info && order ? order.map((at) => info.idx[at]!) : (indexes ?? []);
  };
}
