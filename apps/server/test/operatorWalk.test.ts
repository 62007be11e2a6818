/**
 * A new operator's walk, by the words of docs/operating.md and docs/upgrading.md, with processes in place of
 * containers: PostgreSQL, an S3 service, the cluster of deploy/compose.cluster.yml behind the nginx of deploy/nginx, a
 * design made, a backup, a restore elsewhere, and a restart of every server under load.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { emptyComposition, saveComposition } from '@markwright/scene';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { isStress } from './campaign.ts';
import { findFreePort, hasNginx, serve, startNginx } from './cluster.ts';
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
import { hasS3, startS3 } from './s3Server.ts';

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

describe.runIf(isStress && hasS3 && hasNginx)('a new operator', () => {
  test('makes a cluster, a backup, a restore and an upgrade', async () => {
    // Settings of deploy/cluster.env.example, for processes.
    const service = await startS3();
    endings.push(() => service.stop());
    const { url: databaseUrl, connection } = await newDatabase();
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
    const settings = {
      ...{ DATABASE_URL: databaseUrl, MIGRATE: 'off', TRUSTED_PROXIES: '127.0.0.1', ADMIN_PASSWORD: ADMIN.password },
      ...{ KEEP_ALIVE_SECONDS: '75', SHUTDOWN_DELAY_SECONDS: '1', DATA_DIR: newFolder() },
      ...toSettings(service.newStore(), key),
    };
    expect(await markwright(['config', 'check'], settings)).toBe('The settings are right.\n');
    await expect(markwright(['migrate', '--check'], settings)).rejects.toThrow(/lacks \d+ migrations/);
    await markwright(['migrate'], settings);

    const ports = [await findFreePort(), await findFreePort()];
    const settingsOf = (port: string): Settings => ({ ...settings, ROLES: 'web', PORT: port, DATA_DIR: newFolder() });
    const servers = await Promise.all(ports.map((port) => serve(settingsOf(port))));
    const worker = await serve({ ...settings, ROLES: 'jobs', DATA_DIR: newFolder() });
    endings.push(() => Promise.all([...servers, worker].map((server) => server.end('SIGTERM'))));
    const url = await startNginx(ports);
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
    await upload(through, token);

    // Every server, one after another, while people work.
    const stopLoad = startLoad(url, headers);
    await setTimeout(500);
    expect(await markwright(['migrate', '--check'], settings)).toBe('The database is up to date.\n');
    for (const [place, port] of ports.entries()) {
      expect(await servers[place]!.end('SIGTERM')).toBe(0);
      servers[place] = await serve(settingsOf(port));
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
    await Promise.all([...servers, worker].map((server) => server.end('SIGTERM')));
    const elsewhere = await newDatabase();
    const anew: Settings = { ...settings, DATABASE_URL: elsewhere.url, ...toSettings(service.newStore(), key) };
    await markwright(['restore', backup], anew);
    expect(await markwright(['doctor', '--deep'], anew)).not.toContain('WRONG');
    const [before, after] = [await readEverything(connection), await readEverything(elsewhere.connection)];
    // Limits count on after the backup.
    for (const table of Object.keys(before).filter((name) => name !== 'throttles')) {
      expect(after[table], table).toEqual(before[table]);
    }
  });
});
