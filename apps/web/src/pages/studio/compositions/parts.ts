/** Everything about saved works but the one the studio begins with: fetched behind the first paint. */
import type { Editor } from '@markwright/editor';
import type { DeviceWork } from './deviceComposition.ts';
import { MyDesigns } from './CompositionList.tsx';
import { createSavedWorks } from './compositionSaving.ts';
import { ChangedElsewhere, WorkBar } from './CompositionBar.tsx';

export const createLaterWorks = (editor: Editor, first: DeviceWork) => ({
  ...createSavedWorks(editor, first),
  MyDesigns,
  WorkBar,
  ChangedElsewhere,
});
