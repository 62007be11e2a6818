/** The production job: defects that files had before there was one, random compositions, and the mockup. */
import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import { lengthOf } from '../src/geometry/measure.ts';
import type { Contour } from '../src/geometry/pathData.ts';
import {
  type ArtworkShape,
  buildJob,
  type ColorPlate,
  type Command,
  type Job,
  type JobOptions,
  type MachineMode,
  type Operation,
  type OutlinePlate,
  renderScene,
  type Scene,
  svgNode,
  writeSvg,
} from '../src/index.ts';
import { drawJob } from '../src/production/writers/jobSvg.ts';
import { areaOf, contains, doubleLength, faultsOfCuts, segmentLengths, toPolyline } from './jobChecks.ts';
import { box, circle, line, patch, randomScene, sceneOf } from './randomScenes.ts';

/** Millimeters of one artwork unit of these scenes. */
const UNIT = 100 / 60;

const plateOf = (job: Job, id: string) =>
  job.plates.find((plate): plate is OutlinePlate => plate.kind !== 'color' && plate.id === id);
const contoursOf = (job: Job, id: string): Contour[] =>
  plateOf(job, id)?.outlines.flatMap(({ contours }) => contours) ?? [];
const findingsOf = (job: Job, kind: Job['findings'][number]['kind']) =>
  job.findings.filter((finding) => finding.kind === kind);
const jobOf = (shapes: ArtworkShape[], machine: MachineMode = 'laser', changes = {}, options: JobOptions = {}) =>
  buildJob(sceneOf(shapes, machine, changes), options);
const cuts = (job: Job) => contoursOf(job, 'cut-c02');
const cutLength = (job: Job) =>
  cuts(job)
    .map(toPolyline)
    .flatMap(({ points, isClosed }) =>
      (isClosed ? [...points, points[0]!] : points).map((point, i, all) => [all[i - 1], point]),
    )
    .reduce(
      (sum, [a, b]) =>
        a && b && Math.hypot(b.x - a.x, b.y - a.y) < 100 ? sum + Math.hypot(b.x - a.x, b.y - a.y) : sum,
      0,
    );

describe('opacity', () => {
  it('of ink belongs to the element: shapes that overlap do not show through each other', () => {
    const shapes = [patch(box(5, 5, 20), '#c8102e'), patch(box(15, 15, 20), '#1f4fa3')];
    const [plate] = jobOf(shapes, 'uv', { opacity: 50 }).plates as [ColorPlate];
    expect(plate.groups.map(({ opacity }) => opacity)).toEqual([0.5]);
    expect(plate.groups[0]!.shapes.map(({ opacity }) => opacity)).toEqual([1, 1]);
  });

  it('of a laser becomes a tone, also where a translucent shape covers another one', () => {
    const half = patch(box(10, 10, 20), '#000000', { opacity: 0.5 });
    const job = jobOf([patch(box(0, 10, 20)), half]);
    const area = (id: string) => contoursOf(job, id).reduce((sum, contour) => sum + areaOf(toPolyline(contour)), 0);
    // Half black on black is black, on bare material it is gray.
    expect(area('engrave-c00')).toBeCloseTo(400 * UNIT ** 2, 1);
    expect(area('engrave-c16')).toBeCloseTo(200 * UNIT ** 2, 1);
  });
});

describe('cuts', () => {
  it('are followed once, whichever way they were drawn, and wherever only a part of them is double', () => {
    const back = `M30 10L10 10L10 30L30 30Z`;
    const job = jobOf([line(box(10, 10, 20)), line(back), line('M5 10.005L25 10.005'), line('M40 40L50 40L40 40')]);
    expect(doubleLength(job)).toBe(0);
    const [finding] = findingsOf(job, 'duplicateCut');
    // The whole second square, 15 units of the line along its side, and the way back.
    expect(finding!.lengthMm).toBeCloseTo((80 + 15 + 10) * UNIT, 1);
    expect(finding!.count).toBe(3);
    expect(cutLength(job)).toBeCloseTo((80 + 5 + 10) * UNIT, 1);
  });

  it('of parts side by side share one edge', () => {
    const job = jobOf([line(box(10, 10, 10)), line(box(20, 10, 10)), line(box(30, 12, 10))]);
    expect(doubleLength(job)).toBe(0);
    expect(cutLength(job)).toBeCloseTo((120 - 10 - 8) * UNIT, 2);
    expect(faultsOfCuts(job)).toEqual([]);
  });

  it('are closed across gaps up to 0.1 mm; a larger gap is a finding at its place', () => {
    const ring = (gap: number) => line(`M10 10L20 10L20 20L10 20L10 ${10 + gap / UNIT}`);
    for (const gap of [0.001, 0.01, 0.03, 0.09]) {
      const [contour, ...more] = cuts(jobOf([ring(gap)]));
      expect(more).toEqual([]);
      expect(contour!.isClosed, `${gap}`).toBe(true);
      expect(Math.min(...segmentLengths(contour!))).toBeGreaterThan(0.02);
    }
    const job = jobOf([ring(0.2)]);
    expect(cuts(job)[0]!.isClosed).toBe(false);
    const [finding] = findingsOf(job, 'openContour');
    expect(finding).toMatchObject({ elementId: 'design', count: 1 });
    const corner = { x: 10 * UNIT, y: 10 * UNIT };
    expect(finding!.places.some((place) => contains({ points: place, isClosed: true }, corner))).toBe(true);
  });

  it('are closed however small they are, where the gap is small beside them', () => {
    const ring = (side: number, gap: number) => {
      const [x, y, s, g] = [30 / UNIT, 30 / UNIT, side / UNIT, gap / UNIT];
      return line(`M${x} ${y}L${x + s} ${y}L${x + s} ${y + s}L${x} ${y + s}L${x} ${y + g}`);
    };
    expect(cuts(jobOf([ring(0.2, 0.004)])).map(({ isClosed }) => isClosed)).toEqual([true]);
    expect(cuts(jobOf([ring(0.2, 0.09)])).map(({ isClosed }) => isClosed)).toEqual([false]);
  });

  it('lose what runs on for up to 0.1 mm past the place where their ends meet', () => {
    const square = 'M10 10L20 10L20 20L10 20L10 10';
    const area = areaOf(toPolyline(cuts(jobOf([line(square)]))[0]!));
    const [past, aside, near] = [10 + 0.06 / UNIT, 10 - 0.04 / UNIT, 10 + 0.03 / UNIT];
    const hooks = [
      `${square}L${past} ${aside}`,
      `M${aside} ${past}L${square.slice(1)}`,
      `${square}L${near} ${near}L10 10`,
    ];
    for (const hook of hooks) {
      const [contour, ...more] = cuts(jobOf([line(hook)]));
      expect(more, hook).toEqual([]);
      expect(contour!.isClosed, hook).toBe(true);
      expect(contour!.commands, hook).toHaveLength(3);
      expect(areaOf(toPolyline(contour!)), hook).toBeCloseTo(area, 6);
    }
  });

  it('lose what runs on past the place where two lines meet', () => {
    const [past, aside] = [20 + 0.06 / UNIT, 20 - 0.06 / UNIT];
    const whole = cuts(jobOf([line('M10 10L15 12L20 10L20 20L10 20L10 15L10 10')]))[0]!;
    for (const [first, second] of [
      [`M10 10L15 12L20 10L20 20L20 ${past}`, 'M20 20L10 20L10 15L10 10'],
      ['M10 10L15 12L20 10L20 20', `M20 ${aside}L20 20L10 20L10 15L10 10`],
    ]) {
      const [contour, ...more] = cuts(jobOf([line(first!), line(second!)]));
      expect(more, second).toEqual([]);
      expect(contour!.isClosed, second).toBe(true);
      expect(lengthOf(contour!), second).toBeCloseTo(lengthOf(whole), 6);
    }
  });

  it('from many lines become the fewest contours', () => {
    const [a, b, c, d] = ['M10 10L20 10', 'M20 20L20 10', 'M20 20L10 20', 'M10 10L10 20'];
    const job = jobOf([line(a!), line(c!), line(d!), line(b!)]);
    expect(cuts(job)).toHaveLength(1);
    expect(cuts(job)[0]!.isClosed).toBe(true);
    expect(areaOf(toPolyline(cuts(job)[0]!))).toBeCloseTo(100 * UNIT ** 2, 3);
  });

  it('that cross are a finding at each crossing; those that touch are none', () => {
    const job = jobOf([line(box(10, 10, 20)), line(box(20, 20, 20)), line(box(30, 40, 5)), line('M50 50L55 55L50 60')]);
    const [finding] = findingsOf(job, 'crossingCut');
    expect(finding!.places).toHaveLength(2);
    // Two diamonds through the same vertex cross there as well.
    const diamonds = jobOf([line('M10 10L20 20L30 10L20 5Z'), line('M10 25L20 20L30 25L20 30Z')]);
    expect(findingsOf(diamonds, 'crossingCut')).toEqual([]);
    const through = jobOf([line('M10 10L20 20L30 30L30 5Z'), line('M5 20L20 20L50 20L50 50L5 50Z')]);
    expect(findingsOf(through, 'crossingCut')[0]!.places).toHaveLength(2);
  });

  it('come inner before outer, whatever the order of the art', () => {
    const rings = [25, 5, 15, 10, 20].map((r) => line(circle(30, 30, r)));
    const job = jobOf([...rings, line(circle(30, 30, 2))]);
    const areas = cuts(job).map((contour) => areaOf(toPolyline(contour)));
    expect(areas).toEqual([...areas].sort((a, b) => a - b));
    expect(findingsOf(job, 'outerBeforeInner')).toHaveLength(1);
    expect(findingsOf(jobOf([line(circle(30, 30, 5)), line(circle(30, 30, 9))]), 'outerBeforeInner')).toEqual([]);
  });

  it('that the area opens are a finding: they will no longer drop out', () => {
    const job = jobOf([line(box(10, 10, 20)), line(box(35, 35, 10))], 'laser', { x: -25 });
    expect(findingsOf(job, 'clippedCut')).toMatchObject([{ elementId: 'design', count: 1 }]);
    expect(findingsOf(job, 'openContour')).toEqual([]);
    expect(cuts(job).map(({ isClosed }) => isClosed)).toEqual([false, true]);
    expect(findingsOf(jobOf([patch(box(10, 10, 20))], 'laser', { x: -25 }), 'clippedCut')).toEqual([]);
  });

  it('keep their exact curves where nothing is mended', () => {
    const [contour] = cuts(jobOf([line(circle(30, 30, 10)), line(box(1, 1, 3)), line(box(1, 1, 3))]));
    expect(contour!.commands).toEqual(['C', 'C', 'C', 'C']);
    expect(contour!.points.slice(0, 2).map((value) => value / UNIT)).toEqual(
      [40, 30].map((value) => expect.closeTo(value, 9)),
    );
  });

  it('make up for the kerf: outer ones grow, holes shrink, and a hole that vanishes is a finding', () => {
    const shapes = [line(box(10, 10, 24)), line(box(16, 16, 12)), line(box(50, 50, 0.1))];
    const sizes = (job: Job) => cuts(job).map((contour) => Math.sqrt(areaOf(toPolyline(contour))));
    expect(sizes(jobOf(shapes)).map((size) => size / UNIT)).toEqual(
      [12, 24, 0.1].map((size) => expect.closeTo(size, 3)),
    );
    const [hole, outer] = sizes(jobOf(shapes, 'laser', {}, { kerfMm: 0.2 }));
    expect(outer).toBeCloseTo(24 * UNIT + 0.2, 3);
    expect(hole).toBeCloseTo(12 * UNIT - 0.2, 3);
    const pinhole = [line(box(10, 10, 24)), line(box(20, 20, 0.1))];
    const job = jobOf(pinhole, 'laser', {}, { kerfMm: 0.2 });
    expect(cuts(job)).toHaveLength(1);
    expect(findingsOf(job, 'kerfLoss')).toMatchObject([{ count: 1 }]);
  });
});

describe('plates that fill', () => {
  it('have no edges between neighbors of one layer', () => {
    // Two grays that are one layer: a ring, and what fills its hole.
    const ring = patch(`${circle(20, 20, 10)}${circle(20, 20, 5)}`, '#808080');
    const job = jobOf([ring, patch(circle(20, 20, 5), '#787878'), patch(box(40, 40, 5)), patch(box(45, 40, 5))]);
    expect(contoursOf(job, 'engrave-c16')).toHaveLength(1);
    expect(contoursOf(job, 'engrave-c16')[0]!.commands).toEqual(['C', 'C', 'C', 'C']);
    expect(contoursOf(job, 'engrave-c00').map((contour) => areaOf(toPolyline(contour)) / UNIT ** 2)).toEqual([
      expect.closeTo(50, 3),
    ]);
  });

  it('have no contours without an area, and none that cross themselves', () => {
    const job = jobOf([
      patch('M10 10L20 10Z'),
      patch('M10 10L10 10Z'),
      patch('M30 30L40 40L40 30L30 40Z'),
      patch(`${box(10, 40, 10)}M12 42L12 42Z`),
    ]);
    const contours = contoursOf(job, 'engrave-c00');
    expect(contours).toHaveLength(3);
    expect(contours.map((contour) => areaOf(toPolyline(contour)) / UNIT ** 2)).toEqual(
      [expect.closeTo(25, 2), expect.closeTo(25, 2), expect.closeTo(100, 2)].sort(() => 0),
    );
    expect(findingsOf(job, 'droppedDetail')).toEqual([]);
  });

  it('drop islands below 0.01 mm², and say where they were', () => {
    const speck = circle(50, 50, 0.03);
    const job = jobOf([patch(circle(20, 20, 10)), patch(speck), patch(`${box(30, 30, 5)}${box(32, 32, 0.05)}`)]);
    expect(contoursOf(job, 'engrave-c00')).toHaveLength(2);
    const [finding] = findingsOf(job, 'droppedDetail');
    expect(finding).toMatchObject({ elementId: 'design', count: 2 });
    const center = { x: 50 * UNIT, y: 50 * UNIT };
    expect(finding!.places.some((place) => contains({ points: place, isClosed: true }, center))).toBe(true);
  });

  it('have no segments shorter than 0.02 mm, and stay within 0.01 mm of the drawing', () => {
    const angles = Array.from({ length: 6000 }, (_, k) => (k / 6000) * 2 * Math.PI);
    const rough = `M${angles.map((a) => `${30 + 8 * Math.cos(a)} ${30 + 8 * Math.sin(a)}`).join('L')}Z`;
    for (const machine of ['laser', 'uv'] as const) {
      const job = jobOf([patch(rough)], machine);
      const [plate] = job.plates;
      const contours = plate!.kind === 'color' ? plate!.groups[0]!.shapes[0]!.contours : contoursOf(job, 'engrave-c00');
      expect(Math.min(...contours.flatMap(segmentLengths))).toBeGreaterThan(0.02);
      for (const { x, y } of contours.flatMap((contour) => toPolyline(contour).points)) {
        expect(Math.abs(Math.hypot(x - 50, y - 50) - 8 * UNIT)).toBeLessThan(0.01);
      }
    }
  });
});

describe('operations', () => {
  const choose = (operation: Operation, color?: string): Command => ({
    type: 'setOperation',
    elementId: 'design',
    operation,
    ...(color && { color }),
  });
  const platesOf = (machine: MachineMode, ...commands: Command[]) => {
    const shapes = [patch(box(5, 5, 10)), patch(box(30, 5, 10), '#808080'), line(box(5, 30, 10))];
    return buildJob(sceneOf(shapes, machine, {}, commands)).plates.map(({ kind, id, ...plate }) => [
      id,
      'outlines' in plate ? plate.outlines.length : plate.groups[0]!.shapes.length,
    ]);
  };

  it('of a laser decide the plates, for the whole element and for single colors', () => {
    expect(platesOf('laser')).toEqual([
      ['engrave-c00', 1],
      ['engrave-c16', 1],
      ['cut-c02', 1],
    ]);
    expect(platesOf('laser', choose('cut'))).toEqual([['cut-c02', 3]]);
    expect(platesOf('laser', choose('guide'), choose('score', '#808080'))).toEqual([
      ['score-c01', 1],
      ['guide-t1', 2],
    ]);
    expect(platesOf('laser', choose('engrave', '#ff0000'))).toEqual(
      [
        ['engrave-c00', 2],
        ['engrave-c16', 1],
      ].sort(() => 0),
    );
  });

  it('of ink make plates of white and gloss', () => {
    expect(platesOf('uv', choose('white', '#808080'), choose('gloss', '#000000'))).toEqual([
      ['color', 1],
      ['white', 1],
      ['gloss', 1],
    ]);
    expect(platesOf('sublimation', choose('white'))).toEqual([['color', 3]]);
  });

  it('of a guide are on the stage and not in the mockup', () => {
    const scene = sceneOf([patch(box(5, 5, 10))], 'laser', {}, [choose('guide')]);
    const draw = (kind: 'preview' | 'mockup') => writeSvg(renderScene(scene, { kind }));
    expect(draw('preview')).toContain('#F36926');
    expect(draw('mockup')).not.toContain('<path');
  });
});

describe('the specified SVG of a job', () => {
  it('says machine, size and unit in its own name', () => {
    const root = (machine: MachineMode) => drawJob(jobOf([patch(box(5, 5, 5))], machine)).attrs.id;
    expect(root('laser')).toBe('laser-100x100mm');
    expect(root('sublimation')).toBe('sublimation-mirrored-100x100mm');
  });

  it('is mirrored only when it is asked for', () => {
    const scene = sceneOf([patch(box(5, 5, 5))], 'sublimation');
    expect(buildJob(scene).isMirrored).toBe(true);
    const [plate] = buildJob(scene, { isMirrored: false }).plates as [ColorPlate];
    expect(plate.groups[0]!.shapes[0]!.contours[0]!.points[0]).toBeCloseTo(5 * UNIT, 6);
  });
});

describe('random compositions', () => {
  const first = Number(process.env.TEST_SEED ?? 20_261_123);
  const seeds = Array.from({ length: 60 }, (_, k) => first + k);
  const jobs = seeds.map((seed) => ({ seed, job: buildJob(randomScene(seed)) }));

  it('have no fault in their cuts that no finding names', () => {
    for (const { seed, job } of jobs) expect(faultsOfCuts(job), `seed ${seed}`).toEqual([]);
  });

  it('cut nothing twice', () => {
    for (const { seed, job } of jobs) expect(doubleLength(job), `seed ${seed}`).toBeLessThanOrEqual(0.2);
  });

  it('have no segments below 0.02 mm, no islands below 0.01 mm², and nothing outside', () => {
    for (const { seed, job } of jobs) {
      for (const plate of job.plates as OutlinePlate[]) {
        for (const contour of plate.outlines.flatMap(({ contours }) => contours)) {
          expect(Math.min(...segmentLengths(contour)), `seed ${seed} ${plate.id}`).toBeGreaterThanOrEqual(0.02);
          if (plate.kind !== 'engrave') continue;
          expect(contour.isClosed).toBe(true);
          expect(areaOf(toPolyline(contour)), `seed ${seed}`).toBeGreaterThan(0.0099);
        }
      }
    }
  });

  it('run in order: engrave before score before cut', () => {
    const order = ['engrave', 'score', 'cut', 'guide'];
    for (const { job } of jobs) {
      const kinds = job.plates.map(({ kind }) => order.indexOf(kind));
      expect(kinds).toEqual([...kinds].sort((a, b) => a - b));
    }
  });
});

/** Draws a job with plain fills: an engraving file has a stroke for LightBurn, which is no ink. */
function drawPlain(job: Job): string {
  const { children, ...root } = drawJob(job);
  const plain = children.map((group) => ({
    ...group,
    children: group.children.map((node) =>
      node.attrs['fill-rule'] && job.machine === 'laser' ? { ...node, attrs: { ...node.attrs, stroke: 'none' } } : node,
    ),
  }));
  return writeSvg(svgNode('svg', root.attrs, plain));
}

const SIDE_PX = 500;
const draw = (svg: string) =>
  new Resvg(svg, {
    fitTo: { mode: 'width', value: SIDE_PX },
    background: '#ffffff',
    font: { loadSystemFonts: false },
  }).render().pixels;

function expectSamePicture(scene: Scene, name: string): void {
  const mockup = draw(writeSvg(renderScene(scene, { kind: 'mockup' })));
  const file = draw(drawPlain(buildJob(scene, { isMirrored: false })));
  let [sum, far] = [0, 0];
  for (let i = 0; i < mockup.length; i++) {
    const difference = Math.abs(mockup[i]! - file[i]!);
    sum += difference;
    if (difference > 40) far++;
  }
  expect(sum / mockup.length, `${name}: mean`).toBeLessThanOrEqual(1);
  expect(far / mockup.length, `${name}: share`).toBeLessThanOrEqual(0.001);
}

describe('the mockup without its finish and the job', () => {
  const withoutLines = (scene: Scene): Scene => ({
    ...scene,
    groups: scene.groups.map((group) => ({
      ...group,
      children: group.children.filter((child) => child.kind === 'path' && child.fill),
    })),
  });

  it.each(['laser', 'uv', 'sublimation', 'dtf'] as const)('look alike on %s', (machine) => {
    for (let seed = 100; seed < 112; seed++) {
      expectSamePicture(withoutLines(randomScene(seed, machine)), `${machine} ${seed}`);
    }
  });

  it.each(['laser', 'uv'] as const)('look alike on %s where shapes are translucent', (machine) => {
    const shapes = [patch(box(5, 5, 25)), patch(circle(30, 30, 12)), patch(box(25, 5, 20), '#ffffff')];
    expectSamePicture(sceneOf(shapes, machine, { opacity: 50 }), 'element');
    const half = patch(circle(20, 20, 12), '#000000', { opacity: 0.5 });
    expectSamePicture(sceneOf([...shapes, half], machine), 'shape');
  });
});
