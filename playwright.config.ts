import { defineConfig } from '@playwright/test';
import { findBrowser } from './e2e/browser.ts';

/** The file that `npm test` reads the counts from. */
const report = process.env.TEST_REPORT;
const { executablePath, args } = await findBrowser();

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: '.build/e2e',
  // Each worker has a server and a data folder of its own (e2e/test.ts), so any two tests may run at a time.
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ...(report ? [['json', { outputFile: report }] as const] : [])],
  use: {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    // What is not there by then will not come: say so rather than use up the whole test's time.
    actionTimeout: 20_000,
    launchOptions: { executablePath, args },
  },
});
