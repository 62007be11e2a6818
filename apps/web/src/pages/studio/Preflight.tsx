/** Preflight: the count in the status line and the marks on the stage. Loaded behind the first paint. */
export { PreflightCount, PreflightMarks } from '@markwright/editor';
