/** “My library”: elements that are kept once and placed in other designs, at the size that they had. */
import type { Locator, Page } from '@playwright/test';
import { newAddress, openAs, openAsNew } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { tabTo } from './keys.ts';
import { logoPng } from './pictures.ts';
import {
  addText,
  chooseProduct,
  dropFile,
  element,
  middleOf,
  openStep,
  openStudio,
  readNumbers,
  stage,
  startOver,
  textElement,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'My library' });
const cards = (page: Page) => dialog(page).getByRole('list', { name: 'Saved elements' }).getByRole('listitem');
const openButton = (page: Page) => page.getByRole('button', { name: 'My library' });
const placeButton = (card: Locator) => card.getByRole('button', { name: /^Place / });
const marks = (page: Page) => stage(page).locator('[data-element]:not([data-element="machineArea"])');

async function openLibrary(page: Page): Promise<void> {
  await openButton(page).click();
  await expect(dialog(page)).toBeVisible();
}

async function openMenu(page: Page, target: Locator): Promise<void> {
  const { x, y } = await middleOf(target);
  await page.mouse.click(x, y, { button: 'right' });
}

/** Saves an element by the context menu of the stage. */
async function saveByMenu(page: Page, target: Locator, name: string): Promise<void> {
  await openMenu(page, target);
  await page.getByRole('menuitem', { name: 'Save to library' }).click();
  await expect(page.getByText(`“${name}” is in step 3 of every design.`, { exact: true })).toBeVisible();
}

test('an artwork and a text are saved, and placed on another product at their size', { tag: '@detail' }, async ({
  browser,
}) => {
  const email = newAddress();
  const page = await openAsNew(browser, email);
  await openStudio(page);
  await chooseProduct(page);
  await dropFile(page, { name: 'fox logo.png', mimeType: 'image/png', buffer: await logoPng() });
  await waitForTrace(page);
  const logo = await readNumbers(page, /fox logo/);
  await saveByMenu(page, element(page, 'design'), 'fox logo');
  await addText(page, 'Hazel & Finn', 'Lobster');
  const text = await readNumbers(page, /Hazel & Finn/);
  await page.getByRole('button', { name: 'Save to library' }).click();
  await expect(page.getByText('“Hazel & Finn” is in step 3 of every design.', { exact: true })).toBeVisible();

  await test.step('another design on another product', async () => {
    await startOver(page);
    await chooseProduct(page, 'Slate Coaster');
    await openLibrary(page);
    await expect(cards(page)).toHaveCount(2);
    await expect(cards(page).nth(0)).toContainText('Hazel & Finn');
    await expect(cards(page).nth(1)).toContainText(`${logo.width.toFixed(1)} × ${logo.height.toFixed(1)} mm`);
    for (const card of [cards(page).nth(0), cards(page).nth(1)]) {
      await expect(card.locator('img')).toHaveAttribute('src', /^\/files\/library\/.*webp/);
    }
    await expectNoFaults(page, 'My library', 'dialog');
    await placeButton(cards(page).nth(1)).click();
    await expect(dialog(page)).toBeHidden();
    await expect(marks(page).locator('path').first()).toBeAttached();
    const numbers = await readNumbers(page, /fox logo/);
    expect(numbers).toMatchObject({ width: logo.width, height: logo.height });
    expect([numbers.x, numbers.y]).toEqual([expect.closeTo(0, 1), expect.closeTo(0, 1)]);
  });

  await test.step('the text by keys alone: placed, renamed, deleted, brought back', async () => {
    await tabTo(page, openButton(page), 'Shift+Tab');
    await page.keyboard.press('Enter');
    const card = cards(page).nth(0);
    await tabTo(page, placeButton(card));
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toBeHidden();
    await expect(textElement(page).locator('path').first()).toBeAttached();
    const numbers = await readNumbers(page, /Hazel & Finn/);
    expect(numbers).toMatchObject({ width: text.width, height: text.height });
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(textElement(page)).toHaveCount(0);
    await expect(marks(page)).toHaveCount(1);

    await openLibrary(page);
    await placeButton(card).focus();
    await page.keyboard.press('F2');
    await expect(card.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.type('Our names');
    await page.keyboard.press('Enter');
    await expect(card).toContainText('Our names');
    await expect(placeButton(card)).toBeFocused();
    await page.keyboard.press('Delete');
    await expect(dialog(page).getByText('“Our names” was deleted.')).toBeVisible();
    await expect(cards(page)).toHaveCount(1);
    await expect(placeButton(cards(page).nth(0))).toBeFocused();
    await dialog(page).getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(cards(page)).toHaveCount(2);
  });
  await page.context().close();

  await test.step('on another device of the account', async () => {
    const phone = await openAs(browser, email);
    await phone.setViewportSize({ width: 390, height: 844 });
    await openStudio(phone);
    await chooseProduct(phone);
    await openStep(phone, 'Add Your Design & Text');
    await openLibrary(phone);
    await expect(cards(phone)).toHaveCount(2);
    await expect(cards(phone).nth(0)).toContainText('Our names');
    await placeButton(cards(phone).nth(0)).click();
    await expect(textElement(phone).locator('path').first()).toBeAttached();
    await phone.context().close();
  });
});

test('a visitor is asked to sign in, and keeps the design', { tag: '@detail' }, async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Ava');
  await saveAsVisitor(page);
  await expect(dialog(page).getByText('Your design stays as it is.')).toBeVisible();
  await expect(dialog(page).getByRole('link', { name: 'Create an account' })).toHaveAttribute('href', /\/auth\?/);
  await page.keyboard.press('Escape');
  await expect(textElement(page)).toHaveCount(1);
});

async function saveAsVisitor(page: Page): Promise<void> {
  await openMenu(page, textElement(page));
  await page.getByRole('menuitem', { name: 'Save to library' }).click();
}
