import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import { findFastFolder } from './scripts/fastFolder.ts';

/** A condition that is waited for, and a test, are given up when they hang, not when the machine is busy. */
const timeouts = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 30_000 } } };

/** The file that `npm test` reads the counts from. */
const report = process.env.TEST_REPORT;
const isStress = process.env.TEST_TIER === 'stress';
/** Inputs that other projects collected. They are no part of the repository. */
const corpora = resolve(process.env.CORPORA_DIR ?? '../shared/corpora');
const hasCorpora = existsSync(corpora);
if (!hasCorpora && process.env.REQUIRE_CORPORA === '1') {
  throw new Error(`The corpora are required and missing: there is no ${corpora}. CORPORA_DIR names another folder.`);
}

/** The script that starts a real S3 service, at ports of its own, and the service's program. For campaigns alone. */
const s3Tools = resolve(process.env.S3_TOOLS_DIR ?? '../shared/tools/s3');
const hasS3 = isStress && existsSync(join(s3Tools, 'start.sh')) && existsSync('/usr/bin/radosgw');

const pgbouncer = '/usr/sbin/pgbouncer';
const hasPgbouncer = existsSync(pgbouncer);

/** Programs that check files of `deploy`, and those that the campaigns of the operator's kit need. */
const missingPrograms = [
  'nginx',
  'promtool',
  'helm',
  ...(isStress ? ['buildah', 'debootstrap', 'go', 'ip'] : []),
].filter((name) => !['/usr/sbin', '/usr/bin', '/usr/local/bin'].some((path) => existsSync(join(path, name))));

/** Says at the end of a run what was left out. */
const omissions: Reporter = {
  onTestRunEnd() {
    if (!hasCorpora) console.log(`The corpora are missing (${corpora}): collected inputs were not tested.`);
    if (!hasPgbouncer) console.log('PgBouncer is missing: servers behind a pooler were not tested.');
    if (missingPrograms.length > 0) {
      console.log(`Missing programs: ${missingPrograms.join(', ')}. What they check of deploy was not checked.`);
    }
    if (isStress && !hasS3) {
      console.log(`A real S3 service is missing (${s3Tools}, radosgw): canned replies alone were tested.`);
    }
  },
};

/** The folder of the run for temporary files. It is removed at the end, also of a run that was interrupted. */
const folder = mkdtempSync(join(findFastFolder(), 'markwright-run-'));
chmodSync(folder, 0o755); // a database runs as a user of its own
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

const projectDefaults = {
  ...timeouts,
  environment: 'node' as const,
  // Code that runs in one test is not worth optimizing, and garbage is cheaper to collect from a large young
  // generation: a sixth less processor time for units, and nothing lost for the server's tests. Node 22 has no budget.
  execArgv: [...(process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : []), '--max-semi-space-size=64'],
  setupFiles: ['scripts/propertySeed.ts', 'scripts/equalBytes.ts'],
  // It may be initialized once: a test that imports modules again needs another one of it too.
  server: { deps: { inline: ['@resvg/resvg-wasm'] } },
  env: {
    CORPORA_DIR: hasCorpora ? corpora : '',
    PGBOUNCER: hasPgbouncer ? pgbouncer : '',
    S3_TOOLS_DIR: hasS3 ? s3Tools : '',
    TEST_TIER: process.env.TEST_TIER ?? '',
    // What `tmpdir()` returns.
    TMPDIR: folder,
  },
};

/**
 * Lets the files that a worker runs share its process and its modules: a process and its imports cost 0.4 s for each
 * file. A test of these projects must leave no state in a module.
 */
const oneProcess = { isolate: false } as const;

export default defineConfig({
  test: {
    reporters: report ? ['default', omissions, ['json', { outputFile: report }]] : ['default', omissions],
    // One line a file: no line for a slow test, and what a test prints only when it fails.
    slowTestThreshold: 60_000,
    silent: isStress ? false : 'passed-only',
    // As `@detail` in the browser: see docs/testing.md. `npm test` leaves them out, by `--tags-filter`.
    tags: [{ name: 'detail', description: 'A further input of a checked behavior, or a fault with a long wait.' }],
    // Transformed modules on disk: both projects use them, and a second run of a few files takes half as long.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...projectDefaults,
          ...oneProcess,
          name: 'units',
          // No more than cores, because they wait for nothing and each of them reads all modules again. Vitest runs
          // projects with another number of workers in another group.
          maxWorkers: Math.min(6, availableParallelism()),
          sequence: { groupOrder: 1 },
          include: [
            'packages/*/{src,test}/**/*.test.{ts,tsx}',
            'apps/web/src/**/*.test.{ts,tsx}',
            'scripts/*.test.mjs',
          ],
        },
      },
      {
        test: {
          ...projectDefaults,
          ...oneProcess,
          name: 'server',
          // More than cores, as they wait for much of their time; no more than the database serves.
          maxWorkers: Math.min(6, Math.max(3, availableParallelism())),
          globalSetup: ['apps/server/test/globalSetup.ts'],
          include: ['apps/server/{src,test}/**/*.test.ts'],
        },
      },
    ],
  },
});
