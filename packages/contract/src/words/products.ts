/** What a list of products needs, without a schema: the widget's first load has none. */

/** Reads `'2.4x5.5'` as inches. */
export function parseDimensions(dimensions: string): { widthInches: number; heightInches: number } {
  const [width, height] = dimensions.split('x').map(Number);
  return { widthInches: width || 1, heightInches: height || 1 };
}

export const PLACEHOLDER_PATH = '/api/placeholder/:width/:height';
/** Address of a drawn picture where there is none, each side from 1 to 2000 pixels. */
export const placeholderUrl = (width: number, height: number): string => `/api/placeholder/${width}/${height}`;
