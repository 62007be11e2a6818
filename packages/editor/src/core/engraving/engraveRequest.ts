/** From the editor's state to the engraving of an artwork's picture, and the keys that tell one from another. */
import { type ArtworkElement, elementIdOf } from '@markwright/scene';
import type { EditorState } from '../document/editor.ts';
import type { EngraveRequest } from '../ports.ts';
import type { EngravedPanel } from './engravedElements.ts';

/** The width over height of frames that are one, but for rounding to pixels. */
const SAME_ASPECT = 0.02;

/**
 * Returns what an artwork asks for, or would with another engraving. Undefined while its picture, its place or its
 * product is not known: the server makes the picture with the first trace.
 */
export function engraveRequestOf(
  { composition, assets, scene }: Pick<EditorState, 'composition' | 'assets' | 'scene'>,
  element: ArtworkElement,
  panel: EngravedPanel | undefined,
  engraving = element.engraving,
): EngraveRequest | undefined {
  const { design, isTraced, job } = panel ?? {};
  const isPictureKnown = design?.id === element.designId && design.tracePictureUrl !== undefined && isTraced;
  if (!engraving || !isPictureKnown || job === 'load' || job === 'removeBackground') return undefined;
  const { product } = assets;
  if (composition.productId !== undefined && !product) return undefined;
  const artwork = assets.artworks.get(element.id);
  const group = scene.groups.find(({ elementId }) => elementId === elementIdOf(element));
  if (!artwork || artwork.isStandIn || !group) return undefined;
  const { width, height } = artwork;
  if (Math.abs(width / height / element.aspect - 1) > SAME_ASPECT) return undefined;
  const { crop, straighten, opacity } = element;
  return {
    design,
    framing: { ...(crop && { crop }), ...(straighten && { straighten }) },
    engraving,
    place: { width, height, matrix: group.matrix, opacity: opacity / 100 },
    surface: { material: product?.finish.material, markColor: product?.finish.markColor },
  };
}

/** Returns the key of the frame that an engraving is drawn in: in another one it would be shown at a wrong place. */
export const frameKey = ({ design, framing, place: { width, height } }: EngraveRequest): string =>
  JSON.stringify([design.id, framing, width, height]);

/** Returns the key of a place, without its position: dots move along with their element. */
export function placeKey({ place: { matrix } }: EngraveRequest): string {
  const { a, b, c, d } = matrix;
  // A box that is trimmed to its ink changes the last digits of a matrix.
  return [a, b, c, d].map((value) => (Math.abs(value) < 1e-9 ? '0' : value.toPrecision(8))).join(' ');
}

/** Returns the key of all that the dots depend on. */
export const requestKey = (request: EngraveRequest): string =>
  JSON.stringify([
    frameKey(request),
    placeKey(request),
    request.design.tracePictureUrl,
    request.engraving,
    request.place.opacity,
    request.surface,
  ]);

/** Returns the pixels of an engraving at its full interval. */
export function countPixels({ place: { width, height, matrix }, engraving }: EngraveRequest): number {
  const { a, b, c, d } = matrix;
  return (Math.hypot(a, b) * width * Math.hypot(c, d) * height) / engraving.intervalMm ** 2;
}
