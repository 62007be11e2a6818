/** Preview and mockup: the arrangement on its product, as the material shows it. No geometry is changed here. */
import { PaintServer } from './gradient.ts';
import { BRUSHED, isNearWhite, lightness, STAINLESS } from './machine.ts';
import { lengthScale } from './matrix.ts';
import type { Finish, Matrix, Scene, SceneGroup, SceneImage, ScenePath } from './scene.ts';
import { formatNumber, type SvgNode, svgNode } from './svg.ts';
import { MOCKUP_PX, sceneView, type ViewTarget } from './targets.ts';

/**
 * Draws the scene on its product. Coordinates are scene mm under the product's turn; every element is a `g` with
 * `data-element` and one `transform`, and the children of that `g` are the same nodes while only the element's place
 * changes. The watermark of a mockup is `renderScene`'s. Cost of a redraw during a drag: a few dozen nodes, whatever the artwork.
 */
export function renderView(scene: Scene, target: Pick<ViewTarget, 'kind'>): SvgNode {
  const { backdrop, widthMm, heightMm } = scene;
  const view = sceneView(scene);
  const pxPerMm = target.kind === 'mockup' ? MOCKUP_PX / Math.max(view.width, view.height) : undefined;
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
  children.push(
    // An inner svg clips to its own box: the machine area, without an id that two drawings on a page would share.
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
      scene.groups.map((group) => drawGroup(group, scene, pxPerMm)),
    ),
  );

  const size = target.kind === 'mockup' ? mockupSize(view) : { width: '100%', height: '100%' };
  const isTurned = backdrop !== undefined && backdrop.angleDeg !== 0;
  const turned = isTurned ? [svgNode('g', { transform: writeMatrix(view.matrix) }, children)] : children;
  const content = usesSteel(scene) ? [brushedSteel, ...turned] : turned;
  return svgNode(
    'svg',
    { ...size, viewBox: `${mm(view.x)} ${mm(view.y)} ${mm(view.width)} ${mm(view.height)}` },
    content,
  );
}

const mm = (value: number) => formatNumber(value, 4);

function mockupSize({ width, height }: { width: number; height: number }) {
  const scale = MOCKUP_PX / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const writeMatrix = ({ a, b, c, d, e, f }: Matrix) =>
  `matrix(${[a, b, c, d].map((value) => formatNumber(value, 8)).join(' ')} ${mm(e)} ${mm(f)})`;

/** `pxPerMm` of a picture whose size is known; a view on the screen may be of any. */
function drawGroup(group: SceneGroup, scene: Scene, pxPerMm: number | undefined): SvgNode {
  const leastWidth = pxPerMm === undefined ? undefined : LEAST_MOCKUP_PX / (pxPerMm * lengthScale(group.matrix));
  return svgNode(
    'g',
    {
      'data-element': group.elementId,
      transform: writeMatrix(group.matrix),
      opacity: group.opacity < 1 ? group.opacity : undefined,
    },
    drawChildren(group.children, scene, leastWidth),
  );
}

/**
 * Lines to follow are drawn by a laser or knife as wide as it is, and come as fine as a thousandth of the picture: too fine to be
 * seen on a product. Pictures show them at least so wide; no file is made from these.
 */
const LEAST_SCREEN_PX = 1.5;
const LEAST_MOCKUP_PX = 3;

const drawnCache = new WeakMap<SceneGroup['children'], { look: string; nodes: readonly SvgNode[] }>();

function drawChildren(
  children: SceneGroup['children'],
  { machine, backdrop }: Scene,
  leastWidth: number | undefined,
): readonly SvgNode[] {
  const finish = machine === 'laser' ? backdrop?.finish : undefined;
  const look = `${machine} ${finish?.markColor} ${leastWidth}`;
  const known = drawnCache.get(children);
  if (known?.look === look) return known.nodes;
  const paints = new PaintServer(PAINT_DECIMALS);
  const drawn = children.flatMap((child) =>
    child.kind === 'image' ? drawImage(child) : drawPath(child, machine === 'laser', finish, paints, leastWidth),
  );
  const nodes = [...paints.defs(), ...drawn];
  drawnCache.set(children, { look, nodes });
  return nodes;
}

const drawImage = ({ href, width, height, opacity }: SceneImage): SvgNode =>
  svgNode('image', { href, width, height, opacity: opacity < 1 ? opacity : undefined, preserveAspectRatio: 'none' });

/** Of the element's own units, in which a trace counts pixels. */
const PAINT_DECIMALS = 4;

function drawPath(
  path: ScenePath,
  isLaser: boolean,
  finish: Finish | undefined,
  paints: PaintServer,
  leastWidth: number | undefined,
): SvgNode[] {
  if (path.operation === 'white') return [];
  const ink = path.gradient && !isLaser ? { paint: paints.add(path.gradient), opacity: 1 } : undefined;
  const fill = path.fill ? (ink ?? paint(path.fill, isLaser, finish)) : undefined;
  const stroke = path.stroke ? paint(path.stroke, isLaser && path.operation !== 'cut', finish) : undefined;
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
  // Ink has the width it is drawn with; what shines through must not be drawn twice.
  const isSolid = path.opacity >= 1 && stroke.opacity >= 1;
  return isLaser || !isSolid ? [asSeen] : [asSeen, asDrawn];
}

interface Paint {
  readonly paint: string;
  readonly opacity: number;
}

/** Ink keeps its colour. A laser mark takes the material's, thinner the lighter the art; white leaves the material bare. */
function paint(color: string, isMark: boolean, finish: Finish | undefined): Paint | undefined {
  if (!isMark) return { paint: color, opacity: 1 };
  if (isNearWhite(color)) return undefined;
  if (isSteel(color)) return { paint: `url(#${STEEL_ID})`, opacity: BRUSHED_OPACITY };
  return { paint: finish?.markColor ?? '#000000', opacity: 1 - lightness(color) };
}

const STEEL_ID = 'brushed-steel';
const BRUSHED_OPACITY = 0.87;

const isSteel = (color: string) => [BRUSHED, STAINLESS].some((steel) => steel.toLowerCase() === color.toLowerCase());

const usesSteel = ({ machine, groups }: Scene): boolean =>
  machine === 'laser' &&
  groups.some(({ children }) =>
    drawnCache
      .get(children)
      ?.nodes.some(({ attrs }) => attrs.fill?.startsWith('url(') || attrs.stroke?.startsWith('url(')),
  );

/** Brushed stainless steel, drawn: fine bands of grey-blue light across the mark. */
const brushedSteel: SvgNode = svgNode('defs', {}, [
  svgNode(
    'linearGradient',
    { id: STEEL_ID, x1: '0', y1: '0', x2: '0.12', y2: '1' },
    [
      ['0', '#8D9BA9'],
      ['0.18', '#C9D0D6'],
      ['0.32', '#A3AEB9'],
      ['0.5', '#DDE2E6'],
      ['0.66', '#98A5B2'],
      ['0.84', '#C3CBD2'],
      ['1', '#8796A5'],
    ].map(([offset, color]) => svgNode('stop', { offset, 'stop-color': color })),
  ),
]);
