/** The admin portal: tier of the vectorizer, audit trail, feedback, waitlist and users; closed to everybody else. */
import type { Page, Request } from '@playwright/test';
import {
  ADMIN,
  fillInAdminLogin,
  newAddress,
  openAsNew,
  PASSWORD,
  signInAsAdmin,
  signInAsNew,
  signUp,
} from './accounts.ts';
import { expectNoFaults, expectNoFaultsAtBothSizes } from './axe.ts';
import { expect, intercept, test } from './test.ts';

const notice = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: /Notifications/ }).getByText(text);
const paidTier = (page: Page) => page.getByRole('switch', { name: 'Paid tier' });
const denial = (page: Page) =>
  page.getByRole('heading', { name: 'Access Denied: This portal is restricted to admin users only.' });

test('the vectorizer’s tier', { tag: '@detail' }, async ({ page }) => {
  await signInAsAdmin(page);
  await test.step('the tier is switched in the portal and in the panel, and the audit trail lists both', async () => {
    await page.goto('/admin');
    await expect(page.getByRole('heading', { name: 'Vectorizer configuration' })).toBeVisible(); // below the catalogue
    await expect(paidTier(page)).not.toBeChecked();
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
  });
  await test.step('a failed switch and an unreadable status show a message', async () => {
    const restore = await intercept(page, '**/api/admin/vectorizer-status', (route) => route.abort());
    await page.goto('/admin?room=vectorizer');
    await expect(page.getByText('Failed to fetch vectorizer status')).toBeVisible();
    await expect(paidTier(page)).toHaveCount(0);
    restore();
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
      system: { engine: 'Built in', quality: 'Fine curves for files, as chosen on screen' },
    };
    await page.route('**/api/admin/vectorizer-status', (route) => route.fulfill({ json: status }));
    await page.goto('/admin-panel');
    await expect(page.getByText('No keys', { exact: true })).toBeVisible();
    await expect(paidTier(page)).toBeDisabled();
    await expectNoFaults(page, 'no keys for the paid tier');
  });
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
  }
  // axe.spec.ts checks the same page for a visitor.
  await expectNoFaults(maker, 'denied with 403');
  await guest.getByRole('link', { name: 'Log in' }).click();
  await fillInAdminLogin(guest);
  await expect(guest).toHaveURL(/\/admin-panel$/);
  await expect(paidTier(guest)).toBeVisible();
  for (const page of [maker, guest]) await page.context().close();
});

test('no room of the portal has an accessibility fault or is wider than its window', { tag: '@detail' }, async ({
  page,
  playwright,
  baseURL,
}) => {
  const address = newAddress('zeta');
  const feedback = `The rulers are right. ${address}`;
  const account = await signUp(page.request, address);
  await page.request.post('/api/send-feedback', { data: { name: 'Zeta', email: address, feedback } });
  await page.request.post('/api/waitlist', { data: { email: address } });
  await page.request.post('/api/auth/login', { data: { email: address, password: 'not this one' } });
  await page.request.post('/api/auth/change-password', {
    headers: account.headers,
    data: { currentPassword: PASSWORD, newPassword: 'maple coaster' },
  });
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
  const file = { name: 'stored.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) };
  // Another browser's: a sign-in takes over what this one uploaded as a guest.
  const guest = await playwright.request.newContext({ baseURL: baseURL! });
  expect((await guest.post('/api/designs/upload', { multipart: { file } })).status()).toBe(200);
  await guest.dispose();

  await signInAsAdmin(page);
  await page.goto('/admin?room=users');
  const panel = page.getByRole('tabpanel');
  const open = async (room: string) => {
    await page.getByRole('tab', { name: room }).click();
    await expect(page.getByRole('tab', { name: room })).toHaveAttribute('aria-selected', 'true');
    await expect(panel).toBeVisible();
    await expect(page.getByRole('status').getByText('Loading')).toHaveCount(0);
  };
  for (const room of ['Vectorizer', 'Administrators', 'Audit trail']) {
    await test.step(room, async () => {
      await open(room);
      await expectNoFaultsAtBothSizes(page, room);
    });
  }

  await test.step('feedback and waitlist are each listed in their room', async () => {
    await open('Feedback');
    await expect(page.getByText(feedback)).toBeVisible();
    await expect(page.getByRole('link', { name: address })).toHaveAttribute('href', `mailto:${address}`);
    await expectNoFaultsAtBothSizes(page, 'Feedback');
    await open('Waitlist');
    await expect(page.getByText(address)).toBeVisible();
    await expectNoFaultsAtBothSizes(page, 'Waitlist');
  });

  await test.step('users are found by the beginning of their address', async () => {
    await open('Users & plans');
    await expect(page.getByRole('img', { name: /^The last 30 days: \d+ sign-ups?, most on / })).toBeVisible();
    await expectNoFaultsAtBothSizes(page, 'Users & plans');
    const search = page.getByLabel('Find an account by the beginning of its address');
    await search.fill(address.slice(0, -8).toUpperCase());
    const rows = page.getByRole('row');
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText(address);
    await expect(rows.nth(1)).toContainText('Free');
    await page.getByRole('button', { name: `Sign out ${address} everywhere` }).click();
    const question = page.getByRole('dialog', { name: 'Sign this account out everywhere?' });
    await expectNoFaults(page, 'the question before signing out', 'dialog[open]');
    await question.getByRole('button', { name: 'Not now' }).click();
    await expect(question).toBeHidden();
    await page.getByRole('button', { name: `Sign out ${address} everywhere` }).click();
    await question.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByText('1 place is signed out', { exact: true })).toBeVisible();
    await expect(rows.nth(1)).toContainText('–');
    await expect(page.getByRole('button', { name: `Sign out ${address} everywhere` })).toHaveCount(0);
    await search.fill('nobody-at-all');
    await expect(page.getByText('No address begins with “nobody-at-all”.')).toBeVisible();
  });

  await test.step('security events are listed by kind and account', async () => {
    await open('Security');
    await page.getByLabel('Find events by the beginning of an account’s address').fill(address);
    const lines = panel.getByRole('listitem');
    await expect(lines).toHaveText([
      /^Account · signed out by an administrator/,
      /^Password · changed/,
      /^Refusal · wrong password/,
      /^Account · signed up/,
    ]);
    await expectNoFaultsAtBothSizes(page, 'Security');
    await page.getByRole('combobox', { name: 'Kind of event' }).click();
    await page.getByRole('option', { name: 'Refusal' }).click();
    await expect(lines).toHaveText([/^Refusal · wrong password/]);
    await expectNoFaults(page, 'the security events of one kind', 'main');
  });

  await test.step('the storage is shown by kind and by owner, with a warning when it is nearly full', async () => {
    await open('Storage');
    await expect(page.getByRole('region', { name: 'Files by kind' })).toContainText('Uploads');
    await expect(page.getByRole('progressbar', { name: 'Disk' })).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Guests and unverified accounts' })).toBeVisible();
    const owners = page.getByRole('region', { name: 'Who fills the storage' });
    await expect(owners.getByRole('row').filter({ hasText: '127.0.0.1' })).toBeVisible();
    await expectNoFaultsAtBothSizes(page, 'Storage');

    // The reply is mocked, because a test cannot fill the disk.
    const gauge = { usedBytes: 85, limitBytes: 100, isNearlyFull: true };
    const kinds = [{ kind: 'uploads', bytes: 85, files: 1 }];
    await page.route('**/api/admin/storage', (route) =>
      route.fulfill({ json: { freeBytes: 15, gauges: [{ name: 'disk', ...gauge }], kinds } }),
    );
    await page.reload();
    await expect(page.getByRole('alert')).toHaveText(
      '80 % full or more: Disk. Uploads are refused when nothing is left.',
    );
    await expectNoFaults(page, 'nearly full', 'main');
  });
});

test('the outbox of the portal', { tag: '@detail' }, async ({ page }) => {
  await test.step('only the administrator sees the portal, in the bar and at its address', async () => {
    await signInAsNew(page);
    await page.goto('/admin?room=outbox');
    await expect(
      page.getByRole('heading', { name: 'Access Denied: This portal is restricted to admin users only.' }),
    ).toBeVisible();
    // The bar shows both links at once: when the first one is there, the second one is not just late.
    await expect(page.getByRole('link', { name: 'Profile' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Admin Portal' })).toHaveCount(0);
    await expectNoFaults(page, '/admin');

    await page.evaluate(() => localStorage.removeItem('authToken'));
    await signInAsAdmin(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/studio');
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('link', { name: 'Admin Portal' }).click();
    await expect(page.getByRole('heading', { name: 'Admin Portal' })).toBeVisible();
    await page.getByRole('tab', { name: 'Outbox' }).click();
    await expect(page.getByText('No mail server is set up')).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
  await test.step('a mail of this site opens without an error in the console', async () => {
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.getByRole('region', { name: 'Mails' }).getByRole('listitem').first().getByRole('button').click();
    const letter = page.frameLocator('iframe');
    await expect(letter.locator('body')).toContainText('Markwright');
    // Written into the mail, and set by the page.
    await expect(letter.locator('[data-style]').first()).toHaveAttribute('style', /./);
    expect(errors).toEqual([]);
  });
  await test.step('the outbox finds, shows and loads mails, and the scripts and links of a mail do nothing', async () => {
    const mail = (id: number, to: string) => ({
      id: `m${id}`,
      kind: 'reset',
      to,
      subject: `Mail ${id}`,
      state: id === 1 ? 'failed' : 'kept',
      attempts: id,
      lastError: id === 1 ? '550 No such mailbox' : null,
      createdAt: '2026-11-21T12:00:00.000Z',
      sentAt: null,
    });
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await page.route('**/api/admin/mails?**', (route) =>
      route.fulfill({ json: { mails: [mail(3, 'cleo@example.com')], next: null } }),
    );
    await page.route('**/api/admin/mails', (route) =>
      route.fulfill({ json: { mails: [mail(1, 'ann@example.com'), mail(2, 'bo@example.com')], next: 'm2' } }),
    );
    const html =
      '<style>h1{color:rgb(1, 2, 3)}</style><h1>Hello</h1><p style="color:rgb(4, 5, 6)">Text</p><a href="https://example.com/leave">Leave</a>' +
      '<img src="https://example.com/seen.png"><script>document.body.textContent = "changed"</script><img src=x onerror="parent.document.title=1">';
    await page.route('**/api/admin/mails/m1', (route) =>
      route.fulfill({ json: { ...mail(1, 'ann@example.com'), text: 'Hello https://example.com/a?token=b', html } }),
    );
    await page.route('**/api/admin/mails/m1/send', (route) =>
      route.fulfill({ json: { ...mail(1, 'ann@example.com'), state: 'queued' } }),
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/admin?room=outbox');
    const list = page.getByRole('region', { name: 'Mails' }).getByRole('listitem');
    await expect(list).toHaveCount(2);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect(list).toHaveCount(3);
    await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);
    await page.getByLabel('Find by address').fill('CLEO');
    await expect(list).toHaveCount(1);
    await page.getByLabel('Find by address').fill('nobody');
    await expect(page.getByText('No mail to “nobody” among these.')).toBeVisible();
    await page.getByLabel('Find by address').fill('');

    await page.getByRole('button', { name: /ann@example.com/ }).click();
    const letter = page.getByRole('region', { name: 'The mail' });
    await expect(letter.getByText('550 No such mailbox')).toBeVisible();
    const mailFrame = page.frameLocator('iframe');
    await expect(mailFrame.getByRole('heading', { name: 'Hello' })).toHaveCSS('color', 'rgb(1, 2, 3)');
    await expect(mailFrame.getByText('Text')).toHaveCSS('color', 'rgb(4, 5, 6)');
    await mailFrame.getByRole('link', { name: 'Leave' }).click();
    await expect(mailFrame.getByRole('heading', { name: 'Hello' })).toBeVisible();
    await expect(page).toHaveTitle('Admin Portal | Markwright');
    await letter.getByText('Text', { exact: true }).click();
    await expect(letter.getByText('https://example.com/a?token=b')).toBeVisible();
    await letter.getByRole('button', { name: 'Send again' }).click();
    await expect(notice(page, 'The mail is on its way again')).toBeVisible();

    // What was kept can be sent once there is a mail server.
    await page.route('**/api/admin/mails/m2', (route) =>
      route.fulfill({ json: { ...mail(2, 'bo@example.com'), text: 'Hello', html: '' } }),
    );
    const bo = page.getByRole('button', { name: /bo@example.com/ });
    await bo.click();
    await expect(letter.getByText('Hello')).toBeVisible();
    await expect(letter.getByRole('button', { name: 'Send again' })).toHaveCount(0);
    await page.route('**/api/site', async (route) =>
      route.fulfill({ json: { ...(await (await route.fetch()).json()), mail: 'smtp' } }),
    );
    await page.reload();
    await bo.click();
    await expect(letter.getByRole('button', { name: 'Send again' })).toBeVisible();
    const outside = requests.filter((request) => request.url().includes('//example.com'));
    expect(outside.map((request) => request.failure()?.errorText)).toEqual(['csp']);

    await page.route('**/api/admin/mails', (route) => route.abort());
    await page.reload();
    await expect(page.getByText('The mails could not be read.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  });
});
