/** What tests ask of the machine they run on. */
import { readFileSync } from 'node:fs';

/** Whether a process runs. One that has ended does not, even while nobody has collected it. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * An address of this machine where no other test listens. A port of 127.0.0.1 that is let go may be another test's when it is wanted
 * back; one of this address stays free. Elsewhere than on Linux there is only 127.0.0.1.
 */
export const ownAddress =
  process.platform === 'linux'
    ? ['127', 64 + (process.pid >> 16), (process.pid >> 8) & 255, process.pid & 255].join('.')
    : '127.0.0.1';
