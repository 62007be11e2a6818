/** Surfaces: what a material looks like, inside a box that the caller clips. */
import { seededRandom } from '@markwright/scene';
import { type Box, type Drawing, num, type Point, type Stop } from './drawing.ts';
import { contourLines, type Field, makeNoise, thin } from './fields.ts';
import { curve, roundRect } from './outlines.ts';

const brush = [
  { stroke: '#fff', opacity: 0.22, width: 1 },
  { stroke: '#000', opacity: 0.09, width: 1 },
  { stroke: '#fff', opacity: 0.12, width: 2.2 },
  { stroke: '#000', opacity: 0.05, width: 2.2 },
] as const;

/** Draws the fine lines of brushed metal, from left to right. */
export function drawBrushing(drawing: Drawing, { x, y, width, height }: Box, seed: number, strength = 1): void {
  const random = seededRandom(seed);
  const spacing = Math.max(8, height / 62);
  drawing.group({ fill: 'none' }, () => {
    for (const { stroke, opacity, width: thickness } of brush) {
      const lines: string[] = [];
      for (let at = y + random() * spacing; at < y + height; at += spacing * (0.7 + 0.6 * random())) {
        const from = x + width * (random() * 0.7 - 0.1);
        lines.push(`M${num(from, 0)} ${num(at)}h${num(width * (0.25 + 0.6 * random()), 0)}`);
      }
      drawing.path(lines.join(''), { stroke, 'stroke-width': thickness, 'stroke-opacity': opacity * strength });
    }
  });
}

/** Draws the fine, straight fibers of bamboo from left to right, with a few nodes. */
export function drawBambooGrain(drawing: Drawing, { x, y, width, height }: Box, seed: number, strips = 1): void {
  const random = seededRandom(seed);
  const layers = [
    { stroke: '#7a5527', opacity: 0.2, thickness: 1.2 },
    { stroke: '#5e3f1b', opacity: 0.16, thickness: 0.8 },
    { stroke: '#fff2d4', opacity: 0.3, thickness: 1.3 },
  ];
  for (const { stroke, opacity, thickness } of layers) {
    const lines: string[] = [];
    const count = Math.round(24 + height * 0.34);
    for (let i = 0; i < count; i++) {
      const from = x + width * (random() * 1.1 - 0.1);
      lines.push(`M${num(from, 0)} ${num(y + random() * height)}h${num(width * (0.06 + 0.3 * random()), 0)}`);
    }
    drawing.path(lines.join(''), { fill: 'none', stroke, 'stroke-width': thickness, 'stroke-opacity': opacity });
  }
  // Nodes: where the cane had its rings.
  const nodes = Array.from({ length: strips * 3 }, () => {
    const strip = Math.floor(random() * strips);
    const stripHeight = height / strips;
    return `M${num(x + width * (0.05 + 0.9 * random()), 0)} ${num(y + strip * stripHeight + 1)}v${num(stripHeight - 2)}`;
  }).join('');
  drawing.path(nodes, { fill: 'none', stroke: '#6b4518', 'stroke-width': 5, 'stroke-opacity': 0.22 });
  drawing.path(nodes, {
    fill: 'none',
    stroke: '#fff0cf',
    'stroke-width': 2,
    'stroke-opacity': 0.3,
    transform: 'translate(4 0)',
  });
}

/** Colors of a wood: its bands from one edge to the other, the late wood of its rings, and its pores. */
export interface Wood {
  readonly bands: readonly string[];
  readonly ring: string;
  readonly ringOpacity: number;
  readonly pore: string;
  readonly poreOpacity: number;
  /** Color of the side that is in the shade. */
  readonly side: string;
}

export const walnut: Wood = {
  bands: ['#6f4a33', '#5b3824', '#7a5238', '#64402a', '#553321', '#6d4730'],
  ring: '#24120a',
  ringOpacity: 0.34,
  pore: '#1c0d06',
  poreOpacity: 0.3,
  side: '#2b180e',
};
export const maple: Wood = {
  bands: ['#e2c193', '#ebcfa4', '#dcb988', '#e8ca9d', '#d9b583', '#e3c497'],
  ring: '#9a6a34',
  ringOpacity: 0.26,
  pore: '#a97a45',
  poreOpacity: 0.16,
  side: '#a87d4c',
};
export const birch: Wood = {
  bands: ['#e9d3ac', '#f0ddba', '#e6cea4', '#eedab5', '#e4cca2', '#ecd7b1'],
  ring: '#b08a55',
  ringOpacity: 0.24,
  pore: '#b8935f',
  poreOpacity: 0.16,
  side: '#b5925e',
};
export const acacia: Wood = {
  bands: ['#9a6338', '#7c4a28', '#ad7444', '#8a5530', '#6f4123', '#a16a3d'],
  ring: '#381c0b',
  ringOpacity: 0.36,
  pore: '#2c1508',
  poreOpacity: 0.24,
  side: '#4a2b15',
};
export const cherry: Wood = {
  bands: ['#a5633c', '#b4704a', '#9a5a35', '#ad6943', '#955632', '#a8673f'],
  ring: '#5a2a12',
  ringOpacity: 0.26,
  pore: '#4d2410',
  poreOpacity: 0.18,
  side: '#55301a',
};

interface Grain {
  readonly seed: number;
  /** The grain runs from top to bottom. */
  readonly isUpright?: boolean;
  /** Distance between rings in pixels. */
  readonly spacing?: number;
  /** How far from the middle the tips of the rings lie, as a share of the width; beyond 0.5 the grain is straight. */
  readonly heart?: number;
}

/**
 * Draws plain-sawn wood over a box: a board cut out of a cone of rings, so that they show as nested arches in the
 * middle and as lines beside it.
 */
export function drawWood(drawing: Drawing, box: Box, wood: Wood, grain: Grain): void {
  const { seed, isUpright = false, spacing = 15, heart = 0.1 } = grain;
  const random = seededRandom(seed);
  const noise = makeNoise(seed);
  const { x, y, width, height } = box;
  const [length, breadth] = isUpright ? [height, width] : [width, height];
  /** From along and across the grain to the picture. */
  const place = ([along, across]: Point): Point => (isUpright ? [x + across, y + along] : [x + along, y + across]);
  const [from, to] = [place([0, 0]), place([length * 0.12, breadth])];
  const last = wood.bands.length - 1;
  drawing.path(roundRect(x, y, width, height, 0), {
    fill: drawing.linear(
      from,
      to,
      wood.bands.map((color, i): Stop => [i / last, color]),
    ),
  });
  const middle = breadth * (0.5 + heart);
  const field: Field = (along, across) => {
    const wave = 34 * noise(along / 420, across / 300) + 12 * noise(along / 130 + 9, across / 90);
    const off = (across - middle + 0.6 * wave) * 1;
    const depth = 260 - (330 * along) / length + wave;
    return Math.hypot(off, depth * 0.9 + 12 * noise(along / 300, 40)) / spacing;
  };
  const reach = Math.ceil((Math.max(middle, breadth - middle) + 320) / spacing);
  const groups = [
    { width: 1.2, opacity: 0.75 },
    { width: 2.4, opacity: 0.55 },
    { width: 5, opacity: 0.3 },
    { width: 13, opacity: 0.16 },
  ].map((look) => ({ ...look, d: [] as string[] }));
  const local = { x: -12, y: -12, width: length + 24, height: breadth + 24 };
  for (let level = 1; level < reach; level++) {
    const lines = contourLines(field, local, [length / 34, Math.max(5, breadth / 70)], level + 0.5 * random());
    const group = groups[Math.floor(random() ** 1.5 * groups.length)]!;
    for (const line of lines) group.d.push(curve(thin(line, length / 15).map(place), false, 0));
  }
  for (const { width: thickness, opacity, d } of groups) {
    if (d.length === 0) continue;
    drawing.path(d.join(''), {
      fill: 'none',
      stroke: wood.ring,
      'stroke-width': thickness,
      'stroke-opacity': Number((wood.ringOpacity * opacity).toFixed(2)),
    });
  }
  const pores = Array.from({ length: 230 }, () => {
    const start: Point = [random() * length, random() * breadth];
    const reachPx = 8 + 26 * random();
    const end: Point = [start[0] + reachPx, start[1] + 5 * noise(start[0] / 200, start[1] / 120)];
    const [a, b] = [place(start), place(end)];
    return `M${num(a[0], 0)} ${num(a[1], 0)}l${num(b[0] - a[0], 0)} ${num(b[1] - a[1], 0)}`;
  });
  drawing.path(pores.join(''), {
    fill: 'none',
    stroke: wood.pore,
    'stroke-width': 1.3,
    'stroke-opacity': wood.poreOpacity,
    'stroke-linecap': 'round',
  });
  drawing.path(roundRect(x, y, width, height, 0), {
    fill: drawing.radial([x + width * 0.28, y + height * 0.2], Math.max(width, height) * 0.9, [
      [0, '#fff2dc', 0.22],
      [0.45, '#fff2dc', 0.06],
      [0.7, '#1a0d05', 0.03],
      [1, '#1a0d05', 0.28],
    ]),
  });
}

/** Draws specks over a box in a tile that repeats: cork, stone, coated board. */
export function speckle(
  drawing: Drawing,
  side: number,
  seed: number,
  tones: readonly { color: string; opacity: number; size: number; count: number }[],
): string {
  const random = seededRandom(seed);
  const content = tones.map(({ color, opacity, size, count }) => {
    const specks = Array.from({ length: count }, () => {
      const [px, py] = [random() * side, random() * side];
      const angle = random() * Math.PI;
      const reach = size * (0.4 + 0.8 * random());
      const line = `l${num(reach * Math.cos(angle))} ${num(reach * Math.sin(angle))}`;
      return copyOverEdges([px, py], side, 2 * size, line);
    }).join('');
    return `<path d="${specks}" fill="none" stroke="${color}" stroke-opacity="${opacity}" stroke-width="${num(size * 0.7)}" stroke-linecap="round"/>`;
  });
  return drawing.pattern(side, side, content.join(''));
}

/** Returns a line in a tile. What leaves the tile on one side comes in on the other. */
function copyOverEdges([x, y]: Point, side: number, reach: number, line: string): string {
  const places = (at: number) => [at, ...(at < reach ? [at + side] : at > side - reach ? [at - side] : [])];
  return places(x)
    .flatMap((px) => places(y).map((py) => `M${num(px, 0)} ${num(py, 0)}${line}`))
    .join('');
}

/** Returns the paint of a pebbled leather over its own color. */
export function pebble(drawing: Drawing, seed: number, strength = 1): string {
  const random = seededRandom(seed);
  const side = 120;
  const marks = Array.from({ length: 150 }, () => {
    const turn = () => num((random() - 0.5) * 9, 0);
    return copyOverEdges([random() * side, random() * side], side, 10, `q${turn()} ${turn()} ${turn()} ${turn()}`);
  }).join('');
  return drawing.pattern(
    side,
    side,
    `<g fill="none" stroke-width="1.4" stroke-linecap="round"><path d="${marks}" stroke="#000" stroke-opacity="${num(0.2 * strength, 2)}"/>` +
      `<path d="${marks}" stroke="#fff" stroke-opacity="${num(0.13 * strength, 2)}" transform="translate(1 1.3)"/></g>`,
  );
}

/** Returns the paint of a plain weave: threads over and under each other. */
export const weave = (drawing: Drawing, side: number, [dark, light]: readonly [string, string], strength = 1): string =>
  drawing.pattern(
    side,
    side,
    `<path d="M0 ${num(side * 0.25)}h${num(side * 0.5)}M${num(side * 0.5)} ${num(side * 0.75)}h${num(side * 0.5)}" stroke="${dark}" stroke-opacity="${num(0.16 * strength, 2)}" stroke-width="${num(side * 0.3)}"/>` +
      `<path d="M${num(side * 0.25)} ${num(side * 0.5)}v${num(side * 0.5)}M${num(side * 0.75)} 0v${num(side * 0.5)}" stroke="${light}" stroke-opacity="${num(0.28 * strength, 2)}" stroke-width="${num(side * 0.24)}"/>`,
  );

/** Returns the paint of a fine knit: no more than a grain, because its loops are smaller than a pixel. */
export const jersey = (drawing: Drawing, strength = 1): string =>
  speckle(drawing, 80, 21, [
    { color: '#000000', opacity: Number((0.1 * strength).toFixed(2)), size: 2, count: 90 },
    { color: '#ffffff', opacity: Number((0.16 * strength).toFixed(2)), size: 2, count: 90 },
  ]);

/** Returns the paint of a knit of dyed and undyed fibers. */
export const heather = (drawing: Drawing): string =>
  speckle(drawing, 107, 27, [
    { color: '#ffffff', opacity: 0.26, size: 2.6, count: 130 },
    { color: '#2f3237', opacity: 0.2, size: 2.6, count: 120 },
    { color: '#5b5f66', opacity: 0.2, size: 2, count: 90 },
  ]);

/** Returns the paint of a twill or canvas: diagonal ribs. */
export const twill = (drawing: Drawing, [dark, light]: readonly [string, string], strength = 1): string =>
  drawing.pattern(
    7,
    7,
    `<path d="M-1 8L8-1M-4.500 4.500L4.500-4.500M2.500 11.500L11.500 2.500" stroke="${dark}" stroke-opacity="${num(0.16 * strength, 2)}" stroke-width="2"/><path d="M.8 8L9.800-1M-2.700 4.500L6.300-4.500" stroke="${light}" stroke-opacity="${num(0.2 * strength, 2)}" stroke-width="1.2"/>`.replace(
      /(\.\d)00/g,
      '$1',
    ),
  );
