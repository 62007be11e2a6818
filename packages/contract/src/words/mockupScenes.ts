/** The surroundings that a mockup can have, for a listing in a shop. */
import type { PlacedSurface } from '@markwright/scene/surface';

/** In the order of the chooser. */
export const MOCKUP_SCENES = ['plain', 'wood', 'stone', 'kitchen', 'desk', 'bench'] as const;
export type MockupScene = (typeof MOCKUP_SCENES)[number];

export const mockupSceneNames: Readonly<Record<MockupScene, string>> = {
  plain: 'Paper',
  wood: 'Oak table',
  stone: 'Marble',
  kitchen: 'Kitchen',
  desk: 'Desk',
  bench: 'Workbench',
};

/** How a product is seen in its picture: standing, from the front, or lying, from above. */
export type Stance = 'standing' | 'lying';

/** The base products with a flat area that their pictures show standing. */
export const standingBlanks: ReadonlySet<string> = new Set([
  'award-acrylic-peak',
  'cap-trucker-white-black',
  'flask-8oz-stainless',
  'lighter-windproof-chrome',
  'sign-acrylic-walnut-base',
  'standee-acrylic-4x6',
]);

/** Round things stand, unless their axis is level, as a pen's is. Flat ones lie. */
export function stanceOf(product: {
  readonly productId: string;
  readonly surface?: PlacedSurface | null | undefined;
}): Stance {
  const { productId, surface } = product;
  const isUpright = surface && surface.kind !== 'flat' && surface.axis !== 'level';
  return isUpright || standingBlanks.has(productId) ? 'standing' : 'lying';
}
