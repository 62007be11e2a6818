export { type KindOfBackground, kindOfBackground, type RemoveOptions, removeBackground } from './background.ts';
export {
  type BrushStroke,
  type CutoutFinish,
  type EdgeFinish,
  finishCutout,
  finishEdges,
  type PixelBox,
  paintStroke,
} from './finish.ts';
export { isSecondLookWorth, joinMasks } from './joinMasks.ts';
export type { Mask, Picture } from './picture.ts';
