/**
 * The transactional outbox: a message is written to a table in the transaction that it reports on, and a job sends it
 * after the commit. Mails and webhooks both use it.
 *
 * Any number of servers may send at once: an attempt claims its row for a limited time (a lease), and writes the
 * outcome only while the row is still at that attempt. Only the outbox retries: the job queue that calls `sendDue`
 * repeats no failed job.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, inArray, lte, notInArray, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Context } from './context.ts';
import { type Db, isDatabaseDown } from './database.ts';

/**
 * The outcome of one attempt. `kept`: there is no recipient to deliver to. `delayed`: not accepted now, but perhaps
 * later. `refused`: never accepted. `unknown`: the connection broke after the content began to leave, so it may have
 * arrived; it is not sent again.
 */
export type Outcome =
  | { readonly state: 'sent' | 'kept' }
  | { readonly state: 'delayed' | 'refused' | 'unknown'; readonly reason: string };

/** The columns of a row that every outbox needs. */
export interface OutboxRow {
  readonly id: string;
  /** The number of attempts so far, with the current one. */
  readonly attempts: number;
}

/** The `tryAt` of a queued row is the time of its next attempt; during an attempt, the end of its lease. */
type OutboxTable = PgTable & {
  readonly id: PgColumn;
  readonly state: PgColumn;
  readonly attempts: PgColumn;
  readonly tryAt: PgColumn;
};
type Writer = Pick<Db, 'select' | 'update'>;

interface OutboxSettings<Row extends OutboxRow, Result extends Outcome> {
  readonly table: OutboxTable;
  /**
   * Tells rows apart by their recipient. A process sends the rows of one recipient one after another, and those of many
   * recipients at once, so that nobody waits for a slow one.
   */
  readonly lanes?: { readonly column: PgColumn; of(row: Row): string };
  /** The time limit of one attempt, longer than `deliver` takes. */
  readonly leaseMs: number;
  /**
   * The time during which the outcome is written again while the database is unreachable. With `deliver` it stays
   * within the lease.
   */
  readonly recordMs: number;
  /**
   * Runs a statement on the table in a scope that includes the row; without a row, in a scope that includes all rows.
   */
  withAccess<T>(context: Context, row: Row | undefined, work: (writer: Writer) => Promise<T>): Promise<T>;
  /**
   * Attempts to send. When it throws, the row is retried after its lease. A sender that cannot tell whether interrupted
   * content arrived awaits `markSending` right before the first byte is sent; a row whose server ends after that is not
   * sent again.
   */
  deliver(context: Context, row: Row, markSending: () => Promise<void>): Promise<Result>;
  /** Returns the additional columns that are written with an outcome. */
  columnsOf?(row: Row, outcome: Result): object;
}

/** Sends the rows of a table. */
export interface Outbox {
  /**
   * Sends the due rows, one after another or in lanes, until none is left, four minutes are over or the signal is
   * aborted. Any number of callers may do so at once.
   */
  sendDue(context: Context, signal?: AbortSignal): Promise<void>;
  /** Gives up rows whose server ended while their content was sent: the outcome is unknown. */
  giveUpBroken(context: Context, reason: string): Promise<void>;
}

const MINUTE_MS = 60_000;
/** A run ends before its job counts as hung; the remaining rows wait for the next minute's run. */
const RUN_MS = 4 * MINUTE_MS;
const RECORD_PAUSE_MS = 500;
/** The recipients that one run serves at once. */
const MAX_LANES = 32;
/** While recipients are slow, a run looks this often for rows of others. */
const LANE_POLL_MS = 500;
/** Attempts until a row is given up. */
export const MAX_TRIES = 14;

/**
 * Returns the delay after an attempt: 1, 2, 4, … 128 minutes, then four hours. The last attempt comes a day after the
 * first.
 */
export const retryDelayMs = (tries: number): number => Math.min(2 ** (tries - 1), 240) * MINUTE_MS;

/**
 * Creates an outbox over a table.
 *
 * One straight story: claiming, delivering, recording and cleaning up share the settings and the lanes.
 */
export function createOutbox<Row extends OutboxRow, Result extends Outcome>(
  settings: OutboxSettings<Row, Result>,
): Outbox {
  const { table, lanes, leaseMs, recordMs, withAccess, deliver, columnsOf } = settings;
  const busyLanes = new Set<string>();
  let lastClaim: Promise<unknown> = Promise.resolve();

  /**
   * Claims a row for the time of an attempt: the one that has waited longest. With lanes, it is one of a lane that is
   * not busy, and lanes that were served go after the others, the latest last.
   */
  const claim = (context: Context, servedLanes: readonly string[]): Promise<Row | undefined> =>
    withAccess(context, undefined, async (writer) => {
      const now = context.now();
      const due = writer
        .select({ id: table.id })
        .from(table as PgTable)
        .where(
          and(
            eq(table.state, 'queued'),
            lte(table.tryAt, now),
            lanes && busyLanes.size > 0 ? notInArray(lanes.column, [...busyLanes]) : undefined,
          ),
        )
        .orderBy(
          ...(lanes && servedLanes.length > 0
            ? [sql`array_position(${sql.param([...servedLanes])}::text[], ${lanes.column}) nulls first`]
            : []),
          table.tryAt,
        )
        .limit(1)
        .for('update', { skipLocked: true });
      const [row] = await writer
        .update(table as PgTable)
        .set({ attempts: sql`${table.attempts} + 1`, tryAt: new Date(now.getTime() + leaseMs) })
        .where(eq(table.id, sql`(${due})`))
        .returning();
      return row as Row | undefined;
    });

  /** Claims a row and its lane. Claims of this process go one after another, so that no lane is claimed twice. */
  function claimLane(context: Context, servedLanes: readonly string[]): Promise<Row | undefined> {
    if (!lanes) return claim(context, servedLanes);
    const result = lastClaim.then(async () => {
      const row = await claim(context, servedLanes);
      if (row) busyLanes.add(lanes.of(row));
      return row;
    });
    lastClaim = result.catch(() => undefined);
    return result;
  }

  async function send(context: Context, row: Row): Promise<void> {
    try {
      await record(context, row, await deliver(context, row, () => markSending(context, row)));
    } finally {
      if (lanes) busyLanes.delete(lanes.of(row));
    }
  }

  /** Matches the claimed attempt, not a later one of the same row. */
  const isOurs = (row: Row) => and(eq(table.id, row.id), eq(table.attempts, row.attempts));

  async function markSending(context: Context, row: Row): Promise<void> {
    const rows = await withAccess(context, row, (writer) =>
      writer
        .update(table as PgTable)
        .set({ state: 'sending' })
        .where(and(isOurs(row), eq(table.state, 'queued')))
        .returning({ id: table.id }),
    );
    if (rows.length === 0) throw new Error('Its time was over; somebody else has it.');
  }

  /**
   * Writes the outcome. Only this process knows it, and a delayed row that stayed in `sending` would never be sent
   * again. So it repeats the write while the database is unreachable.
   */
  async function record(context: Context, row: Row, outcome: Result): Promise<void> {
    const until = performance.now() + recordMs;
    for (;;) {
      try {
        await withAccess(context, row, (writer) =>
          writer
            .update(table as PgTable)
            .set({ ...toColumns(row, outcome, context.now()), ...columnsOf?.(row, outcome) })
            .where(and(isOurs(row), inArray(table.state, ['queued', 'sending']))),
        );
        return;
      } catch (error) {
        if (!isDatabaseDown(error) || performance.now() > until) throw error;
        await wait(RECORD_PAUSE_MS);
      }
    }
  }

  return {
    async sendDue(context, signal) {
      const until = context.now().getTime() + RUN_MS;
      const attempts = new Set<Promise<void>>();
      const failures: unknown[] = [];
      let servedLanes: string[] = [];
      while (!signal?.aborted && failures.length === 0 && context.now().getTime() < until) {
        const isFull = attempts.size >= (lanes ? MAX_LANES : 1);
        // An attempt that ends during the claim frees a lane that the claim still passed over.
        const isLastClaim = attempts.size === 0;
        const row = isFull ? undefined : await claimLane(context, servedLanes);
        if (row) {
          const attempt = send(context, row)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => attempts.delete(attempt));
          attempts.add(attempt);
          const lane = lanes?.of(row);
          if (lane !== undefined) servedLanes = [...servedLanes.filter((one) => one !== lane), lane];
        } else if (isLastClaim) {
          return;
        } else if (attempts.size > 0) {
          await Promise.race([...attempts, wait(LANE_POLL_MS, undefined, { ref: false })]);
        }
      }
      await Promise.all(attempts);
      if (failures.length > 0) throw failures[0];
    },

    async giveUpBroken(context, reason) {
      await withAccess(context, undefined, (writer) =>
        writer
          .update(table as PgTable)
          .set({ state: 'unknown', lastError: reason })
          .where(and(eq(table.state, 'sending'), lte(table.tryAt, context.now()))),
      );
    },
  };
}

function toColumns({ attempts }: OutboxRow, outcome: Outcome, now: Date): object {
  switch (outcome.state) {
    case 'sent':
      return { state: 'sent', sentAt: now, lastError: null };
    case 'kept':
      return { state: 'kept', lastError: null };
    case 'unknown':
      return { state: 'unknown', lastError: outcome.reason };
    case 'refused':
      return { state: 'failed', lastError: outcome.reason };
    case 'delayed':
      if (attempts >= MAX_TRIES) return { state: 'failed', lastError: outcome.reason };
      return {
        state: 'queued',
        tryAt: new Date(now.getTime() + retryDelayMs(attempts)),
        lastError: outcome.reason,
      };
  }
}
