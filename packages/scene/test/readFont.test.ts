import fc from 'fast-check';
import { create } from 'fontkit';
import { describe, expect, it, test } from 'vitest';
import { looseBounds, readContours } from '../src/geometry/pathData.ts';
import { FileRefused } from '../src/import/contourFile.ts';
import { readFont } from '../src/text/readFont.ts';
import { createFontBook } from '../src/text/text.ts';
import {
  bundledFont,
  circularFont,
  composite,
  contour,
  hostileFonts,
  plainPostScript,
  plainTrueType,
  trueType,
} from './fontFiles.ts';

/** The stress tier damages this many fonts, and with another seed each time. */
const isStress = process.env.TEST_TIER === 'stress';
const runs = isStress ? 4000 : 60;
const seed = Number(process.env.TEST_SEED ?? 20_261_121);

const wordsIn = ['Hamburgefonstiv', 'office AVATAR To', '“Ann & Bo” é ü'];

describe('a font', () => {
  test.each(['lobster', 'allura', 'poppins', 'rye', 'sirin-stencil'])('%s is set alike by its outlines', (name) => {
    const original = bundledFont(name);
    const font = readFont(original);
    const [before, after] = [create(original), create(font.bytes)];
    expect(font.name.toLowerCase().replaceAll(' ', '')).toContain(name.replace('-', ''));
    expect([after.ascent, after.descent, after.unitsPerEm]).toEqual([before.ascent, before.descent, before.unitsPerEm]);
    for (const words of wordsIn) {
      const [own, other] = [before.layout(words), after.layout(words)];
      expect(other.glyphs.map(({ id }) => id)).toEqual(own.glyphs.map(({ id }) => id));
      expect(other.positions.map(({ xAdvance }) => xAdvance)).toEqual(own.positions.map(({ xAdvance }) => xAdvance));
      for (const [i, { path }] of own.glyphs.entries()) {
        const ends = (commands: typeof path.commands) => commands.flatMap(({ args }) => args.slice(-2));
        const newEnds = ends(other.glyphs[i]!.path.commands);
        expect(newEnds.length).toBe(ends(path.commands).length);
        const furthest = Math.max(0, ...ends(path.commands).map((value, k) => Math.abs(value - newEnds[k]!)));
        expect(furthest).toBeLessThanOrEqual(1 / 64);
      }
    }
  });

  it('keeps nothing of the file but outlines, letters and the rules of setting them', () => {
    const { bytes } = readFont(bundledFont('lobster'));
    const tags = Object.keys(create(bytes).directory.tables);
    const own = ['CFF ', 'OS/2', 'cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'post'];
    expect(tags.filter((tag) => !own.includes(tag))).toEqual(['GDEF', 'GPOS', 'GSUB']);
    expect(Buffer.from(bytes).includes('Lobster')).toBe(false);
  });

  it('is read of TrueType and of PostScript outlines, and makes a line of text beside the fallback', () => {
    const book = createFontBook();
    book.add('own:a', readFont(plainTrueType()).bytes);
    book.add('own:b', readFont(plainPostScript()).bytes);
    book.add('open-sans-latin-400-normal.woff2', bundledFont('open-sans'));
    const outline = (id: string, text: string) =>
      book.outline({ text, fontFamily: `own:${id}`, isBold: false, isItalic: false })!;
    expect(looseBounds(readContours(outline('a', 'A').d))).toEqual({ minX: 0, minY: -0.7, maxX: 0.5, maxY: 0 });
    expect(looseBounds(readContours(outline('b', 'A').d))).toEqual({ minX: 0, minY: -0.244, maxX: 0.244, maxY: 0 });
    // A letter that the font lacks is set in the fallback.
    expect(outline('a', 'x').d).toBe(outline('b', 'x').d);
    expect(book.missing({ text: 'A', fontFamily: 'own:c', isBold: false, isItalic: false })).toEqual([
      { name: 'own:c', package: '' },
    ]);
  });

  it('may be made of glyphs in glyphs', () => {
    const triangle = contour([
      [0, 0],
      [300, 0],
      [0, 300],
    ]);
    const font = create(readFont(trueType([triangle, triangle, composite([1, 1], 40), composite([2], 5)])).bytes);
    const [glyph] = font.layout('C').glyphs;
    expect(glyph!.path.commands.filter(({ command }) => command === 'moveTo').map(({ args }) => args[0])).toEqual([
      45, 45,
    ]);
  });

  it('loses its combinations of letters where they apply each other in circles', () => {
    const original = circularFont();
    expect(() => create(original).layout('A')).toThrow(RangeError);
    const font = create(readFont(original).bytes);
    expect(font.directory.tables.GSUB).toBeUndefined();
    expect(font.layout('AAA').glyphs).toHaveLength(3);
  });
});

describe('a hostile font', () => {
  test.each(hostileFonts())('%s is refused in a sentence', (_name, bytes, sentence) => {
    expect(() => readFont(bytes)).toThrow(FileRefused);
    expect(() => readFont(bytes)).toThrow(sentence);
  });

  it('with random damage is read or refused, and nothing else', () => {
    const originals = [
      bundledFont('rye'),
      plainTrueType(),
      plainPostScript(),
      readFont(bundledFont('allura')).bytes,
      circularFont(),
    ];
    const damage = fc.record({
      font: fc.nat(originals.length - 1),
      length: fc.oneof(
        { weight: 5, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
      ),
      /** Most hits are where tables begin and lengths stand. */
      changes: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), fc.nat(255)), {
        maxLength: 4,
      }),
    });
    const read = { count: 0, refused: 0 };
    fc.assert(
      fc.property(damage, ({ font, length, changes }) => {
        const bytes = Uint8Array.from(originals[font]!);
        for (const [share, isInHead, value] of changes) {
          bytes[Math.floor(share * (isInHead ? Math.min(700, bytes.length) : bytes.length))] = value;
        }
        try {
          const result = readFont(bytes.subarray(0, length * bytes.length));
          expect(create(result.bytes).layout('ABC').glyphs.length).toBeGreaterThan(0);
          read.count++;
        } catch (error) {
          expect(error).toBeInstanceOf(FileRefused);
          read.refused++;
        }
      }),
      { numRuns: runs, seed },
    );
    expect(read.count).toBeGreaterThan(runs / 20);
    expect(read.refused).toBeGreaterThan(runs / 20);
  });
});
