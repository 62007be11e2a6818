/** Helpers of tests with several servers: free ports, servers, the nginx of the kit, and PgBouncer. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, vi } from 'vitest';
import { commandProgram } from './builtServer.ts';
import { endings, newFolder, type Settings } from './operator.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

const nginx = '/usr/sbin/nginx';

/** False where Debian's nginx is missing. */
export const hasNginx = existsSync(nginx);

export async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

/** Starts a server by the operator's command. */
export const serve = (settings: Settings): Promise<ServerProcess> =>
  startServerProcess(settings.DATA_DIR!, settings, { ...commandProgram, args: ['serve'] });

/** Starts the nginx of the kit before servers on these ports. Returns its address. */
export async function startNginx(ports: readonly string[]): Promise<string> {
  const address = `127.0.0.1:${await findFreePort()}`;
  runNginx(
    address,
    ports.map((port) => `127.0.0.1:${port}`),
  );
  const url = `http://${address}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/api/health`)).status).toBe(200), { timeout: 60_000 });
  return url;
}

/**
 * Starts the nginx of the kit, which listens at an address, before servers at others, by a command that begins with
 * `prefix`: in a namespace, for one.
 */
export function runNginx(address: string, servers: readonly string[], prefix: readonly string[] = []): void {
  const folder = newFolder();
  const lines = servers.map((server) => `server ${server} max_fails=0;`).join('\n    ');
  const site = readFileSync(fileURLToPath(new URL('../../../deploy/nginx/markwright.conf', import.meta.url)), 'utf8')
    .replace('listen 8080', `listen ${address}`)
    .replace(/server web-1:3000 max_fails=0;\s+server web-2:3000 max_fails=0;/, lines);
  expect(site).toContain(lines);
  writeFileSync(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name));
    return `${name}_temp_path ${folder}/${name};`;
  });
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user} daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
     http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
  );
  const [program, ...parts] = [...prefix, nginx, '-p', folder, '-c', join(folder, 'nginx.conf')];
  const child = spawn(program!, parts, { stdio: 'ignore' });
  endings.push(() => end(child));
}

const pgbouncer = process.env.PGBOUNCER || undefined;

/** False where Debian's PgBouncer is missing. */
export const hasPgbouncer = pgbouncer !== undefined;

/**
 * Starts PgBouncer before a database of the run, with settings of its own, as the user of the database, whose socket no
 * other user may open. Returns its port.
 */
export async function startPgbouncer(database: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const port = await findFreePort();
  const folder = newFolder();
  const { host, port: databasePort } = inject('postgres');
  const { uid, gid } = statSync(join(host, `.s.PGSQL.${databasePort}`));
  const lines = [
    '[databases]',
    // Its own folder, because that user may not enter the folders above it.
    `${database} = host=/proc/self/cwd port=${databasePort} dbname=${database} user=${database}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, lines.join('\n'));
  chownSync(folder, uid, gid);
  const child = spawn(pgbouncer!, [file], { cwd: host, uid, gid, stdio: 'ignore' });
  endings.push(() => end(child, 'SIGKILL'));
  await vi.waitFor(
    async () => {
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
    },
    { timeout: 60_000 },
  );
  return port;
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
