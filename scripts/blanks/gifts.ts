/** White blanks for dye and ink: panels, tiles, cloth on foam, board. */
import { clear } from './acrylics.ts';
import type { Blank } from './blank.ts';
import { type Box, Drawing, num, type Point } from './drawing.ts';
import { curve, ellipsePath, points, polygon, roundRect } from './outlines.ts';
import { diagonal, drawBevel, drawEyelet, drawShadow, drawSide, glossWhite, satinWhite } from './plates.ts';
import { pebble, weave } from './surfaces.ts';

const middleBox = (width: number, height: number, cy = 594): Box => ({
  x: 600 - width / 2,
  y: cy - height / 2,
  width,
  height,
});

function drawMousePad(): Drawing {
  // 9.25 x 7.75 in, 1/4 in rubber below white cloth.
  const drawing = new Drawing('mouse-pad-white', 4.35);
  const box = middleBox(drawing.inches(9.25), drawing.inches(7.75));
  const outline = roundRect(box.x, box.y, box.width, box.height, 34);
  drawShadow(drawing, outline, { ...box, height: box.height + 12 }, 9);
  drawSide(drawing, outline, 13, '#1d1e20', 0.06);
  drawing.path(outline, { fill: diagonal(drawing, box, satinWhite) });
  drawing.path(outline, { fill: weave(drawing, 8, ['#5b564e', '#ffffff'], 0.8) });
  drawBevel(drawing, outline, box, 6, [0.9, 0.34]);
  drawing.path(outline, { fill: 'none', stroke: '#2a2826', 'stroke-opacity': 0.28, 'stroke-width': 1.6 });
  drawing.setPrintArea([600, 594], 8.75, 7.25);
  return drawing;
}

function drawPhotoPanel(): Drawing {
  // 10 x 8 in, 1.1 mm sheet with a gloss coat.
  const drawing = new Drawing('photo-panel-aluminum-8x10', 4.1);
  const box = middleBox(drawing.inches(10), drawing.inches(8));
  const outline = roundRect(box.x, box.y, box.width, box.height, 12);
  // It stands off the wall: the shadow is far and soft.
  drawShadow(drawing, outline, { ...box, height: box.height + 20 }, 15);
  drawing.path(outline, { fill: '#8f9194', transform: 'translate(1 3.5)' });
  drawing.path(outline, { fill: diagonal(drawing, box, glossWhite) });
  drawing.inside(outline, () => {
    // A window is mirrored in the coat.
    const window = polygon([
      [box.x + box.width * 0.56, box.y],
      [box.x + box.width * 0.74, box.y],
      [box.x + box.width * 0.3, box.y + box.height],
      [box.x + box.width * 0.12, box.y + box.height],
    ]);
    const light = drawing.down(box.y, box.y + box.height, [
      [0, '#fff', 0.9],
      [1, '#fff', 0.25],
    ]);
    drawing.path(window, { fill: light });
    drawing.path(
      polygon([
        [box.x + box.width * 0.77, box.y],
        [box.x + box.width * 0.81, box.y],
        [box.x + box.width * 0.37, box.y + box.height],
        [box.x + box.width * 0.33, box.y + box.height],
      ]),
      { fill: light },
    );
  });
  drawBevel(drawing, outline, box, 3.5, [1, 0.3]);
  drawing.setPrintArea([600, 594], 9.8, 7.8);
  return drawing;
}

function drawTile(): Drawing {
  // 6 x 6 in, pressed edge.
  const drawing = new Drawing('tile-ceramic-6in', 6.5);
  const side = drawing.inches(5.95);
  const box = middleBox(side, side, 588);
  const outline = roundRect(box.x, box.y, side, side, 22);
  drawShadow(drawing, outline, { ...box, height: side + 18 }, 13);
  drawSide(drawing, outline, 19, '#c9bfae', 0.3);
  drawing.path(outline, { fill: diagonal(drawing, box, glossWhite) });
  // The glaze is thick in the middle and runs off over the cushion edge.
  drawBevel(drawing, outline, box, 20, [0.95, 0.26]);
  drawing.path(roundRect(box.x + 17, box.y + 17, side - 34, side - 34, 14), {
    fill: 'none',
    stroke: diagonal(drawing, box, [
      [0, '#8c867d', 0.2],
      [0.4, '#8c867d', 0.06],
      [0.6, '#fff', 0.6],
      [1, '#fff', 1],
    ]),
    'stroke-width': 4,
  });
  drawing.inside(outline, () =>
    drawing.path(
      `M${num(box.x + 60)} ${num(box.y + side * 0.5)}Q${num(box.x + 64)} ${num(box.y + 66)} ${num(box.x + side * 0.5)} ${num(box.y + 58)}`,
      {
        fill: 'none',
        stroke: diagonal(drawing, box, [
          [0, '#fff', 1],
          [0.4, '#fff', 0.5],
          [0.5, '#fff', 0],
        ]),
        'stroke-width': 9,
        'stroke-linecap': 'round',
      },
    ),
  );
  drawing.setPrintArea([600, 588], 5.7, 5.7);
  return drawing;
}

function drawHardboardCoaster(): Drawing {
  // 3.75 x 3.75 in, gloss face, cork below.
  const drawing = new Drawing('coaster-hardboard-square', 10.1);
  const side = drawing.inches(3.75);
  const box = middleBox(side, side, 590);
  const outline = roundRect(box.x, box.y, side, side, 62);
  drawShadow(drawing, outline, { ...box, height: side + 14 }, 11);
  drawing.path(outline, { fill: '#8d6236', transform: 'translate(0 19)' });
  drawing.path(outline, { fill: '#c29259', transform: 'translate(0 16)' });
  drawing.path(outline, { fill: '#4a3220', transform: 'translate(0 9)' });
  drawing.path(outline, { fill: '#6f4d31', transform: 'translate(0 6)' });
  drawing.path(outline, { fill: diagonal(drawing, box, glossWhite) });
  drawBevel(drawing, outline, box, 6, [1, 0.3]);
  drawing.setPrintArea([600, 590], 3.4, 3.4);
  return drawing;
}

function drawCushion(): Drawing {
  // 16 x 16 in, filled: the sides draw in between the corners.
  const drawing = new Drawing('cushion-cover-linen-16in', 2.55);
  const half = drawing.inches(16) / 2;
  const [cx, cy] = [600, 596];
  const pull = 30;
  const edge = (k: number): Point[] => {
    const points: Point[] = [];
    for (let i = 0; i < 6; i++) {
      const t = i / 6;
      const along = -half + 2 * half * t;
      const bow = pull * Math.sin(Math.PI * t) ** 0.8;
      const [x, y] = [along, -half + bow];
      const turns: Point[] = [
        [x, y],
        [-y, x],
        [-x, -y],
        [y, -x],
      ];
      points.push([cx + turns[k]![0], cy + turns[k]![1]]);
    }
    return points;
  };
  const outline = curve([0, 1, 2, 3].flatMap(edge), true);
  const box: Box = { x: cx - half, y: cy - half, width: 2 * half, height: 2 * half };
  drawShadow(drawing, outline, box, 17);
  drawing.path(outline, {
    fill: drawing.radial([cx - 110, cy - 130], half * 1.6, [
      [0, '#f7f3ea'],
      [0.4, '#efe9dc'],
      [0.72, '#dcd3c2'],
      [1, '#b9ae99'],
    ]),
  });
  drawing.path(outline, { fill: weave(drawing, 9, ['#6b604c', '#fffaf0'], 1.15) });
  drawing.inside(outline, () => {
    drawing.soft(15, box, () => {
      const dark = { fill: 'none', stroke: '#5a4d38', 'stroke-linecap': 'round' };
      // Creases run from the corners toward the middle.
      for (const [sx, sy] of points('-1 -1, 1 -1, 1 1, -1 1')) {
        const p = (a: number, b: number) => `${num(cx + sx * half * a)} ${num(cy + sy * half * b)}`;
        const weight = sx + sy > 0 ? 0.34 : 0.2;
        drawing.path(`M${p(0.99, 0.97)}C${p(0.86, 0.88)} ${p(0.72, 0.8)} ${p(0.52, 0.74)}`, {
          ...dark,
          'stroke-opacity': weight,
          'stroke-width': 24,
        });
        drawing.path(`M${p(0.97, 0.99)}C${p(0.88, 0.84)} ${p(0.82, 0.7)} ${p(0.76, 0.54)}`, {
          ...dark,
          'stroke-opacity': weight,
          'stroke-width': 20,
        });
        drawing.path(`M${p(0.95, 0.9)}C${p(0.8, 0.78)} ${p(0.68, 0.7)} ${p(0.56, 0.6)}`, {
          ...dark,
          stroke: '#fffdf6',
          'stroke-opacity': 0.55,
          'stroke-width': 17,
        });
      }
      drawing.path(`M${num(cx - half)} ${num(cy + half)}H${num(cx + half)}V${num(cy - half)}`, {
        ...dark,
        'stroke-opacity': 0.4,
        'stroke-width': 52,
      });
      drawing.path(`M${num(cx - half)} ${num(cy + half)}V${num(cy - half)}H${num(cx + half)}`, {
        ...dark,
        stroke: '#fffdf6',
        'stroke-opacity': 0.5,
        'stroke-width': 30,
      });
    });
    drawing.path(outline, { fill: 'none', stroke: '#4f4330', 'stroke-opacity': 0.3, 'stroke-width': 15 });
    drawing.path(outline, { fill: 'none', stroke: '#fffaf0', 'stroke-opacity': 0.6, 'stroke-width': 9 });
  });
  drawing.path(outline, { fill: 'none', stroke: '#6b604c', 'stroke-opacity': 0.55, 'stroke-width': 1.8 });
  drawing.setPrintArea([cx, cy], 13.5, 13.5);
  return drawing;
}

function drawPuzzle(): Drawing {
  // 9.5 x 7.5 in, 110 pieces: 11 x 10.
  const drawing = new Drawing('puzzle-110-piece', 4.3);
  const box = middleBox(drawing.inches(9.5), drawing.inches(7.5));
  const outline = roundRect(box.x, box.y, box.width, box.height, 12);
  drawShadow(drawing, outline, { ...box, height: box.height + 8 }, 9);
  drawSide(drawing, outline, 8, '#8f7d62', 0.2);
  drawing.path(outline, { fill: diagonal(drawing, box, glossWhite) });
  const [columns, rows] = [11, 10];
  const [w, h] = [box.width / columns, box.height / rows];
  const cuts: string[] = [];
  /** A cut along a piece, with a knob to one side: `u` along, `v` across. */
  const knob = (u: Point, v: Point, side: number): string => {
    const p = (a: number, b: number) => `${num(u[0] * a + v[0] * b * side, 0)} ${num(u[1] * a + v[1] * b * side, 0)}`;
    return `c${p(0.3, -0.06)} ${p(0.42, -0.02)} ${p(0.38, 0.1)}c${p(-0.08, 0.2)} ${p(0.32, 0.2)} ${p(0.24, 0)}s${p(0.08, -0.16)} ${p(0.38, -0.1)}`;
  };
  for (let j = 1; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const side = (i * 7 + j * 5) % 3 === 0 ? 1 : -1;
      cuts.push(`M${num(box.x + i * w, 0)} ${num(box.y + j * h, 0)}${knob([w, 0], [0, h], side)}`);
    }
  }
  for (let i = 1; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const side = (i * 5 + j * 3) % 4 < 2 ? 1 : -1;
      cuts.push(`M${num(box.x + i * w, 0)} ${num(box.y + j * h, 0)}${knob([0, h], [w, 0], side)}`);
    }
  }
  drawing.inside(outline, () => {
    drawing.path(cuts.join(''), { fill: 'none', stroke: '#fff', 'stroke-width': 2.2, transform: 'translate(1.2 1.4)' });
    drawing.path(cuts.join(''), { fill: 'none', stroke: '#7d776e', 'stroke-opacity': 0.75, 'stroke-width': 1.4 });
  });
  drawBevel(drawing, outline, box, 4, [1, 0.3]);
  drawing.setPrintArea([600, 594], 9.4, 7.4);
  return drawing;
}

function drawLuggageTag(): Drawing {
  // 2.75 x 4 in, with a strap.
  const drawing = new Drawing('luggage-tag-white', 7.9);
  const [width, height] = [drawing.inches(2.75), drawing.inches(4)];
  const box: Box = { x: 600 - width / 2, y: 1120 - height, width, height };
  const outline = polygon([
    [box.x + 96, box.y, 34],
    [box.x + width - 96, box.y, 34],
    [box.x + width, box.y + 96, 34],
    [box.x + width, box.y + height, 38],
    [box.x, box.y + height, 38],
    [box.x, box.y + 96, 34],
  ]);
  const slotY = box.y + 46;
  const strap = `M574 ${num(slotY + 4)}C528 ${num(box.y - 60)} 470 150 540 110C600 80 690 110 676 210C668 ${num(box.y - 80)} 640 ${num(box.y - 20)} 624 ${num(slotY + 4)}`;
  drawShadow(drawing, outline, box, 9);
  drawSide(drawing, outline, 6, '#a19c93');
  drawing.path(outline, { fill: diagonal(drawing, box, glossWhite) });
  drawBevel(drawing, outline, box, 5, [1, 0.32]);
  const slot = roundRect(548, slotY - 13, 104, 26, 13);
  drawing.path(slot, { fill: '#2f2a25' });
  drawing.path(slot, {
    fill: 'none',
    stroke: drawing.down(slotY - 13, slotY + 13, [
      [0, '#000', 0.6],
      [0.6, '#8b8780', 0.4],
      [1, '#fff', 1],
    ]),
    'stroke-width': 3,
  });
  drawing.path(strap, {
    fill: 'none',
    stroke: '#140d06',
    'stroke-opacity': 0.26,
    'stroke-width': 34,
    transform: 'translate(8 13)',
  });
  for (const [stroke, thickness, opacity, shift] of [
    ['#0f1012', 36, 1, 0],
    ['#2e3033', 31, 1, -1],
    ['#45484c', 17, 0.8, -4],
    ['#8b8f94', 4, 0.55, -8],
  ] as const) {
    drawing.path(strap, {
      fill: 'none',
      stroke,
      'stroke-opacity': opacity,
      'stroke-width': thickness,
      transform: `translate(${shift} ${shift})`,
    });
  }
  const buckle = roundRect(500, 196, 74, 50, 10);
  drawing.group({ transform: 'rotate(-68 537 221)' }, () => {
    drawing.path(buckle, { fill: 'none', stroke: '#4b4d50', 'stroke-width': 15 });
    drawing.path(buckle, { fill: 'none', stroke: '#c3c5c8', 'stroke-width': 9 });
    drawing.path(buckle, { fill: 'none', stroke: '#fff', 'stroke-width': 3, transform: 'translate(-2 -2)' });
  });
  drawing.setPrintArea([600, box.y + height / 2 + 42], 2.4, 3);
  return drawing;
}

function drawOrnamentAcrylic(): Drawing {
  // 3 in across, 1/8 in clear cast acrylic.
  const drawing = new Drawing('ornament-acrylic-round', 10.6);
  const radius = drawing.inches(3) / 2;
  const center: Point = [600, 728];
  const box: Box = { x: 600 - radius, y: center[1] - radius, width: 2 * radius, height: 2 * radius };
  const outline = ellipsePath(center, radius);
  drawShadow(drawing, outline, box, 9);
  drawing.path(outline, { fill: '#677175', 'fill-opacity': 0.75, transform: 'translate(0 10)' });
  drawing.path(outline, { fill: diagonal(drawing, box, clear) });
  // The polished edge leads light: a bright ring, and the far edge seen through the sheet.
  drawing.circle(center, radius - 8, { fill: 'none', stroke: '#fff', 'stroke-opacity': 0.42, 'stroke-width': 13 });
  drawing.circle([center[0] - 3, center[1] - 7], radius - 18, {
    fill: 'none',
    stroke: '#3f4c52',
    'stroke-opacity': 0.26,
    'stroke-width': 3,
  });
  drawing.circle(center, radius - 9, {
    fill: 'none',
    stroke: diagonal(drawing, box, [
      [0, '#fff', 0.2],
      [0.5, '#4a5357', 0.25],
      [1, '#fff', 0.5],
    ]),
    'stroke-width': 6,
  });
  drawBevel(drawing, outline, box, 8, [1, 0.3]);
  drawing.path(outline, { fill: 'none', stroke: '#eef2f3', 'stroke-opacity': 0.85, 'stroke-width': 2.6 });
  drawEyelet(drawing, [600, box.y + 46], 16);
  const ribbon = `M600 ${num(box.y + 46)}C548 ${num(box.y - 60)} 560 84 600 78C640 84 652 ${num(box.y - 60)} 600 ${num(box.y + 46)}`;
  drawing.path(ribbon, {
    fill: 'none',
    stroke: '#140d06',
    'stroke-opacity': 0.24,
    'stroke-width': 9,
    transform: 'translate(5 9)',
  });
  drawing.path(ribbon, { fill: 'none', stroke: '#8f929a', 'stroke-width': 10 });
  drawing.path(ribbon, { fill: 'none', stroke: '#e3e5ea', 'stroke-width': 6.5, transform: 'translate(-1 -1)' });
  drawing.setPrintArea([600, 738], 1.95, 1.95);
  return drawing;
}

function drawPokerChip(): Drawing {
  // 39 mm across, 3.3 mm thick; the label is 1 in.
  const drawing = new Drawing('poker-chip-white', 27.5);
  const radius = drawing.mm(39) / 2;
  const center: Point = [600, 588];
  const box: Box = { x: 600 - radius, y: center[1] - radius, width: 2 * radius, height: 2 * radius };
  const outline = ellipsePath(center, radius);
  const color = '#1f3a5f';
  drawShadow(drawing, outline, { ...box, height: box.height + 26 }, 15);
  drawing.path(outline, { fill: '#12233a', transform: 'translate(0 30)' });
  drawing.path(outline, {
    fill: diagonal(drawing, box, [
      [0, '#2d4d79'],
      [0.5, color],
      [1, '#162b48'],
    ]),
  });
  const inserts = Array.from({ length: 8 }, (_, i) => {
    const angle = (i * Math.PI) / 4 + Math.PI / 8;
    const point = (r: number, by: number) =>
      `${num(center[0] + r * Math.cos(angle + by))} ${num(center[1] + r * Math.sin(angle + by))}`;
    return `M${point(radius + 2, -0.14)}L${point(radius * 0.74, -0.16)}A${num(radius * 0.74)} ${num(radius * 0.74)} 0 0 1 ${point(radius * 0.74, 0.16)}L${point(radius + 2, 0.14)}Z`;
  }).join('');
  drawing.inside(outline, () => {
    drawing.path(inserts, { fill: diagonal(drawing, box, satinWhite) });
    drawing.path(inserts, { fill: 'none', stroke: '#0b1626', 'stroke-opacity': 0.35, 'stroke-width': 2 });
    drawing.circle(center, radius * 0.72, {
      fill: 'none',
      stroke: '#fff',
      'stroke-opacity': 0.75,
      'stroke-width': 3.4,
      'stroke-dasharray': '3 15',
    });
  });
  drawBevel(drawing, outline, box, 18, [0.5, 0.5]);
  const label = ellipsePath(center, drawing.inches(1.06) / 2);
  const labelBox: Box = { x: center[0] - 380, y: center[1] - 380, width: 760, height: 760 };
  drawing.path(label, { fill: diagonal(drawing, labelBox, glossWhite) });
  drawing.path(label, {
    fill: 'none',
    stroke: diagonal(drawing, labelBox, [
      [0, '#0b1626', 0.7],
      [0.5, '#0b1626', 0.25],
      [0.6, '#fff', 0.3],
      [1, '#fff', 0.9],
    ]),
    'stroke-width': 6,
  });
  drawing.setPrintArea(center, 0.7, 0.7);
  return drawing;
}

function drawHatPatch(): Drawing {
  // 3.5 x 2.5 in leatherette, stitched edge.
  const drawing = new Drawing('patch-leatherette-rawhide', 11.4);
  const box = middleBox(drawing.inches(3.5), drawing.inches(2.5));
  const outline = roundRect(box.x, box.y, box.width, box.height, 78);
  drawShadow(drawing, outline, box, 7);
  drawSide(drawing, outline, 9, '#2a1b10', 0.05);
  drawing.path(outline, {
    fill: drawing.radial([box.x + box.width * 0.3, box.y + box.height * 0.22], box.width, [
      [0, '#d3aa7a'],
      [0.4, '#c39563'],
      [0.75, '#ac7d4c'],
      [1, '#8e6338'],
    ]),
  });
  drawing.path(outline, { fill: pebble(drawing, 12, 0.9) });
  drawBevel(drawing, outline, box, 7, [0.55, 0.5]);
  const seam = roundRect(box.x + 27, box.y + 27, box.width - 54, box.height - 54, 56);
  const stitch = { fill: 'none', 'stroke-linecap': 'round' };
  drawing.path(seam, { ...stitch, stroke: '#3a210e', 'stroke-opacity': 0.24, 'stroke-width': 12 });
  drawing.path(seam, {
    ...stitch,
    stroke: '#2a1608',
    'stroke-opacity': 0.6,
    'stroke-width': 7,
    'stroke-dasharray': '20 11',
    transform: 'translate(1.5 3)',
  });
  drawing.path(seam, { ...stitch, stroke: '#4a2d17', 'stroke-width': 6.5, 'stroke-dasharray': '20 11' });
  drawing.path(seam, {
    ...stitch,
    stroke: '#b98b5e',
    'stroke-opacity': 0.7,
    'stroke-width': 2,
    'stroke-dasharray': '17 14',
    transform: 'translate(-1 -1.5)',
  });
  drawing.setPrintArea([600, 594], 2.8, 1.8);
  return drawing;
}

export const gifts: readonly Blank[] = [
  { productId: 'mouse-pad-white', draw: drawMousePad },
  { productId: 'photo-panel-aluminum-8x10', draw: drawPhotoPanel },
  { productId: 'tile-ceramic-6in', draw: drawTile },
  { productId: 'coaster-hardboard-square', draw: drawHardboardCoaster },
  { productId: 'cushion-cover-linen-16in', draw: drawCushion },
  { productId: 'puzzle-110-piece', draw: drawPuzzle },
  { productId: 'luggage-tag-white', draw: drawLuggageTag },
  { productId: 'ornament-acrylic-round', draw: drawOrnamentAcrylic },
  { productId: 'poker-chip-white', draw: drawPokerChip },
  { productId: 'patch-leatherette-rawhide', draw: drawHatPatch },
];
