/**
 * Recognizes lettering: finds lines of letters among the shapes of a drawing, and the face, the text, the size and the
 * letter spacing that draw them.
 *
 * A letter that is compared with a letter of a face gives a size and a baseline. Where a line is set in a face, all of
 * its letters give the same ones: faces are found by their votes (a Hough transform). What was found is set as text
 * and compared with the drawing, outline by outline; only that decides.
 */
import type { Point } from '../geometry/matrix.ts';
import {
  type Contour,
  type PathBounds,
  type PathData,
  readContours,
  transformContours,
  writeContours,
} from '../geometry/pathData.ts';
import type { FontSource } from '../resolve/scene.ts';
import { boxOf, type Face, LETTERS, type Letter, type LetterIndex, readLetter } from './faces.ts';
import { boundsOf, FEWEST_LETTERS, findLines, heightOf, widthOf } from './lines.ts';
import { fitPlacement, layOutline, measureDistance, measureTo, type Part, placePart, splitParts } from './parts.ts';
import { type Guess, guessFaces, median } from './votes.ts';

/** The face, the words and the place that fit a line. Lengths are in the units of the drawing. */
interface Fit extends Face {
  readonly text: string;
  /** One em. */
  readonly size: number;
  /** In ems, as text elements store it. */
  readonly letterSpacing: number;
  /** The left end of the baseline. */
  readonly x: number;
  readonly y: number;
  /** Height of the letter H. */
  readonly capHeight: number;
  /** The greatest distance of a letter's outline from the face's, as a root mean square, in cap heights. */
  readonly error: number;
}

/** A line of lettering that a face draws. */
export interface Lettering extends Fit {
  /** The middle of the box of the text's line, which a text element is placed by. */
  readonly middle: Point;
  /** The boxes of the parts that the text replaces. */
  readonly parts: readonly PathBounds[];
  /** What the drawing shows of the line, and the text in its place: for a comparison on a screen. */
  readonly traced: PathData;
  readonly outline: PathData;
}

/** A line of letters, and the faces that it may be set in. */
export interface Candidate {
  readonly line: readonly Part[];
  readonly guesses: readonly Guess[];
}

/** A letter may be this far from the face's: root mean square, and at its worst point, in cap heights. */
const MOST_RMS = 0.015;
const MOST_DEVIATION = 0.12;

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
  return readLines(guessLines(findLetterLines(contours, tolerance), index), index, fonts);
}

/** The first step, which needs neither index nor fonts: returns what may be lines of letters. */
export const findLetterLines = (contours: readonly Contour[], tolerance: number): (readonly Part[])[] =>
  findLines(splitParts(contours, tolerance));

/** The second step: returns the lines that a face may draw. The third one needs all files of those faces. */
export const guessLines = (lines: readonly (readonly Part[])[], index: LetterIndex): Candidate[] =>
  lines.map((line) => ({ line, guesses: guessFaces(line, index) })).filter(({ guesses }) => guesses.length > 0);

/** The third step: returns the lines that a face does draw, from top to bottom. */
export function readLines(candidates: readonly Candidate[], index: LetterIndex, fonts: FontSource): Lettering[] {
  return candidates.flatMap((candidate) => readLine(candidate, index, fonts) ?? []).sort((a, b) => a.y - b.y);
}

function readLine({ line, guesses }: Candidate, index: LetterIndex, fonts: FontSource): Lettering | undefined {
  let best: Fit | undefined;
  for (const guess of guesses) {
    const fit = setLine(line, guess, index, fonts);
    if (fit && (!best || fit.error < best.error)) best = fit;
  }
  return best && toLettering(best, line, fonts);
}

/** Decimals of the paths for a screen. */
const SCREEN_DECIMALS = 2;

function toLettering(fit: Fit, line: readonly Part[], fonts: FontSource): Lettering {
  const { d, advance, ascent, descent } = fonts.outline(fit)!;
  const { x, y, size } = fit;
  const rings = line.flatMap((part) => part.rings);
  const contours = rings.map((ring) => ({
    commands: Array.from({ length: ring.length / 2 - 1 }, () => 'L' as const),
    points: [...ring],
    isClosed: true,
  }));
  const place = { a: size, b: 0, c: 0, d: size, e: x, f: y };
  return {
    ...fit,
    middle: { x: x + (size * advance) / 2, y: y + (size * (descent - ascent)) / 2 },
    parts: line.map(({ bounds }) => bounds),
    traced: writeContours(contours, SCREEN_DECIMALS),
    outline: writeContours(transformContours(readContours(d), place), SCREEN_DECIMALS),
  };
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
function setLine(line: readonly Part[], guess: Guess, index: LetterIndex, fonts: FontSource): Fit | undefined {
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
): Fit | undefined {
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
  return { ...words, size: scale, x, y, capHeight, error };
}

/** The text is flattened to this many ems. */
const TEXT_TOLERANCE = 0.002;
const FIT_ROUNDS = 3;
