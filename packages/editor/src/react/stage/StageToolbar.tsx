/**
 * The buttons of the stage for thumbs: undo and redo, and what is wanted most often for the selection, or else for
 * the view.
 */
import { isArtworkId } from '@markwright/scene';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import type { Perform } from './useActions.ts';
import { HistoryButtons, WordButton } from './ViewControls.tsx';

export function StageToolbar({ perform }: { perform: Perform }) {
  const editor = useEditor();
  const hasSelection = useEditorState((state) => state.selectedIds.length > 0);
  const hasArtwork = useEditorState(({ scene }) => scene.groups.some(({ elementId }) => isArtworkId(elementId)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring form semantics and its own layout
    <div role="group" aria-label="Stage tools" className="flex h-full items-center gap-0.5 px-1">
      <HistoryButtons size="sm" />
      <span aria-hidden="true" className="mr-auto" />
      {hasSelection ? (
        <SelectionBar isFlat />
      ) : (
        <>
          <WordButton
            tooltip="Fit the product into the stage"
            label="Fit"
            size="sm"
            onClick={() => perform({ kind: 'view', to: 'fit' })}
          />
          {hasArtwork && (
            <WordButton tooltip="Show the machine area" label="Area" size="sm" onClick={() => editor.resetView()} />
          )}
          <WordButton
            tooltip="True size: an inch of the product is one CSS inch on this screen"
            label="1:1"
            size="sm"
            onClick={() => perform({ kind: 'view', to: 'trueSize' })}
          />
        </>
      )}
    </div>
  );
}
