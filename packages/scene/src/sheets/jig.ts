/** Jigs: a board with equal slots, in which blanks lie side by side. */
import { MAX_SHEET_PIECES, type RightAngle, type Sheet, type SizeMm, turnSize } from './sheet.ts';

/** Lengths are in mm from the bed's top left corner. */
export interface Jig {
  readonly bedWidthMm: number;
  readonly bedHeightMm: number;
  readonly columns: number;
  readonly rows: number;
  /** From the middle of a slot to the middle of the next one. */
  readonly pitchXMm: number;
  readonly pitchYMm: number;
  /** The top left corner of the first slot. */
  readonly offsetXMm: number;
  readonly offsetYMm: number;
  /** Of the blank in each slot. */
  readonly rotationDeg: RightAngle;
  /** True where each second row runs backwards. */
  readonly isSerpentine: boolean;
  /** Places of slots that stay empty, row by row from 1, whatever the order. */
  readonly brokenSlots: readonly number[];
  /** The size of the blank, with the print area in its middle. Absent: that of the print area. */
  readonly blank?: SizeMm | undefined;
  /** The space around a blank in its slot. */
  readonly clearanceMm: number;
  /** True for a jig with registration marks in the corners of the bed. */
  readonly hasMarks: boolean;
}

export interface Slot extends SizeMm {
  /** The number that stands beside it: the order in which slots are filled, from 1. */
  readonly number: number;
  /** Its place row by row, from 1. */
  readonly place: number;
  /** The top left corner of the blank in it. */
  readonly x: number;
  readonly y: number;
  readonly isBroken: boolean;
}

const blankOf = ({ blank, rotationDeg }: Jig, piece: SizeMm): SizeMm => turnSize(blank ?? piece, rotationDeg);

/** Lists the slots in the order in which they are filled, broken ones too. */
export function slotsOf(jig: Jig, piece: SizeMm): Slot[] {
  const { columns, rows, pitchXMm, pitchYMm, offsetXMm, offsetYMm, isSerpentine } = jig;
  const broken = new Set(jig.brokenSlots);
  const size = blankOf(jig, piece);
  return Array.from({ length: columns * rows }, (_, i) => {
    const row = Math.floor(i / columns);
    const column = isSerpentine && row % 2 === 1 ? columns - 1 - (i % columns) : i % columns;
    const place = row * columns + column + 1;
    const at = { x: offsetXMm + column * pitchXMm, y: offsetYMm + row * pitchYMm };
    return { number: i + 1, place, ...at, ...size, isBroken: broken.has(place) };
  });
}

/** Returns how many pieces lie on a full sheet. */
export function countSlots({ columns, rows, brokenSlots }: Pick<Jig, 'columns' | 'rows' | 'brokenSlots'>): number {
  const slots = columns * rows;
  return slots - new Set(brokenSlots.filter((place) => place >= 1 && place <= slots)).size;
}

/** Lays pieces on sheets, in their order. The last sheet has the rest. Throws a RangeError for a jig without a slot. */
export function planJig(jig: Jig, piece: SizeMm, pieces: number): Sheet[] {
  const slots = slotsOf(jig, piece).filter(({ isBroken }) => !isBroken);
  if (slots.length === 0) throw new RangeError('A jig needs a slot.');
  const size = turnSize(piece, jig.rotationDeg);
  const bed = { widthMm: jig.bedWidthMm, heightMm: jig.bedHeightMm };
  return Array.from({ length: Math.ceil(pieces / slots.length) }, (_, sheet) => {
    const first = sheet * slots.length;
    const placements = slots.slice(0, pieces - first).map(({ number, x, y, widthMm, heightMm }, i) => ({
      ...{ piece: first + i, slot: number, angleDeg: jig.rotationDeg },
      // The print area lies in the middle of the blank.
      ...{ x: x + (widthMm - size.widthMm) / 2, y: y + (heightMm - size.heightMm) / 2 },
    }));
    return { ...bed, placements };
  });
}

/** So far numbers may be off by rounding, mm. */
const SLACK_MM = 0.001;

/** Returns what is wrong with a jig, in a sentence; undefined for one that can be used. */
export function findJigFault(jig: Jig, piece: SizeMm): string | undefined {
  const { columns, rows, pitchXMm, pitchYMm, offsetXMm, offsetYMm, clearanceMm, bedWidthMm, bedHeightMm, blank } = jig;
  if (columns * rows > MAX_SHEET_PIECES) return `A jig has at most ${MAX_SHEET_PIECES} slots.`;
  if (blank && (blank.widthMm < piece.widthMm - SLACK_MM || blank.heightMm < piece.heightMm - SLACK_MM)) {
    return `The print area of ${saySize(piece)} is larger than the blank of ${saySize(blank)}.`;
  }
  const { widthMm, heightMm } = blankOf(jig, piece);
  const room = { x: widthMm + 2 * clearanceMm, y: heightMm + 2 * clearanceMm };
  if (columns > 1 && pitchXMm < room.x + SLACK_MM) return sayOverlap('columns', 'wide', room.x, pitchXMm);
  if (rows > 1 && pitchYMm < room.y + SLACK_MM) return sayOverlap('rows', 'high', room.y, pitchYMm);
  if (offsetXMm < clearanceMm - SLACK_MM) return sayOutside('first column', 'left');
  if (offsetYMm < clearanceMm - SLACK_MM) return sayOutside('first row', 'top');
  const right = offsetXMm + (columns - 1) * pitchXMm + widthMm + clearanceMm;
  const bottom = offsetYMm + (rows - 1) * pitchYMm + heightMm + clearanceMm;
  if (right > bedWidthMm + SLACK_MM) return sayBeyond('columns', 'wide', right, bedWidthMm);
  if (bottom > bedHeightMm + SLACK_MM) return sayBeyond('rows', 'high', bottom, bedHeightMm);
  if (countSlots(jig) === 0) return 'Every slot is marked as broken. Mark one as whole.';
  return undefined;
}

/** The gap between the slots of a suggested jig, mm, in which a number has room. */
const GAP_MM = 8;
const EDGE_MM = 10;

/** Fills a bed with slots for a blank, as many as fit, in its middle. At least one, also where none fits. */
export function fillBed(bed: SizeMm, blank: SizeMm, clearanceMm: number): Omit<Jig, 'blank' | 'hasMarks'> {
  const slot = { x: blank.widthMm + 2 * clearanceMm, y: blank.heightMm + 2 * clearanceMm };
  const countOf = (bedMm: number, slotMm: number) =>
    Math.max(1, Math.floor((bedMm - 2 * EDGE_MM + GAP_MM) / (slotMm + GAP_MM)));
  const columns = Math.min(MAX_SHEET_PIECES, countOf(bed.widthMm, slot.x));
  const rows = Math.min(Math.max(1, Math.floor(MAX_SHEET_PIECES / columns)), countOf(bed.heightMm, slot.y));
  const pitch = { x: roundMm(slot.x + GAP_MM), y: roundMm(slot.y + GAP_MM) };
  const offsetOf = (bedMm: number, blankMm: number, count: number, pitchMm: number) =>
    Math.max(0, roundMm((bedMm - blankMm - (count - 1) * pitchMm) / 2));
  return {
    ...{ bedWidthMm: bed.widthMm, bedHeightMm: bed.heightMm, columns, rows, pitchXMm: pitch.x, pitchYMm: pitch.y },
    offsetXMm: offsetOf(bed.widthMm, blank.widthMm, columns, pitch.x),
    offsetYMm: offsetOf(bed.heightMm, blank.heightMm, rows, pitch.y),
    ...{ rotationDeg: 0, isSerpentine: false, brokenSlots: [], clearanceMm },
  };
}

const roundMm = (mm: number) => Math.round(mm * 10) / 10;
const say = (mm: number): string => String(Number(mm.toFixed(1)));
/** `100 × 60 mm` */
export const saySize = ({ widthMm, heightMm }: SizeMm): string => `${say(widthMm)} × ${say(heightMm)} mm`;

const sayOverlap = (lines: string, side: string, needsMm: number, pitchMm: number) =>
  `The ${lines} overlap: a slot is ${say(needsMm)} mm ${side}, and the pitch is ${say(pitchMm)} mm.`;
const sayOutside = (line: string, side: string) => `The ${line} reaches past the ${side} edge of the bed.`;
const sayBeyond = (lines: string, side: string, endMm: number, bedMm: number) =>
  `The ${lines} reach past the bed: they end at ${say(endMm)} mm, and the bed is ${say(bedMm)} mm ${side}.`;
