/** Searches beside the jobs of an artwork. Nobody waits for them: an offer may come at any time, or never. */
import type { Design } from '@markwright/contract/schemas';
import { type Artwork, findArtwork, isEngraved, leaveOut } from '@markwright/scene';
import type { Editor } from '../document/editor.ts';
import type { Ports } from '../ports.ts';
import type { DesignEvent } from './designStates.ts';

/** The next search of a kind aborts the one before. Without an answer there is no offer. */
export function createSearches(
  editor: Editor,
  ports: Ports,
  { artworkId, send }: { readonly artworkId: string; send(event: DesignEvent): Promise<unknown> },
) {
  let skewSearch: AbortController | undefined;
  let letteringSearch: AbortController | undefined;
  return {
    async findSkew(design: Design): Promise<void> {
      skewSearch?.abort();
      skewSearch = new AbortController();
      const skew = await ports.findSkew?.(design, skewSearch.signal).catch(() => undefined);
      if (skew) await send({ type: 'skewFound', designId: design.id, skew });
    },
    /** Looks for lines of letters in a stored trace. Letters that are text already are not looked at again. */
    async findLettering(artwork: Artwork): Promise<void> {
      letteringSearch?.abort();
      letteringSearch = new AbortController();
      const { composition } = editor.getState();
      const element = findArtwork(composition, artworkId);
      if (!element || isEngraved(element, composition.machine)) return;
      const rest = leaveOut(artwork, element);
      const lines = await ports.findLettering?.(rest, letteringSearch.signal).catch(() => undefined);
      if (lines) await send({ type: 'letteringFound', artwork, lines });
    },
    /** Leaves the processor to a trace that is made on this device. */
    stop: (): void => letteringSearch?.abort(),
  };
}
