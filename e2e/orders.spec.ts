/** Orders of a shop: its settings, an order from the widget, the customer's proof, the list and its steps. */
import type { Page } from '@playwright/test';
import { mailedLink, newAddress, signInAsNew } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { expect, test } from './test.ts';

const PRODUCT = '20 oz Skinny Tumbler, Stainless';

/** A customer without an account designs in the shop's widget and orders there. Gives the order's number. */
async function order(page: Page, shop: string, email: string): Promise<string> {
  await page.goto(`/widget?shop=${shop}`);
  await page.getByRole('searchbox', { name: 'Search products' }).fill(PRODUCT);
  await page.getByRole('button', { name: PRODUCT }).click();
  await page.getByRole('tab', { name: 'Add Text' }).click();
  await page.getByPlaceholder(/Type a name/).fill('Hazel & Finn');
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill('12');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Order', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ida Berg');
  await page.getByLabel('Email').fill('ida@nowhere');
  await page.getByLabel('Address to send it to').fill('Oak Road 1, Bergen');
  await page.getByRole('combobox', { name: 'Your town (optional)' }).fill('Bergen, Norway');
  await page
    .getByRole('option', { name: /^Bergen/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Place order' }).click();
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await expectNoFaults(page, 'the order form');
  await page.getByRole('button', { name: 'Place order' }).click();
  const confirmation = page.getByRole('heading', { name: /^Order [\w-]{9} is placed$/ });
  await expect(confirmation).toBeVisible();
  await expect(page.getByText(`A mail to ${email} brings the proof`)).toBeVisible();
  await expectNoFaults(page, 'the order placed');
  return /[\w]{4}-[\w]{4}/.exec((await confirmation.textContent())!)![0];
}

const MM_PER_INCH = 25.4;

/** Zooms the proof by wheel, pinch, keys and buttons, and checks the screen's millimeters with a bank card. */
async function seeTrueSize(page: Page): Promise<void> {
  const picture = page.getByRole('group', { name: /^The picture of your order/ });
  const scale = async () => Number(await picture.getAttribute('data-scale'));
  const trueSize = page.getByRole('button', { name: 'True size' });
  const whole = await scale();
  await page.getByRole('button', { name: 'Check this screen' }).click();
  await expect(page.locator('[data-card]')).toHaveCSS('width', /^323\.5/); // 85.6 mm at 96 px to the inch
  await expectNoFaults(page, 'the check with a card', 'figure');
  const slider = page.getByRole('slider', { name: /Width of the card/ });
  await slider.focus();
  for (let press = 0; press < 10; press++) await page.keyboard.press('ArrowRight');
  await trueSize.click();
  await expect(trueSize).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(scale).toBeCloseTo((96 / MM_PER_INCH) * 1.1, 3);
  await page.reload(); // the measure of this screen is remembered
  await trueSize.click();
  await expect.poll(scale).toBeCloseTo((96 / MM_PER_INCH) * 1.1, 3);

  await picture.focus();
  await page.keyboard.press('+');
  await expect.poll(scale).toBeCloseTo((96 / MM_PER_INCH) * 1.65, 3);
  await page.keyboard.press('0');
  await expect.poll(scale).toBeCloseTo(whole, 3);
  const box = (await picture.boundingBox())!;
  const middle = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  await page.mouse.move(middle.x, middle.y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await expect.poll(scale).toBeGreaterThan(whole * 1.5);

  await page.keyboard.press('0');
  await expect.poll(scale).toBeCloseTo(whole, 3);
  const touch = await page.context().newCDPSession(page);
  const fingers = (reach: number) => ({
    touchPoints: [-reach, reach].map((x, id) => ({ x: middle.x + x, y: middle.y, id })),
  });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...fingers(40) });
  for (const reach of [60, 80]) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...fingers(reach) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect.poll(scale).toBeGreaterThan(whole * 1.8);
  await touch.detach();
  await page.getByRole('button', { name: 'All of it' }).click();
  await expect.poll(scale).toBeCloseTo(whole, 3);
}

test('a shop sets up its sales, takes an order, has the proof approved and makes it', async ({
  page,
  browser,
  playwright,
  baseURL,
}) => {
  const customer = newAddress('ida');
  const api = await playwright.request.newContext({ baseURL: baseURL! });
  await signInAsNew(page);
  await page.goto('/profile/products');
  const products = page.getByRole('region', { name: 'Product management' });
  const card = page.getByRole('region', { name: 'Shop', exact: true });

  const shop = await test.step('settles it, and is warned before it is lost', async () => {
    await products.getByRole('tab', { name: 'Settings' }).click();
    await products.getByLabel('Company name').fill('Oak & Steel');
    await products.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Company name saved', { exact: true }).first()).toBeVisible();
    await page.getByRole('navigation', { name: 'Profile' }).getByRole('link', { name: 'Shop' }).click();
    await expect(card.getByRole('switch', { name: 'Take orders' })).toBeVisible();
    await card.getByRole('switch', { name: 'Take orders' }).click();
    await card.getByLabel('Price of every product').fill('12,5');
    await card.getByLabel('Sites, one on each line').fill('shop.example');
    await card.getByRole('radio', { name: /The nearest maker/ }).check();
    // A person who types the town and leaves the field has chosen it as well.
    await card.getByRole('combobox', { name: 'Where your shop is' }).fill('oslo');
    await page.keyboard.press('Tab');
    await expect(card.getByRole('combobox', { name: 'Where your shop is' })).toHaveValue('Oslo, Norway');
    await expect(card.getByText('5 settings')).toBeVisible();
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
    await card.getByText('For your server').click();
    await expect(card.getByRole('region', { name: 'Check of the signature' })).toContainText('timingSafeEqual');
    await card.getByText('Prices of their own').click();
    await expect(card.getByRole('list', { name: 'Prices of products' }).getByRole('listitem').first()).toBeVisible();
    await expectNoFaults(page, 'the shop’s settings');
    return (await card.getByText(/^[\w-]{22}$/).textContent())!;
  });

  const number = await test.step('a customer orders in its widget', async () => {
    const visit = await browser.newContext({ baseURL: baseURL!, reducedMotion: 'reduce' });
    try {
      return await order(await visit.newPage(), shop, customer);
    } finally {
      await visit.close();
    }
  });

  await test.step('finds the order waiting', async () => {
    await page.reload();
    await page.getByRole('banner').getByRole('link', { name: 'Orders (1)' }).click();
    const line = page.getByRole('listitem').filter({ hasText: number });
    await expect(line).toContainText('12 × ');
    await expect(line).toContainText('Your turn');
    await expect(line).toContainText('$150.00');
    await expectNoFaults(page, 'the list of orders');
    await line.getByRole('link').click();
    await expect(page.getByText('ida', { exact: false }).first()).toBeVisible();
    await expect(page.getByText(/“Hazel & Finn” in /)).toBeVisible();
    await expect(page.getByText(/^[\d.]+ × [\d.]+ mm \([\d.]+ × [\d.]+ in\)$/).first()).toBeVisible();
    await test.step('on a phone the next step comes first', async () => {
      const accept = page.getByRole('button', { name: 'Accept' });
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(accept).toBeInViewport({ ratio: 1 });
      await page.setViewportSize({ width: 1440, height: 900 });
    });
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByText('Nothing is made before the customer approves the proof.')).toBeVisible();
    await expectNoFaults(page, 'an order');
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByLabel('Reason, for the customer').fill('No steel left');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  const at = page.url();
  await test.step('the customer asks for a change, and approves in the end', async () => {
    await page.goto(await mailedLink(api, customer, /proof/i));
    await expect(page.getByRole('heading', { name: 'Is it right?' })).toBeVisible();
    await expectNoFaults(page, 'the proof');
    await seeTrueSize(page);
    await page.getByRole('button', { name: 'Ask for a change' }).click();
    await page.getByLabel('What should be different?').fill('Could it be larger?');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByRole('heading', { name: 'Your words are with the shop' })).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    const approve = page.getByRole('button', { name: 'Approve' });
    await expect(approve).toBeInViewport({ ratio: 1 });
    await page.getByText('Made by').scrollIntoViewIfNeeded();
    await expect(approve).toBeInViewport({ ratio: 1 });
    await expectNoFaults(page, 'the proof on a phone');
    await approve.click();
    await expect(page.getByRole('heading', { name: 'You approved the proof' })).toBeFocused();
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByRole('heading', { name: 'You approved the proof' })).toBeVisible();
    await expectNoFaults(page, 'the proof, approved');
    await page.reload();
    await expect(page.getByRole('heading', { name: 'You approved the proof' })).toBeVisible();
  });

  await test.step('and it is made and sent', async () => {
    await page.goto(at);
    await page.getByRole('button', { name: 'Production file' }).click();
    await expect(page.getByRole('alert')).toContainText('vector'); // its free plan makes none
    await page.getByRole('button', { name: 'Mark as made' }).click();
    await page.getByRole('button', { name: 'Mark as sent' }).click();
    await expect(page.getByLabel('Message to the customer')).toHaveValue(''); // and not why it was nearly declined
    await page.getByLabel('Message to the customer').fill('Parcel 42');
    await expectNoFaults(page, 'the question before sending');
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }).click();
    await expect(page.getByText('Done: it is on its way.')).toBeVisible();
  });
  await api.dispose();
});

test('a wrong proof link and an empty order list show a message', async ({ page }) => {
  await page.goto('/proof#token=made-up');
  await expect(page.getByRole('heading', { name: 'This link opens no order' })).toBeVisible();
  await expectNoFaults(page, 'a link that opens nothing');
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: 'Log in to see your orders' })).toBeVisible();
  await expectNoFaults(page, 'orders for nobody');
});
