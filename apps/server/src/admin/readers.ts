/**
 * The administrator's lists: audit trail, security events, feedback, waitlist, users, overview. They never show
 * passwords or tokens.
 */
import {
  type AuditEntry,
  type admin,
  type CallQuery,
  grantsPlan,
  type Overview,
  PLAN_IDS,
  type ReadFeedback,
  type SecurityEventEntry,
  type UserEntry,
  type WaitlistEntry,
} from '@markwright/contract';
import { and, desc, eq, gte, inArray, lt, max, ne, sql } from 'drizzle-orm';
import { ADMIN_ID } from '../accounts/sessions.ts';
import { sessions, users } from '../accounts/tables.ts';
import { calendarMonth } from '../allowances/periods.ts';
import { usage } from '../allowances/tables.ts';
import { feedback, waitlist } from '../feedback/tables.ts';
import { coalesce } from '../platform/coalesce.ts';
import type { Context } from '../platform/context.ts';
import { cutPage, isBeyond, PAGE, readPage } from '../platform/paging.ts';
import { auditTrail, securityEvents } from '../platform/tables.ts';

/** Reads the audit trail, newest first, 50 at a time. `kind` is the part of an action before the dot. */
export async function readAudit(
  context: Context,
  { before, kind }: { before?: string | undefined; kind?: string | undefined },
): Promise<{ entries: AuditEntry[]; kinds: string[]; next: string | null }> {
  const kindOf = sql<string>`split_part(${auditTrail.action}, '.', 1)`;
  const rows = await context.db
    .select()
    .from(auditTrail)
    .where(and(isBeyond(auditTrail.createdAt, auditTrail.id, before), kind ? eq(kindOf, kind) : undefined))
    .orderBy(desc(auditTrail.createdAt), desc(auditTrail.id))
    .limit(PAGE + 1);
  const kinds = await context.db.selectDistinct({ kind: kindOf }).from(auditTrail).orderBy(kindOf);
  const { page, next } = cutPage(rows, ({ id }) => id);
  return {
    entries: page.map(({ id, email, address, action, subject, detail, createdAt }) => ({
      id,
      email,
      address,
      action,
      subject,
      detail: detail ?? null,
      createdAt: createdAt.toISOString(),
    })),
    kinds: kinds.map((row) => row.kind),
    next,
  };
}

/** Reads security events, newest first, 50 at a time. `account` is the beginning of an address. */
export async function readSecurityEvents(
  context: Context,
  { before, kind, account }: CallQuery<typeof admin.securityEvents>,
): Promise<{ events: SecurityEventEntry[]; next: string | null }> {
  const prefix = account?.trim().toLowerCase();
  const rows = await context.db
    .select()
    .from(securityEvents)
    .where(
      and(
        isBeyond(securityEvents.createdAt, securityEvents.id, before),
        kind ? eq(securityEvents.kind, kind) : undefined,
        prefix ? sql`starts_with(${securityEvents.email}, ${prefix})` : undefined,
      ),
    )
    .orderBy(desc(securityEvents.createdAt), desc(securityEvents.id))
    .limit(PAGE + 1);
  const { page, next } = cutPage(rows, ({ id }) => id);
  return { events: page.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })), next };
}

/** Reads the feedback, newest first, 50 at a time. */
export async function readFeedback(
  context: Context,
  before: string | undefined,
): Promise<{ feedback: ReadFeedback[]; next: string | null }> {
  const { page, next } = await readPage(context.db, feedback, 'id', before);
  return { feedback: page.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })), next };
}

/** Reads the waitlist, newest first, 50 at a time. It leaves out the codes, which are worth money. */
export async function readWaitlist(
  context: Context,
  before: string | undefined,
): Promise<{ total: number; entries: WaitlistEntry[]; next: string | null }> {
  const { page, next } = await readPage(context.db, waitlist, 'email', before);
  const entries = page.map(({ email, createdAt, redeemedAt }) => ({
    email,
    createdAt: createdAt.toISOString(),
    redeemedAt: redeemedAt?.toISOString() ?? null,
  }));
  return { total: await context.db.$count(waitlist), entries, next };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const OVERVIEW_DAYS = 30;

/**
 * Counts users, plans, sign-ups and exports, without the administrator, who neither signed up nor pays. A plan counts
 * as it is now; days and months are in UTC. Cost: 0.15 s of the database over a million exports, once for all that ask
 * at a time.
 */
export function readOverview(context: Context): Promise<Overview> {
  const read = overviews.get(context) ?? coalesce(() => countOverview(context));
  overviews.set(context, read);
  return read();
}

const overviews = new WeakMap<Context, () => Promise<Overview>>();

async function countOverview(context: Context): Promise<Overview> {
  const today = Math.floor(context.now().getTime() / DAY_MS) * DAY_MS;
  const firstDay = new Date(today - (OVERVIEW_DAYS - 1) * DAY_MS);
  const month = calendarMonth(context.now());
  const isSomebody = ne(users.id, ADMIN_ID);
  const rowCount = sql<number>`count(*)::int`;

  const plans = await context.db
    .select({ plan: users.subscriptionPlan, status: users.subscriptionStatus, count: rowCount })
    .from(users)
    .where(isSomebody)
    .groupBy(users.subscriptionPlan, users.subscriptionStatus);
  const day = sql<string>`to_char(${users.createdAt} at time zone 'UTC', 'YYYY-MM-DD')`;
  const signUps = await context.db
    .select({ day, count: rowCount })
    .from(users)
    .where(and(isSomebody, gte(users.createdAt, firstDay)))
    .groupBy(day);
  const exports = await context.db
    .select({ kind: usage.kind, count: rowCount })
    .from(usage)
    .where(
      and(
        eq(usage.state, 'settled'),
        inArray(usage.kind, ['vector', 'mockup']),
        gte(usage.createdAt, month.start),
        lt(usage.createdAt, month.end),
      ),
    )
    .groupBy(usage.kind);

  const usersByPlan = Object.fromEntries(PLAN_IDS.map((plan) => [plan, 0])) as Overview['usersByPlan'];
  let activeSubscriptions = 0;
  for (const { plan, status, count } of plans) {
    const isPaid = plan !== 'free' && grantsPlan(status);
    usersByPlan[isPaid ? plan : 'free'] += count;
    if (isPaid) activeSubscriptions += count;
  }
  const exportsOf = (kind: 'vector' | 'mockup') => exports.find((row) => row.kind === kind)?.count ?? 0;
  return {
    usersByPlan,
    activeSubscriptions,
    signUps: Array.from({ length: OVERVIEW_DAYS }, (_, index) => {
      const name = new Date(firstDay.getTime() + index * DAY_MS).toISOString().slice(0, 10);
      return { day: name, count: signUps.find((row) => row.day === name)?.count ?? 0 };
    }),
    exportsThisMonth: { vectors: exportsOf('vector'), mockups: exportsOf('mockup') },
  };
}

/** Lists accounts whose address begins with `email`, newest first, 50 at a time. */
export async function readUsers(
  context: Context,
  { email, before }: { email?: string | undefined; before?: number | undefined },
): Promise<{ users: UserEntry[]; next: number | null }> {
  const prefix = email?.trim().toLowerCase();
  const rows = await context.db
    .select({
      id: users.id,
      email: users.email,
      plan: users.subscriptionPlan,
      status: users.subscriptionStatus,
      createdAt: users.createdAt,
      lastSeenAt: max(sessions.lastUsedAt),
    })
    .from(users)
    .leftJoin(sessions, eq(sessions.userId, users.id))
    .where(
      and(
        prefix ? sql`starts_with(${users.email}, ${prefix})` : undefined,
        before === undefined ? undefined : lt(users.id, before),
      ),
    )
    .groupBy(users.id)
    .orderBy(desc(users.id))
    .limit(PAGE + 1);
  const page = rows.slice(0, PAGE);
  return {
    users: page.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    })),
    next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null,
  };
}
