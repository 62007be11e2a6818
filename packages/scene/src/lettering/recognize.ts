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
import type { Face, LetterIndex } from './faces.ts';
import { boundsOf, FEWEST_LETTERS, findLines, heightOf } from './lines.ts';
import { fitPlacement, measureOutline, measureTo, type Part, placePart, splitParts } from './parts.ts';
import { BOX_SLACK, placeLetters } from './placing.ts';
import { makeSetting, type PlacedLetter, type Setting } from './setting.ts';
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

/** Its strokes may be this much bolder or lighter on either side, on average over the line, in cap heights. */
const MOST_WEIGHT = 0.0015;

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

/** Reads the letters of a line in one face, sets them as text, and compares the text with the drawing. */
function setLine(line: readonly Part[], guess: Guess, index: LetterIndex, fonts: FontSource): Fit | undefined {
  const setting = makeSetting(guess, index, fonts);
  if (!setting) return undefined;
  const letterRow = placeLetters(line, setting);
  if (!letterRow) return undefined;
  const { text, letterSpacing } = spell(letterRow, setting);
  if ([...text].filter((character) => character !== ' ').length < FEWEST_LETTERS) return undefined;
  return compareText(line, letterRow, { ...setting.face, text, letterSpacing }, setting, fonts);
}

/** Letter spacing below this is the tracer's noise, in ems. */
const SMALL_SPACING = 0.012;

/** Letters have at most this many spaces between them. */
const MOST_SPACES = 3;

/** Finds the spaces between letters, and the letter spacing, from how far apart the letters stand. */
function spell(row: readonly PlacedLetter[], { size, gapOf }: Setting) {
  const pairs = row.slice(1).map(({ letter, x }, i) => ({
    letter,
    /** How much further apart they stand than they do in one word. */
    gap: (x - row[i]!.x) / size - gapOf(row[i]!.letter, letter),
    space: gapOf(row[i]!.letter, letter, 1) - gapOf(row[i]!.letter, letter),
  }));
  const least = Math.min(...pairs.map(({ gap }) => gap));
  const close = pairs.filter(({ gap, space }) => gap < least + 0.6 * space);
  const spacing = close.length > 0 ? median(close.map(({ gap }) => gap)) : 0;
  const letterSpacing = Math.abs(spacing) < SMALL_SPACING ? 0 : Math.round(spacing * 1000) / 1000;
  let text = row[0]!.letter.text;
  for (const { letter, gap, space } of pairs) {
    const spaces = Math.min(MOST_SPACES, Math.max(0, Math.round((gap - spacing) / (space + spacing))));
    text += ' '.repeat(spaces) + letter.text;
  }
  return { text, letterSpacing };
}

/** Sets the text at the width of the drawing, moves it to where it fits best, and compares outline with outline. */
function compareText(
  line: readonly Part[],
  row: readonly PlacedLetter[],
  words: Face & { text: string; letterSpacing: number },
  { baseline, size: guess, capHeight }: Setting,
  fonts: FontSource,
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
  const ends = findEnds(row, scale);
  let error = 0;
  for (const [from, to] of [
    [line, there],
    [there, line],
  ] as const) {
    // Parts are no letters: those of scripts join, and some break.
    const squares = row.map(() => 0);
    const counts = row.map(() => 0);
    const count = (x: number, square: number) => {
      let letter = 0;
      while (letter < ends.length && x > ends[letter]!) letter++;
      squares[letter]! += square;
      counts[letter]!++;
    };
    for (const part of from) {
      const { largest } = measureTo(part, to, Math.min(step, heightOf(part) / 8), capHeight / 2, count);
      if (largest > MOST_DEVIATION * capHeight) return undefined;
    }
    for (const [letter, count] of counts.entries()) {
      if (count > 0) error = Math.max(error, Math.sqrt(squares[letter]! / count) / capHeight);
    }
  }
  if (error > MOST_RMS) return undefined;
  if (Math.abs(measureWeight(line, there)) > MOST_WEIGHT * capHeight) return undefined;
  return { ...words, size: scale, x, y, capHeight, error };
}

/** Returns the places between the letters of a row: one less than it has letters. */
function findEnds(row: readonly PlacedLetter[], size: number): number[] {
  const boxes = row.map(({ letter, x }) => ({ x, ...boundsOf(letter.parts) }));
  return boxes.slice(1).map(({ x, minX }, i) => (x + size * minX + boxes[i]!.x + size * boxes[i]!.maxX) / 2);
}

/** Returns how far the outlines of parts lie inside those of others, on average: the others are bolder. */
function measureWeight(parts: readonly Part[], others: readonly Part[]): number {
  const areaOf = (all: readonly Part[]) => all.reduce((sum, { area }) => sum + area, 0);
  return (areaOf(others) - areaOf(parts)) / others.reduce((sum, part) => sum + measureOutline(part), 0);
}

/** The text is flattened to this many ems. */
const TEXT_TOLERANCE = 0.002;
const FIT_ROUNDS = 3;
