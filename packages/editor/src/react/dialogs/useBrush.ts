import type { BrushStroke } from '@markwright/contract/schemas';
import { useRef } from 'react';
import { addPoint, type Size } from '../../core/cutout/cutoutView.ts';
import type { StagePoint } from './useCutoutViewport.ts';

export type CutoutTool = 'compare' | BrushStroke['mode'];

interface BrushTarget {
  readonly tool: CutoutTool;
  /** True when there is a picture to paint on. */
  readonly isReady: boolean;
  /** In longer sides of the picture. */
  readonly radius: number;
  /** The size of the picture, px. */
  readonly size: Size;
  /** Shows the line that is being painted. */
  paint(stroke: BrushStroke): void;
  stopPainting(): void;
  onStroke(stroke: BrushStroke): void;
}

/** Paints one line with the brush, point by point. The line becomes a stroke when it ends. */
export function useBrush({ tool, isReady, radius, size, paint, stopPainting, onStroke }: BrushTarget) {
  const line = useRef<{ readonly points: readonly number[]; readonly isByKeys: boolean }>(undefined);
  return {
    isActive: tool !== 'compare',
    /** Returns the line that is being painted. */
    getLine: () => line.current,
    /** Begins a line, or leads it to a point of the picture. */
    extend({ x, y }: StagePoint, isByKeys: boolean) {
      if (tool === 'compare' || !isReady) return;
      const reach = (radius * Math.max(size.width, size.height)) / 5;
      const least = { width: reach / size.width, height: reach / size.height };
      line.current = { points: addPoint(line.current?.points ?? [], x, y, least), isByKeys };
      paint({ mode: tool, radius, points: [...line.current.points] });
    },
    end() {
      const { current } = line;
      line.current = undefined;
      if (current && tool !== 'compare') onStroke({ mode: tool, radius, points: [...current.points] });
    },
    /** Takes the line back. */
    cancel() {
      if (!line.current) return;
      line.current = undefined;
      stopPainting();
    },
  };
}

export type Brush = ReturnType<typeof useBrush>;
