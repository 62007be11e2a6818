/** The fit of one cubic Bézier: `fitCubic` of `src/fit/cubic.ts`, whose text explains the steps. */

// Memory: x, y, weights and parameters of at most 49 points, with room for one more, as two are worked on at a time;
// then the result: x1, y1, x2, y2 and badness.
const ROOM: usize = 8 * 50;
const X: usize = 1024;
const Y: usize = X + ROOM;
const W: usize = Y + ROOM;
const T: usize = W + ROOM;
const OUT: usize = T + ROOM;
const OUT_BYTES: usize = 40;

// The fits that were made last. Nearly half of all fits ask again for the same points and ends, often with another
// effort: each round depends on the rounds before it alone, so that a fit goes on where the last one stopped.
const FITS: usize = 4096;
const FIT_COUNT: usize = 256;
const FIT_BYTES: usize = 1024;
// Of one fit: the key, the number of rounds, their results, the parameters after them.
const KEY_BYTES: usize = 96;
const ROUNDS: usize = KEY_BYTES;
const RESULTS: usize = ROUNDS + 16;
const PARAMETERS: usize = RESULTS + 6 * OUT_BYTES; // `FINAL` has six rounds
let fit: usize = 0;

const SINGLE: f64 = 0.4;

/** The normal equations of a fit. */
let sumAA: f64 = 0;
let sumAB: f64 = 0;
let sumBB: f64 = 0;
let sumAX: f64 = 0;
let sumAY: f64 = 0;
let sumBX: f64 = 0;
let sumBY: f64 = 0;
let worst: f64 = 0;
let sumOff: f64 = 0;

/** Returns the address of the points. */
export function cubicMemory(): usize {
  return X;
}

/** Returns the first address that the fits leave to others. */
export function memoryStart(): usize {
  return FITS + FIT_COUNT * FIT_BYTES;
}

function isEnough(badness: f64, round: i32, rounds: i32, enough: f64): bool {
  return round + 1 >= rounds || (enough >= 0 && (badness <= enough || (round > 0 && badness > 12) || badness > 60));
}

/**
 * Looks for a fit that was made before, of points `first` to `last` of version `version` of a strand, every
 * `stride`-th. Returns true, and writes its result, when it had rounds enough.
 */
export function recallCubic(
  version: f64,
  first: f64,
  last: f64,
  stride: f64,
  x0: f64,
  y0: f64,
  tx0: f64,
  ty0: f64,
  x3: f64,
  y3: f64,
  tx3: f64,
  ty3: f64,
  rounds: i32,
  enough: f64,
): bool {
  const bits =
    reinterpret<u64>(x0) ^ (reinterpret<u64>(x3) * 3) ^ (reinterpret<u64>(tx0) * 5) ^ (reinterpret<u64>(tx3) * 7);
  const place = (bits ^ ((<u64>first) << 40) ^ ((<u64>last) << 44)) * 0x9e3779b97f4a7c15;
  fit = FITS + <usize>(place >>> 56) * FIT_BYTES;
  if (
    load<f64>(fit) == version &&
    load<f64>(fit, 8) == first &&
    load<f64>(fit, 16) == last &&
    load<f64>(fit, 24) == stride &&
    isEqual(32, x0) &&
    isEqual(40, y0) &&
    isEqual(48, tx0) &&
    isEqual(56, ty0) &&
    isEqual(64, x3) &&
    isEqual(72, y3) &&
    isEqual(80, tx3) &&
    isEqual(88, ty3)
  ) {
    const count = load<i32>(fit + ROUNDS);
    for (let round = 0; round < count; round++) {
      const result = fit + RESULTS + <usize>round * OUT_BYTES;
      if (!isEnough(load<f64>(result, 32), round, rounds, enough)) continue;
      memory.copy(OUT, result, OUT_BYTES);
      return true;
    }
    return false;
  }
  store<f64>(fit, version);
  store<f64>(fit, first, 8);
  store<f64>(fit, last, 16);
  store<f64>(fit, stride, 24);
  store<f64>(fit, x0, 32);
  store<f64>(fit, y0, 40);
  store<f64>(fit, tx0, 48);
  store<f64>(fit, ty0, 56);
  store<f64>(fit, x3, 64);
  store<f64>(fit, y3, 72);
  store<f64>(fit, tx3, 80);
  store<f64>(fit, ty3, 88);
  store<i32>(fit + ROUNDS, 0);
  return false;
}

/** Compares bits, because a free direction is NaN. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function isEqual(offset: usize, value: f64): bool {
  return load<u64>(fit + offset) == reinterpret<u64>(value);
}

/**
 * Makes the fit that `recallCubic` looked for last in vain, of the points in memory. A direction of NaN is free.
 * `length` and `chord` are those of the points and of their ends; the search ends early when the badness falls to
 * `enough`, unless that is negative.
 */
export function fitCubic(
  count: i32,
  stride: f64,
  x0: f64,
  y0: f64,
  tx0: f64,
  ty0: f64,
  x3: f64,
  y3: f64,
  tx3: f64,
  ty3: f64,
  length: f64,
  chord: f64,
  rounds: i32,
  enough: f64,
  tolerance: f64,
  variance: f64,
  nodeCost: f64,
): void {
  const m = <f64>count;
  const isStartFixed = tx0 == tx0;
  const isEndFixed = tx3 == tx3;
  const ridge = 1e-4 * (m + 1) + 0.004 * max<f64>(0, 8 - m);
  const third = length / 3;
  const gx = chord > 1e-9 ? ((x3 - x0) / chord) * third : 0;
  const gy = chord > 1e-9 ? ((y3 - y0) / chord) * third : 0;
  const px = isStartFixed ? tx0 * third : gx;
  const py = isStartFixed ? ty0 * third : gy;
  const qx = isEndFixed ? -tx3 * third : -gx;
  const qy = isEndFixed ? -ty3 * third : -gy;
  const shortest = 0.02 * length;
  let round = load<i32>(fit + ROUNDS);
  if (round > 0) memory.copy(T, fit + PARAMETERS, ROOM);
  for (; round < rounds; round++) {
    addUp(count, x0, y0, x3, y3);
    const aa = sumAA + ridge;
    const ab = sumAB;
    const bb = sumBB + ridge;
    const ax = sumAX + ridge * px;
    const ay = sumAY + ridge * py;
    const bx = sumBX + ridge * qx;
    const by = sumBY + ridge * qy;
    let h1x: f64;
    let h1y: f64;
    let h2x: f64;
    let h2y: f64;
    if (isStartFixed && isEndFixed) {
      const c = -ab * (tx0 * tx3 + ty0 * ty3);
      const r0 = ax * tx0 + ay * ty0;
      const r1 = -(bx * tx3 + by * ty3);
      const determinant = aa * bb - c * c;
      let h0 = (r0 * bb - r1 * c) / determinant;
      let h1 = (r1 * aa - r0 * c) / determinant;
      if (!(h0 > shortest)) {
        h0 = shortest;
        h1 = (r1 - c * h0) / bb;
      }
      if (!(h1 > shortest)) {
        h1 = shortest;
        h0 = max<f64>(shortest, (r0 - c * h1) / aa);
      }
      h0 = min<f64>(h0, length);
      h1 = min<f64>(h1, length);
      h1x = tx0 * h0;
      h1y = ty0 * h0;
      h2x = -tx3 * h1;
      h2y = -ty3 * h1;
    } else if (isStartFixed) {
      const schur = aa - (ab * ab) / bb;
      let h0 = (ax * tx0 + ay * ty0 - (ab / bb) * (bx * tx0 + by * ty0)) / schur;
      h0 = min<f64>(max<f64>(h0, shortest), length);
      h1x = tx0 * h0;
      h1y = ty0 * h0;
      h2x = (bx - ab * h1x) / bb;
      h2y = (by - ab * h1y) / bb;
    } else if (isEndFixed) {
      const schur = bb - (ab * ab) / aa;
      let h1 = -(bx * tx3 + by * ty3 - (ab / aa) * (ax * tx3 + ay * ty3)) / schur;
      h1 = min<f64>(max<f64>(h1, shortest), length);
      h2x = -tx3 * h1;
      h2y = -ty3 * h1;
      h1x = (ax - ab * h2x) / aa;
      h1y = (ay - ab * h2y) / aa;
    } else {
      const determinant = aa * bb - ab * ab;
      h1x = (ax * bb - bx * ab) / determinant;
      h1y = (ay * bb - by * ab) / determinant;
      h2x = (bx * aa - ax * ab) / determinant;
      h2y = (by * aa - ay * ab) / determinant;
    }
    const x1 = x0 + h1x;
    const y1 = y0 + h1y;
    const x2 = x3 + h2x;
    const y2 = y3 + h2y;
    approach(count, min<f64>(1, 0.35 * stride), x0, y0, x1, y1, x2, y2, x3, y3);
    const excess = ((sumOff - m * variance) * stride) / (6 * variance * nodeCost);
    const badness = max<f64>(worst / tolerance, excess);
    const result = fit + RESULTS + <usize>round * OUT_BYTES;
    store<f64>(result, x1);
    store<f64>(result, y1, 8);
    store<f64>(result, x2, 16);
    store<f64>(result, y2, 24);
    store<f64>(result, badness, 32);
    if (!isEnough(badness, round, rounds, enough)) continue;
    memory.copy(OUT, result, OUT_BYTES);
    store<i32>(fit + ROUNDS, round + 1);
    memory.copy(fit + PARAMETERS, T, ROOM);
    return;
  }
}

function addUp(count: i32, x0: f64, y0: f64, x3: f64, y3: f64): void {
  let aa: f64 = 0;
  let ab: f64 = 0;
  let bb: f64 = 0;
  let ax: f64 = 0;
  let ay: f64 = 0;
  let bx: f64 = 0;
  let by: f64 = 0;
  for (let k = 0; k < count; k++) {
    const at = <usize>k << 3;
    const v = load<f64>(T + at);
    const u = 1 - v;
    const A = 3 * u * u * v;
    const B = 3 * u * v * v;
    const before = u * u * u + A;
    const after = v * v * v + B;
    const weight = load<f64>(W + at);
    const rx = load<f64>(X + at) - before * x0 - after * x3;
    const ry = load<f64>(Y + at) - before * y0 - after * y3;
    const weightA = weight * A;
    const weightB = weight * B;
    aa += weightA * A;
    ab += weightA * B;
    bb += weightB * B;
    ax += weightA * rx;
    ay += weightA * ry;
    bx += weightB * rx;
    by += weightB * ry;
  }
  sumAA = aa;
  sumAB = ab;
  sumBB = bb;
  sumAX = ax;
  sumAY = ay;
  sumBX = bx;
  sumBY = by;
}

// The smoothed signed distance along the curve, while `approach` runs.
let run: f64 = 0;

/** Adds the distance of one point. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function addDistance(off: f64, blend: f64): void {
  run += (off - run) * blend;
  const size = max<f64>(abs<f64>(run), abs<f64>(off) * SINGLE);
  if (size > worst) worst = size;
  sumOff += off * off;
}

/** Measures the distances and moves the parameters, two points at a time. */
function approach(
  count: i32,
  blend: f64,
  x0: f64,
  y0: f64,
  x1: f64,
  y1: f64,
  x2: f64,
  y2: f64,
  x3: f64,
  y3: f64,
): void {
  const one = f64x2.splat(1);
  const zero = f64x2.splat(0);
  const two = f64x2.splat(2);
  const three = f64x2.splat(3);
  const six = f64x2.splat(6);
  const px0 = f64x2.splat(x0);
  const px1 = f64x2.splat(x1);
  const px2 = f64x2.splat(x2);
  const px3 = f64x2.splat(x3);
  const py0 = f64x2.splat(y0);
  const py1 = f64x2.splat(y1);
  const py2 = f64x2.splat(y2);
  const py3 = f64x2.splat(y3);
  const dx1 = f64x2.splat(x1 - x0);
  const dx2 = f64x2.splat(x2 - x1);
  const dx3 = f64x2.splat(x3 - x2);
  const dy1 = f64x2.splat(y1 - y0);
  const dy2 = f64x2.splat(y2 - y1);
  const dy3 = f64x2.splat(y3 - y2);
  const bx1 = f64x2.splat(x2 - 2 * x1 + x0);
  const bx2 = f64x2.splat(x3 - 2 * x2 + x1);
  const by1 = f64x2.splat(y2 - 2 * y1 + y0);
  const by2 = f64x2.splat(y3 - 2 * y2 + y1);
  const least = f64x2.splat(1e-12);
  const quarter = f64x2.splat(0.25);
  run = 0;
  worst = 0;
  sumOff = 0;
  for (let k = 0; k < count; k += 2) {
    const at = <usize>k << 3;
    const v = v128.load(T + at);
    const u = f64x2.sub(one, v);
    const uu = f64x2.mul(u, u);
    const vv = f64x2.mul(v, v);
    const c0 = f64x2.mul(uu, u);
    const u3 = f64x2.mul(three, u);
    const c1 = f64x2.mul(f64x2.mul(u3, u), v);
    const c2 = f64x2.mul(f64x2.mul(u3, v), v);
    const c3 = f64x2.mul(vv, v);
    const ex = f64x2.sub(
      f64x2.add(
        f64x2.add(f64x2.add(f64x2.mul(c0, px0), f64x2.mul(c1, px1)), f64x2.mul(c2, px2)),
        f64x2.mul(c3, px3),
      ),
      v128.load(X + at),
    );
    const ey = f64x2.sub(
      f64x2.add(
        f64x2.add(f64x2.add(f64x2.mul(c0, py0), f64x2.mul(c1, py1)), f64x2.mul(c2, py2)),
        f64x2.mul(c3, py3),
      ),
      v128.load(Y + at),
    );
    const uv2 = f64x2.mul(f64x2.mul(two, u), v);
    const d1x = f64x2.mul(
      three,
      f64x2.add(f64x2.add(f64x2.mul(uu, dx1), f64x2.mul(uv2, dx2)), f64x2.mul(vv, dx3)),
    );
    const d1y = f64x2.mul(
      three,
      f64x2.add(f64x2.add(f64x2.mul(uu, dy1), f64x2.mul(uv2, dy2)), f64x2.mul(vv, dy3)),
    );
    const speed = f64x2.add(f64x2.mul(d1x, d1x), f64x2.mul(d1y, d1y));
    const along = f64x2.add(f64x2.mul(ex, d1x), f64x2.mul(ey, d1y));
    let off = f64x2.div(f64x2.sub(f64x2.mul(ex, d1y), f64x2.mul(ey, d1x)), f64x2.sqrt(speed));
    // Past an end of the curve, the distance to that end counts.
    const isPast = v128.or(
      v128.and(f64x2.eq(v, zero), f64x2.gt(along, zero)),
      v128.and(f64x2.eq(v, one), f64x2.lt(along, zero)),
    );
    if (v128.any_true(isPast)) {
      const end = f64x2.sqrt(f64x2.add(f64x2.mul(ex, ex), f64x2.mul(ey, ey)));
      off = v128.bitselect(end, off, isPast);
    }
    off = f64x2.mul(off, v128.load(W + at));
    const isStill = f64x2.lt(speed, least);
    if (!f64x2.extract_lane(v128.and(isStill, one), 0)) addDistance(f64x2.extract_lane(off, 0), blend);
    if (k + 1 < count && !f64x2.extract_lane(v128.and(isStill, one), 1)) {
      addDistance(f64x2.extract_lane(off, 1), blend);
    }
    const d2x = f64x2.mul(six, f64x2.add(f64x2.mul(u, bx1), f64x2.mul(v, bx2)));
    const d2y = f64x2.mul(six, f64x2.add(f64x2.mul(u, by1), f64x2.mul(v, by2)));
    const slope = f64x2.add(f64x2.add(speed, f64x2.mul(ex, d2x)), f64x2.mul(ey, d2y));
    const divisor = v128.bitselect(slope, speed, f64x2.gt(slope, f64x2.mul(quarter, speed)));
    const next = f64x2.max(zero, f64x2.min(one, f64x2.sub(v, f64x2.div(along, divisor))));
    v128.store(T + at, v128.bitselect(v, next, isStill));
  }
}
