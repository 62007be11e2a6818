/** Gang sheets of true shapes: pieces lie in each other's bays. */
import { growRings, type Ring, ringArea, ringBounds } from '../geometry/rings.ts';
import { seededRandom } from '../svg/seededRandom.ts';
import { Cells, coverRing, type Mask } from './cells.ts';
import { type GangSheet, packGang } from './gang.ts';
import { MAX_SHEET_PIECES, type Placement, RIGHT_ANGLES, type RightAngle, type Sheet, type SizeMm } from './sheet.ts';
import type { Silhouette } from './silhouette.ts';

/** More pieces are packed by their boxes. */
export const MOST_NESTED = 500;

/** A piece by its box, and by its shape, which lies in the box. */
export interface NestPiece extends SizeMm {
  readonly silhouette: Silhouette;
}

/** The side of a cell, mm: a gap may be wider by about one. */
const CELL_MM = 0.5;
/** A sheet has at most so many columns of cells. */
const MOST_COLUMNS = 2_048;
/** What grown outlines fall short by: arcs, and the places of the file's numbers. */
const SLACK_MM = 0.015;
/** So many words of cells are read for better orders of a sheet, a piece: about 2 ms. */
const WORK_PER_PIECE = 200_000;
/** An order is counted as so much a piece at least. */
const LEAST_WORK = 1_000;
const SEED = 20_101;
/** How full shapes make a sheet, as a first guess, and how far the next one is from it. */
const GUESS = { fill: 0.8, step: 0.08 } as const;
/** A sheet may have fewer pieces than the most by this part of them. */
const COUNT_STEP = 0.02;

/**
 * Packs pieces by their silhouettes onto sheets, each with the next of the list, the last one as short as it can be
 * found. Returns the sheets of `packGang` where those are as short, and for more than `MOST_NESTED` pieces. Throws as
 * it does. Deterministic: the search ends after so much work, whatever the time. Cost: up to 5 s for 500 pieces.
 */
export function nestGang(gang: GangSheet, pieces: readonly NestPiece[]): Sheet[] {
  const boxSheets = packGang(gang, pieces);
  if (pieces.length > MOST_NESTED) return boxSheets;
  const sheets = nestSheets(gang, pieces);
  const isShorter =
    sheets.length < boxSheets.length || (sheets.length === boxSheets.length && lengthOf(sheets) < lengthOf(boxSheets));
  return isShorter ? sheets : boxSheets;
}

/** Returns the length of film that sheets take, mm. */
export const lengthOf = (sheets: readonly Sheet[]): number => sheets.reduce((sum, { heightMm }) => sum + heightMm, 0);

/** Returns the share of sheets that shapes cover, 0…1. */
export function shapeFill(sheets: readonly Sheet[], silhouettes: readonly Silhouette[]): number {
  const whole = sheets.reduce((sum, { widthMm, heightMm }) => sum + widthMm * heightMm, 0);
  return whole === 0 ? 0 : silhouettes.reduce((sum, ring) => sum + ringArea(ring), 0) / whole;
}

/** A silhouette at a right angle. */
interface Pose {
  readonly angleDeg: RightAngle;
  readonly mask: Mask;
  /** The size of the silhouette. */
  readonly width: number;
  readonly height: number;
  /** From the top left corner of the silhouette to that of the box. */
  readonly boxX: number;
  readonly boxY: number;
}

/** What is to be placed: pieces of one shape have the same poses. */
interface Item {
  readonly index: number;
  readonly poses: readonly Pose[];
  readonly area: number;
  readonly longSide: number;
  readonly height: number;
}

interface Place {
  readonly index: number;
  readonly pose: Pose;
  /** In cells. */
  readonly x: number;
  readonly y: number;
}

interface Nest {
  readonly places: readonly Place[];
  /** To the end of the last silhouette, mm. */
  readonly length: number;
}

/** The measures of all sheets of a plan. */
interface Film {
  readonly gang: GangSheet;
  readonly cellMm: number;
  /** Cells around the sheet: gaps reach over its edges. */
  readonly rim: number;
}

function nestSheets(gang: GangSheet, pieces: readonly NestPiece[]): Sheet[] {
  const cellMm = Math.max(CELL_MM, gang.widthMm / MOST_COLUMNS);
  const film = { gang, cellMm, rim: Math.ceil((gang.gapMm / 2 + SLACK_MM) / cellMm) };
  const items = toItems(film, pieces);
  const sheets: Sheet[] = [];
  for (let first = 0; first < items.length; ) {
    const nest = nestNext(film, items.slice(first));
    const isFull = first + nest.places.length < items.length && nest.places.length < MAX_SHEET_PIECES;
    const own = items.slice(first, first + nest.places.length);
    const best = isFull ? nest : shorten(film, own, nest);
    sheets.push(toSheet(film, best));
    first += own.length;
  }
  return sheets;
}

/** Nests as many of the next items as one sheet holds. */
function nestNext(film: Film, items: readonly Item[]): Nest {
  const { widthMm, lengthMm } = film.gang;
  const most = Math.min(items.length, MAX_SHEET_PIECES);
  let count = 0;
  for (let sum = 0; count < most; count++) {
    sum += items[count]!.area;
    if (sum > GUESS.fill * widthMm * lengthMm) break;
  }
  let best: Nest | undefined;
  const counter = { work: 0 };
  let [low, high] = [0, most + 1];
  for (let next = Math.max(1, count); ; ) {
    const nest = tryOrder(film, [...items.slice(0, next)].sort(byArea), LOW_END, lengthMm, counter);
    if (nest) {
      best = nest;
      low = next;
    } else high = next;
    const isClose = high - low <= Math.max(1, low * COUNT_STEP);
    if (isClose || (best && counter.work > low * WORK_PER_PIECE)) break;
    const step = Math.max(1, Math.round(next * GUESS.step));
    const isBetween = low > 0 && high <= most;
    next = isBetween ? (low + high) >> 1 : nest ? Math.min(high - 1, next + step) : Math.max(low + 1, next - step);
  }
  if (!best) throw new RangeError('A piece is larger than the sheet.');
  return best;
}

const byArea = (a: Item, b: Item) => b.area - a.area || a.index - b.index;
const byLongSide = (a: Item, b: Item) => b.longSide - a.longSide || byArea(a, b);
const byHeight = (a: Item, b: Item) => b.height - a.height || byArea(a, b);

/** Where of its height a piece should lie as far up as it can: its end, or its middle. */
const LOW_END = 1;
const LOW_MIDDLE = 0.5;

/** Looks for a shorter sheet of the same items: by some orders, then by exchanges in the best of them. */
function shorten(film: Film, items: readonly Item[], nest: Nest): Nest {
  let best = nest;
  let bestOrder = [...items].sort(byArea);
  let bestPull = LOW_END;
  const counter = { work: 0 };
  const most = items.length * WORK_PER_PIECE;
  const attempt = (order: Item[], pull: number) => {
    if (counter.work >= most) return;
    const next = tryOrder(film, order, pull, best.length - 1e-6, counter);
    if (!next) return;
    [best, bestOrder, bestPull] = [next, order, pull];
  };
  for (const compare of [byArea, byLongSide, byHeight]) {
    for (const pull of [LOW_END, LOW_MIDDLE]) attempt([...items].sort(compare), pull);
  }
  const random = seededRandom(SEED);
  for (; counter.work < most && items.length > 1; counter.work += items.length * LEAST_WORK) {
    const order = [...bestOrder];
    for (let exchanges = 1 + Math.floor(random() * 3); exchanges > 0; exchanges--) {
      const [from, to] = [Math.floor(random() * order.length), Math.floor(random() * order.length)];
      const [item] = order.splice(from, 1);
      order.splice(to, 0, item!);
    }
    attempt(order, bestPull);
  }
  return best;
}

/**
 * Places items one after the other, each as far up and then as far left as it can lie, turned as is best for it.
 * Returns undefined when they reach beyond a length.
 */
function tryOrder(
  { gang, cellMm, rim }: Film,
  order: readonly Item[],
  pull: number,
  mostMm: number,
  counter = { work: 0 },
): Nest | undefined {
  const toCells = (mm: number) => Math.floor(mm / cellMm + 1e-9);
  const cells = new Cells(toCells(gang.widthMm) + 2 * rim + 3, toCells(mostMm) + 2 * rim + 3);
  // A sheet only fills: where a pose found no place above a row, it never will.
  const firstRows = new Map<Pose, number>();
  const places: Place[] = [];
  let length = 0;
  for (const { index, poses } of order) {
    let place: Place | undefined;
    let least = Infinity;
    for (const pose of poses) {
      const [mostX, mostY] = [toCells(gang.widthMm - pose.width), toCells(mostMm - pose.height)];
      if (mostX < 0) continue;
      const end = pull * pose.height;
      let y = firstRows.get(pose) ?? 0;
      for (; y <= mostY && y * cellMm + end < least; y++) {
        const x = cells.findPlace(pose.mask, y, mostX);
        if (x < 0) continue;
        place = { index, pose, x, y };
        least = y * cellMm + end;
        break;
      }
      firstRows.set(pose, y);
    }
    counter.work += cells.work;
    cells.work = 0;
    if (!place) return undefined;
    cells.fill(place.pose.mask, place.x, place.y);
    places.push(place);
    length = Math.max(length, place.y * cellMm + place.pose.height);
  }
  return { places, length };
}

function toItems(film: Film, pieces: readonly NestPiece[]): Item[] {
  const poses = new Map<string, readonly Pose[]>();
  return pieces.map(({ widthMm, heightMm, silhouette }, index) => {
    const key = `${widthMm} ${heightMm} ${silhouette.join(' ')}`;
    const own = poses.get(key) ?? toPoses(film, { widthMm, heightMm, silhouette });
    poses.set(key, own);
    const [{ width, height } = { width: 0, height: 0 }] = own;
    return { index, poses: own, area: ringArea(silhouette), longSide: Math.max(width, height), height };
  });
}

function toPoses({ gang, cellMm, rim }: Film, { widthMm, heightMm, silhouette }: NestPiece): Pose[] {
  const angles = gang.canRotate ? RIGHT_ANGLES : [0 as const];
  const masks = new Set<string>();
  return angles.flatMap((angleDeg) => {
    const ring = turnRing(silhouette, angleDeg);
    const box = ringBounds(turnRing([0, 0, widthMm, heightMm], angleDeg));
    const { minX, minY, maxX, maxY } = ringBounds(ring);
    const atCorner = ring.map((value, i) => value - (i % 2 === 0 ? minX : minY));
    const [reach = atCorner] = growRings([atCorner], gang.gapMm / 2 + SLACK_MM);
    const mask = coverRing(reach, -rim * cellMm, cellMm);
    const key = JSON.stringify(mask.runs);
    if (masks.has(key)) return [];
    masks.add(key);
    return {
      ...{ angleDeg, mask, width: maxX - minX, height: maxY - minY },
      ...{ boxX: box.minX - minX, boxY: box.minY - minY },
    };
  });
}

/** Turns points about the origin, clockwise. */
function turnRing(ring: Ring, angleDeg: RightAngle): Ring {
  const points: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const [x, y] = [ring[i]!, ring[i + 1]!];
    if (angleDeg === 0) points.push(x, y);
    else if (angleDeg === 90) points.push(-y, x);
    else if (angleDeg === 180) points.push(-x, -y);
    else points.push(y, -x);
  }
  return points;
}

/** Returns the line of a placed piece on its sheet. */
export function placeSilhouette(
  silhouette: Silhouette,
  { widthMm, heightMm }: SizeMm,
  { x, y, angleDeg }: Pick<Placement, 'x' | 'y' | 'angleDeg'>,
): Ring {
  const { minX, minY } = ringBounds(turnRing([0, 0, widthMm, heightMm], angleDeg));
  return turnRing(silhouette, angleDeg).map((value, i) => value + (i % 2 === 0 ? x - minX : y - minY));
}

/** Numbers the pieces from the top, as a person finds them. */
function toSheet({ gang, cellMm }: Film, { places, length }: Nest): Sheet {
  const placements = [...places]
    .sort((a, b) => a.y - b.y || a.x - b.x)
    .map(({ index, pose, x, y }, i) => ({
      ...{ piece: index, slot: i + 1, angleDeg: pose.angleDeg },
      ...{ x: round(x * cellMm + pose.boxX), y: round(y * cellMm + pose.boxY) },
    }));
  return { widthMm: gang.widthMm, heightMm: Math.min(gang.lengthMm, Math.ceil(length * 10 - 1e-6) / 10), placements };
}

const round = (mm: number) => Number(mm.toFixed(4));
