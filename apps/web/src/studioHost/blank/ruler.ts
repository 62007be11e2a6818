/** A ruler beside a blank: its ticks are a millimeter apart, so they give the scale of the picture. */
import type { Bitmap, Corners, Point } from '@markwright/straighten';

/**
 * A ruler is at least this many times as long as it is wide, and shows at least so many millimeters. It is wider than
 * this many of them: tenths of an inch have the same long ticks, and few of them fit across.
 */
const LEAST_ASPECT = 2.8;
const LEAST_TICKS = 40;
const LEAST_WIDTH = 12.5;
/** Ticks nearer to each other than this cannot be told apart, px. */
const LEAST_PITCH = 2.6;
/** Where lines along a ruler are read: shares of its width, from either long side. */
const DEPTHS = [0.05, 0.09, 0.13, 0.17, 0.21, 0.25, 0.29, 0.33, 0.37, 0.41];
/** The ends of a ruler are rounded, or have a hole. */
const MARGIN = 0.04;
const SAMPLES_PER_PX = 2;
/** How much of a line's change is its ticks: that of a line across all ticks, and of one across the long ones. */
const LEAST_SHARE = 0.6;
const LEAST_LONG_SHARE = 0.3;
/** Of the pitch of the long ticks, in pitches of all: every fifth or every tenth is long. */
const LONG = [5, 10];
/** How much of a line across all ticks may be of some of them, and how far apart those are, in pitches. */
const MOST_COARSE = 0.2;
const COARSER = [2, 3, 5];
/** Other patterns have long ticks, too: those of an inch are halved. */
const OTHERS = [2, 3, 4, 6, 7, 8, 9];

export const isLikeRuler = (corners: Corners): boolean => {
  const { length, width } = sidesOf(corners);
  return length >= LEAST_ASPECT * width && length >= LEAST_TICKS * LEAST_PITCH;
};

/**
 * Returns the millimeters of a pixel where the corners are those of a ruler with millimeters, seen from above;
 * undefined for anything else, and where it is not sure. `corners` are those of the result, and `toPicture` maps its
 * places to the picture. Method: the spectrum of lines along the ruler has the pitch of its ticks; further inside only
 * each fifth or tenth tick is left, as no other pattern has them. Cost: some million steps for a ruler of 2,000 px.
 */
export function scaleOfRuler(
  picture: Bitmap,
  corners: Corners,
  toPicture: (point: Point) => Point = (point) => point,
): number | undefined {
  if (!isLikeRuler(corners)) return undefined;
  const { start, along, across, length, width } = sidesOf(corners);
  const pitches: number[] = [];
  for (const isFar of [false, true]) {
    const lines = DEPTHS.map((depth) => {
      const share = isFar ? 1 - depth : depth;
      const count = Math.floor((1 - 2 * MARGIN) * length * SAMPLES_PER_PX);
      const values = Float64Array.from({ length: count }, (_, i) => {
        const t = MARGIN + ((1 - 2 * MARGIN) * i) / count;
        return grayAt(
          picture,
          toPicture({ x: start.x + along.x * t + across.x * share, y: start.y + along.y * t + across.y * share }),
        );
      });
      return flatten(values);
    });
    const pitch = pitchOfSide(lines);
    if (pitch !== undefined) pitches.push(pitch / SAMPLES_PER_PX);
  }
  const [pitch, other = pitch] = pitches;
  // A ruler with inches at one side has millimeters at the other.
  if (pitch === undefined || Math.abs(other! / pitch - 1) > 0.01 || width < LEAST_WIDTH * pitch) return undefined;
  return 1 / pitch;
}

/** Returns the pitch of the ticks along one side, in samples. */
function pitchOfSide(lines: readonly Float64Array[]): number | undefined {
  for (const [depth, line] of lines.entries()) {
    const first = strongestPitch(line);
    if (first === undefined || shareOf(line, first) < LEAST_SHARE) continue;
    // Coarse ticks have waves of a fifth of their pitch, too. Where all ticks are met, none is special.
    if (COARSER.some((times) => combOf(line, first, times) > MOST_COARSE)) continue;
    const deeper = lines.slice(depth + 1);
    const hasLong = deeper.some((inner) =>
      LONG.some((times) => {
        const long = combOf(inner, first, times);
        return long > LEAST_LONG_SHARE && long > 2 * Math.max(...OTHERS.map((other) => combOf(inner, first, other)));
      }),
    );
    if (hasLong) return first;
  }
  return undefined;
}

/** Returns the pitch whose ticks say the most of a line, in samples; undefined where it has too few. */
function strongestPitch(line: Float64Array): number | undefined {
  const least = LEAST_PITCH * SAMPLES_PER_PX;
  const most = line.length / LEAST_TICKS;
  let best = { pitch: 0, power: 0 };
  // Steps of a third of what a line of this length can tell apart.
  for (let cycles = line.length / most; cycles <= line.length / least; cycles += 1 / 3) {
    const power = powerAt(line, cycles);
    if (power > best.power) best = { pitch: line.length / cycles, power };
  }
  if (best.power === 0) return undefined;
  let [cycles, step] = [line.length / best.pitch, 1 / 6];
  for (let round = 0; round < 8; round++, step /= 2) {
    const [before, at, after] = [cycles - step, cycles, cycles + step].map((each) => powerAt(line, each));
    if (before! > at!) cycles -= step;
    else if (after! > at!) cycles += step;
  }
  return line.length / cycles;
}

/** Returns the share of a line's change that is one wave, or waves of its halves and thirds. */
const shareOf = (line: Float64Array, pitch: number): number =>
  (powerAt(line, line.length / pitch) + powerAt(line, (2 * line.length) / pitch)) / energyOf(line);

/**
 * Returns the share of a line's change that only ticks `times` as far apart as a pitch have: a comb of thin ticks has
 * many waves, and every one of them that is a multiple is a wave of the pitch, too.
 */
function combOf(line: Float64Array, pitch: number, times: number): number {
  let power = 0;
  for (let wave = 1; wave < 2 * times; wave++) {
    if (wave % times !== 0) power += powerAt(line, (wave * line.length) / (pitch * times));
  }
  return power / energyOf(line);
}

const energyOf = (line: Float64Array): number => line.reduce((sum, value) => sum + value * value, 1e-9);

/** Returns the energy of one wave in a line. */
function powerAt(line: Float64Array, cycles: number): number {
  const turn = (2 * Math.PI * cycles) / line.length;
  const [stepCos, stepSin] = [Math.cos(turn), Math.sin(turn)];
  let [cos, sin, real, imaginary] = [1, 0, 0, 0];
  for (let i = 0; i < line.length; i++) {
    real += line[i]! * cos;
    imaginary += line[i]! * sin;
    const next = cos * stepCos - sin * stepSin;
    sin = sin * stepCos + cos * stepSin;
    cos = next;
  }
  return (2 * (real * real + imaginary * imaginary)) / line.length;
}

/** Takes out what changes slowly: light, and the print of a ruler. */
function flatten(values: Float64Array): Float64Array {
  const reach = Math.max(8, Math.round(values.length / 12));
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i]! + values[i]!;
  return values.map((value, i) => {
    const [from, to] = [Math.max(0, i - reach), Math.min(values.length, i + reach + 1)];
    return value - (sums[to]! - sums[from]!) / (to - from);
  });
}

/** Returns the gray of a place between pixels, 0 to 255. */
function grayAt({ width, height, data }: Bitmap, { x, y }: Point): number {
  const [px, py] = [Math.min(width - 1.001, Math.max(0, x - 0.5)), Math.min(height - 1.001, Math.max(0, y - 0.5))];
  const [left, top] = [Math.floor(px), Math.floor(py)];
  const at = (column: number, row: number) => {
    const i = 4 * (row * width + column);
    return 0.3 * data[i]! + 0.6 * data[i + 1]! + 0.1 * data[i + 2]!;
  };
  const [u, v] = [px - left, py - top];
  const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)];
  return (
    (1 - v) * ((1 - u) * at(left, top) + u * at(right, top)) + v * ((1 - u) * at(left, bottom) + u * at(right, bottom))
  );
}

/** The long sides of corners: where the first one starts, the way along it, and the way to the other one. */
function sidesOf([a, b, c, d]: Corners) {
  const minus = (p: Point, q: Point) => ({ x: p.x - q.x, y: p.y - q.y });
  const size = ({ x, y }: Point) => Math.hypot(x, y);
  const [top, left] = [minus(b, a), minus(d, a)];
  const [across, down] = [(size(top) + size(minus(c, d))) / 2, (size(left) + size(minus(c, b))) / 2];
  return across >= down
    ? { start: a, along: top, across: left, length: across, width: down }
    : { start: a, along: left, across: top, length: down, width: across };
}
