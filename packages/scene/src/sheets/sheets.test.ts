import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PathBounds, tightBounds } from '../geometry/pathData.ts';
import type { Job } from '../production/job.ts';
import { makeOutlineFile, outlineFormats } from '../production/machineFiles.ts';
import { randomJob } from '../production/randomJobs.ts';
import { groupOf, jobOf, shapeOf } from '../production/testJobs.ts';
import { fillRatio, findTooLarge, packGang } from './gang.ts';
import { countSlots, fillBed, findJigFault, type Jig, planJig, slotsOf } from './jig.ts';
import { buildJigJob, guidesOf } from './jigJob.ts';
import { boxOutline, placeJobs } from './placeJobs.ts';
import { mirrorIn, placementMatrix, RIGHT_ANGLES, type Sheet, type SizeMm, turnSize } from './sheet.ts';

const jig = (changes: Partial<Jig> = {}): Jig => ({
  ...{ bedWidthMm: 600, bedHeightMm: 400, columns: 4, rows: 3, pitchXMm: 120, pitchYMm: 100 },
  ...{ offsetXMm: 20, offsetYMm: 30, rotationDeg: 0, isSerpentine: false, brokenSlots: [] },
  ...{ clearanceMm: 0.3, hasMarks: false },
  ...changes,
});
const piece: SizeMm = { widthMm: 100, heightMm: 60 };

/** The boxes of a sheet's pieces: computed apart from the code that placed them. */
const boxesOf = ({ placements }: Sheet, sizes: (index: number) => SizeMm): PathBounds[] =>
  placements.map(({ piece: index, x, y, angleDeg }) => {
    const { widthMm, heightMm } = sizes(index);
    const [w, h] = angleDeg === 90 || angleDeg === 270 ? [heightMm, widthMm] : [widthMm, heightMm];
    return { minX: x, minY: y, maxX: x + w, maxY: y + h };
  });

/** The shortest distance of two boxes along x or y; negative where they overlap. */
const distance = (a: PathBounds, b: PathBounds): number =>
  Math.max(a.minX - b.maxX, b.minX - a.maxX, a.minY - b.maxY, b.minY - a.maxY);

function leastDistance(boxes: readonly PathBounds[]): number {
  let least = Infinity;
  for (const [i, a] of boxes.entries()) for (const b of boxes.slice(i + 1)) least = Math.min(least, distance(a, b));
  return least;
}

describe('a jig', () => {
  test('is filled row by row, backwards in each second row, past broken slots, with the rest on the last sheet', () => {
    const plain = planJig(jig(), piece, 13);
    expect(plain.map(({ placements }) => placements.length)).toEqual([12, 1]);
    expect(plain[0]!.placements[5]).toEqual({ piece: 5, slot: 6, x: 140, y: 130, angleDeg: 0 });
    const snake = slotsOf(jig({ isSerpentine: true }), piece);
    expect(snake.map(({ place }) => place)).toEqual([1, 2, 3, 4, 8, 7, 6, 5, 9, 10, 11, 12]);
    const broken = jig({ brokenSlots: [1, 7, 99] });
    expect(countSlots(broken)).toBe(10);
    const sheets = planJig(broken, piece, 11);
    expect(sheets[0]!.placements.map(({ slot }) => slot)).toEqual([2, 3, 4, 5, 6, 8, 9, 10, 11, 12]);
    expect(sheets[1]!.placements).toMatchObject([{ piece: 10, slot: 2 }]);
  });

  test('has every piece once, in its slot, none touching another one', () => {
    const anyJig = fc.record({
      columns: fc.integer({ min: 1, max: 8 }),
      rows: fc.integer({ min: 1, max: 8 }),
      rotationDeg: fc.constantFrom(...RIGHT_ANGLES),
      isSerpentine: fc.boolean(),
      brokenSlots: fc.array(fc.integer({ min: 2, max: 64 }), { maxLength: 9 }),
      clearanceMm: fc.double({ min: 0, max: 2, noNaN: true }),
      gap: fc.double({ min: 0.01, max: 20, noNaN: true }),
      blank: fc.option(fc.constant({ widthMm: 110, heightMm: 75 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(anyJig, fc.integer({ min: 1, max: 200 }), ({ gap, ...changes }, pieces) => {
        const blank = turnSize(changes.blank ?? piece, changes.rotationDeg);
        const room = 2 * changes.clearanceMm + gap;
        const own = jig({
          ...changes,
          ...{ pitchXMm: blank.widthMm + room, pitchYMm: blank.heightMm + room, bedWidthMm: 2_000, bedHeightMm: 2_000 },
        });
        expect(findJigFault(own, piece)).toBeUndefined();
        const sheets = planJig(own, piece, pieces);
        expect(sheets.flatMap(({ placements }) => placements.map((place) => place.piece))).toEqual(
          Array.from({ length: pieces }, (_, i) => i),
        );
        for (const sheet of sheets) {
          const boxes = boxesOf(sheet, () => piece);
          expect(leastDistance(boxes)).toBeGreaterThanOrEqual(room - 1e-6);
          for (const box of boxes)
            expect(distance(box, { minX: 0, minY: 0, maxX: 2_000, maxY: 2_000 })).toBeLessThan(0);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('that cannot be used is named in a sentence', () => {
    const faults: [Partial<Jig>, string][] = [
      [{ pitchXMm: 0 }, 'The columns overlap: a slot is 100.6 mm wide, and the pitch is 0 mm.'],
      [{ pitchYMm: 60 }, 'The rows overlap: a slot is 60.6 mm high, and the pitch is 60 mm.'],
      [{ columns: 9 }, 'The columns reach past the bed: they end at 1080.3 mm, and the bed is 600 mm wide.'],
      [{ rows: 4 }, 'The rows reach past the bed: they end at 390.3 mm, and the bed is 380 mm high.'],
      [{ offsetXMm: 0 }, 'The first column reaches past the left edge of the bed.'],
      [
        { blank: { widthMm: 90, heightMm: 60 } },
        'The print area of 100 × 60 mm is larger than the blank of 90 × 60 mm.',
      ],
      [{ columns: 1, rows: 2, brokenSlots: [1, 2] }, 'Every slot is marked as broken. Mark one as whole.'],
      [{ columns: 100, rows: 100 }, 'A jig has at most 300 slots.'],
    ];
    for (const [changes, sentence] of faults) {
      const own = jig({ ...(changes.rows === 4 && { bedHeightMm: 380 }), ...changes });
      expect(findJigFault(own, piece)).toBe(sentence);
    }
    // The pitch of a single column means nothing.
    expect(findJigFault(jig({ columns: 1, pitchXMm: 0 }), piece)).toBeUndefined();
  });

  test('that fills a bed can be used, whatever the blank', () => {
    const side = fc.double({ min: 5, max: 380, noNaN: true });
    fc.assert(
      fc.property(side, side, (widthMm, heightMm) => {
        const blank = { widthMm: Math.round(widthMm * 10) / 10, heightMm: Math.round(heightMm * 10) / 10 };
        const own = { ...fillBed({ widthMm: 600, heightMm: 400 }, blank, 0.3), hasMarks: true };
        expect(findJigFault(own, blank)).toBeUndefined();
      }),
    );
  });

  test('is cut with its clearance, its numbers beside the pockets, and read back from every format', () => {
    const own = jig({
      clearanceMm: 0.5,
      brokenSlots: [2],
      hasMarks: true,
      rotationDeg: 90,
      pitchXMm: 90,
      pitchYMm: 115,
    });
    const job = buildJigJob(own, piece);
    const [score, cut] = job.plates as [Job['plates'][number], Job['plates'][number]];
    const contoursOf = (plate: Job['plates'][number]) =>
      plate.kind === 'color' ? [] : plate.outlines.flatMap(({ contours }) => contours);
    const pockets = contoursOf(cut).map((contour) => tightBounds([contour]));
    expect(pockets).toHaveLength(11);
    expect(pockets[0]!.minX).toBeCloseTo(19.5, 3);
    expect(pockets[0]!.maxX - pockets[0]!.minX).toBeCloseTo(61, 3);
    expect(pockets[0]!.maxY - pockets[0]!.minY).toBeCloseTo(101, 3);
    for (const line of contoursOf(score)) {
      for (const pocket of pockets) expect(distance(tightBounds([line]), pocket)).toBeGreaterThan(0);
    }
    for (const format of outlineFormats) expect(makeOutlineFile(job, format).bytes.length).toBeGreaterThan(0);
  });
});

describe('a gang sheet', () => {
  const gang = { widthMm: 558.8, lengthMm: 762, gapMm: 6.35, canRotate: true };
  const anySizes = fc.array(
    fc.record({
      widthMm: fc.double({ min: 5, max: 300, noNaN: true }),
      heightMm: fc.double({ min: 5, max: 300, noNaN: true }),
    }),
    { minLength: 1, maxLength: 60 },
  );

  test('has every piece once, as far from the others as asked, and inside', () => {
    fc.assert(
      fc.property(anySizes, fc.double({ min: 0.1, max: 20, noNaN: true }), fc.boolean(), (sizes, gapMm, canRotate) => {
        const sheets = packGang({ ...gang, gapMm, canRotate }, sizes);
        const pieces = sheets.map(({ placements }) => placements.map((place) => place.piece).sort((a, b) => a - b));
        // In the order of the list from sheet to sheet.
        expect(pieces.flat()).toEqual(sizes.map((_, i) => i));
        for (const sheet of sheets) {
          expect(sheet.widthMm).toBe(558.8);
          expect(sheet.heightMm).toBeLessThanOrEqual(762);
          expect(sheet.placements.map(({ slot }) => slot)).toEqual(sheet.placements.map((_, i) => i + 1));
          if (!canRotate) expect(sheet.placements.every(({ angleDeg }) => angleDeg === 0)).toBe(true);
          const boxes = boxesOf(sheet, (index) => sizes[index]!);
          expect(leastDistance(boxes)).toBeGreaterThanOrEqual(gapMm - 1e-6);
          for (const { minX, minY, maxX, maxY } of boxes) {
            expect(Math.min(minX, minY, sheet.widthMm - maxX, sheet.heightMm - maxY)).toBeGreaterThanOrEqual(-1e-6);
          }
        }
        const ratio = fillRatio(sheets, sizes);
        expect(ratio).toBeGreaterThan(0);
        expect(ratio).toBeLessThanOrEqual(1);
      }),
      { numRuns: 30 },
    );
  });

  test('fills well what tiles it, and ends with its last piece', () => {
    const tiles = Array.from({ length: 40 }, () => ({ widthMm: 98, heightMm: 48 }));
    const sheets = packGang({ widthMm: 498, lengthMm: 1_000, gapMm: 2, canRotate: false }, tiles);
    expect(sheets.map(({ heightMm }) => heightMm)).toEqual([398]);
    expect(fillRatio(sheets, tiles)).toBeGreaterThan(0.94);
  });

  test('names a piece that it cannot hold', () => {
    const sizes = [
      { widthMm: 700, heightMm: 100 },
      { widthMm: 560, heightMm: 770 },
    ];
    expect(findTooLarge(gang, sizes)).toBe(1);
    expect(findTooLarge({ ...gang, canRotate: false }, sizes)).toBe(0);
    expect(findTooLarge(gang, sizes.slice(0, 1))).toBeUndefined();
    expect(() => packGang(gang, sizes)).toThrow(RangeError);
  });
});

describe('the job of a sheet', () => {
  const box = (job: SizeMm): PathBounds => ({ minX: 0, minY: 0, maxX: job.widthMm, maxY: job.heightMm });

  test('holds every mark of its pieces at its place, and is read back from every format', () => {
    const jobs = [1, 2, 3].map((seed) => randomJob(seed, 8));
    const pieceJobs = jobs.map((job, i) => ({
      job,
      matrix: placementMatrix({ x: 10 + i * 420, y: 5, angleDeg: RIGHT_ANGLES[i]! }, box(job)),
    }));
    const guides = guidesOf(
      jig({ rows: 1, brokenSlots: [2] }),
      piece,
      planJig(jig({ rows: 1, brokenSlots: [2] }), piece, 2)[0]!,
    );
    const sheet = placeJobs({ machine: 'laser', widthMm: 1_300, heightMm: 500, isMirrored: false, guides }, pieceJobs);
    const count = (job: Job) =>
      job.plates.reduce((sum, plate) => sum + (plate.kind === 'color' ? 0 : plate.outlines.length), 0);
    expect(count(sheet)).toBe(jobs.reduce((sum, job) => sum + count(job), 0) + 2);
    expect(sheet.plates.map(({ id }) => id)).toEqual(jobs[0]!.plates.map(({ id }) => id));
    for (const [i, job] of jobs.entries()) {
      const [from] = job.plates;
      if (from?.kind === 'color' || !from) continue;
      const before = jobs
        .slice(0, i)
        .reduce((sum, { plates: [plate] }) => sum + (plate as typeof from).outlines.length, 0);
      const { minX, minY, maxX, maxY } = tightBounds(from.outlines[0]!.contours);
      const bounds = tightBounds((sheet.plates[0] as typeof from).outlines[before]!.contours);
      // Turned clockwise about the frame, whose corner is then at its place.
      const [x, y] = [10 + i * 420, 5];
      const expected = [
        { minX: x + minX, minY: y + minY },
        { minX: x + job.heightMm - maxY, minY: y + minX },
        { minX: x + job.widthMm - maxX, minY: y + job.heightMm - maxY },
      ][i]!;
      expect(bounds.minX).toBeCloseTo(expected.minX, 6);
      expect(bounds.minY).toBeCloseTo(expected.minY, 6);
    }
    for (const format of outlineFormats) expect(makeOutlineFile(sheet, format).bytes.length).toBeGreaterThan(0);
  });

  test('turns ink over where it lies: colors, gradients and white', () => {
    const gradient = { kind: 'linear', x1: 0, y1: 0, x2: 10, y2: 0, stops: [] } as const;
    const square = boxOutline({ minX: 0, minY: 0, maxX: 10, maxY: 10 });
    const shape = shapeOf([square], '#ff0000', { gradient, stroke: '#000000', strokeWidthMm: 1 });
    const job = jobOf([
      { kind: 'color', id: 'color', groups: [{ ...groupOf([shape]), whiteArea: [square] }] },
      { kind: 'white', id: 'white', color: '#ffffff', outlines: [{ elementId: 'design', contours: [square] }] },
    ]);
    const sheet = placeJobs({ ...job, isMirrored: true }, [{ job, matrix: mirrorIn(box(job)) }]);
    expect(sheet.plates.map(({ id }) => id)).toEqual(['white', 'color']);
    const [white, color] = sheet.plates;
    if (white?.kind !== 'white' || color?.kind !== 'color') throw new Error('no plates');
    expect(tightBounds(white.outlines[0]!.contours)).toMatchObject({ minX: 50, maxX: 60, minY: 0 });
    const [{ shapes, whiteArea } = { shapes: [], whiteArea: undefined }] = color.groups;
    expect(tightBounds(whiteArea!)).toMatchObject({ minX: 50, maxX: 60 });
    expect(shapes[0]).toMatchObject({ gradient: { x1: 60, x2: 50 }, strokeWidthMm: 1 });
  });

  test('refuses photographs in dots', () => {
    const raster = { id: 'photo-1', elementId: 'a', x: 0, y: 0, width: 1, height: 1, intervalMm: 0.1 };
    const job = { ...jobOf([], 'laser'), rasters: [raster] };
    const matrix = placementMatrix({ x: 0, y: 0, angleDeg: 0 }, box(job));
    expect(() => placeJobs({ ...job }, [{ job, matrix }])).toThrow(RangeError);
  });
});
