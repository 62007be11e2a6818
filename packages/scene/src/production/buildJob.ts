/** Builds the production job of a scene. */
import { laserLayers } from '../document/machine.ts';
import { type Matrix, multiply, scale, translate } from '../geometry/matrix.ts';
import type { Scene } from '../resolve/scene.ts';
import type { ColorGroup, ColorPlate, ColorShape, Job, JobOutline, OutlinePlate, Plate } from './job.ts';
import { layerShapes } from './layerShapes.ts';
import { type FrameShape, placeShapes } from './placeShapes.ts';

export interface JobOptions {
  /** True for a job that is turned over. Absent: a sublimation print is, because it is pressed face down. */
  readonly isMirrored?: boolean;
}

/**
 * Builds the job of a scene: placed, cleaned, in running order. Pure. Throws a RangeError when a coordinate is not
 * finite. Cost: n log n in the nodes, and a boolean operation for each pair of shapes that overlap.
 */
export function buildJob(scene: Scene, options: JobOptions = {}): Job {
  const { machine, widthMm, heightMm } = scene;
  const isMirrored = options.isMirrored ?? machine === 'sublimation';
  const turn = isMirrored ? multiply(translate(widthMm, 0), scale(-1, 1)) : scale(1);
  const plates = machine === 'laser' ? laserPlates(scene, turn) : inkPlates(scene, turn);
  return { machine, widthMm, heightMm, isMirrored, plates, findings: [] };
}

function laserPlates(scene: Scene, turn: Matrix): OutlinePlate[] {
  const shapes = layerShapes(
    scene.groups.flatMap((group) =>
      placeShapes(scene, group, turn).map((shape) => ({ ...shape, opacity: shape.opacity * group.opacity })),
    ),
  );
  return laserLayers.flatMap(({ id, color, operation }): OutlinePlate[] => {
    const outlines = shapes.filter(({ layer }) => layer.id === id).map(toOutline);
    return outlines.length > 0 ? [{ kind: operation, id, color, outlines }] : [];
  });
}

const toOutline = (shape: FrameShape): JobOutline => ({
  elementId: shape.elementId,
  contours: shape.fill ? closeAll(shape.contours) : shape.contours,
});

/** Filled outlines are closed, even where the artwork left them open. */
const closeAll = (contours: FrameShape['contours']) => contours.map((contour) => ({ ...contour, isClosed: true }));

/** The plates of inks without a color of the artwork's own, with the colors that stand for them in a file. */
const spotPlates = [
  { kind: 'white', color: '#ffffff' },
  { kind: 'gloss', color: '#e0e0e0' },
] as const;

function inkPlates(scene: Scene, turn: Matrix): Plate[] {
  const color = colorPlate(scene, turn, ({ operation }) => operation === 'print');
  const shapes = scene.groups.flatMap((group) => placeShapes(scene, group, turn));
  return [
    ...(color.groups.length > 0 ? [color] : []),
    ...spotPlates.flatMap(({ kind, color }): OutlinePlate[] => {
      const outlines = shapes.filter(({ operation }) => operation === kind).map(toOutline);
      return outlines.length > 0 ? [{ kind, id: kind, color, outlines }] : [];
    }),
  ];
}

/** Returns the chosen shapes of a scene in their own colors. `turn` is applied after the placement. */
export function colorPlate(scene: Scene, turn: Matrix, isChosen: (shape: FrameShape) => boolean): ColorPlate {
  const groups = scene.groups.flatMap((group): ColorGroup[] => {
    const shapes = placeShapes(scene, group, turn).filter(isChosen).map(toColorShape);
    const matrix = multiply(turn, group.matrix);
    const pictures = group.children.flatMap((child) => {
      if (child.kind !== 'image') return [];
      const { href, width, height, opacity } = child;
      return [{ href, width, height, matrix, opacity }];
    });
    if (shapes.length + pictures.length === 0) return [];
    return [{ elementId: group.elementId, opacity: group.opacity, shapes, pictures }];
  });
  return { kind: 'color', id: 'color', groups };
}

const toColorShape = ({ contours, fill, gradient, stroke, strokeWidth, opacity }: FrameShape): ColorShape => ({
  contours: fill ? closeAll(contours) : contours,
  fill,
  gradient,
  stroke,
  strokeWidthMm: strokeWidth,
  opacity,
});
