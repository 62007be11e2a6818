import { z } from 'zod';

/** Text that can be stored and given back as it is: no NUL, no half of a character. */
export const StorableText = z
  .string()
  .trim()
  .refine((text) => !/[\0\p{Cs}]/u.test(text), 'There is a character in it that cannot be stored.');
