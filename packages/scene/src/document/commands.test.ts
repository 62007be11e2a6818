import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveScene } from '../resolve/resolve.ts';
import type { Assets } from '../resolve/scene.ts';
import { onlyArtwork, testProduct } from '../resolve/testProduct.ts';
import { applyCommand, type Command } from './commands.ts';
import {
  type Composition,
  Composition as CompositionSchema,
  type FractionRect,
  parseComposition,
  type Straightening,
} from './composition.ts';
import { trueSizeOf } from './crop.ts';
import { artworksOf, textsOf, toElementName, toGroupName, toZOrder } from './elements.ts';
import { emptyComposition, saveComposition } from './initial.ts';
import { COMPOSITION_VERSION, MAX_CLOSED_GAP, MAX_TEXTS } from './limits.ts';

const run = (...commands: Command[]): Composition => commands.reduce(applyCommand, emptyComposition);
const place: Command = { type: 'placeDesign', id: 'design', designId: 'd1', filename: 'logo.png', aspect: 2 };
const addText: Command = { type: 'addText', element: { id: 't1', text: 'Hello' } };

describe('the operation of an element', () => {
  const start = run(place, addText);
  const choose = (
    operation: 'cut' | 'score' | undefined,
    more: { elementId?: string; color?: string } = {},
  ): Command => ({
    type: 'setOperation',
    elementId: 'text:t1',
    operation,
    ...more,
  });

  it('is chosen, kept by other changes, and taken back without a trace', () => {
    const withCut = applyCommand(start, choose('cut'));
    expect(textsOf(withCut)[0]).toMatchObject({ operation: 'cut' });
    const afterMove = applyCommand(withCut, { type: 'updateText', id: 't1', changes: { x: 4 } });
    expect(textsOf(afterMove)[0]).toMatchObject({ operation: 'cut', x: 4 });
    expect(applyCommand(withCut, choose('cut'))).toBe(withCut);
    expect(applyCommand(withCut, choose(undefined))).toEqual(start);
    expect(applyCommand(start, choose(undefined))).toBe(start);
  });

  it('is chosen for single colors, in any case of letters', () => {
    const elementId = 'design';
    const first = applyCommand(start, choose('cut', { elementId, color: '#C8102E' }));
    const both = applyCommand(first, choose('score', { elementId, color: '#000000' }));
    expect(artworksOf(both)[0]!.operations).toEqual([
      { color: '#c8102e', operation: 'cut' },
      { color: '#000000', operation: 'score' },
    ]);
    expect(applyCommand(both, choose('cut', { elementId, color: '#c8102e' }))).toBe(both);
    expect(applyCommand(both, choose('cut', { elementId, color: 'red' }))).toBe(both);
    const none = ['#c8102e', '#000000'].reduce(
      (composition, color) => applyCommand(composition, choose(undefined, { elementId, color })),
      both,
    );
    expect(none).toEqual(start);
  });

  it('of a locked element stays', () => {
    const withLock = applyCommand(start, { type: 'setLocked', elementId: 'text:t1', isLocked: true });
    expect(applyCommand(withLock, choose('cut'))).toBe(withLock);
  });

  it('is saved and read; a word that is no operation is refused', () => {
    const withCut = applyCommand(start, choose('cut'));
    const document = JSON.parse(JSON.stringify(saveComposition(withCut)));
    expect(parseComposition(document)).toEqual(withCut);
    document.data.elements[1].operation = 'melt';
    expect(() => parseComposition(document)).toThrow();
  });
});

describe('gaps in the cuts of an artwork', () => {
  const start = run(place, addText);
  const close = (reach: number | undefined, elementId = 'design'): Command => ({
    type: 'closeGaps',
    elementId,
    reach,
  });

  it('are closed up to a reach, which other changes and saving keep, and opened again without a trace', () => {
    const whole = applyCommand(start, close(0.01));
    expect(artworksOf(whole)[0]).toMatchObject({ closesGaps: 0.01 });
    const afterMove = applyCommand(whole, { type: 'updateDesign', id: 'design', changes: { x: 4 } });
    expect(artworksOf(afterMove)[0]).toMatchObject({ closesGaps: 0.01, x: 4 });
    expect(parseComposition(JSON.parse(JSON.stringify(saveComposition(whole))))).toEqual(whole);
    expect(applyCommand(whole, close(0.01))).toBe(whole);
    expect(applyCommand(whole, close(undefined))).toEqual(start);
    expect(applyCommand(start, close(undefined))).toBe(start);
    // Another picture in its place has other gaps.
    expect(artworksOf(applyCommand(whole, { ...place, designId: 'd2' }))[0]).not.toHaveProperty('closesGaps');
  });

  it('have a limit, and stay in a locked artwork and in what is none', () => {
    expect(artworksOf(applyCommand(start, close(3)))[0]).toMatchObject({ closesGaps: MAX_CLOSED_GAP });
    expect(applyCommand(start, close(Number.NaN))).toBe(start);
    expect(applyCommand(start, close(0.1, 'text:t1'))).toBe(start);
    const withLock = applyCommand(start, { type: 'setLocked', elementId: 'design', isLocked: true });
    expect(applyCommand(withLock, close(0.1))).toBe(withLock);
  });
});

describe('applyCommand', () => {
  it('places a design in the middle at the starting size', () => {
    expect(artworksOf(run(place))[0]).toMatchObject({ designId: 'd1', aspect: 2, x: 0, y: 0, size: 80, angleDeg: 0 });
  });

  it('places a design whose file says its size at that size, however large or small, and saves it so', () => {
    const area = { widthMm: 200, heightMm: 50 };
    const ink = { x: 0.5, y: 0, width: 0.25, height: 0.5 };
    for (const [widthMm, ofFrame, ofInk] of [
      [40, 40, 20],
      [400, 400, 200],
      [2, 2, 1],
      [2_000, 2_000, 1_000],
    ] as const) {
      const composition = run({ ...place, trueSize: { widthMm, area } });
      expect(artworksOf(composition)[0]).toMatchObject({ trueWidthMm: widthMm, size: ofFrame, x: 0, y: 0 });
      const withInk = applyCommand(composition, { type: 'trimDesign', id: 'design', ink, aspect: 2, areaAspect: 4 });
      const [artwork] = artworksOf(withInk);
      // The ink keeps its scale, and comes to the middle.
      expect(artwork).toMatchObject({ size: expect.closeTo(ofInk, 9), x: 0, y: 0, ink });
      expect(trueSizeOf(artwork!, area)).toBeCloseTo(ofInk, 9);
      expect(parseComposition(JSON.parse(JSON.stringify(saveComposition(withInk))))).toEqual(withInk);
    }
    expect(trueSizeOf(artworksOf(run(place))[0]!, area)).toBeUndefined();
    const wild = [0, -4, Number.NaN, Number.POSITIVE_INFINITY];
    for (const widthMm of wild) expect(run({ ...place, trueSize: { widthMm, area } })).toEqual(run(place));
    const document = JSON.parse(JSON.stringify(saveComposition(run(place))));
    document.data.elements[0].size = 501;
    expect(() => parseComposition(document)).toThrow('This size is out of range.');
  });

  it('places a picture over the other pictures and under the texts', () => {
    expect(toZOrder(run(addText, place, { ...place, id: 'second', designId: 'd2' }))).toEqual([
      'design',
      'design:second',
      'text:t1',
    ]);
  });

  it('keeps the placement for a new trace of the same design and not for another design', () => {
    const afterMove = run(place, { type: 'updateDesign', id: 'design', changes: { x: 10, angleDeg: 30 } });
    expect(artworksOf(applyCommand(afterMove, { ...place, aspect: 3 }))[0]).toMatchObject({
      aspect: 3,
      x: 10,
      angleDeg: 30,
    });
    expect(artworksOf(applyCommand(afterMove, { ...place, designId: 'd2' }))[0]).toMatchObject({ x: 0, angleDeg: 0 });
  });

  it.each<[Command, object]>([
    [
      { type: 'updateDesign', id: 'design', changes: { x: 60, y: -51 } },
      { x: 50, y: -50 },
    ],
    [{ type: 'updateDesign', id: 'design', changes: { size: 1 } }, { size: 5 }],
    [{ type: 'updateDesign', id: 'design', changes: { size: 900 } }, { size: 500 }],
    [{ type: 'updateDesign', id: 'design', changes: { angleDeg: 360 } }, { angleDeg: 360 }],
    [{ type: 'updateDesign', id: 'design', changes: { angleDeg: 450 } }, { angleDeg: 90 }],
    [{ type: 'updateDesign', id: 'design', changes: { angleDeg: -30 } }, { angleDeg: 330 }],
    [
      { type: 'updateDesign', id: 'design', changes: { opacity: 120, x: Number.NaN } },
      { opacity: 100, x: 0 },
    ],
    [
      { type: 'nudge', elementId: 'design', dx: 5, dy: -1 },
      { x: 5, y: -1 },
    ],
    [{ type: 'rotate90', elementId: 'design' }, { angleDeg: 90 }],
    [{ type: 'flip', elementId: 'design' }, { isFlipped: true }],
  ])('%j', (command, expected) => {
    expect(artworksOf(run(place, command))[0]).toMatchObject(expected);
  });

  it.each<[Command, object]>([
    [{ type: 'updateText', id: 't1', changes: { heightInches: 5 } }, { heightInches: 1 }],
    [{ type: 'updateText', id: 't1', changes: { heightInches: 0 } }, { heightInches: 0.11 }],
    [
      { type: 'updateText', id: 't1', changes: { bend: -120, letterSpacing: -30, lineSpacing: 20 } },
      { bend: -100, letterSpacing: -20, lineSpacing: 50 },
    ],
    [{ type: 'updateText', id: 't1', changes: { color: 'red' } }, { color: '#000000' }],
    [{ type: 'updateText', id: 't1', changes: { color: '#ffeedd' } }, { color: '#C0C0C0' }],
    [{ type: 'updateText', id: 't1', changes: { text: 'x'.repeat(300) } }, { text: 'x'.repeat(200) }],
    [{ type: 'updateText', id: 't1', changes: { text: `${'x'.repeat(199)}😀` } }, { text: 'x'.repeat(199) }],
    [
      { type: 'nudge', elementId: 'text:t1', dx: 80, dy: 0 },
      { x: 50, y: 0 },
    ],
    [{ type: 'rotate90', elementId: 'text:t1' }, { angleDeg: 90 }],
    [{ type: 'flip', elementId: 'text:t1' }, { isFlipped: true }],
  ])('%j', (command, expected) => {
    expect(textsOf(run(addText, command))[0]).toMatchObject(expected);
  });

  it('changes text to a color that the machine has', () => {
    const uv = run({ type: 'setMachine', machine: 'uv' }, addText, {
      type: 'updateText',
      id: 't1',
      changes: { color: '#C8102E' },
    });
    expect(textsOf(uv)[0]!.color).toBe('#C8102E');
    expect(textsOf(applyCommand(uv, { type: 'setMachine', machine: 'laser' }))[0]!.color).toBe('#000000');
  });

  it('starts a new product with its own print area, not rotated', () => {
    const area = { x: 0.2, y: 0.2, width: 0.3, height: 0.3 };
    const before = run(
      { type: 'rotateProduct', angleDeg: 90 },
      { type: 'setMachineArea', area, printArea: area, pictureAspect: 1 },
      { type: 'setProduct', productId: 'mug' },
    );
    expect(before).toMatchObject({ productId: 'mug', productAngleDeg: 0 });
    expect(before.machineArea).toBeUndefined();
  });

  it('chooses a color and a size of the product, and everything stays where it is', () => {
    const area = { x: 0.2, y: 0.2, width: 0.3, height: 0.3 };
    const black = { type: 'setVariant', productId: 'tee', variant: { color: 'Black', size: 'L' } } as const;
    const start = run(
      { type: 'setProduct', productId: 'tee-black', variant: { color: 'White' } },
      { type: 'rotateProduct', angleDeg: 90 },
      { type: 'setMachineArea', area, printArea: area, pictureAspect: 1 },
      place,
    );
    expect(start.variant).toEqual({ color: 'White' });
    const after = applyCommand(start, black);
    expect(after).toEqual({ ...start, productId: 'tee', variant: { color: 'Black', size: 'L' } });
    expect(applyCommand(after, black)).toBe(after);
    const none = applyCommand(after, { type: 'setVariant', productId: 'tee', variant: { color: '', size: undefined } });
    expect('variant' in none).toBe(false);
    const long = applyCommand(after, { type: 'setVariant', productId: 'tee', variant: { size: 'x'.repeat(90) } });
    expect(CompositionSchema.parse(long).variant).toEqual({ size: 'x'.repeat(60) });
    expect('variant' in applyCommand(after, { type: 'setProduct', productId: 'mug' })).toBe(false);
  });

  it('accepts no more texts than allowed and no id twice', () => {
    const texts = Array.from(
      { length: MAX_TEXTS + 3 },
      (_, i): Command => ({ type: 'addText', element: { id: `${i}` } }),
    );
    expect(textsOf(run(...texts))).toHaveLength(MAX_TEXTS);
    expect(textsOf(run(addText, addText))).toHaveLength(1);
  });

  it('returns the same object when nothing changes', () => {
    const composition = run(place, addText);
    const idle: Command[] = [
      { type: 'setMachine', machine: 'laser' },
      { type: 'setProduct', productId: undefined },
      { type: 'rotateProduct', angleDeg: 0 },
      { type: 'updateDesign', id: 'design', changes: { x: 0 } },
      { type: 'updateText', id: 't1', changes: { text: 'Hello' } },
      { type: 'updateText', id: 'nobody', changes: { text: 'x' } },
      { type: 'remove', elementId: 'text:nobody' },
      { type: 'center', elementId: 'design' },
      { type: 'nudge', elementId: 'text:nobody', dx: 1, dy: 1 },
      place,
    ];
    for (const command of idle) expect(applyCommand(composition, command), command.type).toBe(composition);
  });
});

describe('elements', () => {
  const text = (id: string): Command => ({ type: 'addText', element: { id, text: `Text ${id}` } });
  const three = run(place, text('a'), text('b'));
  const order = (...commands: Command[]) => toZOrder(commands.reduce(applyCommand, three));

  it.each<[string, Command[], string[]]>([
    ['as they were added', [], ['design', 'text:a', 'text:b']],
    ['forward', [{ type: 'reorder', elementId: 'design', to: 'forward' }], ['text:a', 'design', 'text:b']],
    ['to the front', [{ type: 'reorder', elementId: 'design', to: 'front' }], ['text:a', 'text:b', 'design']],
    ['backward', [{ type: 'reorder', elementId: 'text:b', to: 'backward' }], ['design', 'text:b', 'text:a']],
    ['to the back', [{ type: 'reorder', elementId: 'text:b', to: 'back' }], ['text:b', 'design', 'text:a']],
    ['to a place', [{ type: 'moveTo', elementId: 'text:b', index: 1 }], ['design', 'text:b', 'text:a']],
    [
      'with one below removed',
      [
        { type: 'reorder', elementId: 'design', to: 'front' },
        { type: 'remove', elementId: 'text:a' },
      ],
      ['text:b', 'design'],
    ],
    [
      'with one below copied',
      [
        { type: 'reorder', elementId: 'design', to: 'forward' },
        { type: 'duplicate', copies: [{ elementId: 'text:a', newId: 'c' }] },
      ],
      ['text:a', 'text:c', 'design', 'text:b'],
    ],
  ])('have a z-order %s', (_, commands, expected) => {
    expect(order(...commands)).toEqual(expected);
    const groups = resolveScene(commands.reduce(applyCommand, three), assets).groups;
    expect(groups.map(({ elementId }) => elementId)).toEqual(expected);
  });

  it('stay at the front or back when they are there already', () => {
    expect(applyCommand(three, { type: 'reorder', elementId: 'text:b', to: 'front' })).toBe(three);
    expect(applyCommand(three, { type: 'reorder', elementId: 'design', to: 'backward' })).toBe(three);
    expect(applyCommand(three, { type: 'moveTo', elementId: 'nobody', index: 0 })).toBe(three);
  });

  it('are withName by their text or file until a person names them', () => {
    expect([toElementName(artworksOf(three)[0]!), toElementName(textsOf(three)[0]!)]).toEqual(['logo.png', 'Text a']);
    const withName = applyCommand(three, { type: 'rename', elementId: 'design', name: ' Crest ' });
    expect(toElementName(artworksOf(withName)[0]!)).toBe('Crest');
    const again = applyCommand(withName, { type: 'rename', elementId: 'design', name: ' ' });
    expect(toElementName(artworksOf(again)[0]!)).toBe('logo.png');
  });

  it('keep their place and look while locked, but not their name and order', () => {
    const lock = (elementId: string): Command => ({ type: 'setLocked', elementId, isLocked: true });
    const withLocks = [lock('design'), lock('text:a')].reduce(applyCommand, three);
    const ineffective: Command[] = [
      { type: 'updateDesign', id: 'design', changes: { x: 9, opacity: 5 } },
      { type: 'updateText', id: 'a', changes: { text: 'Other', x: 3 } },
      ...(['design', 'text:a'] as const).flatMap((elementId): Command[] => [
        { type: 'nudge', elementId, dx: 1, dy: 1 },
        { type: 'rotate90', elementId },
        { type: 'flip', elementId },
      ]),
    ];
    for (const command of ineffective) expect(applyCommand(withLocks, command), command.type).toBe(withLocks);
    const withName = applyCommand(withLocks, { type: 'rename', elementId: 'text:a', name: 'Motto' });
    expect(textsOf(withName)[0]).toMatchObject({ name: 'Motto', isLocked: true });
    expect(toZOrder(applyCommand(withLocks, { type: 'reorder', elementId: 'design', to: 'front' })).at(-1)).toBe(
      'design',
    );
    const withoutLock = applyCommand(withLocks, { type: 'setLocked', elementId: 'design', isLocked: false });
    expect(
      artworksOf(applyCommand(withoutLock, { type: 'updateDesign', id: 'design', changes: { x: 9 } }))[0],
    ).toMatchObject({ x: 9 });
  });

  it('are in no scene while hidden', () => {
    const withHiddenText = applyCommand(three, { type: 'setHidden', elementId: 'text:a', isHidden: true });
    const ids = (composition: Composition) => resolveScene(composition, assets).groups.map((group) => group.elementId);
    expect(ids(withHiddenText)).toEqual(['design', 'text:b']);
    expect(ids(applyCommand(withHiddenText, { type: 'setHidden', elementId: 'design', isHidden: true }))).toEqual([
      'text:b',
    ]);
    expect(ids(applyCommand(withHiddenText, { type: 'setHidden', elementId: 'text:a', isHidden: false }))).toHaveLength(
      3,
    );
  });

  it('are copied a little aside, unlocked and visible, inside the machine area', () => {
    const edge = run(text('a'), { type: 'updateText', id: 'a', changes: { x: 50, y: -50, angleDeg: 30 } });
    const withCopy = applyCommand(edge, { type: 'duplicate', copies: [{ elementId: 'text:a', newId: 'b' }] });
    expect(textsOf(withCopy)[1]).toMatchObject({
      id: 'b',
      text: 'Text a',
      x: 47,
      y: -47,
      angleDeg: 30,
      isLocked: false,
    });
    expect(applyCommand(withCopy, { type: 'duplicate', copies: [{ elementId: 'text:a', newId: 'b' }] })).toBe(withCopy);
  });
});

const product = testProduct;
const assets: Assets = {
  product,
  artworks: onlyArtwork({ width: 200, height: 100, shapes: [] }),
  fonts: { outline: () => ({ d: 'M0 0L1 0L1 -1Z', advance: 1, ascent: 1, descent: 0.25 }) },
};

/** Returns the corners of all elements on the product picture, in mm. */
function picturePlaces(composition: Composition) {
  const { groups, backdrop } = resolveScene(composition, assets);
  const { originMm } = backdrop!;
  return groups.flatMap(({ corners }) => corners.map(({ x, y }) => [x + originMm.x, y + originMm.y]));
}

describe('setMachineArea', () => {
  const composition = run(
    place,
    { type: 'updateDesign', id: 'design', changes: { x: 10, y: -12, size: 40, angleDeg: 20 } },
    addText,
    {
      type: 'updateText',
      id: 't1',
      changes: { x: -8, y: 5, angleDeg: 300 },
    },
  );
  const setArea = (area: { x: number; y: number; width: number; height: number } | undefined): Command => ({
    type: 'setMachineArea',
    area,
    printArea: product.printArea,
    pictureAspect: product.pictureAspect,
  });

  it('moves and resizes nothing on the product', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, share, (left, top, right, bottom) => {
        // Areas that keep the middles of both elements inside.
        const x = 0.2 * left;
        const y = 0.2 * top;
        const area = { x, y, width: 0.75 + 0.25 * right - x, height: 0.75 + 0.25 * bottom - y };
        const after = applyCommand(composition, setArea(area));
        picturePlaces(after).forEach(([px, py], i) => {
          const [bx, by] = picturePlaces(composition)[i]!;
          expect(px).toBeCloseTo(bx!, 6);
          expect(py).toBeCloseTo(by!, 6);
        });
        picturePlaces(applyCommand(after, setArea(undefined))).forEach(([px, py], i) => {
          expect(px).toBeCloseTo(picturePlaces(composition)[i]![0]!, 6);
          expect(py).toBeCloseTo(picturePlaces(composition)[i]![1]!, 6);
        });
      }),
      { numRuns: 50 },
    );
  });

  it('keeps the area in the picture and no smaller than a tenth of it', () => {
    const after = applyCommand(composition, setArea({ x: 0.97, y: -0.5, width: 0.01, height: 2 }));
    expect(after.machineArea).toEqual({ x: 0.9, y: 0, width: 0.1, height: 1 });
  });

  it('clamps elements that would be outside to the edge', () => {
    const after = applyCommand(composition, setArea({ x: 0.25, y: 0.3, width: 0.1, height: 0.1 }));
    expect(artworksOf(after)[0]).toMatchObject({ x: 50 });
  });
});

describe('trimDesign', () => {
  const ownAspect = (product.printArea.width * product.pictureAspect) / product.printArea.height;
  const ink = { x: 0.3, y: 0.2, width: 0.25, height: 0.6 };
  const trim = (rect: typeof ink): Command => ({
    type: 'trimDesign',
    id: 'design',
    ink: rect,
    aspect: 2,
    areaAspect: ownAspect,
  });
  const artwork = { width: 2000, height: 1000, shapes: [] };
  const groupOf = (composition: Composition) =>
    resolveScene(composition, { product, artworks: onlyArtwork(artwork), fonts: { outline: () => undefined } })
      .groups[0]!;
  const start = run({ type: 'setProduct', productId: 'p' }, place, {
    type: 'updateDesign',
    id: 'design',
    changes: { x: 4, y: -3, size: 40, angleDeg: 25, isFlipped: true },
  });

  it('gives the ink the place of the frame the first time', () => {
    const after = applyCommand(start, trim(ink));
    expect(artworksOf(after)[0]).toEqual({ ...artworksOf(start)[0], ink });
    const { sizeMm, corners } = groupOf(after);
    expect(sizeMm.width / sizeMm.height).toBeCloseTo((2 * 0.25) / 0.6, 9);
    const middle = (points: readonly { x: number; y: number }[]) => (points[0]!.x + points[2]!.x) / 2;
    expect(middle(corners)).toBeCloseTo(middle(groupOf(start).corners), 9);
    expect(applyCommand(after, trim({ ...ink }))).toBe(after);
  });

  it('keeps everything in place afterwards, at every rotation, and for a placement of a frame', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const rect = fc.tuple(share, share, share, share).map(([x, y, width, height]) => ({
      x: 0.4 * x,
      y: 0.4 * y,
      width: 0.25 + 0.35 * width,
      height: 0.25 + 0.35 * height,
    }));
    const frame = { x: 0, y: 0, width: 1, height: 1 };
    fc.assert(
      fc.property(rect, rect, fc.constantFrom(0, 25, 90, 200), fc.boolean(), (first, next, angleDeg, isFlipped) => {
        // Sizes at which neither box is too small or out of reach.
        for (const [ink, size] of [
          [first, 15],
          [frame, 40],
        ] as const) {
          const resize: Command = { type: 'updateDesign', id: 'design', changes: { size, angleDeg, isFlipped } };
          const before = applyCommand(applyCommand(start, resize), trim(ink));
          const after = applyCommand(before, trim(next));
          const [a, b] = [groupOf(before).matrix, groupOf(after).matrix];
          for (const key of ['a', 'b', 'c', 'd', 'e', 'f'] as const) expect(b[key]).toBeCloseTo(a[key], 9);
          expect(artworksOf(after)[0]!.ink!.width).toBeCloseTo(next.width, 6);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('leaves a design as it is where its ink would be out of reach, or too small', () => {
    const atEdge = run(place, trim({ x: 0, y: 0, width: 1, height: 1 }), {
      type: 'updateDesign',
      id: 'design',
      changes: { x: 50 },
    });
    expect(applyCommand(atEdge, trim({ x: 0.8, y: 0, width: 0.2, height: 1 }))).toBe(atEdge);
    const small = run(place, trim({ x: 0, y: 0, width: 1, height: 1 }), {
      type: 'updateDesign',
      id: 'design',
      changes: { size: 6 },
    });
    expect(applyCommand(small, trim({ x: 0.4, y: 0.4, width: 0.2, height: 0.2 }))).toBe(small);
    expect(run(trim(ink))).toBe(emptyComposition);
    expect(applyCommand(start, trim({ ...ink, width: Number.NaN }))).toBe(start);
  });

  it('is known to a change of the machine area and to a crop: nothing moves', () => {
    const withInk = applyCommand(start, trim(ink));
    const area = { x: 0.1, y: 0.15, width: 0.8, height: 0.8 };
    const { printArea, pictureAspect } = product;
    const after = applyCommand(withInk, { type: 'setMachineArea', area, printArea, pictureAspect });
    const size = (composition: Composition) => groupOf(composition).sizeMm.width;
    expect(size(after)).toBeCloseTo(size(withInk), 9);

    const crop = { x: 0.4, y: 0, width: 0.5, height: 0.5 };
    const part = applyCommand(withInk, {
      type: 'cropDesign',
      id: 'design',
      crop,
      pictureAspect: 2,
      areaAspect: ownAspect,
    });
    // The ink inside the crop spans 0.4 … 0.55 and 0.2 … 0.5 of the picture. The box is in fractions of the crop.
    const [left, top] = [artworksOf(part)[0]!.ink!.x, artworksOf(part)[0]!.ink!.y];
    expect([left, top]).toEqual([0, expect.closeTo(0.4, 9)]);
    expect(artworksOf(part)[0]!.ink).toMatchObject({ width: expect.closeTo(0.3, 9), height: expect.closeTo(0.6, 9) });
  });
});

describe('cropDesign', () => {
  const pictureAspect = 2;
  const ownAspect = (product.printArea.width * product.pictureAspect) / product.printArea.height;
  const crop = (
    rect: { x: number; y: number; width: number; height: number } | undefined,
    areaAspect = ownAspect,
  ): Command => ({
    type: 'cropDesign',
    id: 'design',
    crop: rect,
    pictureAspect,
    areaAspect,
  });
  /** Returns the position of a point of the picture (in fractions of it) in the machine area, in mm, from the scene. */
  const spot = (composition: Composition, x: number, y: number) => {
    const part = artworksOf(composition)[0]!.crop ?? { x: 0, y: 0, width: 1, height: 1 };
    const artwork = { width: part.width * 2000, height: part.height * 1000, shapes: [] };
    const scene = resolveScene(composition, {
      product,
      artworks: onlyArtwork(artwork),
      fonts: { outline: () => undefined },
    });
    expect(scene.widthMm / scene.heightMm).toBeCloseTo(ownAspect, 9);
    const { a, b, c, d, e, f } = scene.groups[0]!.matrix;
    const [px, py] = [(x - part.x) * 2000, (y - part.y) * 1000];
    return [a * px + c * py + e, b * px + d * py + f];
  };
  const start = run({ type: 'setProduct', productId: 'p' }, place, {
    type: 'updateDesign',
    id: 'design',
    changes: { x: 4, y: -3, size: 60, angleDeg: 25, isFlipped: true },
  });

  const startWithInk = applyCommand(start, {
    type: 'trimDesign',
    id: 'design',
    ink: { x: 0.2, y: 0.3, width: 0.7, height: 0.5 },
    aspect: pictureAspect,
    areaAspect: ownAspect,
  });

  it.each([
    ['without ink', start],
    ['with ink', startWithInk],
  ])('keeps the remaining part of the picture in place, at every rotation, %s', (_name, start) => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, share, (left, top, right, bottom) => {
        const [x, y] = [0.4 * left, 0.4 * top];
        const rect = { x, y, width: 0.6 + 0.4 * right - x, height: 0.6 + 0.4 * bottom - y };
        const once = applyCommand(start, crop(rect));
        const twice = applyCommand(once, crop({ x: 0.3, y: 0.45, width: 0.4, height: 0.3 }));
        for (const composition of [once, twice, applyCommand(twice, crop(undefined))]) {
          const [bx, by] = spot(start, 0.5, 0.5);
          const [ax, ay] = spot(composition, 0.5, 0.5);
          expect(ax).toBeCloseTo(bx!, 6);
          expect(ay).toBeCloseTo(by!, 6);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('makes half of the picture half as wide, with its aspect', () => {
    const straight = run(place);
    const right = applyCommand(straight, crop({ x: 0.5, y: 0, width: 0.5, height: 1 }, 2));
    expect(artworksOf(right)[0]).toMatchObject({ aspect: 1, x: 20, y: 0, size: 80 });
    expect(artworksOf(applyCommand(right, crop(undefined, 2)))[0]).toEqual(artworksOf(straight)[0]);
    const top = applyCommand(straight, crop({ x: 0, y: 0, width: 1, height: 0.5 }, 2));
    expect(artworksOf(top)[0]).toMatchObject({ aspect: 4, x: 0, y: -20, size: 80 });
  });

  it('keeps the design inside the area and within the allowed sizes', () => {
    const far = run(place, { type: 'updateDesign', id: 'design', changes: { x: 50, size: 500 } });
    const corner = applyCommand(far, crop({ x: 0.9, y: 0.9, width: 0.1, height: 0.1 }));
    expect(artworksOf(corner)[0]).toMatchObject({ x: 50, y: 50, size: expect.closeTo(50, 9) });
    const small = run(place, { type: 'updateDesign', id: 'design', changes: { size: 5 } });
    expect(artworksOf(applyCommand(small, crop({ x: 0, y: 0, width: 0.1, height: 0.1 })))[0]?.size).toBe(5);
  });

  it('changes nothing for the whole picture, the same part or a locked design', () => {
    const part = { x: 0.1, y: 0.1, width: 0.5, height: 0.5 };
    const withCrop = applyCommand(start, crop(part));
    expect(applyCommand(withCrop, crop({ ...part }))).toBe(withCrop);
    expect(applyCommand(start, crop({ x: 0, y: 0, width: 1, height: 1 }))).toBe(start);
    const withLock = applyCommand(start, { type: 'setLocked', elementId: 'design', isLocked: true });
    expect(applyCommand(withLock, crop(part))).toBe(withLock);
    expect(artworksOf(applyCommand(withCrop, { ...place, designId: 'd2' }))[0]?.crop).toBeUndefined();
  });
});

describe('a straightened design', () => {
  const corners: Straightening['corners'] = [
    { x: 0.1, y: -0.05 },
    { x: 0.95, y: 0.1 },
    { x: 1.02, y: 0.9 },
    { x: -0.0500000004, y: 1 },
  ];
  const straighten = { corners, aspect: 1.5 };
  const frame = (changes: Partial<Extract<Command, { type: 'cropDesign' }>>): Command => ({
    type: 'cropDesign',
    id: 'design',
    crop: undefined,
    pictureAspect: 1.5,
    areaAspect: 1,
    ...changes,
  });
  const trim = (ink: FractionRect): Command => ({ type: 'trimDesign', id: 'design', ink, aspect: 1.5, areaAspect: 1 });
  const start = run(
    place,
    { type: 'updateDesign', id: 'design', changes: { x: 4, y: -3, size: 60, angleDeg: 25 } },
    {
      type: 'cropDesign',
      id: 'design',
      crop: { x: 0.5, y: 0, width: 0.5, height: 1 },
      pictureAspect: 2,
      areaAspect: 1,
    },
    trim({ x: 0.2, y: 0.3, width: 0.5, height: 0.5 }),
  );

  it('gives the place and size of its ink to the ink of its next trace', () => {
    const { x, y, size } = artworksOf(start)[0]!;
    const straight = applyCommand(start, frame({ straighten }));
    expect(artworksOf(straight)[0]).toMatchObject({ x, y, size, angleDeg: 25, aspect: 1.5 });
    expect(artworksOf(straight)[0]).not.toHaveProperty('ink');
    expect(artworksOf(straight)[0]).not.toHaveProperty('crop');
    expect(artworksOf(straight)[0]!.straighten!.corners[3]).toEqual({ x: -0.05, y: 1 });
    const ink = { x: 0.1, y: 0.1, width: 0.8, height: 0.7 };
    expect(artworksOf(applyCommand(straight, trim(ink)))[0]).toMatchObject({ x, y, size, ink });
    expect(applyCommand(straight, frame({}))).not.toHaveProperty('design.straighten');
    expect(parseComposition(saveComposition(straight))).toEqual(straight);
  });

  it('is cropped in place as any other', () => {
    const straight = run(place, frame({ straighten }));
    const crop = { x: 0, y: 0, width: 1, height: 0.5 };
    const part = applyCommand(straight, frame({ straighten, crop }));
    expect(artworksOf(part)[0]).toMatchObject({ straighten: { aspect: 1.5 }, crop, aspect: 3 });
    expect(artworksOf(part)[0]!.y).toBeLessThan(0);
    expect(applyCommand(part, frame({ straighten, crop }))).toBe(part);
    expect(applyCommand(part, frame({ straighten: structuredClone(straighten), crop }))).toBe(part);
  });

  it('keeps its straightening with a new trace, and loses it with a new picture', () => {
    const straight = run(place, frame({ straighten }));
    expect(artworksOf(applyCommand(straight, place))[0]?.straighten).toBeDefined();
    expect(artworksOf(applyCommand(straight, { ...place, designId: 'd2' }))[0]?.straighten).toBeUndefined();
  });

  it('stays as it is for a locked design, and takes no corners that are no quadrilateral', () => {
    const withLock = applyCommand(start, { type: 'setLocked', elementId: 'design', isLocked: true });
    expect(applyCommand(withLock, frame({ straighten }))).toBe(withLock);
    const [a, b, c, d] = corners;
    const none = run(place);
    for (const bad of [
      [a, c, b, d],
      [d, c, b, a],
      [a, b, { x: 0.2, y: 0.1 }, d],
      [a, b, { x: Number.NaN, y: 1 }, d],
      [a, b, { x: 80, y: 80 }, d],
    ] as const) {
      const whole = applyCommand(none, frame({ straighten: { corners: [...bad], aspect: 1 }, pictureAspect: 2 }));
      expect(whole).toBe(none);
      const document = {
        version: COMPOSITION_VERSION,
        data: { ...none, elements: [{ ...artworksOf(none)[0], straighten: bad }] },
      };
      expect(() => parseComposition(document)).toThrow();
    }
    for (const aspect of [0, -1, Number.NaN, 1000]) {
      expect(applyCommand(none, frame({ straighten: { corners, aspect }, pictureAspect: 2 }))).toBe(none);
    }
  });
});

describe('groups', () => {
  const text = (id: string): Command => ({ type: 'addText', element: { id, text: id } });
  const five = run(place, { ...place, id: 'b' } as Command, text('a'), text('b'), text('c'));
  const elementId = fc.constantFrom('design', 'design:b', 'text:a', 'text:b', 'text:c');
  const change: fc.Arbitrary<Command> = fc.oneof(
    fc.record({
      type: fc.constant('group' as const),
      elementIds: fc.uniqueArray(elementId, { minLength: 2, maxLength: 4 }),
      groupId: fc.constantFrom('g', 'h'),
    }),
    fc.record({ type: fc.constant('moveTo' as const), elementId, index: fc.nat(5) }),
    fc.record({ type: fc.constant('remove' as const), elementId }),
    fc.record({
      type: fc.constant('duplicate' as const),
      copies: fc
        .uniqueArray(elementId, { minLength: 1, maxLength: 3 })
        .map((ids) => ids.map((id, index) => ({ elementId: id, newId: `copy-${index}` }))),
    }),
  );

  it('stand together in the z-order, with two members at least', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (commands) => {
        const { elements } = commands.reduce(applyCommand, five);
        for (const { groupId } of elements) {
          if (groupId === undefined) continue;
          const places = elements.flatMap((element, index) => (element.groupId === groupId ? index : []));
          expect(places.length).toBeGreaterThan(1);
          expect(places.at(-1)! - places[0]!).toBe(places.length - 1);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are copied as groups, and dissolved', () => {
    const withGroup = applyCommand(five, { type: 'group', elementIds: ['design', 'text:b'], groupId: 'g' });
    expect(toZOrder(withGroup)).toEqual(['design:b', 'text:a', 'design', 'text:b', 'text:c']);
    const copies = ['design', 'text:b'].map((id, index) => ({ elementId: id, newId: `n${index}` }));
    const withCopies = applyCommand(withGroup, { type: 'duplicate', copies });
    expect(withCopies.elements.map(({ groupId }) => groupId)).toEqual([
      ...[undefined, undefined, 'g', 'g', 'n0', 'n0', undefined],
    ]);
    const one = applyCommand(withGroup, { type: 'duplicate', copies: copies.slice(0, 1) });
    expect(toZOrder(one)).toEqual(['design:b', 'text:a', 'design', 'text:b', 'design:n0', 'text:c']);
    expect(one.elements[4]!.groupId).toBeUndefined();
    const withName = applyCommand(withGroup, { type: 'renameGroup', groupId: 'g', name: ' Crest ' });
    expect(withName.elements.map(({ groupName }) => groupName)).toEqual([
      ...[undefined, undefined, 'Crest', 'Crest', undefined],
    ]);
    expect(applyCommand(withName, { type: 'renameGroup', groupId: 'g', name: 'Crest' })).toBe(withName);
    expect(applyCommand(withName, { type: 'renameGroup', groupId: 'g', name: ' ' })).toEqual(withGroup);
    expect(toGroupName(applyCommand(withName, { type: 'duplicate', copies }), 'n0')).toBe('Crest');
    expect(applyCommand(withName, { type: 'ungroup', groupId: 'g' }).elements.some(({ groupName }) => groupName)).toBe(
      false,
    );
    const withoutGroups = applyCommand(withGroup, { type: 'ungroup', groupId: 'g' });
    expect(withoutGroups.elements.some(({ groupId }) => groupId)).toBe(false);
  });
});

describe('any sequence of commands', () => {
  const wild = fc.oneof(fc.double(), fc.integer({ min: -1000, max: 1000 }));
  const fraction = fc.record({ x: wild, y: wild, width: wild, height: wild });
  const corner = fc.oneof(
    fc.record({ x: wild, y: wild }),
    fc.record({ x: fc.constantFrom(-0.1, 1.1), y: fc.constantFrom(-0.1, 1.1) }),
  );
  const elementId = fc.constantFrom('design', 'design:a', 'design:b', 'text:a', 'text:b', 'text:c', 'nothing');
  const id = fc.constantFrom('a', 'b', 'c');
  const artworkId = fc.constantFrom('design', 'a', 'b');
  const elementIds = fc.array(elementId, { maxLength: 5 });
  const textChanges = fc.record(
    {
      text: fc.string({ maxLength: 300, unit: 'binary' }),
      x: wild,
      y: wild,
      angleDeg: wild,
      heightInches: wild,
      letterSpacing: wild,
      lineSpacing: wild,
      bend: wild,
      circle: fc.record({
        radiusMm: wild,
        side: fc.constant('top' as const),
        edge: fc.constant('middle' as const),
        sweepDeg: wild,
      }),
      color: fc.constantFrom('#000000', '#ffffff', 'red', '#12345'),
      isFlipped: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const command: fc.Arbitrary<Command> = fc.oneof(
    fc.record({
      type: fc.constant('setMachine' as const),
      machine: fc.constantFrom('laser', 'uv', 'sublimation', 'dtf'),
    }),
    fc.record({ type: fc.constant('setProduct' as const), productId: fc.constantFrom('p', 'q', undefined) }),
    fc.record({
      type: fc.constant('setVariant' as const),
      productId: fc.constantFrom('p', 'q'),
      variant: fc.record({ color: fc.string(), size: fc.string({ maxLength: 90 }) }, { requiredKeys: [] }),
    }),
    fc.record({ type: fc.constant('rotateProduct' as const), angleDeg: wild }),
    fc.record({
      type: fc.constant('cropDesign' as const),
      straighten: fc.option(
        fc.record({
          corners: fc.tuple(corner, corner, corner, corner),
          aspect: fc.oneof(wild, fc.double({ min: 0.5, max: 2, noNaN: true })),
        }),
        { nil: undefined },
      ),
      id: artworkId,
      crop: fc.option(fraction, { nil: undefined }),
      pictureAspect: wild,
      areaAspect: wild,
    }),
    fc.record({
      type: fc.constant('trimDesign' as const),
      id: artworkId,
      ink: fraction,
      aspect: wild,
      areaAspect: wild,
    }),
    fc.record({
      type: fc.constant('setMachineArea' as const),
      area: fc.option(fraction, { nil: undefined }),
      printArea: fc.constant(product.printArea),
      pictureAspect: fc.constant(0.7),
    }),
    fc.record({
      type: fc.constant('placeDesign' as const),
      id: artworkId,
      designId: id,
      filename: fc.constant('f'),
      aspect: wild,
    }),
    fc.record({ type: fc.constant('remove' as const), elementId }),
    fc.record({
      type: fc.constant('updateDesign' as const),
      id: artworkId,
      changes: fc.record({ x: wild, y: wild, size: wild, angleDeg: wild, opacity: wild }, { requiredKeys: [] }),
    }),
    fc.tuple(id, textChanges).map(([id, changes]): Command => ({ type: 'addText', element: { ...changes, id } })),
    fc.record({ type: fc.constant('updateText' as const), id, changes: textChanges }),
    fc.record({ type: fc.constant('updateText' as const), id, changes: fc.constant({ circle: null }) }),
    fc.record({ type: fc.constant('nudge' as const), elementId, dx: wild, dy: wild }),
    fc.record({ type: fc.constantFrom('center' as const, 'rotate90' as const, 'flip' as const), elementId }),
    fc.record({ type: fc.constant('rename' as const), elementId, name: fc.string({ maxLength: 200, unit: 'binary' }) }),
    fc.record({ type: fc.constant('closeGaps' as const), elementId, reach: fc.option(wild, { nil: undefined }) }),
    fc.record({ type: fc.constant('setLocked' as const), elementId, isLocked: fc.boolean() }),
    fc.record({ type: fc.constant('setHidden' as const), elementId, isHidden: fc.boolean() }),
    fc.record({
      type: fc.constant('setWhite' as const),
      elementId,
      white: fc.constantFrom('box' as const, 'none' as const, undefined),
    }),
    fc.record(
      {
        type: fc.constant('setOperation' as const),
        elementId,
        operation: fc.constantFrom('cut' as const, 'gloss' as const, undefined),
        color: fc.constantFrom('#FF0000', '#00ff00', 'red'),
      },
      { requiredKeys: ['type', 'elementId', 'operation'] },
    ),
    fc.record({
      type: fc.constant('reorder' as const),
      elementId,
      to: fc.constantFrom('forward' as const, 'backward' as const, 'front' as const, 'back' as const),
    }),
    fc.record({ type: fc.constant('moveTo' as const), elementId, index: wild }),
    fc.record({
      type: fc.constant('duplicate' as const),
      copies: fc.array(fc.record({ elementId, newId: fc.constantFrom('a', 'b', 'c', 'd', 'e', '') }), { maxLength: 4 }),
      offset: wild,
    }),
    fc.record({ type: fc.constant('setZOrder' as const), elementIds }),
    fc.record({ type: fc.constant('group' as const), elementIds, groupId: fc.constantFrom('g', 'h', '') }),
    fc.record({ type: fc.constant('ungroup' as const), groupId: fc.constantFrom('g', 'h', 'a') }),
    fc.record({
      type: fc.constant('renameGroup' as const),
      groupId: fc.constantFrom('g', 'h', 'a'),
      name: fc.string({ maxLength: 200, unit: 'binary' }),
    }),
  );

  it('leaves a composition that its own schema accepts unchanged', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        const composition = run(...commands);
        expect(CompositionSchema.parse(composition)).toEqual(composition);
        const ids = toZOrder(composition);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { groupId } of composition.elements) {
          if (groupId === undefined) continue;
          const places = composition.elements.flatMap((element, index) => (element.groupId === groupId ? index : []));
          expect(places.length).toBeGreaterThan(1);
          expect(places.at(-1)! - places[0]!).toBe(places.length - 1);
        }
      }),
      { numRuns: 300 },
    );
  });
});
