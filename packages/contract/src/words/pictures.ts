/** Limits of an uploaded picture. */

export const MAX_UPLOAD_BYTES = 20 * 1024 * 1024;
export const MAX_SVG_BYTES = 10 * 1024 * 1024;
/** The largest width times height of a raster picture. */
export const MAX_PIXELS = 50_000_000;
/** The types that the file picker offers. The server decides by the bytes. */
export const UPLOAD_ACCEPT = '.jpg,.jpeg,.png,.svg,image/jpeg,image/png,image/svg+xml';
/** The types of a design, which may also be a drawing for a machine. By ending: browsers know no media type of it. */
export const DESIGN_ACCEPT = `${UPLOAD_ACCEPT},.dxf,.lbrn2,.lbrn`;
