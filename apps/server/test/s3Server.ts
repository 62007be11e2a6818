/**
 * A real S3 service for tests, where the machine has one: Ceph's RADOS Gateway, started by a script beside the
 * repository.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../src/config.ts';
import { isAlive, signal } from './machine.ts';

/** The folder with the script. When it is missing, the run says so at its end. */
const tools = process.env.S3_TOOLS_DIR || undefined;

export const hasS3 = tools !== undefined;

const ENDPOINT = new URL('http://127.0.0.1:7480');
export const CREDENTIALS = { accessKeyId: 'mwaccess', secretAccessKey: 'mwsecretmwsecret' };
const BUCKET = 'studio';

export interface S3Server {
  /** Returns the settings of a store of its own. */
  newStore(endpoint?: URL): S3Settings;
  /** Makes a bucket and returns the settings of a store that fills it. */
  newBucket(): Promise<S3Settings>;
  /** Kills the gateway and starts it again: what it had acknowledged lies below it. */
  crash(): Promise<void>;
  /** Ends the service, and waits until its ports are free. */
  stop(): Promise<void>;
}

const isAnswering = (limitMs: number): Promise<boolean> =>
  fetch(ENDPOINT, { signal: AbortSignal.timeout(limitMs) }).then(
    () => true,
    () => false,
  );

/** The limit of a hook that starts the service: as long as the files take that may have it before. */
export const S3_WAIT_MS = 3_600_000;
/** Whoever listens here has the service. It is the lock of a process, which ends with it. */
const LOCK_PORT = 7479;

/** Waits until no other file of the tests has the service: it has fixed ports, and is crashed on purpose. */
async function lockService(): Promise<Server> {
  for (;;) {
    const lock = createServer().listen(LOCK_PORT, '127.0.0.1');
    const isOurs = await Promise.race([
      once(lock, 'listening').then(() => true),
      once(lock, 'error').then(() => false), // taken
    ]).catch(() => false);
    if (isOurs) return lock.unref();
    await setTimeout(500);
  }
}

/** Starts the service, or uses the one that runs already. One file of the tests has it at a time. */
export async function startS3(): Promise<S3Server> {
  const lock = await lockService();
  const isRunning = await isAnswering(20_000);
  // On a disk: it writes past the cache of the system, which a folder in memory does not allow.
  const folder = isRunning ? undefined : mkdtempSync('/var/tmp/markwright-s3-');
  if (folder) {
    const { status, stderr } = spawnSync(join(tools!, 'start.sh'), [folder], { encoding: 'utf8', timeout: 150_000 });
    if (status !== 0) {
      spawnSync(join(tools!, 'stop.sh'), [folder]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      lock.close();
      throw new Error(`The S3 service did not start: ${stderr}`);
    }
  }
  const client = new S3Client({
    endpoint: ENDPOINT.href,
    region: 'us-east-1',
    credentials: CREDENTIALS,
    forcePathStyle: true,
  });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET })).catch((error: Error) => {
    if (!error.name.startsWith('BucketAlready')) throw error;
  });
  const common = { region: 'us-east-1', credentials: CREDENTIALS, forcePathStyle: true };
  return {
    newStore: (endpoint = ENDPOINT) => ({ ...common, endpoint, bucket: BUCKET, prefix: `${crypto.randomUUID()}/` }),
    async newBucket() {
      const bucket = `studio-${crypto.randomUUID()}`;
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      return { ...common, endpoint: ENDPOINT, bucket, prefix: '' };
    },
    async crash() {
      if (!folder) throw new Error('The S3 service was started by somebody else.');
      const pidFile = join(folder, 'client.rgw.a.pid');
      process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
      rmSync(pidFile, { force: true });
      for (let attempt = 0; attempt < 20; attempt++) {
        // Its port may still be taken for a moment. It goes into the background by itself.
        spawnSync('/usr/bin/radosgw', ['-c', join(folder, 'ceph.conf'), '-n', 'client.rgw.a'], { stdio: 'ignore' });
        for (let look = 0; look < 20; look++) {
          if (await isAnswering(2_000)) return;
          await setTimeout(250);
        }
      }
      throw new Error('The S3 service did not start again.');
    },
    async stop() {
      client.destroy();
      if (!folder) return void lock.close();
      const pids = readdirSync(folder).flatMap((name) =>
        name.endsWith('.pid') ? [Number(readFileSync(join(folder, name), 'utf8'))] : [],
      );
      spawnSync(join(tools!, 'stop.sh'), [folder]);
      for (let look = 0; look < 100 && pids.some(isAlive); look++) await setTimeout(100);
      signal(pids, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      lock.close();
    },
  };
}

/** A way to the service that fails when a test wants it. */
export interface Wire {
  readonly endpoint: URL;
  /** `cut` ends each connection after so many bytes in one direction. */
  fail(how: 'not' | 'refuse' | 'freeze' | { readonly cut: 'up' | 'down'; readonly afterBytes: number }): void;
  close(): void;
}

export async function openWire(): Promise<Wire> {
  let failure: Parameters<Wire['fail']>[0] = 'not';
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => {});
    near.once('close', () => sockets.delete(near));
    if (failure === 'refuse') return void near.resetAndDestroy();
    if (failure === 'freeze') return void near.resume();
    const far = connect(Number(ENDPOINT.port), ENDPOINT.hostname);
    far.on('error', () => near.destroy());
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    for (const [direction, from, to] of [['up', near, far] as const, ['down', far, near] as const]) {
      let passedBytes = 0;
      from.on('data', (chunk) => {
        if (failure === 'freeze') return;
        passedBytes += chunk.length;
        if (typeof failure === 'object' && failure.cut === direction && passedBytes > failure.afterBytes) {
          near.resetAndDestroy();
        } else to.write(chunk);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    fail(how) {
      failure = how;
      if (how === 'refuse') for (const socket of sockets) socket.resetAndDestroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
