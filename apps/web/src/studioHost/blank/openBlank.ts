/** Reads the photograph of a blank off the page's own thread. */
import { createWorkerPort } from '../workerPort.ts';
import type { BlankPicture, BlankRequest } from './messages.ts';

/**
 * Resolves with undefined for a file that this browser cannot read, and where it has no workers or no canvas in them.
 * An aborted call rejects at once.
 */
export const openBlank = createWorkerPort<BlankRequest, BlankPicture>(
  () => new Worker(new URL('./blank.worker.ts', import.meta.url), { type: 'module', name: 'blank' }),
  'blank',
);
