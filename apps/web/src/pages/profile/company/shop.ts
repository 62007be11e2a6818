import type { BaseCategory, Company, Product } from '@markwright/contract/schemas';
import type { api } from '../../../api.ts';

export type ShopChange = Parameters<typeof api.company.updateSettings>[0]['body'];

/** What is known of the shop, and the way to change it. A change that fails is said, and gives nothing. */
export interface Shop {
  readonly company: Company;
  readonly categories: readonly BaseCategory[];
  readonly products: readonly Product[];
  change(what: ShopChange): Promise<Company | undefined>;
}
