import type { Drawing, Path } from '../drawing.ts';

/** Turns filled shapes into outlines, drawn as lines one pixel wide. */
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
 * Returns the drawing with one width for all lines, 1 px by default: a laser follows the center line whatever the pen
 * width was.
 */
export function thinLines(drawing: Drawing, widthPx = 1): Drawing {
  const thin = (path: Path): Path => (path.strokeWidth === undefined ? path : { ...path, strokeWidth: widthPx });
  return { ...drawing, layers: drawing.layers.map((layer) => ({ ...layer, paths: layer.paths.map(thin) })) };
}

/** Returns true unless a path is a further gradient over the previous path. */
function isGround(path: Path, k: number, paths: Path[]): boolean {
  return k === 0 || path.rings !== paths[k - 1].rings;
}
