import { boundsMeet, looseBounds, type PathBounds, transformBounds } from '../geometry/pathData.ts';
import type { ColorGroup, ColorPicture, ColorShape, Job, JobOutline, Plate } from './job.ts';

/** So many widths of a line does a miter reach beyond it, at the limit of SVG. */
const MITER_WIDTHS = 2;
/** Lines that mark outlines are this wide or less, mm. */
const OUTLINE_MM = 0.1;

/**
 * Returns a job without the marks that lie outside a box, in frame mm. The others stay the same objects, whole. Cost:
 * linear in the points, once for each mark.
 */
export const cropJob = (job: Job, box: PathBounds): Job => ({
  ...job,
  plates: job.plates.map((plate) => cropPlate(plate, box)),
});

function cropPlate(plate: Plate, box: PathBounds): Plate {
  if (plate.kind === 'color') {
    return { ...plate, groups: plate.groups.map((group) => cropGroup(group, box)).filter(hasMarks) };
  }
  return { ...plate, outlines: plate.outlines.filter((outline) => boundsMeet(boundsOf(outline), box, OUTLINE_MM)) };
}

const cropGroup = (group: ColorGroup, box: PathBounds): ColorGroup => ({
  ...group,
  shapes: group.shapes.filter((shape) => boundsMeet(boundsOf(shape), box, shape.strokeWidthMm * MITER_WIDTHS)),
  pictures: group.pictures.filter((picture) => boundsMeet(pictureBounds(picture), box)),
});

const hasMarks = ({ shapes, pictures }: ColorGroup) => shapes.length > 0 || pictures.length > 0;

const pictureBounds = ({ width, height, matrix }: ColorPicture): PathBounds =>
  transformBounds({ minX: 0, minY: 0, maxX: width, maxY: height }, matrix);

/** A picture is drawn band by band, and each band asks again. */
const knownBounds = new WeakMap<ColorShape | JobOutline, PathBounds>();

function boundsOf(mark: ColorShape | JobOutline): PathBounds {
  const bounds = knownBounds.get(mark) ?? looseBounds(mark.contours);
  knownBounds.set(mark, bounds);
  return bounds;
}
