/** Compares what a reader found in a file with the job that the file was made from. */

import { translate } from '../geometry/matrix.ts';
import { lengthOf, signedArea } from '../geometry/measure.ts';
import { type Contour, type PathBounds, tightBounds, transformContours } from '../geometry/pathData.ts';
import type { ContourFile, ContourLayer } from '../import/contourFile.ts';
import type { Job, OutlinePlate } from './job.ts';

export type DifferenceKind =
  | 'size'
  | 'layer'
  | 'area'
  | 'openEnd'
  | 'duplicate'
  | 'missing'
  | 'extra'
  | 'shape'
  | 'order';

export interface Difference {
  readonly kind: DifferenceKind;
  /** Undefined where it concerns the whole file. */
  readonly plateId: string | undefined;
  /** A sentence for the log. */
  readonly detail: string;
}

export interface Tolerances {
  /** Of sizes, places and curves, mm. */
  readonly lengthMm: number;
  /** Of the area of a layer and of a contour: the largest of a share, mm², and mm² for each mm of its lines. */
  readonly areaShare: number;
  readonly areaMm2: number;
  readonly areaPerLengthMm: number;
  /** Of the length of a contour, as a share, beyond four times `lengthMm`. */
  readonly lengthShare: number;
  /** Of the length of a contour, mm for each of its segments. */
  readonly lengthPerSegmentMm: number;
  /** The widest gap between the ends of an open contour that the format may close, because it has no finer places. */
  readonly gapMm: number;
}

export const FILE_TOLERANCES: Tolerances = {
  lengthMm: 0.01,
  areaShare: 0.001,
  areaMm2: 0.05,
  areaPerLengthMm: 0,
  lengthShare: 0.001,
  lengthPerSegmentMm: 0,
  gapMm: 0,
};

/** A plate with the name of its layer in the file. */
export interface NamedPlate {
  readonly plate: OutlinePlate;
  readonly layer: string;
}

/**
 * Returns every difference between the plates that a file should hold, in running order, and what it holds; none for a
 * file that may be given out. Contours are compared one by one, in order, by box, area and length. Cost: linear for a
 * file that agrees, with the square of a layer's contours for one that does not.
 */
export function compareWithJob(
  job: Pick<Job, 'widthMm' | 'heightMm' | 'rasters'>,
  plates: readonly NamedPlate[],
  file: ContourFile,
  tolerances: Tolerances = FILE_TOLERANCES,
): Difference[] {
  const { frame, origin } = file;
  const differences = compareSize(job, frame, tolerances);
  // To the frame's top left corner.
  const shift = frame ? translate(-frame.minX, -frame.minY) : translate(0, origin === 'bottomLeft' ? job.heightMm : 0);
  const isAtOrigin = shift.e === 0 && shift.f === 0;
  const layers = new Map(file.layers.map((layer) => [layer.name, layer]));
  for (const { plate, layer: name } of plates) {
    const layer = layers.get(name);
    // A layer that two plates share is there for the first one alone.
    if (!layer) {
      differences.push({
        kind: 'layer',
        plateId: plate.id,
        detail: `The file has no layer ${name} of its own for it.`,
      });
      continue;
    }
    layers.delete(name);
    const contours = isAtOrigin ? layer.outlines.flat() : transformContours(layer.outlines.flat(), shift);
    differences.push(...comparePlate(plate, contours, tolerances));
  }
  for (const name of layers.keys()) {
    differences.push({
      kind: 'layer',
      plateId: undefined,
      detail: `The file has a layer ${name} that the job has not.`,
    });
  }
  differences.push(...comparePictures(job, file, tolerances));
  const extraKinds = file.droppedKinds.filter((kind) => job.rasters.length === 0 || kind !== 'Bitmap');
  if (extraKinds.length > 0) {
    const detail = `The file holds more than outlines: ${extraKinds.join(', ')}.`;
    differences.push({ kind: 'extra', plateId: undefined, detail });
  }
  differences.push(...compareLayerOrder(plates, file.layers));
  return differences;
}

/** Compares the places of pictures. Who can decode their pixels compares those. */
function comparePictures(
  { heightMm, rasters }: Pick<Job, 'heightMm' | 'rasters'>,
  { pictures = [], origin }: ContourFile,
  { lengthMm }: Tolerances,
): Difference[] {
  if (pictures.length !== rasters.length) {
    const detail = `The file holds ${pictures.length} pictures, the job ${rasters.length}.`;
    return [{ kind: 'missing', plateId: undefined, detail }];
  }
  return rasters.flatMap(({ id, x, y, width, height, intervalMm }, i): Difference[] => {
    const { minX, minY, maxX, maxY, passesThrough } = pictures[i]!;
    const top = minY + (origin === 'bottomLeft' ? heightMm : 0);
    const error = Math.max(
      Math.abs(minX - x),
      Math.abs(maxX - minX - width * intervalMm),
      Math.abs(top - y),
      Math.abs(maxY - minY - height * intervalMm),
    );
    if (error <= lengthMm && passesThrough) return [];
    const detail = passesThrough ? `The picture is off by ${error} mm.` : 'The picture would be dithered anew.';
    return [{ kind: 'shape', plateId: id, detail }];
  });
}

function compareSize(
  job: Pick<Job, 'widthMm' | 'heightMm'>,
  frame: PathBounds | undefined,
  { lengthMm }: Tolerances,
): Difference[] {
  if (!frame) return [];
  const [width, height] = [frame.maxX - frame.minX, frame.maxY - frame.minY];
  const error = Math.max(Math.abs(width - job.widthMm), Math.abs(height - job.heightMm));
  if (error <= lengthMm) return [];
  const detail = `The file is ${width.toFixed(4)} x ${height.toFixed(4)} mm, the job ${job.widthMm} x ${job.heightMm}.`;
  return [{ kind: 'size', plateId: undefined, detail }];
}

function compareLayerOrder(plates: readonly NamedPlate[], layers: readonly ContourLayer[]): Difference[] {
  const place = new Map(layers.map(({ name }, i) => [name, i]));
  const places = plates.flatMap(({ layer }) => place.get(layer) ?? []);
  if (places.every((value, i) => i === 0 || value > places[i - 1]!)) return [];
  return [{ kind: 'order', plateId: undefined, detail: 'The layers of the file run in another order.' }];
}

/** What identifies a contour: its box, area and length, mm. */
interface Features {
  readonly box: readonly [minX: number, minY: number, maxX: number, maxY: number];
  readonly area: number;
  readonly length: number;
  readonly segments: number;
  readonly isClosed: boolean;
  /** Between both ends. */
  readonly gap: number;
}

/** The features by plate: a package compares each format with the same job. */
const featuresOfPlates = new WeakMap<OutlinePlate, readonly Features[]>();

function measurePlate(plate: OutlinePlate): readonly Features[] {
  const last = featuresOfPlates.get(plate);
  if (last) return last;
  const features = plate.outlines.flatMap(({ contours }) => contours.map(measure));
  featuresOfPlates.set(plate, features);
  return features;
}

function measure(contour: Contour): Features {
  const { commands, points, isClosed } = contour;
  const segments = commands.length;
  const gap = Math.hypot(points[0]! - points[points.length - 2]!, points[1]! - points[points.length - 1]!);
  if (!commands.includes('C')) return measureLines(contour, gap);
  const { minX, minY, maxX, maxY } = tightBounds([contour]);
  const area = isClosed ? Math.abs(signedArea(contour)) : 0;
  return { box: [minX, minY, maxX, maxY], area, length: lengthOf(contour), segments, isClosed, gap };
}

/** Measures a contour without curves in one go: a halftone has 20,000 of them, and they are measured twice a file. */
function measureLines({ commands, points, isClosed }: Contour, gap: number): Features {
  const startX = points[0]!;
  const startY = points[1]!;
  let minX = startX;
  let minY = startY;
  let maxX = startX;
  let maxY = startY;
  let area = 0;
  let length = 0;
  // Relative to the first point: far from the origin the products would cancel badly.
  let x = 0;
  let y = 0;
  for (let p = 2; p < points.length; p += 2) {
    const px = points[p]!;
    const py = points[p + 1]!;
    if (px < minX) minX = px;
    else if (px > maxX) maxX = px;
    if (py < minY) minY = py;
    else if (py > maxY) maxY = py;
    const nextX = px - startX;
    const nextY = py - startY;
    area += x * nextY - nextX * y;
    length += Math.sqrt((nextX - x) * (nextX - x) + (nextY - y) * (nextY - y));
    x = nextX;
    y = nextY;
  }
  if (isClosed) length += Math.sqrt(x * x + y * y);
  const box = [minX, minY, maxX, maxY] as const;
  return { box, area: isClosed ? Math.abs(area) / 2 : 0, length, segments: commands.length, isClosed, gap };
}

function comparePlate(plate: OutlinePlate, contours: readonly Contour[], tolerances: Tolerances): Difference[] {
  const expected = measurePlate(plate);
  const actual = contours.map(measure);
  const differences: Difference[] = [];
  const note = (kind: DifferenceKind, detail: string) => differences.push({ kind, plateId: plate.id, detail });

  const openCount = (list: readonly Features[]) => list.filter(({ isClosed }) => !isClosed).length;
  const closable = expected.filter(({ isClosed, gap }) => !isClosed && gap <= tolerances.gapMm).length;
  if (openCount(actual) > openCount(expected) || openCount(actual) < openCount(expected) - closable) {
    note('openEnd', `${openCount(actual)} open contours, the job has ${openCount(expected)}.`);
  }
  const sum = (list: readonly Features[], name: 'area' | 'length') =>
    list.reduce((total, features) => total + features[name], 0);
  const [area, jobArea] = [sum(actual, 'area'), sum(expected, 'area')];
  if (Math.abs(area - jobArea) > areaTolerance(jobArea, sum(expected, 'length'), tolerances)) {
    note('area', `The contours enclose ${area.toFixed(3)} mm², the job's ${jobArea.toFixed(3)}.`);
  }
  const isEqual = (i: number, j: number) => agree(expected[i]!, actual[j]!, tolerances);
  if (expected.length === actual.length && expected.every((_, i) => isEqual(i, i))) return differences;
  explain(expected, actual, tolerances, note);
  return differences;
}

/** Names what differs, by looking for every contour of the job anywhere in the file. */
function explain(
  expected: readonly Features[],
  actual: readonly Features[],
  tolerances: Tolerances,
  note: (kind: DifferenceKind, detail: string) => void,
): void {
  const place = ({ box: [minX, minY, maxX, maxY] }: Features) =>
    `from ${minX.toFixed(3)}, ${minY.toFixed(3)} to ${maxX.toFixed(3)}, ${maxY.toFixed(3)}`;
  const rest = new Set(actual.keys());
  const missing: Features[] = [];
  let isOrdered = true;
  let last = -1;
  for (const features of expected) {
    const match = [...rest].find((j) => agree(features, actual[j]!, tolerances));
    if (match === undefined) {
      missing.push(features);
      continue;
    }
    rest.delete(match);
    if (match < last) isOrdered = false;
    last = match;
  }
  if (!isOrdered) note('order', 'The contours run in another order.');
  const extra: Features[] = [];
  for (const j of rest) {
    const isDouble = expected.some((features) => agree(features, actual[j]!, tolerances));
    if (isDouble) note('duplicate', `A contour ${place(actual[j]!)} is there twice.`);
    else extra.push(actual[j]!);
  }
  if (missing.length === 1 && extra.length === 1) {
    note('shape', `The contour ${place(missing[0]!)} is ${place(extra[0]!)} in the file.`);
    return;
  }
  if (missing.length > 0) note('missing', `${missing.length} contours are not in the file, one ${place(missing[0]!)}.`);
  if (extra.length > 0) note('extra', `${extra.length} contours are not in the job, one ${place(extra[0]!)}.`);
}

const areaTolerance = (area: number, length: number, { areaShare, areaMm2, areaPerLengthMm }: Tolerances) =>
  Math.max(area * areaShare, areaMm2, length * areaPerLengthMm);

function agree(a: Features, b: Features, tolerances: Tolerances): boolean {
  const { lengthMm, lengthShare, lengthPerSegmentMm, gapMm } = tolerances;
  const leastLength = Math.max(4 * lengthMm, a.segments * lengthPerSegmentMm);
  return (
    (a.isClosed === b.isClosed || (!a.isClosed && a.gap <= gapMm)) &&
    a.box.every((value, i) => Math.abs(value - b.box[i]!) <= lengthMm) &&
    Math.abs(a.area - b.area) <= areaTolerance(a.area, a.length, tolerances) &&
    Math.abs(a.length - b.length) <= Math.max(a.length * lengthShare, leastLength)
  );
}
