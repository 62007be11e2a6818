/** Assigns shapes to the layers of a laser, so that nothing is burned twice. */
import { type LaserLayer, laserLayerOf, toneLayer } from '../document/machine.ts';
import { MM_GRID, visibleParts } from '../geometry/planar.ts';
import type { FrameShape } from './placeShapes.ts';

/** A shape with its laser layer. */
export interface LayeredShape extends FrameShape {
  readonly layer: LaserLayer;
}

function layerOf({ operation, opacity, toneIndex }: FrameShape, color: string): LaserLayer | undefined {
  const isTone = operation === 'engrave' && toneIndex !== undefined && opacity > 0;
  return isTone ? toneLayer(toneIndex) : laserLayerOf(operation, color, opacity);
}

/** Returns what tells the engraved tones of a laser apart: the layer of a shape in a color, or that it is bare. */
export const toneOf = (shape: FrameShape, color: string): string => layerOf(shape, color)?.id ?? 'bare';

/**
 * Assigns shapes to laser layers and drops white ones. Machines fill by even-odd and burn every shape they get. So
 * where filled shapes overlap, of one element or of several, the upper one wins and equal tones are joined: this leaves
 * no holes, and nothing is burned twice. Cost: a boolean operation or two for each overlapping pair.
 */
export function layerShapes(shapes: readonly FrameShape[]): LayeredShape[] {
  const laserShapes = shapes.map((shape) => {
    const color = shape.fill ?? shape.stroke ?? '#000000';
    const layer = layerOf(shape, color);
    const tone = shape.operation === 'engrave' ? toneOf(shape, color) : undefined;
    return { ...shape, layer, tone, isOpaque: true, isKeptWhole: shape.operation === 'cut' };
  });
  return (visibleParts(laserShapes, MM_GRID) ?? laserShapes).flatMap((shape) =>
    shape.layer ? [{ ...shape, layer: shape.layer }] : [],
  );
}
