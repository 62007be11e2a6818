export type { Bitmap, Corners, Point } from './bitmap.ts';
export { findSkew, type Skew } from './findSkew.ts';
export { estimateAspect } from './rectangle.ts';
export { cornersOfTurn, planWarp, type Size, type WarpOptions, type WarpPlan, type WarpRequest, warp } from './warp.ts';
