/** DXF and LightBurn files as SVG, so that they go through the same walls as an uploaded SVG. */
import { isNearWhite } from '../document/machine.ts';
import { type Contour, tightBounds, writeContours } from '../geometry/pathData.ts';
import { formatNumber, type SvgNode, svgNode, writeSvg } from '../svg/svg.ts';
import { type ContourFile, type ContourLayer, FileRefused, type LayerOperation, utf16Of } from './contourFile.ts';
import { joinTouching } from './joinTouching.ts';
import { readDxf } from './readDxf.ts';
import { readLightBurn } from './readLightBurn.ts';

/** The most bytes of an upload, as of an SVG. */
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_SIDE_MM = 20_000;

export type OutlineFileKind = 'DXF' | 'LightBurn';

export interface OutlineUpload {
  readonly kind: OutlineFileKind;
  /** An SVG at true size. */
  readonly svg: string;
  /** True for a file without a unit, whose numbers were taken as mm. */
  readonly isUnitless: boolean;
  /** Kinds of content that are left out, sorted, to tell the person. */
  readonly droppedKinds: readonly string[];
}

/**
 * Converts a DXF or LightBurn file to SVG at true size, its outlines' box as the frame; the bytes decide which it is.
 * Returns undefined for any other file. Engraved areas are filled; above them, cuts are red and scores blue lines.
 * Guides are left out. A layer that does not say what it is, by its settings or the start of its name, is lines, as
 * LightBurn imports a DXF: cut where its color is red, and otherwise scored, because a score spares the blank. Throws
 * `FileRefused` and nothing else. Cost: linear.
 */
export function convertOutlineUpload(bytes: Uint8Array): OutlineUpload | undefined {
  const kind = kindOf(bytes);
  if (!kind) return undefined;
  if (bytes.length > MAX_BYTES) throw new FileRefused(`${kind.name} files may be up to 10 MB.`);
  const file = kind.read(bytes);
  const { droppedKinds, isUnitless = false } = file;
  return { kind: kind.name, svg: writeSvg(draw(file)), isUnitless, droppedKinds };
}

const kinds = [
  // A comment, or the start of the first section; binary ones are refused by the reader.
  { name: 'DXF', pattern: /^(AutoCAD Binary DXF|(\s*999\r?\n[^\n]*\n)*\s*0\r?\n\s*SECTION\s)/, read: readDxf },
  {
    name: 'LightBurn',
    pattern: /^\s*(<\?xml[^>]*\?>\s*)?(<!--[^>]*-->\s*)*<LightBurnProject[\s>]/,
    read: readLightBurn,
  },
] as const;

function kindOf(bytes: Uint8Array) {
  const start = new TextDecoder(utf16Of(bytes) ?? 'windows-1252').decode(bytes.subarray(0, 4096)).replace(/^ï»¿/, '');
  return kinds.find(({ pattern }) => pattern.test(start));
}

/** Marks the drawing of an outline file, through sanitizing and storing: there colors name layers, and are no tones. */
const MARK = 'outline-file';

/** True for the root of a drawing that `convertOutlineUpload` made. */
export const isOutlineUpload = (root: SvgNode): boolean => root.attrs.id === MARK;

const lineColors = { cut: '#ff0000', score: '#0000ff' } as const;
/** Thin enough to stay a line on the smallest drawing. */
const LINE_MM = 0.05;
const DECIMALS = 4;

function draw(file: ContourFile): SvgNode {
  const layers = file.layers.filter(({ operation }) => operation !== 'guide');
  const contours = layers.flatMap(({ outlines }) => outlines.flat());
  if (file.layers.length === 0) throw new FileRefused('This file holds no outlines.');
  if (contours.length === 0) throw new FileRefused('This file holds nothing but guides.');
  const { minX, minY, maxX, maxY } = tightBounds(contours);
  const [width, height] = [Math.max(LINE_MM, maxX - minX), Math.max(LINE_MM, maxY - minY)];
  if (Math.max(width, height) > MAX_SIDE_MM) throw new FileRefused('This drawing is more than 20 m wide or high.');
  const number = (value: number) => formatNumber(value, DECIMALS);
  const box = [minX, minY, width, height].map(number).join(' ');
  const frame = { id: MARK, width: `${number(width)}mm`, height: `${number(height)}mm`, viewBox: box };
  // Areas first: what lies beneath an area is hidden, and no line of the file may be.
  const [areas, lines] = [layers.flatMap(drawAreas), layers.flatMap(drawLines)];
  return svgNode('svg', frame, [...areas, ...lines]);
}

/** Draws one path for a whole layer: what lies inside another contour is its hole, as when the machine fills it. */
function drawAreas(layer: ContourLayer): SvgNode[] {
  if (operationOf(layer) !== 'engrave') return [];
  const areas = joinTouching(layer.outlines.flat()).filter(({ isClosed }) => isClosed);
  if (areas.length === 0) return [];
  return [svgNode('path', { d: write(areas), fill: toTone(layer), 'fill-rule': 'evenodd' })];
}

function drawLines(layer: ContourLayer): SvgNode[] {
  const line = (contours: readonly Contour[], color: string) =>
    svgNode('path', { d: write(contours), fill: 'none', stroke: color, 'stroke-width': LINE_MM });
  const operation = operationOf(layer);
  if (operation !== 'engrave') {
    const color = operation === 'cut' ? lineColors.cut : lineColors.score;
    // A rectangle of four lines is one contour. Layers that say what they are keep their outlines.
    const outlines = layer.operation ? layer.outlines : [joinTouching(layer.outlines.flat())];
    return outlines.map((contours) => line(contours, color));
  }
  const lines = joinTouching(layer.outlines.flat()).filter(({ isClosed }) => !isClosed);
  return lines.length > 0 ? [line(lines, lineColors.score)] : [];
}

const operationOf = ({ operation, color }: ContourLayer): LayerOperation =>
  operation ?? (color === lineColors.cut ? 'cut' : 'score');

/** Returns the color of an engraved layer; black for one so light that a laser would leave it bare. */
function toTone({ color }: ContourLayer): string {
  return color !== undefined && !isNearWhite(color) ? color : '#000000';
}

const write = (contours: readonly Contour[]) => writeContours(contours, DECIMALS);
