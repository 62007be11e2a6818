import { DisjointSet } from '../geometry/disjointSet.ts';
import { withRoom } from '../geometry/growable.ts';
import { giveBack, makeInt32, makeUint16, makeUint32 } from '../geometry/memory.ts';
import { loadKernels } from '../kernels/kernels.ts';
import { forEachStrip } from '../kernels/strips.ts';

/** The connected components of a label image. */
export interface Regions {
  width: number;
  height: number;
  /** Palette index, or label of a gradient, of each pixel. */
  labels: Uint16Array;
  /** Region of each pixel. */
  ids: Uint32Array;
  /** First pixel of each run of one region within a row, in order, and the number of pixels at the end. */
  starts: Int32Array;
  count: number;
  /** Palette label of each region. */
  labelOf: Uint16Array;
  /** Pixels of each region. */
  areaOf: Uint32Array;
}

/**
 * Labels connected components: numbers the connected regions of equal label in scan order. Pixels that share a side are
 * connected; pixels that share a corner are connected where `joinsDown` or `joinsUp` is true.
 *
 * Union–find over runs of equal pixels in a row, close to linear, without recursion. Drawn art has far fewer runs than
 * pixels.
 */
export function findRegions(labels: Uint16Array, width: number, height: number): Regions {
  return connect(labels, width, height, findRuns(labels, width, height));
}

/**
 * Returns the connected regions after each region has taken the label of its target. Gives back the arrays of the
 * former regions.
 */
export function relabelRegions(regions: Regions, target: Uint32Array): Regions {
  const { width, height, ids, starts, labelOf } = regions;
  giveBack(regions.labels);
  const labels = makeUint16(ids.length);
  const newStarts = makeInt32(starts.length);
  let runs = 0;
  let next = 0; // first pixel of the next row
  for (let k = 0; k + 1 < starts.length; k++) {
    const from = starts[k];
    const label = labelOf[target[ids[from]]];
    if (from === next) next += width;
    else if (labels[from - 1] === label) {
      fillRun(labels, label, from, starts[k + 1]);
      continue;
    }
    newStarts[runs++] = from;
    fillRun(labels, label, from, starts[k + 1]);
  }
  newStarts[runs] = ids.length;
  const exactStarts = newStarts.slice(0, runs + 1);
  giveBack(newStarts, ids);
  return connect(labels, width, height, exactStarts);
}

/** Fills a run. Most runs are short, and the call to the built-in fill costs more than writing them in a loop. */
function fillRun(out: Uint16Array | Uint32Array, value: number, from: number, to: number): void {
  if (to - from > 8) out.fill(value, from, to);
  else for (let i = from; i < to; i++) out[i] = value;
}

function connect(labels: Uint16Array, width: number, height: number, starts: Int32Array): Regions {
  const runs = starts.length - 1;
  const sets = new DisjointSet(runs);
  joinRuns(labels, width, height, starts, sets);
  const { ids: idOfRun, count } = sets.toIds();
  const ids = makeUint32(width * height);
  const labelOf = new Uint16Array(count);
  const areaOf = new Uint32Array(count);
  for (let k = 0; k < runs; k++) {
    const id = idOfRun[k];
    const from = starts[k];
    const to = starts[k + 1];
    fillRun(ids, id, from, to);
    labelOf[id] = labels[from];
    areaOf[id] += to - from;
  }
  return { width, height, labels, ids, starts, count, labelOf, areaOf };
}

/** Returns the first pixel of each run of equal labels, or ids, in a row, and the number of pixels at the end. */
export function findRuns(labels: Uint16Array | Uint32Array, width: number, height: number): Int32Array {
  const starts = labels instanceof Uint16Array && findRunsInKernel(labels, width, height);
  return starts || findRunsHere(labels, width, height);
}

/** Finds the runs by the kernel. Returns undefined where there is none. */
function findRunsInKernel(data: Uint16Array, width: number, height: number): Int32Array | undefined {
  const kernels = loadKernels();
  if (!kernels) return undefined;
  let starts = new Int32Array(1024);
  let runs = 0;
  const isRead = forEachStrip(kernels, { width, height, data }, { perPixel: 4 }, ({ at, from, to }, results) => {
    const count = kernels.findRuns(at, width, to - from, from * width, results);
    starts = withRoom(starts, runs + count + 1);
    starts.set(new Int32Array(kernels.memory.buffer, results, count), runs);
    runs += count;
  });
  starts[runs] = width * height;
  return isRead ? starts.slice(0, runs + 1) : undefined;
}

/** Does in TypeScript what the kernel does. */
function findRunsHere(labels: Uint16Array | Uint32Array, width: number, height: number): Int32Array {
  let starts = new Int32Array(1024);
  let runs = 0;
  for (let y = 0, i = 0; y < height; y++) {
    const end = i + width;
    starts = withRoom(starts, runs + width + 1);
    while (i < end) {
      const label = labels[i];
      starts[runs++] = i++;
      while (i < end && labels[i] === label) i++;
    }
  }
  starts[runs] = width * height;
  return starts.slice(0, runs + 1);
}

/** Joins the runs of each row with the runs of the row above that they touch. */
function joinRuns(labels: Uint16Array, width: number, height: number, starts: Int32Array, sets: DisjointSet): void {
  let above = 0;
  let here = 0;
  while (starts[here] < width) here++;
  for (let y = 1; y < height; y++) {
    const row = y * width;
    const next = row + width;
    const first = here;
    while (above < first && starts[here] < next) {
      const aboveFrom = starts[above] + width;
      const hereFrom = starts[here];
      if (labels[starts[above]] === labels[hereFrom]) sets.join(above, here);
      else if (aboveFrom === hereFrom && hereFrom > row) {
        // Four runs meet at a corner.
        const x = hereFrom - row;
        if (labels[hereFrom] === labels[starts[above - 1]]) {
          if (joinsDown(labels, width, height, x, y)) sets.join(above - 1, here);
        }
        if (labels[hereFrom - 1] === labels[starts[above]]) {
          if (joinsUp(labels, width, height, x, y)) sets.join(above, here - 1);
        }
      }
      const aboveTo = starts[above + 1] + width;
      const hereTo = starts[here + 1];
      if (aboveTo <= hereTo) above++;
      if (hereTo <= aboveTo) here++;
    }
  }
}

/**
 * Returns true when the upper left and lower right of the four pixels that meet at the lattice point (x, y) are
 * connected. They must be equal and differ from the other two. When the other two are equal as well, the label that is
 * rarer in the surrounding 4 × 4 pixels is connected, because an unbroken thin line is likelier than a broken one.
 */
export function joinsDown(labels: Uint16Array, width: number, height: number, x: number, y: number): boolean {
  const i = y * width + x;
  const main = labels[i];
  const other = labels[i - 1];
  if (main !== labels[i - width - 1] || main === other || main === labels[i - width]) return false;
  if (other !== labels[i - width]) return true;
  return isRarer(labels, width, height, x, y, main);
}

/** Returns true when the upper right and lower left pixels are connected, by the same rule. */
export function joinsUp(labels: Uint16Array, width: number, height: number, x: number, y: number): boolean {
  const i = y * width + x;
  const main = labels[i - 1];
  const other = labels[i];
  if (main !== labels[i - width] || main === other || main === labels[i - width - 1]) return false;
  if (other !== labels[i - width - 1]) return true;
  return isRarer(labels, width, height, x, y, main);
}

function isRarer(labels: Uint16Array, width: number, height: number, x: number, y: number, main: number): boolean {
  const i = y * width + x;
  const other = main === labels[i] ? labels[i - 1] : labels[i];
  let balance = 0;
  for (let v = Math.max(0, y - 2); v < Math.min(height, y + 2); v++) {
    for (let u = Math.max(0, x - 2); u < Math.min(width, x + 2); u++) {
      const label = labels[v * width + u];
      if (label === main) balance++;
      else if (label === other) balance--;
    }
  }
  // A tie goes to the later palette entry, which is the rarer color in the whole picture.
  return balance !== 0 ? balance < 0 : main > other;
}
