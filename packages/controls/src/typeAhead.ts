/** Type-ahead in a list: letters typed in quick succession go to the option that begins with them. */

/** A longer pause starts a new word. */
const TYPE_AHEAD_MS = 600;

/** The letters typed so far, in lower case, and the time of the last one. */
export interface TypedLetters {
  readonly text: string;
  readonly timeMs: number;
}

export const noLetters: TypedLetters = { text: '', timeMs: 0 };

/** Appends a letter to those before it, or starts again after a pause. */
export function addLetter(letters: TypedLetters, letter: string, nowMs: number): TypedLetters {
  const before = nowMs - letters.timeMs < TYPE_AHEAD_MS ? letters.text : '';
  return { text: before + letter.toLowerCase(), timeMs: nowMs };
}

/**
 * Returns the index of the label that begins with `text`. Searches from the active option on and around the end. A
 * single letter goes to the next match after the active option: the same letter again walks through all matches.
 */
export function findByLetters(labels: readonly string[], text: string, active: number): number | undefined {
  const start = text.length === 1 ? active + 1 : active;
  for (let i = 0; i < labels.length; i++) {
    const index = (start + i) % labels.length;
    if (labels[index]!.toLowerCase().startsWith(text)) return index;
  }
  return undefined;
}
