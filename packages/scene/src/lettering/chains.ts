/**
 * Letters that are no parts of their own: they touch, as those of scripts do, or their hairlines break. They are read
 * from the left: each next letter stands where the advance of the one before puts it (a beam search).
 */
import type { PathBounds } from '../geometry/pathData.ts';
import { type DistanceField, distanceAt } from './distanceField.ts';
import { LETTERS, type Letter } from './faces.ts';
import { pointsOf } from './parts.ts';
import type { PlacedLetter, Setting } from './setting.ts';

/** The letters of a chain may be wider than what they are laid on, in cap heights. */
const SLACK = 0.08;
/** A point this near to an outline of the line lies on it, in cap heights. */
const NEAR = 0.03;
/** Kerning moves a letter by no more than this, in cap heights. */
export const FAR = 0.24;
/** Share of a letter's outline that lies on the outlines of the line; where letters touch, some of it is inside. */
const LEAST_ON_OUTLINE = 0.55;
/** Share of a letter's outline that lies outside. */
const MOST_OUTSIDE = 0.04;
/** Points of a letter's outline, in cap heights from each other. */
const STEP = 0.05;
/** A letter is moved to where it fits best, because of its kerning: so many steps to either side, cap heights each. */
const MOST_MOVES = 12;
const MOVE = 0.015;
/** A size that is a little off moves it besides, in cap heights. */
const MOST_DRIFT = 0.05;
/** What is written in one piece. Other signs look like dots and strokes of letters. */
const WRITING = /^[\p{L}\p{N}&]+$/u;
/** A sign may end it. */
const LAST = /^[.,’'!?]$/;
/** Chains that end within one bin, in cap heights, are rivals: so many of them go on. */
const BIN = 0.1;
const RIVALS = 4;

interface Chain {
  readonly letters: readonly PlacedLetter[];
  /** Where the next letter stands without kerning. */
  readonly pen: number;
  /** Right end of its ink. */
  readonly end: number;
  /** Points that lie on outlines, less those that do not. */
  readonly score: number;
}

/**
 * Reads the letters of a stretch of a line, whose ends are those of its first and last letter. Returns undefined where
 * no letters of the face draw it.
 */
export function readChain(stretch: PathBounds, field: DistanceField, setting: Setting): PlacedLetter[] | undefined {
  const { size, baseline, capHeight } = setting;
  const slack = SLACK * capHeight;
  const outlines = new Map<Letter, Float64Array>();
  const outlineOf = (letter: Letter): Float64Array => {
    const points = outlines.get(letter) ?? pointsOf(letter.parts, (STEP * capHeight) / size);
    outlines.set(letter, points);
    return points;
  };
  const places = [...setting.boxes].filter(
    ([place, box]) =>
      (WRITING.test(LETTERS[place]!) || LAST.test(LETTERS[place]!)) &&
      baseline + size * box.minY > stretch.minY - slack &&
      baseline + size * box.maxY < stretch.maxY + slack,
  );
  const bins: Chain[][] = [];
  const binOf = (pen: number) => Math.max(0, Math.floor((pen - stretch.minX) / (BIN * capHeight)));
  let best: Chain | undefined;
  const extend = (chain: Chain): void => {
    const last = chain.letters.at(-1);
    for (const [place, box] of places) {
      const x = last ? chain.pen : stretch.minX - size * box.minX;
      if (x + size * box.maxX > stretch.maxX + FAR * capHeight || x + size * box.minX < stretch.minX - slack) continue;
      if (x + size * box.minX > chain.end + 2 * slack || x + size * box.maxX < chain.end) continue;
      const letter = setting.letterAt(place);
      const points = outlineOf(letter);
      if (last && layOutline(points, x, FAR * capHeight, field, setting) === undefined) continue;
      let score: number | undefined;
      let at = x;
      const most = last ? MOST_MOVES : 0;
      for (let move = -most; move <= most; move++) {
        const there = x + move * MOVE * capHeight;
        const fit = layOutline(points, there, NEAR * capHeight, field, setting);
        if (fit === undefined || (score !== undefined && fit <= score)) continue;
        [score, at] = [fit, there];
      }
      if (score === undefined) continue;
      // To lay out a pair is slow, so the kerning is read last.
      const start = last ? last.x + size * setting.gapOf(last.letter, letter) : x;
      if (Math.abs(at - start) > MOST_DRIFT * capHeight) continue;
      const end = Math.max(chain.end, at + size * box.maxX);
      const isEnd = Math.abs(end - stretch.maxX) <= slack;
      if (!isEnd && LAST.test(letter.text)) continue;
      const next: Chain = {
        letters: [...chain.letters, { letter, x: at }],
        pen: at + size * letter.advance,
        end,
        score: chain.score + score,
      };
      if (isEnd && (!best || next.score > best.score)) best = next;
      if (next.pen <= chain.pen || next.end > stretch.maxX - slack / 2) continue;
      const bin = Math.max(binOf(next.pen), binOf(chain.pen) + 1);
      bins[bin] ??= [];
      bins[bin].push(next);
    }
  };
  extend({ letters: [], pen: stretch.minX - capHeight, end: stretch.minX, score: 0 });
  for (let bin = 0; bin < bins.length; bin++) {
    const rivals = (bins[bin] ?? []).sort((a, b) => b.score - a.score).slice(0, RIVALS);
    for (const chain of rivals) extend(chain);
  }
  return best && [...best.letters];
}

/**
 * Lays points of the outline of a letter on the line. Returns how many more of them lie on its outlines, which are
 * nearer than `near`, than do not; undefined where the letter does not fit.
 */
function layOutline(
  points: Float64Array,
  x: number,
  near: number,
  field: DistanceField,
  { size, baseline }: Setting,
): number | undefined {
  let [on, outside] = [0, 0];
  const count = points.length / 2;
  for (let i = 0; i < points.length; i += 2) {
    const distance = distanceAt(field, x + size * points[i]!, baseline + size * points[i + 1]!);
    if (Math.abs(distance) < near) on++;
    else if (distance > 0 && ++outside > MOST_OUTSIDE * count) return undefined;
  }
  const inside = count - on - outside;
  return on < LEAST_ON_OUTLINE * count ? undefined : on - inside - 3 * outside;
}
