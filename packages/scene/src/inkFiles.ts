/** Files for machines with ink. Loaded apart, because pages need none of it. */
export { measureFilled, measureNested } from './geometry/filledArea.ts';
export { type Inflate, PdfUnreadable } from './import/pdfObjects.ts';
export { type PdfMark, type PdfReading, readPdf } from './import/readPdf.ts';
export { cropJob } from './production/cropJob.ts';
export { fitsPixels, PRINT_DPI, toPixels } from './production/printPixels.ts';
export {
  addUnderbase,
  CHOKE_MM,
  drawWhitePlate,
  type UnderbaseOptions,
  WHITE_MODES,
  type WhiteMode,
  type WhiteScene,
} from './production/underbase.ts';
export { drawJob } from './production/writers/jobSvg.ts';
export { type PdfOptions, writePdf } from './production/writers/pdf.ts';
export type { Deflate } from './production/writers/pdfFile.ts';
export { type Cmyk, gradientColors, plainCmyk, type ToCmyk } from './production/writers/pdfPaint.ts';
export {
  SPOT_LOOKS,
  SPOT_PRESETS,
  type SpotNames,
  type SpotPlate,
  type SpotPreset,
} from './production/writers/spots.ts';
