/** The ways in which the stage shows a round blank. They change no composition and no file. */
import { type Composition, hasWhiteInk, type Scene } from '@markwright/scene';
import type { ViewOptions } from './viewOptions.ts';

/**
 * - `flat`: the artwork as it is drawn, over the picture of the blank.
 * - `round`: as it will be. The artwork goes round the blank, and everything on the stage follows its surface.
 * - `unrolled`: flat, with the rest of the way round.
 */
export type RoundView = 'flat' | 'round' | 'unrolled';

/** True where there is a choice: on a round blank. */
export const isRound = ({ scene }: { readonly scene: Scene }): boolean => scene.backdrop?.surface !== undefined;

/**
 * Returns how the stage shows the present blank. What looks into a trace or at the white ink is drawn flat: the blank
 * is flat meanwhile, and afterwards as before.
 */
export function roundViewOf(state: {
  readonly scene: Scene;
  readonly composition: Composition;
  readonly viewOptions: ViewOptions;
  readonly showsWhite: boolean;
  readonly roundView: RoundView;
}): RoundView {
  if (!isRound(state)) return 'flat';
  if (state.roundView !== 'round') return state.roundView;
  const { compareAt, showsNodes, spotlight, isPicking } = state.viewOptions;
  const isFlat = compareAt !== undefined || showsNodes || isPicking || spotlight.length > 0;
  return isFlat || (state.showsWhite && hasWhiteInk(state.composition.machine)) ? 'flat' : 'round';
}
