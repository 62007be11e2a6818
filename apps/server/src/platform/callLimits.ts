/** Time limits of calls: one deadline for all the work of a call, and a hard end for a connection. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from './errors.ts';

/** The time limits of calls. */
export interface CallLimits {
  /** From the moment a call has arrived as a whole until its answer is there. */
  readonly callMs: number;
  /** The same for a call whose progress is streamed: its caller sees how it goes and may cancel it. */
  readonly streamMs: number;
  /** Work that was ended gets this long to clean up, before it is left to itself. */
  readonly graceMs: number;
  /** For sending an answer, besides the time its bytes take at the slowest speed. */
  readonly sendMs: number;
  readonly slowestBytesPerSecond: number;
}

export const CALL_LIMITS: CallLimits = {
  callMs: 20_000,
  streamMs: 10 * 60_000,
  graceMs: 2_000,
  sendMs: 60_000,
  slowestBytesPerSecond: 16 * 1024,
};

/** The time that a call has. */
export interface Deadline {
  /** Aborted when the time is over, and when the caller goes away before the answer has been written. */
  readonly signal: AbortSignal;
  /** Returns the result of the work. Throws the signal's reason when the work does not end soon after it. */
  bound<T>(work: Promise<T>): Promise<T>;
}

/** Watches whether the caller goes away. Starts the clock with `start`. */
export function createDeadline(reply: FastifyReply, graceMs: number): Deadline & { start(limitMs: number): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  reply.raw.once('close', () => {
    clearTimeout(timer);
    if (!reply.raw.writableFinished) controller.abort(new AppError('unavailable', 'The caller went away.'));
  });
  return {
    signal: controller.signal,
    start(limitMs) {
      timer = setTimeout(() => controller.abort(tooBusy()), limitMs);
    },
    async bound(work) {
      let grace: NodeJS.Timeout | undefined;
      const leftToItself = new Promise<never>((_, reject) => {
        const onAbort = (): void => {
          grace = setTimeout(() => reject(controller.signal.reason), graceMs);
        };
        if (controller.signal.aborted) onAbort();
        else controller.signal.addEventListener('abort', onAbort);
      });
      try {
        return await Promise.race([work, leftToItself]);
      } finally {
        clearTimeout(timer);
        clearTimeout(grace);
      }
    },
  };
}

const tooBusy = () =>
  new AppError('unavailable', 'The studio is busy just now. Please try again in a moment.', { retryAfterSeconds: 10 });

/** Ends connections of callers who read an answer too slowly, so that they hold no memory and no file. */
export function cutSlowReaders(app: FastifyInstance, limits: CallLimits): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    const length = typeof payload === 'string' ? Buffer.byteLength(payload) : reply.getHeader('content-length');
    // A stream of unknown length is a progress stream.
    const sendMs = length === undefined ? limits.streamMs : (Number(length) / limits.slowestBytesPerSecond) * 1000;
    const timer = setTimeout(() => reply.raw.destroy(), limits.sendMs + sendMs);
    timer.unref();
    reply.raw.once('close', () => clearTimeout(timer));
  });
}
