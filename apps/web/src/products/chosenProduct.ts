/** The facts that pages read from the composition: the chosen product, and whether anything is on it. */
import type { Product } from '@markwright/contract/schemas';
import { useEditorState } from '@markwright/editor';
import type { MachineMode } from '@markwright/scene';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { shownProducts } from './shownProducts.ts';

export const machineNames: Record<MachineMode, string> = {
  laser: 'Laser engraver',
  uv: 'UV printer',
  sublimation: 'Sublimation',
  dtf: 'DTF printer',
};

export function useChosenProduct(): Product | undefined {
  const { data } = useQuery(shownProducts(useQueryClient()));
  const productId = useEditorState((state) => state.composition.productId);
  return data?.find((product) => product.id === productId || product.productId === productId);
}

/** True when there is a product with a design or text on it. */
export const useIsReady = (): boolean =>
  useEditorState(({ composition: { productId, elements } }) => productId !== undefined && elements.length > 0);
