/** Copies, cuts and pastes elements by the system's clipboard: by its keys, and by the stage's menu. */
import { useCallback, useEffect, useRef } from 'react';
import { pasteCommand, readElements, writeElements } from '../../core/document/clipboard.ts';
import type { Editor } from '../../core/document/editor.ts';
import { dispatchAndChoose, removeUnlocked } from '../../core/document/keymap.ts';
import { useEditor, usePorts } from '../EditorProvider.tsx';
import { isTextField } from './isTextField.ts';

export type ClipboardAct = 'copy' | 'cut' | 'paste';

/** Installs the clipboard. Returns a function for a menu, where the browser may ask for leave to read the clipboard. */
export function useClipboard(): (act: ClipboardAct) => void {
  const editor = useEditor();
  const ports = usePorts();
  /** The last copy, for where the system's clipboard may not be used. */
  const ownCopy = useRef('');

  useEffect(() => {
    const onClipboard = (event: ClipboardEvent) => {
      if (event.defaultPrevented || isTextField(event.target) || !isForElements()) return;
      if (event.type === 'paste') {
        // A picture file is the host's to upload.
        if (paste(editor, event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault();
        return;
      }
      const text = copy(editor);
      if (text === undefined) return;
      ownCopy.current = text;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
      if (event.type === 'cut') removeUnlocked(editor);
    };
    for (const type of clipboardEvents) document.addEventListener(type, onClipboard);
    return () => {
      for (const type of clipboardEvents) document.removeEventListener(type, onClipboard);
    };
  }, [editor]);

  return useCallback(
    (act) => {
      if (act === 'paste') {
        void readClipboard(ownCopy.current).then((text) => {
          if (paste(editor, text)) return;
          ports.notify({ title: 'Nothing to paste', description: 'Copy an element of a design first.' });
        });
        return;
      }
      const text = copy(editor);
      if (text === undefined) return;
      ownCopy.current = text;
      navigator.clipboard?.writeText(text).catch(() => undefined);
      if (act === 'cut') removeUnlocked(editor);
    },
    [editor, ports],
  );
}

const clipboardEvents = ['copy', 'cut', 'paste'] as const;

/** True when the focus is on the stage, on the list of elements or nowhere, and no words of the page are selected. */
function isForElements(): boolean {
  const { activeElement } = document;
  const isNowhere = activeElement === null || activeElement === document.body;
  const isSelecting = document.getSelection()?.isCollapsed === false;
  return !isSelecting && (isNowhere || activeElement.closest('[role="application"], [data-row]') !== null);
}

function copy(editor: Editor): string | undefined {
  const { composition, selectedIds } = editor.getState();
  return writeElements(composition, selectedIds);
}

/** Returns false when there are no elements in the text. */
function paste(editor: Editor, text: string): boolean {
  const copies = readElements(text);
  const { composition } = editor.getState();
  if (!copies || composition.productId === undefined) return false;
  dispatchAndChoose(editor, pasteCommand(composition, copies));
  return true;
}

async function readClipboard(otherwise: string): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return otherwise;
  }
}
