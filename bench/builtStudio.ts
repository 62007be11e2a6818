/** For benches: the built server on its own with an empty data folder, and a browser without a GPU for its studio. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../e2e/browser.ts';
import { freePort } from '../e2e/freePort.ts';

/** Opens the studio, lets `work` use it, and ends browser and server. */
export async function withBuiltStudio(work: (page: Page) => Promise<void>): Promise<void> {
  await withBuiltServer(async (url) => {
    const { executablePath, args } = await findBrowser();
    const browser = await chromium.launch({ executablePath, args });
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      // The runner names the functions it compiles with a helper that a page does not have.
      await page.addInitScript('globalThis.__name = (named) => named');
      await page.goto(`${url}/studio`);
      await work(page);
    } finally {
      await browser.close();
    }
  });
}

/** Starts the server, lets `work` call it, and ends it. It believes the addresses a proxy on this machine forwards. */
export async function withBuiltServer(
  work: (url: string, pid: number) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'markwright-bench-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, ['apps/server/dist/main.js'], {
    env: { ...process.env, PORT: String(port), PUBLIC_URL: url, DATA_DIR: folder, LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await ready(`${url}/api/ready`, server);
    await work(url, server.pid!);
  } finally {
    if (server.exitCode === null) {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The server did not become ready');
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}
