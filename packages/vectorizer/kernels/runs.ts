/** Runs of equal labels: `findRuns` of `src/regions/regions.ts`. */

/**
 * Writes the first pixel of each run in the rows of 16-bit labels at `labels`, whose first pixel has number `first`.
 * Returns how many there are.
 */
export function findRuns(labels: usize, width: i32, rows: i32, first: i32, starts: usize): i32 {
  let out = starts;
  let at = labels;
  for (let y = 0; y < rows; y++) {
    const start = at;
    const end = at + (<usize>width << 1);
    const number = first + y * width;
    while (at < end) {
      const label = load<u16>(at);
      store<i32>(out, number + <i32>((at - start) >> 1));
      out += 4;
      at += 2;
      const labels = i16x8.splat(<i16>label);
      while (at + 16 <= end && i16x8.all_true(i16x8.eq(v128.load(at), labels))) at += 16;
      while (at < end && load<u16>(at) == label) at += 2;
    }
  }
  return <i32>((out - starts) >> 2);
}
