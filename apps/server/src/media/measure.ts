/** Measures the parts of a composition without drawing them. */
import { figuresOf, linesOf, resolveScene } from '@markwright/scene';
import { markPainter } from '@markwright/scene/markPainter';
import { createFonts } from '../platform/fonts.ts';
import type { MediaJobs } from '../platform/ports/mediaJobs.ts';
import { loadFigures } from './loadFigures.ts';

const fonts = createFonts();

/** Returns sizes in mm before rotation. Invisible elements are left out. */
export async function measure({
  composition,
  product,
  artworks,
  ownFonts,
}: MediaJobs['measure']['input']): Promise<MediaJobs['measure']['output']> {
  const scene = resolveScene(composition, {
    product: product && { ...product, pictureHref: '' },
    artworks: new Map(artworks.map(({ id, ...size }) => [id, { ...size, shapes: [] }])),
    fonts: await fonts.bookFor(linesOf(composition), ownFonts),
    ...(figuresOf(composition).length > 0 && { figures: await loadFigures() }),
    markPainter,
  });
  return {
    area: { widthMm: scene.widthMm, heightMm: scene.heightMm },
    elements: scene.groups.map(({ elementId, sizeMm }) => ({
      elementId,
      widthMm: sizeMm.width,
      heightMm: sizeMm.height,
    })),
  };
}
