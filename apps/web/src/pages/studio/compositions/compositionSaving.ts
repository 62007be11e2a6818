import type { Editor } from '@markwright/editor';
import { toast } from '../../../ui/notices.ts';
import { type Autosave, createAutosave } from './autosave.ts';
import type { DeviceComposition } from './blankCopy.ts';
import { serverCompositions } from './serverCompositions.ts';
import { createThumbnails, type Thumbnails } from './thumbnail.ts';

/** Autosave of an editor's composition, and of its thumbnail. */
export interface CompositionSaving {
  readonly autosave: Autosave;
  readonly thumbnails: Thumbnails;
  /** Follows the editor. Returns a function that disconnects. */
  connect(): () => void;
}

export function createCompositionSaving(editor: Editor, first: DeviceComposition): CompositionSaving {
  const autosave = createAutosave(editor, first, {
    server: serverCompositions,
    isOnline: () => navigator.onLine,
    now: () => new Date(),
    notify: toast,
  });
  const thumbnails = createThumbnails(editor, autosave);
  return {
    autosave,
    thumbnails,
    connect() {
      const disconnect = [thumbnails.connect(), autosave.connect()];
      return () => {
        for (const end of disconnect) end();
      };
    },
  };
}
