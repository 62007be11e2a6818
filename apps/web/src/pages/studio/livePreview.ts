/** A file of its own, so that the Live Preview can be fetched by itself. */
export { FloatingPreview, LivePreview } from '@markwright/editor';
