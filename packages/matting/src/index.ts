export { type KindOfBackground, kindOfBackground, type RemoveOptions, removeBackground } from './background.ts';
export type { Mask, Picture } from './picture.ts';
