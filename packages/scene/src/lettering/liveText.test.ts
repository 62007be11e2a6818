import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Artwork, ArtworkShape } from '../artwork/artwork.ts';
import { applyCommand, type Command } from '../document/commands.ts';
import { ArtworkElement, type Composition, parseComposition } from '../document/composition.ts';
import { findArtwork, textsOf } from '../document/elements.ts';
import { emptyComposition, saveComposition } from '../document/initial.ts';
import { MAX_TEXTS } from '../document/limits.ts';
import { readContours, transformContours, writeContours } from '../geometry/pathData.ts';
import { renderScene } from '../render/render.ts';
import { resolveScene } from '../resolve/resolve.ts';
import type { SceneGroup, TextLine } from '../resolve/scene.ts';
import { writeSvg } from '../svg/svg.ts';
import { createFontBook } from '../text/text.ts';
import { type Face, indexLetters, type LetterIndex } from './faces.ts';
import { type ArtworkLettering, findLettering } from './findLettering.ts';
import { isLeftOut, toLiveText } from './liveText.ts';
import { measureTo, type Part, splitParts } from './parts.ts';

const bold: Face = { fontFamily: 'Montserrat', isBold: true, isItalic: false };
const italic: Face = { fontFamily: 'Lato', isBold: false, isItalic: true };
const TEXTS: readonly (Face & { text: string; letterSpacing?: number; y: number })[] = [
  { ...bold, text: 'Oak & Elm', letterSpacing: 0.12, y: 60 },
  { ...italic, text: 'since 1998', y: 120 },
];
const SIZE = 40;
const book = createFontBook();
let index: LetterIndex;
let artwork: Artwork;
let lines: ArtworkLettering[];

const paint: Omit<ArtworkShape, 'd'> = { fill: '#1a1a1a', stroke: undefined, strokeWidth: 0, opacity: 1 };
const square = 'M300 20L360 20L360 130L300 130Z';
/** A dot within the frame of the first line, in none of its letters: between its words. */
let dot: string;
const draw = ({ y, ...line }: TextLine & { y: number }) =>
  writeContours(transformContours(readContours(book.outline(line)!.d), { a: SIZE, b: 0, c: 0, d: SIZE, e: 20, f: y }));

beforeAll(async () => {
  for (const face of [bold, italic]) {
    for (const { name } of book.missing({ ...face, text: 'Ą' })) {
      book.add(name, new Uint8Array(readFileSync(findFontPath(name)!)));
    }
  }
  index = indexLetters([bold, italic], book);
  const x = 20 + SIZE * book.outline({ ...TEXTS[0]!, text: 'Oak' })!.advance + 7;
  dot = `M${x} 40L${x + 5} 40L${x + 5} 45L${x} 45Z`;
  const letters = { ...paint, d: TEXTS.map(draw).join('') + square };
  artwork = { width: 400, height: 200, shapes: [letters, { ...paint, fill: '#c8102e', d: dot }] };
  lines = await findLettering(artwork, { readIndex: async () => index, loadFonts: async () => book });
});

function place(changes: Partial<ArtworkElement> = {}, machine: Composition['machine'] = 'laser'): Composition {
  const element = ArtworkElement.parse({ designId: 'd', aspect: 2, size: 60, ...changes });
  return { ...emptyComposition, machine, elements: [element] };
}
const assets = () => ({ product: undefined, artworks: new Map([['design', artwork]]), fonts: book });
const resolve = (composition: Composition) => resolveScene(composition, assets());
const commandFor = (composition: Composition, line: number, textId = 't') =>
  toLiveText(
    composition,
    resolve(composition),
    { artworkId: 'design', frame: artwork, lettering: lines[line]! },
    textId,
  );
const accept = (composition: Composition, line = 0, textId = 't') =>
  applyCommand(composition, commandFor(composition, line, textId)!);

/** The parts of an element in mm. */
function partsOf(group: SceneGroup | undefined): Part[] {
  const contours = (group?.children ?? []).flatMap((child) => (child.kind === 'path' ? readContours(child.d) : []));
  return splitParts(transformContours(contours, group!.matrix), 0.001);
}
const groupOf = (composition: Composition, elementId: string) =>
  resolve(composition).groups.find((group) => group.elementId === elementId);

describe('a line of lettering', () => {
  it('is found with its face and its color, and the shapes beside it are not', () => {
    expect(lines).toMatchObject([
      { ...bold, text: 'Oak & Elm', color: '#1a1a1a' },
      { ...italic, text: 'since 1998', color: '#1a1a1a' },
    ]);
  });

  it('that becomes live text lies where its letters were, however its artwork is placed', () => {
    const placements = fc.record({
      x: fc.integer({ min: -20, max: 20 }),
      y: fc.integer({ min: -20, max: 20 }),
      size: fc.integer({ min: 40, max: 110 }),
      angleDeg: fc.integer({ min: 0, max: 359 }),
      isFlipped: fc.boolean(),
    });
    const crops = fc.constantFrom(undefined, { x: 0.25, y: 0.5, width: 0.5, height: 0.25 });
    fc.assert(
      fc.property(placements, crops, fc.constantFrom(0, 1), (placement, crop, line) => {
        const before = place({ ...placement, ...(crop && { crop }) });
        const after = accept(before, line);
        const rest = partsOf(groupOf(after, 'design'));
        const all = partsOf(groupOf(before, 'design'));
        const letters = all.filter(({ bounds }) => !rest.some((part) => part.bounds.minX === bounds.minX));
        expect(letters).toHaveLength(all.length - rest.length);
        expect(letters).toHaveLength(lines[line]!.parts.length);
        const text = partsOf(groupOf(after, 'text:t'));
        const capMm =
          lines[line]!.capHeight * Math.hypot(groupOf(after, 'design')!.matrix.a, groupOf(after, 'design')!.matrix.b);
        const most = Math.max(
          ...letters.map((part) => measureTo(part, text, capMm / 40, capMm).rms),
          ...text.map((part) => measureTo(part, letters, capMm / 40, capMm).rms),
        );
        expect(most / capMm).toBeLessThan(0.015);
      }),
      { numRuns: 60 },
    );
  });

  it('leaves the other shapes to the last digit', () => {
    const [letters, red] = groupOf(accept(accept(place()), 1, 'u'), 'design')!.children;
    expect(letters).toMatchObject({ d: square });
    expect(red).toMatchObject({ d: dot });
  });

  it('is offered no more once it is text, and again when that is undone', () => {
    const before = place();
    const oak = { artworkId: 'design', frame: artwork, lettering: lines[0]! };
    expect(isLeftOut(findArtwork(before, 'design')!, oak)).toBe(false);
    const after = accept(before);
    expect(isLeftOut(findArtwork(after, 'design')!, oak)).toBe(true);
    expect(isLeftOut(findArtwork(after, 'design')!, { ...oak, lettering: lines[1]! })).toBe(false);
  });

  it('is saved and opened as it was, and all shapes can be made again', () => {
    const after = accept(place());
    const copy = parseComposition(JSON.parse(JSON.stringify(saveComposition(after))));
    expect(copy).toEqual(after);
    expect(resolve(copy)).toEqual(resolve(after));
    const back = applyCommand(after, { type: 'leaveOut', id: 'design', areas: undefined });
    expect(findArtwork(back, 'design')).toEqual(findArtwork(place(), 'design'));
  });

  test.each(['laser', 'uv'] as const)('in a file for %s is the text, and can be other words', (machine) => {
    const before = place({}, machine);
    const file = (composition: Composition) => writeSvg(renderScene(resolve(composition), { kind: 'production' }));
    const after = accept(before);
    const withoutText = applyCommand(after, { type: 'remove', elementId: 'text:t' });
    const otherWords = applyCommand(after, { type: 'updateText', id: 't', changes: { text: 'Oak' } });
    const counts = [before, after, withoutText, otherWords].map((composition) => file(composition).split('M').length);
    expect(counts[1]).toBe(counts[0]);
    expect(counts[2]).toBeLessThan(counts[1]! - 8);
    expect(counts[3]).toBeGreaterThan(counts[2]!);
    expect(counts[3]).toBeLessThan(counts[1]!);
  });

  it('takes the color, the operation and the white ink of its letters, directly above its artwork', () => {
    const commands: Command[] = [
      { type: 'setOperation', elementId: 'design', operation: 'print' },
      { type: 'setOperation', elementId: 'design', operation: 'gloss', color: '#1a1a1a' },
      { type: 'setWhite', elementId: 'design', white: 'none' },
      { type: 'addText', element: { id: 'over', text: 'over' } },
    ];
    const after = accept(commands.reduce(applyCommand, place({}, 'uv')));
    expect(after.elements.map(({ id }) => id)).toEqual(['design', 't', 'over']);
    expect(textsOf(after)[0]).toMatchObject({
      color: '#1a1a1a',
      operation: 'gloss',
      white: 'none',
      fontWeight: 'bold',
    });
  });

  it('cannot be text where a text could not look like it', () => {
    const isOffered = (composition: Composition) => commandFor(composition, 0) !== undefined;
    expect(isOffered(place())).toBe(true);
    for (const changes of [
      { isLocked: true },
      { isHidden: true },
      { opacity: 50 },
      { tones: ['#000000', '#777777'] },
      { size: 5 },
      { size: 500 },
      { x: 49, size: 300 },
      { engraving: { method: 'gray' as const, intervalMm: 0.1 } },
    ]) {
      expect(isOffered(place(changes as Partial<ArtworkElement>)), JSON.stringify(changes)).toBe(false);
    }
    const many = Array.from(
      { length: MAX_TEXTS },
      (_, i): Command => ({ type: 'addText', element: { id: `${i}`, text: 'x' } }),
    );
    expect(isOffered(many.reduce(applyCommand, place()))).toBe(false);
    expect(commandFor(emptyComposition, 0)).toBeUndefined();
  });
});

test('a composition that leaves nothing out is resolved from the artwork itself', () => {
  const [shape] = groupOf(place(), 'design')!.children;
  expect(shape).toMatchObject({ d: artwork.shapes[0]!.d });
});

test('letters that another trace joined are left out, and a line through them is not', () => {
  const { parts, capHeight } = lines[1]!;
  const element = findArtwork(accept(place(), 1), 'design')!;
  const isMade = (d: string) => {
    const drawing = { ...artwork, shapes: [{ ...paint, d }] };
    const composition = { ...emptyComposition, elements: [element] };
    const scene = resolveScene(composition, { ...assets(), artworks: new Map([['design', drawing]]) });
    return scene.groups[0]!.children.length > 0;
  };
  const at = parts.findIndex((part, i) => parts[i + 1]! && Math.abs(parts[i + 1]!.minX - part.maxX) < 0.1 * capHeight);
  const [a, b] = [parts[at]!, parts[at + 1]!];
  const middle = (Math.max(a.minY, b.minY) + Math.min(a.maxY, b.maxY)) / 2;
  const outline = ({ minX, minY, maxX, maxY }: typeof a) =>
    `L${maxX} ${minY}L${maxX} ${maxY}L${minX} ${maxY}L${minX} ${minY}`;
  expect(isMade(`M${a.minX} ${a.minY}${outline(a)}Z`)).toBe(false);
  expect(isMade(`M${a.maxX} ${middle}L${b.minX} ${middle}L${b.minX} ${b.minY}${outline(b)}L${b.minX} ${middle}Z`)).toBe(
    false,
  );
  expect(isMade(`M0 ${middle}L400 ${middle}L400 ${middle + 1}L0 ${middle + 1}Z`)).toBe(true);
});
