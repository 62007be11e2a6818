/** Data folders for the tests of the real program and of the embedded database. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/**
 * Puts a copy of the run's migrated, empty database into a data folder, so that no server has to create one there. Use
 * it where a test is not about the first start.
 */
export function putDatabase(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  copyDatabase(inject('clusterFolder'), join(dataDir, 'postgres'));
}

/** Copies the folder of a stopped database with the owner of its files, whom PostgreSQL asks for. */
export function copyDatabase(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}
