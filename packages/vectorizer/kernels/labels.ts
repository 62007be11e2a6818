/** Labels of the pure pixels: the first loop of `labelPixels` in `src/color/labels.ts`, whose text explains it. */

import { endOfRun, FLAT, MIXED } from './kinds';

// The memory of labels: a table by hash of a pixel's key, 19 bits, with the label plus one in the lowest 12 bits.
const SLOT_BITS: u32 = 13;

/** Returns the bytes of the memory of labels. */
export function labelBytes(): usize {
  return 4 << SLOT_BITS;
}

/** Empties the memory of labels. */
export function clearLabels(table: usize): void {
  memory.fill(table, 0, labelBytes());
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function keyOf(i: usize): u32 {
  const red = <u32>load<u8>(i) >> 2;
  const green = <u32>load<u8>(i, 1) >> 2;
  const blue = <u32>load<u8>(i, 2) >> 2;
  return (red << 12) | (green << 6) | blue | (load<u8>(i, 3) >= 128 ? 1 << 18 : 0);
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function slotOf(table: usize, key: u32): usize {
  return table + (<usize>((key * 2654435761) >> (32 - SLOT_BITS)) << 2);
}

/** Remembers the label of the pixel at address i. */
export function rememberLabel(table: usize, i: usize, label: u32): void {
  const key = keyOf(i);
  store<u32>(slotOf(table, key), (key << 12) | (label + 1));
}

/**
 * Labels `count` pixels from number `from` on. Writes 1 to `state` for those that have a label then, and 0 for those
 * that wait. Returns the number of the first pixel whose label is not remembered, or `count`.
 */
export function labelPure(
  data: usize,
  from: i32,
  count: i32,
  kinds: usize,
  labels: usize,
  state: usize,
  table: usize,
  palette: usize,
  near: f64,
): i32 {
  let p = from;
  while (p < count) {
    const i = data + (<usize>p << 2);
    const kind = load<u8>(kinds + p);
    let label: u32 = 0;
    let isLabeled = false;
    let end = p + 1;
    if (kind != MIXED) {
      const key = keyOf(i);
      const entry = load<u32>(slotOf(table, key));
      if ((entry & 4095) == 0 || entry >> 12 != key) return p;
      label = (entry & 4095) - 1;
      isLabeled = kind == FLAT || squaredDistance(i, palette + (<usize>label << 5)) < near;
      if (kind == FLAT) end = endOfRun(data, kinds, p, count);
    }
    if (end == p + 1) {
      store<u16>(labels + (<usize>p << 1), isLabeled ? <u16>label : 0);
      store<u8>(state + p, isLabeled ? 1 : 0);
    } else {
      memory.fill(state + p, 1, end - p);
      fill(labels + (<usize>p << 1), labels + (<usize>end << 1), <u16>label);
    }
    p = end;
  }
  return count;
}

function fill(from: usize, to: usize, label: u16): void {
  const labels = i16x8.splat(<i16>label);
  for (; from + 16 <= to; from += 16) v128.store(from, labels);
  for (; from < to; from += 2) store<u16>(from, label);
}

function squaredDistance(i: usize, color: usize): f64 {
  let sum: f64 = 0;
  for (let c: usize = 0; c < 4; c++) {
    const d = <f64>load<u8>(i + c) - load<f64>(color + (c << 3));
    sum += d * d;
  }
  return sum;
}
