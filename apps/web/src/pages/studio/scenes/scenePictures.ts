/** Small pictures of the surroundings of a mockup, drawn by `scripts/drawSurroundings.ts`: 208 x 208 px. */
import type { MockupScene, Stance } from '@markwright/contract/words';
import benchLying from './bench-lying.webp';
import benchStanding from './bench-standing.webp';
import deskLying from './desk-lying.webp';
import deskStanding from './desk-standing.webp';
import kitchenLying from './kitchen-lying.webp';
import kitchenStanding from './kitchen-standing.webp';
import plainLying from './plain-lying.webp';
import plainStanding from './plain-standing.webp';
import stoneLying from './stone-lying.webp';
import stoneStanding from './stone-standing.webp';
import woodLying from './wood-lying.webp';
import woodStanding from './wood-standing.webp';

export const scenePictures: Readonly<Record<`${MockupScene}-${Stance}`, string>> = {
  'bench-lying': benchLying,
  'bench-standing': benchStanding,
  'desk-lying': deskLying,
  'desk-standing': deskStanding,
  'kitchen-lying': kitchenLying,
  'kitchen-standing': kitchenStanding,
  'plain-lying': plainLying,
  'plain-standing': plainStanding,
  'stone-lying': stoneLying,
  'stone-standing': stoneStanding,
  'wood-lying': woodLying,
  'wood-standing': woodStanding,
};
