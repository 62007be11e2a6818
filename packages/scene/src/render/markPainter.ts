/** Draws the look of a mark on a material: its fill, and light and heat along its edge. Preview and mockup only. */
import { lightness, STAINLESS } from '../document/machine.ts';
import { invert, type Matrix, multiply, scale } from '../geometry/matrix.ts';
import type { MarkPainter, MarkPaints, Scene, SceneGroup } from '../resolve/scene.ts';
import { hashText } from '../svg/hash.ts';
import { seededRandom } from '../svg/seededRandom.ts';
import { formatNumber, type SvgNode, svgNode } from '../svg/svg.ts';

/**
 * Lengths are in grains: thousandths of the picture's longest side, so that every product shows its surface equally.
 */
interface MarkLook {
  readonly texture?: Texture;
  /** Scorch or dust around the mark. */
  readonly halo?: Edge;
  /** The lower edge on the surface below it: light where the mark is cut in, a shadow where it stands up. */
  readonly lip?: Edge;
  /** The same for the upper edge, inside the mark. */
  readonly rim?: Edge;
  /** Blur radius of the mark itself. */
  readonly softness?: number;
  /** Opacity of the mark, 0…1: how much of the surface's own light it hides. */
  readonly cover?: number;
}

interface Edge {
  readonly color: string;
  readonly opacity: number;
  /** Width of the edge. */
  readonly reach: number;
}

/** Strokes and specks scattered over a tile by a seeded random generator, so that every drawing has the same. */
interface Texture {
  readonly side: number;
  readonly count: number;
  readonly length: number;
  readonly thickness: number;
  /** From darker to lighter than the mark, each with its opacity. */
  readonly tones: readonly (readonly [color: string, opacity: number])[];
  /** 0: strokes lie along the grain. 1: in every direction. */
  readonly turn?: number;
}

const metalGrain: Texture = {
  side: 180,
  count: 300,
  length: 70,
  thickness: 0.5,
  tones: [
    ['#000000', 0.1],
    ['#000000', 0.2],
    ['#ffffff', 0.14],
    ['#ffffff', 0.26],
  ],
};
const burn: MarkLook = {
  texture: {
    side: 160,
    count: 190,
    length: 46,
    thickness: 0.9,
    tones: [
      ['#000000', 0.28],
      ['#1a0a02', 0.3],
      ['#8a5a34', 0.2],
      ['#6b4426', 0.24],
    ],
  },
  halo: { color: '#2a1206', opacity: 0.5, reach: 2.4 },
  lip: { color: '#ffe6c4', opacity: 0.28, reach: 0.8 },
  rim: { color: '#000000', opacity: 0.5, reach: 1.1 },
  cover: 0.93,
};

/** Laser marks by material. */
const marks: Readonly<Record<string, MarkLook>> = {
  stainless: { texture: metalGrain, rim: { color: '#000000', opacity: 0.2, reach: 0.5 }, cover: 0.94 },
  'powder-coat': {
    lip: { color: '#ffffff', opacity: 0.22, reach: 0.6 },
    rim: { color: '#000000', opacity: 0.45, reach: 0.9 },
  },
  aluminium: { texture: metalGrain, rim: { color: '#000000', opacity: 0.16, reach: 0.5 }, cover: 0.95 },
  brass: {
    texture: metalGrain,
    halo: { color: '#4a2c00', opacity: 0.32, reach: 1.4 },
    lip: { color: '#fff1bf', opacity: 0.4, reach: 0.7 },
    rim: { color: '#000000', opacity: 0.35, reach: 0.8 },
    cover: 0.9,
  },
  walnut: burn,
  maple: { ...burn, halo: { color: '#7a4315', opacity: 0.5, reach: 2.6 } },
  slate: {
    texture: {
      side: 120,
      count: 620,
      length: 1.2,
      thickness: 1.1,
      turn: 1,
      tones: [
        ['#2f3538', 0.2],
        ['#5c6468', 0.26],
        ['#ffffff', 0.3],
        ['#ffffff', 0.5],
      ],
    },
    halo: { color: '#dfe4e5', opacity: 0.3, reach: 1.3 },
    softness: 0.4,
    cover: 0.9,
  },
  leather: {
    texture: {
      side: 120,
      count: 260,
      length: 2.6,
      thickness: 1,
      turn: 1,
      tones: [
        ['#000000', 0.2],
        ['#000000', 0.3],
        ['#a0683e', 0.16],
        ['#c08a58', 0.14],
      ],
    },
    halo: { color: '#1d0b03', opacity: 0.5, reach: 2 },
    lip: { color: '#ffdcb4', opacity: 0.42, reach: 1.2 },
    rim: { color: '#000000', opacity: 0.6, reach: 1.5 },
    cover: 0.92,
  },
  ceramic: { rim: { color: '#000000', opacity: 0.25, reach: 0.5 }, cover: 0.95 },
  acrylic: {
    texture: {
      side: 100,
      count: 620,
      length: 0.7,
      thickness: 0.7,
      turn: 1,
      tones: [
        ['#9fb4bd', 0.22],
        ['#ffffff', 0.7],
      ],
    },
    halo: { color: '#ffffff', opacity: 0.5, reach: 1.6 },
    lip: { color: '#6f8791', opacity: 0.4, reach: 0.8 },
    rim: { color: '#6f8791', opacity: 0.3, reach: 0.7 },
    cover: 0.86,
  },
  cotton: {
    texture: {
      side: 60,
      count: 300,
      length: 2,
      thickness: 0.6,
      turn: 1,
      tones: [
        ['#000000', 0.16],
        ['#ffffff', 0.2],
      ],
    },
    softness: 0.5,
    cover: 0.85,
  },
};

/** Cured ink stands up a little on a hard surface; cloth absorbs it. */
const ink: MarkLook = {
  lip: { color: '#000000', opacity: 0.26, reach: 0.8 },
  rim: { color: '#ffffff', opacity: 0.28, reach: 0.7 },
};
/** Dye is in the coating and not on it, so the surface's own light stays on top. */
const dye: MarkLook = { softness: 0.3, cover: 0.93 };

/** A film of ink and glue that is pressed on: matte, whole over the weave, with an edge that is just seen. */
const film: MarkLook = {
  lip: { color: '#000000', opacity: 0.2, reach: 0.6 },
  softness: 0.15,
};

const plain: MarkLook = {};

/** Materials that can show bare steel or aluminum; `undefined` is a frame without a product. */
const bareMetals: ReadonlySet<string | undefined> = new Set(['stainless', 'powder-coat', 'aluminium', undefined]);

export const markPainter: MarkPainter = { paintsFor: markPaints, edgeOf: edgeFilter };

/**
 * Returns the paints of a laser's marks in an element with this matrix. The grain keeps the direction and scale of the
 * product when the element is rotated or resized, and moves along with the element, so that a drag changes no paint.
 */
function markPaints(scene: Scene, matrix: Matrix): MarkPaints {
  const finish = scene.backdrop?.finish;
  const material = finish?.material;
  const color = finish?.markColor ?? '#000000';
  const href = finish?.brushedHref;
  const transform = writeLinear(multiply(invert({ ...matrix, e: 0, f: 0 }), scale(grainMm(scene))));
  const { texture } = lookOf(scene);
  const hasSteel = bareMetals.has(material);
  const isSteel = material === 'powder-coat';
  const key = hashText(`${material} ${color} ${href?.length} ${transform}`);
  const steelId = `steel-${key}`;
  const markId = `mark-${key}`;
  const steelUrl = `url(#${steelId})`;
  const mark = isSteel ? steelUrl : texture ? `url(#${markId})` : color;
  return {
    key,
    mark,
    steel: hasSteel ? steelUrl : mark,
    defs(usage) {
      const needsSteel = (usage.steel && hasSteel) || (usage.mark && isSteel);
      const needsMark = texture && !isSteel && (usage.mark || (usage.steel && !hasSteel));
      return [
        ...(needsSteel
          ? [memoize(steelId, () => steelPattern(steelId, transform, isSteel ? color : undefined, href))]
          : []),
        ...(needsMark ? [memoize(markId, () => texturePattern(markId, transform, color, texture))] : []),
      ];
    },
  };
}

/**
 * Returns the filter that draws the edge of marks, in scene mm; undefined for a plain edge. A page moves elements under
 * the filter, so its region reaches far around the frame. `group` narrows the region to one element, because a renderer
 * of pictures pays for every pixel of it.
 */
function edgeFilter(scene: Scene, group?: SceneGroup): SvgNode | undefined {
  const { halo, lip, rim, softness, cover } = lookOf(scene);
  if (!halo && !lip && !rim && !softness && !cover) return undefined;
  const grain = grainMm(scene);
  const mm = (grains: number) => formatNumber(grains * grain, 4);
  const region = group ? boxOf(scene, group) : farAround(scene);
  const place = Object.values(region).map((value) => formatNumber(value, 2));
  const id = `edge-${hashText(`${scene.machine} ${scene.backdrop?.finish.material} ${mm(1)} ${place}`)}`;
  return memoize(id, () => {
    const steps: SvgNode[] = [];
    const layers: string[] = [];
    const tint = ({ color, opacity }: Edge, shape: string, result: string) => {
      steps.push(
        svgNode('feFlood', { 'flood-color': color, 'flood-opacity': opacity, result: `${result}-tint` }),
        svgNode('feComposite', { in: `${result}-tint`, in2: shape, operator: 'in', result }),
      );
      layers.push(result);
    };
    /** Adds the crescent between the mark and the mark shifted down: inside the mark, or outside it. */
    const crescent = (edge: Edge, result: string, isInside: boolean) => {
      const shiftedId = `${result}-moved`;
      steps.push(
        svgNode('feOffset', { in: 'SourceAlpha', dx: '0', dy: mm(edge.reach), result: shiftedId }),
        svgNode('feComposite', {
          in: isInside ? 'SourceAlpha' : shiftedId,
          in2: isInside ? shiftedId : 'SourceAlpha',
          operator: 'out',
          result: `${result}-shape`,
        }),
      );
      tint(edge, `${result}-shape`, result);
    };
    if (halo) {
      steps.push(svgNode('feGaussianBlur', { in: 'SourceAlpha', stdDeviation: mm(halo.reach), result: 'halo-shape' }));
      tint(halo, 'halo-shape', 'halo');
    }
    if (lip) crescent(lip, 'lip', false);
    if (softness) {
      steps.push(svgNode('feGaussianBlur', { in: 'SourceGraphic', stdDeviation: mm(softness), result: 'soft' }));
    }
    steps.push(
      svgNode('feComponentTransfer', { in: softness ? 'soft' : 'SourceGraphic', result: 'body' }, [
        svgNode('feFuncA', { type: 'linear', slope: cover ?? 1 }),
      ]),
    );
    layers.push('body');
    if (rim) crescent(rim, 'rim', true);
    steps.push(
      svgNode(
        'feMerge',
        {},
        layers.map((layer) => svgNode('feMergeNode', { in: layer })),
      ),
    );
    return svgNode(
      'filter',
      {
        id,
        filterUnits: 'userSpaceOnUse',
        ...region,
        'color-interpolation-filters': 'sRGB',
      },
      steps,
    );
  });
}

const farAround = ({ widthMm, heightMm }: Scene) => ({
  x: -2 * widthMm,
  y: -2 * heightMm,
  width: 5 * widthMm,
  height: 5 * heightMm,
});

/** How far the edge of marks reaches around their ink, mm. A blur ends at three times its deviation. */
function reachOf(scene: Scene): number {
  const { halo, lip, softness = 0 } = lookOf(scene);
  return (1 + Math.max(3 * (halo?.reach ?? 0), lip?.reach ?? 0, 3 * softness)) * grainMm(scene);
}

/** Returns the box of an element's ink with room for its edge, clipped to the frame. */
function boxOf(scene: Scene, { corners }: SceneGroup) {
  const { widthMm, heightMm, wrap } = scene;
  const room = reachOf(scene);
  const xs = corners.map((corner) => corner.x);
  const ys = corners.map((corner) => corner.y);
  // On a round blank the frame is elsewhere in the picture, and what lies outside of it is left out already.
  const [least, mostX, mostY] = wrap ? [-Infinity, Infinity, Infinity] : [0, widthMm, heightMm];
  const x = Math.min(mostX, Math.max(least, Math.min(...xs) - room));
  const y = Math.min(mostY, Math.max(least, Math.min(...ys) - room));
  const right = Math.min(mostX, Math.max(...xs) + room);
  const bottom = Math.min(mostY, Math.max(...ys) + room);
  // A filter without an area is an error in SVG; 0.1 mm shows nothing, because nothing is in the frame.
  return { x, y, width: Math.max(0.1, right - x), height: Math.max(0.1, bottom - y) };
}

function lookOf({ machine, backdrop }: Scene): MarkLook {
  const material = backdrop?.finish.material;
  if (material === undefined) return plain;
  if (machine === 'laser') return marks[material] ?? plain;
  if (machine === 'dtf') return film;
  if (machine === 'sublimation' || material === 'cotton') return dye;
  return ink;
}

function grainMm({ backdrop, widthMm, heightMm }: Scene): number {
  return (
    (backdrop ? Math.max(backdrop.pictureWidthMm, backdrop.pictureHeightMm) : 2 * Math.max(widthMm, heightMm)) / 1000
  );
}

const writeLinear = ({ a, b, c, d }: Matrix) =>
  `matrix(${[a, b, c, d].map((value) => Number(value.toPrecision(6))).join(' ')} 0 0)`;

/** Draws brushed steel: bands of gray-blue light, and over them the brushed picture if there is one. */
function steelPattern(id: string, transform: string, color: string | undefined, href: string | undefined): SvgNode {
  const side = { width: STEEL_SIDE, height: STEEL_SIDE };
  // Steel under a removed coat is as bright as the product's mark color; brushed into bare metal it is gray-blue.
  const shade =
    color === undefined
      ? { fill: STAINLESS, opacity: 0.5 }
      : { fill: '#10141a', opacity: Math.max(0, 1 - lightness(color) / STEEL_LIGHTNESS) };
  return svgNode('pattern', { id, ...side, patternUnits: 'userSpaceOnUse', patternTransform: transform }, [
    svgNode(
      'linearGradient',
      { id: `${id}-bands`, gradientUnits: 'userSpaceOnUse', x1: '0', y1: '0', x2: '0', y2: STEEL_SIDE },
      [
        ['0', '#8D9BA9'],
        ['0.18', '#C9D0D6'],
        ['0.32', '#A3AEB9'],
        ['0.5', '#DDE2E6'],
        ['0.66', '#98A5B2'],
        ['0.84', '#C3CBD2'],
        ['1', '#8D9BA9'],
      ].map(([offset, stop]) => svgNode('stop', { offset, 'stop-color': stop })),
    ),
    svgNode('rect', { ...side, fill: `url(#${id}-bands)` }),
    ...(href === undefined
      ? []
      : [svgNode('image', { href, ...side, opacity: BRUSHED_OPACITY, preserveAspectRatio: 'none' })]),
    ...(shade.opacity > 0 ? [svgNode('rect', { ...side, fill: shade.fill, 'fill-opacity': shade.opacity })] : []),
  ]);
}

/** Side of the brushed picture in grains: one of its 512 px is one px of a mockup. */
const STEEL_SIDE = 256;
const STEEL_LIGHTNESS = 0.78;
const BRUSHED_OPACITY = 0.87;

function texturePattern(id: string, transform: string, color: string, texture: Texture): SvgNode {
  const { side, count, length, thickness, tones, turn = 0 } = texture;
  const random = seededRandom(side * count);
  const strokes = tones.map(() => [] as string[]);
  for (let i = 0; i < count; i++) {
    const angle = turn * random() * Math.PI;
    const reach = length * (0.3 + 0.7 * random());
    const [dx, dy] = [reach * Math.cos(angle), reach * Math.sin(angle)];
    const [x, y] = [random() * side, random() * side];
    // A stroke that leaves the tile on one side is drawn again on the other.
    for (const [ox, oy] of [
      [0, 0],
      [-side, 0],
      [0, -side],
    ] as const) {
      if ((ox && x + dx + thickness < side && x + dx > 0) || (oy && y + dy + thickness < side)) continue;
      strokes[i % tones.length]!.push(`M${tenth(x + ox)} ${tenth(y + oy)}l${tenth(dx)} ${tenth(dy)}`);
    }
  }
  return svgNode(
    'pattern',
    { id, width: side, height: side, patternUnits: 'userSpaceOnUse', patternTransform: transform },
    [
      svgNode('rect', { width: side, height: side, fill: color }),
      ...tones.map(([stroke, opacity], k) =>
        svgNode('path', {
          d: strokes[k]!.join(''),
          fill: 'none',
          stroke,
          'stroke-opacity': opacity,
          'stroke-width': thickness,
          'stroke-linecap': 'round',
        }),
      ),
    ],
  );
}

const tenth = (value: number) => formatNumber(value, 1);

const nodeCache = new Map<string, SvgNode>();
const MAX_CACHED = 64;

/** Returns the same node for the same id, so that a page that has drawn it has nothing to do. */
function memoize(id: string, make: () => SvgNode): SvgNode {
  let node = nodeCache.get(id);
  if (!node) {
    if (nodeCache.size >= MAX_CACHED) nodeCache.clear();
    node = make();
    nodeCache.set(id, node);
  }
  return node;
}
