/** What is done to the picture before it is traced: which part, how light, where ink begins. */

import { isOneInk, toPixelBox } from '@markwright/contract/tracing';
import { Button, SliderRow, Tooltip } from '@markwright/controls';
import { lazy, Suspense, useState } from 'react';
import type { TraceSettings } from '../../core/trace/traceSettings.ts';
import { useDesignFlow, useDesignState, useEditorState } from '../EditorProvider.tsx';

/** Fetched when it is opened first. */
const CropDialog = lazy(() => import('../dialogs/Crop.tsx').then((part) => ({ default: part.CropDialog })));

/** An SVG keeps its own outlines and has no pixels to change. */
export const useHasPixels = (): boolean => useDesignState((state) => state.design?.tracePictureUrl !== undefined);

export function CropButton({ isBusy }: { isBusy: boolean }) {
  const isLocked = useEditorState((state) => state.composition.design?.isLocked === true);
  const [isOpen, setIsOpen] = useState(false);
  const button = (
    <Button
      icon="crop"
      className="flex-1"
      disabled={isBusy}
      aria-disabled={isLocked || undefined}
      aria-haspopup="dialog"
      onClick={() => !isLocked && setIsOpen(true)}
    >
      Crop
    </Button>
  );
  return (
    <>
      {isLocked ? <Tooltip label="Unlock the design to crop it">{button}</Tooltip> : button}
      {isOpen && (
        <Suspense>
          <CropDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The pixels of the picture, or of the part of it that is traced. */
export function PictureSize() {
  const design = useDesignState((state) => state.design);
  const crop = useDesignState((state) => state.settings.crop);
  if (!design) return null;
  const { width, height } = crop ? toPixelBox(crop, design) : design;
  return (
    <p className="text-graphite text-xs">
      <span className="measure">
        {Math.round(width)} × {Math.round(height)} px
      </span>
      {crop && ' cropped'}
    </p>
  );
}

/** Half: where the slider stands while the threshold is found by itself. */
const MIDDLE = 50;

export function PictureRows() {
  const designs = useDesignFlow();
  const { brightness, contrast, threshold, colorMode } = useDesignState((state) => state.settings);
  const move = (changes: Partial<TraceSettings>) => designs.changeSettings(changes);
  const keep = () => designs.keepSettings();
  const isAuto = threshold === undefined;
  return (
    <>
      <SliderRow
        label="Brightness"
        value={brightness}
        min={-100}
        max={100}
        onMove={(value) => move({ brightness: value })}
        onKeep={keep}
      />
      <SliderRow
        label="Contrast"
        value={contrast}
        min={-100}
        max={100}
        onMove={(value) => move({ contrast: value })}
        onKeep={keep}
      />
      {isOneInk(colorMode) && (
        <SliderRow
          label="Threshold"
          fieldLabel="Threshold in percent"
          value={threshold ?? MIDDLE}
          min={1}
          max={99}
          unit="%"
          valueText={isAuto ? 'Found by itself' : `${threshold} %`}
          onMove={(value) => move({ threshold: value })}
          onKeep={keep}
          isAutomatic={isAuto}
        >
          <Tooltip label={isAuto ? 'Where ink begins is found by itself' : 'Find by itself where ink begins'}>
            <Button
              size="sm"
              variant="ghost"
              aria-pressed={isAuto}
              className="w-14 px-2 aria-pressed:bg-accent-soft aria-pressed:ring-1 aria-pressed:ring-accent aria-pressed:ring-inset"
              onClick={() => {
                move({ threshold: isAuto ? MIDDLE : undefined });
                keep();
              }}
            >
              Auto
            </Button>
          </Tooltip>
        </SliderRow>
      )}
    </>
  );
}
