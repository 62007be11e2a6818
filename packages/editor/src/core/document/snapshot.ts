/** The picture in the small preview window. It is captured after a debounce, and retried when the capture fails. */
import { elementIdOf, isFigure, isText, renderView, type Scene, type SvgNode, withoutHidden } from '@markwright/scene';
import type { Editor } from './editor.ts';

export const SNAPSHOT = { scale: 0.8, settleMs: 250, pauseMs: 500, retries: 3, retryMs: 200 } as const;

export interface Snapshot {
  getState(): SvgNode | undefined;
  subscribe(listener: () => void): () => void;
  /** Takes the first picture and follows the editor. Returns a function that disconnects. */
  connect(): () => void;
  /** Takes a picture now, because something besides the editor has changed. */
  retake(): void;
}

/** Creates the snapshot. `capture` throws while something is not ready; the previous picture stays meanwhile. */
export function createSnapshot(editor: Editor, capture: () => SvgNode = () => capturePreview(editor)): Snapshot {
  const listeners = new Set<() => void>();
  let picture: SvgNode | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function take(retriesLeft: number): void {
    try {
      picture = capture();
    } catch {
      if (retriesLeft > 0) timer = setTimeout(() => take(retriesLeft - 1), SNAPSHOT.retryMs);
      return;
    }
    for (const listener of listeners) listener();
  }

  return {
    getState: () => picture,
    retake() {
      clearTimeout(timer);
      take(SNAPSHOT.retries);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    connect() {
      let { scene } = editor.getState();
      take(SNAPSHOT.retries);
      const unsubscribe = editor.subscribe(() => {
        const next = editor.getState();
        if (next.scene === scene) return;
        scene = next.scene;
        clearTimeout(timer);
        // Typing is one long gesture: a pause in it counts, but a drag that rests for a moment should not be held up.
        timer = setTimeout(() => take(SNAPSHOT.retries), next.isGesturing ? SNAPSHOT.pauseMs : SNAPSHOT.settleMs);
      });
      return () => {
        clearTimeout(timer);
        unsubscribe();
      };
    },
  };
}

/**
 * Draws the mockup of the present composition; `wrap` lays it round its blank. Throws while a text's font, what draws
 * shapes or the product's picture is still on its way.
 */
export function capturePreview(editor: Editor, wrap: (scene: Scene) => Scene = (scene) => scene): SvgNode {
  const { scene, composition, assets } = editor.getState();
  const visibleIds = new Set(scene.groups.map(({ elementId }) => elementId));
  const isMissing = withoutHidden(composition).elements.some(
    (element) =>
      !visibleIds.has(elementIdOf(element)) &&
      ((isText(element) && element.text.trim() !== '') || (isFigure(element) && !assets.figures)),
  );
  if (!scene.backdrop || isMissing) throw new Error('The scene is not complete yet.');
  // The drawing of a mockup, which has nothing of the stage, in any size.
  return renderView(wrap(scene), { kind: 'preview' });
}
