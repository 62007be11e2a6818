/**
 * Locks a data folder for one process. The lock is the kernel's (flock): it ends with the process however that ends,
 * it leaves no stale lock file, and it holds between containers that share the folder.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './errors.ts';

/** Another process has the lock of the folder. */
export class FolderInUse extends StartError {}

/** A lock that the process holds. It ends with the process at the latest. */
export interface FolderLock {
  release(): void;
}

/** BSD's flags for "open and lock, or fail immediately"; Node passes them through. */
const DARWIN_EXLOCK_NONBLOCK = 0x20 | 0x04;

/** Takes the lock immediately. Throws FolderInUse, which names the process that holds it. */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, 'lock');
  const descriptor = openLocked(path);
  if (descriptor === undefined) {
    const owner = readFileSync(path, 'utf8').trim();
    throw new FolderInUse(
      `Markwright is already running on this data folder (${folder}${owner ? `, process ${owner}` : ''}). Stop it first, or set DATA_DIR to another folder.`,
    );
  }
  // The file stays when the lock is released: removing it could break another process's lock.
  ftruncateSync(descriptor);
  writeSync(descriptor, `${process.pid}\n`, 0);
  return { release: () => closeSync(descriptor) };
}

/** Returns an open, locked descriptor; undefined when another process has the lock. */
function openLocked(path: string): number | undefined {
  const flags = constants.O_RDWR | constants.O_CREAT;
  if (process.platform === 'darwin') {
    try {
      return openSync(path, flags | DARWIN_EXLOCK_NONBLOCK, 0o600);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
      throw error;
    }
  }

  const descriptor = openSync(path, flags, 0o600);
  // The lock belongs to the open file, which the program shares with us: it exits, and the lock stays ours.
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    encoding: 'utf8',
  });
  if (status === 0) return descriptor;
  closeSync(descriptor);
  if (status === 1) return undefined;
  if (error && 'code' in error && error.code === 'ENOENT') {
    throw new StartError(
      'The program flock is needed to lock the data folder. Install it (package util-linux), or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  throw new StartError(`The data folder cannot be locked: ${stderr || error?.message || `flock ended with ${status}`}`);
}
