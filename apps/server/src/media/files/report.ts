/** Measures the layers of a job for the report of its file: area, length, contours, open ends. */
import type { FileReport } from '@markwright/contract';
import { createTally, rasterStrip, unpackRaster } from '@markwright/engraving';
import { flatten, type Job, type OutlinePlate } from '@markwright/scene';
import { measureFilled, measureNested } from '@markwright/scene/inkFiles';

/** Rounds a length as files have it: sizes in inches become a fraction of a nanometer too much. */
export const roundMm = (lengthMm: number): number => Math.round(lengthMm * 1e4) / 1e4;

type ReportLayer = FileReport['layers'][number];

/** A length is measured along lines that leave their curves by no more than this. */
const FLATNESS_MM = 0.005;

/**
 * Measures the rasters of a job and then its plates: areas of what is burnt or filled, lengths of what a machine
 * follows. Cost: n log n.
 */
export function measurePlates({ rasters, plates }: Job): ReportLayer[] {
  return [...rasters.map(measureRaster), ...plates.map(measurePlate)];
}

/** Rows of a raster that are unpacked at a time. */
const STRIP_ROWS = 64;

function measureRaster({ id, width, height, intervalMm, file }: Job['rasters'][number]): ReportLayer {
  const tally = createTally();
  for (let top = 0; file && top < height; top += STRIP_ROWS) {
    tally.add(unpackRaster(rasterStrip({ width, height, ...file }, top, Math.min(height, top + STRIP_ROWS))));
  }
  return {
    id,
    kind: 'raster',
    areaMm2: round(tally.mean * width * height * intervalMm ** 2),
    lengthMm: null,
    contours: 0,
    openEnds: 0,
  };
}

function measurePlate(plate: Job['plates'][number]): ReportLayer {
  if (plate.kind !== 'color') return { id: plate.id, kind: plate.kind, ...measureOutlines(plate) };
  const shapes = plate.groups.flatMap((group) => group.shapes);
  const contours = shapes.reduce((sum, shape) => sum + shape.contours.length, 0);
  return { id: plate.id, kind: plate.kind, areaMm2: null, lengthMm: null, contours, openEnds: 0 };
}

type Measures = Omit<ReportLayer, 'id' | 'kind'>;

/** A package says the measures in its report, on its sheet and in its facts. They are looked at once. */
const knownMeasures = new WeakMap<OutlinePlate, Measures>();

function measureOutlines(plate: OutlinePlate): Measures {
  const measures = knownMeasures.get(plate) ?? computeMeasures(plate);
  knownMeasures.set(plate, measures);
  return measures;
}

function computeMeasures({ kind, outlines }: OutlinePlate): Measures {
  const contours = outlines.flatMap((outline) => outline.contours);
  if (kind === 'engrave' || kind === 'white' || kind === 'gloss') {
    const areaOf = ({ contours, mayCross }: OutlinePlate['outlines'][number]) =>
      mayCross ? measureFilled(contours) : measureNested(contours);
    const areaMm2 = outlines.reduce((sum, outline) => sum + areaOf(outline), 0);
    return { areaMm2: round(areaMm2), lengthMm: null, contours: contours.length, openEnds: 0 };
  }
  const lengthMm = contours.reduce((sum, contour) => sum + lengthOf(contour), 0);
  const openEnds = 2 * contours.filter(({ isClosed }) => !isClosed).length;
  return { areaMm2: null, lengthMm: round(lengthMm), contours: contours.length, openEnds };
}

type Contour = OutlinePlate['outlines'][number]['contours'][number];

function lengthOf(contour: Contour): number {
  const line = flatten(contour, FLATNESS_MM);
  if (contour.isClosed) line.push(line[0]!, line[1]!);
  let sum = 0;
  for (let i = 2; i < line.length; i += 2) sum += Math.hypot(line[i]! - line[i - 2]!, line[i + 1]! - line[i - 1]!);
  return sum;
}

const round = (value: number) => Math.round(value * 100) / 100;
