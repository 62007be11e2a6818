/** Clear acrylic, and cases and batteries of plastic. */
import type { Blank } from './blank.ts';
import { type Box, Drawing, num, type Point, type Stop, shade } from './drawing.ts';
import { ellipsePath, points, polygon, roundRect } from './outlines.ts';
import { diagonal, drawBevel, drawShadow, drawSide, glossWhite } from './plates.ts';
import { speckle } from './surfaces.ts';
import { coatStops, drawContact } from './vessels.ts';

/** Clear sheet before a gray ground, with a window mirrored in it. */
export const clear: readonly Stop[] = [
  [0, '#c0c6c9', 0.92],
  [0.28, '#a5adb1', 0.9],
  [0.44, '#b0b8bb', 0.9],
  [0.45, '#ccd1d3', 0.92],
  [0.55, '#c2c8cb', 0.91],
  [0.56, '#a2aaae', 0.9],
  [0.6, '#a8afb3', 0.9],
  [0.61, '#bcc3c6', 0.91],
  [0.645, '#b7bec1', 0.91],
  [0.65, '#9ca4a8', 0.9],
  [1, '#899296', 0.93],
];

function drawAward(): Drawing {
  // 5 x 7 in peak, 3/4 in thick, on a base of 5.5 in.
  const drawing = new Drawing('award-acrylic-peak', 5.2);
  const width = drawing.inches(4.9);
  const bottom = 1024;
  const height = drawing.inches(6.6);
  const [l, r, t] = [600 - width / 2, 600 + width / 2, bottom - height];
  const outline = polygon([
    [l, t + 150],
    [600 + width * 0.12, t],
    [r, t + 118],
    [r - 26, bottom],
    [l + 26, bottom],
  ]);
  const box: Box = { x: l, y: t, width, height };
  drawContact(drawing, [600, 1112], width * 0.6);
  drawing.path(outline, { fill: diagonal(drawing, box, clear) });
  // The ground edges: facets that take light from different sides.
  const deep = 38;
  const inner: Point[] = [
    [l + deep, t + 150 + deep * 0.55],
    [600 + width * 0.115, t + deep * 1.12],
    [r - deep, t + 118 + deep * 0.62],
    [r - 26 - deep, bottom - 20],
    [l + 26 + deep, bottom - 20],
  ];
  const outer: Point[] = [
    [l, t + 150],
    [600 + width * 0.12, t],
    [r, t + 118],
    [r - 26, bottom],
    [l + 26, bottom],
  ];
  const facets: readonly (readonly Stop[])[] = [
    [
      [0, '#ffffff', 0.92],
      [0.6, '#e4e8ea', 0.8],
      [1, '#959fa3', 0.85],
    ],
    [
      [0, '#677277', 0.85],
      [0.5, '#dadfe1', 0.8],
      [1, '#788388', 0.85],
    ],
    [
      [0, '#b2bbbf', 0.85],
      [0.4, '#586368', 0.9],
      [1, '#ccd3d5', 0.85],
    ],
    [
      [0, '#677277', 0.8],
      [1, '#4a5459', 0.9],
    ],
    [
      [0, '#f1f4f5', 0.9],
      [0.35, '#a8b1b5', 0.85],
      [0.7, '#e6eaec', 0.85],
      [1, '#879195', 0.85],
    ],
  ];
  facets.forEach((stops, i) => {
    const [a, b] = [outer[i]!, outer[(i + 1) % 5]!];
    const [c, d] = [inner[(i + 1) % 5]!, inner[i]!];
    drawing.path(polygon([a, b, c, d]), { fill: drawing.linear(a, b, stops) });
  });
  drawing.path(polygon(inner), { fill: 'none', stroke: '#fff', 'stroke-opacity': 0.8, 'stroke-width': 2.4 });
  drawing.path(polygon(outer), { fill: 'none', stroke: '#ecf0f2', 'stroke-opacity': 0.9, 'stroke-width': 2.2 });
  const base = polygon([
    [l - 14, bottom - 6],
    [r + 14, bottom - 6],
    [r + 34, bottom + 18, 4],
    [r + 34, 1104, 6],
    [l - 34, 1104, 6],
    [l - 34, bottom + 18, 4],
  ]);
  const black = '#252628';
  drawing.path(base, {
    fill: drawing.across(l - 34, r + 34, [
      [0, shade(black, -0.4)],
      [0.1, shade(black, 0.28)],
      [0.24, shade(black, 0.5)],
      [0.36, shade(black, 0.1)],
      [0.7, shade(black, -0.1)],
      [0.92, shade(black, 0.2)],
      [1, shade(black, -0.5)],
    ]),
  });
  drawing.path(base, {
    fill: drawing.down(bottom - 6, 1104, [
      [0, '#fff', 0.4],
      [0.2, '#fff', 0.26],
      [0.215, '#000', 0.1],
      [1, '#000', 0.5],
    ]),
  });
  drawing.path(`M${num(l - 33)} ${bottom + 18}H${num(r + 33)}`, {
    fill: 'none',
    stroke: '#fff',
    'stroke-opacity': 0.6,
    'stroke-width': 2.2,
  });
  drawing.setPrintArea([600, t + 470], 3.4, 4);
  return drawing;
}

function drawStandee(): Drawing {
  // 4 x 6 in sheet, 1/8 in, in a slotted base.
  const drawing = new Drawing('standee-acrylic-4x6', 6.5);
  const [width, height] = [drawing.inches(4), drawing.inches(6)];
  const bottom = 1058;
  const box: Box = { x: 600 - width / 2, y: bottom - height, width, height };
  const outline = roundRect(box.x, box.y, width, height + 14, 40);
  drawContact(drawing, [600, 1098], width * 0.56);
  // The base lies flat: an ellipse of clear sheet with a bright edge.
  const base = ellipsePath([600, 1060], width * 0.56, 40);
  drawing.path(base, { fill: '#606c71', 'fill-opacity': 0.85, transform: 'translate(0 13)' });
  drawing.path(base, {
    fill: 'none',
    stroke: '#eef2f4',
    'stroke-opacity': 0.8,
    'stroke-width': 2.4,
    transform: 'translate(0 12)',
  });
  drawing.path(base, {
    fill: drawing.across(600 - width * 0.56, 600 + width * 0.56, [
      [0, '#949da1', 0.95],
      [0.25, '#e0e4e6', 0.95],
      [0.5, '#adb5b9', 0.95],
      [0.8, '#8b9498', 0.95],
      [1, '#bfc6c9', 0.95],
    ]),
  });
  drawing.path(base, { fill: 'none', stroke: '#f7f9fa', 'stroke-opacity': 0.9, 'stroke-width': 2.4 });
  drawing.inside(`M0 0H1200V1064H0Z`, () => {
    drawing.path(outline, { fill: '#6a757a', 'fill-opacity': 0.9, transform: 'translate(6 0)' });
    drawing.path(outline, { fill: diagonal(drawing, box, clear) });
    // The polished edge leads light.
    drawing.path(roundRect(box.x + 8, box.y + 8, width - 16, height + 8, 33), {
      ...{ fill: 'none', stroke: '#fff', 'stroke-opacity': 0.42, 'stroke-width': 13 },
    });
    drawBevel(drawing, outline, box, 7, [1, 0.2]);
    drawing.path(outline, { fill: 'none', stroke: '#f4f7f8', 'stroke-opacity': 0.9, 'stroke-width': 2.6 });
    drawing.path(roundRect(box.x + 9, box.y + 9, width - 18, height, 32), {
      fill: 'none',
      stroke: '#576166',
      'stroke-opacity': 0.25,
      'stroke-width': 3,
    });
    drawing.path(`M${num(box.x)} 1030H${num(box.x + width)}V1070H${num(box.x)}Z`, {
      fill: drawing.down(1028, 1064, [
        [0, '#293134', 0],
        [1, '#293134', 0.5],
      ]),
    });
  });
  drawing.path(`M${num(box.x - 8)} 1064H${num(box.x + width + 10)}`, {
    fill: 'none',
    stroke: '#384145',
    'stroke-opacity': 0.6,
    'stroke-width': 4,
    'stroke-linecap': 'round',
  });
  drawing.path(`M${num(box.x - 8)} 1068H${num(box.x + width + 10)}`, {
    fill: 'none',
    stroke: '#fff',
    'stroke-opacity': 0.85,
    'stroke-width': 2.4,
    'stroke-linecap': 'round',
  });
  drawing.setPrintArea([600, box.y + height / 2 - 12], 3.6, 5.3);
  return drawing;
}

/** The lenses of a phone through the window of its case. */
function drawCamera(drawing: Drawing, [x, y]: Point, side: number): void {
  const plate = roundRect(x, y, side, side, side * 0.27);
  drawing.path(plate, {
    fill: diagonal(drawing, { x, y, width: side, height: side }, [
      [0, '#3a3c40'],
      [0.5, '#232427'],
      [1, '#17181a'],
    ]),
  });
  drawing.path(plate, {
    fill: 'none',
    stroke: diagonal(drawing, { x, y, width: side, height: side }, [
      [0, '#000', 0.8],
      [0.5, '#555', 0.5],
      [1, '#d5d6d8', 0.8],
    ]),
    'stroke-width': 4,
  });
  const lens = ([cx, cy]: Point): void => {
    const radius = side * 0.185;
    drawing.circle([cx, cy], radius, { fill: '#0a0b0d' });
    drawing.circle([cx, cy], radius, {
      fill: 'none',
      stroke: diagonal(drawing, { x: cx - radius, y: cy - radius, width: 2 * radius, height: 2 * radius }, [
        [0, '#e4e5e7'],
        [0.4, '#6d6f73'],
        [0.7, '#2c2d30'],
        [1, '#a5a7aa'],
      ]),
      'stroke-width': 4.5,
    });
    drawing.circle([cx, cy], radius * 0.62, {
      fill: drawing.radial([cx - radius * 0.2, cy - radius * 0.2], radius * 0.8, [
        [0, '#3d4f7c'],
        [0.5, '#182036'],
        [1, '#07090f'],
      ]),
    });
    drawing.circle([cx - radius * 0.24, cy - radius * 0.28], radius * 0.15, { fill: '#fff', 'fill-opacity': 0.8 });
    drawing.circle([cx + radius * 0.2, cy + radius * 0.26], radius * 0.08, { fill: '#b9a7ff', 'fill-opacity': 0.6 });
  };
  lens([x + side * 0.29, y + side * 0.29]);
  lens([x + side * 0.29, y + side * 0.71]);
  lens([x + side * 0.71, y + side * 0.5]);
  drawing.circle([x + side * 0.72, y + side * 0.2], side * 0.06, { fill: '#f4ecd6' });
  drawing.circle([x + side * 0.72, y + side * 0.8], side * 0.035, { fill: '#0a0b0d' });
}

interface PhoneLook {
  readonly rim: string;
  readonly back: readonly Stop[];
  readonly isClear: boolean;
}

function drawPhoneCase(productId: string, { rim, back, isClear }: PhoneLook): Drawing {
  // For a phone of 5.8 x 2.8 in.
  const drawing = new Drawing(productId, 6.9);
  const [width, height] = [drawing.inches(2.98), drawing.inches(5.92)];
  const box: Box = { x: 600 - width / 2, y: 596 - height / 2, width, height };
  const radius = 92;
  const outline = roundRect(box.x, box.y, width, height, radius);
  drawShadow(drawing, outline, box, 14);
  // Buttons stand out of the sides.
  for (const [x, y, tall] of [
    [box.x - 7, 320, 62],
    [box.x - 7, 402, 62],
    [box.x + width - 9, 372, 108],
  ] as const) {
    const button = roundRect(x, y, 16, tall, 7);
    drawing.path(button, {
      fill: drawing.across(x, x + 16, [
        [0, shade(rim, -0.35)],
        [0.4, shade(rim, 0.25)],
        [1, shade(rim, -0.3)],
      ]),
    });
  }
  drawing.path(outline, { fill: drawing.across(box.x, box.x + width, coatStops(rim)) });
  drawBevel(drawing, outline, box, 10, [0.9, 0.5]);
  const inset = isClear ? 24 : 15;
  const face: Box = { x: box.x + inset, y: box.y + inset, width: width - 2 * inset, height: height - 2 * inset };
  const inner = roundRect(face.x, face.y, face.width, face.height, radius - inset);
  drawing.path(inner, { fill: diagonal(drawing, face, back) });
  if (isClear) {
    drawing.path(inner, {
      fill: 'none',
      stroke: '#2e3f47',
      'stroke-opacity': 0.4,
      'stroke-width': 5,
      transform: 'translate(-2 -2)',
    });
    drawing.path(outline, { fill: 'none', stroke: '#f4fafc', 'stroke-opacity': 0.8, 'stroke-width': 3 });
    // The magnets' ring shows through.
    drawing.circle([600, 640], 168, { fill: 'none', stroke: '#fff', 'stroke-opacity': 0.34, 'stroke-width': 20 });
    drawing.circle([600, 640], 168, { fill: 'none', stroke: '#41525a', 'stroke-opacity': 0.14, 'stroke-width': 24 });
    drawing.path(roundRect(591, 838, 18, 76, 9), { fill: '#fff', 'fill-opacity': 0.34 });
  }
  drawBevel(drawing, inner, face, 5, [0.8, 0.3]);
  drawCamera(drawing, [box.x + 46, box.y + 46], 212);
  drawing.setPrintArea([600, box.y + 286 + (height - 320) / 2], 2.5, 4);
  return drawing;
}

function drawPowerBank(): Drawing {
  // 5.4 x 2.7 in, 10,000 mAh.
  const drawing = new Drawing('power-bank-white', 7.3);
  const [width, height] = [drawing.inches(2.7), drawing.inches(5.4)];
  const box: Box = { x: 600 - width / 2, y: 590 - height / 2, width, height };
  const outline = roundRect(box.x, box.y, width, height, 66);
  drawShadow(drawing, outline, { ...box, height: height + 26 }, 16);
  drawSide(drawing, outline, 26, '#96928b', 0.3);
  drawing.path(outline, { fill: '#c5c1ba', transform: 'translate(0 12)' });
  drawing.path(outline, { fill: diagonal(drawing, box, glossWhite) });
  drawing.path(outline, {
    fill: speckle(drawing, 110, 8, [{ color: '#6b665f', opacity: 0.05, size: 1.6, count: 120 }]),
  });
  drawBevel(drawing, outline, box, 16, [1, 0.3]);
  for (let i = 0; i < 4; i++) {
    drawing.circle([549 + i * 34, box.y + height - 62], 6.5, { fill: i < 3 ? '#8fb7e8' : '#cfccc6' });
    drawing.circle([549 + i * 34, box.y + height - 62], 6.5, {
      fill: 'none',
      stroke: '#6b665f',
      'stroke-opacity': 0.35,
      'stroke-width': 1.6,
    });
  }
  // Sockets on the lower edge, seen from above as slots.
  for (const [x, wide] of points('548 74, 652 46')) {
    drawing.path(roundRect(x - wide / 2, box.y + height + 8, wide, 12, 5), { fill: '#2b2926' });
  }
  drawing.setPrintArea([600, box.y + (height - 100) / 2 + 12], 2.2, 4.1);
  return drawing;
}

export const acrylics: readonly Blank[] = [
  { productId: 'award-acrylic-peak', draw: drawAward },
  { productId: 'standee-acrylic-4x6', draw: drawStandee },
  {
    productId: 'phone-case-white',
    draw: () => drawPhoneCase('phone-case-white', { rim: '#e2e0db', back: glossWhite, isClear: false }),
  },
  {
    productId: 'phone-case-clear',
    draw: () =>
      drawPhoneCase('phone-case-clear', {
        rim: '#aebdc4',
        back: [
          [0, '#4a565d', 0.96],
          [0.3, '#39444a', 0.96],
          [0.44, '#566369', 0.96],
          [0.5, '#3b464c', 0.96],
          [1, '#2a3338', 0.97],
        ],
        isClear: true,
      }),
  },
  { productId: 'power-bank-white', draw: drawPowerBank },
];
