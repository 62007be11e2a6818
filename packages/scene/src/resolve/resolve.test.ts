import { describe, expect, it } from 'vitest';
import type { Artwork } from '../artwork/artwork.ts';
import { applyCommand, type Command } from '../document/commands.ts';
import type { Composition } from '../document/composition.ts';
import { textsOf } from '../document/elements.ts';
import { emptyComposition } from '../document/initial.ts';
import { applyMatrix } from '../geometry/matrix.ts';
import { resolveScene, toTextLines } from './resolve.ts';
import type { Assets, ElementBox, FontSource, OutlinedText, ProductAsset } from './scene.ts';
import { onlyArtwork, testProduct } from './testProduct.ts';

// The print area, half as wide and a quarter as high as the picture, is 2 in wide: the picture 101.6 x 203.2 mm.
const product: ProductAsset = {
  ...testProduct,
  pictureAspect: 0.5,
  printArea: { x: 0.25, y: 0.5, width: 0.5, height: 0.25 },
  printWidthInches: 2,
  printHeightInches: 2,
};
const artwork: Artwork = {
  width: 400,
  height: 200,
  shapes: [{ d: 'M0 0L400 0L400 200Z', fill: '#000000', stroke: undefined, strokeWidth: 0, opacity: 1 }],
};
const outlines = new Map<string, OutlinedText>();
/** Each line is as many ems long as it has letters. */
const fonts: FontSource = {
  outline({ text }) {
    const outline = outlines.get(text) ?? {
      d: text ? 'M0 0L0.5 -0.5L0.5 0Z' : '',
      advance: text.length,
      ascent: 0.75,
      descent: 0.25,
    };
    outlines.set(text, outline);
    return outline;
  },
};
const assets: Assets = { product, artworks: onlyArtwork(artwork), fonts };
const place: Command = { type: 'placeDesign', id: 'design', designId: 'd', filename: 'a.svg', aspect: 2 };
const run = (...commands: Command[]): Composition => commands.reduce(applyCommand, emptyComposition);
const addText = (text: string, changes: object = {}): Command => ({
  type: 'addText',
  element: { id: 't', text, heightInches: 0.5, ...changes },
});

const round = ({ corners }: ElementBox) => corners.flatMap(({ x, y }) => [x, y]).map((n) => Math.round(n * 1e6) / 1e6);

describe('the frame', () => {
  it('is the print area at its real size', () => {
    const scene = resolveScene(run(), assets);
    expect(scene.widthMm).toBeCloseTo(50.8, 9);
    expect(scene.heightMm).toBeCloseTo(50.8, 9);
    expect(scene.backdrop).toMatchObject({
      originMm: { x: 25.4, y: 101.6 },
      angleDeg: 0,
      pictureHref: product.pictureHref,
    });
    expect(scene.backdrop!.pictureWidthMm).toBeCloseTo(101.6, 9);
    expect(scene.backdrop!.pictureHeightMm).toBeCloseTo(203.2, 9);
  });

  it('is the machine area when there is one, at the same scale', () => {
    const composition = { ...run(), machineArea: { x: 0, y: 0.25, width: 1, height: 0.5 } };
    const scene = resolveScene(composition, assets);
    expect([scene.widthMm, scene.heightMm].map((n) => n.toFixed(6))).toEqual(['101.600000', '101.600000']);
    expect(scene.backdrop!.originMm).toEqual({ x: 0, y: 50.8 });
  });

  it('is 100 x 100 mm without a product', () => {
    const scene = resolveScene(run(), { ...assets, product: undefined });
    expect(scene).toMatchObject({ widthMm: 100, heightMm: 100, backdrop: undefined, groups: [] });
  });
});

describe('the design', () => {
  it.each([
    ['contain-fitted at size 100', {}, [0, 12.7, 50.8, 12.7, 50.8, 38.1, 0, 38.1]],
    ['half as large', { size: 50 }, [12.7, 19.05, 38.1, 19.05, 38.1, 31.75, 12.7, 31.75]],
    ['a quarter of the frame to the right', { size: 50, x: 25 }, [25.4, 19.05, 50.8, 19.05, 50.8, 31.75, 25.4, 31.75]],
    ['turned clockwise', { size: 50, angleDeg: 90 }, [31.75, 12.7, 31.75, 38.1, 19.05, 38.1, 19.05, 12.7]],
    [
      'flipped: its box stays clockwise',
      { size: 50, isFlipped: true },
      [12.7, 19.05, 38.1, 19.05, 38.1, 31.75, 12.7, 31.75],
    ],
  ])('%s', (_name, changes, expected) => {
    const composition = run(place, { type: 'updateDesign', id: 'design', changes: { size: 100, ...changes } });
    expect(round(resolveScene(composition, assets).groups[0]!)).toEqual(expected);
  });

  it('is mirrored in its own space, before it is rotated', () => {
    const composition = run(place, {
      type: 'updateDesign',
      id: 'design',
      changes: { size: 100, angleDeg: 90, isFlipped: true },
    });
    const { matrix } = resolveScene(composition, assets).groups[0]!;
    // Its left edge, now on the right, is at the bottom after a quarter turn clockwise.
    const middleLeft = applyMatrix(matrix, { x: 0, y: 100 });
    expect(middleLeft.x).toBeCloseTo(25.4, 6);
    expect(middleLeft.y).toBeCloseTo(50.8, 6);
  });

  it('is a picture until it has a trace', () => {
    const picture = { width: 40, height: 20, shapes: [], imageHref: 'data:image/png;base64,AA' };
    const [group] = resolveScene(run(place), { ...assets, artworks: onlyArtwork(picture) }).groups;
    expect(group!.children).toEqual([{ kind: 'image', href: picture.imageHref, width: 40, height: 20, opacity: 1 }]);
  });

  it('gives a laser the shapes that do not overlap, each with its operation', () => {
    const shape = (fill: string | undefined, stroke?: string) => ({
      d: 'M0 0L1 1',
      fill,
      stroke,
      strokeWidth: 1,
      opacity: 1,
    });
    const own = [shape('#000000'), shape(undefined, '#00ff00'), shape(undefined, '#FF0000')];
    const stackedArtwork: Artwork = { width: 1, height: 1, shapes: [shape('#123456')], cutouts: own };
    const operations = (machine: Composition['machine']) =>
      resolveScene(
        { ...run(place), machine },
        { ...assets, artworks: onlyArtwork(stackedArtwork) },
      ).groups[0]!.children.map((child) => (child.kind === 'path' ? child.operation : child.kind));
    expect(operations('laser')).toEqual(['engrave', 'score', 'cut']);
    expect(operations('uv')).toEqual(['print']);
  });
});

describe('a chosen operation', () => {
  const shape = (fill: string | undefined, stroke?: string) => ({
    d: 'M0 0L9 0L9 9Z',
    fill,
    stroke,
    strokeWidth: 1,
    opacity: 1,
  });
  const own: Artwork = { width: 9, height: 9, shapes: [shape('#000000'), shape('#ffffff'), shape('#808080')] };
  const pathsOf = (machine: Composition['machine'], choice: object) => {
    const composition = run(place);
    const elements = composition.elements.map((element) => ({ ...element, ...choice }));
    const scene = resolveScene({ ...composition, elements, machine }, { ...assets, artworks: onlyArtwork(own) });
    return scene.groups[0]!.children.map((child) =>
      child.kind === 'path' ? [child.operation, child.fill, child.stroke] : [],
    );
  };

  it('makes lines of fills that a tool follows, and leaves white bare', () => {
    expect(pathsOf('laser', { operation: 'cut' })).toEqual([
      ['cut', undefined, '#000000'],
      ['engrave', '#ffffff', undefined],
      ['cut', undefined, '#808080'],
    ]);
  });

  it('of a color goes before that of the element', () => {
    const operations = [{ color: '#808080', operation: 'score' }];
    expect(pathsOf('laser', { operation: 'guide', operations }).map(([operation]) => operation)).toEqual([
      'guide',
      'engrave',
      'score',
    ]);
  });

  it('is ignored by a machine that cannot do it', () => {
    for (const machine of ['uv', 'sublimation'] as const)
      expect(pathsOf(machine, { operation: 'cut' })).toEqual(pathsOf(machine, {}));
    expect(pathsOf('laser', { operation: 'gloss' })).toEqual(pathsOf('laser', {}));
    expect(pathsOf('uv', { operation: 'gloss' }).map(([operation]) => operation)).toEqual(['gloss', 'gloss', 'gloss']);
  });
});

describe('a text', () => {
  it('is as high as its font says, half an inch to the em, centered at its position', () => {
    const [group] = resolveScene(run(addText('ab')), assets).groups;
    expect(group).toMatchObject({ elementId: 'text:t', label: 'ab' });
    expect(group!.lineBox!.sizeMm.width).toBeCloseTo(25.4, 9);
    expect(group!.lineBox!.sizeMm.height).toBeCloseTo(12.7, 9);
    expect(round(group!.lineBox!)).toEqual([12.7, 19.05, 38.1, 19.05, 38.1, 31.75, 12.7, 31.75]);
    // The baseline's left end.
    const start = applyMatrix(group!.matrix, { x: 0, y: 0.75 });
    expect(start.x).toBeCloseTo(12.7, 9);
    expect(start.y).toBeCloseTo(19.05 + 0.75 * 12.7, 9);
  });

  it.each([
    ['left', ['M0 0.75L0.5 0.25L0.5 0.75Z', 'M0 1.75L0.5 1.25L0.5 1.75Z']],
    ['center', ['M0 0.75L0.5 0.25L0.5 0.75Z', 'M1 1.75L1.5 1.25L1.5 1.75Z']],
    ['right', ['M0 0.75L0.5 0.25L0.5 0.75Z', 'M2 1.75L2.5 1.25L2.5 1.75Z']],
  ] as const)('sets its lines %s', (textAlign, expected) => {
    const [group] = resolveScene(run(addText('abc\nx', { textAlign })), assets).groups;
    expect(group!.children.map((child) => child.kind === 'path' && child.d)).toEqual(expected);
    expect(group!.lineBox!.sizeMm.height).toBeCloseTo(25.4, 9);
  });

  it('is as wide as its longest line and as high as its lines are spaced', () => {
    const size = (text: string, changes: object = {}) =>
      resolveScene(run(addText(text, changes)), assets).groups[0]!.lineBox!.sizeMm;
    expect(size('ab\nabcd\na').width).toBeCloseTo(4 * 12.7, 9);
    expect(size('ab\nabcd\na').height).toBeCloseTo(3 * 12.7, 9);
    expect(size('ab\nabcd\na', { lineSpacing: 150 }).height).toBeCloseTo(4 * 12.7, 9);
    expect(size('ab', { lineSpacing: 150 }).height).toBeCloseTo(12.7, 9);
  });

  it('bends about one middle: the box of a half circle is as wide as it is and half as high', () => {
    // A line of ten ems round half a circle: radius 10 / pi at the middle of the line.
    const [up, down] = [50, -50].map((bend) => resolveScene(run(addText('abcdefghij', { bend })), assets).groups[0]!);
    const radius = (10 / Math.PI + 0.5) * 12.7;
    for (const { sizeMm } of [up!.lineBox!, down!.lineBox!]) {
      expect(sizeMm.width).toBeGreaterThan(1.9 * radius);
      expect(sizeMm.width).toBeLessThan(2.1 * radius);
      expect(sizeMm.height / sizeMm.width).toBeCloseTo(0.5, 0);
    }
    expect(up!.children).not.toEqual(down!.children);
  });

  it('has nearly the same box with the least bend as without one', () => {
    const size = (bend: number) => resolveScene(run(addText('abc\nx', { bend })), assets).groups[0]!.lineBox!.sizeMm;
    expect(size(0.1).width).toBeCloseTo(size(0).width, 0);
    expect(size(-0.1).height).toBeCloseTo(size(0).height, 0);
  });

  it('outlines each line on its own circle, the lower line of a rainbow on the smaller one', () => {
    const letterSpacings: (number | undefined)[] = [];
    const noting: FontSource = {
      outline: (line) => {
        letterSpacings.push(line.arcRadius);
        return fonts.outline(line);
      },
    };
    resolveScene(run(addText('abc\nabc', { bend: 30 })), { ...assets, fonts: noting });
    const [, , first, second] = letterSpacings;
    expect(first! - second!).toBeCloseTo(1, 4);
    expect(second).toBeGreaterThan(0);
  });

  it('has the box of its ink, wherever it lies and however it is turned', () => {
    // The letters of the test's font are triangles, half as wide and high as an em, on the base line at 0.75 em.
    for (const isFlipped of [false, true]) {
      for (const angleDeg of [0, 30, 90, 200]) {
        const composition = run(addText('ab', { x: 12, y: -7, angleDeg, isFlipped }));
        const [group] = resolveScene(composition, assets).groups;
        expect(group!.sizeMm.width).toBeCloseTo(0.5 * 12.7, 9);
        expect(group!.sizeMm.height).toBeCloseTo(0.5 * 12.7, 9);
        const drawnCorners = [
          [0, 0.25],
          [0.5, 0.25],
          [0.5, 0.75],
          [0, 0.75],
        ].map(([x, y]) => applyMatrix(group!.matrix, { x: x!, y: y! }));
        // Clockwise from its own top left, also where it is flipped.
        const corners = isFlipped ? [1, 0, 3, 2].map((i) => drawnCorners[i]!) : drawnCorners;
        for (const [i, corner] of group!.corners.entries()) {
          expect(corner.x).toBeCloseTo(corners[i]!.x, 9);
          expect(corner.y).toBeCloseTo(corners[i]!.y, 9);
        }
      }
    }
  });

  it.each(['', '   ', '\n \t'])('is left out when it has nothing to draw: %j', (text) => {
    expect(resolveScene(run(addText(text)), assets).groups).toEqual([]);
  });

  it('is left out until its font is loaded', () => {
    expect(resolveScene(run(addText('a')), { ...assets, fonts: { outline: () => undefined } }).groups).toEqual([]);
  });

  it('is trimmed and applies its style to every line', () => {
    const [text] = textsOf(run(addText('  a \n b  ', { fontWeight: 'bold', textDecoration: 'underline' })));
    const look = { fontFamily: 'Open Sans', isBold: true, isItalic: false, isUnderlined: true };
    expect(toTextLines(text!)).toEqual([
      { text: 'a', ...look },
      { text: ' b', ...look },
    ]);
  });
});

describe('identity', () => {
  it('keeps the children the same objects while only the position changes', () => {
    const before = run(place, addText('abc\nx'));
    const after = [
      { type: 'updateDesign', id: 'design', changes: { x: 5, size: 30, angleDeg: 12, opacity: 50 } } as const,
      { type: 'updateText', id: 't', changes: { x: -7, heightInches: 1, isFlipped: true } } as const,
    ].reduce(applyCommand, before);
    const [design, text] = resolveScene(before, assets).groups;
    const [movedDesign, movedText] = resolveScene(after, assets).groups;
    expect(movedDesign!.children).toBe(design!.children);
    expect(movedText!.children).toBe(text!.children);
    expect(movedDesign!.opacity).toBe(0.5);
  });

  it('makes new children when the style changes', () => {
    const before = run(addText('abc'));
    const after = applyCommand(before, { type: 'updateText', id: 't', changes: { color: '#C0C0C0' } });
    const children = (composition: Composition) => resolveScene(composition, assets).groups[0]!.children;
    expect(children(after)).not.toBe(children(before));
    expect(children(before)).toBe(children(before));
  });
});
