export type { Drawing, Gradient, Layer, Path, Ring } from './drawing.ts';
export type { Segment, Shape } from './geometry/segment.ts';
export { takeOutLight } from './light/light.ts';
export type { VectorizeOptions } from './options.ts';
export { type Adjustments, adjustBitmap, type Bitmap, type PixelBox } from './pixels/bitmap.ts';
export { writeSvg } from './svg.ts';
export { Tracer, vectorize } from './tracer.ts';
