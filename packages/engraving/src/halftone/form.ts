/** Lines that follow the form of what the picture shows. */
import { blur, type Plane, readAt } from '../plane.ts';
import { type Contour, orderByTravel } from './contours.ts';
import type { Cover } from './cover.ts';
import { type LineRule, stepOf } from './lines.ts';
import { type Centerline, inkAlong, outlineInk } from './strokes.ts';

/** The grid of directions, in cells for one pitch, and the most cells of its longer side. */
const CELLS_PER_PITCH = 1.5;
const MOST_CELLS = 500;
/** Directions are those of the neighborhood, in pitches; and of a wider one, which leads across even areas. */
const NEAR_PITCHES = 2.5;
const WIDE_PITCHES = 12;
const WIDE_WEIGHT = 0.08;
/** The weight of the angle that was asked for, against the mean strength of the picture's directions. */
const ANGLE_WEIGHT = 0.03;
/** A line ends where it comes nearer to another one than this share of the pitch. */
const LEAST_SHARE = 0.55;
/** Shorter lines, in pitches, are left out. */
const LEAST_PITCHES = 2;
/** Where there is no neighbor, a line's ink reaches this far, in pitches. */
const FREE_REACH = 1;
/** Lines bend no narrower than this radius, in pitches. */
const LEAST_RADIUS = 0.5;
/** What lies within 60° of a line's normal is beside it. */
const ASIDE = 0.5;
/** Ink reaches this share of the way to the center of a bend. */
const INNER_SHARE = 0.6;
/** Where a ring closes, its ends keep apart by this many steps, of which they bridge one. */
const SEAM_STEPS = 3;
/** Lines keep apart by this share of the pitch, as they bend between two samples. */
const SAFE_SHARE = 0.05;

/** The direction of the lines at a place, as a unit vector. */
type Field = (x: number, y: number) => readonly [dx: number, dy: number];

/**
 * Returns the contours of lines that run along the edges of the picture and bend with them, with even gaps. The
 * directions are those of the least change (structure tensor, Bigün and Granlund 1987), smoothed over some pitches. The
 * lines are laid beside each other from one start (Jobard and Lefer 1997). Where lines come together, one of them ends.
 * Cost: about 2 s for 1000 × 1000 pitches.
 */
export function drawFormLines(cover: Cover, rule: LineRule): Contour[] {
  const field = fieldOf(cover, rule);
  const bounds = { frame: cover, beamMm: rule.beamMm };
  const limits = { beamMm: rule.beamMm, gapMm: Math.max(rule.gapMm, SAFE_SHARE * rule.pitchMm) };
  const { lines, samples } = layLines(cover, field, rule);
  const centerlines = lines.map((line, k) => toCenterline(line, k, samples, rule));
  // What no line reaches, where lines end and bend, all of them make up for in their width.
  const reach = shareInReach(centerlines, cover);
  const shareOf = (share: number) => Math.min(1, share / reach);
  const contours = centerlines.flatMap((line, k) =>
    outlineInk(line, inkAlong(line, cover, limits, (k * GOLDEN) % 1, shareOf), bounds),
  );
  return orderByTravel(contours);
}

/** The ratio that leaves no two neighbors in step (golden section). */
const GOLDEN = 0.618;
/** A line makes up for no more than this share of the frame: otherwise the picture has too few lines. */
const LEAST_REACH = 0.8;

/** Returns the share of the frame that lies in the reach of a line. */
function shareInReach(lines: readonly Centerline[], { widthMm, heightMm }: Cover): number {
  let area = 0;
  for (const line of lines) {
    for (let i = 0; i < line.x.length; i++) {
      const [low, high] = [-line.before[i], line.after[i]];
      const inside = (offset: number) => {
        const [x, y] = [line.x[i] + offset * line.normalX[i], line.y[i] + offset * line.normalY[i]];
        return x >= 0 && y >= 0 && x <= widthMm && y <= heightMm;
      };
      // At the frame a line reaches about half as far.
      area += line.stepMm * ((inside(low) ? -low : -low / 2) + (inside(high) ? high : high / 2));
    }
  }
  return Math.min(1, Math.max(LEAST_REACH, area / (widthMm * heightMm)));
}

function fieldOf(cover: Cover, { pitchMm, angleDeg }: LineRule): Field {
  const { widthMm, heightMm } = cover;
  const cellMm = Math.max(pitchMm / CELLS_PER_PITCH, Math.max(widthMm, heightMm) / MOST_CELLS);
  const width = Math.max(2, Math.ceil(widthMm / cellMm));
  const height = Math.max(2, Math.ceil(heightMm / cellMm));
  const tone = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) tone[y * width + x] = cover.read((x + 0.5) * cellMm, (y + 0.5) * cellMm);
  }
  // The tensor by its double angle: the direction of change turned twice, weighted by its square.
  const cosine = new Float32Array(width * height);
  const sine = new Float32Array(width * height);
  let strength = 0;
  for (let y = 0; y < height; y++) {
    const [above, below] = [Math.max(0, y - 1) * width, Math.min(height - 1, y + 1) * width];
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const dx = tone[y * width + Math.min(width - 1, x + 1)] - tone[y * width + Math.max(0, x - 1)];
      const dy = tone[below + x] - tone[above + x];
      cosine[at] = dx * dx - dy * dy;
      sine[at] = 2 * dx * dy;
      strength += dx * dx + dy * dy;
    }
  }
  const near = (NEAR_PITCHES * pitchMm) / cellMm;
  const wide = (WIDE_PITCHES * pitchMm) / cellMm;
  const smooth = (data: Float32Array): Plane => {
    const plane = { width, height, data };
    const [close, far] = [blur(plane, near), blur(plane, wide)];
    return { width, height, data: close.data.map((value, i) => value + WIDE_WEIGHT * far.data[i]) };
  };
  const [cosines, sines] = [smooth(cosine), smooth(sine)];
  // Lines along the angle lie across the change.
  const across = 2 * ((angleDeg * Math.PI) / 180 + Math.PI / 2);
  const weight = Math.max(1e-9, (ANGLE_WEIGHT * strength) / (width * height));
  const [restX, restY] = [weight * Math.cos(across), weight * Math.sin(across)];
  return (x, y) => {
    const [u, v] = [x / cellMm - 0.5, y / cellMm - 0.5];
    const half = Math.atan2(readAt(sines, u, v) + restY, readAt(cosines, u, v) + restX) / 2;
    return [-Math.sin(half), Math.cos(half)];
  };
}

/** The points of a line, in steps. */
interface Trail {
  readonly x: number[];
  readonly y: number[];
}

/** All samples of all lines, in a grid. */
interface Samples {
  readonly add: (x: number, y: number, line: number, place: number) => void;
  /** Calls back for each sample within one cell's side and maybe some beyond; true stops. */
  readonly near: (
    x: number,
    y: number,
    visit: (x: number, y: number, line: number, place: number) => boolean | undefined,
  ) => boolean;
}

function createSamples({ widthMm, heightMm }: Cover, cellMm: number): Samples {
  const columns = Math.ceil(widthMm / cellMm) + 2;
  const cells: (number[] | undefined)[] = new Array(columns * (Math.ceil(heightMm / cellMm) + 2));
  const keyOf = (x: number, y: number) => (Math.floor(y / cellMm) + 1) * columns + Math.floor(x / cellMm) + 1;
  return {
    add(x, y, line, place) {
      const key = keyOf(x, y);
      const list = cells[key];
      if (list) list.push(x, y, line, place);
      else cells[key] = [x, y, line, place];
    },
    near(x, y, visit) {
      const key = keyOf(x, y);
      for (let row = -1; row <= 1; row++) {
        for (let column = -1; column <= 1; column++) {
          const list = cells[key + row * columns + column];
          if (!list) continue;
          for (let i = 0; i < list.length; i += 4) {
            if (visit(list[i], list[i + 1], list[i + 2], list[i + 3])) return true;
          }
        }
      }
      return false;
    },
  };
}

/** Lays lines side by side until there is no room for another one. */
function layLines(cover: Cover, field: Field, rule: LineRule) {
  const { widthMm, heightMm } = cover;
  const { pitchMm } = rule;
  const stepMm = stepOf(rule) / 2;
  const samples = createSamples(cover, 2 * FREE_REACH * pitchMm);
  const lines: Trail[] = [];
  const isInside = (x: number, y: number) => x >= 0 && y >= 0 && x <= widthMm && y <= heightMm;
  const isFree = (x: number, y: number, distance: number) =>
    !samples.near(x, y, (otherX, otherY) => (otherX - x) ** 2 + (otherY - y) ** 2 < distance ** 2);
  const lay = (x: number, y: number) => {
    const trail = grow(x, y, { field, stepMm, pitchMm, isInside, isFree });
    if (trail.x.length * stepMm < LEAST_PITCHES * pitchMm) return;
    const line = lines.length;
    trail.x.forEach((value, place) => {
      samples.add(value, trail.y[place], line, place);
    });
    lines.push(trail);
  };
  lay(widthMm / 2, heightMm / 2);
  // Each line offers starts at both of its sides.
  const every = Math.max(1, Math.round(pitchMm / stepMm));
  for (let k = 0; k < lines.length; k++) {
    const { x, y } = lines[k];
    for (let i = 0; i < x.length; i += every) {
      const [dx, dy] = field(x[i], y[i]);
      for (const side of [-pitchMm, pitchMm]) {
        const [startX, startY] = [x[i] - side * dy, y[i] + side * dx];
        if (isInside(startX, startY) && isFree(startX, startY, 0.98 * pitchMm)) lay(startX, startY);
      }
    }
  }
  // What no line reached, such as an eye inside of rings.
  for (let y = pitchMm / 2; y < heightMm; y += pitchMm) {
    for (let x = pitchMm / 2; x < widthMm; x += pitchMm) if (isFree(x, y, 0.98 * pitchMm)) lay(x, y);
  }
  return { lines, samples };
}

interface Growth {
  readonly field: Field;
  readonly stepMm: number;
  readonly pitchMm: number;
  readonly isInside: (x: number, y: number) => boolean;
  readonly isFree: (x: number, y: number, distance: number) => boolean;
}

/** Grows a line from its start in both directions (midpoint method), until it would come too near to something. */
function grow(startX: number, startY: number, growth: Growth): Trail {
  const { field, stepMm, pitchMm, isInside, isFree } = growth;
  const least = LEAST_SHARE * pitchMm;
  // From the start of a step to its middle, a line turns by half of what it turns in a step.
  const straightest = Math.cos(stepMm / (2 * LEAST_RADIUS * pitchMm));
  // Own points, for a line that winds up; those near by on the way do not count.
  const own = new Map<number, number[]>();
  const keyOf = (x: number, y: number) => Math.floor(x / least) * 1_000_003 + Math.floor(y / least);
  const skip = Math.ceil((2 * least) / stepMm);
  // A line that comes back to its other end may close the ring but for some steps. Beside itself it keeps its distance.
  const meetsItself = (x: number, y: number, place: number, dx: number, dy: number) => {
    for (let i = -1; i <= 1; i++) {
      for (let j = -1; j <= 1; j++) {
        const list = own.get(keyOf(x + i * least, y + j * least));
        for (let k = 0; list && k < list.length; k += 3) {
          if (Math.abs(list[k + 2] - place) <= skip) continue;
          const [u, v] = [list[k] - x, list[k + 1] - y];
          if (u * u + v * v >= least ** 2) continue;
          if (Math.abs(v * dx - u * dy) > least / 2 || Math.abs(u * dx + v * dy) < SEAM_STEPS * stepMm) return true;
        }
      }
    }
    return false;
  };
  const remember = (x: number, y: number, place: number) => {
    const key = keyOf(x, y);
    const list = own.get(key);
    if (list) list.push(x, y, place);
    else own.set(key, [x, y, place]);
  };
  remember(startX, startY, 0);
  const walk = (sign: 1 | -1): Trail => {
    const trail: Trail = { x: [], y: [] };
    let [x, y] = [startX, startY];
    let [dx, dy] = field(x, y);
    [dx, dy] = [sign * dx, sign * dy];
    for (let place = sign; ; place += sign) {
      const middle = along(field(x + (dx * stepMm) / 2, y + (dy * stepMm) / 2), dx, dy);
      if (middle[0] * dx + middle[1] * dy < straightest) break;
      [x, y] = [x + middle[0] * stepMm, y + middle[1] * stepMm];
      if (!isInside(x, y) || !isFree(x, y, least) || meetsItself(x, y, place, middle[0], middle[1])) break;
      [dx, dy] = along(field(x, y), middle[0], middle[1]);
      remember(x, y, place);
      trail.x.push(x);
      trail.y.push(y);
    }
    return trail;
  };
  const [back, ahead] = [walk(-1), walk(1)];
  return {
    x: [...back.x.reverse(), startX, ...ahead.x],
    y: [...back.y.reverse(), startY, ...ahead.y],
  };
}

/** A direction has no front: it is turned to where the line is going. */
function along([x, y]: readonly [number, number], dx: number, dy: number): readonly [number, number] {
  return x * dx + y * dy < 0 ? [-x, -y] : [x, y];
}

/**
 * Gives each sample of a line the part of the area that is nearer to it than to any other line: half of the way to the
 * nearest sample on each side. Two cross sections then never meet, also where a line ends before another.
 */
function toCenterline({ x, y }: Trail, own: number, samples: Samples, rule: LineRule): Centerline {
  const count = x.length;
  const { pitchMm } = rule;
  const stepMm = stepOf(rule) / 2;
  const [normalX, normalY, before, after] = [0, 0, 0, 0].map(() => new Float64Array(count));
  const skip = Math.ceil((1.2 * pitchMm) / stepMm);
  for (let i = 0; i < count; i++) {
    const [a, b] = [Math.max(0, i - 1), Math.min(count - 1, i + 1)];
    const length = Math.hypot(x[b] - x[a], y[b] - y[a]) || 1;
    const [dx, dy] = [(x[b] - x[a]) / length, (y[b] - y[a]) / length];
    [normalX[i], normalY[i]] = [-dy, dx];
    let [low, high] = [2 * FREE_REACH * pitchMm, 2 * FREE_REACH * pitchMm];
    samples.near(x[i], y[i], (otherX, otherY, line, place) => {
      if (line === own && Math.abs(place - i) <= skip) return false;
      const u = otherX - x[i];
      const v = otherY - y[i];
      const side = v * dx - u * dy;
      const far = Math.sqrt(u * u + v * v);
      if (side > ASIDE * far) high = Math.min(high, far);
      else if (side < -ASIDE * far) low = Math.min(low, far);
      return false;
    });
    // On the inner side of a bend, cross sections meet at its center.
    const turn = bendAt(x, y, i) / stepMm;
    before[i] = Math.min(low / 2, turn < 0 ? INNER_SHARE / -turn : low);
    after[i] = Math.min(high / 2, turn > 0 ? INNER_SHARE / turn : high);
  }
  return {
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    normalX,
    normalY,
    before: narrow(before),
    after: narrow(after),
    stepMm,
    isRing: false,
    isPiece: false,
  };
}

/** Returns the angle by which a line turns at a sample, or beside its end, in radians; positive toward its normal. */
function bendAt(x: readonly number[], y: readonly number[], place: number): number {
  if (x.length < 3) return 0;
  const i = Math.min(x.length - 2, Math.max(1, place));
  const [ax, ay] = [x[i] - x[i - 1], y[i] - y[i - 1]];
  const [bx, by] = [x[i + 1] - x[i], y[i + 1] - y[i]];
  return Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
}

/** Returns the least of each value and its neighbors: a side runs straight between two samples. */
function narrow(values: Float64Array): Float64Array {
  return values.map((value, i) =>
    Math.min(value, values[Math.max(0, i - 1)], values[Math.min(values.length - 1, i + 1)]),
  );
}
