/** The whole server for a test: a fresh database, a temporary folder, real worker processes when a call needs one. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messages } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import pino, { type DestinationStream } from 'pino';
import { inject } from 'vitest';
import { users } from '../src/accounts/tables.ts';
import { createApp } from '../src/app.ts';
import { createNoPayments } from '../src/billing/noPayments.ts';
import { createTestPayments } from '../src/billing/testPayments.ts';
import { readConfig } from '../src/config.ts';
import { createOutboxTransport } from '../src/mail/outboxTransport.ts';
import { createMeter, meterMediaPool } from '../src/media/meteredPool.ts';
import { openBackgroundModels } from '../src/media/models.ts';
import { createPool } from '../src/media/pool.ts';
import type { PoolRunOptions } from '../src/media/workerProcess.ts';
import { APP_ROLE } from '../src/platform/appRole.ts';
import type { Context, PasswordCost } from '../src/platform/context.ts';
import { type Db, openDatabase } from '../src/platform/database.ts';
import { type FileStore, openDiskFiles } from '../src/platform/files.ts';
import { pairInstallation } from '../src/platform/installation.ts';
import { openJobs } from '../src/platform/jobs.ts';
import { createLog } from '../src/platform/log.ts';
import { openNotifications } from '../src/platform/notifications.ts';
import type { MailTransport } from '../src/platform/ports/mailTransport.ts';
import type { MediaJobs } from '../src/platform/ports/mediaJobs.ts';
import type { MediaPool, Pool } from '../src/platform/ports/mediaPool.ts';
import type { Payments } from '../src/platform/ports/payments.ts';
import { createSecretBox } from '../src/platform/secretBox.ts';
import { createSignedUrls } from '../src/platform/signedUrls.ts';
import { noSpans, type Spans, traceFiles, traceMedia } from '../src/platform/spans.ts';
import { countFiles } from '../src/platform/storage.ts';
import { backgroundJobs } from '../src/schedule.ts';
import { createVectorizerService } from '../src/tracing/vectorizerService.ts';
import { modelWorkerProgram, workerProgram } from './builtServer.ts';

const ORIGIN = 'http://studio.test';
/**
 * Timeouts for hundreds of simultaneous calls on a busy machine, which wait longer for the database than a person
 * should. Tests of `openDatabase` and of the program check the real timeouts; tests of this server check the final
 * replies.
 */
const LONG_TIMEOUTS = { connectionTimeoutMillis: 60_000, statement_timeout: 60_000, query_timeout: 60_000 };
/** And for whole calls; `callLimits.test.ts` checks theirs. */
const LONG_CALLS = { callMs: 120_000 };

/** Everybody in a test calls from one address, and a slow machine uses more processor time. */
const NO_BUDGETS = { GUEST_PROCESSOR_SECONDS: '0', NETWORK_PROCESSOR_SECONDS: '0', ACCOUNT_PROCESSOR_SECONDS: '0' };

/** The least cost of argon2, because most tests sign up. */
export const CHEAP_PASSWORDS: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

type UserRow = typeof users.$inferSelect;

export interface TestApp {
  readonly app: FastifyInstance;
  readonly context: Context;
  /** The database as its owner sees it: without row-level security, and with every right. */
  readonly seeAll: Db;
  /** Stops the server's clock at a moment; without one, lets it run again. */
  setNow(now?: Date): void;
  /** Creates an account and returns the header that authorizes its calls. */
  signUp(email?: string): Promise<{ authorization: string }>;
  /** Puts the account of these headers on a plan that is paid for, and returns its id. */
  takePlan(headers: Record<string, string>, plan: UserRow['subscriptionPlan']): Promise<number>;
  /** Starts a second server on the same database, with its own connections. It is closed with the first. */
  openSecond(): Promise<{ app: FastifyInstance; context: Context }>;
  /** Call it in `afterAll`. */
  close(): Promise<void>;
}

export interface TestOptions {
  /** Settings, as in the environment. */
  readonly environment?: Record<string, string>;
  readonly callsAMinute?: number;
  /** The destination of the log; none by default. */
  readonly logTo?: DestinationStream;
  /** Replaces the worker processes, when a test is about something else. */
  readonly media?: MediaPool;
  /** The folder with the background models; an empty one by default. */
  readonly models?: string;
  /** Replaces the test checkout. */
  readonly payments?: Payments;
  /** Replaces the disk. */
  readonly files?: FileStore;
  /** Replaces the outbox. */
  readonly mail?: MailTransport;
  /** The minimum time between two traces of one caller; 0 by default. */
  readonly vectorizerPaceMs?: Context['vectorizerPaceMs'];
  /** Traces; off by default. They are closed with the app. */
  readonly spans?: Spans;
  /** The least cost by default. */
  readonly passwordCost?: PasswordCost;
  /** True when the background jobs run. By default they do not, and a test runs them by its own call. */
  readonly jobs?: boolean;
}

export async function createTestApp(options: TestOptions = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'markwright-app-'));
  const config = readConfig({ WORKERS: '2', ...NO_BUDGETS, ...options.environment, DATA_DIR: folder });
  const log = options.logTo ? createLog('info', options.logTo) : pino({ level: 'silent' });
  const database = await createDatabase();
  const connection = { ...database.connection, ...LONG_TIMEOUTS };
  const spans = options.spans ?? noSpans;
  const openedDatabase = openDatabase(connection, () => {}, undefined, spans);
  const unboundDatabase = openDatabase({ ...database.ownerConnection, ...LONG_TIMEOUTS }, () => {}, 2);

  let media = options.media;
  let now: Date | undefined;
  const clock = (): Date => now ?? new Date();
  const store = options.files ?? (await openDiskFiles(join(folder, 'files')));
  const keys = { current: randomBytes(32), older: [], place: 'a test', isReplaceable: true };
  await pairInstallation(openedDatabase.db, store, keys);
  const urls = createSignedUrls([randomBytes(32)], clock);
  const payments =
    options.payments ??
    (config.hasTestCheckout
      ? createTestPayments({ db: openedDatabase.db, origin: ORIGIN, now: clock })
      : createNoPayments());
  const mail = options.mail ?? createOutboxTransport();
  const notifications = openNotifications(database.connection, log);
  const jobs = openJobs({ db: openedDatabase.db, listen: notifications.listen, log, spans });
  const vectorizer = config.vectorizer && createVectorizerService({ ...config.vectorizer, restMs: 0 });
  const meter = createMeter({ db: openedDatabase.db, now: clock, log, budgetSeconds: config.processorSeconds });
  const backgroundModels = await openBackgroundModels({
    folder: options.models ?? join(folder, 'models'),
    modelPath: config.modelPath,
    workers: config.workers,
    log,
    meter,
    pool: modelWorkerProgram,
  });
  const secretBox = createSecretBox([randomBytes(32)]);
  const contextOn = (db: Db): Context => ({
    config,
    log,
    db,
    files: countFiles(traceFiles(store, spans), db, {
      now: clock,
      limits: config.storage,
      refusals: { guests: messages.guestStorageFull, total: messages.siteStorageFull },
    }),
    get media() {
      media ??= traceMedia(meterMediaPool(openSharedPool(), config, meter), spans);
      return media;
    },
    backgroundModels,
    urls,
    payments,
    secretBox,
    passwordCost: options.passwordCost ?? CHEAP_PASSWORDS,
    mail,
    jobs,
    spans,
    vectorizer,
    vectorizerPaceMs: options.vectorizerPaceMs ?? { free: 0, paid: 0 },
    origin: ORIGIN,
    now: clock,
  });
  const context = contextOn(openedDatabase.db);
  const cookieSecrets = [randomBytes(32)];
  const callsAMinute = options.callsAMinute ?? 100_000;
  const appOptions = { cookieSecrets, callsAMinute, callLimits: LONG_CALLS };
  const app = await createApp(context, { ...appOptions, checkDatabase: openedDatabase.check });
  const shutdownTasks: (() => Promise<void>)[] = [];

  if (options.jobs) await context.jobs.start(backgroundJobs(context));

  let people = 0;
  return {
    app,
    context,
    seeAll: unboundDatabase.db,
    setNow(to) {
      now = to;
    },
    async signUp(email = `maker${++people}@example.com`) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/auth/signup',
        payload: { email, password: 'walnut-board' },
      });
      if (answer.statusCode !== 200) throw new Error(`sign-up: ${answer.statusCode} ${answer.body}`);
      return { authorization: `Bearer ${answer.json<{ token: string }>().token}` };
    },
    async takePlan(headers, plan) {
      const { id } = (await app.inject({ url: '/api/auth/me', headers })).json<{ id: number }>();
      const subscription = { subscriptionPlan: plan, subscriptionStatus: 'active' } as const;
      await unboundDatabase.db.update(users).set(subscription).where(eq(users.id, id));
      return id;
    },
    async openSecond() {
      const own = openDatabase(connection, () => {});
      const secondContext = contextOn(own.db);
      const second = await createApp(secondContext, { ...appOptions, checkDatabase: own.check });
      shutdownTasks.push(
        () => second.close(),
        () => own.close(),
      );
      return { app: second, context: secondContext };
    },
    async close() {
      for (const runTask of shutdownTasks) await runTask();
      await app.close();
      await context.jobs.stop(5_000);
      await notifications.close();
      await spans.close();
      await backgroundModels.close();
      await openedDatabase.close();
      await unboundDatabase.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let sharedPool: Pool<MediaJobs, PoolRunOptions> | undefined;

/**
 * Returns the worker processes of this test process: the first test that needs one starts them, and its other files
 * use them too. A process costs 0.3 s to start. They end with the test process.
 */
function openSharedPool(): Pool<MediaJobs, PoolRunOptions> {
  sharedPool ??= createPool({ ...workerProgram, size: 2, log: pino({ level: 'silent' }) });
  return sharedPool;
}

/** Creates a copy of the migrated, empty database. */
export async function createDatabase(): Promise<{
  /** Connects as the role of the running server. */
  connection: pg.ClientConfig;
  ownerConnection: pg.ClientConfig;
  drop: () => Promise<void>;
}> {
  const template = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const asOwner = (statement: string) => openOwnerPool().query(statement);
  await asOwner(`create database ${name} template ${template.database}`);
  const ownerConnection = { ...template, database: name };
  return {
    connection: { ...ownerConnection, user: APP_ROLE },
    ownerConnection,
    async drop() {
      await asOwner(`drop database ${name} with (force)`);
    },
  };
}

/** Returns what a database throws that cannot be reached: an error of any other origin is not taken for one. */
export async function absentDatabaseError(): Promise<unknown> {
  const nowhere = openDatabase({ host: '/nowhere', user: 'x', database: 'x' }, () => {}, 1);
  const error: unknown = await nowhere.check().catch((reason: unknown) => reason);
  await nowhere.close();
  return error;
}

let ownerPool: pg.Pool | undefined;

/** Returns the connection by which this test process creates and drops databases. It ends with the process. */
function openOwnerPool(): pg.Pool {
  if (!ownerPool) {
    ownerPool = new pg.Pool({ ...inject('postgres'), database: 'postgres', max: 1, allowExitOnIdle: true });
    ownerPool.on('error', () => {}); // the run has ended, and with it the database
  }
  return ownerPool;
}

/** Returns a multipart body for `inject`: `{ ...(await formOf(...)) }` is payload and headers. */
export async function formOf(
  fields: Record<string, string | { bytes: Uint8Array; filename: string; mediaType: string }>,
): Promise<{ payload: Buffer; headers: { 'content-type': string } }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value.bytes)], { type: value.mediaType }), value.filename);
  }
  const encodedForm = new Response(form);
  return {
    payload: Buffer.from(await encodedForm.arrayBuffer()),
    headers: { 'content-type': encodedForm.headers.get('content-type')! },
  };
}
