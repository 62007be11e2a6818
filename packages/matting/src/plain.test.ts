import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { removeBackground } from './background.ts';
import { writeOklab } from './oklab.ts';
import type { Picture } from './picture.ts';

type Color = readonly [red: number, green: number, blue: number];
/** The coverage of a pixel by an object, at a position in pixels. */
type Shape = (x: number, y: number) => number;

const SIDE = 96;
const disk =
  (radius: number, softness = 1, cx = SIDE / 2, cy = SIDE / 2): Shape =>
  (x, y) =>
    Math.min(1, Math.max(0, (radius - Math.hypot(x - cx, y - cy)) / softness + 0.5));
const ring: Shape = (x, y) => disk(36)(x, y) - disk(20)(x, y);

/** Returns the object composited over its background, each with its color at every pixel. */
function compose(
  shape: Shape,
  object: Color | ((x: number, y: number) => Color),
  ground: (x: number, y: number) => Color,
): Picture {
  const data = new Uint8Array(4 * SIDE * SIDE);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const share = shape(x + 0.5, y + 0.5);
      const own = typeof object === 'function' ? object(x, y) : object;
      const behind = ground(x, y);
      const at = 4 * (y * SIDE + x);
      for (let k = 0; k < 3; k++) data[at + k] = Math.round(own[k]! * share + behind[k]! * (1 - share));
      data[at + 3] = 255;
    }
  }
  return { width: SIDE, height: SIDE, data };
}

const oklab = (color: Color) => {
  const lab = new Float64Array(3);
  writeOklab(...color, lab);
  return lab;
};

const white = (): Color => [255, 255, 255];
/** Returns the mean error of alpha over the edge pixels. Expects almost none elsewhere. */
function shareError({ data }: Picture, shape: Shape): number {
  let sum = 0;
  let count = 0;
  let elsewhere = 0;
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const truth = shape(x + 0.5, y + 0.5);
      const alpha = data[4 * (y * SIDE + x) + 3]! / 255;
      if (truth > 0.01 && truth < 0.99) {
        sum += Math.abs(truth - alpha);
        count++;
      } else elsewhere = Math.max(elsewhere, Math.abs(truth - alpha));
    }
  }
  expect(elsewhere).toBeLessThan(0.05);
  return sum / Math.max(1, count);
}

const at = ({ data }: Picture, x: number, y: number) => [...data.subarray(4 * (y * SIDE + x), 4 * (y * SIDE + x) + 4)];

describe('a disk', () => {
  test.each<[string, number]>([
    ['sharp', 1],
    ['soft over four pixels', 4],
    ['soft over ten pixels', 10],
  ])('%s, keeps the alpha of its edge and its own color', (_name, softness) => {
    const shape = disk(30, softness);
    const cut = removeBackground(compose(shape, [30, 90, 160], white))!;
    expect(shareError(cut, shape)).toBeLessThan(0.03);
    // No fringe of the white background.
    for (let i = 0; i < SIDE * SIDE; i++) {
      if (cut.data[4 * i + 3]! < 80) continue;
      expect(Math.abs(cut.data[4 * i]! - 30)).toBeLessThan(24);
      expect(Math.abs(cut.data[4 * i + 2]! - 160)).toBeLessThan(24);
    }
  });

  test('is cut out of any plain color that the eye tells from its own', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const color = fc.tuple(byte, byte, byte);
    const shape = disk(28);
    fc.assert(
      fc.property(color, color, (object, ground) => {
        const [lab, labOfGround] = [oklab(object), oklab(ground)];
        // Distance in sRGB says little: greens that differ by 90 in red alone are 3.5 apart here.
        fc.pre(Math.hypot(...lab.map((value, k) => value - labOfGround[k]!)) > 8);
        const cut = removeBackground(compose(shape, object, () => ground))!;
        expect(shareError(cut, shape)).toBeLessThan(0.06);
      }),
      { numRuns: 40 },
    );
  });

  test('is cut out of a gradient with noise', () => {
    let seed = 1;
    const noise = () => {
      seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
      return (seed / 2 ** 32 - 0.5) * 4;
    };
    const ground = (x: number, y: number): Color => {
      const level = 210 - 0.6 * y - 0.3 * x + noise();
      return [level, level - 6, level - 16];
    };
    const shape = disk(30, 2);
    const cut = removeBackground(compose(shape, [150, 20, 40], ground))!;
    expect(shareError(cut, shape)).toBeLessThan(0.08);
    expect(at(cut, 2, 2)[3]).toBe(0);
  });
});

/** The depth of a pixel in a disk, in pixels from its edge. */
const depthIn = (radius: number, x: number, y: number) => radius - Math.hypot(x + 0.5 - SIDE / 2, y + 0.5 - SIDE / 2);

test('shading that goes on inward is no part of an edge', () => {
  const shape = disk(36);
  const object = (x: number, y: number): Color => {
    const light = 205 - 6 * Math.max(0, depthIn(36, x, y));
    return [light, light - 20, light - 50];
  };
  const cut = removeBackground(compose(shape, object, white))!;
  for (let i = 0; i < SIDE * SIDE; i++) {
    if (depthIn(36, i % SIDE, Math.floor(i / SIDE)) > 4) expect(cut.data[4 * i + 3]).toBe(255);
  }
});

describe('an enclosed area', () => {
  const picture = compose(ring, [20, 20, 20], white);
  test('is removed from a drawing in few colors', () => {
    expect(at(removeBackground(picture)!, SIDE / 2, SIDE / 2)[3]).toBe(0);
  });
  test('stays when `clearEnclosed` is false', () => {
    expect(at(removeBackground(picture, { clearEnclosed: false })!, SIDE / 2, SIDE / 2)).toEqual([255, 255, 255, 255]);
  });
  test('stays in an object of many colors unless `clearEnclosed` is true', () => {
    const manyColors = compose(ring, (x, y) => [40 + 2 * x, 200 - 2 * y, (x * y) % 200], white);
    expect(at(removeBackground(manyColors)!, SIDE / 2, SIDE / 2)[3]).toBe(255);
    expect(at(removeBackground(manyColors, { clearEnclosed: true })!, SIDE / 2, SIDE / 2)[3]).toBe(0);
  });
});

test('keeps the colors of two disks', () => {
  const left = disk(16, 2, 28, 48);
  const right = disk(16, 2, 68, 48);
  const shape: Shape = (x, y) => left(x, y) + right(x, y);
  const cut = removeBackground(compose(shape, (x) => (x < 48 ? [200, 30, 30] : [30, 30, 200]), white))!;
  expect(shareError(cut, shape)).toBeLessThan(0.04);
  expect(at(cut, 28, 48)).toEqual([200, 30, 30, 255]);
  expect(at(cut, 68, 48)).toEqual([30, 30, 200, 255]);
});

test('keeps the color and coverage of thin lines', () => {
  const lines: Shape = (x) => Math.max(0, Math.min(1, 1.5 - Math.abs((x % 16) - 8)));
  const inside: Shape = (x, y) => (x > 8 && x < 88 && y > 8 && y < 88 ? lines(x, y) : 0);
  const cut = removeBackground(compose(inside, [10, 60, 30], white))!;
  expect(shareError(cut, inside)).toBeLessThan(0.05);
});

test('clears the ground that the ringing of an edge encloses', () => {
  // On black, resampling leaves a faint second edge around a disk, and bare ground between the two.
  const picture = compose(disk(24), [20, 90, 210], () => [0, 0, 0]);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const off = Math.hypot(x + 0.5 - SIDE / 2, y + 0.5 - SIDE / 2) - 24;
      if (off > 0.5 && off < 2.2) picture.data.set(off < 1.2 ? [0, 0, 0] : [0, 1, 3], 4 * (y * SIDE + x));
    }
  }
  const cut = removeBackground(picture)!;
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      if (Math.hypot(x + 0.5 - SIDE / 2, y + 0.5 - SIDE / 2) > 24.5) expect(at(cut, x, y)[3]).toBeLessThan(40);
    }
  }
});

test('keeps a highlight of the background’s color inside an object', () => {
  const highlight: Shape = (x, y) => disk(2, 1, 40, 40)(x, y);
  const picture = compose(
    disk(30),
    (x, y) => (highlight(x + 0.5, y + 0.5) > 0 ? [250, 250, 250] : [30, 30, 40]),
    white,
  );
  expect(at(removeBackground(picture, { clearEnclosed: false })!, 40, 40)[3]).toBe(255);
});

test('returns undefined without a plain background', () => {
  const wild = compose(disk(20), [0, 0, 0], (x, y) => [(x * 37 + y * 91) % 256, (x * 53) % 256, (y * 71) % 256]);
  expect(removeBackground(wild)).toBeUndefined();
});

test('returns clear pictures for the smallest pictures of one color', () => {
  for (const [width, height] of [
    [1, 1],
    [1, 7],
    [3, 2],
  ] as const) {
    const data = new Uint8Array(4 * width * height).fill(255);
    const cut = removeBackground({ width, height, data })!;
    expect(cut.data.length).toBe(data.length);
    expect(cut.data.every((_, i) => i % 4 !== 3 || cut.data[i] === 0)).toBe(true);
  }
});

test('gives the same bytes for the same picture', () => {
  const picture = compose(disk(30, 3), (x, y) => [x, y, 80], white);
  expect(removeBackground(picture)!.data).toEqual(removeBackground(picture)!.data);
});

test('reads a picture at an odd place of a buffer, and makes what it keeps solid', () => {
  const picture = compose(disk(30, 3), (x, y) => [x, y, 80], white);
  const cut = removeBackground(picture)!;
  const buffer = new Uint8Array(picture.data.length + 1);
  buffer.set(
    picture.data.map((value, i) => (i % 4 === 3 ? 251 : value)),
    1,
  );
  expect(removeBackground({ ...picture, data: buffer.subarray(1) })!.data).toEqual(cut.data);
});

describe('a mask on a plain ground', () => {
  const full = (value: (x: number, y: number) => number) => ({
    width: SIDE,
    height: SIDE,
    data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => 255 * value((i % SIDE) + 0.5, Math.floor(i / SIDE) + 0.5)),
  });
  /** An object of many colors with a white middle. */
  const manyColors = compose(
    disk(40),
    (x, y) => (disk(18)(x, y) ? [255, 255, 255] : [40 + 2 * x, 200 - 2 * y, (x * y) % 200]),
    white,
  );

  test('keeps or clears a white area of the object', () => {
    expect(at(removeBackground(manyColors, { mask: full(disk(40)) })!, SIDE / 2, SIDE / 2)[3]).toBe(255);
    const ringMask = full((x, y) => disk(40)(x, y) - disk(18)(x, y));
    expect(at(removeBackground(manyColors, { mask: ringMask })!, SIDE / 2, SIDE / 2)[3]).toBe(0);
    expect(at(removeBackground(manyColors, { mask: ringMask, clearEnclosed: false })!, SIDE / 2, SIDE / 2)[3]).toBe(
      255,
    );
  });

  test('removes a shadow, which stays without a mask', () => {
    const object = disk(18, 1, 40, 40);
    const shadow = disk(20, 20, 56, 56);
    const picture = compose(
      object,
      (x, y) => [200 - x, 30 + y, 60 + ((x * y) % 90)],
      (x, y) => {
        const light = 250 * (1 - 0.25 * shadow(x, y));
        return [light, light, light];
      },
    );
    expect(at(removeBackground(picture)!, 62, 62)[3]).toBe(255);
    const cut = removeBackground(picture, { mask: full(object) })!;
    expect(at(cut, 62, 62)[3]).toBe(0);
    expect(at(cut, 40, 40)[3]).toBe(255);
    let off = 0;
    for (let i = 0; i < SIDE * SIDE; i++) {
      off += Math.abs(object((i % SIDE) + 0.5, Math.floor(i / SIDE) + 0.5) - cut.data[4 * i + 3]! / 255);
    }
    expect(off / SIDE ** 2).toBeLessThan(0.01);
  });
});

describe('where the network is sure of the object', () => {
  const wide: Shape = (x, y) => (x > 20 && x < 76 && y > 20 && y < 76 ? 1 : 0);
  const mask = {
    width: SIDE,
    height: SIDE,
    data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => 255 * wide((i % SIDE) + 0.5, Math.floor(i / SIDE) + 0.5)),
  };
  /** Returns the mean alpha of the cut-out below its upper rim. */
  const meanAlpha = (cut: Picture) => {
    let sum = 0;
    for (let y = 23; y < 28; y++) for (let x = 33; x < 63; x++) sum += at(cut, x, y)[3]! / 255;
    return sum / 150;
  };

  test('a pale body that differs from the ground by little stays solid beside dark strands', () => {
    const object = (x: number, y: number): Color => {
      if (y >= 44) return [200 - 2 * x, 30 + 2 * y, 60 + ((x * y) % 90)];
      const light = y > 28 ? (x % 3 ? 120 : 200) : 228 + ((7 * x + 13 * y) % 16);
      return [light, light, Math.min(255, light + 2)];
    };
    const cut = removeBackground(compose(wide, object, white), { mask })!;
    // By shares alone it is 0.16.
    expect(meanAlpha(cut)).toBeGreaterThan(0.75);
  });
});

test('a stripe of another color among strands stays where the network is sure of it', () => {
  const bar: Shape = (x, y) => (x > 38 && x < 54 && y > 10 && y < 86 ? 1 : 0);
  const isStripe = (x: number) => x >= 44 && x < 48;
  const strands: Shape = (x, y) => bar(x, y) * (isStripe(x) || y % 4 < 2 ? 1 : 0.5);
  const object = (x: number, y: number): Color =>
    isStripe(x) ? [200 + (y % 3), 205, 255] : [90 + 7 * (x % 5), 50 + 5 * (y % 7), 20 + 3 * ((x * y) % 11)];
  const mask = {
    width: SIDE,
    height: SIDE,
    data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) => 255 * bar((i % SIDE) + 0.5, Math.floor(i / SIDE) + 0.5)),
  };
  const meanAlpha = (cut: Picture) => {
    let sum = 0;
    for (let y = 30; y < 60; y++) for (let x = 45; x < 47; x++) sum += at(cut, x, y)[3]! / 255;
    return sum / 60;
  };
  const picture = compose(strands, object, white);
  // As a mix of the strands with the ground it has 0.16.
  expect(meanAlpha(removeBackground(picture, { mask })!)).toBeGreaterThan(0.9);
});

test('a gray rim in a gray shadow follows the mask', () => {
  const side = 320;
  const object = disk(80, 1, 140, 140);
  const shadow = disk(84, 40, 158, 158);
  const data = new Uint8Array(4 * side * side).fill(255);
  const soft = disk(80, 6, 140, 140);
  const mask = { width: side, height: side, data: new Uint8Array(side * side) };
  for (let y = 0, i = 0; y < side; y++) {
    for (let x = 0; x < side; x++, i++) {
      const light = 250 * (1 - 0.25 * shadow(x, y));
      const own = Math.hypot(x - 140, y - 140) < 60 ? [250 - x, 30 + y / 2, 60 + ((x * y) % 90)] : [205, 205, 205];
      const share = object(x, y);
      for (let k = 0; k < 3; k++) data[4 * i + k] = Math.round(own[k]! * share + light * (1 - share));
      mask.data[i] = 255 * soft(x, y);
    }
  }
  const cut = removeBackground({ width: side, height: side, data }, { mask })!;
  let off = 0;
  for (let i = 0; i < side ** 2; i++) {
    off += Math.abs(object(i % side, Math.floor(i / side)) - cut.data[4 * i + 3]! / 255);
  }
  // By the colors alone it is 289.
  expect(off).toBeLessThan(230);
});

test('gives the rotated cut-out for a rotated picture', () => {
  const turn = ({ data }: Picture): Picture => {
    const out = new Uint8Array(data.length);
    for (let i = 0; i < SIDE * SIDE; i++) {
      out.set(data.subarray(4 * i, 4 * i + 4), 4 * ((i % SIDE) * SIDE + SIDE - 1 - Math.floor(i / SIDE)));
    }
    return { width: SIDE, height: SIDE, data: out };
  };
  const picture = compose(disk(30, 2, 40, 52), [30, 90, 160], white);
  const cut = turn(removeBackground(picture)!);
  const other = removeBackground(turn(picture))!;
  let most = 0;
  for (let i = 3; i < cut.data.length; i += 4) most = Math.max(most, Math.abs(cut.data[i]! - other.data[i]!));
  expect(most).toBeLessThanOrEqual(2);
});

test('keeps the size of a very wide picture', { tags: ['detail'] }, () => {
  const width = 16_384;
  const height = 700;
  const data = new Uint8Array(4 * width * height).fill(255);
  for (let x = 3000; x < 3100; x++) data.fill(0, 4 * (350 * width + x), 4 * (350 * width + x) + 3);
  const cut = removeBackground({ width, height, data })!;
  expect(cut.data.length).toBe(data.length);
  expect([...cut.data.subarray(4 * (350 * width + 3050), 4 * (350 * width + 3050) + 4)]).toEqual([0, 0, 0, 255]);
  expect(cut.data[3]).toBe(0);
});

test('strands of an uneven color keep their alpha in noise, though some of their pixels stand out', () => {
  let state = 7;
  const spread = (): number => {
    let sum = -1.5;
    for (let k = 0; k < 3; k++) {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      sum += state / 2 ** 31;
    }
    return sum;
  };
  const strands: Shape = (x, y) =>
    x > 20 && x < 76 && y > 16 && y < 80 ? Math.min(1, Math.max(0, 2.5 - Math.abs(((x + 0.3 * y) % 12) - 6))) : 0;
  const uneven = (): Color => {
    const more = 30 * spread();
    return [90 + more, 80 + more, 110 + more];
  };
  const lit = (_x: number, y: number): Color => [215 + y / 4, 205 + y / 4, 190 + y / 5];
  const picture = compose(strands, uneven, lit);
  for (let at = 0; at < picture.data.length; at++) {
    if (at % 4 < 3) picture.data[at] = Math.min(255, Math.max(0, Math.round(picture.data[at]! + 4 * spread())));
  }
  const { data } = removeBackground(picture, {})!;
  let [sum, truth] = [0, 0];
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const share = strands(x + 0.5, y + 0.5);
      truth += share;
      if (share > 0) sum += data[4 * (y * SIDE + x) + 3]! / 255;
    }
  }
  // By the strongest pixels alone it is 0.836.
  expect(sum / truth).toBeGreaterThan(0.846);
});

describe('inside an object', () => {
  const inner = disk(24);
  /** Returns the mean of alpha less `truth` over the inside of the object. */
  function meanOff(picture: Picture, truth: Shape): number {
    const cut = removeBackground(picture)!;
    let [sum, count] = [0, 0];
    for (let y = 0; y < SIDE; y++) {
      for (let x = 0; x < SIDE; x++) {
        if (inner(x + 0.5, y + 0.5) < 1) continue;
        sum += Math.abs(at(cut, x, y)[3]! / 255 - truth(x + 0.5, y + 0.5));
        count++;
      }
    }
    return sum / count;
  }

  test('strands that lie close together are no solid, though the gaps are not clear', () => {
    const strands: Shape = (x, y) => disk(36)(x, y) * [1, 0.8, 0.62, 0.8][Math.floor(x) % 4]!;
    expect(meanOff(compose(strands, [30, 60, 90], white), strands)).toBeLessThan(0.08);
  });

  test('two tones side by side are solid', () => {
    const tones = (x: number): Color => (x < SIDE / 2 ? [30, 60, 90] : [120, 140, 160]);
    const picture = compose(disk(36), tones, white);
    expect(meanOff(picture, disk(36))).toBeLessThan(0.01);
  });
});
