/** Boards, boxes and other things of wood, bamboo and cork: one long file, because each is a drawing of its own. */
import type { Blank } from './blank.ts';
import { type Box, Drawing, num, type Point, type Stop } from './drawing.ts';
import { arcPoints, centerRect, curve, ellipsePath, polygon, roundRect } from './outlines.ts';
import { drawBevel, drawEyelet, drawShadow, drawSide } from './plates.ts';
import {
  acacia,
  birch,
  cherry,
  drawBambooGrain,
  drawBrushing,
  drawWood,
  maple,
  speckle,
  type Wood,
  walnut,
} from './surfaces.ts';
import { brushedStops } from './vessels.ts';

interface Board {
  readonly outline: string;
  readonly box: Box;
  readonly wood: Wood;
  readonly thickness: number;
}

/** Draws a board with its shadow and its side; `face` paints the surface inside the outline. */
function drawBoard(drawing: Drawing, { outline, box, wood, thickness }: Board, face: () => void): void {
  drawShadow(drawing, outline, { ...box, height: box.height + thickness }, 10);
  drawSide(drawing, outline, thickness, wood.side);
  drawing.path(outline, { fill: wood.bands[0] });
  drawing.inside(outline, face);
  drawBevel(drawing, outline, box, 7, [0.5, 0.5]);
}

/** The wall of a hole that is cut through a board: dark, with light on its lower edge. */
function drawCutout(drawing: Drawing, outline: string, box: Box, wood: Wood): void {
  drawing.path(outline, { fill: '#231a12' });
  drawing.inside(outline, () => {
    drawing.path(outline, { fill: wood.side, transform: 'translate(0 10)', 'fill-opacity': 0 });
    drawing.path(outline, {
      fill: 'none',
      stroke: drawing.down(box.y, box.y + box.height, [
        [0, '#000', 0.75],
        [0.5, '#000', 0.3],
        [0.7, wood.bands[0]!, 0.5],
        [1, wood.bands[0]!, 1],
      ]),
      'stroke-width': 16,
    });
  });
  drawing.path(outline, {
    fill: 'none',
    stroke: drawing.down(box.y, box.y + box.height, [
      [0, '#000', 0.4],
      [0.5, '#000', 0.05],
      [1, '#fff', 0.6],
    ]),
    'stroke-width': 2.6,
  });
}

function drawBambooBoard(): Drawing {
  // 13.8 x 9.8 in, with a hand hole.
  const drawing = new Drawing('cutting-board-bamboo', 2.95);
  const width = drawing.inches(13.75);
  const height = drawing.inches(9.75);
  const box: Box = { x: 600 - width / 2, y: 590 - height / 2, width, height };
  const outline = roundRect(box.x, box.y, width, height, 40);
  const bamboo: Wood = { ...maple, bands: ['#ddb878'], side: '#94703c' };
  const strips = 11;
  const tones = [
    '#dcb777',
    '#e6c68c',
    '#d3aa68',
    '#e0bd80',
    '#d9b271',
    '#e9cb93',
    '#cfa563',
    '#e2c084',
    '#d6ae6c',
    '#e4c388',
    '#dab574',
  ];
  drawBoard(drawing, { outline, box, wood: bamboo, thickness: 9 }, () => {
    const stripHeight = height / strips;
    for (let i = 0; i < strips; i++) {
      drawing.path(roundRect(box.x, box.y + i * stripHeight, width, stripHeight + 0.6, 0), { fill: tones[i] });
    }
    drawBambooGrain(drawing, box, 77, strips);
    const joints = Array.from(
      { length: strips - 1 },
      (_, i) => `M${num(box.x)} ${num(box.y + (i + 1) * stripHeight)}h${num(width)}`,
    );
    drawing.path(joints.join(''), { fill: 'none', stroke: '#6b4518', 'stroke-opacity': 0.34, 'stroke-width': 1.4 });
    drawing.path(outline, {
      fill: drawing.radial([box.x + width * 0.28, box.y + height * 0.15], width * 0.9, [
        [0, '#fff6de', 0.34],
        [0.5, '#fff6de', 0.06],
        [1, '#2a1605', 0.24],
      ]),
    });
  });
  const slot: Box = { x: box.x + width - 120, y: 590 - 118, width: 62, height: 236 };
  drawCutout(drawing, roundRect(slot.x, slot.y, slot.width, slot.height, 31), slot, bamboo);
  drawing.setPrintArea([box.x + (width - 130) / 2 + 6, 590], 10, 7.4);
  return drawing;
}

function drawRoundBoard(): Drawing {
  // 12 in across, 16 in with its handle.
  const drawing = new Drawing('serving-board-acacia-round', 2.62);
  const radius = drawing.inches(6);
  const center: Point = [600, 730];
  const top = center[1] + radius - drawing.inches(16);
  const half = 64;
  // The handle leaves the disk in a smooth curve.
  const meet = arcPoints(center, radius, radius, -62, 242, 25);
  const outline = `${curve(
    [
      [600 - half * 0.86, top + 66],
      [600 - half * 0.62, top + 20],
      [600, top],
      [600 + half * 0.62, top + 20],
      [600 + half * 0.86, top + 66],
      [600 + half * 0.84, top + 150],
      [600 + half * 1.12, top + 214],
      ...meet,
      [600 - half * 1.12, top + 214],
      [600 - half * 0.84, top + 150],
    ],
    true,
  )}`;
  const box: Box = { x: 600 - radius, y: top, width: 2 * radius, height: center[1] + radius - top };
  drawBoard(drawing, { outline, box, wood: acacia, thickness: 10 }, () => {
    drawWood(drawing, box, acacia, { seed: 23, isUpright: true, spacing: 17, heart: -0.06 });
  });
  const groove = radius * 0.9;
  drawing.circle(center, groove, { fill: 'none', stroke: '#1c0e06', 'stroke-opacity': 0.4, 'stroke-width': 15 });
  const edge = (r: number, isOuter: boolean) =>
    drawing.circle(center, r, {
      fill: 'none',
      stroke: drawing.linear(
        [box.x, center[1] - radius],
        [box.x + box.width, center[1] + radius],
        [
          [0, isOuter ? '#000' : '#f0cba0', 0.6],
          [0.45, isOuter ? '#000' : '#f0cba0', 0.25],
          [0.55, isOuter ? '#f0cba0' : '#000', 0.25],
          [1, isOuter ? '#f0cba0' : '#000', 0.6],
        ],
      ),
      'stroke-width': 2.4,
    });
  edge(groove + 7.5, true);
  edge(groove - 7.5, false);
  drawEyelet(drawing, [600, top + 68], 19);
  drawing.setPrintArea(center, 7, 7);
  return drawing;
}

function drawPlaque(): Drawing {
  // 9 x 12 in, routed edge.
  const drawing = new Drawing('plaque-cherry-9x12', 3.45);
  const [width, height] = [drawing.inches(9), drawing.inches(12)];
  const box: Box = { x: 600 - width / 2, y: 594 - height / 2, width, height };
  const outline = roundRect(box.x, box.y, width, height, 10);
  drawBoard(drawing, { outline, box, wood: cherry, thickness: 9 }, () => {
    drawWood(drawing, box, cherry, { seed: 5, isUpright: true, spacing: 15, heart: 0.08 });
    // A cove runs round the face: four faces, each with its own light.
    const deep = 40;
    const [l, t, r, b] = [box.x, box.y, box.x + width, box.y + height];
    const facet = (corners: readonly Point[], stops: readonly Stop[], from: Point, to: Point) =>
      drawing.path(polygon(corners), { fill: drawing.linear(from, to, stops) });
    const cove = (outer: number, inner: number): Stop[] => [
      [0, outer > 0 ? '#ffe7cc' : '#1b0a02', Math.abs(outer)],
      [0.5, '#1b0a02', 0.06],
      [1, inner > 0 ? '#ffe7cc' : '#1b0a02', Math.abs(inner)],
    ];
    facet(
      [
        [l, t],
        [r, t],
        [r - deep, t + deep],
        [l + deep, t + deep],
      ],
      cove(0.42, -0.5),
      [0, t],
      [0, t + deep],
    );
    facet(
      [
        [l, t],
        [l + deep, t + deep],
        [l + deep, b - deep],
        [l, b],
      ],
      cove(0.3, -0.4),
      [l, 0],
      [l + deep, 0],
    );
    facet(
      [
        [r, t],
        [r, b],
        [r - deep, b - deep],
        [r - deep, t + deep],
      ],
      cove(-0.42, 0.3),
      [r, 0],
      [r - deep, 0],
    );
    facet(
      [
        [l, b],
        [l + deep, b - deep],
        [r - deep, b - deep],
        [r, b],
      ],
      cove(-0.5, 0.45),
      [0, b],
      [0, b - deep],
    );
    const inner = roundRect(l + deep, t + deep, width - 2 * deep, height - 2 * deep, 0);
    drawing.path(inner, { fill: 'none', stroke: '#2a1004', 'stroke-opacity': 0.5, 'stroke-width': 2.4 });
    drawing.path(inner, {
      fill: 'none',
      stroke: '#ffe7cc',
      'stroke-opacity': 0.35,
      'stroke-width': 1.6,
      transform: 'translate(1.8 2)',
    });
  });
  drawing.setPrintArea([600, 594], 7, 9.6);
  return drawing;
}

function drawSpoon(): Drawing {
  // 12 in long, the bowl 2.4 in wide.
  const drawing = new Drawing('spoon-beech-12in', 3.55);
  const y = 600;
  const left = 600 - drawing.inches(12) / 2;
  const bowl = drawing.inches(2.4) / 2;
  const end = left + drawing.inches(12);
  const neck = left + drawing.inches(3.9);
  const upper: Point[] = [
    [left, y],
    [left + 26, y - bowl * 0.6],
    [left + 108, y - bowl * 0.97],
    [left + 200, y - bowl * 0.9],
    [left + 290, y - bowl * 0.46],
    [neck, y - 29],
    [neck + 180, y - 27],
    [neck + 470, y - 33],
    [end - 60, y - 36],
    [end - 14, y - 26],
    [end, y],
  ];
  const lower = upper
    .slice(1, -1)
    .map(([x, py]): Point => [x, 2 * y - py])
    .reverse();
  const outline = curve([...upper, ...lower], true);
  const box: Box = { x: left, y: y - bowl, width: end - left, height: 2 * bowl };
  drawShadow(drawing, outline, box, 9);
  drawing.path(outline, { fill: birch.bands[0] });
  drawing.inside(outline, () => {
    drawWood(
      drawing,
      box,
      { ...birch, bands: ['#dfbb88', '#e8c797', '#d8b27c', '#e3c08d'] },
      { seed: 31, spacing: 12, heart: 0.7 },
    );
    // The handle is round: light along its back.
    drawing.path(roundRect(neck - 60, y - 40, end - neck + 60, 80, 0), {
      fill: drawing.down(y - 36, y + 36, [
        [0, '#4a2b0d', 0.4],
        [0.16, '#4a2b0d', 0.02],
        [0.32, '#fff4dd', 0.5],
        [0.46, '#fff4dd', 0.1],
        [0.68, '#4a2b0d', 0.06],
        [1, '#4a2b0d', 0.55],
      ]),
    });
  });
  const hollow = curve(
    upper
      .slice(0, 5)
      .map(([x, py]): Point => [left + 24 + (x - left) * 0.9, y + (py - y) * 0.83])
      .concat([[left + 296, y]])
      .concat(
        upper
          .slice(1, 5)
          .map(([x, py]): Point => [left + 24 + (x - left) * 0.9, y - (py - y) * 0.83])
          .reverse(),
      ),
    true,
  );
  drawing.inside(hollow, () => {
    drawing.path(hollow, {
      fill: drawing.linear(
        [left + 60, y - bowl],
        [left + 230, y + bowl],
        [
          [0, '#3d2109', 0.5],
          [0.35, '#3d2109', 0.2],
          [0.7, '#fff1d6', 0.14],
          [1, '#fff1d6', 0.5],
        ],
      ),
    });
    drawing.path(hollow, { fill: 'none', stroke: '#3d2109', 'stroke-opacity': 0.28, 'stroke-width': 16 });
  });
  drawing.path(hollow, {
    fill: 'none',
    stroke: drawing.linear(
      [left, y - bowl],
      [left + 200, y + bowl],
      [
        [0, '#3d2109', 0.5],
        [1, '#fff6e2', 0.8],
      ],
    ),
    'stroke-width': 3,
  });
  drawBevel(drawing, outline, box, 9, [0.42, 0.55]);
  drawEyelet(drawing, [end - 44, y], 9);
  drawing.setPrintArea([neck + 310, y], 4.6, 0.42);
  return drawing;
}

function drawBox(): Drawing {
  // 8 x 6 in, seen from above, with a clasp.
  const drawing = new Drawing('box-keepsake-walnut', 4.75);
  const [width, height] = [drawing.inches(8), drawing.inches(6)];
  const box: Box = { x: 600 - width / 2, y: 570 - height / 2, width, height };
  const outline = roundRect(box.x, box.y, width, height, 12);
  drawShadow(drawing, outline, { ...box, height: height + 60 }, 16);
  // The front side, foreshortened, and the line where the lid opens.
  const front = polygon([
    [box.x + 3, box.y + height - 20],
    [box.x + width - 3, box.y + height - 20],
    [box.x + width - 13, box.y + height + 62, 8],
    [box.x + 13, box.y + height + 62, 8],
  ]);
  drawing.path(front, { fill: '#4a2d1b' });
  drawing.inside(front, () => {
    drawWood(drawing, { x: box.x, y: box.y + height - 20, width, height: 84 }, walnut, {
      seed: 8,
      spacing: 9,
      heart: 0.8,
    });
    drawing.path(front, {
      fill: drawing.down(box.y + height, box.y + height + 62, [
        [0, '#000', 0.3],
        [0.3, '#000', 0.34],
        [0.36, '#000', 0.75],
        [0.4, '#000', 0.42],
        [1, '#000', 0.7],
      ]),
    });
  });
  drawing.path(outline, { fill: walnut.bands[0] });
  drawing.inside(outline, () => {
    drawWood(drawing, box, walnut, { seed: 64, spacing: 16, heart: 0.04 });
    // Mitered frame round the panel of the lid.
    const deep = 62;
    const [l, t, r, b] = [box.x, box.y, box.x + width, box.y + height];
    for (const [corners, fill, opacity] of [
      [
        [
          [l, t],
          [r, t],
          [r - deep, t + deep],
          [l + deep, t + deep],
        ],
        '#fff0dc',
        0.1,
      ],
      [
        [
          [l, t],
          [l + deep, t + deep],
          [l + deep, b - deep],
          [l, b],
        ],
        '#fff0dc',
        0.05,
      ],
      [
        [
          [r, t],
          [r, b],
          [r - deep, b - deep],
          [r - deep, t + deep],
        ],
        '#000',
        0.14,
      ],
      [
        [
          [l, b],
          [l + deep, b - deep],
          [r - deep, b - deep],
          [r, b],
        ],
        '#000',
        0.2,
      ],
    ] as [Point[], string, number][]) {
      drawing.path(polygon(corners), { fill, 'fill-opacity': opacity });
    }
    const miters = `M${at(l, t)}L${at(l + deep, t + deep)}M${at(r, t)}L${at(r - deep, t + deep)}M${at(l, b)}L${at(l + deep, b - deep)}M${at(r, b)}L${at(r - deep, b - deep)}`;
    drawing.path(miters, { fill: 'none', stroke: '#150a04', 'stroke-opacity': 0.55, 'stroke-width': 2 });
    const panel = roundRect(l + deep, t + deep, width - 2 * deep, height - 2 * deep, 2);
    drawing.path(panel, { fill: 'none', stroke: '#150a04', 'stroke-opacity': 0.55, 'stroke-width': 4 });
    drawing.path(panel, {
      fill: 'none',
      stroke: '#f0cba0',
      'stroke-opacity': 0.3,
      'stroke-width': 2,
      transform: 'translate(2.4 3)',
    });
  });
  drawBevel(drawing, outline, box, 8, [0.5, 0.5]);
  // The clasp.
  const clasp = roundRect(600 - 32, box.y + height - 14, 64, 62, 10);
  drawing.path(clasp, { fill: '#2a1a08', 'fill-opacity': 0.6, transform: 'translate(3 6)' });
  drawing.path(clasp, {
    fill: drawing.across(568, 632, [
      [0, '#7a5a1e'],
      [0.2, '#f0d58c'],
      [0.45, '#c9a24a'],
      [0.8, '#93702c'],
      [1, '#5e4514'],
    ]),
  });
  drawing.path(clasp, { fill: 'none', stroke: '#fff3c9', 'stroke-opacity': 0.5, 'stroke-width': 1.6 });
  drawing.circle([600, box.y + height + 26], 9, {
    fill: drawing.glow([
      [0, '#fff3c9'],
      [0.5, '#c9a24a'],
      [1, '#6e5119'],
    ]),
  });
  drawing.setPrintArea([600, 570], 6, 4);
  return drawing;
}

const at = (x: number, y: number): string => `${num(x)} ${num(y)}`;

function drawTwine(drawing: Drawing, d: string, width: number): void {
  drawing.path(d, {
    fill: 'none',
    stroke: '#1a1208',
    'stroke-opacity': 0.3,
    'stroke-width': width,
    transform: 'translate(4 6)',
  });
  drawing.path(d, { fill: 'none', stroke: '#8d6f45', 'stroke-width': width });
  drawing.path(d, { fill: 'none', stroke: '#d8bd8e', 'stroke-width': width * 0.72 });
  drawing.path(d, {
    fill: 'none',
    stroke: '#7a5c33',
    'stroke-opacity': 0.75,
    'stroke-width': width * 0.8,
    'stroke-dasharray': '2.4 6',
  });
}

function drawOrnament(): Drawing {
  // 3.5 in across, 1/8 in plywood.
  const drawing = new Drawing('ornament-birch-round', 9.6);
  const radius = drawing.inches(3.5) / 2;
  const center: Point = [600, 700];
  const outline = ellipsePath(center, radius);
  const box: Box = { x: 600 - radius, y: 700 - radius, width: 2 * radius, height: 2 * radius };
  drawBoard(drawing, { outline, box, wood: { ...birch, side: '#4a3016' }, thickness: 9 }, () => {
    drawWood(drawing, box, birch, { seed: 14, isUpright: true, spacing: 19, heart: 0.05 });
    // The laser's cut leaves a brown edge.
    drawing.path(outline, { fill: 'none', stroke: '#5b3715', 'stroke-opacity': 0.5, 'stroke-width': 5 });
  });
  drawEyelet(drawing, [600, 700 - radius + 46], 17);
  drawTwine(
    drawing,
    `M600 ${num(700 - radius + 46)}C560 ${num(700 - radius - 30)} 548 120 596 96C648 92 640 ${num(700 - radius - 40)} 603 ${num(700 - radius + 44)}`,
    11,
  );
  drawing.setPrintArea([600, 712], 2.3, 2.3);
  return drawing;
}

function drawCork(): Drawing {
  // 4 in across, 1/4 in thick.
  const drawing = new Drawing('coaster-cork-round', 9.9);
  const radius = drawing.inches(4) / 2;
  const center: Point = [600, 590];
  const box: Box = { x: 600 - radius, y: 590 - radius, width: 2 * radius, height: 2 * radius };
  const outline = ellipsePath(center, radius);
  const cork: Wood = { ...maple, bands: ['#c99a62'], side: '#7d5730' };
  drawBoard(drawing, { outline, box, wood: cork, thickness: 18 }, () => {
    drawing.path(outline, {
      fill: drawing.radial([430, 380], radius * 1.9, [
        [0, '#dcb27c'],
        [0.5, '#cb9c64'],
        [1, '#a9783f'],
      ]),
    });
    drawing.path(outline, {
      fill: speckle(drawing, 330, 9, [
        { color: '#8a5f32', opacity: 0.3, size: 10, count: 150 },
        { color: '#e6c494', opacity: 0.5, size: 8, count: 170 },
        { color: '#5c3a1a', opacity: 0.5, size: 4, count: 120 },
        { color: '#b07f47', opacity: 0.4, size: 13, count: 110 },
        { color: '#3e2510', opacity: 0.55, size: 2.4, count: 110 },
      ]),
    });
    drawing.path(outline, {
      fill: drawing.radial([430, 360], radius * 1.8, [
        [0, '#fff3da', 0.24],
        [0.5, '#fff3da', 0.03],
        [1, '#2c1705', 0.3],
      ]),
    });
  });
  drawing.setPrintArea(center, 2.6, 2.6);
  return drawing;
}

function drawNotebook(): Drawing {
  // 5.8 x 8.3 in: spiral binding, cover of maple veneer.
  const drawing = new Drawing('notebook-maple-spiral', 4.75);
  const [width, height] = [drawing.inches(5.8), drawing.inches(8.3)];
  const box: Box = { x: 620 - width / 2, y: 594 - height / 2, width, height };
  const outline = roundRect(box.x, box.y, width, height, 20);
  drawShadow(drawing, outline, { ...box, height: height + 16 }, 12);
  for (let i = 6; i >= 1; i--) {
    drawing.path(outline, { fill: i % 2 === 0 ? '#f4efe4' : '#cfc6b4', transform: `translate(${i * 1.1} ${i * 2.2})` });
  }
  drawing.path(outline, { fill: maple.bands[0] });
  drawing.inside(outline, () => drawWood(drawing, box, maple, { seed: 91, isUpright: true, spacing: 17, heart: -0.1 }));
  drawBevel(drawing, outline, box, 5, [0.5, 0.45]);
  const heights = Array.from({ length: 22 }, (_, i) => box.y + 46 + ((height - 92) * i) / 21);
  for (const y of heights) drawing.circle([box.x + 30, y], 7.5, { fill: '#241a10' });
  const wires = heights.map((y) => `M${num(box.x + 30, 0)} ${num(y)}c-6-15-56-15-54 2 1 9 18 8 24 6`).join('');
  const round = { fill: 'none', 'stroke-linecap': 'round' };
  drawing.path(wires, { ...round, stroke: '#1d1e20', 'stroke-width': 7.5 });
  drawing.path(wires, { ...round, stroke: '#6a6d71', 'stroke-width': 4.4, transform: 'translate(-.6 -1)' });
  drawing.path(wires, {
    ...round,
    stroke: '#fff',
    'stroke-opacity': 0.65,
    'stroke-width': 1.4,
    transform: 'translate(-1 -2)',
  });
  drawing.setPrintArea([645, 594], 4.2, 6.2);
  return drawing;
}

function drawOpener(): Drawing {
  // A bar blade: 7 x 1.6 in, brushed steel.
  const drawing = new Drawing('bottle-opener-stainless', 5.9);
  const width = drawing.inches(7);
  const height = drawing.inches(1.6);
  const box: Box = { x: 600 - width / 2, y: 600 - height / 2, width, height };
  const [l, r, y] = [box.x, box.x + width, 600];
  const half = height / 2;
  const outline = `M${num(l + half)} ${num(y - half)}C${num(l + 330)} ${num(y - half)} ${num(r - 330)} ${num(y - half * 0.74)} ${num(r - half)} ${num(y - half)}A${num(half)} ${num(half)} 0 0 1 ${num(r - half)} ${num(y + half)}C${num(r - 330)} ${num(y + half * 0.74)} ${num(l + 330)} ${num(y + half)} ${num(l + half)} ${num(y + half)}A${num(half)} ${num(half)} 0 0 1 ${num(l + half)} ${num(y - half)}Z`;
  drawShadow(drawing, outline, box, 9);
  drawSide(drawing, outline, 5, '#5d5f62');
  drawing.path(outline, {
    fill: drawing.linear([l, y - half], [r, y + half * 2], brushedStops),
  });
  drawing.inside(outline, () => drawBrushing(drawing, box, 18, 1.2));
  drawBevel(drawing, outline, box, 6, [0.8, 0.5]);
  // The mouth for caps at the right, the ring for a finger at the left.
  const mouth = `M${num(r - half - 52)} ${num(y - 46)}Q${num(r - half)} ${num(y - 72)} ${num(r - half + 52)} ${num(y - 46)}Q${num(r - half + 72)} ${num(y)} ${num(r - half + 50)} ${num(y + 48)}L${num(r - half + 20)} ${num(y + 48)}Q${num(r - half)} ${num(y + 26)} ${num(r - half - 20)} ${num(y + 48)}L${num(r - half - 50)} ${num(y + 48)}Q${num(r - half - 72)} ${num(y)} ${num(r - half - 52)} ${num(y - 46)}Z`;
  for (const [d, top, bottom] of [
    [mouth, y - 62, y + 50],
    [centerRect([l + half, y], 74, 74, 37), y - 37, y + 37],
  ] as const) {
    drawing.path(d, { fill: '#221f1c' });
    drawing.path(d, {
      fill: 'none',
      stroke: drawing.down(top, bottom, [
        [0, '#000', 0.75],
        [0.5, '#77797c', 0.8],
        [1, '#fff', 1],
      ]),
      'stroke-width': 5,
    });
  }
  drawing.setPrintArea([590, y], 3.4, 0.9);
  return drawing;
}

export const woodenware: readonly Blank[] = [
  { productId: 'cutting-board-bamboo', draw: drawBambooBoard },
  { productId: 'serving-board-acacia-round', draw: drawRoundBoard },
  { productId: 'plaque-cherry-9x12', draw: drawPlaque },
  { productId: 'spoon-beech-12in', draw: drawSpoon },
  { productId: 'box-keepsake-walnut', draw: drawBox },
  { productId: 'ornament-birch-round', draw: drawOrnament },
  { productId: 'coaster-cork-round', draw: drawCork },
  { productId: 'notebook-maple-spiral', draw: drawNotebook },
  { productId: 'bottle-opener-stainless', draw: drawOpener },
];
