import { Button, ButtonGroup, IconButton } from '@markwright/controls';
import { findTrace, toggleViewOption } from '../../core/document/viewOptions.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';

/** Ways of looking at a trace; nothing while there is none. With words in a panel, as icons on the stage. */
export function ViewButtons({ hasWords = false, className = '' }: { hasWords?: boolean; className?: string }) {
  const editor = useEditor();
  const hasTrace = useEditorState(({ scene }) => findTrace(scene) !== undefined);
  const isComparing = useEditorState(({ viewOptions }) => viewOptions.compareAt !== undefined);
  const showsNodes = useEditorState(({ viewOptions }) => viewOptions.showsNodes);
  if (!hasTrace) return null;
  const toggle = (at: 'compare' | 'nodes') =>
    editor.setViewOptions(toggleViewOption(editor.getState().viewOptions, at));
  if (hasWords) {
    const toggleClass = 'flex-1 aria-pressed:border-accent! aria-pressed:text-accent!';
    return (
      <div className={`flex gap-2 ${className}`}>
        <Button
          size="sm"
          icon="compare"
          aria-pressed={isComparing}
          className={toggleClass}
          onClick={() => toggle('compare')}
        >
          Compare
        </Button>
        <Button
          size="sm"
          icon="nodes"
          aria-pressed={showsNodes}
          className={toggleClass}
          onClick={() => toggle('nodes')}
        >
          Paths
        </Button>
      </div>
    );
  }
  return (
    <div className={className}>
      <ButtonGroup label="Look at the trace">
        <IconButton
          icon="compare"
          label="Compare with the picture"
          shortcut="\"
          tooltipSide="bottom"
          isPressed={isComparing}
          onClick={() => toggle('compare')}
        />
        <IconButton
          icon="nodes"
          label="See the paths"
          shortcut="N"
          tooltipSide="bottom"
          isPressed={showsNodes}
          onClick={() => toggle('nodes')}
        />
      </ButtonGroup>
    </div>
  );
}
