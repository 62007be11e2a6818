export { type Adjustments, adjustBitmap, type Bitmap, type PixelBox } from './bitmap.ts';
export type { Drawing, Gradient, Layer, Path, Ring } from './drawing.ts';
export type { VectorizeOptions } from './options.ts';
export type { Segment, Shape } from './segment.ts';
export { writeSvg } from './svg.ts';
export { Tracer, vectorize } from './tracer.ts';
