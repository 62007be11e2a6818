/**
 * One Gauss–Newton step of refinement: the conjugate gradients of `Solver` in `src/refine/refine.ts`, whose text
 * explains them. Sums are made in the same order there and here, so that both have the same bits.
 */

/** Addresses and counts of the problem, in the order in which `src/kernels/kernels.ts` writes them, 4 bytes each. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
function word(at: usize, index: i32): i32 {
  return load<i32>(at + (<usize>index << 2));
}

// The problem, while `solveStep` runs.
let entries: i32 = 0;
let channels: i32 = 0;
let nodes: i32 = 0;
let handles: i32 = 0;
let turns: i32 = 0;
let firstHandle: i32 = 0;
let pointCount: i32 = 0;
let fieldBytes: i32 = 0;
let entryPlace: usize = 0;
let entrySegment: usize = 0;
let entryGradient: usize = 0;
let weight: usize = 0;
let contrast: usize = 0;
let chainOf: usize = 0;
let points: usize = 0;
let x: usize = 0;
let y: usize = 0;
let handleNode: usize = 0;
let length: usize = 0;
let ux: usize = 0;
let uy: usize = 0;
let turnOf: usize = 0;
let lineOf: usize = 0;
let radius: usize = 0;
let free: usize = 0;
let ridge: usize = 0;
let field: usize = 0;
let moves: usize = 0; // x and y of each point, side by side
let solution: usize = 0;
let gradient: usize = 0;
let residual: usize = 0;
let direction: usize = 0;
let product: usize = 0;
let diagonal: usize = 0;
let coupling: usize = 0;
let scaledResidual: usize = 0;

// @ts-expect-error: a decorator of AssemblyScript
@inline
function f(array: usize, index: i32): f64 {
  return load<f64>(array + (<usize>index << 3));
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function setF(array: usize, index: i32, value: f64): void {
  store<f64>(array + (<usize>index << 3), value);
}

// @ts-expect-error: a decorator of AssemblyScript
@inline
function i(array: usize, index: i32): i32 {
  return load<i32>(array + (<usize>index << 2));
}

function read(at: usize): void {
  entries = word(at, 0);
  channels = word(at, 1);
  nodes = word(at, 2);
  handles = word(at, 3);
  turns = word(at, 4);
  firstHandle = word(at, 5);
  pointCount = word(at, 6);
  fieldBytes = word(at, 7);
  entryPlace = word(at, 8);
  entrySegment = word(at, 9);
  entryGradient = word(at, 10);
  weight = word(at, 11);
  contrast = word(at, 12);
  chainOf = word(at, 13);
  points = word(at, 14);
  x = word(at, 15);
  y = word(at, 16);
  handleNode = word(at, 17);
  length = word(at, 18);
  ux = word(at, 19);
  uy = word(at, 20);
  turnOf = word(at, 21);
  lineOf = word(at, 22);
  radius = word(at, 23);
  free = word(at, 24);
  ridge = word(at, 25);
  field = word(at, 26);
  moves = word(at, 27);
  solution = word(at, 28);
  gradient = word(at, 29);
  residual = word(at, 30);
  direction = word(at, 31);
  product = word(at, 32);
  diagonal = word(at, 33);
  coupling = word(at, 34);
  scaledResidual = word(at, 35);
}

/**
 * Finds the change of the unknowns that brings the rendering nearest to the picture. `field` holds the weighted
 * difference. Writes the solution, and the gradient before the first step.
 */
export function solveStep(problem: usize, damping: f64, innerSteps: i32, enough: f64): void {
  read(problem);
  const unknowns = 2 * nodes + handles + turns;
  const bytes = <usize>unknowns << 3;
  buildPreconditioner(damping, unknowns);
  applyTranspose(residual, 0, 1);
  memory.copy(gradient, residual, bytes);
  memory.fill(solution, 0, bytes);
  precondition(unknowns);
  memory.copy(direction, scaledResidual, bytes);
  let squaredNorm = dot(residual, scaledResidual, unknowns);
  const first = squaredNorm;
  for (let step = 0; step < innerSteps && squaredNorm > enough * first; step++) {
    applyJacobian();
    applyTranspose(product, weight, damping);
    for (let k = 0; k < unknowns; k++) setF(product, k, f(product, k) + f(ridge, k) * f(direction, k));
    const curvature = dot(product, direction, unknowns);
    if (!(curvature > 0)) break;
    const alpha = squaredNorm / curvature;
    for (let k = 0; k < unknowns; k++) {
      setF(solution, k, f(solution, k) + alpha * f(direction, k));
      setF(residual, k, f(residual, k) - alpha * f(product, k));
    }
    precondition(unknowns);
    const next = dot(residual, scaledResidual, unknowns);
    const beta = next / squaredNorm;
    for (let k = 0; k < unknowns; k++) setF(direction, k, f(scaledResidual, k) + beta * f(direction, k));
    squaredNorm = next;
  }
}

function dot(a: usize, b: usize, count: i32): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < count; k++) sum += f(a, k) * f(b, k);
  return sum;
}

function precondition(unknowns: i32): void {
  for (let n = 0; n < nodes; n++) {
    const k = 2 * n;
    const bits = load<u8>(free + n);
    const a = f(diagonal, k);
    const b = bits == 3 ? f(coupling, n) : 0;
    const c = f(diagonal, k + 1);
    const determinant = a * c - b * b;
    const r = f(residual, k);
    const s = f(residual, k + 1);
    setF(scaledResidual, k, bits & 1 ? (r * c - s * b) / determinant : 0);
    setF(scaledResidual, k + 1, bits & 2 ? (s * a - r * b) / determinant : 0);
  }
  for (let k = 2 * nodes; k < unknowns; k++) setF(scaledResidual, k, f(residual, k) / f(diagonal, k));
}

function buildPreconditioner(damping: f64, unknowns: i32): void {
  memory.fill(diagonal, 0, <usize>unknowns << 3);
  memory.fill(coupling, 0, <usize>nodes << 3);
  const lengths = nodes * 2;
  const firstTurn = lengths + handles;
  for (let e = 0; e < entries; e++) {
    const segment = i(entrySegment, e);
    const c = i(chainOf, segment) * channels;
    let square: f64 = 0;
    for (let k = c; k < c + channels; k++) square += f(contrast, k) * f(contrast, k);
    square *= f(weight, i(entryPlace, e)) * damping;
    for (let end = 0; end < 2; end++) {
      const node = i(points, segment * 4 + end * 3);
      const handle = i(points, segment * 4 + 1 + end);
      let px = f(entryGradient, e * 8 + end * 6);
      let py = f(entryGradient, e * 8 + end * 6 + 1);
      if (handle >= 0) {
        const h = handle - firstHandle;
        const hx = f(entryGradient, e * 8 + 2 + end * 2);
        const hy = f(entryGradient, e * 8 + 3 + end * 2);
        px += hx;
        py += hy;
        const along = hx * f(ux, h) + hy * f(uy, h);
        setF(diagonal, lengths + h, f(diagonal, lengths + h) + square * along * along);
        const turn = i(turnOf, h);
        if (turn >= 0 && f(radius, turn) > 0) {
          const across = (hy * f(ux, h) - hx * f(uy, h)) * (f(length, h) / f(radius, turn));
          setF(diagonal, firstTurn + turn, f(diagonal, firstTurn + turn) + square * across * across);
        }
      }
      setF(diagonal, node * 2, f(diagonal, node * 2) + square * px * px);
      setF(diagonal, node * 2 + 1, f(diagonal, node * 2 + 1) + square * py * py);
      setF(coupling, node, f(coupling, node) + square * px * py);
    }
  }
  for (let k = 0; k < unknowns; k++) setF(diagonal, k, f(diagonal, k) + f(ridge, k));
}

/** Writes the first-order change of the pixels with the direction to `field`. */
function applyJacobian(): void {
  moveAlong();
  memory.fill(field, 0, fieldBytes);
  let last = -1;
  let q: usize = 0;
  let isLine = false;
  let a = f64x2.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (let e = 0; e < entries; e++) {
    const segment = i(entrySegment, e);
    if (segment != last) {
      last = segment;
      q = contrast + (<usize>(i(chainOf, segment) * channels) << 3);
      const at = points + (<usize>segment << 4);
      a = v128.load(moves + (<usize>load<i32>(at) << 4));
      d = v128.load(moves + (<usize>load<i32>(at, 12) << 4));
      const handle = load<i32>(at, 4);
      isLine = handle < 0;
      if (!isLine) {
        b = v128.load(moves + (<usize>handle << 4));
        c = v128.load(moves + (<usize>load<i32>(at, 8) << 4));
      }
    }
    const g = entryGradient + (<usize>e << 6);
    const fromA = f64x2.mul(v128.load(g), a);
    const fromD = f64x2.mul(v128.load(g, 48), d);
    let change =
      f64x2.extract_lane(fromA, 0) +
      f64x2.extract_lane(fromA, 1) +
      f64x2.extract_lane(fromD, 0) +
      f64x2.extract_lane(fromD, 1);
    if (!isLine) {
      const fromB = f64x2.mul(v128.load(g, 16), b);
      const fromC = f64x2.mul(v128.load(g, 32), c);
      change +=
        f64x2.extract_lane(fromB, 0) +
        f64x2.extract_lane(fromB, 1) +
        f64x2.extract_lane(fromC, 0) +
        f64x2.extract_lane(fromC, 1);
    }
    const p = field + (<usize>(i(entryPlace, e) * channels) << 3);
    if (channels == 1) store<f64>(p, load<f64>(p) + change * load<f64>(q));
    else {
      for (let k: usize = 0; k < <usize>channels << 3; k += 8) {
        store<f64>(p + k, load<f64>(p + k) + change * load<f64>(q + k));
      }
    }
  }
}

/** Applies the transpose to `field`, weighted by `scale` times the weights if there are any. */
function applyTranspose(out: usize, weights: usize, scale: f64): void {
  memory.fill(moves, 0, <usize>pointCount << 4);
  for (let e = 0; e < entries; ) {
    const segment = i(entrySegment, e);
    const q = contrast + (<usize>(i(chainOf, segment) * channels) << 3);
    const at = points + (<usize>segment << 4);
    const handle = load<i32>(at, 4);
    const isLine = handle < 0;
    const toA = moves + (<usize>load<i32>(at) << 4);
    const toD = moves + (<usize>load<i32>(at, 12) << 4);
    const toB = isLine ? toA : moves + (<usize>handle << 4);
    const toC = isLine ? toD : moves + (<usize>load<i32>(at, 8) << 4);
    // The sums of a segment stay in registers, but for a loop of one segment, whose ends are one node.
    const isLoop = toA == toD;
    let a = v128.load(toA);
    let d = v128.load(toD);
    let b = v128.load(toB);
    let c = v128.load(toC);
    for (; e < entries && i(entrySegment, e) == segment; e++) {
      const place = i(entryPlace, e);
      const p = field + (<usize>(place * channels) << 3);
      let change: f64 = 0;
      if (channels == 1) change += load<f64>(p) * load<f64>(q);
      else for (let k: usize = 0; k < <usize>channels << 3; k += 8) change += load<f64>(p + k) * load<f64>(q + k);
      change *= weights ? f(weights, place) * scale : scale;
      if (change == 0) continue;
      const g = entryGradient + (<usize>e << 6);
      const changes = f64x2.splat(change);
      a = f64x2.add(a, f64x2.mul(changes, v128.load(g)));
      if (isLoop) a = f64x2.add(a, f64x2.mul(changes, v128.load(g, 48)));
      else d = f64x2.add(d, f64x2.mul(changes, v128.load(g, 48)));
      if (isLine) continue;
      b = f64x2.add(b, f64x2.mul(changes, v128.load(g, 16)));
      c = f64x2.add(c, f64x2.mul(changes, v128.load(g, 32)));
    }
    if (!isLoop) v128.store(toD, d);
    v128.store(toA, a);
    if (!isLine) {
      v128.store(toB, b);
      v128.store(toC, c);
    }
  }
  gather(out);
}

/** Writes the first-order move of each point when the unknowns change by the direction. */
function moveAlong(): void {
  for (let n = 0; n < nodes; n++) {
    v128.store(moves + (<usize>n << 4), v128.load(direction + (<usize>n << 4)));
  }
  const lengths = 2 * nodes;
  const firstTurn = lengths + handles;
  for (let h = 0; h < handles; h++) {
    const n = i(handleNode, h);
    const nx = f(moves, 2 * n);
    const ny = f(moves, 2 * n + 1);
    let turn: f64 = 0;
    const own = i(turnOf, h);
    if (own >= 0) turn = f(radius, own) > 0 ? f(direction, firstTurn + own) / f(radius, own) : 0;
    else {
      const q = i(lineOf, h);
      const lx = f(x, n) - f(x, q);
      const ly = f(y, n) - f(y, q);
      const square = lx * lx + ly * ly;
      if (square > 0) turn = ((ny - f(moves, 2 * q + 1)) * lx - (nx - f(moves, 2 * q)) * ly) / square;
    }
    turn *= f(length, h);
    const change = f(direction, lengths + h);
    const at = 2 * (firstHandle + h);
    setF(moves, at, nx + f(ux, h) * change - f(uy, h) * turn);
    setF(moves, at + 1, ny + f(uy, h) * change + f(ux, h) * turn);
  }
}

/** Turns a gradient in the points, which it overwrites, into one in the unknowns. */
function gather(out: usize): void {
  const lengths = 2 * nodes;
  const firstTurn = lengths + handles;
  memory.fill(out + (<usize>firstTurn << 3), 0, <usize>turns << 3);
  for (let h = 0; h < handles; h++) {
    const n = i(handleNode, h);
    const px = f(moves, 2 * (firstHandle + h));
    const py = f(moves, 2 * (firstHandle + h) + 1);
    setF(moves, 2 * n, f(moves, 2 * n) + px);
    setF(moves, 2 * n + 1, f(moves, 2 * n + 1) + py);
    setF(out, lengths + h, f(ux, h) * px + f(uy, h) * py);
    const turn = (f(ux, h) * py - f(uy, h) * px) * f(length, h);
    const own = i(turnOf, h);
    if (own >= 0) {
      if (f(radius, own) > 0) setF(out, firstTurn + own, f(out, firstTurn + own) + turn / f(radius, own));
      continue;
    }
    const q = i(lineOf, h);
    const lx = f(x, n) - f(x, q);
    const ly = f(y, n) - f(y, q);
    const square = lx * lx + ly * ly;
    if (square == 0) continue;
    setF(moves, 2 * n, f(moves, 2 * n) - (turn * ly) / square);
    setF(moves, 2 * n + 1, f(moves, 2 * n + 1) + (turn * lx) / square);
    setF(moves, 2 * q, f(moves, 2 * q) + (turn * ly) / square);
    setF(moves, 2 * q + 1, f(moves, 2 * q + 1) - (turn * lx) / square);
  }
  memory.copy(out, moves, <usize>nodes << 4);
}
