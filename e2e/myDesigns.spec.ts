/** Saved designs: on every device, without a connection, and never one version over another. */
import type { Browser, Page } from '@playwright/test';
import { newAddress, openAs, openAsNew, PASSWORD } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { addText, chooseProduct, openStudio, stage, textElement } from './studio.ts';
import { expect, test } from './test.ts';

/** Opens the studio in a browser of its own, signed in. */
async function openDevice(browser: Browser, email: string, open = openAs): Promise<Page> {
  const page = await open(browser, email);
  await openStudio(page);
  return page;
}

const savedStatus = (page: Page) => page.getByText('Saved', { exact: true });
/**
 * Runs `act`, which puts these words on the product, and waits until the server has stored them. `Saved` alone may
 * belong to an earlier save.
 */
async function storedWith(page: Page, words: string, act: () => Promise<unknown>): Promise<void> {
  const reply = page.waitForResponse(
    (response) =>
      /\/api\/compositions/.test(response.url()) &&
      (response.request().postData() ?? '').includes(words) &&
      response.ok(),
  );
  await act();
  await reply;
  await expect(savedStatus(page)).toBeVisible();
}
const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name of this design' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'My designs' });
const cards = (page: Page) => dialog(page).getByRole('list', { name: 'Designs' }).getByRole('listitem');
async function openList(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'My designs' }).click();
  await expect(dialog(page)).toBeVisible();
}
const openFirst = (page: Page) =>
  cards(page)
    .first()
    .getByRole('button', { name: /^Open / })
    .click();
const words = (page: Page) => page.getByRole('button', { name: /^Text / });
async function changeText(page: Page, text: string): Promise<void> {
  await page.getByRole('tab', { name: 'Add Text' }).click();
  await words(page).first().click();
  await page.getByPlaceholder(/Type a name/).fill(text);
}
const expectNoViolation = async (page: Page) => await expectNoFaults(page, 'My designs', 'dialog');

test('an account’s designs are on every device: opened, renamed, copied, deleted and restored', {
  tag: '@detail',
}, async ({ browser }) => {
  const email = newAddress();
  const desk = await openDevice(browser, email, openAsNew);
  await expect(nameField(desk)).toHaveAttribute('placeholder', 'Untitled design');
  await chooseProduct(desk);
  await expect(nameField(desk)).toHaveAttribute('placeholder', 'Untitled 20 oz Skinny Tumbler');
  await storedWith(desk, 'Ann', () => addText(desk, 'Ann'));
  await nameField(desk).fill('Wedding');
  await nameField(desk).press('Enter');

  await openList(desk);
  await expect(cards(desk)).toHaveCount(1);
  await expect(cards(desk).first()).toContainText('Wedding');
  await dialog(desk).getByRole('button', { name: 'New design' }).click();
  await expect(dialog(desk)).toBeHidden();
  await expect(textElement(desk)).toHaveCount(0);
  await chooseProduct(desk, 'Slate Coaster');
  await storedWith(desk, 'Bob', () => addText(desk, 'Bob'));

  const phone = await openDevice(browser, email);
  await openList(phone);
  await expect(cards(phone)).toHaveCount(2);
  await expect(cards(phone).nth(0)).toContainText('Untitled Slate Coaster');
  await expect(cards(phone).nth(1)).toContainText('just now');
  await expect(cards(phone).nth(1).locator('img')).toHaveAttribute('src', /^\/files\/compositions\/.*webp/);
  await expectNoViolation(phone);

  // By keys alone: renamed, deleted, brought back, opened.
  const first = cards(phone)
    .nth(0)
    .getByRole('button', { name: /^Open / });
  await first.focus();
  await phone.keyboard.press('F2');
  await expect(cards(phone).nth(0).getByRole('textbox')).toBeFocused();
  await phone.keyboard.type('Coasters for Bob');
  await phone.keyboard.press('Enter');
  await expect(cards(phone).nth(0)).toContainText('Coasters for Bob');
  await cards(phone).nth(0).getByRole('button', { name: 'Duplicate Coasters for Bob' }).click();
  await expect(cards(phone)).toHaveCount(3);
  await expect(cards(phone).nth(0)).toContainText('Coasters for Bob (copy)');
  await cards(phone)
    .nth(0)
    .getByRole('button', { name: /^Open / })
    .focus();
  await phone.keyboard.press('Delete');
  await expect(dialog(phone).getByText('“Coasters for Bob (copy)” was deleted.')).toBeVisible();
  await expect(cards(phone)).toHaveCount(2);
  await expect(
    cards(phone)
      .nth(0)
      .getByRole('button', { name: /^Open / }),
  ).toBeFocused();
  await dialog(phone).getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(cards(phone)).toHaveCount(3);
  await cards(phone).filter({ hasText: 'Wedding' }).getByRole('button', { name: 'Open Wedding' }).press('Enter');
  await expect(dialog(phone)).toBeHidden();
  await expect(textElement(phone).locator('path').first()).toBeAttached();
  await expect(nameField(phone)).toHaveValue('Wedding');
  await expect(phone.getByRole('button', { name: 'Undo' }).first()).toBeDisabled();

  // What is open can be deleted too: a blank one takes its place, and Undo brings it back.
  await openList(phone);
  await cards(phone).filter({ hasText: 'Wedding' }).getByRole('button', { name: 'Delete Wedding' }).click();
  await expect(cards(phone)).toHaveCount(2);
  await expect(textElement(phone)).toHaveCount(0);
  await dialog(phone).getByRole('button', { name: 'Undo' }).click();
  await expect(cards(phone).filter({ hasText: 'Open now' })).toContainText('Wedding');
  await phone.keyboard.press('Escape');
  await expect(textElement(phone)).toHaveCount(1);
  await expect(phone.getByRole('button', { name: 'My designs' })).toBeFocused();
  await desk.context().close();
  await phone.context().close();
});

test('two devices share a design, without a connection too', { tag: '@detail' }, async ({ browser }) => {
  const email = newAddress();
  const desk = await openDevice(browser, email, openAsNew);
  const context = desk.context();
  await chooseProduct(desk);
  await storedWith(desk, 'Ann', () => addText(desk, 'Ann'));

  await test.step('without a connection work goes on, and is saved when it is back', async () => {
    await desk.waitForLoadState('networkidle'); // the parts that come behind the first paint

    await context.setOffline(true);
    await expect(desk.getByText(/You are offline/)).toBeVisible();
    await changeText(desk, 'Annabel');
    await expect(words(desk).first()).toContainText('Annabel');
    await expect(desk.getByText('Not saved: offline')).toBeVisible();
    await stage(desk).focus();
    await words(desk).first().click();
    const label = await words(desk).first().getAttribute('aria-label');
    await desk.getByRole('button', { name: 'Undo' }).first().click();
    await expect(words(desk).first()).not.toHaveAttribute('aria-label', label!);
    await desk.getByRole('button', { name: 'Redo' }).first().click();
    await expect(words(desk).first()).toHaveAttribute('aria-label', label!);

    await desk
      .getByRole('button', { name: /PNG|Mockup/i })
      .first()
      .click();
    await expect(
      desk.getByRole('region', { name: /Notifications/ }).getByText('Export failed', { exact: true }),
    ).toBeVisible();
    await openList(desk);
    await expect(dialog(desk).getByText('These are the designs on this device.')).toBeVisible();
    await expect(cards(desk)).toHaveCount(1);
    await expectNoViolation(desk);
    await desk.keyboard.press('Escape');

    await context.setOffline(false);
    await expect(savedStatus(desk)).toBeVisible();
  });

  const phone = await openDevice(browser, email);
  await openList(phone);
  await openFirst(phone);
  await expect(words(phone).first()).toContainText('Annabel');

  await test.step('two devices never overwrite each other', async () => {
    await storedWith(phone, 'Of the phone', () => changeText(phone, 'Of the phone'));
    await changeText(desk, 'Of the desk');
    await expect(desk.getByRole('alert').getByText('Changed elsewhere.')).toBeVisible();
    await expectNoFaults(desk, 'a design that was changed elsewhere', '[role=alert]');
    await desk.getByRole('button', { name: 'Keep mine as a copy' }).click();
    await expect(savedStatus(desk)).toBeVisible();
    await openList(desk);
    await expect(cards(desk)).toHaveCount(2);
    await desk.keyboard.press('Escape');

    // A second tab of the same browser; this time the other version is loaded.
    const tab = await desk.context().newPage();
    await openStudio(tab);
    await expect(words(tab).first()).toContainText('Of the desk');
    await storedWith(tab, 'Of the tab', () => changeText(tab, 'Of the tab'));
    await changeText(desk, 'Too late');
    await desk.getByRole('button', { name: 'Load theirs' }).click();
    await expect(words(desk).first()).toContainText('Of the tab');
    await expect(desk.getByText('Changed elsewhere')).toHaveCount(0);
  });
  await desk.context().close();
  await phone.context().close();
});

test('the list of designs is loaded again, page by page, and searched', { tag: '@detail' }, async ({ browser }) => {
  const page = await openDevice(browser, newAddress(), openAsNew);

  await test.step('a list that does not load says so, and Retry loads it', async () => {
    let isBroken = true;
    await page.route('**/api/compositions', (route) => (isBroken ? route.abort() : route.continue()));
    await openList(page);
    await expect(dialog(page).getByText('The list did not load')).toBeVisible();
    await expectNoViolation(page);
    isBroken = false;
    await dialog(page).getByRole('button', { name: 'Retry' }).click();
    await expect(dialog(page).getByText('Nothing here yet')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('a long list can be searched, and loads the next page', async () => {
    const token = await page.evaluate(() => localStorage.getItem('authToken'));
    for (let i = 1; i <= 52; i++) {
      const composition = { version: 1, data: { productId: i % 2 ? undefined : 'slate-coaster' } };
      const data = { key: `key-of-the-test-${i}`, name: `Order ${i}`, composition };
      const reply = await page.request.post('/api/compositions', {
        data,
        headers: { authorization: `Bearer ${token}` },
      });
      expect(reply.ok(), await reply.text()).toBe(true);
    }
    await openList(page);
    await expect(cards(page)).toHaveCount(50);
    await expectNoViolation(page);
    await dialog(page).getByRole('button', { name: 'Show older designs' }).click();
    await expect(cards(page)).toHaveCount(52);
    const search = dialog(page).getByRole('searchbox', { name: 'Search designs' });
    await search.fill('order 33');
    await expect(cards(page)).toHaveCount(1);
    await expect(cards(page)).toContainText('Order 33');
    await search.fill('nothing like it');
    await expect(dialog(page).getByText('Nothing is called “nothing like it”')).toBeVisible();
    await search.fill('');
    await expect(cards(page)).toHaveCount(50);
    await expect(search).toBeFocused();
  });
  await page.context().close();
});

test('a visitor’s designs stay on this device, and move to the account at sign-up', async ({ page, browser }) => {
  await openStudio(page);
  await openList(page);
  await expect(dialog(page).getByText('Nothing here yet')).toBeVisible();
  await expectNoViolation(page);
  await page.keyboard.press('Escape');
  await chooseProduct(page);
  await addText(page, 'Ann');
  await expect(page.getByText('Saved on this device')).toBeVisible();
  await nameField(page).fill('Wedding');
  await nameField(page).press('Enter');
  await openList(page);
  await expect(cards(page).first().locator('img')).toHaveAttribute('src', /^data:image\//);
  await dialog(page).getByRole('button', { name: 'New design' }).click();
  await chooseProduct(page, 'Slate Coaster');
  await addText(page, 'Bob');
  await expect(page.getByText('Saved on this device')).toBeVisible();

  await page.reload();
  await expect(words(page).first()).toContainText('Bob');
  await openList(page);
  await expect(cards(page)).toHaveCount(2);
  await cards(page).filter({ hasText: 'Wedding' }).getByRole('button', { name: 'Duplicate Wedding' }).click();
  await expect(cards(page)).toHaveCount(3);
  await cards(page)
    .filter({ hasText: 'Wedding (copy)' })
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(cards(page)).toHaveCount(2);
  await cards(page).filter({ hasText: 'Wedding' }).getByRole('button', { name: 'Open Wedding' }).click();
  await expect(words(page).first()).toContainText('Ann');

  const newCompositions: string[] = [];
  page.on('response', (response) => {
    const isNew = response.request().method() === 'POST' && new URL(response.url()).pathname === '/api/compositions';
    if (isNew && response.ok()) newCompositions.push(response.url());
  });
  const email = newAddress();
  await page.getByRole('link', { name: 'Login / Sign Up' }).click();
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const again = page.getByLabel(/again|Confirm/i);
  if (await again.count()) await again.first().fill(PASSWORD);
  await page.getByRole('button', { name: /Create account|Sign up/i }).click();
  await page.waitForURL(/\/studio/);
  await expect(words(page).first()).toContainText('Ann');
  await expect(savedStatus(page)).toBeVisible();
  await expect.poll(() => newCompositions.length).toBe(2);

  const phone = await openDevice(browser, email);
  await openList(phone);
  await expect(cards(phone)).toHaveCount(2);
  await expect(cards(phone).filter({ hasText: 'Wedding' })).toHaveCount(1);
  await phone.context().close();
});
