/** A port of the editor that a worker answers. */

export type PortWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

/** An idle worker is closed after this time. */
const IDLE_MS = 60_000;

/**
 * Returns the port. One request runs at a time; the worker starts with the first. An aborted request ends its worker,
 * so that a drag has the processor to itself. Resolves with undefined when there is no worker or it breaks.
 */
export function createWorkerPort<Request, Reply>(
  open: () => PortWorker,
  name: string,
): (request: Request, signal: AbortSignal) => Promise<Reply | undefined> {
  let worker: PortWorker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function close(): void {
    worker?.terminate();
    worker = undefined;
  }

  return (request, signal) => {
    if (typeof Worker === 'undefined') return Promise.resolve(undefined);
    if (signal.aborted) return Promise.reject(signal.reason);
    clearTimeout(idle);
    worker ??= open();
    const current = worker;
    return new Promise<Reply | undefined>((resolve, reject) => {
      const giveUp = () => {
        close();
        reject(signal.reason);
      };
      const end = (reply: Reply | undefined) => {
        signal.removeEventListener('abort', giveUp);
        idle = setTimeout(close, IDLE_MS);
        resolve(reply);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      current.onmessage = ({ data }: MessageEvent<Reply>) => end(data);
      current.onerror = (event) => {
        console.warn(`The ${name} worker broke.`, event.message);
        close();
        end(undefined);
      };
      current.postMessage(request);
    });
  };
}
