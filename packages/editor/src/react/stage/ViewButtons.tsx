import { Button, ButtonGroup, IconButton } from '@markwright/controls';
import { findTrace, toggleViewOption } from '../../core/document/viewOptions.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';

/** Buttons that compare a trace with its picture and show its paths, while there is one. Words or icons. */
export function ViewButtons({ hasWords = false, className = '' }: { hasWords?: boolean; className?: string }) {
  const editor = useEditor();
  const hasTrace = useEditorState(({ scene }) => findTrace(scene) !== undefined);
  const isComparing = useEditorState(({ viewOptions }) => viewOptions.compareAt !== undefined);
  const showsNodes = useEditorState(({ viewOptions }) => viewOptions.showsNodes);
  if (!hasTrace) return null;
  const options = [
    {
      at: 'compare',
      isOn: isComparing,
      word: 'Compare',
      names: { label: 'Compare with the picture', shortcut: '\\' },
    },
    { at: 'nodes', isOn: showsNodes, word: 'Paths', names: { label: 'See the paths', shortcut: 'N' } },
  ] as const;
  const toggle = (at: 'compare' | 'nodes') =>
    editor.setViewOptions(toggleViewOption(editor.getState().viewOptions, at));
  if (hasWords) {
    return (
      <div className={`flex gap-2 ${className}`}>
        {options.map(({ at, isOn, word }) => (
          <Button
            key={at}
            size="sm"
            icon={at}
            aria-pressed={isOn}
            className="flex-1 aria-pressed:border-accent! aria-pressed:text-accent!"
            onClick={() => toggle(at)}
          >
            {word}
          </Button>
        ))}
      </div>
    );
  }
  return (
    <div className={className}>
      <ButtonGroup label="Look at the trace">
        {options.map(({ at, isOn, names }) => (
          <IconButton key={at} {...names} icon={at} tooltipSide="bottom" isPressed={isOn} onClick={() => toggle(at)} />
        ))}
      </ButtonGroup>
    </div>
  );
}
