import type { Drawing } from './stack.ts';

/** Turns filled shapes into their outlines, drawn as lines one pixel wide. */
export function strokeOutlines(drawing: Drawing): Drawing {
  return {
    ...drawing,
    layers: drawing.layers.map((layer) => ({
      ...layer,
      paths: layer.paths.map((path) => ({ ...path, strokeWidth: 1 })),
    })),
  };
}
