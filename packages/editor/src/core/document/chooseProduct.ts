/** Chooses a product in a color and a size. */
import type { Product } from '@markwright/contract/schemas';
import { findById } from '@markwright/contract/words';
import type { Variant } from '@markwright/scene';
import type { Editor } from './editor.ts';

/**
 * Puts a product in a color and size under what is arranged. Where it is the product already, only color and size
 * change: machine area and rotation stay.
 */
export function chooseProduct(
  editor: Pick<Editor, 'dispatch' | 'getState'>,
  product: Product,
  variant: Variant | undefined,
): void {
  const { productId } = product;
  const isSame = findById([product], editor.getState().composition.productId) !== undefined;
  if (isSame) editor.dispatch({ type: 'setVariant', productId, variant: variant ?? {} });
  else editor.dispatch({ type: 'setProduct', productId, variant });
}
