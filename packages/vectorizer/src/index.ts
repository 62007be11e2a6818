import type { Bitmap } from './bitmap.ts';
import { readPixels } from './bitmap.ts';
import { traceBoundary } from './boundary.ts';
import { fitChains } from './curves.ts';
import { denoise, estimateNoise } from './noise.ts';
import type { VectorizeOptions } from './options.ts';
import { readOptions } from './options.ts';
import { quantize } from './quantize.ts';
import { despeckle, findRegions } from './regions.ts';
import type { Drawing } from './stack.ts';
import { assemble } from './stack.ts';
import { strokeOutlines } from './stroke.ts';

export type { Bitmap } from './bitmap.ts';
export type { Segment } from './curves.ts';
export type { VectorizeOptions } from './options.ts';
export type { Drawing, Layer, Path, Ring } from './stack.ts';
export { writeSvg } from './svg.ts';

/** Noise below this many byte levels is left alone. */
const QUIET = 0.5;
/** Share of the noise that denoising leaves. */
const LEFT_OVER = 0.5;

/**
 * Turns a bitmap into a drawing of closed shapes. The same bitmap and options give the same drawing on every machine.
 *
 * Time and memory are linear in the pixels. Throws a RangeError for options or sizes out of range, and an error named
 * `AbortError` when `options.signal` is aborted between stages.
 */
export function vectorize(bitmap: Bitmap, options: VectorizeOptions = {}): Drawing {
  const settings = readOptions(options, bitmap.width, bitmap.height);
  const enter = (stage: string, fraction: number): void => {
    if (options.signal?.aborted) throw Object.assign(new Error('Vectorizing was aborted.'), { name: 'AbortError' });
    options.onProgress?.(stage, fraction);
  };

  enter('read', 0);
  const pixels = readPixels(bitmap, settings.colorMode);
  enter('noise', 0.05);
  const noise = estimateNoise(pixels);
  const isNoisy = noise > QUIET;
  const calm = isNoisy ? denoise(pixels, noise) : pixels;
  const rest = isNoisy ? noise * LEFT_OVER : 0;
  enter('colors', 0.15);
  const quantized = quantize(calm, rest, settings);
  enter('regions', 0.4);
  const first = findRegions(quantized.labels, pixels.width, pixels.height);
  const regions = despeckle(quantized.labels, first, quantized.palette, settings.minAreaPx, rest);
  enter('boundary', 0.55);
  const map = traceBoundary(quantized.labels, regions);
  enter('curves', 0.65);
  const curves = fitChains(map, regions, quantized, { ...settings, noise });
  enter('stack', 0.9);
  const drawing = assemble(map, curves, regions, quantized, settings);
  enter('done', 1);
  return settings.draw === 'stroke' ? strokeOutlines(drawing) : drawing;
}
