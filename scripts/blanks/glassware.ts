/** Clear glass, seen against a gray ground, so that a frosted mark shows on it. */
import type { Blank } from './blank.ts';
import { Drawing, num, type Point, type Stop } from './drawing.ts';
import { polygon, roundRect } from './outlines.ts';
import { drawBambooGrain } from './surfaces.ts';
import {
  bodyOutline,
  bottomOf,
  drawContact,
  drawRing,
  drawStreak,
  radiusAt,
  ringPath,
  setSurface,
  topOf,
  type Vessel,
  widestOf,
} from './vessels.ts';

/** Glass is darkest where the eye looks along the wall, and shows what is behind it in the middle. */
const glassStops: readonly Stop[] = [
  [0, '#454b4e', 0.92],
  [0.02, '#939a9d', 0.8],
  [0.045, '#dde1e2', 0.74],
  [0.075, '#838b8e', 0.74],
  [0.14, '#959da0', 0.72],
  [0.3, '#a4abae', 0.7],
  [0.55, '#9aa2a5', 0.7],
  [0.8, '#8a9195', 0.72],
  [0.91, '#798084', 0.76],
  [0.945, '#c8cccf', 0.76],
  [0.97, '#71797c', 0.82],
  [1, '#3c4144', 0.94],
];

interface Glass {
  readonly vessel: Vessel;
  /** Thickness of the base. */
  readonly base: number;
  readonly wall: number;
}

function drawGlass(drawing: Drawing, { vessel, base, wall }: Glass): void {
  const { cx } = vessel;
  const [top, bottom] = [topOf(vessel), bottomOf(vessel)];
  const rim = radiusAt(vessel, top);
  const widest = widestOf(vessel);
  const outline = bodyOutline(vessel);
  // The far rim, seen through the opening.
  drawing.path(`M${num(cx - rim)} ${top}A${num(rim)} ${num(rim * 0.05)} 0 0 1 ${num(cx + rim)} ${top}`, {
    fill: '#afb5b7',
    'fill-opacity': 0.5,
  });
  drawing.path(outline, { fill: drawing.across(cx - widest, cx + widest, glassStops) });
  drawing.inside(outline, () => {
    drawing.path(outline, {
      fill: drawing.down(top, bottom, [
        [0, '#fff', 0.16],
        [0.3, '#fff', 0],
        [0.75, '#22282b', 0],
        [1, '#22282b', 0.16],
      ]),
    });
    // Edges follow the side where it slopes.
    for (const side of [-1, 1] as const) {
      const heights: Point = [top, bottom + 30];
      const share = (px: number) => (side * (widest - px)) / widest;
      drawStreak(drawing, vessel, [side, share(wall * 0.42)], heights, { fill: '#34393c', 'fill-opacity': 0.62 });
      drawStreak(drawing, vessel, [share(wall * 0.42), share(wall * 0.85)], heights, {
        fill: '#f1f3f4',
        'fill-opacity': side < 0 ? 0.7 : 0.5,
      });
      drawStreak(drawing, vessel, [share(wall * 0.85), share(wall * 1.25)], heights, {
        fill: '#42484b',
        'fill-opacity': 0.35,
      });
    }
  });
  drawBase(drawing, { vessel, base, wall });
  drawing.inside(outline, () => {
    const light = (opacity: number) =>
      drawing.down(top, bottom - base, [
        [0, '#fff', opacity * 0.5],
        [0.12, '#fff', opacity],
        [0.6, '#fff', opacity * 0.8],
        [1, '#fff', opacity * 0.1],
      ]);
    const heights: Point = [top + 26, bottom - base - 14];
    drawStreak(drawing, vessel, [-0.82, -0.66], heights, { fill: light(0.5) });
    drawStreak(drawing, vessel, [-0.62, -0.6], heights, { fill: light(0.45) });
    drawStreak(drawing, vessel, [0.74, 0.8], heights, { fill: light(0.34) });
  });
  // The near rim: a bead of light.
  const near = `M${num(cx - rim)} ${top}A${num(rim)} ${num(rim * 0.05)} 0 0 0 ${num(cx + rim)} ${top}`;
  const far = `M${num(cx - rim)} ${top}A${num(rim)} ${num(rim * 0.05)} 0 0 1 ${num(cx + rim)} ${top}`;
  drawing.path(far, { fill: 'none', stroke: '#646b6e', 'stroke-opacity': 0.8, 'stroke-width': 2.6 });
  drawing.path(near, { fill: 'none', stroke: '#495053', 'stroke-opacity': 0.55, 'stroke-width': 5.5 });
  drawing.path(near, {
    fill: 'none',
    stroke: drawing.across(cx - rim, cx + rim, [
      [0, '#fff', 0.4],
      [0.22, '#fff', 1],
      [0.5, '#fff', 0.6],
      [0.8, '#fff', 0.9],
      [1, '#fff', 0.4],
    ]),
    'stroke-width': 2.6,
  });
}

/** The thick base gathers light: dark and bright bands that bend with it. */
function drawBase(drawing: Drawing, { vessel, base }: Glass): void {
  if (base <= 0) return;
  const { cx } = vessel;
  const bottom = bottomOf(vessel);
  const floor = bottom - base;
  drawing.inside(bodyOutline(vessel), () => {
    const radius = radiusAt(vessel, floor);
    drawing.path(`${ringPath(cx, floor, radius)}V${bottom + 40}H${num(cx - radius)}Z`, {
      fill: drawing.down(floor, bottom + 12, [
        [0, '#eceff0', 0.78],
        [0.1, '#bac0c3', 0.6],
        [0.3, '#767e81', 0.6],
        [0.5, '#dfe3e4', 0.6],
        [0.66, '#5c6467', 0.62],
        [0.86, '#c8cdd0', 0.66],
        [1, '#43494c', 0.85],
      ]),
    });
    drawing.path(`${ringPath(cx, floor, radius)}V${bottom + 40}H${num(cx - radius)}Z`, {
      fill: drawing.across(cx - radius, cx + radius, [
        [0, '#282e32', 0.6],
        [0.1, '#fff', 0.3],
        [0.24, '#fff', 0.45],
        [0.34, '#282e32', 0.1],
        [0.5, '#fff', 0.12],
        [0.72, '#282e32', 0.22],
        [0.9, '#fff', 0.3],
        [1, '#282e32', 0.6],
      ]),
    });
    drawing.path(ringPath(cx, floor, radius * 0.96), {
      fill: 'none',
      stroke: '#fff',
      'stroke-opacity': 0.85,
      'stroke-width': 3,
    });
    drawing.path(ringPath(cx, floor + 5, radius * 0.96), {
      fill: 'none',
      stroke: '#3b4144',
      'stroke-opacity': 0.5,
      'stroke-width': 4,
    });
  });
}

function drawPint(): Drawing {
  // 16 oz mixing glass: 3.5 in at the rim, 2.4 in at the foot, 5.9 in tall.
  const drawing = new Drawing('glass-16oz-pint', 6.1);
  const cx = 600;
  const [top, bottom] = [186, 186 + drawing.inches(5.88)];
  const vessel: Vessel = {
    cx,
    profile: [
      [top, drawing.inches(3.5) / 2],
      [bottom, drawing.inches(2.4) / 2],
    ],
    foot: 14,
  };
  drawContact(drawing, [cx, bottom + 6], drawing.inches(2.4) / 2);
  drawGlass(drawing, { vessel, base: 54, wall: 15 });
  drawing.setPrintArea([cx, top + 378], 2, 3.4);
  setSurface(drawing, vessel);
  return drawing;
}

function drawRocks(): Drawing {
  // 11 oz: 3.3 in across, 3.6 in tall.
  const drawing = new Drawing('glass-11oz-whiskey', 8.8);
  const cx = 600;
  const radius = drawing.inches(3.35) / 2;
  const [top, bottom] = [214, 214 + drawing.inches(3.6)];
  const vessel: Vessel = {
    cx,
    profile: [
      [top, radius],
      [bottom, radius * 0.955],
    ],
    foot: 28,
  };
  drawContact(drawing, [cx, bottom + 8], radius * 0.94);
  drawGlass(drawing, { vessel, base: 118, wall: 26 });
  drawing.setPrintArea([cx, top + 342], 2.4, 2.2);
  setSurface(drawing, vessel);
  return drawing;
}

function drawFlute(): Drawing {
  // 6 oz: 2.25 in across the bowl, 8.6 in tall.
  const drawing = new Drawing('glass-6oz-champagne-flute', 4.75);
  const cx = 600;
  const top = 76;
  const foot = top + drawing.inches(8.55);
  const wide = drawing.inches(2.25) / 2;
  const bowlEnd = top + 690;
  drawContact(drawing, [cx, foot + 4], drawing.inches(2.6) / 2);
  // The foot: a disk that rises to the stem.
  const disk = drawing.inches(2.6) / 2;
  const flat = `M${num(cx - disk)} ${num(foot - 6)}Q${num(cx - 60)} ${num(foot - 26)} ${cx - 10} ${num(foot - 74)}H${cx + 10}Q${num(cx + 60)} ${num(foot - 26)} ${num(cx + disk)} ${num(foot - 6)}Q${num(cx + disk)} ${num(foot + 10)} ${cx} ${num(foot + 12)}Q${num(cx - disk)} ${num(foot + 10)} ${num(cx - disk)} ${num(foot - 6)}Z`;
  drawing.path(flat, {
    fill: drawing.across(cx - disk, cx + disk, [
      [0, '#4b5154', 0.9],
      [0.06, '#d3d8d9', 0.8],
      [0.2, '#9aa1a4', 0.72],
      [0.4, '#f0f2f3', 0.75],
      [0.52, '#8c9498', 0.72],
      [0.8, '#a6adb0', 0.7],
      [0.95, '#e5e9ea', 0.8],
      [1, '#4b5154', 0.9],
    ]),
  });
  drawing.path(
    `M${num(cx - disk + 2)} ${num(foot - 3)}Q${cx} ${num(foot + 20)} ${num(cx + disk - 2)} ${num(foot - 3)}`,
    { fill: 'none', stroke: '#fff', 'stroke-opacity': 0.85, 'stroke-width': 3 },
  );
  drawing.path(`M${num(cx - disk)} ${num(foot - 6)}Q${cx} ${num(foot - 28)} ${num(cx + disk)} ${num(foot - 6)}`, {
    fill: 'none',
    stroke: '#fff',
    'stroke-opacity': 0.4,
    'stroke-width': 2,
  });
  const stem = roundRect(cx - 11, bowlEnd - 20, 22, foot - bowlEnd - 40, 0);
  drawing.path(stem, {
    fill: drawing.across(cx - 11, cx + 11, [
      [0, '#3a4043', 0.95],
      [0.16, '#aeb4b7', 0.9],
      [0.34, '#ffffff', 0.95],
      [0.5, '#8e9699', 0.85],
      [0.78, '#626a6d', 0.9],
      [0.9, '#dadfe0', 0.9],
      [1, '#3a4043', 0.95],
    ]),
  });
  const vessel: Vessel = {
    cx,
    isSmooth: true,
    profile: [
      [top, wide * 0.88],
      [top + 200, wide * 0.985],
      [top + 370, wide],
      [top + 520, wide * 0.84],
      [top + 630, wide * 0.46],
      [bowlEnd, 13],
    ],
    foot: 4,
  };
  drawGlass(drawing, { vessel, base: 0, wall: 10 });
  drawing.setPrintArea([cx, top + 300], 1.2, 2.4);
  setSurface(drawing, vessel);
  return drawing;
}

function drawGlassCan(): Drawing {
  // 16 oz frosted can: 2.95 in across, 5.4 in tall, bamboo lid.
  const drawing = new Drawing('glass-16oz-can-frosted', 6.1);
  const cx = 590;
  const radius = drawing.inches(2.95) / 2;
  const top = 272;
  const bottom = top + drawing.inches(5.3);
  const vessel: Vessel = {
    cx,
    isSmooth: true,
    profile: [
      [top, radius * 0.845],
      [top + 26, radius * 0.86],
      [top + 74, radius * 0.965],
      [top + 112, radius],
      [top + 400, radius],
      [bottom - 74, radius],
      [bottom - 30, radius * 0.95],
      [bottom, radius * 0.83],
    ],
    foot: 12,
  };
  drawContact(drawing, [cx, bottom + 8], radius * 0.85);
  const straw = polygon([
    [cx + 66, 92, 5],
    [cx + 96, 98, 5],
    [cx + 52, top - 20],
    [cx + 22, top - 20],
  ]);
  drawing.path(straw, {
    fill: drawing.linear(
      [cx + 40, 180],
      [cx + 72, 186],
      [
        [0, '#7f8d94', 0.9],
        [0.2, '#e6edf0', 0.9],
        [0.4, '#ffffff', 0.95],
        [0.7, '#9fb0b8', 0.85],
        [1, '#5c6d75', 0.95],
      ],
    ),
  });
  const body = bodyOutline(vessel);
  drawing.path(body, {
    fill: drawing.across(cx - radius, cx + radius, [
      [0, '#9aa6ab', 0.96],
      [0.02, '#c3cccf', 0.95],
      [0.06, '#dfe6e8', 0.94],
      [0.16, '#f1f5f6', 0.93],
      [0.32, '#f7fafa', 0.93],
      [0.5, '#eef3f4', 0.93],
      [0.7, '#dce4e6', 0.94],
      [0.86, '#c5cfd2', 0.95],
      [0.95, '#d3dcdf', 0.95],
      [1, '#8f9ba0', 0.97],
    ]),
  });
  drawing.inside(body, () => {
    drawing.path(body, {
      fill: drawing.down(top, bottom + 8, [
        [0, '#4a5960', 0.22],
        [0.04, '#4a5960', 0.04],
        [0.12, '#4a5960', 0.13],
        [0.16, '#4a5960', 0.02],
        [0.84, '#4a5960', 0.02],
        [0.92, '#4a5960', 0.16],
        [0.965, '#fff', 0.4],
        [1, '#4a5960', 0.55],
      ]),
    });
    drawStreak(drawing, vessel, [-0.84, -0.7], [top + 120, bottom - 60], {
      fill: drawing.down(top, bottom, [
        [0, '#fff', 0.8],
        [1, '#fff', 0.2],
      ]),
    });
    drawRing(drawing, vessel, top + 22, { stroke: '#fff', 'stroke-opacity': 0.9, 'stroke-width': 4 });
    drawRing(drawing, vessel, top + 28, { stroke: '#6c7b82', 'stroke-opacity': 0.4, 'stroke-width': 4 });
  });
  const lid = roundRect(cx - radius * 0.93, top - 44, radius * 1.86, 52, 12);
  drawing.path(lid, {
    fill: drawing.across(cx - radius, cx + radius, [
      [0, '#8d6a3f'],
      [0.06, '#b58f5c'],
      [0.25, '#e6c894'],
      [0.45, '#dcbb85'],
      [0.75, '#c09a63'],
      [0.95, '#a37d49'],
      [1, '#7f5d35'],
    ]),
  });
  drawing.inside(lid, () => {
    drawBambooGrain(drawing, { x: cx - radius, y: top - 44, width: 2 * radius, height: 52 }, 12);
    drawing.path(lid, {
      fill: drawing.down(top - 44, top + 8, [
        [0, '#fff6e0', 0.75],
        [0.14, '#fff6e0', 0.1],
        [0.7, '#3d2610', 0.05],
        [1, '#3d2610', 0.5],
      ]),
    });
  });
  drawing.setPrintArea([cx, (top + bottom) / 2 + 24], 2.1, 3.4);
  setSurface(drawing, vessel);
  return drawing;
}

export const glassware: readonly Blank[] = [
  { productId: 'glass-16oz-pint', draw: drawPint },
  { productId: 'glass-11oz-whiskey', draw: drawRocks },
  { productId: 'glass-6oz-champagne-flute', draw: drawFlute },
  { productId: 'glass-16oz-can-frosted', draw: drawGlassCan },
];
