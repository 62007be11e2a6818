/** The test function of the browser tests. Each worker has a server of its own, so a test may change anything on it. */
import { test as base, type Page, type Route } from '@playwright/test';
import { ADMIN } from './accounts.ts';
import { type BuiltServer, startServer } from './server.ts';

export { expect } from '@playwright/test';

const environment = {
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  MODEL_DOWNLOAD: 'off',
  // Nobody listens there: the paid tier can be switched on, and every trace falls back to the built-in engine.
  VECTORIZER_API_ID: 'e2e',
  VECTORIZER_API_SECRET: 'e2e',
  VECTORIZER_API_URL: 'http://127.0.0.1:9/api/v1',
};

export const test = base.extend<object, { server: BuiltServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern.
    async ({}, use) => {
      const server = await startServer(environment);
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: ({ server }, use) => use(server.url),
});

/**
 * Answers the requests of a page that match `url` with `handle`. Returns a function that lets them go to the server
 * again.
 *
 * Interception stays on until the page closes. `page.unroute` and the option `times` turn it off, and a module that the
 * page requests at that moment may never arrive (5 of 90 runs on a busy machine).
 */
export async function intercept(
  page: Page,
  url: string | RegExp,
  handle: (route: Route) => Promise<void> | undefined,
): Promise<() => void> {
  let isOn = true;
  await page.route(url, (route) => (isOn ? handle(route) : route.fallback()));
  return () => {
    isOn = false;
  };
}
