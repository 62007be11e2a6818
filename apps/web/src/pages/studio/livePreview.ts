/** A file of its own, so that the Live Preview can be fetched by itself. */
export { LivePreview } from '@markwright/editor';
