/** All about saved compositions but the one the studio begins with. The page fetches it behind the first paint. */
import type { Editor } from '@markwright/editor';
import { ChangedElsewhere, CompositionBar } from './CompositionBar.tsx';
import { CompositionList } from './CompositionList.tsx';
import { createCompositionSaving } from './compositionSaving.ts';
import type { DeviceComposition } from './deviceComposition.ts';

export const createCompositionParts = (editor: Editor, first: DeviceComposition) => ({
  ...createCompositionSaving(editor, first),
  CompositionList,
  CompositionBar,
  ChangedElsewhere,
});
