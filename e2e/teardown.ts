import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The server's own limit for what it has to end. */
const LONGEST_END_MS = 15_000;

/**
 * Takes away the data folder that playwright.config.ts named. The server, whose pid is in the folder's lock, is ended first:
 * Playwright does so only after this, and until then it would miss its database.
 */
export default async function teardown(): Promise<void> {
  const folder = process.env.E2E_DATA_DIR;
  if (!folder?.includes('markwright-e2e-')) return;
  const pid = Number(await readFile(join(folder, 'lock'), 'utf8').catch(() => 0));
  const latest = Date.now() + LONGEST_END_MS;
  if (pid > 0 && signal(pid, 'SIGTERM')) while (signal(pid, 0) && Date.now() < latest) await delay(50);
  await rm(folder, { recursive: true, force: true });
}

/** Whether there is such a process. */
function signal(pid: number, name: 'SIGTERM' | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
