import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Composition, TextElement } from '../document/composition.ts';
import { textsOf } from '../document/elements.ts';
import { emptyComposition, newText } from '../document/initial.ts';
import { resolveScene, toTextLines } from '../resolve/resolve.ts';
import { createFontBook, type FontBook } from '../text/text.ts';
import { createFitter, isWrong } from './fit.ts';
import { cellsOf, mergePieces, toPieceDesign } from './pieces.ts';
import { bindRow, toRow } from './template.ts';

let fonts: FontBook;

function load(composition: Composition): void {
  for (const line of textsOf(composition).flatMap(toTextLines)) {
    for (const file of fonts.missing(line))
      fonts.add(file.name, new Uint8Array(readFileSync(findFontPath(file.name)!)));
  }
}

beforeAll(() => {
  fonts = createFontBook();
});

const design = (...texts: Partial<TextElement>[]): Composition => ({
  ...emptyComposition,
  elements: texts.map((text, i) => ({ ...newText(`t${i}`), heightInches: 0.4, ...text })),
});

describe('what differs from piece to piece', () => {
  it('is each visible text, or the placeholders where there are some', () => {
    expect(toPieceDesign(design({ text: ' Ada ' }))).toMatchObject({ columns: ['Text'], words: ['Ada'] });
    const two = toPieceDesign(design({ text: 'Ada' }, { text: ' ' }, { text: '7' }, { text: 'no', isHidden: true }));
    expect(two).toMatchObject({ columns: ['Text 1', 'Text 2'], words: ['Ada', '7'] });
    const holders = toPieceDesign(design({ text: '{Name}, {first name}' }, { text: 'Est. 1899' }, { text: '{NAME}' }));
    expect(holders).toMatchObject({ columns: ['NAME', 'first name'], words: ['', ''] });
    expect(toPieceDesign(design({ text: '' }))).toBeUndefined();
  });

  it('gives the design itself for its own words', () => {
    const composition = design({ text: 'Ada' }, { text: 'Lovelace' });
    const { composition: template, columns, words } = toPieceDesign(composition)!;
    expect(bindRow(template, toRow(columns, words))).toEqual(composition);
  });

  it('takes words by any spelling of their column, and adds up what is alike', () => {
    expect(cellsOf({ words: { 'text-2': ' b ', TEXT_1: 'a' }, quantity: 1 }, ['Text 1', 'Text 2'])).toEqual(['a', 'b']);
    const words = fc.constantFrom('Ada', 'Grace', ' Ada', 'Zoë');
    const pieces = fc.array(fc.record({ words: fc.record({ Text: words }), quantity: fc.integer({ min: 1, max: 9 }) }));
    fc.assert(
      fc.property(pieces, (list) => {
        const sum = (all: readonly { quantity: number }[]) => all.reduce((total, { quantity }) => total + quantity, 0);
        const once = mergePieces(list, ['Text']);
        expect(sum(once)).toBe(sum(list));
        expect(new Set(once.map((piece) => piece.words.Text)).size).toBe(once.length);
        expect(mergePieces(once, ['Text'])).toEqual(once);
      }),
    );
  });
});

describe('words in the room of the machine area', () => {
  const fitterOf = (composition: Composition) => {
    const { composition: template, columns, fit } = toPieceDesign(composition)!;
    load(composition);
    return (word: string) => {
      const row = toRow(columns, [word]);
      load(bindRow(template, row));
      return createFitter(template, { product: undefined, fonts: fonts.unjoined }, fit)(row);
    };
  };

  it('keep their size while there is room, and are named where there is none', () => {
    const fit = fitterOf(design({ text: 'Ada' }));
    expect(fit('Bartholomew').texts[0]!.percent).toBe(100); // three times as long as the design’s own word
    expect(fit('x'.repeat(90)).findings).toMatchObject([{ kind: 'doesNotFit', hasMm: 90 }]);
  });

  it('never leave the machine area, and the design’s own words never change', () => {
    const place = fc.integer({ min: -45, max: 45 });
    const text = fc.record({
      x: place,
      y: fc.integer({ min: -30, max: 30 }),
      angleDeg: fc.integer({ min: 0, max: 359 }),
    });
    const words = fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,30}[a-z]$/);
    fc.assert(
      fc.property(text, words, (at, word) => {
        const fit = fitterOf(design({ ...at, text: 'Io', heightInches: 0.15 }));
        expect(fit('Io').texts[0]!.percent).toBe(100);
        const { composition, findings } = fit(word);
        if (findings.some(isWrong)) return;
        const scene = resolveScene(composition, { product: undefined, fonts: fonts.unjoined, artworks: new Map() });
        const ends = scene.groups.flatMap(({ corners: [a, b, c, d] }) => [
          { x: (a.x + d.x) / 2, y: (a.y + d.y) / 2 },
          { x: (b.x + c.x) / 2, y: (b.y + c.y) / 2 },
        ]);
        const own = resolveScene(design({ ...at, text: 'Io', heightInches: 0.15 }), {
          ...{ product: undefined, fonts: fonts.unjoined, artworks: new Map() },
        });
        const least = own.groups[0]!.sizeMm.width + 0.5; // a box is never narrower than the design’s own word
        for (const { x, y } of scene.groups[0]!.sizeMm.width > least ? ends : []) {
          expect(Math.min(x, y)).toBeGreaterThan(-0.5);
          expect(Math.max(x - scene.widthMm, y - scene.heightMm)).toBeLessThan(0.5);
        }
      }),
      { numRuns: 60 },
    );
  });
});
