/** All about saved compositions but the one the studio begins with. The page fetches it behind the first paint. */
import type { Editor } from '@markwright/editor';
import type { DeviceComposition } from './blankCopy.ts';
import { ChangedElsewhere, CompositionBar } from './CompositionBar.tsx';
import { CompositionList } from './CompositionList.tsx';
import { createCompositionSaving } from './compositionSaving.ts';
import { readFirstComposition } from './deviceComposition.ts';
import { provideReader } from './storedComposition.ts';

export function createCompositionParts(editor: Editor, first: DeviceComposition) {
  provideReader(readFirstComposition);
  return { ...createCompositionSaving(editor, first), CompositionList, CompositionBar, ChangedElsewhere };
}
