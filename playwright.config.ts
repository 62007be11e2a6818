import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './e2e/browser.ts';
import { freePort } from './e2e/freePort.ts';

// The workers load this file again: what is chosen once is handed to them through the environment. The server makes its folder itself.
process.env.E2E_PORT ??= String(await freePort());
process.env.E2E_DATA_DIR ??= join(tmpdir(), `markwright-e2e-${randomUUID().slice(0, 8)}`);
process.env.ADMIN_EMAIL ??= 'admin@example.com';
process.env.ADMIN_PASSWORD ??= 'a workshop key';

const { executablePath, args } = await findBrowser();
const url = `http://127.0.0.1:${process.env.E2E_PORT}`;

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: '.build/e2e',
  globalTeardown: './e2e/teardown.ts',
  fullyParallel: false,
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    // What is not there by then will not come: say so rather than use up the whole test's time.
    actionTimeout: 20_000,
    launchOptions: { executablePath, args },
  },
  webServer: {
    command: 'node apps/server/dist/main.js',
    url: `${url}/api/ready`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      PORT: process.env.E2E_PORT,
      DATA_DIR: process.env.E2E_DATA_DIR,
      ADMIN_EMAIL: process.env.ADMIN_EMAIL,
      ADMIN_PASSWORD: process.env.ADMIN_PASSWORD,
      LOG_LEVEL: 'warn',
      // Nobody listens there: the paid tier can be switched on, and every trace falls back to the built-in engine.
      VECTORIZER_API_ID: 'e2e',
      VECTORIZER_API_SECRET: 'e2e',
      VECTORIZER_API_URL: 'http://127.0.0.1:9/api/v1',
    },
  },
});
