import type { Town } from '@markwright/contract/schemas';
import { api } from '../api.ts';

/** Towns whose name begins like this. */
export const searchTowns = (q: string, signal: AbortSignal): Promise<Town[]> =>
  api.makers.places({ query: { q } }, { signal });
