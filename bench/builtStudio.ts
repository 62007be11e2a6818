/** For benches: the built server on its own with an empty data folder, and a browser without a GPU for its studio. */
import { readFileSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../e2e/browser.ts';
import { startServer } from '../e2e/server.ts';

/** The kernel counts processor time in hundredths of a second, on every platform of Node. */
const TICK_MS = 10;

/** Opens the studio, lets `work` use it, and ends browser and server. */
export async function withBuiltStudio(
  work: (page: Page) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  await withBuiltServer(async (url) => {
    const { executablePath, args } = await findBrowser();
    const browser = await chromium.launch({ executablePath, args });
    try {
      const page = await browser.newPage({ baseURL: url, viewport: { width: 1440, height: 900 } });
      // The runner names the functions it compiles with a helper that a page does not have.
      await page.addInitScript('globalThis.__name = (named) => named');
      await page.goto(`${url}/studio`);
      await work(page);
    } finally {
      await browser.close();
    }
  }, environment);
}

/** Starts the server, lets `work` call it, and ends it. It believes the addresses a proxy on this machine forwards. */
export async function withBuiltServer(
  work: (url: string, pid: number) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const server = await startServer(environment);
  try {
    await work(server.url, server.pid);
  } finally {
    await server.stop();
  }
}

/** Returns the processor time that a process has used, in ms; on Linux alone. */
export function processorMs(pid: number | string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Returns the memory that a process has now, in MB; 0 for one that has ended. On Linux alone. */
export function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Returns the ids of the processes that a process has started; on Linux alone. */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

export function quantile(values: readonly number[], q: number): number {
  const ascending = [...values].sort((a, b) => a - b);
  return ascending[Math.min(ascending.length - 1, Math.floor(q * ascending.length))] ?? Number.NaN;
}
