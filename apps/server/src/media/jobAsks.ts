/** The jobs that this server has put into the shared queue, and whose answers its callers wait for. */
import type { Attempt } from '../platform/attempts.ts';
import { AppError, isErrorCode } from '../platform/errors.ts';
import type { FileStore } from '../platform/files.ts';
import { newId } from '../platform/ids.ts';
import { PoisonJobError } from '../platform/ports/mediaPool.ts';
import type { Spans } from '../platform/spans.ts';
import { packPart, partKey, unpackPart } from './jobBytes.ts';
import { queueIsFull, stopping, waitedTooLong } from './pool.ts';
import type { JobAnswer, JobNews, NewJob, SharedQueue } from './sharedQueue.ts';
import type { JobOutcome } from './tables.ts';
import { cannotProcess, type PoolRunOptions } from './workerProcess.ts';

/** The dependencies of both sides of the queue: of who asks for a job and of who runs it. */
export interface QueueTools {
  readonly queue: SharedQueue;
  readonly files: FileStore;
  readonly attempt: Attempt;
  readonly spans: Spans;
}

interface Ask {
  readonly options: PoolRunOptions;
  /** True when its row is in the table. */
  isInQueue: boolean;
  isSettling: boolean;
  /** The last place that was reported. */
  place?: number | undefined;
  /** The number of times that a server has begun it. */
  beginnings: number;
  /** The reason of the caller who took it back. */
  cancellation?: { readonly reason: unknown };
  waitTimeout?: NodeJS.Timeout;
  readonly resolve: (answer: JobAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** A job as its caller asks for it. */
interface AskedJob extends Pick<NewJob, 'name' | 'needs'> {
  readonly input: unknown;
}

/** The jobs of this server's callers. */
export interface JobAsks {
  readonly size: number;
  /** Lets any server run a job that has what it needs. Throws as `Pool.run` does. */
  ask(job: AskedJob, options: PoolRunOptions): Promise<unknown>;
  hear(news: JobNews): void;
  /** Reads the rows, in case a message was lost, and reports the places that have changed. */
  look(): Promise<void>;
  /** Ends all waiting. */
  close(): void;
}

export function createAsks({ queue, files, attempt, spans }: QueueTools, waitLimitMs: number): JobAsks {
  const asks = new Map<string, Ask>();
  let isClosing = false;

  async function ask({ input, ...job }: AskedJob, options: PoolRunOptions): Promise<unknown> {
    const id = newId();
    const fileKeys: string[] = [];
    try {
      const bytes = await packPart(files, id, 'input', input);
      if (!bytes) fileKeys.push(partKey(id, 'input'));
      options.signal?.throwIfAborted();
      if (isClosing) throw stopping();
      const answer = await waitForAnswer({ ...job, id, input: bytes }, options);
      if (answer.outcome.kind === 'failed') throw toError(answer.outcome);
      if (!answer.output) fileKeys.push(partKey(id, `output-${answer.run}`));
      return await unpackPart(files, id, `output-${answer.run}`, answer.output);
    } finally {
      void attempt(async () => {
        await queue.remove(id);
        if (fileKeys.length > 0) await files.deleteMany(fileKeys);
      });
    }
  }

  async function waitForAnswer(
    job: Pick<NewJob, 'id' | 'name' | 'needs' | 'input'>,
    options: PoolRunOptions,
  ): Promise<JobAnswer> {
    const { id } = job;
    const { caller, signal, debtMs = 0, processorLimitMs } = options;
    const onAbort = (): void => void cancel(id, signal?.reason);
    let own!: Ask;
    const answer = new Promise<JobAnswer>((resolve, reject) => {
      own = { options, isInQueue: false, isSettling: false, beginnings: 0, resolve, reject };
    });
    answer.catch(() => {}); // it may end before somebody waits
    asks.set(id, own); // before its first news
    try {
      const traceParent = spans.carry();
      if (!(await queue.add({ ...job, caller, debtMs, processorLimitMs, traceParent }))) throw queueIsFull();
      own.isInQueue = true;
      own.waitTimeout = setTimeout(() => void cancel(id, waitedTooLong()), waitLimitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) onAbort();
      return await answer;
    } finally {
      asks.delete(id);
      clearTimeout(own.waitTimeout);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Takes a job back. One that runs is ended by its holder, which then says what it cost. */
  async function cancel(id: string, reason: unknown): Promise<void> {
    const own = asks.get(id);
    if (!own || own.cancellation) return;
    own.cancellation = { reason };
    const isGone = await attempt(() => queue.cancel(id));
    if (isGone !== false) own.reject(reason);
  }

  async function settle(id: string, own: Ask): Promise<void> {
    if (own.isSettling) return;
    own.isSettling = true;
    const answer = await attempt(() => queue.readAnswer(id));
    own.isSettling = false;
    if (!answer) return; // looked for again
    own.options.onProcessorTime?.(answer.costMs);
    if (own.cancellation) own.reject(own.cancellation.reason);
    else own.resolve(answer);
  }

  function begin(own: Ask): void {
    own.beginnings++;
    clearTimeout(own.waitTimeout);
    if (own.place) own.options.onPlace?.(0);
    own.place = undefined;
  }

  return {
    get size() {
      return asks.size;
    },
    ask,
    hear(news) {
      const own = asks.get(news.id);
      if (!own) return;
      if (news.kind === 'done') void settle(news.id, own);
      else if (news.kind === 'begun') begin(own);
      else if (news.kind === 'progress') own.options.onProgress?.(news.progress);
    },
    async look() {
      const before = [...asks]
        .filter(([, { isInQueue }]) => isInQueue)
        .map(([id, own]) => ({ id, own, beginnings: own.beginnings }));
      if (before.length === 0) return;
      const states = await attempt(() => queue.readStates());
      if (!states) return;
      for (const { id, own, beginnings } of before) {
        const state = states.get(id);
        if (asks.get(id) !== own || own.isSettling) continue;
        if (!state || state.isLost) own.reject(own.cancellation ? own.cancellation.reason : jobIsGone());
        else if (state.state === 'done') void settle(id, own);
        else if (state.state === 'running') begin(own);
        // The message that it has begun may have overtaken the rows, which then still have its place.
        else if (own.beginnings === beginnings && state.place !== undefined && state.place !== own.place) {
          own.place = state.place;
          own.options.onPlace?.(state.place);
        }
      }
    },
    close() {
      isClosing = true;
      for (const own of asks.values()) own.reject(stopping());
    },
  };
}

function toError({ code, message, isPoison }: JobOutcome & { kind: 'failed' }): AppError {
  if (isPoison) return new PoisonJobError(message);
  return isErrorCode(code) ? new AppError(code, message) : cannotProcess();
}

const jobIsGone = () =>
  new AppError('unavailable', 'This picture could not be worked on just now. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });
