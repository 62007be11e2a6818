/** Returns the address of a bundled font file. */
export const fontUrl = (fileName: string): string => `/fonts/${fileName}`;
