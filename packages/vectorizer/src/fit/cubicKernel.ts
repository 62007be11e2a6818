import { hypot } from '../geometry/hypot.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { loadKernels } from '../kernels/kernels.ts';
import type { Knot } from './knot.ts';
import type { Strand } from './strand.ts';

/** What a cubic is fitted to: every `stride`-th of points `first` to `last` of a strand, between two knots. */
export interface Stretch {
  strand: Strand;
  first: number;
  last: number;
  stride: number;
  start: Knot;
  end: Knot;
  /** The arc length of a point from `start`, in px, is this plus that of the strand. */
  lead: number;
  /** Length from `start` to `end` along the points, in px. */
  length: number;
}

/** The kernel that fits a cubic, and the arrays in its memory. */
interface CubicKernel {
  recall: Kernels['recallCubic'];
  fit: Kernels['fitCubic'];
  x: Float64Array;
  y: Float64Array;
  w: Float64Array;
  t: Float64Array;
  out: Float64Array;
}

/** Numbers in each array: one more than a fit takes points. */
const ROOM = 50;

let kernel: CubicKernel | undefined;
/** The memory that the arrays lie in. It becomes another one when it grows. */
let kernelBuffer: ArrayBuffer | undefined;

function findKernel(): CubicKernel | undefined {
  const kernels = loadKernels();
  if (!kernels) return undefined;
  if (kernels.memory.buffer !== kernelBuffer) {
    kernelBuffer = kernels.memory.buffer;
    kernel = mapMemory(kernels);
  }
  return kernel;
}

function mapMemory({ memory, cubicMemory, recallCubic, fitCubic }: Kernels): CubicKernel {
  const at = (place: number, length: number) =>
    new Float64Array(memory.buffer, cubicMemory() + 8 * ROOM * place, length);
  const [x, y, w, t] = [0, 1, 2, 3].map((place) => at(place, ROOM));
  return { recall: recallCubic, fit: fitCubic, x, y, w, t, out: at(4, 5) };
}

/**
 * Fits a cubic by the kernel. Returns x1, y1, x2, y2 and the badness, valid until the next fit; undefined where there
 * is no kernel.
 */
export function fitInKernel(stretch: Stretch, rounds: number, enough = -1): Float64Array | undefined {
  const own = findKernel();
  if (!own) return undefined;
  const { strand, first, last, stride, start, end, length } = stretch;
  const { x: x0, y: y0, dx: tx0, dy: ty0 } = start;
  const { x: x3, y: y3, dx: tx3, dy: ty3 } = end;
  if (own.recall(strand.version, first, last, stride, x0, y0, tx0, ty0, x3, y3, tx3, ty3, rounds, enough)) {
    return own.out;
  }
  const count = copySamples(own, stretch);
  const chord = hypot(x3 - x0, y3 - y0);
  const { tolerance, variance, nodeCost } = strand;
  const limits = [rounds, enough, tolerance, variance, nodeCost] as const;
  own.fit(count, stride, x0, y0, tx0, ty0, x3, y3, tx3, ty3, length, chord, ...limits);
  return own.out;
}

/** Copies the points, with their parameters by arc length. Returns how many there are. */
function copySamples({ x, y, w, t }: CubicKernel, { strand, first, last, stride, lead, length }: Stretch): number {
  let count = 0;
  for (let i = first; i <= last; i += stride, count++) {
    x[count] = strand.x[i];
    y[count] = strand.y[i];
    w[count] = strand.w[i];
    t[count] = (lead + strand.s[i]) / length;
  }
  return count;
}
