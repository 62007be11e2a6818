import { isOneInk } from '@markwright/contract/tracing';
import { messages, UPLOAD_ACCEPT } from '@markwright/contract/words';
import { Button, Icon, IconButton, More, Row, SegmentedControl, Select, SliderRow, Switch } from '@markwright/controls';
import { type Artwork, drawArtwork, writeSvg } from '@markwright/scene';
import {
  type ClipboardEvent,
  type DragEvent,
  lazy,
  Suspense,
  useDeferredValue,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { findTrace } from '../../core/document/viewOptions.ts';
import type { TraceProgress } from '../../core/trace/liveTrace.ts';
import { readNodes, sayNodes } from '../../core/trace/nodes.ts';
import { shownSettings, type TraceSettings } from '../../core/trace/traceSettings.ts';
import { useDesignFlow, useDesignState, useEditorState, usePorts } from '../EditorProvider.tsx';
import { ViewButtons } from '../stage/ViewButtons.tsx';
import { PaletteEditor } from './PaletteEditor.tsx';
import { CropButton, PictureRows, PictureSize, useHasPixels } from './PictureSettings.tsx';

/**
 * The Upload Image panel: uploads a picture and shows its trace and the settings of the trace, which `foldsSettings`
 * puts into a fold.
 */
export function DesignPanel({
  foldsSettings = false,
  className = '',
}: {
  foldsSettings?: boolean;
  className?: string;
}) {
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const status = useDesignState((state) => state.status);
  if (!hasProduct) return <ProductRequired className={className} />;
  return (
    <div className={`flex flex-col gap-4 ${className}`}>
      {status === 'success' ? (
        <>
          <DesignCard />
          {foldsSettings ? (
            <More label="Picture settings">
              <TraceSettingRows />
            </More>
          ) : (
            <TraceSettingRows />
          )}
        </>
      ) : (
        <DropZone />
      )}
    </div>
  );
}

/** Stands where a step waits for a product. */
export function ProductRequired({ className = '' }: { className?: string }) {
  const { title, description } = messages.productRequired;
  return (
    <div className={`rounded-card border border-dashed border-edge px-4 py-5 text-center ${className}`}>
      <p className="text-sm font-medium">{title}</p>
      <p className="mt-1 text-xs text-graphite">{description}</p>
    </div>
  );
}

function DropZone() {
  const designs = useDesignFlow();
  const { notify } = usePorts();
  const status = useDesignState((state) => state.status);
  const progress = useDesignState((state) => state.progress);
  const filename = useDesignState((state) => state.filename);
  const failure = useDesignState((state) => state.failure);
  const [isOver, setIsOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const hintId = useId();

  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (!file) return;
    if (files.length > 1) notify({ title: 'One picture at a time', description: `Only ${file.name} is used.` });
    void designs.upload(file);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  const onPaste = (event: ClipboardEvent) => take(event.clipboardData.files);

  if (status === 'uploading') {
    return (
      <div className="rounded-card border border-line px-4 py-4">
        <div className="flex items-center justify-between gap-2">
          <p className="min-w-0 truncate text-sm font-medium">{filename}</p>
          <IconButton icon="close" size="sm" label="Cancel upload" onClick={() => designs.cancel()} />
        </div>
        <div
          role="progressbar"
          aria-label="Upload"
          aria-valuenow={progress}
          aria-valuemin={0}
          aria-valuemax={100}
          className="mt-2 h-1 overflow-hidden rounded-full bg-line"
        >
          <div
            className="h-full rounded-full bg-accent transition-[width] duration-200"
            style={{ width: `${progress}%` }}
          />
        </div>
        <p className="mt-2 flex justify-between text-xs text-graphite">
          <span>Uploading</span>
          <span className="measure">{progress}%</span>
        </p>
      </div>
    );
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button inside
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={onDrop}
      onPaste={onPaste}
      className={`flex flex-col items-center rounded-card border border-dashed px-4 py-6 text-center transition-colors ${
        isOver ? 'border-accent bg-accent-soft' : 'border-edge'
      }`}
    >
      <Icon
        name={status === 'error' ? 'warning' : 'image'}
        className={`size-6 ${status === 'error' ? 'text-danger' : 'text-graphite'}`}
      />
      {status === 'error' ? (
        <div role="alert" className="mt-2">
          <p className="text-sm font-medium text-danger">Upload Failed</p>
          <p className="text-xs text-graphite">{failure ?? 'Please try again'}</p>
        </div>
      ) : (
        <p className="mt-2 text-sm font-medium">{isOver ? 'Let go to upload' : 'Drop a picture here'}</p>
      )}
      <Button icon="upload" className="mt-3" aria-describedby={hintId} onClick={() => picker.current?.click()}>
        {status === 'error' ? 'Please try again' : 'Choose a file'}
      </Button>
      <input
        ref={picker}
        type="file"
        accept={UPLOAD_ACCEPT}
        aria-label="Design file"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
      <p id={hintId} className="mt-3 text-xs text-graphite">
        JPG, PNG or SVG, up to 20 MB. You can also paste.
      </p>
    </div>
  );
}

/** Both are fetched when they are first needed. */
const BackgroundDialog = lazy(() =>
  import('../dialogs/Background.tsx').then((part) => ({ default: part.BackgroundDialog })),
);
const EngravingAdvice = lazy(() => import('./EngravingAdvice.tsx').then((part) => ({ default: part.EngravingAdvice })));

const jobNames = {
  load: 'Opening',
  vectorize: 'Tracing',
  preview: 'Updating the preview',
  store: 'Saving',
  removeBackground: 'Removing the background',
} as const;

function DesignCard() {
  const designs = useDesignFlow();
  const ports = usePorts();
  const design = useDesignState((state) => state.design);
  const job = useDesignState((state) => state.job);
  const failure = useDesignState((state) => state.failure);
  const isTraced = useDesignState((state) => state.isTraced);
  const hasPixels = useHasPixels();
  const isLaser = useEditorState((state) => state.composition.machine === 'laser');
  const [isCutting, setIsCutting] = useState(false);
  const isWaiting = job !== undefined && job !== 'store';
  if (!design) return null;
  const isCutOut = design.backgroundRemovedUrl !== null;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Thumbnail />
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-medium" title={design.filename}>
            {design.filename}
          </p>
          <PictureSize />
          <TraceCount />
          <p aria-live="polite" className={`text-xs ${failure && !job ? 'text-danger' : 'text-graphite'}`}>
            {job ? `${jobNames[job]}…` : (failure ?? (isTraced ? 'Traced' : 'Not traced yet'))}
          </p>
        </div>
        {isWaiting ? (
          <Button size="sm" variant="ghost" onClick={() => designs.cancel()}>
            Cancel
          </Button>
        ) : (
          <IconButton icon="trash" label="Remove design" onClick={() => designs.remove()} />
        )}
      </div>
      <ViewButtons hasWords />
      {hasPixels && (
        <div className="flex flex-wrap gap-2">
          <CropButton isBusy={isWaiting} />
          {ports.backgrounds && (
            <Button
              icon="sparkle"
              className="flex-1"
              disabled={isWaiting}
              aria-haspopup="dialog"
              onClick={() => setIsCutting(true)}
            >
              {isCutOut ? 'Edit cut-out' : 'Remove background'}
            </Button>
          )}
        </div>
      )}
      <Suspense>
        {hasPixels && ports.backgrounds && isLaser && !isCutOut && (
          <EngravingAdvice isBusy={isWaiting} onRemove={() => setIsCutting(true)} />
        )}
        {isCutting && <BackgroundDialog onClose={() => setIsCutting(false)} />}
      </Suspense>
      {!hasPixels && job !== 'load' && (
        <p className="text-graphite text-xs">
          An SVG keeps its own outlines: crop and brighten it in your drawing program.
        </p>
      )}
    </div>
  );
}

function TraceCount() {
  const paths = useDeferredValue(useEditorState(({ scene }) => findTrace(scene)?.paths));
  return paths && <p className="measure text-graphite">{sayNodes(readNodes(paths))}</p>;
}

/** The present artwork in its own colors: one picture, as the stage already holds its thousands of nodes. */
function Thumbnail() {
  const artwork = useEditorState((state) => state.assets.artwork);
  const job = useDesignState((state) => state.job);
  const live = useDesignState((state) => state.liveProgress);
  const settled = useDeferredValue(artwork);
  const src = useMemo(() => settled && thumbnailHref(settled), [settled]);
  return (
    <div className="relative grid size-16 shrink-0 place-items-center overflow-hidden rounded-control border border-line bg-white p-1">
      {src && <img src={src} alt="" className="max-h-full max-w-full object-contain" />}
      {(job || live) && <span className="absolute inset-x-0 bottom-0 h-0.5 animate-pulse bg-accent" />}
    </div>
  );
}

function thumbnailHref(artwork: Artwork): string {
  return artwork.imageHref ?? `data:image/svg+xml,${encodeURIComponent(writeSvg(drawArtwork(artwork, 1)))}`;
}

/** The settings of the trace. The stage follows while a setting is moved; what is let go is stored. */
function TraceSettingRows() {
  const designs = useDesignFlow();
  const machine = useEditorState((state) => state.composition.machine);
  const settings = useDesignState((state) => state.settings);
  const shown = shownSettings(settings);
  const job = useDesignState((state) => state.job);
  const isStale = useDesignState((state) => state.isStale);
  const isTraced = useDesignState((state) => state.isTraced);
  const earlier = useDesignState((state) => state.history.length);
  const move = (changes: Partial<TraceSettings>) => designs.changeSettings(changes);
  const change = (changes: Partial<TraceSettings>) => {
    move(changes);
    designs.keepSettings();
  };
  const keep = () => designs.keepSettings();
  const isBusy = job !== undefined && job !== 'store';
  const hasPalette = !isOneInk(settings.colorMode);
  const hasPixels = useHasPixels();
  const isOutline = machine === 'laser' && settings.laserMode === 'outline';

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: coming near only gets the tracer ready
    <div className="flex flex-col gap-1" onPointerEnter={() => designs.warmUp()} onFocus={() => designs.warmUp()}>
      <LiveProgress />
      <Row label="Quality">
        <SegmentedControl
          label="Quality"
          value={settings.quality}
          options={[
            { value: 'low', label: 'Low' },
            { value: 'medium', label: 'Medium' },
            { value: 'high', label: 'High' },
          ]}
          onChange={(quality) => change({ quality })}
          className="flex-1"
        />
      </Row>
      <Row label="Colors">
        <Select
          label="Color mode"
          value={settings.colorMode}
          options={colorModes}
          onChange={(colorMode) => change({ colorMode })}
          className="flex-1"
        />
      </Row>
      {hasPixels && <PictureRows />}
      <SliderRow
        label="Palette"
        name="Palette size"
        value={shown.paletteSize}
        min={2}
        max={256}
        valueText={`${shown.paletteSize} colors`}
        disabled={!hasPalette}
        onMove={(paletteSize) => move({ paletteSize })}
        onKeep={keep}
      />
      {hasPalette && settings.drawStyle !== 'stroke_edges' && settings.laserMode !== 'outline' && <PaletteEditor />}
      <SliderRow
        label="Despeckle"
        value={shown.despeckle}
        min={0}
        max={10}
        onMove={(despeckle) => move({ despeckle })}
        onKeep={keep}
      />
      <Row label="Cutout">
        <Switch label="Cutout" checked={shown.cutout} onChange={(cutout) => change({ cutout })} />
        <span className="text-xs text-graphite">Drop the background color</span>
      </Row>

      <More label="More trace settings">
        <SliderRow
          label="Simplify"
          fieldLabel="Simplify in percent"
          value={settings.simplify}
          min={0}
          max={100}
          step={5}
          unit="%"
          valueText={`${settings.simplify} %`}
          onMove={(simplify) => move({ simplify })}
          onKeep={keep}
        />
        <Row label="Draw">
          <Select
            label="Draw style"
            value={settings.drawStyle}
            options={drawStyles}
            disabled={isOutline}
            onChange={(drawStyle) => change({ drawStyle })}
            className="flex-1"
          />
        </Row>
        <Row label="Shapes">
          <SegmentedControl
            label="Shape stacking"
            value={settings.shapeStacking}
            options={[
              { value: 'cutouts', label: 'Cutouts' },
              { value: 'stacked', label: 'Stacked' },
            ]}
            onChange={(shapeStacking) => change({ shapeStacking })}
            className="flex-1"
          />
        </Row>
        <Row label="Group by">
          <SegmentedControl
            label="Group by"
            value={settings.groupBy}
            options={[
              { value: 'color', label: 'Color' },
              { value: 'shape', label: 'Shape' },
              { value: 'none', label: 'None' },
            ]}
            onChange={(groupBy) => change({ groupBy })}
            className="flex-1"
          />
        </Row>
        {machine !== 'laser' && (
          <Row label="Gradients">
            <Switch
              label="Gradients"
              checked={settings.gradients}
              disabled={isOneInk(settings.colorMode)}
              onChange={(gradients) => change({ gradients })}
            />
            <span className="text-xs text-graphite">Smooth ramps instead of bands</span>
          </Row>
        )}
        {machine === 'laser' && (
          <Row label="Laser">
            <SegmentedControl
              label="Laser mode"
              value={settings.laserMode}
              options={[
                { value: 'detailed', label: 'Detailed' },
                { value: 'outline', label: 'Outline' },
              ]}
              onChange={(laserMode) => change({ laserMode })}
              className="flex-1"
            />
          </Row>
        )}
        {isOutline && (
          <p className="text-graphite text-xs">
            Outline follows each line once: the middle of drawn lines, or the edges of shapes.
          </p>
        )}
      </More>

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
          <span className="absolute right-0 bottom-1 text-xs text-graphite">
            {stageWords[live.stage] ?? 'Tracing'}…
          </span>
        </>
      )}
    </div>
  );
}

/** The tracer's stages in words for makers. */
const stageWords: Readonly<Record<TraceProgress['stage'], string>> = {
  open: 'Reading the picture',
  read: 'Reading the picture',
  noise: 'Cleaning up',
  colors: 'Finding the colors',
  regions: 'Finding the shapes',
  boundary: 'Following the edges',
  gradients: 'Finding the gradients',
  curves: 'Drawing the curves',
  refine: 'Fitting the curves',
  stack: 'Putting it together',
  done: 'Drawing it',
};

const drawStyles = [
  { value: 'fill_shapes', label: 'Fills' },
  { value: 'stroke_shapes', label: 'Outlines' },
  { value: 'stroke_edges', label: 'Edges' },
  { value: 'centerline', label: 'Center lines' },
] as const;

const colorModes = [
  { value: 'black', label: 'Black' },
  { value: 'grayscale', label: 'Grayscale' },
  { value: 'stainless', label: 'Stainless' },
  { value: 'color', label: 'Color' },
] as const;
