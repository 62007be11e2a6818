/** The command `markwright`: the real program beside a running server, without one, and on a PostgreSQL of its own. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, expect, inject, test } from 'vitest';
import { reachEmbeddedPostgres } from '../src/platform/embeddedPostgres.ts';
import { commandProgram } from './builtServer.ts';
import { stressTest } from './campaign.ts';
import { putDatabase } from './dataFolder.ts';
import { startServerProcess } from './serverProcess.ts';

const ADMIN = 'admin@markwright.local';
const PASSWORD = 'walnut-board';
const NEXT = 'maple-coaster';

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.reverse()) await end();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'markwright-admin-'));
  endings.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs the command as the operator does, and returns its exit code and what it printed. */
function runCommand(parts: readonly string[], environment: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [commandProgram.entry, ...parts],
      { env: { PATH: process.env.PATH, ...environment } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

/** Uses up the sign-ins of an account from everywhere, as guesses from a hundred networks would. */
async function lockOut(connection: pg.ClientConfig, email: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(
    `insert into throttles (key, count, ends_at)
     values ($1, 100, now() + interval '1 hour'), ($2, 10, now() + interval '1 hour')`,
    [`login ${email}`, `login ${email} 127.0.0.1`],
  );
  await client.end();
}

/** Uploads a picture of one color. It is answered when some server has decoded it. */
async function postPicture(url: string, token: string): Promise<Response> {
  const picture = sharp({ create: { width: 48, height: 48, channels: 3, background: '#c40' } });
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await picture.png().toBuffer())], { type: 'image/png' }), 'a.png');
  return fetch(`${url}/api/designs/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    body: form,
  });
}

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('lets the administrator in, beside the running server and without it', async () => {
  const folder = newFolder();
  putDatabase(folder);
  const settings = { ADMIN_PASSWORD: PASSWORD };
  const server = await startServerProcess(folder, settings);
  endings.push(() => server.end('SIGTERM'));
  const logIn = async (email: string, password: string) =>
    (await post(`${server.url}/api/auth/login`, { email, password })).status;
  expect((await post(`${server.url}/api/auth/signup`, { email: 'ann@example.com', password: PASSWORD })).status).toBe(
    200,
  );
  const database = reachEmbeddedPostgres(folder);
  await lockOut(database.connection, ADMIN);
  await lockOut(database.connection, 'ann@example.com');
  await database.stop();
  expect([await logIn(ADMIN, PASSWORD), await logIn('ann@example.com', PASSWORD)]).toEqual([429, 429]);

  // Without an address it is the administrator's account alone.
  const environment = { DATA_DIR: folder, PORT: new URL(server.url).port };
  const { code, output } = await runCommand(['admin', 'reset-password'], environment);
  expect([code, output]).toEqual([
    0,
    expect.stringContaining(`${ADMIN} can sign in again. 2 rate limits were cleared.`),
  ]);
  expect([await logIn(ADMIN, PASSWORD), await logIn('ann@example.com', PASSWORD)]).toEqual([200, 429]);

  // The link sets a new password, once.
  const [, link, token] = /^(http:\S+\/password-reset#token=([\w-]{43}))$/m.exec(output)!;
  expect(link).toBe(`${server.url}/password-reset#token=${token}`);
  const reset = () => post(`${server.url}/api/auth/reset-password`, { token, password: NEXT });
  expect([(await reset()).status, (await reset()).status]).toEqual([200, 400]);
  expect([await logIn(ADMIN, PASSWORD), await logIn(ADMIN, NEXT)]).toEqual([401, 200]);
  expect(server.readLog()).toBe('');

  expect(await runCommand(['admin', 'reset-password', 'Ann@Example.com'], environment)).toMatchObject({
    code: 0,
    output: expect.stringContaining('ann@example.com can sign in again. 2 rate limits were cleared.'),
  });
  expect(await logIn('ann@example.com', PASSWORD)).toBe(200);

  expect(await server.end('SIGTERM')).toBe(0);
  expect(await runCommand(['admin', 'reset-password'], environment)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`${ADMIN} can sign in again. `),
  });
  expect(await runCommand(['admin', 'reset-password', 'nobody@example.com'], environment)).toEqual({
    code: 1,
    output: 'There is no account with the address nobody@example.com.\n',
  });
});

/** Creates a database on the PostgreSQL of the run: an empty one, or one with the tables. Returns its settings. */
async function createDatabase(name: string, isEmpty: boolean): Promise<{ DATABASE_URL: string; DATA_DIR: string }> {
  const template = inject('postgres');
  const asOwner = async (statement: string) => {
    const client = new pg.Client({ ...template, database: 'postgres' });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await asOwner(`create database ${name} ${isEmpty ? '' : `template ${template.database}`}`);
  endings.push(() => asOwner(`drop database ${name} with (force)`));
  const parameters = new URLSearchParams({ host: template.host, port: String(template.port), user: template.user });
  return { DATABASE_URL: `postgres:///${name}?${parameters}`, DATA_DIR: newFolder() };
}

const newName = (): string => `admin_${randomBytes(8).toString('hex')}`;

/** Starts a server with a signing key of one digit. Returns why it did not start, when `refusalOf` is asked. */
function serverOn(environment: { DATA_DIR: string; DATABASE_URL: string }) {
  const start = (digit: string, ROLES = 'web,media,jobs') =>
    startServerProcess(environment.DATA_DIR, { ...environment, MIGRATE: 'off', ROLES, SECRET_KEY: digit.repeat(64) });
  const refusalOf = (digit: string) =>
    start(digit).then(
      () => 'It started.',
      (error: Error) => error.message,
    );
  return { start, refusalOf };
}

stressTest('migrates a PostgreSQL for servers that do not, and that divide the work by roles', async () => {
  const environment = await createDatabase(newName(), true);
  const { start, refusalOf } = serverOn(environment);
  expect(await refusalOf('a')).toMatch(/lacks \d+ migrations of this version\. Run “markwright migrate” first/);
  expect(await runCommand(['migrate'], environment)).toEqual({ code: 0, output: 'The database is up to date.\n' });
  const web = await start('a', 'web');
  endings.push(() => web.end('SIGTERM'));
  const ann = { email: 'ann@example.com', password: PASSWORD };
  expect((await post(`${web.url}/api/auth/signup`, ann)).status).toBe(200);
  const jobs = await start('a', 'jobs');
  endings.push(() => jobs.end('SIGTERM'));
  expect((await fetch(`${jobs.url}/api/status`)).status).toBe(200);
  expect((await post(`${jobs.url}/api/auth/login`, ann)).status).toBe(503);
  expect((await fetch(jobs.url)).status).toBe(503);

  // Neither of them has processes for pictures.
  const { token } = (await (await post(`${web.url}/api/auth/login`, ann)).json()) as { token: string };
  const media = await start('a', 'media');
  endings.push(() => media.end('SIGTERM'));
  expect((await postPicture(web.url, token)).status).toBe(200);
  expect((await fetch(`${media.url}/api/ready`)).status).toBe(200);
});

test('lets the next start take a new key where the old one is lost', { tags: ['detail'] }, async () => {
  const environment = await createDatabase(newName(), false);
  const { start, refusalOf } = serverOn(environment);
  expect(await (await start('a')).end('SIGTERM')).toBe(0);
  expect(await refusalOf('b')).toContain('The signing key in SECRET_KEY is not the one of this installation.');
  expect(await runCommand(['key', 'forget'], environment)).toMatchObject({ code: 0 });
  expect(await (await start('b')).end('SIGTERM')).toBe(0);
});

test('lets the administrator in on a PostgreSQL of its own', { tags: ['detail'] }, async () => {
  const template = inject('postgres');
  const name = newName();
  const environment = await createDatabase(name, false);
  const folder = environment.DATA_DIR;
  const server = await startServerProcess(folder, { ...environment, ADMIN_PASSWORD: PASSWORD });
  endings.push(() => server.end('SIGTERM'));
  await lockOut({ ...template, database: name }, ADMIN);
  const logIn = async () => (await post(`${server.url}/api/auth/login`, { email: ADMIN, password: PASSWORD })).status;
  expect(await logIn()).toBe(429);
  expect(await runCommand(['admin', 'reset-password'], environment)).toMatchObject({ code: 0 });
  expect(await logIn()).toBe(200);
});

test('gives a plan by hand, and lets failed jobs run once more', { tags: ['detail'] }, async () => {
  const name = newName();
  const environment = await createDatabase(name, false);
  const server = await startServerProcess(environment.DATA_DIR, { ...environment, ADMIN_PASSWORD: PASSWORD });
  endings.push(() => server.end('SIGTERM'));
  const person = { email: 'ann@example.com', password: PASSWORD };
  expect((await post(`${server.url}/api/auth/signup`, person)).status).toBe(200);
  const { token } = (await (await post(`${server.url}/api/auth/login`, person)).json()) as { token: string };
  const readPlan = async () => {
    const reply = await fetch(`${server.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    const account = (await reply.json()) as { subscriptionPlan: string; subscriptionStatus: string };
    return [account.subscriptionPlan, account.subscriptionStatus];
  };
  const give = (...words: string[]) => runCommand(['user', 'plan', ...words], environment);
  expect(await give('Ann@Example.com', 'pro')).toEqual({
    code: 0,
    output: 'ann@example.com is on the plan Pro now. Before it was on Free.\n',
  });
  expect(await readPlan()).toEqual(['pro', 'active']);
  expect(await give('ann@example.com', 'gold')).toMatchObject({ code: 1, output: expect.stringContaining('“gold”') });
  expect(await give('bo@example.com', 'pro')).toMatchObject({ code: 1, output: expect.stringContaining('no account') });
  const client = new pg.Client({ ...inject('postgres'), database: name });
  await client.connect();
  await client.query(`insert into subscriptions (user_id, provider, customer_id, subscription_id)
    select id, 'stripe', 'c', 's' from users where email = 'ann@example.com'`);
  expect(await give('ann@example.com', 'free')).toMatchObject({ code: 1, output: expect.stringContaining('pays') });
  await client.query('delete from subscriptions');
  expect(await give('ann@example.com', 'free')).toMatchObject({ code: 0 });
  expect(await readPlan()).toEqual(['free', 'inactive']);

  // No server is there to take the jobs.
  expect(await server.end('SIGTERM')).toBe(0);
  await client.query('delete from background_jobs');
  const [first, second] = ['housekeeping', 'send mails'];
  await client.query(
    `insert into background_jobs (id, name, data, state, run, reason, ended_at)
     select name, name, '{}', 'failed', 3, 'no room', now() from unnest($1::text[]) name`,
    [[first, second]],
  );
  const run = async (...words: string[]) => (await runCommand(['jobs', ...words], environment)).output;
  expect(await run('list')).toMatch(new RegExp(`^failed +1 +${first}, since .* UTC: no room\nfailed +1 +${second},`));
  expect(await run('retry', first)).toBe('One job runs once more.\n');
  expect(await run('list')).toMatch(new RegExp(`^to be repeated +1 +${first},.*\nfailed +1 +${second},`));
  expect(await run('retry')).toBe('One job runs once more.\n');
  expect(await run('list')).not.toContain('failed');
  await client.query('delete from background_jobs');
  expect(await run('list')).toBe('No background job waits, runs or has failed.\n');
  await client.end();
});

test('says what it can do, and where there is no database', { tags: ['detail'] }, async () => {
  const folder = newFolder();
  const answerTo = (...parts: string[]) => runCommand(parts, { DATA_DIR: folder });
  const overview = expect.stringMatching(/\n {2}backup FOLDER {4,}Writes database, files and key/);
  expect(await answerTo('--help')).toEqual({ code: 0, output: overview });
  for (const parts of [[], ['lock'], ['admin'], ['key', 'lose']]) {
    expect(await answerTo(...parts)).toEqual({ code: 2, output: overview });
  }
  for (const parts of [['backup'], ['backup', 'one', 'two'], ['move', '--now'], ['migrate', 'now']]) {
    const help = expect.stringMatching(new RegExp(`^markwright ${parts[0]}\\b.*\\n\\n[A-Z]`));
    expect(await answerTo(...parts)).toEqual({ code: 2, output: help });
    expect(await answerTo(parts[0]!, '--help')).toEqual({ code: 0, output: help });
  }
  expect(await answerTo('admin', 'reset-password')).toEqual({
    code: 1,
    output: `There is no database in ${folder}. Set DATA_DIR as for the server, or start that first.\n`,
  });
  expect(await runCommand(['config', 'check'], { PORT: 'many', WORKERS: '0' })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^PORT must.*\nWORKERS must.*\n$/),
  });
});
