/** Which artworks are engraved, and what an engraving needs to know of their designs. */
import type { Design } from '@markwright/contract/schemas';
import {
  type ArtworkElement,
  artworksOf,
  type Composition,
  isEngraved,
  isHalftone,
  withoutHidden,
} from '@markwright/scene';
import type { EditorState } from '../document/editor.ts';

/** The state of an artwork's design. */
export interface EngravedPanel {
  readonly design: Design | undefined;
  readonly isTraced: boolean;
  readonly job: string | undefined;
}

/** Lists the artworks whose pictures the machine engraves itself. */
export const engravedElements = ({ composition }: Pick<EditorState, 'composition'>): ArtworkElement[] =>
  artworksOf(composition).filter((element) => isEngraved(element, composition.machine));

/** True when a file of a composition has a photograph in dots, which formats of outlines cannot hold. */
export const hasDots = (composition: Composition): boolean =>
  engravedElements({ composition: withoutHidden(composition) }).some(
    ({ engraving }) => engraving !== undefined && !isHalftone(engraving.method),
  );
