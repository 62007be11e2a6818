/** The index of a library of icons: who made them, what they are called, and in which slice each outline lies. */

/** The side of the square in which the outline of an icon lies. */
export const ICON_SIDE = 2048;
/** Icons in a slice: neighbors in the alphabet, which a search mostly finds together. */
const SLICE = 40;

/** Icons by one author, under one license. */
export interface IconSet {
  readonly title: string;
  readonly license: string;
  /** The address of the text of the license. */
  readonly url: string;
}

/** An icon, without its outline. */
export interface IconEntry {
  /** Its set and its name there: `ph:acorn`. */
  readonly id: string;
  /** As a person reads it: `Acorn, filled`. */
  readonly name: string;
  /** Its place in the index. */
  readonly place: number;
  /** The number of its topic; undefined for an icon that has none. */
  readonly topic: number | undefined;
}

export interface IconIndex {
  readonly sets: readonly IconSet[];
  /** What one browses: `Animals`. */
  readonly topics: readonly string[];
  readonly icons: readonly IconEntry[];
}

/** The index as a file has it. Sets and their names are in the order of the slices. */
export interface IconIndexFile {
  readonly topics: readonly string[];
  readonly sets: readonly (IconSet & {
    readonly prefix: string;
    /** Separated by spaces. */
    readonly names: string;
    /** A letter for each icon, `a` for the first topic, and `-` for none. Absent: none has one. */
    readonly topics?: string | undefined;
  })[];
}

export function readIconIndex({ topics, sets }: IconIndexFile): IconIndex {
  const icons: IconEntry[] = [];
  for (const { prefix, names, topics } of sets) {
    names.split(' ').forEach((name, i) => {
      const letter = topics?.[i] ?? '-';
      icons.push({
        id: `${prefix}:${name}`,
        name: toTitle(name),
        place: icons.length,
        topic: letter === '-' ? undefined : letter.charCodeAt(0) - 97,
      });
    });
  }
  return { sets, topics, icons };
}

/** Returns the number of the slice in which the outline of an icon lies. */
export const sliceOf = ({ place }: Pick<IconEntry, 'place'>): number => Math.floor(place / SLICE);

/** Returns the outline of an icon, from its slice. */
export const outlineIn = (slice: readonly string[], { place }: Pick<IconEntry, 'place'>): string | undefined =>
  slice[place % SLICE];

/** Divides outlines, in the order of the index, into slices. */
export const toSlices = (outlines: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(outlines.length / SLICE) }, (_, i) => outlines.slice(i * SLICE, (i + 1) * SLICE));

/** `heart-fill` and `heart-filled` become `Heart, filled`. */
function toTitle(name: string): string {
  const words = name.replace(/-fill(ed)?$/, ', filled').replaceAll('-', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
}
