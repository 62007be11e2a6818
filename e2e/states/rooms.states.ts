/** The other rooms: landing page, accounts, plans, profile, makers, administration. */
import { mailedLink, newAddress, PASSWORD, signInAsAdmin, signInAsNew, signUp, takePlan } from '../accounts.ts';
import { expect, intercept, test } from '../test.ts';
import { closeNotices, take, takeWhole } from './states.ts';

test('pages of a visitor', async ({ page }) => {
  const pages = {
    landing: '/',
    login: '/auth',
    register: '/auth?tab=signup',
    reset: '/password-reset',
    'reset-token': '/password-reset?token=abc',
    'verify-email': '/verify-email?token=abc',
    invitation: '/invitation#token=abc',
    plans: '/plans',
    subscribe: '/subscribe?plan=pro',
    'subscription-error': '/subscription-success',
    'test-checkout-none': '/test-checkout',
    feedback: '/feedback',
    makers: '/makers',
    'profile-denied': '/profile',
    'orders-denied': '/orders',
    'admin-denied': '/admin',
    'not-found': '/no-such-page',
    'proof-none': '/proof#token=made-up',
    embed: '/embed',
  };
  for (const [name, path] of Object.entries(pages)) {
    await page.goto('about:blank');
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status').getByText('Loading')).toHaveCount(0);
    await page.waitForLoadState('networkidle');
    await takeWhole(page, `page-${name}`);
  }
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await take(page, 'page-login-refused');
  await page.goto('/feedback');
  await page.getByRole('button', { name: /send/i }).click();
  await take(page, 'page-feedback-refused');
  await page.goto('/password-reset');
  await page.getByLabel('Email').fill('ann@example.com');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('ann@example.com', { exact: true })).toBeVisible();
  await take(page, 'page-reset-sent');
});

test('a plan that is bought', async ({ page }) => {
  await signInAsNew(page, newAddress('buyer'));
  await page.goto('/plans');
  await expect(page.getByText('Current plan')).toBeVisible();
  await takeWhole(page, 'plans-free');
  await page.getByRole('button', { name: 'Choose Pro' }).click();
  await expect(page.getByText('Test checkout.')).toBeVisible();
  await takeWhole(page, 'test-checkout');
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Pro' })).toBeVisible();
  await takeWhole(page, 'subscription-success');
  const restore = await intercept(page, '**/api/verify-subscription', () => undefined);
  await page.reload();
  await expect(page.getByText('Verifying your subscription…')).toBeVisible();
  await takeWhole(page, 'subscription-success-waits');
  restore();
  await page.goto('/plans');
  await page.getByRole('button', { name: 'Manage' }).click();
  await expect(page.getByRole('button', { name: 'Cancel the plan' })).toBeVisible();
  await takeWhole(page, 'plan-portal');
});

test('the profile', async ({ page }) => {
  const account = await signInAsNew(page, newAddress('maker'));
  await takePlan(page.request, account, 'starter');
  const tabs = ['', '/plan', '/products', '/shop', '/maker', '/security'];
  for (const tab of tabs) {
    await page.goto(`/profile${tab}`);
    await expect(page.getByRole('navigation', { name: 'Profile' })).toBeVisible();
    await expect(page.getByRole('status').getByText('Loading')).toHaveCount(0);
    await page.waitForLoadState('networkidle');
    await takeWhole(page, `profile${tab.replace('/', '-') || '-account'}`);
  }
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Export my data' }).click();
  await expect(page.getByText('Your file is being made.')).toBeVisible();
  await takeWhole(page, 'profile-takeout-making');
  await expect(page.getByRole('link', { name: /^Download \(/ })).toBeVisible();
  await takeWhole(page, 'profile-takeout-done');
  await page.goto('/profile/shop');
  await page.getByRole('switch', { name: 'Take orders' }).click();
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await take(page, 'profile-shop-unsaved');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  await closeNotices(page);
  await takeWhole(page, 'profile-shop-on');
  await page.goto('/profile/products');
  await page.getByRole('tab', { name: 'Custom Products' }).click();
  await page.getByRole('button', { name: 'Enable Custom Products' }).click();
  await expect(page.getByRole('heading', { name: 'Add a product' })).toBeVisible();
  await closeNotices(page);
  await takeWhole(page, 'profile-own-products');
  await page.getByRole('button', { name: 'Upload a folder' }).click();
  await take(page, 'dialog-folder');
  await page.goto('/orders');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await takeWhole(page, 'orders-empty');
  await page.goto('/profile/security');
  const factor = page.getByRole('region', { name: 'Second factor' });
  await factor.getByRole('button', { name: 'Turn it on' }).click();
  await factor.getByLabel('Your password').fill(PASSWORD);
  await factor.getByRole('button', { name: 'Go on' }).click();
  await expect(factor.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await takeWhole(page, 'profile-second-factor');
});

test('makers', async ({ page }) => {
  const maker = await signUp(page.request);
  const [town] = await (await page.request.get('/api/places?q=Lyon')).json();
  const data = {
    name: 'Laser Presqu’île',
    about: 'Engraves steel and wood by the river. Small runs are welcome, and a single gift is, too.',
    placeId: town.id,
    machines: ['laser', 'uv'],
    materials: ['stainless', 'wood'],
    delivery: 'country',
    turnaroundDays: 5,
    isListed: true,
  };
  const reply = await page.request.put('/api/maker', { headers: maker.headers, data });
  expect(reply.ok(), await reply.text()).toBe(true);
  await page.goto('/makers');
  const field = page.getByRole('combobox', { name: 'Town' });
  await field.fill('lyon');
  await expect(page.getByRole('option').first()).toBeVisible();
  await take(page, 'makers-towns');
  await field.press('Enter');
  await expect(page.getByRole('link', { name: data.name })).toBeVisible();
  await takeWhole(page, 'makers-found');
  await page.getByRole('link', { name: data.name }).click();
  await expect(page.getByRole('heading', { level: 1, name: data.name })).toBeVisible();
  await takeWhole(page, 'maker-page');
  await page.getByRole('button', { name: 'Send message' }).click();
  await takeWhole(page, 'maker-page-refused');
  await page.goto('/makers');
  await field.fill('ushuaia');
  await expect(page.getByRole('option').first()).toHaveText(/^Ushuaia/);
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: /^Nobody within/ })).toBeVisible();
  await takeWhole(page, 'makers-nobody');
  await page.request.put('/api/maker', { headers: maker.headers, data: { ...data, isListed: false } });
});

test('the portal of the administrator', async ({ page }) => {
  const address = newAddress('zeta');
  await signUp(page.request, address);
  await mailedLink(page.request, address, /confirm/i);
  await page.request.post('/api/send-feedback', {
    data: { name: 'Zeta', email: address, feedback: 'The rulers are right, and the caliper agrees.' },
  });
  await page.request.post('/api/waitlist', { data: { email: address } });
  await page.request.post('/api/auth/login', { data: { email: address, password: 'not this one' } });
  await signInAsAdmin(page);
  const rooms = [
    'catalogue',
    'vectorizer',
    'users',
    'administrators',
    'outbox',
    'feedback',
    'waitlist',
    'makers',
    'storage',
    'security',
    'audit',
  ];
  for (const room of rooms) {
    await page.goto('about:blank');
    await page.goto(`/admin?room=${room}`);
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await expect(page.getByRole('status').getByText('Loading')).toHaveCount(0);
    await page.waitForLoadState('networkidle');
    await takeWhole(page, `admin-${room}`);
  }
  await page.goto('/admin?room=outbox');
  await page.getByRole('region', { name: 'Mails' }).getByRole('listitem').first().getByRole('button').click();
  await expect(page.frameLocator('iframe').locator('body')).toContainText('Markwright');
  await takeWhole(page, 'admin-outbox-mail');
  await page.goto('/admin-panel');
  await expect(page.getByRole('switch', { name: 'Paid tier' })).toBeVisible();
  await takeWhole(page, 'admin-panel');
});
