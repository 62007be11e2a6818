/** A process that holds a data folder with its database until SIGTERM. Prints one JSON line when it does. */
import { mkdirSync } from 'node:fs';
import pino from 'pino';
import { startEmbeddedPostgres } from '../src/platform/embeddedPostgres.ts';
import { StartError } from '../src/platform/errors.ts';
import { lockFolder } from '../src/platform/folderLock.ts';

const [folder = ''] = process.argv.slice(2);

async function hold(): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(folder);
  const server = await startEmbeddedPostgres(folder, pino({ level: 'silent' }));
  console.log(JSON.stringify({ connection: server.ownerConnection, pid: server.pid }));
  await new Promise<void>((resolve) => process.once('SIGTERM', () => resolve()));
  await server.stop();
  lock.release();
}

hold().then(
  () => process.exit(0),
  (error: unknown) => {
    console.log(JSON.stringify({ refused: error instanceof StartError ? error.message : String(error) }));
    process.exit(1);
  },
);
