/** Limits of an account's library of elements. */

/** The most entries one account may keep. */
export const MAX_LIBRARY_ENTRIES = 500;
/** The largest entry: its elements as JSON. */
export const MAX_LIBRARY_ENTRY_BYTES = 200 * 1024;
/** What an entry is: elements to place, or a whole composition to begin with. */
export const LIBRARY_KINDS = ['elements', 'template'] as const;
export type LibraryKind = (typeof LIBRARY_KINDS)[number];
/** The longest side of an entry and of the machine area that it is from, mm. */
export const MAX_LIBRARY_SIDE_MM = 100_000;
