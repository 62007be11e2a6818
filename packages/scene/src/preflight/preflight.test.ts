import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Artwork, ArtworkShape } from '../artwork/artwork.ts';
import { applyCommand, type Command } from '../document/commands.ts';
import { type Composition, emptyComposition, type MachineMode, TextElement } from '../document/composition.ts';
import { operationOf } from '../document/machine.ts';
import type { Point } from '../geometry/matrix.ts';
import { resolveScene } from '../resolve/resolve.ts';
import type { Assets, FontSource } from '../resolve/scene.ts';
import { testProduct } from '../resolve/testProduct.ts';
import { measureFeatures } from './features.ts';
import { machineLimits } from './machineLimits.ts';
import { type Finding, featureRequest, preflight } from './preflight.ts';

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

/** Measured in units of `unitMm` millimeters. */
function measure(shapes: readonly ArtworkShape[], unitMm: number, machine: MachineMode = 'laser') {
  const { lineMm, gapMm, cutGapMm } = machineLimits[machine];
  return measureFeatures({
    children: shapes.map((each) => ({ kind: 'path', operation: operationOf(machine, each), ...each })),
    unitMm,
    limits: { lineMm, gapMm, cutGapMm },
    hasWhiteInk: machine === 'uv',
  });
}

const width = fc.double({ min: 0.04, max: 0.6, noNaN: true });
const angle = fc.double({ min: 0, max: 180, noNaN: true });
const place = fc.double({ min: -80, max: 80, noNaN: true });
const unit = fc.double({ min: 0.01, max: 20, noNaN: true });
const machine = fc.constantFrom<MachineMode>('laser', 'uv', 'sublimation');
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
    const k = 0.5522847498 * 10;
    const circle = `M10 0C10 ${k} ${k} 10 0 10C${-k} 10 -10 ${k} -10 0C-10 ${-k} ${-k} -10 0 -10C${k} -10 10 ${-k} 10 0Z`;
    for (const d of [polygon(star), circle, bar(0, 0, 20, 1, 33), polygon([star[0]!, star[3]!, star[6]!])]) {
      expect(measure([shape(d)], 1)).toMatchObject({ lines: undefined, specks: undefined, gaps: undefined });
    }
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
        fc.pre(!isNear(wide, gapMm));
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

  function check(composition: Composition, artwork: Artwork = solid, picture?: { widthPx: number; heightPx: number }) {
    const assets: Assets = { product, artwork, fonts };
    const scene = resolveScene(composition, assets);
    const featuresOf = (group: (typeof scene.groups)[number]) => measureFeatures(featureRequest(scene, group));
    return preflight(composition, assets, scene, { featuresOf, picture });
  }
  const run = (composition: Composition, ...commands: readonly Command[]) => commands.reduce(applyCommand, composition);
  const withDesign = (size: number, x = 0, y = 0, angleDeg = 0): Composition =>
    run(
      { ...emptyComposition, productId: 'p' },
      { type: 'placeDesign', designId: 'd', filename: 'a.png', aspect: 2 },
      { type: 'updateDesign', changes: { size, x, y, angleDeg } },
    );
  const withText = (changes: Partial<TextElement>): Composition => ({
    ...emptyComposition,
    productId: 'p',
    texts: [TextElement.parse({ id: 't', text: 'Ava', ...changes })],
  });
  const applyFix = (composition: Composition, finding: Finding) =>
    finding.fix && 'commands' in finding.fix ? run(composition, ...finding.fix.commands) : composition;

  it('are empty for a sound composition', () => {
    expect(check(withDesign(50))).toEqual([]);
    expect(check(withText({}))).toEqual([]);
    expect(check(emptyComposition)).toEqual([]);
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
          const finding = check(composition).find(({ kind }) => kind === 'outside');
          expect(finding !== undefined).toBe(past > 0.01);
          if (!finding) return;
          const [, reach] = /Reaches ([\d.]+) mm/.exec(finding.sentence)!;
          expect(Number(reach)).toBeCloseTo(past, 1);
          expect(finding.places.length).toBeGreaterThan(0);
          expect(finding.fix).toBeDefined();
          expect(check(applyFix(composition, finding)).filter(({ kind }) => kind === 'outside')).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('name the size at which lines are wide enough, and their fix applies it', () => {
    const line: Artwork = { width: 200, height: 100, shapes: [shape('M0 0L200 0L200 0.6L0 0.6Z')] };
    const composition = withDesign(40);
    const [finding] = check(composition, line);
    // 0.6 of 200 units that are 40.64 mm: 0.122 mm.
    expect(finding).toMatchObject({ kind: 'thinLine', elementId: 'design', title: 'One line too thin' });
    expect(finding!.sentence).toMatch(/^Thinnest 0\.1[12]\d? mm, the machine makes 0\.2 mm\.$/);
    expect(finding!.fix?.label).toMatch(/^Enlarge to 6[6-9](\.\d+)? mm wide$/);
    expect(check(applyFix(composition, finding!), line)).toEqual([]);
  });

  it('say what to do when there is no room to enlarge', () => {
    const line: Artwork = { width: 200, height: 100, shapes: [shape('M0 0L200 0L200 0.2L0 0.2Z')] };
    const [finding] = check(withDesign(50), line);
    expect(finding).toMatchObject({ kind: 'thinLine', fix: undefined });
    expect(finding!.sentence).toContain('Use a bolder drawing');
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
    expect(finding).toMatchObject({ kind: 'specks', title: '3 specks', fix: { despeckle: 1 } });
    // Outlines that were drawn are not traced again.
    expect(check(withDesign(40), artwork)).toMatchObject([{ kind: 'specks', fix: undefined }]);
  });

  it('count the pixels of a picture, traced or not', () => {
    // 50.8 mm wide at size 50.
    const at = (dpi: number) => ({ widthPx: dpi * 2, heightPx: dpi });
    expect(check(withDesign(50), solid, at(100))).toEqual([]);
    const coarse = check(withDesign(50), solid, at(60));
    expect(coarse).toMatchObject([{ kind: 'lowResolution', severity: 'advice' }]);
    expect(check(applyFix(withDesign(50), coarse[0]!), solid, at(60))).toEqual([]);
    expect(check(withDesign(50), solid, at(30))).toMatchObject([{ fix: undefined }]);
    const picture: Artwork = { width: 200, height: 100, shapes: [], imageHref: 'data:,' };
    expect(check(withDesign(50), picture, at(299))).toMatchObject([{ severity: 'advice' }]);
    expect(check(withDesign(50), picture, at(149))).toMatchObject([{ severity: 'problem' }]);
    expect(check(withDesign(50), picture, at(300))).toEqual([]);
  });

  it('offer no fix that a lock would prevent', () => {
    const composition = run(withDesign(150), { type: 'setLocked', elementId: 'design', isLocked: true });
    const [finding] = check(composition);
    expect(finding).toMatchObject({ kind: 'outside', fix: undefined });
    expect(finding!.sentence).toContain('unlock it');
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
