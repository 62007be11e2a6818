import { ButtonGroup, IconButton } from '@markwright/controls';
import { isRound, type RoundView, roundViewOf } from '../../core/document/roundView.ts';
import { defaultViewOptions, findTrace, toggleViewOption } from '../../core/document/viewOptions.ts';
import { hasWhiteLayer } from '../../core/export/whiteLayer.ts';
import { useEditor, useEditorState, usePorts } from '../EditorProvider.tsx';

/** Path data of the icons. */
const COMPARE = 'M10 2.5v15M7.5 5h-4v10h4M12.5 5h.5M15.5 5h1v1M16.5 8.75v2.5M16.5 14v1h-1M13 15h-.5';
const NODES =
  'M5.5 14.5C5.5 9 9 5.5 14.5 5.5M3.5 14.5h4v-.01M3.75 12.75h3.5v3.5h-3.5zM12.75 3.75h3.5v3.5h-3.5zM10.5 16.5h6M16.5 10.5v6';

/** A drop above the layer it makes. */
const WHITE = 'M10 2.5c2.4 2.9 3.9 4.9 3.9 6.9a3.9 3.9 0 0 1-7.8 0c0-2 1.5-4 3.9-6.9zM3 15h14M3 17.5h14';

/** A mark that bends round a blank. */
const ROUND =
  'M5 5c0-1.1 2.2-2 5-2s5 .9 5 2-2.2 2-5 2-5-.9-5-2zM5 5v10c0 1.1 2.2 2 5 2s5-.9 5-2V5M7 10c.8.5 1.8.7 3 .7s2.2-.2 3-.7v2.6c-.8.5-1.8.7-3 .7s-2.2-.2-3-.7z';

/** A strip under the blank it comes off. */
const UNROLLED = 'M4 6.5c0-1.7 2.7-3 6-3s6 1.3 6 3-2.7 3-6 3-6-1.3-6-3zM4 6.5v5M16 6.5v5M2.5 13.5h15v4h-15zM10 13.5v4';

const roundOptions = [
  { to: 'round', icon: ROUND, label: 'Show it as it will be' },
  { to: 'unrolled', icon: UNROLLED, label: 'Show it unrolled' },
] as const;

/**
 * Buttons that compare a trace with its picture and show its paths, while there is one; one that shows the white ink of
 * a machine that has it, and two that show a round blank as it will be, and unrolled.
 */
export function ViewButtons({ className = '' }: { className?: string }) {
  const editor = useEditor();
  const hasTrace = useEditorState((state) => findTrace(state) !== undefined);
  const isComparing = useEditorState(({ viewOptions }) => viewOptions.compareAt !== undefined);
  const showsNodes = useEditorState(({ viewOptions }) => viewOptions.showsNodes);
  const { drawWhitePlate } = usePorts();
  const hasWhite = useEditorState(hasWhiteLayer) && drawWhitePlate !== undefined;
  const showsWhite = useEditorState((state) => state.showsWhite);
  const hasRound = useEditorState(isRound);
  const roundView = useEditorState(roundViewOf);
  if (!hasTrace && !hasWhite && !hasRound) return null;
  const show = (next: RoundView) => {
    // Overlays that are drawn flat would keep the blank flat.
    if (next === 'round') {
      editor.setViewOptions(defaultViewOptions);
      editor.setShowsWhite(false);
    }
    editor.setRoundView(next);
  };
  const options = [
    {
      at: 'compare',
      isOn: isComparing,
      names: { icon: COMPARE, label: 'Compare with the picture', shortcut: '\\' },
    },
    { at: 'nodes', isOn: showsNodes, names: { icon: NODES, label: 'See the paths', shortcut: 'N' } },
  ] as const;
  const toggle = (at: 'compare' | 'nodes') =>
    editor.setViewOptions(toggleViewOption(editor.getState().viewOptions, at));
  return (
    <div className={`flex gap-2 ${className}`}>
      {hasRound && (
        <ButtonGroup label="Look at the blank">
          {roundOptions.map(({ to, icon, label }) => (
            <IconButton
              key={to}
              icon={icon}
              label={label}
              tooltipSide="bottom"
              isPressed={roundView === to}
              onClick={() => show(roundView === to ? 'flat' : to)}
            />
          ))}
        </ButtonGroup>
      )}
      {hasWhite && (
        <ButtonGroup label="Look at the inks">
          <IconButton
            icon={WHITE}
            label="Show the white ink"
            tooltipSide="bottom"
            isPressed={showsWhite}
            onClick={() => editor.setShowsWhite(!showsWhite)}
          />
        </ButtonGroup>
      )}
      {hasTrace && (
        <ButtonGroup label="Look at the trace">
          {options.map(({ at, isOn, names }) => (
            <IconButton key={at} {...names} tooltipSide="bottom" isPressed={isOn} onClick={() => toggle(at)} />
          ))}
        </ButtonGroup>
      )}
    </div>
  );
}
