/** Steps of the grid that seeds are kept in, to the largest reach. */
const STEPS = 16;

/**
 * Returns the class of each value: those that lie within their reach of a seed, the nearest one. Seeds are the values
 * of the largest weights that have no seed within reach. Values are equal that differ by a multiple of `period`, where
 * it is finite. The classes do not depend on the order of the values. About linear, after a sort.
 */
export function findClasses(
  values: ArrayLike<number>,
  reaches: ArrayLike<number>,
  weights: ArrayLike<number>,
  period = Infinity,
): number[][] {
  const order = Array.from(values, (_, k) => k);
  order.sort((a, b) => weights[b] - weights[a] || values[a] - values[b] || a - b);
  let step = 0;
  for (const k of order) step = Math.max(step, reaches[k] / STEPS);
  // With a period, all cells but the last have the size of a step, and the last has the rest.
  const cells = period < Infinity ? Math.max(1, Math.floor(period / step)) : Infinity;
  const wrap = (value: number): number => (period < Infinity ? value - period * Math.floor(value / period) : value);
  const cellOf = (value: number): number => Math.min(cells - 1, Math.floor(wrap(value) / step));
  const seeds = new Map<number, number[]>(); // cell → classes
  const classes: number[][] = [];
  for (const k of order) {
    const cell = cellOf(values[k]);
    const far = Math.min(Math.ceil(reaches[k] / step) + 1, cells / 2);
    let best = -1;
    let least = reaches[k];
    for (let ring = 0; ring <= far && (ring - 1) * step <= least; ring++) {
      for (const at of ring === 0 ? [cell] : [cell - ring, cell + ring]) {
        for (const id of seeds.get(cells < Infinity ? (at + cells) % cells : at) ?? []) {
          const off = Math.abs(offBy(values[k], values[classes[id][0]], period));
          if (off > least || (off === least && best >= 0)) continue;
          least = off;
          best = id;
        }
      }
    }
    if (best >= 0) classes[best].push(k);
    else {
      const list = seeds.get(cell);
      if (list) list.push(classes.length);
      else seeds.set(cell, [classes.length]);
      classes.push([k]);
    }
  }
  return classes;
}

/** Returns by how much a value is more than another: the least of its differences by periods. */
export function offBy(value: number, from: number, period = Infinity): number {
  const off = value - from;
  return period < Infinity ? off - period * Math.round(off / period) : off;
}
