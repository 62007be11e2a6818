/**
 * The transactional outbox: what is to be sent is written to a table in the transaction it tells of, and sent by a job
 * after the commit. Mails and webhooks both use it.
 *
 * Any number of servers may send at once: a try claims its row for a limited time (a lease), and writes the outcome
 * only while the row is still at that try. Retries happen here alone: the job queue that calls `sendDue` repeats no
 * failed job.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Context } from './context.ts';
import { type Db, isDatabaseDown } from './database.ts';

/**
 * What became of one try. `kept`: there is nobody to give it to. `delayed`: not taken now, but perhaps later.
 * `refused`: never taken. `unknown`: the connection broke after the content began to leave, so it may have arrived; it
 * is not sent again.
 */
export type Outcome =
  | { readonly state: 'sent' | 'kept' }
  | { readonly state: 'delayed' | 'refused' | 'unknown'; readonly reason: string };

export interface OutboxRow {
  readonly id: string;
  /** Tries so far, the present one included. */
  readonly attempts: number;
}

/** `tryAt` of a queued row says when it is tried next; while a try runs, when its lease ends. */
type OutboxTable = PgTable & {
  readonly id: PgColumn;
  readonly state: PgColumn;
  readonly attempts: PgColumn;
  readonly tryAt: PgColumn;
};
type Writer = Pick<Db, 'select' | 'update'>;

interface OutboxSettings<Row extends OutboxRow, Result extends Outcome> {
  readonly table: OutboxTable;
  /** How long one try may take, longer than `deliver` does. */
  readonly leaseMs: number;
  /** How long the outcome is written again while the database is away; together with `deliver` within the lease. */
  readonly recordMs: number;
  /** Runs a statement on the table where the row may be seen; without a row, where all rows may. */
  withAccess<T>(context: Context, row: Row | undefined, work: (writer: Writer) => Promise<T>): Promise<T>;
  /**
   * Tries to send. When it throws, the row is tried again after its lease. A sender that cannot tell whether
   * broken-off content arrived awaits `markSending` right before the first byte leaves; a row whose server ends after
   * that is not sent again.
   */
  deliver(context: Context, row: Row, markSending: () => Promise<void>): Promise<Result>;
  /** Returns the columns of the table that are written with an outcome besides those of every outbox. */
  columnsOf?(row: Row, outcome: Result): object;
}

export interface Outbox {
  /**
   * Sends, one after another, what is due, until nothing is, four minutes are over or the signal is aborted. Any
   * number of callers may do so at once.
   */
  sendDue(context: Context, signal?: AbortSignal): Promise<void>;
  /** Gives up rows whose server ended while their content left: the outcome is unknown. */
  giveUpBroken(context: Context, reason: string): Promise<void>;
}

const MINUTE_MS = 60_000;
/** A run ends before its job counts as hung; what is left waits for the next minute's run. */
const RUN_MS = 4 * MINUTE_MS;
const RECORD_PAUSE_MS = 500;
export const MAX_TRIES = 14;

/** Returns the pause after a try: 1, 2, 4, … 128 minutes, then four hours. The last try comes a day after the first. */
export const retryDelayMs = (tries: number): number => Math.min(2 ** (tries - 1), 240) * MINUTE_MS;

export function createOutbox<Row extends OutboxRow, Result extends Outcome>(
  settings: OutboxSettings<Row, Result>,
): Outbox {
  const { table, leaseMs, recordMs, withAccess, deliver, columnsOf } = settings;

  /** Claims the row that has waited longest, for the time of a try. */
  const claim = (context: Context): Promise<Row | undefined> =>
    withAccess(context, undefined, async (writer) => {
      const now = context.now();
      const due = writer
        .select({ id: table.id })
        .from(table as PgTable)
        .where(and(eq(table.state, 'queued'), lte(table.tryAt, now)))
        .orderBy(table.tryAt)
        .limit(1)
        .for('update', { skipLocked: true });
      const [row] = await writer
        .update(table as PgTable)
        .set({ attempts: sql`${table.attempts} + 1`, tryAt: new Date(now.getTime() + leaseMs) })
        .where(eq(table.id, sql`(${due})`))
        .returning();
      return row as Row | undefined;
    });

  /** True for the try that was claimed, not for a later one of the same row. */
  const isOurs = (row: Row) => and(eq(table.id, row.id), eq(table.attempts, row.attempts));

  async function markSending(context: Context, row: Row): Promise<void> {
    const marked = await withAccess(context, row, (writer) =>
      writer
        .update(table as PgTable)
        .set({ state: 'sending' })
        .where(and(isOurs(row), eq(table.state, 'queued')))
        .returning({ id: table.id }),
    );
    if (marked.length === 0) throw new Error('Its time was over; somebody else has it.');
  }

  /**
   * Writes the outcome. Only this process knows it, and a delayed row that stayed in `sending` would never be sent: so
   * it is written again while the database is away.
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
      while (!signal?.aborted && context.now().getTime() < until) {
        const row = await claim(context);
        if (!row) return;
        await record(context, row, await deliver(context, row, () => markSending(context, row)));
      }
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
