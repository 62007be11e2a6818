/** The editor's ports for measuring lines and gaps and for reviewing the job. One worker does both. */
import type { Ports } from '@markwright/editor';
import type { Features, JobReview } from '@markwright/scene';
import { createWorkerPort, type PortWorker } from '../workerPort.ts';
import type { PreflightRequest } from './preflight.worker.ts';

export type PreflightPorts = Required<{
  [Key in 'measureFeatures' | 'reviewJob']: NonNullable<Ports[Key]>;
}>;

const openWorker = (): PortWorker =>
  new Worker(new URL('./preflight.worker.ts', import.meta.url), { type: 'module', name: 'preflight' });

export function createPreflightPorts(): PreflightPorts {
  const ask = createWorkerPort<PreflightRequest, Features | JobReview>(openWorker, 'preflight');
  return {
    // The worker sends `Features` for `features` and a `JobReview` for `job`; a message itself has no type.
    measureFeatures: (features, signal) => ask({ features }, signal) as Promise<Features | undefined>,
    reviewJob: (job, signal) => ask({ job }, signal) as Promise<JobReview | undefined>,
  };
}
