import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gradient } from '../../artwork/artwork.ts';
import { readContours } from '../../geometry/pathData.ts';
import { areaOf, box, circle } from '../../geometry/testShapes.ts';
import { PdfUnreadable } from '../../import/pdfObjects.ts';
import { type PdfMark, readPdf } from '../../import/readPdf.ts';
import type { Job, OutlinePlate } from '../job.ts';
import { groupOf, inkJob, jobOf, shapeOf } from '../testJobs.ts';
import { addUnderbase } from '../underbase.ts';
import { type PdfOptions, writePdf } from './pdf.ts';
import { plainCmyk } from './pdfPaint.ts';
import { SPOT_PRESETS } from './spots.ts';

const options: PdfOptions = { title: 'Fox (2)', toCmyk: plainCmyk, spots: SPOT_PRESETS.versaWorks };
const read = (job: Job, changes: Partial<PdfOptions> = {}) => readPdf(writePdf(job, { ...options, ...changes }));
const onLayer = (marks: readonly PdfMark[], layer: string) => marks.filter((mark) => mark.layer === layer);
const areaOn = (marks: readonly PdfMark[], layer: string) =>
  onLayer(marks, layer).reduce((sum, { contours }) => sum + areaOf(contours), 0);

const outlines = (
  kind: OutlinePlate['kind'],
  contours: OutlinePlate['outlines'][number]['contours'],
): OutlinePlate => ({
  kind,
  id: kind,
  color: '#ff0000',
  outlines: [{ elementId: 'a', contours }],
});
const gradient: Gradient = {
  kind: 'linear',
  x1: 5,
  y1: 0,
  x2: 25,
  y2: 0,
  stops: [
    { offset: 0, color: '#ff0000' },
    { offset: 0.5, color: '#00ff00' },
    { offset: 0.5, color: '#0000ff', opacity: 0.5 },
    { offset: 1, color: '#ffffff', opacity: 0 },
  ],
};

describe('a PDF', () => {
  it('has the size of the frame, with its trim inside a bleed', () => {
    const { widthMm, heightMm, ...trim } = read(inkJob(shapeOf(box(5, 5, 20, 20))));
    expect(widthMm).toBeCloseTo(60, 3);
    expect(heightMm).toBeCloseTo(40, 3);
    expect([trim.trimLeftMm, trim.trimTopMm]).toEqual([0, 0]);

    const bleed = read(inkJob(shapeOf(box(0, 0, 20, 20))), { bleedMm: 3 });
    expect(bleed.widthMm).toBeCloseTo(66, 3);
    expect(bleed.heightMm).toBeCloseTo(46, 3);
    expect(bleed.trimLeftMm).toBeCloseTo(3, 3);
    expect(bleed.trimTopMm).toBeCloseTo(3, 3);
    expect(bleed.trimWidthMm).toBeCloseTo(60, 3);
    // The mark and its mirror images: the one at the corner continues at both of its sides.
    const corners = bleed.marks.map(({ contours }) => contours[0]!.points.slice(4, 6).map(Math.round).join());
    expect(corners).toHaveLength(9);
    expect(corners).toEqual(expect.arrayContaining(['20,20', '-20,20', '20,-20', '-20,-20', '100,20', '20,60']));
  });

  it('has a layer for each plate: the colors, then white, gloss and the cut on top with overprint', () => {
    const job = addUnderbase(
      jobOf([
        { kind: 'color', id: 'color', groups: [groupOf([shapeOf(box(5, 5, 20, 20))])] },
        outlines('gloss', circle(15, 15, 5)),
        outlines('cut', box(2, 2, 26, 26)),
      ]),
      { mode: 'underColor', chokeMm: 0.2 },
    );
    expect(job.plates.map(({ kind }) => kind)).toEqual(['white', 'color', 'gloss', 'cut']);
    const { layers, marks } = read(job);
    expect(layers).toEqual(['Color', 'RDG_WHITE', 'RDG_GLOSS', 'CutContour']);
    expect(
      marks.map(({ layer, kind, ink, values, isOverprinted }) => [layer, kind, ink, values, isOverprinted]),
    ).toEqual([
      ['Color', 'fill', 'DeviceCMYK', [0, 0.85, 0.85, 0.2157], false],
      ['RDG_WHITE', 'fill', 'RDG_WHITE', [1], true],
      ['RDG_GLOSS', 'fill', 'RDG_GLOSS', [1], true],
      ['CutContour', 'line', 'CutContour', [1], true],
    ]);
    expect(areaOn(marks, 'Color')).toBeCloseTo(400, 2);
    expect(areaOn(marks, 'RDG_WHITE')).toBeCloseTo(19.6 ** 2, 1);
    expect(areaOn(marks, 'RDG_GLOSS')).toBeCloseTo(Math.PI * 25, 1);
    expect(areaOn(marks, 'CutContour')).toBeCloseTo(26 * 26, 2);
  });

  it('names the inks as the shop does, whatever characters the name has', () => {
    const job = jobOf([outlines('white', box(1, 1, 5, 5))]);
    const spots = { ...SPOT_PRESETS.generic, white: 'Spot Colour (Weiß) #1/2' };
    const { layers, marks } = read(job, { spots });
    expect(layers).toEqual([spots.white]);
    expect(Buffer.from(marks[0]!.ink, 'latin1').toString()).toBe(spots.white);
  });

  it('keeps the exact curves within a tenth of a micron', () => {
    const place = fc.double({ min: 0, max: 40, noNaN: true });
    fc.assert(
      fc.property(fc.array(place, { minLength: 8, maxLength: 8 }), (points) => {
        const curve = [{ commands: ['C' as const], points, isClosed: true }];
        const [mark] = read(inkJob(shapeOf(curve))).marks;
        const copy = mark!.contours[0]!;
        expect(copy.commands).toEqual(['C']);
        expect(copy.isClosed).toBe(true);
        for (const [i, value] of points.entries()) expect(Math.abs(copy.points[i]! - value)).toBeLessThan(2e-4);
      }),
      { numRuns: 50 },
    );
  });

  it('gives an element’s opacity to the whole of it', () => {
    const shapes = [shapeOf(box(5, 5, 20, 20)), shapeOf(circle(25, 15, 5), '#1f4fa3', { opacity: 0.5 })];
    const job = (list = shapes) => jobOf([{ kind: 'color', id: 'color', groups: [groupOf(list, 0.4)] }]);
    const opacities = (marks: readonly PdfMark[]) => marks.map(({ opacity, groupOpacity }) => [opacity, groupOpacity]);
    expect(opacities(read(job()).marks)).toEqual([
      [1, 0.4],
      [0.5, 0.4],
    ]);
    expect(opacities(read(job(shapes.slice(1))).marks)).toEqual([[0.2, 1]]);
    // A fill and its line are one mark: the line does not show through.
    const framedBox = shapeOf(box(5, 5, 20, 20), undefined, { stroke: '#000000', strokeWidthMm: 2, opacity: 0.5 });
    const { marks } = read(inkJob(framedBox));
    expect(marks.map(({ kind }) => kind)).toEqual(['fill', 'line']);
    expect(marks[1]!.lineWidthMm).toBeCloseTo(2, 4);
    expect(opacities(marks)).toEqual([
      [1, 0.5],
      [1, 0.5],
    ]);
  });

  it('shades gradients, with their opacity as a mask', () => {
    const bytes = writePdf(inkJob(shapeOf(box(5, 5, 20, 20), '#808080', { gradient })), options);
    const text = Buffer.from(bytes).toString('latin1');
    const { marks } = readPdf(bytes);
    expect(marks.map(({ kind, ink }) => [kind, ink])).toEqual([['shade', 'DeviceCMYK']]);
    expect(areaOf(marks[0]!.contours)).toBeCloseTo(400, 2);
    expect(text).toContain('/SMask');
    expect(text).toContain('/ShadingType 2');
    // The hard edge in the middle is the end of one piece of the ramp and the start of another.
    expect(text).toMatch(/\/Bounds \[[^\]]*\b0\.5\b[^\]]*\]/);
    const ellipse = { ...gradient, kind: 'radial' as const, x3: 5, y3: 10, stops: gradient.stops.slice(0, 2) };
    const radial = Buffer.from(writePdf(inkJob(shapeOf(box(5, 5, 20, 20), '#808080', { gradient: ellipse })), options));
    expect(radial.toString('latin1')).toContain('20 0 0 10 5 0 cm');
    expect(radial.toString('latin1')).not.toContain('/SMask');
  });

  it('has sRGB values without a conversion, and the palette colors of a laser', () => {
    expect(read(inkJob(shapeOf(box(5, 5, 20, 20))), { toCmyk: undefined }).marks[0]).toMatchObject({
      ink: 'DeviceRGB',
      values: [0.7843, 0.1176, 0.1176],
    });
    const laser = jobOf(
      [outlines('engrave', box(5, 5, 9, 9)), outlines('guide', box(1, 1, 9, 9)), outlines('cut', box(2, 2, 26, 26))],
      'laser',
    );
    const { layers, marks } = read(laser);
    expect(layers).toEqual(['engrave', 'cut']);
    expect(marks.map(({ kind, ink, isOverprinted }) => [kind, ink, isOverprinted])).toEqual([
      ['fill', 'DeviceRGB', false],
      ['line', 'DeviceRGB', false],
    ]);
    expect(marks[1]!.lineWidthMm).toBeCloseTo(0.025, 5);
  });

  it('is the same when it is compressed, and the same each time', () => {
    const job = inkJob(
      shapeOf(circle(30, 20, 10)),
      shapeOf(readContours('M5 5L50 5'), undefined, { fill: undefined, stroke: '#000000', strokeWidthMm: 1 }),
    );
    const plain = writePdf(job, options);
    const small = writePdf(job, { ...options, deflate: deflateSync });
    expect(readPdf(small, inflateSync)).toEqual(readPdf(plain));
    expect(writePdf(job, options)).toEqual(plain);
  });

  it('refuses a coordinate that is not finite', () => {
    const broken = [{ commands: ['L' as const], points: [0, 0, Number.NaN, 5], isClosed: true }];
    expect(() => writePdf(inkJob(shapeOf(broken)), options)).toThrow(RangeError);
  });
});

describe('the reader', () => {
  const bytes = writePdf(inkJob(shapeOf(circle(30, 20, 10))), options);

  it('sees what changed in a file', () => {
    const text = Buffer.from(bytes).toString('latin1');
    const change = (from: string, to: string) =>
      readPdf(Buffer.from(text.replace(from, to.padEnd(from.length)), 'latin1'));
    expect(change('f*', 'S').marks[0]!.kind).toBe('line');
    expect(() => change('f*', 'B*')).toThrow(PdfUnreadable);
    expect(() => change(' obj', ' abj')).toThrow(PdfUnreadable);
    expect(() => change('BDC', 'q')).toThrow(PdfUnreadable);
  });

  it('refuses what is cut off, with one kind of error', () => {
    for (let length = 0; length < bytes.length - 8; length += 7) {
      expect(() => readPdf(bytes.subarray(0, length)), String(length)).toThrow(PdfUnreadable);
    }
  });
});
