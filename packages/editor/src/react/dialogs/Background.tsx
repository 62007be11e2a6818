/**
 * The dialog in which the background of a picture is removed and the maker corrects the result. Nothing changes before
 * "Done".
 */
import { BRUSH_RADIUS, CUTOUT_STAGES, type CutoutStage } from '@markwright/contract/words';
import { Button, Icon, Spinner } from '@markwright/controls';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useState } from 'react';
import { type CutoutWait, isReady } from '../../core/cutout/cutoutMachine.ts';
import { useDesignState, usePlaceWords } from '../EditorProvider.tsx';
import { useFailure } from '../useFailure.ts';
import { BackgroundStage } from './BackgroundStage.tsx';
import { BrushTools, type CutoutProps, EdgeTools } from './CutoutTools.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import type { CutoutTool } from './useBrush.ts';
import { useCutout } from './useCutout.ts';

/** Opens as a modal when mounted, and calls `onClose` when it is closed. */
export function BackgroundDialog({ onClose }: { onClose(): void }) {
  const design = useDesignState((state) => state.design);
  const id = useId();
  // The window is about the design it was opened for.
  const [{ filename, ...source }] = useState(() => ({
    size: { width: design?.width ?? 1, height: design?.height ?? 1 },
    originalUrl: design?.originalFileUrl ?? '',
    filename: design?.filename ?? '',
    isRemoved: design?.backgroundRemovedUrl != null,
  }));
  const { state, send } = useCutout(source, onClose);
  const [tool, setTool] = useState<CutoutTool>('compare');
  const [radius, setRadius] = useState(0.02);
  const { settings, pictures, wait } = state;
  const failure = useFailure(state.failure);
  const edgeShift = useDeferredValue(settings.edgeShift);
  const feather = useDeferredValue(settings.feather);

  const leave = () => send({ type: 'leave' });
  const resize = (factor: number) =>
    setRadius((now) => Math.min(BRUSH_RADIUS.max, Math.max(BRUSH_RADIUS.min, now * factor)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isReady(state) || (event.target as Element).matches('input[type=text], input:not([type])')) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (isCommand && key === 'z') send({ type: event.shiftKey ? 'redo' : 'undo' });
    else if (isCommand && key === 'y') send({ type: 'redo' });
    else if (!isCommand && key === '[') resize(1 / 1.25);
    else if (!isCommand && key === ']') resize(1.25);
    else return;
    event.preventDefault();
  };

  return (
    <DialogFrame
      title={`Background of ${filename}`}
      width="w-[min(1080px,calc(100vw-32px))]"
      onClose={onClose}
      onLeave={leave}
      onKeyDown={onKeyDown}
    >
      <div className="grid flex-1 gap-5 p-5 sm:grid-cols-[minmax(0,1fr)_248px] max-sm:content-start max-sm:gap-4 max-sm:p-4">
        <div className="relative h-[min(60dvh,620px)] max-sm:h-[40dvh]">
          <BackgroundStage
            pictures={pictures}
            originalUrl={source.originalUrl}
            size={source.size}
            edgeShift={edgeShift}
            feather={feather}
            strokes={settings.strokes}
            tool={tool}
            radius={radius}
            label={`Cut-out of ${filename}`}
            hintId={`${id}-hint`}
            onStroke={(stroke) => send({ type: 'paint', stroke })}
            className="size-full"
          />
          {wait && <Waiting wait={wait} stage={state.stage} onCancel={leave} />}
          {failure && !pictures && (
            <RemovalFailure sentence={failure} onAgain={() => send({ type: 'open' })} onClose={onClose} />
          )}
        </div>
        <fieldset disabled={!isReady(state)} className="flex min-w-0 flex-col gap-4 disabled:opacity-60">
          <legend className="sr-only">How it is cut out</legend>
          <BrushTools {...{ state, send, tool, setTool, radius, setRadius }} />
          <EdgeTools state={state} send={send} size={source.size} />
          <p id={`${id}-hint`} className="text-graphite text-xs max-sm:sr-only pointer-coarse:sr-only">
            {tool === 'compare'
              ? 'Scroll, or + and −, to zoom; drag or arrow keys to move.'
              : 'Arrow keys move the brush, Space paints. [ and ] change its size, + and − zoom.'}
          </p>
        </fieldset>
      </div>
      <Footer failure={pictures && failure}>
        <Buttons state={state} send={send} onClose={onClose} />
      </Footer>
    </DialogFrame>
  );
}

function Buttons({ state, send, onClose }: CutoutProps & { onClose(): void }) {
  if (state.isLeaving) {
    return (
      <>
        <p role="alert" className="mr-auto text-sm max-sm:w-full">
          Your changes are not kept yet.
        </p>
        <Button onClick={() => send({ type: 'stay' })}>Go on editing</Button>
        <Button variant="danger" onClick={onClose}>
          Discard changes
        </Button>
      </>
    );
  }
  return (
    <>
      {state.isRemoved && (
        <Button
          icon="undo"
          variant="ghost"
          className="mr-auto"
          isBusy={state.wait === 'restore'}
          disabled={state.wait !== undefined}
          onClick={() => send({ type: 'restore' })}
        >
          Original
        </Button>
      )}
      <Button onClick={() => send({ type: 'leave' })}>Cancel</Button>
      <Button
        variant="primary"
        isBusy={state.wait === 'keep'}
        disabled={!isReady(state)}
        onClick={() => send({ type: 'keep' })}
      >
        Done
      </Button>
    </>
  );
}

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

/** The server's stages in words for makers. */
const stageWords: Readonly<Record<CutoutStage, string>> = {
  reading: 'Reading the picture',
  looking: 'Looking for what stays',
  refining: 'Following its edges',
  writing: 'Writing the picture',
};

/** The calls in words for makers, and whether the server reports their stages. */
const waitWords: Readonly<Record<CutoutWait, { title: string; hasStages: boolean }>> = {
  open: { title: 'Opening', hasStages: false },
  cutOut: { title: 'Removing the background', hasStages: true },
  keep: { title: 'Saving the cut-out', hasStages: true },
  restore: { title: 'Bringing the original back', hasStages: false },
};

/** Covers the picture while a call runs. What is quick is over before this fades in. */
function Waiting({ wait, stage, onCancel }: { wait: CutoutWait; stage: CutoutStage | undefined; onCancel(): void }) {
  const { title, hasStages } = waitWords[wait];
  return (
    <div className="absolute inset-0 grid animate-late place-items-center rounded-card bg-bone/70">
      <div className="flex flex-col items-center gap-1 rounded-card border border-line bg-paper px-6 py-5 text-center shadow-float">
        {!hasStages && <Spinner className="mb-1 size-6 text-accent" />}
        <p role="status" className="font-medium text-sm">
          {title}
        </p>
        {wait === 'cutOut' && <p className="text-graphite text-xs">This may take about 15 seconds.</p>}
        {hasStages && <StageBar title={title} stage={stage} />}
        <Button size="sm" className="mt-3" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** A bar with one segment for each stage: full when the stage is over, lighter while it runs. */
function StageBar({ title, stage }: { title: string; stage: CutoutStage | undefined }) {
  const at = stage ? CUTOUT_STAGES.indexOf(stage) : -1;
  const words = usePlaceWords() ?? (stage ? stageWords[stage] : 'Waiting for its turn');
  return (
    <>
      <div
        role="progressbar"
        aria-label={title}
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

function RemovalFailure({ sentence, onAgain, onClose }: { sentence: string; onAgain(): void; onClose(): void }) {
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
