/** Helpers that inspect the machine of the tests. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Returns true when a process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Lists the processes whose working directory is a folder: the embedded database's. Works only on Linux. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Sends a signal to all of them. Ignores those that have ended meanwhile. */
export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/**
 * An address of this machine where no other test listens. A released port of 127.0.0.1 may be taken by another test
 * when it is needed again; a port of this address stays free. Other systems than Linux only have 127.0.0.1.
 */
export const ownAddress =
  process.platform === 'linux'
    ? ['127', 64 + (process.pid >> 16), (process.pid >> 8) & 255, process.pid & 255].join('.')
    : '127.0.0.1';
