import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Artwork, ArtworkShape } from '../artwork/artwork.ts';
import { applyCommand, type Command } from '../document/commands.ts';
import { type Composition, type MachineMode, TextElement } from '../document/composition.ts';
import { textsOf } from '../document/elements.ts';
import { emptyComposition } from '../document/initial.ts';
import { operationOf } from '../document/machine.ts';
import { applyMatrix, type Point, rotateDeg, scale } from '../geometry/matrix.ts';
import { resolveScene } from '../resolve/resolve.ts';
import type { Assets, FontSource } from '../resolve/scene.ts';
import { onlyArtwork, testProduct } from '../resolve/testProduct.ts';
import { measureFeatures } from './features.ts';
import type { Finding } from './finding.ts';
import { machineLimits } from './machineLimits.ts';
import { featureRequest, preflight } from './preflight.ts';

const paint = { stroke: undefined, strokeWidth: 0, opacity: 1, fill: '#000000' };
const shape = (d: string, changes: Partial<ArtworkShape> = {}): ArtworkShape => ({ d, ...paint, ...changes });

const polygon = (points: readonly Point[]) => `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}Z`;

/** Returns a rectangle around a middle, rotated. */
function bar(x: number, y: number, width: number, height: number, angleDeg = 0): string {
  const [cos, sin] = [Math.cos((angleDeg * Math.PI) / 180), Math.sin((angleDeg * Math.PI) / 180)];
  const at = (dx: number, dy: number) => ({ x: x + dx * cos - dy * sin, y: y + dx * sin + dy * cos });
  const [w, h] = [width / 2, height / 2];
  return polygon([at(-w, -h), at(w, -h), at(w, h), at(-w, h)]);
}

function circle(x: number, y: number, radius: number): string {
  const k = 0.5522847498 * radius;
  const at = (dx: number, dy: number) => `${x + dx} ${y + dy}`;
  const r = radius;
  return (
    `M${at(r, 0)}C${at(r, k)} ${at(k, r)} ${at(0, r)}C${at(-k, r)} ${at(-r, k)} ${at(-r, 0)}` +
    `C${at(-r, -k)} ${at(-k, -r)} ${at(0, -r)}C${at(k, -r)} ${at(r, -k)} ${at(r, 0)}Z`
  );
}

/** Measured in units of `unitMm` millimeters. */
function measure(shapes: readonly ArtworkShape[], unitMm: number, machine: MachineMode = 'laser') {
  const { lineMm, gapMm, cutGapMm } = machineLimits[machine];
  return measureFeatures({
    children: shapes.map((each) => ({ kind: 'path', operation: operationOf(machine, each), ...each })),
    unitMm,
    limits: { lineMm, gapMm, cutGapMm },
    hasWhiteInk: machine === 'uv' || machine === 'dtf',
  });
}

const width = fc.double({ min: 0.04, max: 0.6, noNaN: true });
const angle = fc.double({ min: 0, max: 180, noNaN: true });
const place = fc.double({ min: -80, max: 80, noNaN: true });
const unit = fc.double({ min: 0.01, max: 20, noNaN: true });
const machine = fc.constantFrom<MachineMode>('laser', 'uv', 'sublimation', 'dtf');
/** The tolerance of flattened curves, on both sides. */
const isNear = (a: number, b: number) => Math.abs(a - b) < 0.006;

describe('a thin line', () => {
  it('is found if and only if it is thinner than the limit, at any angle, scale and place', () => {
    fc.assert(
      fc.property(width, angle, place, place, unit, machine, (wide, turn, x, y, unitMm, mode) => {
        const { lineMm } = machineLimits[mode];
        fc.pre(!isNear(wide, lineMm));
        const line = bar(x / unitMm, y / unitMm, 12 / unitMm, wide / unitMm, turn);
        const { lines, gaps } = measure([shape(line)], unitMm, mode);
        expect(lines !== undefined).toBe(wide < lineMm);
        expect(gaps).toBeUndefined();
        if (lines) {
          expect(lines.count).toBe(1);
          expect(lines.narrowestMm).toBeGreaterThan(wide - 0.012);
          expect(lines.narrowestMm).toBeLessThan(wide + 0.012);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is found and marked where it grows out of something wide', () => {
    fc.assert(
      fc.property(width, angle, (wide, turn) => {
        fc.pre(!isNear(wide, 0.2));
        const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
        const arm = bar(50 + 10 * cos, 50 + 10 * sin, 14, wide, turn);
        const { lines } = measure([shape(bar(50, 50, 10, 10, turn)), shape(arm)], 1);
        expect(lines !== undefined).toBe(wide < 0.2);
        if (!lines) return;
        const [box] = lines.boxes;
        // Outside the square: from 5 to 17 mm out.
        expect(Math.hypot(box!.width, box!.height)).toBeGreaterThan(11);
        expect(Math.hypot(box!.width, box!.height)).toBeLessThan(13);
      }),
      { numRuns: 60 },
    );
  });

  it('is not reported for the corner, tip or curve of something wide', () => {
    const star = Array.from({ length: 10 }, (_, i) => {
      const [radius, at] = [i % 2 ? 4 : 10, (i * Math.PI) / 5];
      return { x: radius * Math.cos(at), y: radius * Math.sin(at) };
    });
    for (const d of [polygon(star), circle(0, 0, 10), bar(0, 0, 20, 1, 33), polygon([star[0]!, star[3]!, star[6]!])]) {
      expect(measure([shape(d)], 1)).toMatchObject({ lines: undefined, specks: undefined, gaps: undefined });
    }
  });

  it('is a hairline of a letter, and not its short serif', () => {
    const stem = bar(0, 0, 3, 10);
    expect(measure([shape(stem), shape(bar(1.55, 4.9, 0.7, 0.15))], 1).lines).toBeUndefined();
    expect(measure([shape(stem), shape(bar(3, 4.9, 4, 0.15))], 1).lines).toMatchObject({ count: 1 });
  });

  it('is not reported for a line of one color on another, or for the seam of two shapes', () => {
    const field = shape(bar(0, 0, 20, 20), { fill: '#ff0000' });
    expect(measure([field, shape(bar(0, 0, 12, 0.1))], 1, 'uv').lines).toBeUndefined();
    const halves = [shape(bar(-5, 0, 10, 20)), shape(bar(5.002, 0, 10, 20), { fill: '#ff0000' })];
    expect(measure(halves, 1, 'uv').gaps).toBeUndefined();
  });

  it('is measured by the stroke width where lines are printed', () => {
    const pen = (strokeWidth: number) => shape('M0 0L20 7', { fill: undefined, stroke: '#000000', strokeWidth });
    expect(measure([pen(0.2)], 1, 'uv').lines).toBeDefined();
    expect(measure([pen(0.3)], 1, 'uv').lines).toBeUndefined();
    // A laser follows a line, however wide it is drawn.
    expect(measure([pen(0.01)], 1, 'laser').lines).toBeUndefined();
  });
});

describe('a narrow gap', () => {
  it('is found if and only if it is narrower than the limit, at any angle, scale and place', () => {
    fc.assert(
      fc.property(width, angle, place, place, unit, machine, (wide, turn, x, y, unitMm, mode) => {
        const { gapMm } = machineLimits[mode];
        // A crack under a sixteenth of the limit is not measured.
        fc.pre(!isNear(wide, gapMm) && wide > gapMm / 16);
        const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
        const side = (sign: number) =>
          bar(
            (x - sign * sin * (wide / 2 + 2)) / unitMm,
            (y + sign * cos * (wide / 2 + 2)) / unitMm,
            12 / unitMm,
            4 / unitMm,
            turn,
          );
        const { lines, gaps } = measure([shape(side(1)), shape(side(-1))], unitMm, mode);
        expect(gaps !== undefined).toBe(wide < gapMm);
        expect(lines).toBeUndefined();
        if (gaps) expect(Math.abs(gaps.narrowestMm - wide)).toBeLessThan(0.012);
      }),
      { numRuns: 200 },
    );
  });

  const notchAngle = fc.double({ min: 10, max: 90, noNaN: true });
  const rotatePolygon = (points: readonly Point[], angleDeg: number) =>
    polygon(points.map((point) => applyMatrix(rotateDeg(angleDeg), point)));

  it('is not the narrowing tip of a notch, nor is a thin line the tip of a point', () => {
    fc.assert(
      fc.property(notchAngle, angle, fc.double({ min: 0.2, max: 5, noNaN: true }), (opening, turn, depth) => {
        const half = depth * Math.tan((opening * Math.PI) / 360);
        const block = [
          { x: half + 4, y: 0 },
          { x: half + 4, y: -9 },
          { x: -half - 4, y: -9 },
          { x: -half - 4, y: 0 },
          { x: -half, y: 0 },
        ];
        for (const tip of [depth, -depth]) {
          const features = measure([shape(rotatePolygon([...block, { x: 0, y: tip }, { x: half, y: 0 }], turn))], 1);
          expect(features).toMatchObject({ lines: undefined, gaps: undefined });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is not the tip between two touching circles, the counter of an A or the notch of a K', () => {
    for (const radius of [0.5, 2, 8, 20, 60]) {
      expect(measure([shape(circle(radius, 0, radius)), shape(circle(-radius, 0, radius))], 1).gaps).toBeUndefined();
    }
    const letterA = 'M0 20L7 0L9 0L16 20L13.2 20L11.4 14.6L4.6 14.6L2.8 20ZM5.4 12.2L10.6 12.2L8 2.8Z';
    const letterK = 'M0 0L2.6 0L2.6 9.4L10 0L13 0L6.4 8.4L13.4 20L10.4 20L4.6 10.6L2.6 13.2L2.6 20L0 20Z';
    for (const d of [letterA, letterK]) {
      for (const unitMm of [0.2, 0.5, 1]) expect(measure([shape(d)], unitMm).gaps).toBeUndefined();
    }
  });

  it('is found once as a slot, an inline or two circles near each other, with its width', () => {
    const slotWidth = fc.double({ min: 0.04, max: 0.24, noNaN: true });
    fc.assert(
      fc.property(slotWidth, fc.double({ min: 1.1, max: 20, noNaN: true }), angle, (wide, longer, turn) => {
        const depth = wide * longer;
        const slot = [
          { x: -wide / 2, y: 0 },
          { x: -wide / 2, y: -depth },
          { x: wide / 2, y: -depth },
          { x: wide / 2, y: 0 },
        ];
        const slotWithTip = slot.toSpliced(2, 0, { x: 0, y: -depth - wide });
        const edge = [
          { x: 4, y: 0 },
          { x: 4, y: -depth - 4 },
          { x: -4, y: -depth - 4 },
          { x: -4, y: 0 },
        ];
        const inside = slot.map(({ x, y }) => ({ x, y: y - 2 }));
        const outlines = [
          rotatePolygon([...edge, ...slot], turn),
          rotatePolygon(edge, turn) + rotatePolygon(inside, turn),
        ];
        if (longer > 2) outlines.push(rotatePolygon([...edge, ...slotWithTip], turn));
        for (const d of outlines) {
          const { gaps } = measure([shape(d)], 1);
          expect(gaps).toMatchObject({ count: 1 });
          expect(Math.abs(gaps!.narrowestMm - wide)).toBeLessThan(0.02);
        }
      }),
      { numRuns: 60 },
    );
    const { gaps } = measure([shape(circle(-5.05, 0, 5)), shape(circle(5.05, 0, 5))], 1);
    expect(gaps).toMatchObject({ count: 1 });
    expect(gaps!.narrowestMm).toBeCloseTo(0.1, 1);
  });

  it('is the same when the drawing and the limit are rotated and scaled together', () => {
    const slotWidth = fc.double({ min: 0.1, max: 0.6, noNaN: true });
    const size = fc.double({ min: 0.3, max: 4, noNaN: true });
    const taper = fc.double({ min: 0, max: 0.4, noNaN: true });
    fc.assert(
      fc.property(slotWidth, taper, size, angle, (wide, narrowing, by, turn) => {
        const mouth = wide + narrowing;
        const at = (points: readonly Point[], factor: number) =>
          rotatePolygon(
            points.map((point) => applyMatrix(scale(factor), point)),
            factor === 1 ? 0 : turn,
          );
        const points = [
          { x: 5, y: 0 },
          { x: 5, y: -7 },
          { x: -5, y: -7 },
          { x: -5, y: 0 },
          { x: -mouth / 2, y: 0 },
          { x: -wide / 2, y: -3 },
          { x: wide / 2, y: -3 },
          { x: mouth / 2, y: 0 },
        ];
        const measureAt = (factor: number) =>
          measureFeatures({
            children: [{ kind: 'path', operation: 'engrave', ...shape(at(points, factor)) }],
            unitMm: 1,
            limits: { lineMm: 0.3 * factor, gapMm: 0.3 * factor, cutGapMm: undefined },
            hasWhiteInk: false,
          });
        // Limits themselves, and the slope and the length that decide, are exact to rounding only.
        fc.pre(!isNear(wide, 0.3) && Math.abs(narrowing / 3 - 0.15) > 0.01);
        const [own, other] = [measureAt(1), measureAt(by)];
        expect(other.gaps?.count).toBe(own.gaps?.count);
        if (own.gaps) expect(Math.abs(other.gaps!.narrowestMm / by - own.gaps.narrowestMm)).toBeLessThan(0.02);
      }),
      { numRuns: 40 },
    );
  });

  it('is found as a small hole, and as white on ink', () => {
    expect(measure([shape(`${bar(0, 0, 9, 9)}${bar(0, 0, 0.2, 0.2)}`)], 1).gaps).toMatchObject({ count: 1 });
    expect(measure([shape(`${bar(0, 0, 9, 9)}${bar(0, 0, 0.4, 0.4)}`)], 1).gaps).toBeUndefined();
    const white = shape(bar(0, 0, 5, 0.2), { fill: '#ffffff' });
    expect(measure([shape(bar(0, 0, 9, 9)), white], 1, 'uv').gaps).toMatchObject({ count: 1 });
  });

  it('has a larger limit between cuts, so that the strip holds', () => {
    const cut = (x: number) => shape(bar(x, 0, 10, 10), { fill: undefined, stroke: '#ff0000', strokeWidth: 0.1 });
    expect(measure([cut(0), cut(10.4)], 1).cutGaps).toMatchObject({ count: 1 });
    expect(measure([cut(0), cut(10.6)], 1).cutGaps).toBeUndefined();
  });
});

test('specks are short, lines are long', () => {
  const dots = Array.from({ length: 7 }, (_, i) => shape(bar(i * 3, 0, 0.15, 0.15, i * 11)));
  const features = measure([shape(bar(0, 20, 30, 3)), ...dots], 1);
  expect(features.lines).toBeUndefined();
  expect(features.specks).toMatchObject({ count: 7 });
});

test('white is ink for a machine that has it', () => {
  const line = shape(bar(0, 0, 12, 0.1), { fill: '#ffffff' });
  expect(measure([line], 1, 'uv').lines).toBeDefined();
  expect(measure([line], 1, 'sublimation').lines).toBeUndefined();
});

test('a drawing with too many points is reported as not measured', () => {
  const d = `M0 0${'L1 1L2 0'.repeat(20_000)}Z`;
  expect(measure([shape(d)], 1)).toMatchObject({ isMeasured: false });
});

describe('the findings', () => {
  /** Capitals are 0.7 em high, and every line is a bar of 0.5 em a letter. */
  const fonts: FontSource = {
    outline({ text }) {
      const advance = text.length / 2;
      return { d: `M0 0L${advance} 0L${advance} -0.7L0 -0.7Z`, advance, ascent: 0.75, descent: 0.25 };
    },
  };
  /** 101.6 × 50.8 mm. */
  const product = {
    ...testProduct,
    pictureAspect: 2,
    printArea: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 },
    printWidthInches: 4,
    printHeightInches: 2,
  };
  const solid: Artwork = { width: 200, height: 100, shapes: [shape('M0 0L200 0L200 100L0 100Z')] };

  function check(
    composition: Composition,
    artwork: Artwork = solid,
    picture?: { widthPx: number; heightPx: number },
    isMeasured = true,
  ) {
    const assets: Assets = { product, artworks: onlyArtwork(artwork), fonts };
    const scene = resolveScene(composition, assets);
    const featuresOf = (group: (typeof scene.groups)[number]) =>
      isMeasured ? measureFeatures(featureRequest(scene, group)) : undefined;
    return preflight(composition, assets, scene, { featuresOf, pictureOf: () => picture });
  }
  const run = (composition: Composition, ...commands: readonly Command[]) => commands.reduce(applyCommand, composition);
  const withDesign = (size: number, x = 0, y = 0, angleDeg = 0): Composition =>
    run(
      { ...emptyComposition, productId: 'p' },
      { type: 'placeDesign', id: 'design', designId: 'd', filename: 'a.png', aspect: 2 },
      { type: 'updateDesign', id: 'design', changes: { size, x, y, angleDeg } },
    );
  const withText = (changes: Partial<TextElement>): Composition => ({
    ...emptyComposition,
    productId: 'p',
    elements: [TextElement.parse({ id: 't', text: 'Ava', ...changes })],
  });
  const applyFix = (composition: Composition, finding: Finding) =>
    finding.fix && 'commands' in finding.fix ? run(composition, ...finding.fix.commands) : composition;

  it('are empty for a sound composition', () => {
    expect(check(withDesign(50))).toEqual([]);
    expect(check(withText({}))).toEqual([]);
    expect(check(emptyComposition)).toEqual([]);
  });

  it('say that half-clear color is a patch on a film, and make it opaque where that is a setting', () => {
    const pale = (machine: MachineMode, opacity: number): Composition => ({
      ...run(withDesign(50), { type: 'updateDesign', id: 'design', changes: { opacity } }),
      machine,
    });
    const shades = (composition: Composition, artwork = solid) =>
      check(composition, artwork).filter(({ kind }) => kind === 'translucent');
    const [finding, ...more] = shades(pale('dtf', 60));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: 'advice', fix: { label: 'Make it opaque' } });
    expect(shades(applyFix(pale('dtf', 60), finding!))).toEqual([]);
    for (const composition of [pale('dtf', 100), pale('uv', 60), pale('laser', 60)]) {
      expect(shades(composition)).toEqual([]);
    }
    const bare = run(pale('dtf', 60), { type: 'setWhite', elementId: 'design', white: 'none' });
    expect(shades(bare)).toEqual([]);
    const shade = { ...solid, shapes: solid.shapes.map((each) => ({ ...each, opacity: 0.4 })) };
    const [inside] = shades(pale('dtf', 100), shade);
    expect(inside?.fix).toBeUndefined();
    expect(inside?.sentence).toMatch(/Draw the part in solid colors or as dots\.$/);
  });

  it('say how far art reaches outside, and their fix moves it in', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 180 }),
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: 0, max: 359 }),
        (size, x, y, turn) => {
          const composition = withDesign(size, x, y, turn);
          const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)].map(Math.abs);
          const [w, h] = [1.016 * size, 0.508 * size];
          const [spanX, spanY] = [w * cos! + h * sin!, w * sin! + h * cos!];
          const past = Math.max(
            Math.abs((x / 100) * 101.6) + spanX / 2 - 50.8,
            Math.abs((y / 100) * 50.8) + spanY / 2 - 25.4,
          );
          fc.pre(Math.abs(past - 0.01) > 0.003);
          const finding = check(composition, solid, undefined, false).find(({ kind }) => kind === 'outside');
          expect(finding !== undefined).toBe(past > 0.01);
          if (!finding) return;
          const [, reach] = /Reaches ([\d.]+) mm/.exec(finding.sentence)!;
          expect(Number(reach)).toBeCloseTo(past, 1);
          expect(finding.places.length).toBeGreaterThan(0);
          expect(finding.fix).toBeDefined();
          expect(check(applyFix(composition, finding), solid, undefined, false)).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('count as outside what is made, not the frame of its picture', () => {
    const small: Artwork = { width: 200, height: 100, shapes: [shape('M80 40L120 40L120 60L80 60Z')] };
    const atEdge = run(withDesign(80), { type: 'updateDesign', id: 'design', changes: { x: 40 } });
    // The frame reaches 30.5 mm past the right edge, the ink ends 2.03 mm before it.
    expect(check(atEdge, small, undefined, false)).toEqual([]);
    const over = run(atEdge, { type: 'updateDesign', id: 'design', changes: { x: 43 } });
    expect(check(over, small, undefined, false)).toMatchObject([{ kind: 'outside' }]);
    expect(check(over, small, undefined, false)[0]!.sentence).toContain('1.02 mm past the right edge');
    const white = { ...small, shapes: [...small.shapes, shape('M0 0L200 0L200 100L0 100Z', { fill: '#ffffff' })] };
    expect(check(atEdge, white, undefined, false)).toEqual([]);
    expect(check({ ...atEdge, machine: 'uv' }, white, undefined, false)).toMatchObject([{ kind: 'outside' }]);
  });

  it('count the width of a printed stroke as ink; a laser follows its line', () => {
    const pen = { fill: undefined, stroke: '#000000', strokeWidth: 20 };
    const line: Artwork = { width: 200, height: 100, shapes: [shape('M0 0L0 100', pen)] };
    const atEdge = { ...run(withDesign(50), { type: 'updateDesign', id: 'design', changes: { x: -24 } }) };
    expect(check(atEdge, line, undefined, false)).toEqual([]);
    const [finding] = check({ ...atEdge, machine: 'uv' }, line, undefined, false);
    // The line is 1.016 mm inside the left edge, and half its width is 2.54 mm.
    expect(finding!.sentence).toContain('Reaches 1.52 mm past the left edge');
  });

  it('are removed by their fixes', () => {
    const drawing = fc.record({
      line: fc.double({ min: 0.3, max: 4, noNaN: true }),
      gap: fc.double({ min: 0.3, max: 4, noNaN: true }),
      speck: fc.double({ min: 0.2, max: 2, noNaN: true }),
      size: fc.constantFrom(5, 8, 12, 20, 30, 50, 110),
      x: fc.integer({ min: -40, max: 40 }),
      turn: fc.constantFrom(0, 30, 90),
      mode: machine,
      hasCuts: fc.boolean(),
      pixels: fc.integer({ min: 20, max: 400 }),
    });
    const fixKinds = new Set<string>();
    fc.assert(
      fc.property(drawing, ({ line, gap, speck, size, x, turn, mode, hasCuts, pixels }) => {
        const isCut = hasCuts && mode === 'laser';
        // Less than 0.02 mm is not measured: it may show once it is enlarged.
        fc.pre(Math.min(line, gap, 2 * speck) * size * 0.00508 > 0.02);
        const bars = [bar(40, 10, 60, line), bar(40, 40, 60, 10), bar(40, 50 + gap, 60, 10)];
        const cut = { fill: undefined, stroke: '#ff0000', strokeWidth: 0.1 };
        const shapes = [...bars.map((d) => shape(d)), shape(circle(90, 30, speck))];
        if (isCut) shapes.push(shape(bar(40, 80, 60, 10), cut), shape(bar(40, 90 + gap, 60, 10), cut));
        const artwork: Artwork = { width: 200, height: 100, shapes };
        const picture = isCut ? undefined : { widthPx: pixels, heightPx: pixels / 2 };
        const composition = { ...withDesign(size, x, 0, turn), machine: mode };
        for (const finding of check(composition, artwork, picture)) {
          const { kind, fix } = finding;
          if (!fix) {
            expect(finding.sentence).toMatch(/\d mm( thicker| wider| apart)?\.$|\d pixels wide\.$/);
            expect(finding.sentence).toMatch(/There is no room to make it |\. (Draw|Move|Erase|Upload) /);
            continue;
          }
          fixKinds.add(kind);
          // A new trace drops what is smaller than a square of as many of its pixels.
          const isDropped = 'despeckle' in fix && (2 * speck) ** 2 <= (fix.despeckle * 1.2) ** 2;
          if ('despeckle' in fix) expect(isDropped).toBe(true);
          else {
            const kinds = check(applyFix(composition, finding), artwork, picture).map((each) => each.kind);
            expect(kinds).not.toContain(kind);
          }
        }
      }),
      {
        numRuns: 15,
        examples: [
          [{ line: 1.5, gap: 2, speck: 0.5, size: 20, x: 0, turn: 0, mode: 'laser', hasCuts: true, pixels: 400 }],
          [{ line: 1.5, gap: 2, speck: 0.5, size: 20, x: 40, turn: 30, mode: 'uv', hasCuts: false, pixels: 60 }],
          [{ line: 4, gap: 4, speck: 2, size: 110, x: 40, turn: 0, mode: 'laser', hasCuts: false, pixels: 400 }],
        ],
      },
    );
    expect([...fixKinds].sort()).toEqual(['cutGap', 'lowResolution', 'narrowGap', 'outside', 'specks', 'thinLine']);
  });

  it('name the size at which lines are wide enough, and their fix applies it', () => {
    const line: Artwork = { width: 200, height: 100, shapes: [shape('M0 0L200 0L200 0.6L0 0.6Z')] };
    const composition = withDesign(40);
    const [finding] = check(composition, line);
    // 0.6 of 200 units that are 40.64 mm: 0.122 mm.
    expect(finding).toMatchObject({ kind: 'thinLine', elementId: 'design', title: 'One line too thin' });
    expect(finding!.sentence).toMatch(/^The thinnest is 0\.1[12]\d? mm; the laser needs 0\.2 mm\.$/);
    expect(finding!.fix?.label).toMatch(/^Make it (6\d|7[0-2]) % larger$/);
    expect(check(applyFix(composition, finding!), line)).toEqual([]);
  });

  it('say what to do when there is no room to enlarge', () => {
    const line: Artwork = { width: 200, height: 100, shapes: [shape('M0 0L200 0L200 0.2L0 0.2Z')] };
    const [finding] = check(withDesign(50), line);
    expect(finding).toMatchObject({ kind: 'thinLine' });
    expect(finding!.fix).toBeUndefined();
    // 0.2 of 200 units that are 50.8 mm: 0.051 mm.
    expect(finding!.sentence).toMatch(
      /^The thinnest is 0\.05 mm; the laser needs 0\.2 mm\. There is no room to make it (4(\.\d)?)× larger, 20\d(\.\d+)? mm wide: draw thin lines 0\.15 mm thicker\.$/,
    );
  });

  it.each([
    ['laser', 0.11, true],
    ['laser', 0.12, false],
    ['uv', 0.11, false],
    ['sublimation', 0.11, false],
  ] as const)('measure capitals: %s at %d in', (mode, heightInches, isSmall) => {
    // 0.7 em: 1.956 mm at 0.11 in, 2.134 mm at 0.12 in.
    const composition = { ...withText({ heightInches }), machine: mode };
    const finding = check(composition).find(({ kind }) => kind === 'smallText');
    expect(finding !== undefined).toBe(isSmall);
    if (!finding) return;
    expect(finding.sentence).toBe('Capitals are 1.96 mm high; below 2 mm letters fill in.');
    expect(finding.fix?.label).toBe('Enlarge to 0.12 in');
    expect(check(applyFix(composition, finding))).toEqual([]);
  });

  it('name words that take more of their circle than they may, and shrink the letters alone', () => {
    const circle = { radiusMm: 15, side: 'top', edge: 'outside', sweepDeg: 90 } as const;
    const composition = withText({ text: 'ABCDEFGHIJ', heightInches: 0.22, circle });
    const ofArc = (target: Composition) => check(target).filter(({ kind }) => kind === 'longArc');
    const [finding] = ofArc(composition);
    // Half an em a letter, of 5.588 mm; a quarter of a circle of 15 mm.
    expect(finding).toMatchObject({
      sentence: 'The words take 27.94 mm of their circle, and have 23.56 mm.',
      fix: { label: 'Shrink letters to 0.18 in' },
    });
    const after = applyFix(composition, finding!);
    expect(textsOf(after)[0]).toMatchObject({ heightInches: 0.18, circle });
    expect(ofArc(after)).toEqual([]);
    const [hopeless] = ofArc(withText({ text: 'ABCDEFGHIJ'.repeat(3), heightInches: 0.22, circle }));
    expect(hopeless!.fix).toBeUndefined();
    expect(hopeless!.sentence).toContain('Shorten them, or give them more of the circle.');
    const small = check(withText({ text: 'ABC', heightInches: 0.11, circle }));
    expect(small.map(({ fix }) => fix?.label)).toEqual(['Enlarge letters to 0.12 in']);
  });

  it('name the letters of a text that no font has, of one without any other too', () => {
    const composition = { ...withText({ text: 'abcdefgh' }), machine: 'laser' as const };
    const left = (leftOut: readonly string[], d: string): FontSource => ({
      outline: () => ({ d, advance: 0.5, ascent: 0.75, descent: 0.25, leftOut }),
    });
    const findings = (fonts: FontSource) => {
      const assets = { product: undefined, artworks: onlyArtwork(undefined), fonts };
      return preflight(composition, assets, resolveScene(composition, assets), { featuresOf: () => undefined });
    };
    const [finding] = findings(left([...'abcdefgh'], ''));
    expect(finding).toMatchObject({
      kind: 'missingLetters',
      severity: 'problem',
      title: 'Letters left out',
      places: [],
    });
    expect(finding!.sentence.replaceAll(/[\u2068\u2069]/g, '')).toBe(
      'Not in our fonts, so left out: a, b, c, d, e, f and others. Upload the words as a picture instead.',
    );
    const some = findings(left(['h'], 'M0 0L0.4 0L0.4 -0.7L0 -0.7Z')).filter(({ kind }) => kind === 'missingLetters');
    expect(some).toMatchObject([{ title: 'Letter left out', places: [{ length: 4 }] }]);
    expect(findings(left([], 'M0 0L0.4 0L0.4 -0.7L0 -0.7Z')).map(({ kind }) => kind)).not.toContain('missingLetters');
  });

  it('say how much larger a text must be where it is much', () => {
    const composition = { ...withText({ heightInches: 0.11, fontFamily: 'Small caps' }), machine: 'laser' as const };
    const low = { outline: () => ({ d: 'M0 0L0.4 0L0.4 -0.4L0 -0.4Z', advance: 0.5, ascent: 0.75, descent: 0.25 }) };
    const scene = resolveScene(composition, { product: undefined, artworks: onlyArtwork(undefined), fonts: low });
    const [finding] = preflight(composition, { artworks: onlyArtwork(undefined), fonts: low }, scene, {
      featuresOf: () => undefined,
    });
    expect(finding).toMatchObject({ kind: 'smallText', fix: { label: 'Enlarge to 0.20 in, 1.8×' } });
  });

  it('name the despeckle setting that drops the specks', () => {
    const dots = Array.from({ length: 3 }, (_, i) => shape(bar(20 + 30 * i, 20, 0.5, 0.5)));
    const artwork = {
      width: 200,
      height: 100,
      shapes: [shape(bar(100, 70, 150, 20)), ...dots],
    };
    const picture = { widthPx: 400, heightPx: 200 };
    const [finding, ...rest] = check(withDesign(40), artwork, picture);
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({
      kind: 'specks',
      title: '3 specks',
      fix: { label: 'Raise Despeckle to 1', despeckle: 1 },
    });
    // Outlines that were drawn are not traced again.
    expect(check(withDesign(40), artwork)).toMatchObject([{ kind: 'specks', fix: { label: 'Make it 2.1× larger' } }]);
  });

  it('count the pixels of a picture, traced or not', () => {
    // 50.8 mm wide at size 50.
    const at = (dpi: number) => ({ widthPx: dpi * 2, heightPx: dpi });
    expect(check(withDesign(50), solid, at(100))).toEqual([]);
    const coarse = check(withDesign(50), solid, at(60));
    expect(coarse).toMatchObject([{ kind: 'lowResolution', severity: 'advice' }]);
    expect(check(applyFix(withDesign(50), coarse[0]!), solid, at(60))).toEqual([]);
    const [tooFew] = check(withDesign(50), solid, at(30));
    expect(tooFew!.fix).toBeUndefined();
    expect(tooFew!.sentence).toMatch(/Upload the same picture 200 pixels wide\.$/);
    const picture: Artwork = { width: 200, height: 100, shapes: [], imageHref: 'data:,' };
    expect(check(withDesign(50), picture, at(299))).toMatchObject([{ severity: 'advice' }]);
    expect(check(withDesign(50), picture, at(149))).toMatchObject([{ severity: 'problem' }]);
    expect(check(withDesign(50), picture, at(300))).toEqual([]);
  });

  it('offer no fix that a lock would prevent', () => {
    const composition = run(withDesign(150), { type: 'setLocked', elementId: 'design', isLocked: true });
    const [finding] = check(composition);
    expect(finding).toMatchObject({ kind: 'outside' });
    expect(finding!.fix).toBeUndefined();
    expect(finding!.sentence).toMatch(/It is locked: unlock it, then make it 33 % smaller and move it inside\.$/);
  });

  it('are marked at their place, at every rotation', () => {
    const line: Artwork = {
      width: 200,
      height: 100,
      shapes: [shape('M0 0L200 0L200 100L0 100Z'), shape('M0 0L0 -0.2L-60 -0.2L-60 0Z')],
    };
    const [finding] = check(withDesign(30, 0, 0, 90), line);
    const [a, , c] = finding!.places[0]!;
    // Left of the artwork before the turn, so above it after a quarter clockwise.
    expect((a!.y + c!.y) / 2).toBeCloseTo(25.4 - 0.1524 * 130, 0);
    expect((a!.x + c!.x) / 2).toBeCloseTo(50.8 + 0.1524 * 50, 0);
  });
});
