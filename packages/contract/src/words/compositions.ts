/** Limits of saved compositions, and sentences about them. */

/** The most compositions one account may store. */
export const MAX_COMPOSITIONS = 1000;
/** The largest composition, as JSON. */
export const MAX_COMPOSITION_BYTES = 256 * 1024;
/** Entries on one page of a list that goes on with a cursor. */
export const LIST_PAGE = 50;
/** The longer side of the preview picture of a composition. */
export const COMPOSITION_PICTURE_PX = 480;
/** The largest preview picture that may be uploaded. */
export const MAX_COMPOSITION_PICTURE_BYTES = 1024 * 1024;

export const compositionChanged = 'This design was changed somewhere else in the meantime.';
