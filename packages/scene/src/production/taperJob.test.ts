import { expect, test } from 'vitest';
import { lengthOf, signedArea } from '../geometry/measure.ts';
import { type Contour, readContours, tightBounds } from '../geometry/pathData.ts';
import { openBlankView } from '../surface/blankView.ts';
import { modelOf, testSurfaces } from '../surface/testSurfaces.ts';
import type { Job, OutlinePlate } from './job.ts';
import { rotaryDiameterMm, taperJob } from './taperJob.ts';

const [widthMm, heightMm] = [60, 80];
const view = (name: string) => {
  const { surface } = testSurfaces.find((entry) => entry.name === name)!;
  if (surface.kind === 'flat') throw new Error(name);
  return { surface, view: openBlankView({ form: surface, middleMm: { x: 30, y: 40 } }, { widthMm, heightMm }) };
};
const jobOf = (contours: readonly Contour[], changes: Partial<Job> = {}): Job => ({
  ...{ machine: 'laser', widthMm, heightMm, isMirrored: false, rasters: [], findings: [] },
  plates: [{ kind: 'engrave', id: 'engrave-c00', color: '#000000', outlines: [{ elementId: 'design', contours }] }],
  ...changes,
});
const contoursOf = (job: Job) =>
  (job.plates as OutlinePlate[]).flatMap(({ outlines }) => outlines.flatMap(({ contours }) => contours));
/** A bar across the area, one at the top and one at the bottom. */
const bars = readContours('M10 4L50 4L50 6L10 6ZM10 74L50 74L50 76L10 76Z');

test('a cylinder needs nothing', () => {
  const job = jobOf(bars);
  expect(taperJob(job, view('a tumbler of 73 mm').view, 'rotary')).toBe(job);
  expect(taperJob(job, view('a tumbler of 73 mm').view, 'sheet')).toBe(job);
});

test.each(['a steep cup', 'a skinny tumbler', 'a flask, measured above the print'])(
  'on %s, each row for a rotary is as long on the cone as it is drawn',
  (name) => {
    const { surface, view: blank } = view(name);
    const model = modelOf(surface);
    const job = taperJob(jobOf(bars), blank, 'rotary');
    for (const contour of contoursOf(job)) {
      const { minX, maxX, minY, maxY } = tightBounds([contour]);
      // The machine turns the blank by the angle that the row has at the diameter it is set to.
      const angle = (row: number) => row / (rotaryDiameterMm(blank) / 2);
      const level = ((minY + maxY) / 2 - heightMm / 2) * model.levelPerMm;
      const widest = Math.max(
        model.radiusAtLevel(level - model.levelPerMm),
        model.radiusAtLevel(level + model.levelPerMm),
      );
      const narrowest = Math.min(
        model.radiusAtLevel(level - model.levelPerMm),
        model.radiusAtLevel(level + model.levelPerMm),
      );
      expect(angle(maxX - minX) * narrowest).toBeLessThanOrEqual(40.01);
      expect(angle(maxX - minX) * widest).toBeGreaterThanOrEqual(39.99);
      expect(maxY - minY).toBeCloseTo(2, 6);
    }
    // The area with the narrower rows is wider than before.
    expect(job.heightMm).toBeCloseTo(heightMm, 6);
    expect(job.widthMm).toBeGreaterThan(widthMm);
  },
);

test('rows of a sheet bend by the sag of the cone, and the middle column stays as long', () => {
  const { view: blank } = view('a steep cup');
  const job = taperJob(jobOf([...bars, ...readContours('M29 10L31 10L31 70L29 70Z')]), blank, 'sheet');
  const [top, , column] = contoursOf(job);
  const { minY, maxY } = tightBounds([top!]);
  expect(maxY - minY - 2).toBeGreaterThan(0.5);
  const box = tightBounds([column!]);
  expect(box.maxY - box.minY).toBeCloseTo(60, 1);
  expect(job.heightMm).toBeGreaterThan(heightMm);
  // Nothing lies outside of the frame.
  const all = tightBounds(contoursOf(job));
  expect(Math.min(all.minX, all.minY, job.widthMm - all.maxX, job.heightMm - all.maxY)).toBeGreaterThan(-0.01);
});

test('a mirrored job is the mirror image of the other, and open lines stay open', () => {
  const { view: blank } = view('a steep cup');
  const line = readContours('M5 5L40 30');
  const mirror = (contour: Contour): Contour => ({
    ...contour,
    points: contour.points.map((value, i) => (i % 2 ? value : widthMm - value)),
  });
  const plain = taperJob(jobOf(line), blank, 'sheet');
  const reverse = taperJob(jobOf(line.map(mirror), { isMirrored: true }), blank, 'sheet');
  const [a, b] = [contoursOf(plain)[0]!, contoursOf(reverse)[0]!];
  expect(a.isClosed || b.isClosed).toBe(false);
  expect(lengthOf(a)).toBeCloseTo(lengthOf(b), 6);
  for (const [i, value] of a.points.entries())
    expect(b.points[i]!).toBeCloseTo(i % 2 ? value : plain.widthMm - value, 6);
});

test('curves keep their area to the part that a cone stretches, and photographs are refused', () => {
  const { view: blank } = view('a skinny tumbler');
  const circle = readContours(
    'M40 40C40 45.523 35.523 50 30 50C24.477 50 20 45.523 20 40C20 34.477 24.477 30 30 30C35.523 30 40 34.477 40 40Z',
  );
  const [outline] = contoursOf(taperJob(jobOf(circle), blank, 'sheet'));
  expect(Math.abs(signedArea(outline!)) / (Math.PI * 100)).toBeCloseTo(1, 2);
  const raster = { id: 'photo-1', elementId: 'a', x: 0, y: 0, width: 9, height: 9, intervalMm: 0.1 };
  expect(() => taperJob(jobOf(circle, { rasters: [raster] }), blank, 'rotary')).toThrow(RangeError);
});
