/**
 * A child process that draws SVGs as an upload would be and answers each with what it came to and the processor time.
 * The renderer can end its process, which is told from the other side.
 */
import { fittingSidePx, limitDrawing, readSvg, SvgRefused, writeSvg } from '@markwright/scene';
import { rasterize } from '../src/media/rasterize.ts';
import { isRenderable } from '../src/media/renderable.ts';

export interface DrawReply {
  readonly outcome: 'drawn' | 'refused' | 'undrawable';
  readonly cpuMs: number;
  readonly sidePx: number;
}

process.on('message', async (svg: string) => {
  const start = process.cpuUsage();
  const reply = async (): Promise<Omit<DrawReply, 'cpuMs'>> => {
    try {
      const safe = limitDrawing(readSvg(svg));
      const sidePx = fittingSidePx(safe);
      const widthPx = (sidePx * safe.width) / Math.max(safe.width, safe.height);
      if (!(await isRenderable(writeSvg(safe.node)))) return { outcome: 'refused', sidePx: 0 };
      const isDrawn = await rasterize({ svg: writeSvg(safe.node), widthPx }).catch(() => undefined);
      return { outcome: isDrawn ? 'drawn' : 'undrawable', sidePx };
    } catch (error) {
      if (error instanceof SvgRefused) return { outcome: 'refused', sidePx: 0 };
      throw error;
    }
  };
  const { outcome, sidePx } = await reply();
  const { user, system } = process.cpuUsage(start);
  process.send!({ outcome, sidePx, cpuMs: (user + system) / 1000 } satisfies DrawReply);
});
