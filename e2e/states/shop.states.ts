/** The shop: its widget, an order in it, the customer's proof, and the orders of the shop and of the maker. */
import type { APIRequestContext, Page } from '@playwright/test';
import { mailedLink, newAddress, signIn, signUp, takePlan } from '../accounts.ts';
import { expect, intercept, test } from '../test.ts';
import { take, takeWhole } from './states.ts';

const MUG = '11 oz Ceramic Mug, White';

async function openShop(request: APIRequestContext, settings: object = {}) {
  const owner = await signUp(request);
  await request.put('/api/company', {
    headers: owner.headers,
    data: { companyName: 'Oak & Steel', enabledBaseCategories: ['Mugs', 'Tumblers'] },
  });
  const data = { checkout: true, defaultPriceCents: 1250, ...settings };
  const reply = await request.put('/api/company/shop', { headers: owner.headers, data });
  expect(reply.ok(), await reply.text()).toBe(true);
  await takePlan(request, owner, 'starter');
  return { owner, key: (await reply.json()).key as string };
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search products' }).fill(name);
  await page.getByRole('button', { name }).click();
  await expect(page.getByRole('application', { name: /^Stage/ })).toBeVisible();
}

async function write(page: Page, words: string): Promise<void> {
  await page.getByRole('tab', { name: 'Add Text' }).click();
  await page.getByPlaceholder(/Type a name/).fill(words);
  await expect(page.locator('[data-element^="text:"] path').first()).toBeAttached();
}

test('the widget', async ({ page, request }) => {
  const { key } = await openShop(request);
  await page.goto('/widget?shop=nobodys-key-at-all-00000');
  await expect(page.getByRole('heading', { name: 'This shop is closed' })).toBeVisible();
  await take(page, 'widget-closed');
  const restore = await intercept(page, '**/api/widget/**', (route) => route.abort());
  await page.goto('/widget');
  await expect(page.getByRole('heading', { name: 'The products did not load' })).toBeVisible();
  await take(page, 'widget-no-products');
  restore();
  await page.goto(`/widget?shop=${key}`);
  await expect(page.getByRole('searchbox', { name: 'Search products' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await take(page, 'widget-products');
  await choose(page, MUG);
  await take(page, 'widget-product');
  await write(page, 'Hazel & Finn');
  await take(page, 'widget-text');
  await page.getByRole('button', { name: 'Save design' }).click();
  await expect(page.getByRole('textbox', { name: 'Link to the design' })).toBeVisible();
  await take(page, 'widget-saved');
  await page.getByRole('button', { name: 'Order', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Your order' })).toBeFocused();
  await take(page, 'widget-order');
  await page.getByLabel('Email').fill('ida@nowhere');
  await page.getByRole('button', { name: 'Place order' }).click();
  await take(page, 'widget-order-refused');
  await page.getByLabel('Name', { exact: true }).fill('Ida Berg');
  await page.getByLabel('Email').fill('ida@example.com');
  const fail = await intercept(page, '**/api/widget/orders', (route) =>
    route.fulfill({ status: 503, json: { message: 'The shop takes no orders right now. Please try again later.' } }),
  );
  await page.getByRole('button', { name: 'Place order' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await take(page, 'widget-order-failed');
  fail();
  await page.getByRole('button', { name: 'Place order' }).click();
  await expect(page.getByRole('heading', { name: /is placed$/ })).toBeFocused();
  await take(page, 'widget-ordered');
});

test('the widget with findings, and with one machine', async ({ page, request }) => {
  const { key } = await openShop(request);
  await page.goto(`/widget?shop=${key}`);
  await choose(page, MUG);
  await write(page, 'Oak and Ash');
  await page.locator('summary', { hasText: 'Place and size' }).click();
  await page.locator('[data-element^="text:"]').first().click({ force: true });
  const width = page.getByRole('spinbutton', { name: 'Width in millimeters' });
  await width.fill('5');
  await width.press('Enter');
  await take(page, 'widget-place-and-size');
  await page.getByRole('button', { name: 'Order', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Before you order' })).toBeVisible();
  await take(page, 'widget-order-findings');
  await intercept(page, '**/api/widget/products*', async (route) => {
    const response = await route.fetch();
    const products = ((await response.json()) as object[]).map((product) => ({ ...product, machines: ['uv'] }));
    await route.fulfill({ response, json: products });
  });
  await page.goto(`/widget?shop=${key}`);
  await expect(page.getByRole('searchbox', { name: 'Search products' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await take(page, 'widget-one-machine');
});

test('an order', async ({ page, request }) => {
  const customer = newAddress('ida');
  const [town] = await (await request.get('/api/places?q=Bergen')).json();
  const { name, region, country, lat, lon } = town;
  const { owner, key } = await openShop(request, { place: { name, region, country, lat, lon } });
  await page.goto(`/widget?shop=${key}`);
  await choose(page, MUG);
  await write(page, 'Hazel & Finn');
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill('12');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Order', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ida Berg');
  await page.getByLabel('Email').fill(customer);
  await page.getByLabel('Address to send it to').fill('Oak Road 1, Bergen');
  await page.getByRole('button', { name: 'Place order' }).click();
  await expect(page.getByRole('heading', { name: /is placed$/ })).toBeVisible();

  await signIn(page, owner);
  await page.goto('/orders');
  const line = page.getByRole('listitem').filter({ hasText: '12 × ' });
  await expect(line).toBeVisible();
  await takeWhole(page, 'orders');
  await line.getByRole('link').click();
  await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible();
  await takeWhole(page, 'order-new');
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('Nothing is made before the customer approves the proof.')).toBeVisible();
  await takeWhole(page, 'order-accepted');
  await page.getByRole('button', { name: 'Decline' }).click();
  await take(page, 'order-decline');
  await page.getByRole('button', { name: 'Cancel' }).click();
  const at = page.url();

  await page.goto(await mailedLink(request, customer, /proof/i));
  await expect(page.getByRole('heading', { name: 'Is it right?' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await take(page, 'proof');
  await takeWhole(page, 'proof-whole');
  await page.getByRole('button', { name: 'Check this screen' }).click();
  await take(page, 'proof-card');
  await page.getByRole('button', { name: 'True size' }).click();
  await take(page, 'proof-true-size');
  await page.getByRole('button', { name: 'Ask for a change' }).click();
  await page.getByLabel('What should be different?').fill('Could it be larger?');
  await take(page, 'proof-change');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('heading', { name: 'Your words are with the shop' })).toBeVisible();
  await take(page, 'proof-change-sent');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('heading', { name: 'You approved the proof' })).toBeVisible();
  await take(page, 'proof-approved');

  await page.goto(at);
  await expect(page.getByRole('button', { name: 'Mark as made' })).toBeVisible();
  await takeWhole(page, 'order-approved');
  await page.getByRole('button', { name: 'Mark as made' }).click();
  await page.getByRole('button', { name: 'Mark as sent' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await take(page, 'order-send');
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }).click();
  await expect(page.getByText('Done: it is on its way.')).toBeVisible();
  await takeWhole(page, 'order-sent');
});
