/** One real database server for the whole run; every test file gets a copy of its migrated, empty database. */
import { existsSync, rmSync } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { build as bundle } from 'vite';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../src/platform/database.ts';
import { startEmbeddedPostgres } from '../src/platform/embeddedPostgres.ts';
import { copyDatabase } from './dataFolder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects as the superuser who owns the template database. */
    postgres: { host: string; port: number; user: string; database: string };
    /** The folder of a stopped database server whose database is migrated and empty. */
    clusterFolder: string;
    /** The folder with the real model, when `npm run test:stress` could fetch it. */
    models: string | undefined;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest 4.1 has the modules of this process as bytes from its cache. Where it maps the stack of an error, it throws
  // another one for that, and an error that a socket hands to its listener would end the run.
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  const { build } = await import(new URL('../../../scripts/prepare.mjs', import.meta.url).href);
  build(['server']);
  await buildTestPrograms();
  const folder = await mkdtemp(join(project.config.env.TMPDIR!, 'database-'));
  const log = pino({ level: 'silent' });
  const first = await startEmbeddedPostgres(folder, log);
  await migrateDatabase(first.ownerConnection, log);
  await first.stop();
  const clusterFolder = join(folder, 'cluster');
  copyDatabase(join(folder, 'postgres'), clusterFolder);
  // This server need not survive a power failure, and its databases are too short-lived to be vacuumed: the launcher
  // would look at each of them every minute.
  const settings = ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'];
  const lines = settings.map((name) => `${name} = off\n`).join('');
  await appendFile(join(folder, 'postgres', 'postgresql.auto.conf'), lines);
  const server = await startEmbeddedPostgres(folder, log);
  project.provide('postgres', server.ownerConnection);
  project.provide('clusterFolder', clusterFolder);
  const models = fileURLToPath(new URL('../../../.build/models', import.meta.url));
  project.provide('models', existsSync(join(models, 'isnet.onnx')) ? models : undefined);
  // An interrupted run ends without its teardown, and would leave a server and its folder behind. The server need not
  // write anything any more.
  const dropAll = (): void => {
    if (server.pid) process.kill(server.pid, 'SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
  process.prependOnceListener('exit', dropAll); // before the folder of the run is removed
  return async () => {
    await server.stop();
    process.off('exit', dropAll);
    await rm(folder, { recursive: true, force: true });
  };
}

/** Bundles the programs of `testProgram`. Their TypeScript loader would cost more than this at each of their starts. */
async function buildTestPrograms(): Promise<void> {
  await bundle({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir: '.build/test',
      rollupOptions: {
        input: {
          drawChild: 'test/drawChild.ts',
          holdDatabase: 'test/holdDatabase.ts',
          poolWorker: 'test/poolWorker.ts',
        },
      },
    },
    ssr: { target: 'node', noExternal: [/^@markwright\//] },
  });
}
