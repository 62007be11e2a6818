/**
 * Drawings that are smooth everywhere: rounded shapes and long S-curves that overlap, so that outlines pass smoothly
 * through junctions. Their traces should turn at no node, except where one outline goes under another.
 */
import { type Drawing, vectorize } from '../src/index.ts';
import { type Art, makeInput, randomFrom, SIDE, type Variant } from './art.ts';

type Point = readonly [number, number];

export interface SmoothShape {
  color: string;
  outline: Point[];
}

/** A node within this distance of the true outline, in px, is a node of it. */
const ON_OUTLINE = 0.6;
/** Nodes nearer to a crossing of two outlines, in px, are judged only on the upper one. */
const AT_CROSSING = 3;
/** Degrees: more than the most is a corner that the picture may call for, where a shape is hidden to a tip. */
const LEAST_BREAK = 1;

const INKS = ['#1f3a5f', '#d1495b', '#edae49', '#00798c', '#66a182', '#7a4f9a'];

export function draw(seed: number): SmoothShape[] {
  const random = randomFrom(seed);
  const between = (low: number, high: number): number => low + random() * (high - low);
  const shapes: SmoothShape[] = [];
  for (let k = 0; k < 5; k++) {
    const outline: Point[] = [];
    if (k % 2 === 0) {
      const [x, y, radius] = [between(140, 370), between(140, 370), between(70, 115)];
      const waves = [2, 3].map((n) => ({ n, size: between(0.02, 0.2) / n, phase: between(0, 6.3) }));
      for (let i = 0; i < 1440; i++) {
        const angle = (i / 1440) * 2 * Math.PI;
        const r = radius * waves.reduce((sum, { n, size, phase }) => sum + size * Math.cos(n * angle + phase), 1);
        outline.push([x + r * Math.cos(angle), y + r * Math.sin(angle)]);
      }
    } else {
      // A band of one width along a sine, with round ends.
      const [height, swing, wide, phase, tilt] = [
        between(150, 360),
        between(25, 60),
        between(9, 26),
        between(0, 6.3),
        between(-0.5, 0.5),
      ];
      const waves = between(0.8, 1.6);
      const at = (t: number): [number, number, number, number] => {
        const angle = 2 * Math.PI * waves * t + phase;
        const [u, v] = [(t - 0.5) * 400, swing * Math.sin(angle)];
        const slope = (swing * 2 * Math.PI * waves * Math.cos(angle)) / 400;
        const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
        const turned = Math.atan(slope) + tilt;
        return [256 + u * cos - v * sin, height + u * sin + v * cos, -Math.sin(turned), Math.cos(turned)];
      };
      for (const side of [1, -1]) {
        for (let i = 0; i <= 700; i++) {
          const [x, y, nx, ny] = at(side > 0 ? i / 700 : 1 - i / 700);
          outline.push([x + side * wide * nx, y + side * wide * ny]);
        }
        const [x, y, nx, ny] = at(side > 0 ? 1 : 0);
        for (let i = 1; i < 60; i++) {
          const angle = (Math.PI * i) / 60;
          const [cos, sin] = [side * Math.cos(angle) * wide, side * Math.sin(angle) * wide];
          outline.push([x + nx * cos + ny * sin, y + ny * cos - nx * sin]);
        }
      }
    }
    shapes.push({ color: INKS[k], outline });
  }
  return shapes;
}

export function toArt(name: string, shapes: SmoothShape[]): Art {
  const paths = shapes.map(
    ({ color, outline }) => `<path fill="${color}" d="M${outline.map((p) => p.map((v) => v.toFixed(3)).join(' ')).join('L')}z"/>`,
  );
  const size = `width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${paths.join('')}</svg>`;
  return { name, kind: 'clip', source: 'drawn', svg, unitsWide: SIDE, width: SIDE };
}

/** Breaks of the tangent at the nodes that lie on smooth, visible outlines. */
export interface Breaks {
  nodes: number;
  /** Those that turn by more than one degree. */
  broken: number;
  /** The largest turn, in degrees. */
  most: number;
}

export async function measureBreaks(seeds: readonly number[], variant: Variant): Promise<Breaks> {
  const total: Breaks = { nodes: 0, broken: 0, most: 0 };
  for (const seed of seeds) {
    const shapes = draw(seed);
    const drawing = vectorize(await makeInput(toArt(`smooth ${seed}`, shapes), variant));
    addBreaks(drawing, shapes, total);
  }
  return total;
}

function addBreaks({ layers }: Drawing, shapes: SmoothShape[], total: Breaks): void {
  const away = ([x, y]: Point, outline: Point[]): number =>
    Math.sqrt(outline.reduce((least, [px, py]) => Math.min(least, (px - x) ** 2 + (py - y) ** 2), Infinity));
  for (const { paths } of layers) {
    for (const { color, rings } of paths) {
      const own = nearestInk(color);
      const above = shapes.slice(own + 1);
      for (const { segments, shape } of rings) {
        if (shape) continue;
        segments.forEach((a, k) => {
          const from = segments[(k + segments.length - 1) % segments.length];
          const b = segments[(k + 1) % segments.length];
          const point: Point = [a.x, a.y];
          if (away(point, shapes[own].outline) > ON_OUTLINE) return;
          if (above.some(({ outline }) => away(point, outline) < AT_CROSSING || contains(outline, point))) return;
          const before = a.isLine ? [a.x - from.x, a.y - from.y] : [a.x - a.x2, a.y - a.y2];
          const after = b.isLine ? [b.x - a.x, b.y - a.y] : [b.x1 - a.x, b.y1 - a.y];
          const cross = before[0] * after[1] - before[1] * after[0];
          const turn = (Math.abs(Math.atan2(cross, before[0] * after[0] + before[1] * after[1])) * 180) / Math.PI;
          total.nodes++;
          if (turn > LEAST_BREAK) total.broken++;
          total.most = Math.max(total.most, turn);
        });
      }
    }
  }
}

function nearestInk(color: string): number {
  const bytes = (hex: string): number[] => [1, 3, 5].map((k) => Number.parseInt(hex.slice(k, k + 2), 16));
  const own = bytes(color);
  const far = INKS.map((ink) => Math.hypot(...bytes(ink).map((v, k) => v - own[k])));
  return far.indexOf(Math.min(...far));
}

function contains(outline: Point[], [x, y]: Point): boolean {
  let isIn = false;
  for (let k = 0, j = outline.length - 1; k < outline.length; j = k++) {
    const [ax, ay] = outline[k];
    const [bx, by] = outline[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
  }
  return isIn;
}
