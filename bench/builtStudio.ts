/** For benches: the built server on its own with an empty data folder, and a browser without a GPU for its studio. */
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../e2e/browser.ts';
import { startServer } from '../e2e/server.ts';

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
  const server = await startServer(environment);
  try {
    await work(server.url, server.pid);
  } finally {
    await server.stop();
  }
}

export function quantile(values: readonly number[], q: number): number {
  const ascending = [...values].sort((a, b) => a - b);
  return ascending[Math.min(ascending.length - 1, Math.floor(q * ascending.length))] ?? Number.NaN;
}
