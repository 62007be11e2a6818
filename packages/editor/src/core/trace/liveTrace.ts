/**
 * Traces on this device while a setting is moved. One trace runs at a time; of the settings that arrive meanwhile only
 * the newest are traced. A trace that has just begun may finish, or a steady hand would never see one. One that takes
 * longer than a moment is aborted for newer settings; the host keeps what it has worked out for the next. A sketch
 * comes first; when the hand rests, the exact trace replaces it.
 */
import type { Design } from '@markwright/contract/schemas';
import type { Artwork } from '@markwright/scene';
import type { Ports } from '../ports.ts';
import type { TraceRequest } from './traceSettings.ts';

/** A trace that has run longer than this is aborted for newer settings. */
const PATIENCE_MS = 150;
/** A trace that takes longer than this shows its progress. */
const QUICK_MS = 250;
/** Debounce: the exact trace begins when no setting has changed for this long. */
const REST_MS = 150;

/** The progress of a trace that keeps the person waiting. */
export interface TraceProgress {
  readonly stage: string;
  /** 0…1 */
  readonly fraction: number;
}

export interface LiveTraceRequest extends TraceRequest {
  readonly design: Design;
}

export interface LiveTrace {
  show(request: LiveTraceRequest): void;
  /** Prepares the device, so that the first `show` need not wait for it. */
  warmUp(request: LiveTraceRequest): void;
  /** Stops: nothing more is shown of earlier requests. */
  stop(): void;
}

type Step = 'warmUp' | 'rough' | 'finish';

interface Listener {
  onArtwork(artwork: Artwork): void;
  /** Called only for what takes longer than a quarter of a second; undefined when it is over. */
  onProgress(progress: TraceProgress | undefined): void;
  /** This design cannot be traced on this device. */
  onUnavailable(): void;
}

export function createLiveTrace(
  trace: NonNullable<Ports['previewTrace']>,
  listener: Listener,
  now: () => number = () => performance.now(),
): LiveTrace {
  let running: { readonly controller: AbortController; readonly since: number; readonly step: Step } | undefined;
  let next: LiveTraceRequest | undefined;
  /** Runs while the person waits for a picture. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let isSlow = false;
  let progress: TraceProgress | undefined;

  function wait(): void {
    timer ??= setTimeout(() => {
      isSlow = true;
      if (progress) listener.onProgress(progress);
    }, QUICK_MS);
  }

  function arrive(): void {
    clearTimeout(timer);
    timer = undefined;
    progress = undefined;
    if (isSlow) listener.onProgress(undefined);
    isSlow = false;
  }

  async function start(request: LiveTraceRequest, step: Step): Promise<void> {
    const controller = new AbortController();
    const mine = { controller, since: now(), step };
    const { signal } = controller;
    running = mine;
    if (step === 'rough') wait();
    const onProgress = (newProgress: TraceProgress): void => {
      if (signal.aborted) return;
      progress = newProgress;
      if (isSlow) listener.onProgress(newProgress);
    };
    let artwork: Artwork | undefined;
    let isLost = false;
    try {
      artwork = await trace(request.design, request, { signal, isRough: step !== 'finish', onProgress });
      isLost = artwork === undefined;
    } catch {
      isLost = true;
    }
    if (running !== mine) return;
    running = undefined;
    const following = next;
    next = undefined;
    if (!signal.aborted && isLost) {
      arrive();
      listener.onUnavailable();
      return;
    }
    if (!signal.aborted && artwork && step !== 'warmUp') {
      arrive();
      listener.onArtwork(artwork);
    }
    if (following) void start(following, 'rough');
    else if (!signal.aborted && step === 'rough') rest = setTimeout(() => void start(request, 'finish'), REST_MS);
  }

  return {
    show(request) {
      clearTimeout(rest);
      if (!running) {
        void start(request, 'rough');
        return;
      }
      next = request;
      wait();
      if (running.step === 'finish' || now() - running.since > PATIENCE_MS) running.controller.abort();
    },
    warmUp(request) {
      if (!running) void start(request, 'warmUp');
    },
    stop() {
      clearTimeout(rest);
      next = undefined;
      running?.controller.abort();
      running = undefined;
      arrive();
    },
  };
}
