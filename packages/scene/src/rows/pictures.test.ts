import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArtworkElement, Composition } from '../document/composition.ts';
import { artworksOf } from '../document/elements.ts';
import { emptyComposition, newArtwork, newText } from '../document/initial.ts';
import { resolveScene } from '../resolve/resolve.ts';
import { testProduct } from '../resolve/testProduct.ts';
import { createFitter, isWrong, sayRowFinding } from './fit.ts';
import { toPictureKey } from './keys.ts';
import { pieceArtworkId, type RowPicture, toRowPictures } from './pictures.ts';
import { bindRow, pickPictures, templatesOf, toRow } from './template.ts';

const fonts = { outline: () => undefined };
const row = (cells: Record<string, string>) => toRow(Object.keys(cells), Object.values(cells));

describe('names of pictures', () => {
  it('are alike without folder, ending, case and marks', () => {
    const names = ['acme-inc', 'Acme Inc.png', 'logos/ACME_INC.JPG', 'C:\\Logos\\acme inc.svg', ' acmeinc.ai '];
    expect(new Set(names.map(toPictureKey))).toEqual(new Set(['acmeinc']));
    expect(toPictureKey('Łódź.png')).toBe(toPictureKey('łódź'));
    // As a Mac writes it: a letter and its accent apart.
    expect(toPictureKey('Zoe\u0308.png')).toBe(toPictureKey('Zoë'));
    expect(toPictureKey('Dr. Smith')).not.toBe(toPictureKey('Dr'));
    expect(['', '  ', '.png', 'logos/'].map(toPictureKey)).toEqual(['', '', '', '']);
  });

  it('name the first of several pictures', () => {
    const picture = (designId: string, filename: string): RowPicture => ({ designId, filename, aspect: 1 });
    const pictures = toRowPictures([picture('1', 'a/Acme.png'), picture('2', 'b/acme.jpg'), picture('3', '.png')]);
    expect([...pictures]).toEqual([['acme', picture('1', 'a/Acme.png')]]);
  });
});

const side = fc.double({ min: 0.05, max: 1, noNaN: true });
const frame = fc.record({
  width: fc.integer({ min: 40, max: 3000 }),
  height: fc.integer({ min: 40, max: 3000 }),
  ink: fc.option(
    fc.record({ x: side, y: side, width: side, height: side }).map(({ x, y, width, height }) => ({
      ...{ x: x * (1 - width), y: y * (1 - height), width, height },
    })),
    { nil: undefined },
  ),
});
const place = fc.record({
  x: fc.double({ min: -60, max: 60, noNaN: true }),
  y: fc.double({ min: -60, max: 60, noNaN: true }),
  size: fc.double({ min: 5, max: 300, noNaN: true }),
  angleDeg: fc.double({ min: 0, max: 360, noNaN: true }),
  isFlipped: fc.boolean(),
});

describe('a picture of a row', () => {
  it('lies inside the box of its artwork, in its middle, with its own proportions, and touches two sides', () => {
    fc.assert(
      fc.property(frame, frame, place, fc.boolean(), (stage, logo, placement, hasProduct) => {
        const product = hasProduct ? testProduct : undefined;
        const artwork: ArtworkElement = {
          ...newArtwork('stage'),
          ...placement,
          ...{ aspect: stage.width / stage.height, ...(stage.ink && { ink: stage.ink }), pictureColumn: 'Logo' },
        };
        const composition: Composition = { ...emptyComposition, elements: [artwork] };
        const picture = { designId: 'd', filename: 'acme.png', aspect: logo.width / logo.height, ink: logo.ink };
        const assets = { product, fonts, pictures: toRowPictures([picture]) };
        const { composition: piece } = createFitter(composition, assets)(row({ logo: 'Acme' }));
        const id = pieceArtworkId(artwork, 'd');
        const artworks = new Map([
          ['design', { ...stage, shapes: [] }],
          [id, { ...logo, shapes: [] }],
        ]);
        const [box] = resolveScene(composition, { ...assets, artworks }).groups;
        const [inside] = resolveScene(piece, { ...assets, artworks }).groups;
        expect(inside!.elementId).toBe(`design:${id}`);
        const [a, b] = [box!.sizeMm, inside!.sizeMm];
        const slack = 1e-6 * Math.max(a.width, a.height);
        expect(b.width).toBeLessThanOrEqual(a.width + slack);
        expect(b.height).toBeLessThanOrEqual(a.height + slack);
        expect(Math.min(a.width - b.width, a.height - b.height)).toBeLessThanOrEqual(slack);
        const ink = logo.ink ?? { width: 1, height: 1 };
        expect(b.width / b.height).toBeCloseTo((ink.width * logo.width) / (ink.height * logo.height), 6);
        const middle = ({ corners: [p, , q] }: typeof box & object) => [(p.x + q.x) / 2, (p.y + q.y) / 2];
        for (const [i, value] of middle(inside!).entries())
          expect(Math.abs(value - middle(box!)[i]!)).toBeLessThan(1e-6);
      }),
    );
  });

  const artwork: ArtworkElement = {
    ...{ ...newArtwork('stage'), aspect: 2, ink: { x: 0.1, y: 0.1, width: 0.5, height: 0.5 } },
    ...{ crop: { x: 0, y: 0, width: 0.5, height: 1 }, trueWidthMm: 30, opacity: 50, operation: 'score' },
    pictureColumn: 'Logo',
  };
  const composition: Composition = { ...emptyComposition, elements: [artwork, { ...newText('name'), text: '{Name}' }] };
  const acme = { designId: 'd', filename: 'acme.png', aspect: 1 };
  const fit = createFitter(composition, { product: undefined, fonts, pictures: toRowPictures([acme]) });

  it('has the look of its artwork, and none of what belongs to the picture on the stage', () => {
    const [piece] = artworksOf(fit(row({ name: 'Ada', logo: 'acme.png' })).composition);
    expect(piece).toMatchObject({ opacity: 50, operation: 'score', designId: 'd', aspect: 1 });
    for (const field of ['crop', 'ink', 'trueWidthMm', 'pictureColumn']) expect(piece).not.toHaveProperty(field);
  });

  it('is the one on the stage where the cell is empty, and a fault where there is none of the name', () => {
    const { pictureColumn: _, ...onStage } = artwork;
    for (const [logo, sentence, isFault] of [
      ['', 'No picture in “Logo”: the one on the stage is used.', false],
      ['Initech', 'No picture is called “Initech”.', true],
    ] as const) {
      const { composition: piece, findings } = fit(row({ name: 'Ada', logo }));
      expect(artworksOf(piece)).toEqual([onStage]);
      expect(findings.map(sayRowFinding)).toEqual([sentence]);
      expect(findings.some(isWrong)).toBe(isFault);
    }
  });

  it('is picked by the id of its artwork', () => {
    const { pictureColumn: _, ...plain } = artwork;
    const elements = [plain, { ...newText('name'), text: '{Name}' }];
    const template = pickPictures({ ...emptyComposition, elements }, { design: 'Logo', 'text:name': 'Name' });
    expect(template.elements).toEqual([artwork, elements[1]]);
    expect(templatesOf(template)[0]).toEqual({ elementId: 'design', columns: [], pictureColumn: 'Logo' });
    // Without pictures, as where only texts are read.
    expect(artworksOf(bindRow(template, row({ logo: 'acme' })))).toEqual([plain]);
  });
});
