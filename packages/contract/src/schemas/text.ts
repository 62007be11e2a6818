import { z } from 'zod';
import { isStorable, NOT_STORABLE } from '../words/labels.ts';

/** Text without the spaces around it that can be stored and returned as it is. */
export const StorableText = z.string().trim().refine(isStorable, NOT_STORABLE);
