/**
 * Translates the product's trace settings into the tracer's options. The server's files and the browser's preview use
 * the same translation.
 */
import {
  BLACK,
  type FractionRect,
  type Framing,
  type HalftoneMethod,
  isHalftone,
  STAINLESS,
  type Straightening,
  straightenedSize,
} from '@markwright/scene';
import type { VectorizeSettings } from './schemas/designs.ts';
import { HALFTONE_TRACE_DEFAULTS } from './words/traceSettings.ts';

/**
 * The most pixels a trace is made from. Traces for the screen and for a machine use the same number, so that both find
 * the same shapes. The tracer places a boundary to a fraction of a pixel: on a 60 mm design that is finer than a
 * laser's beam.
 */
export const MAX_TRACE_PIXELS = 2_500_000;

/** The tier that traces: the built-in engine (`free`), or a service that is paid for each picture (`paid`). */
export type VectorizerMode = 'free' | 'paid';

/** The shortest time between two requests of one caller to the vectorizer, in milliseconds. */
export const VECTORIZER_PACE_MS: Readonly<Record<VectorizerMode, number>> = { free: 2000, paid: 100 };

/**
 * The specification's figures for a production file: the most colors, and the despeckle setting (0…10). A preview uses
 * them for settings that it leaves open.
 */
export const PRODUCTION_PALETTE_SIZE = 64;
export const PRODUCTION_DESPECKLE = 1;

/**
 * The tracer's options of each quality. High is that of every file. Medium has about a seventh to a third fewer nodes,
 * and is refined once instead of twice. Low is for trying things out: fewer nodes still, and not refined.
 */
const qualities = {
  high: { quality: 'fine' },
  medium: { quality: 'coarse', refine: 'once' },
  low: { quality: 'draft', refine: false },
} as const;

type TracedStyle = Exclude<VectorizeSettings['drawStyle'], HalftoneMethod>;

const drawModes: Readonly<Record<TracedStyle, 'fill' | 'stroke' | 'edges' | 'centerline'>> = {
  fill_shapes: 'fill',
  stroke_shapes: 'stroke',
  stroke_edges: 'edges',
  centerline: 'centerline',
};

/**
 * The width of a laser's line, as a fraction of the picture's longer side. A laser follows the middle of a line once,
 * whatever the width of the pen was. This is about a pixel of a usual picture, and in a small part of it still a line
 * rather than a bar to fill.
 */
const LASER_LINE = 1 / 1000;

/** The least width and height of a crop, in the pixels that a trace is made from. */
export const MIN_CROP_PX = 8;

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the size in pixels that a trace of a picture of this size is made from. */
export function toTraceSize({ width, height }: PixelSize): PixelSize {
  const scale = Math.sqrt(MAX_TRACE_PIXELS / (width * height));
  if (scale >= 1) return { width, height };
  const side = (length: number) => Math.max(1, Math.floor(length * scale));
  return { width: side(width), height: side(height) };
}

/**
 * Returns the size in pixels of the picture that a trace of a picture of this size is made from, straightened if it is,
 * before it is cropped.
 */
export function toFrameSize(picture: PixelSize, straighten: Straightening | undefined): PixelSize {
  const size = toTraceSize(picture);
  if (!straighten) return size;
  const { width, height } = straightenedSize(straighten, size);
  return toTraceSize({ width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) });
}

/** Returns the size in pixels of the part of a picture that a trace is made from. */
export function toPartSize(picture: PixelSize, { straighten, crop }: Framing): PixelSize {
  const size = toFrameSize(picture, straighten);
  const { width, height } = crop ? toPixelBox(crop, size) : size;
  return { width, height };
}

/**
 * Returns the corners in pixels of a picture that a trace is made from, and the size of the straightened picture, as
 * `warp` of packages/straighten takes them. Undefined where the picture stays as it is.
 */
export function toWarp(changes: PictureChanges | undefined, picture: PixelSize) {
  const straighten = changes?.straighten;
  if (!straighten) return undefined;
  const [a, b, c, d] = straighten.corners;
  const toPixels = ({ x, y }: typeof a) => ({ x: x * picture.width, y: y * picture.height });
  return {
    corners: [toPixels(a), toPixels(b), toPixels(c), toPixels(d)] as const,
    size: toFrameSize(picture, straighten),
  };
}

/**
 * Returns a crop in whole pixels of a picture of this size. It has at least one pixel and never exceeds the picture.
 */
export function toPixelBox(crop: FractionRect, { width, height }: PixelSize) {
  const span = (from: number, length: number, side: number): [number, number] => {
    const start = Math.min(side - 1, Math.round(from * side));
    return [start, Math.max(1, Math.min(side, Math.round((from + length) * side)) - start)];
  };
  const [x, across] = span(crop.x, crop.width, width);
  const [y, down] = span(crop.y, crop.height, height);
  return { x, y, width: across, height: down };
}

/**
 * The changes of a picture's pixels before they are traced. A field that would change nothing is left out, so that
 * equal changes are equal objects.
 */
export interface PictureChanges {
  readonly straighten?: Straightening;
  /** In fractions of the straightened picture. */
  readonly crop?: FractionRect;
  readonly brightness?: number;
  readonly contrast?: number;
}

/** Returns undefined when the picture is traced as it is. */
export function toPictureChanges(
  settings: Pick<VectorizeSettings, 'straighten' | 'crop' | 'brightness' | 'contrast'>,
): PictureChanges | undefined {
  const { straighten, crop, brightness, contrast } = settings;
  const isWhole = !crop || (crop.x === 0 && crop.y === 0 && crop.width === 1 && crop.height === 1);
  const changes = {
    ...(straighten && { straighten }),
    ...(!isWhole && { crop }),
    ...(brightness !== 0 && { brightness }),
    ...(contrast !== 0 && { contrast }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

const inks = {
  black: { colorMode: 'monochrome', ink: BLACK.toLowerCase() },
  stainless: { colorMode: 'monochrome', ink: STAINLESS.toLowerCase() },
  grayscale: { colorMode: 'grayscale' },
  color: { colorMode: 'color' },
} as const;

/** True for a color mode with one ink, where palette and gradients have no meaning. */
export const isOneInk = (colorMode: VectorizeSettings['colorMode']): boolean =>
  colorMode === 'black' || colorMode === 'stainless';

/** A setting of a trace that a panel offers. */
export type TraceControl = Exclude<keyof VectorizeSettings, 'mode' | 'machineType' | 'crop' | 'straighten'>;

/** The settings that decide which others have an effect. */
type TraceKind = Pick<VectorizeSettings, 'colorMode' | 'drawStyle' | 'laserMode' | 'machineType' | 'course'>;

const isPrinted = ({ machineType }: Pick<VectorizeSettings, 'machineType'>): boolean =>
  machineType !== undefined && machineType !== 'laser';

/** Returns what is drawn of each shape. Only a laser follows outlines. */
function toDraw(settings: TraceKind) {
  if (settings.laserMode === 'outline' && !isPrinted(settings)) return 'outline' as const;
  return isHalftone(settings.drawStyle) ? ('halftone' as const) : drawModes[settings.drawStyle];
}

const isHalftoneTrace = (kind: TraceKind): boolean => toDraw(kind) === 'halftone';
const isTraced = (kind: TraceKind): boolean => !isHalftoneTrace(kind);
/** True for the halftone of this style. */
const isOfStyle = (kind: TraceKind, ...styles: readonly HalftoneMethod[]): boolean =>
  isHalftoneTrace(kind) && styles.some((style) => style === kind.drawStyle);

/** The settings that have no effect beside some of the others; those that are not listed always have one. */
const conditions: Partial<Record<TraceControl, (kind: TraceKind) => boolean>> = {
  quality: isTraced,
  colorMode: isTraced,
  despeckle: isTraced,
  simplify: isTraced,
  threshold: (kind) => isTraced(kind) && isOneInk(kind.colorMode),
  light: isTraced,
  regular: isTraced,
  paletteSize: (kind) => isTraced(kind) && !isOneInk(kind.colorMode),
  // Edges are drawn in one ink, so there is no color to choose.
  palette: (kind) => isTraced(kind) && !isOneInk(kind.colorMode) && !isEachEdgeOnce(kind),
  // One ink leaves the background clear anyway, and an edge is drawn whatever lies beside it.
  cutout: (kind) => isTraced(kind) && !isOneInk(kind.colorMode) && !isEachEdgeOnce(kind),
  drawStyle: (kind) => toDraw(kind) !== 'outline',
  shapeStacking: (kind) => !isOneInk(kind.colorMode) && ['fill', 'centerline'].includes(toDraw(kind)),
  // A laser's file joins the lines of a layer to the fewest, however they were grouped.
  groupBy: (kind) => isTraced(kind) && (isPrinted(kind) || !isEachEdgeOnce(kind)),
  gradients: (kind) => isPrinted(kind) && toDraw(kind) === 'fill' && !isOneInk(kind.colorMode),
  laserMode: (kind) => !isPrinted(kind),
  widthMm: isHalftoneTrace,
  pitchMm: isHalftoneTrace,
  // Rings have no direction, and stipple no grid.
  angleDeg: (kind) =>
    isOfStyle(kind, 'halftone_dots', 'hatch') || (isOfStyle(kind, 'halftone_lines') && kind.course !== 'rings'),
  beamMm: isHalftoneTrace,
  gapMm: isHalftoneTrace,
  course: (kind) => isOfStyle(kind, 'halftone_lines'),
  dots: (kind) => isOfStyle(kind, 'halftone_dots'),
  invert: isHalftoneTrace,
};

const isEachEdgeOnce = (kind: TraceKind): boolean => ['edges', 'outline'].includes(toDraw(kind));

/** True when a setting can change the trace of some picture. A panel shows no others. */
export const hasEffect = (control: TraceControl, kind: TraceKind): boolean => conditions[control]?.(kind) ?? true;

/** The settings without an effect on a drawing that keeps its own outlines, in place of a trace of its pixels. */
const pixelControls: readonly TraceControl[] = ['quality', 'despeckle', 'simplify', 'groupBy', 'light', 'regular'];

/** True when a setting can change a drawing that keeps its own outlines. */
export const changesOutlines = (control: TraceControl): boolean => !pixelControls.includes(control);

/** Returns the settings of a trace for the screen. Its quality is the chosen one; a file's is always high. */
export function toScreenSettings(settings: VectorizeSettings): VectorizeSettings {
  return { ...settings, mode: 'preview' };
}

/** Returns the changes for a picture of this size, which is straightened already, as the tracer takes them. */
export function toAdjustments(changes: PictureChanges | undefined, size: PixelSize) {
  const { straighten: _straighten, crop, ...levels } = changes ?? {};
  return { ...(crop && { box: toPixelBox(crop, size) }), ...levels };
}

/** A halftone in place of a trace. Lengths are millimeters of its true size; what is absent has its default. */
export interface HalftoneTrace extends Pick<VectorizeSettings, 'pitchMm' | 'angleDeg' | 'course' | 'dots' | 'gapMm'> {
  readonly style: HalftoneMethod;
  readonly widthMm: number;
  readonly beamMm: number;
  readonly invert: boolean;
}

/** Returns the halftone that these settings ask for in place of a trace; undefined for a trace. */
export function toHalftoneTrace(settings: VectorizeSettings): HalftoneTrace | undefined {
  const { drawStyle: style, pitchMm, angleDeg, course, dots, gapMm, invert = false } = settings;
  if (!isHalftone(style) || !isHalftoneTrace(settings)) return undefined;
  const { widthMm = HALFTONE_TRACE_DEFAULTS.widthMm, beamMm = HALFTONE_TRACE_DEFAULTS.beamMm } = settings;
  const choices = { angleDeg, course, dots };
  const names = (Object.keys(choices) as (keyof typeof choices)[]).filter(
    (name) => choices[name] !== undefined && hasEffect(name, settings),
  );
  return {
    ...{ style, widthMm, beamMm, invert },
    ...(pitchMm !== undefined && { pitchMm }),
    ...(gapMm !== undefined && { gapMm }),
    ...Object.fromEntries(names.map((name) => [name, choices[name]])),
  };
}

const dropsLight = { automatic: 'auto', out: true } as const;

/** Returns the tracer's option for what becomes of the light; undefined where it is kept. */
export const toDropLight = ({ light }: Pick<VectorizeSettings, 'light'>): true | 'auto' | undefined =>
  light === undefined || light === 'kept' ? undefined : dropsLight[light];

/**
 * Returns the tracer's options for these settings, which are no halftone. An option that would say nothing is left out,
 * so that equal options are equal objects.
 */
export function toVectorizerOptions(settings: VectorizeSettings) {
  const prints = isPrinted(settings);
  const kind = toDraw(settings);
  const draw = kind === 'halftone' ? 'fill' : kind;
  const dropLight = toDropLight(settings);
  return {
    maxColors: settings.paletteSize ?? PRODUCTION_PALETTE_SIZE,
    ...inks[settings.colorMode],
    dropBackground: settings.cutout ?? false,
    despeckle: settings.despeckle ?? PRODUCTION_DESPECKLE,
    stacking: settings.shapeStacking,
    draw,
    gradients: settings.gradients && hasEffect('gradients', settings),
    simplify: settings.simplify / 100,
    groupBy: settings.groupBy,
    ...qualities[settings.quality],
    ...(settings.threshold !== undefined && isOneInk(settings.colorMode) && { threshold: settings.threshold }),
    ...(dropLight && { dropLight }),
    ...(settings.regular && { regular: true }),
    ...(draw !== 'fill' && !prints && { lineWidth: LASER_LINE }),
    ...(settings.palette?.length && !isOneInk(settings.colorMode) ? { repaint: settings.palette } : {}),
  };
}
