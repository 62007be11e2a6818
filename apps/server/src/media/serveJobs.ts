/** The far end of the pool: runs one job after another as the server sends them. */
import { Worker } from 'node:worker_threads';
import { AppError } from '../platform/errors.ts';
import type { JobHandlers, JobTable } from '../platform/ports/mediaJobs.ts';
import type { PoolMessage, WorkerMessage } from './workerProcess.ts';

/** Serves jobs until the server goes away. */
export function serveJobs<Jobs extends JobTable<Jobs>>(handlers: JobHandlers<Jobs>): void {
  const say = (message: WorkerMessage): void => void process.send?.(message);

  process.on('message', async ({ job, input }: PoolMessage) => {
    try {
      const handler = handlers[job as keyof Jobs];
      const output = await handler(input as never, (progress) => say({ kind: 'progress', progress }));
      say({ kind: 'done', output });
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      say({ kind: 'failed', code: error instanceof AppError ? error.code : undefined, message, stack });
    }
  });
  process.once('disconnect', () => process.exit(0));
  dieWithParent();
  say({ kind: 'ready' });
}

/**
 * A server that is killed cannot end its workers, and one deep in native code never hears that the channel closed. A
 * thread of its own sees the parent change and ends the process.
 */
function dieWithParent(): void {
  const watch = `
    const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000);
  `;
  new Worker(watch, { eval: true, execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
}
