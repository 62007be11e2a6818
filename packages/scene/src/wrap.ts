/** Scenes on round blanks. Loaded apart, because flat blanks need none of it. */
export * from './render/surfaceLight.ts';
export * from './render/wrapScene.ts';
export { type BlankView, openBlankView, projectPlace, unprojectPlace } from './surface/blankView.ts';
export type { Pixels } from './surface/remapPicture.ts';
