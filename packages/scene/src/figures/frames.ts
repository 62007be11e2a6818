/**
 * Draws frames and borders by their measures, in mm: 0, 0 is the top left of the box, whose edges the frame touches.
 * Ornaments keep their own size whatever the frame's is: their number follows from its length.
 */
import type { ShapeElement } from '../document/composition.ts';
import type { FrameForm } from '../document/elements.ts';
import { SHAPE_STROKE_MM } from '../document/limits.ts';
import { type Contour, flatten, looseBounds, readContours } from '../geometry/pathData.ts';
import { joinOutlines, MM_GRID, offsetOutline, outlineStroke } from '../geometry/planar.ts';
import { circle, fitBox, HANDLE, roundedRectangle, UNIT_CIRCLE } from './outlines.ts';

/** The most pieces of one frame: of a large one with a thin line they become larger. */
const MOST_PIECES = 600;
const FLAT_MM = 0.01;

type Measures = Pick<ShapeElement, 'widthMm' | 'heightMm' | 'cornerMm'> & { readonly strokeMm: number };

/** Returns what is filled of a frame. Its corners are no rounder than its shorter side allows. */
export function drawFrame(shape: ShapeElement & { readonly form: FrameForm }): Contour[] {
  const { form, widthMm, heightMm, cornerMm } = shape;
  const least = Math.min(widthMm, heightMm);
  // A wider line would leave nothing free.
  const strokeMm = Math.min(shape.strokeMm ?? SHAPE_STROKE_MM.initial, least / 4);
  const measures = { widthMm, heightMm, cornerMm: Math.min(cornerMm, least / 2), strokeMm };
  return fitBox(draw[form](measures), widthMm, heightMm);
}

const draw: Readonly<Record<FrameForm, (measures: Measures) => Contour[]>> = {
  doubleFrame: (measures) => doubleLine([rectangle(measures)], measures),
  ticketFrame: (measures) => doubleLine([ticket(measures)], measures),
  cornerFrame: corners,
  stitchFrame: (measures) => stitches(rectangle(measures, 0.5), measures),
  dotFrame: (measures) => dots(rectangle(measures, 0.5), measures),
  ropeFrame: (measures) => rope(rectangle(bendable(measures), ROPE_WIDTH / 2), measures),
  scallopFrame: scallops,
  doubleRing: (measures) => doubleLine([ellipse(measures)], measures),
  stitchRing: (measures) => stitches(ellipse(measures, 0.5), measures),
  dotRing: (measures) => dots(ellipse(measures, 0.5), measures),
  ropeRing: (measures) => rope(ellipse(measures, ROPE_WIDTH / 2), measures),
  wreath,
};

/** Returns a rectangle that lies inside by so many widths of the line. */
function rectangle({ widthMm, heightMm, cornerMm, strokeMm }: Measures, lines = 0): Contour {
  const inset = lines * strokeMm;
  const box = { widthMm: widthMm - 2 * inset, heightMm: heightMm - 2 * inset };
  return shift(roundedRectangle({ ...box, cornerMm: Math.max(0, cornerMm - inset) }), inset, inset);
}

function ellipse({ widthMm, heightMm, strokeMm }: Measures, lines = 0): Contour {
  const inset = lines * strokeMm;
  const [contour] = fitBox(readContours(UNIT_CIRCLE), widthMm - 2 * inset, heightMm - 2 * inset);
  return shift(contour!, inset, inset);
}

const shift = ({ commands, points, isClosed }: Contour, x: number, y: number): Contour => ({
  commands,
  points: points.map((value, i) => value + (i % 2 ? y : x)),
  isClosed,
});

/** The gap inside of a line, and the thin line after it, in widths of the line. */
const GAP = 1;
const THIN = 0.4;

/** Returns a line along the inside of an edge, and a thin one inside of that. */
function doubleLine(edge: readonly Contour[], { strokeMm }: Measures): Contour[] {
  const at = (lines: number) => offsetOutline(edge, -lines * strokeMm, 'miter', MM_GRID);
  return [...edge, ...at(1), ...at(1 + GAP), ...at(1 + GAP + THIN)];
}

/** Returns a rectangle whose corners are taken out by quarters of a circle; by an eighth of it where it says none. */
function ticket({ widthMm: w, heightMm: h, cornerMm }: Measures): Contour {
  const r = cornerMm > 0 ? Math.min(cornerMm, 0.45 * Math.min(w, h)) : Math.min(w, h) / 8;
  const k = r * HANDLE;
  const d =
    `M${r} 0L${w - r} 0C${w - r} ${k} ${w - k} ${r} ${w} ${r}L${w} ${h - r}C${w - k} ${h - r} ${w - r} ${h - k} ` +
    `${w - r} ${h}L${r} ${h}C${r} ${h - k} ${k} ${h - r} 0 ${h - r}L0 ${r}C${k} ${r} ${r} ${k} ${r} 0Z`;
  return readContours(d)[0]!;
}

/** The length of the arms of a corner in shorter sides. */
const ARM = 0.28;

function corners({ widthMm, heightMm, cornerMm, strokeMm }: Measures): Contour[] {
  const half = strokeMm / 2;
  const [left, top, right, bottom] = [half, half, widthMm - half, heightMm - half];
  const arm = Math.max(ARM * Math.min(widthMm, heightMm), 2 * strokeMm);
  const r = Math.max(0, Math.min(cornerMm, arm) - half);
  const k = r * (1 - HANDLE);
  const lines = [
    [left, top, 1, 1],
    [right, top, -1, 1],
    [right, bottom, -1, -1],
    [left, bottom, 1, -1],
  ].map(([x, y, sx, sy]) => {
    const at = (dx: number, dy: number) => `${x! + sx! * dx} ${y! + sy! * dy}`;
    const bend = r > 0 ? `C${at(0, k)} ${at(k, 0)} ${at(r, 0)}` : '';
    return readContours(`M${at(0, arm)}L${at(0, r)}${bend}L${at(arm, 0)}`)[0]!;
  });
  return outlineStroke(lines, { width: strokeMm, cap: 'butt', join: 'miter', miterLimit: 4 }, MM_GRID);
}

/** A closed polyline by the way along it. */
interface Way {
  readonly lengthMm: number;
  /** The point at a distance from the start, and the direction there. Beyond the end it goes round again. */
  at(mm: number): { readonly x: number; readonly y: number; readonly dx: number; readonly dy: number };
  /** The corners between two distances. */
  between(from: number, to: number): readonly number[];
}

function toWay(contour: Contour): Way {
  const flat = flatten(contour, FLAT_MM);
  if (flat[0] !== flat.at(-2) || flat[1] !== flat.at(-1)) flat.push(flat[0]!, flat[1]!);
  const ends = [0];
  for (let p = 2; p < flat.length; p += 2) {
    ends.push(ends.at(-1)! + Math.hypot(flat[p]! - flat[p - 2]!, flat[p + 1]! - flat[p - 1]!));
  }
  const lengthMm = ends.at(-1)!;
  return {
    lengthMm,
    at(mm) {
      const rest = ((mm % lengthMm) + lengthMm) % lengthMm;
      const i = Math.max(
        1,
        ends.findIndex((end) => end > rest),
      );
      const [ax, ay, bx, by] = [flat[2 * i - 2]!, flat[2 * i - 1]!, flat[2 * i]!, flat[2 * i + 1]!];
      const step = ends[i]! - ends[i - 1]!;
      const [dx, dy] = [(bx - ax) / step, (by - ay) / step];
      return { x: ax + (rest - ends[i - 1]!) * dx, y: ay + (rest - ends[i - 1]!) * dy, dx, dy };
    },
    between: (from, to) => ends.flatMap((end, i) => (end > from && end < to ? [flat[2 * i]!, flat[2 * i + 1]!] : [])),
  };
}

const polyline = (points: readonly number[], isClosed = false): Contour => ({
  commands: Array.from({ length: points.length / 2 - 1 }, () => 'L' as const),
  points: [...points],
  isClosed,
});

/** Returns how many pieces of a pitch go along a way, an even share of it each. */
const countAlong = ({ lengthMm }: Way, pitchMm: number): number =>
  Math.min(MOST_PIECES, Math.max(8, Math.round(lengthMm / pitchMm)));

/** The length of a stitch in widths of the line, and the part of its pitch that it takes. */
const STITCH = 3;
const STITCH_SHARE = 0.68;

/** Returns rounded dashes, as a seam of leather has. */
function stitches(middle: Contour, { strokeMm }: Measures): Contour[] {
  const way = toWay(middle);
  const count = countAlong(way, ((STITCH + 1) * strokeMm) / STITCH_SHARE);
  const pitch = way.lengthMm / count;
  const dash = Math.max(pitch * STITCH_SHARE - strokeMm, pitch / 10);
  const lines = Array.from({ length: count }, (_, i) => {
    const from = i * pitch;
    const [start, end] = [way.at(from), way.at(from + dash)];
    return polyline([start.x, start.y, ...way.between(from, from + dash), end.x, end.y]);
  });
  return outlineStroke(lines, { width: strokeMm, cap: 'round', join: 'round', miterLimit: 4 }, MM_GRID);
}

/** The distance of dots in widths of the line, from middle to middle. */
const DOT_PITCH = 2;

function dots(middle: Contour, { strokeMm }: Measures): Contour[] {
  const way = toWay(middle);
  const count = countAlong(way, DOT_PITCH * strokeMm);
  return Array.from({ length: count }, (_, i) => {
    const { x, y } = way.at((i * way.lengthMm) / count);
    return circle(x, y, strokeMm / 2);
  });
}

/** The width of a rope, the length of a strand along it, and how far it leans, in widths of the line. */
const ROPE_WIDTH = 2;
const STRAND = 1.5;
const LEAN = 1.6;
/** The least radius of its outer edge, in widths of the line. */
const ROPE_BEND = 7;
const bendable = (measures: Measures): Measures => ({
  ...measures,
  cornerMm: Math.max(measures.cornerMm, Math.min(ROPE_BEND * measures.strokeMm, measures.heightMm / 2)),
});
/** The part of a strand's length that it takes: the rest keeps it from the next one. */
const STRAND_SHARE = 0.7;

/** Returns the strands of a rope, each a slanted leaf with round ends. */
function rope(middle: Contour, { strokeMm }: Measures): Contour[] {
  const way = toWay(middle);
  const count = countAlong(way, STRAND * strokeMm);
  const pitch = way.lengthMm / count;
  const half = (ROPE_WIDTH * strokeMm) / 2;
  const lean = Math.min(LEAN * strokeMm, way.lengthMm / 8);
  /** A point beside the way, as far along as it leans there: from the outer side at -1 to the inner one at 1. */
  const beside = (mm: number, across: number) => {
    const { x, y, dx, dy } = way.at(mm + (across * lean) / 2);
    return [x - dy * across * half, y + dx * across * half] as const;
  };
  const thick = pitch * STRAND_SHARE;
  // The S of a strand: steep in the middle, along the rope at its ends, where it is also thinner.
  const across = [-1, -0.9, -0.62, -0.25, 0.25, 0.62, 0.9, 1];
  const width = [0.15, 0.55, 0.9, 1, 1, 0.9, 0.55, 0.15];
  return Array.from({ length: count }, (_, i) => {
    const side = (way: 1 | -1) => across.map((t, k) => beside(i * pitch + (way * width[k]! * thick) / 2, t));
    return smooth([...side(1), ...side(-1).reverse()]);
  });
}

/** Returns a smooth closed curve through points (Catmull-Rom). */
function smooth(points: readonly (readonly [number, number])[]): Contour {
  const at = (i: number) => points[(i + points.length) % points.length]!;
  const out: number[] = [...at(0)];
  for (let i = 0; i < points.length; i++) {
    const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    out.push(bx + (cx - ax) / 6, by + (cy - ay) / 6, cx - (dx - bx) / 6, cy - (dy - by) / 6, cx, cy);
  }
  return { commands: points.map(() => 'C' as const), points: out, isClosed: true };
}

/** The radius of a scallop in shorter sides, and in widths of the line at least. */
const SCALLOP = 0.055;
const LEAST_SCALLOP = 2;

/** Returns a line along an edge of half circles, as lace has, and a thin one inside of it. */
function scallops({ widthMm, heightMm, strokeMm }: Measures): Contour[] {
  const least = Math.max(SCALLOP * Math.min(widthMm, heightMm), LEAST_SCALLOP * strokeMm);
  const count = (side: number) => Math.min(MOST_PIECES / 4, Math.max(2, Math.round((side - 2 * least) / (2 * least))));
  const [across, down] = [count(widthMm), count(heightMm)];
  const r = Math.min(widthMm / (2 * across + 2), heightMm / (2 * down + 2));
  const [left, top, right, bottom] = [r, r, widthMm - r, heightMm - r];
  const [stepX, stepY] = [(right - left) / across, (bottom - top) / down];
  const bumps: Contour[][] = [];
  // Bumps of a side that is not a whole number of circles long are a little wider than high.
  const radius = (step: number) => Math.max(r, step / 2);
  for (let i = 0; i <= across; i++) {
    for (const y of [top, bottom]) bumps.push([circle(left + i * stepX, y, radius(stepX))]);
  }
  for (let i = 1; i < down; i++) for (const x of [left, right]) bumps.push([circle(x, top + i * stepY, radius(stepY))]);
  const inside = shift(roundedRectangle({ widthMm: right - left, heightMm: bottom - top, cornerMm: 0 }), left, top);
  const edge = joinOutlines([[inside], ...bumps], MM_GRID);
  const at = (mm: number) => offsetOutline([inside], -mm, 'miter', MM_GRID);
  const gap = Math.max(strokeMm, r * 0.3);
  return [...edge, ...offsetOutline(edge, -strokeMm, 'round', MM_GRID), ...at(gap), ...at(gap + THIN * strokeMm)];
}

/** The length of a leaf in shorter sides, its width in lengths, and the angle between it and the twig. */
const LEAF = 0.15;
const LEAF_WIDTH = 0.36;
const LEAF_ANGLE = 0.62;
/** The part of the way round that the wreath leaves open at its top. */
const OPENING = 0.11;
/** How far the foot of a twig lies beyond the middle, where it crosses the other one. */
const FOOT = 0.035;
/** The distance of leaves along a twig, in their lengths, and the size of those on its inner side. */
const LEAF_PITCH = 0.62;
const INNER = 0.68;

/** Returns two twigs of leaves that meet at the bottom and leave the top open. The twigs are as wide as the line. */
function wreath({ widthMm, heightMm, strokeMm }: Measures): Contour[] {
  const leaf = LEAF * Math.min(widthMm, heightMm);
  const [rx, ry] = [widthMm / 2 - 0.62 * leaf, heightMm / 2 - 0.62 * leaf];
  /** A point of the right twig from its foot, at 0, to its tip, at 1, with the direction there. */
  const at = (t: number) => {
    const angle = Math.PI * (-FOOT + t * (1 - OPENING + FOOT));
    const [dx, dy] = [rx * Math.cos(angle), -ry * Math.sin(angle)];
    const size = Math.hypot(dx, dy);
    return { x: rx * Math.sin(angle), y: ry * Math.cos(angle), dx: dx / size, dy: dy / size };
  };
  const lengthMm = (Math.PI * (rx + ry)) / 2;
  const count = Math.min(MOST_PIECES / 6, Math.max(5, Math.round(lengthMm / (LEAF_PITCH * leaf))));
  const leaves: Contour[] = [];
  for (let i = 0; i < count; i++) {
    const place = at(0.09 + (0.9 * i) / count);
    // The last ones are smaller, as they grow.
    const length = leaf * (i > count - 4 ? 0.6 + 0.13 * (count - 1 - i) : 1);
    leaves.push(drawLeaf(place, LEAF_ANGLE, length), drawLeaf(place, -LEAF_ANGLE, INNER * length));
  }
  const tip = at(1);
  leaves.push(drawLeaf(tip, 0, leaf * 0.6));
  const twig = polyline(Array.from({ length: 97 }, (_, k) => at(k / 96)).flatMap(({ x, y }) => [x, y]));
  const style = { width: strokeMm * 0.6, cap: 'round', join: 'round', miterLimit: 4 } as const;
  const right = joinOutlines([outlineStroke([twig], style, MM_GRID), ...leaves.map((one) => [one])], MM_GRID);
  const left = right.map(
    ({ commands, points, isClosed }): Contour => ({
      commands,
      points: points.map((value, i) => (i % 2 ? value : -value)),
      isClosed,
    }),
  );
  const both = joinOutlines([right, left], MM_GRID);
  const { minX, minY } = looseBounds(both);
  return both.map((contour) => shift(contour, -minX, -minY));
}

/** Returns a pointed leaf that starts a little beside a twig. */
function drawLeaf(
  { x, y, dx, dy }: { readonly x: number; readonly y: number; readonly dx: number; readonly dy: number },
  angle: number,
  length: number,
): Contour {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [ux, uy] = [dx * cos - dy * sin, dx * sin + dy * cos];
  const half = (LEAF_WIDTH * length) / 2;
  const along = (part: number, across: number) => [
    x + ux * part * length - uy * across * half,
    y + uy * part * length + ux * across * half,
  ];
  const points = [
    ...along(0, 0),
    ...[...along(0.18, 1.15), ...along(0.62, 1.25), ...along(1, 0)],
    ...[...along(0.62, -1.25), ...along(0.18, -1.15), ...along(0, 0)],
  ];
  return { commands: ['C', 'C'], points, isClosed: true };
}
