import { fitArea } from '@markwright/scene/fitArea';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BlankReading, readBlank } from './readBlank.ts';
import { board, disk, type Photo, photograph, ruler, type Thing, WALNUT } from './testPhotos.ts';

const BLUE = [40, 70, 160] as const;

const card = (cx: number, cy: number, turnDeg = 0) => board(cx, cy, 85.6, 53.98, 3.18, turnDeg);
const plain = { isFlat: true, keepsBackground: false, ignoresGauge: false };

/** Returns the outline of a reading in mm of a blank whose width is known, as the page does. */
function inMm({ outline, box }: BlankReading, widthMm: number): number[] {
  return Array.from(outline!, (value, i) => ((value - (i % 2 === 0 ? box.x : box.y)) * widthMm) / box.width);
}

describe('the outline of a blank', () => {
  it('is that of the board, straightened, and gives its area in mm', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 120 }),
        fc.integer({ min: 45, max: 90 }),
        fc.double({ min: -20, max: 20, noNaN: true }),
        fc.constantFrom(0, 8),
        (width, height, turnDeg, radius) => {
          const things = [[board(90, 90, width, height, radius, turnDeg), WALNUT]] as const;
          const reading = readBlank(photograph({ widthMm: 180, heightMm: 180, pxPerMm: 1.8, things }), plain);
          expect(Math.abs(reading.turnDeg - (Math.abs(turnDeg) < 0.3 ? 0 : turnDeg))).toBeLessThan(0.3);
          expect(reading.box.width / reading.box.height / (width / height)).toBeCloseTo(1, 2);
          const area = fitArea(inMm(reading, width), 4)!;
          expect(area.shape.kind).toBe(radius === 0 ? 'rectangle' : 'rounded');
          expect(Math.abs(area.box.width - (width - 8))).toBeLessThan(0.6);
          expect(Math.abs(area.box.height - (height - 8))).toBeLessThan(1);
          // Nothing but the board is left, with room around it.
          const { picture } = reading;
          expect(picture.data[3]).toBe(0);
          const middle = 4 * ((picture.height >> 1) * picture.width + (picture.width >> 1));
          expect(picture.data[middle + 3]).toBe(255);
        },
      ),
      { numRuns: 4 },
    );
  });

  it('is a circle for a coaster, and stays upright', () => {
    const things = [[disk(80, 70, 90), WALNUT]] as const;
    const reading = readBlank(photograph({ widthMm: 160, heightMm: 140, pxPerMm: 2, things }), plain);
    expect(reading.turnDeg).toBe(0);
    const area = fitArea(inMm(reading, 90), 5)!;
    expect(area.shape.kind).toBe('circle');
    expect(Math.abs(area.box.width - 80)).toBeLessThan(0.5);
  });

  it('turns an oval onto its axis', () => {
    const [c, s] = [Math.cos(0.2), Math.sin(0.2)];
    const oval = disk(0, 0, 110, 70);
    const things = [
      [(x: number, y: number) => oval(c * (x - 90) + s * (y - 80), c * (y - 80) - s * (x - 90)), WALNUT],
    ] as const;
    const reading = readBlank(photograph({ widthMm: 180, heightMm: 160, pxPerMm: 1.8, things }), plain);
    expect(reading.turnDeg).toBeCloseTo((0.2 * 180) / Math.PI, 0);
    expect(reading.box.width / reading.box.height).toBeCloseTo(110 / 70, 1);
  });

  it('has no handle in the body of a mug', () => {
    const handle: Thing = (x, y) => disk(125, 80, 60)(x, y) && !disk(125, 80, 36)(x, y);
    const things = [
      [handle, WALNUT],
      [board(80, 80, 82, 96), WALNUT],
    ] as const;
    const photo = photograph({ widthMm: 180, heightMm: 160, pxPerMm: 1.8, things });
    const { body, box, hasHandle } = readBlank(photo, { ...plain, isFlat: false });
    expect(hasHandle).toBe(true);
    expect(body.width / body.height).toBeCloseTo(82 / 96, 1);
    expect(box.width).toBeGreaterThan(1.3 * body.width);
  });
});

describe('a ruler beside the blank', () => {
  const blank = [board(60, 40, 70, 60, 4), WALNUT] as const;
  const at = { x: 75, y: 97 };
  const read = (things: Photo['things'], pxPerMm = 3.4) =>
    readBlank(photograph({ widthMm: 150, heightMm: 126, pxPerMm, things: [blank, ...things] }), plain);

  it.each([
    [180, 3.1],
    [7, 3.6],
    [-9, 4.4],
  ])('gives the scale by its millimeters, turned by %i degrees, at %d px a millimeter', (turnDeg, pxPerMm) => {
    const { mmPerPixel, gauge, box } = read(ruler({ ...at, turnDeg }), pxPerMm);
    expect(gauge).toBe('ruler');
    expect(mmPerPixel! * pxPerMm).toBeCloseTo(1, 2);
    expect(mmPerPixel! * box.width).toBeCloseTo(70, 0);
  });

  it('gives the scale, short and gray, where the light between its ticks is cut out with the background', () => {
    const [shape, ticks] = ruler({ ...at, length: 96, width: 26, turnDeg: 2 });
    const { mmPerPixel, gauge } = read([[shape![0], [140, 140, 136]], ticks!], 4.4);
    expect(gauge).toBe('ruler');
    expect(mmPerPixel! * 4.4).toBeCloseTo(1, 2);
  });

  it('is taken for none without ticks, with inches, tenths of them or all alike, or seen too small', () => {
    const sixteenths = { pitch: 25.4 / 16, lengthOf: (i: number) => [9, 3, 4.2, 3, 5.6, 3, 4.2, 3][i & 7]! };
    for (const things of [
      [[board(75, 97, 110, 24, 1), [232, 190, 70]]] as Photo['things'],
      ruler(at, sixteenths),
      ruler(at, { lengthOf: () => 4 }),
      ruler(at, { pitch: 2.54, lengthOf: (i) => (i % 10 === 0 ? 7 : i % 5 === 0 ? 5.5 : 4) }),
      ruler(at, { pitch: 1.7, lengthOf: (i) => (i % 3 === 0 ? 7 : 4) }),
    ]) {
      const { mmPerPixel, box } = read(things);
      expect(mmPerPixel).toBeUndefined();
      // It is an object like any other, and here not the largest.
      expect(box.width / box.height).toBeCloseTo(70 / 60, 1);
    }
    expect(read(ruler(at), 2).mmPerPixel).toBeUndefined();
  });
});

describe('a bank card beside the blank', () => {
  it.each([0, 12, 90])('gives the scale, turned by %i degrees', (turnDeg) => {
    const things = [
      [board(80, 90, 120, 140, 0, 4), WALNUT],
      [card(200, 90, turnDeg), BLUE],
    ] as const;
    const reading = readBlank(photograph({ widthMm: 260, heightMm: 180, pxPerMm: 2, things }), plain);
    expect(reading.mmPerPixel! * reading.box.width).toBeCloseTo(120, 0);
    expect(reading.mmPerPixel! * reading.box.height).toBeCloseTo(140, 0);
  });

  it('is the blank where there is nothing else, or where it is said to be none', () => {
    const alone = photograph({ widthMm: 140, heightMm: 110, pxPerMm: 2, things: [[card(70, 55), BLUE]] });
    expect(readBlank(alone, plain).mmPerPixel).toBeUndefined();
    const things = [
      [board(55, 70, 50, 50), WALNUT],
      [card(150, 70), BLUE],
    ] as const;
    const both = photograph({ widthMm: 220, heightMm: 140, pxPerMm: 1.8, things });
    expect(readBlank(both, plain).mmPerPixel! * readBlank(both, plain).box.width).toBeCloseTo(50, 0);
    const withoutCard = readBlank(both, { ...plain, ignoresGauge: true });
    expect(withoutCard.mmPerPixel).toBeUndefined();
    expect(withoutCard.box.width / withoutCard.box.height).toBeCloseTo(85.6 / 53.98, 1);
  });

  it.each([1.8, 2.4, 3.6])('has its round corners: a board of its proportions is none, at %d px a millimeter', (px) => {
    const beside = (thing: Thing) =>
      readBlank(
        photograph({
          ...{ widthMm: 230, heightMm: 110, pxPerMm: px },
          things: [
            [thing, WALNUT],
            [disk(180, 55, 70), BLUE],
          ],
        }),
        plain,
      );
    for (const [size, radius] of [
      [1, 0],
      [1.2, 2],
      [1.2, 6],
      [0.8, 8],
    ] as const) {
      const { mmPerPixel, box } = beside(board(65, 55, size * 85.6, size * 53.98, radius, 5));
      expect(mmPerPixel).toBeUndefined();
      if (size >= 1) expect(box.width / box.height).toBeCloseTo(85.6 / 53.98, 1);
    }
    for (const radius of [2.88, 3.48]) {
      const { mmPerPixel, box } = beside(board(65, 55, 85.6, 53.98, radius, -7));
      expect(mmPerPixel! * box.width).toBeCloseTo(70, 0);
    }
  });

  it('is not taken for certain where there are two, or other proportions', () => {
    const two = [
      [board(70, 120, 100, 100), WALNUT],
      [card(190, 60), BLUE],
      [card(190, 150), BLUE],
    ] as const;
    const photo = photograph({ widthMm: 260, heightMm: 200, pxPerMm: 1.8, things: two });
    expect(readBlank(photo, plain).mmPerPixel).toBeUndefined();
    const tag = [
      [board(70, 100, 100, 100), WALNUT],
      [board(190, 100, 85.6, 50), BLUE],
    ] as const;
    expect(readBlank(photograph({ widthMm: 260, heightMm: 200, pxPerMm: 1.8, things: tag }), plain).mmPerPixel).toBe(
      undefined,
    );
  });
});

it('leaves a picture as it is whose background is not plain', () => {
  const stripes: Thing = (x, y) => Math.floor(x / 3 + Math.sin(y)) % 2 === 0;
  const things = [
    [stripes, [20, 120, 60]],
    [board(50, 50, 50, 40), WALNUT],
  ] as const;
  const photo = photograph({ widthMm: 100, heightMm: 100, pxPerMm: 1.8, things });
  const reading = readBlank(photo, plain);
  expect(reading.outline).toBeUndefined();
  expect(reading.picture.data).toEqual(photo.data);
  expect(reading.box).toEqual({ x: 0, y: 0, width: photo.width, height: photo.height });
});
