import { ProductFields } from '@markwright/contract/schemas';
import { parseDimensions } from '@markwright/contract/words';
import { productArea } from '@markwright/scene/productArea';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlankPicture } from '../../../studioHost/blank/messages.ts';
import { type BlankDraft, emptyDraft, isConvex, parseLength, planBlank } from './draft.ts';

const reading = (part: Partial<BlankPicture> = {}): BlankPicture => {
  const box = { x: 100, y: 50, width: 600, height: 400 };
  return {
    blob: new Blob(),
    width: 800,
    height: 500,
    box,
    body: box,
    outline: Float64Array.of(100, 50, 700, 50, 700, 450, 100, 450),
    hasHandle: false,
    isCutOut: true,
    turnDeg: 0,
    ...part,
  };
};
const draft = (part: Partial<BlankDraft> = {}): BlankDraft => ({ ...emptyDraft('laser'), ...part });
const planOf = (picture: BlankPicture, entry: BlankDraft) => {
  const { plan, problem } = planBlank(picture, entry);
  if (!plan) throw new Error(problem);
  return plan;
};

describe('parseLength', () => {
  it.each([
    ['120', 120],
    ['12 cm', 120],
    ['4.7 in', 119.38],
    ['4,7"', 119.38],
    [' 85.6mm ', 85.6],
    ['.5 in', 12.7],
  ])('reads %s', (text, mm) => expect(parseLength(text)).toBeCloseTo(mm, 6));
  it.each(['', 'wide', '-3', '0', '12 feet', '1e3'])('takes “%s” for none', (text) =>
    expect(parseLength(text)).toBeUndefined(),
  );
});

describe('the product of a blank', () => {
  it('has its print area at true size, whatever the size and the picture', () => {
    const side = fc.integer({ min: 20, max: 900 });
    fc.assert(
      fc.property(side, side, fc.integer({ min: 0, max: 4 }), (width, height, margin) => {
        const entry = draft({ width: `${width}`, height: `${height}`, margin: `${margin}` });
        const { fields, picture, size } = planOf(reading(), entry);
        expect(ProductFields.parse(fields)).toMatchObject({ dimensions: fields.dimensions });
        expect(size.width).toBeCloseTo(width, 6);
        const area = fields.printArea!;
        const { widthInches, heightInches } = parseDimensions(fields.dimensions);
        expect(Math.abs(widthInches * 25.4 - (width - 2 * margin))).toBeLessThan(0.03);
        expect(Math.abs(heightInches * 25.4 - (height - 2 * margin))).toBeLessThan(0.03);
        // The picture's pixels are square: what the scene makes of the rectangle is the same height.
        const mmPerPx = (widthInches * 25.4) / (area.width * picture.width);
        expect(Math.abs(area.height * picture.height * mmPerPx - heightInches * 25.4)).toBeLessThan(0.05);
        // It lies on the blank: as far from its left edge as the margin says.
        expect(area.x * picture.width * mmPerPx).toBeCloseTo((100 / 600) * width + margin, 0);
      }),
    );
  });

  it('takes the other side from the picture, the places, or a bank card, the last entry first', () => {
    expect(planOf(reading(), draft({ width: '150' })).size).toEqual({ width: 150, height: 100 });
    expect(planOf(reading(), draft({ height: '10 cm' })).size).toEqual({ width: 150, height: 100 });
    const places = [
      { x: 0.125, y: 0.5 },
      { x: 0.875, y: 0.5 },
    ];
    const byPlaces = draft({ width: '10', places, distance: '300', measuredBy: 'places' });
    expect(planOf(reading(), byPlaces).size).toEqual({ width: 300, height: 200 });
    expect(planOf(reading({ mmPerPixel: 0.5 }), draft()).size).toEqual({ width: 300, height: 200 });
    expect(planOf(reading({ mmPerPixel: 0.5 }), draft({ width: '60' })).size).toEqual({ width: 60, height: 40 });
  });

  it('has a shape where the outline has one', () => {
    const round = Float64Array.from({ length: 400 }, (_, i) => {
      const angle = (Math.PI * 2 * Math.floor(i / 2)) / 200;
      return i % 2 === 0 ? 400 + 200 * Math.cos(angle) : 250 + 200 * Math.sin(angle);
    });
    const box = { x: 200, y: 50, width: 400, height: 400 };
    const { fields, picture } = planOf(reading({ outline: round, box, body: box }), draft({ width: '100' }));
    expect(fields.printArea!.shape).toEqual({ kind: 'circle' });
    const printWidthInches = parseDimensions(fields.dimensions).widthInches;
    const pictureAspect = picture.width / picture.height;
    expect(productArea({ printArea: fields.printArea!, printWidthInches, pictureAspect })).toHaveLength(1);
  });

  it('goes round a cup, and leaves the handle free', () => {
    const body = { x: 100, y: 50, width: 400, height: 400 };
    const mug = reading({ body, hasHandle: true });
    const { fields, size } = planOf(mug, draft({ surface: 'cylinder', width: '82', height: '96' }));
    expect(size).toEqual({ width: 82, height: 96 });
    expect(fields.surface).toEqual({ kind: 'cylinder', diameterMm: 82, arcMm: 213.8 });
    const { printArea } = fields;
    expect(printArea!.x + printArea!.width / 2).toBeCloseTo(300 / 800, 3);
    const cup = draft({ surface: 'cone', width: '90', bottom: '70', height: '100' });
    expect(planOf(mug, cup).fields.surface).toMatchObject({ topDiameterMm: 90, bottomDiameterMm: 70, heightMm: 100 });
    expect(planBlank(mug, draft({ surface: 'cone', width: '90' }))).toMatchObject({ field: 'bottom' });
  });

  it('says what is missing', () => {
    expect(planBlank(reading(), draft())).toMatchObject({ field: 'width' });
    expect(planBlank(reading(), draft({ width: 'wide' }))).toMatchObject({ field: 'width' });
    expect(planBlank(reading(), draft({ width: '90000' }))).toMatchObject({ field: 'width' });
    expect(planBlank(reading(), draft({ width: '60', margin: '30' }))).toMatchObject({ field: 'margin' });
    expect(planBlank(reading(), draft({ width: '60', edges: 'pulled' })).problem).toContain('corners');
  });

  it('has a name of its own', () => {
    expect(planOf(reading(), draft({ width: '150', material: 'walnut' })).fields.name).toBe(
      'Walnut blank 150 × 100 mm',
    );
    expect(planOf(reading(), draft({ width: '150', name: ' Board ' })).fields.name).toBe('Board');
  });
});

it('straightens by convex corners only', () => {
  const square = [
    { x: 0.1, y: 0.1 },
    { x: 0.9, y: 0.1 },
    { x: 0.9, y: 0.9 },
    { x: 0.1, y: 0.9 },
  ];
  expect(isConvex(square)).toBe(true);
  expect(isConvex([square[0]!, square[2]!, square[1]!, square[3]!])).toBe(false);
});
