/** Zooms and pans with the wheel and the trackpad. */
import { useEffect } from 'react';
import type { Editor } from '../../core/document/editor.ts';
import { ZOOM } from '../../core/document/editor.ts';
import { clampPan, type StageView, zoomAbout } from '../../core/pointer/stageView.ts';
import { readWheel } from '../../core/pointer/wheel.ts';
import { useEditor } from '../EditorProvider.tsx';

/** Safari's event for a pinch on a trackpad. */
interface GestureEvent extends UIEvent {
  readonly scale: number;
  readonly clientX: number;
  readonly clientY: number;
}

/** Zooms to the pointer with Control or Meta and the wheel, or a pinch; pans with the wheel alone. */
export function useWheel(
  stage: React.RefObject<HTMLDivElement | null>,
  latest: React.RefObject<{ readonly view: StageView | undefined }>,
): void {
  const editor = useEditor();
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const pointOf = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
      const box = element.getBoundingClientRect();
      return { x: clientX - box.left, y: clientY - box.top };
    };
    const onWheel = (event: WheelEvent) => {
      const { view } = latest.current;
      if (!view) return;
      const change = readWheel(event, element.clientHeight);
      const state = editor.getState();
      if (change.kind === 'zoom') {
        event.preventDefault();
        zoomTo(editor, view, state.zoom * change.factor, pointOf(event));
      } else if (state.zoom > 1 || !scrollsPage()) {
        event.preventDefault();
        const pan = clampPan(view, { x: state.pan.x + change.by.x, y: state.pan.y + change.by.y }, state.zoom);
        editor.setView({ zoom: state.zoom, pan });
      }
    };
    let zoomAtStart = 1;
    const onGesture = (event: Event) => {
      const { view } = latest.current;
      event.preventDefault();
      if (event.type === 'gesturestart') zoomAtStart = editor.getState().zoom;
      else if (view) {
        const pinch = event as GestureEvent;
        zoomTo(editor, view, zoomAtStart * pinch.scale, pointOf(pinch));
      }
    };
    // React's wheel listeners are passive and cannot stop the page from zooming with the product.
    element.addEventListener('wheel', onWheel, { passive: false });
    for (const type of gestureTypes) element.addEventListener(type, onGesture);
    return () => {
      element.removeEventListener('wheel', onWheel);
      for (const type of gestureTypes) element.removeEventListener(type, onGesture);
    };
  }, [editor, stage, latest]);
}

const gestureTypes = ['gesturestart', 'gesturechange'] as const;

function zoomTo(editor: Editor, view: StageView, target: number, point: { x: number; y: number }): void {
  const state = editor.getState();
  const zoom = Math.min(ZOOM.pointer.max, Math.max(ZOOM.pointer.min, target));
  if (zoom === state.zoom) return;
  const about = zoomAbout(view, state, zoom, point);
  editor.setView({ zoom, pan: clampPan(view, about.pan, zoom) });
}

/** True when the wheel would scroll this page, or the page around it. */
function scrollsPage(): boolean {
  const page = document.scrollingElement;
  return window.parent !== window || (page !== null && page.scrollHeight > page.clientHeight);
}
