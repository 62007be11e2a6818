/**
 * Metrics of a drawing: the distance of its edges and colors from an original, the number of its pieces, and their
 * soundness. Drawings and originals are both rendered at `SCALE` times the input and compared there.
 */
import { gzipSync } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';
import type { Bitmap } from '../src/index.ts';
import { countSelfCrossings, signedArea } from '../test/polylines.ts';
import { type PathSegment, pointAt, readOutlines, straighten } from './paths.ts';

/** Drawings are judged at this many times the size of the input. */
export const SCALE = 4;
/** Distances are clamped to this many px of the input. */
const FAR = 4;
/** OKLab distance from which neighboring pixels are an edge. */
const EDGE_STEP = 0.03;

export interface Picture {
  width: number;
  height: number;
  /** sRGB on white, one number per pixel. */
  rgb: Uint32Array;
}

export function render(svg: string, width: number, isCrisp = false): Picture {
  const image = new Resvg(straighten(svg), {
    fitTo: { mode: 'width', value: width },
    background: '#fff',
    shapeRendering: isCrisp ? 1 : 2,
    font: { loadSystemFonts: false },
  }).render();
  const { pixels } = image;
  const rgb = new Uint32Array(image.width * image.height);
  for (let i = 0; i < rgb.length; i++) rgb[i] = (pixels[i * 4] << 16) | (pixels[i * 4 + 1] << 8) | pixels[i * 4 + 2];
  return { width: image.width, height: image.height, rgb };
}

export function toBitmap({ width, height, rgb }: Picture): Bitmap {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < rgb.length; i++) {
    data[i * 4] = rgb[i] >> 16;
    data[i * 4 + 1] = (rgb[i] >> 8) & 255;
    data[i * 4 + 2] = rgb[i] & 255;
    data[i * 4 + 3] = 255;
  }
  return { width, height, data };
}

export function toPicture({ width, height, data }: Bitmap): Picture {
  const rgb = new Uint32Array(width * height);
  for (let i = 0; i < rgb.length; i++) rgb[i] = (data[i * 4] << 16) | (data[i * 4 + 1] << 8) | data[i * 4 + 2];
  return { width, height, rgb };
}

const linear = Float64Array.from({ length: 256 }, (_, v) =>
  v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
);
const labs = new Map<number, readonly [number, number, number]>();

/** Returns the OKLab coordinates (Ottosson 2020) of a packed color. */
function toLab(rgb: number): readonly [number, number, number] {
  const cachedLab = labs.get(rgb);
  if (cachedLab) return cachedLab;
  const [r, g, b] = [linear[rgb >> 16], linear[(rgb >> 8) & 255], linear[rgb & 255]];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lab = [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ] as const;
  labs.set(rgb, lab);
  return lab;
}

function distance(p: number, q: number): number {
  if (p === q) return 0;
  const a = toLab(p);
  const b = toLab(q);
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Returns the mean OKLab distance × 100. */
export function colorError(a: Picture, b: Picture): number {
  let sum = 0;
  for (let i = 0; i < a.rgb.length; i++) sum += distance(a.rgb[i], b.rgb[i]);
  return (100 * sum) / a.rgb.length;
}

/** Marks the pixels whose right or lower neighbor has another color. */
export function findEdges({ width, height, rgb }: Picture): Uint8Array {
  const edges = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const right = x + 1 < width && distance(rgb[i], rgb[i + 1]) > EDGE_STEP;
      const below = y + 1 < height && distance(rgb[i], rgb[i + width]) > EDGE_STEP;
      if (right || below) edges[i] = 1;
    }
  }
  return edges;
}

/** Steps to a mark in a column without one: farther than any picture is high. */
const NO_MARK = 30_000;

/**
 * Returns the squared distance transform of the marked pixels: steps to the nearest mark of each column, swept row by
 * row, then lower envelopes of parabolas along each row (Meijster, Roerdink, Hesselink 2000; Felzenszwalb, Huttenlocher
 * 2012).
 */
export function distanceField(marks: Uint8Array, width: number, height: number): Float32Array {
  const field = new Float32Array(marks.length);
  for (let i = 0; i < marks.length; i++) {
    field[i] = marks[i] ? 0 : i < width ? NO_MARK : Math.min(NO_MARK, field[i - width] + 1);
  }
  for (let i = marks.length - width - 1; i >= 0; i--) {
    if (field[i + width] + 1 < field[i]) field[i] = field[i + width] + 1;
  }
  const value = new Float64Array(width);
  const apex = new Int32Array(width);
  const border = new Float64Array(width + 1);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    for (let q = 0; q < width; q++) value[q] = field[start + q] ** 2;
    let top = 0;
    apex[0] = 0;
    border[0] = -Infinity;
    border[1] = Infinity;
    for (let q = 1; q < width; q++) {
      let cross: number;
      for (;;) {
        const p = apex[top];
        cross = (value[q] + q * q - value[p] - p * p) / (2 * (q - p));
        if (cross > border[top]) break;
        top--;
      }
      apex[++top] = q;
      border[top] = cross;
      border[top + 1] = Infinity;
    }
    for (let q = 0, k = 0; q < width; q++) {
      while (border[k + 1] < q) k++;
      field[start + q] = (q - apex[k]) ** 2 + value[apex[k]];
    }
  }
  return field;
}

/**
 * Marked pixels and their distance transform, computed once for an original that several drawings are compared with.
 */
export interface Marks {
  marks: Uint8Array;
  field: Float32Array;
}

export function toMarks(marks: Uint8Array, width: number, height: number): Marks {
  return { marks, field: distanceField(marks, width, height) };
}

export function edgeMarks(picture: Picture): Marks {
  return toMarks(findEdges(picture), picture.width, picture.height);
}

export interface EdgeComparison {
  /** Mean distance between the marks, both ways, in px of the input. */
  error: number;
  /** F-score of the marks within a quarter of a px of the input. */
  f25: number;
}

export function compareMarks(a: Marks, b: Marks): EdgeComparison {
  const oneWay = ({ marks }: Marks, { field }: Marks): [number, number] => {
    let sum = 0;
    let near = 0;
    let count = 0;
    for (let i = 0; i < marks.length; i++) {
      if (!marks[i]) continue;
      count++;
      sum += Math.min(FAR * SCALE, Math.sqrt(field[i]));
      if (field[i] <= (SCALE / 4) ** 2) near++;
    }
    return count ? [sum / count / SCALE, near / count] : [FAR, 0];
  };
  const [there, precision] = oneWay(a, b);
  const [back, recall] = oneWay(b, a);
  const both = precision + recall;
  return { error: (there + back) / 2, f25: both > 0 ? (2 * precision * recall) / both : 0 };
}

/** Marks the strokes of a drawing as hairlines, without fills, to judge a centerline drawing. */
export function lineMarks(svg: string, width: number, unitsWide: number): Marks {
  const hairline = (0.3 * unitsWide * SCALE) / width;
  const thin = svg
    .replace(/stroke-width="[^"]*"/g, `stroke-width="${hairline}"`)
    .replace(/fill="[^"]*"/g, 'fill="none"');
  const picture = render(thin, width, true);
  return toMarks(
    Uint8Array.from(picture.rgb, (rgb) => (rgb === 0xffffff ? 0 : 1)),
    picture.width,
    picture.height,
  );
}

/** Counts the distinct colors that cover at least 4 px of the input, in a crisp rendering. */
export function countColors({ rgb }: Picture): number {
  const counts = new Map<number, number>();
  for (const color of rgb) counts.set(color, (counts.get(color) ?? 0) + 1);
  return [...counts.values()].filter((count) => count >= 4 * SCALE * SCALE).length;
}

/** Returns the structural similarity of luma (Wang, Bovik, Sheikh, Simoncelli 2004) over windows of 8 × 8 pixels. */
export function similarity(a: Picture, b: Picture): number {
  const { width, height } = a;
  const luma = (rgb: number): number => 0.299 * (rgb >> 16) + 0.587 * ((rgb >> 8) & 255) + 0.114 * (rgb & 255);
  const side = 8;
  let sum = 0;
  let count = 0;
  for (let top = 0; top + side <= height; top += side / 2) {
    for (let left = 0; left + side <= width; left += side / 2) {
      let [p, q, pp, qq, pq] = [0, 0, 0, 0, 0];
      for (let y = top; y < top + side; y++) {
        for (let x = left; x < left + side; x++) {
          const u = luma(a.rgb[y * width + x]);
          const v = luma(b.rgb[y * width + x]);
          p += u;
          q += v;
          pp += u * u;
          qq += v * v;
          pq += u * v;
        }
      }
      const n = side * side;
      const [mp, mq] = [p / n, q / n];
      const [vp, vq, cov] = [pp / n - mp * mp, qq / n - mq * mq, pq / n - mp * mq];
      sum += ((2 * mp * mq + 6.5025) * (2 * cov + 58.5225)) / ((mp * mp + mq * mq + 6.5025) * (vp + vq + 58.5225));
      count++;
    }
  }
  return sum / count;
}

export interface Gaps {
  /**
   * Pixels not painted where the original is opaque and of a color of its own, per million: seams. Those on the edge of
   * white art that is open as a whole belong to it.
   */
  seams: number;
  /** The same for every color: also white that no edge separates from white paper. */
  all: number;
}

/**
 * Returns the share of pixels, rendered at `SCALE` times the width in px, that a drawing leaves open where the original
 * is opaque within two pixels around. No paper lies under either.
 */
export function measureGaps(svg: string, originalSvg: string, width: number): Gaps {
  const [picture, truth] = [svg, originalSvg].map((file) =>
    new Resvg(straighten(file), {
      fitTo: { mode: 'width', value: width * SCALE },
      font: { loadSystemFonts: false },
    }).render(),
  );
  const { width: w, height: h } = truth;
  const [a, b] = [picture.pixels, truth.pixels];
  let seams = 0;
  let all = 0;
  for (let y = 2; y < h - 2; y++) {
    for (let x = 2; x < w - 2; x++) {
      const i = (y * w + x) * 4;
      if (a[i + 3] >= 245) continue;
      let isOpaque = true;
      for (let k = -2; k <= 2; k++) isOpaque &&= b[i + 4 * k + 3] === 255 && b[i + 4 * k * w + 3] === 255;
      if (!isOpaque) continue;
      all++;
      if (Math.min(b[i], b[i + 1], b[i + 2]) >= 240) continue;
      let isEdgeOfWhite = false;
      for (let k = -2; k <= 2; k++) {
        for (let m = -2; m <= 2; m++) {
          const n = i + 4 * (k * w + m);
          isEdgeOfWhite ||= a[n + 3] === 0 && Math.min(b[n], b[n + 1], b[n + 2], b[n + 3]) >= 240;
        }
      }
      if (!isEdgeOfWhite) seams++;
    }
  }
  return { seams: (1e6 * seams) / (w * h), all: (1e6 * all) / (w * h) };
}

/** Returns the size of the gzipped file in kB. */
export function gzipKilobytes(svg: string): number {
  return gzipSync(svg, { level: 9 }).length / 1024;
}

type Point = [number, number];

export interface PathStats {
  /** Lines, curves and arcs; a circle or an ellipse is four. */
  segments: number;
  /** Proper crossings of a subpath with itself. */
  crossings: number;
  /** Filled subpaths of less than 4 px² of the input. */
  specks: number;
}

/**
 * Counts the segments, crossings and specks of a file. `pxPerUnit` converts units of the file to px of the input.
 * Transforms are ignored: subpaths keep their own coordinates.
 */
export function measurePaths(svg: string, pxPerUnit = 1): PathStats {
  const stats: PathStats = { segments: 0, crossings: 0, specks: 0 };
  for (const { tag, isPath, subpaths } of readOutlines(svg)) {
    if (isPath) {
      const isFilled = !/\sfill="none"/.test(tag);
      for (const { segments } of subpaths) {
        const points = flatten(segments);
        stats.segments += segments.length;
        stats.crossings += countSelfCrossings(points);
        if (isFilled && Math.abs(signedArea(points)) * pxPerUnit ** 2 < 4) stats.specks++;
      }
    } else if (/^<(?:circle|ellipse)/.test(tag)) stats.segments += 4;
    else for (const { segments } of subpaths) stats.segments += segments.length + (tag.startsWith('<polygon') ? 1 : 0);
  }
  return stats;
}

/** Returns a subpath as a polyline. Curves become eight lines each. */
function flatten(segments: readonly PathSegment[]): Point[] {
  const [[x, y]] = segments[0].cubics;
  const points: Point[] = [[x, y]];
  for (const { isLine, cubics } of segments) {
    for (const cubic of cubics) for (let k = isLine ? 8 : 1; k <= 8; k++) points.push(pointAt(cubic, k / 8));
  }
  return points;
}

export function median(values: number[]): number {
  const ascending = [...values].sort((p, q) => p - q);
  return (ascending[(ascending.length - 1) >> 1] + ascending[ascending.length >> 1]) / 2;
}

/** Returns a table in Markdown: the first row is its head, the first `words` columns hold words. */
export function formatTable(rows: string[][], words = 1): string {
  const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => row[k].length)));
  const line = (row: string[]): string =>
    `| ${row.map((cell, k) => (k < words ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, k) => (k < words ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(rows[0]), rule, ...rows.slice(1).map(line)].join('\n');
}
