/** Kinds of pixels and their votes: `classify` and `countVotes` of `src/color/votes.ts`, whose text explains them. */

import { CORE, endOfRun, FLAT, MIXED } from './kinds';

// Each histogram: the votes in all, the number of bins, then the places of bins by key, the keys of bins by place, and
// four sums for each.
const BINS: usize = 32768;
const PLACES: usize = 16;
const KEYS: usize = PLACES + 2 * BINS;
const SUMS: usize = KEYS + 2 * BINS;
const TABLE: usize = SUMS + 32 * BINS;
const HISTOGRAMS: usize = 4;

// The picture, while one strip is read.
let width: i32 = 0;
let height: i32 = 0;
let row: usize = 0; // bytes
let noise: f64 = 0;
let flatStep: v128 = i8x16.splat(0);
let stillStep: v128 = i8x16.splat(0);
let coreStep: v128 = i8x16.splat(0);
let leastContrast: f64 = 0;

/** Returns the bytes of the histograms: flat, ramp, core and firm. */
export function voteBytes(): usize {
  return HISTOGRAMS * TABLE;
}

/** Empties the histograms. */
export function clearVotes(tables: usize): void {
  for (let h: usize = 0; h < HISTOGRAMS; h++) memory.fill(tables + h * TABLE, 0, KEYS);
}

/**
 * Writes the kinds of the pixels in rows `from` to `to`. `data` is the address of row `top`, `tables` that of the
 * histograms, or 0 when nothing is counted. Returns the number of clear pixels among those counted.
 */
export function readVotes(
  data: usize,
  top: i32,
  from: i32,
  to: i32,
  across: i32,
  down: i32,
  grain: f64,
  kinds: usize,
  tables: usize,
): i32 {
  width = across;
  height = down;
  row = <usize>across << 2;
  noise = grain;
  flatStep = splatStep(6 + 3 * grain);
  stillStep = splatStep(1 + 2 * grain);
  coreStep = splatStep(1 + 2 * grain + 5);
  leastContrast = (14 + 6 * grain) * (14 + 6 * grain);
  let clear: i32 = 0;
  for (let y = from; y < to; y++) {
    const start = data + <usize>(y - top) * row;
    classifyRow(start, y, kinds);
    if (tables) clear += countRow(start, y, kinds, tables);
    kinds += across;
  }
  return clear;
}

/** A byte differs by no more than a step when it does so by no more than the whole numbers in it. */
function splatStep(step: f64): v128 {
  return i8x16.splat(<i8>(<u8>Math.min(255, Math.floor(step))));
}

function classifyRow(start: usize, y: i32, kinds: usize): void {
  const last = width - 1;
  if (y == 0 || y == height - 1) {
    for (let x = 0; x <= last; x++) store<u8>(kinds + x, classifyBorderPixel(start + (<usize>x << 2), x, y));
    return;
  }
  store<u8>(kinds, classifyBorderPixel(start, 0, y));
  let x = 1;
  while (x < last) {
    const i = start + (<usize>x << 2);
    if (x + 4 <= last && noise == 0) {
      // Four pixels side by side.
      const far = farAround(i);
      if (!v128.any_true(far)) store<u32>(kinds + x, 0x01010101);
      else {
        const isFlat = i32x4.bitmask(i32x4.eq(far, i32x4.splat(0)));
        for (let k = 0; k < 4; k++) {
          store<u8>(kinds + x + k, isFlat & (1 << k) ? FLAT : isMix(i + (<usize>k << 2)) ? MIXED : CORE);
        }
      }
      x += 4;
      continue;
    }
    let kind = MIXED;
    if (noise == 0 || !isOnWideEdge(i, x, y)) kind = isFlatHere(i) ? FLAT : isMix(i) ? MIXED : CORE;
    store<u8>(kinds + x, kind);
    x++;
  }
  if (last > 0) store<u8>(kinds + last, classifyBorderPixel(start + (<usize>last << 2), last, y));
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function apart(p: v128, q: v128): v128 {
  return v128.or(i8x16.sub_sat_u(p, q), i8x16.sub_sat_u(q, p));
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function most(p: v128, q: v128): v128 {
  return i8x16.max_u(p, q);
}

/** Returns by how much each of four pixels differs from the farthest of its neighbors beyond the step, by channel. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function farAround(i: usize): v128 {
  const own = v128.load(i);
  const beside = most(apart(own, v128.load(i - 4)), apart(own, v128.load(i + 4)));
  const above = i - row;
  const under = i + row;
  const middle = most(apart(own, v128.load(above)), apart(own, v128.load(under)));
  const left = most(apart(own, v128.load(above - 4)), apart(own, v128.load(under - 4)));
  const right = most(apart(own, v128.load(above + 4)), apart(own, v128.load(under + 4)));
  return i8x16.sub_sat_u(most(most(beside, middle), most(left, right)), flatStep);
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function isNear(a: usize, b: usize, step: v128): bool {
  const far = i8x16.sub_sat_u(apart(v128.load32_zero(a), v128.load32_zero(b)), step);
  return !v128.any_true(far);
}

function isFlatHere(i: usize): bool {
  return (
    isNear(i, i + 4, flatStep) &&
    isNear(i, i - 4, flatStep) &&
    isNear(i, i + row, flatStep) &&
    isNear(i, i - row, flatStep) &&
    isNear(i, i + row + 4, flatStep) &&
    isNear(i, i - row - 4, flatStep) &&
    isNear(i, i + row - 4, flatStep) &&
    isNear(i, i - row + 4, flatStep)
  );
}

function isMix(i: usize): bool {
  return (
    isBetween(i, i - 4, i + 4, leastContrast) ||
    isBetween(i, i - row, i + row, leastContrast) ||
    isBetween(i, i - row - 4, i + row + 4, leastContrast) ||
    isBetween(i, i - row + 4, i + row - 4, leastContrast)
  );
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function byte(at: usize, offset: usize): i32 {
  return <i32>load<u8>(at + offset);
}

function isBetween(i: usize, a: usize, b: usize, least: f64): bool {
  const v0 = byte(b, 0) - byte(a, 0);
  const v1 = byte(b, 1) - byte(a, 1);
  const v2 = byte(b, 2) - byte(a, 2);
  const v3 = byte(b, 3) - byte(a, 3);
  const span = <f64>(v0 * v0 + v1 * v1 + v2 * v2 + v3 * v3);
  if (span < least) return false;
  const w0 = byte(i, 0) - byte(a, 0);
  const w1 = byte(i, 1) - byte(a, 1);
  const w2 = byte(i, 2) - byte(a, 2);
  const w3 = byte(i, 3) - byte(a, 3);
  const t = <f64>(w0 * v0 + w1 * v1 + w2 * v2 + w3 * v3) / span;
  if (t < 0.06 || t > 0.94) return false;
  return <f64>(w0 * w0 + w1 * w1 + w2 * w2 + w3 * w3) - t * t * span < 0.04 * span + 16;
}

function isOnWideEdge(i: usize, x: i32, y: i32): bool {
  if (x < 3 || y < 3 || x >= width - 3 || y >= height - 3) return false;
  const down = 3 * row;
  const least = 2 * leastContrast;
  return (
    isBetween(i, i - 12, i + 12, least) ||
    isBetween(i, i - down, i + down, least) ||
    isBetween(i, i - down - 12, i + down + 12, least) ||
    isBetween(i, i - down + 12, i + down - 12, least)
  );
}

function classifyBorderPixel(i: usize, x: i32, y: i32): i32 {
  for (let v = y > 0 ? y - 1 : 0; v <= y + 1 && v < height; v++) {
    for (let u = x > 0 ? x - 1 : 0; u <= x + 1 && u < width; u++) {
      if (!isNear(i, i + (v - y) * row + ((u - x) << 2), flatStep)) return CORE;
    }
  }
  return FLAT;
}

/** Counts the votes of a row. Returns its clear pixels. */
function countRow(start: usize, y: i32, kinds: usize, tables: usize): i32 {
  let clear: i32 = 0;
  let x = 0;
  while (x < width) {
    const i = start + (<usize>x << 2);
    const kind = load<u8>(kinds + x);
    let run = 1;
    if (noise == 0 && kind == FLAT) run = endOfRun(start, kinds, x, width) - x;
    x += run;
    if (kind == MIXED) continue;
    const alpha = load<u8>(i, 3);
    if (alpha < 8) clear += run;
    else if (alpha >= 250) countPixel(i, x - run, y, kind, run, tables);
  }
  return clear;
}

function countPixel(i: usize, x: i32, y: i32, kind: i32, run: i32, tables: usize): void {
  if (noise > 0 && isFirm(i, x, y)) vote(tables + 3 * TABLE, i, 1);
  if (run > 1) vote(tables, i, <f64>run);
  else if (kind == FLAT) {
    const right = x + 1 < width ? i + 4 : i;
    const under = y + 1 < height ? i + row : i;
    const isStill = isNear(i, right, stillStep) && isNear(i, under, stillStep);
    vote(isStill ? tables : tables + TABLE, i, 1);
  } else if (isStrokeCore(i, x, y)) vote(tables + 2 * TABLE, i, 1);
}

function isFirm(i: usize, x: i32, y: i32): bool {
  if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return false;
  const down = row << 1;
  return (
    looksLike(i, i - 8) &&
    looksLike(i, i + 8) &&
    looksLike(i, i - down) &&
    looksLike(i, i + down) &&
    looksLike(i, i - down - 8) &&
    looksLike(i, i + down + 8) &&
    looksLike(i, i - down + 8) &&
    looksLike(i, i + down - 8)
  );
}

function looksLike(i: usize, j: usize): bool {
  const red = <f64>(byte(i, 0) - byte(j, 0));
  const green = <f64>(byte(i, 1) - byte(j, 1));
  const blue = <f64>(byte(i, 2) - byte(j, 2));
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
  const most = 24 + 4 * noise;
  return Math.abs(luma) <= 5 + 2 * noise && Math.abs(red - luma) <= most && Math.abs(blue - luma) <= most;
}

function isStrokeCore(i: usize, x: i32, y: i32): bool {
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return false;
  return (
    (isNear(i, i - 4, coreStep) && isNear(i, i + 4, coreStep)) ||
    (isNear(i, i - row, coreStep) && isNear(i, i + row, coreStep)) ||
    (isNear(i, i - row - 4, coreStep) && isNear(i, i + row + 4, coreStep)) ||
    (isNear(i, i - row + 4, coreStep) && isNear(i, i + row - 4, coreStep))
  );
}

function vote(table: usize, i: usize, times: f64): void {
  const red = byte(i, 0);
  const green = byte(i, 1);
  const blue = byte(i, 2);
  const key = ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
  const slot = table + PLACES + (<usize>key << 1);
  store<f64>(table, load<f64>(table) + times);
  let place = <usize>load<u16>(slot);
  if (place == 0) {
    const bins = load<u32>(table, 8);
    place = bins + 1;
    store<u32>(table, place, 8);
    store<u16>(slot, <u16>place);
    store<u16>(table + KEYS + (<usize>bins << 1), <u16>key);
    const sums = table + SUMS + (<usize>bins << 5);
    v128.store(sums, f64x2.splat(0));
    v128.store(sums, f64x2.splat(0), 16);
  }
  const sums = table + SUMS + ((place - 1) << 5);
  store<f64>(sums, load<f64>(sums) + times);
  store<f64>(sums, load<f64>(sums, 8) + times * <f64>red, 8);
  store<f64>(sums, load<f64>(sums, 16) + times * <f64>green, 16);
  store<f64>(sums, load<f64>(sums, 24) + times * <f64>blue, 24);
}
