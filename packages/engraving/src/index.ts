export { DITHER_METHODS, type DitherMethod, dither, ditherRows } from './dither/dither.ts';
export {
  type EngraveRequest,
  type Engraving,
  engrave,
  type ToneRequest,
  toneForMaterial,
  toneRowsForMaterial,
} from './engrave.ts';
export { areaOf, type Contour, toPathData } from './halftone/contours.ts';
export type { DotShape } from './halftone/dots.ts';
export { type HalftoneRequest, type HalftoneStyle, halftone, halftoneOfRows } from './halftone/halftone.ts';
export type { Limits } from './halftone/strokes.ts';
export { levelOf, lightOf } from './light.ts';
export { ENGRAVING_MATERIALS, type EngravingMaterial, engravingMaterial, resolveInvert } from './materials.ts';
export { BARE, BURNT, type Gray, invert, layOnBare, meanTone, type Picture, toGray } from './picture.ts';
export {
  engraveShares,
  type InkBox,
  type PlacedRaster,
  type PlacedRequest,
  type Placement,
  placedSize,
  type ShareRequest,
  shareRows,
  watchInk,
} from './placed.ts';
export { engravingPngHead, pngRows, writeMaskPng } from './png.ts';
export { createTally, packRaster, type Raster, rasterStrip, rowBytesOf, unpackRaster } from './raster.ts';
export {
  type EngravingSize,
  engravingSize,
  INTERVAL_MM,
  MAX_ENGRAVING_PIXELS,
  resample,
  resampleRows,
} from './resample.ts';
export { type GrayRows, rowsOf } from './rows.ts';
export { spreadDots } from './spread.ts';
export { type Features, type Suggestion, suggestWay, WAYS, type Way } from './suggestWay.ts';
export { applyTone, NEUTRAL_TONE, TONE_LIMITS, type Tone } from './tone.ts';
export {
  applyToneCurve,
  luminanceOf,
  type MarkColors,
  modelToneCurve,
  type ToneCurve,
  WEDGE_STEPS,
} from './toneCurve.ts';
export { drawWedge, type Wedge, type WedgePatch } from './wedge.ts';
