/** The facts that pages read from the composition: the chosen product, and whether anything is on it. */
import type { Product } from '@markwright/contract/schemas';
import { findById } from '@markwright/contract/words';
import { inVariant, useEditorState } from '@markwright/editor';
import type { MachineMode } from '@markwright/scene';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { shownProducts } from './shownProducts.ts';

export const machineNames: Record<MachineMode, string> = {
  laser: 'Laser engraver',
  uv: 'UV printer',
  sublimation: 'Sublimation',
  dtf: 'DTF printer',
};

/** Returns the chosen product, in its color and size. */
export function useChosenProduct(): Product | undefined {
  const product = useBaseProduct();
  const productId = useEditorState((state) => state.composition.productId);
  const variant = useEditorState((state) => state.composition.variant);
  return useMemo(() => product && inVariant(product, { productId, variant }), [product, productId, variant]);
}

/** Returns the chosen product as the catalogue has it, with all its colors and sizes. */
export function useBaseProduct(): Product | undefined {
  const { data } = useQuery(shownProducts(useQueryClient()));
  const productId = useEditorState((state) => state.composition.productId);
  return data && findById(data, productId);
}

/** True when there is a product with a design or text on it. */
export const useIsReady = (): boolean =>
  useEditorState(({ composition: { productId, elements } }) => productId !== undefined && elements.length > 0);
