/**
 * Recognizes lettering: finds lines of letters among the shapes of a drawing, and the face, the text, the size and the
 * letter spacing that draw them.
 *
 * A letter that is compared with a letter of a face gives a size and a baseline. Where a line is set in a face, all of
 * its letters give the same ones: faces are found by their votes (a Hough transform). What was found is set as text
 * and compared with the drawing, outline by outline; only that decides.
 */
import type { Contour, PathBounds } from '../geometry/pathData.ts';
import { readContours } from '../geometry/pathData.ts';
import type { FontSource } from '../resolve/scene.ts';
import { boxOf, type Face, LETTERS, type Letter, type LetterIndex, readLetter } from './faces.ts';
import {
  fitPlacement,
  layOutline,
  MOMENTS,
  measureDistance,
  measureTo,
  type Part,
  placePart,
  splitParts,
} from './parts.ts';

/** A line of lettering that a face draws. Lengths are in the units of the drawing. */
export interface Lettering extends Face {
  readonly text: string;
  /** One em. */
  readonly size: number;
  /** In ems, as text elements store it. */
  readonly letterSpacing: number;
  /** The left end of the baseline. */
  readonly x: number;
  readonly y: number;
  /** The box of the parts that the text replaces. */
  readonly box: PathBounds;
  /** Height of the letter H. */
  readonly capHeight: number;
  /** The greatest distance of a letter's outline from the face's, as a root mean square, in cap heights. */
  readonly error: number;
}

/** A letter may be this far from the face's: root mean square, and at its worst point, in cap heights. */
const MOST_RMS = 0.015;
const MOST_DEVIATION = 0.12;
/** Fewer letters look like those of many faces. */
const FEWEST_LETTERS = 3;
/** Parts of a line. */
const MOST_PARTS = 120;
/** How unlike a traced part and the letter it shows may be. */
const MOST_UNLIKE = 0.16;
/** Letters of one face that a part is compared with. */
const CANDIDATES = 6;
/** Votes for one size and baseline are this near to each other, in parts of the size. */
const VOTE_SIZE = 0.025;
const VOTE_BASELINE = 0.03;
/** Faces that are compared outline by outline. */
const MOST_FACES = 8;

/**
 * Finds the lines of lettering among contours of one color. Contours overlap nowhere, or fill by the even-odd rule. The
 * text of a line runs from left to right on a straight, level baseline. Lines are returned from top to bottom.
 */
export function recognizeLettering(
  contours: readonly Contour[],
  index: LetterIndex,
  fonts: FontSource,
  tolerance: number,
): Lettering[] {
  const lines = findLines(splitParts(contours, tolerance));
  return lines.flatMap((line) => readLine(line, index, fonts) ?? []).sort((a, b) => a.y - b.y);
}

const heightOf = ({ bounds }: Part) => bounds.maxY - bounds.minY;
const widthOf = ({ bounds }: Part) => bounds.maxX - bounds.minX;

/** Groups parts into lines: neighbors of like height that stand side by side, with the small parts near them. */
function findLines(parts: readonly Part[]): Part[][] {
  const row = [...parts].sort((a, b) => a.bounds.minX - b.bounds.minX);
  const group = row.map((_, i) => i);
  const rootOf = (i: number): number => {
    let root = i;
    while (group[root] !== root) root = group[root]!;
    group[i] = root;
    return root;
  };
  for (let i = 0; i < row.length; i++) {
    const a = row[i]!;
    const height = heightOf(a);
    for (let j = i + 1; j < row.length; j++) {
      const b = row[j]!;
      const gap = b.bounds.minX - a.bounds.maxX;
      const taller = Math.max(height, heightOf(b));
      const lower = Math.min(height, heightOf(b));
      if (gap > 1.2 * taller) {
        // Parts are sorted by where they begin; one further on may still be tall enough to be a neighbor.
        if (b.bounds.minX - a.bounds.maxX > 1.2 * 3.2 * height) break;
        continue;
      }
      if (taller > 3.2 * lower) continue;
      const overlap = Math.min(a.bounds.maxY, b.bounds.maxY) - Math.max(a.bounds.minY, b.bounds.minY);
      if (overlap < 0.5 * lower) continue;
      group[rootOf(j)] = rootOf(i);
    }
  }
  const lines = new Map<number, Part[]>();
  for (const [i, part] of row.entries()) {
    const root = rootOf(i);
    if (!lines.has(root)) lines.set(root, []);
    lines.get(root)!.push(part);
  }
  const letters = [...lines.values()].filter((line) => line.length >= 2);
  const isTaken = new Set(letters.filter((line) => line.length >= FEWEST_LETTERS).flat());
  return letters
    .filter((line) => line.length >= FEWEST_LETTERS - 1 && line.length <= MOST_PARTS)
    .map((line) => {
      const box = boundsOf(line);
      const height = box.maxY - box.minY;
      const near = row.filter(
        (part) =>
          !isTaken.has(part) &&
          !line.includes(part) &&
          heightOf(part) < 0.7 * height &&
          widthOf(part) < 1.5 * height &&
          part.bounds.minX > box.minX - 0.5 * height &&
          part.bounds.maxX < box.maxX + 0.7 * height &&
          part.bounds.minY > box.minY - 0.5 * height &&
          part.bounds.maxY < box.maxY + 0.4 * height,
      );
      return [...line, ...near].sort((a, b) => a.bounds.minX - b.bounds.minX);
    });
}

function boundsOf(parts: readonly Part[]): PathBounds {
  return {
    minX: Math.min(...parts.map(({ bounds }) => bounds.minX)),
    minY: Math.min(...parts.map(({ bounds }) => bounds.minY)),
    maxX: Math.max(...parts.map(({ bounds }) => bounds.maxX)),
    maxY: Math.max(...parts.map(({ bounds }) => bounds.maxY)),
  };
}

/** What a part and an entry of the index that looks like it say of the line. */
interface Vote {
  readonly part: number;
  readonly unlike: number;
  readonly size: number;
  readonly baseline: number;
}

interface Guess {
  readonly face: number;
  readonly size: number;
  readonly baseline: number;
  readonly supported: number;
  readonly unlike: number;
}

function readLine(line: readonly Part[], index: LetterIndex, fonts: FontSource): Lettering | undefined {
  const tallest = Math.max(...line.map(heightOf));
  const major = line.filter((part) => heightOf(part) >= 0.4 * tallest);
  if (major.length < 2) return undefined;
  let best: Lettering | undefined;
  for (const guess of guessFaces(major, index).slice(0, MOST_FACES)) {
    const setting = setLine(line, guess, index, fonts);
    if (setting && (!best || setting.error < best.error)) best = setting;
  }
  return best;
}

/** Lets the parts vote for a size and a baseline in each face. Returns the best guess of each, the best faces first. */
function guessFaces(parts: readonly Part[], index: LetterIndex): Guess[] {
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
  const guesses: Guess[] = [];
  for (const [face, cast] of votes.entries()) {
    let best: Guess | undefined;
    for (const center of cast) {
      const nearest = new Map<number, Vote>();
      for (const vote of cast) {
        if (Math.abs(vote.size / center.size - 1) > VOTE_SIZE) continue;
        if (Math.abs(vote.baseline - center.baseline) > VOTE_BASELINE * center.size) continue;
        const other = nearest.get(vote.part);
        if (!other || vote.unlike < other.unlike) nearest.set(vote.part, vote);
      }
      const support = [...nearest.values()];
      const unlike = support.reduce((sum, vote) => sum + vote.unlike, 0) / support.length;
      if (best && (support.length < best.supported || (support.length === best.supported && unlike >= best.unlike))) {
        continue;
      }
      best = {
        face,
        size: median(support.map((vote) => vote.size)),
        baseline: median(support.map((vote) => vote.baseline)),
        supported: support.length,
        unlike,
      };
    }
    if (best && best.supported >= Math.max(2, 0.6 * parts.length)) guesses.push(best);
  }
  const score = (guess: Guess) => (parts.length - guess.supported) * 0.1 + guess.unlike;
  return guesses.sort((a, b) => score(a) - score(b));
}

function median(values: number[]): number {
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

/** A letter laid on the drawing. */
interface PlacedLetter {
  readonly letter: Letter;
  /** Its origin. */
  readonly x: number;
}

/** A face at a size on a baseline, with its letters. */
interface Setting {
  readonly face: Face;
  readonly size: number;
  readonly baseline: number;
  readonly capHeight: number;
  /** Advance of the space in ems. */
  readonly space: number;
  /** The letters of the face by the entries of the index. */
  readonly entries: readonly number[];
  readonly index: LetterIndex;
  readonly fonts: FontSource;
  letterAt(entry: number): Letter;
}

/** Reads the letters of a line in one face, sets them as text, and compares the text with the drawing. */
function setLine(line: readonly Part[], guess: Guess, index: LetterIndex, fonts: FontSource): Lettering | undefined {
  const face = index.faces[guess.face]!;
  const cap = readLetter(face, 'H', fonts);
  const space = fonts.outline({ ...face, text: ' ' })?.advance;
  if (!cap || space === undefined) return undefined;
  const entries: number[] = [];
  for (let entry = 0; entry < index.count; entry++) if (index.face[entry] === guess.face) entries.push(entry);
  const letters = new Map<number, Letter>();
  const setting: Setting = {
    face,
    size: guess.size,
    baseline: guess.baseline,
    capHeight: -cap.parts[0]!.bounds.minY * guess.size,
    space,
    entries,
    index,
    fonts,
    letterAt(entry) {
      const place = index.letter[entry]!;
      const letter = letters.get(place) ?? readLetter(face, LETTERS[place]!, fonts)!;
      letters.set(place, letter);
      return letter;
    },
  };
  const letterRow = placeLetters(line, setting);
  if (!letterRow) return undefined;
  const { text, letterSpacing } = spell(letterRow, setting);
  if ([...text].filter((character) => character !== ' ').length < FEWEST_LETTERS) return undefined;
  return compareText(line, { ...face, text, letterSpacing }, setting);
}

/** How far the box of a part may be from that of the letter it shows, in cap heights. */
const BOX_SLACK = 0.06;

/**
 * Lays letters on the parts of a line, the largest first: one letter on the part, or several letters that touch.
 * Returns undefined where a part is no letter of the face.
 */
function placeLetters(line: readonly Part[], setting: Setting): PlacedLetter[] | undefined {
  const open = new Set(line);
  const row: PlacedLetter[] = [];
  for (const part of [...line].sort((a, b) => b.area - a.area)) {
    if (!open.has(part)) continue;
    const alone = matchLetter(part, open, setting);
    const match = alone && alone.rms <= MOST_RMS ? alone : (matchChain(part, open, setting) ?? alone);
    if (!match) return undefined;
    row.push(...match.letters);
    for (const part of match.parts) open.delete(part);
  }
  return row.sort((a, b) => a.x - b.x);
}

interface Match {
  readonly letters: readonly PlacedLetter[];
  readonly parts: readonly Part[];
}

/** Finds the letter that a part shows alone, with the other parts of that letter. `rms` is in cap heights. */
function matchLetter(part: Part, open: ReadonlySet<Part>, setting: Setting): (Match & { rms: number }) | undefined {
  const { size, baseline, capHeight, index } = setting;
  const slack = BOX_SLACK * capHeight;
  const { bounds } = part;
  let best: (Match & { rms: number }) | undefined;
  for (const entry of setting.entries) {
    const box = boxOf(index, entry);
    if (part.form.holes !== index.holes[entry]) continue;
    if (Math.abs(bounds.minY - baseline - size * box.minY) > slack) continue;
    if (Math.abs(bounds.maxY - baseline - size * box.maxY) > slack) continue;
    if (Math.abs(bounds.maxX - bounds.minX - size * (box.maxX - box.minX)) > 2 * slack) continue;
    const letter = setting.letterAt(entry);
    const x = (bounds.minX + bounds.maxX - size * (box.minX + box.maxX)) / 2;
    const parts = findParts(letter, x, open, setting);
    if (!parts) continue;
    const placement = { scale: size, x, y: baseline };
    let rms = 0;
    let largest = 0;
    for (const [i, other] of letter.parts.entries()) {
      const step = Math.min(capHeight / 24, heightOf(parts[i]!) / 6);
      const distance = measureDistance(parts[i]!, other, placement, step);
      rms = Math.max(rms, distance.rms / capHeight);
      largest = Math.max(largest, distance.largest / capHeight);
    }
    if (rms > 2.5 * MOST_RMS || largest > 2 * MOST_DEVIATION) continue;
    if (best && (parts.length < best.parts.length || (parts.length === best.parts.length && rms >= best.rms))) continue;
    best = { letters: [{ letter, x }], parts, rms };
  }
  return best;
}

/** Returns the parts where those of a placed letter lie, in their order; undefined when one is missing. */
function findParts(
  letter: Letter,
  x: number,
  open: ReadonlySet<Part>,
  { size, baseline, capHeight }: Setting,
): Part[] | undefined {
  const slack = BOX_SLACK * capHeight;
  const parts: Part[] = [];
  for (const { bounds } of letter.parts) {
    let match: Part | undefined;
    for (const candidate of open) {
      if (parts.includes(candidate)) continue;
      if (Math.abs(candidate.bounds.minX - x - size * bounds.minX) > slack) continue;
      if (Math.abs(candidate.bounds.maxX - x - size * bounds.maxX) > slack) continue;
      if (Math.abs(candidate.bounds.minY - baseline - size * bounds.minY) > slack) continue;
      if (Math.abs(candidate.bounds.maxY - baseline - size * bounds.maxY) > slack) continue;
      match = candidate;
      break;
    }
    if (!match) return undefined;
    parts.push(match);
  }
  return parts;
}

/** The letters of a chain must be wider than this together with the part, in cap heights. */
const CHAIN_SLACK = 0.08;
/** Chains that are followed side by side. */
const BEAM = 4;
const LONGEST_CHAIN = 24;
/** Share of a letter's outline that lies on the outline of the part; where letters touch, some of it is inside. */
const LEAST_ON_OUTLINE = 0.55;
/** Share of a letter's outline that lies outside the part. */
const MOST_OUTSIDE = 0.04;

interface Chain {
  readonly letters: readonly PlacedLetter[];
  readonly parts: readonly Part[];
  /** Right end of its ink. */
  readonly end: number;
  /** Sum over letters of what lies on the outline less what does not. */
  readonly score: number;
}

/**
 * Finds letters that touch and so are one part: from the left, each next letter stands where the advance of the one
 * before puts it (a beam search).
 */
function matchChain(part: Part, open: ReadonlySet<Part>, setting: Setting): Match | undefined {
  const { size, baseline, capHeight, face, fonts, index } = setting;
  const { bounds } = part;
  if (widthOf(part) < 0.5 * capHeight) return undefined;
  const slack = CHAIN_SLACK * capHeight;
  const places = new Map<number, number>(); // a letter → the entry of its largest part
  for (const entry of setting.entries) {
    const other = places.get(index.letter[entry]!);
    if (other === undefined || areaOf(index, entry) > areaOf(index, other)) places.set(index.letter[entry]!, entry);
  }
  let beam: Chain[] = [{ letters: [], parts: [part], end: bounds.minX, score: 0 }];
  let best: Chain | undefined;
  for (let length = 0; length < LONGEST_CHAIN && beam.length > 0; length++) {
    const next: Chain[] = [];
    for (const chain of beam) {
      const last = chain.letters.at(-1);
      for (const entry of places.values()) {
        const box = boxOf(index, entry);
        const x = last ? last.x + last.letter.advance * size : bounds.minX - size * box.minX;
        if (x + size * box.maxX > bounds.maxX + 4 * slack || x + size * box.minX < bounds.minX - slack) continue;
        if (baseline + size * box.minY < bounds.minY - slack || baseline + size * box.maxY > bounds.maxY + slack)
          continue;
        if (x + size * box.minX > chain.end + 2 * slack || x + size * box.maxX < chain.end) continue;
        const letter = setting.letterAt(entry);
        // Kerning moves it; the first test is without, which saves the layout of most pairs.
        if (last && layLetter(part, letter, entry, x, setting, 3 * slack) === undefined) continue;
        const place = last
          ? last.x + size * (fonts.outline({ ...face, text: last.letter.text + letter.text })!.advance - letter.advance)
          : x;
        const fit = layLetter(part, letter, entry, place, setting, 0.03 * capHeight);
        if (fit === undefined) continue;
        const rest = letter.parts.length > 1 ? findRest(letter, index.part[entry]!, place, open, setting) : [];
        if (!rest) continue;
        next.push({
          letters: [...chain.letters, { letter, x: place }],
          parts: [...chain.parts, ...rest],
          end: Math.max(chain.end, place + size * box.maxX),
          score: chain.score + fit,
        });
      }
    }
    next.sort((a, b) => b.score - a.score);
    for (const chain of next) {
      if (Math.abs(chain.end - bounds.maxX) > slack) continue;
      if (!best || chain.score > best.score) best = chain;
    }
    beam = next.filter(({ end }) => end < bounds.maxX - slack / 2).slice(0, BEAM);
  }
  return best;
}

const areaOf = (index: LetterIndex, entry: number) => {
  const { minX, minY, maxX, maxY } = boxOf(index, entry);
  return (maxX - minX) * (maxY - minY);
};

/** Returns the other parts of a letter that is part of a chain; undefined where one is missing. */
function findRest(letter: Letter, main: number, x: number, open: ReadonlySet<Part>, setting: Setting) {
  return findParts({ ...letter, parts: letter.parts.filter((_, i) => i !== main) }, x, open, setting);
}

/**
 * Lays a letter on a part it is only a piece of. Returns how much more of its outline lies on that of the part than
 * does not, in ems of outline; undefined where it does not fit.
 */
function layLetter(
  part: Part,
  letter: Letter,
  entry: number,
  x: number,
  { size, baseline, capHeight, index }: Setting,
  reach: number,
): number | undefined {
  const main = letter.parts[index.part[entry]!]!;
  const { on, inside, outside } = layOutline(part, main, { scale: size, x, y: baseline }, capHeight / 20, reach);
  const count = on + inside + outside;
  if (outside > MOST_OUTSIDE * count || on < LEAST_ON_OUTLINE * count) return undefined;
  return ((on - inside - 3 * outside) * capHeight) / 20 / size;
}

/** Letter spacing below this is the tracer's noise, in ems. */
const SMALL_SPACING = 0.012;

/** Finds the spaces between letters, and the letter spacing, from how far apart the letters stand. */
function spell(row: readonly PlacedLetter[], { face, size, space, fonts }: Setting) {
  const gaps: number[] = [];
  for (let i = 1; i < row.length; i++) {
    const [before, after] = [row[i - 1]!, row[i]!];
    // The advance of a pair less that of its second letter: with the kerning between them.
    const pair = fonts.outline({ ...face, text: before.letter.text + after.letter.text })!.advance;
    gaps.push((after.x - before.x) / size - (pair - after.letter.advance));
  }
  const least = Math.min(...gaps);
  const close = gaps.filter((gap) => gap < least + 0.6 * space);
  const spacing = close.length > 0 ? median(close) : 0;
  const letterSpacing = Math.abs(spacing) < SMALL_SPACING ? 0 : Math.round(spacing * 1000) / 1000;
  let text = row[0]!.letter.text;
  for (const [i, gap] of gaps.entries()) {
    const spaces = Math.min(3, Math.max(0, Math.round((gap - spacing) / (space + spacing))));
    text += ' '.repeat(spaces) + row[i + 1]!.letter.text;
  }
  return { text, letterSpacing };
}

/** Sets the text at the width of the drawing, moves it to where it fits best, and compares outline with outline. */
function compareText(
  line: readonly Part[],
  words: Face & { text: string; letterSpacing: number },
  { baseline, size: guess, capHeight, fonts }: Setting,
): Lettering | undefined {
  const text = fonts.outline(words);
  if (!text) return undefined;
  const parts = splitParts(readContours(text.d), TEXT_TOLERANCE);
  const box = boundsOf(line);
  const own = boundsOf(parts);
  let scale = (box.maxX - box.minX) / (own.maxX - own.minX);
  let x = box.minX - scale * own.minX;
  let y = (box.minY + box.maxY - scale * (own.minY + own.maxY)) / 2;
  if (Math.abs(scale / guess - 1) > 0.05 || Math.abs(y - baseline) > BOX_SLACK * capHeight) return undefined;
  const step = capHeight / 30;
  for (let round = 0; round < FIT_ROUNDS; round++) {
    ({ scale, x, y } = fitPlacement(line, parts, { scale, x, y }, step, capHeight / 2));
  }
  const there = parts.map((part) => placePart(part, { scale, x, y }));
  let error = 0;
  for (const [from, to] of [
    [line, there],
    [there, line],
  ] as const) {
    for (const part of from) {
      const { rms, largest } = measureTo(part, to, Math.min(step, heightOf(part) / 8), capHeight / 2);
      if (rms > MOST_RMS * capHeight || largest > MOST_DEVIATION * capHeight) return undefined;
      error = Math.max(error, rms / capHeight);
    }
  }
  return { ...words, size: scale, x, y, capHeight, error, box };
}

/** The text is flattened to this many ems. */
const TEXT_TOLERANCE = 0.002;
const FIT_ROUNDS = 3;
