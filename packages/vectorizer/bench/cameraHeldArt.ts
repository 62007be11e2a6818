/** A second set of drawings that are set apart: no shape, word or seed of theirs was used to work on the method. */
import { box, type CameraArt, circle, leaf, path, polygon, ring, star, text, turn } from './cameraArt.ts';

const roundAt = ([x, y]: readonly [number, number], r: number): string => circle(x, y, r);

export const HELD_ART: readonly CameraArt[] = [
  {
    name: 'kettle',
    inks: 2,
    draw: ([a, b]) =>
      path(a, 'M300 300L640 300C700 360 720 470 690 560L250 560C220 470 240 360 300 300Z') +
      path(a, 'M690 370L830 280L860 310L720 470Z') +
      path(b, 'M330 280C340 150 600 150 610 280L580 280C570 190 370 190 360 280Z') +
      path(b, circle(470, 270, 22)) +
      path(b, box(220, 580, 500, 18)) +
      text(a, 'Pour & wait', 300, 690, 92, 'playfair-display'),
  },
  {
    name: 'signpost',
    inks: 1,
    draw: ([a]) =>
      path(a, 'M180 150L760 150L840 210L760 270L180 270ZM230 185L700 185L740 210L700 235L230 235Z') +
      path(a, 'M820 320L300 320L220 380L300 440L820 440Z') +
      path(a, box(490, 270, 36, 50) + box(490, 440, 36, 180)) +
      text(a, 'footpath to the village, 3 km', 210, 690, 54, 'inter'),
  },
  {
    name: 'balloon',
    inks: 4,
    draw: ([a, b, c, d]) =>
      path(a, 'M500 90C340 90 260 220 290 330C310 410 390 470 430 500L455 500C400 400 380 200 500 90Z') +
      path(b, 'M500 90C380 200 400 400 455 500L545 500C600 400 620 200 500 90Z') +
      path(c, 'M500 90C660 90 740 220 710 330C690 410 610 470 570 500L545 500C600 400 620 200 500 90Z') +
      path(d, box(440, 560, 120, 84) + box(448, 506, 8, 54) + box(544, 506, 8, 54)),
  },
  {
    name: 'recipe',
    inks: 2,
    draw: ([a, b]) =>
      text(a, 'Plum jam', 130, 180, 118, 'rye') +
      text(b, '1 kg plums, 400 g sugar', 130, 300, 58, 'inter') +
      text(b, 'simmer for forty minutes', 130, 385, 58, 'inter') +
      text(b, 'fill, close, turn over', 130, 470, 58, 'inter') +
      path(a, circle(760, 560, 70) + circle(640, 610, 54)) +
      path(b, leaf(770, 490, -50, 120, 0.24)),
  },
  {
    name: 'compass',
    inks: 3,
    draw: ([a, b, c]) =>
      path(a, ring(500, 370, 290, 14) + ring(500, 370, 250, 6)) +
      path(b, polygon([turn(500, 370, 230, -90), turn(500, 370, 50, 0), turn(500, 370, 50, 180)])) +
      path(c, polygon([turn(500, 370, 230, 90), turn(500, 370, 50, 0), turn(500, 370, 50, 180)])) +
      path(a, [0, 1, 2, 3].map((k) => roundAt(turn(500, 370, 205, 45 + 90 * k), 20)).join('')),
  },
  {
    name: 'bicycle',
    inks: 1,
    draw: ([a]) =>
      path(a, ring(280, 480, 160, 18) + ring(720, 480, 160, 18)) +
      path(a, 'M275 470L400 250L640 250L650 268L412 268L292 484Z') +
      path(a, 'M640 240L730 474L712 482L622 250ZM410 262L520 470L500 482L394 270Z') +
      path(a, 'M512 486L636 262L650 272L528 494Z') +
      path(a, box(350, 226, 110, 20) + box(600, 200, 110, 18) + circle(514, 482, 34)),
  },
  {
    name: 'bird',
    inks: 3,
    draw: ([a, b, c]) =>
      path(
        a,
        'M240 330C300 210 460 200 540 300C620 380 720 410 860 400C760 520 560 590 420 540C310 500 230 430 240 330Z',
      ) +
      path(b, 'M430 360C520 330 620 400 690 470C580 500 470 470 430 360Z') +
      path(c, 'M244 320L140 350L246 372Z') +
      path(c, box(440, 548, 14, 90) + box(500, 552, 14, 90) + box(400, 634, 150, 14)) +
      text(b, 'Wren', 640, 230, 100, 'playfair-display'),
  },
  {
    name: 'lantern',
    inks: 2,
    draw: ([a, b]) =>
      path(a, box(360, 180, 280, 30) + box(340, 560, 320, 44)) +
      path(a, box(376, 210, 22, 350) + box(602, 210, 22, 350)) +
      path(a, polygon([turn(500, 180, 120, 180), turn(500, 180, 96, -90), turn(500, 180, 120, 0)])) +
      path(b, 'M500 290C570 370 580 440 500 530C420 440 430 370 500 290Z') +
      path(b, star(190, 300, 60, 7, 0.5) + star(820, 470, 74, 7, 0.5)),
  },
];
