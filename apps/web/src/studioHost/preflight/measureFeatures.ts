/** The editor's port for measuring lines and gaps. A worker does the measuring. */
import type { Ports } from '@markwright/editor';
import type { FeatureRequest, Features } from '@markwright/scene';
import { createWorkerPort, type PortWorker } from '../workerPort.ts';

const openWorker = (): PortWorker =>
  new Worker(new URL('./features.worker.ts', import.meta.url), { type: 'module', name: 'features' });

export function createMeasureFeatures(): NonNullable<Ports['measureFeatures']> {
  return createWorkerPort<FeatureRequest, Features>(openWorker, 'measuring');
}
