/** Builds the production job of a scene. */

import { type AreaClip, transformClips } from '../document/areaClips.ts';
import { laserLayers, lineColors } from '../document/machine.ts';
import { applyMatrix, type Matrix, multiply, type Point, scale, translate } from '../geometry/matrix.ts';
import { type Contour, flatten } from '../geometry/pathData.ts';
import { clipToBox, joinOverlapping, MM_GRID } from '../geometry/planar.ts';
import type { Scene, SceneGroup } from '../resolve/scene.ts';
import { checkCuts, cleanLines, orderCuts } from './cleanCuts.ts';
import { type CutLine, contourBox } from './cutLines.ts';
import { type DroppedContour, dropDetail, lengthOf } from './dropDetail.ts';
import { createFindings, type FindingList } from './findings.ts';
import { flattenTones } from './flattenTones.ts';
import type { ColorGroup, ColorPlate, ColorShape, Job, JobOutline, OutlinePlate, Plate } from './job.ts';
import { addKerf } from './kerf.ts';
import { layerShapes } from './layerShapes.ts';
import { placeRasters } from './placeRasters.ts';
import { clipToArea, type FrameShape, placeShapes } from './placeShapes.ts';
import { unionLayers } from './unionLayers.ts';

export interface JobOptions {
  /** True for a job that is turned over. Absent: a sublimation print is, because it is pressed face down. */
  readonly isMirrored?: boolean;
  /**
   * Width of the beam in mm, which closed cuts make up for. Absent or 0: they stay as lines, for a program that does it
   * itself.
   */
  readonly kerfMm?: number;
}

/**
 * Builds the job of a scene: clipped to the frame, cleaned, in running order. What no step changes keeps its exact
 * curves. Pure. Throws a RangeError when a coordinate is not finite. Cost: n log n in the nodes, and a boolean
 * operation for each pair of shapes that overlap and each group of shapes that touch.
 */
export function buildJob(
  scene: Scene,
  { isMirrored = scene.machine === 'sublimation', kerfMm = 0 }: JobOptions = {},
): Job {
  const { machine, widthMm, heightMm } = scene;
  const turn = isMirrored ? multiply(translate(widthMm, 0), scale(-1, 1)) : scale(1);
  const findings = createFindings();
  for (const { elementId, letters } of scene.missingLetters ?? []) {
    for (const _ of letters) findings.add('missingLetters', elementId, 0, []);
  }
  const plates = machine === 'laser' ? laserPlates(scene, turn, kerfMm, findings) : inkPlates(scene, turn, findings);
  const rasters = machine === 'laser' ? placeRasters(scene, turn) : [];
  const area = scene.area && transformClips(scene.area, turn);
  return {
    ...{ machine, widthMm, heightMm, ...(area && { area }), isMirrored },
    ...{ rasters, plates, findings: findings.list() },
  };
}

function laserPlates(scene: Scene, turn: Matrix, kerfMm: number, findings: FindingList): OutlinePlate[] {
  const shapes = flattenTones(
    scene.groups.map((group) => ({ opacity: group.opacity, shapes: placeShapes(scene, group, turn) })),
  );
  const guides = shapes.filter(({ operation }) => operation === 'guide');
  const laserShapes = layerShapes(shapes.filter(({ operation }) => operation !== 'guide'));
  const plates = laserLayers.map(({ id, color, operation }): OutlinePlate => {
    const own = laserShapes.filter(({ layer }) => layer.id === id);
    const outlines =
      operation === 'engrave'
        ? fillOutlines(own, findings)
        : followLines(own, {
            ...{ scene, turn, findings },
            ...{ kerfMm: operation === 'cut' ? kerfMm : 0, isCut: operation === 'cut' },
          });
    return { kind: operation, id, color, outlines };
  });
  const guide: OutlinePlate = {
    kind: 'guide',
    id: 'guide-t1',
    color: lineColors.guide!,
    outlines: guides.flatMap(toOutline),
  };
  return [...plates, guide].filter(({ outlines }) => outlines.length > 0);
}

const toOutline = ({ elementId, contours }: FrameShape): JobOutline[] =>
  contours.length > 0 ? [{ elementId, contours }] : [];

/** Returns shapes as clean filled outlines that do not touch each other. */
function fillOutlines(shapes: readonly FrameShape[], findings: FindingList): JobOutline[] {
  const note = (elementId: string, { lengthMm, areaMm2, place }: DroppedContour) =>
    findings.add('droppedDetail', elementId, lengthMm, [place], { areaMm2 });
  return unionLayers(shapes.flatMap(toOutline), note).flatMap((outline) => {
    const rest = dropDetail(outline.contours, true, (contour) => note(outline.elementId, contour));
    return rest.length > 0 ? [{ ...outline, contours: rest }] : [];
  });
}

interface Following {
  readonly scene: Scene;
  readonly turn: Matrix;
  readonly findings: FindingList;
  readonly kerfMm: number;
  readonly isCut: boolean;
}

/** Returns shapes as clean lines, each once and an outline of its own, inner ones first. */
function followLines(shapes: readonly FrameShape[], { scene, turn, findings, kerfMm, isCut }: Following): JobOutline[] {
  if (!isCut) return cleanLines(shapes, findings).map(lineOutline);
  const gaps = new Map<string, number | undefined>(scene.groups.map(({ elementId, gapMm }) => [elementId, gapMm]));
  const lines = cleanLines(
    shapes.map(({ elementId, contours }) => ({ elementId, contours, gapMm: gaps.get(elementId) })),
    findings,
  );
  for (const { elementId, openedLines = [] } of shapes) {
    for (const line of openedLines) findings.add('clippedCut', elementId, lengthOf(line), [insideBox(line, scene)]);
  }
  const edges = toEdges(transformClips(scene.area ?? [], turn));
  checkCuts(lines, (x, y) => isAtEdge(scene, x, y) || isOnEdge(edges, x, y), findings);
  const cuts = addKerf(lines, { kerfMm, ...scene }, ({ elementId, lengthMm, place }) =>
    findings.add('kerfLoss', elementId, lengthMm, [place]),
  );
  return orderCuts(cuts, findings).map(lineOutline);
}

/** How near to the edge of the frame something is at it, mm. */
const EDGE_MM = 0.01;

const isAtEdge = ({ widthMm, heightMm }: Scene, x: number, y: number): boolean =>
  Math.min(x, y, widthMm - x, heightMm - y) <= EDGE_MM;

/** Returns the edges of an area as closed polylines. */
const toEdges = (area: readonly AreaClip[]): readonly number[][] =>
  area.flatMap(({ contours }) =>
    contours.map((contour) => {
      const line = flatten(contour, MM_GRID.tolerance);
      return [...line, line[0]!, line[1]!];
    }),
  );

/** True within `EDGE_MM` of a polyline, and what flattening takes off it. */
function isOnEdge(edges: readonly number[][], x: number, y: number): boolean {
  const reach = EDGE_MM + MM_GRID.tolerance;
  return edges.some((line) => {
    for (let p = 2; p < line.length; p += 2) {
      const [ax, ay] = [line[p - 2]!, line[p - 1]!];
      const [dx, dy] = [line[p]! - ax, line[p + 1]! - ay];
      const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
      if (Math.hypot(x - ax - t * dx, y - ay - t * dy) <= reach) return true;
    }
    return false;
  });
}

/** Returns the part of the box around a contour that is inside the frame, as corners. */
const insideBox = (contour: Contour, { widthMm, heightMm }: Scene): Point[] =>
  contourBox(contour).map(({ x, y }) => ({
    x: Math.min(widthMm, Math.max(0, x)),
    y: Math.min(heightMm, Math.max(0, y)),
  }));

const lineOutline = ({ elementId, contour }: CutLine): JobOutline => ({ elementId, contours: [contour] });

/** The plates of inks without a color of the artwork's own, with the colors that stand for them in a file. */
const spotPlates = [
  { kind: 'white', color: '#ffffff' },
  { kind: 'gloss', color: '#e0e0e0' },
] as const;

function inkPlates(scene: Scene, turn: Matrix, findings: FindingList): Plate[] {
  const color = colorPlate(scene, turn, ({ operation }) => operation === 'print', findings);
  const shapes = scene.groups.flatMap((group) => placeShapes(scene, group, turn));
  return [
    ...(color.groups.length > 0 ? [color] : []),
    ...spotPlates.flatMap(({ kind, color }): OutlinePlate[] => {
      const outlines = fillOutlines(joinSpots(shapes.filter(({ operation }) => operation === kind)), findings);
      return outlines.length > 0 ? [{ kind, id: kind, color, outlines }] : [];
    }),
  ];
}

/** Joins the shapes of one ink that overlap. */
function joinSpots(shapes: readonly FrameShape[]): FrameShape[] {
  const owner = new Map(shapes.map((shape) => [shape.contours, shape]));
  return joinOverlapping([...owner.keys()], MM_GRID).map((contours) => ({
    ...(owner.get(contours) ?? shapes[0]!),
    contours,
  }));
}

/** Returns the chosen shapes of a scene in their own colors, clean. `turn` is applied after the placement. */
export function colorPlate(
  scene: Scene,
  turn: Matrix,
  isChosen: (shape: FrameShape) => boolean,
  findings: FindingList = createFindings(),
): ColorPlate {
  const groups = scene.groups.flatMap((group): ColorGroup[] => {
    const { elementId, opacity } = group;
    const shapes = placeShapes(scene, group, turn)
      .filter(isChosen)
      .flatMap((shape): ColorShape[] => {
        const contours = dropDetail(shape.contours, shape.fill !== undefined, ({ lengthMm, areaMm2, place }) =>
          findings.add('droppedDetail', elementId, lengthMm, [place], { areaMm2 }),
        );
        return contours.length > 0 ? [toColorShape({ ...shape, contours })] : [];
      });
    const matrix = multiply(turn, group.matrix);
    const pictures = group.children.flatMap((child) => {
      if (child.kind !== 'image') return [];
      const { href, width, height, opacity } = child;
      return [{ href, width, height, matrix, opacity }];
    });
    if (shapes.length + pictures.length === 0) return [];
    const whiteArea = group.white && whiteAreaOf(scene, group, turn);
    return [{ elementId, opacity, ...(whiteArea && { whiteArea }), shapes, pictures }];
  });
  return { kind: 'color', id: 'color', groups };
}

/** Returns the box around an element inside the frame, or nothing where the maker wants no white. */
function whiteAreaOf(
  { widthMm, heightMm, area = [] }: Scene,
  { white, corners }: SceneGroup,
  turn: Matrix,
): readonly Contour[] {
  if (white === 'none') return [];
  const points = corners.flatMap((corner) => {
    const { x, y } = applyMatrix(turn, corner);
    return [x, y];
  });
  const box: Contour = { commands: ['L', 'L', 'L'], points, isClosed: true };
  const inside = clipToBox([box], { minX: 0, minY: 0, maxX: widthMm, maxY: heightMm }, true, MM_GRID);
  return clipToArea(inside, transformClips(area, turn), MM_GRID);
}

const toColorShape = ({ contours, fill, gradient, stroke, strokeWidth, opacity }: FrameShape): ColorShape => ({
  contours,
  fill,
  gradient,
  stroke,
  strokeWidthMm: strokeWidth,
  opacity,
});
