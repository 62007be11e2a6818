/** The editor's port for the white plate on the stage. A worker computes it. */
import type { Ports, WhitePlateRequest } from '@markwright/editor';
import { createWorkerPort, type PortWorker } from '../workerPort.ts';

const openWorker = (): PortWorker =>
  new Worker(new URL('./white.worker.ts', import.meta.url), { type: 'module', name: 'white' });

export function createDrawWhitePlate(): NonNullable<Ports['drawWhitePlate']> {
  return createWorkerPort<WhitePlateRequest, string>(openWorker, 'white ink');
}
