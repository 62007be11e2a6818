/** Orders with different words on each piece: the widget's table, and one package of several orders. */
import { readFileSync } from 'node:fs';
import { readCells } from '@markwright/scene/rows';
import type { APIRequestContext, Page } from '@playwright/test';
import { mailedLink, newAddress, signInAsNew, takePlan } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { expect, test } from './test.ts';
import { unzip } from './zip.ts';

const PRODUCT = '20 oz Skinny Tumbler, Stainless';

async function design(page: Page, shop: string, text: string): Promise<void> {
  await page.goto(`/widget?shop=${shop}`);
  await page.getByRole('searchbox', { name: 'Search products' }).fill(PRODUCT);
  await page.getByRole('button', { name: PRODUCT }).click();
  await page.getByRole('tab', { name: 'Add Text' }).click();
  await page.getByPlaceholder(/Type a name/).fill(text);
}

async function order(page: Page, email: string): Promise<string> {
  await page.getByLabel('Name', { exact: true }).fill('Ida Berg');
  await page.getByLabel('Email').fill(email);
  const asItIs = page.getByLabel('Order it as it is');
  await expect(page.getByRole('status').filter({ hasText: /look at before|Everything can be made/ })).toBeAttached();
  if (await asItIs.isVisible()) await asItIs.check();
  await page.getByRole('button', { name: 'Place order' }).click();
  const confirmation = page.getByRole('heading', { name: /^Order [\w-]{9} is placed$/ });
  await expect(confirmation).toBeVisible();
  return /[\w]{4}-[\w]{4}/.exec((await confirmation.textContent())!)![0];
}

async function approve(page: Page, api: APIRequestContext, email: string): Promise<void> {
  await page.goto('about:blank'); // another token alone opens no page anew
  await page.goto(await mailedLink(api, email, /proof/i));
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('heading', { name: 'You approved the proof' })).toBeVisible();
}

test('a customer orders three tumblers with three names, and the maker makes them with another order', {
  tag: '@detail',
}, async ({ page, browser, playwright, baseURL }) => {
  const api = await playwright.request.newContext({ baseURL: baseURL! });
  const account = await signInAsNew(page);
  await takePlan(api, account, 'studio');
  const { headers } = account;
  const data = { checkout: true, defaultPriceCents: 1250 };
  await api.put('/api/company/shop', { headers, data });
  const { key: shop } = await (await api.get('/api/company/shop', { headers })).json();
  const visit = await browser.newContext({ baseURL: baseURL!, reducedMotion: 'reduce' });
  const customer = await visit.newPage();
  const [first, second] = [newAddress('ida'), newAddress('ole')];

  const number = await test.step('the words of each piece', async () => {
    await design(customer, shop, 'Ada');
    const different = customer.getByRole('switch', { name: 'Different words on each' });
    await expect(different).toHaveCount(0); // of one piece
    await customer.getByRole('button', { name: 'One more' }).click();
    await different.click();
    await expect(customer.getByLabel('Text, piece 1')).toHaveValue('Ada');
    await expect(customer.getByLabel('Text, piece 2')).toBeFocused();
    const bar = customer.getByRole('region', { name: 'Take it along' });
    await expect(bar.getByText('Piece 2 has no words yet.')).toBeVisible();
    await expect(bar.getByRole('button', { name: 'Order', exact: true })).toBeDisabled();
    await customer.keyboard.type('Grace');
    await customer.keyboard.press('Enter'); // a row more, and a piece more
    await expect(customer.getByRole('spinbutton', { name: 'Quantity' })).toHaveValue('3');
    await customer.keyboard.type('x'.repeat(120));
    await expect(bar.getByText(/^Piece 3: Does not fit/)).toBeVisible();
    await expect(customer.getByLabel('Text, piece 3')).toHaveAttribute('aria-invalid', 'true');
    await expectNoFaults(customer, 'the words of the pieces');
    await customer.getByLabel('Text, piece 3').fill('Mary Ann');
    await expect(bar.getByRole('button', { name: 'Order', exact: true })).toBeEnabled();

    // A column of a spreadsheet fills rows, and the quantity follows.
    await customer.getByLabel('Text, piece 3').evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'Mary Ann\nHedy\nJoan');
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await expect(customer.getByLabel('Text, piece 5')).toHaveValue('Joan');
    await expect(customer.getByRole('spinbutton', { name: 'Quantity' })).toHaveValue('5');
    await customer.getByRole('button', { name: 'Remove piece 4' }).click();
    await expect(customer.getByLabel('Text, piece 4')).toHaveValue('Joan');
    await customer.getByRole('button', { name: 'One less' }).click();
    await expect(customer.getByLabel('Text, piece 4')).toHaveCount(0);

    await bar.getByRole('button', { name: 'Order', exact: true }).click();
    await expect(customer.getByLabel('Text, piece 3')).toHaveValue('Mary Ann');
    await expectNoFaults(customer, 'the order with its pieces');
    return order(customer, first);
  });

  const otherNumber = await test.step('another order, all alike', async () => {
    await design(customer, shop, 'Oak & Steel');
    await customer.getByRole('button', { name: 'One more' }).click();
    await customer.getByRole('button', { name: 'Order', exact: true }).click();
    return order(customer, second);
  });

  await test.step('the proof shows each piece', async () => {
    await customer.goto(await mailedLink(api, first, /proof/i));
    await expect(customer.getByRole('row', { name: '1 × Mary Ann' })).toBeVisible();
    const download = customer.waitForEvent('download');
    await customer.getByRole('button', { name: 'See every piece' }).click();
    expect((await download).suggestedFilename()).toMatch(/_3_pieces_proof\.pdf$/);
    await expectNoFaults(customer, 'the proof of different pieces');
    await approve(customer, api, first);
    await approve(customer, api, second);
    await visit.close();
  });

  await test.step('the maker makes both together', async () => {
    const { orders } = await (await api.get('/api/orders', { headers })).json();
    for (const { id } of orders) await api.post(`/api/orders/${id}/step`, { headers, data: { step: 'accept' } });
    await page.goto('/orders');
    const group = page.getByRole('region', { name: 'Make together' });
    await group.getByText(/^2 orders for .* wait$/).click();
    await expect(group.getByRole('checkbox')).toHaveCount(2);
    await expect(group.getByText('4 files, 1 production export.')).toBeVisible();
    await group.getByRole('checkbox', { name: otherNumber }).uncheck();
    await expect(group.getByRole('button', { name: 'Make these 3 together' })).toBeVisible();
    await group.getByRole('checkbox', { name: otherNumber }).check();
    await expectNoFaults(page, 'orders to be made together');
    await group.getByRole('button', { name: 'Make these 5 together' }).click();
    const download = page.waitForEvent('download');
    await group.getByRole('link', { name: 'Download' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/_5_pieces\.zip$/);
    await expectNoFaults(page, 'the package of orders');
    const files = unzip(readFileSync((await file.path())!));
    const { rows } = readCells(files.get('rows.csv')!);
    expect(rows.map((row) => row.slice(2, 5))).toEqual([
      ['Order', 'Quantity', 'Text'],
      [number, '1', 'Ada'],
      [number, '1', 'Grace'],
      [number, '1', 'Mary Ann'],
      [otherNumber, '2', 'Oak & Steel'],
    ]);
    expect([...files.keys()].filter((name) => name.endsWith('.svg'))).toHaveLength(4);
  });

  await test.step('and each order points to the package', async () => {
    await page.reload();
    await expect(page.getByRole('region', { name: 'Make together' })).toHaveCount(0);
    await page.getByRole('link', { name: new RegExp(number) }).click();
    await expect(page.getByRole('link', { name: 'Download' })).toBeVisible();
    await expect(page.getByRole('row', { name: '1 × Grace' })).toBeVisible();
    await expectNoFaults(page, 'an order in a package');
  });
  await api.dispose();
});
