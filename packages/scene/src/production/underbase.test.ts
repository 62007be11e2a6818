import { describe, expect, it } from 'vitest';
import { applyCommand, type Command } from '../document/commands.ts';
import { emptyComposition } from '../document/initial.ts';
import { type Contour, looseBounds, readContours, writeContours } from '../geometry/pathData.ts';
import { areaOf, box, circle } from '../geometry/testShapes.ts';
import { resolveScene } from '../resolve/resolve.ts';
import { buildJob } from './buildJob.ts';
import type { Job, OutlinePlate } from './job.ts';
import { groupOf, inkJob, jobOf, shapeOf } from './testJobs.ts';
import { addUnderbase, drawWhitePlate, type UnderbaseOptions } from './underbase.ts';

const CHOKE = 0.2;
const underColor: UnderbaseOptions = { mode: 'underColor', chokeMm: CHOKE };

const whiteOf = (job: Job, options = underColor): readonly Contour[] =>
  addUnderbase(job, options)
    .plates.filter((plate): plate is OutlinePlate => plate.kind === 'white')
    .flatMap(({ outlines }) => outlines.flatMap(({ contours }) => contours));

/** Expects an area within 0.2 %, which is what a plate may be off. */
const expectArea = (contours: readonly Contour[], area: number) =>
  expect(Math.abs(areaOf(contours) / area - 1), `${areaOf(contours)} mm² for ${area}`).toBeLessThan(0.002);

describe('the white plate under colors', () => {
  it('is the inner parallel of what is printed', () => {
    expectArea(whiteOf(inkJob(shapeOf(box(5, 5, 20, 20)))), (20 - 2 * CHOKE) ** 2);
    expectArea(whiteOf(inkJob(shapeOf(circle(30, 20, 10)))), Math.PI * (10 - CHOKE) ** 2);
    const ring = [...circle(30, 20, 10), ...circle(30, 20, 4)];
    expectArea(whiteOf(inkJob(shapeOf(ring))), Math.PI * ((10 - CHOKE) ** 2 - (4 + CHOKE) ** 2));
    // An inner corner is round, as everything is that keeps its distance from a point.
    const corner = readContours('M5 5L25 5L25 15L15 15L15 25L5 25Z');
    const notch = 9.8 ** 2 + 2 * CHOKE * 9.8 + (Math.PI * CHOKE ** 2) / 4;
    expectArea(whiteOf(inkJob(shapeOf(corner))), 19.6 ** 2 - notch);
  });

  it('joins shapes that touch or overlap before it is pulled in', () => {
    const halves = inkJob(shapeOf(box(5, 5, 10, 20)), shapeOf(box(15, 5, 10, 20), '#1f4fa3'));
    expectArea(whiteOf(halves), 19.6 ** 2);
    const two = inkJob(shapeOf(circle(20, 20, 8)), shapeOf(circle(26, 20, 8), '#1f4fa3'));
    const lens = 2 * 64 * Math.acos(6 / 16) - 3 * Math.sqrt(4 * 64 - 36);
    const perimeter = 2 * 8 * (2 * Math.PI - 2 * Math.acos(6 / 16));
    expectArea(whiteOf(two), 2 * Math.PI * 64 - lens - CHOKE * perimeter + Math.PI * CHOKE ** 2);
  });

  it('takes lines, gradients and half clear ink in full', () => {
    const line = shapeOf(readContours('M10 10L50 10'), undefined, {
      fill: undefined,
      stroke: '#1e7d3c',
      strokeWidthMm: 2,
    });
    expectArea(whiteOf(inkJob(line)), (40 - 2 * CHOKE) * (2 - 2 * CHOKE));
    const stops = [
      { offset: 0, color: '#ffffff', opacity: 0.2 },
      { offset: 1, color: '#1f4fa3' },
    ];
    const gradient = { kind: 'linear', x1: 5, y1: 5, x2: 25, y2: 5, stops } as const;
    expectArea(whiteOf(inkJob(shapeOf(box(5, 5, 20, 20), '#8fa7d1', { gradient, opacity: 0.3 }))), 19.6 ** 2);
  });

  it.each([0.05, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9])('spares at least half of a line of %f mm', (width) => {
    const plate = whiteOf(inkJob(shapeOf(box(5, 5, 40, width))));
    const rest = areaOf(plate) / 40;
    const most = Math.min(CHOKE, width / 4);
    expect(rest).toBeGreaterThan((width - 2 * most) * 0.98);
    // And it is pulled in, unless it is too thin for that.
    if (width >= CHOKE / 2) expect(rest).toBeLessThan(width - 2 * most * 0.69);
    else expectArea(plate, 40 * width);
    const { minY, maxY } = looseBounds(plate);
    expect(minY - 5).toBeCloseTo(5 + width - maxY, 3);
  });

  it('stays in one piece where a thin line leaves a wide part, and leaves the wide part as it is', () => {
    const flag = inkJob(shapeOf(readContours('M5 5L15 5L15 10L35 10L35 10.4L15 10.4L15 15L5 15Z')));
    const plate = whiteOf(flag);
    expect(plate).toHaveLength(1);
    const line = 20 * (0.4 - 2 * 0.098);
    expect(areaOf(plate)).toBeCloseTo(9.6 ** 2 + line, 0);
    const bounds = looseBounds(plate);
    expect(bounds.minX).toBeCloseTo(5 + CHOKE, 2);
    expect(bounds.maxX).toBeGreaterThan(34.8);
  });

  it('keeps marks that are white only at their full size', () => {
    expectArea(whiteOf(inkJob(shapeOf(circle(30, 20, 3), '#ffffff'))), Math.PI * 9);
    // A white one that sticks out of a colored one: both count as ink, and the white one is whole.
    const both = inkJob(shapeOf(box(10, 10, 10, 10)), shapeOf(box(18, 12, 10, 6), '#ffffff'));
    expectArea(whiteOf(both), 9.6 ** 2 + 10 * 6 - 1.8 * 6);
    const line = inkJob(shapeOf(box(5, 5, 40, 0.15), '#fefefe'));
    expectArea(whiteOf(line), 40 * 0.15);
  });

  it('counts white under a color as the color', () => {
    const over = inkJob(shapeOf(box(10, 10, 10, 10), '#ffffff'), shapeOf(box(9, 9, 12, 12)));
    expectArea(whiteOf(over), 11.6 ** 2);
  });

  it('takes in what the maker gave to the white ink', () => {
    const white = { kind: 'white', id: 'white', color: '#ffffff' } as const;
    const own: OutlinePlate = { ...white, outlines: [{ elementId: 'a', contours: box(40, 5, 10, 10) }] };
    const job = jobOf([{ kind: 'color', id: 'color', groups: [groupOf([shapeOf(box(5, 5, 20, 20))])] }, own]);
    expectArea(whiteOf(job), 19.6 ** 2 + 100);
    expectArea(whiteOf(job, { ...underColor, mode: 'none' }), 100);
    expect(addUnderbase(job, underColor).plates.filter(({ kind }) => kind === 'white')).toHaveLength(1);
  });
});

describe('the white that the maker chose for an element', () => {
  const groups = (whiteArea: readonly Contour[] | undefined) => [
    groupOf([shapeOf(box(5, 5, 20, 20))]),
    { ...groupOf([shapeOf(circle(45, 20, 5))], 1, 'text:t1'), ...(whiteArea && { whiteArea }) },
  ];
  const job = (whiteArea?: readonly Contour[]) => jobOf([{ kind: 'color', id: 'color', groups: groups(whiteArea) }]);

  it('is none, or its whole box, in full where other colors lie beside it', () => {
    expectArea(whiteOf(job()), 19.6 ** 2 + Math.PI * 4.8 ** 2);
    expectArea(whiteOf(job([])), 19.6 ** 2);
    expectArea(whiteOf(job(box(40, 15, 10, 10))), 19.6 ** 2 + 100);
    expectArea(whiteOf(job(box(20, 15, 30, 10))), 19.6 ** 2 + 300 - 4.8 * 10);
  });

  it('yields to a file with white everywhere, or under white alone', () => {
    expectArea(whiteOf(job([]), { ...underColor, mode: 'flood' }), 60 * 40);
    expect(whiteOf(job(box(40, 15, 10, 10)), { ...underColor, mode: 'underWhite' })).toEqual([]);
  });
});

it('is the same plate on the stage as in a file', () => {
  const square = { d: 'M0 0L10 0L10 10L0 10Z', fill: '#c81e1e', stroke: undefined, strokeWidth: 0, opacity: 1 };
  const commands: Command[] = [
    { type: 'setMachine', machine: 'uv' },
    { type: 'placeDesign', id: 'design', designId: 'd1', filename: 'square.svg', aspect: 1 },
    { type: 'updateDesign', id: 'design', changes: { size: 40, x: 10, angleDeg: 30 } },
  ];
  const sceneAfter = (...more: Command[]) =>
    resolveScene([...commands, ...more].reduce(applyCommand, emptyComposition), {
      product: undefined,
      artworks: new Map([['design', { width: 10, height: 10, shapes: [square] }]]),
      fonts: { outline: () => undefined },
    });
  const setWhite = (white: 'box' | 'none' | undefined): Command => ({ type: 'setWhite', elementId: 'design', white });
  const plate = whiteOf(buildJob(sceneAfter()));
  expect(plate).toHaveLength(1);
  expect(drawWhitePlate(sceneAfter(), underColor)).toBe(writeContours(plate));
  // The box of a square is the square: its white is not pulled in.
  expectArea(readContours(drawWhitePlate(sceneAfter(setWhite('box')), underColor)), 40 * 40);
  expect(drawWhitePlate(sceneAfter(setWhite('none')), underColor)).toBe('');
  expect(drawWhitePlate(sceneAfter(setWhite('none'), setWhite(undefined)), underColor)).toBe(writeContours(plate));
});

describe('other ways of white', () => {
  const job = inkJob(shapeOf(box(5, 5, 20, 20)), shapeOf(circle(40, 20, 3), '#ffffff'));

  it('floods the frame, or puts white under white alone, or none', () => {
    expectArea(whiteOf(job, { ...underColor, mode: 'flood' }), 60 * 40);
    expectArea(whiteOf(job, { ...underColor, mode: 'underWhite' }), Math.PI * 9);
    expect(addUnderbase(job, { ...underColor, mode: 'none' })).toBe(job);
  });

  it('is none for a machine without white ink, or without a mark', () => {
    for (const machine of ['laser', 'sublimation'] as const) {
      const other = { ...job, machine };
      expect(addUnderbase(other, underColor)).toBe(other);
    }
    const empty = jobOf([]);
    expect(addUnderbase(empty, underColor)).toBe(empty);
  });

  it('leaves nothing outside the frame', () => {
    const line = shapeOf(box(0, 0, 60, 40), undefined, { fill: undefined, stroke: '#1e7d3c', strokeWidthMm: 4 });
    const { minX, minY, maxX, maxY } = looseBounds(whiteOf(inkJob(line)));
    expect([minX, minY, maxX, maxY].map((value) => value.toFixed(2))).toEqual(['0.20', '0.20', '59.80', '39.80']);
  });
});
