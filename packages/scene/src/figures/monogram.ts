/** Monograms: letters of a font made into one outline. In units of its own, 0, 0 at its top left, y down. */
import { newShape } from '../document/initial.ts';
import { type Contour, flatten, readContours, tightBounds, transformContours } from '../geometry/pathData.ts';
import { joinOutlines, MM_GRID, offsetOutline, subtractOutlines } from '../geometry/planar.ts';
import type { FontSource } from '../resolve/scene.ts';
import { addBridges } from './bridges.ts';
import { drawFrame } from './frames.ts';
import { entwine, VINE_INSIDE } from './vine.ts';

/**
 * `row`: side by side, the middle one of three larger. `circle`: bent to fill a circle. `vine`: that, and a vine behind
 * it. `ring` and `wreath`: a row in one. `split`: one letter with a free band for a name. `stencil`: a row with bridges
 * to what would fall out.
 */
export const MONOGRAM_STYLES = ['row', 'circle', 'vine', 'ring', 'wreath', 'split', 'stencil'] as const;
export type MonogramStyle = (typeof MONOGRAM_STYLES)[number];

export interface Monogram {
  /** One to three letters. A split monogram has the first one alone. */
  readonly letters: string;
  readonly style: MonogramStyle;
  readonly fontFamily: string;
}

export interface MonogramDrawing {
  readonly contours: readonly Contour[];
  /** The free band of a split letter, for the name: its height, and the middle of it from the top. */
  readonly band?: { readonly middle: number; readonly height: number } | undefined;
}

/** The height of the plain letters. */
const LETTER = 30;

/**
 * Draws a monogram. Returns undefined while the font is not loaded, and no contours for letters that it does not have.
 * Cost: some unions of letters.
 */
export function drawMonogram({ letters, style, fontFamily }: Monogram, fonts: FontSource): MonogramDrawing | undefined {
  const all = [...letters.replace(/\s/g, '')].slice(0, style === 'split' ? 1 : 3);
  const glyphs = all.map((text) => drawLetter(text, fontFamily, fonts));
  if (glyphs.includes(undefined)) return undefined;
  const outlines = glyphs.filter((glyph): glyph is Contour[] => glyph !== undefined && glyph.length > 0);
  if (outlines.length === 0) return { contours: [] };
  if (style === 'circle') return atOrigin(fillCircle(outlines, CIRCLE_GAP).flat());
  if (style === 'vine') return atOrigin(entwine(fillCircle(outlines, VINE_GAP).map(toVine)));
  if (style === 'split') return split(outlines[0]!);
  const row = layRow(outlines);
  if (style === 'stencil') return atOrigin(addBridges(row, BRIDGE * LETTER));
  if (style === 'row') return atOrigin(row);
  return atOrigin([...putInside(row, style), ...frame(style)]);
}

/** A letter, of its own height, with its own area: parts that overlap in the font are one. */
function drawLetter(text: string, fontFamily: string, fonts: FontSource): Contour[] | undefined {
  const outline = fonts.outline({ text, fontFamily, isBold: false, isItalic: false });
  if (!outline) return undefined;
  const contours = readContours(outline.d);
  if (contours.length === 0) return [];
  const { minY, maxY } = tightBounds(contours);
  const scale = LETTER / (maxY - minY);
  return joinOutlines([place(contours, scale, scale, 0, -minY * scale)], MM_GRID);
}

const place = (contours: readonly Contour[], a: number, d: number, e: number, f: number): Contour[] =>
  transformContours(contours, { a, b: 0, c: 0, d, e, f });

function atOrigin(contours: readonly Contour[]): MonogramDrawing {
  const { minX, minY } = tightBounds(contours);
  return { contours: place(contours, 1, 1, -minX, -minY) };
}

/** The outer letters of three, in heights of the middle one, and the gap between letters. */
const OUTER = 0.72;
const GAP = 0.09 * LETTER;

/** Lays letters side by side on one middle line. */
function layRow(letters: readonly (readonly Contour[])[]): Contour[] {
  let x = 0;
  return letters.flatMap((letter, i) => {
    const scale = letters.length === 3 && i !== 1 ? OUTER : 1;
    const { minX, maxX } = tightBounds(letter);
    const contours = place(letter, scale, scale, x - minX * scale, ((1 - scale) * LETTER) / 2);
    x += (maxX - minX) * scale + GAP;
    return contours;
  });
}

/** The gap between letters in a circle, in radii, and how much of its width the middle one of three takes. */
const CIRCLE_GAP = 0.05;
const VINE_GAP = 0.09;
const MIDDLE_SHARE = 0.38;
/** The longest piece of a bent line, and how far it may leave its curve, in heights of a letter. */
const PIECE = 0.02;
const FLAT = 0.0008;

/** Bends letters so that together they fill a circle: each keeps its own column, as high as the circle is there. */
function fillCircle(letters: readonly (readonly Contour[])[], gap: number): Contour[][] {
  const shares =
    letters.length === 3 ? [(1 - MIDDLE_SHARE) / 2, MIDDLE_SHARE, (1 - MIDDLE_SHARE) / 2] : letters.map(() => 1);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const free = 2 - gap * (letters.length - 1);
  let left = -1;
  return letters.map((letter, i) => {
    const width = (shares[i]! / total) * free;
    const start = left;
    left += width + gap;
    const { minX, maxX } = tightBounds(letter);
    return letter.map((contour) =>
      bend(contour, (x, y) => {
        const circleX = start + ((x - minX) / (maxX - minX)) * width;
        // A letter ends where the circle still has some height: its stem would become a point.
        const height = Math.sqrt(Math.max(0, 1 - (circleX * 0.97) ** 2));
        return [LETTER * circleX, LETTER * height * ((2 * y) / LETTER - 1)];
      }),
    );
  });
}

/** So much wider is each side of a letter in a vine, whose lines are no finer than the vine. */
const BOLDER = 0.3;

function toVine(letter: readonly Contour[]): Contour[] {
  const scale = (VINE_INSIDE - BOLDER) / LETTER;
  return offsetOutline(place(letter, scale, scale, 0, 0), BOLDER, 'miter', MM_GRID);
}

/** Moves an outline point by point, in pieces short enough to bend. */
function bend(contour: Contour, move: (x: number, y: number) => readonly [number, number]): Contour {
  const flat = flatten(contour, FLAT * LETTER);
  flat.push(flat[0]!, flat[1]!);
  const points: number[] = [];
  for (let p = 2; p < flat.length; p += 2) {
    const [ax, ay, bx, by] = [flat[p - 2]!, flat[p - 1]!, flat[p]!, flat[p + 1]!];
    const count = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / (PIECE * LETTER)));
    for (let k = 0; k < count; k++) points.push(...move(ax + ((bx - ax) * k) / count, ay + ((by - ay) * k) / count));
  }
  return { commands: points.slice(2).flatMap((_, i) => (i % 2 ? ['L' as const] : [])), points, isClosed: true };
}

/** The side of a ring or a wreath, and the width of its line. */
const FRAME = 66;
const FRAME_STROKE = 1.8;
/** The circle inside of it that the letters fill, in halves of its side. */
const INSIDE = { ring: 0.74, wreath: 0.62 } as const;

function frame(style: 'ring' | 'wreath'): Contour[] {
  const form = style === 'ring' ? 'doubleRing' : 'wreath';
  const sides = { widthMm: FRAME, heightMm: FRAME, strokeMm: FRAME_STROKE };
  return place(drawFrame({ ...newShape('frame'), ...sides, form }), 1, 1, -FRAME / 2, -FRAME / 2);
}

/** Moves letters to the middle of a frame, as large as its inside lets them. */
function putInside(letters: readonly Contour[], style: 'ring' | 'wreath'): Contour[] {
  const { minX, minY, maxX, maxY } = tightBounds(letters);
  const scale = (INSIDE[style] * FRAME) / Math.hypot(maxX - minX, maxY - minY);
  return place(letters, scale, scale, (-(minX + maxX) / 2) * scale, (-(minY + maxY) / 2) * scale);
}

/** The free band of a split letter, in its heights. */
const BAND = 0.24;

/** Cuts a letter in its middle, and moves its halves apart by no more than the band. */
function split(letter: readonly Contour[]): MonogramDrawing {
  const { minX, maxX } = tightBounds(letter);
  const [top, bottom] = [LETTER * (0.5 - BAND / 2), LETTER * (0.5 + BAND / 2)];
  const band = rectangle(minX - 1, top, maxX + 1, bottom);
  const contours = place(subtractOutlines(letter, [band], MM_GRID), 1, 1, -minX, 0);
  return { contours, band: { middle: LETTER / 2, height: bottom - top } };
}

const rectangle = (left: number, top: number, right: number, bottom: number): Contour => ({
  commands: ['L', 'L', 'L'],
  points: [left, top, right, top, right, bottom, left, bottom],
  isClosed: true,
});

/** The width of a bridge, in heights of a letter. */
const BRIDGE = 0.06;
