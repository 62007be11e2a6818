/** What is wrong with a layout, in sentences: the page says them before, the server refuses with them. */
import { fitsPixels } from '../production/printPixels.ts';
import { findTooLarge, type GangSheet } from './gang.ts';
import { findJigFault, type Jig, saySize } from './jig.ts';
import type { SizeMm } from './sheet.ts';

export type Layout = ({ readonly kind: 'jig' } & Jig) | ({ readonly kind: 'gang' } & GangSheet);

export const DOTS_ON_SHEET =
  'A photograph in dots lies on no sheet. Make one file per piece, or engrave the photograph as tones.';

/** Returns why no sheet of a layout can be a file of pixels; undefined when it can. */
export function findPixelFault(layout: Layout): string | undefined {
  const size =
    layout.kind === 'jig'
      ? { widthMm: layout.bedWidthMm, heightMm: layout.bedHeightMm }
      : { widthMm: layout.widthMm, heightMm: layout.lengthMm };
  if (fitsPixels(size)) return undefined;
  return `A sheet of ${saySize(size)} is too large for a picture of 300 dpi. Make it smaller, or choose PDF.`;
}

/** The sizes of a gang sheet's pieces, and the numbers of their rows. */
interface SizedPieces {
  readonly frame: SizeMm;
  readonly sizes: readonly SizeMm[];
  readonly rowNumbers: readonly number[];
}

/** Returns why a layout cannot hold the pieces; undefined when it can. */
export function findLayoutFault(layout: Layout, { frame, sizes, rowNumbers }: SizedPieces): string | undefined {
  if (layout.kind === 'jig') return findJigFault(layout, frame);
  const index = findTooLarge(layout, sizes);
  if (index === undefined) return undefined;
  const sheet = saySize({ widthMm: layout.widthMm, heightMm: layout.lengthMm });
  return `Row ${rowNumbers[index]} is ${saySize(sizes[index]!)}, larger than the sheet of ${sheet}.`;
}
