import { isPaper, toHex } from '../color/color.ts';
import type { LabelMap } from '../color/labels.ts';
import { DisjointSet } from '../geometry/disjointSet.ts';
import type { Settings } from '../options.ts';
import type { Regions } from './regions.ts';
import { measureWidths } from './widths.ts';

/** The part of a drawing that is left unpainted. */
export interface Page {
  /** `#rrggbb`; undefined when there is no page, or when it is clear, dropped, or a shape like any other. */
  color: string | undefined;
  /** Its label, or -1 when there is no page. */
  label: number;
  /** 1 for each region that is left open. */
  open: Uint8Array;
}

/** Share of the picture's border that the page must cover. */
const MOST = 0.6;
/**
 * Finds the page, the color along most of the border, and the regions of its color that are page and not art.
 *
 * A region of the page's color that reaches the border is page. A region enclosed by art of a single color is page seen
 * through it: the counter of a letter, the gaps of a silhouette. In art of several colors, an enclosed region is
 * painted when several colors touch it or something lies in it: the white of an eye, of an emblem, of a bird on a
 * colored ground. When only one color touches it, it is page if the art also borders on the outer page in that color,
 * as outlined letters do, unless it is a detail of a broad shape.
 *
 * Linear in pixels.
 */
export function findPage(regions: Regions, labelMap: LabelMap, settings: Settings): Page {
  const { palette, count, clear, ramps, paints } = labelMap;
  const { width, height, labelOf } = regions;
  const open = new Uint8Array(regions.count);
  const openLabel = (label: number): void => {
    for (let r = 0; r < open.length; r++) if (labelOf[r] === label) open[r] = 1;
  };
  if (settings.colorMode === 'monochrome') {
    openLabel(0);
    return { color: undefined, label: 0, open };
  }
  if (clear >= 0) openLabel(clear);
  paints?.forEach((paint, label) => {
    if (paint === null) openLabel(label);
  });

  const { border, borderLength, longest } = measureBorder(regions, count);
  const label = findMost(borderLength);
  if (settings.isOnPaper) {
    // Paper covers most of the border, though ink may cross it.
    openLabel(label);
    return { color: undefined, label, open };
  }
  const color = paints?.[label] ?? toHex(palette[label * 4], palette[label * 4 + 1], palette[label * 4 + 2]);
  // Art that bleeds off the edge may cut white paper into pieces. Pieces of any other color are fields of art that
  // fills the frame.
  const most = isPaper(color) ? borderLength[label] : longest[label];
  if (label === clear || paints?.[label] === null || regions.count < 2 || most <= MOST * 2 * (width + height))
    return { color: undefined, label: -1, open };
  if (!settings.dropBackground && ramps[label]) return { color: undefined, label: -1, open };
  if (!settings.dropBackground && isSideBySide(settings) && !isPaper(color)) return { color: undefined, label, open };

  for (let r = 0; r < border.length; r++) if (labelOf[r] === label && border[r] > 0) open[r] = 1;
  if (settings.dropBackground) return { color: undefined, label, open };
  openCounters(regions, label, open);
  return { color, label, open };
}

/**
 * Returns the label that covers most of the picture's border and is left open there, by the rules of `findPage` before
 * paints are changed; -1 when there is none. For stacked shapes.
 */
export function findOpenBorder(regions: Regions, labelMap: LabelMap, colorMode: Settings['colorMode']): number {
  const { palette, count, clear, ramps, paints } = labelMap;
  const { borderLength, longest } = measureBorder(regions, count);
  const label = findMost(borderLength);
  const isMonochrome = colorMode === 'monochrome';
  if (ramps[label] || (isMonochrome && label !== 0)) return -1;
  const color = paints?.[label] ?? toHex(palette[label * 4], palette[label * 4 + 1], palette[label * 4 + 2]);
  const isWhole = isMonochrome || label === clear || paints?.[label] === null || isPaper(color);
  const most = isWhole ? borderLength[label] : longest[label];
  return most > MOST * 2 * (regions.width + regions.height) ? label : -1;
}

/** Pixels of the picture's border: of each region, of each label, and of each label's region with the most. */
function measureBorder({ width, height, ids, labelOf, count }: Regions, labels: number) {
  const border = new Uint32Array(count);
  for (let x = 0; x < width; x++) {
    border[ids[x]]++;
    border[ids[(height - 1) * width + x]]++;
  }
  for (let y = 0; y < height; y++) {
    border[ids[y * width]]++;
    border[ids[y * width + width - 1]]++;
  }
  const borderLength = new Uint32Array(labels);
  const longest = new Uint32Array(labels);
  for (let r = 0; r < border.length; r++) {
    borderLength[labelOf[r]] += border[r];
    if (border[r] > longest[labelOf[r]]) longest[labelOf[r]] = border[r];
  }
  return { border, borderLength, longest };
}

/** Returns the index of the largest value, the first of equal ones. */
function findMost(values: Uint32Array): number {
  let most = 0;
  for (let k = 1; k < values.length; k++) if (values[k] > values[most]) most = k;
  return most;
}

/** Returns true when filled shapes abut. Lines hide nothing, so they may stand on a painted page. */
const isSideBySide = ({ stacking, draw }: Settings): boolean => stacking === 'cutouts' && draw === 'fill';

/** A color with a smaller share than this is a trace of noise or of mixing. */
const TRACE = 0.05;
/** A shape this many times thicker than a region inside it, plus a pixel on each side, is not a line around it. */
const BROAD = 3;

/** Opens the enclosed regions of the page's label through which the page is seen. */
function openCounters(regions: Regions, label: number, open: Uint8Array): void {
  const { width, height, ids, count, labelOf, areaOf } = regions;
  const isArt = (r: number): boolean => labelOf[r] !== label && open[r] === 0;
  let enclosedCount = 0;
  for (let r = 0; r < count; r++) if (labelOf[r] === label && open[r] === 0) enclosedCount++;
  if (enclosedCount === 0) return;

  const pieces = new DisjointSet(count); // connected art is one piece
  const pieceOf = new Uint32Array(count);
  const perimeter = new Uint32Array(count);
  const facesPage = new Uint32Array(count);
  const contacts = new Map<number, Map<number, number>>(); // enclosed region → its neighbors → how long they touch
  const touch = (a: number, b: number): void => {
    perimeter[a]++;
    perimeter[b]++;
    if (open[a]) facesPage[b]++;
    else if (open[b]) facesPage[a]++;
    else if (labelOf[a] === label) tally(contacts, a, b, 1);
    else if (labelOf[b] === label) tally(contacts, b, a, 1);
    else pieces.join(a, b);
  };
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (x > 0 && ids[i] !== ids[i - 1]) touch(ids[i], ids[i - 1]);
      if (y > 0 && ids[i] !== ids[i - width]) touch(ids[i], ids[i - width]);
    }
  }
  const areas = new Map<number, Map<number, number>>(); // piece → color → pixels
  const faces = new Map<number, Map<number, number>>(); // piece → color → length along the page
  for (let r = 0; r < count; r++) {
    pieceOf[r] = pieces.find(r);
    if (!isArt(r)) continue;
    tally(areas, pieceOf[r], labelOf[r], areaOf[r]);
    if (facesPage[r] > 0) tally(faces, pieceOf[r], labelOf[r], facesPage[r]);
  }

  let widths: Float64Array | undefined;
  for (const [hole, neighbors] of contacts) {
    const touching = new Map<number, number>(); // color → length
    const piecesBeside = new Map<number, number>(); // piece → length
    for (const [other, length] of neighbors) {
      add(touching, labelOf[other], length);
      add(piecesBeside, pieceOf[other], length);
    }
    const colors = new Set(notable(touching));
    for (const piece of notable(piecesBeside)) for (const color of notable(areas.get(piece))) colors.add(color);
    if (colors.size < 2) {
      open[hole] = 1;
      continue;
    }
    let isPainted = notable(touching).length > 1 || notable(piecesBeside).length > 1;
    for (const [other, length] of neighbors) {
      if (isPainted || length <= TRACE * perimeter[hole]) continue;
      widths ??= measureWidths(regions);
      const face = faces.get(pieceOf[other]);
      const isFace = face !== undefined && (face.get(labelOf[other]) ?? 0) > 0.5 * sumOf(face);
      isPainted = !isFace || widths[other] > BROAD * (widths[hole] + 2);
    }
    if (!isPainted) open[hole] = 1;
  }
}

function tally(table: Map<number, Map<number, number>>, row: number, key: number, times: number): void {
  const of = table.get(row);
  if (of) add(of, key, times);
  else table.set(row, new Map([[key, times]]));
}

function add(counts: Map<number, number>, key: number, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}

function sumOf(counts: Map<number, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/** Returns the keys that hold more than a trace. */
function notable(counts: Map<number, number> | undefined): number[] {
  if (!counts) return [];
  const least = TRACE * sumOf(counts);
  return [...counts.keys()].filter((key) => (counts.get(key) ?? 0) > least);
}
