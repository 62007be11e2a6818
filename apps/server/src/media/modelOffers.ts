/** Which background models the servers of one database run for each other, as rows of `model_offers`. */
import { eq, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import type { BackgroundModel } from '../platform/ports/backgroundModels.ts';
import { modelOffers } from './tables.ts';

/** The offers of all servers, as one server uses them. */
export interface ModelOffers {
  /** Replaces the offers of this server. They hold for a minute. Calls take effect in their order. */
  offer(models: readonly BackgroundModel[]): Promise<void>;
  /** Lists the models that some server offers. */
  list(): Promise<BackgroundModel[]>;
}

/** How often a server has to repeat its offers. */
export const OFFER_EVERY_MS = 20_000;
const LEASE_MS = 3 * OFFER_EVERY_MS;
const NOW = sql`clock_timestamp()`;

/** Sends no query yet. */
export function openModelOffers(db: Db, server: string): ModelOffers {
  const leaseUntil = sql`${NOW} + ${LEASE_MS} * interval '1 millisecond'`;
  let last: Promise<unknown> = Promise.resolve();

  const write = (models: readonly BackgroundModel[]): Promise<void> =>
    db.transaction(async (tx) => {
      await tx.delete(modelOffers).where(or(eq(modelOffers.server, server), lt(modelOffers.leaseUntil, NOW)));
      const rows = models.map(({ name, id, side }) => ({ server, name, id, side, leaseUntil }));
      if (rows.length > 0) await tx.insert(modelOffers).values(rows);
    });

  return {
    offer(models) {
      const turn = last.then(() => write(models));
      last = turn.catch(() => {});
      return turn;
    },
    list: () =>
      db
        .selectDistinct({ name: modelOffers.name, id: modelOffers.id, side: modelOffers.side })
        .from(modelOffers)
        .where(sql`${modelOffers.leaseUntil} > ${NOW}`),
  };
}
