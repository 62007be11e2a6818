/** The editor's port for measuring lines and gaps. A worker does the measuring. */
import type { Ports } from '@markwright/editor';
import type { Features } from '@markwright/scene';

type FeaturesWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

const openWorker = (): FeaturesWorker =>
  new Worker(new URL('./features.worker.ts', import.meta.url), { type: 'module', name: 'features' });

/** An idle worker is closed after this time. */
const IDLE_MS = 60_000;

/**
 * Returns the port. One request runs at a time; the worker starts with the first. An aborted measure ends its worker,
 * so that a drag has the processor to itself. Resolves with undefined when there is no worker or it breaks.
 */
export function createMeasureFeatures(open: () => FeaturesWorker = openWorker): NonNullable<Ports['measureFeatures']> {
  let worker: FeaturesWorker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function close(): void {
    worker?.terminate();
    worker = undefined;
  }

  return (request, signal) => {
    if (typeof Worker === 'undefined' && open === openWorker) return Promise.resolve(undefined);
    if (signal.aborted) return Promise.reject(signal.reason);
    clearTimeout(idle);
    worker ??= open();
    const current = worker;
    return new Promise<Features | undefined>((resolve, reject) => {
      const giveUp = () => {
        close();
        reject(signal.reason);
      };
      const end = (features: Features | undefined) => {
        signal.removeEventListener('abort', giveUp);
        idle = setTimeout(close, IDLE_MS);
        resolve(features);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      current.onmessage = ({ data }: MessageEvent<Features>) => end(data);
      current.onerror = (event) => {
        console.warn('The measuring worker broke.', event.message);
        close();
        end(undefined);
      };
      current.postMessage(request);
    });
  };
}
