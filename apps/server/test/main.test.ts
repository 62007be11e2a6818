/** The program as an operator sees it: its output, its refusals, and how it stops. */

import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { version } from '../package.json';
import { mediaWorkerModule } from '../src/media/workerModules.ts';
import { isStress } from './campaign.ts';
import { putDatabase } from './dataFolder.ts';
import { isAlive, processesIn, signal } from './machine.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'markwright-main-'));
  endings.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(folder: string, environment: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServerProcess(folder, { WORKERS: '1', ...environment });
  endings.push(() => server.end('SIGTERM'));
  return server;
}

/** Starts on a database that exists already. */
async function startAgain(folder: string, environment: Record<string, string> = {}): Promise<ServerProcess> {
  putDatabase(folder);
  return start(folder, environment);
}

const readSite = async ({ url }: ServerProcess): Promise<unknown> => (await fetch(`${url}/api/site`)).json();

const refusalOf = (folder: string, environment: Record<string, string>): Promise<string> =>
  startServerProcess(folder, { WORKERS: '1', ...environment }).then(
    () => 'It started.',
    (error: Error) => error.message,
  );

test('the first start prints the address and the administrator’s password, the second only the address', async () => {
  const folder = join(newFolder(), 'data');
  const first = await start(folder);
  expect(first.printed).toEqual([
    `Markwright is ready at ${first.url}`,
    expect.stringMatching(/^Sign in as admin@markwright\.local with the password \S{12,} \(shown this once\)\.$/),
  ]);
  const password = /password (\S+)/.exec(first.printed[1]!)?.[1];
  const answer = await fetch(`${first.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@markwright.local', password }),
  });
  expect(answer.status).toBe(200);
  expect(await readSite(first)).toMatchObject({ payments: 'test' }); // without keys
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  await vi.waitFor(async () => expect((await fetch(`${first.url}/api/ready`)).status).toBe(200), { timeout: 170_000 });

  const message = await refusalOf(folder, {});
  expect(message).toContain(
    `Markwright is already running on this data folder (${folder}, process ${first.child.pid}).`,
  );
  expect(message).not.toContain('    at '); // a sentence without a stack

  // A browser's idle connection does not delay the stop.
  const idle = connect(Number(new URL(first.url).port), '127.0.0.1');
  idle.write('GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(idle, 'data');
  const processes = first.children();
  expect(await first.end('SIGTERM')).toBe(0);
  expect(processes.length).toBeGreaterThan(0);
  expect(processes.filter(isAlive)).toEqual([]);

  const second = await start(folder);
  expect(second.printed).toEqual([`Markwright is ready at ${second.url}`]);
});

test('reports all wrong settings together, and changes nothing', async () => {
  const folder = join(newFolder(), 'data');
  const message = await refusalOf(folder, { PORT: 'web', LOG_LEVEL: 'loud', ADMIN_PASSWORD: '123' });
  expect(message).toContain('The server ended with 1');
  expect(message).toContain('- PORT must be a whole number from 0 to 65535, not "web".');
  expect(message).toContain('- LOG_LEVEL must be one of');
  expect(message).toContain('- ADMIN_PASSWORD must have at least 6 characters.');
  expect(existsSync(folder)).toBe(false);
});

test('reports a taken port, a damaged key and an impossible folder in sentences', { tags: ['detail'] }, async () => {
  const folder = newFolder();
  putDatabase(folder);
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  endings.push(() => other.close());
  const { port } = other.address() as { port: number };
  expect(await refusalOf(folder, { PORT: String(port) })).toContain(
    `Port ${port} is taken by another program. Set PORT to another one.`,
  );

  writeFileSync(join(folder, 'secret'), 'abc\n');
  expect(await refusalOf(folder, {})).toContain('is not 64 hexadecimal digits');

  writeFileSync(join(folder, 'file'), '');
  expect(await refusalOf(join(folder, 'file', 'data'), {})).toContain(
    'cannot be made. Set DATA_DIR to a folder that can be written.',
  );
});

test.runIf(process.platform === 'linux')(
  'a frozen database is a temporary error, and recovers without a restart',
  { tags: ['detail'] },
  async () => {
    const folder = newFolder();
    putDatabase(folder);
    // In the stress tier from its sources, as in development: compiling them costs four starts of the built server.
    const entry = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const program = isStress ? { ...mediaWorkerModule(), entry } : undefined;
    const server = await startServerProcess(folder, { WORKERS: '1' }, program);
    endings.push(() => server.end('SIGTERM'));
    await vi.waitFor(async () => expect((await fetch(`${server.url}/api/ready`)).status).toBe(200), {
      timeout: 150_000,
    });
    const database = processesIn(join(folder, 'postgres'));
    expect(database.length).toBeGreaterThan(1);

    signal(database, 'SIGSTOP');
    const [write, health, ready, status] = await Promise.all([
      fetch(`${server.url}/api/auth/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ann@example.com', password: 'walnut-board' }),
      }),
      fetch(`${server.url}/api/health`),
      fetch(`${server.url}/api/ready`),
      fetch(`${server.url}/api/status`),
    ]);
    signal(database, 'SIGCONT');
    expect([write.status, write.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await write.json()).toEqual({ message: expect.stringMatching(/database/), requestId: expect.any(String) });
    expect(health.status).toBe(200);
    expect(ready.status).toBe(200); // no other server could do more
    expect(status.status).toBe(503);
    expect(await status.json()).toEqual({ status: 'limited', database: false, files: true });
    await vi.waitFor(async () => expect((await fetch(`${server.url}/api/status`)).status).toBe(200), {
      timeout: 150_000,
    });
  },
);

test('a server that was asked to stop says so for a while and goes on, until it is asked again', async () => {
  const server = await startAgain(newFolder(), { SHUTDOWN_DELAY_SECONDS: '300' });
  await vi.waitFor(async () => expect((await fetch(`${server.url}/api/ready`)).status).toBe(200), { timeout: 170_000 });
  server.child.kill('SIGTERM');
  await vi.waitFor(async () => expect((await fetch(`${server.url}/api/ready`)).status).toBe(503), { timeout: 60_000 });
  const answer = await fetch(`${server.url}/api/ready`);
  expect(await answer.json()).toEqual({ status: 'not ready', media: true, draining: true });
  expect((await fetch(`${server.url}/api/products`)).status).toBe(200);
  expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
  expect(await server.end('SIGTERM')).toBe(0);
});

test('with payments and metrics: logs one JSON object a line, without credentials, and closes its connections first', {
  tags: ['detail'],
}, async () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_of_a_test', STRIPE_WEBHOOK_SECRET: 'whsec_of_a_test' };
  const server = await startAgain(newFolder(), { METRICS_PORT: '0', LOG_LEVEL: 'info', ...keys });
  expect(await readSite(server)).toMatchObject({ payments: 'stripe' });
  // The line comes after the one that says that the server is ready.
  const findUrl = () =>
    /^Its metrics are at (http:\/\/127\.0\.0\.1:\d+\/metrics)$/m.exec(server.printed.join('\n'))?.[1];
  await expect.poll(findUrl).toBeDefined();
  const url = findUrl();
  expect(await (await fetch(url!)).text()).toContain('http_request_seconds');
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);

  const folder = newFolder();
  putDatabase(folder);
  const { port } = new URL(url!);
  expect(await refusalOf(folder, { METRICS_PORT: port })).toContain(
    `Port ${port} is taken by another program. Set METRICS_PORT to another one.`,
  );

  let log = '';
  server.child.stderr!.on('data', (data) => {
    log += data;
  });
  const naughty = ['planted-secret', 'line\r\nbreak', '\u001b[31mred', '{"level":60}', '%0a%0d', '<script>'];
  for (const text of naughty) {
    await fetch(`${server.url}/api/users/stats?token=planted-secret&q=${encodeURIComponent(text)}`, {
      headers: {
        authorization: 'Bearer planted-secret',
        cookie: 'guest=planted-secret',
        'user-agent': encodeURIComponent(text),
      },
    });
    await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${text}@example.com`, password: 'planted-secret' }),
    });
    await fetch(`${server.url}/${encodeURIComponent(text)}`);
  }
  // Many simultaneous calls leave many connections idle.
  const answers = await Promise.all(Array.from({ length: 30 }, () => fetch(`${server.url}/api/products`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  expect(await server.end('SIGTERM')).toBe(0);
  const lines = log.split('\n').filter(Boolean);
  expect(lines.filter((line) => JSON.parse(line).level > 30)).toEqual([]);
  expect(lines.at(-1)).toContain('"msg":"stopping"');
  expect(lines.length).toBeGreaterThanOrEqual(naughty.length * 3);
  // Each line says which server wrote it, and that of a call which call.
  const writer = { hostname: hostname(), pid: server.child.pid, roles: 'web,media,jobs', version };
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), time: expect.any(Number), ...writer });
  const ids = lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'answered')
    .map((line) => line.requestId);
  expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(naughty.length * 3 + answers.length);
  expect(log.replaceAll('/planted-secret', '')).not.toContain('planted-secret');
});
