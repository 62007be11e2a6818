/**
 * Layout shift: what stands on a page stays where it is while the rest arrives. Every page of the router is opened with
 * slow fonts and a slow API, by a guest and by an account, in a wide and in a narrow window.
 */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { logInAsAdmin, signIn, signInAsNew, takePlan } from './accounts.ts';
import { NARROW, WIDE } from './axe.ts';
import { expect, intercept, test } from './test.ts';

/** Of 1, as the field counts it: https://web.dev/articles/cls calls 0.1 good. */
const MAX_SHIFT = 0.02;
const API_DELAY_MS = 150;
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

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function slowDown(page: Page): Promise<void> {
  for (const [url, ms] of [
    ['**/api/**', API_DELAY_MS],
    ['**/*.woff2', FONT_DELAY_MS],
  ] as const) {
    await intercept(page, url, async (route) => {
      await delay(ms);
      await route.continue().catch(() => undefined); // the page went on
    });
  }
}

/** Opens each address and sums up what moved until nothing is requested any more. */
async function expectNoShifts(page: Page, addresses: readonly string[]): Promise<void> {
  await slowDown(page);
  await observeShifts(page);
  for (const address of addresses) {
    await page.goto(address, { waitUntil: 'networkidle' });
    const shifts = await page.evaluate(() => (window as unknown as { shifts: readonly Shift[] }).shifts);
    const total = shifts.reduce((sum, { value }) => sum + value, 0);
    if (process.env.PRINT_SHIFTS) console.log(address, total.toFixed(4), total > 0.01 ? JSON.stringify(shifts) : '');
    expect.soft(total, `${address}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MAX_SHIFT);
  }
}

const addresses = paths
  .filter((path) => !path.startsWith('/admin') && path !== '/subscribe') // the plans under another address
  .map((path) => parameters[path] ?? path);

for (const [size, viewport] of [
  ['wide', WIDE],
  ['narrow', NARROW],
] as const) {
  test.describe(size, () => {
    test.use({ viewport });

    test('nothing on a page moves under a guest while the rest of it arrives', async ({ page }) => {
      await expectNoShifts(
        page,
        // To a guest every tab of the profile is the same page.
        addresses.filter((address) => address !== '/studio' && !address.startsWith('/profile/')),
      );
    });

    test('nothing in the studio moves under a guest while the rest of it arrives', async ({ page }) => {
      await expectNoShifts(page, ['/studio']);
    });

    test('nothing on a page moves under a customer while the rest of it arrives', async ({ page }) => {
      await takePlan(page.request, await signInAsNew(page), 'starter');
      await expectNoShifts(page, addresses);
    });

    test('nothing in the portal moves under the administrator while the rest of it arrives', async ({ page }) => {
      await signIn(page, await logInAsAdmin(page.request));
      await expectNoShifts(page, adminAddresses);
    });
  });
}
