/** Second differences of rows and columns: `readLine` of `src/pixels/noise.ts`, whose text explains them. */

/** An edge long ago. */
const NONE: i32 = -100;

// Addresses of the two histograms, 256 counts of 4 bytes each.
let everywhere: usize = 0;
let nearEdges: usize = 0;

// @ts-expect-error: a decorator of AssemblyScript
@inline
function add(histogram: usize, bin: i32): void {
  const at = histogram + (<usize>bin << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Counts pixel k of a line between its neighbors. Returns the place of the last edge. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function count(before: i32, here: i32, after: i32, k: i32, edge: i32): i32 {
  let bend = 0;
  if (here != before || here != after) {
    if (abs(after - before) > 40) edge = k;
    if (abs(here - before) > 24 || abs(here - after) > 24) return edge;
    bend = min(255, abs(2 * here - before - after));
  }
  add(everywhere, bend);
  if (k - edge >= 3 && k - edge <= 7) add(nearEdges, bend);
  return edge;
}

/**
 * Counts a strip of a picture: its rows `from` to `to`, of which row `top` lies at `data`. Every `step`-th row and
 * column is read. `edges` is the address of the last edge of each column, and of the histograms after them; the first
 * strip clears them.
 */
export function readNoise(
  data: usize,
  top: i32,
  from: i32,
  to: i32,
  width: i32,
  height: i32,
  step: i32,
  edges: usize,
): void {
  const row = <usize>width << 2;
  everywhere = edges + (((<usize>width << 2) + 15) & ~15);
  nearEdges = everywhere + 1024;
  if (from == 0) {
    for (let x = 0; x < width; x++) store<i32>(edges + (<usize>x << 2), NONE);
    memory.fill(everywhere, 0, 2048);
  }
  const first = step >> 1;
  for (let y = from; y < to; y++) {
    const start = data + <usize>(y - top) * row + 1;
    if ((y - first) % step == 0) readRow(start, width);
    if (y == 0 || y >= height - 1) continue;
    for (let x = first; x < width; x += step) {
      const at = start + (<usize>x << 2);
      const slot = edges + (<usize>x << 2);
      const edge = load<i32>(slot);
      const after = count(load<u8>(at - row), load<u8>(at), load<u8>(at + row), y, edge);
      if (after != edge) store<i32>(slot, after);
    }
  }
}

function readRow(start: usize, width: i32): void {
  if (width < 3) return;
  let edge = NONE;
  let before: i32 = load<u8>(start);
  let here: i32 = load<u8>(start, 4);
  for (let k = 1; k < width - 1; k++) {
    const after: i32 = load<u8>(start + (<usize>(k + 1) << 2));
    edge = count(before, here, after, k, edge);
    before = here;
    here = after;
  }
}
