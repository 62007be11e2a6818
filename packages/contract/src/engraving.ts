/**
 * Engraves an artwork's picture by the settings of a composition. The server's files and the browser's stage use the
 * same code, so that the stage shows the very dots that leave.
 */
import {
  areaOf,
  engraveShares,
  engravingMaterial,
  type Gray,
  type GrayRows,
  type HalftoneStyle,
  halftoneOfRows,
  luminanceOf,
  type Contour as Outline,
  type Placement,
  placedSize,
  type Raster,
  resampleRows,
  resolveInvert,
  shareRows,
  type ToneCurve,
  watchInk,
} from '@markwright/engraving';
import {
  type Contour,
  type EngravedArtwork,
  type Engraving,
  type FractionRect,
  type HalftoneMethod,
  invert,
  isHalftone,
  type Matrix,
  multiply,
  type RasterFile,
  type ScenePath,
  scale,
  translate,
  writeContours,
} from '@markwright/scene';
import { HALFTONE_DEFAULTS } from './words/traceSettings.ts';

/** What a picture is engraved into. */
export interface EngravedSurface {
  /** Undefined without a product: white with black marks. */
  readonly material: string | undefined;
  /** The color of its mark, `#rrggbb`. */
  readonly markColor?: string | undefined;
  /** The curve that a shop measured; undefined: the material's typical one. */
  readonly curve?: ToneCurve | undefined;
}

/** The place of an artwork's frame, which is `width` by `height` in its own space. */
export interface EngravedPlace {
  readonly width: number;
  readonly height: number;
  /** From the artwork's own space to mm of the machine area. */
  readonly matrix: Matrix;
  /** 0…1, of the whole element. */
  readonly opacity: number;
}

/** A picture engraved for its place. */
export type EngravedPicture = {
  readonly ink: FractionRect | undefined;
  /** The share of the frame that is burnt, 0…1. */
  readonly meanTone: number;
} & (
  | ({
      readonly kind: 'raster';
      readonly intervalMm: number;
      readonly dotGain: number;
      /** From pixels to the artwork's own space. */
      readonly matrix: Matrix;
    } & Raster)
  | {
      readonly kind: 'outlines';
      /** Closed, in the artwork's own space, to thousandths. */
      readonly contours: readonly Contour[];
    }
);

/** Resamples a picture to a size in pixels, as `resampleRows` does. One that remembers serves a slider. */
export type Resampler = (gray: Gray, width: number, height: number) => GrayRows;

/**
 * Engraves the framed picture of an artwork: all of its frame, wherever the machine area ends. Throws a RangeError,
 * with a sentence for people, where the interval, the pitch or the size is out of range. Cost: about 0.1 s for a
 * million pixels of the raster; a halftone is about as quick. Memory: that of the raster or the outlines.
 */
export function engravePicture(
  gray: Gray,
  engraving: Engraving,
  place: EngravedPlace,
  surface: EngravedSurface,
  resampleTo: Resampler = resampleRows,
): EngravedPicture {
  const { method, intervalMm, tone } = engraving;
  const placement = placementOf(place);
  const material = engravingMaterial(surface.material ?? 'other');
  const size = placedSize(placement, intervalMm);
  const shares = watchInk(
    shareRows(resampleTo(gray, size.widthPx, size.heightPx), {
      tone,
      invert: marksLight(engraving.invert, surface),
      curve: surface.curve ?? material.curve,
      opacity: place.opacity,
    }),
  );
  if (isHalftone(method)) {
    const outlines = drawHalftone(shares, engraving, method, place, placement);
    return { kind: 'outlines', ink: shares.ink, ...outlines };
  }
  const { x, y, meanTone, ...raster } = engraveShares(shares, { ...placement, intervalMm, method });
  const { e, f } = place.matrix;
  const toFrame = multiply(translate(e + x, f + y), scale(intervalMm, intervalMm));
  return {
    kind: 'raster',
    ink: shares.ink,
    meanTone,
    intervalMm,
    ...{ width: raster.width, height: raster.height, isGray: raster.isGray, rows: raster.rows },
    dotGain: material.dotGain,
    matrix: multiply(invert(place.matrix), toFrame),
  };
}

/** The engraving as a scene shows it. `href` is the address of the raster's mask. */
export function toEngravedArtwork(
  picture: EngravedPicture,
  href: string | undefined,
  file?: RasterFile,
): EngravedArtwork {
  const { ink } = picture;
  if (picture.kind === 'outlines') {
    const { contours } = picture;
    const paint = { fill: '#000000', stroke: undefined, strokeWidth: 0, opacity: 1 };
    // A file takes the contours: to write 20,000 dots as text and read them again took a fifth of its time.
    const path: ScenePath = {
      ...{ kind: 'path', operation: 'engrave', contours, ...paint },
      get d() {
        return writeContours(contours, OWN_DECIMALS);
      },
    };
    return { ink, children: contours.length === 0 ? [] : [path] };
  }
  const { width, height, matrix, intervalMm, dotGain } = picture;
  const raster = { kind: 'raster', href: href ?? '', width, height, matrix, intervalMm, opacity: 1, dotGain } as const;
  return { ink, children: [{ ...raster, ...(file && { file }) }] };
}

/** Returns whether the negative is burnt: what a person chose, or where marks are light. */
export function marksLight(choice: Engraving['invert'], { material, markColor }: EngravedSurface): boolean {
  const kind = material ?? 'other';
  const { colors } = engravingMaterial(kind);
  if (!markColor) return resolveInvert(choice, kind);
  // A material that marks light may come in a light color that marks dark, and says it by the color of its mark.
  const mark = luminanceOf(markColor);
  const [typicalBare, typicalMark] = [luminanceOf(colors.bare), luminanceOf(colors.mark)];
  const isTypical = Math.abs(mark - typicalMark) <= Math.abs(mark - typicalBare);
  return resolveInvert(choice, kind, isTypical ? colors : { bare: colors.mark, mark: colors.bare });
}

function placementOf({ width, height, matrix: { a, b, c, d } }: EngravedPlace): Placement {
  return { across: { x: a * width, y: b * width }, down: { x: c * height, y: d * height } };
}

function drawHalftone(
  shares: GrayRows,
  engraving: Engraving,
  method: HalftoneMethod,
  place: EngravedPlace,
  { across, down }: Placement,
): { readonly contours: readonly Contour[]; readonly meanTone: number } {
  const { intervalMm, gapMm = 0 } = engraving;
  const widthMm = Math.hypot(across.x, across.y);
  const heightMm = Math.hypot(down.x, down.y);
  const outlines = halftoneOfRows(shares, { widthMm, style: styleOf(engraving, method), beamMm: intervalMm, gapMm });
  const areaMm2 = outlines.reduce((sum, outline) => sum + areaOf(outline), 0);
  // The rows of a raster are whole intervals, and the picture's height is not.
  const stretchY = heightMm / ((widthMm * shares.height) / shares.width);
  const [scaleX, scaleY] = [place.width / widthMm, (place.height / heightMm) * stretchY];
  const contours = outlines.map((outline) => toContour(outline, scaleX, scaleY));
  return { contours, meanTone: Math.abs(areaMm2) / (widthMm * heightMm) };
}

/** Returns an outline in the artwork's own space. Its numbers are those that path data would hold. */
function toContour(outline: Outline, scaleX: number, scaleY: number): Contour {
  const points = new Array<number>(outline.length);
  for (let p = 0; p < outline.length; p++) {
    // Of single precision, as outlines are. Adding 0 turns a minus zero into a zero.
    const own = Math.fround(outline[p]! * (p % 2 === 0 ? scaleX : scaleY));
    points[p] = Math.round(own * OWN_UNITS) / OWN_UNITS + 0;
  }
  return { commands: new Array<'L'>(points.length / 2 - 1).fill('L'), points, isClosed: true };
}

/** Decimals of an artwork's own unit, a pixel of a trace: a thousandth of one is less than a micron. */
const OWN_DECIMALS = 3;
const OWN_UNITS = 10 ** OWN_DECIMALS;

/** Returns the style of a halftone, with the defaults of what is absent. */
export function styleOf(
  { pitchMm, angleDeg, course, dots }: Partial<Pick<Engraving, 'pitchMm' | 'angleDeg' | 'course' | 'dots'>>,
  method: HalftoneMethod,
): HalftoneStyle {
  const pitch = pitchMm ?? HALFTONE_DEFAULTS.pitchMm;
  const angle = angleDeg ?? HALFTONE_DEFAULTS.angleDeg;
  if (method === 'stipple') return { kind: 'stipple', dotMm: pitchMm ?? HALFTONE_DEFAULTS.stippleMm };
  if (method === 'hatch') return { kind: 'hatch', pitchMm: pitch, angleDeg: angle };
  if (method === 'halftone_dots') return { kind: 'dots', shape: dots ?? 'round', pitchMm: pitch, angleDeg: angle };
  return { kind: 'lines', course: course ?? 'straight', pitchMm: pitch, angleDeg: angle };
}
