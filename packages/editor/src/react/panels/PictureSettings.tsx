/** The changes of the picture before it is traced: crop, brightness, contrast and threshold. */

import { isOneInk, toPixelBox } from '@markwright/contract/tracing';
import type { LightChoice } from '@markwright/contract/words';
import { Button, lazyPart, Row, SegmentedControl, Tooltip } from '@markwright/controls';
import { straightenedSize, trueSizeOf } from '@markwright/scene';
import { Suspense, useState } from 'react';
import { activeElement } from '../../core/document/editor.ts';
import { formatSize } from '../../core/document/measure.ts';
import { useDesignState, useEditor, useEditorState } from '../EditorProvider.tsx';
import { SettingSlider, useSetting } from './SettingRows.tsx';

/** Path data of an icon. */
const CROP = 'M6 2.5V14h11.5M2.5 6H14v11.5';

/** Fetched when it is first opened. */
const CropDialog = lazyPart(() => import('../dialogs/Crop.tsx').then((part) => ({ default: part.CropDialog })));

/** True for a design with pixels to change; an SVG keeps its own outlines. */
export const useHasPixels = (): boolean => useDesignState((state) => state.design?.tracePictureUrl !== undefined);

export function CropButton({ isBusy }: { isBusy: boolean }) {
  const isLocked = useEditorState((state) => activeElement(state)?.isLocked === true);
  const [isOpen, setIsOpen] = useState(false);
  const button = (
    <Button
      icon={CROP}
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

/** The size of the picture in pixels, or of its traced part; the size in mm of a file that says its size. */
export function PictureSize() {
  const hasTrueSize = useEditorState((state) => activeElement(state)?.trueWidthMm !== undefined);
  return hasTrueSize ? <TrueSize /> : <PixelSize />;
}

/** The size that the file says, or that it had in the library, and a button that goes back to it. */
function TrueSize() {
  const editor = useEditor();
  const element = useEditorState(activeElement);
  const scene = useEditorState((state) => state.settledScene);
  const unit = useEditorState((state) => state.unit);
  const hasFileSize = useDesignState(({ design }) => design?.widthMm !== undefined);
  const size = element && trueSizeOf(element, scene);
  if (!element || size === undefined) return null;
  const { id, trueWidthMm = 0, aspect, ink = { width: 1, height: 1 }, isLocked } = element;
  const sizeMm = { width: ink.width * trueWidthMm, height: (ink.height * trueWidthMm) / aspect };
  const origin = hasFileSize ? 'the file' : 'the library';
  const isTrue = Math.abs(element.size / size - 1) < SAME_SIZE;
  return (
    <p className="text-graphite text-xs">
      <span className="measure">{formatSize(sizeMm, unit)}</span>
      {isTrue ? (
        ` as in ${origin}`
      ) : (
        <>
          {` in ${origin}`}
          {!isLocked && (
            <Button
              size="sm"
              variant="ghost"
              className="-my-1"
              onClick={() => editor.dispatch({ type: 'updateDesign', id, changes: { size } })}
            >
              True size
            </Button>
          )}
        </>
      )}
    </p>
  );
}

/** Less than this is rounding: a hundredth of a millimeter in a meter. */
const SAME_SIZE = 1e-5;

function PixelSize() {
  const design = useDesignState((state) => state.design);
  const crop = useDesignState((state) => state.settings.crop);
  const straighten = useDesignState((state) => state.settings.straighten);
  if (!design) return null;
  const whole = straighten ? straightenedSize(straighten, design) : design;
  const { width, height } = crop ? toPixelBox(crop, whole) : whole;
  return (
    <p className="text-graphite text-xs">
      <span className="measure">
        {Math.round(width)} × {Math.round(height)} px
      </span>
      {straighten && ' straightened'}
      {straighten && crop && ','}
      {crop && ' cropped'}
    </p>
  );
}

/** The place of the threshold's slider while the threshold is automatic: half. */
const MIDDLE = 50;

export function PictureRows() {
  const colorMode = useDesignState((state) => state.settings.colorMode);
  return (
    <>
      <SettingSlider setting="brightness" label="Brightness" min={-100} max={100} />
      <SettingSlider setting="contrast" label="Contrast" min={-100} max={100} />
      {isOneInk(colorMode) && <ThresholdRow />}
      <LightRow />
    </>
  );
}

/** What becomes of light and shadow. A stored trace from before there was a choice keeps them. */
function LightRow() {
  const { value = 'kept', change } = useSetting('light');
  return (
    <Row label="Light">
      <SegmentedControl<LightChoice>
        label="Light and shadow"
        value={value}
        options={lightChoices}
        onChange={change}
        className="flex-1"
      />
    </Row>
  );
}

const lightChoices = [
  { value: 'automatic', label: 'Auto' },
  { value: 'out', label: 'Taken out' },
  { value: 'kept', label: 'Kept' },
] as const;

function ThresholdRow() {
  const { value, change } = useSetting('threshold');
  const isAutomatic = value === undefined;
  return (
    <SettingSlider
      setting="threshold"
      label="Threshold"
      fieldLabel="Threshold in percent"
      automaticValue={MIDDLE}
      min={1}
      max={99}
      unit="%"
      sayValue={(percent) => (isAutomatic ? 'Found by itself' : `${percent} %`)}
      isAutomatic={isAutomatic}
    >
      <Tooltip label={isAutomatic ? 'Where ink begins is found automatically' : 'Find automatically where ink begins'}>
        <Button
          size="sm"
          variant="ghost"
          aria-pressed={isAutomatic}
          className="w-14 px-2 aria-pressed:bg-accent-soft aria-pressed:ring-1 aria-pressed:ring-accent aria-pressed:ring-inset"
          onClick={() => change(isAutomatic ? MIDDLE : undefined)}
        >
          Auto
        </Button>
      </Tooltip>
    </SettingSlider>
  );
}
