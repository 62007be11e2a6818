/** Writes a production job as the specified SVG: at true size, a group for each plate. */
import { PaintServer } from '../../artwork/gradient.ts';
import { writeContours } from '../../geometry/pathData.ts';
import { formatNumber, type SvgNode, svgNode } from '../../svg/svg.ts';
import type { ColorGroup, ColorPicture, ColorShape, Job, OutlinePlate, Plate } from '../job.ts';

/**
 * Draws a job in mm: one group for each plate, in running order. Coordinates have at most three decimals, a micron. The
 * id of the root says machine, size and unit, and whether the file is mirrored: programs show it as the drawing's name.
 * Throws a RangeError when a coordinate is not finite. Cost: linear in the nodes.
 */
export function drawJob({ machine, widthMm, heightMm, isMirrored, plates }: Job): SvgNode {
  const width = formatNumber(widthMm, 4);
  const height = formatNumber(heightMm, 4);
  const frame = {
    id: `${machine}-${isMirrored ? 'mirrored-' : ''}${width}x${height}mm`,
    width: `${width}mm`,
    height: `${height}mm`,
    viewBox: `0 0 ${width} ${height}`,
  };
  return svgNode('svg', frame, plates.map(drawPlate));
}

const drawPlate = (plate: Plate): SvgNode =>
  plate.kind === 'color' ? svgNode('g', { id: 'print' }, drawGroups(plate.groups)) : drawOutlines(plate);

/** Plates that fill their outlines. */
const filledKinds: ReadonlySet<Plate['kind']> = new Set(['engrave', 'white', 'gloss']);

/**
 * Draws outlines in the exact color of their plate. An engraved outline has it as fill and stroke: the fill is
 * engraved, and LightBurn reads the layer from the stroke.
 */
function drawOutlines({ id, kind, color, outlines }: OutlinePlate): SvgNode {
  const isFilled = filledKinds.has(kind);
  const isBurned = kind !== 'white' && kind !== 'gloss';
  const look = {
    fill: isFilled ? color : 'none',
    'fill-rule': isFilled ? 'evenodd' : undefined,
    stroke: isBurned ? color : 'none',
    'stroke-width': isBurned ? LASER_STROKE_MM : undefined,
  };
  return svgNode(
    'g',
    { id },
    outlines.map(({ contours }) => svgNode('path', { d: writeContours(contours), ...look })),
  );
}

/** Thin enough for every driver to follow, wide enough to be seen: LightBurn's preset in the file reference. */
const LASER_STROKE_MM = 0.1;

/** Draws one group for each element, in the artwork's own colors, after the definitions of their gradients. */
export function drawGroups(groups: readonly ColorGroup[]): SvgNode[] {
  const paints = new PaintServer(PAINT_DECIMALS);
  const nodes = groups.map(({ elementId, opacity, shapes, pictures }) =>
    svgNode('g', { id: elementId.replace(/[^\w-]/g, '-'), opacity: opacity < 1 ? opacity : undefined }, [
      ...pictures.map(drawPicture),
      ...shapes.map((shape) => drawShape(shape, paints)),
    ]),
  );
  return [...paints.defs(), ...nodes];
}

/** Decimals of gradient coordinates, like those of outlines: a micron in production. */
const PAINT_DECIMALS = 3;

function drawShape({ contours, fill, gradient, stroke, strokeWidthMm, opacity }: ColorShape, paints: PaintServer) {
  return svgNode('path', {
    d: writeContours(contours),
    fill: fill && gradient ? paints.add(gradient) : (fill ?? 'none'),
    'fill-rule': 'evenodd',
    stroke: stroke ?? 'none',
    'stroke-width': stroke ? formatNumber(strokeWidthMm, 4) : undefined,
    opacity: opacity < 1 ? opacity : undefined,
  });
}

/** Draws a picture. It is the only node of a file with a transform, because nothing else can rotate a picture. */
function drawPicture({ href, width, height, matrix, opacity }: ColorPicture): SvgNode {
  const { a, b, c, d, e, f } = matrix;
  const box = { href, preserveAspectRatio: 'none', opacity: opacity < 1 ? opacity : undefined };
  if (b === 0 && c === 0 && a > 0 && d > 0) {
    return svgNode('image', { x: e, y: f, width: width * a, height: height * d, ...box });
  }
  const numbers = [a, b, c, d, e, f].map((value) => formatNumber(value, 6));
  return svgNode('image', { width, height, transform: `matrix(${numbers.join(' ')})`, ...box });
}
