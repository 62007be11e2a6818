/** Chooses the adapters: the one place that asks which database, payment provider and mail server there is, and who traces. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VECTORIZER_PACE_MS, type VectorizerMode } from '@markwright/contract';
import type { Logger } from 'pino';
import { createStripePayments } from './billing/stripePayments.ts';
import { createTestPayments } from './billing/testPayments.ts';
import { type Config, siteOrigin } from './config.ts';
import { createSmtp } from './mail/smtp.ts';
import { type Networks, openNetworks } from './media/models.ts';
import { createPool, type MediaPool } from './media/pool.ts';
import { type Db, migrateDatabase, openDatabase } from './platform/database.ts';
import { startEmbeddedPostgres } from './platform/embeddedPostgres.ts';
import { StartError } from './platform/errors.ts';
import { type FileStore, openDiskFiles, sweepUnfinished, WRITTEN_FOLDERS } from './platform/files.ts';
import { lockFolder } from './platform/folderLock.ts';
import { type Jobs, openJobs } from './platform/jobs.ts';
import { createOutbox, type MailCarrier } from './platform/ports/mailTransport.ts';
import type { Payments } from './platform/ports/payments.ts';
import { deriveKey, readSecret } from './platform/secret.ts';
import { type Closers, createClosers } from './platform/shutdown.ts';
import { createSignedUrls, type SignedUrls } from './platform/signedUrls.ts';
import { createVectorizerService, type VectorizerService } from './tracing/vectorizerService.ts';

/** What the areas work with, handed to every use case as its first argument. */
export interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  readonly files: FileStore;
  readonly media: MediaPool;
  /** For backgrounds that are not plain. */
  readonly networks: Networks;
  readonly urls: SignedUrls;
  readonly payments: Payments;
  /** By which mails leave. To send one, write it down with `queueMail`. */
  readonly mail: MailCarrier;
  readonly jobs: Jobs;
  /** The paid tier's; undefined without its keys. */
  readonly vectorizer: VectorizerService | undefined;
  /** Between two traces of one caller; 0 for no pace at all. */
  readonly vectorizerPaceMs: Readonly<Record<VectorizerMode, number>>;
  /** Where people reach the pages, without a slash at the end: what links in mails and at the payment provider begin with. */
  readonly origin: string;
  readonly now: () => Date;
}

export interface OpenDeps {
  readonly deps: Deps;
  readonly cookieSecret: Buffer;
  readonly checkDatabase: () => Promise<void>;
  /** Ends jobs, workers, connections and the embedded database, in that order. */
  close(): Promise<void>;
}

/** Opens everything the settings ask for, with the tables up to date. What was opened is closed again when a later part fails. */
export async function openDeps(config: Config, log: Logger): Promise<OpenDeps> {
  const closers = createClosers(log);
  try {
    makeDataDir(config.dataDir);
    const connection = await openConnection(config, log, closers);
    const secret = readSecret(config.dataDir);
    await migrateDatabase(connection);
    const database = openDatabase(connection, (error) => log.warn({ err: error }, 'a database connection broke'));
    closers.add('database', database.close);

    const networks = await openNetworks({
      folder: join(config.dataDir, MODELS_FOLDER),
      modelPath: config.modelPath,
      workers: config.workers,
      log,
      pool: networkModule(),
    });
    closers.add('networks', () => networks.close());
    const media: MediaPool = createPool({ ...workerModule(), size: config.workers, log });
    closers.add('workers', () => media.close(WORK_GRACE_MS));

    const now = (): Date => new Date();
    const origin = siteOrigin(config);
    const mail = config.smtpUrl
      ? await createSmtp({ url: config.smtpUrl, from: config.mailFrom, origin })
      : createOutbox();
    const jobs = openJobs(connection, database, log);
    closers.add('mail', () => mail.close());
    closers.add('jobs', async () => {
      // A mail that is still leaving is broken off while there is time to write that down.
      const breakOff = setTimeout(mail.close, MAIL_GRACE_MS);
      await jobs.stop(JOBS_GRACE_MS).finally(() => clearTimeout(breakOff));
    });

    const deps: Deps = {
      config,
      log,
      db: database.db,
      files: await openDiskFiles(join(config.dataDir, 'files')),
      media,
      networks,
      urls: createSignedUrls(deriveKey(secret, 'files'), now),
      payments: config.stripe
        ? await createStripePayments({ ...config.stripe, now })
        : createTestPayments({ db: database.db, origin, now }),
      mail,
      jobs,
      vectorizer: config.vectorizer && createVectorizerService(config.vectorizer),
      vectorizerPaceMs: VECTORIZER_PACE_MS,
      origin,
      now,
    };
    return { deps, cookieSecret: deriveKey(secret, 'cookies'), checkDatabase: database.check, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** In the data folder. The set-up step knows it too. */
const MODELS_FOLDER = 'models';
const WORK_GRACE_MS = 2_000;
const MAIL_GRACE_MS = 5_000;
const JOBS_GRACE_MS = 10_000;

async function openConnection(
  config: Config,
  log: Logger,
  closers: Closers,
): Promise<{ connectionString: string } | { host: string; port: number; user: string; database: string }> {
  // Servers of one database share the data folder, which is not locked then: all of them put and read pictures there,
  // and sign addresses and guests' cookies with its key.
  if (config.databaseUrl) return { connectionString: config.databaseUrl };
  const lock = lockFolder(config.dataDir);
  closers.add('lock of the folder', lock.release);
  for (const folder of WRITTEN_FOLDERS) await sweepUnfinished(join(config.dataDir, folder));
  const server = await startEmbeddedPostgres(config.dataDir, log);
  closers.add('embedded database', server.stop);
  return server.connection;
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

/** The built programs lie beside the built server; from sources they run through the TypeScript loader. */
const childModule = (name: string): { entry: string; execArgv: string[] } =>
  import.meta.url.endsWith('.ts')
    ? {
        entry: fileURLToPath(new URL(`./media/${name}.ts`, import.meta.url)),
        execArgv: ['--import', import.meta.resolve('tsx')],
      }
    : { entry: fileURLToPath(new URL(`./${name}.js`, import.meta.url)), execArgv: [] };
export const workerModule = () => childModule('worker');
export const networkModule = () => childModule('modelWorker');
