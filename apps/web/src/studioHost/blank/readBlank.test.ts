import { seededRandom } from '@markwright/scene';
import { fitArea } from '@markwright/scene/fitArea';
import type { Bitmap } from '@markwright/straighten';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BlankReading, readBlank } from './readBlank.ts';

/** True for a point of a thing, in mm. */
type Thing = (x: number, y: number) => boolean;

interface Photo {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly pxPerMm: number;
  readonly ground?: readonly [number, number, number];
  /** Each with its color, the last on top. */
  readonly things: readonly (readonly [Thing, readonly [number, number, number]])[];
}

const WALNUT = [96, 64, 44] as const;
const BLUE = [40, 70, 160] as const;

/** Takes a photograph from above: 16 samples a pixel at edges, and the noise of a camera. */
function photograph({ widthMm, heightMm, pxPerMm, ground = [236, 234, 230], things }: Photo): Bitmap {
  const [width, height] = [Math.round(widthMm * pxPerMm), Math.round(heightMm * pxPerMm)];
  const data = new Uint8Array(4 * width * height);
  const colors = [ground, ...things.map(([, color]) => color)];
  const topAt = (x: number, y: number) => {
    let top = things.length;
    while (top > 0 && !things[top - 1]![0](x / pxPerMm, y / pxPerMm)) top--;
    return top;
  };
  // What covers each corner of a pixel: where all four are the same, so is the pixel.
  const corners = Uint8Array.from({ length: (width + 1) * (height + 1) }, (_, i) =>
    topAt(i % (width + 1), Math.floor(i / (width + 1))),
  );
  let state = 7;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (width + 1) + x;
      const first = corners[at]!;
      const isEven = [corners[at + 1], corners[at + width + 1], corners[at + width + 2]].every((top) => top === first);
      const samples = isEven ? 1 : 16;
      const sum = [0, 0, 0];
      for (let k = 0; k < samples; k++) {
        const top = isEven ? first : topAt(x + ((k % 4) + 0.5) / 4, y + (Math.floor(k / 4) + 0.5) / 4);
        for (let c = 0; c < 3; c++) sum[c]! += colors[top]![c]!;
      }
      for (let c = 0; c < 3; c++) {
        state = (state * 1103515245 + 12345) % 2147483648;
        data[4 * (y * width + x) + c] = Math.round(sum[c]! / samples + (state / 2147483648 - 0.5) * 1.5);
      }
      data[4 * (y * width + x) + 3] = 255;
    }
  }
  return { width, height, data };
}

/** A rectangle with round corners about a point, turned clockwise. */
function board(cx: number, cy: number, width: number, height: number, radius = 0, turnDeg = 0): Thing {
  const [c, s] = [Math.cos((turnDeg * Math.PI) / 180), Math.sin((turnDeg * Math.PI) / 180)];
  return (x, y) => {
    const [u, v] = [Math.abs(c * (x - cx) + s * (y - cy)), Math.abs(c * (y - cy) - s * (x - cx))];
    const [dx, dy] = [Math.max(0, u - width / 2 + radius), Math.max(0, v - height / 2 + radius)];
    return u <= width / 2 && v <= height / 2 && Math.hypot(dx, dy) <= radius + 1e-9 + (radius === 0 ? 1e9 : 0);
  };
}

const disk = (cx: number, cy: number, width: number, height = width): Thing => {
  return (x, y) => ((x - cx) / (width / 2)) ** 2 + ((y - cy) / (height / 2)) ** 2 <= 1;
};

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

/** A ruler turned about its middle, and its ticks along one long side. Lengths in mm, from the side inward. */
function ruler(
  {
    x: cx,
    y: cy,
    turnDeg = 0,
    length = 150,
    width = 26,
  }: Readonly<Record<'x' | 'y', number>> & {
    readonly turnDeg?: number;
    readonly length?: number;
    readonly width?: number;
  },
  { pitch = 1, lengthOf = (i: number) => (i % 10 === 0 ? 7 : i % 5 === 0 ? 5.5 : 3.8) } = {},
): Photo['things'] {
  const [c, s] = [Math.cos((turnDeg * Math.PI) / 180), Math.sin((turnDeg * Math.PI) / 180)];
  const ticks: Thing = (x, y) => {
    const u = c * (x - cx) + s * (y - cy) + length / 2 - 5;
    const v = c * (y - cy) - s * (x - cx) + width / 2;
    const i = Math.round(u / pitch);
    return u > -0.2 && u < length - 9.8 && Math.abs(u - i * pitch) < 0.14 && v > 0.4 && v < lengthOf(i);
  };
  return [
    [board(cx, cy, length, width, 1, turnDeg), [232, 190, 70]],
    [ticks, [30, 30, 34]],
  ];
}

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

  it('is taken for none without ticks, with those of inches, with ticks that are all alike, or seen too small', () => {
    const sixteenths = { pitch: 25.4 / 16, lengthOf: (i: number) => [9, 3, 4.2, 3, 5.6, 3, 4.2, 3][i & 7]! };
    for (const things of [
      [[board(75, 97, 110, 24, 1), [232, 190, 70]]] as Photo['things'],
      ruler(at, sixteenths),
      ruler(at, { lengthOf: () => 4 }),
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

/** In `npm test` the cases above stand in for them. */
describe.runIf(process.env.TEST_TIER === 'stress')('rulers and what is none, at random', () => {
  const COUNT = 100;
  const random = seededRandom(Number(process.env.TEST_SEED ?? 4711));
  const between = (from: number, to: number) => from + random() * (to - from);
  const gray = (from: number, to: number): [number, number, number] => {
    const tone = between(from, to);
    return [tone + between(-15, 15), tone + between(-15, 15), tone + between(-25, 5)].map(Math.round) as never;
  };
  const photo = (things: Photo['things'], pxPerMm: number) =>
    readBlank(
      photograph({
        ...{ widthMm: 190, heightMm: 140, pxPerMm, ground: gray(225, 244) },
        things: [[board(60, 45, between(50, 90), between(45, 70), 3, between(-5, 5)), WALNUT], ...things],
      }),
      plain,
    ).mmPerPixel;
  const at = () => ({
    x: between(90, 105),
    y: between(112, 118),
    turnDeg: between(-6, 6) + (random() < 0.5 ? 180 : 0),
  });
  const size = () => ({ length: between(90, 165), width: between(14, 30) });

  it('the scale is within 1 % for most rulers, and never wrong', () => {
    let [found, wrong] = [0, 0];
    for (let k = 0; k < COUNT; k++) {
      const pxPerMm = between(3.2, 6);
      const [short, middle, long] = [between(2.5, 4), between(4.5, 6), between(6, 8)];
      const things = ruler(
        { ...at(), ...size() },
        { lengthOf: (i) => (i % 10 === 0 ? long : i % 5 === 0 ? middle : short) },
      );
      const mmPerPixel = photo([[things[0]![0], gray(120, 205)], things[1]!], pxPerMm);
      if (mmPerPixel === undefined) continue;
      if (Math.abs(mmPerPixel * pxPerMm - 1) < 0.01) found++;
      else wrong++;
    }
    console.log(`rulers: ${found} of ${COUNT} found, ${wrong} wrong`);
    expect(wrong).toBe(0);
    expect(found).toBeGreaterThanOrEqual(0.8 * COUNT);
  });

  it('bars, codes, inches and lettering are no rulers', () => {
    let claims = 0;
    for (let k = 0; k < COUNT; k++) {
      const pitch = between(0.8, 4);
      const every = [2, 3, 4, 6, 7, 8][Math.floor(random() * 6)]!;
      const [short, long] = [between(2, 5), between(6, 9)];
      const widths = Array.from({ length: 400 }, () => between(0, 10));
      const kinds = [
        { pitch, lengthOf: (i: number) => (i % every === 0 ? long : short) },
        { pitch, lengthOf: (i: number) => widths[Math.abs(i) % 400]! },
        { pitch, lengthOf: (i: number) => (widths[Math.abs(i) % 400]! > 5 ? long : 0) },
        { pitch: 25.4 / 32, lengthOf: (i: number) => (i % 32 === 0 ? 9 : i % 8 === 0 ? 6 : i % 4 === 0 ? 5 : short) },
      ];
      const things = ruler({ ...at(), ...size() }, kinds[k % kinds.length]);
      if (photo([[things[0]![0], gray(120, 205)], things[1]!], between(3, 6)) !== undefined) claims++;
    }
    console.log(`what is none: ${claims} of ${COUNT} taken for rulers`);
    expect(claims).toBeLessThanOrEqual(0.01 * COUNT);
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
