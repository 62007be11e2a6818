import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './e2e/browser.ts';
import { findFastFolder } from './scripts/fastFolder.ts';

/** The file that `npm test` reads the counts from. */
const report = process.env.TEST_REPORT;
const { executablePath, args } = await findBrowser();

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  // The journeys: what a person comes for, in each area. `npm run e2e` and the stress tier run the details, too.
  ...(process.env.TEST_TIER === 'quick' && { grepInvert: /@detail/ }),
  outputDir: '.build/e2e',
  // Each worker has a server and a data folder of its own (e2e/test.ts), so any two tests may run at a time.
  fullyParallel: true,
  // As many as there are cores, at least two. A test waits for a fifth of its time, but `npm test` runs others beside
  // it, and each worker costs 5 s of processor time: a server with its database, a browser, and all modules again.
  workers: Math.min(4, Math.max(2, availableParallelism())),
  // Limits are there for what hangs. On a machine with a load of 30 a trace takes two minutes instead of one second.
  timeout: 900_000,
  expect: { timeout: 240_000, toPass: { timeout: 240_000 } },
  reporter: [['list'], ...(report ? [['json', { outputFile: report }] as const] : [])],
  use: {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    // What is not there by then will not come: say so rather than use up the whole test's time.
    actionTimeout: 240_000,
    // The browser shares its pictures between its processes by files in the folder for temporary ones.
    launchOptions: { executablePath, args, env: { ...process.env, TMPDIR: findFastFolder() } },
  },
});
