/** The page's end of the tracing worker, as a port of the editor. */
import { onScreen, toVectorizerOptions } from '@markwright/contract';
import type { Ports } from '@markwright/editor';
import type { Artwork } from '@markwright/scene';
import type { FromWorker, ToWorker } from './messages.ts';

/** A worker that nobody asks is let go, and with it some hundred megabytes of a large picture. */
const IDLE_MS = 60_000;

interface Waiting {
  readonly resolve: (artwork: Artwork | undefined) => void;
  readonly onProgress: (progress: { stage: string; fraction: number }) => void;
}

type TraceWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

const openWorker = (): TraceWorker =>
  new Worker(new URL('./tracer.worker.ts', import.meta.url), { type: 'module', name: 'tracer' });

/**
 * Gives the port. The worker starts with the first call. A browser that cannot, a design without pixels, one whose pixels
 * cannot be read, and a worker that breaks give `undefined`: the server traces then.
 */
export function createPreviewTrace(open: () => TraceWorker = openWorker): NonNullable<Ports['previewTrace']> {
  const waiting = new Map<number, Waiting>();
  let worker: TraceWorker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

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
    if (!asker) return; // given up meanwhile
    if (message.kind === 'progress') {
      asker.onProgress({ stage: message.stage, fraction: message.fraction });
      return;
    }
    waiting.delete(message.id);
    if (message.kind === 'unable') console.warn('No preview on this device:', message.reason);
    asker.resolve(message.kind === 'done' ? message.artwork : undefined);
  }

  return (design, settings, { signal, isRough, onProgress }) => {
    const { tracePictureUrl } = design;
    const isAble = typeof Worker !== 'undefined' && typeof DecompressionStream !== 'undefined';
    if (!tracePictureUrl || !isAble) return Promise.resolve(undefined);
    if (signal.aborted) return Promise.reject(signal.reason);
    clearTimeout(idle);
    idle = setTimeout(close, IDLE_MS);
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => {
        if (!waiting.delete(id)) return;
        say({ kind: 'cancel', id });
        reject(signal.reason);
      });
      waiting.set(id, { resolve, onProgress });
      say({
        kind: 'trace',
        id,
        pictureUrl: tracePictureUrl,
        options: { ...toVectorizerOptions(onScreen(settings)), refine: !isRough },
        isForLaser: settings.machineType === 'laser',
      });
    });
  };
}
