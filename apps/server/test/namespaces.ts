/**
 * Machines of a test's own: network namespaces on this machine, joined by cables to one in which nginx runs. Needs root
 * and Debian's iproute2. Nothing leaves them but nginx's calls, by sockets in a folder.
 */
import { execFile, spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endings, newFolder } from './operator.ts';

const run = promisify(execFile);

const ip = (...parts: string[]): boolean => spawnSync('ip', parts, { stdio: 'ignore' }).status === 0;

/** False where namespaces cannot be made: not root, no iproute2, or a sandbox that forbids it. */
export const hasNamespaces = ((): boolean => {
  const name = `mw-probe-${process.pid}`;
  const isMade = process.getuid?.() === 0 && ip('netns', 'add', name);
  if (isMade) ip('netns', 'del', name);
  return isMade;
})();

function must(...parts: string[]): void {
  const { status, stderr } = spawnSync('ip', parts, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${parts.join(' ')}: ${stderr}`);
}

/** Makes a namespace. It goes at the end, and its cables with it. */
export function makeNamespace(word: string): string {
  const name = `mw-${word}-${process.pid}`;
  must('netns', 'add', name);
  endings.push(() => must('netns', 'del', name));
  must('-n', name, 'link', 'set', 'lo', 'up');
  return name;
}

/** Joins two namespaces by a cable with an address, such as `198.51.100.1/30`, at each end. */
export function joinNamespaces(one: string, address: string, other: string, otherAddresses: readonly string[]): void {
  const [end, otherEnd] = [`to-${other}`.slice(0, 15), `to-${one}`.slice(0, 15)];
  must('-n', one, 'link', 'add', end, 'type', 'veth', 'peer', 'name', otherEnd, 'netns', other);
  must('-n', one, 'address', 'add', address, 'dev', end);
  for (const each of otherAddresses) must('-n', other, 'address', 'add', each, 'dev', otherEnd);
  must('-n', one, 'link', 'set', end, 'up');
  must('-n', other, 'link', 'set', otherEnd, 'up');
}

/** Opens a socket in a folder that leads to a port of this machine: namespaces share folders. Returns its path. */
export async function openSocketTo(port: number): Promise<string> {
  const path = join(newFolder(), 'socket');
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.once('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  endings.push(() => new Promise((resolve) => server.close(resolve)));
  return path;
}

/** Calls an address so often, a few at a time, from `localAddress`, and claims another address each time. */
const caller = `
const { request } = require('node:http');
const [url, localAddress, count] = process.argv.slice(1);
const call = (n) => new Promise((resolve) => {
  const headers = { 'x-forwarded-for': '203.0.113.' + (n % 250), connection: 'close' };
  request(url, { localAddress, headers }, (reply) => {
    reply.resume().once('end', () => resolve(reply.statusCode));
  }).once('error', () => resolve(0)).end();
});
(async () => {
  const statuses = [];
  while (statuses.length < count) {
    const some = Array.from({ length: Math.min(20, count - statuses.length) }, (_, k) => call(statuses.length + k));
    statuses.push(...(await Promise.all(some)));
  }
  console.log(JSON.stringify(statuses));
})();`;

/** Calls an address `count` times from a namespace. Returns the statuses, 0 where there was no answer. */
export async function callFrom(name: string, localAddress: string, url: string, count: number): Promise<number[]> {
  const program = ['netns', 'exec', name, process.execPath, '-e', caller, url, localAddress, String(count)];
  return JSON.parse((await run('ip', program, { timeout: 120_000 })).stdout);
}
