/**
 * The pool of several servers that share a database. To its callers it is a pool like any other: a job runs in a
 * process of this server where one is free, and else in the first one that gets free on any server. This server works
 * for the others in turn, unless it has no processes.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createAttempts } from '../platform/attempts.ts';
import type { Db } from '../platform/database.ts';
import type { FileStore } from '../platform/files.ts';
import { LEASE_MS } from '../platform/leases.ts';
import type { Notifications } from '../platform/notifications.ts';
import type { JobTable } from '../platform/ports/mediaJobs.ts';
import type { Pool } from '../platform/ports/mediaPool.ts';
import { noSpans, type Spans } from '../platform/spans.ts';
import { createAsks } from './jobAsks.ts';
import { partKey } from './jobBytes.ts';
import { createRuns } from './jobRuns.ts';
import { callerIsFull, type ProcessPool, QUEUE_LIMITS, stopping } from './pool.ts';
import { type JobKind, type JobNews, openSharedQueue, PICTURES } from './sharedQueue.ts';
import type { PoolRunOptions } from './workerProcess.ts';

export interface SharedPoolSettings<Jobs extends JobTable<Jobs>> {
  readonly db: Db;
  readonly files: FileStore;
  readonly log: Logger;
  /** Opens this server's processes; undefined on a server without. */
  readonly openProcesses: ((settings: ProcessSettings) => ProcessPool<Jobs>) | undefined;
  readonly listen: Notifications['listen'];
  /** The capabilities that jobs of this pool require of a server. Absent: `pictures`, which each process has. */
  readonly needs?: JobNeeds<Jobs>;
  readonly limits?: Partial<SharedPoolLimits>;
  readonly spans?: Spans;
}
/** The capabilities that jobs of one pool require of the server that runs them. */
interface JobNeeds<Jobs extends JobTable<Jobs>> {
  readonly kind: JobKind;
  of(input: Jobs[keyof Jobs]['input']): string;
  /** Lists what this server has at the moment. Does not throw. */
  list(): Promise<readonly string[]>;
}
/** The limits of the processes let in whatever the pool sends. `onFree` is as in `PoolSettings`. */
interface ProcessSettings {
  readonly queueLimit: number;
  readonly callerLimit: number;
  readonly onFree: () => void;
}

interface SharedPoolLimits {
  /** The waiting jobs of one lane, of all servers together. */
  readonly queueLimit: number;
  /** The waiting and running jobs of one caller, of those that this server asks for. */
  readonly callerLimit: number;
  /** The longest wait of a job for a process. */
  readonly waitLimitMs: number;
  /** A server that has not renewed its leases for so long has ended. */
  readonly leaseMs: number;
  /** How often a server reads the rows, in case a message was lost. */
  readonly lookMs: number;
}

const LIMITS: SharedPoolLimits = { ...QUEUE_LIMITS, queueLimit: 200, leaseMs: LEASE_MS, lookMs: 1_000 };
const CLEANING_MS = 60_000;
/** A message takes milliseconds. After this long it was lost. */
const ECHO_LIMIT_MS = 10_000;

const needsOfPictures: JobNeeds<never> = {
  kind: 'pictures',
  of: () => PICTURES,
  list: async () => [PICTURES],
};

/** Opens the pool. While this server has nothing to do, it sends a query every other second. */
export function openSharedPool<Jobs extends JobTable<Jobs>>(
  settings: SharedPoolSettings<Jobs>,
): Pool<Jobs, PoolRunOptions> {
  const { db, files, log, spans = noSpans, needs = needsOfPictures as unknown as JobNeeds<Jobs> } = settings;
  const limits = { ...LIMITS, ...settings.limits };
  const server = randomBytes(8).toString('hex');
  const queue = openSharedQueue({
    db,
    server,
    kind: needs.kind,
    queueLimit: limits.queueLimit,
    leaseMs: limits.leaseMs,
  });
  /** The number of jobs of each caller that this server works for. */
  const shares = new Map<string, number>();
  let isClosing = false;
  const { attempt, settle } = createAttempts(log, 'the queue of media jobs cannot be reached');
  const asks = createAsks({ queue, files, attempt, spans }, limits.waitLimitMs);
  const processes = settings.openProcesses?.({
    queueLimit: Number.POSITIVE_INFINITY,
    callerLimit: Number.POSITIVE_INFINITY,
    onFree: () => void runs?.fill(),
  });
  const runs = processes && createRuns({ queue, files, attempt, spans }, processes, needs.list);

  let echoTimeout: NodeJS.Timeout | undefined;
  /** Checks that messages arrive, which a pooler in between does not pass on. */
  function callOut(): void {
    clearTimeout(echoTimeout);
    echoTimeout = setTimeout(() => {
      log.warn('No messages arrive from the database, so media jobs wait longer: set DATABASE_DIRECT_URL.');
    }, ECHO_LIMIT_MS);
    echoTimeout.unref();
    void attempt(() => queue.callOut());
  }

  const channels = runs ? [queue.ownChannel, queue.workChannel] : [queue.ownChannel];
  const messages = settings.listen(channels, (channel, text) => {
    if (channel === queue.workChannel) void runs?.fill();
    else if (text === undefined) {
      callOut();
      void asks.look();
    } else {
      const news = JSON.parse(text) as JobNews;
      if (news.kind === 'echo') clearTimeout(echoTimeout);
      else if (news.kind === 'canceled') runs?.cancel(news.id);
      else asks.hear(news);
    }
  });

  async function removeAbandoned(): Promise<void> {
    const jobs = (await attempt(() => queue.removeAbandoned())) ?? [];
    const keys = jobs.flatMap(({ id, run }) => [
      partKey(id, 'input'),
      ...Array.from({ length: run }, (_, i) => partKey(id, `output-${i + 1}`)),
    ]);
    if (keys.length > 0) await attempt(() => files.deleteMany(keys));
  }

  async function renew(): Promise<void> {
    if (asks.size === 0 && !runs?.size) return;
    await (runs ? runs.renew() : attempt(() => queue.renew()));
  }

  const timers = [
    setInterval(() => void asks.look(), limits.lookMs),
    setInterval(() => void runs?.fill(), 2 * limits.lookMs),
    setInterval(() => void renew(), limits.leaseMs / 3),
    setInterval(() => void removeAbandoned(), CLEANING_MS),
  ];
  for (const timer of timers) timer.unref();

  return {
    async run(name, input, options) {
      options.signal?.throwIfAborted();
      if (isClosing) throw stopping();
      const share = `${options.caller.lane} ${options.caller.name}`;
      const count = shares.get(share) ?? 0;
      if (count >= limits.callerLimit) throw callerIsFull(limits.callerLimit);
      shares.set(share, count + 1);
      try {
        const need = needs.of(input);
        const isHere = processes !== undefined && (await needs.list()).includes(need);
        if (isHere && runs?.freeLanes().includes(options.caller.lane)) {
          return await processes.run(name, input, options);
        }
        return (await asks.ask({ name, needs: need, input }, options)) as never;
      } finally {
        const rest = shares.get(share)! - 1;
        if (rest > 0) shares.set(share, rest);
        else shares.delete(share);
      }
    },
    stats() {
      const own = processes?.stats() ?? { size: 0, ready: 0, running: 0, queued: 0, done: 0, failed: 0, killed: 0 };
      return { ...own, queued: own.queued + asks.size };
    },
    async close(graceMs) {
      isClosing = true;
      for (const timer of timers) clearInterval(timer);
      clearTimeout(echoTimeout);
      asks.close();
      await runs?.close(graceMs);
      messages.close();
      await settle();
    },
  };
}
