/** The present design on another blank, as a small picture of its marks: for the thumbnails of products. */
import type { Product } from '@markwright/contract/schemas';
import { type Assets, applyCommand, type Composition, renderView, resolveScene, writeSvg } from '@markwright/scene';
import { toProductAsset } from './assets.ts';

/** A drawing with more characters costs a list too much: its thumbnails stay bare. */
const MOST_CHARS = 400_000;

/**
 * Returns the marks of a composition as choosing the product would place them, as an SVG of the product's whole picture
 * without the picture: flat, in the plain color of the material. Undefined where there are none, or far too many.
 * Cost: that of resolving a scene, and linear in the nodes.
 */
export function drawBlankMarks(composition: Composition, assets: Assets, product: Product): string | undefined {
  const onBlank = applyCommand(composition, { type: 'setProduct', productId: product.productId });
  const { markPainter: _painter, engravings: _engravings, ...plainAssets } = assets;
  const scene = resolveScene(onBlank, { ...plainAssets, product: { ...toProductAsset(product), pictureHref: '' } });
  if (scene.groups.length === 0) return undefined;
  const view = renderView(scene, { kind: 'mockup' });
  const svg = writeSvg({ ...view, children: view.children.filter(({ tag }) => tag !== 'image') });
  return svg.length > MOST_CHARS ? undefined : svg;
}
