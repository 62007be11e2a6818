/** Decides in which form the Live Preview floats over the stage, and where. Pure. */
import { applyMatrix, type Bounds } from '@markwright/scene';
import { placeInCorner } from './barPlace.ts';
import { boundsOf } from './bounds.ts';
import type { Size, StageView } from './stageView.ts';

/** The sizes of the window in each form, in px. */
export interface PreviewSizes {
  readonly small: Size;
  readonly expanded: Size;
  /** A button that opens it. */
  readonly chip: Size;
}

export interface PreviewPlace {
  readonly form: keyof PreviewSizes;
  readonly box: Bounds;
}

const corners = ['bottom left', 'top left', 'bottom right', 'top right'] as const;

/**
 * Returns the place of the preview, which covers neither the selection nor the buttons (`obstacles`), and the product
 * only where it is `expanded`. A chip may lie on the bare product where the zoom leaves nothing else, but on no
 * element. Undefined where even a chip has no room. `isAsked`: a person has just expanded it, over whatever is there.
 */
export function placePreview(
  view: StageView,
  sizes: PreviewSizes,
  request: { readonly isExpanded: boolean; readonly isAsked: boolean },
  { obstacles, elements }: { readonly obstacles: readonly Bounds[]; readonly elements: readonly Bounds[] },
): PreviewPlace | undefined {
  const { free } = view;
  const product = productBounds(view);
  const place = (form: keyof PreviewSizes, others: readonly Bounds[]): PreviewPlace | undefined => {
    const box = placeInCorner(sizes[form], free, corners, others);
    return box && { form, box };
  };
  const expandedPlace = request.isExpanded
    ? (place('expanded', obstacles) ?? (request.isAsked ? place('expanded', []) : undefined))
    : undefined;
  return (
    expandedPlace ??
    place('small', [...obstacles, product]) ??
    place('chip', [...obstacles, product]) ??
    place('chip', [...obstacles, ...elements])
  );
}

/** Returns the upright box around the product on the screen. */
export const productBounds = ({ product: { left, top, right, bottom }, toScreen }: StageView): Bounds =>
  boundsOf(
    [
      { x: left, y: top },
      { x: right, y: top },
      { x: right, y: bottom },
      { x: left, y: bottom },
    ].map((corner) => applyMatrix(toScreen, corner)),
  );
