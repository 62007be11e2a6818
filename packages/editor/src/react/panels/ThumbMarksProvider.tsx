import { artworksOf } from '@markwright/scene';
import { type ReactNode, useMemo } from 'react';
import { useEditor, useEditorState, useTraceStatus } from '../EditorProvider.tsx';
import { type DrawMarks, MarksContext } from './thumbMarks.ts';

/** Lets the thumbnails below show the design, once it is traced. A change of the design starts them anew. */
export function ThumbMarksProvider({ children }: { children: ReactNode }) {
  const editor = useEditor();
  const trace = useTraceStatus();
  const elements = useEditorState(({ composition }) => composition.elements);
  const machine = useEditorState(({ composition }) => composition.machine);
  const artworks = useEditorState(({ assets }) => assets.artworks);
  const isMoving = useEditorState((state) => state.isGesturing);
  const hasDesign = trace === 'traced' && !isMoving && artworksOf({ elements }).length > 0;
  // Another design, place or machine is another drawing.
  const draw = useMemo(
    (): DrawMarks | undefined =>
      hasDesign
        ? async (product) => {
            const { drawBlankMarks } = await import('../../core/document/blankMarks.ts');
            const { composition, assets } = editor.getState();
            return drawBlankMarks(composition, assets, product);
          }
        : undefined,
    [editor, hasDesign, elements, machine, artworks],
  );
  return <MarksContext value={draw}>{children}</MarksContext>;
}
