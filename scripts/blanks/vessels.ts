/** Things that are turned round an upright axis and seen from the front: their shape, shading and rims. */
import { type Attributes, type Drawing, mix, num, type Point, type Stop, shade } from './drawing.ts';
import { at, curve } from './outlines.ts';

/** Radii from top to bottom, in pixels. */
export interface Vessel {
  readonly cx: number;
  /** Heights and radii. Between them the side is straight, or smooth when `isSmooth`. */
  readonly profile: readonly (readonly [y: number, radius: number])[];
  readonly isSmooth?: boolean;
  /** Radius of the rounding at the bottom. */
  readonly foot?: number;
}

/** How far a level circle seems to bend down in front, as a share of its radius: the eye is a little above. */
const TILT = 0.045;

/** Stops across a body that is lit from a wide window at the left and a narrow one at the right. */
export const ceramicStops: readonly Stop[] = [
  [0, '#a8a49d'],
  [0.015, '#c4c0b9'],
  [0.05, '#dcd9d3'],
  [0.12, '#f1efeb'],
  [0.2, '#fbfaf8'],
  [0.32, '#ffffff'],
  [0.46, '#fdfcfb'],
  [0.6, '#f3f1ee'],
  [0.74, '#e2dfda'],
  [0.85, '#cecac3'],
  [0.92, '#bcb7af'],
  [0.955, '#c2beb6'],
  [0.98, '#d3d0c9'],
  [1, '#a39e96'],
];
export const polishedStops: readonly Stop[] = [
  [0, '#4a4c4f'],
  [0.05, '#9fa2a5'],
  [0.14, '#f7f8f8'],
  [0.24, '#ffffff'],
  [0.3, '#b9bcbf'],
  [0.42, '#8c8f93'],
  [0.6, '#c9cbcd'],
  [0.74, '#6d7074'],
  [0.84, '#505357'],
  [0.93, '#c8cacc'],
  [0.97, '#8c8f92'],
  [1, '#4b4d50'],
];
export const brushedStops: readonly Stop[] = [
  [0, '#5f6164'],
  [0.025, '#8b8d90'],
  [0.07, '#c2c4c6'],
  [0.13, '#e9eaeb'],
  [0.2, '#fdfdfd'],
  [0.25, '#f1f2f2'],
  [0.34, '#cfd1d3'],
  [0.47, '#bfc1c4'],
  [0.6, '#b2b4b7'],
  [0.71, '#9c9ea2'],
  [0.8, '#85878b'],
  [0.87, '#7a7c80'],
  [0.92, '#9a9ca0'],
  [0.96, '#d2d3d5'],
  [0.985, '#a4a6a9'],
  [1, '#66686b'],
];

/** Powder coat: satin, with a broad light and an edge that catches the second one. */
export const coatStops = (color: string): Stop[] =>
  (
    [
      [0, -0.43],
      [0.02, -0.26],
      [0.045, 0.05],
      [0.075, -0.12],
      [0.14, 0.02],
      [0.21, 0.2],
      [0.28, 0.23],
      [0.36, 0.12],
      [0.48, 0],
      [0.62, -0.1],
      [0.75, -0.24],
      [0.86, -0.36],
      [0.925, -0.38],
      [0.96, -0.15],
      [0.982, 0],
      [1, -0.43],
    ] as const
  ).map(([offset, by]) => [offset, shade(color, by)]);

/** Returns the radius at a height. */
export function radiusAt({ profile, isSmooth }: Vessel, y: number): number {
  const last = profile.length - 1;
  if (y <= profile[0]![0]) return profile[0]![1];
  for (let i = 0; i < last; i++) {
    const [y0, r0] = profile[i]!;
    const [y1, r1] = profile[i + 1]!;
    if (y > y1) continue;
    const t = (y - y0) / (y1 - y0);
    if (!isSmooth) return r0 + (r1 - r0) * t;
    const [yb, rb] = profile[Math.max(0, i - 1)]!;
    const [ya, ra] = profile[Math.min(last, i + 2)]!;
    const slope0 = i === 0 ? r1 - r0 : ((r1 - rb) / (y1 - yb)) * (y1 - y0);
    const slope1 = i + 1 === last ? r1 - r0 : ((ra - r0) / (ya - y0)) * (y1 - y0);
    const [t2, t3] = [t * t, t * t * t];
    return (2 * t3 - 3 * t2 + 1) * r0 + (t3 - 2 * t2 + t) * slope0 + (3 * t2 - 2 * t3) * r1 + (t3 - t2) * slope1;
  }
  return profile[last]![1];
}

/**
 * Sets the surface of a drawing whose print area lies on a vessel: its diameters at the ends of the area. A side that
 * bends by more than a thirtieth of its width is no cone, and is laid on as a cylinder of its mean diameter (Simpson's
 * rule).
 * `arcMm` is how much of the circumference a handle leaves.
 */
export function setSurface(drawing: Drawing, vessel: Vessel, arcMm?: number): void {
  const { y, height } = drawing.printArea;
  const diameters = [0, 0.5, 1].map((part) => (2 * radiusAt(vessel, 1200 * (y + part * height))) / drawing.pxPerMm);
  const [top, middle, bottom] = diameters as [number, number, number];
  const arc = arcMm === undefined ? {} : { arcMm };
  const mean = (top + 4 * middle + bottom) / 6;
  // Of a side that bends a little, which the cone's straight one lies between.
  const swell = mean - (top + bottom) / 2;
  const isBent = Math.abs(middle - (top + bottom) / 2) > middle / 30;
  const isStraight = Math.abs(top - bottom) < 0.5;
  drawing.surface =
    isBent || isStraight
      ? { kind: 'cylinder', diameterMm: tenth(mean), ...arc }
      : {
          kind: 'cone',
          topDiameterMm: tenth(top + swell),
          bottomDiameterMm: tenth(bottom + swell),
          heightMm: tenth((1200 * height) / drawing.pxPerMm),
          ...arc,
        };
}

const tenth = (mm: number): number => Number(mm.toFixed(1));

export const topOf = ({ profile }: Vessel): number => profile[0]![0];
export const bottomOf = ({ profile }: Vessel): number => profile.at(-1)![0];
export const widestOf = ({ profile }: Vessel): number => Math.max(...profile.map(([, radius]) => radius));

/** Returns points on the side, `share` of the radius from the axis, from `fromY` to `toY`. */
function sidePoints(vessel: Vessel, share: number, fromY = topOf(vessel), toY = bottomOf(vessel)): Point[] {
  const inner = vessel.profile.map(([y]) => y).filter((y) => y > fromY && y < toY);
  const count = vessel.isSmooth ? vessel.profile.length + 2 : 0;
  const heights = vessel.isSmooth
    ? // Enough for one that bends twice, and few, because each strip repeats them.
      Array.from({ length: count }, (_, i) => fromY + ((toY - fromY) * i) / (count - 1))
    : [fromY, ...inner, toY];
  return heights.map((y) => [vessel.cx + share * radiusAt(vessel, y), y]);
}

const sidePath = (vessel: Vessel, points: readonly Point[]): string =>
  vessel.isSmooth ? curve(points) : `M${points.map(at).join('L')}`;

/** Returns the outline of the body. Its top is straight; its bottom bends like the circle that it is. */
export function bodyOutline(vessel: Vessel): string {
  const { cx, foot = 0 } = vessel;
  const bottom = bottomOf(vessel);
  const footY = bottom - foot;
  const right = sidePoints(vessel, 1, topOf(vessel), footY);
  const radius = radiusAt(vessel, bottom);
  const inset = radius - foot * 0.8;
  const sag = TILT * radius;
  const left = right.map(([x, y]): Point => [2 * cx - x, y]).reverse();
  const rest = sidePath(vessel, left).replace(/^M[-\d.]+ [-\d.]+/, '');
  return (
    `${sidePath(vessel, right)}Q${at([cx + radius, bottom])} ${at([cx + inset, bottom + sag * 0.35])}` +
    `Q${at([cx, bottom + sag * 1.7])} ${at([cx - inset, bottom + sag * 0.35])}` +
    `Q${at([cx - radius, bottom])} ${at([2 * cx - right.at(-1)![0], footY])}${rest}Z`
  );
}

/** Draws the shadow on the table: a wide soft one, and the dark line of contact. */
export function drawContact(drawing: Drawing, [cx, y]: Point, radius: number): void {
  const wide: Stop[] = [
    [0, '#120c06', 0.5],
    [0.5, '#120c06', 0.24],
    [0.8, '#120c06', 0.06],
    [1, '#120c06', 0],
  ];
  const near: Stop[] = [
    [0, '#0a0603', 0.8],
    [0.7, '#0a0603', 0.45],
    [1, '#0a0603', 0],
  ];
  drawing.ellipse([cx + radius * 0.13, y], radius * 1.29, Math.max(12, radius * 0.1), { fill: drawing.glow(wide) });
  drawing.ellipse([cx + 3, y - 2], radius * 0.99, Math.max(6, radius * 0.035), { fill: drawing.glow(near) });
}

/** Strips whose tones differ by less, of 255, look like one. */
const LEAST_STEP = 3;

/**
 * Paints a body so that every tone follows the side. A straight one needs one gradient. Others are painted in strips,
 * each up to the right edge, so that no seam shows; strips are narrow where the tone changes.
 */
export function paintBody(
  drawing: Drawing,
  vessel: Vessel,
  stops: readonly Stop[],
  outline = bodyOutline(vessel),
): void {
  const { cx } = vessel;
  const widest = widestOf(vessel);
  const radii = vessel.profile.map(([, radius]) => radius);
  if (Math.min(...radii) > widest * 0.985) {
    drawing.path(outline, { fill: drawing.across(cx - widest, cx + widest, stops) });
    return;
  }
  const below = bottomOf(vessel) + 40;
  drawing.inside(outline, () => {
    drawing.path(outline, { fill: stops[0]![1] });
    let last = stops[0]![1];
    for (let i = 1; i < 240; i++) {
      const offset = i / 240;
      const color = colorAt(stops, offset);
      if (colorDistance(color, last) < LEAST_STEP) continue;
      last = color;
      const points = sidePoints(vessel, 2 * offset - 1);
      const far = num(cx + widest + 2);
      drawing.path(`${sidePath(vessel, [...points])}V${num(below)}H${far}V${num(topOf(vessel))}Z`, { fill: color });
    }
  });
}

function colorAt(stops: readonly Stop[], offset: number): string {
  const next = stops.findIndex(([at]) => at >= offset);
  if (next <= 0) return stops.at(next)![1];
  const [from, to] = [stops[next - 1]!, stops[next]!];
  return mix(from[1], to[1], (offset - from[0]) / (to[0] - from[0]));
}

const colorDistance = (a: string, b: string): number =>
  Math.max(
    ...[1, 3, 5].map((i) => Math.abs(Number.parseInt(a.slice(i, i + 2), 16) - Number.parseInt(b.slice(i, i + 2), 16))),
  );

/** Draws light that lies on the side between two shares of the radius, from -1 at the left to 1 at the right. */
export function drawStreak(
  drawing: Drawing,
  vessel: Vessel,
  [from, to]: readonly [number, number],
  [fromY, toY]: readonly [number, number],
  look: Attributes,
): void {
  const left = sidePoints(vessel, from, fromY, toY);
  const right = sidePoints(vessel, to, fromY, toY).reverse();
  const rest = sidePath(vessel, right).replace(/^M/, 'L');
  drawing.path(`${sidePath(vessel, left)}${rest}Z`, look);
}

/** Draws a line round the body at a height. */
export function drawRing(drawing: Drawing, vessel: Vessel, y: number, look: Attributes, share = 1): void {
  const radius = radiusAt(vessel, y) * share;
  drawing.path(ringPath(vessel.cx, y, radius), { fill: 'none', ...look });
}

export const ringPath = (cx: number, y: number, radius: number): string =>
  `M${num(cx - radius)} ${num(y)}Q${at([cx, y + 2 * TILT * radius])} ${at([cx + radius, y])}`;

/** Returns the outline of a band round the body between two heights. */
export function bandOutline({ cx }: Vessel, [y0, r0]: Point, [y1, r1]: Point): string {
  return (
    `M${num(cx - r0)} ${num(y0)}Q${at([cx, y0 + 2 * TILT * r0])} ${at([cx + r0, y0])}` +
    `L${at([cx + r1, y1])}Q${at([cx, y1 + 2 * TILT * r1])} ${at([cx - r1, y1])}Z`
  );
}

/** Draws the open top of a cup: its lip, and the inner side that is seen over it. */
export function drawOpenTop(
  drawing: Drawing,
  [cx, y]: Point,
  radius: number,
  { lip, inner, wall }: { lip: readonly Stop[]; inner: readonly Stop[]; wall: number },
): void {
  const depth = TILT * radius;
  const inside = radius - wall;
  drawing.ellipse([cx, y], radius, depth, { fill: drawing.across(cx - radius, cx + radius, lip) });
  drawing.ellipse([cx, y + depth * 0.04], inside, depth * (inside / radius) * 0.78, {
    fill: drawing.across(cx - radius, cx + radius, inner),
  });
  drawing.ellipse([cx, y + depth * 0.04], inside, depth * (inside / radius) * 0.78, {
    fill: drawing.down(y - depth, y + depth, [
      [0, '#000', 0.32],
      [0.6, '#000', 0.08],
      [1, '#000', 0],
    ]),
  });
  drawing.path(
    `M${num(cx - radius + 1)} ${num(y + 2)}A${num(radius - 1)} ${num(depth)} 0 0 0 ${num(cx + radius - 1)} ${num(y + 2)}`,
    {
      fill: 'none',
      stroke: drawing.across(cx - radius, cx + radius, [
        [0, '#fff', 0.25],
        [0.3, '#fff', 0.95],
        [0.6, '#fff', 0.7],
        [1, '#fff', 0.35],
      ]),
      'stroke-width': Math.max(1.6, wall * 0.1),
    },
  );
}

/** Draws a round bar along a path, lit from the upper left: many strokes, each narrower and lighter. */
export function drawTube(
  drawing: Drawing,
  d: string,
  width: number,
  tones: readonly string[],
  look: Attributes = { 'stroke-linejoin': 'round' },
): void {
  const steps = 18;
  drawing.group({ fill: 'none', ...look }, () => {
    for (let i = 0; i <= steps; i++) {
      const t = i / steps;
      const place = t * (tones.length - 1);
      const k = Math.min(tones.length - 2, Math.floor(place));
      const shift = num(-width * 0.16 * t ** 1.6);
      drawing.path(d, {
        stroke: mix(tones[k]!, tones[k + 1]!, place - k),
        'stroke-width': Number((width * (1 - 0.92 * t ** 1.25)).toFixed(1)),
        transform: i === 0 ? undefined : `translate(${shift} ${shift})`,
      });
    }
  });
}

/** From the dark edge to the light of a round bar. */
export const ceramicTube = ['#a19b93', '#c4c0b8', '#d9d5cf', '#e8e6e1', '#f4f3f0', '#fcfcfb', '#ffffff'];
export const coatTube = (color: string): string[] =>
  [-0.5, -0.3, -0.12, 0, 0.1, 0.22, 0.34].map((by) => shade(color, by));

/** Darkens a body toward its bottom and below its top, as a room does. */
export function drawRoomShade(drawing: Drawing, vessel: Vessel, strength = 1, outline = bodyOutline(vessel)): void {
  const [top, bottom] = [topOf(vessel), bottomOf(vessel)];
  drawing.path(outline, {
    fill: drawing.down(top, bottom + 10, [
      [0, '#3a3026', 0.14 * strength],
      [0.03, '#3a3026', 0.02 * strength],
      [0.06, '#3a3026', 0],
      [0.55, '#3a3026', 0],
      [0.78, '#3a3026', 0.05 * strength],
      [0.9, '#3a3026', 0.13 * strength],
      [0.97, '#3a3026', 0.3 * strength],
      [1, '#3a3026', 0.5 * strength],
    ]),
  });
}
