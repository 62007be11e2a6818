/**
 * Drawings of 20,000 nodes, from shapes that keep apart to stacks in which each one crosses the others. The times from
 * artwork to job depend on how much overlaps, far more than on the number of nodes.
 */
import { type Artwork, type ArtworkShape, type MachineMode, seededRandom } from '@markwright/scene';

/** The side of a drawing, px. */
const SIDE = 1000;
const INKS = ['#1a1a1a', '#7a1f1f', '#1f4fa3', '#2f7d3b'] as const;

export interface HeavyDrawing {
  readonly name: string;
  readonly machine: MachineMode;
  readonly draw: () => Artwork;
}

/** In the order of the table. */
export const heavyDrawings: readonly HeavyDrawing[] = [
  { name: 'apart', machine: 'laser', draw: () => fills(spread(500, 40, 0.45)) },
  { name: 'tiles', machine: 'laser', draw: () => fills(tiles(58)) },
  { name: '500 shapes', machine: 'laser', draw: () => fills(spread(500, 40, 1.6)) },
  { name: 'large shapes', machine: 'laser', draw: () => fills(largeShapes()) },
  { name: 'rings', machine: 'laser', draw: () => fills(rings()) },
  { name: 'half clear', machine: 'laser', draw: () => fills(spread(500, 40, 1.6), 0.5) },
  { name: 'white apart', machine: 'uv', draw: () => fills(spread(500, 40, 0.45)) },
  { name: 'white large', machine: 'uv', draw: () => fills(largeShapes()) },
  { name: 'white rings', machine: 'uv', draw: () => fills(rings()) },
  { name: 'white lines', machine: 'uv', draw: () => lines(1000, 20) },
];

const fills = (outlines: readonly string[], opacity = 1): Artwork => ({
  width: SIDE,
  height: SIDE,
  shapes: outlines.map(
    (d, i): ArtworkShape => ({ d, fill: INKS[i % INKS.length], stroke: undefined, strokeWidth: 0, opacity }),
  ),
});

/** Returns shapes of `curves` curves in random order of a square raster. A radius of 0.5 cells touches the next one. */
function spread(count: number, curves: number, radius: number): string[] {
  const random = seededRandom(18);
  const columns = Math.ceil(Math.sqrt(count));
  const cell = (0.9 * SIDE) / columns;
  const places = Array.from({ length: count }, (_, i) => ({ at: i, key: random() }));
  places.sort((a, b) => a.key - b.key);
  return places.map(({ at }) => {
    const [x, y] = [(at % columns) + 0.5, Math.floor(at / columns) + 0.5];
    return wavyLoop({ x: 0.05 * SIDE + x * cell, y: 0.05 * SIDE + y * cell }, cell * radius, curves, random);
  });
}

/** Returns 100 shapes of 200 curves, of which each meets some 40 others. */
function largeShapes(): string[] {
  const random = seededRandom(60);
  return Array.from({ length: 100 }, () => {
    const place = { x: SIDE * (0.2 + 0.6 * random()), y: SIDE * (0.2 + 0.6 * random()) };
    return wavyLoop(place, SIDE * 0.2, 200, random);
  });
}

/** Returns 100 rings whose outlines cross each other. */
function rings(): string[] {
  const random = seededRandom(31);
  return Array.from({ length: 100 }, () => {
    const place = { x: SIDE * (0.42 + 0.16 * random()), y: SIDE * (0.42 + 0.16 * random()) };
    const radius = SIDE * (0.15 + 0.22 * random());
    return wavyLoop(place, radius, 100, random) + wavyLoop(place, radius - 0.05 * SIDE, 100, random);
  });
}

/** Returns a closed loop whose radius waves by a fifth of it, at most 4 % of the drawing. */
function wavyLoop(middle: { x: number; y: number }, radius: number, curves: number, random: () => number): string {
  const wave = Math.min(radius / 5, SIDE / 25);
  const step = (2 * Math.PI) / curves;
  const reaches = Array.from({ length: curves }, () => radius - wave * random());
  const at = (angle: number, reach: number) =>
    `${(middle.x + reach * Math.cos(angle)).toFixed(2)} ${(middle.y + reach * Math.sin(angle)).toFixed(2)}`;
  let d = `M${at(0, reaches[0]!)}`;
  for (let i = 0; i < curves; i++) {
    const [from, to] = [reaches[i]!, reaches[(i + 1) % curves]!];
    d += `C${at((i + 1 / 3) * step, from)} ${at((i + 2 / 3) * step, to)} ${at((i + 1) * step, to)}`;
  }
  return `${d}Z`;
}

/** Returns a puzzle of `columns` by `columns` tiles, six curves each: neighbors share their edges, point by point. */
function tiles(columns: number): string[] {
  const random = seededRandom(7);
  const size = (0.9 * SIDE) / columns;
  const bulge = () => (random() - 0.5) * 0.5 * size;
  const grid = () => Array.from({ length: (columns + 1) * (columns + 1) }, bulge);
  const [level, upright] = [grid(), grid()];
  const left = 0.05 * SIDE;
  const at = (x: number, y: number) => `${x.toFixed(2)} ${y.toFixed(2)}`;
  const edge = (fromX: number, fromY: number, toX: number, toY: number, bend: number, isFirst: boolean) => {
    const [dx, dy] = [(toX - fromX) / 3, (toY - fromY) / 3];
    const side = dx !== 0 ? { x: 0, y: bend } : { x: bend, y: 0 };
    const start = isFirst ? `M${at(fromX, fromY)}` : '';
    return (
      `${start}C${at(fromX + dx + side.x, fromY + dy + side.y)} ${at(toX - dx + side.x, toY - dy + side.y)} ` +
      at(toX, toY)
    );
  };
  return Array.from({ length: columns * columns }, (_, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const [x0, y0] = [left + column * size, left + row * size];
    const [x1, y1] = [x0 + size, y0 + size];
    const k = row * (columns + 1) + column;
    return (
      edge(x0, y0, x1, y0, level[k]!, true) +
      edge(x1, y0, x1, y1, upright[k + 1]!, false) +
      edge(x1, y1, x0, y1, level[k + columns + 1]!, false) +
      `${edge(x0, y1, x0, y0, upright[k]!, false)}Z`
    );
  });
}

/** Returns lines of `points` points that cross each other, as wide as a pen's. */
function lines(count: number, points: number): Artwork {
  const random = seededRandom(24);
  const shapes = Array.from({ length: count }, (_, i): ArtworkShape => {
    let [x, y] = [SIDE * (0.05 + 0.9 * random()), SIDE * (0.05 + 0.9 * random())];
    let angle = random() * 2 * Math.PI;
    let d = `M${x.toFixed(2)} ${y.toFixed(2)}`;
    for (let k = 1; k < points; k++) {
      angle += random() - 0.5;
      x = Math.min(0.97 * SIDE, Math.max(0.03 * SIDE, x + 0.012 * SIDE * Math.cos(angle)));
      y = Math.min(0.97 * SIDE, Math.max(0.03 * SIDE, y + 0.012 * SIDE * Math.sin(angle)));
      d += `L${x.toFixed(2)} ${y.toFixed(2)}`;
    }
    return { d, fill: undefined, stroke: INKS[i % INKS.length], strokeWidth: 3, opacity: 1 };
  });
  return { width: SIDE, height: SIDE, shapes };
}

/** Returns a drawing as an uploaded file has it, as many of its shapes as are in so many bytes. */
export function toSvg({ width, height, shapes }: Artwork, mostBytes: number): string {
  let text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">\n`;
  for (const { d, fill, stroke, strokeWidth, opacity } of shapes) {
    const pen = stroke ? ` stroke="${stroke}" stroke-width="${strokeWidth}"` : '';
    const clear = opacity < 1 ? ` opacity="${opacity}"` : '';
    const path = `<path fill="${fill ?? 'none'}"${pen}${clear} fill-rule="evenodd" d="${d}"/>\n`;
    if (text.length + path.length > mostBytes) break;
    text += path;
  }
  return `${text}</svg>\n`;
}
