/**
 * The editor's port for tracing in workers. One worker only makes sketches, so that no sketch waits for a stage of an
 * exact trace that is no longer needed. A third one traces aside.
 */
import { toHalftoneTrace, toPictureChanges, toScreenSettings, toVectorizerOptions } from '@markwright/contract/tracing';
import { type Ports, toVectorizeSettings } from '@markwright/editor';
import type { Artwork } from '@markwright/scene';
import type { FromWorker, ToWorker } from './messages.ts';

/** An idle worker is closed after this time: a large picture takes some hundred megabytes. */
const IDLE_MS = 60_000;

interface Waiting {
  readonly resolve: (artwork: Artwork | undefined) => void;
  readonly onProgress: (progress: { stage: string; fraction: number }) => void;
}

type TraceWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

const openWorker = (): TraceWorker =>
  new Worker(new URL('./tracer.worker.ts', import.meta.url), { type: 'module', name: 'tracer' });

interface Line {
  ask(id: number, question: ToWorker & { kind: 'trace' }, asker: Waiting): void;
  giveUp(id: number): boolean;
  close(): void;
}

/** Opens a worker with the first request. A worker that breaks answers every request with undefined. */
function openLine(open: () => TraceWorker): Line {
  const waiting = new Map<number, Waiting>();
  let worker: TraceWorker | undefined;

  function close(): void {
    worker?.terminate();
    worker = undefined;
    for (const { resolve } of waiting.values()) resolve(undefined);
    waiting.clear();
  }

  function say(message: ToWorker): void {
    if (!worker) {
      worker = open();
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(data);
      worker.onerror = (event) => {
        console.warn('The tracing worker broke.', event.message);
        close();
      };
    }
    worker.postMessage(message);
  }

  function hear(message: FromWorker): void {
    const asker = waiting.get(message.id);
    if (!asker) return; // the request was aborted
    if (message.kind === 'progress') {
      asker.onProgress({ stage: message.stage, fraction: message.fraction });
      return;
    }
    waiting.delete(message.id);
    if (message.kind === 'unable') console.warn('No preview on this device:', message.reason);
    asker.resolve(message.kind === 'done' ? message.artwork : undefined);
  }

  return {
    ask(id, question, asker) {
      waiting.set(id, asker);
      say(question);
    },
    giveUp(id) {
      const isWaiting = waiting.delete(id);
      if (isWaiting) say({ kind: 'cancel', id });
      return isWaiting;
    },
    close,
  };
}

/**
 * Returns the port. It resolves with undefined when the browser cannot trace, when the design has no readable pixels,
 * for a halftone, and when a worker breaks. The server traces then.
 */
export function createPreviewTrace(open: () => TraceWorker = openWorker): NonNullable<Ports['previewTrace']> {
  const sketches = openLine(open);
  const traces = openLine(open);
  const asides = openLine(open);
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  return (design, request, { signal, isRough, isAside = false, onProgress }) => {
    const { tracePictureUrl } = design;
    const isAble = typeof Worker !== 'undefined' && typeof DecompressionStream !== 'undefined';
    const settings = toVectorizeSettings(request);
    if (!tracePictureUrl || !isAble || toHalftoneTrace(settings)) return Promise.resolve(undefined);
    if (signal.aborted) return Promise.reject(signal.reason);
    clearTimeout(idle);
    idle = setTimeout(() => {
      sketches.close();
      traces.close();
      asides.close();
    }, IDLE_MS);
    const line = isAside ? asides : isRough ? sketches : traces;
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => {
        if (line.giveUp(id)) reject(signal.reason);
      });
      const question = {
        kind: 'trace' as const,
        id,
        pictureUrl: tracePictureUrl,
        options: toVectorizerOptions(toScreenSettings(settings)),
        changes: toPictureChanges(settings),
        isSketch: isRough,
        isForLaser: settings.machineType === 'laser',
      };
      line.ask(id, question, { resolve, onProgress });
    });
  };
}
