/**
 * The queue of media jobs that servers of one database share, as rows of `media_jobs`: how a job comes in, who takes
 * it, and what becomes of it when a server ends in the middle. It knows no processes and no timers.
 *
 * Two leases decide: the asker's says that somebody still waits for the answer, the holder's (see `leases.ts`) that
 * somebody works on it.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../platform/database.ts';
import { createLeases, isFree, NOW, type RunKey } from '../platform/leases.ts';
import { notify } from '../platform/notifications.ts';
import type { Progress } from '../platform/ports/mediaJobs.ts';
import type { Lane } from '../platform/ports/mediaPool.ts';
import { inOrderOfTurns, type Turn } from './jobQueue.ts';
import { type JobOutcome, mediaJobs } from './tables.ts';

/** A job as its asker puts it into the queue. */
export interface NewJob {
  readonly id: string;
  readonly name: string;
  /** The capability that a server must have to run the job: `pictures`, or the id of a background model. */
  readonly needs: string;
  readonly caller: { readonly name: string; readonly lane: Lane };
  readonly debtMs: number;
  readonly processorLimitMs: number | undefined;
  /** The span of whoever asks, as `Spans.carry` returns it. */
  readonly traceParent?: string | undefined;
  /** Undefined: in the file store. */
  readonly input: Uint8Array | undefined;
}

/** A run of a job, by the server that has claimed it. */
export interface JobRun extends NewJob, RunKey {}

/** The answer to a job. */
export interface JobAnswer {
  readonly outcome: JobOutcome;
  /** Undefined: in the file store, or there is none. */
  readonly output: Uint8Array | undefined;
  readonly run: number;
  readonly costMs: number;
}

/** The state of a job, as its asker sees it. */
interface JobState {
  readonly state: 'waiting' | 'running' | 'done';
  /** True when nobody works on it any more. */
  readonly isLost: boolean;
  /** Its place in its lane while it waits, 1 for the next one. */
  readonly place: number | undefined;
}

/** What one server tells another about a job. */
export type JobNews =
  | { readonly kind: 'begun' | 'done' | 'canceled' | 'echo'; readonly id: string }
  | { readonly kind: 'progress'; readonly id: string; readonly progress: Progress };

/** The queue, as one server uses it. */
export interface SharedQueue {
  /** The channel on which this server hears news of its jobs, as `JobNews`. */
  readonly ownChannel: string;
  /** The channel on which every server hears that there may be work. */
  readonly workChannel: string;
  /** Adds a job, and tells all servers. Returns false when its lane is full. */
  add(job: NewJob): Promise<boolean>;
  /**
   * Claims the job that runs next of the first of these lanes that has one, and tells its asker. Its needs are among
   * those given. Returns undefined when none waits.
   */
  claim(lanes: readonly Lane[], needs: readonly string[]): Promise<JobRun | undefined>;
  /** Tells the asker of a job how far it is. */
  report(job: RunKey, progress: Progress): Promise<void>;
  /** Ends a run with its outcome, and tells its asker. Returns false when the run did not count any more. */
  finish(job: RunKey, end: Pick<JobAnswer, 'outcome' | 'output' | 'costMs'>): Promise<boolean>;
  /** Puts a job back that this server cannot end, and tells all servers. */
  giveBack(job: RunKey): Promise<void>;
  /**
   * Says that nobody waits for a job any more. Returns true when it had not begun, and is gone; else its holder is
   * told, and answers.
   */
  cancel(id: string): Promise<boolean>;
  /** Returns the answer to a job; undefined while there is none. */
  readAnswer(id: string): Promise<JobAnswer | undefined>;
  /** Removes a job of this server. */
  remove(id: string): Promise<void>;
  /** Returns the states of the jobs that this server asked for, by their ids. */
  readStates(): Promise<ReadonlyMap<string, JobState>>;
  /** Renews the leases of this server, and returns the runs that it may go on with. */
  renew(): Promise<RunKey[]>;
  /** Removes the jobs that nobody has waited for since a minute, and returns them. */
  removeAbandoned(): Promise<RunKey[]>;
  /** Sends this server a message of its own, an `echo`. */
  callOut(): Promise<void>;
}

export interface SharedQueueSettings {
  readonly db: Db;
  readonly server: string;
  readonly kind: JobKind;
  /** The waiting jobs of one lane, of all servers together. */
  readonly queueLimit: number;
  readonly leaseMs?: number;
}

/** Jobs of different kinds run in different processes, and do not wait for each other. */
export type JobKind = 'pictures' | 'models';
/** The capability that all jobs for pictures require. Jobs of models require the id of their model. */
export const PICTURES = 'pictures';

const channelOf = (server: string): string => `media_${server}`;

/** A job that has ended so many servers is ended itself. */
const MOST_RUNS = 3;
/** Any fixed number: claims go one after another, so that turns are fair. */
const CLAIM_LOCK = 7_264_011;

const table = mediaJobs;
const isWanted = sql`${table.askerLeaseUntil} > ${NOW} and not ${table.isCanceled}`;
const isClaimable = sql`${isWanted} and ${isFree(table)}`;
/**
 * Raise a format when an input or output changes so that a server of another version would misread it. That of models
 * began at 2, because servers from before the column `needs` run whatever has 1.
 */
const KINDS = {
  pictures: {
    format: 1,
    workChannel: 'media_work',
    isOfKind: sql`${table.format} = 1 and ${table.needs} = ${PICTURES}`,
  },
  models: {
    format: 2,
    workChannel: 'media_models',
    isOfKind: sql`${table.format} = 2 and ${table.needs} <> ${PICTURES}`,
  },
} as const satisfies Record<JobKind, unknown>;

/** Opens the queue for the jobs of one kind of a server. It sends no query yet. */
export function openSharedQueue(settings: SharedQueueSettings): SharedQueue {
  const { db, server, kind, queueLimit, leaseMs } = settings;
  const { format, workChannel, isOfKind } = KINDS[kind];
  const isOpen = sql`${isOfKind} and ${isClaimable}`;
  const { leaseEnd, claim, giveBack, isHeld, isOurs } = createLeases(table, server, leaseMs);

  async function run<Row>(query: SQL, writer: Pick<Db, 'execute'> = db): Promise<Row[]> {
    return (await writer.execute(query)).rows as Row[];
  }

  /** Claims a job in a transaction. A job that has ended too many servers is ended, and the next one looked for. */
  async function claimIn(tx: Transaction, lanes: readonly Lane[], isInLine: SQL): Promise<JobRun | undefined> {
    await tx.execute(sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`);
    const rows = await run<LineRow>(lineQuery(isInLine), tx);
    for (const lane of lanes) {
      for (const id of inOrderOfTurns(turnsOf(rows, lane))) {
        const [row] = await run<ClaimRow>(
          sql`update ${table} set ${claim}, turn_at = ${NOW}
            where id = ${id} and run < ${MOST_RUNS} and ${isClaimable}
            returning id, name, needs, caller, lane, debt_ms, processor_limit_ms, trace_parent, input, run, asker`,
          tx,
        );
        if (!row) {
          await tx.execute(giveUp(id));
          continue;
        }
        // The caller’s next turn comes after those of all others. One time for all its jobs leaves them in their order.
        await tx.execute(sql`update ${table} set turn_at = statement_timestamp()
          where caller = ${row.caller} and lane = ${row.lane} and state = 'waiting'`);
        await notify(tx, channelOf(row.asker), { kind: 'begun', id } satisfies JobNews);
        return toRun(row);
      }
    }
    return undefined;
  }

  return {
    ownChannel: channelOf(server),
    workChannel,

    async add({ id, name, needs, caller, debtMs, processorLimitMs, traceParent, input }) {
      const waiting = sql`select from ${table} where lane = ${caller.lane} and state = 'waiting'
        and ${isOfKind} and ${isWanted}`;
      const turn = sql`select max(turn_at) from ${table} where caller = ${caller.name} and lane = ${caller.lane}`;
      const rows = await run(
        sql`insert into ${table}
            (id, format, name, needs, lane, caller, debt_ms, turn_at, processor_limit_ms, trace_parent, input, asker,
              asker_lease_until)
          select ${id}, ${format}, ${name}, ${needs}, ${caller.lane}, ${caller.name}, ${Math.round(debtMs)},
            coalesce((${turn}), ${NOW}), ${processorLimitMs ?? null}::int, ${traceParent ?? null}::text,
            ${input ? Buffer.from(input) : null}::bytea,
            ${server}, ${leaseEnd}
          where (select count(*) from (${waiting}) lane) < ${queueLimit}
          returning pg_notify(${workChannel}, '')`,
      );
      return rows.length > 0;
    },

    async claim(lanes, needs) {
      const isInLine = sql`${isOpen} and ${table.needs} = any(${sql.param(needs)})`;
      // Most looks find nothing, and one query says so.
      const rows = await run(sql`select from ${table} where ${isInLine} limit 1`);
      return rows.length > 0 ? db.transaction((tx) => claimIn(tx, lanes, isInLine)) : undefined;
    },

    async report(job, progress) {
      const news: JobNews = { kind: 'progress', id: job.id, progress };
      await run(sql`select pg_notify('media_' || asker, ${JSON.stringify(news)}) from ${table} where ${isHeld(job)}`);
    },

    async finish(job, { outcome, output, costMs }) {
      const bytes = output ? Buffer.from(output) : null;
      return db.transaction(async (tx) => {
        const [row] = await run<{ asker: string; caller: string; lane: Lane }>(
          sql`update ${table} set state = 'done', outcome = ${JSON.stringify(outcome)}::jsonb,
              output = ${bytes}::bytea, cost_ms = ${Math.round(costMs)}
            where ${isHeld(job)} returning asker, caller, lane`,
          tx,
        );
        if (!row) return false;
        // What the caller has used decides about the next turn.
        await tx.execute(sql`update ${table} set debt_ms = debt_ms + ${Math.round(costMs)}
          where caller = ${row.caller} and lane = ${row.lane} and state = 'waiting'`);
        await notify(tx, channelOf(row.asker), { kind: 'done', id: job.id } satisfies JobNews);
        return true;
      });
    },

    async giveBack(job) {
      await run(sql`update ${table} set ${giveBack}
        where ${isHeld(job)} returning pg_notify(${workChannel}, '')`);
    },

    async cancel(id) {
      const news = JSON.stringify({ kind: 'canceled', id } satisfies JobNews);
      const [row] = await run<{ isRunning: boolean }>(
        sql`update ${table} set is_canceled = true where id = ${id} and asker = ${server}
          returning state = 'running' and holder_lease_until > ${NOW} as "isRunning",
            case when state = 'running' then pg_notify('media_' || holder, ${news}) end`,
      );
      if (row?.isRunning) return false;
      await run(sql`delete from ${table} where id = ${id}`);
      return true;
    },

    async readAnswer(id) {
      const [row] = await run<{ outcome: JobOutcome; output: Buffer | null; run: number; costMs: number }>(
        sql`select outcome, output, run, cost_ms as "costMs" from ${table} where id = ${id} and state = 'done'`,
      );
      return row && { ...row, output: row.output ?? undefined };
    },

    async remove(id) {
      await run(sql`delete from ${table} where id = ${id}`);
    },

    async readStates() {
      const rows = await run<LineRow & { asker: string; isLost: boolean }>(
        sql`select ${lineColumns(isOpen)}, asker, is_canceled and holder_lease_until <= ${NOW} as "isLost"
          from ${table} where asker = ${server} or ${isWanted} order by turn_at, created_at, id`,
      );
      const places = new Map<string, number>();
      for (const lane of ['account', 'guest'] as const) {
        for (const [index, id] of inOrderOfTurns(turnsOf(rows, lane)).entries()) places.set(id, index + 1);
      }
      const own = rows.filter(({ asker }) => asker === server);
      return new Map(own.map(({ id, state, isLost }) => [id, { state, isLost, place: places.get(id) }]));
    },

    async renew() {
      await run(sql`update ${table} set asker_lease_until = ${leaseEnd} where asker = ${server}`);
      return run<RunKey>(
        sql`update ${table} set holder_lease_until = ${leaseEnd}
          where ${isOurs} and ${isWanted} returning id, run`,
      );
    },

    async removeAbandoned() {
      return run<RunKey>(
        sql`delete from ${table} where asker_lease_until < ${NOW} - interval '1 minute' returning id, run`,
      );
    },

    callOut: () => notify(db, channelOf(server), { kind: 'echo', id: '' } satisfies JobNews),
  };
}

/** A job as the turns need it. */
interface LineRow {
  readonly id: string;
  readonly lane: Lane;
  readonly caller: string;
  readonly debtMs: number;
  readonly state: JobState['state'];
  /** True when it waits for a server that can run it, for the first time or again. */
  readonly isInLine: boolean;
}
interface ClaimRow extends Record<'id' | 'name' | 'needs' | 'caller' | 'asker', string> {
  readonly lane: Lane;
  readonly debt_ms: number;
  readonly processor_limit_ms: number | null;
  readonly trace_parent: string | null;
  readonly input: Buffer | null;
  readonly run: number;
}

const lineColumns = (isInLine: SQL): SQL =>
  sql`id, lane, caller, debt_ms as "debtMs", state, ${isInLine} as "isInLine"`;
const lineQuery = (isInLine: SQL): SQL => sql`select ${lineColumns(isInLine)} from ${table}
  where ${isWanted} and state <> 'done' order by turn_at, created_at, id`;

/** Arranges the jobs of a lane as turns: callers in the order of their turns. Its rows are in that order. */
function turnsOf(rows: readonly LineRow[], lane: Lane): Turn<string>[] {
  const turns = new Map<string, { waiting: string[]; running: number; debtMs: number }>();
  const ofLane = rows.filter((row) => row.lane === lane);
  for (const { id, caller, debtMs } of ofLane.filter(({ isInLine }) => isInLine)) {
    const turn = turns.get(caller) ?? { waiting: [], running: 0, debtMs: 0 };
    turn.waiting.push(id);
    turn.debtMs = Math.max(turn.debtMs, debtMs);
    turns.set(caller, turn);
  }
  for (const { caller, state, isInLine } of ofLane) {
    const turn = turns.get(caller);
    if (turn && state === 'running' && !isInLine) turn.running++;
  }
  return [...turns];
}

/** Ends a job that has ended too many servers, and tells its asker. One that may run is left alone. */
function giveUp(id: string): SQL {
  const outcome: JobOutcome = {
    kind: 'failed',
    code: 'unprocessable',
    message: 'This file could not be processed.',
    isPoison: false,
  };
  const news = JSON.stringify({ kind: 'done', id } satisfies JobNews);
  return sql`update ${table} set state = 'done', outcome = ${JSON.stringify(outcome)}::jsonb
    where id = ${id} and run >= ${MOST_RUNS} and ${isClaimable}
    returning pg_notify('media_' || asker, ${news})`;
}

const toRun = (row: ClaimRow): JobRun => ({
  id: row.id,
  name: row.name,
  needs: row.needs,
  caller: { name: row.caller, lane: row.lane },
  debtMs: row.debt_ms,
  processorLimitMs: row.processor_limit_ms ?? undefined,
  traceParent: row.trace_parent ?? undefined,
  input: row.input ?? undefined,
  run: row.run,
});
