/** T-shirts and bodysuits. */
import type { Blank } from './blank.ts';
import {
  black,
  type Cloth,
  CX,
  drawCrewNeck,
  drawSeam,
  drawStitches,
  type Fold,
  gray,
  hang,
  knit,
  mirrorX,
  mixOf,
  navy,
  outlineOf,
  paintCloth,
  right,
  white,
} from './cloth.ts';
import { type Box, Drawing, mix, type Point } from './drawing.ts';
import { curve, points } from './outlines.ts';
import { drawShadow } from './plates.ts';

/** A shirt of size L is 22 in wide: 30.2 px for an inch. */
const PX_PER_MM = 1.19;

interface Tee {
  readonly productId: string;
  readonly cloth: Cloth;
  readonly area?: { readonly y: number; readonly widthIn: number; readonly heightIn: number };
}

/** The print area that the first shirts of the catalogue had. Stored designs count on its place. */
const teeArea = { y: (0.31554 + 0.30226 / 2) * 1200, widthIn: 10, heightIn: 12 };

const teeFolds: readonly Fold[] = mixOf(
  [
    // Drags from the armpit over the chest and down the side.
    [points('322 440, 236 482, 150 478'), 22],
    [points('326 462, 276 540, 246 650'), 26],
    [points('250 228, 232 276, 224 330'), 15],
    // Drapes that hang to the hem.
    [points('236 660, 232 850, 196 1046'), 34],
    [points('70 830, 98 940, 92 1050'), 22],
    [points('334 720, 306 830, 296 960'), 24],
  ],
  [
    [points('320 436, 250 462, 186 438'), 20],
    [points('326 470, 240 560, 160 590'), 22],
    [points('328 560, 290 640, 282 740'), 24],
    [points('262 232, 238 290, 236 360'), 15],
    [points('270 760, 242 900, 246 1046'), 32],
    [points('150 720, 176 880, 150 1050'), 24],
  ],
);

function drawTee({ productId, cloth, area = teeArea }: Tee): Drawing {
  const drawing = new Drawing(productId, PX_PER_MM);
  const seam: Point[] = points('276 204, 270 280, 284 356, 325 424');
  const body = outlineOf([
    points('96 152, 190 178, 276 204'),
    seam,
    points('325 424, 322 620, 329 840, 338 1034'),
    points('337 1034, 230 1048, 110 1053, 0 1054'),
  ]);
  const neck = `${body}`;
  const sleeve: Point[] = points('272 202, 318 228, 366 288, 420 362, 472 436');
  const cuff: Point[] = points('472 436, 412 474, 346 498');
  const sleeveOf = (flip: (point: Point) => Point): string =>
    `${curve(right(sleeve).map(flip))}${curve(right(cuff).map(flip)).replace(/^M/, 'L')}${curve(
      right(points('346 498, 318 420, 262 330, 272 202')).map(flip),
    ).replace(/^M/, 'L')}Z`;
  const same = (point: Point): Point => point;
  const sleeves = [sleeveOf(same), sleeveOf(mirrorX)];
  const whole: Box = { x: 122, y: 140, width: 956, height: 920 };
  drawShadow(drawing, `${neck}${sleeves.join('')}`, whole, 9);
  sleeves.forEach((d, i) => {
    const flip = i === 0 ? same : mirrorX;
    const box: Box = { x: i === 0 ? 856 : 122, y: 196, width: 222, height: 308 };
    const folds: Fold[] = (
      [
        [points('322 412, 372 408, 424 376'), 24],
        [points('296 330, 340 346, 388 322'), 18],
        [points('334 456, 384 452, 446 420'), 18],
      ] as [Point[], number][]
    ).map(([points, width]) => [right(points).map(flip), width]);
    paintCloth(drawing, d, box, cloth, { folds, edge: 18, light: i === 0 ? 0.2 : 0.4 });
    drawing.inside(d, () => {
      for (const by of [17, 23]) {
        drawStitches(
          drawing,
          curve(
            right([
              [472 - by * 0.5, 436 - by * 0.86],
              [412 - by * 0.42, 474 - by * 0.9],
              [346 - by * 0.34, 498 - by * 0.94],
            ]).map(flip),
          ),
          cloth,
        );
      }
    });
  });
  paintCloth(drawing, body, { x: 262, y: 150, width: 676, height: 906 }, cloth, { folds: teeFolds });
  drawing.inside(body, () => {
    for (const by of [26, 33]) {
      drawStitches(drawing, hang(340, 1034 - by, 20), cloth);
    }
    // Shade under the shoulders, and the light of the chest.
    drawing.path(body, {
      fill: drawing.down(150, 1056, [
        [0, cloth.light, cloth.lightness * 0.16],
        [0.3, cloth.light, cloth.lightness * 0.05],
        [0.75, cloth.dark, cloth.darkness * 0.06],
        [1, cloth.dark, cloth.darkness * 0.42],
      ]),
    });
  });
  for (const flip of [same, mirrorX]) drawSeam(drawing, curve(right(seam).map(flip)), cloth);
  drawCrewNeck(drawing, cloth, { half: 96, y: 153, drop: 84, width: 27 });
  drawing.setPrintArea([CX, area.y], area.widthIn, area.heightIn);
  return drawing;
}

function drawBodysuit(): Drawing {
  // 6 to 12 months: 9.5 in wide, 15.5 in long.
  const drawing = new Drawing('bodysuit-infant-white', 2.24);
  const cloth = white;
  const same = (point: Point): Point => point;
  const body = outlineOf([
    points('92 158, 170 178, 246 208'),
    points('246 208, 238 280, 270 388'),
    points('270 388, 262 560, 268 700, 280 792'),
    points('280 792, 206 842, 140 930, 106 1022'),
    points('106 1022, 104 1062, 100 1088'),
    points('100 1088, 50 1093, 0 1094'),
  ]);
  const sleeveOf = (flip: (point: Point) => Point): string => {
    const rest = (points: readonly Point[]) => curve(right(points).map(flip)).replace(/^M/, 'L');
    return `${curve(
      right(points('244 206, 300 238, 352 304, 396 380')).map(flip),
    )}${rest(points('396 380, 346 414, 290 430'))}${rest(points('290 430, 262 380, 230 290, 244 206'))}Z`;
  };
  const sleeves = [sleeveOf(same), sleeveOf(mirrorX)];
  drawShadow(drawing, `${body}${sleeves.join('')}`, { x: 200, y: 150, width: 800, height: 950 }, 9);
  sleeves.forEach((d, i) => {
    const flip = i === 0 ? same : mirrorX;
    const box: Box = { x: i === 0 ? 826 : 200, y: 200, width: 174, height: 236 };
    paintCloth(drawing, d, box, cloth, {
      folds: [
        [right(points('288 370, 326 366, 366 336')).map(flip), 20],
        [right(points('266 300, 304 312, 336 290')).map(flip), 16],
      ],
      edge: 16,
      light: i === 0 ? 0.2 : 0.4,
    });
    const edge = curve(right(points('390 366, 340 400, 286 414')).map(flip));
    drawing.inside(d, () =>
      drawing.path(edge, { fill: 'none', stroke: mix(cloth.color, cloth.dark, 0.1), 'stroke-width': 24 }),
    );
    drawStitches(drawing, curve(right(points('382 354, 334 387, 280 401')).map(flip)), cloth);
  });
  paintCloth(drawing, body, { x: 318, y: 150, width: 564, height: 946 }, cloth, {
    folds: mixOf(
      [
        [points('266 404, 200 436, 130 432'), 22],
        [points('268 430, 226 520, 206 620'), 24],
        [points('262 720, 190 790, 116 830'), 26],
        [points('150 900, 110 880, 60 900'), 20],
      ],
      [
        [points('266 400, 206 426, 150 406'), 20],
        [points('268 450, 230 540, 176 590'), 22],
        [points('266 700, 200 800, 150 820'), 26],
        [points('130 940, 96 910, 40 920'), 20],
      ],
    ),
    edge: 24,
  });
  // The shoulders lap over each other.
  for (const flip of [same, mirrorX]) {
    const lap = curve(right(points('94 168, 130 250, 190 306, 252 334')).map(flip));
    drawing.inside(body, () => {
      drawing.path(lap, {
        fill: 'none',
        stroke: cloth.dark,
        'stroke-opacity': 0.22,
        'stroke-width': 16,
        transform: 'translate(0 7)',
      });
      drawing.path(lap, { fill: 'none', stroke: mix(cloth.color, cloth.dark, 0.07), 'stroke-width': 19 });
      drawing.path(lap, {
        fill: 'none',
        stroke: '#fff',
        'stroke-opacity': 0.9,
        'stroke-width': 3,
        transform: 'translate(0 -8)',
      });
    });
    drawStitches(drawing, lap, cloth);
    drawSeam(drawing, curve(right(points('246 208, 238 280, 270 388')).map(flip)), cloth);
    const leg = curve(right(points('280 792, 206 842, 140 930, 106 1022')).map(flip));
    drawing.inside(body, () => {
      drawing.path(leg, { fill: 'none', stroke: mix(cloth.color, cloth.dark, 0.1), 'stroke-width': 44 });
      drawing.path(leg, { fill: 'none', stroke: cloth.dark, 'stroke-opacity': 0.16, 'stroke-width': 8 });
    });
    drawStitches(drawing, curve(right(points('276 770, 194 826, 122 920, 86 1022')).map(flip)), cloth);
  }
  drawSeam(drawing, `M${CX - 104} 1040Q${CX} 1050 ${CX + 104} 1040`, cloth);
  for (const by of [-62, 0, 62]) {
    const center: Point = [CX + by, 1068];
    drawing.circle([center[0] + 1, center[1] + 3], 13.5, { fill: cloth.dark, 'fill-opacity': 0.35 });
    drawing.circle(center, 13, {
      fill: drawing.glow([
        [0, '#ffffff'],
        [0.6, '#eceae6'],
        [1, '#b9b5ae'],
      ]),
    });
    drawing.circle(center, 6, { fill: 'none', stroke: '#8f8a82', 'stroke-opacity': 0.6, 'stroke-width': 1.8 });
  }
  drawCrewNeck(drawing, cloth, { half: 92, y: 158, drop: 78, width: 22 });
  drawing.setPrintArea([CX, 574], 5.5, 5.5);
  return drawing;
}

const polyester: Cloth = { ...white, color: '#f4f6f8', dark: '#545c66', paint: knit(0.16) };

const forest: Cloth = { ...navy, color: '#2b4a3a', dark: '#04120a', light: '#9dc2ac' };
const cardinal: Cloth = { ...navy, color: '#8f2330', dark: '#240307', light: '#e3a3a8' };

export const garments: readonly Blank[] = [
  { productId: 'tshirt-cotton-white', draw: () => drawTee({ productId: 'tshirt-cotton-white', cloth: white }) },
  { productId: 'tshirt-cotton-black', draw: () => drawTee({ productId: 'tshirt-cotton-black', cloth: black }) },
  { productId: 'tshirt-cotton-heather', draw: () => drawTee({ productId: 'tshirt-cotton-heather', cloth: gray }) },
  { productId: 'tshirt-cotton-navy', draw: () => drawTee({ productId: 'tshirt-cotton-navy', cloth: navy }) },
  { productId: 'tshirt-cotton-forest', draw: () => drawTee({ productId: 'tshirt-cotton-forest', cloth: forest }) },
  {
    productId: 'tshirt-cotton-cardinal',
    draw: () => drawTee({ productId: 'tshirt-cotton-cardinal', cloth: cardinal }),
  },
  {
    productId: 'tshirt-polyester-white',
    draw: () => drawTee({ productId: 'tshirt-polyester-white', cloth: polyester }),
  },
  { productId: 'bodysuit-infant-white', draw: drawBodysuit },
];
