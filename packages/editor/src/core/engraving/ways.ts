/** The four ways of a laser with a picture: what each sets, and how it would look. */
import type { VectorizeSettings } from '@markwright/contract/schemas';
import {
  type ArtworkElement,
  applyMatrix,
  type Engraving,
  elementIdOf,
  isEngraved,
  isHalftone,
  type MachineMode,
  renderView,
  resolveScene,
  type SvgNode,
  sceneView,
} from '@markwright/scene';
import type { EditorState } from '../document/editor.ts';
import type { WaySuggestion } from '../ports.ts';

export type Way = WaySuggestion['way'];

/** In the order of their tiles: from the fewest tones to the most. */
export const WAYS: readonly { readonly way: Way; readonly name: string; readonly words: string }[] = [
  { way: 'silhouette', name: 'Silhouette', words: 'One filled shape for all that is dark.' },
  { way: 'lineArt', name: 'Line art', words: 'Edges and drawn lines alone.' },
  { way: 'tones', name: 'Tones', words: 'Lines of varying width: every machine can run them.' },
  { way: 'photo', name: 'Photo', words: 'Fine dots, for every shade.' },
];

/** The settings of a trace that tell one way from another. */
type TraceKind = Pick<VectorizeSettings, 'colorMode' | 'drawStyle' | 'laserMode'>;

/** Returns the way that an artwork is made by; undefined for a trace in grays or colors. */
export function wayOf(
  element: Pick<ArtworkElement, 'engraving'>,
  machine: MachineMode,
  trace: TraceKind,
): Way | undefined {
  if (element.engraving && isEngraved(element, machine)) {
    return isHalftone(element.engraving.method) ? 'tones' : 'photo';
  }
  if (isHalftone(trace.drawStyle)) return 'tones';
  if (trace.laserMode === 'outline' || trace.drawStyle !== 'fill_shapes') return 'lineArt';
  return trace.colorMode === 'black' || trace.colorMode === 'stainless' ? 'silhouette' : undefined;
}

/**
 * Returns the settings of a trace for a way. A drawing's lines are followed in their middle; a photograph has none, and
 * its edges are drawn.
 */
export function traceOf(way: 'silhouette' | 'lineArt', kind: WaySuggestion['kind'] | undefined): TraceKind {
  const isDrawn = kind === 'lineArt' || kind === 'lettering';
  const drawStyle = way === 'silhouette' ? 'fill_shapes' : isDrawn ? 'centerline' : 'stroke_edges';
  return { colorMode: 'black', drawStyle, laserMode: 'detailed' };
}

const NEUTRAL: Engraving['tone'] = { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 };
/** About as many lines as this across a picture show what it is. */
const LINES_ACROSS = 90;
const PITCH_MM = { min: 0.4, max: 0.8 };

/**
 * Returns the engraving of a way. Tone and negative stay those of the engraving before. `longerMm` is the artwork's
 * longer side.
 */
export function engravingOf(
  way: 'tones' | 'photo',
  { intervalMm, longerMm }: { readonly intervalMm: number; readonly longerMm: number },
  before: Engraving | undefined,
): Engraving {
  const { tone = NEUTRAL, invert = 'auto' } = before ?? {};
  if (way === 'photo') return { method: 'jarvis', intervalMm, tone, invert };
  const pitchMm = Math.min(PITCH_MM.max, Math.max(PITCH_MM.min, Math.round((10 * longerMm) / LINES_ACROSS) / 10));
  return { method: 'halftone_lines', intervalMm, tone, invert, pitchMm };
}

/** Where a tile shows more than the artwork: a part of its longer side. */
const MARGIN = 0.06;

/** The width of a line in a tile, px: as wide as on the stage it would fill a face. */
const LINE_PX = '0.8';

/** Draws the part of the product with an artwork on it, as `changes` would show it. Cost: that of `renderView`. */
export function drawWay(
  { composition, assets }: Pick<EditorState, 'composition' | 'assets'>,
  element: ArtworkElement,
  changes: {
    readonly engraving: Engraving | undefined;
    readonly artworks?: EditorState['assets']['artworks'];
    readonly engravings?: EditorState['assets']['engravings'];
  },
): SvgNode | undefined {
  const { engraving, artworks = assets.artworks, engravings = assets.engravings } = changes;
  const elements = composition.elements.map((each): (typeof composition.elements)[number] =>
    each === element ? { ...element, engraving } : each,
  );
  const scene = resolveScene({ ...composition, elements }, { ...assets, artworks, engravings });
  const group = scene.groups.find(({ elementId }) => elementId === elementIdOf(element));
  if (!group) return undefined;
  const { matrix } = sceneView(scene);
  const corners = group.corners.map((corner) => applyMatrix(matrix, corner));
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const margin = MARGIN * Math.max(width, height);
  const box = [left - margin, top - margin, width + 2 * margin, height + 2 * margin];
  const node = renderView(scene, { kind: 'preview' });
  const attrs = { ...node.attrs, viewBox: box.map((value) => value.toFixed(3)).join(' ') };
  tiles += 1;
  return toTile({ ...node, attrs }, `tile${tiles}-`, assets.product?.finish.markColor ?? '#000000');
}

/** Counts the drawings of tiles, for their ids. */
let tiles = 0;

/**
 * Returns a drawing with ids of its own, as paints and masks of one that is hidden are missing wherever they are named.
 * Lines that a tool follows get the color of their mark. What does not change keeps its identity.
 */
function toTile(node: SvgNode, prefix: string, markColor: string): SvgNode {
  const children = node.children.map((child) => toTile(child, prefix, markColor));
  const attrs: Record<string, string> = {};
  for (const [name, value] of Object.entries(node.attrs)) {
    if (value.includes('url(#')) attrs[name] = value.replace('url(#', `url(#${prefix}`);
    else if (name === 'id') attrs[name] = `${prefix}${value}`;
    else if (name === 'href' && value.startsWith('#')) attrs[name] = `#${prefix}${value.slice(1)}`;
  }
  if (node.attrs['vector-effect']) Object.assign(attrs, { stroke: markColor, 'stroke-width': LINE_PX });
  const isSame = children.every((child, i) => child === node.children[i]);
  if (isSame && Object.keys(attrs).length === 0) return node;
  return { ...node, attrs: { ...node.attrs, ...attrs }, children: isSame ? node.children : children };
}
