/** The white ink that the stage can show over the colors: the plate of the file. It is in no composition. */
import { hasWhiteInk } from '@markwright/scene';
import type { UnderbaseOptions } from '@markwright/scene/inkFiles';
import type { EditorState } from '../document/editor.ts';
import type { FormatChoice } from './productionFormats.ts';

/** True when a file of the composition can have white ink. */
export const hasWhiteLayer = ({ composition, scene }: Pick<EditorState, 'composition' | 'scene'>): boolean =>
  hasWhiteInk(composition.machine) && scene.groups.length > 0;

/** As `CHOKE_MM.initial` of the files, which a page does not load. */
const CHOKE_MM = 0.2;

/** Returns the white of the chosen file. One without white of its own shows what the other formats would have. */
export const whiteOf = (choice: FormatChoice | undefined): UnderbaseOptions => ({
  mode: choice?.options.white ?? 'underColor',
  chokeMm: choice?.options.chokeMm ?? CHOKE_MM,
});

/** Returns the label of the white layer: the choke, or what the white lies under. */
export function describeWhite({ mode, chokeMm }: UnderbaseOptions): string {
  if (mode === 'flood') return 'whole area';
  if (mode === 'underWhite') return 'white marks alone';
  return mode === 'none' ? 'its own marks alone' : `choke ${chokeMm} mm`;
}
