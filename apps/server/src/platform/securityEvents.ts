/**
 * Security events: sign-ins, refusals, and changes of passwords, plans, roles, second factors and keys. Each is one
 * line of the log, and a row that the portal shows for 90 days. An event holds no password, token, code or key.
 */
import { SECURITY_EVENT_DAYS, type SecurityEventKind } from '@markwright/contract';
import { lt } from 'drizzle-orm';
import type { Context } from './context.ts';
import type { Db } from './database.ts';
import { newId } from './ids.ts';
import { isWithinRateLimit } from './rateLimit.ts';
import { securityEvents } from './tables.ts';

/** An event for the log and the portal. */
export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  /** The action, as the log names it: `password`, `tooManyTries`, `renewed`. */
  readonly action: string;
  /** The account; `undefined` for an address that has none. */
  readonly userId: number | undefined;
  readonly email: string;
  /** The network address of the caller; empty where nobody called, as for a notice of the payment provider. */
  readonly address: string;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
/** Strangers cause refusals, so at most this number of an action is stored an hour. The log has all of them. */
const REFUSALS_AN_HOUR = 600;

/** Records an event. Pass the transaction of the change as `writer`: neither is stored without the other. */
export async function recordSecurityEvent(
  context: Pick<Context, 'log' | 'now'>,
  writer: Pick<Db, 'insert'>,
  { kind, action, userId, email, address, detail }: SecurityEvent,
): Promise<void> {
  const row = { kind, action, userId: userId ?? null, email, address, detail: detail ?? null };
  await writer.insert(securityEvents).values({ id: newId(), ...row, createdAt: context.now() });
  writeLine(context, `${kind}.${action}`, { userId, address, detail });
}

/** Writes an event to the log, which names accounts by their number: a stranger chooses the email address of a try. */
function writeLine(
  { log }: Pick<Context, 'log'>,
  securityEvent: string,
  fields: Pick<SecurityEvent, 'userId' | 'address' | 'detail'>,
): void {
  log.info({ securityEvent, ...fields }, 'security event');
}

/** Records that somebody was refused. */
export async function recordRefusal(
  context: Pick<Context, 'log' | 'now' | 'db'>,
  refusal: Omit<SecurityEvent, 'kind'>,
): Promise<void> {
  const { action, userId, address } = refusal;
  const limit = { key: `refusals ${action}`, limit: REFUSALS_AN_HOUR, windowMs: HOUR_MS };
  if (await isWithinRateLimit(context, limit)) {
    await recordSecurityEvent(context, context.db, { ...refusal, kind: 'refusal' });
  } else {
    writeLine(context, `refusal.${action}`, { userId, address });
  }
}

/** Deletes the events of more than 90 days ago. */
export async function sweepSecurityEvents(context: Context): Promise<void> {
  const firstKept = new Date(context.now().getTime() - SECURITY_EVENT_DAYS * DAY_MS);
  await context.db.delete(securityEvents).where(lt(securityEvents.createdAt, firstKept));
}
