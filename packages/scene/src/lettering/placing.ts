/** Lays the letters of a face on the parts of a line. */
import { FAR, readChain } from './chains.ts';
import { type DistanceField, measureField } from './distanceField.ts';
import { boxOf, type Letter } from './faces.ts';
import { boundsOf, heightOf } from './lines.ts';
import { measureDistance, type Part } from './parts.ts';
import type { PlacedLetter, Setting } from './setting.ts';

/** How far the box of a part may be from that of the letter it shows, in cap heights. */
export const BOX_SLACK = 0.06;
/** A letter on a part of its own may be this far from it, as the votes place it: root mean square, and at its worst. */
const MOST_RMS = 0.0375;
const MOST_DEVIATION = 0.24;
/** A letter that is nearer than this is surely read: what touches or breaks is read as a stretch. */
const SURE_RMS = 0.015;
/** Parts that are taller than this share of the tallest part of the line are no dots or accents. */
const TALL = 0.4;
/** Pieces of a letter whose hairline is broken are no further apart than this, in cap heights. */
const BREAK = 0.15;
/** Nodes of the field of distances, in cap heights from each other. */
const CELL = 0.015;

/**
 * Lays letters on the parts of a line: those that are letters by themselves, the largest first, then those that touch
 * or are broken. Returns them from left to right; undefined where something is no letter of the face.
 */
export function placeLetters(line: readonly Part[], setting: Setting): PlacedLetter[] | undefined {
  const { capHeight } = setting;
  const open = new Set(line);
  const row = new Set<Placing>();
  const takeAlone = (part: Part, mostRms: number): boolean => {
    const match = matchLetter(part, open, setting, mostRms);
    if (!match) return false;
    row.add({ letters: [match], parts: match.parts });
    for (const own of match.parts) open.delete(own);
    return true;
  };
  const tallest = Math.max(...line.map(heightOf));
  for (const part of [...line].sort((a, b) => b.area - a.area)) {
    // The dot of an i that touches its neighbor is no letter of its own.
    if (open.has(part) && heightOf(part) > TALL * tallest) takeAlone(part, SURE_RMS);
  }
  if (open.size === 0) return sortRow(row);

  let field: DistanceField | undefined;
  const takeChain = (parts: readonly Part[]): boolean => {
    field ??= measureField(line, CELL * capHeight, FAR * capHeight);
    const letters = readChain(boundsOf(parts), field, setting);
    if (!letters) return false;
    row.add({ letters, parts });
    for (const part of parts) open.delete(part);
    return true;
  };
  /** A piece of a broken letter may look like another letter: reads it again with what is left of it. */
  const takeBroken = (parts: readonly Part[]): boolean => {
    const { minX, maxX } = boundsOf(parts);
    const gap = BREAK * capHeight;
    const sides = [...row].filter(({ parts }) => {
      const box = boundsOf(parts);
      return box.maxX > minX - gap && box.minX < maxX + gap;
    });
    for (const side of [...sides.map((one) => [one]), sides]) {
      if (side.length === 0 || !takeChain([...parts, ...side.flatMap((one) => one.parts)])) continue;
      for (const one of side) row.delete(one);
      return true;
    }
    return false;
  };
  for (const stretch of findStretches([...open], BREAK * capHeight)) {
    if (stretch.length === 1 && takeAlone(stretch[0]!, SURE_RMS)) continue;
    if (takeChain(stretch)) continue;
    for (const parts of findStretches(stretch, 0)) {
      if (stretch.length > 1 && takeChain(parts)) continue;
      if (parts.every((part) => !open.has(part) || takeAlone(part, MOST_RMS))) continue;
      if (!takeBroken(parts.filter((part) => open.has(part)))) return undefined;
    }
  }
  return sortRow(row);
}

/** Letters, and the parts they are laid on. */
interface Placing {
  readonly letters: readonly PlacedLetter[];
  readonly parts: readonly Part[];
}

const sortRow = (row: ReadonlySet<Placing>): PlacedLetter[] =>
  [...row].flatMap(({ letters }) => letters).sort((a, b) => a.x - b.x);

/** Groups parts that are at most a gap apart from left to right, or lie above each other. */
function findStretches(parts: readonly Part[], gap: number): Part[][] {
  const stretches: Part[][] = [];
  let end = -Infinity;
  for (const part of [...parts].sort((a, b) => a.bounds.minX - b.bounds.minX)) {
    if (part.bounds.minX > end + gap) stretches.push([part]);
    else stretches.at(-1)!.push(part);
    end = Math.max(end, part.bounds.maxX);
  }
  return stretches;
}

interface Match extends PlacedLetter {
  readonly parts: readonly Part[];
  /** In cap heights. */
  readonly rms: number;
}

/** Finds the letter that a part shows alone, with the other parts of that letter. */
function matchLetter(part: Part, open: ReadonlySet<Part>, setting: Setting, mostRms: number): Match | undefined {
  const { size, baseline, capHeight, index } = setting;
  const slack = BOX_SLACK * capHeight;
  const { bounds } = part;
  let best: Match | undefined;
  for (const entry of setting.entries) {
    const box = boxOf(index, entry);
    if (part.form.holes !== index.holes[entry]) continue;
    if (Math.abs(bounds.minY - baseline - size * box.minY) > slack) continue;
    if (Math.abs(bounds.maxY - baseline - size * box.maxY) > slack) continue;
    if (Math.abs(bounds.maxX - bounds.minX - size * (box.maxX - box.minX)) > 2 * slack) continue;
    const letter = setting.letterAt(index.letter[entry]!);
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
    if (rms > mostRms || largest > MOST_DEVIATION) continue;
    if (best && (parts.length < best.parts.length || (parts.length === best.parts.length && rms >= best.rms))) continue;
    best = { letter, x, parts, rms };
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
