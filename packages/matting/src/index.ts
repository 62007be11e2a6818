export { type KindOfBackground, kindOfBackground, type RemoveOptions, removeBackground } from './background.ts';
export { isSecondLookWorth, joinMasks } from './joinMasks.ts';
export type { Mask, Picture } from './picture.ts';
export {
  type BrushStroke,
  type CutoutRefinement as CutoutFinish,
  type EdgeRefinement as EdgeFinish,
  type PixelBox,
  paintStroke,
  refineCutout as finishCutout,
  refineEdges as finishEdges,
} from './refineCutout.ts';
