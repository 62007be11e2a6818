/** The machines' own files: writers, readers and what compares both. Pages that make none do not load them. */
export {
  type LaserSettings,
  laserOperationOf,
  laserSettingNames,
} from '../document/laserSettings.ts';
export { type ContourFile, type ContourLayer, type FilePicture, FileRefused } from '../import/contourFile.ts';
export {
  convertOutlineUpload,
  isOutlineUpload,
  type OutlineFileKind,
  type OutlineUpload,
} from '../import/outlineUpload.ts';
export { readDxf } from '../import/readDxf.ts';
export { readLightBurn } from '../import/readLightBurn.ts';
export { type MaterialEntry, type MaterialLibrary, readMaterialLibrary } from '../import/readMaterialLibrary.ts';
export type { Difference, DifferenceKind } from './compareWithJob.ts';
export * from './machineFiles.ts';
export { rotaryDiameterMm, TAPERS, type Taper, taperJob } from './taperJob.ts';
export type { LightBurnOptions } from './writers/lightBurn.ts';
export { FormatUnfit, refuseRasters } from './writers/segments.ts';
export { type SvgPreset, svgPresets } from './writers/svgPresets.ts';
