/** The editor's port for lettering in traces. A worker searches, and fetches index and fonts as it needs them. */

import indexUrl from 'virtual:letter-index';
import type { Ports } from '@markwright/editor';
import type { Artwork, ArtworkLettering } from '@markwright/scene';
import { createWorkerPort, type PortWorker } from '../workerPort.ts';

/** What the worker gets. A message has no getters: it computes the cutouts itself. */
export interface LetteringRequest {
  readonly artwork: Pick<Artwork, 'width' | 'height' | 'shapes'>;
  readonly indexUrl: string;
}

const openWorker = (): PortWorker =>
  new Worker(new URL('./lettering.worker.ts', import.meta.url), { type: 'module', name: 'lettering' });

export function createFindLettering(): NonNullable<Ports['findLettering']> {
  const ask = createWorkerPort<LetteringRequest, readonly ArtworkLettering[]>(openWorker, 'lettering');
  return ({ width, height, shapes }, signal) =>
    ask({ artwork: { width, height, shapes }, indexUrl: new URL(indexUrl, location.href).href }, signal);
}
