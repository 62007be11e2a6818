export { type KindOfBackground, kindOfBackground, type RemoveOptions, removeBackground } from './background.ts';
export { isSecondLookWorth, joinMasks } from './joinMasks.ts';
export type { Mask, Picture } from './picture.ts';
export {
  type BrushStroke,
  type CutoutRefinement,
  type EdgeRefinement,
  type PixelBox,
  paintStroke,
  refineCutout,
  refineEdges,
} from './refineCutout.ts';
