/** What tests ask of the machine they run on. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whether a process runs. One that has ended does not, even while nobody has collected it. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The processes that stand in a folder: the embedded database's, of which only Linux tells. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Signals them all. One that has ended meanwhile needs none. */
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
 * An address of this machine where no other test listens. A port of 127.0.0.1 that is let go may be another test's
 * when it is wanted back; one of this address stays free. Elsewhere than on Linux there is only 127.0.0.1.
 */
export const ownAddress =
  process.platform === 'linux'
    ? ['127', 64 + (process.pid >> 16), (process.pid >> 8) & 255, process.pid & 255].join('.')
    : '127.0.0.1';
