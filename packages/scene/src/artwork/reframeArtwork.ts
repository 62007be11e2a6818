/** The artwork of one crop shown in the frame of another. */

import type { FractionRect } from '../document/composition.ts';
import { isSameCrop, wholePicture } from '../document/crop.ts';
import { translate } from '../geometry/matrix.ts';
import { transformPath } from '../geometry/pathData.ts';
import type { Artwork, ArtworkShape } from './artwork.ts';
import { transformGradient } from './gradient.ts';

/**
 * Moves the artwork of the crop `from` into the frame of the crop `to`, to show until `to` has a trace of its own. What
 * both crops show stays at its place on the product. Nothing is cut away or added. Returns an untraced picture
 * unchanged. Cost: linear in the nodes.
 */
export function reframeArtwork(
  artwork: Artwork,
  from: FractionRect | undefined,
  to: FractionRect | undefined,
): Artwork {
  if (isSameCrop(from, to) || artwork.imageHref) return artwork;
  const [p, q] = [from ?? wholePicture, to ?? wholePicture];
  const [unitX, unitY] = [artwork.width / p.width, artwork.height / p.height];
  const move = translate((p.x - q.x) * unitX, (p.y - q.y) * unitY);
  const moveShape = (shape: ArtworkShape): ArtworkShape => ({
    ...shape,
    d: transformPath(shape.d, move),
    gradient: shape.gradient && transformGradient(shape.gradient, move),
  });
  return {
    width: q.width * unitX,
    height: q.height * unitY,
    shapes: artwork.shapes.map(moveShape),
    // Computed on demand, like those of the given artwork.
    get cutouts() {
      return artwork.cutouts?.map(moveShape);
    },
  };
}

/**
 * Returns the ink of an artwork alone, in a frame of its own, to show until the picture is traced again: another
 * straightening of the picture moves every point. `ink` is in fractions of the artwork's frame.
 */
export function createStandIn(artwork: Artwork, ink: FractionRect): Artwork {
  const inkArtwork = reframeArtwork(artwork, undefined, ink);
  const { width, height, shapes } = inkArtwork;
  return {
    width,
    height,
    shapes,
    isStandIn: true,
    get cutouts() {
      return inkArtwork.cutouts;
    },
  };
}
