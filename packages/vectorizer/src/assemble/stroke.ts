import type { Drawing, Path } from '../drawing.ts';

/** Turns filled shapes into their outlines, drawn as lines one pixel wide. */
export function strokeOutlines(drawing: Drawing): Drawing {
  return {
    ...drawing,
    layers: drawing.layers.map((layer) => ({
      ...layer,
      paths: layer.paths.filter(isGround).map(({ color, rings }) => ({ color, rings, strokeWidth: 1 })),
    })),
  };
}

/**
 * Returns the drawing with all lines of one width, 1 px by default: a laser follows the middle, whatever the pen was.
 */
export function thinLines(drawing: Drawing, widthPx = 1): Drawing {
  const thin = (path: Path): Path => (path.strokeWidth === undefined ? path : { ...path, strokeWidth: widthPx });
  return { ...drawing, layers: drawing.layers.map((layer) => ({ ...layer, paths: layer.paths.map(thin) })) };
}

/** Returns true when a path is not one of the further gradients over the one before it. */
function isGround(path: Path, k: number, paths: Path[]): boolean {
  return k === 0 || path.rings !== paths[k - 1].rings;
}
