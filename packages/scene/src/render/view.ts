/** Draws preview and mockup: the marks on their product, as the material shows them. It changes no geometry. */
import { PaintServer } from '../artwork/gradient.ts';
import { clipPaths } from '../document/areaClips.ts';
import type { Operation } from '../document/composition.ts';
import { BLACK, BRUSHED, isNearWhite, lightness, lineColors, STAINLESS } from '../document/machine.ts';
import { applyMatrix, identity, lengthScale, type Matrix } from '../geometry/matrix.ts';
import { boundsMeet, looseBounds, type PathData, readContours, transformBounds } from '../geometry/pathData.ts';
import type {
  MarkPaints,
  Scene,
  SceneGroup,
  SceneImage,
  SceneLight,
  ScenePath,
  SceneRaster,
  SceneWrap,
} from '../resolve/scene.ts';
import { hashText } from '../svg/hash.ts';
import { formatNumber, type SvgNode, svgNode } from '../svg/svg.ts';
import { MOCKUP_PX, sceneView, type ViewTarget } from './targets.ts';

/**
 * Draws the scene on its product. Coordinates are scene mm under the product's rotation. Every element is a `g` with
 * `data-element` and one `transform`; if the material has an edge, another `g` with its filter is around it. The
 * children of an element are the same nodes while only its place changes. `renderScene` adds the watermark. Cost of a
 * redraw during a drag: a few dozen nodes, whatever the artwork.
 */
export function renderView(scene: Scene, target: Pick<ViewTarget, 'kind'>): SvgNode {
  const { backdrop, widthMm, heightMm } = scene;
  const view = sceneView(scene);
  const pxPerMm = target.kind === 'mockup' ? MOCKUP_PX / Math.max(view.width, view.height) : undefined;
  const groups = scene.groups.map((group) => ({
    ...drawGroup(group, scene, pxPerMm),
    edge: isMarkable(scene, group)
      ? scene.markPainter?.edgeOf(scene, target.kind === 'mockup' ? group : undefined)
      : undefined,
  }));
  const clips = clipPaths(scene.area, identity).map(drawClip);
  const children: SvgNode[] = [];
  if (backdrop) {
    children.push(
      svgNode('image', {
        href: backdrop.pictureHref,
        x: -backdrop.originMm.x,
        y: -backdrop.originMm.y,
        width: backdrop.pictureWidthMm,
        height: backdrop.pictureHeightMm,
        preserveAspectRatio: 'none',
      }),
    );
  }
  const drawEdge = ({ node, edge }: (typeof groups)[number]) =>
    edge ? svgNode('g', { filter: `url(#${edge.attrs.id})` }, [node]) : node;
  const isPicture = target.kind === 'mockup';
  if (scene.wrap) children.push(...drawWrapped(scene.wrap, groups, { drawEdge, isPicture }, clips));
  else {
    children.push(
      // An inner svg clips to its own box, the machine area. A clip path would need an id, which two drawings would
      // share.
      svgNode(
        'svg',
        {
          x: 0,
          y: 0,
          width: widthMm,
          height: heightMm,
          viewBox: `0 0 ${mm(widthMm)} ${mm(heightMm)}`,
          overflow: 'hidden',
        },
        clipNodes(groups.map(drawEdge), clips),
      ),
    );
  }

  const size = target.kind === 'mockup' ? mockupSize(view) : { width: '100%', height: '100%' };
  const isTurned = backdrop !== undefined && backdrop.angleDeg !== 0;
  const scenery = isTurned ? [svgNode('g', { transform: writeMatrix(view.matrix) }, children)] : children;
  const defs = new Set([...groups.flatMap(({ edge, paints }) => (edge ? [edge, ...paints] : paints)), ...clips]);
  const content = defs.size > 0 ? [svgNode('defs', {}, [...defs]), ...scenery] : scenery;
  return svgNode(
    'svg',
    { ...size, viewBox: `${mm(view.x)} ${mm(view.y)} ${mm(view.width)} ${mm(view.height)}` },
    content,
  );
}

/** Returns what nearly always differs between two drawings: attributes without most of their path data. */
const outlineOf = ({ attrs, children }: SvgNode): unknown => [
  Object.values(attrs).map((value) => (value.length > OUTLINE_CHARS ? hashEnds(value) : value)),
  children.map(outlineOf),
];
const OUTLINE_CHARS = 64;
const hashEnds = (text: string) => `${text.length} ${text.slice(0, OUTLINE_CHARS)} ${text.slice(-OUTLINE_CHARS)}`;

/**
 * Draws marks on a round blank, whose frame is among their clips, under the light of its picture. The light has the
 * marks as its mask, without the edges of their material, which would cost as much again.
 */
function drawWrapped<Mark extends { readonly node: SvgNode; readonly paints: readonly SvgNode[] }>(
  { light }: SceneWrap,
  groups: readonly Mark[],
  { drawEdge, isPicture }: { readonly drawEdge: (group: Mark) => SvgNode; readonly isPicture: boolean },
  clips: readonly SvgNode[],
): SvgNode[] {
  if (!light || groups.length === 0) return [svgNode('g', {}, clipNodes(groups.map(drawEdge), clips))];
  const { href, ...box } = light;
  // Of enough to tell two drawings apart: all of the path data would take longer than the rest of a redraw.
  const content = [box, groups.map(({ node }) => outlineOf(node)), clips.map(({ attrs }) => attrs.id)];
  const key = hashText(`${href} ${JSON.stringify(content)}`);
  const idOf = (i: number) => `mark-${key}-${i}`;
  const marks = groups.map((group, i) =>
    drawEdge({ ...group, node: { ...group.node, attrs: { ...group.node.attrs, id: idOf(i) } } }),
  );
  // A page changes its marks in one place.
  const masks = groups.map(({ node, paints }, i) =>
    isPicture ? drawPlain(node, paints) : svgNode('use', { href: `#${idOf(i)}` }),
  );
  return [
    svgNode('g', {}, clipNodes(marks, clips)),
    svgNode('mask', { id: `lit-${key}`, 'mask-type': 'alpha', maskUnits: 'userSpaceOnUse', ...box }, masks),
    svgNode('g', { mask: `url(#lit-${key})` }, clipNodes([drawLight(light)], clips)),
  ];
}

/**
 * Returns marks in black in place of the textures of their material, each as clear as it is. A renderer of pictures
 * draws a texture anew for every path, which took a third of the time of a mockup.
 */
function drawPlain({ tag, attrs, children }: SvgNode, textures: readonly SvgNode[]): SvgNode {
  const isTexture = (paint: string | undefined) => textures.some(({ attrs: { id } }) => paint === `url(#${id})`);
  const paints = Object.fromEntries(
    ['fill', 'stroke'].flatMap((name) => (isTexture(attrs[name]) ? [[name, BLACK]] : [])),
  );
  return { tag, attrs: { ...attrs, ...paints }, children: children.map((child) => drawPlain(child, textures)) };
}

const drawLight = ({ href, ...box }: SceneLight): SvgNode =>
  svgNode('image', { href, ...box, preserveAspectRatio: 'none' });

/** Draws a clip of the area. Two drawings that share its id have the same one. */
const drawClip = (d: PathData): SvgNode =>
  svgNode('clipPath', { id: `area-${hashText(d)}` }, [svgNode('path', { d, 'clip-rule': 'evenodd' })]);

/** Puts nodes into all clips. */
const clipNodes = (nodes: readonly SvgNode[], clips: readonly SvgNode[]): readonly SvgNode[] =>
  clips.reduce((inner, { attrs }) => [svgNode('g', { 'clip-path': `url(#${attrs.id})` }, inner)], nodes);

const mm = (value: number) => formatNumber(value, 4);

function mockupSize({ width, height }: { width: number; height: number }) {
  const scale = MOCKUP_PX / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const writeMatrix = ({ a, b, c, d, e, f }: Matrix) =>
  `matrix(${[a, b, c, d].map((value) => formatNumber(value, 8)).join(' ')} ${mm(e)} ${mm(f)})`;

/** Draws an element and its paints. `pxPerMm`: of a mockup; undefined for a preview, whose size on screen varies. */
function drawGroup(
  group: SceneGroup,
  scene: Scene,
  pxPerMm: number | undefined,
): { node: SvgNode; paints: readonly SvgNode[] } {
  const leastWidth = pxPerMm === undefined ? undefined : LEAST_MOCKUP_PX / (pxPerMm * lengthScale(group.matrix));
  const paints =
    scene.machine === 'laser' ? (scene.markPainter?.paintsFor(scene, group.matrix) ?? plainPaints(scene)) : undefined;
  const children = pxPerMm === undefined ? group.children : insideFrame(group, scene);
  const { nodes, usage } = drawChildren(children, paints, leastWidth);
  const node = svgNode(
    'g',
    {
      'data-element': group.elementId,
      transform: writeMatrix(group.matrix),
      opacity: group.opacity < 1 ? group.opacity : undefined,
    },
    nodes,
  );
  return { node, paints: paints?.defs(usage) ?? [] };
}

/**
 * Returns the children of an element without clear paths that lie outside the frame: the server's renderer ends its
 * process over one that lies far outside.
 */
function insideFrame({ children, matrix }: SceneGroup, { widthMm, heightMm }: Scene): SceneGroup['children'] {
  const frame = { minX: 0, minY: 0, maxX: widthMm, maxY: heightMm };
  const isInside = (path: ScenePath) => {
    const bounds = looseBounds(path.contours ?? readContours(path.d));
    return boundsMeet(transformBounds(bounds, matrix), frame, 2 * path.strokeWidth * lengthScale(matrix));
  };
  const isKept = (child: SceneGroup['children'][number]) =>
    child.kind !== 'path' || child.opacity >= 1 || isInside(child);
  return children.every(isKept) ? children : children.filter(isKept);
}

function plainPaints({ backdrop }: Scene): MarkPaints {
  const mark = backdrop?.finish.markColor ?? BLACK;
  return { key: mark, mark, steel: STAINLESS, defs: () => [] };
}

/**
 * True when the edge of a mark is drawn: a laser cannot mark a picture, which is shown as it is, and the dots of a
 * raster are smaller than any edge.
 */
const isMarkable = ({ machine }: Scene, { children }: SceneGroup) =>
  machine !== 'laser' || children.every(({ kind }) => kind === 'path');

interface DrawnNodes {
  readonly nodes: readonly SvgNode[];
  readonly usage: { mark: boolean; steel: boolean };
}

/**
 * Least width of a line on screen and in a mockup. A machine that follows a line makes it as wide as its beam; in the
 * artwork it can be as fine as a thousandth of the picture, too fine to be seen. Files keep the width of the artwork.
 */
const LEAST_SCREEN_PX = 1.5;
const LEAST_MOCKUP_PX = 3;

const drawnCache = new WeakMap<SceneGroup['children'], Map<string, DrawnNodes>>();
/** Two texts of the same words share their children, drawn for each scale. A resize leaves old scales in the cache. */
const MAX_LOOKS = 4;

function drawChildren(
  children: SceneGroup['children'],
  paints: MarkPaints | undefined,
  leastWidth: number | undefined,
): DrawnNodes {
  const look = `${paints?.key ?? 'ink'} ${leastWidth}`;
  const looks = drawnCache.get(children) ?? new Map<string, DrawnNodes>();
  drawnCache.set(children, looks);
  let drawing = looks.get(look);
  if (!drawing) {
    const usage = { mark: false, steel: false };
    const gradients = new PaintServer(PAINT_DECIMALS);
    const nodes = children.flatMap((child) =>
      child.kind === 'image'
        ? drawImage(child)
        : child.kind === 'raster'
          ? drawRaster(child, paints, usage)
          : drawPath(child, paints, usage, gradients, leastWidth),
    );
    drawing = { nodes: [...gradients.defs(), ...nodes], usage };
    if (looks.size >= MAX_LOOKS) looks.clear();
    looks.set(look, drawing);
  }
  return drawing;
}

const drawImage = ({ href, width, height, matrix, opacity }: SceneImage): SvgNode =>
  svgNode('image', {
    href,
    width,
    height,
    transform: matrix && writeExactMatrix(matrix),
    opacity: opacity < 1 ? opacity : undefined,
    preserveAspectRatio: 'none',
  });

/**
 * Draws a raster as the mark that it leaves: the paint of the mark, where the raster is burnt. Dots spread a little,
 * and the tones between gain as much as the material's do (Murray and Davies 1936, with a parabola for the growth).
 */
function drawRaster(
  { href, width, height, matrix, dotGain }: SceneRaster,
  marks: MarkPaints | undefined,
  usage: { mark: boolean; steel: boolean },
): SvgNode[] {
  if (!marks) return [];
  usage.mark = true;
  const id = `raster-${hashText(`${href} ${JSON.stringify(matrix)} ${dotGain}`)}`;
  const corners = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ].map((corner) => applyMatrix(matrix, corner));
  return [
    ...(dotGain === undefined ? [] : [drawGain(`${id}-gain`, dotGain)]),
    svgNode('mask', { id, 'mask-type': 'alpha', maskUnits: 'userSpaceOnUse', ...boxAround(corners) }, [
      svgNode('image', {
        href,
        width,
        height,
        preserveAspectRatio: 'none',
        transform: writeExactMatrix(matrix),
        filter: dotGain === undefined ? undefined : `url(#${id}-gain)`,
      }),
    ]),
    svgNode('path', {
      d: `M${corners.map(({ x, y }) => `${formatNumber(x, 5)} ${formatNumber(y, 5)}`).join('L')}Z`,
      fill: marks.mark,
      mask: `url(#${id})`,
    }),
  ];
}

function drawGain(id: string, dotGain: number): SvgNode {
  const shares = Array.from({ length: GAIN_STEPS + 1 }, (_, step) => {
    const share = step / GAIN_STEPS;
    return formatNumber(share + 4 * dotGain * share * (1 - share), 4);
  });
  return svgNode('filter', { id, x: '0', y: '0', width: '1', height: '1' }, [
    svgNode('feGaussianBlur', { stdDeviation: DOT_BLUR }),
    svgNode('feComponentTransfer', {}, [svgNode('feFuncA', { type: 'table', tableValues: shares.join(' ') })]),
  ]);
}

const GAIN_STEPS = 8;
/** The spread of a dot, in pixels of the raster. */
const DOT_BLUR = 0.45;

function boxAround(points: readonly { readonly x: number; readonly y: number }[]) {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const length = (value: number) => formatNumber(value, 5);
  return { x: length(x), y: length(y), width: length(Math.max(...xs) - x), height: length(Math.max(...ys) - y) };
}

/** A raster's matrix is made of an interval over a size: eight decimals would shift its last column. */
const writeExactMatrix = ({ a, b, c, d, e, f }: Matrix) => `matrix(${[a, b, c, d, e, f].join(' ')})`;

/** Decimals of gradient coordinates, in the element's own units: pixels of a trace. */
const PAINT_DECIMALS = 4;

/** Draws a path. A laser uses the material's paints (`marks`); ink keeps its own color. */
function drawPath(
  path: ScenePath,
  marks: MarkPaints | undefined,
  usage: { mark: boolean; steel: boolean },
  gradients: PaintServer,
  leastWidth: number | undefined,
): SvgNode[] {
  const isPreview = leastWidth === undefined;
  // A guide is for the person at the machine: it is on the stage, and never on the piece.
  if (path.operation === 'guide' && !isPreview) return [];
  const spot = spotPaints[path.operation];
  const paint = (color: string, isMark: boolean): Paint | undefined => {
    if (spot) return spot;
    if (!marks || !isMark) return { paint: (isPreview && lineColors[path.operation]) || color, opacity: 1 };
    // White is bare material.
    if (isNearWhite(color)) return undefined;
    const isSteel = isSteelColor(color);
    usage[isSteel ? 'steel' : 'mark'] = true;
    return isSteel
      ? { paint: marks.steel, opacity: 1 }
      : { paint: marks.mark, opacity: path.tone ? 1 - path.tone.index / path.tone.count : 1 - lightness(color) };
  };
  const ink = path.gradient && !marks && !spot ? { paint: gradients.add(path.gradient), opacity: 1 } : undefined;
  const fill = path.fill ? (ink ?? paint(path.fill, true)) : undefined;
  // The stage shows lines in the color of their layer, the mockup as the mark that they leave.
  const isMark = path.operation !== 'cut' && !(isPreview && lineColors[path.operation]);
  const stroke = path.stroke ? paint(path.stroke, isMark) : undefined;
  if (!fill && !stroke) return [];
  const attrs = {
    d: path.d,
    fill: fill ? fill.paint : 'none',
    'fill-opacity': fill && fill.opacity < 1 ? fill.opacity : undefined,
    'fill-rule': 'evenodd',
    stroke: stroke?.paint,
    'stroke-opacity': stroke && stroke.opacity < 1 ? stroke.opacity : undefined,
    opacity: path.opacity < 1 ? path.opacity : undefined,
  };
  if (!stroke) return [svgNode('path', attrs)];
  const asDrawn = svgNode('path', {
    ...attrs,
    'stroke-width': formatNumber(Math.max(path.strokeWidth, leastWidth ?? 0), 5),
  });
  if (leastWidth !== undefined) return [asDrawn];
  const asSeen = svgNode('path', {
    ...attrs,
    'stroke-width': LEAST_SCREEN_PX,
    'stroke-linejoin': 'round',
    'vector-effect': 'non-scaling-stroke',
  });
  // Ink also gets the width of the artwork, but a translucent line must not be drawn twice.
  const isSolid = path.opacity >= 1 && stroke.opacity >= 1;
  return marks || !isSolid ? [asSeen] : [asSeen, asDrawn];
}

/** White ink, and varnish, which only shines. */
const spotPaints: Readonly<Partial<Record<Operation, Paint>>> = {
  white: { paint: '#ffffff', opacity: 1 },
  gloss: { paint: '#ffffff', opacity: 0.35 },
};

interface Paint {
  readonly paint: string;
  readonly opacity: number;
}

const isSteelColor = (color: string) =>
  [BRUSHED, STAINLESS].some((steel) => steel.toLowerCase() === color.toLowerCase());
