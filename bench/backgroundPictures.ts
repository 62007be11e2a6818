/**
 * Makes pictures with true alpha for the bench of cut-outs: `tune`, `more`, `apart`, `unseen`, `last` and `final` to
 * work with, and `fresh` to look at once (decision 134). It is longer than other files because it lists the pictures of
 * seven parts.
 * Nothing that it reads is part of the product or of this repository. EMOJI is the folder `assets` of the npm package
 * @lobehub/fluent-emoji-3d 1.1.0 (objects of Microsoft's Fluent Emoji, MIT). PHOTOS is a folder into which Debian's
 * packages python3-skimage, python3-sklearn, mate-backgrounds, lomiri-wallpapers-16.04 and lomiri-wallpapers-20.04 are
 * unpacked (`dpkg-deb -x`).
 * Glass, seed heads, hair and the like are drawn by `backgroundObjects.ts`.
 * Run: npx tsx bench/backgroundPictures.ts EMOJI PHOTOS tune|more|apart|unseen|last|final|fresh OUT
 * and then: npx tsx bench/background.ts OUT [folder of the model]
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { createRandom } from '../packages/straighten/test/camera.ts';
import {
  badge,
  beaker,
  bottle,
  broom,
  bubble,
  bulb,
  cage,
  chain,
  cloche,
  crest,
  duster,
  fishbowl,
  flask,
  hair,
  hourglass,
  jar,
  lace,
  lens,
  monogram,
  netting,
  normal,
  pampas,
  pitcher,
  plume,
  type Random,
  racket,
  seal,
  seedHead,
  spokes,
  tassel,
  thistle,
  trellis,
  tube,
  tumbler,
  vase,
  wineGlass,
} from './backgroundObjects.ts';

type Part = 'tune' | 'more' | 'apart' | 'unseen' | 'last' | 'final' | 'fresh';
const SEEDS: Record<Part, number> = {
  tune: 100,
  more: 900,
  apart: 4100,
  unseen: 7300,
  last: 9200,
  final: 11_700,
  fresh: 15_300,
};
const isPart = (name: string | undefined): name is Part => name !== undefined && Object.hasOwn(SEEDS, name);

const WIDTH = 1024;
const HEIGHT = 768;
const [emoji, photos, part, out] = process.argv.slice(2);
if (!emoji || !photos || !out || !isPart(part)) {
  throw new Error(
    'Usage: npx tsx bench/backgroundPictures.ts EMOJI PHOTOS tune|more|apart|unseen|last|final|fresh OUT',
  );
}

type Rgb = readonly [number, number, number];

/** A picture before it is written. */
interface Spec {
  readonly name: string;
  readonly group: 'photo' | 'gradient' | 'plain' | 'glass';
  /** An emoji by its code, or a drawing. */
  readonly object: string | ((random: Random) => string);
  /** Of the object, in pixels. */
  readonly size: number;
  /** Of its middle, as shares of the picture. */
  readonly at?: readonly [number, number];
  readonly ground: (random: Random) => Promise<Uint8Array> | Uint8Array;
  /** Quality; without it, PNG for plain grounds and 90 for others. */
  readonly jpeg?: number;
  readonly hasShadow?: boolean;
}

const sets: Record<Part, readonly Spec[]> = {
  tune: [
    { name: 'p01-owl', group: 'photo', object: '1f989', size: 540, ground: photo('coffee.png', { blur: 8 }) },
    { name: 'p02-chair', group: 'photo', object: '1fa91', size: 560, ground: photo('gravel.png', { tint: '#7f8a90' }) },
    { name: 'p03-cactus', group: 'photo', object: '1f335', size: 580, ground: photo('brick.png', { tint: '#c09a70' }) },
    { name: 'p04-umbrella', group: 'photo', object: '1f302', size: 560, ground: photo('flower.jpg', { blur: 5 }) },
    {
      name: 'p05-rooster',
      group: 'photo',
      object: '1f413',
      size: 560,
      ground: photo('grass.png', { tint: '#6f9050' }),
    },
    { name: 'p06-violin', group: 'photo', object: '1f3bb', size: 600, ground: photo('china.jpg', { blur: 7 }) },
    {
      name: 'p07-dandelion',
      group: 'photo',
      object: seedHead,
      size: 600,
      ground: photo('grass.png', { tint: '#4f7038', blur: 7 }),
    },
    {
      name: 'p08-hair',
      group: 'photo',
      object: hair('#5b3a22'),
      size: 620,
      ground: photo('chelsea.png', { blur: 10 }),
    },
    {
      name: 'g01-pear',
      group: 'gradient',
      object: '1f350',
      size: 540,
      ground: gradient([238, 236, 228], [150, 140, 120], 2),
    },
    {
      name: 'g02-feather',
      group: 'gradient',
      object: '1fab6',
      size: 600,
      ground: gradient([40, 46, 60], [120, 130, 150], 2),
    },
    {
      name: 'g03-dandelion',
      group: 'gradient',
      object: seedHead,
      size: 600,
      ground: gradient([90, 130, 180], [30, 60, 110], 2),
    },
    {
      name: 'g04-magnifier',
      group: 'gradient',
      object: '1f50d',
      size: 560,
      ground: gradient([225, 238, 245], [120, 160, 185], 3),
    },
    { name: 'x01-lens', group: 'glass', object: lens, size: 560, ground: gradient([240, 232, 220], [130, 110, 95], 2) },
    {
      name: 'x02-wine',
      group: 'glass',
      object: wineGlass('#7b1230'),
      size: 620,
      ground: photo('china.jpg', { blur: 9 }),
    },
    {
      name: 'x03-bottle',
      group: 'glass',
      object: bottle('#2f7a4a'),
      size: 640,
      ground: gradient([235, 240, 245], [140, 155, 175], 2),
    },
    {
      name: 'x04-tumbler',
      group: 'glass',
      object: tumbler,
      size: 520,
      ground: photo('brick.png', { tint: '#a07a5f', blur: 2 }),
    },
    { name: 's01-anchor', group: 'plain', object: '2693', size: 600, ground: solid([255, 255, 255]), jpeg: 75 },
    { name: 's02-snowflake', group: 'plain', object: '2744-fe0f', size: 600, ground: solid([255, 255, 255]), jpeg: 80 },
    { name: 's03-scooter', group: 'plain', object: '1f6f4', size: 600, ground: solid([255, 255, 255]) },
    { name: 's04-basket', group: 'plain', object: '1f9fa', size: 540, ground: solid([244, 236, 214]), jpeg: 85 },
    {
      name: 's05-monogram',
      group: 'plain',
      object: monogram('#8a1c2b'),
      size: 620,
      ground: solid([255, 255, 255]),
      jpeg: 70,
    },
    { name: 's06-hedgehog', group: 'plain', object: '1f994', size: 560, ground: solid([250, 250, 250]), jpeg: 85 },
    {
      name: 's07-boot',
      group: 'plain',
      object: '1f97e',
      size: 520,
      ground: gradient([252, 252, 252], [230, 231, 234], 2),
      jpeg: 88,
      hasShadow: true,
    },
    { name: 's08-rose', group: 'plain', object: '1f339', size: 620, ground: solid([18, 18, 22]), jpeg: 80 },
    {
      name: 'x05-bubble',
      group: 'glass',
      object: bubble,
      size: 560,
      ground: gradient([70, 110, 160], [190, 205, 220], 2),
    },
    { name: 'x06-bubble', group: 'glass', object: bubble, size: 540, ground: photo('flower.jpg', { blur: 8 }) },
    {
      name: 'p09-net',
      group: 'photo',
      object: netting,
      size: 620,
      ground: photo('grass.png', { tint: '#6f9050', blur: 6 }),
    },
    { name: 'p10-wheel', group: 'photo', object: spokes, size: 600, ground: photo('coffee.png', { blur: 6 }) },
    { name: 'g05-lace', group: 'gradient', object: lace, size: 620, ground: gradient([120, 40, 50], [60, 20, 40], 2) },
    {
      name: 's09-plume',
      group: 'plain',
      object: plume('#2f5f8a'),
      size: 620,
      ground: solid([255, 255, 255]),
      jpeg: 85,
    },
  ],
  more: [
    {
      name: 'p01-parrot',
      group: 'photo',
      object: '1f99c',
      size: 560,
      at: [0.55, 0.52],
      ground: photo('Garden.jpg', { blur: 6 }),
    },
    { name: 'p02-sofa', group: 'photo', object: '1f6cb-fe0f', size: 620, ground: photo('Wood.jpg') },
    { name: 'p03-camel', group: 'photo', object: '1f42b', size: 560, at: [0.45, 0.55], ground: photo('Dune.jpg') },
    { name: 'p04-trumpet', group: 'photo', object: '1f3ba', size: 580, ground: photo('Blinds.jpg', { blur: 3 }) },
    { name: 'p05-mushroom', group: 'photo', object: '1f344', size: 520, ground: photo('GreenMeadow.jpg', { blur: 4 }) },
    {
      name: 'p06-robot',
      group: 'photo',
      object: '1f916',
      size: 540,
      ground: photo('motorcycle_left.png', { blur: 10 }),
    },
    {
      name: 'p07-seeds',
      group: 'photo',
      object: seedHead,
      size: 560,
      at: [0.42, 0.5],
      ground: photo('Storm.jpg', { blur: 5 }),
    },
    {
      name: 'p08-hair',
      group: 'photo',
      object: hair('#c9a66b'),
      size: 620,
      ground: photo('YellowFlower.jpg', { blur: 12 }),
    },
    {
      name: 'g01-lemon',
      group: 'gradient',
      object: '1f34b',
      size: 540,
      ground: gradient([228, 234, 240], [140, 150, 170], 2),
    },
    {
      name: 'g02-pawn',
      group: 'gradient',
      object: '265f-fe0f',
      size: 560,
      ground: gradient([235, 225, 210], [120, 95, 75], 3),
    },
    {
      name: 'g03-palm',
      group: 'gradient',
      object: '1f334',
      size: 620,
      ground: gradient([250, 200, 150], [120, 90, 140], 2),
    },
    {
      name: 'g04-seeds',
      group: 'gradient',
      object: seedHead,
      size: 600,
      ground: gradient([60, 90, 70], [20, 40, 35], 2),
    },
    {
      name: 'x01-lens',
      group: 'glass',
      object: lens,
      size: 600,
      ground: gradient([215, 225, 240], [110, 125, 160], 2),
    },
    {
      name: 'x02-wine',
      group: 'glass',
      object: wineGlass('#c99b32'),
      size: 640,
      ground: photo('Garden.jpg', { blur: 10 }),
    },
    {
      name: 'x03-bottle',
      group: 'glass',
      object: bottle('#8a5a20'),
      size: 640,
      ground: gradient([245, 242, 235], [170, 160, 145], 2),
    },
    { name: 'x04-tumbler', group: 'glass', object: tumbler, size: 520, ground: photo('Wood.jpg', { blur: 1 }) },
    { name: 's01-wheel', group: 'plain', object: '1f3a1', size: 640, ground: solid([255, 255, 255]), jpeg: 80 },
    { name: 's02-web', group: 'plain', object: '1f578-fe0f', size: 620, ground: solid([60, 20, 25]), jpeg: 85 },
    { name: 's03-scissors', group: 'plain', object: '2702-fe0f', size: 580, ground: solid([255, 255, 255]) },
    { name: 's04-lobster', group: 'plain', object: '1f99e', size: 600, ground: solid([248, 248, 245]), jpeg: 75 },
    {
      name: 's05-monogram',
      group: 'plain',
      object: monogram('#153a6b'),
      size: 620,
      ground: solid([255, 255, 255]),
      jpeg: 75,
    },
    { name: 's06-rabbit', group: 'plain', object: '1f407', size: 560, ground: solid([255, 255, 255]), jpeg: 88 },
    {
      name: 's07-kettle',
      group: 'plain',
      object: '1f9ef',
      size: 560,
      ground: gradient([250, 250, 252], [226, 228, 232], 2),
      jpeg: 88,
      hasShadow: true,
    },
    { name: 's08-fern', group: 'plain', object: '1f33f', size: 600, ground: solid([235, 225, 240]), jpeg: 80 },
  ],
  apart: [
    { name: 'p01-flamingo', group: 'photo', object: '1f9a9', size: 580, ground: photo('FreshFlower.jpg', { blur: 7 }) },
    {
      name: 'p02-elephant',
      group: 'photo',
      object: '1f418',
      size: 560,
      at: [0.46, 0.54],
      ground: photo('TwoWings.jpg', { blur: 6 }),
    },
    { name: 'p03-turtle', group: 'photo', object: '1f422', size: 560, ground: photo('RainDrops.jpg') },
    { name: 'p04-palette', group: 'photo', object: '1f3a8', size: 540, ground: photo('Aqua.jpg') },
    { name: 'p05-net', group: 'photo', object: netting, size: 600, ground: photo('LadyBird.jpg', { blur: 8 }) },
    { name: 'p06-wheel', group: 'photo', object: spokes, size: 580, ground: photo('FreshFlower.jpg', { blur: 10 }) },
    {
      name: 'p07-seeds',
      group: 'photo',
      object: seedHead,
      size: 580,
      at: [0.55, 0.5],
      ground: photo('Aqua.jpg', { blur: 6 }),
    },
    {
      name: 'p08-hair',
      group: 'photo',
      object: hair('#2c211c'),
      size: 620,
      ground: photo('TwoWings.jpg', { blur: 10 }),
    },
    {
      name: 'g01-pineapple',
      group: 'gradient',
      object: '1f34d',
      size: 600,
      ground: gradient([215, 228, 210], [120, 150, 130], 2),
    },
    {
      name: 'g02-trophy',
      group: 'gradient',
      object: '1f3c6',
      size: 560,
      ground: gradient([90, 60, 100], [30, 25, 60], 3),
    },
    {
      name: 'g03-plume',
      group: 'gradient',
      object: plume('#e9dfc8'),
      size: 620,
      ground: gradient([60, 80, 70], [110, 130, 100], 2),
    },
    { name: 'g04-lace', group: 'gradient', object: lace, size: 600, ground: gradient([30, 60, 90], [90, 120, 150], 2) },
    {
      name: 'x01-lens',
      group: 'glass',
      object: lens,
      size: 580,
      ground: gradient([140, 190, 170], [235, 240, 220], 2),
    },
    { name: 'x02-bubble', group: 'glass', object: bubble, size: 560, ground: photo('RainDrops.jpg', { blur: 9 }) },
    {
      name: 'x03-vase',
      group: 'glass',
      object: vase,
      size: 640,
      ground: gradient([240, 225, 205], [150, 130, 115], 2),
    },
    {
      name: 'x04-wine',
      group: 'glass',
      object: wineGlass('#4a0d2c'),
      size: 640,
      ground: photo('FreshFlower.jpg', { blur: 10 }),
    },
    { name: 's01-magnet', group: 'plain', object: '1f9f2', size: 560, ground: solid([255, 255, 255]), jpeg: 78 },
    { name: 's02-bird', group: 'plain', object: '1f426', size: 560, ground: solid([252, 250, 245]), jpeg: 82 },
    { name: 's03-compass', group: 'plain', object: '1f9ed', size: 560, ground: solid([255, 255, 255]) },
    { name: 's04-lizard', group: 'plain', object: '1f98e', size: 600, ground: solid([230, 238, 245]), jpeg: 76 },
    {
      name: 's05-monogram',
      group: 'plain',
      object: monogram('#1f5a3a'),
      size: 620,
      ground: solid([255, 255, 255]),
      jpeg: 72,
    },
    { name: 's06-yarn', group: 'plain', object: '1f9f6', size: 560, ground: solid([20, 24, 30]), jpeg: 84 },
    {
      name: 's07-crab',
      group: 'plain',
      object: '1f980',
      size: 560,
      ground: gradient([251, 251, 250], [228, 229, 231], 2),
      jpeg: 88,
      hasShadow: true,
    },
    {
      name: 's08-plume',
      group: 'plain',
      object: plume('#7a3a5a'),
      size: 620,
      ground: solid([255, 255, 255]),
      jpeg: 80,
    },
  ],
  unseen: [
    {
      name: 'p01-kangaroo',
      group: 'photo',
      object: '1f998',
      size: 580,
      ground: photo('Bridge_by_Sander_Klootwijk.jpg', { blur: 6 }),
    },
    {
      name: 'p02-accordion',
      group: 'photo',
      object: '1fa97',
      size: 540,
      ground: photo('greentock_by_Peter_Nerlich.jpg'),
    },
    {
      name: 'p03-moped',
      group: 'photo',
      object: '1f6f5',
      size: 560,
      at: [0.54, 0.55],
      ground: photo('picosdeeuropa_by_Aitzol_Berasategi.jpg', { blur: 3 }),
    },
    {
      name: 'p04-drum',
      group: 'photo',
      object: '1f941',
      size: 540,
      ground: photo('umang_by_Abhishek_Mudgal.jpg', { blur: 8 }),
    },
    {
      name: 'p05-racket',
      group: 'photo',
      object: racket,
      size: 640,
      ground: photo('aitzgorri_by_Aitzol_Berasategi.jpg', { blur: 7 }),
    },
    {
      name: 'p06-thistle',
      group: 'photo',
      object: thistle,
      size: 620,
      ground: photo('seeding_by_Clements_Engelhardt.jpg', { blur: 9 }),
    },
    {
      name: 'p07-seeds',
      group: 'photo',
      object: seedHead,
      size: 590,
      at: [0.46, 0.5],
      ground: photo('sunset_by_Aitzol_Berasategi.jpg', { blur: 8 }),
    },
    {
      name: 'p08-hair',
      group: 'photo',
      object: hair('#8a4a2a'),
      size: 620,
      ground: photo('life_by_Aitzol_Berasategi.jpg', { blur: 11 }),
    },
    {
      name: 'g01-avocado',
      group: 'gradient',
      object: '1f951',
      size: 540,
      ground: gradient([232, 222, 226], [150, 130, 145], 2),
    },
    {
      name: 'g02-saxophone',
      group: 'gradient',
      object: '1f3b7',
      size: 600,
      ground: gradient([70, 80, 110], [25, 30, 50], 3),
    },
    {
      name: 'g03-tassel',
      group: 'gradient',
      object: tassel('#b03a3a'),
      size: 640,
      ground: gradient([210, 214, 200], [120, 130, 140], 2),
    },
    {
      name: 'g04-plume',
      group: 'gradient',
      object: plume('#3a4a6a'),
      size: 620,
      ground: gradient([230, 215, 190], [170, 140, 110], 2),
    },
    {
      name: 'x01-bulb',
      group: 'glass',
      object: bulb,
      size: 620,
      ground: gradient([225, 215, 235], [120, 115, 150], 2),
    },
    {
      name: 'x02-jar',
      group: 'glass',
      object: jar,
      size: 600,
      ground: photo('picosdeeuropa_by_Aitzol_Berasategi.jpg', { blur: 9 }),
    },
    {
      name: 'x03-flask',
      group: 'glass',
      object: flask,
      size: 620,
      ground: gradient([205, 225, 235], [110, 135, 150], 2),
    },
    {
      name: 'x04-wine',
      group: 'glass',
      object: wineGlass('#b8922e'),
      size: 640,
      ground: photo('seeding_by_Clements_Engelhardt.jpg', { blur: 10 }),
    },
    { name: 's01-lion', group: 'plain', object: '1f981', size: 560, ground: solid([255, 255, 255]), jpeg: 78 },
    { name: 's02-engine', group: 'plain', object: '1f682', size: 580, ground: solid([246, 248, 250]), jpeg: 84 },
    { name: 's03-bee', group: 'plain', object: '1f41d', size: 560, ground: solid([255, 255, 255]) },
    { name: 's04-rice', group: 'plain', object: '1f33e', size: 600, ground: solid([225, 236, 228]), jpeg: 78 },
    { name: 's05-seal', group: 'plain', object: seal('#2c2c7a'), size: 620, ground: solid([255, 255, 255]), jpeg: 74 },
    { name: 's06-swan', group: 'plain', object: '1f9a2', size: 560, ground: solid([26, 30, 40]), jpeg: 82 },
    {
      name: 's07-shoe',
      group: 'plain',
      object: '1f45e',
      size: 560,
      ground: gradient([252, 251, 250], [230, 229, 227], 2),
      jpeg: 88,
      hasShadow: true,
    },
    {
      name: 's08-tassel',
      group: 'plain',
      object: tassel('#2f5a4a'),
      size: 640,
      ground: solid([255, 255, 255]),
      jpeg: 80,
    },
  ],
  last: [
    {
      name: 'p01-giraffe',
      group: 'photo',
      object: '1f992',
      size: 600,
      ground: photo('Dragonfly_by_Bolly.jpg', { blur: 6 }),
    },
    { name: 'p02-luggage', group: 'photo', object: '1f9f3', size: 560, ground: photo('Wine_by_Jakkub_Mede.jpg') },
    {
      name: 'p03-skate',
      group: 'photo',
      object: '1f6fc',
      size: 560,
      at: [0.46, 0.53],
      ground: photo('friends_by_Aitzol_Berasategi.jpg', { blur: 3 }),
    },
    {
      name: 'p04-whale',
      group: 'photo',
      object: '1f433',
      size: 560,
      ground: photo('Picture_0B_by_freespace.jpg', { blur: 5 }),
    },
    {
      name: 'p05-cage',
      group: 'photo',
      object: cage,
      size: 620,
      ground: photo('free_by_Peter_Nerlich.jpg', { blur: 8 }),
    },
    {
      name: 'p06-pampas',
      group: 'photo',
      object: pampas('#e6d8b8'),
      size: 640,
      ground: photo('Picture_1A_by_freespace.jpg', { blur: 8 }),
    },
    {
      name: 'p07-seeds',
      group: 'photo',
      object: seedHead,
      size: 580,
      at: [0.54, 0.5],
      ground: photo('Dragonfly_by_Bolly.jpg', { blur: 9 }),
    },
    { name: 'p08-hair', group: 'photo', object: hair('#b9ada0'), size: 620, ground: photo('ihc.png', { blur: 10 }) },
    {
      name: 'g01-eggplant',
      group: 'gradient',
      object: '1f346',
      size: 560,
      ground: gradient([225, 232, 222], [140, 150, 130], 2),
    },
    {
      name: 'g02-bell',
      group: 'gradient',
      object: '1f514',
      size: 560,
      ground: gradient([60, 70, 95], [20, 26, 45], 3),
    },
    {
      name: 'g03-chain',
      group: 'gradient',
      object: chain,
      size: 640,
      ground: gradient([222, 212, 198], [140, 125, 110], 2),
    },
    {
      name: 'g04-pampas',
      group: 'gradient',
      object: pampas('#7a5a3a'),
      size: 640,
      ground: gradient([205, 220, 232], [130, 150, 175], 2),
    },
    {
      name: 'x01-pitcher',
      group: 'glass',
      object: pitcher,
      size: 620,
      ground: gradient([232, 224, 212], [140, 125, 112], 2),
    },
    {
      name: 'x02-hourglass',
      group: 'glass',
      object: hourglass,
      size: 620,
      ground: photo('Wine_by_Jakkub_Mede.jpg', { blur: 9 }),
    },
    {
      name: 'x03-cloche',
      group: 'glass',
      object: cloche,
      size: 620,
      ground: gradient([210, 226, 238], [115, 135, 155], 2),
    },
    {
      name: 'x04-tube',
      group: 'glass',
      object: tube,
      size: 640,
      ground: photo('free_by_Peter_Nerlich.jpg', { blur: 10 }),
    },
    { name: 's01-hippo', group: 'plain', object: '1f99b', size: 560, ground: solid([255, 255, 255]), jpeg: 78 },
    { name: 's02-tractor', group: 'plain', object: '1f69c', size: 580, ground: solid([248, 246, 240]), jpeg: 84 },
    { name: 's03-ladybug', group: 'plain', object: '1f41e', size: 560, ground: solid([255, 255, 255]) },
    { name: 's04-clover', group: 'plain', object: '1f340', size: 600, ground: solid([232, 226, 240]), jpeg: 78 },
    {
      name: 's05-crest',
      group: 'plain',
      object: crest('#6a2a1c'),
      size: 620,
      ground: solid([255, 255, 255]),
      jpeg: 74,
    },
    { name: 's06-penguin', group: 'plain', object: '1f427', size: 560, ground: solid([70, 28, 34]), jpeg: 82 },
    {
      name: 's07-handbag',
      group: 'plain',
      object: '1f45c',
      size: 560,
      ground: gradient([251, 251, 252], [229, 228, 230], 2),
      jpeg: 88,
      hasShadow: true,
    },
    {
      name: 's08-broom',
      group: 'plain',
      object: broom('#8a6a2a'),
      size: 640,
      ground: solid([255, 255, 255]),
      jpeg: 80,
    },
  ],
  final: [
    { name: 'p01-zebra', group: 'photo', object: '1f993', size: 580, ground: photo('rocket.jpg', { blur: 6 }) },
    { name: 'p02-backpack', group: 'photo', object: '1f392', size: 560, ground: photo('astronaut.png', { blur: 8 }) },
    { name: 'p03-helicopter', group: 'photo', object: '1f681', size: 580, ground: photo('retina.jpg', { blur: 4 }) },
    {
      name: 'p04-sloth',
      group: 'photo',
      object: '1f9a5',
      size: 560,
      ground: photo('analogpattern_by_Peter_Nerlich.jpg', { blur: 6 }),
    },
    {
      name: 'p05-peacock',
      group: 'photo',
      object: '1f99a',
      size: 580,
      ground: photo('hubble_deep_field.jpg', { blur: 3 }),
    },
    { name: 'p06-racket', group: 'photo', object: racket, size: 620, ground: photo('rocket.jpg', { blur: 9 }) },
    {
      name: 'p07-thistle',
      group: 'photo',
      object: thistle,
      size: 600,
      ground: photo('coins.png', { tint: '#6f7f60', blur: 9 }),
    },
    {
      name: 'p08-hair',
      group: 'photo',
      object: hair('#7a5a3a'),
      size: 620,
      ground: photo('astronaut.png', { blur: 12 }),
    },
    {
      name: 'g01-banana',
      group: 'gradient',
      object: '1f34c',
      size: 560,
      ground: gradient([222, 226, 236], [135, 140, 160], 2),
    },
    {
      name: 'g02-crown',
      group: 'gradient',
      object: '1f451',
      size: 560,
      ground: gradient([80, 70, 60], [35, 28, 24], 3),
    },
    {
      name: 'g03-broom',
      group: 'gradient',
      object: broom('#6a3a5a'),
      size: 640,
      ground: gradient([215, 222, 205], [140, 150, 125], 2),
    },
    {
      name: 'g04-cage',
      group: 'gradient',
      object: cage,
      size: 620,
      ground: gradient([228, 218, 226], [150, 135, 150], 2),
    },
    {
      name: 'x01-flask',
      group: 'glass',
      object: flask,
      size: 620,
      ground: gradient([230, 222, 210], [135, 122, 110], 2),
    },
    { name: 'x02-pitcher', group: 'glass', object: pitcher, size: 620, ground: photo('retina.jpg', { blur: 9 }) },
    {
      name: 'x03-bulb',
      group: 'glass',
      object: bulb,
      size: 620,
      ground: gradient([212, 228, 222], [118, 140, 132], 2),
    },
    {
      name: 'x04-hourglass',
      group: 'glass',
      object: hourglass,
      size: 620,
      ground: photo('analogpattern_by_Peter_Nerlich.jpg', { blur: 10 }),
    },
    { name: 's01-cow', group: 'plain', object: '1f404', size: 580, ground: solid([255, 255, 255]), jpeg: 78 },
    { name: 's02-sailboat', group: 'plain', object: '26f5', size: 580, ground: solid([245, 247, 250]), jpeg: 84 },
    { name: 's03-duck', group: 'plain', object: '1f986', size: 560, ground: solid([255, 255, 255]) },
    { name: 's04-strawberry', group: 'plain', object: '1f353', size: 580, ground: solid([228, 240, 236]), jpeg: 78 },
    {
      name: 's05-crest',
      group: 'plain',
      object: crest('#23305a'),
      size: 600,
      ground: solid([255, 255, 255]),
      jpeg: 72,
    },
    { name: 's06-snail', group: 'plain', object: '1f40c', size: 560, ground: solid([34, 44, 38]), jpeg: 82 },
    {
      name: 's07-hat',
      group: 'plain',
      object: '1f3a9',
      size: 560,
      ground: gradient([252, 252, 251], [231, 230, 228], 2),
      jpeg: 88,
      hasShadow: true,
    },
    {
      name: 's08-pampas',
      group: 'plain',
      object: pampas('#5a4a6a'),
      size: 640,
      ground: solid([255, 255, 255]),
      jpeg: 80,
    },
  ],
  fresh: [
    {
      name: 'p01-wolf',
      group: 'photo',
      object: '1f43a',
      size: 560,
      ground: photo('motorcycle_right.png', { blur: 9 }),
    },
    {
      name: 'p02-canoe',
      group: 'photo',
      object: '1f6f6',
      size: 580,
      ground: photo('camera.png', { tint: '#7f8898', blur: 10 }),
    },
    {
      name: 'p03-truck',
      group: 'photo',
      object: '1f69a',
      size: 580,
      ground: photo('Infinite-Sea_by_Aury88.jpg', { blur: 5 }),
    },
    {
      name: 'p04-raccoon',
      group: 'photo',
      object: '1f99d',
      size: 560,
      at: [0.46, 0.53],
      ground: photo('Kleiber_by_Lukas_Baubkus.jpg', { blur: 12 }),
    },
    { name: 'p05-unicorn', group: 'photo', object: '1f984', size: 580, ground: photo('moon.png', { tint: '#9a8f80' }) },
    {
      name: 'p06-trellis',
      group: 'photo',
      object: trellis,
      size: 600,
      ground: photo('motorcycle_right.png', { blur: 12 }),
    },
    {
      name: 'p07-duster',
      group: 'photo',
      object: duster('#b0607a'),
      size: 620,
      ground: photo('camera.png', { tint: '#6f8070', blur: 9 }),
    },
    {
      name: 'p08-hair',
      group: 'photo',
      object: hair('#8a3f2a'),
      size: 620,
      at: [0.53, 0.5],
      ground: photo('Kleiber_by_Lukas_Baubkus.jpg', { blur: 14 }),
    },
    {
      name: 'g01-cherries',
      group: 'gradient',
      object: '1f352',
      size: 560,
      ground: gradient([230, 226, 218], [145, 138, 150], 2),
    },
    {
      name: 'g02-skunk',
      group: 'gradient',
      object: '1f9a8',
      size: 560,
      ground: gradient([95, 105, 90], [40, 48, 42], 3),
    },
    {
      name: 'g03-duster',
      group: 'gradient',
      object: duster('#4a8a7a'),
      size: 620,
      ground: gradient([232, 222, 205], [160, 140, 125], 2),
    },
    {
      name: 'g04-trellis',
      group: 'gradient',
      object: trellis,
      size: 600,
      ground: gradient([205, 216, 230], [120, 136, 160], 2),
    },
    {
      name: 'x01-beaker',
      group: 'glass',
      object: beaker,
      size: 620,
      ground: gradient([235, 226, 214], [140, 126, 116], 2),
    },
    {
      name: 'x02-fishbowl',
      group: 'glass',
      object: fishbowl,
      size: 580,
      ground: photo('Infinite-Sea_by_Aury88.jpg', { blur: 10 }),
    },
    {
      name: 'x03-fishbowl',
      group: 'glass',
      object: fishbowl,
      size: 580,
      ground: gradient([216, 226, 218], [122, 138, 128], 2),
    },
    {
      name: 'x04-beaker',
      group: 'glass',
      object: beaker,
      size: 620,
      ground: photo('moon.png', { tint: '#a09080', blur: 6 }),
    },
    { name: 's01-otter', group: 'plain', object: '1f9a6', size: 560, ground: solid([255, 255, 255]), jpeg: 78 },
    { name: 's02-speedboat', group: 'plain', object: '1f6a4', size: 600, ground: solid([247, 246, 250]), jpeg: 84 },
    { name: 's03-crocodile', group: 'plain', object: '1f40a', size: 600, ground: solid([255, 255, 255]) },
    { name: 's04-cupcake', group: 'plain', object: '1f9c1', size: 560, ground: solid([236, 228, 224]), jpeg: 78 },
    {
      name: 's05-badge',
      group: 'plain',
      object: badge('#1f4a36'),
      size: 620,
      ground: solid([255, 255, 255]),
      jpeg: 73,
    },
    { name: 's06-butterfly', group: 'plain', object: '1f98b', size: 580, ground: solid([30, 34, 52]), jpeg: 82 },
    {
      name: 's07-blouse',
      group: 'plain',
      object: '1f45a',
      size: 560,
      ground: gradient([251, 252, 252], [229, 231, 230], 2),
      jpeg: 88,
      hasShadow: true,
    },
    {
      name: 's08-duster',
      group: 'plain',
      object: duster('#6a5a9a'),
      size: 620,
      ground: solid([255, 255, 255]),
      jpeg: 80,
    },
  ],
};

/** A photograph that fills the frame; gray ones take a tint. */
function photo(file: string, { tint, blur }: { tint?: string; blur?: number } = {}): () => Promise<Uint8Array> {
  return async () => {
    const path = [
      'usr/lib/python3/dist-packages/skimage/data',
      'usr/lib/python3/dist-packages/sklearn/datasets/images',
      'usr/share/backgrounds/mate/nature',
      'usr/share/backgrounds',
    ].map((folder) => join(photos!, folder, file));
    let image = sharp(path.find((candidate) => existsSync(candidate))).resize(WIDTH, HEIGHT, { fit: 'cover' });
    if (blur) image = image.blur(blur);
    const data = new Uint8Array(await image.toColourspace('srgb').removeAlpha().raw().toBuffer());
    if (!tint) return data;
    const factors = [1, 3, 5].map((at) => Number.parseInt(tint.slice(at, at + 2), 16) / 128);
    return data.map((value, i) => Math.min(255, value * factors[i % 3]!));
  };
}

function solid(color: Rgb): (random: Random) => Uint8Array {
  return gradient(color, color, 0);
}

/** A gradient from corner to corner with Gaussian noise. */
function gradient(from: Rgb, to: Rgb, noise: number): (random: Random) => Uint8Array {
  return (random) => {
    const data = new Uint8Array(WIDTH * HEIGHT * 3);
    for (let y = 0, i = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++) {
        const t = (0.6 * y) / HEIGHT + (0.4 * x) / WIDTH;
        for (let k = 0; k < 3; k++, i++) {
          const value = from[k]! * (1 - t) + to[k]! * t + (noise ? noise * normal(random) : 0);
          data[i] = Math.max(0, Math.min(255, Math.round(value)));
        }
      }
    }
    return data;
  };
}

/** Returns the object as straight RGBA, as large as it shows. */
async function renderObject({ object, size }: Spec, random: Random) {
  const image =
    typeof object === 'string'
      ? sharp(join(emoji!, `${object}.webp`))
      : sharp(Buffer.from(object(random)), { density: 144 });
  const { data, info } = await image
    .ensureAlpha()
    .trim({ background: { r: 0, g: 0, b: 0, alpha: 0 }, threshold: 1 })
    .resize(size, size, { fit: 'inside', kernel: 'lanczos3' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

async function writePicture(spec: Spec, seed: number) {
  const random = createRandom(seed);
  const object = await renderObject(spec, random);
  const picture = new Uint8Array(await spec.ground(random));
  const truth = new Uint8Array(WIDTH * HEIGHT * 4);
  const [cx, cy] = spec.at ?? [0.5, 0.5];
  const [left, top] = [Math.round(WIDTH * cx - object.width / 2), Math.round(HEIGHT * cy - object.height / 2)];
  const place = (dx: number, dy: number, visit: (from: number, to: number) => void) => {
    for (let y = Math.max(0, -top - dy); y < Math.min(object.height, HEIGHT - top - dy); y++) {
      for (let x = Math.max(0, -left - dx); x < Math.min(object.width, WIDTH - left - dx); x++) {
        visit(y * object.width + x, (top + y + dy) * WIDTH + left + x + dx);
      }
    }
  };
  if (spec.hasShadow) {
    const shadow = Buffer.alloc(WIDTH * HEIGHT);
    place(14, 18, (from, to) => {
      shadow[to] = object.data[4 * from + 3]!;
    });
    const soft = await sharp(shadow, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
      .blur(22)
      .toColourspace('b-w')
      .raw()
      .toBuffer();
    for (let i = 0; i < picture.length; i++) picture[i] = picture[i]! * (1 - (0.3 * soft[Math.floor(i / 3)]!) / 255);
  }
  place(0, 0, (from, to) => {
    const share = object.data[4 * from + 3]! / 255;
    for (let k = 0; k < 3; k++) {
      picture[3 * to + k] = Math.round(object.data[4 * from + k]! * share + picture[3 * to + k]! * (1 - share));
    }
    truth.set(object.data.subarray(4 * from, 4 * from + 4), 4 * to);
  });
  const isPng = spec.group === 'plain' && !spec.jpeg;
  const file = `${spec.name}.${isPng ? 'png' : 'jpg'}`;
  const image = sharp(picture, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  await (isPng ? image.png() : image.jpeg({ quality: spec.jpeg ?? 90, chromaSubsampling: '4:2:0' })).toFile(
    join(out!, file),
  );
  await sharp(truth, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })
    .webp({ lossless: true, exact: true })
    .toFile(join(out!, `${spec.name}.true.webp`));
  return { name: spec.name, group: spec.group, file };
}

mkdirSync(out, { recursive: true });
const list = [];
for (const [i, spec] of sets[part].entries()) list.push(await writePicture(spec, SEEDS[part] + i));
writeFileSync(join(out, 'list.json'), `${JSON.stringify(list, null, 1)}\n`);
console.log(`${list.length} pictures`);
