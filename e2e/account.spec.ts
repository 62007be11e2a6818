/** The account pages: confirm, reset and change; sessions, takeout, deletion. */
import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Browser, Page } from '@playwright/test';
import {
  type Account,
  ADMIN,
  logIn,
  mailedLink,
  newAddress,
  openAs,
  openAsAdmin,
  PASSWORD,
  signIn,
  signInAsNew,
  signUp,
} from './accounts.ts';
import { expectNoFaults, expectNoFaultsAtBothSizes, NARROW } from './axe.ts';
import { tabTo } from './keys.ts';
import { expect, intercept, test } from './test.ts';

/** The link of the newest mail to an address, as the administrator copies it out of the outbox. */
async function copyMailedLink(browser: Browser, to: string, subject: RegExp): Promise<string> {
  const page = await openAsAdmin(browser);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/admin?room=outbox');
  await page.getByLabel('Find by address').fill(to);
  const mail = page.getByRole('button', { name: subject }).first();
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(mail).toBeVisible({ timeout: 1000 });
  }).toPass();
  await mail.click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.context().close();
  return link;
}

const notice = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: /Notifications/ }).getByText(text, { exact: typeof text === 'string' });
const isDenied = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Access Denied, please log in' })).toBeVisible();

async function chooseNewPassword(page: Page, password: string, confirmation = password): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('New password again', { exact: true }).fill(confirmation);
}

/** The status of a reply to an account: 401 after its session has ended. */
const statusOf = async (request: APIRequestContext, { headers }: Account): Promise<number> =>
  (await request.get('/api/auth/me', { headers })).status();

test('an address is confirmed at its first visit by the link of a mail', async ({ page, browser, request }) => {
  const email = newAddress();
  await test.step('signing up leads on to the page that was asked for', async () => {
    await page.goto('/auth?tab=signup&next=/profile');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(/\/profile$/);
    await expect(page.getByText('Not confirmed yet.')).toBeVisible();
  });
  const firstLink = await mailedLink(request, email, /confirm/i);
  await test.step('the verification link is sent again from the profile', async () => {
    await page.getByRole('button', { name: 'Send the link again' }).click();
    await expect(notice(page, new RegExp(`A new link is on its way to ${email}`))).toBeVisible();
  });
  await test.step('the link of a mail confirms an address, once', async () => {
    const link = await copyMailedLink(browser, email, /confirm/i);
    expect(link).not.toBe(firstLink);
    const elsewhere = await (await browser.newContext()).newPage();
    await elsewhere.goto(link);
    await expect(elsewhere.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
    await expect(elsewhere.getByText(email)).toBeVisible();
    await expect(elsewhere).toHaveURL(/\/verify-email$/);
    await page.reload();
    await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();

    await elsewhere.goto('about:blank');
    await elsewhere.goto(link);
    await expect(elsewhere.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
    await expect(
      elsewhere.getByText('This link has been used or is too old. Your profile sends a new one.'),
    ).toBeVisible();
    await expect(elsewhere.getByRole('link', { name: 'Log in for a new link' })).toBeVisible();
    await elsewhere.context().close();
  });
});

test('a forgotten password is reset', { tag: '@detail' }, async ({ page, request }) => {
  await test.step('the reset page says what is missing, word for word', async () => {
    await page.goto('/password-reset');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(notice(page, 'Email Required')).toBeVisible();
    await expect(notice(page, 'Please enter your email address.')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
    await page.getByLabel('Email').fill('no address');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(notice(page, 'Request Failed')).toBeVisible();
    await expect(notice(page, 'Invalid email address')).toBeVisible();

    // The reply is the same for an address without an account.
    const pageTexts: (string | null)[] = [];
    for (const email of [ADMIN.email, newAddress()]) {
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await expect(page.getByText(email, { exact: true })).toBeVisible();
      await expect(page.getByText('This site sends no mail yet')).toBeVisible();
      await expect(notice(page, 'Reset Email Sent')).toBeVisible();
      pageTexts.push((await page.getByRole('main').innerText()).replace(email, 'an address'));
      await page.getByRole('button', { name: 'Use another address' }).click();
    }
    expect(pageTexts[1]).toBe(pageTexts[0]);

    await page.getByRole('button', { name: 'I have a token' }).click();
    const submit = page.getByRole('button', { name: 'Set the new password' });
    await chooseNewPassword(page, 'walnut', 'walnuts');
    await submit.click();
    await expect(notice(page, 'Password Mismatch')).toBeVisible();
    await expect(notice(page, 'New password and confirmation password do not match.')).toBeVisible();
    await chooseNewPassword(page, 'waln');
    await submit.click();
    await expect(notice(page, 'Password Too Short')).toBeVisible();
    await expect(notice(page, 'Password must be at least 6 characters long.')).toBeVisible();
    await chooseNewPassword(page, 'cherry plank');
    await submit.click();
    await expect(notice(page, 'Invalid Reset Link')).toBeVisible();
    await expect(notice(page, 'Reset token is missing. Please use the link from your email.')).toBeVisible();
    await expect(page.getByLabel('Token')).toBeFocused();
    await page.getByLabel('Token').fill('not-a-token');
    await submit.click();
    await expect(notice(page, 'Reset Failed')).toBeVisible();
  });
  const email = newAddress();
  const elsewhere = await signUp(request, email);
  expect(await statusOf(request, elsewhere)).toBe(200);
  await test.step('a forgotten password is reset with the keyboard alone, and ends every session', async () => {
    await page.goto('/auth');
    await tabTo(page, page.getByRole('link', { name: 'Forgot your password?' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/password-reset$/);
    await tabTo(page, page.getByLabel('Email'));
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Check your mailbox' })).toBeVisible();
    await expect(notice(page, 'Reset Email Sent')).toBeVisible();

    const link = await mailedLink(request, email, /set a new password/i);
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
    await expect(page).toHaveURL(/\/password-reset$/);
    await expect(page.getByLabel('Token')).toHaveCount(0);
    await tabTo(page, page.getByLabel('New password', { exact: true }));
    await page.keyboard.type('cherry plank');
    await tabTo(page, page.getByLabel('New password again', { exact: true }));
    await page.keyboard.type('cherry plank');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Password Reset Successful' })).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);

    // How a page in another place finds that out: below, “sessions end one by one and all together”.
    expect(await statusOf(request, elsewhere)).toBe(401);

    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByText('Invalid credentials').first()).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill('cherry plank');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByTitle(email)).toBeVisible();

    await page.goto('about:blank');
    await page.goto(link);
    await chooseNewPassword(page, 'maple block');
    await page.getByRole('button', { name: 'Set the new password' }).click();
    await expect(notice(page, 'Reset Failed')).toBeVisible();
    await expect(notice(page, 'This reset link has been used or is too old. Please ask for a new one.')).toBeVisible();
  });
  await test.step('a reset whose reply holds a token leaves the person signed in', async () => {
    const { token } = await logIn(request, email, 'cherry plank');
    await page.evaluate(() => localStorage.removeItem('authToken'));
    await page.route('**/api/auth/reset-password', (route) => route.fulfill({ json: { token } }));
    await page.goto('/password-reset?token=abc');
    await chooseNewPassword(page, 'cherry plank');
    await page.getByRole('button', { name: 'Set the new password' }).click();
    await expect(page.getByRole('heading', { name: 'Password Reset Successful' })).toBeVisible();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByTitle(email)).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBe(token);
  });
});

test('the profile knows who is signed in', { tag: '@detail' }, async ({ page, request }) => {
  const { email } = await signUp(request);
  await test.step('it asks a visitor to log in and appears afterwards, without a flash of another page', async () => {
    await page.goto('/profile');
    await isDenied(page);
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    await expect(page).toHaveURL(/\/auth\?next=/);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(/\/profile$/);
    await expect(page.getByRole('main').getByText(email, { exact: true })).toBeVisible();

    let answer = () => {};
    const isHeld = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const restore = await intercept(page, '**/api/auth/me', async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
    await expect(page.getByText('Access Denied')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Sign In' })).toHaveCount(0);
    answer();
    await expect(page.getByRole('main').getByText(email, { exact: true })).toBeVisible();
    restore();
  });
  await test.step('a lost connection does not sign anybody out', async () => {
    const restoreApi = await intercept(page, '**/api/**', (route) => route.abort());
    await page.reload();
    await expect(page.getByRole('heading', { name: 'The server cannot be reached right now' })).toBeVisible();
    restoreApi();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('main').getByText(email, { exact: true })).toBeVisible();

    const restoreUsers = await intercept(page, '**/api/users/**', (route) => route.abort());
    await page.goto('/profile/plan');
    await expect(page.getByText('Your usage could not be read.')).toBeVisible();
    restoreUsers();
    await page.getByRole('region', { name: 'Usage this month' }).getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('progressbar', { name: 'Image mockups' })).toBeVisible();
  });
  await test.step('it follows another tab’s login and logout', async () => {
    const tab = await page.context().newPage();
    await tab.goto('/');
    await tab.getByRole('button', { name: 'Logout' }).click();
    await isDenied(page);
    const next = newAddress();
    const { token } = await signUp(tab.request, next);
    await tab.evaluate((value) => localStorage.setItem('authToken', value), token);
    await page.getByRole('link', { name: 'Account' }).click();
    await expect(page.getByRole('main').getByText(next, { exact: true })).toBeVisible();
  });
});

test('each tab of the profile has an address, and asks before changes are lost', { tag: '@detail' }, async ({
  page,
}) => {
  await signInAsNew(page);
  const link = (name: string) => page.getByRole('navigation', { name: 'Profile' }).getByRole('link', { name });
  const section = (name: string) => page.getByRole('region', { name, exact: true });
  await test.step('by keys, by the address, and back', async () => {
    await page.goto('/profile');
    await expect(section('Account')).toBeVisible();
    await expect(link('Account')).toHaveAttribute('aria-current', 'page');
    await tabTo(page, link('Plan and usage'));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/profile\/plan$/);
    await expect(section('Usage this month')).toBeVisible();
    await expect(section('Account')).toHaveCount(0);
    await expect(link('Plan and usage')).toHaveAttribute('aria-current', 'page');
    await page.goBack();
    await expect(section('Account')).toBeVisible();
    await page.goForward();
    await page.reload();
    await expect(section('Usage this month')).toBeVisible();
    for (const [address, path, title] of [
      ['/profile#local-maker', '/profile/maker', 'Local maker'],
      ['/profile#second-factor', '/profile/security', 'Second factor'],
    ] as const) {
      await page.goto(address);
      await expect(section(title)).toBeVisible();
      expect(new URL(page.url()).pathname).toBe(path);
    }
  });
  await test.step('an address without a tab is no page', async () => {
    expect((await page.goto('/profile/nothing'))!.status()).toBe(404);
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  });
  await test.step('axe finds nothing on any tab', async () => {
    for (const path of ['', '/plan', '/products', '/shop', '/maker', '/security']) {
      expect((await page.goto(`/profile${path}`))!.status(), path).toBe(200);
      await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
      await expect(page.getByRole('status').getByText('Loading')).toHaveCount(0);
      await expectNoFaultsAtBothSizes(page, `/profile${path}`);
    }
  });
  await test.step('on a phone nothing covers the bar that saves, and leaving by a link or by Back asks', async () => {
    await page.setViewportSize(NARROW);
    await page.goto('/profile/maker');
    await link('Products').click();
    const restore = await intercept(page, '**/api/company', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 503, json: { message: 'Not now.' } })
        : route.continue(),
    );
    await page.getByRole('switch', { name: 'Mugs' }).click();
    const saving = page.getByRole('button', { name: 'Save Changes' });
    await saving.click();
    await expect(notice(page, 'Not now.')).toBeVisible();
    for (const name of ['Save Changes', 'Discard']) {
      // The place of the button is in the window, and what lies there is the button itself.
      const isFree = await page.getByRole('button', { name }).evaluate((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const points = [left + 2, right - 2].flatMap((x) => [top + 2, bottom - 2].map((y) => [x, y] as const));
        return points.every(([x, y]) => button.contains(document.elementFromPoint(x, y)));
      });
      expect(isFree, name).toBe(true);
    }
    restore();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.goBack();
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect(page).toHaveURL(/\/profile\/products$/);
    await expect(page.getByRole('switch', { name: 'Mugs' })).not.toBeChecked();
    await link('Security').click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await expect(page).toHaveURL(/\/profile\/security$/);
  });
});

test('a password and sessions of an account', { tag: '@detail' }, async ({ page, browser, request }) => {
  const email = newAddress();
  await signInAsNew(page, email);
  await test.step('a changed password ends the session of the other place, and says what is wrong before', async () => {
    const elsewhere = await openAs(browser, email);
    await elsewhere.goto('/profile');
    await expect(elsewhere.getByRole('heading', { name: 'Profile' })).toBeVisible();

    await page.goto('/profile/security');
    const submit = page.getByRole('button', { name: 'Change password' });
    await page.getByLabel('Current password', { exact: true }).fill('not the one');
    await chooseNewPassword(page, 'cherry', 'cherries');
    await submit.click();
    await expect(notice(page, 'Password Mismatch')).toBeVisible();
    await chooseNewPassword(page, 'cherr');
    await submit.click();
    await expect(notice(page, 'Password Too Short')).toBeVisible();
    await chooseNewPassword(page, 'cherry plank');
    await submit.click();
    await expect(notice(page, 'Password Update Failed')).toBeVisible();
    await expect(notice(page, 'The current password is not right.')).toBeVisible();
    await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await submit.click();
    await expect(notice(page, 'Password Updated')).toBeVisible();
    await expect(page.getByLabel('Current password', { exact: true })).toHaveValue('');

    // Whatever the other place asks for next finds it out.
    await elsewhere.getByRole('button', { name: 'Export my data' }).click();
    await isDenied(elsewhere);
    await elsewhere.context().close();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  });
  await test.step('sessions end one by one and all together', async () => {
    const others = [
      await logIn(request, email, 'cherry plank'),
      await logIn(request, email, 'cherry plank'),
      await logIn(request, email, 'cherry plank'),
    ];
    await page.reload();
    const places = page.getByRole('list', { name: 'Devices this account is signed in on' }).getByRole('listitem');
    await expect(places).toHaveCount(4);
    await expect(places.first()).toContainText('This device');
    await expectNoFaults(page, '/profile/security');
    await places
      .last()
      .getByRole('button', { name: /Sign out/ })
      .click();
    await expect(places).toHaveCount(3);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('button', { name: 'Sign them out' }).click();
    await expect(places).toHaveCount(1);
    await expect(notice(page, '2 other devices are signed out')).toBeVisible();
    for (const other of others) expect(await statusOf(request, other)).toBe(401);
    // A page that is opened there finds out at its first call, and forgets the token.
    const elsewhere = await (await browser.newContext()).newPage();
    await signIn(elsewhere, others[0]!);
    await elsewhere.goto('/profile');
    await isDenied(elsewhere);
    await expect.poll(() => elsewhere.evaluate(() => localStorage.getItem('authToken'))).toBeNull();
    await elsewhere.context().close();
  });
  await test.step('a key for a program is shown once, opens what it may, and is revoked', async () => {
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('What it is for').fill('Night run');
    await page.getByLabel('Your password').fill('cherry plank');
    await expectNoFaults(page, 'a new API key');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const key = (await page.getByRole('region', { name: 'API key', exact: true }).textContent())!.trim();
    const headers = { authorization: `Bearer ${key}` };
    expect((await request.get('/api/compositions', { headers })).status()).toBe(200);
    expect((await request.get('/api/auth/me', { headers })).status()).toBe(403);
    await page.getByRole('button', { name: 'I saved it' }).click();
    await expect(page.getByRole('list', { name: 'API keys' })).toContainText(`Night run …${key.slice(-4)}`);
    await page.getByRole('button', { name: 'Revoke Night run' }).click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await expect(page.getByRole('list', { name: 'API keys' })).toHaveCount(0);
    expect((await request.get('/api/compositions', { headers })).status()).toBe(401);
  });
});

test('the subscription, the data and the end of an account', { tag: '@detail' }, async ({ page }) => {
  const email = newAddress();
  await signInAsNew(page, email);
  await page.goto('/profile/plan');
  await test.step('the subscription card shows the state, and Sync Credits reports what it found', async () => {
    const card = page.getByRole('region', { name: 'Subscription' });
    const usage = page.getByRole('region', { name: 'Usage this month' });
    await expect(card.getByText('Free', { exact: true })).toBeVisible();
    await expect(card.getByRole('link', { name: 'Manage Subscription' })).toHaveCount(0);
    await expect(usage.getByRole('progressbar', { name: 'Production exports' })).toHaveAttribute(
      'aria-valuetext',
      '0 of 0. Not part of your plan',
    );
    await expect(usage.getByRole('progressbar', { name: 'Image mockups' })).toHaveAttribute(
      'aria-valuetext',
      '0 of 4. 4 left',
    );
    const sync = card.getByRole('button', { name: 'Sync Credits' });
    await sync.click();
    await expect(notice(page, 'No Active Subscription')).toBeVisible();
    await expect(notice(page, 'No active subscription found in a card payment provider')).toBeVisible();
    await page.route('**/api/users/refresh-subscription', (route) => route.abort());
    await sync.click();
    await expect(notice(page, 'Refresh Failed')).toBeVisible();
    await expect(notice(page, 'Failed to refresh subscription. Please try again.')).toBeVisible();

    await page.route('**/api/users/refresh-subscription', (route) =>
      route.fulfill({ json: { success: true, plan: 'pro' } }),
    );
    await page.route('**/api/users/subscription', (route) =>
      route.fulfill({
        json: {
          plan: 'pro',
          status: 'active',
          periodEnd: '2026-12-21T00:00:00.000Z',
          isCancelled: true,
          isManaged: true,
        },
      }),
    );
    await page.route('**/api/users/stats', (route) =>
      route.fulfill({
        json: {
          vectorsUsed: 40,
          vectorsLimit: 33,
          mockupsUsed: 1234567,
          mockupsLimit: 9999999,
          nextResetDate: '2026-12-21T00:00:00.000Z',
        },
      }),
    );
    await sync.click();
    await expect(notice(page, 'Subscription Refreshed')).toBeVisible();
    await expect(notice(page, 'Your Pro subscription is now active. Credits updated.')).toBeVisible();
    await expect(card.getByText('Canceled. Ends on December 21, 2026.')).toBeVisible();
    await expect(card.getByRole('link', { name: 'Manage Subscription' })).toHaveAttribute('href', '/plans');
    await expect(card.getByRole('button', { name: 'Card and invoices' })).toBeVisible();
    await expect(usage.getByText('1,234,567 of 9,999,999')).toBeVisible();
    await expect(usage.getByText('All used')).toBeVisible();
    await expect(usage.getByText('Both start again on December 21, 2026.')).toBeVisible();
  });
  await test.step('an account downloads its data as a file', async () => {
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Export my data' }).click();
    const file = page.getByRole('link', { name: /^Download \(/ });
    await expect(file).toBeVisible({ timeout: 60_000 }); // made in the background
    const downloading = page.waitForEvent('download');
    await file.click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^markwright-my-data-\d{4}-\d\d-\d\d\.json$/);
    const data = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(data.account.email).toBe(email);
    expect(data.sessions).toHaveLength(1);
  });
  await test.step('an account is deleted with its password, and ends signed out on the landing page', async () => {
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await expect(dialog).toContainText('your uploaded pictures');
    await dialog.getByLabel('Your password').fill('not the one');
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await expect(dialog.getByText('The current password is not right.')).toBeVisible();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('authToken'))).toBeNull();
    const again = await page.request.post('/api/auth/login', { data: { email, password: PASSWORD } });
    expect(again.status()).toBe(401);
  });
});
