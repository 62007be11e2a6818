/** The worker's end of the pool: runs one job after another as the server sends them. */
import { Worker } from 'node:worker_threads';
import { AppError } from '../platform/errors.ts';
import type { JobHandlers, JobTable, LimitStep } from '../platform/ports/mediaJobs.ts';
import type { PoolMessage, WorkerMessage } from './workerProcess.ts';

/** A message is in memory three times while it is sent: a large file goes in parts of this size. */
const PART_BYTES = 4 * 2 ** 20;

/** Serves jobs until the channel to the server closes. */
export function serveJobs<Jobs extends JobTable<Jobs>>(handlers: JobHandlers<Jobs>): void {
  const say = (message: WorkerMessage): void => void process.send?.(message);

  const limitStep: LimitStep = async (limit, step) => {
    say({ kind: 'step', limit, usedMs: readProcessorMs() });
    try {
      return await step();
    } finally {
      say({ kind: 'step', limit: undefined, usedMs: readProcessorMs() });
    }
  };

  process.on('message', async ({ job, input }: PoolMessage) => {
    try {
      const handler = handlers[job as keyof Jobs];
      const output = await handler(input as never, (progress) => say({ kind: 'progress', progress }), limitStep);
      say({ kind: 'done', output: await sendParts(output) });
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      say({ kind: 'failed', code: error instanceof AppError ? error.code : undefined, message, stack });
    }
  });
  /** Sends the large fields of an output ahead. Returns the rest. */
  async function sendParts(output: unknown): Promise<unknown> {
    if (typeof output !== 'object' || output === null) return output;
    const rest: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(output)) {
      if (!(value instanceof Uint8Array && value.length > PART_BYTES)) {
        rest[field] = value;
        continue;
      }
      for (let atByte = 0; atByte < value.length; atByte += PART_BYTES) {
        const bytes = value.subarray(atByte, atByte + PART_BYTES);
        const message: WorkerMessage = { kind: 'part', field, sizeBytes: value.length, atByte, bytes };
        await new Promise<void>((resolve) => {
          if (process.send) process.send(message, undefined, undefined, () => resolve());
          else resolve();
        });
      }
    }
    return rest;
  }

  process.once('disconnect', () => process.exit(0));
  watch();
  say({ kind: 'ready' });
}

/** Returns the processor time of this process since its start, ms. */
function readProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Starts a thread that works while native code holds the main one.
 *
 * A server that is killed cannot end its workers, and one deep in native code never hears that the channel closed. The
 * thread sees the parent change and ends the process. Where the server cannot read /proc, the thread also sends
 * heartbeats: processor time in ms and resident bytes of the whole process.
 */
function watch(): void {
  const code = `
    const { writeSync } = require('node:fs');
    const { heartbeatFd } = require('node:worker_threads').workerData;
    const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000);
    function beat() {
      const { user, system } = process.cpuUsage();
      try {
        writeSync(heartbeatFd, Math.round((user + system) / 1000) + ' ' + process.memoryUsage.rss() + '\\n');
      } catch {} // the server does not read at the moment: the next heartbeat replaces this one
    }
    if (heartbeatFd) {
      beat();
      setInterval(beat, 250);
    }
  `;
  const workerData = { heartbeatFd: Number(process.env.HEARTBEAT_FD ?? 0) };
  const resourceLimits = { maxOldGenerationSizeMb: 8 };
  new Worker(code, { eval: true, execArgv: [], env: {}, workerData, resourceLimits }).unref();
}
