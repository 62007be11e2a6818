import type { BaseCategory, Company } from '@markwright/contract/schemas';
import type { api } from '../../../api.ts';

export type ShopChange = Parameters<typeof api.company.updateSettings>[0]['body'];

/**
 * The shop's settings and the function that changes them. A failed change shows a notice and resolves with undefined.
 */
export interface Shop {
  readonly company: Company;
  readonly categories: readonly BaseCategory[];
  change(what: ShopChange): Promise<Company | undefined>;
}
