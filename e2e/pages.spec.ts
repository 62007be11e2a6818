/** The pages around the studio: addresses, titles, the waitlist, signing in, and error messages. */
import type { Page } from '@playwright/test';
import { ADMIN, fillInAdminLogin, newAddress } from './accounts.ts';
import { boxAtRest } from './studio.ts';
import { expect, test } from './test.ts';

const notices = (page: Page) => page.getByRole('region', { name: /Notifications/ });
const leaving = ['description', 'keywords', 'og:title', 'og:description', 'twitter:title', 'twitter:description'];
const metaTag = (page: Page, name: string) => page.locator(`meta[name="${name}"], meta[property="${name}"]`);

/** Waits until the app has taken over the markup that the build rendered. */
const isTakenOver = (page: Page) =>
  expect
    .poll(() =>
      page.locator('header').evaluate((header) => Object.keys(header).some((key) => key.startsWith('__react'))),
    )
    .toBe(true);

/** Delays the app on pages that begin without it. Returns a function that lets it load. */
async function holdApp(page: Page): Promise<() => void> {
  let release = () => {};
  const mayLoad = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/index-.*\.js/, async (route) => {
    await mayLoad;
    await route.continue();
  });
  return release;
}

test('the landing page comes alive, and leads to the studio and back', async ({ page, baseURL }) => {
  await test.step('the app hydrates without an error, and the landing page never shows for another page', async () => {
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto('/');
    await isTakenOver(page);
    await page.getByRole('checkbox', { name: /show \d+ nodes/ }).check();
    await expect(page.locator('[data-demo] [data-nodes]')).toBeVisible();
    expect(faults).toEqual([]);
    for (const path of ['/studio', '/auth', '/no-such-page']) {
      const text = await (await page.request.get(path)).text();
      expect(text, path).toContain('<div id="root"></div>');
      expect(text, path).toContain('<title>Markwright</title>');
    }
  });
  await test.step('it describes itself in the head', async () => {
    await expect(page).toHaveTitle(/Markwright: from a blurry picture/);
    for (const name of leaving) {
      await expect(metaTag(page, name), name).toHaveCount(1);
      await expect(metaTag(page, name), name).toHaveAttribute('content', /\w+/);
    }
    const picture = await metaTag(page, 'og:image').getAttribute('content');
    expect(picture).toBe(`${baseURL}/social.jpg`);
    expect((await page.request.get(picture!)).headers()['content-type']).toBe('image/jpeg');
  });
  await test.step('it removes the description on leaving', async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Launch Studio' }).click();
    await expect(page).toHaveURL(/\/studio$/);
    await expect(page).toHaveTitle('Studio | Markwright');
    // The studio says what it is itself.
    await expect(metaTag(page, 'description')).not.toHaveAttribute('content', /customer’s picture/);
    for (const name of [...leaving.slice(1), 'og:image']) await expect(metaTag(page, name), name).toHaveCount(0);
    await page.getByRole('link', { name: 'Markwright, home' }).click();
    await expect(page).toHaveTitle(/Markwright: from a blurry picture/);
  });
  await test.step('every page begins at its top', async () => {
    await page.getByRole('link', { name: 'For Personal Use' }).click();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
    await page.getByRole('link', { name: 'Try the Preview' }).click();
    await expect(page).toHaveURL(/\/studio$/);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  });
});

test('Back leads from the landing page while the app takes it over', async ({ page }) => {
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto('/feedback');
  await page.getByRole('link', { name: 'Markwright, home' }).click();
  await expect(page).toHaveTitle(/Markwright: from a blurry picture/);
  const release = await holdApp(page);
  await page.reload();
  // Both pages belong to one document, so the browser only says that its address is another one now.
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL(/\/feedback$/);
  release();
  await expect(page.getByRole('button', { name: /send/i })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await page.evaluate(() => history.forward());
  await expect(page).toHaveTitle(/Markwright: from a blurry picture/);
  expect(faults).toEqual([]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the landing page has all its text, and its links work', async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveTitle(/Markwright: from a blurry picture/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Blurry logo in/);
    const words = [
      'Mockups in seconds',
      'Clean vector exports',
      'Close jobs faster',
      'Twenty-four tumblers by Friday',
      'Founding Plan',
    ];
    for (const name of words) await expect(page.getByRole('heading', { name })).toBeVisible();
    await expect(page.getByRole('img', { name: 'The same logo as clean, closed paths' })).toBeVisible();
    await page.getByRole('link', { name: 'For Personal Use' }).click();
    await expect(page.getByRole('heading', { name: 'For Personal Use' })).toBeInViewport();
    const actions = [
      ['Explore Maker Tools', '/studio'],
      ['Learn About the Widget', '/embed'],
      ['Try the Preview', '/studio'],
      ['Find a local maker', '/makers'],
      ['Sign In', '/auth'],
      ['Create Account', '/api/login'],
    ] as const;
    for (const [name, href] of actions) await expect(page.getByRole('link', { name })).toHaveAttribute('href', href);
  });
});

test.describe('on a screen that is touched', () => {
  test.use({ hasTouch: true });

  test('the demo and the links of the landing page work', async ({ page }) => {
    await page.goto('/');
    await test.step('the demo’s divider and its tumbler move by keys and by touch', async () => {
      const divider = page.getByRole('slider', { name: 'Before and after' });
      const clipPath = () =>
        page.getByAltText(/as it came/).evaluate((picture) => getComputedStyle(picture.parentElement!).clipPath);
      await divider.focus();
      await page.keyboard.press('Home');
      await expect(divider).toHaveAttribute('aria-valuetext', '0 % picture, 100 % vector');
      await expect.poll(clipPath).toMatch(/^inset\(0px (100%|calc\(100% - 0%\))/);
      await page.keyboard.press('ArrowRight');
      await expect(divider).toHaveAttribute('aria-valuetext', '2 % picture, 98 % vector');

      const box = await boxAtRest(divider);
      await page.touchscreen.tap(box.x + 0.75 * box.width, box.y + 0.4 * box.height);
      await expect.poll(() => divider.inputValue().then(Number)).toBeGreaterThan(70);
      // The line is where the finger was.
      const line = page.locator('[data-demo] [data-line]');
      const middle = async () => (await line.boundingBox().then((at) => at!.x + at!.width / 2)) - box.x;
      await expect.poll(async () => Math.abs((await middle()) - 0.75 * box.width)).toBeLessThan(6);

      const size = page.getByRole('slider', { name: 'Width of the engraving' });
      const mark = page.locator('[data-mark]');
      const { width: wide } = await boxAtRest(mark);
      await size.focus();
      await page.keyboard.press('Home');
      await expect(page.getByText('25 mm · 0.98 in')).toBeVisible();
      await expect.poll(async () => (await mark.boundingBox())!.width / wide).toBeCloseTo(25 / 46, 2);
      // What was set stays when the app takes over.
      await isTakenOver(page);
      await expect(page.getByText('25 mm · 0.98 in')).toBeVisible();
      await expect(size).toHaveValue('25');
    });
    await test.step('hero links lead to their sections, smoothly or at once', async () => {
      for (const motion of ['no-preference', 'reduce'] as const) {
        await page.emulateMedia({ reducedMotion: motion });
        const behavior = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
        await expect.poll(behavior).toBe(motion === 'reduce' ? 'auto' : 'smooth');
        for (const name of ['For Makers', 'For Retailers', 'For Personal Use']) {
          await page.getByRole('link', { name, exact: true }).click();
          await expect(page.getByRole('heading', { name, exact: true })).toBeInViewport();
          await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
        }
      }
    });
    await test.step('Create Account loads a new page', async () => {
      const request = page.waitForRequest(/\/api\/login$/);
      await page.getByRole('link', { name: 'Create Account' }).click();
      expect((await request).isNavigationRequest()).toBe(true);
      await expect(page).toHaveURL(/\/auth$/);
    });
  });
});

test('the waitlist', async ({ page }) => {
  let requestCount = 0;
  let isAway = false;
  await page.route('**/api/waitlist', (route) => {
    requestCount++;
    return isAway ? route.fulfill({ status: 503, json: { message: 'Not now.' } }) : route.continue();
  });
  const reserve = page.getByRole('button', { name: 'Reserve Your Spot' });
  const goOn = await holdApp(page);
  await page.goto('/');
  await test.step('an address entered before the app has loaded joins the waitlist', async () => {
    await page.getByLabel('Email').fill('ann@example.com');
    await reserve.click();
    goOn();
    await expect(notices(page).getByText('Welcome to the waitlist!')).toBeVisible();
    await expect(page.getByRole('main').getByText(/discount code for your first 3 months/)).toBeVisible();
    expect(new URL(page.url()).search).toBe('');
  });
  await test.step('an invalid address is not sent, and the same one is accepted twice', async () => {
    await page.reload();
    await reserve.click();
    await page.getByLabel('Email').fill('ann');
    await reserve.click();
    await expect(page.getByText('Invalid email address')).toBeVisible();
    expect(requestCount).toBe(1);
    await page.getByLabel('Email').fill('ann@example.com');
    await reserve.click();
    await expect(notices(page).getByText('Welcome to the waitlist!')).toBeVisible();
    await expect(page.getByRole('main').getByText(/discount code for your first 3 months/)).toBeVisible();
  });
  await test.step('a failure is shown, and the address stays in the form', async () => {
    isAway = true;
    await page.reload();
    await page.getByLabel('Email').fill('ann@example.com');
    await reserve.click();
    await expect(notices(page).getByText('Something went wrong')).toBeVisible();
    await expect(notices(page).getByText('Please try again later.')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue('ann@example.com');
  });
});

test('the first Tab stop skips the bar, and leaves the address unchanged', async ({ page }) => {
  for (const path of ['/', '/proof#token=made-up']) {
    // The landing page loads its app at the first key. The test holds it back until the link was used.
    const goOn = path === '/' ? await holdApp(page) : undefined;
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const skip = page.getByRole('button', { name: 'Skip to content' });
    await expect(skip).not.toBeInViewport();
    await page.keyboard.press('Tab');
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    goOn?.();
    await isTakenOver(page);
    await expect(page.getByRole('main')).toBeFocused();
    expect(page.url()).toMatch(new RegExp(`${path}$`));
  }
});

test('every link of the site leads to a page, and an unknown address to none', async ({ page, request }) => {
  const visitedLinks = new Set<string>();
  const collectLinks = async () => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const hrefs = await page
      .locator('a[href]')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const href of hrefs) visitedLinks.add(href);
  };
  await test.step('an unknown address shows that there is no page', async () => {
    const answer = await page.goto('/no/such/page');
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
    await expect(page).toHaveTitle('Page Not Found | Markwright');
    await collectLinks();
    await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Blurry logo in/);
  });
  await test.step('every link of the site leads to a page', async () => {
    await collectLinks();
    await page.getByRole('link', { name: 'Sign In' }).click();
    await expect(page).toHaveURL(/\/auth$/);
    await expect(page.getByLabel('Email')).toBeVisible();
    await collectLinks();
    await page.goto('/studio');
    await collectLinks();
    for (const href of visitedLinks) expect((await request.get(href)).status(), href).toBe(200);
  });
});

test('the sign-in form', async ({ page }) => {
  await test.step('the forms say what is missing, and focus it', async () => {
    await page.goto('/auth');
    await page.getByLabel('Email').fill('ann');
    await page.getByLabel('Password', { exact: true }).fill('12345');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByText('Password must be at least 6 characters').first()).toBeVisible();
    await page.getByRole('button', { name: 'Invalid email address' }).click();
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  });
  await test.step('a wrong password is refused with a message and can be shown', async () => {
    await page.getByLabel('Email').fill('nobody@example.com');
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('not the one');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(password).toHaveAttribute('type', 'text');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByText('Invalid credentials').first()).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);
  });
  await test.step('a notice closes with a key, and one shows at a time', async () => {
    for (let count = 0; count < 2; count++) {
      // The button is enabled before the request as well as after it, so the test waits for the response.
      const reply = page.waitForResponse('**/api/auth/login');
      await page.getByRole('button', { name: 'Log in' }).click();
      await reply;
      await expect(page.getByRole('button', { name: 'Log in' })).toBeEnabled();
    }
    const notices = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
    await expect(notices).toHaveCount(1);
    await page.keyboard.press('F8');
    await expect(page.getByRole('region', { name: /Notifications/ }).locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expect(notices).toHaveCount(0);
  });
  await test.step('another site’s address is never followed after signing in', async () => {
    await page.goto('/auth?next=//example.com/studio');
    await fillInAdminLogin(page);
    await expect(page.getByTitle(ADMIN.email)).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

test('a person signs up, signs out and signs in again', async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto('/');
  const email = newAddress();
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('walnut board');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Account created!').first()).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByTitle(email)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBeTruthy();

  await test.step('signing in and out reaches the other tab', async () => {
    await expect(other.getByTitle(email)).toBeVisible();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
    await expect(other.getByRole('link', { name: 'Sign In' })).toBeVisible();
  });
  await expect.poll(() => page.evaluate(() => localStorage.getItem('authToken'))).toBeNull();

  await page.getByRole('link', { name: 'Sign In' }).click();
  // The page before has a field of that name too.
  await expect(page.getByRole('heading', { name: 'Log in to Markwright' })).toBeVisible();
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

test('the files of a page arrive compressed and stay in the cache', async ({ request }) => {
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
