/** Sweatshirts and hoodies. */
import type { Blank } from './blank.ts';
import {
  black,
  type Cloth,
  CX,
  drawCrewNeck,
  drawSeam,
  drawStitches,
  type Fold,
  mirrorX,
  mixOf,
  navy,
  outlineOf,
  paintCloth,
  right,
} from './cloth.ts';
import { type Box, Drawing, mix, num, type Point } from './drawing.ts';
import { curve, points, roundRect } from './outlines.ts';
import { drawShadow } from './plates.ts';

interface Sweat {
  readonly productId: string;
  readonly cloth: Cloth;
  readonly hasHood: boolean;
}

const longSleeve: readonly Point[] = points('274 203, 338 234, 408 356, 462 600, 488 838');
const innerSleeve: readonly Point[] = points('396 846, 372 680, 348 520, 322 420');

/** Draws upright ribs over a part, as cuffs and hems have them. */
function drawRib(drawing: Drawing, outline: string, box: Box, cloth: Cloth): void {
  paintCloth(drawing, outline, box, cloth, { edge: 14 });
  const dark = `stroke="${cloth.dark}" stroke-opacity="${num(cloth.darkness * 0.6, 2)}" stroke-width="3"`;
  const light = `stroke="${cloth.light}" stroke-opacity="${num(cloth.lightness * 0.4, 2)}" stroke-width="2"`;
  const ribs = `<path d="M3 0v8" ${dark}/><path d="M6.5 0v8" ${light}/>`;
  drawing.path(outline, { fill: drawing.pattern(9, 8, ribs) });
}

function drawLongSleeve(drawing: Drawing, cloth: Cloth, flip: (point: Point) => Point): void {
  const place = (points: readonly Point[]) => right(points).map(flip);
  const rest = (points: readonly Point[]) => curve(place(points), false, 0).replace(/^M/, 'L');
  const outline = `${curve(place(longSleeve), false, 0)}${rest(points('488 838, 442 849, 396 846'))}${rest(innerSleeve)}${rest(points('322 420, 262 330, 274 203'))}Z`;
  const xs = place(points('250 0, 496 0')).map(([x]) => x);
  const box: Box = { x: Math.min(...xs), y: 196, width: 246, height: 660 };
  const folds: Fold[] = (
    [
      [points('330 452, 384 440, 440 392'), 26],
      [points('344 510, 404 530, 452 508'), 24],
      [points('366 600, 416 596, 464 556'), 24],
      [points('380 700, 428 716, 474 698'), 22],
      [points('388 770, 436 772, 482 740'), 24],
      [points('296 330, 340 348, 384 320'), 18],
    ] as [Point[], number][]
  ).map(([points, width]) => [place(points), width]);
  const cuff = `${curve(
    place(points('485 836, 442 848, 399 844')),
  )}${rest(points('399 844, 405 880, 410 914'))}${rest(points('410 914, 442 920, 474 912'))}${rest(points('474 912, 480 876, 485 836'))}Z`;
  paintCloth(drawing, outline, box, cloth, { folds, edge: 24, light: xs[0]! < CX ? 0.4 : 0.3 });
  drawRib(drawing, cuff, { ...box, y: 832, height: 92 }, cloth);
  drawSeam(drawing, curve(place(points('485 836, 442 848, 399 844'))), cloth);
}

function drawHood(drawing: Drawing, cloth: Cloth): void {
  const outer = `${curve([
    ...right(points('156 214, 166 148, 132 82, 60 52, 0 48')),
    ...right(points('60 52, 132 82, 166 148, 156 214')).map(mirrorX),
  ])}Q${CX} 372 ${CX + 156} 214Z`;
  const box: Box = { x: CX - 170, y: 44, width: 340, height: 270 };
  paintCloth(drawing, outer, box, cloth, {
    edge: 30,
    folds: mixOf(
      [
        [points('140 120, 120 160, 124 214'), 22],
        [points('60 268, 96 240, 140 190'), 18],
      ],
      [
        [points('146 130, 126 176, 126 222'), 20],
        [points('40 280, 86 256, 136 200'), 18],
      ],
    ),
  });
  // The opening: lining, deep in the shade, and the two edges that meet below the chin.
  const opening = `${curve(right(points('0 282, 48 244, 94 184, 100 128, 66 92, 0 82')))}${curve(
    right(points('0 82, 66 92, 100 128, 94 184, 48 244, 0 282')).map(mirrorX),
  ).replace(/^M/, 'L')}Z`;
  drawing.path(opening, {
    fill: drawing.down(82, 282, [
      [0, mix(cloth.color, cloth.dark, 0.3)],
      [0.35, mix(cloth.color, cloth.dark, 0.55)],
      [1, mix(cloth.color, cloth.dark, 0.8)],
    ]),
  });
  drawing.inside(opening, () => {
    drawing.path(`M${CX - 96} 150Q${CX} 214 ${CX + 96} 150`, {
      fill: 'none',
      stroke: cloth.light,
      'stroke-opacity': cloth.lightness * 0.3,
      'stroke-width': 5,
    });
    drawing.path(roundRect(CX - 18, 186, 36, 24, 2), { fill: mix('#f2f0ec', cloth.dark, 0.3) });
  });
  drawing.path(opening, {
    fill: 'none',
    stroke: mix(cloth.color, cloth.light, cloth.lightness * 0.18),
    'stroke-width': 15,
    'stroke-linejoin': 'round',
  });
  drawing.path(opening, {
    fill: 'none',
    stroke: cloth.dark,
    'stroke-opacity': cloth.darkness * 0.7,
    'stroke-width': 1.8,
  });
  drawStitches(drawing, opening.replace(/Z$/, ''), cloth, 1.4);
  drawSeam(drawing, `M${CX - 156} 214Q${CX} 372 ${CX + 156} 214`, cloth);
  for (const [side, tall] of points('1 108, -1 98')) {
    const x = CX + side * 40;
    drawing.circle([x, 270], 7.5, { fill: '#9a9da1' });
    drawing.circle([x, 270], 4, { fill: '#1b1c1e' });
    const cord = `M${x} 270C${x + side * 4} ${270 + tall * 0.4} ${x + side * 10} ${270 + tall * 0.7} ${x + side * 5} ${270 + tall}`;
    drawing.path(cord, {
      fill: 'none',
      stroke: cloth.dark,
      'stroke-opacity': 0.35,
      'stroke-width': 9,
      transform: 'translate(3 4)',
    });
    drawing.path(cord, {
      fill: 'none',
      stroke: mix('#f0eeea', cloth.dark, 0.16),
      'stroke-width': 8,
      'stroke-linecap': 'round',
    });
    drawing.path(cord, {
      fill: 'none',
      stroke: '#6d6861',
      'stroke-opacity': 0.4,
      'stroke-width': 7,
      'stroke-dasharray': '1.6 4',
    });
    drawing.path(`M${num(x + side * 6)} ${num(270 + tall - 12)}L${num(x + side * 4.6)} ${num(270 + tall + 12)}`, {
      fill: 'none',
      stroke: '#b9bbbe',
      'stroke-width': 9,
    });
  }
}

function drawPocket(drawing: Drawing, cloth: Cloth): void {
  const outline = `M${CX - 112} 652H${CX + 112}C${CX + 120} 710 ${CX + 150} 760 ${CX + 184} 786V862H${CX - 184}V786C${CX - 150} 760 ${CX - 120} 710 ${CX - 112} 652Z`;
  drawing.path(outline, {
    fill: cloth.dark,
    'fill-opacity': cloth.darkness * 0.6,
    filter: drawing.blur(5, { x: 400, y: 630, width: 400, height: 250 }),
    transform: 'translate(0 3)',
  });
  paintCloth(drawing, outline, { x: CX - 184, y: 652, width: 368, height: 210 }, cloth, {
    edge: 10,
    folds: mixOf([[points('150 800, 90 816, 20 800'), 16]], [[points('160 796, 110 830, 60 836'), 16]]),
  });
  drawStitches(drawing, `M${CX - 104} 660H${CX + 104}`, cloth);
  for (const side of [-1, 1]) {
    const x = (by: number) => num(CX + side * by);
    drawStitches(drawing, `M${x(100)} 654C${x(108)} 716 ${x(140)} 770 ${x(182)} 802`, cloth);
    drawing.path(`M${x(112)} 652C${x(120)} 710 ${x(150)} 760 ${x(184)} 786`, {
      fill: 'none',
      stroke: cloth.dark,
      'stroke-opacity': cloth.darkness * 1.2,
      'stroke-width': 3.4,
    });
  }
}

function drawSweat({ productId, cloth, hasHood }: Sweat): Drawing {
  // Size L: 24 in wide, 28 in long.
  const drawing = new Drawing(productId, 1.07);
  const same = (point: Point): Point => point;
  const seam: Point[] = points('278 205, 270 280, 284 356, 325 424');
  const body = outlineOf([
    points('96 152, 190 178, 278 205'),
    seam,
    points('325 424, 320 600, 324 760, 322 866'),
    points('322 866, 160 874, 0 876'),
  ]);
  const hem = `M${CX - 318} 862Q${CX} 880 ${CX + 318} 862L${CX + 304} 936Q${CX} 956 ${CX - 304} 936Z`;
  const arms = `M${CX + 276} 204L${CX + 408} 360L${CX + 487} 838L${CX + 474} 912L${CX + 410} 914L${CX + 324} 424ZM${CX - 276} 204L${CX - 408} 360L${CX - 487} 838L${CX - 474} 912L${CX - 410} 914L${CX - 324} 424Z`;
  drawShadow(
    drawing,
    `${body}${hem}${arms}`,
    { x: 104, y: hasHood ? 44 : 140, width: 992, height: hasHood ? 910 : 814 },
    9,
  );
  drawLongSleeve(drawing, cloth, same);
  drawLongSleeve(drawing, cloth, mirrorX);
  drawRib(drawing, hem, { x: CX - 320, y: 858, width: 640, height: 100 }, cloth);
  paintCloth(drawing, body, { x: 270, y: 150, width: 660, height: 730 }, cloth, {
    folds: mixOf(
      [
        [points('320 446, 240 490, 150 486'), 28],
        [points('324 480, 290 580, 274 690'), 28],
        [points('250 228, 232 276, 226 340'), 18],
        [points('310 780, 220 830, 120 836'), 28],
        [points('318 700, 276 770, 216 800'), 24],
      ],
      [
        [points('320 440, 250 470, 180 446'), 26],
        [points('322 490, 262 570, 190 604'), 26],
        [points('258 232, 238 290, 234 360'), 18],
        [points('312 790, 240 844, 100 848'), 28],
        [points('320 660, 296 730, 246 774'), 26],
      ],
    ),
    edge: 28,
  });
  drawing.inside(body, () =>
    drawing.path(body, {
      fill: drawing.down(150, 880, [
        [0, cloth.light, cloth.lightness * 0.16],
        [0.3, cloth.light, cloth.lightness * 0.04],
        [0.8, cloth.dark, cloth.darkness * 0.06],
        [1, cloth.dark, cloth.darkness * 0.5],
      ]),
    }),
  );
  drawSeam(drawing, `M${CX - 320} 865Q${CX} 882 ${CX + 320} 865`, cloth);
  for (const flip of [same, mirrorX]) drawSeam(drawing, curve(right(seam).map(flip)), cloth);
  if (hasHood) {
    drawPocket(drawing, cloth);
    drawHood(drawing, cloth);
    drawing.setPrintArea([CX, 502], 11, 9);
  } else {
    drawCrewNeck(drawing, cloth, { half: 98, y: 153, drop: 66, width: 36 });
    drawing.setPrintArea([CX, 540], 11, 12);
  }
  return drawing;
}

export const sweats: readonly Blank[] = [
  {
    productId: 'sweatshirt-crew-navy',
    draw: () => drawSweat({ productId: 'sweatshirt-crew-navy', cloth: navy, hasHood: false }),
  },
  {
    productId: 'hoodie-pullover-black',
    draw: () => drawSweat({ productId: 'hoodie-pullover-black', cloth: black, hasHood: true }),
  },
];
