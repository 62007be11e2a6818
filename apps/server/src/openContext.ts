/**
 * The composition root: chooses the adapters. No other file decides about database, payment provider, mail server and
 * vectorizer.
 */
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { messages, VECTORIZER_PACE_MS } from '@markwright/contract';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { version } from '../package.json';
import { PASSWORD_COST } from './accounts/passwords.ts';
import { createNoPayments } from './billing/noPayments.ts';
import { createStripePayments } from './billing/stripePayments.ts';
import { createTestPayments } from './billing/testPayments.ts';
import { type Config, siteOrigin } from './config.ts';
import { createOutboxTransport } from './mail/outboxTransport.ts';
import { createSmtp } from './mail/smtp.ts';
import { createMeter, meterMediaPool } from './media/meteredPool.ts';
import { openBackgroundModels } from './media/models.ts';
import { createPool, type PoolSettings } from './media/pool.ts';
import { openSharedPool } from './media/sharedPool.ts';
import { mediaWorkerModule, modelWorkerModule } from './media/workerModules.ts';
import type { Context } from './platform/context.ts';
import { migrateDatabase, openDatabase, requireMigrations } from './platform/database.ts';
import { startEmbeddedPostgres } from './platform/embeddedPostgres.ts';
import { StartError } from './platform/errors.ts';
import { type FileStore, sweepUnfinished, WRITTEN_FOLDERS } from './platform/files.ts';
import { lockFolder } from './platform/folderLock.ts';
import { pairInstallation } from './platform/installation.ts';
import { openJobs } from './platform/jobs.ts';
import { withLock } from './platform/lock.ts';
import { openNotifications } from './platform/notifications.ts';
import { openFileStore } from './platform/openFiles.ts';
import type { MediaJobs } from './platform/ports/mediaJobs.ts';
import { setRoleTimeouts } from './platform/roleTimeouts.ts';
import { deriveKeys, readSigningKeys } from './platform/secret.ts';
import { createSecretBox } from './platform/secretBox.ts';
import { createShutdown, type Shutdown } from './platform/shutdown.ts';
import { createSignedUrls } from './platform/signedUrls.ts';
import { noSpans, type Spans, traceFiles, traceMedia } from './platform/spans.ts';
import { countFiles } from './platform/storage.ts';
import { createVectorizerService } from './tracing/vectorizerService.ts';

/** The context, and what belongs to it but to no area. */
export interface OpenedContext {
  readonly context: Context;
  readonly cookieSecrets: readonly Buffer[];
  readonly checkDatabase: () => Promise<void>;
  /** Ends jobs, workers, connections and the embedded database, in that order. */
  close(): Promise<void>;
}

/**
 * Opens everything that the settings require, and migrates the database. When a later part fails, closes what was
 * opened and throws its error: a StartError where the operator can help.
 */
export async function openContext(config: Config, log: Logger): Promise<OpenedContext> {
  const shutdown = createShutdown(log);
  try {
    makeDataDir(config.dataDir);
    const spans = await openSpans(config);
    shutdown.add('traces', spans.close);
    const { connection, ownerConnection } = await openConnection(config, log, shutdown);
    const keys = readSigningKeys(config);
    // First of all: the limits hold for connections that begin after it, and a pooler keeps those of the start.
    if (config.databaseUrl) await setRoleTimeouts(connection, ownerConnection, log);
    await (config.migrates ? migrateDatabase(ownerConnection, log) : requireMigrations(ownerConnection));
    const onBroken = (error: Error) => log.warn({ err: error }, 'a database connection broke');
    const database = openDatabase(connection, onBroken, config.databasePool, spans);
    shutdown.add('database', database.close);
    // Not as the owner of the embedded database, who works at the start alone.
    const notifications = openNotifications(config.databaseUrl ? ownerConnection : connection, log);
    shutdown.add('messages', notifications.close);

    const files = traceFiles(await openFiles(config, log, shutdown), spans);
    await withLock(ownerConnection, 'comparing files and key', log, (client) =>
      pairInstallation(drizzle(client), files, keys),
    );

    const now = (): Date => new Date();
    const meter = createMeter({ db: database.db, now, log, budgetSeconds: config.processorSeconds });
    const isWorking = config.roles.includes('media');
    // A server by itself needs no queue in the database.
    const common = config.databaseUrl
      ? { db: database.db, files, log, spans, listen: notifications.listen }
      : undefined;
    const backgroundModels = await openBackgroundModels({
      folder: join(config.dataDir, MODELS_FOLDER),
      modelPath: config.modelPath,
      workers: config.workers,
      log,
      meter,
      pool: isWorking ? modelWorkerModule() : undefined,
      common,
    });
    shutdown.add('networks', () => backgroundModels.close());
    const openProcesses = (settings: Partial<PoolSettings> = {}) =>
      createPool<MediaJobs>({ ...mediaWorkerModule(), log, size: config.workers, ...settings });
    const pool = common
      ? openSharedPool({ ...common, openProcesses: isWorking ? openProcesses : undefined })
      : openProcesses();
    const media = traceMedia(meterMediaPool(pool, config, meter), spans);
    shutdown.add('workers', () => media.close(WORK_GRACE_MS));

    const origin = siteOrigin(config);
    const mail = config.smtpUrl
      ? await createSmtp({ url: config.smtpUrl, from: config.mailFrom, origin })
      : createOutboxTransport();
    const jobs = openJobs({ db: database.db, listen: notifications.listen, log, spans });
    shutdown.add('mail', () => mail.close());
    shutdown.add('jobs', async () => {
      // A mail that is being sent is aborted early enough to record its outcome.
      const breakOff = setTimeout(mail.close, MAIL_GRACE_MS);
      await jobs.stop(JOBS_GRACE_MS).finally(() => clearTimeout(breakOff));
    });

    const context: Context = {
      config,
      log,
      db: database.db,
      files: countFiles(files, database.db, {
        now,
        limits: config.storage,
        refusals: { guests: messages.guestStorageFull, total: messages.siteStorageFull },
      }),
      media,
      backgroundModels,
      urls: createSignedUrls(deriveKeys(keys, 'files'), now),
      secretBox: createSecretBox(deriveKeys(keys, 'secrets')),
      passwordCost: PASSWORD_COST,
      payments: config.stripe
        ? await createStripePayments({ ...config.stripe, now })
        : config.hasTestCheckout
          ? createTestPayments({ db: database.db, origin, now })
          : createNoPayments(),
      mail,
      jobs,
      spans,
      vectorizer: config.vectorizer && createVectorizerService(config.vectorizer),
      vectorizerPaceMs: VECTORIZER_PACE_MS,
      origin,
      now,
    };
    return {
      context,
      cookieSecrets: deriveKeys(keys, 'cookies'),
      checkDatabase: database.check,
      close: shutdown.run,
    };
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

/** Opens the spans. Their code is loaded only where they are on. */
async function openSpans({ traces, roles }: Config): Promise<Spans> {
  if (!traces) return noSpans;
  const { openOtelSpans } = await import('./platform/otelSpans.ts');
  const about = { 'service.version': version, 'service.instance.id': `${hostname()}:${process.pid}` };
  return openOtelSpans(traces, { ...about, 'markwright.roles': roles.join() });
}

/** The name of the folder in the data folder; `scripts/model.mjs` uses the same. */
const MODELS_FOLDER = 'models';
/** Longer than any call works on a file, should another server have this folder too. */
const UNFINISHED_AGE_MS = 60 * 60 * 1000;
const WORK_GRACE_MS = 2_000;
const MAIL_GRACE_MS = 5_000;
const JOBS_GRACE_MS = 10_000;

/** Returns the connection of the running server, and that of the tables' owner for what the start changes in them. */
async function openConnection(
  config: Config,
  log: Logger,
  shutdown: Shutdown,
): Promise<Record<'connection' | 'ownerConnection', ClientConfig>> {
  // Servers of one database share the data folder, which is not locked then: all of them write and read pictures there,
  // and sign addresses and guests' cookies with its key.
  if (config.databaseUrl) {
    return {
      connection: { connectionString: config.databaseUrl },
      ownerConnection: { connectionString: config.databaseDirectUrl! },
    };
  }
  const lock = lockFolder(config.dataDir);
  shutdown.add('lock of the folder', lock.release);
  for (const folder of WRITTEN_FOLDERS) await sweepUnfinished(join(config.dataDir, folder));
  const server = await startEmbeddedPostgres(config.dataDir, log);
  shutdown.add('embedded database', server.stop);
  return server;
}

async function openFiles(config: Config, log: Logger, shutdown: Shutdown): Promise<FileStore> {
  const files = await openFileStore(config, log);
  shutdown.add('files', files.close);
  // The sweep of one server does not see the folders of the others.
  if (config.s3) await sweepUnfinished(join(config.dataDir, 'incoming'), Date.now() - UNFINISHED_AGE_MS);
  return files;
}

function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new StartError(`The data folder ${dataDir} cannot be made. Set DATA_DIR to a folder that can be written.`, {
      cause,
    });
  }
}
