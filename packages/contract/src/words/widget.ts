/** Limits and addresses of the widget. */

/**
 * The request header with the widget's signed guest token. The page keeps the token in memory. A caller that sends it
 * gets no cookie.
 */
export const GUEST_HEADER = 'x-markwright-guest';

/** The most pieces of one design in one order. */
export const MAX_QUANTITY = 999;
/** The most different pieces of one order: with more, it is a list for the shop. */
export const MAX_PIECES = 100;
/** The longer side of a saved design's picture. */
export const SAVED_PICTURE_PX = 800;
/** The days until a saved design that nobody orders is deleted. */
export const KEEP_SAVED_DAYS = 180;

export const SAVED_PICTURE_PATH = '/api/widget/designs/:id/preview.png';
/** Returns the path, on the site's own host, of the picture of a saved design. */
export const savedPictureUrl = (id: string): string => SAVED_PICTURE_PATH.replace(':id', id);
