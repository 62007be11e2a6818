/** What the pieces of a list are drawn with: the assets of the stage, and the pictures of the rows. */
import { type Assets, artworksOf, type Composition } from '@markwright/scene';
import { pieceArtworkId, toPictureKey } from '@markwright/scene/rows';
import type { PieceAssets } from '../../../studioHost/useFits.ts';
import type { Binding, NameList } from './list.ts';
import type { TracedPicture } from './loadPictures.ts';

type Pictures = ReadonlyMap<string, TracedPicture>;

/** Returns the artworks of a composition that take their pictures from rows. */
export const pictureTakers = (composition: Composition) =>
  artworksOf(composition).filter(({ isHidden, pictureColumn }) => !isHidden && pictureColumn !== undefined);

/** Returns the assets with a drawing of each picture for each artwork that takes some; the same where none does. */
export function withPictures(assets: Assets, composition: Composition, pictures: Pictures): PieceAssets {
  const takers = pictureTakers(composition);
  if (takers.length === 0) return assets;
  const artworks = new Map(assets.artworks);
  for (const taker of takers) {
    for (const { designId, artwork } of pictures.values()) artworks.set(pieceArtworkId(taker, designId), artwork);
  }
  return { ...assets, artworks, pictures };
}

/** Returns the keys of the pictures that rows name. */
export const keysInUse = ({ pictureColumns }: Binding, { table }: NameList): ReadonlySet<string> =>
  new Set(table.rows.flatMap((cells) => [...pictureColumns].map((column) => toPictureKey(cells[column]!))));

/** Returns the pictures that rows name, as the calls take them; undefined where no artwork takes any. */
export function toNamedDesigns(binding: Binding, list: NameList, pictures: Pictures) {
  if (binding.pictureColumns.size === 0) return undefined;
  const keys = keysInUse(binding, list);
  const entries = [...pictures].filter(([key]) => keys.has(key));
  return Object.fromEntries(
    entries.map(([, { filename, designId, ink }]) => [filename, { designId, ...(ink && { ink }) }]),
  );
}
