/** Plans, test checkout and customer portal; the menu and the feedback form. */
import type { Locator, Page } from '@playwright/test';
import { newAddress, PASSWORD, signInAsNew } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { tabTo } from './keys.ts';
import { expect, intercept, test } from './test.ts';

const card = (page: Page, plan: string): Locator => page.locator(`[data-plan="${plan}"]`);
const notices = (page: Page): Locator => page.getByRole('region', { name: /Notifications/ });

async function signUp(page: Page, email = newAddress('buyer')): Promise<string> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  return email;
}

/** From the page of plans to an open test checkout. */
async function openCheckout(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose Pro' }).click();
  await expect(page.getByRole('heading', { name: 'Subscribe to Pro' })).toBeVisible();
}

test('a visitor pays for Pro, and the address afterwards works for nobody else', async ({ page, browser }) => {
  let address = '';
  await test.step('the success page refuses a missing session', async () => {
    await page.goto('/subscription-success');
    await expect(page.getByRole('heading', { name: 'Subscription Error' })).toBeVisible();
    await expect(page.getByText('No session ID found')).toBeVisible();
  });
  await test.step('a visitor chooses Pro, signs up, is declined, pays, and is on Pro', async () => {
    await page.goto('/plans');
    await expect(page.getByText('Most Popular')).toBeVisible();
    await expect(card(page, 'pro')).toContainText('$19');
    await expect(card(page, 'pro')).toContainText('for the first 12 months, then $29');
    await page.getByRole('button', { name: 'Choose Pro' }).click();
    await expect(page).toHaveURL(/\/auth\?next=/);
    const email = await signUp(page);

    // The sign-up leads to the checkout of the plan that was chosen before it.
    await expect(page.getByRole('heading', { name: 'Subscribe to Pro' })).toBeVisible();
    await expect(page.getByText('Test checkout.')).toBeVisible();
    await expect(page.getByRole('main').getByText(email)).toBeVisible();
    await page.getByRole('button', { name: 'Let the card be declined' }).click();
    await expect(page.getByRole('alert')).toContainText('The card was declined and nothing was charged.');
    await expectNoFaults(page, 'a declined card');

    await page.getByRole('button', { name: 'Pay $19' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome to Pro' })).toBeVisible();
    await expect(page.locator('dl')).toContainText('Production exports a month33');
    await expect(page.locator('dl')).toContainText('Image mockups a month100');
    await expect(page.locator('dl')).toContainText('Background removalsUnlimited');
    await expect(page.locator('dl')).toContainText(/Credits reset on\w+ \d+, 20\d\d/);
    await expect(page.getByRole('link', { name: 'Open the studio' })).toHaveAttribute('href', '/studio');
    await expect(page.getByRole('link', { name: 'View your profile' })).toHaveAttribute('href', '/profile/plan');
    await expectNoFaults(page, 'the plan begins');

    // The success page says the same when it is opened again.
    address = page.url();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Welcome to Pro' })).toBeVisible();

    // It shows the spinner until it knows, and no other state before.
    for (const call of ['**/api/auth/me', '**/api/verify-subscription']) {
      let answer = () => {};
      const isHeld = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const restore = await intercept(page, call, async (route) => {
        await isHeld;
        await route.continue();
      });
      const request = page.waitForRequest(call);
      await page.addInitScript(() => {
        Object.assign(window, { headings: [] });
        new MutationObserver(() => {
          const heading = document.querySelector('h1')?.textContent;
          const { headings } = window as unknown as { headings: string[] };
          if (heading && headings.at(-1) !== heading) headings.push(heading);
        }).observe(document, { childList: true, subtree: true, characterData: true });
      });
      await page.reload();
      await request;
      await expect(page.getByText('Verifying your subscription…')).toBeVisible();
      if (call.endsWith('me')) await expectNoFaults(page, 'a subscription that is verified');
      answer();
      await expect(page.getByRole('heading', { name: 'Welcome to Pro' })).toBeVisible();
      expect(await page.evaluate(() => (window as unknown as { headings: string[] }).headings)).toEqual([
        'Verifying your subscription…',
        'Welcome to Pro',
      ]);
      restore();
    }
    const restore = await intercept(page, '**/api/auth/me', (route) => route.abort());
    await page.reload();
    await expect(page.getByRole('heading', { name: 'The server cannot be reached right now' })).toBeVisible();
    restore();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome to Pro' })).toBeVisible();

    await page.goto('/plans');
    await expect(card(page, 'pro')).toContainText('Current plan');
    await expect(page.getByRole('button', { name: 'Your plan' })).toBeDisabled();
    await expectNoFaults(page, 'the plans of somebody who has one');
    await page.getByRole('button', { name: 'Manage' }).click();
    await expect(page.getByRole('button', { name: 'Cancel the plan' })).toBeVisible();
    await expectNoFaults(page, 'the portal');
  });
  await test.step('the success page refuses a session of another account', async () => {
    const other = await (await browser.newContext()).newPage();
    await signInAsNew(other);
    await other.goto(address);
    await expect(other.getByRole('heading', { name: 'Subscription Error' })).toBeVisible();
    await expect(other.getByText('Failed to verify subscription')).toBeVisible();
    const checkout = new URL(address).searchParams.get('session_id');
    await other.goto(`/test-checkout?session=${checkout}`);
    await expect(other.getByRole('heading', { name: 'There is no such checkout' })).toBeVisible();
    await other.getByRole('link', { name: 'See the plans' }).click();
    await expect(card(other, 'free')).toContainText('Current plan');

    // A visitor who has signed out gets the error too, and a link back to the plans.
    await other.evaluate(() => localStorage.removeItem('authToken'));
    await other.goto(address);
    await expect(other.getByText('Failed to verify subscription')).toBeVisible();
    await other.getByRole('link', { name: 'Return to Plans' }).click();
    await expect(other).toHaveURL(/\/plans$/);
    await other.context().close();
  });
});

test('the page of plans', { tag: '@detail' }, async ({ page }) => {
  await signInAsNew(page);
  await test.step('the free plan shows a notice only', async () => {
    await page.goto('/plans');
    await expect(card(page, 'free')).toContainText('Current plan');
    await page.getByRole('button', { name: 'Stay on Free' }).click();
    await expect(notices(page).getByText('Free needs no checkout')).toBeVisible();
    await expect(page).toHaveURL(/\/plans$/);
  });
  await test.step('all buttons are disabled while a checkout starts; a failure shows a message and enables them again', async () => {
    let answer: (() => void) | undefined;
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let reply: { status: number; json: unknown } = { status: 503, json: { message: 'Payments are away.' } };
    const restore = await intercept(page, '**/api/create-checkout-session', async (route) => {
      await mayAnswer;
      await route.fulfill(reply);
    });
    await page.getByRole('button', { name: 'Choose Starter' }).click();
    await expect(card(page, 'starter').getByRole('button', { name: 'Processing…' })).toBeVisible();
    for (const button of await page.getByRole('list', { name: 'Plans' }).getByRole('button').all()) {
      await expect(button).toBeDisabled();
    }
    answer?.();
    await expect(notices(page).getByText('Failed to start checkout process. Please try again.')).toBeVisible();
    await expect(notices(page).getByText('Payments are away.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Choose Starter' })).toBeEnabled();

    // No address, and addresses of others, are the same failure.
    for (const json of [{}, { url: '' }, { url: 'https://checkout.example.com/pay' }, { url: 'javascript:alert(1)' }]) {
      reply = { status: 200, json };
      await notices(page).getByRole('button', { name: 'Close' }).click();
      await expect(notices(page).getByRole('listitem')).toHaveCount(0);
      await page.getByRole('button', { name: 'Choose Starter' }).click();
      await expect(notices(page).getByText('No checkout URL received')).toBeVisible();
      await expect(page).toHaveURL(/\/plans$/);
    }
    restore();
  });
  await test.step('an unknown code is refused beside its field', async () => {
    await page.getByLabel('Waitlist code').fill('NOT-A-CODE');
    await expect(card(page, 'pro')).toContainText('$14.50');
    await page.getByRole('button', { name: 'Choose Pro' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'This discount code is not known' })).toBeVisible();
    await expect(page.getByLabel('Waitlist code')).toHaveValue('NOT-A-CODE');
  });
  await test.step('a canceled checkout charges nothing and cannot be paid afterwards', async () => {
    await page.getByLabel('Waitlist code').fill('');
    await openCheckout(page);
    const address = page.url();
    await page.getByRole('button', { name: 'Cancel and go back' }).click();
    await expect(page).toHaveURL(/\/plans$/);
    await expect(card(page, 'pro')).not.toContainText('Current plan');
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'This checkout is over' })).toBeVisible();
  });
  await test.step('a site without a payment provider says that no plan can be bought', async () => {
    await page.route('**/api/site', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), payments: 'none' } });
    });
    await page.goto('/plans');
    await expect(
      page.getByText('Payments are not set up on this site yet, so no plan can be bought here.'),
    ).toBeVisible();
    await expect(page.getByText('no money moves')).toHaveCount(0);
  });
});

test('a plan is bought with keys alone, changed and ended', { tag: '@detail' }, async ({ page }) => {
  await signInAsNew(page);
  await test.step('the portal says that no subscription runs', async () => {
    await page.goto('/test-checkout');
    await expect(page.getByRole('heading', { name: 'No subscription runs' })).toBeVisible();
  });
  await test.step('an address that names a plan focuses it and starts no checkout', async () => {
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await page.goto('/subscribe?plan=starter');
    await expect(page.getByRole('button', { name: 'Choose Starter' })).toBeFocused();
    await page.waitForLoadState('networkidle');
    expect(paths).not.toContain('/api/create-checkout-session');
  });
  await test.step('the whole way with keys alone', async () => {
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Subscribe to Starter' })).toBeVisible();
    await tabTo(page, page.getByRole('button', { name: 'Let the card be declined' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeFocused();
    await tabTo(page, page.getByRole('button', { name: 'Pay $0' }));
    await page.keyboard.press('Space');
    await expect(page.getByRole('heading', { name: 'Welcome to Starter' })).toBeVisible();
    await tabTo(page, page.getByRole('link', { name: 'Open the studio' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/studio$/);
    await expect(page.getByText('Left this month: 8 exports, 24 mockups')).toBeVisible();
  });
  await test.step('the portal changes, cancels, resumes, fails, pays again and ends', async () => {
    await page.goto('/plans');
    await page.getByRole('button', { name: 'Manage' }).click();
    await expect(page.getByRole('heading', { name: 'Your Starter subscription' })).toBeVisible();
    const status = page.locator('dl');
    await page.getByRole('button', { name: 'Cancel the plan' }).click();
    await expect(status).toContainText('Canceled');
    await page.getByRole('button', { name: 'Resume the plan' }).click();
    await expect(status).toContainText('Active');
    await page.getByRole('button', { name: 'Let a payment fail' }).click();
    await expect(status).toContainText('Payment failed');
    await page.getByRole('link', { name: 'Change the plan' }).click();
    await expect(page.getByText('The last payment failed')).toBeVisible();
    await page.getByRole('button', { name: 'Manage' }).click();
    await page.getByRole('button', { name: 'Pay again' }).click();
    await expect(status).toContainText('Active');

    await page.getByRole('link', { name: 'Change the plan' }).click();
    await page.getByRole('button', { name: 'Change to Pro' }).click();
    await page.getByRole('button', { name: 'Confirm the change' }).click();
    await expect(page).toHaveURL(/\/profile\/plan$/);
    await page.goto('/plans');
    await expect(card(page, 'pro')).toContainText('Current plan');

    await page.getByRole('button', { name: 'Manage' }).click();
    await page.getByRole('button', { name: 'End it now' }).click();
    await expect(page.getByRole('heading', { name: 'No subscription runs' })).toBeVisible();
    await page.getByRole('link', { name: 'See the plans' }).click();
    await expect(card(page, 'free')).toContainText('Current plan');
  });
});

test('the menu leads to the plans, to feedback and to help', { tag: '@detail' }, async ({ page }) => {
  await test.step('the menu leads to the plans and to feedback', async () => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    const menu = page.getByRole('navigation', { name: 'More pages' });
    for (const [name, href] of [
      ['Embed Widget', '/embed'],
      ['Subscribe', '/plans'],
      ['Send Feedback', '/feedback'],
    ] as const) {
      await expect(menu.getByRole('link', { name })).toHaveAttribute('href', href);
    }
    await page.getByRole('link', { name: 'Subscribe' }).click();
    await expect(page).toHaveURL(/\/plans$/);
    // The address changes before the page does, and with it the bar.
    await expect(card(page, 'pro')).toBeVisible();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Send Feedback' }).click();
    await expect(page).toHaveURL(/\/feedback$/);
    await expect(page).toHaveTitle('Feedback | Markwright');
  });
  await test.step('feedback needs words, is sent, and stays in the form when sending fails', async () => {
    const bodies: unknown[] = [];
    let isAway = true;
    await page.route('**/api/send-feedback', (route) => {
      bodies.push(route.request().postDataJSON());
      return isAway ? route.fulfill({ status: 503, json: { message: 'Not now.' } }) : route.continue();
    });
    const words = page.getByRole('textbox', { name: 'Feedback' });
    await words.fill('   ');
    await page.getByRole('button', { name: 'Send Feedback' }).click();
    await expect(notices(page).getByText('Feedback Required')).toBeVisible();
    await expect(notices(page).getByText('Please enter your feedback before submitting.')).toBeVisible();
    await expect(words).toBeFocused();
    expect(bodies).toEqual([]);

    await words.fill('More blanks, please.');
    await page.getByRole('button', { name: 'Send Feedback' }).click();
    const { supportEmail } = await (await page.request.get('/api/site')).json();
    await expect(
      notices(page).getByText(`Please try again later or contact us directly at ${supportEmail}`),
    ).toBeVisible();
    await expect(words).toHaveValue('More blanks, please.');
    expect(bodies).toEqual([{ name: 'Anonymous', email: 'No email provided', feedback: 'More blanks, please.' }]);

    isAway = false;
    await page.getByLabel('Name').fill('Ann');
    await page.getByLabel('Email').fill('ann@example.com');
    await page.getByRole('button', { name: 'Send Feedback' }).click();
    await expect(notices(page).getByText('Feedback Sent!')).toBeVisible();
    expect(bodies.at(-1)).toEqual({ name: 'Ann', email: 'ann@example.com', feedback: 'More blanks, please.' });
    await expect(words).toHaveValue('');
  });
  await test.step('help starts the tutorial in the studio', async () => {
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('navigation', { name: 'More pages' }).getByRole('link', { name: 'Help' }).click();
    await expect(page.getByRole('dialog').getByText('1 of 7')).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/studio');
  });
});
