export * from './composition.ts';
export type * from './scene.ts';
