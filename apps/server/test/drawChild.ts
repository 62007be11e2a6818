/**
 * A worker that reads and draws SVGs as an upload would be, in one step with the limit of drawings. The renderer can
 * end its process.
 */
import { fittingSidePx, limitDrawing, readSvg, SvgRefused, writeSvg } from '@markwright/scene';
import { DRAWING_LIMIT } from '../src/media/drawingLimit.ts';
import { rasterize } from '../src/media/rasterize.ts';
import { isRenderable } from '../src/media/renderable.ts';
import { serveJobs } from '../src/media/serveJobs.ts';

export type DrawOutcome = 'drawn' | 'refused' | 'undrawable' | 'failed';

export interface DrawJobs {
  /** Opens the trial's renderer, so that the next drawing is not charged for it. */
  start: { input: Record<string, never>; output: { pid: number } };
  /** Draws an SVG, as soon as the estimate and the trial let it: `refused` by the one, `undrawable` by the other. */
  draw: { input: { svg: string }; output: DrawOutcome };
}

async function draw(svg: string): Promise<DrawJobs['draw']['output']> {
  try {
    const safe = limitDrawing(readSvg(svg));
    const widthPx = (fittingSidePx(safe) * safe.width) / Math.max(safe.width, safe.height);
    const text = writeSvg(safe.node);
    if (!(await isRenderable(text))) return 'undrawable';
    return await rasterize({ svg: text, widthPx }).then(
      () => 'drawn',
      () => 'failed',
    );
  } catch (error) {
    if (error instanceof SvgRefused) return 'refused';
    throw error;
  }
}

serveJobs<DrawJobs>({
  start: async () => {
    await isRenderable('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><g opacity=".5"/></svg>');
    return { pid: process.pid };
  },
  draw: ({ svg }, _report, limitStep) => limitStep(DRAWING_LIMIT, () => draw(svg)),
});
