import { z } from 'zod';
import { isStorable, isVisible, NOT_STORABLE, toLabel } from '../words/labels.ts';

/** Text without the spaces around it that can be stored and returned as it is. */
export const StorableText = z.string().trim().refine(isStorable, NOT_STORABLE);

interface NameMessages {
  /** The message for a text with more characters than the limit. */
  readonly tooLong?: string;
  /** The message for a text that is empty or has only invisible characters. */
  readonly missing: string;
}

/**
 * Takes a name as it is stored (`toLabel`), of up to `limit` characters with a visible one among them; up to 1,000
 * characters may come in.
 */
export const labelOf = (
  limit: number,
  { tooLong = `Names may be up to ${limit} characters long.`, missing }: NameMessages,
) => z.string().max(1_000).transform(toLabel).pipe(z.string().max(limit, tooLong).refine(isVisible, missing));

/** The parameters of a path that names one thing by its id. */
export const IdParams = z.object({ id: z.string().max(64) });
