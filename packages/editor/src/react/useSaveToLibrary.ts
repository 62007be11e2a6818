import { useMemo } from 'react';
import { elementsToSave } from '../core/document/savedElements.ts';
import { useEditor, usePorts } from './EditorProvider.tsx';

/** Returns a function that saves the selected elements to the library; undefined where the host has none. */
export function useSaveToLibrary(): (() => void) | undefined {
  const editor = useEditor();
  const { library, notify } = usePorts();
  return useMemo(
    () =>
      library &&
      (() => {
        const elements = elementsToSave(editor.getState());
        if (elements) library.save(elements);
        else notify({ title: 'Nothing to save', description: 'Select something on the product first.' });
      }),
    [editor, library, notify],
  );
}
