export * from './arrange/arrange.ts';
export { hitTest } from './arrange/hitTest.ts';
export type * from './artwork/artwork.ts';
export { drawArtwork } from './artwork/drawArtwork.ts';
export { mapStops } from './artwork/gradient.ts';
export { createStandIn, reframeArtwork } from './artwork/reframeArtwork.ts';
export * from './document/areaClips.ts';
export * from './document/commands.ts';
export * from './document/composition.ts';
export {
  type AreaMm,
  type Framing,
  isSameCrop,
  isSameFraming,
  isSameStraightening,
  placeOfFrame,
  straightenCrop,
  straightenedSize,
  trueSizeOf,
} from './document/crop.ts';
export * from './document/elements.ts';
export * from './document/initial.ts';
export {
  type LaserOperation,
  type LaserSettingName,
  type LaserSettings,
  laserOperations,
  laserSettingRanges,
  type SettingRange,
} from './document/laserSettings.ts';
export * from './document/limits.ts';
export * from './document/machine.ts';
export { isOutline } from './document/outline.ts';
export { type PlaceChanges, placeCommand } from './document/placeCommand.ts';
export * from './document/printArea.ts';
export { regularAspect } from './document/regularAspect.ts';
export * from './geometry/matrix.ts';
export {
  type Contour,
  flatten,
  type PathData,
  readContours,
  tightBounds,
  transformPath,
  writeContours,
} from './geometry/pathData.ts';
export { DRAWN_SIDE_PX } from './import/drawingCost.ts';
export { fittingSidePx, limitDrawing, SLOW_DRAWING } from './import/limitDrawing.ts';
export { readArtwork } from './import/readArtwork.ts';
export { readSvg, type SafeSvg, SVG_LIMITS, SvgRefused } from './import/svgSafe.ts';
export type { ArtworkLettering } from './lettering/findLettering.ts';
export { isLeftOut, type PlacedLettering, sayFace, toLiveText } from './lettering/liveText.ts';
export { hasLightMarks, leastModuleMm } from './preflight/codeChecks.ts';
export {
  type DroppedDetail,
  type FileMends,
  fileMends,
  isCutFinding,
  type JobReview,
  mendAll,
  reviewRequest,
} from './preflight/cutChecks.ts';
export type * from './preflight/finding.ts';
export { inkBounds, OUTSIDE_MM } from './preflight/ink.ts';
export * from './preflight/machineLimits.ts';
export * from './preflight/preflight.ts';
export { buildJob, type JobOptions } from './production/buildJob.ts';
export { LEAST_DETAIL } from './production/dropDetail.ts';
export type * from './production/job.ts';
export { renderScene } from './render/render.ts';
export * from './render/targets.ts';
export { renderView } from './render/view.ts';
export { drawWatermark } from './render/watermark.ts';
export { measureInk } from './resolve/ink.ts';
export { leaveOut } from './resolve/leaveOut.ts';
export {
  areaAspect,
  DEFAULT_FRAME_MM,
  findCircleRoom,
  findCodeFault,
  findMissingLetters,
  linesOf,
  MM_PER_INCH,
  resolveScene,
  toTextLines,
} from './resolve/resolve.ts';
export * from './resolve/scene.ts';
export { seededRandom } from './svg/seededRandom.ts';
export { formatNumber, SVG_NAMESPACE, type SvgNode, svgNode, writeSvg } from './svg/svg.ts';
