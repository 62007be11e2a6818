/**
 * The drawings of the bench of camera pictures: filled shapes and letters on a page of 1000 × 750 units, each with its
 * inks as numbers. Drawings for tuning and drawings that are set apart share no shape and no word; those of
 * `cameraHeldArt.ts` are a second set apart.
 */
import { setText } from './glyphs.ts';

export const PAGE = { width: 1000, height: 750 };

export interface CameraArt {
  name: string;
  /** How many inks it takes. */
  inks: number;
  /** Returns the body of an SVG whose inks have these colors. */
  draw(inks: readonly string[]): string;
}

type Point = readonly [number, number];

const toText = (value: number): string => value.toFixed(2);
export const polygon = (points: readonly Point[]): string =>
  `M${points.map(([x, y]) => `${toText(x)} ${toText(y)}`).join('L')}Z`;
export const path = (fill: string, d: string): string => `<path fill="${fill}" fill-rule="evenodd" d="${d}"/>`;
export const turn = (x: number, y: number, radius: number, degrees: number): Point => [
  x + radius * Math.cos((degrees * Math.PI) / 180),
  y + radius * Math.sin((degrees * Math.PI) / 180),
];

export function circle(x: number, y: number, r: number): string {
  return `M${x - r} ${y}A${r} ${r} 0 0 1 ${x} ${y - r}A${r} ${r} 0 0 1 ${x + r} ${y}A${r} ${r} 0 0 1 ${x} ${y + r}A${r} ${r} 0 0 1 ${x - r} ${y}Z`;
}

export const ring = (x: number, y: number, r: number, thickness: number): string =>
  circle(x, y, r) + circle(x, y, r - thickness);
export const box = (x: number, y: number, width: number, height: number): string =>
  polygon([
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]);

export function star(x: number, y: number, r: number, points: number, inner: number, from = -90): string {
  return polygon(
    Array.from({ length: 2 * points }, (_, k) => turn(x, y, k % 2 ? r * inner : r, from + (180 * k) / points)),
  );
}

/** A leaf of two curves between two points, as wide as a share of its length. */
export function leaf(x: number, y: number, degrees: number, length: number, share: number): string {
  const [endX, endY] = turn(x, y, length, degrees);
  const side = (along: number, sign: number): string => {
    const [mx, my] = turn(x, y, length * along, degrees);
    const [px, py] = turn(mx, my, length * share * sign, degrees + 90);
    return `${toText(px)} ${toText(py)}`;
  };
  return `M${x} ${y}C${side(0.25, 1)} ${side(0.7, 1)} ${toText(endX)} ${toText(endY)}C${side(0.7, -1)} ${side(0.25, -1)} ${x} ${y}Z`;
}

export function text(fill: string, words: string, x: number, y: number, size: number, font: string): string {
  return `<g fill="${fill}" transform="translate(${x} ${y})">${setText(words, size, font)}</g>`;
}

/** The drawings to tune with. */
export const TUNING_ART: readonly CameraArt[] = [
  {
    name: 'bakery',
    inks: 2,
    draw: ([a, b]) =>
      path(a, ring(500, 270, 190, 26)) +
      path(
        b,
        [0, 1, 2, 3, 4]
          .map((k) => leaf(500, 390 - 50 * k, -40, 90, 0.22) + leaf(500, 390 - 50 * k, -140, 90, 0.22))
          .join(''),
      ) +
      path(a, box(493, 150, 14, 270)) +
      text(a, 'Oak Street', 250, 590, 108, 'inter') +
      text(b, 'bread since 1987', 296, 668, 54, 'inter'),
  },
  {
    name: 'mountain',
    inks: 3,
    draw: ([a, b, c]) =>
      path(c, circle(640, 210, 82)) +
      path(
        a,
        polygon([
          [180, 520],
          [400, 170],
          [620, 520],
        ]),
      ) +
      path(
        b,
        polygon([
          [430, 520],
          [600, 290],
          [800, 520],
        ]),
      ) +
      path(a, box(160, 540, 680, 16)) +
      text(a, 'HIGH RIDGE', 196, 668, 110, 'rye'),
  },
  {
    name: 'anchor',
    inks: 1,
    draw: ([a]) =>
      path(a, ring(500, 150, 62, 24)) +
      path(a, box(482, 205, 36, 390)) +
      path(a, box(380, 260, 240, 34)) +
      path(
        a,
        'M250 430L320 410L318 470C350 540 420 575 500 580C580 575 650 540 682 470L680 410L750 430L738 500C700 600 600 650 500 654C400 650 300 600 262 500Z',
      ) +
      path(a, star(170, 200, 58, 5, 0.42) + star(830, 200, 58, 5, 0.42)),
  },
  {
    name: 'cup',
    inks: 2,
    draw: ([a, b]) =>
      path(a, 'M240 330L680 330C690 470 640 600 540 620L380 620C280 600 230 470 240 330Z') +
      path(a, 'M670 370C790 350 800 520 650 540L662 500C740 490 740 400 664 412Z') +
      path(b, 'M360 280C300 220 420 190 360 110C460 180 340 220 400 280Z') +
      path(b, 'M500 280C440 220 560 190 500 110C600 180 480 220 540 280Z') +
      path(b, box(180, 640, 600, 22)),
  },
  {
    name: 'branch',
    inks: 3,
    draw: ([a, b, c]) =>
      path(a, [0, 1, 2, 3].map((k) => leaf(220 + 150 * k, 480 - 60 * k, -75 + 6 * k, 190, 0.26)).join('')) +
      path(b, [0, 1, 2, 3].map((k) => leaf(240 + 150 * k, 470 - 60 * k, 35 + 6 * k, 170, 0.24)).join('')) +
      path(c, circle(250, 240, 44) + circle(350, 190, 36) + circle(800, 560, 52)),
  },
  {
    name: 'notice',
    inks: 1,
    draw: ([a]) =>
      text(a, 'Handmade in Portland', 120, 190, 80, 'inter') +
      text(a, 'Wash by hand, do not bleach', 120, 300, 56, 'inter') +
      text(a, 'Net weight 250 g, best before May', 120, 390, 48, 'inter') +
      text(a, 'NORTHWIND', 120, 560, 124, 'rye') +
      path(a, box(120, 610, 760, 12)),
  },
  {
    name: 'tiles',
    inks: 4,
    draw: ([a, b, c, d]) =>
      path(a, box(150, 120, 200, 200)) +
      path(b, box(350, 120, 200, 200)) +
      path(c, star(740, 220, 130, 6, 0.866)) +
      path(d, [0, 1, 2, 3, 4].map((k) => box(150, 390 + 52 * k, 380, 26)).join('')) +
      path(b, ring(740, 510, 130, 34)) +
      path(a, circle(740, 510, 62)),
  },
  {
    name: 'fish',
    inks: 2,
    draw: ([a, b]) =>
      path(a, 'M160 380C260 200 520 190 690 370L830 250C810 340 810 420 830 510L690 390C520 570 260 560 160 380Z') +
      path(b, 'M380 220C420 130 520 130 570 240C500 215 440 212 380 220Z') +
      path(b, 'M400 545C440 620 500 620 550 528C500 545 450 550 400 545Z') +
      text(b, 'No. 7', 420, 690, 90, 'rye'),
  },
];

/** The drawings that are set apart. */
export const APART_ART: readonly CameraArt[] = [
  {
    name: 'lighthouse',
    inks: 3,
    draw: ([a, b, c]) =>
      path(
        a,
        polygon([
          [430, 240],
          [570, 240],
          [610, 620],
          [390, 620],
        ]),
      ) +
      path(
        b,
        polygon([
          [410, 240],
          [500, 130],
          [590, 240],
        ]),
      ) +
      path(c, 'M120 620C220 560 300 700 400 640C500 580 600 700 700 640C780 600 840 660 880 620L880 690L120 690Z') +
      path(
        b,
        polygon([
          [610, 190],
          [860, 120],
          [860, 230],
        ]) +
          polygon([
            [390, 190],
            [140, 120],
            [140, 230],
          ]),
      ),
  },
  {
    name: 'cog',
    inks: 1,
    draw: ([a]) =>
      path(
        a,
        polygon(Array.from({ length: 48 }, (_, k) => turn(340, 330, k % 4 < 2 ? 220 : 172, 7.5 * k))) +
          circle(340, 330, 84),
      ) +
      path(
        a,
        polygon(Array.from({ length: 32 }, (_, k) => turn(700, 430, k % 4 < 2 ? 150 : 112, 11.25 * k))) +
          circle(700, 430, 50),
      ) +
      text(a, 'Works & Co', 240, 700, 104, 'playfair-display'),
  },
  {
    name: 'butterfly',
    inks: 2,
    draw: ([a, b]) =>
      path(a, 'M500 350C440 160 220 80 160 200C120 330 300 400 490 390Z') +
      path(a, 'M500 350C560 160 780 80 840 200C880 330 700 400 510 390Z') +
      path(b, 'M490 400C340 410 220 500 290 610C380 680 470 560 495 430Z') +
      path(b, 'M510 400C660 410 780 500 710 610C620 680 530 560 505 430Z') +
      path(a, 'M500 300C525 330 525 560 500 640C475 560 475 330 500 300Z'),
  },
  {
    name: 'crown',
    inks: 2,
    draw: ([a, b]) =>
      path(
        a,
        polygon([
          [260, 380],
          [220, 150],
          [380, 270],
          [500, 110],
          [620, 270],
          [780, 150],
          [740, 380],
        ]),
      ) +
      path(b, box(260, 400, 480, 40)) +
      path(b, circle(220, 130, 26) + circle(500, 90, 26) + circle(780, 130, 26)) +
      text(a, 'Quay & Finch', 186, 610, 118, 'playfair-display'),
  },
  {
    name: 'fox',
    inks: 4,
    draw: ([a, b, c, d]) =>
      path(
        a,
        polygon([
          [250, 140],
          [400, 260],
          [600, 260],
          [750, 140],
          [740, 400],
          [500, 640],
          [260, 400],
        ]),
      ) +
      path(
        b,
        polygon([
          [260, 400],
          [440, 430],
          [500, 640],
        ]) +
          polygon([
            [740, 400],
            [560, 430],
            [500, 640],
          ]),
      ) +
      path(
        c,
        circle(400, 380, 30) +
          circle(600, 380, 30) +
          polygon([
            [465, 580],
            [535, 580],
            [500, 640],
          ]),
      ) +
      path(
        d,
        polygon([
          [285, 190],
          [370, 262],
          [300, 300],
        ]) +
          polygon([
            [715, 190],
            [630, 262],
            [700, 300],
          ]),
      ),
  },
  {
    name: 'verse',
    inks: 1,
    draw: ([a]) =>
      text(a, 'Hazel & Finn', 140, 200, 120, 'playfair-display') +
      text(a, 'request your company for supper', 140, 310, 50, 'playfair-display') +
      text(a, 'on the ninth of June, at dusk', 140, 390, 50, 'playfair-display') +
      text(a, '24 Harbor Lane', 140, 540, 92, 'playfair-display') +
      path(a, ring(790, 600, 90, 12) + star(790, 600, 60, 8, 0.5)),
  },
  {
    name: 'roundel',
    inks: 3,
    draw: ([a, b, c]) =>
      path(a, ring(500, 375, 300, 40)) +
      path(
        b,
        'M270 400C340 340 420 460 500 400C580 340 660 460 730 400C720 520 620 610 500 610C380 610 280 520 270 400Z',
      ) +
      path(c, 'M500 170L640 340L500 350Z') +
      path(a, 'M480 160L480 350L350 340Z'),
  },
  {
    name: 'key',
    inks: 2,
    draw: ([a, b]) =>
      path(a, ring(250, 300, 130, 44)) +
      path(
        a,
        polygon([
          [370, 278],
          [820, 278],
          [820, 420],
          [770, 420],
          [770, 330],
          [720, 330],
          [720, 390],
          [670, 390],
          [670, 322],
          [370, 322],
        ]),
      ) +
      path(b, star(250, 300, 60, 4, 0.4)) +
      text(b, 'Room for two', 290, 600, 96, 'playfair-display'),
  },
];
