/**
 * Drawings whose regularity is known: seeded, at any angle, 200 to 800 px, clean, saved as JPEG or noisy. Half of them
 * are regular; the others differ from it by 1.5 px and more in one place, and must stay as they are.
 */
import type { Bitmap } from '../src/index.ts';
import { coverage, type Point, placePolygon } from '../test/polygons.ts';
import { addNoise, randomFrom } from '../test/scenes.ts';

/** A closed outline in a color, painted over those before it. Several polygons leave holes in one another. */
export interface Layer {
  color: readonly [number, number, number];
  polygons: Point[][];
}

export interface RegularArt {
  name: string;
  /** What the drawing keeps: rotations of this order, and mirrorings; or equal pieces. */
  order: number;
  hasAxis: boolean;
  pieces: number;
  /** False where one place breaks the regularity. */
  isRegular: boolean;
  size: number;
  layers: Layer[];
}

export const INKS = [
  [24, 32, 64],
  [196, 40, 44],
  [20, 120, 84],
  [230, 168, 32],
  [120, 64, 150],
] as const;

export type Random = () => number;
export const between = (random: Random, low: number, high: number): number => low + random() * (high - low);
export const whole = (random: Random, low: number, high: number): number => Math.floor(between(random, low, high + 1));

/** Returns an outline around the origin by its radius at each angle. */
function polar(radius: (angle: number) => number, steps = 1440): Point[] {
  return Array.from({ length: steps }, (_, k) => {
    const angle = (2 * Math.PI * k) / steps;
    return [radius(angle) * Math.cos(angle), radius(angle) * Math.sin(angle)] as const;
  });
}

/** Returns 1 near an angle and 0 farther away, smoothly. */
function bump(angle: number, at: number, width: number): number {
  const off = Math.atan2(Math.sin(angle - at), Math.cos(angle - at)) / width;
  return Math.abs(off) < 1 ? Math.cos((off * Math.PI) / 2) ** 2 : 0;
}

interface Sketch {
  order: number;
  hasAxis: boolean;
  pieces?: number;
  layers: Point[][][];
}

/** `fault` is by how many px one place differs, 0 for a regular drawing. `r` is the radius in px. */
type Maker = (random: Random, r: number, fault: number) => Sketch;

const makers: Readonly<Record<string, Maker>> = {
  star: (random, r, fault) => {
    const order = whole(random, 5, 8);
    const inner = between(random, 0.4, 0.7) * r;
    const points = Array.from({ length: 2 * order }, (_, k): Point => {
      const far = k % 2 === 0 ? r - (k === 0 ? 2 * fault : 0) : inner;
      const angle = (Math.PI * k) / order;
      return [far * Math.cos(angle), far * Math.sin(angle)];
    });
    return { order, hasAxis: true, layers: [[points]] };
  },
  gear: (random, r, fault) => {
    const order = whole(random, 7, 16);
    const depth = between(random, 0.12, 0.22) * r;
    const points: Point[] = [];
    for (let k = 0; k < order; k++) {
      const middle = (2 * Math.PI * k) / order;
      const half = (0.28 * 2 * Math.PI) / order;
      const top = r + (k === 0 ? fault : 0);
      for (const [off, far] of [
        [-half, r - depth],
        [-0.7 * half, top],
        [0.7 * half, top],
        [half, r - depth],
      ]) {
        points.push([far * Math.cos(middle + off), far * Math.sin(middle + off)]);
      }
    }
    return { order, hasAxis: true, layers: [[points, polar(() => 0.3 * r)]] };
  },
  flower: (random, r, fault) => {
    const order = whole(random, 5, 9);
    const wave = between(random, 0.12, 0.22);
    const petals = polar(
      (angle) => r * (1 - wave + wave * Math.cos(order * angle)) + fault * bump(angle, 0, Math.PI / order),
    );
    return { order, hasAxis: true, layers: [[petals], [polar(() => 0.35 * r)]] };
  },
  heart: (random, r, fault) => {
    const dip = between(random, 0.25, 0.4);
    const heart = polar((angle) => {
      const up = Math.abs(Math.atan2(Math.cos(angle), Math.sin(angle))) / Math.PI; // 0 at the bottom, 1 at the top
      const swell = 0.72 + 0.28 * Math.sin(Math.PI * up) ** 2 + 0.12 * (1 - up) ** 8;
      return r * swell * (1 - dip * Math.max(0, up - 0.75) * 4 * 0.6) + fault * bump(angle, 0.3, 0.7);
    });
    return { order: 1, hasAxis: true, layers: [[heart]] };
  },
  shield: (random, r, fault) => {
    const w = between(random, 0.7, 0.85) * r;
    const right = (x: number): Point[] => {
      const list: Point[] = [
        [0, -0.9 * r],
        [x, -0.75 * r],
      ];
      for (let k = 0; k <= 200; k++) {
        const t = k / 200;
        list.push([x * Math.cos((t * Math.PI) / 2) ** 0.8, -0.6 * r + 1.6 * r * t ** 1.1]);
      }
      return list;
    };
    const mirror = (list: readonly Point[]): Point[] => [...list].reverse().map(([x, y]) => [-x, y] as const);
    const outline = [...right(w + fault), ...mirror(right(w)).slice(1, -1)];
    const scale = (list: readonly Point[], by: number): Point[] => list.map(([x, y]) => [x * by, y * by] as const);
    const chevron: Point[] = [
      [0, -0.1 * r],
      [0.5 * w, 0.25 * r],
      [0.5 * w, 0.5 * r],
      [0, 0.15 * r],
      [-0.5 * w, 0.5 * r],
      [-0.5 * w, 0.25 * r],
    ];
    return { order: 1, hasAxis: true, layers: [[outline, scale(outline, 0.85)], [chevron]] };
  },
  moth: (random, r, fault) => {
    const [a, b] = [between(random, 0.3, 0.42), between(random, 0.2, 0.3)];
    const wing = (side: number, extra: number): Point[] =>
      polar((angle) => 1 + 0.25 * Math.sin(2 * angle + 0.6) + 0.1 * Math.cos(3 * angle)).map(
        ([x, y]) => [side * (0.55 * r + (a * r + extra) * x), -0.1 * r + (b * r + extra) * y] as const,
      );
    const body = polar(() => 1).map(([x, y]) => [0.08 * r * x, 0.6 * r * y] as const);
    return { order: 1, hasAxis: true, layers: [[wing(1, fault), wing(-1, 0)], [body]] };
  },
  halves: (random, r, fault) => {
    // Two inks that share edges and junctions, mirrored across both axes.
    const cut = between(random, 0.3, 0.5) * r;
    const plate = polar((angle) => r * (0.8 + 0.12 * Math.cos(4 * angle)) + fault * bump(angle, 0.8, 0.6));
    const belt: Point[] = plate.map(([x, y]) => [x, Math.max(-cut, Math.min(cut, y))] as const);
    return { order: 2, hasAxis: true, layers: [[plate], [belt]] };
  },
  pinwheel: (random, r, fault) => {
    const order = whole(random, 3, 6);
    const lean = between(random, 0.3, 0.5);
    const blades = polar((angle) => {
      const turn = order * angle;
      const wave = Math.sin(turn) + lean * Math.sin(2 * turn + 0.8);
      return r * (0.72 + 0.17 * wave) + fault * bump(angle, 1, Math.PI / order);
    });
    return { order, hasAxis: false, layers: [[blades]] };
  },
  repeats: (random, r, fault) => {
    const [a, b, c] = [between(random, 0.1, 0.2), between(random, 0.05, 0.15), between(random, 0, 6)];
    const leaf = (extra: number): Point[] =>
      polar((angle) => {
        const base =
          0.3 * r * (1 + a * Math.cos(2 * angle + c) + b * Math.cos(3 * angle) + 0.08 * Math.sin(5 * angle + c));
        return base + extra * bump(angle, 2, 0.8);
      });
    const places = [
      [-0.6, -0.55],
      [0.58, -0.5],
      [0.1, 0.55],
    ];
    const mayTurn = random() < 0.5;
    const copies = places.map(([x, y], k) =>
      placePolygon(leaf(fault * k * 1.2), mayTurn ? 2.1 * k + c : 0, x * r, y * r),
    );
    return { order: 1, hasAxis: false, pieces: 3, layers: [copies] };
  },
  stripes: (random, r, fault) => {
    const width = between(random, 0.06, 0.1) * r;
    const offsets = [-0.7, -0.31, 0.12, 0.66];
    const bars = offsets.map((offset, k): Point[] => {
      const w = width + (k === 1 ? fault : 0);
      const along = (k * 0.13 - 0.2) * r;
      return [
        [-0.7 * r + along, offset * r - w],
        [0.7 * r + along, offset * r - w],
        [0.7 * r + along, offset * r + w],
        [-0.7 * r + along, offset * r + w],
      ];
    });
    return { order: 1, hasAxis: false, pieces: 4, layers: [bars] };
  },
  rings: (random, r, fault) => {
    const order = whole(random, 3, 6);
    const off = fault;
    const ring = (far: number): Point[] => polar(() => far);
    const inner = ring(0.5 * r).map(([x, y]) => [x + off, y] as const);
    const dots = Array.from({ length: order }, (_, k) =>
      placePolygon(
        polar(() => 0.08 * r),
        0,
        0.76 * r * Math.cos((2 * Math.PI * k) / order),
        0.76 * r * Math.sin((2 * Math.PI * k) / order),
      ),
    );
    return { order, hasAxis: true, layers: [[ring(r), ring(0.93 * r)], dots, [inner, ring(0.4 * r)]] };
  },
};

/** Returns `count` drawings, each kind in turn, every second one with a fault. */
export function makeRegularArt(count: number, seed: number): RegularArt[] {
  const kinds = Object.keys(makers);
  return Array.from({ length: count }, (_, k) => {
    const random = randomFrom(seed * 1000 + k);
    const name = kinds[(k >> 1) % kinds.length];
    const isRegular = k % 2 === 0;
    const size = Math.round(between(random, 200, 800));
    const r = (0.42 * size) / (name === 'repeats' ? 1.1 : 1.05);
    const fault = isRegular ? 0 : between(random, 1.5, 4);
    const { order, hasAxis, pieces = 1, layers } = makers[name](random, r, fault);
    const angle = random() < 0.25 ? 0 : between(random, 0, 2 * Math.PI);
    const [x, y] = [size / 2 + between(random, -2, 2), size / 2 + between(random, -2, 2)];
    const firstInk = whole(random, 0, INKS.length - 1);
    return {
      name,
      order,
      hasAxis,
      pieces,
      isRegular,
      size,
      layers: layers.map((polygons, layer) => ({
        color: INKS[(firstInk + layer) % INKS.length],
        polygons: polygons.map((polygon) => placePolygon(polygon, angle, x, y)),
      })),
    };
  });
}

export const VARIANTS = ['clean', 'jpeg', 'noise'] as const;
export type Variant = (typeof VARIANTS)[number];

/** Renders a drawing on white: with exact coverage, saved as JPEG at quality 75, or with noise of five levels. */
export async function drawRegularArt(
  { size, layers }: Pick<RegularArt, 'size' | 'layers'>,
  variant: Variant,
): Promise<Bitmap> {
  const rgb = new Float64Array(size * size * 3).fill(255);
  for (const { color, polygons } of layers) {
    const cover = coverage(size, size, polygons);
    for (let i = 0; i < cover.length; i++) {
      for (let c = 0; c < 3; c++) rgb[3 * i + c] += (color[c] - rgb[3 * i + c]) * cover[i];
    }
  }
  const data = new Uint8ClampedArray(size * size * 4);
  for (let i = 0; i < size * size; i++) {
    data.set([rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2], 255], 4 * i);
  }
  const clean = { width: size, height: size, data };
  if (variant === 'noise') return addNoise(clean, 5, size);
  if (variant === 'clean') return clean;
  const { default: sharp } = await import('sharp');
  const file = await sharp(data, { raw: { width: size, height: size, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: 75 })
    .toBuffer();
  const bytes = await sharp(file).ensureAlpha().raw().toBuffer();
  return { width: size, height: size, data: new Uint8ClampedArray(bytes) };
}
