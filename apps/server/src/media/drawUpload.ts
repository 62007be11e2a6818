/** Draws SVGs that people uploaded. They were read through the allow-list and estimated when they came. */
import { fittingSidePx, readSvg } from '@markwright/scene';
import type { LimitStep } from '../platform/ports/mediaJobs.ts';
import { DRAWING_LIMIT } from './drawingLimit.ts';
import { rasterize } from './rasterize.ts';

/**
 * Draws an uploaded SVG as a PNG in a step with the limit of drawings. Its longer side is `sidePx`, by default that of
 * a trace, or less where the drawing would take too long. Throws unprocessable for one that cannot be drawn.
 */
export async function drawUpload(svg: string, limitStep: LimitStep, sidePx?: number): Promise<Uint8Array> {
  return limitStep(DRAWING_LIMIT, async () => {
    const safe = readSvg(svg);
    const widthPx = (fittingSidePx(safe, sidePx) * safe.width) / Math.max(safe.width, safe.height);
    return (await rasterize({ svg, widthPx })).png;
  });
}
