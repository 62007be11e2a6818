/** Columns that many tables have. Times are timestamptz in UTC. */
import { timestamp } from 'drizzle-orm/pg-core';

/** A column for a point in time, read and written as a `Date`. */
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
export const createdAt = () => time('created_at').notNull().defaultNow();
