import { DESIGN_ACCEPT, messages } from '@markwright/contract/words';
import { Button, HiddenFileInput, Icon, IconButton, lazyPart } from '@markwright/controls';
import { type Engraving, isEngraved, isHalftone } from '@markwright/scene';
import { type ClipboardEvent, type DragEvent, Suspense, useDeferredValue, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { activeArtwork, activeElement } from '../../core/document/editor.ts';
import { findTrace } from '../../core/document/viewOptions.ts';
import { readNodes, sayNodes, sayOperations } from '../../core/trace/nodes.ts';
import { useDesignFlow, useDesignState, useEditorState, usePlaceWords, usePorts } from '../EditorProvider.tsx';
import { useFailure } from '../useFailure.ts';
import { AddIcon, ArtworkSwitch, AWAY_FROM_SETTINGS } from './ArtworkSwitch.tsx';
import { CropButton, PictureSize, useHasPixels } from './PictureSettings.tsx';
import { TraceSettingRows } from './TraceSettingRows.tsx';
import { thumbnailHref } from './thumbnailHref.ts';
import { sayTraceStage } from './traceStages.ts';

/** The Upload Image panel: uploads a picture and shows its trace and the settings of the trace. */
export function DesignPanel({ className = '' }: { className?: string }) {
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const status = useDesignState((state) => state.status);
  const isOutlineFile = useDesignState((state) => state.design?.outlineFile !== undefined);
  const activeId = useEditorState((state) => state.activeArtworkId);
  const ports = usePorts();
  const isLaser = useEditorState((state) => state.composition.machine === 'laser');
  const hasWays = useHasPixels() && isLaser && ports.engraver !== undefined;
  const [isAdding, setIsAdding] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  /** Opens or closes the drop zone for another picture. The focus goes to the button that takes its place. */
  const add = (isAdding: boolean) => {
    flushSync(() => setIsAdding(isAdding));
    const buttons = panel.current?.querySelectorAll<HTMLElement>(isAdding ? '[data-choose]' : '[data-add]') ?? [];
    [...buttons].find((button) => button.checkVisibility())?.focus();
  };
  if (!hasProduct) return <ProductRequired className={className} />;
  return (
    <div ref={panel} className={`group/picture flex flex-col gap-2.5 low:gap-1.5 ${className}`}>
      {status === 'success' && !isAdding ? (
        <>
          <DesignCard key={activeId} onAdd={() => add(true)} />
          <ArtworkSwitch onAdd={() => add(true)} />
          {hasWays && (
            <Suspense>
              <EngravingWays key={activeId} />
            </Suspense>
          )}
          {!isOutlineFile && <Settings />}
        </>
      ) : (
        <>
          <DropZone onTake={() => setIsAdding(false)} />
          {isAdding && status === 'success' && (
            <Button variant="ghost" onClick={() => add(false)}>
              Cancel
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** The method by which the active picture itself is engraved; undefined for one that is traced. */
const useEngravingMethod = () =>
  useEditorState((state) => {
    const element = activeElement(state);
    return element && isEngraved(element, state.composition.machine) ? element.engraving?.method : undefined;
  });

/** The settings of what is made of the picture: its engraving, or its trace. */
function Settings() {
  if (!useEngravingMethod()) return <TraceSettingRows />;
  return (
    <Suspense>
      <EngravingPanel />
    </Suspense>
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

function DropZone({ onTake }: { onTake(): void }) {
  const designs = useDesignFlow();
  const { notify } = usePorts();
  const status = useDesignState((state) => state.status);
  const progress = useDesignState((state) => state.progress);
  const filename = useDesignState((state) => state.filename);
  const failure = useFailure(useDesignState((state) => state.failure));
  const placeWords = usePlaceWords();
  const [isOver, setIsOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const hintId = useId();

  const take = (files: ArrayLike<File>) => {
    const file = files[0];
    if (!file) return;
    if (files.length > 1) notify({ title: 'One picture at a time', description: `Only ${file.name} is used.` });
    void designs.upload(file);
    onTake();
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    take(event.clipboardData.files);
  };

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
          <span>{placeWords ?? 'Uploading'}</span>
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
        <p className="mt-2 text-sm font-medium">
          {isOver ? (
            'Let go to upload'
          ) : (
            <>
              <span className="pointer-coarse:hidden">Drop a picture here</span>
              <span className="hidden pointer-coarse:inline">Choose a picture</span>
            </>
          )}
        </p>
      )}
      <Button
        data-choose=""
        icon="upload"
        className="mt-3"
        aria-describedby={hintId}
        onClick={() => picker.current?.click()}
      >
        {status === 'error' ? 'Please try again' : 'Choose a file'}
      </Button>
      <HiddenFileInput ref={picker} label="Design file" accept={DESIGN_ACCEPT} onChoose={take} />
      <p id={hintId} className="mt-3 text-balance text-xs text-graphite">
        JPG, PNG, SVG, DXF or LightBurn, up to 20 MB, or paste.
      </p>
    </div>
  );
}

/** All are fetched when they are first needed. */
const BackgroundDialog = lazyPart(() =>
  import('../dialogs/Background.tsx').then((part) => ({ default: part.BackgroundDialog })),
);
const StraightenOffer = lazyPart(() =>
  import('./StraightenOffer.tsx').then((part) => ({ default: part.StraightenOffer })),
);
const LetteringOffer = lazyPart(() =>
  import('./LetteringOffer.tsx').then((part) => ({ default: part.LetteringOffer })),
);
const LightNote = lazyPart(() => import('./LightNote.tsx').then((part) => ({ default: part.LightNote })));
const EngravingWays = lazyPart(() => import('./EngravingWays.tsx').then((part) => ({ default: part.EngravingWays })));
const EngravingPanel = lazyPart(() =>
  import('./EngravingPanel.tsx').then((part) => ({ default: part.EngravingPanel })),
);
const EngravingAdvice = lazyPart(() =>
  import('./EngravingAdvice.tsx').then((part) => ({ default: part.EngravingAdvice })),
);

const jobNames = {
  load: 'Opening',
  vectorize: 'Tracing',
  preview: 'Updating the preview',
  store: 'Saving',
  removeBackground: 'Removing the background',
} as const;

function DesignCard({ onAdd }: { onAdd(): void }) {
  const designs = useDesignFlow();
  const ports = usePorts();
  const design = useDesignState((state) => state.design);
  const job = useDesignState((state) => state.job);
  const traceStage = useDesignState((state) => state.traceStage);
  const failure = useFailure(useDesignState((state) => state.failure));
  const isTraced = useDesignState((state) => state.isTraced);
  const hasSkew = useDesignState((state) => state.skew !== undefined);
  const hasLettering = useDesignState((state) => state.lettering !== undefined);
  const dropsLight = useDesignState(({ settings: { light = 'kept' } }) => light !== 'kept');
  const hasPixels = useHasPixels();
  const isLaser = useEditorState((state) => state.composition.machine === 'laser');
  const engravingMethod = useEngravingMethod();
  const [isCutting, setIsCutting] = useState(false);
  const placeWords = usePlaceWords();
  const isWaiting = job !== undefined && job !== 'store';
  if (!design) return null;
  const isCutOut = design.backgroundRemovedUrl !== null;
  const { outlineFile, notice } = design;
  const tracedWords = outlineFile ? 'Outlines kept' : sayMade(engravingMethod);
  const waitingWords = outlineFile ? 'Outlines not read yet' : 'Not traced yet';
  const traceWords = !outlineFile && job === 'vectorize' && traceStage && sayTraceStage(traceStage);
  const stageWords = isWaiting && (placeWords ?? traceWords);
  return (
    <div className="flex flex-col gap-3 low:gap-2">
      <div className="flex items-center gap-3">
        <Thumbnail />
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-medium" title={design.filename}>
            {design.filename}
          </p>
          <TraceCount />
          {/* In one line, as long as both are short. */}
          <div className="flex flex-wrap gap-x-2">
            <PictureSize />
            {/* Eight stages in a second or two are shown, and not read out. */}
            {stageWords && (
              <p aria-hidden="true" className="text-xs text-graphite">
                {stageWords}…
              </p>
            )}
            <p
              aria-live="polite"
              className={stageWords ? 'sr-only' : `text-xs ${failure && !job ? 'text-danger' : 'text-graphite'}`}
            >
              {job
                ? `${outlineFile && job === 'vectorize' ? 'Reading its outlines' : jobNames[job]}…`
                : (failure ?? (isTraced ? tracedWords : waitingWords))}
            </p>
          </div>
        </div>
        {isWaiting ? (
          <Button size="sm" variant="ghost" onClick={() => designs.cancel()}>
            Cancel
          </Button>
        ) : (
          <div className="flex shrink-0">
            <AddIcon onAdd={onAdd} />
            <IconButton icon="trash" label="Remove design" onClick={() => designs.remove()} />
          </div>
        )}
      </div>
      {hasPixels && (
        // On a phone the offer, which is one tap, comes before them into sight.
        <div className={`flex flex-wrap gap-2 max-lg:order-1 ${AWAY_FROM_SETTINGS}`}>
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
        <div className={`contents ${AWAY_FROM_SETTINGS}`}>
          {/* It speaks of the trace, which a picture that is engraved itself has no use for. */}
          {hasPixels && ports.backgrounds && isLaser && !isCutOut && !engravingMethod && <EngravingAdvice />}
          {hasSkew && <StraightenOffer isBusy={isWaiting} />}
          {hasLettering && <LetteringOffer isBusy={isWaiting} />}
          {hasPixels && dropsLight && !engravingMethod && <LightNote isBusy={isWaiting} />}
        </div>
        {isCutting && <BackgroundDialog onClose={() => setIsCutting(false)} />}
      </Suspense>
      {!hasPixels && job !== 'load' && (
        <p className="text-graphite text-xs">
          {outlineFile
            ? `A ${outlineFile} file keeps its own outlines, with its cuts and scores. Crop it where you drew it.`
            : 'An SVG keeps its own outlines: crop and brighten it in your drawing program.'}
        </p>
      )}
      {notice && <p className="text-graphite text-xs">{notice}</p>}
      {/* Where the settings of a picture offer it. */}
      {outlineFile && !isTraced && !job && (
        <Button icon="refresh" onClick={() => void designs.retrace()}>
          Read the outlines again
        </Button>
      )}
    </div>
  );
}

/** Says what was made of a picture, by the method of its engraving. */
function sayMade(method: Engraving['method'] | undefined): string {
  if (!method) return 'Traced';
  if (method === 'gray') return 'Engraved in grays';
  return isHalftone(method) ? 'Engraved in outlines' : 'Engraved in dots';
}

function TraceCount() {
  const paths = useDeferredValue(useEditorState((state) => findTrace(state)?.paths));
  const isLaser = useEditorState((state) => state.composition.machine === 'laser');
  const isOutlineFile = useDesignState((state) => state.design?.outlineFile !== undefined);
  if (!paths) return null;
  return (
    <p className="measure text-graphite">
      {isOutlineFile && isLaser ? sayOperations(paths) : sayNodes(readNodes(paths))}
    </p>
  );
}

/**
 * The picture where it is engraved itself, else the present artwork in its own colors: one picture, as the stage
 * already holds its thousands of nodes.
 */
function Thumbnail() {
  const artwork = useEditorState(activeArtwork);
  const pictureUrl = useDesignState((state) => state.design?.tracePictureUrl);
  const isEngraving = useEngravingMethod() !== undefined;
  const job = useDesignState((state) => state.job);
  const live = useDesignState((state) => state.liveProgress);
  const deferredArtwork = useDeferredValue(artwork);
  const src = (isEngraving && pictureUrl) || (deferredArtwork && thumbnailHref(deferredArtwork));
  return (
    <div className="relative grid size-16 low:size-13 shrink-0 place-items-center overflow-hidden rounded-control border border-line bg-white p-1">
      {src && <img src={src} alt="" className="max-h-full max-w-full object-contain" />}
      {(job || live) && <span className="absolute inset-x-0 bottom-0 h-0.5 animate-pulse bg-accent" />}
    </div>
  );
}
