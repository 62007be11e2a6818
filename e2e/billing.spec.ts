/** Plans, test checkout and customer portal; the feedback form and the waitlist. */
import type { Locator, Page } from '@playwright/test';
import { newAddress, PASSWORD, signInAsNew } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { tabTo } from './keys.ts';
import { addText, chooseProduct } from './studio.ts';
import { expect, test } from './test.ts';

const card = (page: Page, plan: string): Locator => page.locator(`[data-plan="${plan}"]`);
const notices = (page: Page): Locator => page.getByRole('region', { name: /Notifications/ });

async function signUp(page: Page, email = newAddress('buyer')): Promise<string> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  return email;
}

/** From the plans to an open test checkout. */
async function openCheckout(page: Page, plan = 'Pro'): Promise<void> {
  await page.goto('/plans');
  await page.getByRole('button', { name: `Choose ${plan}` }).click();
  await expect(page.getByRole('heading', { name: `Subscribe to ${plan}` })).toBeVisible();
}

async function buy(page: Page, plan = 'Pro'): Promise<void> {
  await openCheckout(page, plan);
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page.getByRole('heading', { name: `Welcome to ${plan}` })).toBeVisible();
}

test('a visitor chooses Pro, signs up, is declined, pays, and is on Pro', async ({ page }) => {
  await page.goto('/plans');
  await expect(page.getByText('Most Popular')).toBeVisible();
  await expect(card(page, 'pro')).toContainText('$19');
  await expect(card(page, 'pro')).toContainText('for the first 12 months, then $29');
  await page.getByRole('button', { name: 'Choose Pro' }).click();
  await expect(page).toHaveURL(/\/auth\?next=/);
  const email = await signUp(page);

  // What was chosen before signing up goes on by itself.
  await expect(page.getByRole('heading', { name: 'Subscribe to Pro' })).toBeVisible();
  await expect(page.getByText('Test checkout.')).toBeVisible();
  await expect(page.getByRole('main').getByText(email)).toBeVisible();
  await page.getByRole('button', { name: 'Let the card be declined' }).click();
  await expect(page.getByRole('alert')).toContainText('The card was declined and nothing was charged.');

  await page.getByRole('button', { name: 'Pay $19' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Pro' })).toBeVisible();
  await expect(page.locator('dl')).toContainText('Production exports a month33');
  await expect(page.locator('dl')).toContainText('Image mockups a month100');
  await expect(page.locator('dl')).toContainText('Background removalsUnlimited');
  await expect(page.locator('dl')).toContainText(/Credits reset on\w+ \d+, 20\d\d/);
  await expect(page.getByRole('link', { name: 'Open the studio' })).toHaveAttribute('href', '/studio');
  await expect(page.getByRole('link', { name: 'View your profile' })).toHaveAttribute('href', '/profile');

  // Opened twice it says the same.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Welcome to Pro' })).toBeVisible();

  await page.goto('/plans');
  await expect(card(page, 'pro')).toContainText('Current plan');
  await expect(page.getByRole('button', { name: 'Your plan' })).toBeDisabled();
  await page.goto('/studio');
  await expect(page.getByText('33 exports and 100 mockups left')).toBeVisible();
});

test('an address that names a plan focuses it and starts no checkout', async ({ page }) => {
  await signInAsNew(page);
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await page.goto('/subscribe?plan=studio');
  await expect(page.getByRole('button', { name: 'Choose Studio' })).toBeFocused();
  await page.waitForLoadState('networkidle');
  expect(paths).not.toContain('/api/create-checkout-session');
});

test('all buttons are disabled while a checkout starts; a failure shows a message and enables them again', async ({
  page,
}) => {
  await signInAsNew(page);
  await page.goto('/plans');
  let answer: (() => void) | undefined;
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let reply: { status: number; json: unknown } = { status: 503, json: { message: 'Payments are away.' } };
  await page.route('**/api/create-checkout-session', async (route) => {
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
});

test('the free plan shows a notice only, and an unknown code is refused beside its field', async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/plans');
  await expect(card(page, 'free')).toContainText('Current plan');
  await page.getByRole('button', { name: 'Stay on Free' }).click();
  await expect(notices(page).getByText('Free needs no checkout')).toBeVisible();
  await expect(page).toHaveURL(/\/plans$/);
  await page.getByLabel('Waitlist code').fill('NOT-A-CODE');
  await expect(card(page, 'pro')).toContainText('$14.50');
  await page.getByRole('button', { name: 'Choose Pro' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'This discount code is not known' })).toBeVisible();
  await expect(page.getByLabel('Waitlist code')).toHaveValue('NOT-A-CODE');
});

test('a cancelled checkout charges nothing and cannot be paid afterwards', async ({ page }) => {
  await signInAsNew(page);
  await openCheckout(page);
  const address = page.url();
  await page.getByRole('button', { name: 'Cancel and go back' }).click();
  await expect(page).toHaveURL(/\/plans$/);
  await expect(card(page, 'pro')).not.toContainText('Current plan');
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'This checkout is over' })).toBeVisible();
});

test('the portal changes, cancels, resumes, fails, pays again and ends', async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/test-checkout');
  await expect(page.getByRole('heading', { name: 'No subscription runs' })).toBeVisible();
  await buy(page, 'Starter');
  await page.goto('/plans');
  await page.getByRole('button', { name: 'Manage' }).click();
  await expect(page.getByRole('heading', { name: 'Your Starter subscription' })).toBeVisible();
  const status = page.locator('dl');
  await page.getByRole('button', { name: 'Cancel the plan' }).click();
  await expect(status).toContainText('Cancelled');
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
  await expect(page).toHaveURL(/\/profile$/);
  await page.goto('/plans');
  await expect(card(page, 'pro')).toContainText('Current plan');

  await page.getByRole('button', { name: 'Manage' }).click();
  await page.getByRole('button', { name: 'End it now' }).click();
  await expect(page.getByRole('heading', { name: 'No subscription runs' })).toBeVisible();
  await page.getByRole('link', { name: 'See the plans' }).click();
  await expect(card(page, 'free')).toContainText('Current plan');
});

test('the success page refuses a missing session and one of another account', async ({ page, browser }) => {
  await page.goto('/subscription-success');
  await expect(page.getByRole('heading', { name: 'Subscription Error' })).toBeVisible();
  await expect(page.getByText('No session ID found')).toBeVisible();

  await signInAsNew(page);
  await buy(page);
  const address = page.url();
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

  // Signed out, it says what to do and comes back.
  await other.evaluate(() => localStorage.removeItem('authToken'));
  await other.goto(address);
  await expect(other.getByText('Failed to verify subscription')).toBeVisible();
  await other.getByRole('link', { name: 'Return to Plans' }).click();
  await expect(other).toHaveURL(/\/plans$/);
  await other.context().close();
});

test('the whole way with keys alone', async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/subscribe?plan=starter');
  await expect(page.getByRole('button', { name: 'Choose Starter' })).toBeFocused();
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
});

test('feedback needs words, is sent, and stays in the form when sending fails', async ({ page }) => {
  const bodies: unknown[] = [];
  let isAway = true;
  await page.route('**/api/send-feedback', (route) => {
    bodies.push(route.request().postDataJSON());
    return isAway ? route.fulfill({ status: 503, json: { message: 'Not now.' } }) : route.continue();
  });
  await page.goto('/feedback');
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

test('the waitlist accepts an address twice, sends no invalid one, and shows a failure', async ({ page }) => {
  let requestCount = 0;
  let isAway = false;
  await page.route('**/api/waitlist', (route) => {
    requestCount++;
    return isAway ? route.fulfill({ status: 503, json: { message: 'Not now.' } }) : route.continue();
  });
  const reserve = page.getByRole('button', { name: 'Reserve Your Spot' });
  for (let time = 0; time < 2; time++) {
    await page.goto('/');
    await reserve.click();
    await page.getByLabel('Email').fill('ann');
    await reserve.click();
    await expect(page.getByText('Invalid email address')).toBeVisible();
    expect(requestCount).toBe(time);
    await page.getByLabel('Email').fill('ann@example.com');
    await reserve.click();
    await expect(notices(page).getByText('Welcome to the waitlist!')).toBeVisible();
    await expect(page.getByRole('main').getByText(/discount code for your first 3 months/)).toBeVisible();
  }
  isAway = true;
  await page.goto('/');
  await page.getByLabel('Email').fill('ann@example.com');
  await reserve.click();
  await expect(notices(page).getByText('Something went wrong')).toBeVisible();
  await expect(notices(page).getByText('Please try again later.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('ann@example.com');
});

test('the menu leads to the plans and to feedback', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Subscribe' }).click();
  await expect(page).toHaveURL(/\/plans$/);
  // The address changes before the page does, and with it the bar.
  await expect(card(page, 'pro')).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Send Feedback' }).click();
  await expect(page).toHaveURL(/\/feedback$/);
  await expect(page).toHaveTitle('Feedback | Markwright');
});

test('an account without exports is offered the plan that has some', async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/studio');
  await expect(page.getByText('0 exports and 4 mockups left')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/plans');
  await chooseProduct(page);
  await addText(page, 'Ann');
  await page.getByRole('button', { name: 'Export for Production Processing' }).click();
  const dialog = page.getByRole('dialog', { name: 'Vector Export Limit Reached' });
  await expect(dialog).toContainText('Starter has 8 production exports and 24 image mockups a month');
  await dialog.getByRole('link', { name: 'See Starter' }).click();
  await expect(page.getByRole('button', { name: 'Choose Starter' })).toBeFocused();
});

test('axe finds nothing on the way through a checkout', async ({ page }) => {
  await signInAsNew(page);
  await openCheckout(page);
  await page.getByRole('button', { name: 'Let the card be declined' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Pro' })).toBeVisible();
  await expectNoFaults(page);
  for (const path of ['/plans', '/test-checkout']) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: /Manage|Cancel the plan/ })).toBeVisible();
    await expectNoFaults(page);
  }
});
