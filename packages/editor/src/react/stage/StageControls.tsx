/** The quiet buttons on the stage: zoom at the bottom right; undo, redo and the looks at a trace at the top right. */
import { ButtonGroup, IconButton, Tooltip } from '@markwright/controls';
import type { ReactNode } from 'react';
import { stepZoom, ZOOM } from '../../core/document/editor.ts';
import { clampPan, fittedPosition, type Inset, type StageView, trueSizeZoom } from '../../core/pointer/stageView.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { RULER_PX } from './Rulers.tsx';
import { ViewButtons } from './ViewButtons.tsx';

const GAP_PX = 8;

export function StageControls({ view, inset }: { view: StageView; inset: Inset }) {
  return (
    <>
      <div
        className="absolute flex flex-wrap justify-end gap-2"
        style={{ top: Math.max(inset.top, RULER_PX) + GAP_PX, right: inset.right + GAP_PX }}
      >
        <HistoryGroup />
        <ViewButtons />
      </div>
      <div className="absolute" style={{ bottom: inset.bottom + GAP_PX, right: inset.right + GAP_PX }}>
        <ZoomGroup view={view} />
      </div>
    </>
  );
}

function HistoryGroup() {
  const editor = useEditor();
  const canUndo = useEditorState((state) => state.canUndo);
  const canRedo = useEditorState((state) => state.canRedo);
  return (
    <ButtonGroup label="History">
      <IconButton
        icon="undo"
        label="Undo"
        shortcut="Ctrl Z"
        tooltipSide="bottom"
        disabled={!canUndo}
        onClick={() => editor.undo()}
      />
      <IconButton
        icon="redo"
        label="Redo"
        shortcut="Ctrl Y"
        tooltipSide="bottom"
        disabled={!canRedo}
        onClick={() => editor.redo()}
      />
    </ButtonGroup>
  );
}

/** A step of the buttons leads to the next quarter, also from a pinched 113 %. */
const nextQuarter = (zoom: number) => (Math.floor(zoom / ZOOM.buttons.step + 1e-6) + 1) * ZOOM.buttons.step;
const lastQuarter = (zoom: number) => (Math.ceil(zoom / ZOOM.buttons.step - 1e-6) - 1) * ZOOM.buttons.step;

function ZoomGroup({ view }: { view: StageView }) {
  const editor = useEditor();
  const zoom = useEditorState((state) => state.zoom);
  const isFitted = useEditorState(({ zoom, pan }) => zoom === 1 && pan.x === 0 && pan.y === 0);
  const { min, max } = ZOOM.buttons;
  const showTrueSize = () => {
    const { zoom: before, pan } = editor.getState();
    const target = Math.min(ZOOM.pointer.max, Math.max(ZOOM.pointer.min, trueSizeZoom(view)));
    const factor = target / before;
    editor.setView({ zoom: target, pan: clampPan(view, { x: pan.x * factor, y: pan.y * factor }, target) });
  };
  return (
    <ButtonGroup label="View">
      <IconButton
        icon="minus"
        label="Zoom out"
        shortcut="Ctrl −"
        disabled={zoom <= min}
        onClick={() => editor.setZoom(stepZoom(zoom, lastQuarter(zoom), ZOOM.buttons))}
      />
      <output aria-label="Zoom of the stage" className="measure w-12 text-center text-ink text-xs">
        {Math.round(zoom * 100)} %
      </output>
      <IconButton
        icon="plus"
        label="Zoom in"
        shortcut="Ctrl +"
        disabled={zoom >= max}
        onClick={() => editor.setZoom(stepZoom(zoom, nextQuarter(zoom), ZOOM.buttons))}
      />
      <WordButton
        tooltip="Fit the product into the stage"
        shortcut="Ctrl 0"
        label="Fit"
        isPressed={isFitted}
        onClick={() => editor.setView(fittedPosition)}
      />
      <WordButton
        tooltip="True size: an inch of the product is one CSS inch on this screen"
        label="1:1"
        isPressed={Math.abs(zoom - trueSizeZoom(view)) < 1e-6}
        onClick={showTrueSize}
      />
    </ButtonGroup>
  );
}

function WordButton({
  tooltip,
  shortcut,
  label,
  isPressed,
  onClick,
}: {
  tooltip: string;
  shortcut?: string;
  label: ReactNode;
  isPressed: boolean;
  onClick(): void;
}) {
  return (
    <Tooltip label={tooltip} shortcut={shortcut}>
      <button
        type="button"
        aria-pressed={isPressed}
        onClick={onClick}
        className="measure h-8 min-w-8 px-2 text-ink text-xs transition-colors hover:bg-ink/6 focus-visible:outline-2 focus-visible:outline-accent aria-pressed:text-accent pointer-coarse:h-10 pointer-coarse:min-w-10"
      >
        {label}
      </button>
    </Tooltip>
  );
}
