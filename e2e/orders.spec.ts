/** A shop takes an order: its settings, the customer's proof, the shop's list and steps. Orders are placed through the API. */
import { mkdir } from 'node:fs/promises';
import { type APIRequestContext, expect, type Page, test } from '@playwright/test';
import { expectNoFaults } from './axe.ts';

const folder = process.env.PICTURES;
const PASSWORD = 'walnut board';

async function picture(page: Page, name: string): Promise<void> {
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const [screen, width] of [
    ['wide', 1440],
    ['narrow', 390],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      if (screen === 'narrow' && colorScheme === 'dark') continue;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(250);
      await page.screenshot({ path: `${folder}/${name}-${screen}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Two lines of text on the first product, saved in the widget of a shop and ordered. */
async function order(api: APIRequestContext, shop: string, email: string): Promise<string> {
  const post = async (url: string, data: object) => {
    const answer = await api.post(url, { data });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  };
  const products = await (await api.get(`/api/widget/products?shop=${shop}`)).json();
  const text = { id: 'a', text: 'Hazel & Finn', fontFamily: 'Great Vibes', heightInches: 0.4 };
  const composition = { version: 0, data: { machine: 'laser', productId: products[0].productId, texts: [text] } };
  const { designId } = await post('/api/widget/designs', { shop, composition });
  const contact = { name: 'Ida Berg', email, phone: '+47 22 00 00 00', address: 'Oak Road 1\nOslo', note: 'By May' };
  const key = crypto.randomUUID();
  return (await post('/api/widget/orders', { key, shop, designId, quantity: 12, contact })).number;
}

/** The link the customer was mailed last, as the operator finds it in the outbox. */
async function mailedLink(api: APIRequestContext, email: string): Promise<string> {
  const data = { email: process.env.ADMIN_EMAIL, password: process.env.ADMIN_PASSWORD };
  const { token } = await (await api.post('/api/auth/login', { data })).json();
  const headers = { authorization: `Bearer ${token}` };
  const { mails } = await (await api.get('/api/admin/mails', { headers })).json();
  const { id } = mails.find((mail: { to?: string; recipient?: string }) => (mail.to ?? mail.recipient) === email);
  const { text } = await (await api.get(`/api/admin/mails/${id}`, { headers })).json();
  return /\/proof#token=[\w-]+/.exec(text)![0];
}

test('a shop settles how it sells, takes an order, has its proof approved and makes it', async ({
  page,
  playwright,
  baseURL,
}) => {
  const customer = `ida-${Date.now()}@example.com`;
  const api = await playwright.request.newContext({ baseURL: baseURL! });
  await page.goto('/auth?tab=signup&next=/profile');
  await page.getByLabel('Email').fill(`shop-${Date.now()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/profile$/);
  const card = page.getByRole('region', { name: 'Product management' });

  const shop = await test.step('settles it, and is warned before it is lost', async () => {
    await card.getByRole('tab', { name: 'Settings' }).click();
    await card.getByLabel('Company name').fill('Oak & Steel');
    await card.getByRole('button', { name: 'Save', exact: true }).click();
    await card.getByRole('tab', { name: 'Shop' }).click();
    await expect(card.getByRole('switch', { name: 'Take orders' })).toBeVisible();
    await card.getByRole('switch', { name: 'Take orders' }).click();
    await card.getByLabel('Price of every product').fill('12,5');
    await card.getByLabel('Sites, one on each line').fill('shop.example');
    await card.getByRole('radio', { name: /The nearest maker/ }).check();
    await card.getByRole('combobox', { name: 'Where your shop is' }).fill('Oslo');
    await page.getByRole('option', { name: /^Oslo/ }).first().click();
    await expect(card.getByText('5 shop settings')).toBeVisible();
    await card.getByRole('button', { name: 'Save Changes' }).click();
    const notices = page.getByRole('region', { name: /Notifications/ });
    await expect(notices.getByText(/“shop.example” is not the address of a site/)).toBeVisible();
    await card.getByLabel('Sites, one on each line').fill('https://Shop.example/');
    await card.getByLabel('Address', { exact: true }).fill('https://shop.example/hook');
    await expectNoFaults(page, 'the shop’s settings, unsaved');
    await card.getByRole('button', { name: 'Save Changes' }).click();
    await expect(card.getByLabel('Sites, one on each line')).toHaveValue('https://shop.example');
    await expect(card.getByText('Unsaved changes')).toHaveCount(0);
    await card.getByRole('button', { name: 'New secret' }).click();
    await expect(card.getByText(/^mwsec_/)).toBeVisible();
    await card.getByText('Prices of their own').click();
    await expect(card.getByRole('list', { name: 'Prices of products' }).getByRole('listitem').first()).toBeVisible();
    await expectNoFaults(page, 'the shop’s settings');
    await picture(page, 'settings');
    return (await card.getByText(/^[\w-]{22}$/).textContent())!;
  });

  const number = await order(api, shop, customer);

  await test.step('finds the order waiting', async () => {
    await page.reload();
    await page.getByRole('banner').getByRole('link', { name: 'Orders (1)' }).click();
    const line = page.getByRole('listitem').filter({ hasText: number });
    await expect(line).toContainText('12 × ');
    await expect(line).toContainText('Your turn');
    await expect(line).toContainText('$150.00');
    await expectNoFaults(page, 'the list of orders');
    await picture(page, 'list');
    await line.getByRole('link').click();
    await expect(page.getByText('ida', { exact: false }).first()).toBeVisible();
    await expect(page.getByText('“Hazel & Finn” in Great Vibes')).toBeVisible();
    await expect(page.getByText(/^[\d.]+ × [\d.]+ mm \([\d.]+ × [\d.]+ in\)$/).first()).toBeVisible();
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByText('Nothing is made before the customer approves the proof.')).toBeVisible();
    await expectNoFaults(page, 'an order');
    await picture(page, 'order');
  });

  const at = page.url();
  await test.step('the customer asks for a change, and approves in the end', async () => {
    await page.goto(await mailedLink(api, customer));
    await expect(page.getByRole('heading', { name: 'Is it right?' })).toBeVisible();
    await expectNoFaults(page, 'the proof');
    await picture(page, 'proof');
    await page.getByRole('button', { name: 'Ask for a change' }).click();
    await page.getByLabel('What should be different?').fill('Could it be larger?');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByRole('heading', { name: 'Your words are with the shop' })).toBeVisible();
    await picture(page, 'proof-change');
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByRole('heading', { name: 'You approved the proof' })).toBeVisible();
    await expectNoFaults(page, 'the proof, approved');
    await page.reload();
    await expect(page.getByRole('heading', { name: 'You approved the proof' })).toBeVisible();
    await picture(page, 'proof-approved');
  });

  await test.step('and it is made and sent', async () => {
    await page.goto(at);
    await page.getByRole('button', { name: 'Production file' }).click();
    await expect(page.getByRole('alert')).toContainText('vector'); // its free plan makes none
    await picture(page, 'order-approved');
    await page.getByRole('button', { name: 'It is made' }).click();
    await page.getByRole('button', { name: 'It is sent' }).click();
    await page.getByLabel('Words for the customer').fill('Parcel 42');
    await expectNoFaults(page, 'the question before sending');
    await picture(page, 'order-send');
    await page.getByRole('dialog').getByRole('button', { name: 'It is sent' }).click();
    await expect(page.getByText('Done: it is on its way.')).toBeVisible();
    await picture(page, 'order-sent');
  });
  await api.dispose();
});

test('a link that opens nothing, and orders for nobody, say so', async ({ page }) => {
  await page.goto('/proof#token=made-up');
  await expect(page.getByRole('heading', { name: 'This link opens no order' })).toBeVisible();
  await expectNoFaults(page, 'a link that opens nothing');
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: 'Log in to see your orders' })).toBeVisible();
  await expectNoFaults(page, 'orders for nobody');
});
