/**
 * Layout shift: what stands on a page stays where it is while the rest arrives. Every page of the router is opened with
 * slow fonts and a slow API, by a guest and by an account, in a wide and in a narrow window.
 */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { logInAsAdmin, signIn, signInAsNew, takePlan } from './accounts.ts';
import { NARROW } from './axe.ts';
import { expect, intercept, test } from './test.ts';

/** Of 1, as the field counts it: https://web.dev/articles/cls calls 0.1 good. */
const MAX_SHIFT = 0.02;
/** Of the API, and of the code of a page. */
const CALL_DELAY_MS = 150;
const FONT_DELAY_MS = 250;

const source = readFileSync(new URL('../apps/web/src/routes.tsx', import.meta.url), 'utf8');
const paths = [
  ...Array.from(source.matchAll(/ page\('([^']+)'/g), ([, path]) => path!),
  ...Array.from(source.matchAll(/profileTab\('\/([^']+)'/g), ([, tab]) => `/profile/${tab}`),
  '/no-such-page',
];
/** Addresses of pages that show something else with a parameter. */
const parameters: Readonly<Record<string, string>> = {
  '/makers/$id': '/makers/0000000000000000',
  '/proof': '/proof#token=made-up',
  '/password-reset': '/password-reset?token=made-up',
  '/verify-email': '/verify-email?token=made-up',
  '/invitation': '/invitation#token=made-up',
  '/subscription-success': '/subscription-success?session_id=made-up',
  '/test-checkout': '/test-checkout?session=made-up',
};

const rooms = readFileSync(new URL('../apps/web/src/pages/admin/AdminPage.tsx', import.meta.url), 'utf8');
const adminAddresses = [
  ...Array.from(rooms.matchAll(/createRoom\(\s*'(\w+)'/g), ([, room]) => `/admin?room=${room}`),
  '/admin-panel',
];

interface Shift {
  readonly value: number;
  readonly parts: readonly string[];
}

/** Collects the shifts of each page that is opened from now on, with what moved. */
async function observeShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    interface LayoutShift extends PerformanceEntry {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly {
        readonly node: Node | null;
        readonly previousRect: DOMRect;
        readonly currentRect: DOMRect;
      }[];
    }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
        if (hadRecentInput) continue;
        const parts = sources.map(({ node, previousRect, currentRect }) => {
          const text = (node?.textContent ?? '').trim().slice(0, 40);
          const move = `${currentRect.x - previousRect.x}, ${currentRect.y - previousRect.y}`;
          return `${node?.nodeName.toLowerCase()} “${text}” by ${move}`;
        });
        shifts.push({ value, parts });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/**
 * Lets the API, the fonts and the code of each page come late. Not by `page.route`: it stops every request, in the
 * process of the test, and turns the browser's cache off, which takes as much processor time as the pages do. The tab
 * waits for them again at the next page after `forget`.
 */
async function slowDown(page: Page): Promise<{ forget: () => Promise<void>; countLateFonts: () => number }> {
  const client = await page.context().newCDPSession(page);
  let fontCount = 0;
  client.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isFont = request.url.endsWith('.woff2');
    if (isFont) fontCount++;
    setTimeout(
      () => client.send('Fetch.continueRequest', { requestId }).catch(() => undefined), // the page went on
      isFont ? FONT_DELAY_MS : CALL_DELAY_MS,
    );
  });
  const late = ['*/api/*', '*/assets/*Page-*.js', '*/assets/*Tab-*.js', '*.woff2'];
  await client.send('Fetch.enable', { patterns: late.map((urlPattern) => ({ urlPattern })) });
  return {
    async forget() {
      fontCount = 0;
      // Chromium empties the memory of a tab when its cache is turned off. The cache keeps its files, and their code.
      for (const cacheDisabled of [true, false]) await client.send('Network.setCacheDisabled', { cacheDisabled });
    },
    countLateFonts: () => fontCount,
  };
}

/** Opens each address in a wide and in a narrow window at the same time, and sums up what moves in each. */
async function expectNoShifts(page: Page, addresses: readonly string[]): Promise<void> {
  const narrowPage = await page.context().newPage();
  await narrowPage.setViewportSize(NARROW);
  const tabs = await Promise.all(
    [page, narrowPage].map(async (page) => {
      await observeShifts(page);
      return { page, ...(await slowDown(page)) };
    }),
  );
  for (const address of addresses) {
    await test.step(address, async () => {
      await Promise.all(
        tabs.map(async ({ page, forget, countLateFonts }) => {
          await forget();
          await expectNoShift(page, address);
          expect(countLateFonts(), `fonts that ${address} waited for`).toBeGreaterThan(0);
        }),
      );
    });
  }
}

/** Opens an address and sums up what moves until nothing is requested any more. */
async function expectNoShift(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'networkidle' });
  // Its code loads when the browser is idle, which may be after the network is.
  if (address === '/studio') await page.getByRole('complementary', { name: 'Tutorial offer' }).waitFor();
  const shifts = await page.evaluate(async () => {
    // A frame reports its shifts after it was shown.
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
    return (window as unknown as { shifts: readonly Shift[] }).shifts;
  });
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  const place = `${address}, ${page.viewportSize()!.width} px wide`;
  if (process.env.PRINT_SHIFTS) console.log(place, total.toFixed(4), total > 0.01 ? JSON.stringify(shifts) : '');
  expect.soft(total, `${place}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MAX_SHIFT);
}

const addresses = paths
  .filter((path) => !path.startsWith('/admin') && path !== '/subscribe') // the plans under another address
  .map((path) => parameters[path] ?? path);

test('nothing on a page moves under a guest while the rest of it arrives', { tag: '@detail' }, async ({ page }) => {
  await expectNoShifts(
    page,
    // The studio first, as at a first visit. To a guest every tab of the profile is the same page.
    ['/studio', ...addresses.filter((address) => address !== '/studio' && !address.startsWith('/profile/'))],
  );
});

test('nothing on a page moves under a customer while the rest of it arrives', { tag: '@detail' }, async ({ page }) => {
  await takePlan(page.request, await signInAsNew(page), 'starter');
  await expectNoShifts(page, addresses);
});

test('nothing in the portal moves under the administrator while the rest of it arrives', { tag: '@detail' }, async ({
  page,
}) => {
  await signIn(page, await logInAsAdmin(page.request));
  await expectNoShifts(page, adminAddresses);
});

test('the links of the bar stay where they are when the account has been read', async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/feedback');
  const logout = page.getByRole('button', { name: 'Logout' });
  await expect(logout).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('accountHint'))).toContain('username');

  // The next visit, on which the account is read late.
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const stop = await intercept(page, '**/api/auth/me', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.reload();
  const place = page.locator('[data-account-place]');
  await expect(place).toBeVisible();
  await expect(logout).toBeHidden();
  const link = page.getByRole('banner').getByRole('link', { name: 'Studio' });
  // The letters of the page's own font have other widths than those before it has come.
  await page.evaluate(() => document.fonts.ready);
  const before = [await link.boundingBox(), await place.getByText('Logout').boundingBox()];
  answer();
  await expect(logout).toBeVisible();
  expect([await link.boundingBox(), await logout.boundingBox()]).toEqual(before);
  stop();

  await logout.click();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('accountHint'))).toBeNull();
});
