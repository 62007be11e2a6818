/** Fits the texts of a row into their boxes, and names what is wrong with a row. */
import type { Composition, TextElement } from '../document/composition.ts';
import { elementIdOf, findElement } from '../document/elements.ts';
import { isCode, isText } from '../document/initial.ts';
import { MAX_TEXT_LENGTH, OFFSET_LIMIT } from '../document/limits.ts';
import type { Point } from '../geometry/matrix.ts';
import { machineLimits } from '../preflight/machineLimits.ts';
import { capHeight } from '../preflight/preflight.ts';
import {
  areaAspect,
  findCircleRoom,
  findCodeFault,
  findMissingLetters,
  MM_PER_INCH,
  resolveScene,
} from '../resolve/resolve.ts';
import type { Assets, ElementBox } from '../resolve/scene.ts';
import { toColumnKey, toPictureKey } from './keys.ts';
import type { RowPictures } from './pictures.ts';
import {
  bindRow,
  columnsOf,
  placeholders,
  type Row,
  readCellColor,
  type Template,
  templatesOf,
  toRow,
} from './template.ts';

/** The least size of a text that was shrunk, in percent of its size. */
export const FIT_MINIMUM = { min: 20, max: 100, initial: 60 } as const;

export interface FitOptions {
  /** In percent of the text's own size. */
  readonly minimumPercent?: number | undefined;
  /** What is done with a text that is too long at the minimum: it becomes two lines, or is a finding. */
  readonly overflow?: 'break' | 'ask' | undefined;
  /** Widths of boxes in mm by element id. Others are as wide as what stands in the composition. */
  readonly widthsMm?: Readonly<Record<string, number>> | undefined;
  /**
   * Words by the names of columns. With them, boxes are as wide as these words, and those of straight centered texts
   * as wide as the machine area leaves room for.
   */
  readonly sample?: Readonly<Record<string, string>> | undefined;
}

/** What is wrong with a row, or notable. */
export type RowFinding =
  | { readonly kind: 'empty'; readonly column: string }
  | { readonly kind: 'tooLong'; readonly length: number; readonly most: number }
  | { readonly kind: 'missingGlyphs'; readonly letters: readonly string[] }
  | { readonly kind: 'doesNotFit'; readonly needsMm: number; readonly hasMm: number }
  | { readonly kind: 'lowCaps'; readonly capMm: number; readonly leastMm: number }
  | { readonly kind: 'double'; readonly rowNumber: number }
  | { readonly kind: 'badCode'; readonly sentence: string }
  | { readonly kind: 'badColor'; readonly column: string; readonly cell: string }
  | { readonly kind: 'noPicture'; readonly column: string; readonly cell: string }
  | { readonly kind: 'stagePicture'; readonly column: string };

/** True for a finding that makes the piece a wrong one. The others are made as they are. */
export const isWrong = ({ kind }: RowFinding): boolean =>
  kind !== 'lowCaps' && kind !== 'double' && kind !== 'stagePicture';

/** A text as a row has it. */
export interface RowText {
  readonly elementId: string;
  /** Its lines. */
  readonly text: string;
  /** Of the size that the composition says. */
  readonly percent: number;
  readonly isBroken: boolean;
}

export interface RowFit {
  /** The composition with the texts of the row, each in its box where there is no finding about it. */
  readonly composition: Composition;
  readonly texts: readonly RowText[];
  readonly findings: readonly RowFinding[];
}

/** Texts are a little narrower than their box rather than wider: percents are cut to this many decimals. */
const PERCENT_STEP = 0.1;
/** So much of a box is the rounding of numbers, mm. */
const TOLERANCE_MM = 0.001;

/** Returns the widths of texts as they stand there, in mm by element id: by default of those with placeholders. */
export function sampleWidths(
  composition: Composition,
  assets: FitAssets,
  elementIds: readonly string[] = placeholders(composition).map(({ elementId }) => elementId),
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    elementIds.flatMap((elementId) => {
      const element = findElement(composition, elementId);
      if (!element || !isText(element)) return [];
      const { groups, widthMm } = resolveOne(composition, element, assets);
      // A text of which nothing is drawn has no box of its own.
      return [[elementId, groups[0]?.sizeMm.width ?? widthMm]];
    }),
  );
}

/** The share of its room that a text may take: the rest is air at the edges of the machine area. */
const ROOM_SHARE = 0.9;

/** Returns the widths of boxes for words that nobody knows yet, in mm by element id. `sample` is a piece. */
function roomWidths(sample: Composition, assets: FitAssets, elementIds: readonly string[]): Record<string, number> {
  const widths = { ...sampleWidths(sample, assets, elementIds) };
  for (const elementId of elementIds) {
    const element = findElement(sample, elementId);
    if (!element || !isText(element) || element.textAlign !== 'center' || element.bend !== 0 || element.circle)
      continue;
    const frame = resolveOne(sample, element, assets);
    widths[elementId] = Math.max(widths[elementId] ?? 0, ROOM_SHARE * roomAround(element, frame));
  }
  return widths;
}

/** Returns how long a line of a text's direction may be with its middle at the text's place, mm. */
function roomAround(element: TextElement, frame: MeasuredText['frame']): number {
  const along = direction(element.angleDeg);
  const { x, y } = originOf(element, frame);
  const reach = (at: number, step: number, lengthMm: number) =>
    Math.abs(step) < 1e-9 ? Number.POSITIVE_INFINITY : Math.min(at, lengthMm - at) / Math.abs(step);
  return 2 * Math.min(reach(x, along.x, frame.widthMm), reach(y, along.y, frame.heightMm));
}

/** The fonts are a book's `unjoined`: only boxes are measured. Without `figures` no code is tried. */
export interface FitAssets extends Pick<Assets, 'product' | 'fonts' | 'figures'> {
  /** The pictures that rows may name. Absent: there are none. */
  readonly pictures?: RowPictures | undefined;
}

/**
 * Returns a function that fits one row. The box of a text lies in the middle of the text's own place, and the text
 * stands in it as it is aligned. That of a text on a circle is its arc. A text is shrunk as much as it must, down to
 * the minimum. Fonts of the texts have to
 * be in the book. Cost of a row: its texts are outlined once, and once more for each gap where they may be broken.
 */
export function createFitter(
  composition: Composition,
  assets: FitAssets,
  { minimumPercent = FIT_MINIMUM.initial, overflow = 'ask', widthsMm = {}, sample }: FitOptions = {},
): (row: Row) => RowFit {
  const templates = placeholders(composition);
  const colorColumns = new Set(templatesOf(composition).flatMap(({ colorColumn }) => colorColumn ?? []));
  const pictureColumns = new Set(templatesOf(composition).flatMap(({ pictureColumn }) => pictureColumn ?? []));
  const { pictures = new Map() } = assets;
  const source = { pictures, areaAspect: areaAspect(composition, assets.product) };
  const elementIds = templates.map(({ elementId }) => elementId);
  const ownBoxes = sample
    ? roomWidths(bindRow(composition, toRow(Object.keys(sample), Object.values(sample))), assets, elementIds)
    : sampleWidths(composition, assets, elementIds);
  const boxes = { ...ownBoxes, ...widthsMm };
  const { capMm: leastMm } = machineLimits[composition.machine];

  return (row) => {
    let piece = bindRow(composition, row, source);
    const texts: RowText[] = [];
    const findings: RowFinding[] = [
      ...findEmpty(templates, row),
      ...findBadColors(colorColumns, row),
      ...findMissingPictures(pictureColumns, pictures, row),
    ];
    for (const { elementId } of templates) {
      const element = findElement(piece, elementId);
      if (element && isCode(element)) {
        const fault = element.data.trim() === '' ? undefined : findCodeFault(element, assets);
        if (fault) findings.push({ kind: 'badCode', sentence: fault.sentence });
      }
      if (!element || !isText(element)) continue;
      const widthMm = boxes[elementId];
      if (element.text.trim() === '' || widthMm === undefined) continue;
      if (element.text.length > MAX_TEXT_LENGTH) {
        findings.push({ kind: 'tooLong', length: element.text.length, most: MAX_TEXT_LENGTH });
        continue;
      }
      const missing = findMissingLetters(element, assets.fonts);
      if (missing) findings.push({ kind: 'missingGlyphs', letters: missing.letters });
      const fit = fitText({ composition: piece, assets, minimumPercent, overflow, widthMm }, element);
      if (!fit) continue;
      if (fit.needsMm !== undefined) {
        findings.push({ kind: 'doesNotFit', needsMm: fit.needsMm, hasMm: fit.hasMm ?? widthMm });
      }
      const capMm = fit.element.heightInches * MM_PER_INCH * capHeight(element, assets.fonts);
      if (capMm < leastMm - 0.005) findings.push({ kind: 'lowCaps', capMm, leastMm });
      texts.push({
        elementId,
        text: fit.element.text,
        percent: fit.percent,
        isBroken: fit.element.text !== element.text,
      });
      piece = withElement(piece, fit.element);
    }
    return { composition: piece, texts, findings };
  };
}

function findEmpty(templates: readonly Template[], row: Row): RowFinding[] {
  const columns = new Map(templates.flatMap(({ columns }) => columns).map((name) => [toColumnKey(name), name]));
  return [...columns].flatMap(([key, column]) =>
    (row.get(key) ?? '').trim() === '' ? [{ kind: 'empty' as const, column }] : [],
  );
}

/** An empty cell is no fault: the element keeps its color. */
const findBadColors = (columns: Iterable<string>, row: Row): RowFinding[] =>
  [...columns].flatMap((column) => {
    const cell = (row.get(toColumnKey(column)) ?? '').trim();
    return cell === '' || readCellColor(cell) !== undefined ? [] : [{ kind: 'badColor' as const, column, cell }];
  });

/** An empty cell is no fault: the picture on the stage is used. */
const findMissingPictures = (columns: Iterable<string>, pictures: RowPictures, row: Row): RowFinding[] =>
  [...columns].flatMap((column): RowFinding[] => {
    const cell = (row.get(toColumnKey(column)) ?? '').trim();
    if (cell === '') return [{ kind: 'stagePicture', column }];
    return pictures.has(toPictureKey(cell)) ? [] : [{ kind: 'noPicture', column, cell }];
  });

/**
 * Returns for each row the number of an earlier one with the same cells in the columns of these templates, from 1, or
 * undefined. Cost: linear.
 */
export function findDoubles(templates: readonly Template[], rows: readonly Row[]): (number | undefined)[] {
  const keys = [...new Set(templates.flatMap(columnsOf).map(toColumnKey))];
  const firsts = new Map<string, number>();
  return rows.map((row, index) => {
    const content = JSON.stringify(keys.map((key) => row.get(key) ?? ''));
    const first = firsts.get(content);
    if (first === undefined) firsts.set(content, index + 1);
    return first;
  });
}

interface TextRoom {
  readonly composition: Composition;
  readonly assets: FitAssets;
  readonly minimumPercent: number;
  readonly overflow: 'break' | 'ask';
  /** Of the box. */
  readonly widthMm: number;
}

interface TextFit {
  readonly element: TextElement;
  readonly percent: number;
  /** The width that the text needs at its minimum, when the box is narrower. */
  readonly needsMm?: number;
  /** The length of its arc, where that is its room and no box. */
  readonly hasMm?: number;
}

/** Returns undefined for a text of which nothing is drawn. */
function fitText(room: TextRoom, element: TextElement): TextFit | undefined {
  if (element.circle) return fitCircle(room, element);
  const whole = measure(room, element);
  if (!whole) return undefined;
  const percent = percentFor(whole, room.widthMm);
  if (percent >= room.minimumPercent) return { element: place(room, whole, percent), percent };
  const broken = room.overflow === 'break' ? breakInTwo(room, element) : undefined;
  if (broken) return broken;
  const needsMm = (whole.widthMm * room.minimumPercent) / 100;
  return { element: place(room, whole, room.minimumPercent), percent: room.minimumPercent, needsMm };
}

/** Shrinks a text to the arc of its circle, which stays where and as large as it is. It is never broken. */
function fitCircle({ assets, minimumPercent }: TextRoom, element: TextElement): TextFit | undefined {
  const room = findCircleRoom(element, assets.fonts);
  if (!room) return undefined;
  const percent = roundPercent(100 * room.share);
  const atPercent = (percent: number) => ({ ...element, heightInches: (element.heightInches * percent) / 100 });
  if (percent >= minimumPercent) return { element: atPercent(percent), percent };
  const small = atPercent(minimumPercent);
  const { lengthMm, arcMm } = findCircleRoom(small, assets.fonts)!;
  return { element: small, percent: minimumPercent, needsMm: lengthMm, hasMm: arcMm };
}

/** Breaks a line at the gap between words that leaves it largest, if it then fits and stays in the machine area. */
function breakInTwo(room: TextRoom, element: TextElement): TextFit | undefined {
  const text = element.text.trim();
  if (text.includes('\n')) return undefined;
  let best: { readonly size: MeasuredText; readonly percent: number } | undefined;
  for (const { index, 0: gap } of text.matchAll(/\s+/gu)) {
    const lines = `${text.slice(0, index)}\n${text.slice(index + gap.length)}`;
    const size = measure(room, { ...element, text: lines });
    if (!size) continue;
    const percent = percentFor(size, room.widthMm);
    if (percent > (best?.percent ?? 0)) best = { size, percent };
  }
  if (!best || best.percent < room.minimumPercent) return undefined;
  const twoLines = place(room, best.size, best.percent);
  return isInside(room, twoLines) ? { element: twoLines, percent: best.percent } : undefined;
}

interface MeasuredText {
  readonly element: TextElement;
  /** Of its ink, at the composition's size. */
  readonly widthMm: number;
  /** How far the middle of its ink is from the text's place, along its own line. */
  readonly asideMm: number;
  readonly frame: { readonly widthMm: number; readonly heightMm: number };
}

function measure({ composition, assets }: TextRoom, element: TextElement): MeasuredText | undefined {
  const scene = resolveOne(composition, element, assets);
  const [group] = scene.groups;
  if (!group) return undefined;
  const middle = middleOf(group);
  const origin = originOf(element, scene);
  const along = direction(element.angleDeg);
  const asideMm = (middle.x - origin.x) * along.x + (middle.y - origin.y) * along.y;
  return { element, widthMm: group.sizeMm.width, asideMm, frame: scene };
}

const originOf = ({ x, y }: TextElement, { widthMm, heightMm }: MeasuredText['frame']): Point => ({
  x: widthMm * (0.5 + x / 100),
  y: heightMm * (0.5 + y / 100),
});

const resolveOne = (composition: Composition, element: TextElement, { product, fonts }: FitAssets) =>
  resolveScene({ ...composition, elements: [element] }, { product, fonts, artworks: new Map() });

const middleOf = ({ corners: [a, , c] }: ElementBox): Point => ({ x: (a.x + c.x) / 2, y: (a.y + c.y) / 2 });

const direction = (angleDeg: number): Point => {
  const angle = (angleDeg * Math.PI) / 180;
  return { x: Math.cos(angle), y: Math.sin(angle) };
};

const percentFor = ({ widthMm }: MeasuredText, roomMm: number): number =>
  roundPercent((100 * (roomMm + TOLERANCE_MM)) / widthMm);

const roundPercent = (share: number): number => (share >= 100 ? 100 : Math.floor(share / PERCENT_STEP) * PERCENT_STEP);

/** Gives a text its size, and moves its ink along its line to where its alignment puts it in the box. */
function place({ widthMm }: TextRoom, size: MeasuredText, percent: number): TextElement {
  const { element, frame } = size;
  const share = percent / 100;
  const free = Math.max(0, widthMm - size.widthMm * share) / 2;
  const goal = { left: -free, center: 0, right: free }[element.textAlign];
  const byMm = goal - size.asideMm * share;
  const along = direction(element.angleDeg);
  const at = (percentOfFrame: number, mm: number, lengthMm: number) =>
    Math.min(OFFSET_LIMIT, Math.max(-OFFSET_LIMIT, percentOfFrame + (100 * mm) / lengthMm));
  return {
    ...element,
    heightInches: element.heightInches * share,
    x: at(element.x, byMm * along.x, frame.widthMm),
    y: at(element.y, byMm * along.y, frame.heightMm),
  };
}

/** How far a line may reach past the machine area, mm: a box of lines has air above and below its letters. */
const EDGE_MM = 0.1;

function isInside({ composition, assets }: TextRoom, element: TextElement): boolean {
  const { groups, widthMm, heightMm } = resolveOne(composition, element, assets);
  return groups.every(({ corners }) =>
    corners.every(({ x, y }) => x >= -EDGE_MM && y >= -EDGE_MM && x <= widthMm + EDGE_MM && y <= heightMm + EDGE_MM),
  );
}

const withElement = (composition: Composition, element: TextElement): Composition => ({
  ...composition,
  elements: composition.elements.map((other) => (elementIdOf(other) === elementIdOf(element) ? element : other)),
});

const mm = (value: number): string => `${Number(value.toFixed(1))} mm`;
const MOST_LETTERS = 6;
/** The most characters of a cell that a sentence repeats. */
const MOST_CELL = 30;

/** Says a finding in a sentence. */
export function sayRowFinding(finding: RowFinding): string {
  switch (finding.kind) {
    case 'empty':
      return `The cell “${finding.column}” is empty.`;
    case 'tooLong':
      return `The text has ${finding.length} characters, and ${finding.most} are the most.`;
    case 'missingGlyphs': {
      const { letters } = finding;
      // Isolates keep a letter that is read from right to left from turning the sentence around it.
      const names = letters.slice(0, MOST_LETTERS).map((letter) => `\u2068${letter}\u2069`);
      return `Not in our fonts: ${names.join(', ')}${letters.length > MOST_LETTERS ? ' and others' : ''}.`;
    }
    case 'doesNotFit':
      return `Does not fit: needs ${mm(finding.needsMm)}, has ${mm(finding.hasMm)}.`;
    case 'lowCaps':
      return `Capitals are ${mm(finding.capMm)} high; below ${mm(finding.leastMm)} letters fill in.`;
    case 'double':
      return `The same as row ${finding.rowNumber}.`;
    case 'badCode':
      return finding.sentence;
    case 'badColor':
      return `“${finding.cell.slice(0, MOST_CELL)}” in “${finding.column}” is no color. Write a name such as red, or #c8102e.`;
    case 'noPicture':
      return `No picture is called “${finding.cell.slice(0, MOST_CELL)}”.`;
    case 'stagePicture':
      return `No picture in “${finding.column}”: the one on the stage is used.`;
  }
}
