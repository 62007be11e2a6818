/**
 * Leases on the rows of a table: how servers of one database share work, and what becomes of it when one ends in the
 * middle. A server that claims a row holds it for a limited time, and renews that while it works. When the time is
 * over, the server has ended, and another one may claim the row.
 *
 * All times are those of the database, so the clocks of the servers do not matter. Each claim has a number, the run: a
 * server that lost its lease speaks of an earlier run, and nobody hears it.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** The columns of a table of work. Its states may be more than these two. */
interface WorkTable {
  readonly id: PgColumn;
  /** `waiting` until a server claims the row, then `running`. */
  readonly state: PgColumn;
  /** The number of claims. */
  readonly run: PgColumn;
  readonly holder: PgColumn;
  readonly holderLeaseUntil: PgColumn;
}

/** A claim of a row. */
export interface RunKey {
  readonly id: string;
  /** From 1; counts on when the row is claimed again. */
  readonly run: number;
}

/** Parts of statements on the table, as one server writes them. */
export interface Leases {
  /** The end of a lease that begins now. */
  readonly leaseEnd: SQL;
  /** Assignments that claim a row for this server. */
  readonly claim: SQL;
  /** True for a row that this server works on, in any of its runs. */
  readonly isOurs: SQL;
  /** True for the row of this claim, while the claim counts. */
  isHeld(key: RunKey): SQL;
  /** Assignments that put a row back which this server cannot end: the run does not count. */
  readonly giveBack: SQL;
}

/** A server is missed after this time. It renews its leases three times in it. */
export const LEASE_MS = 15_000;
/** The time of the database, also within a transaction. */
export const NOW = sql`clock_timestamp()`;

/** True for a row that nobody works on. */
export const isFree = (table: WorkTable): SQL =>
  sql`(${table.state} = 'waiting' or ${table.state} = 'running' and ${table.holderLeaseUntil} <= ${NOW})`;

/** Returns the statements' parts for the server of this name. */
export function createLeases(table: WorkTable, server: string, leaseMs: number = LEASE_MS): Leases {
  const leaseEnd = sql`${NOW} + ${leaseMs} * interval '1 millisecond'`;
  const isOurs = sql`${table.holder} = ${server} and ${table.state} = 'running'`;
  return {
    leaseEnd,
    claim: sql`state = 'running', run = run + 1, holder = ${server}, holder_lease_until = ${leaseEnd}`,
    isOurs,
    isHeld: ({ id, run }) => sql`${table.id} = ${id} and ${table.run} = ${run} and ${isOurs}`,
    giveBack: sql`state = 'waiting', run = run - 1, holder = null`,
  };
}
