/** Takes pictures of the pages in every state: `npm run states`, or `npm run states -- proof` for some of them. */
import { fileURLToPath } from 'node:url';
import { defineConfig, devices } from '@playwright/test';
import base from '../../playwright.config.ts';
import { NARROW, WIDE } from '../axe.ts';

export default defineConfig(base, {
  testDir: fileURLToPath(new URL('.', import.meta.url)),
  testMatch: '*.states.ts',
  outputDir: '../../.build/states-run',
  workers: 2,
  timeout: 300_000,
  expect: { timeout: 40_000, toPass: { timeout: 40_000 } },
  projects: [
    { name: 'wide', use: { viewport: WIDE, actionTimeout: 40_000 } },
    { name: 'narrow', use: { ...devices['Pixel 7'], viewport: NARROW, deviceScaleFactor: 1, actionTimeout: 40_000 } },
  ],
});
