/** What the machine could not make: counted in the status line, marked on the stage. Loaded behind the first paint. */
export { PreflightCount, PreflightMarks } from '@markwright/editor';
