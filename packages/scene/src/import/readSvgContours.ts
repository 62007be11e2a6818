/** Reads the outlines of an SVG by their paint, as a machine's program does, without joining or clipping anything. */
import { type Matrix, multiply, scale } from '../geometry/matrix.ts';
import type { SvgNode } from '../svg/svg.ts';
import { parseColor } from './color.ts';
import {
  ContourCollector,
  type ContourFile,
  decodeTextFile,
  FileRefused,
  type LayerOperation,
  requireOutlines,
} from './contourFile.ts';
import { fitViewBox, parseTransform, readShape } from './readArtwork.ts';
import { readSvg, SvgRefused } from './svgSafe.ts';

const MM_PER_PX = 25.4 / 96;
const shapeTags = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']);
const undrawnTags = new Set(['defs', 'linearGradient', 'radialGradient']);
const containerTags = new Set(['svg', 'g']);
/** Colors by which shops mark lines, and the guide color of LightBurn. */
const lineOperations: Record<string, LayerOperation> = { '#ff0000': 'cut', '#0000ff': 'score', '#f36926': 'guide' };

/**
 * Returns the outlines of an SVG. A layer is a color together with `fill` or `line` (`#000000 fill`, `gradient fill`);
 * where a shape has both, its stroke is the color, as in LightBurn. Layers come in the order of their first shape.
 * Throws `FileRefused` and nothing else.
 */
export function readSvgContours(bytes: Uint8Array): ContourFile {
  const safe = parse(decodeTextFile(bytes));
  const { node: root, width, height } = safe;
  const fit = fitViewBox(root, width, height);
  if (!fit) throw new FileRefused('This SVG is cut off at its edges.');
  const collector = new ContourCollector();
  const visit = (node: SvgNode, parent: Look): void => {
    const { attrs, tag } = node;
    if (undrawnTags.has(tag) || attrs.display === 'none') return;
    const look: Look = {
      fill: attrs.fill ?? parent.fill,
      stroke: attrs.stroke ?? parent.stroke,
      matrix: attrs.transform ? multiply(parent.matrix, parseTransform(attrs.transform)) : parent.matrix,
    };
    collector.countEntity();
    if (containerTags.has(tag)) for (const child of node.children) visit(child, look);
    else if (shapeTags.has(tag)) {
      const layer = layerOf(look);
      if (!layer) return;
      try {
        collector.add(layer, readShape(node, look.matrix));
      } catch (error) {
        if (error instanceof FileRefused) throw error;
        // A length in a unit that depends on more than the shape.
        collector.drop(tag);
      }
    } else collector.drop(tag);
  };
  visit(root, { fill: '#000000', stroke: 'none', matrix: multiply(scale(MM_PER_PX), fit) });
  requireOutlines(collector);
  return {
    frame: { minX: 0, minY: 0, maxX: width * MM_PER_PX, maxY: height * MM_PER_PX },
    origin: 'topLeft',
    layers: [...collector.layers].map(([name, outlines]) => {
      const [color, kind] = name.split(' ') as [string, string];
      return {
        name,
        color: color === 'gradient' ? undefined : color,
        operation: kind === 'fill' ? 'engrave' : lineOperations[color],
        outlines,
      };
    }),
    droppedKinds: [...new Set([...collector.droppedKinds, ...safe.droppedTags])].sort(),
  };
}

interface Look {
  readonly fill: string;
  readonly stroke: string;
  readonly matrix: Matrix;
}

function parse(text: string) {
  try {
    return readSvg(text);
  } catch (error) {
    if (error instanceof SvgRefused) throw new FileRefused(error.message);
    throw error;
  }
}

/** Returns the layer of a paint; undefined for a shape that is not painted. */
function layerOf({ fill, stroke }: Look): string | undefined {
  const [fillColor, strokeColor] = [paintOf(fill), paintOf(stroke)];
  const color = strokeColor ?? fillColor;
  return color && `${color} ${fillColor ? 'fill' : 'line'}`;
}

const paintOf = (value: string) => (value.startsWith('url(') ? 'gradient' : parseColor(value)?.hex);
