/** Bags, aprons and caps. */
import type { Blank } from './blank.ts';
import { type Cloth, CX, drawSeam, drawStitches, mirrorX, mixOf, outlineOf, paintCloth, right } from './cloth.ts';
import { type Box, Drawing, mix, num, type Point } from './drawing.ts';
import { curve, points } from './outlines.ts';
import { drawShadow } from './plates.ts';
import { twill, weave } from './surfaces.ts';

const canvas: Cloth = {
  color: '#e6dcc4',
  dark: '#5a4a2c',
  darkness: 0.3,
  light: '#fffaf0',
  lightness: 0.6,
  paint: (drawing) => weave(drawing, 8, ['#5a4a2c', '#fffdf5'], 0.85),
};
const denim: Cloth = {
  color: '#3b3e43',
  dark: '#060708',
  darkness: 0.5,
  light: '#b9bec6',
  lightness: 0.26,
  paint: (drawing) => twill(drawing, ['#000000', '#ffffff'], 0.7),
};
const foam: Cloth = {
  color: '#f3f2ef',
  dark: '#5f5a53',
  darkness: 0.3,
  light: '#ffffff',
  lightness: 0.7,
  paint: (drawing) => weave(drawing, 5, ['#5f5a53', '#ffffff'], 0.4),
};

/** Draws a strap of cloth along a path: its shadow, its folded edges and two rows of stitches. */
function drawStrap(drawing: Drawing, d: string, width: number, cloth: Cloth, tone = 0): void {
  const line = { fill: 'none', 'stroke-linejoin': 'round' };
  const color = mix(cloth.color, cloth.dark, tone);
  drawing.path(d, {
    ...line,
    stroke: '#140d06',
    'stroke-opacity': 0.24,
    'stroke-width': width,
    transform: 'translate(7 11)',
  });
  drawing.path(d, { ...line, stroke: mix(color, cloth.dark, 0.4), 'stroke-width': width + 2 });
  drawing.path(d, { ...line, stroke: mix(color, cloth.dark, 0.1), 'stroke-width': width });
  drawing.path(d, { ...line, stroke: color, 'stroke-width': width * 0.8, transform: 'translate(-1.5 -1.5)' });
  drawing.path(d, {
    ...line,
    stroke: mix(color, cloth.light, cloth.lightness * 0.6),
    'stroke-width': width * 0.34,
    'stroke-opacity': 0.7,
    transform: 'translate(-3 -3)',
  });
  for (const share of [0.62, 0.58]) {
    // The rows of stitches: a wide dashed line whose middle is covered again.
    drawing.path(d, {
      ...line,
      stroke: share > 0.6 ? mix(color, cloth.dark, 0.34) : mix(color, cloth.light, 0.12),
      'stroke-width': width * share,
      ...(share > 0.6 ? { 'stroke-dasharray': '6 4' } : {}),
      'stroke-opacity': share > 0.6 ? 0.8 : 1,
    });
  }
}

function drawTote(): Drawing {
  // 15 in wide, 16 in tall, handles of 22 in. The print area is where it has been.
  const drawing = new Drawing('tote-cotton-natural', 1.62);
  const cloth = canvas;
  const top = 442;
  const body = outlineOf([
    [
      [0, top + 6],
      [160, top + 3],
      [302, top],
    ],
    [
      [302, top],
      [308, 640],
      [304, 880],
      [312, 1080],
    ],
    points('312 1080, 304 1094, 290 1096'),
    points('290 1096, 150 1101, 0 1103'),
  ]);
  const box: Box = { x: CX - 314, y: top, width: 628, height: 662 };
  // The far handle, then the bag, then the near one.
  const far = `M${CX - 150} ${top + 20}C${CX - 158} 210 ${CX - 90} 108 ${CX + 12} 108S${CX + 168} 214 ${CX + 160} ${top + 20}`;
  drawStrap(drawing, far, 40, cloth, 0.24);
  // The inside of the back, seen over the front edge.
  const back = `M${CX - 302} ${top}Q${CX - 150} ${top - 22} ${CX} ${top - 18}T${CX + 302} ${top}Q${CX} ${top + 20} ${CX - 302} ${top}Z`;
  drawShadow(drawing, body, box, 10);
  drawing.path(back, {
    fill: drawing.down(top - 20, top + 12, [
      [0, mix(cloth.color, cloth.dark, 0.2)],
      [1, mix(cloth.color, cloth.dark, 0.6)],
    ]),
  });
  paintCloth(drawing, body, box, cloth, {
    edge: 26,
    folds: mixOf(
      [
        [points('156 560, 190 660, 236 720'), 24],
        [points('120 566, 110 640, 60 700'), 20],
        [points('306 700, 270 760, 262 860'), 30],
        [points('300 1076, 240 1030, 140 1020'), 24],
        [points('304 1050, 268 980, 262 890'), 26],
        [points('256 480, 268 540, 262 600'), 16],
      ],
      [
        [points('156 562, 200 640, 224 760'), 26],
        [points('132 566, 104 650, 84 680'), 16],
        [points('304 740, 276 820, 272 900'), 28],
        [points('298 1080, 230 1044, 150 1046'), 22],
        [points('300 1060, 276 1000, 224 940'), 26],
        [points('252 480, 262 540, 252 610'), 16],
      ],
    ),
  });
  drawing.inside(body, () => {
    // The hem at the top, and the seams at the sides and below.
    drawing.path(
      `M${CX - 304} ${top + 2}Q${CX} ${top + 14} ${CX + 304} ${top + 2}V${top + 50}Q${CX} ${top + 60} ${CX - 304} ${top + 50}Z`,
      {
        fill: drawing.down(top, top + 56, [
          [0, cloth.light, 0.45],
          [0.5, cloth.light, 0.1],
          [0.9, cloth.dark, 0.04],
          [1, cloth.dark, 0.2],
        ]),
      },
    );
    drawStitches(drawing, `M${CX - 304} ${top + 46}Q${CX} ${top + 56} ${CX + 304} ${top + 46}`, cloth, 2);
    drawStitches(drawing, `M${CX - 304} ${top + 9}Q${CX} ${top + 19} ${CX + 304} ${top + 9}`, cloth, 2);
    drawing.path(body, {
      fill: drawing.down(top, 1104, [
        [0, cloth.light, 0.16],
        [0.4, cloth.light, 0],
        [0.86, cloth.dark, 0.03],
        [1, cloth.dark, 0.2],
      ]),
    });
  });
  const near = `M${CX - 150} ${top + 112}C${CX - 150} 300 ${CX - 118} 176 ${CX} 176S${CX + 150} 300 ${CX + 150} ${top + 112}`;
  drawStrap(drawing, near, 42, cloth);
  for (const side of [-1, 1]) {
    const x = CX + side * 150;
    // Handles are sewn on with a cross in a square.
    const d = `M${x - 15} ${top + 58}H${x + 15}V${top + 104}H${x - 15}ZL${x + 15} ${top + 104}M${x + 15} ${top + 58}L${x - 15} ${top + 104}`;
    drawing.path(d, { fill: 'none', stroke: cloth.dark, 'stroke-opacity': 0.3, 'stroke-width': 4.4 });
    drawing.path(d, {
      fill: 'none',
      stroke: mix(cloth.color, cloth.light, 0.5),
      'stroke-width': 2,
      'stroke-dasharray': '5 3',
    });
    drawing.path(`M${x - 21} ${top + 112}h42`, {
      fill: 'none',
      stroke: cloth.dark,
      'stroke-opacity': 0.5,
      'stroke-width': 2.6,
    });
  }
  drawing.setPrintArea([CX, (0.51772 + 0.3429 / 2) * 1200], 9, 10);
  return drawing;
}

function drawApron(): Drawing {
  // 27 in wide, 33 in long, the bib 11 in wide.
  const drawing = new Drawing('apron-cotton-charcoal', 1.1);
  const cloth = denim;
  const [top, bottom] = [188, 1112];
  const body = outlineOf([
    [
      [0, top + 4],
      [70, top + 2],
      [154, top],
    ],
    [
      [154, top],
      [168, 280],
      [232, 390],
      [378, 468],
    ],
    [
      [378, 468],
      [374, 760],
      [380, bottom - 22],
    ],
    [
      [380, bottom - 22],
      [376, bottom - 6],
      [360, bottom - 3],
    ],
    [
      [360, bottom - 3],
      [180, bottom + 2],
      [0, bottom + 3],
    ],
  ]);
  const box: Box = { x: CX - 382, y: top, width: 764, height: bottom - top + 4 };
  drawStrap(
    drawing,
    `M${CX - 140} ${top + 26}C${CX - 150} 70 ${CX - 70} 52 ${CX} 52S${CX + 150} 70 ${CX + 140} ${top + 26}`,
    26,
    cloth,
    0.1,
  );
  const buckle = `M${CX + 116} 122h44v26h-44Z`;
  for (const [side, end] of points('1 690, -1 640')) {
    const x = (by: number) => CX + side * by;
    drawStrap(
      drawing,
      `M${x(364)} 486C${x(420)} 476 ${x(462)} 512 ${x(456)} 580S${x(420)} ${end - 40} ${x(440)} ${end}`,
      20,
      cloth,
      0.1,
    );
  }
  drawShadow(drawing, body, box, 10);
  paintCloth(drawing, body, box, cloth, {
    edge: 26,
    folds: mixOf(
      [
        [points('360 500, 300 640, 290 800'), 34],
        [points('180 330, 130 420, 120 500'), 22],
        [points('372 820, 330 940, 326 1100'), 36],
        [points('230 920, 248 1010, 240 1110'), 30],
      ],
      [
        [points('360 505, 280 620, 260 720'), 30],
        [points('170 320, 150 420, 70 490'), 20],
        [points('372 760, 320 900, 310 1100'), 38],
        [points('180 930, 214 1020, 206 1110'), 28],
      ],
    ),
  });
  drawing.inside(body, () => {
    drawing.path(body, {
      fill: drawing.down(top, bottom, [
        [0, cloth.light, 0.1],
        [0.3, cloth.light, 0.02],
        [0.8, cloth.dark, 0.05],
        [1, cloth.dark, 0.3],
      ]),
    });
    for (const flip of [(p: Point): Point => p, mirrorX]) {
      drawStitches(
        drawing,
        curve(
          right([
            [146, top],
            [160, 284],
            [226, 398],
            [378, 480],
          ]).map(flip),
        ),
        cloth,
      );
      drawStitches(
        drawing,
        curve(
          right([
            [366, 470],
            [362, 760],
            [368, bottom],
          ]).map(flip),
        ),
        cloth,
      );
    }
    drawStitches(drawing, `M${CX - 170} ${top + 30}H${CX + 170}`, cloth);
    drawStitches(drawing, `M${CX - 380} ${bottom - 14}H${CX + 380}`, cloth);
  });
  const pocket = `M${CX - 200} 700H${CX + 200}V906Q${CX + 200} 924 ${CX + 182} 924H${CX - 182}Q${CX - 200} 924 ${CX - 200} 906Z`;
  const pocketBox: Box = { x: CX - 200, y: 700, width: 400, height: 224 };
  drawing.path(pocket, {
    fill: '#000',
    'fill-opacity': 0.45,
    filter: drawing.blur(5, { x: 380, y: 680, width: 440, height: 270 }),
    transform: 'translate(1 4)',
  });
  paintCloth(drawing, pocket, pocketBox, cloth, { edge: 8 });
  drawing.inside(pocket, () => {
    drawStitches(drawing, `M${CX - 200} 722H${CX + 200}`, cloth);
    drawStitches(drawing, `M${CX - 191} 700V915H${CX + 191}V700`, cloth);
    drawStitches(drawing, `M${CX} 724V924`, cloth);
  });
  drawing.path(`M${CX - 200} 700H${CX + 200}`, {
    fill: 'none',
    stroke: cloth.light,
    'stroke-opacity': 0.3,
    'stroke-width': 2.4,
  });
  drawing.path(buckle, { fill: 'none', stroke: '#55524c', 'stroke-width': 9 });
  drawing.path(buckle, { fill: 'none', stroke: '#c9b58a', 'stroke-width': 6 });
  for (const [x, y] of [
    [CX - 200, 706],
    [CX + 200, 706],
    [CX - 366, 486],
    [CX + 366, 486],
  ] as const) {
    drawing.circle([x, y + 1.5], 8, { fill: '#000', 'fill-opacity': 0.5 });
    drawing.circle([x, y], 7.5, {
      fill: drawing.glow([
        [0, '#fff3c9'],
        [0.5, '#c9a24a'],
        [1, '#6e5119'],
      ]),
    });
  }
  drawing.setPrintArea([CX, 410], 8, 9);
  return drawing;
}

function drawCap(): Drawing {
  // A trucker cap from the front: 7.4 in wide, foam panel, mesh sides.
  const drawing = new Drawing('cap-trucker-white-black', 4.7);
  const mesh: Cloth = { ...denim, color: '#232427' };
  const top = 236;
  const base = 690;
  const crown = outlineOf([
    [
      [0, top],
      [130, top + 12],
      [256, top + 70],
      [346, top + 190],
      [392, top + 330],
      [408, base],
    ],
    [
      [408, base],
      [210, base + 26],
      [0, base + 34],
    ],
  ]);
  const box: Box = { x: CX - 410, y: top, width: 820, height: base - top + 36 };
  const edge: Point[] = [
    [404, base - 22],
    [436, base + 40],
    [412, base + 116],
    [296, base + 186],
    [150, base + 214],
    [0, base + 222],
  ];
  const brim =
    `${curve(right(edge))}${curve(right(edge).reverse().map(mirrorX)).replace(/^M/, 'L')}` +
    `Q${CX - 230} ${base + 46} ${CX} ${base + 48}Q${CX + 230} ${base + 46} ${CX + 404} ${base - 22}Z`;
  drawing.ellipse([CX + 16, base + 222], 440, 38, {
    fill: drawing.glow([
      [0, '#120c06', 0.5],
      [0.5, '#120c06', 0.24],
      [0.8, '#120c06', 0.06],
      [1, '#120c06', 0],
    ]),
  });
  paintCloth(drawing, crown, box, mesh, { edge: 34 });
  const holes = drawing.pattern(
    13,
    13,
    '<path d="M3.2 0a3 3.4 0 0 1 0 6.800a3 3.4 0 0 1 0-6.800M9.700 6.500a3 3.4 0 0 1 0 6.800a3 3.4 0 0 1 0-6.800M9.700-6.500a3 3.4 0 0 1 0 6.800a3 3.4 0 0 1 0-6.800" fill="#050506" fill-opacity=".8"/>'.replace(
      /(\.\d)00/g,
      '$1',
    ),
  );
  drawing.path(crown, { fill: holes });
  drawing.path(crown, {
    fill: drawing.across(CX - 410, CX + 410, [
      [0, '#000', 0.55],
      [0.12, '#fff', 0.1],
      [0.3, '#000', 0],
      [0.8, '#000', 0.2],
      [0.93, '#fff', 0.06],
      [1, '#000', 0.6],
    ]),
  });
  const side: Point[] = [
    [0, top + 6],
    [104, top + 14],
    [206, top + 84],
    [266, top + 230],
    [286, base + 22],
  ];
  const panel = outlineOf([
    side,
    [
      [286, base + 22],
      [140, base + 36],
      [0, base + 38],
    ],
  ]);
  const panelBox: Box = { x: CX - 288, y: top, width: 576, height: base - top + 40 };
  drawing.path(panel, {
    fill: '#000',
    'fill-opacity': 0.5,
    filter: drawing.blur(9, { x: 280, y: top - 20, width: 640, height: 560 }),
    transform: 'translate(5 2)',
  });
  paintCloth(drawing, panel, panelBox, foam, { edge: 30, light: 0.34 });
  drawing.inside(panel, () => {
    drawing.path(panel, {
      fill: drawing.down(top, base + 38, [
        [0, '#ffffff', 0.6],
        [0.24, '#ffffff', 0.16],
        [0.6, '#3a352e', 0],
        [0.86, '#3a352e', 0.1],
        [1, '#3a352e', 0.34],
      ]),
    });
    // Two rows of stitches beside the seams; foam swells between them.
    for (const flip of [(p: Point): Point => p, mirrorX]) {
      drawStitches(drawing, curve(right(side.map(([x, y]): Point => [x - 13, y + 3])).map(flip)), foam, 2.2);
    }
  });
  for (const flip of [(p: Point): Point => p, mirrorX]) drawSeam(drawing, curve(right(side).map(flip)), foam);
  // The button on top.
  drawing.ellipse([CX, top + 2], 27, 14, { fill: '#0c0d0e', 'fill-opacity': 0.6 });
  drawing.ellipse([CX, top - 4], 26, 14, {
    fill: drawing.radial([CX - 8, top - 10], 30, [
      [0, '#6b6e73'],
      [0.5, '#2e3033'],
      [1, '#131415'],
    ]),
  });
  // The brim comes toward the eye.
  paintCloth(
    drawing,
    brim,
    { x: CX - 450, y: base - 30, width: 900, height: 290 },
    { ...mesh, color: '#2a2b2e' },
    { edge: 26 },
  );
  drawing.inside(brim, () => {
    drawing.path(brim, {
      fill: drawing.down(base - 10, base + 250, [
        [0, '#000', 0.66],
        [0.24, '#000', 0.4],
        [0.5, '#fff', 0.1],
        [0.72, '#fff', 0.05],
        [1, '#000', 0.5],
      ]),
    });
    for (let i = 0; i < 5; i++) {
      const y = base + 82 + i * 27;
      const half = 410 - i * 14;
      const row =
        `M${CX - half} ${num(y - 84)}C${num(CX - half * 0.84)} ${num(y + 2)} ${num(CX - half * 0.4)} ${num(y + 22)} ${CX} ${num(y + 24)}` +
        `S${num(CX + half * 0.84)} ${num(y + 2)} ${CX + half} ${num(y - 84)}`;
      drawStitches(drawing, row, mesh, 2);
    }
    const rim = curve([...right(edge).slice(2), ...right(edge).reverse().slice(1, 4).map(mirrorX)]);
    const light = { stroke: '#fff', 'stroke-opacity': 0.22, 'stroke-width': 3 };
    drawing.path(rim, { fill: 'none', ...light, transform: 'translate(0 -6)' });
  });
  drawing.setPrintArea([CX, top + 276], 3.6, 2.2);
  return drawing;
}

export const softGoods: readonly Blank[] = [
  { productId: 'tote-cotton-natural', draw: drawTote },
  { productId: 'apron-cotton-charcoal', draw: drawApron },
  { productId: 'cap-trucker-white-black', draw: drawCap },
];
