/**
 * Faults of what a cluster stands on, one by one, with real parts: the database crashes, the store is away or frozen,
 * two servers get the same work, and clients behind the proxy are told apart. See docs/operating.md.
 */

import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { emptyComposition, saveComposition } from '@markwright/scene';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../src/platform/embeddedPostgres.ts';
import { isStress } from './campaign.ts';
import { hasNginx, serve, startNginx } from './cluster.ts';
import { ADMIN, call, endAll, endings, newFolder, type Settings, signIn, toSettings, upload } from './operator.ts';
import { hasS3, openWire, S3_WAIT_MS, type S3Server, startS3, type Wire } from './s3Server.ts';
import type { ServerProcess } from './serverProcess.ts';

const composition = saveComposition(emptyComposition);
const textNamed = (word: string) => ({
  settings: { mode: 'vectorize' },
  composition: {
    version: 0,
    data: { machine: 'laser', productId: 'mug-11oz-white', texts: [{ id: 'a', text: word }] },
  },
});

describe.runIf(isStress && hasS3)('two servers', () => {
  let service: S3Server | undefined;
  let wire: Wire;
  let database: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
  let settings: Settings;
  let servers: ServerProcess[];
  let token: string;

  beforeAll(async () => {
    service = await startS3();
    wire = await openWire();
    database = await startEmbeddedPostgres(newFolder(), pino({ level: 'silent' }));
    endings.push(() => database.stop());
    const { host, port, user, database: name } = database.ownerConnection;
    settings = {
      DATABASE_URL: `postgres:///${name}?${new URLSearchParams({ host, port: String(port), user })}`,
      ADMIN_PASSWORD: ADMIN.password,
      TRUSTED_PROXIES: '127.0.0.1',
      WORKERS: '1',
      ...toSettings(service.newStore(wire.endpoint), randomBytes(32).toString('hex')),
    };
    servers = [];
    endings.push(() => Promise.all(servers.map((server) => server.end('SIGTERM'))));
    for (let k = 0; k < 2; k++) servers.push(await serve({ ...settings, DATA_DIR: newFolder() }));
    token = await signIn(servers[0]!);
    for (const server of servers) {
      await vi.waitFor(async () => expect(await statusOf(server, '/api/ready')).toBe(200), { timeout: 60_000 });
    }
  }, S3_WAIT_MS);
  afterAll(async () => {
    wire?.fail('not');
    await endAll();
    wire?.close();
    await service?.stop();
  }, 120_000);

  const statusOf = async (server: ServerProcess, path: string) => (await fetch(server.url + path)).status;
  const authorization = () => ({ authorization: `Bearer ${token}` });
  const post = (server: ServerProcess, path: string, body: object) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { ...authorization(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const exportCount = async () =>
    (await call<{ vectorsUsed: number }>(servers[0]!, '/api/users/stats', undefined, token)).vectorsUsed;

  test('answer a crash of the database with 503 in JSON, and go on when it is there again', async () => {
    const { pid } = database;
    process.kill(pid!, 'SIGKILL');
    const killedAt = performance.now();
    let slowestMs = 0;
    let refusals = 0;
    for (;;) {
      const start = performance.now();
      const replies = await Promise.all(
        servers.map((server) => fetch(`${server.url}/api/designs`, { headers: authorization() })),
      );
      for (const reply of replies) {
        const body: unknown = await reply.json();
        expect([200, 503]).toContain(reply.status);
        if (reply.status === 503) {
          expect(body).toHaveProperty('message');
          expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
          refusals++;
        }
      }
      slowestMs = Math.max(slowestMs, performance.now() - start);
      // They are ready all the while: a balancer that took both away would answer nothing.
      for (const server of servers) expect(await statusOf(server, '/api/ready')).toBe(200);
      if (database.pid !== pid && replies.every(({ status }) => status === 200)) break;
      expect(performance.now() - killedAt).toBeLessThan(120_000);
    }
    const seconds = (performance.now() - killedAt) / 1000;
    console.log(
      `crash of the database: ${refusals} answers of 503, the slowest answer ${slowestMs.toFixed(0)} ms, ` +
        `all well after ${seconds.toFixed(1)} s`,
    );
    expect((await post(servers[1]!, '/api/designs/vectorize', textNamed('after the crash'))).status).toBe(200);
  });

  test.each(['refuse', 'freeze'] as const)(
    'sign in, list and save while the store is away (%s), and give the allowance back',
    async (how) => {
      const [first, second] = servers as [ServerProcess, ServerProcess];
      const before = await exportCount();
      wire.fail(how);
      const start = performance.now();
      const refusal = await post(first, '/api/designs/vectorize', textNamed(`while ${how}`));
      const refusedMs = performance.now() - start;
      expect([refusal.status, refusal.headers.get('content-type')]).toEqual([
        503,
        expect.stringContaining('application/json'),
      ]);
      expect(await exportCount()).toBe(before);
      for (const server of servers) {
        await signIn(server);
        await call(server, '/api/designs', undefined, token);
        await call(server, '/api/compositions', { key: crypto.randomUUID(), name: 'A design', composition }, token);
        expect(await statusOf(server, '/api/ready')).toBe(200);
        expect(await statusOf(server, '/api/health')).toBe(200);
      }
      wire.fail('not');
      const again = () => post(second, '/api/designs/vectorize', textNamed(`while ${how}`));
      await vi.waitFor(async () => expect((await again()).status).toBe(200), { timeout: 60_000, interval: 500 });
      expect(await exportCount()).toBe(before + 1);
      console.log(`store (${how}): an export was refused after ${refusedMs.toFixed(0)} ms`);
    },
  );

  test('make the same trace at once one file, and the same export at once one charge', async () => {
    const before = await exportCount();
    const { id: designId } = await upload(servers[0]!, token);
    const trace = { designId, settings: { machineType: 'laser' } };
    const replies = await Promise.all(servers.map((server) => post(server, '/api/designs/vectorize', trace)));
    const urls = await Promise.all(
      replies.map(
        async (reply) =>
          new URL(((await reply.json()) as { vectorizedSvgUrl: string }).vectorizedSvgUrl, servers[0]!.url).pathname,
      ),
    );
    expect(urls[0]).toBe(urls[1]);
    const ends = await Promise.all(
      [0, 1, 0, 1].map((place) => post(servers[place]!, '/api/designs/vectorize', textNamed('at once'))),
    );
    expect(ends.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await exportCount()).toBe(before + 1);
  });

  test.runIf(hasNginx)('count clients behind the proxy apart, and believe no header of theirs', async () => {
    const url = await startNginx(servers.map((server) => new URL(server.url).port));
    /** Calls from an address of this machine that is no proxy's, and claims another one. */
    const callFrom = (localAddress: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const claim = `203.0.113.${Math.floor(Math.random() * 250)}`;
        const headers = { 'x-forwarded-for': claim, connection: 'close' };
        const outgoing = request(`${url}/api/products`, { localAddress, headers }, (reply) => {
          text(reply).then(() => resolve(reply.statusCode!), reject);
        });
        outgoing.once('error', reject).end();
      });
    const statuses: number[] = [];
    // A network may make 600 calls a minute.
    while (statuses.length < 700 && !statuses.includes(429)) {
      statuses.push(...(await Promise.all(Array.from({ length: 20 }, () => callFrom('127.0.0.2')))));
    }
    expect(statuses).toContain(429);
    expect(await callFrom('127.0.0.3')).toBe(200);
    expect(await callFrom('127.0.0.2')).toBe(429);
  });

  test('go on with a database that a newer version has prepared', async () => {
    const client = new pg.Client(database.ownerConnection);
    await client.connect();
    // A migration of the next version only adds: servers of this version do not need to know of it.
    await client.query('alter table designs add column of_next_version text');
    await client.query('create table things_of_next_version (id text primary key)');
    await client.query('create index designs_of_next_version on designs (of_next_version)');
    const { id } = await upload(servers[0]!, token);
    const old = await serve({ ...settings, DATA_DIR: newFolder() });
    servers.push(old);
    const list = await call<{ id: string }[]>(old, '/api/designs', undefined, await signIn(old));
    expect(list.map((design) => design.id)).toContain(id);
    await client.query('drop table things_of_next_version');
    await client.query('alter table designs drop column of_next_version');
    await client.end();
  });
});
