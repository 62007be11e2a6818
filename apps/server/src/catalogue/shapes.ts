/** Rules of a blank's form, for base products and those of companies alike. */
import { type BlankSurface, findMisfit } from '@markwright/contract';
import type { PrintArea } from '@markwright/scene';
import { AppError } from '../platform/errors.ts';

/** Throws invalid, with a sentence, for a print area that does not fit round its surface. */
export function requireFit({ surface, dimensions }: { surface: BlankSurface; dimensions: string }): void {
  const misfit = findMisfit(surface, dimensions);
  if (misfit) throw new AppError('invalid', misfit);
}

/** Returns a new print area, with the shape of the old one where none was sent: forms know the rectangle alone. */
export const withShape = (printArea: PrintArea, before: { readonly printArea: PrintArea }): PrintArea => {
  const shape = printArea.shape ?? before.printArea.shape;
  return { ...printArea, ...(shape && { shape }) };
};
