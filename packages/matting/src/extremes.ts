/**
 * Greatest or least value within `radius` pixels each way, by rows and then by columns. A window is two windows of a power of two that
 * overlap, and those double from one: linear in pixels, times the logarithm of the radius. Needs twice the array besides the answer.
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

  const rows = new Uint8Array(values.length);
  const line = new Uint8Array(width + 2 * radius);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    line.fill(outside);
    for (let x = 0; x < width; x++) line[x + radius] = values[start + x];
    for (let step = 1; step < half; step *= 2) fold(line, line, 0, line.length - step, step, isGreatest);
    for (let x = 0; x < width; x++) {
      const a = line[x];
      const b = line[x + window - half];
      rows[start + x] = isGreatest === a > b ? a : b;
    }
  }

  const padded = new Uint8Array((height + 2 * radius) * width);
  padded.fill(outside);
  padded.set(rows, radius * width);
  for (let step = 1; step < half; step *= 2) {
    fold(padded, padded, 0, padded.length - step * width, step * width, isGreatest);
  }
  const across = (window - half) * width;
  for (let i = 0; i < rows.length; i++) {
    const a = padded[i];
    const b = padded[i + across];
    rows[i] = isGreatest === a > b ? a : b;
  }
  return rows;
}

/** Each value and the one `step` further on, to the greater or lesser of both. What is further on is still as it was. */
function fold(to: Uint8Array, from: Uint8Array, start: number, end: number, step: number, isGreatest: boolean): void {
  if (isGreatest) {
    for (let i = start; i < end; i++) if (from[i + step] > to[i]) to[i] = from[i + step];
  } else {
    for (let i = start; i < end; i++) if (from[i + step] < to[i]) to[i] = from[i + step];
  }
}
