/** Measures a trace of a camera picture against the page that was photographed, after the best perspective fit. */
import { Resvg } from '@resvg/resvg-js';
import { drawTruth, invert, labelPage, PAGE_SCALE, type Photo } from './camera.ts';
import { compareMarks, findEdges, type Marks, measurePaths, type Picture, SCALE, toMarks } from './metrics.ts';

/** Colors of the truth's labels, so that all of them are edges of each other. */
const CODES = [0xffffff, 0x000000, 0xff0000, 0x00a000, 0x0000ff];

/** The truth of a picture, for one or several traces. */
export interface Truth {
  photo: Photo;
  page: ReturnType<typeof labelPage>;
  /** Points on the edges of the page, x and y in turns, in its units. */
  points: Float64Array;
  inks: number;
  segments: number;
}

export interface CameraScores {
  /** Mean distance between edges, both ways, in px of the picture. */
  edge: number;
  /** Colors of the trace without paper, and whether that is the number of inks. */
  inks: number;
  isRight: boolean;
  segmentsRatio: number;
  /** Unpainted pixels within the inks, per million. */
  gapsPpm: number;
  specks: number;
}

export function readTruth(photo: Photo): Truth {
  const { art, isOneInk, surface } = photo.shot;
  const isSingle = isOneInk || surface === 'pencil';
  const page = labelPage(art, isSingle);
  const { width, height, labels } = page;
  const edges: number[] = [];
  for (let y = 0, p = 0; y < height - 1; y++) {
    for (let x = 0; x < width - 1; x++, p++) {
      if (labels[p] !== labels[p + 1]) edges.push((x + 1) / PAGE_SCALE, (y + 0.5) / PAGE_SCALE);
      if (labels[p] !== labels[p + width]) edges.push((x + 0.5) / PAGE_SCALE, (y + 1) / PAGE_SCALE);
    }
    p++;
  }
  const step = Math.max(1, Math.floor(edges.length / 2 / 4000));
  const points = new Float64Array(2 * Math.ceil(edges.length / 2 / step));
  for (let k = 0; k * 2 < points.length; k++) {
    points[k * 2] = edges[k * step * 2];
    points[k * 2 + 1] = edges[k * step * 2 + 1];
  }
  const inks = isSingle ? 1 : art.inks;
  const { segments } = measurePaths(
    drawTruth(
      art,
      Array.from({ length: art.inks }, () => '#000'),
    ),
  );
  return { photo, page, points, inks, segments };
}

/** Scores a trace. `isOneInk` when the tracer was to draw in one ink. */
export function scoreTrace(svg: string, truth: Truth): CameraScores {
  const { bitmap } = truth.photo;
  const trace = renderTrace(svg, bitmap.width * SCALE);
  const marks = toMarks(findEdges(trace), trace.width, trace.height);
  const map = fitPerspective(marks.field, trace, truth);
  const labels = warpLabels(map, truth, trace.width, trace.height);
  const picture = paintLabels(labels, trace);
  const truthMarks = toMarks(findEdges(picture), picture.width, picture.height);
  const { segments, specks } = measurePaths(svg, pixelsPerUnit(svg, bitmap.width));
  const inks = countInks(trace, labels);
  return {
    edge: compareMarks(marks, truthMarks).error,
    inks,
    isRight: inks === truth.inks,
    segmentsRatio: segments / truth.segments,
    gapsPpm: measureGaps(trace, labels, truthMarks),
    specks,
  };
}

/** Scores the page itself, seen through the lens: what the distortion alone costs. */
export function scoreFloor(truth: Truth): number {
  const { photo } = truth;
  const { width, height } = photo.bitmap;
  const labels = warpLabels(photo.homography, truth, width * SCALE, height * SCALE, photo.lens);
  const picture = paintLabels(labels, { width: width * SCALE, height: height * SCALE });
  const marks = toMarks(findEdges(picture), picture.width, picture.height);
  const map = fitPerspective(marks.field, picture, truth);
  const fit = warpLabels(map, truth, picture.width, picture.height);
  const fitPicture = paintLabels(fit, picture);
  return compareMarks(marks, toMarks(findEdges(fitPicture), picture.width, picture.height)).error;
}

function paintLabels(labels: Uint8Array, { width, height }: { width: number; height: number }): Picture {
  const rgb = new Uint32Array(labels.length);
  for (let i = 0; i < rgb.length; i++) rgb[i] = CODES[labels[i]];
  return { width, height, rgb };
}

function pixelsPerUnit(svg: string, width: number): number {
  const view = /viewBox="0 0 ([\d.]+)/.exec(svg)?.[1] ?? /\bwidth="([\d.]+)/.exec(svg)?.[1];
  return view === undefined ? 1 : width / Number(view);
}

interface Trace extends Picture {
  alpha: Uint8Array;
}

/** Renders without antialiasing, on nothing. Where nothing is painted, the color is white. */
function renderTrace(svg: string, width: number): Trace {
  const image = new Resvg(svg, {
    fitTo: { mode: 'width', value: width },
    shapeRendering: 1,
    font: { loadSystemFonts: false },
  }).render();
  const { pixels } = image;
  const rgb = new Uint32Array(image.width * image.height);
  const alpha = new Uint8Array(rgb.length);
  for (let i = 0; i < rgb.length; i++) {
    alpha[i] = pixels[i * 4 + 3];
    rgb[i] = alpha[i] < 128 ? 0xffffff : (pixels[i * 4] << 16) | (pixels[i * 4 + 1] << 8) | pixels[i * 4 + 2];
  }
  return { width: image.width, height: image.height, rgb, alpha };
}

/** Counts the colors of at least 4 px of the picture that lie mostly on inks; paper and what lies on it count apart. */
function countInks({ rgb }: Trace, labels: Uint8Array): number {
  const all = new Map<number, number>();
  const onPaper = new Map<number, number>();
  // Runs of one color and label count at once.
  for (let i = 0, from = 0; i < rgb.length; i++) {
    if (i + 1 < rgb.length && rgb[i + 1] === rgb[i] && labels[i + 1] === labels[i]) continue;
    const count = i + 1 - from;
    all.set(rgb[i], (all.get(rgb[i]) ?? 0) + count);
    if (labels[i] === 0) onPaper.set(rgb[i], (onPaper.get(rgb[i]) ?? 0) + count);
    from = i + 1;
  }
  let paper = 0xffffff;
  for (const [color, count] of onPaper) if (count > (onPaper.get(paper) ?? 0)) paper = color;
  let inks = 0;
  for (const [color, count] of all) if (color !== paper && count >= 4 * SCALE * SCALE) inks++;
  return inks;
}

/** Returns the unpainted pixels that lie in an ink, at least a px away from each edge, per million. */
function measureGaps({ alpha }: Trace, labels: Uint8Array, { field }: Marks): number {
  let gaps = 0;
  for (let i = 0; i < labels.length; i++) if (labels[i] > 0 && alpha[i] < 128 && field[i] > SCALE * SCALE) gaps++;
  return (1e6 * gaps) / labels.length;
}

/**
 * Returns the map from the page to the picture that brings the page's edges nearest to those of the trace: Gauss-Newton
 * steps on the eight parameters, each edge pulled to the nearest one, far ones less (iterated closest points, Besl and
 * McKay 1992).
 */
function fitPerspective(field: Float32Array, { width, height }: Picture, { photo, points }: Truth): number[] {
  const start = photo.homography;
  const map = start.map((value) => value / start[8]);
  for (let round = 0; round < 12; round++) {
    const reach = round < 4 ? 3 : 1;
    const normal = new Float64Array(64);
    const side = new Float64Array(8);
    for (let k = 0; k < points.length; k += 2) {
      const [u, v] = [points[k], points[k + 1]];
      const w = map[6] * u + map[7] * v + 1;
      const x = (map[0] * u + map[1] * v + map[2]) / w;
      const y = (map[3] * u + map[4] * v + map[5]) / w;
      const i = Math.round(x * SCALE - 1);
      const j = Math.round(y * SCALE - 1);
      if (i < 1 || j < 1 || i >= width - 1 || j >= height - 1) continue;
      const p = j * width + i;
      if (field[p] > (4 * SCALE) ** 2) continue;
      const dx = (field[p + 1] - field[p - 1]) / 4 / SCALE;
      const dy = (field[p + width] - field[p - width]) / 4 / SCALE;
      const weight = 1 / (1 + (dx * dx + dy * dy) / (reach * reach));
      const columnX = [u / w, v / w, 1 / w, 0, 0, 0, (-x * u) / w, (-x * v) / w];
      const columnY = [0, 0, 0, u / w, v / w, 1 / w, (-y * u) / w, (-y * v) / w];
      for (let a = 0; a < 8; a++) {
        side[a] -= weight * (columnX[a] * dx + columnY[a] * dy);
        for (let b = 0; b <= a; b++) normal[a * 8 + b] += weight * (columnX[a] * columnX[b] + columnY[a] * columnY[b]);
      }
    }
    const step = solve(normal, side);
    if (!step) break;
    for (let a = 0; a < 8; a++) map[a] += step[a];
  }
  return map;
}

/** Solves eight equations whose matrix is positive definite, given its lower half (Cholesky). */
function solve(matrix: Float64Array, side: Float64Array): Float64Array | undefined {
  const n = 8;
  const scale = Float64Array.from({ length: n }, (_, k) => 1 / Math.sqrt(matrix[k * n + k] || 1));
  const lower = new Float64Array(n * n);
  for (let a = 0; a < n; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = matrix[a * n + b] * scale[a] * scale[b] + (a === b ? 1e-9 : 0);
      for (let k = 0; k < b; k++) sum -= lower[a * n + k] * lower[b * n + k];
      if (a === b && !(sum > 0)) return undefined;
      lower[a * n + b] = a === b ? Math.sqrt(sum) : sum / lower[b * n + b];
    }
  }
  const out = Float64Array.from(side, (value, k) => value * scale[k]);
  for (let a = 0; a < n; a++) {
    for (let k = 0; k < a; k++) out[a] -= lower[a * n + k] * out[k];
    out[a] /= lower[a * n + a];
  }
  for (let a = n - 1; a >= 0; a--) {
    for (let k = a + 1; k < n; k++) out[a] -= lower[k * n + a] * out[k];
    out[a] /= lower[a * n + a];
  }
  return out.map((value, k) => value * scale[k]);
}

/** Returns the page's labels in the picture, at `SCALE` times its size. */
function warpLabels(map: readonly number[], { page }: Truth, width: number, height: number, lens = 0): Uint8Array {
  const back = invert(map);
  const out = new Uint8Array(width * height);
  const [middleX, middleY] = [width / 2, height / 2];
  const corner = Math.hypot(middleX, middleY);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const [fromX, fromY] = [x + 0.5 - middleX, y + 0.5 - middleY];
      const pull = 1 + lens * ((fromX * fromX + fromY * fromY) / (corner * corner));
      const [px, py] = [(fromX * pull + middleX) / SCALE, (fromY * pull + middleY) / SCALE];
      const w = back[6] * px + back[7] * py + back[8];
      const u = Math.floor(((back[0] * px + back[1] * py + back[2]) / w) * PAGE_SCALE);
      const v = Math.floor(((back[3] * px + back[4] * py + back[5]) / w) * PAGE_SCALE);
      if (u >= 0 && v >= 0 && u < page.width && v < page.height) out[i] = page.labels[v * page.width + u];
    }
  }
  return out;
}
