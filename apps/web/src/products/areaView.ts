/** A print area on the picture of its blank: its outline and the parts that stay free, also on a round blank. */
import type { BlankSurface } from '@markwright/contract/schemas';
import { parseDimensions } from '@markwright/contract/words';
import {
  type AreaShape,
  applyMatrix,
  type Contour,
  clipPaths,
  clipsOf,
  type FractionRect,
  invert,
  type Matrix,
  multiply,
  type Point,
  scale,
} from '@markwright/scene';
import {
  type BlankView,
  openBlankView,
  type Polylines,
  projectPoint,
  projectPolylines,
  radiusAt,
  toPolylines,
  unprojectPoint,
} from '@markwright/scene/surface';

interface AreaOnPicture {
  readonly printArea: FractionRect;
  /** `WxH` in inches. */
  readonly dimensions: string;
  readonly shape?: AreaShape | undefined;
  readonly surface: BlankSurface;
  /** Width over height of the picture. */
  readonly pictureAspect: number;
}

export interface AreaView {
  /** Of the print area's rectangle, mm. */
  readonly size: Size;
  /** Path data in thousandths of the picture's sides: the edge, each part that is kept free. */
  readonly edge: string;
  readonly keepOuts: readonly string[];
  /** Only round blanks: lines of the area `GRID_MM` apart, and the two sides of the blank beside the area. */
  readonly grid: string;
  readonly sides: string;
  /** Fractions of the area's rectangle to fractions of the picture. */
  toPicture(point: Point): Point;
  /** The inverse; undefined beside a round blank. */
  toArea(point: Point): Point | undefined;
}

/** Lengths of paths are in thousandths of the picture's sides. */
export const PICTURE_UNITS = 1000;
const MM_PER_INCH = 25.4;
const GRID_MM = 10;
/** No more lines than this in each direction. */
const MOST_LINES = 30;
const TOLERANCE_MM = 0.05;

/** Opens the view. Throws a RangeError for a surface without size. Cost: linear in the points of the outline. */
export function viewArea({ printArea, dimensions, shape, surface, pictureAspect }: AreaOnPicture): AreaView {
  const width = parseDimensions(dimensions).widthInches * MM_PER_INCH;
  const height = (printArea.height * width) / printArea.width / pictureAspect;
  const size = { width, height };
  const toUnits: Matrix = {
    ...{ a: (PICTURE_UNITS * printArea.width) / width, b: 0, c: 0, d: (PICTURE_UNITS * printArea.height) / height },
    ...{ e: PICTURE_UNITS * printArea.x, f: PICTURE_UNITS * printArea.y },
  };
  const clips = clipsOf({ ...printArea, shape }, { x: 0, y: 0, ...size });
  const edge = clips.find(({ reason }) => reason === undefined)?.contours ?? [rectangle(size)];
  // The second contour of a part: the first one is the plane that it is cut out of.
  const parts = clips.filter(({ reason }) => reason !== undefined).map(({ contours }) => contours.slice(1));
  const inMm = ({ x, y }: Point): Point => ({ x: x * width, y: y * height });
  const inArea = ({ x, y }: Point): Point => ({ x: x / width, y: y / height });
  const toMm = multiply(invert(toUnits), scale(PICTURE_UNITS));
  const toPicture = multiply(scale(1 / PICTURE_UNITS), toUnits);
  if (surface.kind === 'flat') {
    const draw = (contours: readonly Contour[]) => clipPaths([{ contours }], toUnits)[0]!;
    return {
      ...{ size, edge: draw(edge), keepOuts: parts.map(draw), grid: '', sides: '' },
      toPicture: (point) => applyMatrix(toPicture, inMm(point)),
      toArea: (point) => inArea(applyMatrix(toMm, point)),
    };
  }
  const blank = openBlankView(
    { form: surface, middleMm: { x: width / 2, y: height / 2 } },
    { widthMm: width, heightMm: height },
  );
  const { projection, toFlat, toScene } = blank;
  const fromWall = multiply(toUnits, toScene);
  const draw = (contours: readonly Contour[], isFilled = true) => {
    const options = { toleranceMm: TOLERANCE_MM, isFilled };
    return writeLines(projectPolylines(toPolylines(contours, TOLERANCE_MM), toFlat, projection, options), fromWall);
  };
  return {
    ...{ size, edge: draw(edge), keepOuts: parts.map((part) => draw(part)), grid: draw(gridOf(size), false) },
    sides: sidesOf(blank, fromWall),
    toPicture: (point) => {
      const inPicture = projectPoint(projection, applyMatrix(toFlat, inMm(point)));
      return applyMatrix(multiply(toPicture, toScene), inPicture);
    },
    toArea: (point) => {
      const flat = unprojectPoint(projection, applyMatrix(multiply(invert(toScene), toMm), point));
      return flat && inArea(applyMatrix(invert(toFlat), flat));
    },
  };
}

/** Returns the two lines in which the blank ends beside the area, and a little beyond it. */
function sidesOf({ projection, turnBounds: [{ y: top }, { y: bottom }] }: BlankView, matrix: Matrix): string {
  const { wall } = projection.camera!;
  const reach = 0.12 * (bottom - top);
  const radius = (y: number) => radiusAt(wall, y / wall.drop);
  const at = (side: number, y: number) => applyMatrix(matrix, { x: side * radius(y), y });
  return [-1, 1].map((side) => toPath([at(side, top - reach), at(side, bottom + reach)])).join('');
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const rectangle = ({ width, height }: Size): Contour => ({
  commands: ['L', 'L', 'L'],
  points: [0, 0, width, 0, width, height, 0, height],
  isClosed: true,
});

/** Returns lines across the rectangle, both ways, as far apart as their number allows. */
function gridOf({ width, height }: Size): Contour[] {
  const step = GRID_MM * Math.max(1, Math.ceil(Math.max(width, height) / (GRID_MM * MOST_LINES)));
  const line = (...points: number[]): Contour => ({ commands: ['L'], points, isClosed: false });
  const places = (length: number) =>
    Array.from({ length: Math.max(0, Math.ceil(length / step) - 1) }, (_, i) => (i + 1) * step);
  return [...places(width).map((x) => line(x, 0, x, height)), ...places(height).map((y) => line(0, y, width, y))];
}

const toPath = (points: readonly Point[]) =>
  `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;

function writeLines({ points, ends, isClosed }: Polylines, matrix: Matrix): string {
  const parts: string[] = [];
  let start = 0;
  ends.forEach((end, i) => {
    const line = Array.from({ length: end - start }, (_, p) =>
      applyMatrix(matrix, { x: points[2 * (start + p)]!, y: points[2 * (start + p) + 1]! }),
    );
    if (line.length > 1) parts.push(`${toPath(line)}${isClosed[i] ? 'Z' : ''}`);
    start = end;
  });
  return parts.join('');
}
