/** Slate: split faces, broken edges. */
import { seededRandom } from '@markwright/scene';
import type { Blank } from './blank.ts';
import { type Box, Drawing, mix, num, type Point } from './drawing.ts';
import { contourLines, type Field, makeNoise, thin } from './fields.ts';
import { curve, roundRect } from './outlines.ts';
import { diagonal, drawShadow, glossWhite } from './plates.ts';
import { speckle } from './surfaces.ts';

/** Corners of a rectangle whose edges were broken, not sawn: `bite` is the depth of the chips. */
function breakEdges({ x, y, width, height }: Box, bite: number, step: number, seed: number): Point[] {
  const random = seededRandom(seed);
  const corners: Point[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  return corners.flatMap(([fromX, fromY], side) => {
    const [toX, toY] = corners[(side + 1) % 4]!;
    const length = Math.hypot(toX - fromX, toY - fromY);
    const [ux, uy] = [(toX - fromX) / length, (toY - fromY) / length];
    const points: Point[] = [];
    let depth = bite * 0.5;
    for (let at = 0; at < length - step * 0.4; at += step * (0.35 + 1.1 * random())) {
      // Chips come in runs: the depth wanders, and now and then it jumps.
      depth = random() < 0.16 ? bite * random() : Math.min(bite, Math.max(0, depth + (random() - 0.5) * bite * 0.55));
      if (at === 0) depth = bite * 0.35;
      const along = at === 0 ? depth : at;
      points.push([fromX + ux * along - uy * depth, fromY + uy * along + ux * depth]);
    }
    return points;
  });
}

/** Returns a closed outline with sharp corners, in whole pixels. */
function zigzag(points: readonly Point[]): string {
  const whole = points.map(([x, y]): Point => [Math.round(x), Math.round(y)]);
  const steps = whole.slice(1).map(([x, y], i) => `${x - whole[i]![0]} ${y - whole[i]![1]}`);
  return `M${whole[0]![0]} ${whole[0]![1]}l${steps.join(' ').replace(/ -/g, '-')}Z`;
}

/** Draws the broken edge between an outline and the face inside it: facets, each with its own light. */
function drawBrokenEdge(
  drawing: Drawing,
  outer: readonly Point[],
  inner: readonly Point[],
  center: Point,
  seed: number,
): void {
  const random = seededRandom(seed);
  const facets = new Map<string, string[]>();
  outer.forEach((from, i) => {
    const next = (i + 1) % outer.length;
    const [nx, ny] = [(from[0] + outer[next]![0]) / 2 - center[0], (from[1] + outer[next]![1]) / 2 - center[1]];
    // The side that the edge looks to: light comes from the upper left.
    const isAcross = Math.abs(nx) > Math.abs(ny);
    const light = (isAcross ? (nx < 0 ? 0.5 : 0.16) : ny < 0 ? 0.62 : 0.06) + (random() - 0.5) * 0.3;
    const color = mix('#191c1e', '#a7afb3', Math.round(Math.min(1, Math.max(0, light)) * 9) / 9);
    const d = zigzag([from, outer[next]!, inner[next]!, inner[i]!]);
    facets.set(color, [...(facets.get(color) ?? []), d]);
  });
  for (const [color, d] of facets) drawing.path(d.join(''), { fill: color, stroke: color, 'stroke-width': 0.8 });
}

/** Moves points at the sides of a box inward, each by its own part of the depth. */
function shrink(points: readonly Point[], box: Box, depth: number, reach: number, seed: number): Point[] {
  const random = seededRandom(seed);
  let share = 0.8;
  return points.map(([x, y]): Point => {
    share = Math.min(1.3, Math.max(0.4, share + (random() - 0.5) * 0.7));
    const move = depth * share;
    const dx = x - box.x < reach ? move : box.x + box.width - x < reach ? -move : 0;
    const dy = y - box.y < reach ? move : box.y + box.height - y < reach ? -move : 0;
    return [x + dx, y + dy];
  });
}

/** Returns the parts of lines whose points pass, each of at least three points. */
function partsOf(lines: readonly Point[][], passes: (point: Point) => boolean): Point[][] {
  return lines.flatMap((line) => {
    const parts: Point[][] = [[]];
    for (const point of line) {
      if (passes(point)) parts.at(-1)!.push(point);
      else if (parts.at(-1)!.length > 0) parts.push([]);
    }
    return parts.filter((part) => part.length >= 3);
  });
}

/** Returns the height of a split face. Layers run slanting over the slab. */
function makeCleft(seed: number): Field {
  const [coarse, fine] = [makeNoise(seed), makeNoise(seed + 1)];
  return (px, py) => {
    const [u, v] = [px * 0.94 + py * 0.34, py * 0.94 - px * 0.34];
    return coarse(u / 560, v / 210) + 0.2 * fine(u / 130, v / 60) + 0.07 * fine(u / 34 + 7, v / 26);
  };
}

/** Draws the rims of layers: lit where they look to the upper left, with a shadow where they look away. */
function drawRims(drawing: Drawing, lines: readonly Point[][], field: Field, isSharp: (point: Point) => boolean): void {
  const facing = ([px, py]: Point): number => {
    const [gx, gy] = [field(px + 7, py) - field(px - 7, py), field(px, py + 7) - field(px, py - 7)];
    return (0.55 * gx + 0.83 * gy) / (Math.hypot(gx, gy) || 1);
  };
  const write = (parts: readonly Point[][]) => parts.map((part) => curve(part, false, 0)).join('');
  const lit = write(partsOf(lines, (point) => isSharp(point) && facing(point) > 0.25));
  const dark = write(partsOf(lines, (point) => isSharp(point) && facing(point) < -0.1));
  const look = { fill: 'none', 'stroke-linejoin': 'round', 'stroke-linecap': 'round' };
  const layer = (d: string, stroke: string, opacity: number, width: number, transform?: string) =>
    drawing.path(d, { ...look, stroke, 'stroke-opacity': opacity, 'stroke-width': width, transform });
  layer(dark, '#0b0e10', 0.1, 22, 'translate(7 10)');
  layer(dark, '#0b0e10', 0.16, 9, 'translate(3 4)');
  layer(dark, '#0b0e10', 0.5, 2.6);
  layer(lit, '#d5dde1', 0.07, 9, 'translate(2 3)');
  layer(lit, '#d5dde1', 0.34, 2);
}

/** Draws the face as it splits: thin layers that end in steps, each with a lit and a shaded rim. */
function drawSplitFace(drawing: Drawing, face: Box, seed: number): void {
  const { x, y, width, height } = face;
  const whole = roundRect(x, y, width, height, 0);
  drawing.path(whole, {
    fill: diagonal(drawing, face, [
      [0, '#555d62'],
      [0.3, '#454d51'],
      [0.55, '#3f464b'],
      [0.8, '#363d41'],
      [1, '#2c3236'],
    ]),
  });
  const field = makeCleft(seed);
  const mask = makeNoise(seed + 2);
  const inBox = (px: number, py: number) => px > x && py > y && px < x + width && py < y + height;
  const room: Box = { x: x - 18, y: y - 18, width: width + 36, height: height + 36 };
  const rims: Point[][] = [];
  // Each layer that is left on the face is a little lighter than what it broke off from.
  for (const [level, tone, opacity] of [
    [-0.42, '#0e1214', 0.2],
    [0.02, '#c3ced3', 0.06],
    [0.4, '#c3ced3', 0.08],
  ] as const) {
    const sign = level < -0.2 ? -1 : 1;
    const lines = contourLines((px, py) => (inBox(px, py) ? sign * field(px, py) : -9), room, [15, 15], sign * level)
      .map((line) => thin(line, 17))
      .filter((line) => line.length > 6);
    drawing.path(lines.map(zigzag).join(''), {
      fill: tone,
      'fill-opacity': opacity,
      'fill-rule': 'evenodd',
    });
    const inner = (point: Point) => inBox(point[0] - 22, point[1] - 22) && inBox(point[0] + 22, point[1] + 22);
    rims.push(...partsOf(lines, inner));
  }
  drawRims(drawing, rims, field, ([px, py]) => mask(px / 150, py / 120) > -0.25);
  drawing.path(whole, {
    fill: speckle(drawing, 170, seed, [
      { color: '#aeb7bb', opacity: 0.13, size: 2.6, count: 120 },
      { color: '#0d1012', opacity: 0.24, size: 3, count: 120 },
      { color: '#dfe5e7', opacity: 0.16, size: 1.4, count: 50 },
      { color: '#6f7a80', opacity: 0.16, size: 9, count: 30 },
    ]),
  });
  const glow = (color: string, opacity: number) =>
    drawing.glow([
      [0, color, opacity],
      [1, color, 0],
    ]);
  drawing.ellipse([x + width * 0.3, y + height * 0.24], width * 0.5, height * 0.36, { fill: glow('#b9c3c8', 0.2) });
  drawing.ellipse([x + width * 0.76, y + height * 0.76], width * 0.46, height * 0.4, { fill: glow('#0c0f11', 0.26) });
  drawing.ellipse([x + width * 0.72, y + height * 0.3], width * 0.3, height * 0.2, { fill: glow('#0c0f11', 0.14) });
}

function drawSlateCoaster(): Drawing {
  // 4 x 4 in, 1/4 in thick.
  const drawing = new Drawing('coaster-slate-square', 9.6);
  const side = drawing.inches(4);
  const box: Box = { x: 600 - side / 2, y: 594 - side / 2, width: side, height: side };
  const center: Point = [600, 594];
  const outer = breakEdges(box, 15, 34, 3);
  const outline = zigzag(outer);
  drawShadow(drawing, outline, { ...box, height: side + 14 }, 11);
  drawing.path(outline, { fill: '#15181a', transform: 'translate(1 11)' });
  drawing.path(outline, { fill: '#2b3033', transform: 'translate(1 6)' });
  const inner = shrink(outer, box, 14, 17, 8);
  const face = zigzag(inner);
  drawBrokenEdge(drawing, outer, inner, center, 4);
  drawing.path(face, { fill: '#3f464b' });
  drawing.inside(face, () => {
    drawSplitFace(drawing, box, 7);
    drawing.path(face, {
      fill: 'none',
      stroke: diagonal(drawing, box, [
        [0, '#dfe6e9', 0.5],
        [0.45, '#dfe6e9', 0.14],
        [0.6, '#000', 0.2],
        [1, '#000', 0.5],
      ]),
      'stroke-width': 4,
    });
  });
  drawing.setPrintArea(center, 3.2, 3.2);
  return drawing;
}

function drawPhotoSlate(): Drawing {
  // 8 x 6 in: a white gloss coat over the face, black broken edges.
  const drawing = new Drawing('photo-slate-white', 4.95);
  const [width, height] = [drawing.inches(7.9), drawing.inches(5.9)];
  const box: Box = { x: 600 - width / 2, y: 590 - height / 2, width, height };
  const center: Point = [600, 590];
  const outer = breakEdges(box, 20, 34, 21);
  const outline = zigzag(outer);
  drawShadow(drawing, outline, { ...box, height: height + 18 }, 13);
  drawing.path(outline, { fill: '#101213', transform: 'translate(1 15)' });
  drawing.path(outline, { fill: '#262a2d', transform: 'translate(1 8)' });
  const inner = shrink(outer, box, 24, 22, 5);
  drawBrokenEdge(drawing, outer, inner, center, 9);
  const face = zigzag(inner);
  drawing.path(face, { fill: diagonal(drawing, box, glossWhite) });
  drawing.inside(face, () => {
    drawing.path(face, { fill: 'none', stroke: '#1b1d1f', 'stroke-opacity': 0.4, 'stroke-width': 7 });
    drawing.path(face, {
      fill: 'none',
      stroke: '#fff',
      'stroke-opacity': 0.7,
      'stroke-width': 7,
      transform: 'translate(5 6)',
    });
  });
  drawing.path(face, { fill: 'none', stroke: '#fff', 'stroke-opacity': 0.5, 'stroke-width': 1.6 });
  drawing.path(
    `M${num(box.x + 90)} ${num(box.y + height * 0.55)}Q${num(box.x + 88)} ${num(box.y + 84)} ${num(box.x + width * 0.5)} ${num(box.y + 76)}`,
    {
      fill: 'none',
      stroke: diagonal(drawing, box, [
        [0, '#fff', 1],
        [0.4, '#fff', 0.5],
        [0.52, '#fff', 0],
      ]),
      'stroke-width': 11,
      'stroke-linecap': 'round',
    },
  );
  drawing.setPrintArea(center, 7.1, 5.1);
  return drawing;
}

export const stones: readonly Blank[] = [
  { productId: 'coaster-slate-square', draw: drawSlateCoaster },
  { productId: 'photo-slate-white', draw: drawPhotoSlate },
];
