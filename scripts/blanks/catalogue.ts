/** All blanks that the generator draws. */
import { acrylics } from './acrylics.ts';
import type { Blank } from './blank.ts';
import { drinkware } from './drinkware.ts';
import { garments } from './garments.ts';
import { gifts } from './gifts.ts';
import { glassware } from './glassware.ts';
import { metalware } from './metalware.ts';
import { softGoods } from './softGoods.ts';
import { stones } from './stones.ts';
import { sweats } from './sweats.ts';
import { woodenware } from './woodenware.ts';

export const blanks: readonly Blank[] = [
  ...drinkware,
  ...glassware,
  ...woodenware,
  ...metalware,
  ...gifts,
  ...acrylics,
  ...stones,
  ...garments,
  ...sweats,
  ...softGoods,
];
