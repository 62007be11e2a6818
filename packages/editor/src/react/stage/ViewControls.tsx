/** The buttons for zoom and for undo and redo, wherever the host puts them. */
import { IconButton, type IconButtonProps, Tooltip } from '@markwright/controls';
import type { ReactNode } from 'react';
import { stepZoom, ZOOM } from '../../core/document/editor.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';

type Look = Pick<IconButtonProps, 'size' | 'tooltipSide'>;

/** Undo and redo of the composition. */
export function HistoryButtons(look: Look) {
  const editor = useEditor();
  const canUndo = useEditorState((state) => state.canUndo);
  const canRedo = useEditorState((state) => state.canRedo);
  return (
    <>
      <IconButton
        {...look}
        icon="undo"
        label="Undo"
        shortcut="Ctrl Z"
        disabled={!canUndo}
        onClick={() => editor.undo()}
      />
      <IconButton
        {...look}
        icon="redo"
        label="Redo"
        shortcut="Ctrl Y"
        disabled={!canRedo}
        onClick={() => editor.redo()}
      />
    </>
  );
}

/** A step of the buttons leads to the next quarter, also from a pinched 113 %. */
const nextQuarter = (zoom: number) => (Math.floor(zoom / ZOOM.buttons.step + 1e-6) + 1) * ZOOM.buttons.step;
const lastQuarter = (zoom: number) => (Math.ceil(zoom / ZOOM.buttons.step - 1e-6) - 1) * ZOOM.buttons.step;

/** Zoom out, the percentage, zoom in. `label` names the percentage. */
export function ZoomButtons({ label, ...look }: Look & { label: string }) {
  const editor = useEditor();
  const zoom = useEditorState((state) => state.zoom);
  const { min, max } = ZOOM.buttons;
  return (
    <>
      <IconButton
        {...look}
        icon="minus"
        label="Zoom out"
        shortcut="Ctrl −"
        disabled={zoom <= min}
        onClick={() => editor.setZoom(stepZoom(zoom, lastQuarter(zoom), ZOOM.buttons))}
      />
      <output aria-label={label} className="measure w-12 text-center text-ink text-xs">
        {Math.round(zoom * 100)} %
      </output>
      <IconButton
        {...look}
        icon="plus"
        label="Zoom in"
        shortcut="Ctrl +"
        disabled={zoom >= max}
        onClick={() => editor.setZoom(stepZoom(zoom, nextQuarter(zoom), ZOOM.buttons))}
      />
    </>
  );
}

/** Zoom out, the percentage, zoom in, and back to the fitted product: 1:1 here is a zoom of 100 %. */
export function ZoomControls({ size }: Pick<Look, 'size'>) {
  const editor = useEditor();
  return (
    <div className="flex items-center gap-0.5">
      <ZoomButtons label="Zoom" size={size} />
      <WordButton
        tooltip="Reset zoom"
        shortcut="Ctrl 0"
        name="Reset zoom to 1:1"
        label="1:1"
        size={size}
        onClick={() => editor.setZoom(1)}
      />
    </div>
  );
}

/** A button that is a word, beside others that are icons. */
export function WordButton({
  tooltip,
  shortcut,
  name,
  label,
  size = 'md',
  isPressed,
  onClick,
}: {
  tooltip: string;
  shortcut?: string;
  /** For assistive technology, where the word alone does not say enough. */
  name?: string;
  label: ReactNode;
  size?: 'sm' | 'md' | undefined;
  isPressed?: boolean;
  onClick(): void;
}) {
  const box =
    size === 'sm' ? 'h-7 min-w-7 pointer-coarse:h-9' : 'h-8 min-w-8 pointer-coarse:h-10 pointer-coarse:min-w-10';
  return (
    <Tooltip label={tooltip} shortcut={shortcut}>
      <button
        type="button"
        aria-label={name}
        aria-pressed={isPressed}
        onClick={onClick}
        className={`measure ${box} rounded-control px-2 text-ink text-xs transition-colors hover:bg-ink/6 focus-visible:outline-2 focus-visible:outline-accent aria-pressed:text-accent`}
      >
        {label}
      </button>
    </Tooltip>
  );
}
