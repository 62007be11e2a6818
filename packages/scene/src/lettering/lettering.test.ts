import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Contour, readContours, transformContours } from '../geometry/pathData.ts';
import { intersectOutlines, joinOutlines, MM_GRID } from '../geometry/planar.ts';
import { box } from '../geometry/testShapes.ts';
import type { TextLine } from '../resolve/scene.ts';
import { createFontBook } from '../text/text.ts';
import { measureField } from './distanceField.ts';
import { bundledFaces, type Face, indexLetters, type LetterIndex } from './faces.ts';
import { splitParts } from './parts.ts';
import { recognizeLettering } from './recognize.ts';

const faces: Face[] = [
  { fontFamily: 'Montserrat', isBold: true, isItalic: false },
  { fontFamily: 'Montserrat', isBold: false, isItalic: false },
  { fontFamily: 'Arvo', isBold: false, isItalic: false },
  { fontFamily: 'Lato', isBold: false, isItalic: true },
  { fontFamily: 'Roboto', isBold: true, isItalic: false },
  { fontFamily: 'Inter', isBold: false, isItalic: false },
  { fontFamily: 'Pacifico', isBold: false, isItalic: false },
  { fontFamily: 'Satisfy', isBold: false, isItalic: false },
];
const [montserrat, , arvo, , roboto, , pacifico] = faces as [Face, Face, Face, Face, Face, Face, Face];
const book = createFontBook();
let index: LetterIndex;

beforeAll(() => {
  for (const face of faces) {
    for (const { name } of book.missing({ ...face, text: 'Ą' })) {
      book.add(name, new Uint8Array(readFileSync(findFontPath(name)!)));
    }
  }
  index = indexLetters(faces, book);
});

const SIZE = 57;
const place = { a: SIZE, b: 0, c: 0, d: SIZE, e: 31.4, f: 88.2 };
const draw = (line: TextLine) => transformContours(readContours(book.outline(line)!.d), place);
const recognize = (contours: readonly Contour[]) => recognizeLettering(contours, index, book, 0.05);

describe('lettering', () => {
  it.each([
    [0, 'Est. 1998'],
    [0, 'Jilly & Söhne'],
    [1, 'Mr. & Mrs. O’Neil'],
    [2, 'Quality first'],
    [3, 'World’s best dad!'],
    // Inter sets a point nearer to a 1 than to the space before it.
    [5, 'Est. 1998'],
  ])('of face %i is read as %j, in its size at its place', (face, text) => {
    const [line, ...more] = recognize(draw({ ...faces[face]!, text }));
    expect(more).toEqual([]);
    expect(line).toMatchObject({ ...faces[face], text, letterSpacing: 0 });
    expect(line!.size).toBeCloseTo(SIZE, 1);
    expect(line!.x).toBeCloseTo(place.e, 1);
    expect(line!.y).toBeCloseTo(place.f, 1);
    expect(line!.error).toBeLessThan(0.002);
  });

  it('that is spaced out keeps its letter spacing and its spaces', () => {
    const [line] = recognize(draw({ ...montserrat, text: 'OAK & ELM', letterSpacing: 0.15 }));
    expect(line).toMatchObject({ text: 'OAK & ELM' });
    expect(line!.letterSpacing).toBeCloseTo(0.15, 2);
  });

  it('whose letters touch, as traces of near letters do, is read too', () => {
    const apart = draw({ ...arvo, text: 'Million' });
    const parts = splitParts(apart, 0.05).sort((a, b) => a.bounds.minX - b.bounds.minX);
    const bridge = (left: number, right: number) => {
      const from = parts[left]!.bounds.maxX - 1;
      return box(from, place.f - 2, parts[right]!.bounds.minX + 1 - from, 1.5);
    };
    // From M to i, past its dot, and between the letters l.
    const drawing = joinOutlines([apart, bridge(0, 1), bridge(3, 4)], MM_GRID);
    expect(splitParts(drawing, 0.05)).toHaveLength(parts.length - 2);
    const [line] = recognize(drawing);
    expect(line).toMatchObject({ text: 'Million', ...arvo });
  });

  it.each([
    [6, 'Happy Birthday'],
    [7, 'Bake shop'],
  ])('of script %i, whose letters join, is read as %j', (face, text) => {
    const drawing = draw({ ...faces[face]!, text });
    expect(splitParts(drawing, 0.05).length).toBeLessThan(text.length - 2);
    expect(recognize(drawing)).toMatchObject([{ ...faces[face], text }]);
  });

  it('of a script is not offered where a single letter of a long word differs', () => {
    const drawing = draw({ ...pacifico, text: 'Happy Birthday' });
    const parts = splitParts(drawing, 0.05);
    const word = parts.reduce((a, b) => (a.rings[0]!.length > b.rings[0]!.length ? a : b));
    const { minX, minY, cell, across, distances } = measureField([word], 0.5, 10);
    const deepest = distances.indexOf(Math.min(...distances));
    const [x, y] = [minX + cell * (deepest % across), minY + cell * Math.floor(deepest / across)];
    expect(recognize([...drawing, ...box(x - 1.5, y - 1.5, 3, 3)])).toEqual([]);
  });

  it('whose hairlines break is read too, where a piece looks like another letter', () => {
    const line = draw({ ...montserrat, text: 'Bake shop' });
    const h = splitParts(line, 0.05).sort((a, b) => a.bounds.minX - b.bounds.minX)[5]!.bounds;
    // The arch of the h comes off its stem, which looks like an l.
    const l = splitParts(draw({ ...montserrat, text: 'l' }), 0.05)[0]!.bounds;
    const cut = h.minX + l.maxX - l.minX;
    const drawing = intersectOutlines(line, [...box(0, 0, cut, 200), ...box(cut + 0.5, 0, 900, 200)], MM_GRID);
    expect(splitParts(drawing, 0.05)).toHaveLength(9);
    expect(recognize(drawing)).toMatchObject([{ ...montserrat, text: 'Bake shop' }]);
  });

  it.each([600, 800])('of weight %i is not offered as weight 700, however near its outlines are', (weight) => {
    const other = createFontBook();
    for (const { name } of other.missing({ ...roboto, text: 'Ą' })) {
      other.add(name, new Uint8Array(readFileSync(findFontPath(name)!.replace('-700-', `-${weight}-`))));
    }
    const drawing = readContours(other.outline({ ...roboto, text: 'Est. 1998' })!.d);
    expect(recognize(transformContours(drawing, place))).toEqual([]);
    expect(recognize(draw({ ...roboto, text: 'Est. 1998' }))).toHaveLength(1);
  });

  it('in two lines is read from top to bottom', () => {
    const below = transformContours(draw({ ...arvo, text: 'since 1898' }), { a: 1, b: 0, c: 0, d: 1, e: 0, f: 90 });
    const lines = recognize([...draw({ ...montserrat, text: 'Bakery' }), ...below]);
    expect(lines.map(({ text }) => text)).toEqual(['Bakery', 'since 1898']);
  });

  it('of a face that is narrowed or slanted is not read as that face', () => {
    const text = draw({ ...montserrat, text: 'Hamburg' });
    expect(recognize(transformContours(text, { a: 0.9, b: 0, c: 0, d: 1, e: 0, f: 0 }))).toEqual([]);
    expect(recognize(transformContours(text, { a: 1, b: 0, c: -0.1, d: 1, e: 0, f: 0 }))).toEqual([]);
  });

  it('is not seen in other shapes', () => {
    expect(recognize([0, 40, 80, 120].flatMap((x) => box(x, 0, 30, 30)))).toEqual([]);
    expect(recognize([])).toEqual([]);
  });
});

it('lists each face of each bundled font once', () => {
  const names = bundledFaces.map((face) => JSON.stringify(face));
  expect(new Set(names).size).toBe(names.length);
  expect(bundledFaces).toContainEqual(montserrat);
});
