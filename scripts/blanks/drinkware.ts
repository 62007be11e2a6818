/** Mugs, tumblers and bottles. One long file, because each of them is a drawing of its own. */

import type { Blank } from './blank.ts';
import { Drawing, mix, num, type Point, type Stop, shade } from './drawing.ts';
import { roundRect } from './outlines.ts';
import { drawBrushing } from './surfaces.ts';
import {
  bandOutline,
  bodyOutline,
  bottomOf,
  brushedStops,
  ceramicStops,
  ceramicTube,
  coatStops,
  coatTube,
  drawContact,
  drawOpenTop,
  drawRing,
  drawRoomShade,
  drawStreak,
  drawTube,
  paintBody,
  polishedStops,
  radiusAt,
  ringPath,
  setSurface,
  topOf,
  type Vessel,
} from './vessels.ts';

const ceramicTop = {
  lip: [
    [0, '#c9c5be'],
    [0.15, '#f6f5f2'],
    [0.35, '#ffffff'],
    [0.7, '#ece9e5'],
    [1, '#bfbab2'],
  ] as Stop[],
  inner: [
    [0, '#8f8a82'],
    [0.12, '#a9a49c'],
    [0.4, '#cdc9c2'],
    [0.75, '#ece9e5'],
    [0.93, '#f7f6f3'],
    [1, '#d8d4ce'],
  ] as Stop[],
};

/** White with the gloss of a glaze or of a sublimation coat: two windows are mirrored in it. */
function drawGloss(drawing: Drawing, vessel: Vessel, strength = 1): void {
  const [top, bottom] = [topOf(vessel), bottomOf(vessel)];
  const room = (bottom - top) * 0.05;
  const light = (opacity: number): string =>
    drawing.down(top, bottom, [
      [0, '#fff', opacity],
      [0.55, '#fff', opacity * 0.75],
      [0.9, '#fff', opacity * 0.25],
      [1, '#fff', 0],
    ]);
  const heights: Point = [top + room, bottom - 1.6 * room];
  drawStreak(drawing, vessel, [-0.86, -0.75], heights, { fill: light(0.85 * strength) });
  drawStreak(drawing, vessel, [0.8, 0.84], heights, { fill: light(0.4 * strength) });
}

/** Draws the shadow that a body casts on the ends of its ear, along a side that may slope. */
function drawEarShade(drawing: Drawing, vessel: Vessel, ear: { d: string; width: number }): void {
  const [top, bottom] = [topOf(vessel), bottomOf(vessel)];
  const [upper, lower] = [top + (bottom - top) * 0.2, top + (bottom - top) * 0.8];
  const slope = (radiusAt(vessel, lower) - radiusAt(vessel, upper)) / (lower - upper);
  const from: Point = [vessel.cx + radiusAt(vessel, upper) - 18, upper];
  const to: Point = [from[0] + 64, from[1] - 64 * slope];
  drawing.path(ear.d, {
    fill: 'none',
    stroke: drawing.linear(from, to, [
      [0, '#1a120a', 0.5],
      [0.4, '#1a120a', 0.17],
      [1, '#1a120a', 0],
    ]),
    'stroke-width': ear.width,
  });
}

/** A mug with an ear at the right. */
function drawCeramicMug(
  drawing: Drawing,
  vessel: Vessel,
  ear: { d: string; width: number },
  shadowRadius: number,
): void {
  const [top, bottom] = [topOf(vessel), bottomOf(vessel)];
  const radius = radiusAt(vessel, top);
  drawContact(drawing, [vessel.cx, bottom + 8], shadowRadius);
  drawTube(drawing, ear.d, ear.width, ceramicTube);
  drawEarShade(drawing, vessel, ear);
  paintBody(drawing, vessel, ceramicStops);
  drawing.inside(bodyOutline(vessel), () => {
    drawRoomShade(drawing, vessel, 0.9);
    drawGloss(drawing, vessel);
  });
  drawOpenTop(drawing, [vessel.cx, top], radius, { ...ceramicTop, wall: radius * 0.08 });
}

function drawMug15oz(): Drawing {
  // 3.4 in across, 4.7 in tall.
  const drawing = new Drawing('mug-15oz-white', 7.3);
  const radius = drawing.inches(3.4) / 2;
  const [cx, top] = [462, 160];
  const bottom = top + drawing.inches(4.7);
  const side = cx + radius;
  const ear = `M${num(side - 22)} ${num(top + 190)}C${num(side + 175)} ${num(top + 150)} ${num(side + 242)} ${num(top + 240)} ${num(side + 226)} ${num(top + 395)}C${num(side + 206)} ${num(top + 640)} ${num(side + 116)} ${num(top + 690)} ${num(side - 22)} ${num(top + 684)}`;
  const vessel: Vessel = {
    cx,
    profile: [
      [top, radius],
      [bottom, radius],
    ],
    foot: 38,
  };
  drawCeramicMug(drawing, vessel, { d: ear, width: 84 }, radius);
  drawing.setPrintArea([cx, (top + bottom) / 2], 2.4, 3.8);
  setSurface(drawing, vessel, 228);
  return drawing;
}

function drawLatteMug(): Drawing {
  // 3.5 in across at the top, 2.4 in at the foot, 4.1 in tall.
  const drawing = new Drawing('mug-12oz-latte-white', 8);
  const [cx, top] = [450, 180];
  const bottom = top + drawing.inches(4.1);
  const [wide, narrow] = [drawing.inches(3.5) / 2, drawing.inches(2.36) / 2];
  const vessel: Vessel = {
    cx,
    isSmooth: true,
    profile: [
      [top, wide],
      [top + 260, wide * 0.925],
      [top + 560, wide * 0.8],
      [bottom - 60, narrow * 1.07],
      [bottom, narrow * 0.98],
    ],
    foot: 26,
  };
  const upper = cx + radiusAt(vessel, top + 180);
  const lower = cx + radiusAt(vessel, top + 610);
  const ear = `M${num(upper - 22)} ${num(top + 168)}C${num(upper + 150)} ${num(top + 96)} ${num(upper + 262)} ${num(top + 190)} ${num(upper + 206)} ${num(top + 356)}C${num(upper + 150)} ${num(top + 510)} ${num(lower + 90)} ${num(top + 600)} ${num(lower - 24)} ${num(top + 622)}`;
  drawCeramicMug(drawing, vessel, { d: ear, width: 72 }, narrow * 1.05);
  drawing.setPrintArea([cx, top + drawing.inches(1.85)], 2, 2.6);
  setSurface(drawing, vessel, 200);
  return drawing;
}

function drawEnamelMug(): Drawing {
  // 12 oz: 3.5 in across, 3.15 in tall, rolled steel rim.
  const drawing = new Drawing('mug-12oz-enamel-white', 8.6);
  const [cx, top] = [450, 260];
  const radius = drawing.inches(3.4) / 2;
  const bottom = top + drawing.inches(3.15);
  const side = cx + radius;
  const vessel: Vessel = {
    cx,
    profile: [
      [top, radius],
      [bottom - 60, radius * 0.985],
      [bottom, radius * 0.955],
    ],
    foot: 56,
  };
  const ear = `M${num(side - 18)} ${num(top + 96)}C${num(side + 96)} ${num(top + 88)} ${num(side + 216)} ${num(top + 86)} ${num(side + 236)} ${num(top + 190)}C${num(side + 256)} ${num(top + 310)} ${num(side + 128)} ${num(top + 470)} ${num(side - 22)} ${num(top + 524)}`;
  drawContact(drawing, [cx, bottom + 10], radius * 0.92);
  // The ear is a strip of sheet steel: seen on its edge, with the inner face behind it.
  drawTube(drawing, ear, 46, ['#8f8b85', '#b7b3ac', '#d5d2cc', '#e9e7e3', '#f6f5f3', '#ffffff']);
  drawing.path(ear, {
    fill: 'none',
    stroke: '#fff',
    'stroke-opacity': 0.55,
    'stroke-width': 4,
    transform: 'translate(-13 -13)',
  });
  drawEarShade(drawing, vessel, { d: ear, width: 46 });
  paintBody(drawing, vessel, ceramicStops);
  drawing.inside(bodyOutline(vessel), () => {
    drawRoomShade(drawing, vessel, 1);
    drawGloss(drawing, vessel, 1);
    drawRing(drawing, vessel, bottom - 62, { stroke: '#57504a', 'stroke-opacity': 0.13, 'stroke-width': 10 });
    drawRing(drawing, vessel, bottom - 56, { stroke: '#fff', 'stroke-opacity': 0.7, 'stroke-width': 3 });
  });
  drawOpenTop(drawing, [cx, top], radius + 7, {
    lip: polishedStops.map(([offset, color]): Stop => [offset, mix(color, '#b9bcbe', 0.35)]),
    inner: ceramicTop.inner,
    wall: 17,
  });
  drawing.path(ringPath(cx, top + 11, radius + 6), {
    fill: 'none',
    stroke: '#2a2521',
    'stroke-opacity': 0.28,
    'stroke-width': 7,
  });
  drawing.path(ringPath(cx, top + 2, radius + 6), {
    fill: 'none',
    stroke: drawing.across(cx - radius, cx + radius, polishedStops),
    'stroke-width': 13,
    'stroke-linecap': 'round',
  });
  drawing.setPrintArea([cx, (top + bottom) / 2 + 14], 2.4, 2.4);
  setSurface(drawing, vessel, 215);
  return drawing;
}

/** A clear plastic lid with a slide, as the stainless tumblers have. */
function drawClearLid(drawing: Drawing, cx: number, y: number, radius: number): void {
  const height = radius * 0.24;
  const top = y - height;
  const tone: Stop[] = [
    [0, '#4d5256', 0.9],
    [0.04, '#9aa0a4', 0.8],
    [0.1, '#6d7377', 0.72],
    [0.18, '#c4cacd', 0.82],
    [0.23, '#f4f7f8', 0.92],
    [0.27, '#b4babd', 0.7],
    [0.4, '#868c90', 0.62],
    [0.6, '#6f7579', 0.64],
    [0.78, '#575d61', 0.72],
    [0.9, '#4a5054', 0.8],
    [0.955, '#a9afb3', 0.85],
    [1, '#42474a', 0.92],
  ];
  const upper = roundRect(cx - radius * 0.86, top, radius * 1.72, height, 14);
  const paint = drawing.across(cx - radius, cx + radius, tone);
  drawing.path(upper, { fill: paint });
  drawing.path(upper, {
    fill: drawing.down(top, y, [
      [0, '#fff', 0.5],
      [0.14, '#fff', 0.12],
      [0.3, '#fff', 0],
      [0.6, '#000', 0.04],
      [1, '#000', 0.42],
    ]),
  });
  drawing.path(roundRect(cx - radius * 0.32, top - 15, radius * 0.64, 17, 7), {
    fill: drawing.down(top - 15, top + 2, [
      [0, '#e4e8ea', 0.95],
      [0.4, '#8b9195', 0.9],
      [1, '#4d5256', 0.95],
    ]),
  });
  drawing.path(`M${num(cx - radius * 0.8)} ${num(top + 3)}H${num(cx + radius * 0.8)}`, {
    fill: 'none',
    stroke: '#fff',
    'stroke-opacity': 0.7,
    'stroke-width': 2.2,
    'stroke-linecap': 'round',
  });
  drawing.path(roundRect(cx - radius * 1.03, y - 3, radius * 2.06, 20, 9), { fill: paint });
  drawing.path(`M${num(cx - radius * 0.98)} ${num(y)}H${num(cx + radius * 0.98)}`, {
    fill: 'none',
    stroke: drawing.across(cx - radius, cx + radius, [
      [0, '#fff', 0.2],
      [0.24, '#fff', 1],
      [0.5, '#fff', 0.28],
      [1, '#fff', 0.2],
    ]),
    'stroke-width': 2.4,
    'stroke-linecap': 'round',
  });
}

/** A straight white tumbler with a steel rim and foot. */
function drawSkinny(
  productId: string,
  pxPerMm: number,
  size: { acrossIn: number; tallIn: number },
  area: Point,
): Drawing {
  const drawing = new Drawing(productId, pxPerMm);
  const cx = 600;
  const radius = drawing.inches(size.acrossIn) / 2;
  const height = drawing.inches(size.tallIn);
  const lid = radius * 0.3;
  const top = 1110 - height + lid;
  const foot = 1110 - 34;
  const vessel: Vessel = {
    cx,
    profile: [
      [top + 34, radius],
      [foot, radius * 0.985],
    ],
    foot: 9,
  };
  drawContact(drawing, [cx, 1110], radius * 0.98);
  const steel = drawing.across(cx - radius, cx + radius, polishedStops);
  const base = bandOutline(vessel, [foot - 2, radius * 0.965], [1104, radius * 0.9]);
  drawing.path(base, { fill: steel });
  drawing.path(base, {
    fill: drawing.down(foot, 1112, [
      [0, '#000', 0.5],
      [0.35, '#000', 0.06],
      [0.75, '#000', 0.12],
      [1, '#000', 0.6],
    ]),
  });
  paintBody(drawing, vessel, ceramicStops);
  drawing.inside(bodyOutline(vessel), () => {
    drawRoomShade(drawing, vessel, 0.75);
    drawGloss(drawing, vessel, 0.9);
  });
  const rim = bandOutline(vessel, [top + 6, radius * 0.985], [top + 36, radius]);
  drawing.path(rim, { fill: steel });
  drawing.path(rim, {
    fill: drawing.down(top, top + 50, [
      [0, '#000', 0.4],
      [0.4, '#fff', 0.1],
      [1, '#000', 0.2],
    ]),
  });
  drawing.path(ringPath(cx, top + 37, radius), {
    fill: 'none',
    stroke: '#2a2521',
    'stroke-opacity': 0.35,
    'stroke-width': 2.5,
  });
  drawClearLid(drawing, cx, top - 4, radius);
  drawing.setPrintArea([cx, (top + 34 + foot) / 2 + 6], area[0], area[1]);
  setSurface(drawing, vessel);
  return drawing;
}

function drawTravelMug(): Drawing {
  // 14 oz: 3.35 in across at the rim, 2.6 in at the foot, 6.9 in tall with its lid.
  const drawing = new Drawing('mug-14oz-travel-white', 5.8);
  const [cx, top, bottom] = [500, 236, 1096];
  const [wide, narrow] = [drawing.inches(3.35) / 2, drawing.inches(2.62) / 2];
  const vessel: Vessel = {
    cx,
    profile: [
      [top, wide],
      [top + 300, wide * 0.955],
      [bottom, narrow],
    ],
    foot: 20,
  };
  const side = cx + wide;
  drawContact(drawing, [cx, bottom + 8], narrow);
  const ear = `M${num(side - 20)} ${num(top + 105)}C${num(side + 60)} ${num(top + 96)} ${num(side + 150)} ${num(top + 84)} ${num(side + 168)} ${num(top + 170)}C${num(side + 182)} ${num(top + 300)} ${num(side + 120)} ${num(top + 500)} ${num(side + 20)} ${num(top + 566)}C${num(side)} ${num(top + 580)} ${num(side - 30)} ${num(top + 582)} ${num(side - 64)} ${num(top + 580)}`;
  drawTube(drawing, ear, 54, coatTube('#2b2d30'));
  drawing.path(ear, {
    fill: 'none',
    stroke: '#fff',
    'stroke-opacity': 0.22,
    'stroke-width': 4,
    transform: 'translate(-11 -11)',
  });
  paintBody(drawing, vessel, ceramicStops);
  drawing.inside(bodyOutline(vessel), () => {
    drawRoomShade(drawing, vessel, 0.9);
    drawGloss(drawing, vessel, 0.9);
    const base = bandOutline(vessel, [bottom - 34, wide], [bottom + 40, wide]);
    drawing.path(base, { fill: drawing.across(cx - narrow, cx + narrow, polishedStops) });
    drawing.path(base, {
      fill: drawing.down(bottom - 36, bottom + 24, [
        [0, '#000', 0.55],
        [0.14, '#000', 0.04],
        [0.6, '#000', 0.1],
        [1, '#000', 0.6],
      ]),
    });
  });
  const rim = bandOutline(vessel, [top - 22, wide * 1.015], [top + 14, wide * 1.01]);
  drawing.path(rim, { fill: drawing.across(cx - wide, cx + wide, polishedStops) });
  drawing.path(ringPath(cx, top + 15, wide), {
    fill: 'none',
    stroke: '#2a2521',
    'stroke-opacity': 0.4,
    'stroke-width': 3,
  });
  const dark = '#26282b';
  const cap: Vessel = {
    cx,
    profile: [
      [top - 108, wide * 0.8],
      [top - 84, wide * 0.9],
      [top - 18, wide * 1.02],
    ],
    foot: 4,
  };
  paintBody(drawing, cap, coatStops(dark));
  drawing.ellipse([cx, top - 108], wide * 0.8, wide * 0.045, {
    fill: drawing.across(cx - wide, cx + wide, [
      [0, shade(dark, 0.1)],
      [0.3, shade(dark, 0.45)],
      [0.7, shade(dark, 0.16)],
      [1, shade(dark, 0)],
    ]),
  });
  const slide = roundRect(cx - 62, top - 124, 124, 22, 9);
  drawing.path(slide, {
    fill: drawing.down(top - 124, top - 102, [
      [0, shade(dark, 0.5)],
      [0.3, shade(dark, 0.2)],
      [1, shade(dark, -0.3)],
    ]),
  });
  drawRing(drawing, cap, top - 82, { stroke: '#fff', 'stroke-opacity': 0.22, 'stroke-width': 3 });
  drawRing(drawing, cap, top - 78, { stroke: '#000', 'stroke-opacity': 0.4, 'stroke-width': 3 });
  drawing.setPrintArea([cx, top + 366], 2, 4.6);
  setSurface(drawing, vessel, 200);
  return drawing;
}

function drawBottle20oz(): Drawing {
  // 600 ml aluminum: 2.87 in across, 9.7 in tall with the cap.
  const drawing = new Drawing('bottle-20oz-aluminum-white', 4.1);
  const cx = 600;
  const radius = drawing.inches(2.87) / 2;
  const bottom = 1106;
  const vessel: Vessel = {
    cx,
    isSmooth: true,
    profile: [
      [252, radius * 0.53],
      [268, radius * 0.56],
      [310, radius * 0.78],
      [366, radius * 0.955],
      [430, radius],
      [bottom, radius * 0.985],
    ],
    foot: 26,
  };
  drawContact(drawing, [cx, bottom + 4], radius);
  paintBody(drawing, vessel, ceramicStops);
  drawing.inside(bodyOutline(vessel), () => {
    drawRoomShade(drawing, vessel, 0.8);
    drawGloss(drawing, { ...vessel, profile: vessel.profile.slice(1) }, 0.9);
    drawing.path(roundRect(cx - radius, 250, radius * 2, 190, 0), {
      fill: drawing.down(250, 440, [
        [0, '#2b241d', 0.3],
        [0.16, '#2b241d', 0.1],
        [0.5, '#2b241d', 0.02],
        [1, '#2b241d', 0],
      ]),
    });
  });
  const collar = bandOutline(vessel, [236, radius * 0.52], [258, radius * 0.53]);
  drawing.path(collar, { fill: drawing.across(cx - radius * 0.53, cx + radius * 0.53, polishedStops) });
  drawing.path(ringPath(cx, 259, radius * 0.53), {
    fill: 'none',
    stroke: '#1c1712',
    'stroke-opacity': 0.4,
    'stroke-width': 3,
  });
  const steel = '#c9cbcd';
  const loop = 'M560 150C560 76 640 76 640 150';
  drawTube(drawing, loop, 20, coatTube(steel), { 'stroke-linecap': 'round' });
  const cap: Vessel = {
    cx,
    profile: [
      [146, radius * 0.5],
      [238, radius * 0.545],
    ],
    foot: 6,
  };
  paintBody(drawing, cap, coatStops('#2b2d30'));
  for (let i = 0; i < 17; i++) {
    const angle = (Math.PI * (i + 0.5)) / 17;
    const x = cx - Math.cos(angle) * radius * 0.525;
    drawing.path(`M${num(x)} 164V232`, {
      stroke: '#000',
      'stroke-opacity': 0.32,
      'stroke-width': num(1 + 2.4 * Math.sin(angle)),
      fill: 'none',
    });
    drawing.path(`M${num(x + 2.4)} 164V232`, {
      stroke: '#fff',
      'stroke-opacity': 0.1,
      'stroke-width': 1.2,
      fill: 'none',
    });
  }
  drawing.ellipse([cx, 147], radius * 0.5, 8, {
    fill: drawing.across(cx - radius / 2, cx + radius / 2, [
      [0, '#3a3d40'],
      [0.3, '#7b7f83'],
      [0.7, '#44474a'],
      [1, '#2a2c2f'],
    ]),
  });
  drawing.setPrintArea([cx, 760], 2, 5.2);
  setSurface(drawing, vessel);
  return drawing;
}

function drawCanCooler(): Drawing {
  // 12 oz foam cooler: 2.8 in across, 4.1 in tall.
  const drawing = new Drawing('can-cooler-12oz-white', 8.3);
  const cx = 600;
  const radius = drawing.inches(2.85) / 2;
  const [top, bottom] = [176, 176 + drawing.inches(4.1)];
  const vessel: Vessel = {
    cx,
    profile: [
      [top, radius * 1.005],
      [bottom, radius],
    ],
    foot: 16,
  };
  drawContact(drawing, [cx, bottom + 4], radius);
  // Cloth on foam scatters the light: no mirrored windows.
  const cloth = ceramicStops.map(
    ([offset, color]): Stop => [offset, mix(color, offset < 0.5 ? '#f1efec' : '#e4e1dc', 0.35)],
  );
  paintBody(drawing, vessel, cloth);
  drawing.inside(bodyOutline(vessel), () => {
    drawing.path(bodyOutline(vessel), {
      fill: drawing.pattern(
        7,
        7,
        '<path d="M0 1.5h3M3.5 5h3" stroke="#4a4238" stroke-opacity=".1" stroke-width="1.1"/><path d="M0 2.7h3M3.5 6.2h3" stroke="#fff" stroke-opacity=".5" stroke-width="1.1"/>',
      ),
    });
    drawRoomShade(drawing, vessel, 1);
    // The seam at the side, in zigzag.
    const x = (y: number) => cx + radius * 0.74 + (y % 2 === 0 ? 9 : 0);
    const steps = Array.from({ length: 62 }, (_, i) => `${num(x(i))} ${num(top + 34 + i * 12.6)}`);
    const seam = `M${steps.join('L')}`;
    drawing.path(`M${num(cx + radius * 0.74 + 4)} ${top}V${num(bottom + 20)}`, {
      fill: 'none',
      stroke: '#4a4238',
      'stroke-opacity': 0.16,
      'stroke-width': 16,
    });
    drawing.path(seam, {
      fill: 'none',
      stroke: '#5b5248',
      'stroke-opacity': 0.3,
      'stroke-width': 3.4,
      transform: 'translate(1.2 1.6)',
    });
    drawing.path(seam, { fill: 'none', stroke: '#fbfaf8', 'stroke-width': 2.6 });
    // The glued seam of the base, and the hem.
    drawRing(drawing, vessel, bottom - 34, { stroke: '#4a4238', 'stroke-opacity': 0.24, 'stroke-width': 3 });
    drawRing(drawing, vessel, bottom - 30, { stroke: '#fff', 'stroke-opacity': 0.75, 'stroke-width': 3 });
    drawRing(drawing, vessel, top + 26, { stroke: '#4a4238', 'stroke-opacity': 0.2, 'stroke-width': 3 });
    drawRing(drawing, vessel, top + 30, { stroke: '#fff', 'stroke-opacity': 0.7, 'stroke-width': 3 });
  });
  drawOpenTop(drawing, [cx, top], radius * 1.005, {
    lip: [
      [0, '#3a3a3c'],
      [0.25, '#77787b'],
      [0.6, '#55565a'],
      [1, '#333437'],
    ],
    inner: [
      [0, '#151517'],
      [0.5, '#232326'],
      [1, '#3c3d40'],
    ],
    wall: radius * 0.075,
  });
  drawing.setPrintArea([cx, (top + bottom) / 2 + 6], 2.1, 3.2);
  setSurface(drawing, vessel);
  return drawing;
}

function drawWineTumbler(productId: string, color: string): Drawing {
  // 12 oz stemless: 3.5 in at its widest, 4.4 in tall.
  const drawing = new Drawing(productId, 8);
  const cx = 600;
  const [top, bottom] = [218, 1096];
  const wide = drawing.inches(3.4) / 2;
  const vessel: Vessel = {
    cx,
    isSmooth: true,
    profile: [
      [top, wide * 0.84],
      [top + 300, wide * 0.975],
      [top + 560, wide * 0.975],
      [top + 760, wide * 0.8],
      [bottom, wide * 0.56],
    ],
    foot: 20,
  };
  drawContact(drawing, [cx, bottom + 8], wide * 0.66);
  paintBody(drawing, vessel, coatStops(color));
  drawing.inside(bodyOutline(vessel), () => {
    drawRoomShade(drawing, vessel, 1.15);
    drawStreak(drawing, vessel, [-0.8, -0.66], [top + 40, bottom - 150], {
      fill: drawing.down(top, bottom - 120, [
        [0, '#fff', 0.1],
        [0.2, '#fff', 0.36],
        [0.7, '#fff', 0.24],
        [1, '#fff', 0],
      ]),
    });
  });
  const rim = bandOutline(vessel, [top - 18, wide * 0.835], [top + 8, wide * 0.845]);
  drawing.path(rim, { fill: drawing.across(cx - wide * 0.85, cx + wide * 0.85, polishedStops) });
  drawing.path(ringPath(cx, top + 9, wide * 0.843), {
    fill: 'none',
    stroke: '#3c201d',
    'stroke-opacity': 0.5,
    'stroke-width': 3,
  });
  drawClearLid(drawing, cx, top - 26, wide * 0.84);
  drawing.setPrintArea([cx, top + 410], 2.4, 2.4);
  setSurface(drawing, vessel);
  return drawing;
}

function drawFlask(): Drawing {
  // 8 oz hip flask: 3.75 in wide, 5.4 in tall with its cap.
  const drawing = new Drawing('flask-8oz-stainless', 7.2);
  const cx = 600;
  const half = drawing.inches(3.7) / 2;
  const [top, bottom] = [268, 1098];
  const body = `M${num(cx - half + 50)} ${top}Q${cx} ${top - 14} ${num(cx + half - 50)} ${top}Q${num(cx + half)} ${top + 2} ${num(cx + half)} ${top + 62}V${bottom - 58}Q${num(cx + half)} ${bottom - 4} ${num(cx + half - 54)} ${bottom}Q${cx} ${bottom + 14} ${num(cx - half + 54)} ${bottom}Q${num(cx - half)} ${bottom - 4} ${num(cx - half)} ${bottom - 58}V${top + 62}Q${num(cx - half)} ${top + 2} ${num(cx - half + 50)} ${top}Z`;
  drawContact(drawing, [cx, bottom + 8], half * 0.95);
  // A shallow curve: the light changes slowly over the front, and quickly at the edges.
  drawing.path(body, {
    fill: drawing.across(cx - half, cx + half, [
      [0, '#56585b'],
      [0.02, '#8e9093'],
      [0.05, '#d6d8d9'],
      [0.08, '#f3f4f4'],
      [0.13, '#cdcfd1'],
      [0.3, '#d9dbdc'],
      [0.42, '#e9eaeb'],
      [0.55, '#c9cbcd'],
      [0.75, '#b0b2b5'],
      [0.89, '#a0a2a6'],
      [0.93, '#7f8185'],
      [0.965, '#c6c8ca'],
      [0.985, '#8c8e91'],
      [1, '#4f5154'],
    ]),
  });
  drawing.inside(body, () => {
    drawBrushing(drawing, { x: cx - half, y: top - 10, width: 2 * half, height: bottom - top + 24 }, 41);
    drawing.path(body, {
      fill: drawing.down(top - 8, bottom + 10, [
        [0, '#fff', 0.5],
        [0.03, '#000', 0.1],
        [0.07, '#000', 0],
        [0.6, '#000', 0],
        [0.93, '#000', 0.12],
        [0.975, '#fff', 0.16],
        [1, '#000', 0.5],
      ]),
    });
    drawing.path(body, { fill: 'none', stroke: '#fff', 'stroke-opacity': 0.5, 'stroke-width': 4 });
  });
  const neck = roundRect(cx - 62, top - 26, 124, 34, 8);
  drawing.path(neck, { fill: drawing.across(cx - 62, cx + 62, polishedStops) });
  drawing.path(neck, {
    fill: drawing.down(top - 26, top + 8, [
      [0, '#000', 0.3],
      [0.5, '#000', 0],
      [1, '#000', 0.45],
    ]),
  });
  const cap = roundRect(cx - 78, top - 140, 156, 118, 16);
  drawing.path(cap, { fill: drawing.across(cx - 78, cx + 78, brushedStops) });
  for (let i = 0; i < 21; i++) {
    const angle = (Math.PI * (i + 0.5)) / 21;
    const x = cx - Math.cos(angle) * 76;
    drawing.path(`M${num(x)} ${top - 118}V${top - 36}`, {
      stroke: '#000',
      'stroke-opacity': 0.22,
      'stroke-width': num(0.8 + 2.2 * Math.sin(angle)),
      fill: 'none',
    });
    drawing.path(`M${num(x + 2)} ${top - 118}V${top - 36}`, {
      stroke: '#fff',
      'stroke-opacity': 0.4,
      'stroke-width': 1.2,
      fill: 'none',
    });
  }
  drawing.path(cap, {
    fill: drawing.down(top - 140, top - 22, [
      [0, '#fff', 0.7],
      [0.1, '#fff', 0.1],
      [0.16, '#000', 0.2],
      [0.2, '#000', 0],
      [0.85, '#000', 0.05],
      [1, '#000', 0.5],
    ]),
  });
  // The arm that keeps the cap.
  const arm = `M${cx + 74} ${top - 62}H${cx + 112}Q${cx + 128} ${top - 62} ${cx + 128} ${top - 46}V${top + 4}`;
  drawing.path(arm, { fill: 'none', stroke: '#3f4144', 'stroke-width': 16, 'stroke-linecap': 'round' });
  drawing.path(arm, { fill: 'none', stroke: '#b9bbbe', 'stroke-width': 11, 'stroke-linecap': 'round' });
  drawing.path(arm, {
    fill: 'none',
    stroke: '#fff',
    'stroke-opacity': 0.8,
    'stroke-width': 3.4,
    'stroke-linecap': 'round',
    transform: 'translate(-2 -2)',
  });
  drawing.setPrintArea([cx, (top + bottom) / 2], 2.6, 3.4);
  return drawing;
}

const wineColors = {
  'tumbler-12oz-wine-rose': '#b06a6c',
  'tumbler-12oz-wine-black': '#2c2c2e',
  'tumbler-12oz-wine-navy': '#2a3c5c',
  'tumbler-12oz-wine-sage': '#6f8167',
};

export const drinkware: readonly Blank[] = [
  { productId: 'mug-15oz-white', draw: drawMug15oz },
  { productId: 'mug-12oz-latte-white', draw: drawLatteMug },
  { productId: 'mug-12oz-enamel-white', draw: drawEnamelMug },
  { productId: 'mug-14oz-travel-white', draw: drawTravelMug },
  {
    productId: 'tumbler-20oz-sublimation-white',
    draw: () => drawSkinny('tumbler-20oz-sublimation-white', 4.75, { acrossIn: 2.87, tallIn: 8.2 }, [2.2, 6.2]),
  },
  {
    productId: 'tumbler-30oz-sublimation-white',
    draw: () => drawSkinny('tumbler-30oz-sublimation-white', 4.1, { acrossIn: 3.1, tallIn: 9.7 }, [2.4, 7.4]),
  },
  ...Object.entries(wineColors).map(([productId, color]) => ({
    productId,
    draw: () => drawWineTumbler(productId, color),
  })),
  { productId: 'bottle-20oz-aluminum-white', draw: drawBottle20oz },
  { productId: 'can-cooler-12oz-white', draw: drawCanCooler },
  { productId: 'flask-8oz-stainless', draw: drawFlask },
];
