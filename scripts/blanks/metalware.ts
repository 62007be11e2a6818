/** Small things of steel, brass and aluminum: one long file, because each of them is a drawing of its own. */
import type { Blank } from './blank.ts';
import { type Box, Drawing, num, type Point, type Stop, shade } from './drawing.ts';
import { centerRect, ellipsePath, polygon, roundRect } from './outlines.ts';
import { diagonal, drawBevel, drawEyelet, drawShadow, drawSide, glossWhite } from './plates.ts';
import { drawBrushing, speckle } from './surfaces.ts';
import { drawTube, polishedStops } from './vessels.ts';

/** Flat brushed metal in a color: three soft bands of light from corner to corner. */
const bandsOf = (color: string): Stop[] =>
  (
    [
      [0, 0.3],
      [0.16, 0.06],
      [0.3, 0.34],
      [0.4, 0.5],
      [0.52, 0.1],
      [0.68, 0],
      [0.78, 0.26],
      [0.88, 0.02],
      [1, -0.14],
    ] as const
  ).map(([offset, by]) => [offset, shade(color, by)]);

const steel = '#b4b7ba';
const brass = '#c09a45';

function drawSheet(drawing: Drawing, outline: string, box: Box, color: string, seed: number, thickness = 4): void {
  drawShadow(drawing, outline, box, 8);
  drawSide(drawing, outline, thickness, shade(color, -0.5));
  drawing.path(outline, { fill: diagonal(drawing, box, bandsOf(color)) });
  drawing.inside(outline, () => drawBrushing(drawing, box, seed, 1.1));
  drawBevel(drawing, outline, box, 5, [0.7, 0.45]);
}

function drawLighter(): Drawing {
  // 1.44 in wide, 2.2 in tall, closed.
  const drawing = new Drawing('lighter-windproof-chrome', 17.4);
  const [width, height] = [drawing.inches(1.44), drawing.inches(2.2)];
  const box: Box = { x: 600 - width / 2, y: 596 - height / 2, width, height };
  const outline = roundRect(box.x, box.y, width, height, 56);
  const lid = box.y + height * 0.365;
  drawShadow(drawing, outline, box, 13);
  // Knuckles of the hinge at the left side.
  for (let i = 0; i < 3; i++) {
    const knuckle = roundRect(box.x - 15, lid - 66 + i * 45, 26, 42, 9);
    drawing.path(knuckle, { fill: drawing.across(box.x - 15, box.x + 11, polishedStops) });
    drawing.path(knuckle, { fill: 'none', stroke: '#1d1e20', 'stroke-opacity': 0.5, 'stroke-width': 2 });
  }
  drawing.path(outline, {
    fill: drawing.across(box.x, box.x + width, [
      [0, '#595b5e'],
      [0.015, '#b9bbbd'],
      [0.045, '#f7f8f8'],
      [0.075, '#ccced0'],
      [0.2, '#d9dbdc'],
      [0.36, '#f0f1f1'],
      [0.5, '#d3d5d6'],
      [0.7, '#b9bbbe'],
      [0.88, '#a5a7ab'],
      [0.925, '#74767a'],
      [0.96, '#d5d7d8'],
      [0.985, '#8d8f92'],
      [1, '#484a4d'],
    ]),
  });
  drawing.inside(outline, () => {
    drawing.group({ transform: 'rotate(90 600 596)' }, () =>
      drawBrushing(drawing, { x: 600 - height / 2, y: 596 - width / 2, width: height, height: width }, 51, 0.9),
    );
    drawing.path(outline, {
      fill: drawing.down(box.y, box.y + height, [
        [0, '#000', 0.5],
        [0.018, '#fff', 0.5],
        [0.05, '#fff', 0],
        [0.94, '#000', 0.04],
        [0.975, '#fff', 0.3],
        [1, '#000', 0.6],
      ]),
    });
    drawing.path(`M${num(box.x)} ${num(lid)}h${num(width)}`, { fill: 'none', stroke: '#17181a', 'stroke-width': 5.5 });
    drawing.path(`M${num(box.x)} ${num(lid + 5)}h${num(width)}`, {
      fill: 'none',
      stroke: '#fff',
      'stroke-opacity': 0.85,
      'stroke-width': 3,
    });
    drawing.path(`M${num(box.x)} ${num(lid - 5)}h${num(width)}`, {
      fill: 'none',
      stroke: '#000',
      'stroke-opacity': 0.18,
      'stroke-width': 7,
    });
  });
  drawing.setPrintArea([600, (lid + box.y + height) / 2 - 4], 1.1, 1.1);
  return drawing;
}

function drawBusinessCard(): Drawing {
  // 3.37 x 2.13 in, 0.2 mm sheet.
  const drawing = new Drawing('business-card-aluminum-black', 11.9);
  const [width, height] = [drawing.mm(85.6), drawing.mm(54)];
  const back: Box = { x: 600 - width / 2 + 34, y: 600 - height / 2 - 62, width, height };
  const box: Box = { x: 600 - width / 2 - 6, y: 600 - height / 2 + 24, width, height };
  // One card lies on another that is turned a little.
  const behind = roundRect(back.x, back.y, width, height, 34);
  drawing.group({ transform: 'rotate(-5 600 600)' }, () => {
    drawShadow(drawing, behind, back, 7);
    drawing.path(behind, {
      fill: diagonal(
        drawing,
        back,
        bandsOf('#2c2d30').map(([o, c]): Stop => [o, shade(c, -0.25)]),
      ),
    });
    drawBevel(drawing, behind, back, 3, [0.5, 0.3]);
  });
  const outline = roundRect(box.x, box.y, width, height, 34);
  drawShadow(drawing, outline, box, 9);
  drawing.path(outline, { fill: '#7c7f83', transform: 'translate(1 2.5)' });
  drawing.path(outline, {
    fill: diagonal(drawing, box, [
      [0, '#45474b'],
      [0.2, '#303235'],
      [0.36, '#3f4145'],
      [0.5, '#2b2d30'],
      [0.72, '#222326'],
      [0.84, '#303236'],
      [1, '#1c1d1f'],
    ]),
  });
  drawing.path(outline, {
    fill: speckle(drawing, 90, 4, [
      { color: '#fff', opacity: 0.05, size: 1.6, count: 110 },
      { color: '#000', opacity: 0.16, size: 1.6, count: 110 },
    ]),
  });
  drawBevel(drawing, outline, box, 3, [0.75, 0.3]);
  drawing.setPrintArea([box.x + width / 2, box.y + height / 2], 2.9, 1.7);
  return drawing;
}

function drawBookmark(): Drawing {
  // 1.2 x 4.7 in, with a tassel.
  const drawing = new Drawing('bookmark-brass-tassel', 7.2);
  const [width, height] = [drawing.inches(1.2), drawing.inches(4.7)];
  const box: Box = { x: 560 - width / 2, y: 1130 - height, width, height };
  const outline = roundRect(box.x, box.y, width, height, 22);
  drawSheet(drawing, outline, box, brass, 19, 4);
  const hole: Point = [560, box.y + 36];
  drawEyelet(drawing, hole, 12);
  const silk = '#7c1f2b';
  const cord = `M560 ${num(hole[1])}C556 ${num(hole[1] - 90)} 600 ${num(hole[1] - 150)} 668 ${num(hole[1] - 120)}C716 ${num(hole[1] - 98)} 722 ${num(hole[1] - 30)} 722 ${num(hole[1] + 30)}`;
  drawing.path(cord, {
    fill: 'none',
    stroke: '#140d06',
    'stroke-opacity': 0.28,
    'stroke-width': 9,
    transform: 'translate(5 9)',
  });
  drawing.path(cord, { fill: 'none', stroke: shade(silk, -0.35), 'stroke-width': 9 });
  drawing.path(cord, { fill: 'none', stroke: shade(silk, 0.12), 'stroke-width': 5.6 });
  drawing.path(cord, { fill: 'none', stroke: shade(silk, 0.4), 'stroke-width': 4, 'stroke-dasharray': '2.5 7' });
  const top = hole[1] + 56;
  const skirt = `M706 ${num(top)}C700 ${num(top + 60)} 676 ${num(top + 150)} 672 ${num(top + 286)}L772 ${num(top + 290)}C768 ${num(top + 150)} 744 ${num(top + 60)} 738 ${num(top)}Z`;
  drawing.path(skirt, { fill: '#140d06', 'fill-opacity': 0.22, transform: 'translate(9 12)' });
  drawing.path(skirt, {
    fill: drawing.across(672, 772, [
      [0, shade(silk, -0.45)],
      [0.25, shade(silk, 0.16)],
      [0.45, shade(silk, 0)],
      [0.75, shade(silk, -0.25)],
      [1, shade(silk, -0.5)],
    ]),
  });
  const strands = Array.from({ length: 26 }, (_, i) => {
    const t = i / 25;
    const [from, to] = [708 + 28 * t, 674 + 96 * t];
    return `M${num(from)} ${num(top + 16)}C${num(from)} ${num(top + 90)} ${num(to)} ${num(top + 150)} ${num(to)} ${num(top + 280 + ((i * 7) % 12))}`;
  });
  drawing.path(strands.filter((_, i) => i % 2 === 0).join(''), {
    fill: 'none',
    stroke: '#200609',
    'stroke-opacity': 0.5,
    'stroke-width': 1.6,
  });
  drawing.path(strands.filter((_, i) => i % 2 === 1).join(''), {
    fill: 'none',
    stroke: '#e79aa4',
    'stroke-opacity': 0.45,
    'stroke-width': 1.6,
  });
  const knot = roundRect(702, top - 34, 40, 54, 17);
  drawing.path(knot, {
    fill: drawing.across(702, 742, [
      [0, shade(silk, -0.4)],
      [0.35, shade(silk, 0.3)],
      [1, shade(silk, -0.5)],
    ]),
  });
  drawing.path(`M702 ${num(top + 6)}q20 8 40 0M702 ${num(top + 13)}q20 8 40 0`, {
    fill: 'none',
    stroke: '#d9b36a',
    'stroke-width': 5,
  });
  drawing.setPrintArea([560, box.y + height / 2 + 22], 0.9, 3.6);
  return drawing;
}

function drawBracelet(): Drawing {
  // A bar of 1.6 x 0.25 in on a curb chain.
  const drawing = new Drawing('bracelet-bar-stainless', 15.5);
  const width = drawing.inches(1.65);
  const height = drawing.inches(0.36);
  const y = 760;
  const box: Box = { x: 600 - width / 2, y: y - height / 2, width, height };
  const [l, r] = [box.x, box.x + width];
  // The chain runs round behind the wrist; links are small rings seen in turn flat and on edge.
  const links = (sign: number): Point[] =>
    Array.from({ length: 30 }, (_, i) => {
      const t = i / 29;
      const start = sign < 0 ? l + 14 : r - 14;
      const a = [start, y] as const;
      const b = [start + sign * 250, y - 30] as const;
      const c = [600 + sign * 430, y - 560] as const;
      const d = [600 + sign * 20, y - 560] as const;
      const s = 1 - t;
      const mixAt = (k: 0 | 1) => s ** 3 * a[k] + 3 * s * s * t * b[k] + 3 * s * t * t * c[k] + t ** 3 * d[k];
      return [mixAt(0), mixAt(1)];
    });
  const rings = [-1, 1].flatMap((sign) => {
    const points = links(sign);
    return points.slice(0, -1).map((from, i) => {
      const to = points[i + 1]!;
      const [dx, dy] = [(to[0] - from[0]) * 0.78, (to[1] - from[1]) * 0.78];
      const turn = num((Math.atan2(dy, dx) * 180) / Math.PI, 0);
      const arc = `a${num(Math.hypot(dx, dy), 0)} ${i % 2 === 0 ? 11 : 5} ${turn} 1 1`;
      const start = `M${num((from[0] + to[0]) / 2 - dx)} ${num((from[1] + to[1]) / 2 - dy)}`;
      return `${start}${arc} ${num(2 * dx)} ${num(2 * dy)}${arc} ${num(-2 * dx)} ${num(-2 * dy)}`;
    });
  });
  const chain = rings.join('');
  const shadow = { stroke: '#140d06', 'stroke-opacity': 0.2, 'stroke-width': 7, transform: 'translate(4 7)' };
  drawing.path(chain, { fill: 'none', ...shadow });
  drawing.path(chain, { fill: 'none', stroke: '#55575a', 'stroke-width': 7.5 });
  drawing.path(chain, { fill: 'none', stroke: '#c6c8ca', 'stroke-width': 4.4 });
  drawing.path(chain, { fill: 'none', stroke: '#fff', 'stroke-width': 1.5, transform: 'translate(-1 -1.4)' });
  // The clasp at the back.
  const clasp = roundRect(560, y - 590, 84, 56, 28);
  drawing.path(clasp, { fill: 'none', stroke: '#55575a', 'stroke-width': 17 });
  drawing.path(clasp, { fill: 'none', stroke: '#c6c8ca', 'stroke-width': 11 });
  drawing.path(clasp, { fill: 'none', stroke: '#fff', 'stroke-width': 3.4, transform: 'translate(-2 -2.5)' });
  const outline = roundRect(l, box.y, width, height, 26);
  drawShadow(drawing, outline, box, 9);
  drawSide(drawing, outline, 7, '#515356');
  drawing.path(outline, { fill: diagonal(drawing, box, bandsOf(steel)) });
  drawing.inside(outline, () => drawBrushing(drawing, box, 6, 0.8));
  drawBevel(drawing, outline, box, 8, [0.9, 0.5]);
  drawing.setPrintArea([600, y], 1.35, 0.24);
  return drawing;
}

function drawPen(): Drawing {
  // 5.5 in long, 0.43 in thick.
  const drawing = new Drawing('pen-aluminum-black', 7.5);
  const length = drawing.inches(5.5);
  const half = drawing.inches(0.43) / 2;
  const [l, y] = [600 - length / 2, 600];
  const r = l + length;
  const paint = (color: string): string =>
    drawing.down(y - half, y + half, [
      [0, shade(color, -0.4)],
      [0.08, shade(color, -0.1)],
      [0.2, shade(color, 0.5)],
      [0.3, shade(color, 0.24)],
      [0.48, shade(color, 0.02)],
      [0.75, shade(color, -0.34)],
      [0.9, shade(color, -0.1)],
      [0.96, shade(color, 0.12)],
      [1, shade(color, -0.5)],
    ]);
  const chrome = drawing.down(y - half, y + half, polishedStops);
  const whole = polygon([
    [l, y - 9],
    [l + 74, y - half * 0.62],
    [l + 120, y - half, 16],
    [r - 40, y - half],
    [r, y - half * 0.7],
    [r, y + half * 0.7],
    [r - 40, y + half],
    [l + 120, y + half, 16],
    [l + 74, y + half * 0.62],
    [l, y + 9],
  ]);
  drawShadow(drawing, whole, { x: l, y: y - half, width: length, height: 2 * half }, 10);
  drawing.path(
    polygon([
      [l - 14, y - 4, 3],
      [l + 4, y - 9],
      [l + 4, y + 9],
      [l - 14, y + 4, 3],
    ]),
    { fill: chrome },
  );
  drawing.path(
    polygon([
      [l, y - 10, 3],
      [l + 80, y - half * 0.66],
      [l + 80, y + half * 0.66],
      [l, y + 10, 3],
    ]),
    { fill: chrome },
  );
  const color = '#2a2b2e';
  drawing.path(
    polygon([
      [l + 78, y - half * 0.68],
      [l + 128, y - half, 18],
      [l + 600, y - half],
      [l + 600, y + half],
      [l + 128, y + half, 18],
      [l + 78, y + half * 0.68],
    ]),
    { fill: paint(color) },
  );
  drawing.path(roundRect(l + 588, y - half - 2, 26, 2 * half + 4, 4), { fill: chrome });
  drawing.path(
    polygon([
      [l + 614, y - half],
      [r - 76, y - half],
      [r - 60, y - half * 0.86, 10],
      [r - 60, y + half * 0.86, 10],
      [r - 76, y + half],
      [l + 614, y + half],
    ]),
    { fill: paint(color) },
  );
  drawing.path(roundRect(r - 62, y - half * 0.82, 22, half * 1.64, 4), { fill: chrome });
  drawing.path(roundRect(r - 40, y - half * 0.5, 48, half, 10), { fill: chrome });
  // Fine grooves where the fingers hold it.
  const grooves = Array.from(
    { length: 9 },
    (_, i) => `M${num(l + 148 + i * 13)} ${num(y - half)}v${num(2 * half)}`,
  ).join('');
  drawing.path(grooves, { fill: 'none', stroke: '#000', 'stroke-opacity': 0.45, 'stroke-width': 3 });
  drawing.path(grooves, {
    fill: 'none',
    stroke: '#fff',
    'stroke-opacity': 0.12,
    'stroke-width': 1.6,
    transform: 'translate(2.4 0)',
  });
  // The clip, on the upper side.
  const clip = polygon([
    [l + 690, y - half - 2, 8],
    [r - 56, y - half - 14, 5],
    [r - 48, y - half * 0.5, 5],
    [r - 70, y - half * 0.42, 5],
    [r - 80, y - half * 0.66, 6],
    [l + 700, y - half * 0.62, 10],
  ]);
  drawing.path(clip, { fill: '#000', 'fill-opacity': 0.45, transform: 'translate(3 9)' });
  drawing.path(clip, {
    fill: drawing.down(y - half - 14, y - half * 0.4, [
      [0, '#7d7f83'],
      [0.25, '#ffffff'],
      [0.5, '#d2d4d6'],
      [0.8, '#8e9094'],
      [1, '#45474a'],
    ]),
  });
  drawing.setPrintArea([l + 440, y + 4], 1.7, 0.22);
  drawing.surface = { kind: 'cylinder', diameterMm: 10.9, axis: 'level', axisMm: -0.5 };
  return drawing;
}

function drawCardCase(): Drawing {
  // 3.75 x 2.4 in, hinged, brushed steel.
  const drawing = new Drawing('card-case-stainless', 10.8);
  const [width, height] = [drawing.inches(3.75), drawing.inches(2.4)];
  const box: Box = { x: 600 - width / 2, y: 590 - height / 2, width, height };
  const outline = roundRect(box.x, box.y, width, height, 46);
  drawShadow(drawing, outline, { ...box, height: height + 20 }, 15);
  drawSide(drawing, outline, 22, '#4a4c4f');
  drawing.path(outline, { fill: '#9ea0a3', transform: 'translate(0 20)' });
  drawing.path(outline, { fill: '#38393b', transform: 'translate(0 11)' });
  drawing.path(outline, { fill: '#a9abae', transform: 'translate(0 8)' });
  drawing.path(outline, { fill: diagonal(drawing, box, bandsOf('#b0b3b6')) });
  drawing.inside(outline, () => drawBrushing(drawing, box, 83, 1.2));
  drawBevel(drawing, outline, box, 16, [0.75, 0.45]);
  const thumb = `M548 ${num(box.y + height + 1)}Q556 ${num(box.y + height - 34)} 600 ${num(box.y + height - 34)}Q644 ${num(box.y + height - 34)} 652 ${num(box.y + height + 1)}Z`;
  drawing.path(thumb, {
    fill: drawing.down(box.y + height - 34, box.y + height + 4, [
      [0, '#3a3c3f', 0.8],
      [0.4, '#7b7d80', 0.7],
      [1, '#e9eaeb', 0.9],
    ]),
  });
  drawing.setPrintArea([600, 582], 3, 1.7);
  return drawing;
}

function drawTin(): Drawing {
  // 3.75 x 2.45 in, hinged, white lacquer.
  const drawing = new Drawing('tin-hinged-white', 10.6);
  const [width, height] = [drawing.inches(3.75), drawing.inches(2.45)];
  const box: Box = { x: 600 - width / 2, y: 590 - height / 2, width, height };
  const outline = roundRect(box.x, box.y, width, height, 74);
  drawShadow(drawing, outline, { ...box, height: height + 30 }, 17);
  drawSide(drawing, outline, 30, '#77797c');
  const metal = drawing.across(box.x, box.x + width, polishedStops);
  drawing.path(outline, { fill: metal, transform: 'translate(0 26)' });
  drawing.path(outline, { fill: '#5d5f62', transform: 'translate(0 15)' });
  drawing.path(outline, { fill: '#d9d7d2', transform: 'translate(0 10)' });
  for (const x of [box.x + width * 0.24, box.x + width * 0.7]) {
    const hinge = roundRect(x, box.y - 12, 62, 22, 9);
    drawing.path(hinge, {
      fill: drawing.down(box.y - 12, box.y + 10, [
        [0, '#8d8f92'],
        [0.3, '#fdfdfd'],
        [1, '#77797c'],
      ]),
    });
  }
  drawing.path(outline, { fill: diagonal(drawing, box, glossWhite) });
  drawBevel(drawing, outline, box, 18, [0.9, 0.32]);
  // The panel of the lid is pressed up.
  const panel = roundRect(box.x + 40, box.y + 40, width - 80, height - 80, 48);
  drawing.path(panel, {
    fill: 'none',
    stroke: diagonal(drawing, box, [
      [0, '#6b665f', 0.5],
      [0.4, '#6b665f', 0.2],
      [0.6, '#fff', 0.5],
      [1, '#fff', 1],
    ]),
    'stroke-width': 5,
  });
  drawing.path(roundRect(box.x + 47, box.y + 47, width - 94, height - 94, 42), {
    fill: 'none',
    stroke: diagonal(drawing, box, [
      [0, '#fff', 1],
      [0.4, '#fff', 0.4],
      [0.6, '#6b665f', 0.16],
      [1, '#6b665f', 0.45],
    ]),
    'stroke-width': 5,
  });
  drawing.setPrintArea([600, 590], 3.1, 1.8);
  return drawing;
}

function drawLicensePlate(): Drawing {
  // 12 x 6 in, four slots.
  const drawing = new Drawing('license-plate-aluminum-white', 3.45);
  const [width, height] = [drawing.inches(11.875), drawing.inches(5.875)];
  const box: Box = { x: 600 - width / 2, y: 600 - height / 2, width, height };
  const outline = roundRect(box.x, box.y, width, height, 34);
  drawShadow(drawing, outline, box, 9);
  drawSide(drawing, outline, 3.5, '#9b9da0');
  drawing.path(outline, { fill: diagonal(drawing, box, glossWhite) });
  drawBevel(drawing, outline, box, 4, [0.9, 0.35]);
  for (const x of [-1, 1]) {
    for (const y of [-1, 1]) {
      const center: Point = [600 + x * drawing.inches(3.5), 600 + y * (height / 2 - 34)];
      const slot = centerRect(center, 58, 22, 11);
      drawing.path(slot, { fill: '#37322c' });
      drawing.path(slot, {
        fill: 'none',
        stroke: drawing.down(center[1] - 11, center[1] + 11, [
          [0, '#000', 0.6],
          [0.5, '#8b8780', 0.4],
          [1, '#fff', 1],
        ]),
        'stroke-width': 3,
      });
    }
  }
  drawing.setPrintArea([600, 600], 10.8, 4.2);
  return drawing;
}

/**
 * A split ring of steel wire through a hole: `tag` draws what hangs on it between the part behind and the part in
 * front.
 */
function drawOnSplitRing(drawing: Drawing, center: Point, radius: number, tag: () => void): void {
  const ring = ellipsePath(center, radius);
  const wire = () => {
    drawTube(drawing, ring, radius * 0.22, ['#4d4f52', '#86888b', '#b8babd', '#dfe1e2', '#f6f7f7', '#ffffff']);
    drawing.path(ring, { fill: 'none', stroke: '#2d2f31', 'stroke-opacity': 0.55, 'stroke-width': 1.8 });
  };
  const shadow = { stroke: '#140d06', 'stroke-opacity': 0.26, 'stroke-width': radius * 0.2 };
  drawing.path(ring, { fill: 'none', ...shadow, transform: 'translate(7 12)' });
  wire();
  const end = `M${num(center[0] + radius * 0.86)} ${num(center[1] - radius * 0.34)}`;
  const gap = { stroke: '#1c1d1f', 'stroke-opacity': 0.7, 'stroke-width': 3 };
  drawing.path(`${end}l${num(radius * 0.2)} ${num(-radius * 0.06)}`, { fill: 'none', ...gap });
  tag();
  const left = roundRect(center[0] - radius * 1.3, center[1] - radius * 1.3, radius * 1.32, radius * 2.6, 0);
  drawing.inside(left, () => {
    drawing.path(ring, { fill: 'none', ...shadow, transform: 'translate(4 8)' });
    wire();
  });
}

function drawKeyTag(): Drawing {
  // 1.5 x 2.5 in, white coat.
  const drawing = new Drawing('key-tag-aluminum-white', 12.4);
  const [width, height] = [drawing.inches(1.5), drawing.inches(2.5)];
  const box: Box = { x: 600 - width / 2, y: 1128 - height, width, height };
  const outline = roundRect(box.x, box.y, width, height, 66);
  drawOnSplitRing(drawing, [600, box.y - 78], 138, () => {
    drawShadow(drawing, outline, box, 9);
    drawSide(drawing, outline, 7, '#a5a7aa');
    drawing.path(outline, { fill: diagonal(drawing, box, glossWhite) });
    drawBevel(drawing, outline, box, 6, [0.9, 0.35]);
    drawEyelet(drawing, [600, box.y + 62], 25);
  });
  drawing.setPrintArea([600, box.y + height / 2 + 36], 1.2, 1.8);
  return drawing;
}

function drawPetTag(): Drawing {
  // 1.25 in across, white coat.
  const drawing = new Drawing('pet-tag-round-white', 21.5);
  const radius = drawing.inches(1.25) / 2;
  const center: Point = [600, 1118 - radius];
  const box: Box = { x: 600 - radius, y: center[1] - radius, width: 2 * radius, height: 2 * radius };
  const ear = ellipsePath([600, box.y - 22], 76);
  const outline = ellipsePath(center, radius);
  const earBox: Box = { x: 524, y: box.y - 98, width: 152, height: 152 };
  drawOnSplitRing(drawing, [600, box.y - 178], 142, () => {
    drawShadow(drawing, `${outline}${ear}`, box, 10);
    for (const d of [ear, outline]) drawing.path(d, { fill: '#9b9da0', transform: 'translate(0 8)' });
    drawing.path(ear, { fill: diagonal(drawing, earBox, glossWhite) });
    drawBevel(drawing, ear, earBox, 8, [0.9, 0.35]);
    drawing.path(outline, { fill: diagonal(drawing, box, glossWhite) });
    drawBevel(drawing, outline, box, 9, [0.9, 0.35]);
    drawEyelet(drawing, [600, box.y - 36], 28);
  });
  drawing.setPrintArea(center, 0.82, 0.82);
  return drawing;
}

export const metalware: readonly Blank[] = [
  { productId: 'lighter-windproof-chrome', draw: drawLighter },
  { productId: 'business-card-aluminum-black', draw: drawBusinessCard },
  { productId: 'bookmark-brass-tassel', draw: drawBookmark },
  { productId: 'bracelet-bar-stainless', draw: drawBracelet },
  { productId: 'pen-aluminum-black', draw: drawPen },
  { productId: 'card-case-stainless', draw: drawCardCase },
  { productId: 'tin-hinged-white', draw: drawTin },
  { productId: 'license-plate-aluminum-white', draw: drawLicensePlate },
  { productId: 'key-tag-aluminum-white', draw: drawKeyTag },
  { productId: 'pet-tag-round-white', draw: drawPetTag },
];
