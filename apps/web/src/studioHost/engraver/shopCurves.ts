/** The tone curves of the shop that is signed in: the stage engraves by them, as the server's files do. */
import type { MaterialToneCurve } from '@markwright/contract/schemas';
import type { Engraver } from '@markwright/editor';

/**
 * Returns the engraver with the shop's curves. `readCurves` returns none for a guest. Where they cannot be read, the
 * stage shows the typical dots; the files are the server's.
 */
export function withShopCurves(
  engraver: Engraver,
  readCurves: () => Promise<readonly MaterialToneCurve[] | undefined>,
): Engraver {
  return {
    ...engraver,
    async engrave(request, signal) {
      const { surface } = request;
      const list = surface.material === undefined ? undefined : await readCurves().catch(() => undefined);
      const own = list?.find(({ material, isTypical }) => material === surface.material && !isTypical);
      return engraver.engrave(own ? { ...request, surface: { ...surface, curve: own.curve } } : request, signal);
    },
  };
}
