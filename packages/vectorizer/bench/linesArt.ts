/**
 * Drawings of straight edges whose parallels, right angles and equal widths are known: seeded, at any angle, 200 to 800
 * px. Half of them have one edge that differs by 1 to 3 degrees, or one bar that is wider by 1.5 to 4 px.
 */
import { type Point, placePolygon } from '../test/polygons.ts';
import { randomFrom } from '../test/scenes.ts';
import { between, INKS, type Layer, type Random, whole } from './regularArt.ts';

/** A straight edge. */
export type Edge = readonly [Point, Point];

export interface LinesArt {
  name: string;
  /** False where one edge or bar differs. */
  isRegular: boolean;
  size: number;
  layers: Layer[];
  /** The two long sides of each bar. */
  bars: [Edge, Edge][];
}

interface Sketch {
  layers: Point[][][];
  bars: [Edge, Edge][];
}

/** By how much one place differs: radians and px. */
interface Fault {
  angle: number;
  width: number;
}

/** `r` is half the size of the drawing, in px. */
type Maker = (random: Random, r: number, fault: Fault) => Sketch;

const box = (left: number, top: number, right: number, bottom: number): Point[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

/** Returns the sides of a box in the direction of its length, or across it. */
const sidesOf = ([a, b, c, d]: readonly Point[], isAcross = false): [Edge, Edge] =>
  isAcross
    ? [
        [b, c],
        [d, a],
      ]
    : [
        [a, b],
        [c, d],
      ];

const shift = (polygon: readonly Point[], x: number, y: number): Point[] => placePolygon(polygon, 0, x, y);
const turn = (polygon: readonly Point[], angle: number): Point[] => placePolygon(polygon, angle, 0, 0);

const makers: Readonly<Record<string, Maker>> = {
  // Bars of one direction and width, with slanted ends.
  beams: (random, r, fault) => {
    const half = between(random, 0.03, 0.06) * r;
    const bars = [-0.75, -0.4, -0.02, 0.33, 0.71].map((y, k) => {
      const w = half + (k === 2 ? fault.width / 2 : 0);
      const [left, right] = [between(random, -0.85, -0.3) * r, between(random, 0.2, 0.85) * r];
      const slant = between(random, -1.2, 1.2) * w;
      const bar: Point[] = [
        [left - slant, -w],
        [right, -w],
        [right + between(random, -1.2, 1.2) * w, w],
        [left + slant, w],
      ];
      return shift(turn(bar, k === 3 ? fault.angle : 0), 0, y * r);
    });
    return { layers: [bars], bars: bars.map((bar) => sidesOf(bar)) };
  },
  // Bars of one width in several directions.
  sticks: (random, r, fault) => {
    const half = between(random, 0.035, 0.06) * r;
    const places = [
      [-0.5, -0.5],
      [0.5, -0.5],
      [-0.5, 0.5],
      [0.5, 0.5],
    ];
    const bars = places.map(([x, y], k) => {
      const w = half + (k === 1 ? fault.width / 2 : 0);
      const far = between(random, 0.26, 0.44) * r;
      return shift(turn(box(-far, -w, far, w), k * 0.9 + between(random, 0, 0.5)), x * r, y * r);
    });
    return { layers: [bars], bars: bars.map((bar) => sidesOf(bar)) };
  },
  // A plate with windows of different sizes between bars of one width.
  grid: (random, r, fault) => {
    const bar = between(random, 0.05, 0.09) * r;
    const xs = [-0.8 * r, between(random, -0.35, -0.1) * r, between(random, 0.2, 0.45) * r, 0.8 * r];
    const ys = [-0.7 * r, between(random, -0.2, 0.25) * r, 0.7 * r];
    const wide = (k: number): number => bar + (k === 1 ? fault.width : 0);
    const windows: Point[][] = [];
    const bars: [Edge, Edge][] = [];
    for (let j = 0; j + 1 < ys.length; j++) {
      for (let i = 0; i + 1 < xs.length; i++) {
        const left = xs[i] + wide(i) / 2;
        const right = xs[i + 1] - wide(i + 1) / 2;
        const window = box(left, ys[j] + bar / 2, right, ys[j + 1] - bar / 2);
        const [x, y] = [(left + right) / 2, (ys[j] + ys[j + 1]) / 2];
        windows.push(i === 2 && j === 1 ? shift(turn(shift(window, -x, -y), fault.angle), x, y) : window);
        if (i > 0 && !(i === 2 && j === 1)) {
          const [before, now] = [windows[windows.length - 2], window];
          bars.push([
            [before[1], before[2]],
            [now[3], now[0]],
          ]);
        }
      }
    }
    return { layers: [[box(-0.9 * r, -0.8 * r, 0.9 * r, 0.8 * r), ...windows]], bars };
  },
  // Frames of one width and different sizes.
  frames: (random, r, fault) => {
    const bar = between(random, 0.05, 0.09) * r;
    const places = [
      [-0.42, -0.4, 0.36, 0.3],
      [0.45, -0.35, 0.3, 0.42],
      [-0.38, 0.5, 0.42, 0.28],
      [0.5, 0.5, 0.25, 0.31],
    ];
    const frames = places.map(([x, y, w, h], k) => {
      const own = bar + (k === 2 ? fault.width : 0);
      const [far, high] = [w * between(random, 0.85, 1) * r, h * between(random, 0.85, 1) * r];
      return [box(-far, -high, far, high), box(own - far, own - high, far - own, high - own)].map((polygon) =>
        shift(turn(polygon, k === 3 ? fault.angle : 0), x * r, y * r),
      );
    });
    const bars = frames.flatMap(([out, hole]) =>
      out.map((from, k): [Edge, Edge] => [
        [from, out[(k + 1) % 4]],
        [hole[k], hole[(k + 1) % 4]],
      ]),
    );
    return { layers: [frames.flat()], bars };
  },
  // Bars of one width with square ends, about a middle.
  rays: (random, r, fault) => {
    const half = between(random, 0.03, 0.05) * r;
    const bars = Array.from({ length: 7 }, (_, k) => {
      const w = half + (k === 4 ? fault.width / 2 : 0);
      const bar = box(0.34 * r, -w, between(random, 0.6, 0.95) * r, w);
      return turn(bar, k * 0.9 + between(random, 0, 0.25));
    });
    return { layers: [bars], bars: bars.map((bar) => sidesOf(bar)) };
  },
  // Letters of one stroke width.
  letters: (random, r, fault) => {
    const w = between(random, 0.09, 0.13) * r;
    const odd = w + fault.width;
    const arm = (): number => between(random, 0.3, 0.42) * r;
    const [h, top, middle, foot] = [0.36 * r, arm(), arm(), arm()];
    const [up, down] = [-w / 2 - 0.02 * r, w / 2 - 0.02 * r];
    const e: Point[] = [
      [0, -h],
      [top, -h],
      [top, w - h],
      [w, w - h],
      [w, up],
      [middle, up],
      [middle, down],
      [w, down],
      [w, h - w],
      [foot, h - w],
      [foot, h],
      [0, h],
    ];
    const l: Point[] = [
      [0, -h],
      [odd, -h],
      [odd, h - w],
      [foot, h - w],
      [foot, h],
      [0, h],
    ];
    const wide = arm();
    const t: Point[] = [
      [0, -h],
      [wide, -h],
      [wide, w - h],
      [0.45 * wide + w, w - h],
      [0.45 * wide + w, h],
      [0.45 * wide, h],
      [0.45 * wide, w - h],
      [0, w - h],
    ];
    const outlines = [
      shift(e, -0.75 * r, -0.42 * r),
      shift(l, -0.1 * r, 0.42 * r),
      shift(turn(t, fault.angle), 0.3 * r, -0.4 * r),
    ];
    const side = (list: readonly Point[], k: number): Edge => [list[k], list[(k + 1) % list.length]];
    const [pe, pl, pt] = outlines;
    const bars: [Edge, Edge][] = [
      [side(pe, 0), side(pe, 2)],
      [side(pe, 4), side(pe, 6)],
      [side(pe, 8), side(pe, 10)],
      [side(pl, 1), side(pl, 5)],
      [side(pl, 2), side(pl, 4)],
      [side(pt, 3), side(pt, 5)],
    ];
    return { layers: [outlines], bars };
  },
  // One outline of right angles.
  stairs: (random, r, fault) => {
    const points: Point[] = [[-0.8 * r, -0.8 * r]];
    let [x, y] = [-0.8 * r, -0.8 * r];
    for (let k = 0; k < 6; k++) {
      x += between(random, 0.15, 0.27) * r;
      points.push([x, y]);
      y += between(random, 0.15, 0.27) * r;
      // A leaning riser.
      const lean = k === 3 ? Math.tan(fault.angle) * 0.25 * r : 0;
      x += lean;
      points.push([x, y]);
    }
    points.push([-0.8 * r, y]);
    return { layers: [[points]], bars: [] };
  },
  // A cross that has two axes, beside a bar in its direction.
  cross: (random, r, fault) => {
    const w = between(random, 0.07, 0.12) * r;
    const [far, high] = [between(random, 0.5, 0.6) * r, between(random, 0.62, 0.72) * r];
    const cross: Point[] = [
      [-w, -high],
      [w, -high],
      [w, -w],
      [far, -w],
      [far, w],
      [w, w],
      [w, high],
      [-w, high],
      [-w, w],
      [-far, w],
      [-far, -w],
      [-w, -w],
    ];
    const half = w + fault.width / 2;
    const bar = shift(turn(box(-half, -0.6 * r, half, 0.5 * r), fault.angle), 0.85 * r, 0);
    const outlines = shift(cross, -0.2 * r, 0.05 * r);
    const bars: [Edge, Edge][] = [
      [
        [outlines[1], outlines[2]],
        [outlines[11], outlines[0]],
      ],
      sidesOf(bar, true),
    ];
    return { layers: [[outlines, bar]], bars };
  },
  // A plate under belts of a second ink that cross its edges.
  panels: (random, r, fault) => {
    const plate = box(-0.85 * r, -0.6 * r, 0.85 * r, 0.6 * r);
    const w = between(random, 0.06, 0.1) * r;
    const belts = [-0.5, 0.22, 0.6].map((x, k) => {
      const own = w + (k === 1 ? fault.width / 2 : 0);
      return shift(turn(box(-own, -0.8 * r, own, 0.8 * r), k === 2 ? fault.angle : 0), x * r, 0);
    });
    return { layers: [[plate], belts], bars: belts.map((belt) => sidesOf(belt, true)) };
  },
};

/** Returns `count` drawings, each kind in turn, every second one with a fault. */
export function makeLinesArt(count: number, seed: number): LinesArt[] {
  const kinds = Object.keys(makers);
  return Array.from({ length: count }, (_, k) => {
    const random = randomFrom(seed * 1000 + 500 + k);
    const name = kinds[(k >> 1) % kinds.length];
    const isRegular = k % 2 === 0;
    const size = Math.round(between(random, 200, 800));
    const fault = { angle: 0, width: 0 };
    // Stairs have no second bar to differ from, sticks and rays no parallel line: these take the other fault.
    const isTurned = name === 'stairs' || (name !== 'sticks' && name !== 'rays' && random() < 0.5);
    if (!isRegular && isTurned) fault.angle = (between(random, 1, 3) * Math.PI * (random() < 0.5 ? 1 : -1)) / 180;
    else if (!isRegular) fault.width = between(random, 1.5, 4);
    const { layers, bars } = makers[name](random, 0.4 * size, fault);
    const angle = random() < 0.25 ? 0 : between(random, 0, 2 * Math.PI);
    const [x, y] = [size / 2 + between(random, -2, 2), size / 2 + between(random, -2, 2)];
    const firstInk = whole(random, 0, INKS.length - 1);
    const place = (edge: Edge): Edge => placePolygon(edge, angle, x, y) as unknown as Edge;
    return {
      name,
      isRegular,
      size,
      layers: layers.map((polygons, layer) => ({
        color: INKS[(firstInk + layer) % INKS.length],
        polygons: polygons.map((polygon) => placePolygon(polygon, angle, x, y)),
      })),
      bars: bars.map(([a, b]): [Edge, Edge] => [place(a), place(b)]),
    };
  });
}
