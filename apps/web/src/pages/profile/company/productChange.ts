import { useQueryClient } from '@tanstack/react-query';
import { refreshCompany } from '../../../products/shownProducts.ts';
import type { Notice } from '../../../ui/notices.ts';
import { useAttempt } from '../../../ui/useAttempt.ts';

/**
 * Returns a function that changes the shop's products, shows how that went, and reads them again. It resolves with true
 * when the change succeeded.
 */
export function useProductChange() {
  const client = useQueryClient();
  const attempt = useAttempt();
  return async (failureTitle: string, act: () => Promise<Notice>): Promise<boolean> => {
    const isChanged = await attempt(failureTitle, act);
    void refreshCompany(client);
    return isChanged;
  };
}
