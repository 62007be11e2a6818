/** The whole server for a test: a fresh database, a temporary folder, real worker processes when a call needs one. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import pino, { type DestinationStream } from 'pino';
import { inject } from 'vitest';
import { createApp } from '../src/app.ts';
import { createTestPayments } from '../src/billing/testPayments.ts';
import { readConfig } from '../src/config.ts';
import { createOutboxTransport } from '../src/mail/outboxTransport.ts';
import { openBackgroundModels } from '../src/media/models.ts';
import { createPool } from '../src/media/pool.ts';
import type { Context, PasswordCost } from '../src/platform/context.ts';
import { type Db, openDatabase } from '../src/platform/database.ts';
import { openDiskFiles } from '../src/platform/files.ts';
import { JOBS_SCHEMA, openJobs } from '../src/platform/jobs.ts';
import { createLog } from '../src/platform/log.ts';
import type { MailTransport } from '../src/platform/ports/mailTransport.ts';
import type { MediaPool } from '../src/platform/ports/mediaPool.ts';
import type { Payments } from '../src/platform/ports/payments.ts';
import { createSignedUrls } from '../src/platform/signedUrls.ts';
import { backgroundJobs } from '../src/schedule.ts';
import { createVectorizerService } from '../src/tracing/vectorizerService.ts';
import { modelWorkerProgram, workerProgram } from './builtServer.ts';

const ORIGIN = 'http://studio.test';
/**
 * On a busy machine, hundreds of calls at once wait longer for the database than a person should. That nobody has to
 * is proven of `openDatabase` and of the program; the tests of this server ask what is answered in the end.
 */
const PATIENCE = { connectionTimeoutMillis: 60_000, statement_timeout: 60_000, query_timeout: 60_000 };

/** The least that argon2 takes: a test signs up without a thought. */
export const CHEAP_PASSWORDS: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export interface TestApp {
  readonly app: FastifyInstance;
  readonly context: Context;
  /** All there is, past row-level security. */
  readonly seeAll: Db;
  /** Moves the server's clock; it stands still otherwise only when set. */
  setNow(now: Date): void;
  /** Creates an account and gives the header that signs its calls. */
  signUp(email?: string): Promise<{ authorization: string }>;
  /** A second server on the same database, with connections of its own; closed with the first. */
  openSecond(): Promise<{ app: FastifyInstance; context: Context }>;
  /** Call it in `afterAll`. */
  close(): Promise<void>;
}

export interface TestOptions {
  /** Settings as in the environment. */
  readonly environment?: Record<string, string>;
  readonly callsAMinute?: number;
  /** Where log lines go; nowhere by default. */
  readonly logTo?: DestinationStream;
  /** Stands in for the worker processes, when a test is about something else. */
  readonly media?: MediaPool;
  /** The folder with the background models; an empty one by default. */
  readonly models?: string;
  /** Stands in for the test checkout. */
  readonly payments?: Payments;
  /** Stands in for the outbox. */
  readonly mail?: MailTransport;
  /** Between two traces of one caller; without, they follow one another at once. */
  readonly vectorizerPaceMs?: Context['vectorizerPaceMs'];
  /** Cheap by default. */
  readonly passwordCost?: PasswordCost;
  /**
   * Whether the server's database user is one whom row-level security binds everywhere, as it may be on a server of
   * one's own.
   */
  readonly isBound?: boolean;
  /** Whether what the server does by itself is done; it is not by default, and a test does it by its own call. */
  readonly jobs?: boolean;
}

export async function createTestApp(options: TestOptions = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'markwright-app-'));
  const config = readConfig({ WORKERS: '2', ...options.environment, DATA_DIR: folder });
  const log = options.logTo ? createLog('info', options.logTo) : pino({ level: 'silent' });
  const database = await createDatabase();
  const connection = { ...database.connection, ...PATIENCE };
  const bound = options.isBound ? { ...connection, options: `-c role=${await database.bind()}` } : undefined;
  const opened = openDatabase(bound ?? connection, () => {});
  const past = bound && openDatabase(connection, () => {}, 2);

  let pool = options.media;
  let now: Date | undefined;
  const clock = (): Date => now ?? new Date();
  const files = await openDiskFiles(join(folder, 'files'));
  const urls = createSignedUrls(randomBytes(32), clock);
  const payments = options.payments ?? createTestPayments({ db: opened.db, origin: ORIGIN, now: clock });
  const mail = options.mail ?? createOutboxTransport();
  const jobs = openJobs(database.connection, opened, log);
  const vectorizer = config.vectorizer && createVectorizerService({ ...config.vectorizer, restMs: 0 });
  const backgroundModels = await openBackgroundModels({
    folder: options.models ?? join(folder, 'models'),
    modelPath: config.modelPath,
    workers: config.workers,
    log,
    pool: modelWorkerProgram,
  });
  const depsOn = (db: Db): Context => ({
    config,
    log,
    db,
    files,
    // Processes are started by the first test that needs one.
    get media() {
      pool ??= createPool({ ...workerProgram, size: config.workers, log });
      return pool;
    },
    backgroundModels,
    urls,
    payments,
    passwordCost: options.passwordCost ?? CHEAP_PASSWORDS,
    mail,
    jobs,
    vectorizer,
    vectorizerPaceMs: options.vectorizerPaceMs ?? { free: 0, paid: 0 },
    origin: ORIGIN,
    now: clock,
  });
  const context = depsOn(opened.db);
  const cookieSecret = randomBytes(32);
  const callsAMinute = options.callsAMinute ?? 100_000;
  const app = await createApp(context, { cookieSecret, checkDatabase: opened.check, callsAMinute });
  const closers: (() => Promise<void>)[] = [];

  if (options.jobs) await context.jobs.start(backgroundJobs(context));

  let people = 0;
  return {
    app,
    context,
    seeAll: (past ?? opened).db,
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
    async openSecond() {
      const own = openDatabase(connection, () => {});
      const beside = depsOn(own.db);
      const second = await createApp(beside, { cookieSecret, checkDatabase: own.check, callsAMinute });
      closers.push(
        () => second.close(),
        () => own.close(),
      );
      return { app: second, context: beside };
    },
    async close() {
      for (const closer of closers) await closer();
      await app.close();
      await context.jobs.stop(5_000);
      await pool?.close();
      await backgroundModels.close();
      await opened.close();
      await past?.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A copy of the migrated, empty database. */
export async function createDatabase(): Promise<{
  connection: pg.ClientConfig;
  /** Makes a role that may do everything in it and is no superuser; gives its name. */
  bind: () => Promise<string>;
  drop: () => Promise<void>;
}> {
  const template = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const asOwner = async (statement: string, database = 'postgres'): Promise<void> => {
    const client = new pg.Client({ ...template, database });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await asOwner(`create database ${name} template ${template.database}`);
  await asOwner(`alter database ${name} set synchronous_commit = off`); // nobody pulls this plug
  return {
    connection: { ...template, database: name },
    async bind() {
      const schemas = `public, ${JOBS_SCHEMA}`;
      await asOwner(
        `create role ${name};
         grant usage on schema ${schemas} to ${name};
         grant all on all tables in schema ${schemas} to ${name};
         grant all on all sequences in schema ${schemas} to ${name};
         grant markwright_company to ${name}`,
        name,
      );
      return name;
    },
    async drop() {
      await asOwner(`drop database ${name} with (force)`);
      await asOwner(`drop role if exists ${name}`);
    },
  };
}

/** A multipart body for `inject`: `{ ...(await formOf(...)) }` gives payload and headers. */
export async function formOf(
  fields: Record<string, string | { bytes: Uint8Array; filename: string; mediaType: string }>,
): Promise<{ payload: Buffer; headers: { 'content-type': string } }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value.bytes)], { type: value.mediaType }), value.filename);
  }
  const encoded = new Response(form);
  return {
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type')! },
  };
}
