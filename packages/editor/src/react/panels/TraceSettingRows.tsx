import { isOneInk } from '@markwright/contract/tracing';
import { Button, More } from '@markwright/controls';
import { useDesignFlow, useDesignState, useEditorState } from '../EditorProvider.tsx';
import { PaletteEditor } from './PaletteEditor.tsx';
import { PictureRows, useHasPixels } from './PictureSettings.tsx';
import { SettingSegments, SettingSelect, SettingSlider, SettingSwitch } from './SettingRows.tsx';
import { sayTraceStage } from './traceStages.ts';

/** The settings of the trace. The stage follows while a setting is moved, and stores it when it is let go. */
export function TraceSettingRows() {
  const designs = useDesignFlow();
  const machine = useEditorState((state) => state.composition.machine);
  const { colorMode, drawStyle, laserMode } = useDesignState((state) => state.settings);
  const hasPixels = useHasPixels();
  const hasPalette = !isOneInk(colorMode);
  const isOutline = machine === 'laser' && laserMode === 'outline';

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: coming near only gets the tracer ready
    <div className="flex flex-col gap-1" onPointerEnter={() => designs.warmUp()} onFocus={() => designs.warmUp()}>
      <LiveProgress />
      <SettingSegments setting="quality" label="Quality" options={qualities} />
      <SettingSelect setting="colorMode" label="Colors" name="Color mode" options={colorModes} />
      {hasPixels && <PictureRows />}
      <SettingSlider
        setting="paletteSize"
        label="Palette"
        name="Palette size"
        min={2}
        max={256}
        sayValue={(count) => `${count} colors`}
        disabled={!hasPalette}
      />
      {hasPalette && drawStyle !== 'stroke_edges' && laserMode !== 'outline' && <PaletteEditor />}
      <SettingSlider setting="despeckle" label="Despeckle" min={0} max={10} />
      <SettingSwitch setting="cutout" label="Cutout" hint="Drop the background color" />

      <More label="More trace settings">
        <SettingSlider
          setting="simplify"
          label="Simplify"
          fieldLabel="Simplify in percent"
          min={0}
          max={100}
          step={5}
          unit="%"
          sayValue={(percent) => `${percent} %`}
        />
        <SettingSelect setting="drawStyle" label="Draw" name="Draw style" options={drawStyles} disabled={isOutline} />
        <SettingSegments setting="shapeStacking" label="Shapes" name="Shape stacking" options={stackings} />
        <SettingSegments setting="groupBy" label="Group by" options={groupings} />
        {machine !== 'laser' && (
          <SettingSwitch
            setting="gradients"
            label="Gradients"
            hint="Smooth ramps instead of bands"
            disabled={isOneInk(colorMode)}
          />
        )}
        {machine === 'laser' && (
          <SettingSegments setting="laserMode" label="Laser" name="Laser mode" options={laserModes} />
        )}
        {isOutline && (
          <p className="text-graphite text-xs">
            Outline follows each line once: the middle of drawn lines, or the edges of shapes.
          </p>
        )}
      </More>
      <TraceButtons />
    </div>
  );
}

const qualities = [
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
] as const;

const colorModes = [
  { value: 'black', label: 'Black' },
  { value: 'grayscale', label: 'Grayscale' },
  { value: 'stainless', label: 'Stainless' },
  { value: 'color', label: 'Color' },
] as const;

const drawStyles = [
  { value: 'fill_shapes', label: 'Fills' },
  { value: 'stroke_shapes', label: 'Outlines' },
  { value: 'stroke_edges', label: 'Edges' },
  { value: 'centerline', label: 'Center lines' },
] as const;

const stackings = [
  { value: 'cutouts', label: 'Cutouts' },
  { value: 'stacked', label: 'Stacked' },
] as const;

const groupings = [
  { value: 'color', label: 'Color' },
  { value: 'shape', label: 'Shape' },
  { value: 'none', label: 'None' },
] as const;

const laserModes = [
  { value: 'detailed', label: 'Detailed' },
  { value: 'outline', label: 'Outline' },
] as const;

/** Traces with the settings on the panel, and goes back to an earlier trace. */
function TraceButtons() {
  const designs = useDesignFlow();
  const job = useDesignState((state) => state.job);
  const isStale = useDesignState((state) => state.isStale);
  const isTraced = useDesignState((state) => state.isTraced);
  const earlier = useDesignState((state) => state.history.length);
  const isBusy = job !== undefined && job !== 'store';
  return (
    <div className="mt-2 flex gap-2">
      <Button
        variant={isStale ? 'primary' : 'secondary'}
        icon="refresh"
        className="flex-1"
        isBusy={job === 'vectorize' || job === 'preview'}
        disabled={isBusy}
        onClick={() => void designs.retrace()}
      >
        {isTraced ? 'Re-trace' : 'Trace'}
      </Button>
      <Button
        icon="undo"
        disabled={(earlier === 0 && !(isStale && isTraced)) || isBusy}
        onClick={() => designs.undoPreview()}
      >
        Undo
      </Button>
    </div>
  );
}

/** A thin progress line for a trace on this device that takes time. Its space is always reserved. */
function LiveProgress() {
  const live = useDesignState((state) => state.liveProgress);
  return (
    <div className="relative h-0.5" aria-hidden="true">
      {live && (
        <>
          <span
            className="absolute inset-y-0 left-0 rounded-full bg-accent transition-[width] duration-150 motion-reduce:transition-none"
            style={{ width: `${Math.round(live.fraction * 100)}%` }}
          />
          <span className="absolute right-0 bottom-1 text-xs text-graphite">{sayTraceStage(live.stage)}…</span>
        </>
      )}
    </div>
  );
}
