/**
 * Kills servers that work on pictures for another one, at random moments under load. Every call of the one that answers
 * is answered, and every export is charged once. `KILL_CYCLES` sets another number of kills.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageStats } from '@markwright/contract';
import pg from 'pg';
import { afterAll, expect, inject, vi } from 'vitest';
import { createRandom, seed, stressTest } from './campaign.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

const CYCLES = Number(process.env.KILL_CYCLES ?? 20);
const AT_A_TIME = 3;
/** The largest plan has 300 a month. */
const EXPORTS_AN_ACCOUNT = 250;

const template = inject('postgres');
const name = `media_${randomBytes(8).toString('hex')}`;
const dataDir = mkdtempSync(join(tmpdir(), 'markwright-media-kill-'));
const servers = new Set<ServerProcess>();
afterAll(async () => {
  for (const server of servers) await server.end('SIGKILL');
  await query('postgres', `drop database if exists ${name} with (force)`);
  rmSync(dataDir, { recursive: true, force: true });
});

async function query(database: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ ...template, database });
  await client.connect();
  return client.query(statement).finally(() => client.end());
}

async function start(roles: string): Promise<ServerProcess> {
  const parameters = new URLSearchParams({ host: template.host, port: String(template.port), user: template.user });
  const server = await startServerProcess(dataDir, {
    DATABASE_URL: `postgres:///${name}?${parameters}`,
    ROLES: roles,
    WORKERS: '1',
  });
  servers.add(server);
  return server;
}

async function post<T>(url: string, body: object, token = ''): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    // Its own calls wait for ten minutes and tell their progress, as the studio's do.
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

stressTest(
  `${CYCLES} kills of servers that work on pictures lose no job and charge none twice`,
  async () => {
    const random = createRandom(seed);
    await query('postgres', `create database ${name}`);
    const web = await start('web,jobs');
    const tokens: Promise<string>[] = [];
    let workers = [await start('media'), await start('media')];

    let exportCount = 0;
    let isOver = false;
    const load = Array.from({ length: AT_A_TIME }, async () => {
      while (!isOver) {
        const number = ++exportCount;
        const account = Math.floor(number / EXPORTS_AN_ACCOUNT);
        tokens[account] ??= signUp(web.url, account);
        const token = await tokens[account];
        const composition = {
          version: 0,
          data: { machine: 'laser', productId: 'mug-11oz-white', texts: [{ id: 'a', text: `word ${number}` }] },
        };
        const body = { settings: { mode: 'vectorize' }, composition };
        await retry(() => post(`${web.url}/api/designs/vectorize`, body, token));
      }
    });
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const before = exportCount;
      await vi.waitFor(() => expect(exportCount).toBeGreaterThan(before + AT_A_TIME), { timeout: 120_000 });
      await new Promise((resolve) => setTimeout(resolve, random() * 300));
      const [victim, other] = random() < 0.5 ? workers : [...workers].reverse();
      await victim!.end('SIGKILL');
      servers.delete(victim!);
      workers = [other!, await start('media')];
    }
    isOver = true;
    await Promise.all(load);

    let chargeCount = 0;
    for (const token of await Promise.all(tokens)) {
      const stats = await fetch(`${web.url}/api/users/stats`, { headers: { authorization: `Bearer ${token}` } });
      chargeCount += ((await stats.json()) as UsageStats).vectorsUsed;
    }
    expect(chargeCount).toBe(exportCount);
    await vi.waitFor(async () => expect((await query(name, 'select id from media_jobs')).rows).toEqual([]), {
      timeout: 120_000,
    });
    console.log(`media kill test: seed ${seed}, ${CYCLES} kills, ${exportCount} exports, all answered`);
  },
  300_000 + CYCLES * 60_000,
);

/** Returns the token of a new account that has the largest plan. */
async function signUp(url: string, number: number): Promise<string> {
  const account = { email: `shop${number}@example.com`, password: 'a-long-enough-one' };
  const { token } = await post<{ token: string }>(`${url}/api/auth/signup`, account);
  await query(
    name,
    `update users set subscription_plan = 'agency', subscription_status = 'active' where email = '${account.email}'`,
  );
  return token;
}

/** Repeats a call that was told to come back: its 20 seconds may be over before a lease is. */
async function retry<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(' 503 '))) throw error;
    }
  }
}
