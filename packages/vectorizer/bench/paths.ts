/** Reads the outlines of SVG files as cubic Béziers, in the units of the file. Transforms are ignored. */

/** x and y of the start, the two handles and the end. The handles of a line lie on its thirds. */
export type Cubic = readonly [number, number, number, number, number, number, number, number];

/** A line, a curve or an arc. An arc is several cubics. */
export interface PathSegment {
  isLine: boolean;
  cubics: Cubic[];
}

/** The segments of a subpath, without the line that closes it. */
export interface Subpath {
  segments: PathSegment[];
  isClosed: boolean;
}

/** The turn of a cubic in place of an arc, in radians: one of a quarter misses it by 1/3700 of its radius. */
const QUARTER = Math.PI / 2;
const ACCURATE = QUARTER / 3;
/** Lines in place of a curve turn by at most this, in radians. */
const LEAST_TURN = 0.5 * (Math.PI / 180);

const ARITY: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };
const NUMBER = '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?';
/** Radii and angle of an arc, its flags, each a single digit, and its end: all of it, or the end passes for flags. */
const ARC = new RegExp(
  `(${NUMBER}[\\s,]*${NUMBER}[\\s,]*${NUMBER})[\\s,]*([01])[\\s,]*([01])[\\s,]*(${NUMBER})[\\s,]*(${NUMBER})`,
  'gi',
);
const SHAPE = /<(path|rect|circle|ellipse|line|polyline|polygon)\b[^>]*>/g;
const ATTRIBUTE = /\s([\w-]+)="([^"]*)"/g;

const lineOf = (x0: number, y0: number, x: number, y: number): PathSegment => ({
  isLine: true,
  cubics: [[x0, y0, (2 * x0 + x) / 3, (2 * y0 + y) / 3, (x0 + 2 * x) / 3, (y0 + 2 * y) / 3, x, y]],
});

/** Returns the subpaths of path data. Cubics in place of an arc turn by at most `mostTurn` radians. */
export function parsePath(d: string, mostTurn = QUARTER): Subpath[] {
  const subpaths: Subpath[] = [];
  let subpath: Subpath | undefined;
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let [handleX, handleY] = [0, 0]; // second handle of the last curve, for S and T
  let last = '';
  for (const [, command, rest] of d.matchAll(/([a-df-z])([^a-df-z]*)/gi)) {
    let kind = command.toUpperCase();
    const isRelative = command !== kind;
    // Flags may be written without separators.
    const numbers = kind === 'A' ? rest.replace(ARC, '$1 $2 $3 $4 $5 ') : rest;
    const values = (numbers.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number);
    if (kind === 'Z') {
      [x, y] = [startX, startY];
      if (subpath) subpath.isClosed = true;
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
          subpath = { segments: [], isClosed: false };
          subpaths.push(subpath);
        }
        const { segments } = subpath;
        let [nextX, nextY] = [toX, toY];
        if (kind === 'C' || kind === 'S') {
          const at = kind === 'C' ? 2 : 0;
          const isSmooth = kind === 'S' && (last === 'C' || last === 'S');
          const first = kind === 'C' ? [ox + v[0], oy + v[1]] : isSmooth ? [2 * x - handleX, 2 * y - handleY] : [x, y];
          [nextX, nextY] = [ox + v[at], oy + v[at + 1]];
          segments.push({ isLine: false, cubics: [[x, y, first[0], first[1], nextX, nextY, toX, toY]] });
        } else if (kind === 'Q' || kind === 'T') {
          const isSmooth = last === 'Q' || last === 'T';
          if (kind === 'Q') [nextX, nextY] = [ox + v[0], oy + v[1]];
          else [nextX, nextY] = isSmooth ? [2 * x - handleX, 2 * y - handleY] : [x, y];
          const third = (from: number, to: number): number => from + (2 / 3) * (to - from);
          const cubic: Cubic = [
            ...([x, y, third(x, nextX), third(y, nextY)] as const),
            ...([third(toX, nextX), third(toY, nextY), toX, toY] as const),
          ];
          segments.push({ isLine: false, cubics: [cubic] });
        } else if (kind === 'A') segments.push({ isLine: false, cubics: toCubics(x, y, v, toX, toY, mostTurn) });
        else segments.push(lineOf(x, y, toX, toY));
        [handleX, handleY] = [nextX, nextY];
      }
      [x, y] = [toX, toY];
      last = kind;
    }
  }
  return subpaths;
}

/** Returns an arc from (x0, y0) to (x, y) as cubics that turn by at most `mostTurn` radians (SVG 1.1, F.6.5). */
function toCubics(x0: number, y0: number, values: readonly number[], x: number, y: number, mostTurn: number): Cubic[] {
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
  const count = Math.max(1, Math.ceil(Math.abs(sweep) / mostTurn - 1e-9));
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
  subpaths: Subpath[];
}

/** Reads the paths and shapes of a file, in their order. `mostTurn` is as for `parsePath`. */
export function readOutlines(svg: string, mostTurn = QUARTER): PathOutline[] {
  return [...svg.matchAll(SHAPE)].map(([tag, name]) => {
    const attributes = new Map([...tag.matchAll(ATTRIBUTE)].map(([, key, value]) => [key, value]));
    const of = (key: string, otherwise = 0): number => Number.parseFloat(attributes.get(key) ?? String(otherwise));
    const isPath = name === 'path';
    if (isPath) return { tag, isPath, subpaths: parsePath(attributes.get('d') ?? '', mostTurn) };
    const points = attributes.get('points') ?? '';
    let d = `M${points}`;
    if (name === 'line') d = `M${of('x1')} ${of('y1')}L${of('x2')} ${of('y2')}`;
    if (name === 'circle' || name === 'ellipse') {
      const [rx, ry] = name === 'circle' ? [of('r'), of('r')] : [of('rx'), of('ry')];
      const half = `a${rx} ${ry} 0 0 1 `;
      d = `M${of('cx') - rx} ${of('cy')}${half}${2 * rx} 0${half}${-2 * rx} 0z`;
    }
    if (name === 'rect') {
      const [width, height] = [of('width'), of('height')];
      const rx = Math.min(of('rx', of('ry')), width / 2);
      const ry = Math.min(of('ry', of('rx')), height / 2);
      const [w, h] = [width - 2 * rx, height - 2 * ry];
      const corner = (x: number, y: number): string => (rx > 0 && ry > 0 ? `a${rx} ${ry} 0 0 1 ${x} ${y}` : '');
      const sides = [`h${w}${corner(rx, ry)}`, `v${h}${corner(-rx, ry)}`, `h${-w}${corner(-rx, -ry)}`, `v${-h}`];
      d = `M${of('x') + rx} ${of('y')}${sides.join('')}${corner(rx, -ry)}z`;
    }
    return { tag, isPath, subpaths: parsePath(d, mostTurn) };
  });
}

/**
 * Returns a file whose curves are lines that turn by at most half a degree. A renderer draws a curve as lines that miss
 * it by up to 0.07 px and turn by several degrees: a picture of such a file has corners where its outlines have none.
 */
export function straighten(svg: string): string {
  return svg.replace(/<(path|rect|circle|ellipse)\b[^>]*?(?:\/>|>\s*<\/\1>)/g, (text) => {
    const [{ tag, subpaths }] = readOutlines(text, ACCURATE);
    if (subpaths.every(({ segments }) => segments.every(({ isLine }) => isLine))) return text;
    const d = subpaths.map(({ segments, isClosed }) => {
      const [x, y] = segments[0].cubics[0];
      const ends = segments.flatMap(({ isLine, cubics }) => (isLine ? cubics[0].slice(6) : divide(cubics)));
      return `M${[x, y, ...ends].map((v) => v.toPrecision(9)).join(' ')}${isClosed ? 'z' : ''}`;
    });
    const rest = tag.replace(/^<\w+|\s(?:d|cx|cy|r|rx|ry|x|y|width|height)="[^"]*"|\/?>$/g, '');
    return `<path d="${d.join('')}"${rest}/>`;
  });
}

/** Returns the ends of lines in place of curves: x and y of each in turn. */
function divide(cubics: readonly Cubic[]): number[] {
  return cubics.flatMap((cubic) => {
    let turn = 0;
    let last: number | undefined;
    for (let k = 0; k < 6; k += 2) {
      const [dx, dy] = [cubic[k + 2] - cubic[k], cubic[k + 3] - cubic[k + 1]];
      if (dx === 0 && dy === 0) continue;
      const angle = Math.atan2(dy, dx);
      turn += Math.abs(Math.atan2(Math.sin(angle - (last ?? angle)), Math.cos(angle - (last ?? angle))));
      last = angle;
    }
    const count = Math.max(1, Math.ceil(turn / LEAST_TURN));
    return Array.from({ length: count }, (_, k) => pointAt(cubic, (k + 1) / count)).flat();
  });
}

/** Returns the point of a cubic at v, 0..1. */
export function pointAt([x0, y0, x1, y1, x2, y2, x3, y3]: Cubic, v: number): [number, number] {
  const u = 1 - v;
  const at = (p: number, q: number, r: number, s: number): number =>
    u * u * u * p + 3 * u * u * v * q + 3 * u * v * v * r + v * v * v * s;
  return [at(x0, x1, x2, x3), at(y0, y1, y2, y3)];
}
