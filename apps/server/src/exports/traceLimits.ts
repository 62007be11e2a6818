/** Limits of the tracer by the machine and the size of an export: details that the machine cannot make are left out. */
import { parseDimensions } from '@markwright/contract';
import { type Composition, elementIdOf, findArtwork, LEAST_DETAIL, lengthScale, resolveScene } from '@markwright/scene';
import type { DrawnProduct } from '../catalogue/tables.ts';
import type { TraceOptions } from '../platform/ports/mediaJobs.ts';

export type TraceLimits = Pick<TraceOptions, 'pixelsPerMm' | 'minAreaMm2' | 'minLineWidthMm'>;

/** Digits of the scale: a slightly larger copy of a design has the same trace, which is stored already. */
const SCALE_DIGITS = 2;
/** Longest side of a picture, in px, up to which a step of the despeckle setting is a pixel. */
const DESPECKLE_PX = 1024;

interface TracedPicture {
  /** In pixels of the trace. */
  readonly width: number;
  readonly height: number;
  /** The despeckle setting of the trace, 0…10. */
  readonly despeckle: number;
}

/**
 * Returns the limits of the trace of an artwork at its size in a composition. Undefined where the trace leaves out as
 * much by itself: it is then the one that is shown. Cost: that of placing the elements.
 */
export function traceLimits(
  composition: Composition,
  product: PlacedProduct | undefined,
  artworkId: string,
  { width, height, despeckle }: TracedPicture,
): TraceLimits | undefined {
  const pixelMm = pixelMmOf(composition, product, artworkId, { width, height });
  if (pixelMm === undefined) return undefined;
  const pixelsPerMm = Number((1 / pixelMm).toPrecision(SCALE_DIGITS));
  const leastPx = LEAST_DETAIL.areaMm2 * pixelsPerMm ** 2;
  const speckSidePx = despeckle * Math.max(1, Math.max(width, height) / DESPECKLE_PX);
  if (leastPx <= Math.max(1, speckSidePx ** 2) && LEAST_DETAIL.widthMm * pixelsPerMm <= 1) return undefined;
  return { pixelsPerMm, minAreaMm2: LEAST_DETAIL.areaMm2, minLineWidthMm: LEAST_DETAIL.widthMm };
}

/** Digits of a halftone's width: its pitch is right within a thousandth. */
const WIDTH_DIGITS = 4;

/** Returns the true width of an artwork's frame in mm; undefined for one that is not in the composition. */
export function trueWidthMm(
  composition: Composition,
  product: PlacedProduct | undefined,
  artworkId: string,
  size: PixelSize,
): number | undefined {
  const pixelMm = pixelMmOf(composition, product, artworkId, size);
  return pixelMm && Number((pixelMm * size.width).toPrecision(WIDTH_DIGITS));
}

type PlacedProduct = Pick<DrawnProduct, 'dimensions' | 'pictureAspect' | 'printArea'>;
type PixelSize = Pick<TracedPicture, 'width' | 'height'>;

/** Returns the length of a pixel of an artwork's trace, mm. */
function pixelMmOf(
  composition: Composition,
  product: PlacedProduct | undefined,
  artworkId: string,
  { width, height }: PixelSize,
): number | undefined {
  const element = findArtwork(composition, artworkId);
  if (!element) return undefined;
  const inches = product && parseDimensions(product.dimensions);
  const scene = resolveScene(
    { ...composition, elements: [element] },
    {
      product: product &&
        inches && {
          pictureHref: '',
          pictureAspect: product.pictureAspect,
          printArea: product.printArea,
          printWidthInches: inches.widthInches,
          printHeightInches: inches.heightInches,
          finish: { material: '', markColor: '#000000' },
        },
      artworks: new Map([[artworkId, { width, height, shapes: [] }]]),
      fonts: { outline: () => undefined },
    },
  );
  const group = scene.groups.find(({ elementId }) => elementId === elementIdOf(element));
  return group && lengthScale(group.matrix);
}
