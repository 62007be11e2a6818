/** For benches: the built program as nodes of one database, and the processor time of all of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { migrateDatabase } from '../apps/server/src/platform/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/embeddedPostgres.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { findFastFolder } from '../scripts/fastFolder.ts';
import { childrenOf, processorMs } from './builtStudio.ts';

const program = fileURLToPath(new URL('../apps/server/dist/main.js', import.meta.url));

export interface ServerNode {
  readonly url: string;
  /** Returns the processor time of the process that answers and of its workers, in ms. */
  processorMs(): { readonly web: number; readonly workers: number };
}

export interface NodesOfDatabase {
  /** Starts a node, and returns it when it says that it is ready and its health is good. */
  start(environment?: Record<string, string>): Promise<ServerNode>;
  end(nodes: readonly ServerNode[]): Promise<void>;
  /** Returns the processor time of the database's processes that run, in ms. */
  databaseMs(): number;
}

/** Starts a migrated database, lets `work` start nodes on it, and ends all. Each node has one worker for pictures. */
export async function withNodes(work: (nodes: NodesOfDatabase) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(findFastFolder(), 'markwright-nodes-'));
  const log = createLog('error');
  const database = await startEmbeddedPostgres(folder, log);
  const children = new Map<ServerNode, ChildProcess>();
  const end = async (nodes: readonly ServerNode[]): Promise<void> => {
    await Promise.all(
      nodes.map(async (node) => {
        const child = children.get(node);
        children.delete(node);
        if (!child || child.exitCode !== null || child.signalCode !== null) return;
        const exit = once(child, 'close');
        child.kill('SIGTERM');
        await exit;
      }),
    );
  };
  try {
    await migrateDatabase(database.ownerConnection, log);
    const { host, port, user, database: name } = database.ownerConnection;
    const basic = {
      DATABASE_URL: `postgres:///${name}?${new URLSearchParams({ host, port: String(port), user })}`,
      DATA_DIR: join(folder, 'files'),
      PORT: '0',
      WORKERS: '1',
      MODEL_DOWNLOAD: 'off',
      LOG_LEVEL: 'error',
    };
    await work({
      async start(environment = {}) {
        const { child, url } = await startProgram({ ...basic, ...environment });
        const { pid = 0 } = child;
        const node: ServerNode = {
          url,
          processorMs: () => ({
            web: processorMs(pid),
            workers: childrenOf(pid).reduce((sum, worker) => sum + processorMs(worker), 0),
          }),
        };
        children.set(node, child);
        return node;
      },
      end,
      databaseMs: () => [database.pid!, ...childrenOf(database.pid!)].reduce((sum, pid) => sum + processorMs(pid), 0),
    });
  } finally {
    await end([...children.keys()]);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startProgram(environment: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (text) => {
    words += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const address = /^Markwright is ready at (http:\S+)$/.exec(line)?.[1];
      if (address) resolve(address);
    });
    child.once('close', (code) => reject(new Error(`A node ended with ${code}: ${words}`)));
  });
  const reply = await fetch(`${url}/api/health`);
  if (!reply.ok) throw new Error(`A node answered ${reply.status}: ${await reply.text()}`);
  return { child, url };
}
