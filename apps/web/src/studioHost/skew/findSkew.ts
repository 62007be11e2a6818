/** The editor's port for tilted pictures. A worker searches; it ends with its answer, as there is one for an upload. */
import type { Ports, Skew } from '@markwright/editor';

export const findSkew: NonNullable<Ports['findSkew']> = ({ tracePictureUrl }, signal) => {
  const isAble = typeof Worker !== 'undefined' && typeof DecompressionStream !== 'undefined';
  if (!tracePictureUrl || !isAble) return Promise.resolve(undefined);
  if (signal.aborted) return Promise.reject(signal.reason);
  const worker = new Worker(new URL('./skew.worker.ts', import.meta.url), { type: 'module', name: 'skew' });
  return new Promise<Skew | undefined>((resolve, reject) => {
    const end = (skew: Skew | undefined) => {
      worker.terminate();
      resolve(skew);
    };
    signal.addEventListener('abort', () => {
      worker.terminate();
      reject(signal.reason);
    });
    worker.onmessage = ({ data }: MessageEvent<Skew | undefined>) => end(data);
    worker.onerror = (event) => {
      console.warn('The search for a tilt broke.', event.message);
      end(undefined);
    };
    worker.postMessage(new URL(tracePictureUrl, location.href).href);
  });
};
