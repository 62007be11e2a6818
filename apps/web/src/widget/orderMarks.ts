/** The marks of Preflight on the stage, in a chunk of their own: they come with the first order. */
export { PreflightMarks } from '@markwright/editor';
