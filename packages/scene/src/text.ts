/// <reference path="./fontkit.d.ts" />
/** Words to outlines, over loaded font files. The lazily loaded half: the font parser and Clipper come with it. */
import { create, type Font, type PathCommand } from 'fontkit';
import { type FontFile, fontFiles } from './fonts.ts';
import { type Contour, writeContours } from './pathData.ts';
import { type Grid, joinOverlapping, toEvenOdd } from './planar.ts';
import type { FontSource, OutlinedText, TextLine } from './scene.ts';

/** Keeps font files and the outlines made with them. */
export interface FontBook extends FontSource {
  /** Adds a font file by its name in `fontFiles`. Throws an Error when the bytes are no font. */
  add(fileName: string, bytes: Uint8Array): void;
  /** The files of `fontFiles(line)` not added yet. */
  missing(line: TextLine): readonly FontFile[];
}

/** Lines whose outlines are kept; the oldest goes first. */
const MAX_LINES = 500;

/**
 * A book without fonts. `outline` gives `undefined` until every file of its line is there, so that browser and server
 * never set a line differently; the same line gives the same object while it is among the last 500.
 */
export function createFontBook(): FontBook {
  const fonts = new Map<string, Font>();
  const outlined = new Map<string, OutlinedText>();

  const missing = (line: TextLine) => fontFiles(line).filter(({ name }) => !fonts.has(name));
  return {
    add(fileName, bytes) {
      if (!fonts.has(fileName)) fonts.set(fileName, create(bytes));
    },
    missing,
    outline(line) {
      const key = JSON.stringify([line.fontFamily, line.isBold, line.isItalic, line.isUnderlined ?? false, line.text]);
      const known = outlined.get(key);
      if (known) {
        outlined.delete(key);
        outlined.set(key, known);
        return known;
      }
      if (missing(line).length > 0) return undefined;
      const text = outlineLine(
        line,
        fontFiles(line).map(({ name }) => fonts.get(name)!),
      );
      outlined.set(key, text);
      if (outlined.size > MAX_LINES) outlined.delete(outlined.keys().next().value!);
      return text;
    },
  };
}

/** Curves are flattened to 0.005 mm of the largest text there is, where letters have to be joined. */
const EM_GRID: Grid = { unit: 4e-6, tolerance: 0.005 / 25.4 };
const EM_DECIMALS = 5;

/** Sets a line in the first of several fonts that has each character; what none has is left out. */
function outlineLine(line: TextLine, fonts: readonly Font[]): OutlinedText {
  const glyphs: Contour[][] = [];
  let advance = 0;
  for (const run of toRuns(line.text, fonts)) {
    const em = run.font.unitsPerEm;
    const { glyphs: shaped, positions } = run.font.layout(run.text);
    for (const [i, glyph] of shaped.entries()) {
      const { xAdvance, xOffset, yOffset } = positions[i]!;
      const contours = toContours(glyph.path.commands, advance + xOffset / em, -yOffset / em, 1 / em);
      if (contours.length > 0) glyphs.push(contours);
      advance += xAdvance / em;
    }
  }

  const [font] = fonts;
  const em = font!.unitsPerEm;
  if (line.isUnderlined && advance > 0) glyphs.push([underline(font!, advance)]);
  const outlines = joinOverlapping(
    glyphs.map((contours) => toEvenOdd(contours, EM_GRID)),
    EM_GRID,
  );
  return {
    d: writeContours(outlines.flat(), EM_DECIMALS),
    advance,
    ascent: font!.ascent / em,
    descent: -font!.descent / em,
  };
}

interface Run {
  readonly font: Font;
  text: string;
}

const SOFT_HYPHEN = '\u00ad';

/** Splits by font. Accents are composed first, so that a letter and its mark are one glyph where the font has it. */
function toRuns(text: string, fonts: readonly Font[]): Run[] {
  const runs: Run[] = [];
  for (const char of text.normalize('NFC').replaceAll(SOFT_HYPHEN, '')) {
    const codePoint = /\s/.test(char) ? 32 : char.codePointAt(0)!;
    const font = fonts.find((candidate) => candidate.hasGlyphForCodePoint(codePoint));
    if (!font) continue;
    const drawn = String.fromCodePoint(codePoint);
    const last = runs.at(-1);
    if (last?.font === font) last.text += drawn;
    else runs.push({ font, text: drawn });
  }
  return runs;
}

/** A glyph's outlines in ems, y down; quadratics raised to cubics, which is exact. */
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

function underline(font: Font, advance: number): Contour {
  const thickness = (font.underlineThickness || font.unitsPerEm / 20) / font.unitsPerEm;
  const middle = -(font.underlinePosition || -font.unitsPerEm / 10) / font.unitsPerEm;
  const top = middle - thickness / 2;
  const bottom = middle + thickness / 2;
  return {
    commands: ['L', 'L', 'L'],
    points: [0, top, advance, top, advance, bottom, 0, bottom],
    isClosed: true,
  };
}
