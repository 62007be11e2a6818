/**
 * A new operator's walk, by the words of docs/operating.md and docs/upgrading.md, with processes in place of
 * containers: PostgreSQL behind PgBouncer, an S3 service, and the services of deploy/compose.cluster.yml in their order
 * with their settings and commands, behind the nginx of deploy/nginx; a design made, a restart of every server under
 * load, a backup, and a restore elsewhere.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { emptyComposition, saveComposition } from '@markwright/scene';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { isStress } from './campaign.ts';
import { findFreePort, hasNginx, hasPgbouncer, serve, startNginx, startPgbouncer } from './cluster.ts';
import { listBefore, readCompose, readVariables } from './compose.ts';
import { readEverything } from './everything.ts';
import {
  ADMIN,
  endAll,
  endings,
  markwright,
  newDatabase,
  newFolder,
  type Settings,
  toSettings,
  upload,
} from './operator.ts';
import { CREDENTIALS, hasS3, S3_WAIT_MS, type S3Server, startS3 } from './s3Server.ts';
import type { ServerProcess } from './serverProcess.ts';

afterAll(endAll);

const LOAD_CLIENTS = 4;
/** A network may make 600 calls a minute. */
const PAUSE_MS = 600;

/** Sends a call, and again after a pause where the pages do (`apps/web/src/request.ts`). Throws when all fail. */
async function ask(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await fetch(url, init).catch((error: Error) => error);
    if (outcome instanceof Response && outcome.ok) return outcome;
    const reason = outcome instanceof Response ? outcome.status : 'no answer';
    if (attempt === 2 || ![502, 503, 504, 'no answer'].includes(reason)) throw new Error(`${url}: ${reason}`);
    await setTimeout(400 * 4 ** attempt);
  }
}

/** Reads lists and saves designs by keys, with as many clients as there are, until it is stopped. */
function startLoad(url: string, headers: Record<string, string>) {
  const outcome = { answerCount: 0, failures: [] as string[], ids: new Set<string>() };
  let isOver = false;
  const composition = saveComposition(emptyComposition);
  async function work(client: number): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      try {
        for (const path of ['/api/designs', '/api/products', '/api/compositions']) {
          await (await ask(url + path, { headers })).arrayBuffer();
          outcome.answerCount++;
          await setTimeout(PAUSE_MS);
        }
        const body = JSON.stringify({ key: crypto.randomUUID(), name: `${client} ${turn}`, composition });
        const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
        const response = await ask(`${url}/api/compositions`, init);
        outcome.ids.add(((await response.json()) as { id: string }).id);
      } catch (error) {
        outcome.failures.push((error as Error).message);
      }
    }
  }
  const clients = Promise.all(Array.from({ length: LOAD_CLIENTS }, (_, client) => work(client)));
  return async () => {
    isOver = true;
    await clients;
    return outcome;
  };
}

/** Returns the cluster's services with settings for processes of this machine, and the database that they share. */
async function prepareCluster(service: S3Server) {
  const { url, connection } = await newDatabase();
  const { endpoint, bucket } = await service.newBucket();
  const variables: Settings = {
    ...{ PUBLIC_URL: 'https://studio.example.com', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    ...{ DATABASE_PASSWORD: 'not-asked-for', SECRET_KEY: randomBytes(32).toString('hex') },
    ...{ S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId, S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey },
    ...{ S3_ENDPOINT: endpoint!.href, S3_BUCKET: bucket, TRUSTED_PROXIES: '127.0.0.1' },
  };
  // No setting is needed beyond those of the example file.
  const exampleNames = new Set(readVariables('cluster.env.example'));
  const more = ['S3_ENDPOINT', 'S3_BUCKET', 'TRUSTED_PROXIES'];
  expect(Object.keys(variables).filter((name) => !exampleNames.has(name) && !more.includes(name))).toEqual([]);
  const services = readCompose('compose.cluster.yml', variables);

  const { POOL_MODE, DEFAULT_POOL_SIZE, MAX_CLIENT_CONN } = services.pgbouncer!.environment!;
  const name = connection.database;
  const port = await startPgbouncer(name, {
    ...{ pool_mode: POOL_MODE!, default_pool_size: DEFAULT_POOL_SIZE!, max_client_conn: MAX_CLIENT_CONN! },
  });
  const places: Settings = {
    'postgres://markwright:not-asked-for@pgbouncer:6432/markwright': `postgres://${name}@127.0.0.1:${port}/${name}`,
    'postgres://markwright:not-asked-for@postgres:5432/markwright': url,
  };
  /** The settings of a service. Containers have names, ports and folders of their own, processes the machine's. */
  const settingsOf = (service: string): Settings => ({
    ...Object.fromEntries(
      Object.entries(services[service]!.environment!).map(([setting, value]) => [setting, places[value] ?? value]),
    ),
    ...{ METRICS_PORT: '0', METRICS_HOST: '127.0.0.1', WORKERS: '1', DATA_DIR: newFolder() },
  });
  for (const setting of ['DATABASE_URL', 'DATABASE_DIRECT_URL']) {
    expect(Object.values(places), setting).toContain(settingsOf('web-1')[setting]);
  }
  return { services, settingsOf, connection };
}

describe.runIf(isStress && hasS3 && hasNginx && hasPgbouncer)('a new operator', () => {
  test(
    'makes a cluster, a backup, a restore and an upgrade',
    async () => {
      const service = await startS3();
      endings.push(() => service.stop());
      const { services, settingsOf, connection } = await prepareCluster(service);
      const settings = settingsOf('migrate');
      expect(await markwright(['config', 'check'], settings)).toBe('The settings are right.\n');
      await expect(markwright(['migrate', '--check'], settings)).rejects.toThrow(/lacks \d+ migrations/);

      // In the order of the file: what nginx stands on, and the server that nothing waits for.
      const settingsOfOwn = new Map<string, Settings>();
      const servers: ServerProcess[] = [];
      endings.push(() => Promise.all(servers.map((server) => server.end('SIGTERM'))));
      for (const name of new Set([...listBefore(services, 'nginx'), ...listBefore(services, 'worker')])) {
        if (!services[name]!.image.includes('markwright')) continue;
        if (services[name]!.command) {
          await markwright(services[name]!.command!, settingsOf(name));
          continue;
        }
        settingsOfOwn.set(name, { ...settingsOf(name), PORT: await findFreePort() });
        servers.push(await serve(settingsOfOwn.get(name)!));
      }
      expect([...settingsOfOwn.keys()]).toEqual(['web-1', 'web-2', 'worker']);
      const url = await startNginx(['web-1', 'web-2'].map((name) => settingsOfOwn.get(name)!.PORT!));
      expect((await fetch(`${url}/api/status`)).status).toBe(200);
      expect(await markwright(['doctor'], settings)).not.toContain('WRONG');

      // A picture through nginx.
      const post = (path: string, body: object) =>
        fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      const { token } = (await (await post('/api/auth/login', ADMIN)).json()) as { token: string };
      const headers = { authorization: `Bearer ${token}` };
      const through = { ...servers[0]!, url };
      const { id: designId } = await upload(through, token);
      const trace = await fetch(`${url}/api/designs/vectorize`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ designId, settings: { machineType: 'laser' } }),
      });
      expect(trace.status, await trace.text()).toBe(200);

      // Every server, one after another, while people work.
      const stopLoad = startLoad(url, headers);
      await setTimeout(500);
      expect(await markwright(['migrate', '--check'], settings)).toBe('The database is up to date.\n');
      for (const [place, own] of [...settingsOfOwn.values()].entries()) {
        expect(await servers[place]!.end('SIGTERM')).toBe(0);
        servers[place] = await serve(own);
        await setTimeout(500);
      }
      const { answerCount, failures, ids } = await stopLoad();
      console.log(`rolling restart: ${answerCount} reads and ${ids.size} saves answered, ${failures.length} failed`);
      expect(failures).toEqual([]);
      expect(answerCount).toBeGreaterThan(50);
      const client = new pg.Client(connection);
      await client.connect();
      const { rows } = await client.query<{ id: string }>('select id from compositions').finally(() => client.end());
      expect(new Set(rows.map(({ id }) => id))).toEqual(ids);

      // A backup while servers run, into another database and another bucket.
      const backup = join(newFolder(), 'today');
      await markwright(['backup', backup], settings);
      await markwright(['verify', backup], {});
      await Promise.all(servers.map((server) => server.end('SIGTERM')));
      const elsewhere = await newDatabase();
      const ofDatabase = { DATABASE_URL: elsewhere.url, DATABASE_DIRECT_URL: elsewhere.url };
      const anew = { ...settings, ...ofDatabase, ...toSettings(service.newStore(), settings.SECRET_KEY!) };
      await markwright(['restore', backup], anew);
      expect(await markwright(['doctor', '--deep'], anew)).not.toContain('WRONG');
      const [before, after] = [await readEverything(connection), await readEverything(elsewhere.connection)];
      // Limits count on after the backup.
      for (const table of Object.keys(before).filter((name) => name !== 'throttles')) {
        expect(after[table], table).toEqual(before[table]);
      }
    },
    S3_WAIT_MS,
  );
});
