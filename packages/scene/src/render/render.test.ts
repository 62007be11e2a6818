import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import { describe, expect, it } from 'vitest';
import type { Artwork, ArtworkShape, Gradient } from '../artwork/artwork.ts';
import { applyCommand, type Command } from '../document/commands.ts';
import { type Composition, parseComposition } from '../document/composition.ts';
import { emptyComposition } from '../document/initial.ts';
import { laserLayerOf } from '../document/machine.ts';
import { type Matrix, multiply } from '../geometry/matrix.ts';
import { flatten, looseBounds, readContours, transformPath } from '../geometry/pathData.ts';
import { parseTransform } from '../import/readArtwork.ts';
import { measureInk } from '../resolve/ink.ts';
import { areaAspect, resolveScene } from '../resolve/resolve.ts';
import type { Assets, Scene } from '../resolve/scene.ts';
import { onlyArtwork, testProduct } from '../resolve/testProduct.ts';
import { seededRandom } from '../svg/seededRandom.ts';
import { type SvgNode, writeSvg } from '../svg/svg.ts';
import { createFontBook } from '../text/text.ts';
import { markPainter } from './markPainter.ts';
import { renderScene } from './render.ts';
import { MOCKUP_PX, type Target } from './targets.ts';

const fonts = createFontBook();
for (const name of ['open-sans-latin-400-normal.woff2']) {
  fonts.add(name, new Uint8Array(readFileSync(findFontPath(name)!)));
}

const shape = (d: string, look: Partial<ArtworkShape> = {}): ArtworkShape => ({
  d,
  fill: '#000000',
  stroke: undefined,
  strokeWidth: 0,
  opacity: 1,
  ...look,
});
const square = (x: number, y: number, side: number, look: Partial<ArtworkShape> = {}) =>
  shape(`M${x} ${y}L${x + side} ${y}L${x + side} ${y + side}L${x} ${y + side}Z`, look);

// A ring with a hole, a curve, and a line to follow.
const artwork: Artwork = {
  width: 100,
  height: 100,
  shapes: [
    shape('M10 10L60 10L60 60L10 60ZM20 20L20 50L50 50L50 20Z'),
    shape('M70 10C90 10 90 40 70 40C60 40 60 10 70 10Z', { fill: '#808080' }),
    shape('M10 80L90 90', { fill: undefined, stroke: '#0000ff', strokeWidth: 0.3 }),
  ],
};
const assets: Assets = {
  product: testProduct,
  artworks: onlyArtwork(artwork),
  fonts,
  markPainter,
};
const run = (...commands: Command[]): Composition => commands.reduce(applyCommand, emptyComposition);
const place: Command = { type: 'placeDesign', id: 'design', designId: 'd', filename: 'a.svg', aspect: 1 };
const arrangement = run(
  place,
  { type: 'updateDesign', id: 'design', changes: { x: -10, y: 4, size: 50, angleDeg: 33, isFlipped: true } },
  { type: 'addText', element: { id: 'a', text: 'Office', y: 35, angleDeg: 10 } },
  {
    type: 'addText',
    // A typeface without segments that are too short for a machine: the job merges those.
    element: { id: 'b', text: 'Love', x: 30, y: -30, heightInches: 0.4, isFlipped: true },
  },
);
const targets: Target[] = [
  { kind: 'preview' },
  { kind: 'mockup' },
  { kind: 'production' },
  { kind: 'customSvg' },
  { kind: 'standardSvg' },
];

/**
 * Returns all path data of a drawing with every transform baked, sorted, without the frame, the backdrop and the paint.
 */
function bakedPaths(root: SvgNode, unturn?: Matrix): string[] {
  const paths: string[] = [];
  const visit = (node: SvgNode, matrix: Matrix | undefined) => {
    if (node.tag === 'defs') return;
    const own = node.attrs.transform ? parseTransform(node.attrs.transform) : undefined;
    const next = own && matrix ? multiply(matrix, own) : (own ?? matrix);
    if (node.tag === 'path') paths.push(next ? transformPath(node.attrs.d!, next) : node.attrs.d!);
    for (const child of node.children) visit(child, next);
  };
  visit(root, unturn);
  return paths.sort();
}

const nodesOf = (node: SvgNode): SvgNode[] => [node, ...node.children.flatMap(nodesOf)];

describe('every target', () => {
  it('draws the same paths, so that the screen shows what the machine makes', () => {
    const scene = resolveScene(arrangement, assets);
    expect(scene.groups).toHaveLength(3);
    const [expected, ...others] = targets.map((target) => bakedPaths(renderScene(scene, target)));
    expect(expected!.length).toBe(artwork.shapes.length + 2);
    const numbers = (paths: string[]) => paths.map((d) => readContours(d).flatMap(({ points }) => points));
    const expectedNumbers = numbers(expected!);
    for (const paths of others) {
      expect(paths.map((d) => d.replace(/[-\d.]+/g, '#'))).toEqual(expected!.map((d) => d.replace(/[-\d.]+/g, '#')));
      numbers(paths).forEach((points, i) => {
        // Two roundings to a micron may differ by one.
        points.forEach((value, j) => {
          expect(Math.abs(value - expectedNumbers[i]![j]!)).toBeLessThan(0.0021);
        });
      });
    }
    // The files among them agree to the letter.
    const [production, custom, standard] = others.slice(1);
    expect(custom).toEqual(production);
    expect(standard).toEqual(production);
  });

  it('is the same at every rotation of the product, except preview and mockup', () => {
    const straight = resolveScene(arrangement, assets);
    const rotatedScene = resolveScene({ ...arrangement, productAngleDeg: 70 }, assets);
    for (const kind of ['production', 'customSvg', 'standardSvg'] as const) {
      expect(writeSvg(renderScene(rotatedScene, { kind }))).toBe(writeSvg(renderScene(straight, { kind })));
    }
    expect(writeSvg(renderScene(rotatedScene, { kind: 'preview' }))).not.toBe(
      writeSvg(renderScene(straight, { kind: 'preview' })),
    );
  });
});

describe('a production file for the laser', () => {
  const scene = resolveScene(arrangement, assets);
  const root = renderScene(scene, { kind: 'production' });

  it('has its real size in millimeters', () => {
    // The print area is 3 in wide; its height follows from the picture.
    expect(root.attrs).toMatchObject({ width: '76.2mm', height: '63.5mm', viewBox: '0 0 76.2 63.5' });
  });

  it('holds only elements and attributes that machine programs read', () => {
    const allowedAttrs = new Set([
      'd',
      'id',
      'fill',
      'fill-rule',
      'stroke',
      'stroke-width',
      'width',
      'height',
      'viewBox',
    ]);
    for (const { tag, attrs } of nodesOf(root)) {
      expect(['svg', 'g', 'path']).toContain(tag);
      for (const name of Object.keys(attrs)) expect(allowedAttrs, name).toContain(name);
    }
    const text = writeSvg(root);
    expect(text).not.toMatch(/transform|clip|mask|<use|<text|style|url\(|#fff|white|e-\d/i);
    expect(text.match(/-?\d+\.\d{4,}/)).toBeNull();
  });

  it('has one group per layer, in running order, in exact palette colors', () => {
    expect(root.children.map(({ attrs }) => attrs.id)).toEqual(['engrave-c00', 'engrave-c16', 'score-c01']);
    const [black, gray, score] = root.children;
    for (const { attrs } of black!.children) {
      expect(attrs).toMatchObject({
        fill: '#000000',
        stroke: '#000000',
        'stroke-width': '0.1',
        'fill-rule': 'evenodd',
      });
    }
    for (const { attrs } of gray!.children) expect(attrs).toMatchObject({ fill: '#808080', stroke: '#808080' });
    expect(score!.children[0]!.attrs).toMatchObject({ fill: 'none', stroke: '#0000FF' });
  });

  it('closes filled outlines, leaves scored lines open, keeps holes and curves', () => {
    const [black, gray, score] = root.children;
    for (const { attrs } of [...black!.children, ...gray!.children]) {
      for (const contour of readContours(attrs.d!)) expect(contour.isClosed).toBe(true);
    }
    expect(readContours(score!.children[0]!.attrs.d!)[0]!.isClosed).toBe(false);
    expect(black!.children.some(({ attrs }) => readContours(attrs.d!).length === 2)).toBe(true);
    expect(gray!.children[0]!.attrs.d).toContain('C');
  });

  it('leaves out pictures', () => {
    const picture: Artwork = { ...artwork, shapes: [], imageHref: 'data:image/png;base64,AA' };
    const file = renderScene(resolveScene(arrangement, { ...assets, artworks: onlyArtwork(picture) }), {
      kind: 'production',
    });
    expect(nodesOf(file).every(({ tag }) => tag !== 'image')).toBe(true);
  });
});

/** Returns the scene of a bare 100 x 100 mm frame with artwork of that size, so that artwork units are mm. */
function bareScene(shapes: ArtworkShape[], machine: Composition['machine'] = 'laser', opacity = 100): Scene {
  const composition = run(place, { type: 'updateDesign', id: 'design', changes: { size: 100, opacity } });
  const own: Artwork = { width: 100, height: 100, shapes };
  return resolveScene({ ...composition, machine }, { product: undefined, artworks: onlyArtwork(own), fonts });
}
const production = (scene: Scene) => renderScene(scene, { kind: 'production' });
const areaOf = (d: string) =>
  Math.abs(
    readContours(d).reduce((sum, { points }) => {
      for (let i = 0; i < points.length; i += 2) {
        const j = (i + 2) % points.length;
        sum += (points[i]! * points[j + 1]! - points[j]! * points[i + 1]!) / 2;
      }
      return sum;
    }, 0),
  );

describe('a shape that crosses the frame', () => {
  it('is left out of a mockup where it is clear and lies outside', () => {
    const clear = { opacity: 0.5 };
    const shapes = [
      square(400, 10, 5, clear),
      square(10, -40, 20, clear),
      square(90, 10, 40, clear),
      square(400, 50, 5),
    ];
    const placesOf = (kind: 'mockup' | 'preview') =>
      nodesOf(renderScene(bareScene(shapes, 'uv'), { kind }))
        .filter(({ tag, attrs }) => tag === 'path' && /^M(400|10|90) /.test(attrs.d!))
        .map(({ attrs }) => attrs.d!.slice(0, attrs.d!.indexOf('L')));
    expect(placesOf('mockup')).toEqual(['M90 10', 'M400 50']);
    // On the page a browser draws it, and the nodes stay the same while an element is dragged.
    expect(placesOf('preview')).toHaveLength(4);
  });

  it('is clipped; a shape outside is dropped, one inside stays exact', () => {
    const curve = 'M40 40C50 30 60 50 50 60Z';
    const [layer] = production(bareScene([square(-20, 10, 40), square(200, 200, 5), shape(curve)])).children;
    const [exact, cut] = [...layer!.children].sort((a, b) => Number(b.attrs.d === curve) - Number(a.attrs.d === curve));
    expect(layer!.children).toHaveLength(2);
    expect(exact!.attrs.d).toBe(curve);
    expect(looseBounds(readContours(cut!.attrs.d!))).toEqual({ minX: 0, minY: 10, maxX: 20, maxY: 50 });
    expect(areaOf(cut!.attrs.d!)).toBeCloseTo(800, 3);
  });

  it('keeps its holes when it is clipped', () => {
    const ring = shape('M-50 20L50 20L50 60L-50 60ZM-40 30L-40 50L40 50L40 30Z');
    const [layer] = production(bareScene([ring])).children;
    expect(areaOf(layer!.children[0]!.attrs.d!)).toBeCloseTo(50 * 40 - 40 * 20, 3);
  });

  it('is clipped within a hundredth of a millimeter of its curve', () => {
    const circle = shape(
      'M30 0C30 16.569 16.569 30 0 30C-16.569 30 -30 16.569 -30 0C-30 -16.569 -16.569 -30 0 -30C16.569 -30 30 -16.569 30 0Z',
    );
    const [layer] = production(bareScene([circle])).children;
    const [contour] = readContours(layer!.children[0]!.attrs.d!);
    // The rest of the circle is the curve it was drawn with.
    expect(contour!.commands).toContain('C');
    const outline = flatten(contour!, 0.001);
    for (let i = 0; i < outline.length; i += 2) {
      const [x, y] = [outline[i]!, outline[i + 1]!];
      if (x > 0.001 && y > 0.001) expect(Math.abs(Math.hypot(x, y) - 30)).toBeLessThan(0.02);
    }
    expect(outline.length).toBeGreaterThan(40);
  });

  it('stays an open line, in as many pieces as lie inside', () => {
    const zigzag = shape('M10 50L50 -50L90 50', { fill: undefined, stroke: '#0000ff' });
    const [layer] = production(bareScene([zigzag])).children;
    const contours = layer!.children.flatMap(({ attrs }) => readContours(attrs.d!));
    expect(contours).toHaveLength(2);
    expect(contours.every(({ isClosed }) => !isClosed)).toBe(true);
  });
});

describe('shapes that overlap', () => {
  it('are joined on one layer, because even-odd filling would leave a hole', () => {
    const [layer] = production(bareScene([square(10, 10, 20), square(20, 20, 20)])).children;
    expect(layer!.children).toHaveLength(1);
    expect(areaOf(layer!.children[0]!.attrs.d!)).toBeCloseTo(700, 3);
  });

  it('hide what is below, so that nothing is burned twice', () => {
    const [black, gray] = production(bareScene([square(10, 10, 20), square(20, 20, 20, { fill: '#808080' })])).children;
    expect(areaOf(black!.children[0]!.attrs.d!)).toBeCloseTo(300, 3);
    expect(areaOf(gray!.children[0]!.attrs.d!)).toBeCloseTo(400, 3);
  });

  it('are cut out by white, which itself is not produced', () => {
    const root = production(bareScene([square(10, 10, 20), square(15, 15, 5, { fill: '#ffffff' })]));
    expect(root.children).toHaveLength(1);
    expect(areaOf(root.children[0]!.children[0]!.attrs.d!)).toBeCloseTo(375, 3);
  });

  it('stay exact where they only share an edge', () => {
    const edge = 'C30 20 10 30 20 40';
    const left = shape(`M20 10${edge}L0 40L0 10Z`);
    const right = shape('M20 40C10 30 30 20 20 10L40 10L40 40Z', { fill: '#808080' });
    const paths = production(bareScene([left, right])).children.flatMap(({ children }) => children);
    expect(paths.map(({ attrs }) => attrs.d)).toEqual([left.d, right.d]);
  });

  it('are joined across elements too', () => {
    const composition = run(
      place,
      { type: 'updateDesign', id: 'design', changes: { size: 100 } },
      {
        type: 'addText',
        element: { id: 't', text: 'I', heightInches: 1 },
      },
    );
    const own: Artwork = { width: 100, height: 100, shapes: [square(20, 50, 60)] };
    const [layer] = production(
      resolveScene(composition, { product: undefined, artworks: onlyArtwork(own), fonts }),
    ).children;
    expect(layer!.children).toHaveLength(1);
  });

  it('never interrupt a cutting line', () => {
    const cut = shape('M0 20L100 20', { fill: undefined, stroke: '#FF0000', strokeWidth: 1 });
    const score = shape('M0 25L100 25', { fill: undefined, stroke: '#0000FF', strokeWidth: 1 });
    const root = production(bareScene([cut, score, square(10, 10, 20)]));
    const paths = (id: string) =>
      root.children.find(({ attrs }) => attrs.id === id)!.children.map(({ attrs }) => attrs.d);
    expect(paths('cut-c02')).toEqual(['M0 20L100 20']);
    expect(paths('score-c01')).toEqual(['M0 25L10 25', 'M30 25L100 25']);
  });
});

describe('an unfilled line', () => {
  const hairline = shape('M10 10L90 90', { fill: undefined, stroke: '#000000', strokeWidth: 0.1 });
  const linesOf = (scene: Scene, target: Target) =>
    nodesOf(renderScene(scene, target)).flatMap(({ attrs }) => (attrs.d && attrs.stroke !== 'none' ? [attrs] : []));

  it('is at least as wide as the least width of preview and mockup', () => {
    for (const machine of ['laser', 'uv'] as const) {
      const scene = bareScene([hairline], machine);
      expect(linesOf(scene, { kind: 'preview' })[0]).toMatchObject({
        'stroke-width': '1.5',
        'vector-effect': 'non-scaling-stroke',
      });
      const [line] = linesOf(scene, { kind: 'mockup' });
      const pxPerMm = MOCKUP_PX / Math.max(scene.widthMm, scene.heightMm);
      expect(Number(line!['stroke-width']) * pxPerMm).toBeCloseTo(3, 2);
    }
  });

  it('of ink has its own width where that is larger', () => {
    const widths = linesOf(bareScene([hairline], 'uv'), { kind: 'preview' }).map((attrs) => attrs['stroke-width']);
    expect(widths).toEqual(['1.5', '0.1']);
  });

  it.each(['production', 'customSvg', 'standardSvg'] as const)('has no least width in a %s file', (kind) => {
    const lines = linesOf(bareScene([hairline], 'uv'), { kind });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toHaveProperty('vector-effect');
    expect(Number(lines[0]!['stroke-width'])).toBeLessThan(2);
  });
});

describe('laser tones', () => {
  it.each([
    ['#000000', 1, '#000000'],
    ['#3f3f3f', 1, '#000000'],
    ['#808080', 1, '#808080'],
    ['#c0c0c0', 1, '#B4B4B4'],
    ['#000000', 0.5, '#808080'],
    ['#ffffff', 1, undefined],
    ['#fafafa', 1, undefined],
    ['#000000', 0, undefined],
  ])('%s at opacity %d is engraved as %s', (color, opacity, expected) => {
    expect(laserLayerOf('engrave', color, opacity)?.color).toBe(expected);
  });

  it('follow the opacity of the design', () => {
    const [layer] = production(bareScene([square(10, 10, 20)], 'laser', 30)).children;
    expect(layer!.attrs.id).toBe('engrave-c08');
  });
});

describe('ink', () => {
  it('keeps its own colors in one layer', () => {
    const root = production(bareScene([square(10, 10, 20, { fill: '#c8102e' })], 'uv', 50));
    expect(root.children.map(({ attrs }) => attrs.id)).toEqual(['print']);
    const path = nodesOf(root).find(({ tag }) => tag === 'path')!;
    expect(path.attrs).toMatchObject({ d: 'M10 10L30 10L30 30L10 30Z', fill: '#c8102e', stroke: 'none' });
  });

  it('has the opacity of an element on its group, so that shapes that overlap do not show through', () => {
    const stack = [square(10, 10, 20, { fill: '#c8102e' }), square(15, 15, 20, { fill: '#1f4fa3' })];
    const [group] = production(bareScene(stack, 'uv', 50)).children[0]!.children;
    expect(group!.attrs).toMatchObject({ id: 'design', opacity: '0.5' });
    expect(group!.children.map(({ attrs }) => attrs.opacity)).toEqual([undefined, undefined]);
  });

  it('is mirrored in the production file for sublimation only', () => {
    const scene = bareScene([square(10, 10, 20)], 'sublimation');
    const d = (kind: 'production' | 'customSvg') =>
      nodesOf(renderScene(scene, { kind })).find(({ tag }) => tag === 'path')!.attrs.d!;
    expect(looseBounds(readContours(d('production')))).toEqual({ minX: 70, minY: 10, maxX: 90, maxY: 30 });
    expect(looseBounds(readContours(d('customSvg')))).toEqual({ minX: 10, minY: 10, maxX: 30, maxY: 30 });
  });

  it('may print a picture', () => {
    const own: Artwork = { width: 10, height: 10, shapes: [], imageHref: 'data:image/png;base64,AA' };
    const uv = { ...run(place, { type: 'updateDesign', id: 'design', changes: { size: 50 } }), machine: 'uv' as const };
    const root = production(resolveScene(uv, { product: undefined, artworks: onlyArtwork(own), fonts }));
    expect(nodesOf(root).find(({ tag }) => tag === 'image')!.attrs).toMatchObject({
      x: '25',
      y: '25',
      width: '50',
      height: '50',
    });
  });
});

describe('a gradient', () => {
  const gradient: Gradient = {
    kind: 'linear',
    x1: 0,
    y1: 0,
    x2: 100,
    y2: 0,
    stops: [
      { offset: 0, color: '#102030' },
      { offset: 1, color: '#f0e0d0' },
    ],
  };
  const shapes = [square(0, 0, 100, { fill: '#808080', gradient }), square(10, 10, 20, { fill: '#808080', gradient })];
  const sceneFor = (machine: 'uv' | 'sublimation' | 'laser') =>
    resolveScene(
      { ...run(place, { type: 'updateDesign', id: 'design', changes: { size: 50 } }), machine },
      { ...assets, artworks: onlyArtwork({ ...artwork, shapes }) },
    );
  const paintsOf = (node: SvgNode) => nodesOf(node).filter(({ tag }) => tag === 'linearGradient');

  it.each(['preview', 'mockup', 'production', 'customSvg', 'standardSvg'] as const)(
    'is defined once in a %s',
    (kind) => {
      const drawing = renderScene(sceneFor('uv'), { kind });
      const [paint, ...more] = paintsOf(drawing);
      expect(more).toEqual([]);
      expect(paint!.children.map(({ attrs }) => attrs['stop-color'])).toEqual(['#102030', '#f0e0d0']);
      const users = nodesOf(drawing).filter(({ attrs }) => attrs.fill === `url(#${paint!.attrs.id})`);
      expect(users).toHaveLength(2);
    },
  );

  it('is placed with its shape, also in a mirrored file', () => {
    for (const machine of ['uv', 'sublimation'] as const) {
      const file = production(sceneFor(machine));
      const { x1, x2 } = paintsOf(file)[0]!.attrs;
      const outline = readContours(nodesOf(file).find(({ tag }) => tag === 'path')!.attrs.d!);
      const xs = outline.flatMap(({ points }) => points.filter((_, k) => k % 2 === 0));
      const ends = [Math.min(...xs), Math.max(...xs)];
      if (machine === 'sublimation') ends.reverse();
      expect(Number(x1)).toBeCloseTo(ends[0]!, 2);
      expect(Number(x2)).toBeCloseTo(ends[1]!, 2);
    }
  });

  it('is one tone for a laser', () => {
    expect(paintsOf(production(sceneFor('laser')))).toEqual([]);
    expect(paintsOf(renderScene(sceneFor('laser'), { kind: 'preview' }))).toEqual([]);
  });
});

describe('square files', () => {
  it.each([
    ['customSvg', '1000'],
    ['standardSvg', '400'],
  ] as const)('%s fits the frame into its canvas', (kind, side) => {
    const root = renderScene(resolveScene(arrangement, assets), { kind });
    expect(root.attrs).toMatchObject({ width: side, height: side, viewBox: '0 -6.35 76.2 76.2' });
    expect(nodesOf(root).some(({ tag }) => tag === 'image')).toBe(false);
    expect(root.children.map(({ attrs }) => attrs.id)).toEqual(['design', 'text-a', 'text-b']);
  });
});

describe('preview and mockup', () => {
  const scene = resolveScene(arrangement, assets);

  it('show the whole rotated picture', () => {
    const preview = renderScene(scene, { kind: 'preview' });
    expect(preview.attrs.viewBox).toBe('-25.4 -47.625 127 158.75');
    const quarter = renderScene(resolveScene({ ...arrangement, productAngleDeg: 90 }, assets), { kind: 'mockup' });
    expect(quarter.attrs).toMatchObject({ width: '2000', height: '1600' });
    expect(quarter.attrs.viewBox!.split(' ').slice(2)).toEqual(['158.75', '127']);
  });

  it('change one attribute during a drag', () => {
    const movedScene = resolveScene(
      applyCommand(arrangement, { type: 'updateDesign', id: 'design', changes: { x: 3 } }),
      assets,
    );
    const elements = (drawing: SvgNode) => nodesOf(drawing).filter(({ attrs }) => attrs['data-element']);
    const before = elements(renderScene(scene, { kind: 'preview' }));
    const after = elements(renderScene(movedScene, { kind: 'preview' }));
    expect(after.map(({ attrs }) => attrs['data-element'])).toEqual(['design', 'text:a', 'text:b']);
    after.forEach((node, i) => {
      expect(node.children).toBe(before[i]!.children);
    });
    expect(after[0]!.attrs.transform).not.toBe(before[0]!.attrs.transform);
    expect(after[1]!.attrs).toEqual(before[1]!.attrs);
  });

  /** Returns the node that a paint address refers to. */
  const paintOf = (drawing: SvgNode, paint: string | undefined) =>
    nodesOf(drawing).find(({ attrs }) => attrs.id !== undefined && `url(#${attrs.id})` === paint);
  const marksOf = (drawing: SvgNode) =>
    nodesOf(drawing)
      .filter(({ attrs }) => attrs['data-element'])
      .flatMap(nodesOf)
      .filter(({ tag }) => tag === 'path');
  const drawOn = (material: string, shapes: ArtworkShape[], kind: 'preview' | 'mockup' = 'preview', more = {}) => {
    const product = { ...assets.product!, finish: { material, markColor: '#dddddd', ...more } };
    return renderScene(
      resolveScene(run(place), { ...assets, product, artworks: onlyArtwork({ ...artwork, shapes }) }),
      { kind },
    );
  };

  it('show a laser mark in the material’s color, lighter art thinner, white not at all', () => {
    const shapes = [square(0, 0, 10), square(20, 0, 10, { fill: '#808080' }), square(40, 0, 10, { fill: '#ffffff' })];
    const drawing = drawOn('slate', shapes);
    const paths = marksOf(drawing);
    expect(paths.map(({ attrs }) => attrs['fill-opacity'])).toEqual([undefined, '0.498']);
    for (const { attrs } of paths) {
      const texture = paintOf(drawing, attrs.fill)!;
      expect(texture.tag).toBe('pattern');
      expect(texture.children[0]!.attrs.fill).toBe('#dddddd');
    }
    expect(marksOf(drawOn('ceramic', shapes)).map(({ attrs }) => attrs.fill)).toEqual(['#dddddd', '#dddddd']);
  });

  it('show plain colors until the mark painter is loaded', () => {
    const shapes = [square(0, 0, 10), square(20, 0, 10, { fill: '#c0c0c0' })];
    const scene = resolveScene(run(place), {
      ...assets,
      markPainter: undefined,
      artworks: onlyArtwork({ ...artwork, shapes }),
    });
    const drawing = renderScene(scene, { kind: 'preview' });
    expect(marksOf(drawing).map(({ attrs }) => attrs.fill)).toEqual(['#dddddd', '#8496A9']);
    expect(nodesOf(drawing).some(({ tag }) => tag === 'defs')).toBe(false);
  });

  it('show brushed steel as its picture at 0.87 over a drawn gradient, and files its layer', () => {
    const shapes = [square(0, 0, 10, { fill: '#c0c0c0' })];
    const steelOf = (drawing: SvgNode) => paintOf(drawing, marksOf(drawing)[0]!.attrs.fill)!.children;
    const [bands, base, picture] = steelOf(drawOn('stainless', shapes, 'preview', { brushedHref: '/brushed.png' }));
    expect(bands!.tag).toBe('linearGradient');
    expect(base!.attrs.fill).toBe(`url(#${bands!.attrs.id})`);
    expect(picture).toMatchObject({ tag: 'image', attrs: { href: '/brushed.png', opacity: '0.87' } });
    expect(steelOf(drawOn('stainless', shapes)).some(({ tag }) => tag === 'image')).toBe(false);
    // The art's black bares the steel below a coat; a board has no steel to show.
    const onPowderCoat = drawOn('powder-coat', [square(0, 0, 10)], 'mockup', {
      brushedHref: 'data:image/png;base64,AA',
    });
    expect(steelOf(onPowderCoat).some(({ tag }) => tag === 'image')).toBe(true);
    expect(steelOf(drawOn('walnut', shapes))[0]).toMatchObject({ tag: 'rect', attrs: { fill: '#dddddd' } });
    const steel = resolveScene(run(place), { ...assets, artworks: onlyArtwork({ ...artwork, shapes }) });
    expect(production(steel).children[0]!.attrs.id).toBe('engrave-c08');
  });

  it('keep the grain along the product, at every rotation and size of the element', () => {
    const toSurface = (changes: object) => {
      const composition = applyCommand(run(place), { type: 'updateDesign', id: 'design', changes });
      const scene = resolveScene(composition, assets);
      const drawing = renderScene(scene, { kind: 'preview' });
      const pattern = paintOf(drawing, marksOf(drawing)[0]!.attrs.fill)!;
      const { a, b, c, d } = multiply(scene.groups[0]!.matrix, parseTransform(pattern.attrs.patternTransform!));
      return [a, b, c, d].map((value) => Number(value.toFixed(3)) + 0);
    };
    const straight = toSurface({});
    expect(straight[1]).toBe(0);
    expect(straight[0]).toBeGreaterThan(0);
    expect(toSurface({ size: 30, angleDeg: 33, isFlipped: true })).toEqual(straight);
  });

  it.each('stainless powder-coat brass walnut maple slate leather ceramic acrylic cotton aluminium'.split(' '))(
    'show the same mark on %s in preview and mockup, and change no file',
    (material) => {
      const product = { ...assets.product!, finish: { material, markColor: '#445566', brushedHref: '/brushed.png' } };
      for (const machine of ['laser', 'uv', 'sublimation'] as const) {
        const withMaterial = resolveScene({ ...arrangement, machine }, { ...assets, product });
        const other = { ...product, finish: { material: 'none', markColor: '#000000' } };
        const bare = resolveScene({ ...arrangement, machine }, { ...assets, product: other });
        for (const kind of ['production', 'customSvg', 'standardSvg'] as const) {
          const file = writeSvg(renderScene(withMaterial, { kind }));
          expect(file).toBe(writeSvg(renderScene(bare, { kind })));
          expect(file).not.toMatch(/pattern|filter|brushed|445566/);
        }
        const [preview, mockup] = (['preview', 'mockup'] as const).map((kind) => renderScene(withMaterial, { kind }));
        expect(writeSvg(preview!)).not.toBe(writeSvg(renderScene(bare, { kind: 'preview' })));
        // The paints are the same, though a screen draws a fine line of ink twice. An edge reaches as far as each
        // renderer needs it to.
        const paints = (drawing: SvgNode) =>
          new Map(marksOf(drawing).map(({ attrs }) => [attrs.fill, paintOf(drawing, attrs.fill)]));
        expect(paints(mockup!)).toEqual(paints(preview!));
        const steps = (drawing: SvgNode) => nodesOf(drawing).find(({ tag }) => tag === 'filter')?.children;
        expect(steps(mockup!)).toEqual(steps(preview!));
        // Every paint and filter that is referenced is defined.
        for (const drawing of [preview!, mockup!]) {
          const text = writeSvg(drawing);
          for (const [, id] of text.matchAll(/url\(#([^)]+)\)/g)) expect(text).toContain(`id="${id}"`);
        }
      }
    },
  );

  it('draw a watermark on a free mockup only', () => {
    const count = (target: Target) => nodesOf(renderScene(scene, target)).filter(({ tag }) => tag === 'path').length;
    expect(count({ kind: 'mockup', watermark: true })).toBeGreaterThan(count({ kind: 'mockup' }) + 6);
    expect(count({ kind: 'mockup' })).toBe(count({ kind: 'preview' }));
  });
});

describe('a composition that was saved before the size was that of the ink', () => {
  const random = seededRandom(20_261_123);
  const between = (min: number, max: number) => min + (max - min) * random();
  const olds = Array.from({ length: 40 }, (_, i) => ({
    machine: (['laser', 'uv', 'sublimation'] as const)[i % 3],
    productId: 'p',
    ...(i % 4 === 0 && {
      machineArea: { x: 0.1, y: between(0, 0.4), width: between(0.2, 0.9), height: between(0.2, 0.6) },
    }),
    design: {
      designId: 'd',
      filename: 'a.svg',
      aspect: 1,
      x: between(-30, 30),
      y: between(-30, 30),
      size: between(30, 200),
      angleDeg: i % 2 === 0 ? 0 : between(0, 360),
      isFlipped: i % 5 === 0,
    },
    texts: [{ id: 't', text: 'Office', x: between(-20, 20), y: 30 }],
  }));
  const targets: Target[] = [{ kind: 'production' }, { kind: 'customSvg' }, { kind: 'preview' }];
  const draw = (composition: Composition) => {
    const scene = resolveScene(composition, assets);
    return targets.map((target) => writeSvg(renderScene(scene, target)));
  };

  it('is drawn to the byte as before, 40 of 40', () => {
    // From version 2 on, the box is the frame where there is no ink.
    const asBefore = olds.map((data) => draw(parseComposition({ version: 2, data })));
    expect(olds.map((data) => draw(parseComposition({ version: 1, data })))).toEqual(asBefore);
  });

  it('stays where it is when its ink is measured, 40 of 40', () => {
    for (const data of olds) {
      const composition = parseComposition({ version: 1, data });
      const trimmedComposition = applyCommand(composition, {
        type: 'trimDesign',
        id: 'design',
        ink: measureInk(artwork, composition.machine)!,
        aspect: 1,
        areaAspect: areaAspect(composition, testProduct),
      });
      const [before, after] = [composition, trimmedComposition].map((one) => resolveScene(one, assets).groups[0]!);
      expect(after!.sizeMm.width).toBeLessThan(before!.sizeMm.width);
      for (const key of ['a', 'b', 'c', 'd', 'e', 'f'] as const) {
        expect(after!.matrix[key]).toBeCloseTo(before!.matrix[key], 9);
      }
    }
  });
});
