/** The faces that a line of letters may be set in, by the votes of its letters. */
import type { PathBounds } from '../geometry/pathData.ts';
import { boxOf, LETTERS, type LetterIndex } from './faces.ts';
import { heightOf } from './lines.ts';
import { MOMENTS, type Part } from './parts.ts';

/** How unlike a traced part and the letter it shows may be. */
const MOST_UNLIKE = 0.16;
/** Letters of one face that a part is compared with. */
const CANDIDATES = 6;
/** Votes for one size and baseline are this near to each other, in parts of the size. */
const VOTE_SIZE = 0.025;
const VOTE_BASELINE = 0.03;
/** Letters that join are as high and as deep as a letter of their face, to this many ems. */
const WORD_SLACK = 0.02;
/** They say less than a letter that looks like one of the face. */
const WORD_UNLIKE = 0.08;
/** Faces that are compared outline by outline. */
const MOST_FACES = 8;
/** Besides them, faces whose letters join, and which only some letters of the line speak for. */
const MOST_SCRIPTS = 3;

/** What a part and an entry of the index that looks like it say of the line. */
interface Vote {
  readonly part: number;
  readonly unlike: number;
  readonly size: number;
  readonly baseline: number;
}

/** A face at a size on a baseline. */
export interface Guess {
  readonly face: number;
  readonly size: number;
  readonly baseline: number;
  readonly supported: number;
  readonly unlike: number;
}

/**
 * Lets the tall parts of a line vote for a size and a baseline in each face. Returns the best guesses, the best faces
 * first, at most 11. Cost: parts times entries of the index.
 */
export function guessFaces(line: readonly Part[], index: LetterIndex): Guess[] {
  const tallest = Math.max(...line.map(heightOf));
  const parts = line.filter((part) => heightOf(part) >= 0.4 * tallest);
  if (parts.length < 2) return [];
  const votes: Vote[][] = index.faces.map(() => []);
  for (const [p, part] of parts.entries()) {
    const candidates: { entry: number; unlike: number }[][] = index.faces.map(() => []);
    for (let entry = 0; entry < index.count; entry++) {
      const unlike = compare(part, index, entry, MOST_UNLIKE);
      if (unlike < MOST_UNLIKE) candidates[index.face[entry]!]!.push({ entry, unlike });
    }
    for (const [face, alike] of candidates.entries()) {
      alike.sort((a, b) => a.unlike - b.unlike);
      for (const { entry, unlike } of alike.slice(0, CANDIDATES)) {
        const box = boxOf(index, entry);
        const size = heightOf(part) / (box.maxY - box.minY);
        votes[face]!.push({ part: p, unlike, size, baseline: part.bounds.maxY - size * box.maxY });
      }
    }
  }
  const guesses: (Guess & { words: number })[] = [];
  for (const [face, cast] of votes.entries()) {
    const best = countVotes(face, cast, parts, index);
    if (best && best.supported >= Math.max(2, 0.6 * parts.length)) guesses.push(best);
  }
  const score = (guess: Guess) => (parts.length - guess.supported) * 0.1 + guess.unlike;
  guesses.sort((a, b) => score(a) - score(b));
  return [
    ...guesses.filter(({ words }) => words === 0).slice(0, MOST_FACES),
    ...guesses.filter(({ words }) => words > 0).slice(0, MOST_SCRIPTS),
  ];
}

/**
 * Returns the size and the baseline of a face that most parts of a line agree with: by their own votes, or, where the
 * letters of the face join, because the part is as high and as deep as some letters are.
 */
function countVotes(face: number, cast: readonly Vote[], parts: readonly Part[], index: LetterIndex) {
  const heights = index.joins[face] ? listHeights(face, index) : undefined;
  let best: (Guess & { words: number }) | undefined;
  for (const center of cast) {
    const nearest = new Map<number, Vote>();
    for (const vote of cast) {
      if (Math.abs(vote.size / center.size - 1) > VOTE_SIZE) continue;
      if (Math.abs(vote.baseline - center.baseline) > VOTE_BASELINE * center.size) continue;
      const other = nearest.get(vote.part);
      if (!other || vote.unlike < other.unlike) nearest.set(vote.part, vote);
    }
    const support = [...nearest.values()];
    const size = median(support.map((vote) => vote.size));
    const baseline = median(support.map((vote) => vote.baseline));
    const words = heights
      ? parts.filter((part, p) => !nearest.has(p) && isWord(part, heights, { size, baseline })).length
      : 0;
    const count = support.length + words;
    const unlike = (support.reduce((sum, vote) => sum + vote.unlike, 0) + words * WORD_UNLIKE) / count;
    if (best && (count < best.supported || (count === best.supported && unlike >= best.unlike))) continue;
    best = { face, size, baseline, supported: count, unlike, words };
  }
  return best;
}

/** Tops and bottoms of the letters of a face, in ems. */
interface Heights {
  readonly tops: readonly number[];
  readonly bottoms: readonly number[];
}

/** Returns where the letters and digits of ASCII begin and end. */
function listHeights(face: number, index: LetterIndex): Heights {
  const boxes: PathBounds[] = [];
  for (let entry = 0; entry < index.count; entry++) {
    if (index.face[entry] === face && /^[A-Za-z\d]$/.test(LETTERS[index.letter[entry]!]!))
      boxes.push(boxOf(index, entry));
  }
  return { tops: boxes.map(({ minY }) => minY), bottoms: boxes.map(({ maxY }) => maxY) };
}

/** True for a part that letters of these heights may draw together. */
function isWord(
  { bounds }: Part,
  { tops, bottoms }: Heights,
  { size, baseline }: { readonly size: number; readonly baseline: number },
): boolean {
  const isAt = (y: number) => (height: number) => Math.abs(y - baseline - size * height) < WORD_SLACK * size;
  return tops.some(isAt(bounds.minY)) && bottoms.some(isAt(bounds.maxY));
}

export function median(values: number[]): number {
  const order = values.sort((a, b) => a - b);
  const middle = order.length >> 1;
  return order.length % 2 === 1 ? order[middle]! : (order[middle - 1]! + order[middle]!) / 2;
}

/** Returns how unlike a part and an entry are; Infinity for another number of holes, or as soon as it passes `most`. */
function compare({ form }: Part, { holes, box, moments }: LetterIndex, entry: number, most: number): number {
  if (form.holes !== holes[entry]) return Infinity;
  const b = entry * 4;
  const aspect = (box[b + 2]! - box[b]!) / (box[b + 3]! - box[b + 1]!);
  // Logarithms are slow, and far from 1 the ratio is out anyway.
  const stretch = form.aspect / aspect;
  if (stretch > 1.25 || stretch < 0.8) return Infinity;
  let sum = (stretch - 1) * (stretch - 1);
  const limit = most * most;
  for (let m = 0; m < MOMENTS && sum < limit; m++) {
    const difference = form.moments[m]! - moments[entry * MOMENTS + m]!;
    sum += difference * difference;
  }
  return sum < limit ? Math.sqrt(sum) : Infinity;
}
