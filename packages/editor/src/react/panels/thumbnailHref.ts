import { type Artwork, drawArtwork, writeSvg } from '@markwright/scene';

const hrefs = new WeakMap<Artwork, string>();

/** Returns the address of a picture of an artwork in its own colors. The same artwork is written once. */
export function thumbnailHref(artwork: Artwork): string {
  const existing = hrefs.get(artwork);
  if (existing !== undefined) return existing;
  const href = artwork.imageHref ?? `data:image/svg+xml,${encodeURIComponent(writeSvg(drawArtwork(artwork, 1)))}`;
  hrefs.set(artwork, href);
  return href;
}
