/** A file of its own, so that the first paint of a page loads no other code that measures. */
export const MM_PER_INCH = 25.4;
