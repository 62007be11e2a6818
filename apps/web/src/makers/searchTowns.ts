import type { Town } from '@markwright/contract/schemas';
import { api } from '../api.ts';

/** Finds the towns whose name begins with a text. */
export const searchTowns = (q: string, signal: AbortSignal): Promise<Town[]> =>
  api.makers.places({ query: { q } }, { signal });
