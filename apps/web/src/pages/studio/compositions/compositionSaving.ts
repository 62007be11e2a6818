import type { Editor } from '@markwright/editor';
import { toast } from '../../../ui/notices.ts';
import type { DeviceWork } from './deviceComposition.ts';
import { createWorkPictures, type WorkPictures } from './thumbnail.ts';
import { remoteWorks } from './serverCompositions.ts';
import { createWorks, type Works } from './autosave.ts';

/** Autosave of an editor, and the small pictures that go with it. */
export interface SavedWorks {
  readonly works: Works;
  readonly pictures: WorkPictures;
  connect(): () => void;
}

export function createSavedWorks(editor: Editor, first: DeviceWork): SavedWorks {
  const works = createWorks(editor, first, {
    remote: remoteWorks,
    isOnline: () => navigator.onLine,
    now: () => new Date(),
    notify: toast,
  });
  const pictures = createWorkPictures(editor, works);
  return {
    works,
    pictures,
    connect() {
      const disconnect = [pictures.connect(), works.connect()];
      return () => {
        for (const end of disconnect) end();
      };
    },
  };
}
