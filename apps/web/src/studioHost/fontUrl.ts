/** Where a bundled font file lies. */
export const fontUrl = (fileName: string): string => `/fonts/${fileName}`;
