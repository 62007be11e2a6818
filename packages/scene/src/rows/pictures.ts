/** Pictures of rows: the one that a cell names stands in the box of an artwork. */
import type { ArtworkElement, FractionRect } from '../document/composition.ts';
import { wholePicture } from '../document/crop.ts';
import { toPictureKey } from './keys.ts';

/** A picture that rows may name. */
export interface RowPicture {
  readonly designId: string;
  readonly filename: string;
  /** Width divided by height of its frame. */
  readonly aspect: number;
  /** The box around its ink, in fractions of its frame. Absent: the whole frame. */
  readonly ink?: FractionRect | undefined;
}

/** Pictures by the keys of their names (`toPictureKey`). */
export type RowPictures = ReadonlyMap<string, RowPicture>;

/** The pictures of a list, and the width of the machine area divided by its height. */
export interface PictureSource {
  readonly pictures: RowPictures;
  readonly areaAspect: number;
}

/** Returns pictures by the keys of their names; of several with one key the first. */
export function toRowPictures(pictures: readonly RowPicture[]): RowPictures {
  const byKey = new Map<string, RowPicture>();
  for (const picture of pictures) {
    const key = toPictureKey(picture.filename);
    if (key !== '' && !byKey.has(key)) byKey.set(key, picture);
  }
  return byKey;
}

/**
 * Returns the own id of an artwork that shows the picture of a row. It is one of its own, so that the pieces of a list
 * can share the drawings of all pictures.
 */
export const pieceArtworkId = ({ id }: Pick<ArtworkElement, 'id'>, designId: string): string => `${id}.${designId}`;

/**
 * Returns the artwork as a row has it: with the picture that the cell names, as large as it can be inside the artwork's
 * own box, in its middle and with its own proportions. What belongs to the picture on the stage, such as its crop, is
 * left out. The artwork itself where the cell is empty, or names no picture.
 */
export function withPicture(
  { pictureColumn: _column, ...artwork }: ArtworkElement,
  cell: string,
  source: PictureSource | undefined,
): ArtworkElement {
  const picture = source?.pictures.get(toPictureKey(cell));
  if (!source || !picture) return artwork;
  const { straighten: _s, crop: _c, ink: _i, trueWidthMm: _w, leavesOut: _l, ...look } = artwork;
  const { designId, filename, aspect, ink } = picture;
  return {
    ...look,
    ...{ id: pieceArtworkId(artwork, designId), designId, filename, aspect },
    ...(ink && { ink }),
    size: sizeInBox(artwork, picture, source.areaAspect),
  };
}

type InkFrame = Pick<ArtworkElement, 'aspect' | 'ink'>;

/** Width over height of the ink of an artwork. */
function inkAspect({ aspect, ink }: InkFrame): number {
  const { width, height } = ink ?? wholePicture;
  return (width * aspect) / height;
}

/** Returns the size of a picture that is contain-fitted into an artwork's box, in percent as artworks have it. */
function sizeInBox(artwork: ArtworkElement, picture: InkFrame, areaAspect: number): number {
  const [box, inside] = [inkAspect(artwork), inkAspect(picture)];
  // Heights at 100 %, in heights of the area.
  const fit = (aspect: number) => Math.min(areaAspect / aspect, 1);
  return (artwork.size * fit(box) * Math.min(1, box / inside)) / fit(inside);
}
