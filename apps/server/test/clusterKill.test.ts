/**
 * Kills the parts of a cluster while people work: servers, workers on pictures, the database, the store. Clients go
 * through the nginx of the kit and try again as the pages do. At the end everything that was acknowledged is there,
 * nothing twice, and every export is charged once. `KILL_CYCLES` says how many kills of servers each cluster gets; the
 * other parts get a fifth of it.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { emptyComposition, saveComposition } from '@markwright/scene';
import pg from 'pg';
import pino from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../src/platform/embeddedPostgres.ts';
import { createRandom, isStress, seed } from './campaign.ts';
import { findFreePort, hasNginx, serve, startNginx } from './cluster.ts';
import { isAlive } from './machine.ts';
import { ADMIN, endAll, endings, newFolder, type Settings, toSettings } from './operator.ts';
import { hasS3, S3_WAIT_MS, type S3Server, startS3 } from './s3Server.ts';
import type { ServerProcess } from './serverProcess.ts';

const KILLS = Number(process.env.KILL_CYCLES ?? 50);
const OTHER_KILLS = Math.ceil(KILLS / 5);
/** As long as the longest outage, a start of the store, takes on a busy machine. */
const PATIENCE_MS = 120_000;
const SIDE_PX = 32;

/** An account keeps a limited number of designs. */
const SAVES_OF_ACCOUNT = 100;
const SAVE_PAUSE_MS = 100;
/** The largest plan has 300 a month. */
const EXPORTS_OF_ACCOUNT = 250;

type Part = 'server' | 'worker' | 'database' | 'store';
type Color = readonly [number, number, number];

const random = createRandom(seed);
const composition = saveComposition(emptyComposition);

afterAll(endAll);

/** The answers that clients got. */
interface Journal {
  readonly designs: Map<string, { readonly url: string; readonly color: Color }>;
  readonly compositions: Set<string>;
  readonly exports: Map<string, string>;
  /** Answers that a person would have seen, which nothing repeats. */
  readonly failures: string[];
  /** Calls that had no answer, or were told to come back. */
  repeats: number;
  longestMs: number;
}

/**
 * Sends a call until it is answered. Like the pages it repeats what had no answer and 502 to 504, all of which have a
 * key; unlike them it has no end but `PATIENCE_MS`.
 */
async function ask(journal: Journal, url: string, init: RequestInit): Promise<Response> {
  const start = performance.now();
  for (let attempt = 0; ; attempt++) {
    const outcome = await fetch(url, init).catch((error: Error) => error);
    const elapsedMs = performance.now() - start;
    if (outcome instanceof Response && ![502, 503, 504].includes(outcome.status)) {
      journal.longestMs = Math.max(journal.longestMs, elapsedMs);
      if (!outcome.ok) throw new Error(`${new URL(url).pathname}: ${outcome.status} ${await outcome.text()}`);
      return outcome;
    }
    if (elapsedMs > PATIENCE_MS) throw new Error(`${url}: no answer in ${PATIENCE_MS} ms`);
    journal.repeats++;
    await setTimeout(Math.min(2_000, 100 * 2 ** attempt));
  }
}

/** Lets clients work until they are stopped: uploads, saved designs and exports, each with a key of its own. */
function startLoad(url: string, token: string, connection: pg.ClientConfig) {
  const journal: Journal = {
    ...{ designs: new Map(), compositions: new Set(), exports: new Map(), failures: [], repeats: 0, longestMs: 0 },
  };
  let isOver = false;
  let count = 0;
  /** Each call comes from a network of its own: the proxy is believed, and limits of calls are not the subject. */
  const headers = (bearer = token) => ({
    authorization: `Bearer ${bearer}`,
    'x-forwarded-for': `198.18.${Math.floor(count / 250) % 250}.${count % 250}`,
  });
  const post = async <T>(path: string, body: object, bearer?: string): Promise<T> => {
    const init = { method: 'POST', headers: { ...headers(bearer), 'content-type': 'application/json' } };
    return (await ask(journal, url + path, { ...init, body: JSON.stringify(body) })).json() as Promise<T>;
  };

  async function upload(): Promise<void> {
    const color = [0, 0, 0].map(() => Math.floor(random() * 256)) as unknown as Color;
    const [r, g, b] = color;
    const png = await sharp({ create: { width: SIDE_PX, height: SIDE_PX, channels: 3, background: { r, g, b } } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.append('file', new File([new Uint8Array(png)], 'picture.png', { type: 'image/png' }));
    const init = { method: 'POST', body: form, headers: { ...headers(), 'idempotency-key': crypto.randomUUID() } };
    const reply = await ask(journal, `${url}/api/designs/upload`, init);
    const { id, originalFileUrl } = (await reply.json()) as { id: string; originalFileUrl: string };
    journal.designs.set(id, { url: originalFileUrl, color });
  }
  /** Returns the token of a new account. Its first call may have made it without an answer. */
  async function signUp(email = `maker${count}@example.com`): Promise<string> {
    const account = { email, password: 'walnut board' };
    const first = await post<{ token: string }>('/api/auth/signup', account).catch(() => undefined);
    const { token: bearer } = first ?? (await post<{ token: string }>('/api/auth/login', account));
    return bearer;
  }
  /** Returns the token of a new account that has the largest plan. */
  async function signUpWithPlan(): Promise<string> {
    const email = `maker${count}@example.com`;
    const bearer = await signUp(email);
    const statement = `update users set subscription_plan = 'agency', subscription_status = 'active' where email = '${email}'`;
    await vi.waitFor(() => query(connection, statement), { timeout: PATIENCE_MS });
    return bearer;
  }
  let saver: Promise<string> | undefined;
  async function saveDesign(): Promise<void> {
    if (journal.compositions.size % SAVES_OF_ACCOUNT === 0) saver = signUp();
    const body = { key: crypto.randomUUID(), name: `design ${count}`, composition };
    journal.compositions.add((await post<{ id: string }>('/api/compositions', body, await saver)).id);
    await setTimeout(SAVE_PAUSE_MS);
  }
  let buyer: Promise<string> | undefined;
  async function exportText(): Promise<void> {
    if (journal.exports.size % EXPORTS_OF_ACCOUNT === 0) buyer = signUpWithPlan();
    const word = `word ${count}`;
    const texts = [{ id: 'a', text: word }];
    const body = {
      settings: { mode: 'vectorize' },
      composition: { version: 0, data: { machine: 'laser', productId: 'mug-11oz-white', texts } },
    };
    const { vectorizedSvgUrl } = await post<{ vectorizedSvgUrl: string }>('/api/designs/vectorize', body, await buyer);
    journal.exports.set(word, vectorizedSvgUrl);
  }

  const clients = [upload, saveDesign, exportText].map(async (act) => {
    while (!isOver) {
      count++;
      await act().catch((error: Error) => journal.failures.push(error.message));
    }
  });
  return {
    journal,
    async stop(): Promise<Journal> {
      isOver = true;
      await Promise.all(clients);
      return journal;
    },
  };
}

async function query(connection: pg.ClientConfig, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection);
  await client.connect();
  return client.query(statement).finally(() => client.end());
}

const countAcknowledged = ({ designs, compositions, exports }: Journal): number =>
  designs.size + compositions.size + exports.size;

/** Expects that all of a journal is there, and nothing else. */
async function checkJournal(url: string, journal: Journal, connection: pg.ClientConfig): Promise<void> {
  const idsOf = async (table: string) =>
    new Set((await query(connection, `select id from ${table}`)).rows.map(({ id }: { id: string }) => id));
  expect(journal.failures).toEqual([]);
  expect(await idsOf('designs')).toEqual(new Set(journal.designs.keys()));
  expect(await idsOf('compositions')).toEqual(journal.compositions);
  const { rows } = await query(
    connection,
    `select count(*)::int as count, (count(*) filter (where state = 'settled'))::int as settled from usage`,
  );
  expect(rows).toEqual([{ count: journal.exports.size, settled: journal.exports.size }]);
  // Whoever takes a job that was left behind ends it.
  await vi.waitFor(async () => expect(await idsOf('media_jobs')).toEqual(new Set()), { timeout: PATIENCE_MS });
  for (const { url: path, color } of journal.designs.values()) {
    const bytes = await (await ask(journal, url + path, {})).arrayBuffer();
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([SIDE_PX, SIDE_PX]);
    expect([...data.subarray(0, 3)]).toEqual([...color]);
  }
  for (const [word, path] of journal.exports) {
    const svg = await (await ask(journal, url + path, {})).text();
    expect(svg.startsWith('<svg') || svg.startsWith('<?xml'), word).toBe(true);
    expect(svg.trimEnd().endsWith('</svg>'), word).toBe(true);
  }
}

/** Starts servers with a database of their own. Returns what the kills need. */
async function startCluster(store: S3Server, size: number) {
  const folder = newFolder();
  const database = await startEmbeddedPostgres(folder, pino({ level: 'silent' }));
  endings.push(() => database.stop());
  const { host, port, user, database: name } = database.ownerConnection;
  const key = randomBytes(32).toString('hex');
  const common: Settings = {
    DATABASE_URL: `postgres:///${name}?${new URLSearchParams({ host, port: String(port), user })}`,
    ADMIN_PASSWORD: ADMIN.password,
    TRUSTED_PROXIES: '127.0.0.1',
    KEEP_ALIVE_SECONDS: '75',
    WORKERS: '1',
    ...toSettings(store.newStore(), key),
  };
  const ports = await Promise.all(Array.from({ length: size }, findFreePort));
  const settingsOf = ports.map((PORT): Settings => ({ ...common, PORT, DATA_DIR: newFolder() }));
  const servers: ServerProcess[] = [await serve(settingsOf[0]!)];
  servers.push(...(await Promise.all(settingsOf.slice(1).map(serve))));
  endings.push(() => Promise.all(servers.map((server) => server.end('SIGTERM'))));
  const url = await startNginx(ports);
  const kill: Readonly<Record<Part, () => Promise<void>>> = {
    async server() {
      const place = Math.floor(random() * size);
      await servers[place]!.end('SIGKILL');
      servers[place] = await serve(settingsOf[place]!);
    },
    async worker() {
      const workers = servers.flatMap((server) => server.children());
      process.kill(workers[Math.floor(random() * workers.length)]!, 'SIGKILL');
    },
    async database() {
      const { pid } = database;
      process.kill(pid!, 'SIGKILL');
      await vi.waitFor(() => expect(database.pid !== pid && isAlive(database.pid!)).toBe(true), { timeout: 60_000 });
    },
    store: () => store.crash(),
  };
  return { url, servers, settingsOf, connection: database.ownerConnection, kill };
}

function shuffle<T>(items: T[]): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}

describe.runIf(isStress && hasS3 && hasNginx)('a cluster', () => {
  let store: S3Server | undefined;
  beforeAll(async () => {
    store = await startS3();
  }, S3_WAIT_MS);
  afterAll(() => store?.stop());

  test.each([2, 4])(
    'of %i servers loses nothing, does nothing twice and charges once, whatever of it is killed',
    async (size) => {
      const { url, servers, settingsOf, connection, kill } = await startCluster(store!, size);
      const login = await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(ADMIN),
      });
      const { token } = (await login.json()) as { token: string };

      const { journal, stop } = startLoad(url, token, connection);
      const others = (['worker', 'database', 'store'] as const).flatMap((part) => Array<Part>(OTHER_KILLS).fill(part));
      const kills = shuffle([...Array<Part>(KILLS).fill('server'), ...others]);
      for (const [number, part] of kills.entries()) {
        const before = countAcknowledged(journal);
        await vi.waitFor(() => expect(countAcknowledged(journal)).toBeGreaterThan(before + 3), {
          timeout: PATIENCE_MS,
          interval: 10,
        });
        await setTimeout(random() * 300);
        await kill[part]();
        if (number % 20 === 19)
          console.log(`${number + 1} of ${kills.length} kills, ${countAcknowledged(journal)} calls`);
      }
      // And every server is stopped and started as an operator does it, one after another.
      const repeatsBefore = journal.repeats;
      for (const [place, settings] of settingsOf.entries()) {
        expect(await servers[place]!.end('SIGTERM')).toBe(0);
        servers[place] = await serve(settings);
      }
      const { designs, compositions, exports, failures, repeats, longestMs } = await stop();
      console.log(
        `${size} servers, seed ${seed}: ${KILLS} kills of servers, ${OTHER_KILLS} each of workers, the database and the ` +
          `store; ${designs.size} uploads, ${compositions.size} saved designs, ${exports.size} exports acknowledged, ` +
          `${failures.length} failed, ${repeats} calls repeated (${repeats - repeatsBefore} in the rolling restart), ` +
          `longest wait ${(longestMs / 1000).toFixed(1)} s`,
      );
      await checkJournal(url, journal, connection);
      await endAll();
    },
    600_000 + KILLS * 60_000,
  );
});
