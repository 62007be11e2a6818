/** A file of its own: the first thing a page shows needs it, and nothing else that measures. */
export const MM_PER_INCH = 25.4;
