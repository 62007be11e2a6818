/** The cut-out on a checkerboard: compared with the original, zoomed, panned and painted on. */
import type { BrushStroke } from '@markwright/contract/schemas';
import { IconButton } from '@markwright/controls';
import { useState } from 'react';
import type { CutoutPictures } from '../../core/cutout/cutoutMachine.ts';
import type { Size } from '../../core/cutout/cutoutView.ts';
import { DividerLine } from '../stage/CompareDivider.tsx';
import { type CutoutTool, useBrush } from './useBrush.ts';
import { useCutoutCanvas } from './useCutoutCanvas.ts';
import { useCutoutInput, ZOOM_STEP } from './useCutoutInput.ts';
import { type StagePoint, useCutoutViewport } from './useCutoutViewport.ts';

interface StageProps {
  pictures: CutoutPictures | undefined;
  originalUrl: string;
  /** The size of the picture itself, px. */
  size: Size;
  edgeShift: number;
  feather: number;
  strokes: readonly BrushStroke[];
  tool: CutoutTool;
  /** The radius of the brush, in longer sides of the picture. */
  radius: number;
  label: string;
  hintId: string;
  onStroke(stroke: BrushStroke): void;
  className?: string;
}

export function BackgroundStage({
  pictures,
  originalUrl,
  size,
  edgeShift,
  feather,
  strokes,
  tool,
  radius,
  label,
  hintId,
  onStroke,
  className = '',
}: StageProps) {
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const [compareAt, setCompareAt] = useState(0.5);
  const { canvas, paint, stopPainting } = useCutoutCanvas(pictures, { edgeShift, feather, strokes });
  const viewport = useCutoutViewport(stage, size);
  const isReady = pictures !== undefined;
  const brush = useBrush({ tool, isReady, radius, size, paint, stopPainting, onStroke });
  const isBrush = tool !== 'compare';
  const { cursor, handlers } = useCutoutInput({ viewport, brush, isReady });
  const { view, frame, stageSize, zoom } = viewport;

  const box = { left: frame.left, top: frame.top, width: frame.width, height: frame.height };
  const visibleRange = { left: Math.max(0, frame.left), right: Math.min(stageSize.width, frame.left + frame.width) };
  const dividerX = visibleRange.left + compareAt * (visibleRange.right - visibleRange.left);
  const brushPx = (radius * Math.max(size.width, size.height) * frame.width) / size.width;
  return (
    <div className={`relative ${className}`}>
      <div
        ref={setStage}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is worked on by keys
        tabIndex={0}
        aria-label={label}
        aria-describedby={hintId}
        {...handlers}
        className={`absolute inset-0 touch-none overflow-hidden rounded-card bg-bone focus-visible:outline-2 focus-visible:outline-accent focus-visible:-outline-offset-2 ${
          isBrush && pictures ? 'cursor-none' : view.zoom > 1 ? 'cursor-grab active:cursor-grabbing' : ''
        }`}
      >
        <div className="absolute isolate" style={{ ...box, ...checkerboard }}>
          <canvas ref={canvas} className="pointer-events-none absolute inset-0 size-full" />
          {/* Faint below what stays while it is painted on; above it as far as the line. One element, decoded once. */}
          <img
            src={originalUrl}
            alt=""
            draggable={false}
            className={`pointer-events-none absolute inset-0 size-full select-none ${isBrush && pictures ? '-z-10 opacity-20' : ''}`}
            style={
              isBrush || !pictures
                ? undefined
                : { clipPath: `inset(0 ${Math.max(0, frame.left + frame.width - dividerX)}px 0 0)` }
            }
          />
        </div>
        {!isBrush && pictures && (
          <DividerLine {...visibleRange} at={compareAt} before="original" onMove={setCompareAt} />
        )}
        {isBrush && pictures && cursor && (
          <BrushMark
            x={frame.left + cursor.x * frame.width}
            y={frame.top + cursor.y * frame.height}
            radius={brushPx}
            mode={tool}
          />
        )}
      </div>
      <div className="absolute top-2 right-2 flex rounded-control border border-line bg-paper shadow-float">
        <IconButton icon="minus" label="Zoom out" disabled={view.zoom <= 1} onClick={() => zoom(1 / ZOOM_STEP)} />
        <IconButton icon="plus" label="Zoom in" disabled={!pictures} onClick={() => zoom(ZOOM_STEP)} />
        <IconButton icon="expand" label="All of the picture" disabled={view.zoom <= 1} onClick={viewport.showAll} />
      </div>
      <p role="status" className="sr-only">
        {isBrush && cursor?.isByKeys
          ? `Brush at ${Math.round(100 * cursor.x)} % across, ${Math.round(100 * cursor.y)} % down`
          : ''}
      </p>
    </div>
  );
}

const checkerboard = {
  backgroundColor: '#fff',
  backgroundImage: 'repeating-conic-gradient(#dcd8d0 0 25%, transparent 0 50%)',
  backgroundSize: '12px 12px',
};

/** The brush's rim, white within dark so that it shows on every picture, and what it does. */
function BrushMark({ x, y, radius, mode }: StagePoint & { radius: number; mode: BrushStroke['mode'] }) {
  const r = Math.max(2, radius);
  return (
    <svg
      aria-hidden="true"
      data-brush=""
      className="pointer-events-none absolute overflow-visible"
      style={{ left: x, top: y }}
      width="1"
      height="1"
      fill="none"
    >
      <circle r={r} stroke="#000" strokeOpacity="0.6" strokeWidth="3" />
      <circle r={r} stroke="#fff" strokeWidth="1.25" />
      <path d={mode === 'keep' ? 'M-4 0h8M0-4v8' : 'M-4 0h8'} stroke="#000" strokeOpacity="0.6" strokeWidth="3.5" />
      <path d={mode === 'keep' ? 'M-4 0h8M0-4v8' : 'M-4 0h8'} stroke="#fff" strokeWidth="1.5" />
    </svg>
  );
}
