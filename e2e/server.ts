/** The built server on a free port, with an empty data folder of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findFastFolder } from '../scripts/fastFolder.ts';

export interface BuiltServer {
  readonly url: string;
  readonly pid: number;
  /** Ends the server and removes its folder. Nothing of it runs afterwards. */
  stop(): Promise<void>;
}

/** Longer than the server gives itself to end in good order. */
const STOP_LIMIT_MS = 60_000;

/** Resolves when the server answers. Throws with what it logged when it ends before. */
export async function startServer(environment: Record<string, string> = {}): Promise<BuiltServer> {
  const folder = await mkdtemp(join(findFastFolder(), 'markwright-e2e-'));
  const port = String(await findFreePort());
  const child = spawn(process.execPath, ['apps/server/dist/main.js'], {
    env: { ...process.env, PORT: port, DATA_DIR: folder, TMPDIR: findFastFolder(), LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const kill = (): void => void child.kill('SIGTERM');
  process.once('exit', kill);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      output += data;
      if (/^Markwright is ready/m.test(output)) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The server ended with code ${code}: ${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    async stop() {
      const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await exit;
      clearTimeout(limit);
      process.off('exit', kill);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port of the loopback that nobody listens on. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
