import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Artwork, ArtworkShape } from '../artwork/artwork.ts';
import { applyCommand, type Command } from '../document/commands.ts';
import { type Composition, parseComposition } from '../document/composition.ts';
import { emptyComposition } from '../document/initial.ts';
import { COMPOSITION_VERSION } from '../document/limits.ts';
import { applyMatrix, type Point, rotateDeg } from '../geometry/matrix.ts';
import { buildJob } from '../production/buildJob.ts';
import { resolveScene } from '../resolve/resolve.ts';
import type { Assets } from '../resolve/scene.ts';
import { fileMends, mendAll, reviewRequest } from './cutChecks.ts';
import type { Finding } from './finding.ts';
import { preflight } from './preflight.ts';
import { reviewJob } from './reviewJob.ts';

const line = (d: string): ArtworkShape => ({ d, fill: undefined, stroke: '#ff0000', strokeWidth: 0.1, opacity: 1 });
const area = (d: string): ArtworkShape => ({ d, fill: '#000000', stroke: undefined, strokeWidth: 0, opacity: 1 });
const rectangle = (x: number, y: number, width: number, height = width) =>
  `M${x} ${y}L${x + width} ${y}L${x + width} ${y + height}L${x} ${y + height}Z`;
const square = (x: number, y: number, side: number) => line(rectangle(x, y, side));
/** A square whose last side ends `gap` below its start. */
const ring = (x: number, y: number, side: number, gap: number) =>
  line(`M${x} ${y}L${x + side} ${y}L${x + side} ${y + side}L${x} ${y + side}L${x} ${y + gap}`);

/** Puts artworks of 100 units on a bare frame of 100 mm. */
function open(...drawings: { shapes: readonly ArtworkShape[]; changes?: object }[]) {
  const artworks = new Map<string, Artwork>();
  const commands = drawings.flatMap(({ shapes, changes }, i): Command[] => {
    const id = i === 0 ? 'design' : `a${i}`;
    artworks.set(id, { width: 100, height: 100, shapes });
    return [
      { type: 'placeDesign', id, designId: `d${i}`, filename: `art-${i}.svg`, aspect: 1 },
      { type: 'updateDesign', id, changes: { size: 100, ...changes } },
    ];
  });
  const assets: Assets = { product: undefined, artworks, fonts: { outline: () => undefined } };
  const composition = commands.reduce(applyCommand, emptyComposition);
  const sceneOf = (each: Composition) => resolveScene(each, assets);
  const reviewOf = (each: Composition) => reviewJob(reviewRequest(sceneOf(each)));
  const judge = (each: Composition) =>
    preflight(each, assets, sceneOf(each), { featuresOf: () => undefined, review: reviewOf(each) });
  return {
    composition,
    judge,
    findings: judge(composition),
    review: reviewOf(composition),
    mendsOf: (each: Composition) => fileMends(sceneOf(each), reviewOf(each)),
    jobOf: (each: Composition) => buildJob(sceneOf(each)),
  };
}

const kinds = (findings: readonly Finding[]) => findings.map(({ kind }) => kind);
function commandsOf(finding: Finding | undefined): readonly Command[] {
  if (!finding?.fix || !('commands' in finding.fix)) throw new Error('It has no fix.');
  return finding.fix.commands;
}
const mend = (composition: Composition, finding: Finding | undefined) =>
  commandsOf(finding).reduce(applyCommand, composition);
const cutsOf = (job: ReturnType<typeof buildJob>) =>
  job.plates.flatMap((plate) => (plate.kind === 'cut' ? plate.outlines.flatMap(({ contours }) => contours) : []));

describe('the cuts of an element', () => {
  it('are in order where nothing is open and nothing crosses', () => {
    expect(open({ shapes: [square(30, 30, 10), square(20, 20, 40), square(70, 70, 20)] }).findings).toEqual([]);
  });

  it.each<[string, ArtworkShape[], Point]>([
    ['openContour', [ring(20, 20, 40, 0.5)], { x: 20, y: 20.2 }],
    ['crossingCut', [square(20, 20, 30), line('M70 70L90 70L80 90ZM35 35L65 40L40 65Z')], { x: 50, y: 37.5 }],
  ])('have the finding %s, with its place', (kind, shapes, at) => {
    for (const angleDeg of [0, 90]) {
      const { findings } = open({ shapes, changes: { angleDeg } });
      const finding = findings.find((each) => each.kind === kind)!;
      expect(finding).toMatchObject({ severity: 'problem', elementId: 'design' });
      const { x, y } = applyMatrix(rotateDeg(angleDeg, { x: 50, y: 50 }), at);
      const isMarked = finding.places.some((corners) => {
        const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
        const isWithin = (value: number, all: number[]) =>
          value > Math.min(...all) - 0.01 && value < Math.max(...all) + 0.01;
        return isWithin(x, xs) && isWithin(y, ys);
      });
      expect(isMarked, `${kind} at ${angleDeg}°`).toBe(true);
    }
  });

  it('that the area opens are found, and one click moves them inside', () => {
    const { composition, judge, findings } = open({
      shapes: [square(10, 40, 20), square(60, 60, 10)],
      changes: { x: -20 },
    });
    const finding = findings.find(({ kind }) => kind === 'clippedCut')!;
    expect(finding).toMatchObject({ severity: 'problem', title: 'A cut runs out of the area' });
    expect(finding.places).toHaveLength(1);
    expect(kinds(judge(mend(composition, finding)))).not.toContain('clippedCut');
    // The ends at the edge are no open ends.
    const both = open({ shapes: [square(10, 40, 20), ring(60, 60, 20, 0.5)], changes: { x: -20 } });
    const { sentence } = both.findings.find(({ kind }) => kind === 'openContour')!;
    expect(sentence).toContain('The ends are 0.5 mm apart.');
  });

  it('that cross say how far to move one of them, and that far is far enough', () => {
    const drawings = [{ shapes: [square(20, 20, 30)] }, { shapes: [square(45, 30, 15)] }] as const;
    const [finding] = open(...drawings).findings;
    expect(finding).toMatchObject({ kind: 'crossingCut', elementId: 'design' });
    expect(finding!.sentence).toContain('Move it 5 mm left to clear “art-1.svg”');
    expect(finding!.fix).toBeUndefined();
    expect(open({ ...drawings[0], changes: { x: -5.1 } }, drawings[1]).findings).toEqual([]);
    const { findings } = open({ shapes: [square(20, 20, 30), square(45, 30, 15)] });
    expect(findings[0]!.sentence).toContain('Join the outlines in your drawing, or move them 5 mm apart');
    const eight = open({ shapes: [line('M20 20L60 60L60 20L20 60Z')] });
    expect(eight.findings[0]!.sentence).toContain('An outline crosses itself');
  });
});

describe('an open cut', () => {
  it('is closed by one click at any size, place and turn, in the file and after saving', () => {
    const gaps = fc.double({ min: 0.15, max: 1.9, noNaN: true });
    const sizes = fc.integer({ min: 60, max: 100 });
    const angles = fc.integer({ min: 0, max: 359 });
    fc.assert(
      fc.property(gaps, sizes, angles, fc.boolean(), (gap, size, angleDeg, isFlipped) => {
        const shapes = [ring(30, 30, 40, (gap * 100) / size), square(40, 45, 10)];
        const { composition, judge, findings, jobOf, mendsOf } = open({
          shapes,
          changes: { size, angleDeg, isFlipped },
        });
        expect(kinds(findings)).toEqual(['openContour']);
        expect(findings[0]!.fix!.label).toBe('Close the gap');
        const after = mend(composition, findings[0]);
        expect(kinds(judge(after))).toEqual([]);
        const copy = parseComposition(JSON.parse(JSON.stringify({ version: COMPOSITION_VERSION, data: after })));
        const cuts = cutsOf(jobOf(copy));
        expect(cuts).toHaveLength(2);
        expect(cuts.every(({ isClosed }) => isClosed)).toBe(true);
        // It stays closed when the element becomes larger, and can be opened again.
        const [larger, smaller] = [size * 1.2, size / 3].map((to) =>
          applyCommand(copy, { type: 'updateDesign', id: 'design', changes: { size: to } }),
        );
        expect(cutsOf(jobOf(larger!)).every(({ isClosed }) => isClosed)).toBe(true);
        expect(cutsOf(jobOf(smaller!)).every(({ isClosed }) => isClosed)).toBe(true);
        expect(mendsOf(copy).words).toContain('1 gap');
        expect(kinds(judge(applyCommand(copy, mendsOf(copy).reopen!)))).toEqual(['openContour']);
      }),
      { numRuns: 12 },
    );
  });

  it('of several pieces is closed across all of its gaps', () => {
    const pieces = ['M20 20L60 20', 'M60.5 20L60.5 60', 'M60 60.4L20 60.4', 'M20 60L20 20.6'].map(line);
    const { composition, findings, judge, jobOf } = open({ shapes: pieces });
    expect(findings[0]).toMatchObject({ title: '4 cuts are open', fix: { label: 'Close 4 gaps' } });
    const after = mend(composition, findings[0]);
    expect(judge(after)).toEqual([]);
    expect(cutsOf(jobOf(after))).toHaveLength(1);
  });

  it('is left to the person where a line across would be a guess', () => {
    const wide = open({ shapes: [ring(20, 20, 40, 6)] });
    expect(wide.findings[0]!.fix).toBeUndefined();
    expect(wide.findings[0]!.sentence).toBe(
      'Nothing drops out along an open cut. The ends are 6 mm apart. Join its ends in your drawing, or score this line instead.',
    );
    // Dashes and slits side by side are meant.
    const dashes = [0, 4, 8, 12].map((x) => line(`M${20 + x} 30L${23 + x} 30`));
    const slits = [0, 1, 2].map((x) => line(`M${20 + x} 50L${20 + x} 90`));
    for (const shapes of [dashes, slits]) expect(open({ shapes }).findings[0]!.fix).toBeUndefined();
  });

  it('says what stays open, and that a locked element has to be unlocked', () => {
    const shapes = [ring(10, 10, 30, 0.5), line('M60 60L90 60')];
    const { composition, findings, judge } = open({ shapes });
    expect(findings[0]).toMatchObject({ title: '2 cuts are open', fix: { label: 'Close the gap' } });
    expect(findings[0]!.sentence).toContain('1 of 2 stay open after that.');
    const [rest, ...others] = judge(mend(composition, findings[0]));
    expect(rest).toMatchObject({ title: 'One cut is open' });
    expect([rest!.fix, ...others]).toEqual([undefined]);
    const withLock = applyCommand(composition, { type: 'setLocked', elementId: 'design', isLocked: true });
    expect(judge(withLock)[0]!.sentence).toContain('It is locked: unlock it, then close the gap.');
  });

  it('is not closed with an end of another element', () => {
    const half = (side: string) => ({ shapes: [line(`M50 20${side}50 80`)] });
    const drawings = [half('L20 20L20 80L'), half('L80 20L80 80L')];
    const { composition, findings } = open(drawings[0]!, { ...drawings[1]!, changes: { x: 0.5 } });
    expect(findings.map(({ fix }) => fix)).toEqual([undefined, undefined]);
    const reach = ['design', 'design:a1'].map((elementId): Command => ({ type: 'closeGaps', elementId, reach: 0.02 }));
    const { jobOf } = open(drawings[0]!, { ...drawings[1]!, changes: { x: 0.5 } });
    expect(cutsOf(jobOf(reach.reduce(applyCommand, composition))).map(({ isClosed }) => isClosed)).toEqual([
      false,
      false,
    ]);
  });

  it('is mended for one element alone, and changes nothing of the others', () => {
    const gaps = fc.array(fc.double({ min: 0.2, max: 1.5, noNaN: true }), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: 3 }), (list, index) => {
        const drawings = list.map((gap, i) => ({ shapes: [ring(5 + (i % 2) * 45, 5 + (i >> 1) * 45, 40, gap)] }));
        const { composition, findings, judge, jobOf } = open(...drawings);
        expect(findings).toHaveLength(list.length);
        const finding = findings[index % list.length]!;
        const after = mend(composition, finding);
        expect(judge(after).map(({ elementId }) => elementId)).toEqual(
          findings.filter((each) => each !== finding).map(({ elementId }) => elementId),
        );
        const shape = (job: ReturnType<typeof jobOf>) =>
          job.plates.flatMap((plate) => (plate.kind === 'cut' ? plate.outlines : []));
        const others = (job: ReturnType<typeof jobOf>) =>
          shape(job).filter(({ elementId }) => elementId !== finding.elementId);
        expect(others(jobOf(after))).toEqual(others(jobOf(composition)));
      }),
      { numRuns: 10 },
    );
  });
});

describe('an element on another one', () => {
  const frame = [square(20, 20, 30), square(60, 20, 10)];

  it('is removed by one click where all of it is double', () => {
    const { composition, findings, judge, jobOf } = open({ shapes: frame }, { shapes: frame });
    expect(findings).toMatchObject([
      { kind: 'duplicateCut', severity: 'advice', elementId: 'design:a1', fix: { label: 'Remove the double' } },
    ]);
    expect(findings[0]!.sentence).toBe('All 160 mm of its lines lie on “art-0.svg”. The file follows them once.');
    const after = mend(composition, findings[0]);
    expect(after.elements).toHaveLength(1);
    expect(judge(after)).toEqual([]);
    expect(cutsOf(jobOf(after))).toEqual(cutsOf(jobOf(composition)));
  });

  it('can be removed if and only if the file without it is the same', () => {
    const cells = fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1 });
    fc.assert(
      fc.property(cells, cells, (first, second) => {
        const shapes = (list: readonly number[]) => list.map((i) => square(5 + (i % 3) * 30, 5 + (i > 2 ? 40 : 0), 20));
        const { composition, review, jobOf } = open({ shapes: shapes(first) }, { shapes: shapes(second) });
        const without = applyCommand(composition, { type: 'remove', elementId: 'design:a1' });
        const isSame = cutsOf(jobOf(without)).length === cutsOf(jobOf(composition)).length;
        expect(review.doubles.some(({ elementId, isWhole }) => isWhole && elementId === 'design:a1')).toBe(isSame);
      }),
      { numRuns: 30 },
    );
  });

  it('is left to the person where it holds something else, and is no finding where it shares an edge alone', () => {
    const [engraving, hole] = [area(rectangle(30, 30, 10)), square(25, 25, 5)];
    expect(open({ shapes: frame }, { shapes: [...frame, engraving] }).findings).toMatchObject([
      { title: 'Lies partly on another element', elementId: 'design:a1' },
    ]);
    const [partly, ...others] = open({ shapes: frame }, { shapes: [...frame, hole] }).findings;
    expect(partly!.sentence).toContain('160 mm of 180 mm of its lines lie on “art-0.svg”.');
    expect([partly!.fix, ...others]).toEqual([undefined]);
    const twin = [...frame, engraving];
    expect(open({ shapes: twin }, { shapes: twin }).findings).toMatchObject([{ fix: { label: 'Remove the double' } }]);
    const beside = open({ shapes: [square(20, 20, 30)] }, { shapes: [square(50, 20, 30)] });
    expect(beside.findings).toEqual([]);
    expect(beside.mendsOf(beside.composition).words).toEqual(['1 double line']);
  });
});

test('what the file mends by itself is no finding', () => {
  const shapes = [square(20, 20, 50), square(20, 20, 50), square(40, 40, 10), line('M10 20L35 20.001')];
  const { composition, findings, mendsOf } = open({ shapes });
  expect(kinds(findings)).toEqual(['openContour']);
  const { words, places, reopen } = mendsOf(composition);
  expect(words).toEqual(['2 double lines', 'cutting order']);
  expect(places).toHaveLength(3);
  expect(reopen).toBeUndefined();
});

test('all that can be mended is mended by one command', () => {
  const { composition, findings, judge } = open(
    { shapes: [ring(10, 10, 20, 0.4)] },
    { shapes: [ring(50, 50, 20, 0.7)] },
    { shapes: [ring(10, 10, 20, 0.4)] },
    { shapes: [square(60, 10, 20)], changes: { x: 30 } },
  );
  const all = mendAll(findings)!;
  expect(all.count).toBe(findings.filter(({ kind, fix }) => kind !== 'outside' && fix).length);
  expect(all.count).toBeGreaterThanOrEqual(3);
  expect(judge(applyCommand(composition, all.command)).filter(({ fix }) => fix)).toEqual([]);
  expect(mendAll(findings.slice(0, 1))).toBeUndefined();
});

describe('dropped detail', () => {
  it('is what the drawing holds more than the file, in number and area', () => {
    const sides = fc.array(fc.double({ min: 0.03, max: 0.15, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sides, (list) => {
        fc.pre(list.every((side) => Math.abs(side - 0.1) > 0.002));
        const specks = list.map((side, i) => rectangle(5 + i * 7, 80, side));
        const { review, jobOf, composition, findings } = open({
          shapes: [area(rectangle(10, 10, 50) + specks.join(''))],
        });
        const small = list.filter((side) => side < 0.1);
        const { count, areaMm2, outlines } = review.dropped;
        expect(count).toBe(small.length);
        expect(areaMm2).toBeCloseTo(
          small.reduce((sum, side) => sum + side * side, 0),
          6,
        );
        expect(outlines).toHaveLength(small.length);
        expect(outlines.every((outline) => outline.length === 4)).toBe(true);
        const [plate] = jobOf(composition).plates;
        const contours = plate!.kind === 'engrave' ? plate!.outlines.flatMap((outline) => outline.contours) : [];
        expect(contours).toHaveLength(1 + list.length - small.length);
        expect(kinds(findings)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('is counted for ink too, at its place in a print that the file mirrors', () => {
    const shapes = [area(rectangle(10, 10, 50) + rectangle(80, 80, 0.05))];
    const { composition } = open({ shapes });
    const print = applyCommand(composition, { type: 'setMachine', machine: 'sublimation' });
    const scene = resolveScene(print, {
      product: undefined,
      artworks: new Map([['design', { width: 100, height: 100, shapes }]]),
      fonts: { outline: () => undefined },
    });
    const { dropped } = reviewJob(reviewRequest(scene));
    expect(dropped.count).toBe(1);
    expect(dropped.outlines[0]![0]!.x).toBeCloseTo(80, 1);
  });
});
