/** The pages around the studio: addresses, titles, signing in, and what they say when something is wrong. */
import { expect, test } from '@playwright/test';
import { signInAsAdmin } from './studio.ts';

test('the landing page says what it is in the head, and takes it back on leaving', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle(/Markwright: from a blurry picture/);
  for (const tag of ['meta[name="description"]', 'meta[name="keywords"]', 'meta[property="og:title"]']) {
    await expect(page.locator(tag)).toHaveAttribute('content', /\w+/);
  }
  await page.getByRole('link', { name: 'Launch Studio' }).first().click();
  await expect(page).toHaveURL(/\/studio$/);
  await expect(page).toHaveTitle('Studio | Markwright');
  await expect(page.locator('meta[property="og:title"]')).toHaveCount(0);
});

test('hero buttons lead to their sections, and every page begins at its top', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'For Personal Use' }).click();
  await expect(page.getByRole('heading', { name: 'For Personal Use' })).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100);
  await page.getByRole('link', { name: 'Try the Preview' }).click();
  await expect(page).toHaveURL(/\/studio$/);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});

test('no link of the site leads nowhere', async ({ page, request }) => {
  const seen = new Set<string>();
  for (const path of ['/', '/auth', '/studio', '/no-such-page']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const hrefs = await page
      .locator('a[href]')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const href of hrefs) seen.add(href);
  }
  for (const href of seen) expect((await request.get(href)).status(), href).toBe(200);
});

test('an unknown address says so', async ({ page }) => {
  const answer = await page.goto('/no/such/page');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await expect(page).toHaveTitle(/Page Not Found/);
});

test('the forms say what is missing, and lead there', async ({ page }) => {
  await page.goto('/auth');
  await page.getByLabel('Email').fill('ann');
  await page.getByLabel('Password', { exact: true }).fill('12345');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Password must be at least 6 characters').first()).toBeVisible();
  await page.getByRole('button', { name: 'Invalid email address' }).click();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
});

test('a wrong password is refused in plain words and can be looked at', async ({ page }) => {
  await page.goto('/auth');
  await page.getByLabel('Email').fill('nobody@example.com');
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('not the one');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Invalid credentials').first()).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
});

test('an account is made, signed out of, and signed into again', async ({ page }) => {
  const email = 'maker@example.com';
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('walnut board');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Account created!').first()).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByTitle(email)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBeTruthy();

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBeNull();

  await page.getByRole('link', { name: 'Sign In' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('walnut board');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Welcome back!').first()).toBeVisible();
  await expect(page.getByTitle(email)).toBeVisible();

  // A taken address is refused.
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.goto('/auth?tab=signup');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('walnut board');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('region', { name: /Notifications/ }).getByText('Sign up failed')).toBeVisible();
  await expect(page).toHaveURL(/\/auth\?tab=signup$/);
});

test('signing in and out is heard in the other tab', async ({ page, context }) => {
  await page.goto('/');
  const other = await context.newPage();
  await other.goto('/auth');
  await signInAsAdmin(other);
  await expect(page.getByTitle(process.env.ADMIN_EMAIL!)).toBeVisible();
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
});

test('another site’s address is never followed after signing in', async ({ page }) => {
  await page.goto('/auth?next=//example.com/studio');
  await signInAsAdmin(page);
  await expect(page.getByTitle(process.env.ADMIN_EMAIL!)).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
});

test('a notice closes with a key and there is one at a time', async ({ page }) => {
  await page.goto('/auth');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not the one');
  for (let count = 0; count < 2; count++) {
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('button', { name: 'Log in' })).toBeEnabled();
  }
  const notices = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
  await expect(notices).toHaveCount(1);
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect(notices).toHaveCount(0);
});

test('what a page loads arrives compressed and stays in the cache', async ({ request }) => {
  const page = await (await request.get('/studio')).text();
  const [script] = /\/assets\/index-[\w-]+\.js/.exec(page) ?? [];
  const { status, headers } = await request
    .get(script!, { headers: { 'accept-encoding': 'br' } })
    .then((answer) => ({ status: answer.status(), headers: answer.headers() }));
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(headers['cache-control']).toContain('immutable');
  // The studio's code is asked for beside the first script.
  expect(page).toMatch(/<link rel="modulepreload"[^>]*\/assets\/StudioPage-/);
});
