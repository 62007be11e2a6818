import type { Artwork } from '../artwork/artwork.ts';
import { FIRST_ARTWORK } from '../document/limits.ts';
import type { Assets, ProductAsset } from './scene.ts';

/** For tests: a slate product whose print area is 3 × 2.5 inches. */
export const testProduct: ProductAsset = {
  pictureHref: 'data:image/svg+xml;base64,AAAA',
  pictureAspect: 0.8,
  printArea: { x: 0.2, y: 0.3, width: 0.6, height: 0.4 },
  printWidthInches: 3,
  printHeightInches: 2.5,
  finish: { material: 'slate', markColor: '#dddddd' },
};

/** For tests: the artworks of a composition with one. */
export const onlyArtwork = (artwork: Artwork | undefined): Assets['artworks'] =>
  new Map(artwork ? [[FIRST_ARTWORK, artwork]] : []);
