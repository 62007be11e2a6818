import { changesOutlines, hasEffect, type TraceControl } from '@markwright/contract/tracing';
import { Button } from '@markwright/controls';
import { activeArtwork } from '../../core/document/editor.ts';
import { useDesignFlow, useDesignState, useEditorState } from '../EditorProvider.tsx';
import { AWAY_FROM_WAYS_IF_LOW } from './ArtworkSwitch.tsx';
import { PaletteEditor } from './PaletteEditor.tsx';
import { PictureRows, useHasPixels } from './PictureSettings.tsx';
import { type SettingGroup, SettingGroups } from './SettingGroups.tsx';
import { SettingSegments, SettingSelect, SettingSlider, SettingSwitch } from './SettingRows.tsx';
import { sayTraceStage } from './traceStages.ts';

/**
 * The settings of the trace, without those that would change nothing in this mode. All but the color mode are folded
 * into groups, of which one is open at a time, so that the step fits the window. The stage follows while a setting is
 * moved, and stores it when it is let go.
 */
export function TraceSettingRows() {
  const designs = useDesignFlow();
  const machine = useEditorState((state) => state.composition.machine);
  const settings = useDesignState((state) => state.settings);
  const hasPixels = useHasPixels();
  const keepsOutlines = useKeepsOutlines();
  const shows = (control: TraceControl) =>
    hasEffect(control, { ...settings, machineType: machine }) && !(keepsOutlines && !changesOutlines(control));
  const groups: readonly SettingGroup[] = [
    {
      name: 'Picture',
      isShown: hasPixels || shows('despeckle'),
      rows: (
        <>
          {hasPixels && <PictureRows />}
          {shows('despeckle') && <SettingSlider setting="despeckle" label="Despeckle" min={0} max={10} />}
        </>
      ),
    },
    {
      name: 'Detail',
      isShown: shows('quality') || shows('simplify'),
      rows: (
        <>
          {shows('quality') && (
            <>
              <SettingSegments setting="quality" label="Quality" options={qualities} />
              <p className="mb-1 text-graphite text-xs">{fileQuality[settings.quality]}</p>
            </>
          )}
          {shows('simplify') && (
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
          )}
        </>
      ),
    },
    {
      name: 'Shapes',
      isShown: true,
      rows: <ShapeRows shows={shows} />,
    },
    {
      name: 'Palette',
      isShown: shows('paletteSize') || shows('palette') || shows('cutout'),
      rows: (
        <>
          {shows('paletteSize') && (
            <div className={AWAY_FROM_COLOR}>
              <SettingSlider
                setting="paletteSize"
                label="Size"
                name="Palette size"
                min={2}
                max={256}
                sayValue={(count) => `${count} colors`}
              />
            </div>
          )}
          {shows('palette') && <PaletteEditor />}
          {shows('cutout') && (
            <div className={AWAY_FROM_COLOR}>
              <SettingSwitch setting="cutout" label="Cutout" hint="Drop the background color" />
            </div>
          )}
        </>
      ),
    },
  ];

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: coming near only gets the tracer ready
    <div className="flex flex-col gap-1" onPointerEnter={() => designs.warmUp()} onFocus={() => designs.warmUp()}>
      <LiveProgress />
      <div className={`${AWAY_FROM_COLOR} ${AWAY_FROM_WAYS_IF_LOW}`}>
        <SettingSelect setting="colorMode" label="Colors" name="Color mode" options={colorModes} />
      </div>
      <SettingGroups label="Settings of the trace" groups={groups.filter(({ isShown }) => isShown)} />
      <TraceButtons />
    </div>
  );
}

/** Makes room for the card of the chosen colors, so that the step stays whole beside the stage. */
const AWAY_FROM_COLOR = 'lg:group-has-[[data-chosen]]/picture:hidden';

/** Rows of the settings that decide how the shapes of the picture are drawn. */
function ShapeRows({ shows }: { shows(control: TraceControl): boolean }) {
  const { drawStyle } = useDesignState((state) => state.settings);
  // Only programs ask for a halftone in place of a trace.
  const isListed = drawStyles.some(({ value }) => value === drawStyle);
  const options = isListed ? drawStyles : [...drawStyles, { value: drawStyle, label: 'Halftone' }];
  return (
    <>
      {shows('drawStyle') && <SettingSelect setting="drawStyle" label="Draw" name="Draw style" options={options} />}
      {shows('shapeStacking') && (
        <SettingSegments setting="shapeStacking" label="Shapes" name="Shape stacking" options={stackings} />
      )}
      {shows('groupBy') && (
        <SettingSegments setting="groupBy" label="Group by" options={groupings} sameAs={{ none: 'shape' }} />
      )}
      {shows('gradients') && (
        <SettingSwitch setting="gradients" label="Gradients" hint="Smooth ramps instead of bands" />
      )}
      {shows('regular') && (
        <SettingSwitch setting="regular" label="Even out" hint="Symmetry, repeats, parallels" isAbsentWhenOff />
      )}
      {shows('laserMode') && (
        <SettingSegments setting="laserMode" label="Laser" name="Laser mode" options={laserModes} />
      )}
      {!shows('drawStyle') && (
        <p className="text-graphite text-xs">
          Outline follows each line once: the middle of drawn lines, or the edges of shapes.
        </p>
      )}
    </>
  );
}

/**
 * True for a drawing that keeps its own outlines: only then its size is that of the file, as a trace has the pixels
 * that it was made from.
 */
function useKeepsOutlines(): boolean {
  const design = useDesignState((state) => state.design);
  const artwork = useEditorState(activeArtwork);
  if (!design || design.tracePictureUrl !== undefined || !artwork || artwork.imageHref) return false;
  return artwork.width === design.width && artwork.height === design.height;
}

const qualities = [
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
] as const;

/** Says what a file is made with beside each quality of the stage. */
const fileQuality = {
  low: 'Fewest nodes, for trying things out. Your file is made with High.',
  medium: 'Fewer nodes than High, for the stage. Your file is made with High.',
  high: 'The finest curves. Your file is made with High, too.',
} as const;

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

/** A file holds ungrouped shapes like shapes of a group each, so there is no third choice. */
const groupings = [
  { value: 'color', label: 'Color' },
  { value: 'shape', label: 'Shape' },
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
  const failure = useDesignState((state) => state.failure);
  const isBusy = job !== undefined && job !== 'store';
  return (
    // In sight below however many settings are unfolded.
    <div
      className={`-mb-3 mt-2 flex gap-2 pb-3 low:mt-1 lg:sticky lg:-bottom-3 lg:bg-paper ${failure ? '' : AWAY_FROM_WAYS_IF_LOW}`}
    >
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
