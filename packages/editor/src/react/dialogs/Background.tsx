/** A window in which the background of a picture goes, and the maker has the last word on what stays. Nothing changes before "Done". */
import type { BrushStroke } from '@markwright/contract/schemas';
import {
  BRUSH_RADIUS,
  CUTOUT_STAGES,
  type CutoutStage,
  MAX_EDGE_SHIFT,
  MAX_FEATHER,
  MAX_STROKE_POINTS,
  MAX_STROKES,
} from '@markwright/contract/words';
import { Button, Icon, IconButton, SegmentedControl, SliderRow, Spinner, Switch } from '@markwright/controls';
import { kindOfBackground } from '@markwright/matting';
import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Size } from '../../core/cutout/cutoutView.ts';
import { sentenceOf, statusOf } from '../../core/ports.ts';
import { useDesignFlow, useDesignState, usePorts } from '../EditorProvider.tsx';
import { BackgroundStage, type CutoutPictures, type CutoutTool } from './BackgroundStage.tsx';
import { readPixels } from './readPixels.ts';

/** So many pixels are finished in the moment a slider is moved. */
const MAX_SHOWN_PIXELS = 800_000;
const FAILED = 'Background removal failed';

interface Wish {
  readonly clearEnclosed: boolean | undefined;
  readonly edgeShift: number;
  readonly feather: number;
  readonly strokes: readonly BrushStroke[];
}
const untouched: Wish = { clearEnclosed: undefined, edgeShift: 0, feather: 0, strokes: [] };

/** What is being waited for, if anything. */
type Wait = 'open' | 'cutOut' | 'keep' | 'restore';

/** Mounted to open; it says when it is closed. */
export function BackgroundDialog({ onClose }: { onClose(): void }) {
  const designs = useDesignFlow();
  const ports = usePorts();
  const design = useDesignState((state) => state.design);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [start, setStart] = useState<Wish>(untouched);
  const [wish, setWish] = useState<Wish>(untouched);
  const [undone, setUndone] = useState<readonly BrushStroke[]>([]);
  const [pictures, setPictures] = useState<CutoutPictures>();
  const [wait, setWait] = useState<Wait | undefined>('open');
  const [stage, setStage] = useState<CutoutStage>();
  const [failure, setFailure] = useState<string>();
  const [isLeaving, setIsLeaving] = useState(false);
  const [tool, setTool] = useState<CutoutTool>('compare');
  const [radius, setRadius] = useState(0.02);
  const edgeShift = useDeferredValue(wish.edgeShift);
  const feather = useDeferredValue(wish.feather);
  // The window is about the design it was opened for.
  const [{ size, originalUrl, filename, isRemoved }] = useState(() => ({
    size: { width: design?.width ?? 1, height: design?.height ?? 1 },
    originalUrl: design?.originalFileUrl ?? '',
    filename: design?.filename ?? '',
    isRemoved: design?.backgroundRemovedUrl != null,
  }));

  const refuse = (error: unknown) => {
    setWait(undefined);
    const sentence = sentenceOf(error, 'Please try again.');
    if (statusOf(error) !== 402) {
      setFailure(sentence);
      return;
    }
    onClose();
    ports.requireAccount('mockups', { title: FAILED, description: sentence });
  };

  const open = async () => {
    setWait('open');
    setStage(undefined);
    setFailure(undefined);
    try {
      const made = await designs.readBackground();
      if (!made) return onClose();
      const before: Wish = { ...untouched, ...made };
      if (!isRemoved) setWait('cutOut');
      // What was cut out before is there at once.
      const url = await designs.cutOut(before.clearEnclosed, setStage);
      if (url === undefined) return onClose();
      setPictures(await readPictures(originalUrl, url, size));
      setStart(before);
      setWish(before);
      setWait(undefined);
    } catch (error) {
      refuse(error);
    }
  };
  const asked = useRef(false);
  useEffect(() => {
    dialog.current?.showModal();
    if (asked.current) return;
    asked.current = true;
    void open();
  }, []);

  const cutOutAgain = async (clearEnclosed: boolean) => {
    const before = wish.clearEnclosed;
    setWait('cutOut');
    setStage(undefined);
    setFailure(undefined);
    setWish((now) => ({ ...now, clearEnclosed }));
    try {
      const url = await designs.cutOut(clearEnclosed, setStage);
      if (url === undefined) setWish((now) => ({ ...now, clearEnclosed: before }));
      else setPictures(await readPictures(originalUrl, url, size));
      setWait(undefined);
    } catch (error) {
      setWish((now) => ({ ...now, clearEnclosed: before }));
      refuse(error);
    }
  };

  const isChanged = JSON.stringify(wish) !== JSON.stringify(start);
  const change = async (job: 'keep' | 'restore') => {
    if (job === 'keep' && isRemoved && !isChanged) return onClose();
    setWait(job);
    setFailure(undefined);
    try {
      const { clearEnclosed, edgeShift, feather, strokes } = wish;
      const finish = {
        edgeShift,
        feather,
        strokes: [...strokes],
        ...(clearEnclosed !== undefined && { clearEnclosed }),
      };
      const changed = await (job === 'keep' ? designs.removeBackground(finish) : designs.restoreBackground());
      if (changed) onClose();
      else setWait(undefined);
    } catch (error) {
      refuse(error);
    }
  };

  /** Away without "Done": what is waited for is given up first, and what was painted is not lost by a slip. */
  const leave = () => {
    if (wait) {
      designs.cancel();
      if (!pictures) onClose();
    } else if (isChanged && !isLeaving) setIsLeaving(true);
    else onClose();
  };

  const paint = (stroke: BrushStroke) => {
    const points = wish.strokes.reduce((sum, { points }) => sum + points.length, stroke.points.length) / 2;
    if (wish.strokes.length >= MAX_STROKES || points > MAX_STROKE_POINTS) {
      setFailure('That is as much as the brush can paint. Undo some of it, or start from a better picture.');
      setWish((now) => ({ ...now, strokes: [...now.strokes] }));
      return;
    }
    setIsLeaving(false);
    setUndone([]);
    setWish((now) => ({ ...now, strokes: [...now.strokes, stroke] }));
  };
  const undo = () => {
    const last = wish.strokes.at(-1);
    if (!last) return;
    setFailure(undefined);
    setUndone((now) => [...now, last]);
    setWish((now) => ({ ...now, strokes: now.strokes.slice(0, -1) }));
  };
  const redo = () => {
    const next = undone.at(-1);
    if (!next) return;
    setUndone((now) => now.slice(0, -1));
    setWish((now) => ({ ...now, strokes: [...now.strokes, next] }));
  };
  const resize = (factor: number) =>
    setRadius((now) => Math.min(BRUSH_RADIUS.max, Math.max(BRUSH_RADIUS.min, now * factor)));

  const isReady = pictures !== undefined && wait === undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    // The studio's own keys, undo among them, are for what lies behind.
    event.stopPropagation();
    if (!isReady || (event.target as Element).matches('input[type=text], input:not([type])')) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (isCommand && key === 'z') (event.shiftKey ? redo : undo)();
    else if (isCommand && key === 'y') redo();
    else if (!isCommand && key === '[') resize(1 / 1.25);
    else if (!isCommand && key === ']') resize(1.25);
    else return;
    event.preventDefault();
  };

  const kind = useMemo(() => pictures && kindOfBackground(pictures.original), [pictures]);
  const move = (changes: Partial<Wish>) => {
    setIsLeaving(false);
    setWish((now) => ({ ...now, ...changes }));
  };
  // The page speaks of the picture's pixels, the wish of parts of the picture.
  const longer = Math.max(size.width, size.height);
  const stepPx = longer > 2000 ? 0.5 : 0.1;
  const toPx = (thousandths: number) => Math.round((thousandths * longer) / 100) / 10;
  const fromPx = (px: number, most: number) => Math.min(most, Math.max(-most, (1000 * px) / longer));
  const isBrush = tool !== 'compare';
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onKeyDown={onKeyDown}
      className="m-auto max-h-[calc(100dvh-32px)] w-[min(1080px,calc(100vw-32px))] overflow-auto rounded-card border border-line bg-paper p-0 text-ink shadow-float backdrop:bg-black/45 open:animate-float-in max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-screen max-sm:max-w-none max-sm:rounded-none max-sm:border-0"
    >
      <div className="flex min-h-full flex-col">
        <div className="flex items-center justify-between gap-2 border-line border-b py-2 pr-3 pl-5">
          <h2 id={`${id}-title`} className="min-w-0 truncate text-base">
            Background of {filename}
          </h2>
          <IconButton icon="close" label="Close" onClick={leave} />
        </div>
        <div className="grid flex-1 gap-5 p-5 sm:grid-cols-[minmax(0,1fr)_248px] max-sm:content-start max-sm:gap-4 max-sm:p-4">
          <div className="relative h-[min(60dvh,620px)] max-sm:h-[40dvh]">
            <BackgroundStage
              pictures={pictures}
              originalUrl={originalUrl}
              size={size}
              edgeShift={edgeShift}
              feather={feather}
              strokes={wish.strokes}
              tool={tool}
              radius={radius}
              label={`Cut-out of ${filename}`}
              hintId={`${id}-hint`}
              onStroke={paint}
              className="size-full"
            />
            {wait && wait !== 'keep' && wait !== 'restore' && (
              <Waiting isLong={wait === 'cutOut'} stage={stage} onCancel={leave} />
            )}
            {failure && !pictures && <Refused sentence={failure} onAgain={() => void open()} onClose={onClose} />}
          </div>
          <fieldset disabled={!isReady} className="flex min-w-0 flex-col gap-4 disabled:opacity-60">
            <legend className="sr-only">How it is cut out</legend>
            <div className="flex flex-col gap-2">
              <SegmentedControl<CutoutTool>
                label="Tool"
                value={tool}
                options={[
                  { value: 'compare', label: 'Compare' },
                  { value: 'keep', label: 'Keep' },
                  { value: 'erase', label: 'Erase' },
                ]}
                onChange={setTool}
              />
              <p className="min-h-8 text-graphite text-xs">{toolHints[tool]}</p>
              <SliderRow
                label="Brush"
                name="Brush size"
                fieldLabel="Brush size in percent of the picture"
                value={Math.round(2000 * radius) / 10}
                min={200 * BRUSH_RADIUS.min}
                max={200 * BRUSH_RADIUS.max}
                step={0.2}
                decimals={1}
                unit="%"
                disabled={!isBrush}
                onMove={(value) => setRadius(value / 200)}
              />
              <div className="flex items-center gap-1">
                <IconButton
                  icon="undo"
                  label="Undo stroke"
                  shortcut="Ctrl Z"
                  disabled={wish.strokes.length === 0}
                  onClick={undo}
                />
                <IconButton
                  icon="redo"
                  label="Redo stroke"
                  shortcut="Ctrl Shift Z"
                  disabled={undone.length === 0}
                  onClick={redo}
                />
                <p role="status" className="ml-1 text-graphite text-xs">
                  {sayStrokes(wish.strokes.length)}
                </p>
              </div>
            </div>
            <div className="flex flex-col gap-1 border-line border-t pt-3">
              <SliderRow
                label="Edge"
                fieldLabel="Edge in pixels, outwards above 0"
                value={toPx(wish.edgeShift)}
                min={-toPx(MAX_EDGE_SHIFT)}
                max={toPx(MAX_EDGE_SHIFT)}
                step={stepPx}
                decimals={1}
                unit="px"
                valueText={sayEdge(toPx(wish.edgeShift))}
                onMove={(px) => move({ edgeShift: fromPx(px, MAX_EDGE_SHIFT) })}
                fieldClass="w-[72px]"
              />
              <SliderRow
                label="Feather"
                fieldLabel="Feather in pixels, to both sides"
                value={toPx(wish.feather)}
                min={0}
                max={toPx(MAX_FEATHER)}
                step={stepPx}
                decimals={1}
                unit="px"
                valueText={`${toPx(wish.feather)} pixels to both sides`}
                onMove={(px) => move({ feather: fromPx(px, MAX_FEATHER) })}
                fieldClass="w-[72px]"
              />
              {kind !== 'photograph' && (
                <div className="flex min-h-9 items-center gap-2.5">
                  <Switch
                    id={`${id}-enclosed`}
                    label="Also clear enclosed areas"
                    checked={wish.clearEnclosed ?? kind === 'flat'}
                    disabled={!isReady}
                    onChange={(clearEnclosed) => void cutOutAgain(clearEnclosed)}
                  />
                  <label htmlFor={`${id}-enclosed`} className="text-graphite text-xs">
                    Also clear enclosed areas
                  </label>
                </div>
              )}
            </div>
            <p id={`${id}-hint`} className="text-graphite text-xs max-sm:sr-only pointer-coarse:sr-only">
              {isBrush
                ? 'Arrow keys move the brush, Space paints. [ and ] change its size, + and − zoom.'
                : 'Scroll, or + and −, to zoom; drag or arrow keys to move.'}
            </p>
          </fieldset>
        </div>
        <Footer failure={pictures && failure}>
          {isLeaving ? (
            <>
              <p role="alert" className="mr-auto text-sm max-sm:w-full">
                Your changes are not kept yet.
              </p>
              <Button onClick={() => setIsLeaving(false)}>Go on editing</Button>
              <Button variant="danger" onClick={onClose}>
                Discard changes
              </Button>
            </>
          ) : (
            <>
              {isRemoved && (
                <Button
                  icon="undo"
                  variant="ghost"
                  className="mr-auto"
                  isBusy={wait === 'restore'}
                  disabled={wait !== undefined}
                  onClick={() => void change('restore')}
                >
                  Original
                </Button>
              )}
              <Button onClick={leave}>Cancel</Button>
              <Button
                variant="primary"
                isBusy={wait === 'keep'}
                disabled={!isReady}
                onClick={() => void change('keep')}
              >
                Done
              </Button>
            </>
          )}
        </Footer>
      </div>
    </dialog>
  );
}

const toolHints: Readonly<Record<CutoutTool, string>> = {
  compare: 'Left of the line the original, right of it what stays.',
  keep: 'Paint over what has gone too far: the original comes back.',
  erase: 'Paint over what should go.',
};

const sayStrokes = (count: number) => (count === 0 ? 'Nothing painted' : count === 1 ? '1 stroke' : `${count} strokes`);

const sayEdge = (px: number) => (px === 0 ? 'as it is' : `${Math.abs(px)} pixels ${px > 0 ? 'out' : 'in'}`);

function Footer({ failure, children }: { failure: string | undefined; children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-10 border-line border-t bg-paper px-5 py-3 max-sm:px-4">
      {failure && (
        <p role="alert" className="mb-2 text-danger text-sm">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">{children}</div>
    </div>
  );
}

/** What the server is at, in a maker's words. */
const stageWords: Readonly<Record<CutoutStage, string>> = {
  reading: 'Reading the picture',
  looking: 'Looking for what stays',
  refining: 'Following its edges',
  writing: 'Saving the cut-out',
};

function Waiting({ isLong, stage, onCancel }: { isLong: boolean; stage: CutoutStage | undefined; onCancel(): void }) {
  return (
    <div className="absolute inset-0 grid place-items-center rounded-card bg-bone/70">
      <div className="flex flex-col items-center gap-1 rounded-card border border-line bg-paper px-6 py-5 text-center shadow-float">
        {!isLong && <Spinner className="mb-1 size-6 text-accent" />}
        <p role="status" className="font-medium text-sm">
          {isLong ? 'Removing the background' : 'Opening'}
        </p>
        {isLong && (
          <>
            <p className="text-graphite text-xs">This may take about 15 seconds.</p>
            <StageBar stage={stage} />
          </>
        )}
        <Button size="sm" className="mt-3" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** One piece for each stage the server tells: full when it is over, lighter while it lasts. */
function StageBar({ stage }: { stage: CutoutStage | undefined }) {
  const at = stage ? CUTOUT_STAGES.indexOf(stage) : -1;
  const words = stage ? stageWords[stage] : 'Waiting for its turn';
  return (
    <>
      <div
        role="progressbar"
        aria-label="Removing the background"
        aria-valuemin={0}
        aria-valuemax={CUTOUT_STAGES.length}
        aria-valuenow={Math.max(0, at)}
        aria-valuetext={words}
        className="mt-3 flex w-48 gap-1"
      >
        {CUTOUT_STAGES.map((name, i) => (
          <span key={name} className="h-1 flex-1 overflow-hidden rounded-full bg-line">
            {i <= at && (
              <span className={`block h-full rounded-full ${i === at ? 'animate-pulse bg-accent/45' : 'bg-accent'}`} />
            )}
          </span>
        ))}
      </div>
      <p className="mt-1 text-graphite text-xs">{words}</p>
    </>
  );
}

function Refused({ sentence, onAgain, onClose }: { sentence: string; onAgain(): void; onClose(): void }) {
  return (
    <div className="absolute inset-0 grid place-items-center rounded-card bg-bone/70 p-4">
      <div className="flex max-w-[360px] flex-col items-center rounded-card border border-line bg-paper px-6 py-5 text-center shadow-float">
        <Icon name="warning" className="size-6 text-danger" />
        <div role="alert" className="mt-2">
          <p className="font-medium text-sm">The background stays</p>
          <p className="mt-1 text-graphite text-sm">{sentence}</p>
        </div>
        <div className="mt-4 flex gap-2">
          <Button onClick={onAgain}>Try again</Button>
          <Button variant="primary" onClick={onClose}>
            Keep the background
          </Button>
        </div>
      </div>
    </div>
  );
}

async function readPictures(originalUrl: string, cutoutUrl: string, { width, height }: Size): Promise<CutoutPictures> {
  const scale = Math.min(1, Math.sqrt(MAX_SHOWN_PIXELS / (width * height)));
  const shown = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const [original, cutout] = await Promise.all([originalUrl, cutoutUrl].map((url) => readPixels(url, shown)));
  return { original: original!, cutout: cutout! };
}
