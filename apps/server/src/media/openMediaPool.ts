/** Opens the pool that works on people's pictures, by the settings. */
import type { MediaJobs } from '../platform/ports/mediaJobs.ts';
import type { MediaPool } from '../platform/ports/mediaPool.ts';
import type { Meter } from './meteredPool.ts';
import { createPool, type PoolSettings } from './pool.ts';

/** Opens the pool. A job of a guest may take half the processor time of an account's. */
export function openMediaPool(
  { workers, processorSeconds }: { readonly workers: number; readonly processorSeconds: { readonly job: number } },
  program: Omit<PoolSettings, 'size'>,
  meter: Meter,
): MediaPool {
  const account = processorSeconds.job * 1000;
  return meter(createPool<MediaJobs>({ ...program, size: workers }), { account, guest: account / 2 });
}
