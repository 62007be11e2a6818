/** Keeps the composition on this device while it changes, and reads it back on the next visit. */
import type { Editor } from '@markwright/editor';
import { type Composition, emptyComposition, parseComposition, saveComposition } from '@markwright/scene';

const KEY = 'markwright-composition';
const SETTLE_MS = 300;

/** The composition of the last visit, or an empty one; what cannot be read is ignored. */
export function readSavedWork(): Composition {
  try {
    const saved = localStorage.getItem(KEY);
    return saved ? parseComposition(JSON.parse(saved)) : emptyComposition;
  } catch (error) {
    console.warn('The saved composition could not be read.', error);
    return emptyComposition;
  }
}

/** Writes a moment after each change, and at once when the page is left. Gives the way to stop. */
export function keepWork(editor: Editor): () => void {
  let written = editor.getState().composition;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function write(): void {
    clearTimeout(timer);
    const { composition } = editor.getState();
    if (composition === written) return;
    written = composition;
    try {
      localStorage.setItem(KEY, JSON.stringify(saveComposition(composition)));
    } catch {
      // The storage is full or refused: the work then lasts as long as the page.
    }
  }

  const unsubscribe = editor.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(write, SETTLE_MS);
  });
  globalThis.addEventListener('pagehide', write);
  return () => {
    write();
    unsubscribe();
    globalThis.removeEventListener('pagehide', write);
  };
}
