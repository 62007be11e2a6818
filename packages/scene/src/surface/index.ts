/** Artwork on round blanks: developments, projections and whole paths. Loaded apart, because flat ones need none. */
export * from './blankView.ts';
export * from './paperWrap.ts';
export * from './projection.ts';
export * from './projectPaths.ts';
export * from './surface.ts';
