/** Reads the outlines of SVG files as cubic Béziers, in the units of the file. Transforms are ignored. */

/** x and y of the start, the two handles and the end. The handles of a line lie on its thirds. */
export type Cubic = readonly [number, number, number, number, number, number, number, number];

/** A line, a curve or an arc. An arc is several cubics. */
export interface PathSegment {
  isLine: boolean;
  cubics: Cubic[];
}

const ARITY: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };
const NUMBER = '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?';
/** Radii and angle of an arc, then its flags, each a single digit. */
const ARC = new RegExp(
  `(${NUMBER}[\\s,]*${NUMBER}[\\s,]*${NUMBER})[\\s,]*([01])[\\s,]*([01])[\\s,]*(?=${NUMBER}[\\s,]*${NUMBER})`,
  'gi',
);
const ATTRIBUTE = /\s([\w-]+)="([^"]*)"/g;

const lineOf = (x0: number, y0: number, x: number, y: number): PathSegment => ({
  isLine: true,
  cubics: [[x0, y0, (2 * x0 + x) / 3, (2 * y0 + y) / 3, (x0 + 2 * x) / 3, (y0 + 2 * y) / 3, x, y]],
});

/** Returns the subpaths of path data, without the lines that close them. */
export function parsePath(d: string): PathSegment[][] {
  const subpaths: PathSegment[][] = [];
  let subpath: PathSegment[] | undefined;
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let [handleX, handleY] = [0, 0]; // second handle of the last curve, for S and T
  let last = '';
  for (const [, command, rest] of d.matchAll(/([a-df-z])([^a-df-z]*)/gi)) {
    let kind = command.toUpperCase();
    const isRelative = command !== kind;
    const numbers = kind === 'A' ? rest.replace(ARC, '$1 $2 $3 ') : rest; // flags may be written without separators
    const values = (numbers.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number);
    if (kind === 'Z') {
      [x, y] = [startX, startY];
      subpath = undefined; // a command that follows without a move starts here
      continue;
    }
    for (let k = 0; k + ARITY[kind] <= values.length; ) {
      const v = values.slice(k, k + ARITY[kind]);
      k += ARITY[kind];
      const [ox, oy] = isRelative ? [x, y] : [0, 0];
      let [toX, toY] = [ox + v[v.length - 2], oy + v[v.length - 1]];
      if (kind === 'H') [toX, toY] = [ox + v[0], y];
      if (kind === 'V') [toX, toY] = [x, oy + v[0]];
      if (kind === 'M') {
        subpath = undefined;
        [startX, startY] = [toX, toY];
        kind = 'L'; // further pairs are lines
      } else {
        if (!subpath) {
          subpath = [];
          subpaths.push(subpath);
        }
        let [nextX, nextY] = [toX, toY];
        if (kind === 'C' || kind === 'S') {
          const at = kind === 'C' ? 2 : 0;
          const isSmooth = kind === 'S' && (last === 'C' || last === 'S');
          const first = kind === 'C' ? [ox + v[0], oy + v[1]] : isSmooth ? [2 * x - handleX, 2 * y - handleY] : [x, y];
          [nextX, nextY] = [ox + v[at], oy + v[at + 1]];
          subpath.push({ isLine: false, cubics: [[x, y, first[0], first[1], nextX, nextY, toX, toY]] });
        } else if (kind === 'Q' || kind === 'T') {
          const isSmooth = last === 'Q' || last === 'T';
          if (kind === 'Q') [nextX, nextY] = [ox + v[0], oy + v[1]];
          else [nextX, nextY] = isSmooth ? [2 * x - handleX, 2 * y - handleY] : [x, y];
          const third = (from: number, to: number): number => from + (2 / 3) * (to - from);
          const cubic: Cubic = [
            ...([x, y, third(x, nextX), third(y, nextY)] as const),
            ...([third(toX, nextX), third(toY, nextY), toX, toY] as const),
          ];
          subpath.push({ isLine: false, cubics: [cubic] });
        } else if (kind === 'A') subpath.push({ isLine: false, cubics: toCubics(x, y, v, toX, toY) });
        else subpath.push(lineOf(x, y, toX, toY));
        [handleX, handleY] = [nextX, nextY];
      }
      [x, y] = [toX, toY];
      last = kind;
    }
  }
  return subpaths;
}

/** Returns an arc from (x0, y0) to (x, y) as cubics of a quarter turn at most (SVG 1.1, F.6.5). */
function toCubics(x0: number, y0: number, values: readonly number[], x: number, y: number): Cubic[] {
  const [radiusX, radiusY, degrees, isLarge, isClockwise] = values;
  if (radiusX === 0 || radiusY === 0 || (x === x0 && y === y0)) return lineOf(x0, y0, x, y).cubics;
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  // Half the chord in the frame of the ellipse, whose radii grow where they are too short for it.
  const px = (cos * (x0 - x) + sin * (y0 - y)) / 2;
  const py = (cos * (y0 - y) - sin * (x0 - x)) / 2;
  const reach = (px / radiusX) ** 2 + (py / radiusY) ** 2;
  const [a, b] = [radiusX, radiusY].map((radius) => Math.abs(radius) * Math.sqrt(Math.max(1, reach)));
  const side = (isLarge === isClockwise ? -1 : 1) * Math.sqrt(Math.max(0, 1 / reach - 1));
  const [cx, cy] = [(side * a * py) / b, (-side * b * px) / a];
  const start = Math.atan2((py - cy) / b, (px - cx) / a);
  let sweep = Math.atan2((-py - cy) / b, (-px - cx) / a) - start;
  if (isClockwise ? sweep < 0 : sweep > 0) sweep += (isClockwise ? 2 : -2) * Math.PI;
  const at = (u: number, v: number): [number, number] => [
    (x0 + x) / 2 + cos * (cx + a * u) - sin * (cy + b * v),
    (y0 + y) / 2 + sin * (cx + a * u) + cos * (cy + b * v),
  ];
  const count = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9));
  const handle = (4 / 3) * Math.tan(sweep / count / 4);
  return Array.from({ length: count }, (_, k): Cubic => {
    const [from, to] = [start + (sweep * k) / count, start + (sweep * (k + 1)) / count];
    const [c, s, e, f] = [Math.cos(from), Math.sin(from), Math.cos(to), Math.sin(to)];
    const first = k === 0 ? ([x0, y0] as const) : at(c, s);
    const end = k === count - 1 ? ([x, y] as const) : at(e, f);
    return [...first, ...at(c - handle * s, s + handle * c), ...at(e + handle * f, f - handle * e), ...end];
  });
}

/** A shape of a file: its tag, with the outlines that a fill paints. */
export interface PathOutline {
  tag: string;
  isPath: boolean;
  subpaths: PathSegment[][];
}

/** Reads the paths and shapes of a file, in their order. */
export function readOutlines(svg: string): PathOutline[] {
  return [...svg.matchAll(/<(path|rect|circle|ellipse|line|polyline|polygon)\b[^>]*>/g)].map(([tag, name]) => {
    const attributes = new Map([...tag.matchAll(ATTRIBUTE)].map(([, key, value]) => [key, value]));
    const of = (key: string, otherwise = 0): number => Number.parseFloat(attributes.get(key) ?? String(otherwise));
    const isPath = name === 'path';
    if (isPath) return { tag, isPath, subpaths: parsePath(attributes.get('d') ?? '') };
    const points = attributes.get('points') ?? '';
    let d = `M${points}`;
    if (name === 'line') d = `M${of('x1')} ${of('y1')}L${of('x2')} ${of('y2')}`;
    if (name === 'circle' || name === 'ellipse') {
      const [rx, ry] = name === 'circle' ? [of('r'), of('r')] : [of('rx'), of('ry')];
      const half = `a${rx} ${ry} 0 0 1 `;
      d = `M${of('cx') - rx} ${of('cy')}${half}${2 * rx} 0${half}${-2 * rx} 0`;
    }
    if (name === 'rect') {
      const [width, height] = [of('width'), of('height')];
      const rx = Math.min(of('rx', of('ry')), width / 2);
      const ry = Math.min(of('ry', of('rx')), height / 2);
      const [w, h] = [width - 2 * rx, height - 2 * ry];
      const corner = (x: number, y: number): string => (rx > 0 && ry > 0 ? `a${rx} ${ry} 0 0 1 ${x} ${y}` : '');
      const sides = [`h${w}${corner(rx, ry)}`, `v${h}${corner(-rx, ry)}`, `h${-w}${corner(-rx, -ry)}`, `v${-h}`];
      d = `M${of('x') + rx} ${of('y')}${sides.join('')}${corner(rx, -ry)}`;
    }
    return { tag, isPath, subpaths: parsePath(d) };
  });
}

/** Returns the point of a cubic at v, 0..1. */
export function pointAt([x0, y0, x1, y1, x2, y2, x3, y3]: Cubic, v: number): [number, number] {
  const u = 1 - v;
  const at = (p: number, q: number, r: number, s: number): number =>
    u * u * u * p + 3 * u * u * v * q + 3 * u * v * v * r + v * v * v * s;
  return [at(x0, x1, x2, x3), at(y0, y1, y2, y3)];
}
