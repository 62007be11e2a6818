/** Icons: read by the build, found by the studio. */
export * from './iconIndex.ts';
export { readIcon } from './readIcon.ts';
