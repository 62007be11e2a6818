import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { AppError } from '../platform/errors.ts';
import type { MediaJobs } from '../platform/ports/mediaJobs.ts';

/** A rendered side stays below this, and the whole below `MAX_RENDER_PIXELS`, whatever the SVG asks for. */
const MAX_RENDER_SIDE_PX = 8192;
const MAX_RENDER_PIXELS = 50_000_000;

/**
 * Draws an SVG as a PNG with the same pixels on every machine. The SVG is trusted: our own, or read through the
 * allow-list. No font is loaded: texts must be outlines. Throws unprocessable for one that cannot be drawn.
 */
export async function rasterize({
  svg,
  widthPx,
  background,
}: MediaJobs['rasterize']['input']): Promise<MediaJobs['rasterize']['output']> {
  try {
    const image = render(svg, widthPx, background);
    const { width, height } = image;
    // Pixels that are clear are multiplied by their alpha; of the others sharp makes half the file in half the time.
    const png = background === undefined ? image.asPng() : await encodePng(image.pixels, { width, height });
    return { png, width, height };
  } catch {
    throw undrawable();
  }
}

/** A picture whose red, green and blue are multiplied by its alpha: four bytes a pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Draws an SVG on a clear ground as `rasterize` does, for a step that goes on with its pixels. Throws the same. */
export function rasterizePixels(svg: string, widthPx: number): Pixels {
  try {
    const { width, height, pixels } = render(svg, widthPx, undefined);
    return { width, height, data: pixels };
  } catch {
    throw undrawable();
  }
}

const undrawable = () => new AppError('unprocessable', 'This drawing could not be turned into a picture.');

const render = (svg: string, widthPx: number, background: string | undefined) =>
  new Resvg(svg, {
    fitTo: { mode: 'width', value: fittingWidth(svg, widthPx) },
    font: { loadSystemFonts: false },
    ...(background === undefined ? {} : { background }),
  }).render();

const encodePng = (
  pixels: Uint8Array,
  size: { readonly width: number; readonly height: number },
): Promise<Uint8Array> =>
  sharp(pixels, { raw: { ...size, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer();

/** Returns the width in px, reduced when it, or the height that follows from it, is beyond the limits. */
function fittingWidth(svg: string, widthPx: number): number {
  const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false } });
  const aspect = width / height;
  const limit = Math.min(MAX_RENDER_SIDE_PX, MAX_RENDER_SIDE_PX * aspect, Math.sqrt(MAX_RENDER_PIXELS * aspect));
  return Math.max(1, Math.floor(Math.min(widthPx, limit)));
}
