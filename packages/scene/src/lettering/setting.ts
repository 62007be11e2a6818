/** A face at a size on a baseline, and its letters: what a line is compared with. */
import type { PathBounds } from '../geometry/pathData.ts';
import type { FontSource } from '../resolve/scene.ts';
import { boxOf, type Face, LETTERS, type Letter, type LetterIndex, readLetter } from './faces.ts';
import type { Guess } from './votes.ts';

/** A letter laid on the drawing. */
export interface PlacedLetter {
  readonly letter: Letter;
  /** Its origin. */
  readonly x: number;
}

export interface Setting {
  readonly face: Face;
  readonly size: number;
  readonly baseline: number;
  readonly capHeight: number;
  /** The letters of the face by the entries of the index. */
  readonly entries: readonly number[];
  /** The boxes of its letters in ems, by their places in `LETTERS`. */
  readonly boxes: ReadonlyMap<number, PathBounds>;
  readonly index: LetterIndex;
  letterAt(place: number): Letter;
  /** Returns how far the second of two letters stands from the first in ems, with spaces and kerning between them. */
  gapOf(first: Letter, second: Letter, spaces?: number): number;
}

/** Returns a face as a guess has it; undefined where it has no H. Letters are read as they are needed. */
export function makeSetting(guess: Guess, index: LetterIndex, fonts: FontSource): Setting | undefined {
  const face = index.faces[guess.face]!;
  const cap = readLetter(face, 'H', fonts);
  if (!cap) return undefined;
  const entries: number[] = [];
  const boxes = new Map<number, PathBounds>();
  for (let entry = 0; entry < index.count; entry++) {
    if (index.face[entry] !== guess.face) continue;
    entries.push(entry);
    const place = index.letter[entry]!;
    const [box, other] = [boxOf(index, entry), boxes.get(place)];
    boxes.set(place, other ? join(box, other) : box);
  }
  const letters = new Map<number, Letter>();
  const gaps = new Map<string, number>();
  return {
    face,
    size: guess.size,
    baseline: guess.baseline,
    capHeight: -cap.parts[0]!.bounds.minY * guess.size,
    entries,
    boxes,
    index,
    letterAt(place) {
      const letter = letters.get(place) ?? readLetter(face, LETTERS[place]!, fonts)!;
      letters.set(place, letter);
      return letter;
    },
    gapOf(first, second, spaces = 0) {
      const pair = first.text + ' '.repeat(spaces) + second.text;
      const gap = gaps.get(pair) ?? fonts.outline({ ...face, text: pair })!.advance - second.advance;
      gaps.set(pair, gap);
      return gap;
    },
  };
}

const join = (a: PathBounds, b: PathBounds): PathBounds => ({
  minX: Math.min(a.minX, b.minX),
  minY: Math.min(a.minY, b.minY),
  maxX: Math.max(a.maxX, b.maxX),
  maxY: Math.max(a.maxY, b.maxY),
});
