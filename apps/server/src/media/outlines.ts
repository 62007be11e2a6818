/** Keeps the exact outlines of an uploaded SVG in place of a trace, in the colors of the trace options. */
import {
  type Artwork,
  type ArtworkShape,
  drawArtwork,
  isNearWhite,
  lightness,
  mapStops,
  writeSvg,
} from '@markwright/scene';
import type { TraceOptions } from '../platform/ports/mediaJobs.ts';

/** The width of lines, as a share of the longer side: about the pixel of the lines of a trace. */
const LINE_WIDTH = 1 / 1000;
/** A shape whose box covers this share of both sides may be a background. */
const COVERS = 0.98;

/**
 * Returns the artwork as SVG with unchanged outlines. Returns undefined where only a trace can follow the options: a
 * background to remove, more colors than the limit, several tones for one ink, or a gradient where flat tones are
 * required.
 *
 * `isOutlineFile` says that it was a DXF or LightBurn file. Its colors name layers and are no tones, and its lines are
 * too fine for a trace: all of it stays as it is, but for colors that are repainted.
 */
export function takeOver(
  artwork: Artwork,
  options: TraceOptions,
  isOutlineFile = false,
): { svg: string; width: number; height: number } | undefined {
  const { width, height } = artwork;
  // Covered parts are cut away: they would show once colors are dropped or only lines are drawn.
  const isRemoving = options.repaint?.some(({ paint }) => paint === null);
  const isFlat = options.colorMode === 'monochrome' || isLines(options) || options.stacking === 'cutouts' || isRemoving;
  const visible = ((isFlat && artwork.cutouts) || artwork.shapes).filter(({ opacity }) => opacity > 0);
  if (visible.length === 0) return undefined;
  if (isOutlineFile) return write(options.repaint ? repaint(visible, options.repaint) : visible, artwork);
  if (needsTrace(visible, artwork, options)) return undefined;
  const tones = options.colorMode === 'monochrome' ? toInk(visible, options) : toTones(visible, options);
  const paint = options.repaint ? repaint(tones, options.repaint) : tones;
  // Adjacent shapes share a border, which is drawn once.
  const isOnce = options.draw === 'edges' || options.draw === 'outline';
  if (isOnce && paint.length > 1 && colorsOf(paint).size > 1) return undefined;
  const line = LINE_WIDTH * Math.max(width, height);
  const shapes = isLines(options) ? paint.map((shape) => toLine(shape, line)) : paint;
  return write(shapes, artwork);
}

function write(shapes: readonly ArtworkShape[], { width, height }: Artwork) {
  return shapes.length > 0 ? { svg: writeSvg(drawArtwork({ width, height, shapes })), width, height } : undefined;
}

/** True where the options ask for what these shapes cannot give as they are. */
function needsTrace(shapes: readonly ArtworkShape[], artwork: Artwork, options: TraceOptions): boolean {
  if (options.dropBackground && shapes.some((shape) => isBackground(shape, artwork))) return true;
  // Lines that were drawn as shapes need a centerline; true lines have theirs.
  if (options.draw === 'centerline' && shapes.some(({ fill }) => fill)) return true;
  if (!(options.gradients ?? true) && shapes.some(({ gradient }) => gradient)) return true;
  if (options.colorMode === 'monochrome') return !isOneInk(shapes);
  return colorsOf(toTones(shapes, options)).size > (options.maxColors ?? 64);
}

/** True when one ink can replace the colors: a single one, or several dark ones. White is bare material. */
function isOneInk(shapes: readonly ArtworkShape[]): boolean {
  if (shapes.some(({ gradient }) => gradient)) return false;
  const marks = withoutWhite(shapes);
  const colors = colorsOf(marks);
  const isPlain = colors.size <= 1 || [...colors].every((color) => lightness(color) < 0.5);
  return marks.length > 0 && isPlain && marks.every(({ opacity }) => opacity === 1);
}

function toTones(shapes: readonly ArtworkShape[], { colorMode }: TraceOptions): readonly ArtworkShape[] {
  return colorMode === 'grayscale' ? shapes.map((shape) => recolor(shape, toGray)) : shapes;
}

function toInk(shapes: readonly ArtworkShape[], { ink = '#000000' }: TraceOptions): readonly ArtworkShape[] {
  return withoutWhite(shapes).map((shape) => recolor(shape, () => ink));
}

const withoutWhite = (shapes: readonly ArtworkShape[]): ArtworkShape[] =>
  shapes
    .map((shape) => ({ ...shape, fill: unlessWhite(shape.fill), stroke: unlessWhite(shape.stroke) }))
    .filter(({ fill, stroke }) => fill || stroke);

const isLines = ({ draw }: TraceOptions): boolean => draw === 'stroke' || draw === 'edges' || draw === 'outline';

const unlessWhite = (color: string | undefined) => (color && !isNearWhite(color) ? color : undefined);

const colorsOf = (shapes: readonly ArtworkShape[]): Set<string> =>
  new Set(
    shapes
      .flatMap(({ fill, stroke }) => [fill, isMachineLine(stroke) ? undefined : stroke])
      .filter((color) => color !== undefined),
  );

function recolor(shape: ArtworkShape, change: (color: string) => string): ArtworkShape {
  const stroke = shape.stroke && !isMachineLine(shape.stroke) ? change(shape.stroke) : shape.stroke;
  const gradient = shape.gradient && mapStops(shape.gradient, change);
  return { ...shape, fill: shape.fill && change(shape.fill), gradient, stroke };
}

/** Repaints or drops colors. A gradient counts by its mean and becomes one tone. */
function repaint(
  shapes: readonly ArtworkShape[],
  changes: NonNullable<TraceOptions['repaint']>,
): readonly ArtworkShape[] {
  const paints = new Map(changes.map(({ color, paint }) => [color.toLowerCase(), paint]));
  const change = (color: string | undefined) => {
    const paint = color === undefined ? undefined : paints.get(color.toLowerCase());
    return paint === undefined ? color : (paint ?? undefined);
  };
  return shapes
    .map((shape) => ({
      ...shape,
      fill: change(shape.fill),
      stroke: isMachineLine(shape.stroke) ? shape.stroke : change(shape.stroke),
      gradient: change(shape.fill) === shape.fill ? shape.gradient : undefined,
    }))
    .filter(({ fill, stroke }) => fill || stroke);
}

/** True for pure red and blue lines, which a laser cuts and scores: they keep their colors. */
const isMachineLine = (stroke: string | undefined) => stroke === '#ff0000' || stroke === '#0000ff';

function toGray(color: string): string {
  const level = Math.round(lightness(color) * 255)
    .toString(16)
    .padStart(2, '0');
  return `#${level}${level}${level}`;
}

/** Turns a filled shape into its outline; a line stays a line. */
function toLine(shape: ArtworkShape, width: number): ArtworkShape {
  if (!shape.fill) return shape;
  return { ...shape, fill: undefined, gradient: undefined, stroke: shape.fill, strokeWidth: width };
}

/** Returns a box of all points. It contains the curves, because control points reach at least as far. */
function isBackground({ d, fill }: ArtworkShape, { width, height }: Artwork): boolean {
  if (!fill) return false;
  const numbers = d.match(/-?\d*\.?\d+(?:e[-+]?\d+)?/gi)?.map(Number) ?? [];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    left = Math.min(left, numbers[i]!);
    right = Math.max(right, numbers[i]!);
    top = Math.min(top, numbers[i + 1]!);
    bottom = Math.max(bottom, numbers[i + 1]!);
  }
  const coverage = (low: number, high: number, side: number) =>
    (Math.min(high, side) - Math.max(low, 0)) / side >= COVERS;
  return coverage(left, right, width) && coverage(top, bottom, height);
}
