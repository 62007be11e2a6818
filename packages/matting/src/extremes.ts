/**
 * Returns the greatest or least value (dilation or erosion) within `radius` pixels in each direction, by rows and then
 * by columns. A window is the union of two overlapping windows whose size is a power of two, and those are built by
 * doubling: linear in pixels, times the logarithm of the radius. Needs no memory besides the result and 2 · radius rows
 * after it.
 */
export function extremes(
  values: Uint8Array,
  width: number,
  height: number,
  radius: number,
  which: 'greatest' | 'least',
): Uint8Array {
  const isGreatest = which === 'greatest';
  const outside = isGreatest ? 0 : 255;
  const window = 2 * radius + 1;
  let half = 1;
  while (2 * half <= window) half *= 2;

  const rows = new Uint8Array((height + 2 * radius) * width);
  rows.fill(outside);
  const line = new Uint8Array(width + 2 * radius);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    line.fill(outside);
    line.set(values.subarray(start, start + width), radius);
    for (let step = 1; step < half; step *= 2) fold(line, line.length - step, step, isGreatest);
    if (window > half) fold(line, width, window - half, isGreatest);
    rows.set(line.subarray(0, width), start + radius * width);
  }

  for (let step = 1; step < half; step *= 2) {
    fold(rows, rows.length - step * width, step * width, isGreatest);
  }
  if (window > half) fold(rows, values.length, (window - half) * width, isGreatest);
  return rows.subarray(0, values.length);
}

/** Replaces each value by the greater or lesser of itself and the one `step` further on, which is not replaced yet. */
function fold(values: Uint8Array, end: number, step: number, isGreatest: boolean): void {
  if (isGreatest) {
    for (let i = 0; i < end; i++) if (values[i + step] > values[i]) values[i] = values[i + step];
  } else {
    for (let i = 0; i < end; i++) if (values[i + step] < values[i]) values[i] = values[i + step];
  }
}
