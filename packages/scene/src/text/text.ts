/// <reference path="./fontkit.d.ts" />
/** Outlines lines of text with loaded font files. Loaded lazily, because the font parser and Clipper come with it. */
import { type FontFile, findFont, fontFiles } from '@markwright/fonts';
import { create, type Font, type PathCommand } from 'fontkit';
import { multiply, rotateDeg, translate } from '../geometry/matrix.ts';
import { type Contour, transformContours, writeContours } from '../geometry/pathData.ts';
import { type Grid, joinOverlapping, toEvenOdd } from '../geometry/planar.ts';
import type { FontSource, OutlinedText, TextLine } from '../resolve/scene.ts';

/** Holds font files and caches the outlines made with them. */
export interface FontBook extends FontSource {
  /** Adds a font file by its name in `fontFiles`. Throws an Error when the bytes are not a font. */
  add(fileName: string, bytes: Uint8Array): void;
  /** Returns the files of `fontFiles(line)` that are not added yet. */
  missing(line: TextLine): readonly FontFile[];
  /**
   * The same lines with their letters as the fonts have them, not joined where they overlap: for measuring. Boxes are
   * those of the joined ones to 0.005 mm, in a hundredth of the time.
   */
  readonly unjoined: FontSource;
}

/** Size of the cache of outlined lines; the least recently used line is dropped first. */
const MAX_LINES = 500;

/**
 * Creates a book without fonts. `outline` returns undefined until every file of its line is there, so that browser and
 * server never set a line differently. It returns the same object for the same line while the line is in the cache of
 * 500.
 */
export function createFontBook(): FontBook {
  const fonts = new Map<string, Font>();
  const missing = (line: TextLine) => fontFiles(line).filter(({ name }) => !fonts.has(name));

  function createSource(join: Join): FontSource {
    const cache = new Map<string, OutlinedText>();
    return {
      outline(line) {
        const { fontFamily, isBold, isItalic, isUnderlined = false, letterSpacing = 0, arcRadius } = line;
        const key = JSON.stringify([fontFamily, isBold, isItalic, isUnderlined, letterSpacing, arcRadius, line.text]);
        const hit = cache.get(key);
        if (hit) {
          cache.delete(key);
          cache.set(key, hit);
          return hit;
        }
        if (missing(line).length > 0) return undefined;
        const text = outlineLine(
          line,
          fontFiles(line).map(({ name }) => fonts.get(name)!),
          join,
        );
        cache.set(key, text);
        if (cache.size > MAX_LINES) cache.delete(cache.keys().next().value!);
        return text;
      },
    };
  }

  return {
    ...createSource(joinLetters),
    unjoined: createSource((letters) => letters.flat()),
    add(fileName, bytes) {
      if (!fonts.has(fileName)) fonts.set(fileName, create(bytes));
    },
    missing,
  };
}

/** Makes the outlines of a line from those of its letters. */
type Join = (letters: readonly Contour[][]) => Contour[];

const joinLetters: Join = (letters) =>
  joinOverlapping(
    letters.map((contours) => toEvenOdd(contours, EM_GRID)),
    EM_GRID,
  ).flat();

/** Where letters are joined, curves are flattened to 0.005 mm at the largest text size, one inch to the em. */
const EM_GRID: Grid = { unit: 4e-6, tolerance: 0.005 / 25.4 };
const EM_DECIMALS = 5;

interface PlacedGlyph {
  readonly contours: Contour[];
  /** The point it is rotated about on an arc: the middle of its letter on the baseline, in ems. */
  readonly middle: number;
}

/** Turned off when letters are spaced, because a ligature would stand as one block between them. */
const noLigatures = { liga: false, clig: false, dlig: false, calt: false };

/** Sets each character of a line in the first font that has it; a character that no font has is left out. */
function outlineLine(line: TextLine, fonts: readonly Font[], join: Join): OutlinedText {
  const { letterSpacing = 0 } = line;
  const { isSingleLine } = findFont(line.fontFamily);
  const glyphs: PlacedGlyph[] = [];
  let advance = 0;
  let middle = 0;
  let isFirst = true;
  const { runs, leftOut } = toRuns(line.text, fonts);
  for (const run of runs) {
    const em = run.font.unitsPerEm;
    const { glyphs: runGlyphs, positions } = run.font.layout(run.text, letterSpacing === 0 ? undefined : noLigatures);
    for (const [i, glyph] of runGlyphs.entries()) {
      const { xAdvance, xOffset, yOffset } = positions[i]!;
      // A combining mark has no width of its own and stays with the letter before it.
      if (xAdvance > 0) {
        if (!isFirst) advance += letterSpacing;
        isFirst = false;
        middle = advance + xAdvance / em / 2;
      }
      const contours = toContours(glyph.path.commands, advance + xOffset / em, -yOffset / em, 1 / em);
      if (contours.length > 0) glyphs.push({ contours: isSingleLine ? contours.map(toStroke) : contours, middle });
      advance += xAdvance / em;
    }
  }
  // With negative spacing, a line could in theory end left of where it began.
  advance = Math.max(0, advance);

  const [font] = fonts;
  const em = font!.unitsPerEm;
  const { arcRadius } = line;
  const letters = glyphs.map((glyph) => (arcRadius === undefined ? glyph.contours : bend(glyph, advance, arcRadius)));
  if (line.isUnderlined && advance > 0) letters.push([underline(font!, { advance, arcRadius, isSingleLine })]);
  return {
    d: writeContours(isSingleLine ? letters.flat() : join(letters), EM_DECIMALS),
    ...(isSingleLine && { isSingleLine }),
    advance,
    ascent: font!.ascent / em,
    descent: -font!.descent / em,
    capHeight: capHeightOf(font!),
    ...(leftOut.size > 0 && { leftOut: [...leftOut] }),
  };
}

const LETTER_H = 0x48;

function capHeightOf(font: Font): number | undefined {
  if (!font.hasGlyphForCodePoint(LETTER_H)) return undefined;
  const { maxY } = font.glyphForCodePoint(LETTER_H).bbox;
  return maxY > 0 ? maxY / font.unitsPerEm : undefined;
}

interface Run {
  readonly font: Font;
  text: string;
}

const SOFT_HYPHEN = '\u00ad';

/** Splits a text into runs by font. Accents are composed first (NFC), so that a font's own accented glyph is used. */
function toRuns(text: string, fonts: readonly Font[]): { runs: Run[]; leftOut: ReadonlySet<string> } {
  const runs: Run[] = [];
  const leftOut = new Set<string>();
  for (const char of text.normalize('NFC').replaceAll(SOFT_HYPHEN, '')) {
    const codePoint = /\s/.test(char) ? 32 : char.codePointAt(0)!;
    const font = fonts.find((candidate) => candidate.hasGlyphForCodePoint(codePoint));
    if (!font) {
      // Joiners, selectors and combining marks are not visible by themselves.
      if (!/\p{Default_Ignorable_Code_Point}|\p{Control}|\p{Mark}/u.test(char)) leftOut.add(char);
      continue;
    }
    const glyphText = String.fromCodePoint(codePoint);
    const last = runs.at(-1);
    if (last?.font === font) last.text += glyphText;
    else runs.push({ font, text: glyphText });
  }
  return { runs, leftOut };
}

/** Returns a glyph's outlines in ems, y down. Quadratic curves become cubic ones, which is exact. */
function toContours(commands: readonly PathCommand[], x: number, y: number, unit: number): Contour[] {
  const contours: Contour[] = [];
  let contour: Contour | undefined;
  for (const { command, args } of commands) {
    const at = (i: number) => [x + args[i]! * unit, y - args[i + 1]! * unit] as const;
    if (command === 'moveTo') {
      contour = { commands: [], points: [...at(0)], isClosed: true };
      contours.push(contour);
    } else if (command === 'lineTo') {
      contour?.commands.push('L');
      contour?.points.push(...at(0));
    } else if (command === 'bezierCurveTo') {
      contour?.commands.push('C');
      contour?.points.push(...at(0), ...at(2), ...at(4));
    } else if (command === 'quadraticCurveTo' && contour) {
      const [fromX, fromY] = contour.points.slice(-2) as [number, number];
      const [handleX, handleY] = at(0);
      const [toX, toY] = at(2);
      const third = (from: number, handle: number) => from + (2 / 3) * (handle - from);
      contour.commands.push('C');
      contour.points.push(third(fromX, handleX), third(fromY, handleY));
      contour.points.push(third(toX, handleX), third(toY, handleY), toX, toY);
    }
  }
  return contours.filter(({ commands }) => commands.length > 0);
}

/** Returns the stroke of a contour that runs out along it and back, as those of single-line fonts do. */
function toStroke({ commands, points }: Contour): Contour {
  const out = commands.slice(0, commands.length / 2);
  const count = 2 + out.reduce((sum, command) => sum + (command === 'L' ? 2 : 6), 0);
  const isClosed = out.length > 2 && points[count - 2] === points[0] && points[count - 1] === points[1];
  const isLineBack = isClosed && out.at(-1) === 'L';
  return {
    commands: isLineBack ? out.slice(0, -1) : out,
    points: points.slice(0, isLineBack ? count - 2 : count),
    isClosed,
  };
}

/** Moves a letter along the arc to the place of its middle and rotates it. It keeps its shape. */
function bend({ contours, middle }: PlacedGlyph, advance: number, arcRadius: number): Contour[] {
  const turn = rotateDeg(((middle - advance / 2) / arcRadius) * DEG, { x: advance / 2, y: arcRadius });
  return transformContours(contours, multiply(turn, translate(advance / 2 - middle, 0)));
}

const DEG = 180 / Math.PI;

interface Underlining {
  readonly advance: number;
  readonly arcRadius: number | undefined;
  /** True for a stroke, false for a band. */
  readonly isSingleLine: boolean;
}

function underline(font: Font, { advance, arcRadius, isSingleLine }: Underlining): Contour {
  const thickness = (font.underlineThickness || font.unitsPerEm / 20) / font.unitsPerEm;
  const middle = -(font.underlinePosition || -font.unitsPerEm / 10) / font.unitsPerEm;
  if (isSingleLine) {
    if (arcRadius !== undefined) return arcAlong(advance, arcRadius, middle);
    return { commands: ['L'], points: [0, middle, advance, middle], isClosed: false };
  }
  const top = middle - thickness / 2;
  const bottom = middle + thickness / 2;
  if (arcRadius !== undefined) return bandAlong(advance, arcRadius, top, bottom);
  return {
    commands: ['L', 'L', 'L'],
    points: [0, top, advance, top, advance, bottom, 0, bottom],
    isClosed: true,
  };
}

/** Returns a band of a ring: out along its top, back along its bottom. */
function bandAlong(advance: number, arcRadius: number, top: number, bottom: number): Contour {
  const out = arcAlong(advance, arcRadius, top);
  const back = arcAlong(advance, arcRadius, bottom, -1);
  return {
    commands: [...out.commands, 'L', ...back.commands],
    points: [...out.points, ...back.points],
    isClosed: true,
  };
}

/** Returns an arc below a line that is bent: from its left end to its right one, or back. */
function arcAlong(advance: number, arcRadius: number, below: number, turn: 1 | -1 = 1): Contour {
  const radius = arcRadius - below;
  const half = (turn * advance) / 2 / arcRadius;
  const at = (angle: number) => [advance / 2 + radius * Math.sin(angle), arcRadius - radius * Math.cos(angle)] as const;
  const points: number[] = [...at(-half)];
  const steps = Math.max(1, Math.ceil(Math.abs(2 * half) / (Math.PI / 4)));
  const step = (2 * half) / steps;
  const handle = (4 / 3) * Math.tan(step / 4) * radius;
  for (let i = 0; i < steps; i++) {
    const a = -half + i * step;
    const b = a + step;
    const [ax, ay] = at(a);
    const [bx, by] = at(b);
    points.push(ax + handle * Math.cos(a), ay + handle * Math.sin(a));
    points.push(bx - handle * Math.cos(b), by - handle * Math.sin(b), bx, by);
  }
  return { commands: Array.from({ length: steps }, () => 'C' as const), points, isClosed: false };
}
