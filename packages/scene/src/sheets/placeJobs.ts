/** One job of many: the pieces of a sheet at their places. */
import { transformGradient } from '../artwork/gradient.ts';
import { transformClips } from '../document/areaClips.ts';
import type { MachineMode } from '../document/composition.ts';
import { laserLayers, lineColors } from '../document/machine.ts';
import { lengthScale, type Matrix, multiply } from '../geometry/matrix.ts';
import { type Contour, looseBounds, type PathBounds, transformContours } from '../geometry/pathData.ts';
import type { ColorGroup, ColorPlate, ColorShape, Job, JobOutline, OutlinePlate, Plate } from '../production/job.ts';
import type { SizeMm } from './sheet.ts';

export interface PlacedJob {
  readonly job: Job;
  /** Maps the frame of the job to the sheet: a rotation by right angles, which may mirror. */
  readonly matrix: Matrix;
}

interface SheetFacts extends SizeMm {
  readonly machine: MachineMode;
  /** True when the matrices turn the pieces over. */
  readonly isMirrored: boolean;
  /** What shows an operator where the pieces lie. A laser's job alone has it. */
  readonly guides?: readonly (readonly Contour[])[] | undefined;
}

/** The plates of all machines in running order. White that is printed under the colors leads. */
const ORDER = [...laserLayers.map(({ id }) => id), 'white', 'color', 'gloss', 'guide-t1'] as readonly string[];

/**
 * Returns the job of a sheet. Pieces keep their outlines, and each plate makes one piece after the other. Throws a
 * RangeError for a job with photographs in dots. Cost: linear in the nodes.
 */
export function placeJobs(sheet: SheetFacts, pieces: readonly PlacedJob[]): Job {
  if (pieces.some(({ job }) => job.rasters.length > 0)) throw new RangeError('A sheet holds no photograph in dots.');
  const { machine, widthMm, heightMm, isMirrored, guides = [] } = sheet;
  const plates = new Map<string, Plate>();
  for (const { job, matrix } of pieces) {
    for (const plate of job.plates) {
      const next = movePlate(plate, matrix);
      plates.set(plate.id, joinPlates(plates.get(plate.id), next));
    }
  }
  if (guides.length > 0 && machine === 'laser') {
    const outlines = guides.map((contours): JobOutline => ({ elementId: '', contours }));
    const guide: OutlinePlate = { kind: 'guide', id: 'guide-t1', color: lineColors.guide!, outlines };
    plates.set(guide.id, joinPlates(plates.get(guide.id), guide));
  }
  const inOrder = [...plates.values()].sort((a, b) => ORDER.indexOf(a.id) - ORDER.indexOf(b.id));
  const findings = pieces.flatMap(({ job }) => job.findings.map((finding) => ({ ...finding, places: [] })));
  return { machine, widthMm, heightMm, isMirrored, rasters: [], plates: inOrder, findings };
}

/** Appends the marks of a plate to those of the one with its id. Lists grow in place: pieces are many. */
function joinPlates(plate: Plate | undefined, next: Plate): Plate {
  if (!plate) {
    return next.kind === 'color' ? { ...next, groups: [...next.groups] } : { ...next, outlines: [...next.outlines] };
  }
  if (plate.kind === 'color' && next.kind === 'color') (plate.groups as ColorGroup[]).push(...next.groups);
  else if (plate.kind !== 'color' && next.kind !== 'color') (plate.outlines as JobOutline[]).push(...next.outlines);
  else throw new RangeError(`Two plates are called ${next.id}.`);
  return plate;
}

function movePlate(plate: Plate, matrix: Matrix): Plate {
  if (plate.kind === 'color') return moveColors(plate, matrix);
  const outlines = plate.outlines.map(({ elementId, contours }) => ({
    elementId,
    contours: transformContours(contours, matrix),
  }));
  return { ...plate, outlines };
}

const moveColors = (plate: ColorPlate, matrix: Matrix): ColorPlate => ({
  ...plate,
  groups: plate.groups.map((group) => ({
    ...group,
    ...(group.whiteArea && { whiteArea: transformContours(group.whiteArea, matrix) }),
    shapes: group.shapes.map((shape) => moveShape(shape, matrix)),
    pictures: group.pictures.map((picture) => ({ ...picture, matrix: multiply(matrix, picture.matrix) })),
  })),
});

const moveShape = (shape: ColorShape, matrix: Matrix): ColorShape => ({
  ...shape,
  contours: transformContours(shape.contours, matrix),
  ...(shape.gradient && { gradient: transformGradient(shape.gradient, matrix) }),
  strokeWidthMm: shape.strokeWidthMm * lengthScale(matrix),
});

/** Returns the shape of a job's frame that can be marked, as closed contours. */
export function frameOutline(
  { widthMm, heightMm, area = [] }: Pick<Job, 'widthMm' | 'heightMm' | 'area'>,
  matrix: Matrix,
) {
  const edges = area.filter(({ reason }) => reason === undefined);
  const [edge] = transformClips(edges, matrix);
  return edge?.contours ?? transformContours([boxOutline({ minX: 0, minY: 0, maxX: widthMm, maxY: heightMm })], matrix);
}

export const boxOutline = ({ minX, minY, maxX, maxY }: PathBounds): Contour => ({
  commands: ['L', 'L', 'L'],
  points: [minX, minY, maxX, minY, maxX, maxY, minX, maxY],
  isClosed: true,
});

/** Returns the box around all marks of a job, with the width of printed lines; undefined without marks. */
export function boundsOfJob({ plates }: Pick<Job, 'plates'>): PathBounds | undefined {
  const boxes = plates.flatMap((plate): PathBounds[] => {
    if (plate.kind !== 'color') return plate.outlines.map(({ contours }) => looseBounds(contours));
    return plate.groups.flatMap(({ shapes }) =>
      shapes.map(({ contours, stroke, strokeWidthMm }) => grow(looseBounds(contours), stroke ? strokeWidthMm / 2 : 0)),
    );
  });
  if (boxes.length === 0) return undefined;
  return boxes.reduce((a, b) => ({
    minX: Math.min(a.minX, b.minX),
    minY: Math.min(a.minY, b.minY),
    maxX: Math.max(a.maxX, b.maxX),
    maxY: Math.max(a.maxY, b.maxY),
  }));
}

export const grow = ({ minX, minY, maxX, maxY }: PathBounds, by: number): PathBounds => ({
  ...{ minX: minX - by, minY: minY - by, maxX: maxX + by, maxY: maxY + by },
});
