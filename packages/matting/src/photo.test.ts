import { describe, expect, test } from 'vitest';
import { removeBackground } from './background.ts';
import { joinMasks } from './joinMasks.ts';
import type { Mask, Picture } from './picture.ts';

const WIDTH = 160;
const HEIGHT = 120;
/** The coverage of a pixel by an object, at a position relative to the picture's middle, in picture heights. */
type Shape = (x: number, y: number) => number;
type Color = readonly [red: number, green: number, blue: number];

const disk =
  (radius: number, cx = 0, cy = 0): Shape =>
  (x, y) =>
    Math.min(1, Math.max(0, (radius - Math.hypot(x - cx, y - cy)) * HEIGHT + 0.5));
const ring: Shape = (x, y) => disk(0.4)(x, y) - disk(0.2)(x, y);

const noise = (x: number, y: number, k = 0) => {
  const hash = Math.imul((x * 73_856_093) ^ (y * 19_349_663) ^ (k * 83_492_791), 2_654_435_761) >>> 0;
  return hash / 2 ** 32;
};
/** Grass: no two pixels are alike, and it is darker at the left. */
const meadow = (x: number, y: number): Color => {
  const light = 60 + (80 * x) / WIDTH + 40 * noise(x >> 1, y >> 1);
  return [0.7 * light, light, 0.4 * light];
};
const red = (x: number, y: number): Color => [210 - 40 * (y / HEIGHT), 30 + 20 * (x / WIDTH), 60];

const eachPixel = (
  width: number,
  height: number,
  see: (i: number, x: number, y: number, u: number, v: number) => void,
) => {
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) see(i, x, y, (x + 0.5 - width / 2) / height, (y + 0.5 - height / 2) / height);
  }
};

function compose(shape: Shape, object: typeof meadow, ground: typeof meadow): Picture {
  const data = new Uint8Array(4 * WIDTH * HEIGHT).fill(255);
  eachPixel(WIDTH, HEIGHT, (i, x, y, u, v) => {
    const share = shape(u, v);
    for (let k = 0; k < 3; k++) data[4 * i + k] = Math.round(object(x, y)[k]! * share + ground(x, y)[k]! * (1 - share));
  });
  return { width: WIDTH, height: HEIGHT, data };
}

/** Returns a mask like that of a network: coarse, and soft at the rim. */
function maskOf(shape: Shape, width = 40, height = 30): Mask {
  const data = new Uint8Array(width * height);
  eachPixel(width, height, (i, _x, _y, u, v) => {
    let sum = 0;
    for (let d = 0; d < 9; d++) sum += shape(u + ((d % 3) - 1) / 40, v + (Math.floor(d / 3) - 1) / 40);
    data[i] = Math.round((255 * sum) / 9);
  });
  return { width, height, data };
}

function turn({ width, height, data }: Picture): Picture {
  const out = new Uint8Array(data.length);
  eachPixel(width, height, (i, x, y) => {
    const j = x * height + (height - 1 - y);
    out.set(data.subarray(4 * i, 4 * i + 4), 4 * j);
  });
  return { width: height, height: width, data: out };
}

describe('a photograph', () => {
  const picture = compose(disk(0.36), red, meadow);

  test('is not cut out without a mask', () => {
    expect(removeBackground(picture)).toBeUndefined();
  });

  test('is cut out along its own edge, finer than the mask, in its own colors', () => {
    const cut = removeBackground(picture, { mask: maskOf(disk(0.36)) })!;
    expect([cut.width, cut.height]).toEqual([WIDTH, HEIGHT]);
    let off = 0;
    let rim = 0;
    let fringe = 0;
    eachPixel(WIDTH, HEIGHT, (i, x, y, u, v) => {
      const truth = disk(0.36)(u, v);
      const alpha = cut.data[4 * i + 3]! / 255;
      if (Math.abs(truth - alpha) > 0.5) off++;
      if (truth <= 0 || truth >= 1 || alpha < 0.2) return;
      rim++;
      fringe += Math.abs(cut.data[4 * i + 1]! - red(x, y)[1]);
    });
    expect(off).toBeLessThan(0.002 * WIDTH * HEIGHT);
    expect(fringe / rim).toBeLessThan(12);
  });

  test('gets a sharp edge from a mask with a wide rim, also on a shaded object', () => {
    const shape = disk(0.36);
    const shadedColor = (x: number, y: number): Color => {
      const off = Math.hypot(x - WIDTH / 2, y - HEIGHT / 2) / HEIGHT / 0.36;
      return [90 + 140 * off ** 8, 50, 130 - 80 * off ** 8];
    };
    const rim: Shape = (x, y) => Math.min(1, Math.max(0, ((0.36 - Math.hypot(x, y)) * HEIGHT) / 14 + 0.5));
    const cut = removeBackground(compose(shape, shadedColor, meadow), { mask: maskOf(rim, WIDTH, HEIGHT) })!;
    let off = 0;
    let count = 0;
    eachPixel(WIDTH, HEIGHT, (i, _x, _y, u, v) => {
      if (Math.abs(Math.hypot(u, v) - 0.36) * HEIGHT > 4) return;
      count++;
      off += Math.abs(shape(u, v) - cut.data[4 * i + 3]! / 255);
    });
    expect(off / count).toBeLessThan(0.14);
  });

  test('is solid where the network is unsure in its middle, and has a hole where it is sure of one', () => {
    const middle = 4 * ((HEIGHT / 2) * WIDTH + WIDTH / 2);
    const hesitant = maskOf((x, y) => disk(0.36)(x, y) - 0.4 * disk(0.2)(x, y), WIDTH, HEIGHT);
    expect(removeBackground(picture, { mask: hesitant })!.data[middle + 3]).toBe(255);
    const ringPicture = compose(ring, red, meadow);
    expect(removeBackground(ringPicture, { mask: maskOf(ring, WIDTH, HEIGHT) })!.data[middle + 3]).toBe(0);
  });

  test('keeps thin strings of a third color that the network saw, and the gaps between them', () => {
    const isString = (x: number, y: number) => x % 10 < 2 || y % 10 < 2;
    const frame: Shape = (x, y) => disk(0.42)(x, y) - disk(0.34)(x, y);
    const racket: Shape = (u, v) => {
      const [x, y] = [Math.floor(u * HEIGHT + WIDTH / 2), Math.floor(v * HEIGHT + HEIGHT / 2)];
      return Math.max(frame(u, v), isString(x, y) ? disk(0.36)(u, v) : 0);
    };
    const colors = (x: number, y: number): Color =>
      frame((x + 0.5 - WIDTH / 2) / HEIGHT, (y + 0.5 - HEIGHT / 2) / HEIGHT) > 0 ? [30, 70, 150] : [240, 236, 220];
    const cut = removeBackground(compose(racket, colors, meadow), { mask: maskOf(racket, WIDTH, HEIGHT) })!;
    let [both, either] = [0, 0];
    eachPixel(WIDTH, HEIGHT, (i, _x, _y, u, v) => {
      const [is, isKept] = [racket(u, v) >= 0.5, cut.data[4 * i + 3]! > 127];
      if (is && isKept) both++;
      if (is || isKept) either++;
    });
    // By the frame's color alone it is 0.30.
    expect(both / either).toBeGreaterThan(0.6);
  });

  test('gives the rotated cut-out when rotated by a quarter turn', () => {
    const mask = maskOf(disk(0.36));
    const turnedMask = turn({
      width: mask.width,
      height: mask.height,
      data: Uint8Array.from({ length: 4 * mask.data.length }, (_, i) => mask.data[i >> 2]!),
    });
    const small = { ...turnedMask, data: turnedMask.data.filter((_, i) => i % 4 === 0) };
    const cut = turn(removeBackground(picture, { mask })!);
    const other = removeBackground(turn(picture), { mask: small })!;
    // Colors are extrapolated over a pyramid whose odd sizes are not symmetric.
    let most = 0;
    const colorAt = ({ data }: Picture, i: number) => (i % 4 === 3 ? data[i]! : (data[i]! * data[i | 3]!) / 255);
    for (let i = 0; i < cut.data.length; i++) most = Math.max(most, Math.abs(colorAt(cut, i) - colorAt(other, i)));
    expect(most).toBeLessThanOrEqual(8);
  });

  test('gives the same result twice, at any size, with any mask', () => {
    for (const [width, height] of [
      [1, 1],
      [1, 9],
      [300, 1],
      [7, 5],
    ] as const) {
      const data = Uint8Array.from({ length: 4 * width * height }, (_, i) => 255 * noise(i, 1));
      for (const value of [0, 128, 255]) {
        const mask = { width: 3, height: 2, data: new Uint8Array(6).fill(value) };
        const cut = removeBackground({ width, height, data }, { mask })!;
        expect(cut.data.length).toBe(data.length);
        expect(removeBackground({ width, height, data }, { mask })!.data).toEqual(cut.data);
      }
    }
  });
});

describe('two masks', () => {
  const picture = compose(
    disk(0.4),
    (x, y) => (disk(0.2)((x - 80) / HEIGHT, (y - 60) / HEIGHT) ? [90, 20, 60] : red(x, y)),
    meadow,
  );

  test('that agree give the nearer one', () => {
    const near = maskOf(disk(0.4));
    expect(joinMasks(picture, near, maskOf(disk(0.39)))).toBe(near);
  });
  test('of which one covers only a part give the other', () => {
    const whole = maskOf(disk(0.4));
    expect(joinMasks(picture, maskOf(disk(0.2)), whole)).toBe(whole);
    expect(joinMasks(picture, whole, maskOf(disk(0.2)))).toBe(whole);
  });
  test('of which one includes background give the other', () => {
    const near = maskOf(disk(0.4));
    const withSpots = maskOf((x, y) =>
      Math.max(disk(0.4)(x, y), noise(Math.round(20 * x), Math.round(20 * y)) > 0.5 ? 1 : 0),
    );
    expect(joinMasks(picture, near, withSpots).data).toEqual(near.data);
    expect(joinMasks(picture, withSpots, near).data).toEqual(near.data);
  });
  test('of which one includes something out of focus give the other', () => {
    // Behind a sharp disk lies a larger one, of strong contrast, whose edge is three pixels wide.
    const backdrop: Shape = (x, y) => Math.min(1, Math.max(0, ((0.4 - Math.hypot(x - 0.1, y)) * HEIGHT) / 3 + 0.5));
    const behind = (x: number, y: number): Color => {
      const share = backdrop((x - WIDTH / 2) / HEIGHT, (y - HEIGHT / 2) / HEIGHT);
      return [20 + 235 * share, 20 + 235 * share, 20 + 235 * share];
    };
    const subject = disk(0.25, -0.1);
    const near = maskOf(subject);
    const far = maskOf((x, y) => Math.max(subject(x, y), backdrop(x, y)));
    const union = joinMasks(
      compose(subject, () => [110, 110, 150], behind),
      near,
      far,
    );
    expect(union.data).toEqual(near.data);
  });
  test('of which one holds but fragments give the other, though its edges are weaker', () => {
    const spots: Shape = (x, y) => {
      const nearest = (at: number) => 0.16 * Math.max(-1, Math.min(1, Math.round(at / 0.16)));
      return disk(0.06, nearest(x), nearest(y))(x, y);
    };
    const whole = maskOf(disk(0.4), WIDTH, HEIGHT);
    const spotty = (x: number, y: number): Color => {
      const light = 150 + 100 * spots((x + 0.5 - WIDTH / 2) / HEIGHT, (y + 0.5 - HEIGHT / 2) / HEIGHT);
      return [light, light, light];
    };
    const scene = compose(disk(0.4), spotty, () => [110, 110, 110]);
    expect(joinMasks(scene, maskOf(spots, WIDTH, HEIGHT), whole)).toBe(whole);
  });
  test('close a hole that one of them is sure about', () => {
    const ringMask = maskOf(ring);
    const barMask = maskOf((x, y) => (disk(0.4)(x, y) || (Math.abs(y) < 0.03 && Math.abs(x) < 0.6) ? 1 : 0));
    const union = joinMasks(picture, ringMask, barMask);
    expect(ringMask.data[15 * 40 + 20]).toBe(0);
    expect(union.data[15 * 40 + 20]).toBe(255);
  });
  test('keep a hole when the other one spills over the border', () => {
    const ringMask = maskOf(ring);
    const spilt = maskOf((x, y) => (disk(0.4)(x, y) || y > 0.3 ? 1 : 0));
    expect(joinMasks(picture, ringMask, spilt)).toBe(ringMask);
    expect(joinMasks(picture, spilt, ringMask)).toBe(ringMask);
  });
  test('of which the nearer one is vague give it all the same when the other one spills over the border', () => {
    const soft: Shape = (x, y) => Math.min(1, Math.max(0, (0.4 - Math.hypot(x, y)) / 0.3));
    const near = maskOf(soft, WIDTH, HEIGHT);
    const far = (shape: Shape) => maskOf((x, y) => Math.max(disk(0.25)(x, y), shape(x, y)), WIDTH, HEIGHT);
    const sharp = far(() => 0);
    expect(joinMasks(picture, near, sharp)).toBe(sharp);
    expect(
      joinMasks(
        picture,
        near,
        far((_x, y) => (y > 0.46 ? 1 : 0)),
      ),
    ).toBe(near);
  });
  test('of which one is empty give the other', () => {
    const none = maskOf(() => 0);
    const near = maskOf(disk(0.4));
    expect(joinMasks(picture, none, near)).toBe(near);
    expect(joinMasks(picture, near, none)).toBe(near);
  });
});
