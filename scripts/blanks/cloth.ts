/** Cloth as it hangs on a form that is not seen: folds, seams, stitches and collars. */
import { type Box, type Drawing, mix, num, type Point } from './drawing.ts';
import { curve, roundRect } from './outlines.ts';
import { heather, jersey } from './surfaces.ts';

/** The middle of every garment. Points of halves are given from here to the right. */
export const CX = 600;
/** How a cloth takes light: its color, what lies in the folds, and what lies on them. */
export interface Cloth {
  readonly color: string;
  readonly dark: string;
  readonly darkness: number;
  readonly light: string;
  readonly lightness: number;
  readonly paint: (drawing: Drawing) => string;
}

export const knit = (strength: number) => (drawing: Drawing) => jersey(drawing, strength);
export const white: Cloth = {
  color: '#f3f2ef',
  dark: '#5f5a53',
  darkness: 0.34,
  light: '#ffffff',
  lightness: 0.75,
  paint: knit(0.3),
};
export const black: Cloth = {
  color: '#28292b',
  dark: '#000000',
  darkness: 0.62,
  light: '#8b8e93',
  lightness: 0.3,
  paint: knit(0.2),
};
export const gray: Cloth = {
  color: '#a3a6aa',
  dark: '#3a3d42',
  darkness: 0.4,
  light: '#ffffff',
  lightness: 0.36,
  paint: heather,
};
export const navy: Cloth = {
  color: '#27344d',
  dark: '#050a14',
  darkness: 0.55,
  light: '#93a5c6',
  lightness: 0.28,
  paint: knit(0.2),
};

/** A fold: the line it runs along, and its width in the middle. */
export type Fold = readonly [points: readonly Point[], width: number];

/** Returns the outline of a line that is wide in the middle and ends in points. */
function taper(points: readonly Point[], width: number): string {
  const dense = densify(points, 5);
  const sides = [1, -1].map((side) =>
    dense.map(([x, y], i): Point => {
      const before = dense[Math.max(0, i - 1)]!;
      const after = dense[Math.min(dense.length - 1, i + 1)]!;
      const length = Math.hypot(after[0] - before[0], after[1] - before[1]) || 1;
      const reach = (side * width * Math.sin((Math.PI * i) / (dense.length - 1)) ** 0.7) / 2;
      return [x - ((after[1] - before[1]) / length) * reach, y + ((after[0] - before[0]) / length) * reach];
    }),
  );
  return curve([...sides[0]!, ...sides[1]!.slice(1, -1).reverse()], true, 0);
}

/** Returns points along a quadratic curve through three points, or along a line. */
function densify(points: readonly Point[], count: number): Point[] {
  const [a, b, c] = [points[0]!, points[1]!, points[2] ?? points[1]!];
  const through: Point = points.length > 2 ? b : [(a[0] + c[0]) / 2, (a[1] + c[1]) / 2];
  const control = (k: 0 | 1) => 2 * through[k] - (a[k] + c[k]) / 2;
  return Array.from({ length: count }, (_, i) => {
    const t = i / (count - 1);
    const at = (k: 0 | 1) => (1 - t) ** 2 * a[k] + 2 * t * (1 - t) * control(k) + t * t * c[k];
    return [at(0), at(1)];
  });
}

export const mirrorX = ([x, y]: Point): Point => [2 * CX - x, y];
export const right = (points: readonly Point[]): Point[] => points.map(([x, y]): Point => [CX + x, y]);
/** Folds of both halves: those of the left one are given as if they were at the right. */
export const mixOf = (rights: readonly Fold[], lefts: readonly Fold[]): Fold[] => [
  ...rights.map(([points, width]): Fold => [right(points), width]),
  ...lefts.map(([points, width]): Fold => [right(points).map(mirrorX), width]),
];

/** Draws folds: a shaded valley, and a lit ridge on its upper left side. */
function drawFolds(drawing: Drawing, cloth: Cloth, folds: readonly Fold[], box: Box, scale = 1): void {
  const valleys = folds.map(([points, width]) => taper(points, width)).join('');
  const ridges = folds
    .map(([points, width]) => {
      const [from, to] = [points[0]!, points.at(-1)!];
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
      // To the side of the fold that looks up or left.
      const [nx, ny] = [(to[1] - from[1]) / length, -(to[0] - from[0]) / length];
      const sign = nx * -0.5 + ny * -0.85 > 0 ? 1 : -1;
      const by = width * 0.9 * sign;
      return taper(
        points.map(([x, y]): Point => [x + nx * by, y + ny * by]),
        width * 0.7,
      );
    })
    .join('');
  drawing.path(valleys, {
    fill: cloth.dark,
    'fill-opacity': cloth.darkness,
    filter: drawing.blur(Number((9 * scale).toFixed(1)), box),
  });
  drawing.path(ridges, {
    fill: cloth.light,
    'fill-opacity': cloth.lightness,
    filter: drawing.blur(Number((9 * scale).toFixed(1)), box),
  });
}

/** Paints a part of a garment: its color with soft light, the cloth's surface, and shade along its edge. */
export function paintCloth(
  drawing: Drawing,
  outline: string,
  box: Box,
  cloth: Cloth,
  { folds = [], edge = 22, light = 0.34 }: { folds?: readonly Fold[]; edge?: number; light?: number } = {},
): void {
  const { color, dark } = cloth;
  drawing.path(outline, {
    fill: drawing.across(box.x, box.x + box.width, [
      [0, mix(color, dark, 0.2)],
      [0.1, mix(color, dark, 0.07)],
      [light, mix(color, '#ffffff', 0.09)],
      [0.62, color],
      [0.88, mix(color, dark, 0.13)],
      [1, mix(color, dark, 0.28)],
    ]),
  });
  drawing.path(outline, { fill: cloth.paint(drawing) });
  drawing.inside(outline, () => {
    drawFolds(drawing, cloth, folds, box);
    // The shade at the edge fades in steps: a blur over the whole part costs more than all else in the drawing.
    for (const share of [2, 1.65, 1.3, 1, 0.7, 0.4]) {
      const shade = {
        stroke: dark,
        'stroke-opacity': Number((cloth.darkness * 0.16).toFixed(3)),
        'stroke-width': edge * share,
      };
      drawing.path(outline, { fill: 'none', 'stroke-linejoin': 'round', ...shade });
    }
    drawing.path(outline, {
      fill: 'none',
      stroke: cloth.light,
      'stroke-opacity': cloth.lightness * 0.28,
      'stroke-width': 3,
    });
  });
}

/** Draws one or two rows of stitches along a line, in the groove that they pull. */
export function drawStitches(drawing: Drawing, d: string, cloth: Cloth, width = 1.7): void {
  const line = { fill: 'none', 'stroke-linecap': 'round' };
  drawing.path(d, {
    ...line,
    stroke: cloth.dark,
    'stroke-opacity': cloth.darkness * 0.55,
    'stroke-width': width * 2.4,
  });
  drawing.path(d, {
    ...line,
    stroke: mix(cloth.color, cloth.light, cloth.lightness * 0.55),
    'stroke-width': width,
    'stroke-dasharray': '5 3.2',
  });
}

/** Draws a seam: a dark groove with light beside it. */
export function drawSeam(drawing: Drawing, d: string, cloth: Cloth): void {
  const line = { fill: 'none', 'stroke-linecap': 'round' };
  drawing.path(d, { ...line, stroke: cloth.dark, 'stroke-opacity': cloth.darkness * 0.35, 'stroke-width': 9 });
  drawing.path(d, {
    ...line,
    stroke: cloth.dark,
    'stroke-opacity': Math.min(0.9, cloth.darkness * 1.5),
    'stroke-width': 2,
  });
  drawing.path(d, {
    ...line,
    stroke: cloth.light,
    'stroke-opacity': cloth.lightness * 0.6,
    'stroke-width': 1.6,
    transform: 'translate(2.4 1.2)',
  });
}

/** A curve that hangs between two points at one height. */
export const hang = (half: number, y: number, drop: number): string =>
  `M${num(CX - half)} ${num(y)}C${num(CX - half * 0.86)} ${num(y + drop * 0.82)} ${num(CX - half * 0.5)} ${num(y + drop)} ${CX} ${num(y + drop)}` +
  `S${num(CX + half * 0.86)} ${num(y + drop * 0.82)} ${num(CX + half)} ${num(y)}`;

/** The area between two hanging curves. */
const band = (outer: readonly [number, number, number], inner: readonly [number, number, number]): string => {
  const [half, y, drop] = inner;
  const back =
    `L${num(CX + half)} ${num(y)}C${num(CX + half * 0.86)} ${num(y + drop * 0.82)} ${num(CX + half * 0.5)} ${num(y + drop)} ${CX} ${num(y + drop)}` +
    `S${num(CX - half * 0.86)} ${num(y + drop * 0.82)} ${num(CX - half)} ${num(y)}Z`;
  return `${hang(...outer)}${back}`;
};

/** Draws a ribbed collar with the inside of the back over it. */
export function drawCrewNeck(
  drawing: Drawing,
  cloth: Cloth,
  at: { half: number; y: number; drop: number; width: number },
): void {
  const { half, y, drop, width } = at;
  const outer = [half + width * 0.5, y + width * 0.24, drop + width] as const;
  const inner = [half - width * 0.35, y + 1, drop] as const;
  // The inside of the back.
  const back = [half - width * 0.3, y - 1, drop * 0.2] as const;
  drawing.path(band(inner, [half - width * 0.35, y, drop * 0.14]), {
    fill: drawing.down(y - 10, y + drop, [
      [0, mix(cloth.color, cloth.dark, 0.34)],
      [0.5, mix(cloth.color, cloth.dark, 0.46)],
      [1, mix(cloth.color, cloth.dark, 0.66)],
    ]),
  });
  drawing.path(band([back[0], back[1], back[2] + width * 0.9], [back[0], back[1], back[2] - 6]), {
    fill: drawing.down(y - 8, y + drop * 0.2 + width, [
      [0, mix(cloth.color, cloth.dark, 0.12)],
      [1, mix(cloth.color, cloth.dark, 0.3)],
    ]),
  });
  drawing.path(hang(back[0], back[1] + 1, back[2] + width * 0.9), {
    fill: 'none',
    stroke: cloth.dark,
    'stroke-opacity': cloth.darkness,
    'stroke-width': 1.8,
  });
  const label = roundRect(CX - 19, y + drop * 0.2 + width * 0.9 - 3, 38, 27, 2);
  drawing.path(label, { fill: mix('#f2f0ec', cloth.dark, 0.22) });
  // The front band.
  const front = band(outer, inner);
  drawing.path(front, {
    fill: drawing.across(CX - half - width, CX + half + width, [
      [0, mix(cloth.color, cloth.dark, 0.24)],
      [0.3, mix(cloth.color, '#ffffff', 0.1)],
      [0.6, cloth.color],
      [1, mix(cloth.color, cloth.dark, 0.3)],
    ]),
  });
  const ribs = Array.from({ length: 59 }, (_, i) => {
    const t = -1 + (2 * i) / 58;
    const on = ([h, top, d]: readonly [number, number, number]) => {
      const x = CX + h * Math.sin((t * Math.PI) / 2);
      return `${num(x)} ${num(top + d * Math.cos((t * Math.PI) / 2) ** 0.86)}`;
    };
    return `M${on(inner)}L${on(outer)}`;
  }).join('');
  drawing.inside(front, () => {
    drawing.path(ribs, { fill: 'none', stroke: cloth.dark, 'stroke-opacity': cloth.darkness * 0.5, 'stroke-width': 2 });
    drawing.path(hang(...inner), {
      fill: 'none',
      stroke: cloth.light,
      'stroke-opacity': cloth.lightness * 0.7,
      'stroke-width': 5,
    });
  });
  drawSeam(drawing, hang(...outer), cloth);
}

/** An outline with sharp corners where the parts join. */
export function outlineOf(parts: readonly (readonly Point[])[]): string {
  const rights = parts.map((part) => curve(right(part), false, 0));
  const lefts = parts.map((part) => curve(right(part).map(mirrorX).reverse(), false, 0)).reverse();
  return `${[...rights, ...lefts].map((d, i) => (i === 0 ? d : d.replace(/^M/, 'L'))).join('')}Z`;
}
