/** A composition's thumbnail: drawn from its scene as the mockup is, some seconds after the last change. */
import type { Editor } from '@markwright/editor';
import { hasContent, type Scene } from '@markwright/scene';
import { drawPicture, toDataUrl } from '../cardList/drawPicture.ts';
import type { Autosave } from './autosave.ts';
import { readDeviceComposition } from './deviceComposition.ts';
import { writeThumbnail } from './deviceCompositionList.ts';
import { uploadThumbnail } from './serverCompositions.ts';

/** The debounce: changes pause this long before a thumbnail is drawn. */
const PAUSE_MS = 2_500;
/** The least time between two thumbnails that are sent. */
const SEND_EVERY_MS = 20_000;

export interface Thumbnails {
  /** Returns a function that disconnects. */
  connect(): () => void;
  /** Draws and sends what is not drawn or sent yet, at once. */
  flush(): Promise<void>;
}

export function createThumbnails(editor: Editor, autosave: Autosave): Thumbnails {
  let lastPicture: { readonly scene: Scene; readonly compositionId: string; readonly blob: Blob } | undefined;
  let lastUpload: Blob | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function draw(): Promise<void> {
    const { settledScene: scene, composition, isGesturing } = editor.getState();
    const { id } = autosave.getState();
    if (isGesturing || !scene.backdrop || !hasContent(composition) || !readDeviceComposition(id)) return;
    if (lastPicture?.scene === scene && lastPicture.compositionId === id) return;
    const blob = await drawPicture(scene);
    if (autosave.getState().id !== id) return;
    lastPicture = { scene, compositionId: id, blob };
    writeThumbnail(id, await toDataUrl(blob));
  }

  async function send(): Promise<void> {
    const { id, savedId } = autosave.getState();
    if (
      !lastPicture ||
      lastPicture.compositionId !== id ||
      lastPicture.blob === lastUpload ||
      savedId === undefined ||
      !navigator.onLine
    )
      return;
    lastUpload = lastPicture.blob;
    sentAt = performance.now();
    await uploadThumbnail(savedId, lastPicture.blob);
  }

  function plan(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void drawAndSend(), delayMs);
  }

  /** Logs what goes wrong: a thumbnail that cannot be drawn or sent is only missing from a list. */
  async function drawAndSend(): Promise<void> {
    try {
      await draw();
      const waitMs = sentAt + SEND_EVERY_MS - performance.now();
      if (waitMs <= 0) await send();
      else if (lastPicture && lastPicture.blob !== lastUpload) plan(waitMs);
    } catch (error) {
      console.warn('The thumbnail could not be made.', error);
    }
  }

  return {
    connect() {
      let { settledScene } = editor.getState();
      const onChange = () => {
        const next = editor.getState().settledScene;
        if (next === settledScene) return;
        settledScene = next;
        plan(PAUSE_MS);
      };
      const unsubscribe = editor.subscribe(onChange);
      // After the first save, the server can take the thumbnail.
      const unsubscribeSaves = autosave.subscribe(
        () => lastPicture && lastPicture.blob !== lastUpload && plan(PAUSE_MS),
      );
      return () => {
        clearTimeout(timer);
        unsubscribe();
        unsubscribeSaves();
      };
    },
    async flush() {
      try {
        await draw();
        await send();
      } catch (error) {
        console.warn('The thumbnail could not be made.', error);
      }
    },
  };
}
