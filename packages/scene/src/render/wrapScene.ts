/**
 * The picture of a scene on a round blank: the same scene, with each path where the blank shows it. Nothing is drawn
 * here; `renderView` draws the result as it draws any scene. Production files are made from the scene before.
 */
import type { Gradient } from '../artwork/artwork.ts';
import { transformGradient } from '../artwork/gradient.ts';
import type { AreaClip } from '../document/areaClips.ts';
import {
  applyMatrix,
  identity,
  invert,
  lengthScale,
  type Matrix,
  multiply,
  scale,
  translate,
} from '../geometry/matrix.ts';
import { type Contour, readContours } from '../geometry/pathData.ts';
import type { Scene, SceneGroup, SceneImage, SceneLight, ScenePath, SceneRaster } from '../resolve/scene.ts';
import { type BlankView, openBlankView } from '../surface/blankView.ts';
import { projectPoint } from '../surface/projection.ts';
import {
  boundsOf,
  cutBetween,
  type Polylines,
  projectPolylines,
  toPolylines,
  writePolylines,
} from '../surface/projectPaths.ts';
import { type Pixels, remapPicture } from '../surface/remapPicture.ts';

/** A picture as it shows on a blank, with the matrix from its pixels to scene mm. */
export interface WrappedPicture {
  readonly href: string;
  readonly width: number;
  readonly height: number;
  readonly matrix: Matrix;
}

export interface WrapOptions {
  /** Degrees by which the blank is turned about its axis. Absent: 0. */
  readonly turnDeg?: number | undefined;
  /** The pictures of `picturesToWrap` that are made already, by their child. One that is absent is not drawn. */
  readonly pictures?: ReadonlyMap<SceneImage | SceneRaster, WrappedPicture> | undefined;
  readonly light?: SceneLight | undefined;
}

/** A line is nowhere further from its exact picture, in mm. */
const TOLERANCE_MM = 0.02;
/** Path data of a wrapped scene is in whole units of this. */
const UNIT_MM = 0.002;

/**
 * Returns a scene as it shows on its blank, turned about the blank's axis. A scene on a flat blank is returned as it
 * is. Frame and print area become clips, because their pictures are no rectangles. Strokes keep their width; gradients
 * are foreshortened as the middle of their element is. Cost: linear in the points of the paths.
 */
export function wrapScene(scene: Scene, { turnDeg, pictures, light }: WrapOptions = {}): Scene {
  const surface = scene.backdrop?.surface;
  if (!surface) return scene;
  const blank = openBlankView(surface, scene, turnDeg);
  const area = wrapArea(scene, blank);
  const groups = scene.groups.flatMap((group) => wrapGroup(group, blank, pictures) ?? []);
  return { ...scene, area, groups, wrap: { light } };
}

/** Returns the frame of a scene as it shows on its blank, and after it the clips of its print area. */
export function wrapArea({ widthMm, heightMm, area = [] }: Scene, blank: BlankView): AreaClip[] {
  return [{ contours: [rectangle(widthMm, heightMm)] }, ...area].map((clip) => wrapClip(clip, blank));
}

const rectangle = (width: number, height: number): Contour => ({
  commands: ['L', 'L', 'L'],
  points: [0, 0, width, 0, width, height, 0, height],
  isClosed: true,
});

/** Returns a clip as it shows. What reaches further than the columns would cover itself, and ends there. */
function wrapClip(clip: AreaClip, { toFlat, toScene, projection, columnsMm, alongMm }: BlankView): AreaClip {
  const lines = toPolylines(clip.contours, TOLERANCE_MM);
  const points = lines.points.slice();
  const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
  for (let i = 0; i < points.length; i += 2) {
    const { x, y } = applyMatrix(toFlat, { x: points[i]!, y: points[i + 1]! });
    points[i] = clamp(x, ...columnsMm);
    points[i + 1] = clamp(y, -alongMm, alongMm);
  }
  const picture = projectPolylines({ ...lines, points }, identity, projection, FILLED);
  return { ...clip, contours: toContours(picture, toScene) };
}

const FILLED = { toleranceMm: TOLERANCE_MM, isFilled: true } as const;
const FOLLOWED = { toleranceMm: TOLERANCE_MM, isFilled: false } as const;

function toContours({ points, ends }: Polylines, matrix: Matrix): Contour[] {
  const contours: Contour[] = [];
  let start = 0;
  for (const end of ends) {
    const line: number[] = [];
    for (let p = start; p < end; p++) {
      const { x, y } = applyMatrix(matrix, { x: points[2 * p]!, y: points[2 * p + 1]! });
      line.push(x, y);
    }
    contours.push({
      commands: Array.from({ length: end - start - 1 }, () => 'L' as const),
      points: line,
      isClosed: true,
    });
    start = end;
  }
  return contours;
}

function wrapGroup(group: SceneGroup, blank: BlankView, pictures: WrapOptions['pictures']): SceneGroup | undefined {
  const matrix = multiply(blank.toScene, scale(UNIT_MM));
  const children = group.children.flatMap((child): SceneGroup['children'][number][] => {
    if (child.kind === 'path') return wrapPath(child, group, blank);
    const picture = pictures?.get(child);
    if (!picture) return [];
    const { href, width, height } = picture;
    const place = { href, width, height, matrix: multiply(invert(matrix), picture.matrix) };
    return [
      child.kind === 'image' ? { ...child, ...place } : { ...child, ...place, dotGain: undefined, file: undefined },
    ];
  });
  if (children.length === 0) return undefined;
  const { corners, sizeMm } = boxOf(group, blank);
  return { ...group, matrix, children, corners, sizeMm, lineBox: undefined };
}

const linesOf = new WeakMap<ScenePath, { readonly tolerance: number; readonly lines: Polylines }>();

/** Returns a path's lines in its element's own space, made once for sizes that are alike. */
function flattenPath(path: ScenePath, tolerance: number): Polylines {
  const former = linesOf.get(path);
  if (former && former.tolerance <= tolerance && former.tolerance > tolerance / 4) return former.lines;
  const finer = tolerance / 2;
  const lines = toPolylines(path.contours ?? readContours(path.d), finer);
  linesOf.set(path, { tolerance: finer, lines });
  return lines;
}

function wrapPath(path: ScenePath, group: SceneGroup, blank: BlankView): ScenePath[] {
  const { toFlat, projection } = blank;
  const matrix = multiply(toFlat, group.matrix);
  const unit = lengthScale(matrix);
  if (!(unit > 0)) return [];
  const lines = flattenPath(path, TOLERANCE_MM / unit);
  const project = (options: typeof FILLED | typeof FOLLOWED) =>
    writePolylines(projectWithin(blank, lines, matrix, options), UNIT_MM);
  const parts: ScenePath[] = [];
  if (path.fill !== undefined) {
    const d = project(FILLED);
    const gradient = path.gradient && wrapGradient(path.gradient, tangentAt(matrix, projection, middleOf(lines)));
    if (d !== '') parts.push({ ...path, d, contours: undefined, gradient, stroke: undefined });
  }
  if (path.stroke !== undefined) {
    const d = project(FOLLOWED);
    const strokeWidth = (path.strokeWidth * unit) / UNIT_MM;
    if (d !== '') parts.push({ ...path, d, contours: undefined, gradient: undefined, fill: undefined, strokeWidth });
  }
  return parts;
}

/** Projects lines. What would come round the blank into the machine area from behind is cut off at its side. */
function projectWithin(blank: BlankView, lines: Polylines, matrix: Matrix, options: typeof FILLED | typeof FOLLOWED) {
  const { projection, circumferenceMm, columnsMm } = blank;
  const [left, right] = columnsMm;
  const { points } = lines;
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    const x = matrix.a * points[i]! + matrix.c * points[i + 1]! + matrix.e;
    least = Math.min(least, x);
    most = Math.max(most, x);
  }
  const comesRound = least < right - circumferenceMm || most > left + circumferenceMm;
  if (!comesRound) return projectPolylines(lines, matrix, projection, options);
  return projectPolylines(cutBetween(lines, matrix, columnsMm, options.isFilled), identity, projection, options);
}

function middleOf(lines: Polylines) {
  const { left, top, right, bottom } = boundsOf(lines.points);
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** Returns the matrix from an element's own space to units of the picture that is exact in one point. */
function tangentAt(matrix: Matrix, projection: BlankView['projection'], point: { x: number; y: number }): Matrix {
  const see = (x: number, y: number) =>
    projectPoint(projection, applyMatrix(matrix, { x: point.x + x, y: point.y + y }));
  const step = 0.01 / lengthScale(matrix);
  const at = see(0, 0);
  const [right, down] = [see(step, 0), see(0, step)];
  const a = (right.x - at.x) / step / UNIT_MM;
  const b = (right.y - at.y) / step / UNIT_MM;
  const c = (down.x - at.x) / step / UNIT_MM;
  const d = (down.y - at.y) / step / UNIT_MM;
  return { a, b, c, d, e: at.x / UNIT_MM - a * point.x - c * point.y, f: at.y / UNIT_MM - b * point.x - d * point.y };
}

/** Returns a gradient under a matrix that skews: the bands of a linear one stay straight and even. */
function wrapGradient(gradient: Gradient, matrix: Matrix): Gradient | undefined {
  const even = transformGradient(gradient, matrix);
  if (even || gradient.kind === 'radial' || !(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c) > 1e-9)) return even;
  const { x1, y1, x2, y2 } = gradient;
  const length2 = (x2 - x1) ** 2 + (y2 - y1) ** 2;
  const [nx, ny] = [(x2 - x1) / length2, (y2 - y1) / length2];
  // The growth of the offset for each unit of the picture.
  const inverse = invert(matrix);
  const [gx, gy] = [inverse.a * nx + inverse.b * ny, inverse.c * nx + inverse.d * ny];
  const growth = gx * gx + gy * gy;
  const from = applyMatrix(matrix, { x: x1, y: y1 });
  return { ...gradient, x1: from.x, y1: from.y, x2: from.x + gx / growth, y2: from.y + gy / growth };
}

/** Returns the upright box around the picture of an element's box. */
function boxOf({ corners }: SceneGroup, { toFlat, toScene, projection }: BlankView) {
  const contour: Contour = {
    commands: ['L', 'L', 'L'],
    points: corners.flatMap(({ x, y }) => [x, y]),
    isClosed: true,
  };
  const picture = projectPolylines(toPolylines([contour], TOLERANCE_MM), toFlat, projection, FILLED);
  const { left, top, right, bottom } = boundsOf(toContours(picture, toScene).flatMap(({ points }) => points));
  return {
    sizeMm: { width: right - left, height: bottom - top },
    corners: [
      { x: left, y: top },
      { x: right, y: top },
      { x: right, y: bottom },
      { x: left, y: bottom },
    ] as const,
  };
}

/** A picture of a scene that has to be made anew for its blank. */
export interface PictureToWrap {
  readonly child: SceneImage | SceneRaster;
  readonly href: string;
  /** Maps the child's width and height to scene mm. */
  readonly matrix: Matrix;
}

/** Returns the pictures of a scene on a round blank: paths follow the surface by themselves, pixels do not. */
export function picturesToWrap({ groups, backdrop }: Scene): PictureToWrap[] {
  if (!backdrop?.surface) return [];
  return groups.flatMap((group) =>
    group.children.flatMap((child) =>
      child.kind === 'path'
        ? []
        : [{ child, href: child.href, matrix: multiply(group.matrix, child.matrix ?? identity) }],
    ),
  );
}

/**
 * Returns the pixels of a picture as its blank shows them, and the matrix from them to scene mm; undefined where all of
 * it is behind. `pxPerMm` is the sharpness of the picture that it becomes a part of. Cost: linear in the pixels.
 */
export function wrapPixels(
  scene: Scene,
  { child, matrix }: PictureToWrap,
  pixels: Pixels,
  { turnDeg, pxPerMm }: { readonly turnDeg?: number | undefined; readonly pxPerMm: number },
): { readonly pixels: Pixels; readonly matrix: Matrix } | undefined {
  const { toFlat, toScene, projection, columnsMm } = openBlankView(scene.backdrop!.surface!, scene, turnDeg);
  const toChild = scale(child.width / pixels.width, child.height / pixels.height);
  const gain = child.kind === 'raster' ? child.dotGain : undefined;
  const picture = remapPicture(pixels, {
    toFlat: multiply(toFlat, matrix, toChild),
    ...{ projection, columnsMm, pxPerMm, gain },
  });
  if (!picture) return undefined;
  const { xMm, yMm } = picture;
  return { pixels: picture.pixels, matrix: multiply(toScene, translate(xMm, yMm), scale(1 / pxPerMm)) };
}
