/** The admin portal: tier of the vectorizer, audit trail, feedback, waitlist and users; closed to everybody else. */
import type { Page } from '@playwright/test';
import {
  ADMIN,
  fillInAdminLogin,
  newAddress,
  openAsAdmin,
  openAsNew,
  PASSWORD,
  signInAsAdmin,
  signUp,
} from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { expect, test } from './test.ts';

const notice = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: /Notifications/ }).getByText(text);
const paidTier = (page: Page) => page.getByRole('switch', { name: 'Paid tier' });
const denial = (page: Page) =>
  page.getByRole('heading', { name: 'Access Denied: This portal is restricted to admin users only.' });

test('the tier is switched in the portal and in the panel, and the audit trail lists both', async ({ browser }) => {
  const page = await openAsAdmin(browser);
  await page.goto('/admin');
  await page.getByRole('tab', { name: 'Vectorizer' }).click();
  await expect(page).toHaveURL(/\/admin\?room=vectorizer$/);
  await expect(paidTier(page)).not.toBeChecked();
  await expect(page.getByText('2,000 ms')).toBeVisible();
  await expect(page.getByText('Available', { exact: true })).toHaveCount(2);
  await paidTier(page).click();
  await expect(notice(page, 'The paid tier is on: pictures are traced by 127.0.0.1:9.')).toBeVisible();
  await expect(paidTier(page)).toBeChecked();
  await expect(page.getByText('100 ms')).toBeVisible();
  await page.reload();
  await expect(paidTier(page)).toBeChecked();

  await page.goto('/admin-panel');
  await expect(page.getByRole('heading', { level: 1, name: 'Vectorizer' })).toBeVisible();
  await paidTier(page).focus();
  await page.keyboard.press('Space');
  await expect(notice(page, 'The free tier is on: pictures are traced by the built-in engine.')).toBeVisible();
  await expect(paidTier(page)).not.toBeChecked();
  await page.getByRole('link', { name: 'Admin Portal' }).first().click();

  await page.getByRole('tab', { name: 'Audit trail' }).click();
  const lines = page.getByRole('tabpanel').getByRole('listitem');
  await expect(lines.nth(0)).toContainText('Free tier from paid to free');
  await expect(lines.nth(1)).toContainText('Paid tier from free to paid');
  await expect(lines.nth(1)).toContainText(ADMIN.email);
  await page.getByRole('combobox', { name: 'Kind of action' }).click();
  await page.getByRole('option', { name: 'Vectorizer' }).click();
  await expect(lines.nth(0)).toContainText('Vectorizer · toggle');
  await page.context().close();
});

test('a failed switch and an unreadable status show a message', async ({ browser }) => {
  const page = await openAsAdmin(browser);
  await page.route('**/api/admin/vectorizer-status', (route) => route.abort(), { times: 1 });
  await page.goto('/admin?room=vectorizer');
  await expect(page.getByText('Failed to fetch vectorizer status')).toBeVisible();
  await expect(paidTier(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.route('**/api/admin/toggle-vectorizer', (route) =>
    route.fulfill({ status: 409, json: { message: 'The paid tier has no keys.' } }),
  );
  await paidTier(page).click();
  await expect(notice(page, 'Failed to toggle vectorizer mode')).toBeVisible();
  await expect(notice(page, 'The paid tier has no keys.')).toBeVisible();
  await expect(paidTier(page)).not.toBeChecked();

  const status = {
    currentMode: 'free',
    rateLimitMs: 2000,
    credentials: { freeAvailable: true, paidAvailable: false },
    system: { engine: 'Built in', quality: 'Fine curves for files, standard on screen' },
  };
  await page.route('**/api/admin/vectorizer-status', (route) => route.fulfill({ json: status }));
  await page.goto('/admin-panel');
  await expect(page.getByText('No keys', { exact: true })).toBeVisible();
  await expect(paidTier(page)).toBeDisabled();
  await expectNoFaults(page, 'no keys for the paid tier');
  await page.context().close();
});

test('the panel is closed to guests and to other accounts', async ({ browser }) => {
  const maker = await openAsNew(browser);
  const guest = await (await browser.newContext()).newPage();
  for (const [page, status] of [
    [maker, 403],
    [guest, 401],
  ] as const) {
    const reply = page.waitForResponse('**/api/admin/vectorizer-status');
    await page.goto('/admin-panel');
    expect((await reply).status()).toBe(status);
    await expect(denial(page)).toBeVisible();
    await expect(paidTier(page)).toHaveCount(0);
    await expectNoFaults(page, `denied with ${status}`);
  }
  await guest.getByRole('link', { name: 'Log in' }).click();
  await fillInAdminLogin(guest);
  await expect(guest).toHaveURL(/\/admin-panel$/);
  await expect(paidTier(guest)).toBeVisible();
  for (const page of [maker, guest]) await page.context().close();
});

test('feedback, waitlist and users are each listed in their room', async ({ browser }) => {
  const address = newAddress('zeta');
  const maker = await openAsNew(browser, address);
  const feedback = `The rulers are right. ${address}`;
  await maker.request.post('/api/send-feedback', { data: { name: 'Zeta', email: address, feedback: feedback } });
  await maker.request.post('/api/waitlist', { data: { email: address } });

  const page = await openAsAdmin(browser);
  await page.goto('/admin?room=feedback');
  await expect(page.getByText(feedback)).toBeVisible();
  await expect(page.getByRole('link', { name: address })).toHaveAttribute('href', `mailto:${address}`);
  await page.getByRole('tab', { name: 'Waitlist' }).click();
  await expect(page.getByText(address)).toBeVisible();
  await page.getByRole('tab', { name: 'Users & plans' }).click();
  await expect(page.getByRole('img', { name: /^The last 30 days: \d+ sign-ups?, most on / })).toBeVisible();
  await page.getByLabel('Find an account by the beginning of its address').fill(address.slice(0, -8).toUpperCase());
  const rows = page.getByRole('row');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText(address);
  await expect(rows.nth(1)).toContainText('Free');
  await page.getByLabel('Find an account by the beginning of its address').fill('nobody-at-all');
  await expect(page.getByText('No address begins with “nobody-at-all”.')).toBeVisible();
  for (const one of [maker, page]) await one.context().close();
});

for (const [screen, viewport] of Object.entries({
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
})) {
  test(`no room has an accessibility fault or is wider than its window, ${screen}`, async ({ browser }) => {
    const page = await openAsAdmin(browser);
    await page.setViewportSize(viewport);
    const names = ['users', 'vectorizer', 'feedback', 'waitlist', 'storage', 'administrators', 'security', 'audit'];
    for (const room of names) {
      await page.goto(`/admin?room=${room}`);
      await expect(page.getByRole('tabpanel')).toBeVisible();
      await expect(page.getByRole('status').getByText('Loading')).toHaveCount(0);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), room).toBe(viewport.width);
      await expectNoFaults(page, `${room}, ${screen}`);
    }
    await page.context().close();
  });
}

test('the storage is shown by kind and by owner, with a warning when it is nearly full', async ({ browser }) => {
  const page = await openAsAdmin(browser);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
  const file = { name: 'stored.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) };
  expect((await page.request.post('/api/designs/upload', { multipart: { file } })).status()).toBe(200);
  await page.goto('/admin?room=storage');
  await expect(page.getByRole('region', { name: 'Files by kind' })).toContainText('Uploads');
  await expect(page.getByRole('progressbar', { name: 'Disk' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Guests and unverified accounts' })).toBeVisible();
  const owners = page.getByRole('region', { name: 'Who fills the storage' });
  await expect(owners.getByRole('row').nth(1)).toContainText('127.0.0.1');

  // A disk is not filled for a test.
  const gauge = { usedBytes: 85, limitBytes: 100, isNearlyFull: true };
  const kinds = [{ kind: 'uploads', bytes: 85, files: 1 }];
  await page.route('**/api/admin/storage', (route) =>
    route.fulfill({ json: { freeBytes: 15, gauges: [{ name: 'disk', ...gauge }], kinds } }),
  );
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText(
    '80 % full or more: Disk. Uploads are refused when nothing is left.',
  );
  await expectNoFaults(page, 'nearly full');
  await page.context().close();
});

test('security events are listed by kind and account', async ({ page }) => {
  const email = newAddress('eventful');
  const { headers } = await signUp(page.request, email);
  await page.request.post('/api/auth/login', { data: { email, password: 'not this one' } });
  await page.request.post('/api/auth/change-password', {
    headers,
    data: { currentPassword: PASSWORD, newPassword: 'maple coaster' },
  });
  await signInAsAdmin(page);
  await page.goto('/admin?room=security');
  await page.getByLabel('Find events by the beginning of an account’s address').fill(email);
  const lines = page.getByRole('tabpanel').getByRole('listitem');
  await expect(lines).toHaveText([/^Password · changed/, /^Refusal · wrong password/, /^Account · signed up/]);
  await page.getByRole('combobox', { name: 'Kind of event' }).click();
  await page.getByRole('option', { name: 'Refusal' }).click();
  await expect(lines).toHaveText([/^Refusal · wrong password/]);
  await expectNoFaults(page, 'the security events');
});
