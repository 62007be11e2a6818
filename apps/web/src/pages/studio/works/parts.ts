/** Everything about saved works but the one the studio begins with: fetched behind the first paint. */
import type { Editor } from '@markwright/editor';
import type { DeviceWork } from './device.ts';
import { MyDesigns } from './MyDesigns.tsx';
import { createSavedWorks } from './saved.ts';
import { ChangedElsewhere, WorkBar } from './WorkBar.tsx';

export const createLaterWorks = (editor: Editor, first: DeviceWork) => ({
  ...createSavedWorks(editor, first),
  MyDesigns,
  WorkBar,
  ChangedElsewhere,
});
