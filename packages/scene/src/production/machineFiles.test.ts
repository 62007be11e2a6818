import { describe, expect, it } from 'vitest';
import { type Contour, readContours, transformContours } from '../geometry/pathData.ts';
import { deviation, toLine } from '../geometry/testShapes.ts';
import type { ContourFile } from '../import/contourFile.ts';
import type { Job, JobOutline, OutlinePlate } from './job.ts';
import {
  checkOutlineFile,
  FileDiffers,
  makeOutlineFile,
  type OutlineFormat,
  outlineFormats,
  readOutlineFile,
  writeOutlineFile,
} from './machineFiles.ts';
import { randomJob } from './randomJobs.ts';
import { FormatUnfit } from './writers/segments.ts';
import { svgPresets } from './writers/svgPresets.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const outline = (d: string, elementId = 'a'): JobOutline => ({ elementId, contours: readContours(d) });
const plateOf = (kind: OutlinePlate['kind'], color: string, ...outlines: JobOutline[]): OutlinePlate => ({
  kind,
  id: kind === 'engrave' ? 'engrave-c00' : kind === 'score' ? 'score-c01' : kind === 'cut' ? 'cut-c02' : kind,
  color,
  outlines,
});
const jobOf = (...plates: Job['plates']): Job => ({
  machine: 'laser',
  widthMm: 56,
  heightMm: 140,
  isMirrored: false,
  rasters: [],
  plates,
  findings: [],
});
const square = (x: number, y: number, side: number) =>
  `M${x} ${y}L${x + side} ${y}L${x + side} ${y + side}L${x} ${y + side}Z`;

/** A ring with a hole, an open line, and a cut inside another. */
const small = jobOf(
  plateOf('engrave', '#000000', outline(square(2, 3, 20) + square(7, 8, 10))),
  plateOf('score', '#0000FF', outline('M2 30C12 20 22 40 32 30L40 30')),
  plateOf('cut', '#FF0000', outline(square(10, 60, 10)), outline('M5 55C25 45 35 45 45 55L45 95L5 95Z')),
);

describe('every format', () => {
  it.each(outlineFormats)('holds 100 random jobs: %s', (format) => {
    for (let seed = 1; seed <= 100; seed++) {
      const job = randomJob(seed, 12);
      const bytes = encode(writeOutlineFile(job, format));
      expect({ seed, differences: checkOutlineFile(bytes, job, format) }).toEqual({ seed, differences: [] });
    }
  });

  it.each(svgPresets)('holds 20 random jobs: the SVG of %s', (preset) => {
    for (let seed = 1; seed <= 20; seed++) {
      const job = randomJob(seed, 12);
      const bytes = encode(writeOutlineFile(job, 'svg', { preset }));
      expect({ seed, differences: checkOutlineFile(bytes, job, 'svg', { preset }) }).toEqual({ seed, differences: [] });
    }
  });

  it.each(outlineFormats)('comes back within 0.01 mm of every point: %s', (format) => {
    const bar = format === 'plt' ? 0.0125 * Math.SQRT2 + 0.003 : 0.01;
    for (let seed = 200; seed < 208; seed++) {
      const job = randomJob(seed, 6);
      const file = readOutlineFile(encode(writeOutlineFile(job, format)), format);
      const [expected, actual] = [polylinesOf(job, format), polylinesIn(file, job)];
      expect(actual).toHaveLength(expected.length);
      expected.forEach((line, i) => {
        expect(deviation(line, actual[i]!)).toBeLessThanOrEqual(bar);
        expect(deviation(actual[i]!, line)).toBeLessThanOrEqual(bar);
      });
    }
  });

  it.each(outlineFormats)('runs engravings before scores before cuts, and inner before outer cuts: %s', (format) => {
    const file = readOutlineFile(encode(writeOutlineFile(small, format)), format);
    expect(file.layers).toHaveLength(3);
    const [engrave, score, cut] = file.layers;
    expect(engrave!.outlines.flat()).toHaveLength(2);
    expect(score!.outlines.flat()[0]!.isClosed).toBe(false);
    const widths = cut!.outlines.flat().map(({ points }) => {
      const xs = points.filter((_, i) => i % 2 === 0);
      return Math.max(...xs) - Math.min(...xs);
    });
    expect(widths[0]).toBeCloseTo(10, 1);
    expect(widths[1]).toBeCloseTo(40, 1);
    if (format === 'lbrn2' || format === 'svg' || format === 'dxf') {
      expect(file.layers.map(({ operation }) => operation)).toEqual(['engrave', 'score', 'cut']);
    }
  });

  it.each(outlineFormats)('is the same text each time: %s', (format) => {
    expect(writeOutlineFile(randomJob(5), format)).toBe(writeOutlineFile(randomJob(5), format));
  });

  // The specified SVG writes a job as it is.
  it.each(outlineFormats.filter((format) => format !== 'svg'))('leaves out what has no length: %s', (format) => {
    const job = jobOf(plateOf('cut', '#FF0000', outline(`${square(5, 5, 9)}M8 8L8 8L8 8Z`), outline('M9 9L9 9')));
    const clean = jobOf(plateOf('cut', '#FF0000', outline(square(5, 5, 9))));
    expect(checkOutlineFile(encode(writeOutlineFile(job, format)), clean, format)).toEqual([]);
  });

  it.each(outlineFormats)('holds a hook whose ends are nearer than a plotter unit: %s', (format) => {
    const job = jobOf(plateOf('cut', '#FF0000', outline('M5 5L5.1 5L5.1 5.1L5.004 5.006')));
    expect(checkOutlineFile(encode(writeOutlineFile(job, format)), job, format)).toEqual([]);
  });

  it.each(outlineFormats)('holds the rough edge of a trace, whose length no two curves agree on: %s', (format) => {
    const teeth = Array.from({ length: 90 }, (_, i) => {
      const [x, y, lean] = [5 + 0.12 * i, 10 + 0.02 * (i % 3), 0.03 * ((i % 4) - 1.5)];
      const next = `${x + 0.12} ${10 + 0.02 * ((i + 1) % 3)}`;
      return `C${x + 0.02 + lean} ${y - 0.06} ${x + 0.1} ${y - 0.05 + lean} ${next}`;
    });
    const job = jobOf(plateOf('cut', '#FF0000', outline(`M5 10${teeth.join('')}L15.8 11L5 11Z`)));
    expect(checkOutlineFile(encode(writeOutlineFile(job, format)), job, format)).toEqual([]);
  });

  it.each(outlineFormats)('refuses a number that is not finite: %s', (format) => {
    for (const value of [Number.NaN, Infinity, 1e300]) {
      const contour: Contour = { commands: ['L', 'L'], points: [0, 0, value, 1, 5, 5], isClosed: true };
      const job = jobOf(plateOf('cut', '#FF0000', { elementId: 'a', contours: [contour] }));
      expect(() => writeOutlineFile(job, format)).toThrow(RangeError);
    }
  });

  it('holds what a print cuts and scores; other prints only as the specified SVG', () => {
    const color = {
      kind: 'color',
      id: 'color',
      groups: [
        {
          elementId: 'a',
          opacity: 0.5,
          pictures: [],
          shapes: [
            { ...outline(square(1, 1, 8)), fill: '#c8102e', stroke: undefined, strokeWidthMm: 0, opacity: 1 },
            { ...outline('M20 20L30 30'), fill: undefined, stroke: '#1F4FA3', strokeWidthMm: 0.2, opacity: 1 },
          ],
        },
      ],
    } as const;
    const white = { kind: 'white', id: 'white', color: '#ffffff', outlines: [outline(square(1, 1, 8))] } as const;
    const job: Job = { ...jobOf(color, white), machine: 'uv' };
    expect(checkOutlineFile(makeOutlineFile(job, 'svg').bytes, job, 'svg')).toEqual([]);
    for (const format of ['lbrn2', 'xcs', 'dxf', 'plt'] as const) {
      expect(() => makeOutlineFile(job, format)).toThrow(FormatUnfit);
    }
    expect(() => makeOutlineFile(job, 'svg', { preset: 'cricut' })).toThrow(FormatUnfit);
    const cutJob: Job = { ...jobOf(color, plateOf('cut', '#FF0000', outline(square(0, 0, 50)))), machine: 'uv' };
    expect(readOutlineFile(makeOutlineFile(cutJob, 'dxf').bytes, 'dxf').layers.map(({ name }) => name)).toEqual([
      'CUT-C02',
    ]);
  });
});

describe('makeOutlineFile', () => {
  const change = (plates: (plates: readonly OutlinePlate[]) => OutlinePlate[]): Job => ({
    ...small,
    plates: plates(small.plates as readonly OutlinePlate[]),
  });
  const changeOutlines = (id: string, outlines: (list: readonly JobOutline[]) => JobOutline[]) =>
    change((plates) =>
      plates.map((plate) => (plate.id === id ? { ...plate, outlines: outlines(plate.outlines) } : plate)),
    );
  const move = (list: readonly JobOutline[], dx: number): JobOutline[] =>
    list.map(({ elementId, contours }) => ({
      elementId,
      contours: transformContours(contours, { a: 1, b: 0, c: 0, d: 1, e: dx, f: 0 }),
    }));

  it.each<[name: string, file: Job, kind: string]>([
    ['a layer that is gone', change((plates) => plates.slice(1)), 'layer'],
    ['a cut that is gone', changeOutlines('cut-c02', (list) => list.slice(1)), 'missing'],
    ['a cut that is there twice', changeOutlines('cut-c02', (list) => [...list, list[1]!]), 'duplicate'],
    [
      'a cut that no one asked for',
      changeOutlines('cut-c02', (list) => [...list, outline(square(1, 120, 9))]),
      'extra',
    ],
    ['an outer cut before its inner one', changeOutlines('cut-c02', (list) => [list[1]!, list[0]!]), 'order'],
    ['an engraving that is moved by 0.05 mm', changeOutlines('engrave-c00', (list) => move(list, 0.05)), 'missing'],
    [
      'a cut that is open',
      changeOutlines('cut-c02', ([first, last]) => [
        { elementId: 'a', contours: first!.contours.map((contour) => ({ ...contour, isClosed: false })) },
        last!,
      ]),
      'openEnd',
    ],
    ['a hole that is filled', changeOutlines('engrave-c00', () => [outline(square(2, 3, 20))]), 'area'],
  ])('would find %s, in every format', (_name, fileJob, kind) => {
    for (const format of outlineFormats) {
      const differences = checkOutlineFile(encode(writeOutlineFile(fileJob, format)), small, format);
      expect({ format, kinds: differences.map((difference) => difference.kind) }).toEqual({
        format,
        kinds: expect.arrayContaining([kind]),
      });
    }
  });

  it('would find another size of the frame, where the format has one', () => {
    for (const format of ['svg', 'dxf'] as const) {
      const wide = { ...small, widthMm: small.widthMm + 0.02 };
      const kinds = checkOutlineFile(encode(writeOutlineFile(wide, format)), small, format).map(({ kind }) => kind);
      expect(kinds).toContain('size');
    }
  });

  it('gives out no file that differs', () => {
    // Two plates of one color would be one layer for LightBurn, with one power.
    const job = jobOf(
      plateOf('score', '#FF0000', outline('M1 1L9 9')),
      plateOf('cut', '#FF0000', outline(square(20, 20, 9))),
    );
    expect(() => makeOutlineFile(job, 'lbrn2')).toThrow(FileDiffers);
    expect(() => makeOutlineFile(job, 'lbrn2')).toThrow('The file has no layer C02 of its own');
    expect(makeOutlineFile(small, 'lbrn2').bytes).toBeInstanceOf(Uint8Array);
  });
});

/** Returns the contours of what a format holds of a job, in running order, as fine lines. */
function polylinesOf(job: Job, format: OutlineFormat): number[][] {
  const plates = job.plates as readonly OutlinePlate[];
  const shownPlates = format === 'xcs' || format === 'plt' ? plates.filter(({ kind }) => kind !== 'guide') : plates;
  return shownPlates.flatMap((plate) => plate.outlines.flatMap(({ contours }) => contours.map(toLine)));
}

function polylinesIn({ layers, origin }: ContourFile, { heightMm }: Job): number[][] {
  const f = origin === 'bottomLeft' ? heightMm : 0;
  return layers.flatMap((layer) =>
    layer.outlines.flatMap((contours) => transformContours(contours, { a: 1, b: 0, c: 0, d: 1, e: 0, f }).map(toLine)),
  );
}
