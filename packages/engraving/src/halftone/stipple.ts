/** Round dots without a grid, closer where the picture is darker. */
import type { Contour } from './contours.ts';
import type { Cover } from './cover.ts';
import type { Limits } from './strokes.ts';

interface StippleRule extends Limits {
  /** The diameter of a usual dot. */
  readonly dotMm: number;
}

/** Cells of the grid on which points are moved, for one dot's area. */
const CELLS_PER_DOT = 12;
const ROUNDS = 18;
/** Points are moved farther than to their middle, which settles them sooner, but for the last rounds. */
const EAGERNESS = 1.6;
const LAST_ROUNDS = 4;
/** The more sides, the less room do the corners of dots take from their neighbors. */
const [LEAST_SIDES, MOST_SIDES] = [16, 24];
/** The most that dots of one size cover (hexagonal packing), less what an uneven order loses. */
const DENSEST = 0.8;

const clamp = (value: number, size: number) => Math.max(0, Math.min(size, value));

interface Step {
  readonly columns: number;
  readonly rows: number;
  /** 1 moves a point to the middle of its ink. */
  readonly factor: number;
}

/** Places of dots, in cells. */
interface Points {
  x: Float32Array;
  y: Float32Array;
}

/**
 * Returns the contours of a stipple drawing, in reading order of broad strips. Points with equal shares of ink are
 * moved to the middle of the ink nearest to them until they are even (Lloyd's method, weighted: Secord 2002). Each dot
 * then gets the ink of its own neighborhood as its area, not below the beam, and as far as its neighbors leave room:
 * dots never touch, so that at most about two thirds of an area can be dark. Cost: about 1 s for 20,000 dots.
 */
export function drawStipple(cover: Cover, rule: StippleRule): Contour[] {
  const { widthMm, heightMm } = cover;
  const dotMm = Math.max(rule.dotMm, rule.beamMm);
  const cellMm = Math.sqrt((Math.PI * dotMm ** 2) / 4 / CELLS_PER_DOT);
  const columns = Math.max(1, Math.round(widthMm / cellMm));
  const rows = Math.max(1, Math.round(heightMm / cellMm));
  const ink = new Float32Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const share = cover.read(((x + 0.5) / columns) * widthMm, ((y + 0.5) / rows) * heightMm);
      ink[y * columns + x] = DENSEST * Math.max(0, share);
    }
  }
  const points = seedPoints(ink, columns, rows);
  if (points.x.length === 0) return [];
  let masses: Float32Array = new Float32Array(0);
  for (let round = 0; round < ROUNDS; round++) {
    masses = relax(points, ink, { columns, rows, factor: round < ROUNDS - LAST_ROUNDS ? EAGERNESS : 1 });
  }
  const [scaleX, scaleY] = [widthMm / columns, heightMm / rows];
  const spots: Spot[] = [];
  for (let i = 0; i < masses.length; i++) {
    // Another point took the cell of one without ink.
    if (masses[i] === 0) continue;
    const area = (masses[i] / DENSEST) * scaleX * scaleY;
    spots.push({ x: points.x[i] * scaleX, y: points.y[i] * scaleY, radius: Math.sqrt(area / Math.PI), wish: area });
  }
  return keepApart(spots, rule, cover).map(({ x, y, radius }) => circleOf(x, y, radius));
}

/** Scatters points so that each stands for the ink of one dot: error diffusion over the cells. */
function seedPoints(ink: Float32Array, columns: number, rows: number): Points {
  const [xs, ys]: number[][] = [[], []];
  let debts = new Float32Array(columns + 2);
  let seed = 5;
  for (let y = 0; y < rows; y++) {
    const next = new Float32Array(columns + 2);
    const step = y % 2 === 0 ? 1 : -1;
    for (let n = 0; n < columns; n++) {
      const x = step > 0 ? n : columns - 1 - n;
      const share = ink[y * columns + x] / CELLS_PER_DOT;
      if (share === 0) continue;
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      let debt = share + debts[x + 1];
      // A threshold by chance, so that light areas begin with dots here and there and not with a row.
      if (debt >= 0.25 + seed / 2 ** 33) {
        xs.push(x + 0.5);
        ys.push(y + 0.5);
        debt -= 1;
      }
      debts[x + 1 + step] += (debt * 7) / 16;
      next[x + 1 - step] += (debt * 3) / 16;
      next[x + 1] += (debt * 5) / 16;
      next[x + 1 + step] += debt / 16;
    }
    debts = next;
  }
  return { x: Float32Array.from(xs), y: Float32Array.from(ys) };
}

/**
 * Moves each point to the middle of the ink that is nearer to it than to any other, and returns how much that is. The
 * nearest point of each cell is found by passing it on from cell to cell, there and back (Danielsson 1980).
 */
function relax(points: Points, ink: Float32Array, { columns, rows, factor }: Step): Float32Array {
  const nearest = new Int32Array(columns * rows).fill(-1);
  const count = points.x.length;
  for (let i = 0; i < count; i++) {
    const [x, y] = [Math.min(columns - 1, Math.floor(points.x[i])), Math.min(rows - 1, Math.floor(points.y[i]))];
    nearest[y * columns + x] = i;
  }
  const far = (x: number, y: number, i: number) =>
    i < 0 ? Number.POSITIVE_INFINITY : (points.x[i] - x) ** 2 + (points.y[i] - y) ** 2;
  const offer = (x: number, y: number, at: number, other: number) => {
    if (nearest[other] === nearest[at]) return;
    if (far(x + 0.5, y + 0.5, nearest[other]) < far(x + 0.5, y + 0.5, nearest[at])) nearest[at] = nearest[other];
  };
  for (const sign of [1, -1]) {
    for (let n = 0; n < rows; n++) {
      const y = sign > 0 ? n : rows - 1 - n;
      const hasPast = n > 0;
      for (let m = 0; m < 2 * columns; m++) {
        // Across and back again, so that a row is finished before the next one takes from it.
        const isBack = m >= columns;
        const x = isBack ? 2 * columns - 1 - m : m;
        const at = y * columns + x;
        if (!isBack && hasPast) {
          const past = at - sign * columns;
          offer(x, y, at, past);
          if (x > 0) offer(x, y, at, past - 1);
          if (x + 1 < columns) offer(x, y, at, past + 1);
        }
        if (!isBack && x > 0) offer(x, y, at, at - 1);
        if (isBack && x + 1 < columns) offer(x, y, at, at + 1);
      }
    }
  }
  const masses = new Float32Array(count);
  const sumX = new Float32Array(count);
  const sumY = new Float32Array(count);
  for (let y = 0, at = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++, at++) {
      const i = nearest[at];
      masses[i] += ink[at];
      sumX[i] += ink[at] * (x + 0.5);
      sumY[i] += ink[at] * (y + 0.5);
    }
  }
  for (let i = 0; i < count; i++) {
    if (masses[i] === 0) continue;
    points.x[i] = clamp(points.x[i] + factor * (sumX[i] / masses[i] - points.x[i]), columns);
    points.y[i] = clamp(points.y[i] + factor * (sumY[i] / masses[i] - points.y[i]), rows);
  }
  return masses;
}

interface Spot {
  readonly x: number;
  readonly y: number;
  radius: number;
  /** The ink of its neighborhood, in square millimeters. */
  readonly wish: number;
}

/** The corner of a polygon is farther out than its circle of the same area by at most this factor. */
const CORNER = Math.sqrt((2 * Math.PI) / (LEAST_SIDES * Math.sin((2 * Math.PI) / LEAST_SIDES))) + 0.0005;

/**
 * Makes dots large enough for the beam and small enough for their neighbors and the frame, and leaves out those for
 * which there is no such size. They are returned in strips, to and fro.
 */
function keepApart(spots: Spot[], { beamMm, gapMm, dotMm }: StippleRule, { widthMm, heightMm }: Cover): Spot[] {
  const cell = Math.max(dotMm, beamMm) * 2 + gapMm;
  const columns = Math.floor(widthMm / cell) + 3;
  const cells = new Map<number, Spot[]>();
  const keyOf = ({ x, y }: Spot) => (Math.floor(y / cell) + 1) * columns + Math.floor(x / cell) + 1;
  const least = (beamMm / 2) * CORNER;
  const dots: Spot[] = [];
  const near = (spot: Spot) => {
    const key = keyOf(spot);
    return [-columns, 0, columns].flatMap((row) => [-1, 0, 1].flatMap((dx) => cells.get(key + row + dx) ?? []));
  };
  for (const spot of spots) {
    const edge = Math.min(spot.x, spot.y, widthMm - spot.x, heightMm - spot.y);
    if (edge < least) continue;
    spot.radius = Math.min(Math.max(spot.radius, least), edge / CORNER, cell / 2 / CORNER - gapMm / 2);
    const isCrowded = near(spot).some(
      (other) => Math.hypot(other.x - spot.x, other.y - spot.y) < 2 * least * CORNER + gapMm + 0.002,
    );
    if (isCrowded) continue;
    const list = cells.get(keyOf(spot));
    if (list) list.push(spot);
    else cells.set(keyOf(spot), [spot]);
    dots.push(spot);
  }
  for (const spot of dots) {
    for (const other of near(spot)) {
      if (other === spot) continue;
      const room = (Math.hypot(other.x - spot.x, other.y - spot.y) - gapMm - 0.002) / CORNER;
      const [small, large] = spot.radius < other.radius ? [spot, other] : [other, spot];
      // The larger one gives way first, then both alike.
      small.radius = Math.min(small.radius, room / 2);
      large.radius = Math.min(large.radius, room - small.radius);
    }
  }
  const strip = 4 * dotMm;
  const stripOf = ({ y }: Spot) => Math.floor(y / strip);
  dots.sort((a, b) => stripOf(a) - stripOf(b) || (stripOf(a) % 2 === 0 ? a.x - b.x : b.x - a.x));
  // What a dot has no room for is made up for by the next ones, where they have some. Much of it is let go.
  let debt = 0;
  for (const spot of dots) {
    const edge = Math.min(spot.x, spot.y, widthMm - spot.x, heightMm - spot.y);
    let most = Math.min(edge / CORNER, cell / 2 / CORNER - gapMm / 2);
    for (const other of near(spot)) {
      if (other === spot) continue;
      const distance = Math.hypot(other.x - spot.x, other.y - spot.y);
      most = Math.min(most, (distance - gapMm - 0.002) / CORNER - other.radius);
    }
    const area = spot.wish + debt;
    const radius = Math.sqrt(Math.max(0, area) / Math.PI);
    if (radius > spot.radius) spot.radius = Math.max(spot.radius, Math.min(radius, most));
    else spot.radius = Math.max(least, radius);
    const limit = MOST_DEBT * spot.wish;
    debt = Math.max(-limit, Math.min(limit, area - Math.PI * spot.radius ** 2));
  }
  return dots;
}

/** The most ink that dots make up for, in dots. */
const MOST_DEBT = 2;

/** Returns a polygon of the area of a circle. */
function circleOf(x: number, y: number, radius: number): Contour {
  const count = Math.min(
    MOST_SIDES,
    Math.max(LEAST_SIDES, Math.ceil(Math.PI / Math.acos(1 - 0.005 / (radius + 0.006)))),
  );
  const reach = radius * Math.sqrt((2 * Math.PI) / (count * Math.sin((2 * Math.PI) / count)));
  const contour = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const turn = (2 * Math.PI * i) / count;
    contour[2 * i] = x + reach * Math.cos(turn);
    contour[2 * i + 1] = y + reach * Math.sin(turn);
  }
  return contour;
}
