import { readFileSync } from 'node:fs';
import { allFontFiles, chooseFace, type FontFile, fontCategories, fontFiles } from '@markwright/fonts';
import { findFontPath } from '@markwright/fonts/files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flatten, looseBounds, readContours } from '../geometry/pathData.ts';
import { hasDoubleWinding } from '../geometry/scanlines.ts';
import type { OutlinedText, TextLine } from '../resolve/scene.ts';
import { createFontBook, type FontBook } from './text.ts';

const read = (file: FontFile) => new Uint8Array(readFileSync(findFontPath(file.name)!));

const line = (text: string, fontFamily = 'Open Sans', look: Partial<TextLine> = {}): TextLine => ({
  text,
  fontFamily,
  isBold: false,
  isItalic: false,
  ...look,
});

const book: FontBook = createFontBook();
function outline(textLine: TextLine): OutlinedText {
  for (const file of book.missing(textLine)) book.add(file.name, read(file));
  return book.outline(textLine)!;
}

const fonts = fontCategories.flatMap((category) => category.fonts);

describe('characters that no font has', () => {
  it('are left out and listed once each, except joiners and selectors', () => {
    const leftOut = (text: string, family?: string) => {
      const textLine = line(text, family);
      for (const file of book.missing(textLine)) book.add(file.name, read(file));
      return book.outline(textLine)!.leftOut;
    };
    expect(leftOut('Oak & Ash, Café, Łódź')).toBeUndefined();
    expect(leftOut('Cafe\u0301\u00ad\ufe0f\u200d', 'Pacifico')).toBeUndefined();
    expect(leftOut('Αθήνα')).toEqual(['Α', 'θ', 'ή', 'ν', 'α']);
    expect(leftOut('שלום 😀 Oak 😀')).toEqual(['ש', 'ל', 'ו', 'ם', '😀']);
  });
});

describe('the fonts', () => {
  it('can each be read from every bundled file and hold all plain characters', () => {
    const plain = [...Array(95).keys()].map((i) => String.fromCharCode(32 + i)).join('');
    const latin1 = [...Array(95).keys()].map((i) => String.fromCharCode(161 + i)).join('');
    const allText = (plain + latin1).replace(/[±µ\u00ad]/g, '');
    for (const font of fonts) {
      // Fonts of single lines lack some letters of Iceland and Denmark, and some signs.
      const text = font.isSingleLine ? allText.replace(/[¤§¬¯¶ÆÞæðþ]/g, '') : allText;
      for (const face of font.faces) {
        const [weight, style] = face.split('-');
        const isBold = Number(weight) > Number(font.faces[0]!.split('-')[0]);
        const textLine = line(text, font.family, { isBold, isItalic: style === 'italic' });
        expect(chooseFace(font, textLine)).toBe(face);
        expect(fontFiles(textLine)).toHaveLength(1);
        const loose = createFontBook();
        loose.add(fontFiles(textLine)[0]!.name, read(fontFiles(textLine)[0]!));
        expect(loose.missing(textLine)).toEqual([]);
      }
    }
    for (const file of allFontFiles) createFontBook().add(file.name, read(file));
  });
});

describe('a font book', () => {
  it('returns no outline before the files of a line are loaded', () => {
    const empty = createFontBook();
    const textLine = line('Hi');
    expect(empty.outline(textLine)).toBeUndefined();
    expect(empty.missing(textLine)).toEqual([
      { name: 'open-sans-latin-400-normal.woff2', package: '@fontsource/open-sans' },
    ]);
    empty.add('open-sans-latin-400-normal.woff2', read(empty.missing(textLine)[0]!));
    expect(empty.missing(textLine)).toEqual([]);
    expect(empty.outline(textLine)).toBe(empty.outline({ ...textLine }));
  });

  it('throws for bytes that are no font', () => {
    expect(() => createFontBook().add('x.woff2', new Uint8Array([1, 2, 3, 4]))).toThrow();
  });
});

describe('an outlined line', () => {
  it.each(['Lato', 'Roboto', 'Inter', 'Playfair Display'])('is kerned as the font says: %s', (family) => {
    const advance = (text: string) => outline(line(text, family)).advance;
    expect(advance('AV')).toBeLessThan(advance('A') + advance('V') - 0.01);
    expect(advance('To')).toBeLessThan(advance('T') + advance('o') - 0.01);
  });

  it('uses ligatures', () => {
    // In Lato f and i become one glyph, narrower than the two.
    const contours = (text: string) => readContours(outline(line(text, 'Lato')).d).length;
    expect(contours('fi')).toBeLessThan(contours('f') + contours('i'));
  });

  it('stands on its baseline in ems, y down', () => {
    const { d, advance, ascent, descent } = outline(line('H'));
    const { minX, minY, maxX, maxY } = looseBounds(readContours(d));
    expect(maxY).toBeCloseTo(0, 3);
    expect(minY).toBeCloseTo(-0.714, 2); // cap height of Open Sans: 1462 of 2048
    expect(minX).toBeGreaterThan(0);
    expect(maxX).toBeLessThan(advance);
    expect(ascent).toBeCloseTo(2189 / 2048, 6);
    expect(descent).toBeCloseTo(600 / 2048, 6);
  });

  it('takes characters from the extended file, then from the default family, and leaves out the rest', () => {
    expect(outline(line('Ł', 'Lobster')).advance).toBeGreaterThan(0.3);
    const fallbackAdvance = outline(line('Ł', 'Arvo')).advance;
    expect(fallbackAdvance).toBeCloseTo(outline(line('Ł')).advance, 9);
    expect(outline(line('漢', 'Arvo'))).toMatchObject({ d: '', advance: 0 });
    expect(outline(line('a漢b')).advance).toBeCloseTo(outline(line('a')).advance + outline(line('b')).advance, 9);
  });

  it('is empty for spaces only, which still advance', () => {
    expect(outline(line('  '))).toMatchObject({ d: '' });
    expect(outline(line('  ')).advance).toBeGreaterThan(0);
    expect(outline(line('\t')).advance).toBe(outline(line(' ')).advance);
  });

  it('is underlined over its whole advance', () => {
    const { d, advance } = outline(line('no', 'Open Sans', { isUnderlined: true }));
    const plain = outline(line('no'));
    expect(readContours(d)).toHaveLength(readContours(plain.d).length + 1);
    const { maxX, maxY } = looseBounds(readContours(d));
    expect(maxX).toBeCloseTo(advance, 4);
    expect(maxY).toBeGreaterThan(0);
  });

  describe('with letter spacing', () => {
    it('is wider by the space between its letters, and by no more', () => {
      const plain = outline(line('Hamburg'));
      const wide = outline(line('Hamburg', 'Open Sans', { letterSpacing: 0.25 }));
      expect(wide.advance).toBeCloseTo(plain.advance + 6 * 0.25, 9);
      expect(outline(line('H', 'Open Sans', { letterSpacing: 0.25 })).advance).toBe(outline(line('H')).advance);
      expect(outline(line('Hi', 'Open Sans', { letterSpacing: -0.1 })).advance).toBeLessThan(
        outline(line('Hi')).advance,
      );
    });

    it('splits ligatures', () => {
      const contours = (text: string) => readContours(outline(line(text, 'Lato', { letterSpacing: 0.1 })).d).length;
      expect(contours('fi')).toBe(contours('f') + contours('i'));
    });
  });

  describe('on an arc', () => {
    const areas = ({ d }: OutlinedText) =>
      readContours(d).map((contour) => {
        const points = flatten(contour, 1e-4);
        let sum = 0;
        for (let i = 0; i < points.length; i += 2) {
          const next = (i + 2) % points.length;
          sum += points[i]! * points[next + 1]! - points[next]! * points[i + 1]!;
        }
        return Math.abs(sum / 2);
      });
    const outlineOnArc = (text: string, arcRadius: number, look: Partial<TextLine> = {}) =>
      outline(line(text, 'Open Sans', { arcRadius, letterSpacing: 0.2, ...look }));
    const middles = ({ d }: OutlinedText) =>
      readContours(d).map((contour) => {
        const { minX, maxX, minY, maxY } = looseBounds([contour]);
        return { x: (minX + maxX) / 2, y: (minY + maxY) / 2 };
      });

    it('keeps the size of every letter, whatever the radius', () => {
      const straight = areas(outline(line('HELVTM', 'Open Sans', { letterSpacing: 0.2 })));
      fc.assert(
        fc.property(fc.double({ min: 5, max: 200, noNaN: true }), fc.boolean(), (radius, isUp) => {
          const arcAreas = areas(outlineOnArc('HELVTM', isUp ? radius : -radius));
          expect(arcAreas).toHaveLength(straight.length);
          arcAreas.forEach((area, i) => {
            expect(area).toBeCloseTo(straight[i]!, 3);
          });
        }),
        { numRuns: 25 },
      );
    });

    it.each([4, -4])('keeps the order of the letters, with lower ends on a rainbow: radius %f', (radius) => {
      const places = middles(outlineOnArc('HELVTM', radius));
      const xs = places.map(({ x }) => x);
      expect(xs).toEqual(xs.toSorted((a, b) => a - b));
      const rise = places[0]!.y - places[2]!.y;
      expect(Math.sign(rise)).toBe(Math.sign(radius));
    });

    it('approaches the straight line as the radius grows, and bends its underline', () => {
      const straight = middles(outline(line('HELVTM', 'Open Sans', { letterSpacing: 0.2 })));
      middles(outlineOnArc('HELVTM', 1e5)).forEach(({ x, y }, i) => {
        expect(x).toBeCloseTo(straight[i]!.x, 2);
        expect(y).toBeCloseTo(straight[i]!.y, 2);
      });
      const { advance, d } = outlineOnArc('HELV', 3, { isUnderlined: true });
      const band = areas({ d, advance, ascent: 0, descent: 0 }).at(-1)!;
      const flat = areas(outline(line('HELV', 'Open Sans', { isUnderlined: true, letterSpacing: 0.2 }))).at(-1)!;
      expect(band / flat).toBeGreaterThan(0.9);
      expect(band / flat).toBeLessThan(1.05);
    });

    it('is the same under both fill rules, also where letters overlap', () => {
      const { d } = outline(line('Happy office 8@g', 'Lobster', { arcRadius: -1.4, isUnderlined: true }));
      expect(hasDoubleWinding(readContours(d), 1e-4)).toBe(false);
    });
  });

  describe('is the same under both fill rules', () => {
    it.each(fonts.flatMap(({ family, isSingleLine }) => (isSingleLine ? [] : family)))('%s', (family) => {
      const { d } = outline(line('Happy office & Qty 8@g', family, { isUnderlined: true }));
      expect(hasDoubleWinding(readContours(d), 1e-4)).toBe(false);
    });
  });

  it('keeps exact curves where letters do not touch', () => {
    expect(outline(line('Hello', 'Poppins')).d).toContain('C');
    const script = outline(line('Hello', 'Pacifico')).d;
    expect(readContours(script).length).toBeLessThan(
      [...'Hello'].reduce((sum, letter) => sum + readContours(outline(line(letter, 'Pacifico')).d).length, 0),
    );
  });
});

describe('single lines', () => {
  const families = fonts.filter(({ isSingleLine }) => isSingleLine);
  const strokesOf = (textLine: TextLine) => readContours(outline(textLine).d);

  it('are strokes: open ones, and closed ones only where a stroke ends where it began', () => {
    for (const { family, faces } of families) {
      for (const face of faces) {
        const textLine = line('Rolf & Mia 26', family, { isItalic: face.endsWith('italic') });
        const contours = strokesOf(textLine);
        expect(outline(textLine).isSingleLine).toBe(true);
        expect(contours.filter(({ isClosed }) => !isClosed).length, face).toBeGreaterThan(8);
        // The way back of a stroke would double its length.
        for (const { points, isClosed } of contours) {
          if (isClosed) continue;
          const [x, y] = points.slice(-2);
          expect(Math.hypot(x! - points[0]!, y! - points[1]!)).toBeGreaterThan(0);
        }
      }
    }
    const [stem] = strokesOf(line('l', 'Hershey Sans'));
    expect(stem).toMatchObject({ commands: ['L'], isClosed: false });
    expect(outline(line('l')).isSingleLine).toBeUndefined();
  });

  it('have no letters of another font among them: what is missing is named', () => {
    expect(outline(line('Æsir Łódź', 'EMS Readability')).leftOut).toEqual(['Æ', 'Ł', 'ź']);
    expect(outline(line('Rolf’s “Müller”', 'EMS Allure')).leftOut).toBeUndefined();
  });

  it('bend and are underlined as strokes', () => {
    const straight = strokesOf(line('ll', 'Hershey Sans', { isUnderlined: true }));
    expect(straight.at(-1)).toMatchObject({ commands: ['L'], isClosed: false });
    const arc = strokesOf(line('ll', 'Hershey Sans', { isUnderlined: true, arcRadius: 2 }));
    expect(arc).toHaveLength(straight.length);
    expect(arc.every(({ isClosed }) => !isClosed)).toBe(true);
    const { points } = arc.at(-1)!;
    const { advance } = outline(line('ll', 'Hershey Sans'));
    for (const at of [0, points.length - 2]) {
      // The underline is a tenth of an em inside of the arc.
      expect(Math.hypot(points[at]! - advance / 2, points[at + 1]! - 2)).toBeCloseTo(1.9, 4);
    }
  });
});
