import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { refreshCatalogue } from '../../../products/shownProducts.ts';
import type { Notice } from '../../../ui/notices.ts';
import { useAttempt } from '../../../ui/useAttempt.ts';

export const CATEGORIES_KEY = ['/api/admin/categories'];
export const PRODUCTS_KEY = ['/api/admin/products'];

/** Reads the catalogue again, here and wherever its products are shown. */
export function refreshAll(client: QueryClient): void {
  for (const queryKey of [CATEGORIES_KEY, PRODUCTS_KEY]) void client.invalidateQueries({ queryKey });
  void refreshCatalogue(client);
}

/**
 * Returns a function that changes the catalogue, shows the notice that `act` resolves with, and reads the catalogue
 * again. It resolves with true when the change succeeded.
 */
export function useChange() {
  const client = useQueryClient();
  const attempt = useAttempt();
  return async (failureTitle: string, act: () => Promise<Notice>): Promise<boolean> => {
    const isChanged = await attempt(failureTitle, act);
    refreshAll(client);
    return isChanged;
  };
}
