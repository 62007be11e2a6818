import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** A condition that is waited for, and a test, are given up when they hang, not when the machine is busy. */
const patience = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 30_000 } } };

export default defineConfig({
  test: {
    // Two even on two cores, as the server's tests wait for much of their time, and no more than the one database has connections for.
    maxWorkers: Math.min(6, Math.max(2, availableParallelism() - 1)),
    projects: [
      {
        test: {
          name: 'packages',
          include: ['packages/*/{src,test}/**/*.test.{ts,tsx}'],
          environment: 'node',
          ...patience,
        },
      },
      {
        test: {
          name: 'server',
          globalSetup: ['apps/server/test/globalSetup.ts'],
          include: ['apps/server/{src,test}/**/*.test.ts'],
          environment: 'node',
          ...patience,
        },
      },
      { test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'], environment: 'node', ...patience } },
    ],
  },
});
