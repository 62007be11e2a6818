/** Helpers of tests with several servers: they find free ports, start servers, and start the nginx of the kit. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
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
  const folder = newFolder();
  const port = await findFreePort();
  const servers = ports.map((number) => `server 127.0.0.1:${number} max_fails=0;`).join('\n    ');
  const site = readFileSync(fileURLToPath(new URL('../../../deploy/nginx/markwright.conf', import.meta.url)), 'utf8')
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace(/server web-1:3000 max_fails=0;\s+server web-2:3000 max_fails=0;/, servers);
  expect(site).toContain(servers);
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
  const child = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  endings.push(async () => {
    if (child.exitCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/api/health`)).status).toBe(200), { timeout: 60_000 });
  return url;
}
