/** The list of elements: names, z-order, lock and visibility, by keyboard; by touch in arrange.spec.ts. */
import type { Page } from '@playwright/test';
import { expectNoFaults } from './axe.ts';
import { addText, boxAtRest, chooseProduct, openStudio, stage, textElement, waitForDrawing } from './studio.ts';
import { expect, test } from './test.ts';

const list = (page: Page) => page.getByRole('list', { name: 'Elements on the product' });
const row = (page: Page, name: RegExp) => list(page).getByRole('button', { name });
const rows = (page: Page) => list(page).locator('[data-row]');

async function openWithTwoTexts(page: Page): Promise<void> {
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Ann');
  await page.getByRole('button', { name: 'Add text' }).click();
  await page.getByPlaceholder(/Type a name/).fill('Bob\n2026');
  await expect(textElement(page)).toHaveCount(2);
}

test('elements are named, ordered, hidden and locked in the list', async ({ page }) => {
  await openWithTwoTexts(page);

  await test.step('the list is used with keys alone', async () => {
    await expect(rows(page)).toHaveText([/Bob 2026/, /Ann/, /Machine area/]);

    await row(page, /Ann/).focus();
    await page.keyboard.press('F2');
    await expect(list(page).getByRole('textbox')).toBeFocused();
    await page.keyboard.type('Bride');
    await page.keyboard.press('Enter');
    await expect(row(page, /Text Bride/)).toBeFocused();

    await page.keyboard.press('Control+]');
    await expect(rows(page)).toHaveText([/Bride/, /Bob 2026/, /Machine area/]);
    await expect(row(page, /Bride/)).toBeFocused();

    await page.keyboard.press('l');
    await expect(row(page, /Bride.*, locked$/)).toBeFocused();
    await page.keyboard.press('Delete');
    await expect(rows(page)).toHaveCount(3);
    await stage(page).focus();
    const before = await row(page, /Bride/).getAttribute('aria-label');
    await page.keyboard.press('ArrowRight');
    await expect(row(page, /Bride/)).toHaveAttribute('aria-label', before!);
    await expect(page.getByText('Locked. Unlock it in the list')).toBeVisible();

    await row(page, /Bride/).focus();
    await page.keyboard.press('h');
    await expect(textElement(page)).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    await expect(row(page, /Bob 2026/)).toBeFocused();
    await page.keyboard.press('Control+d');
    await expect(rows(page)).toHaveText([/Bride/, /Bob 2026/, /Bob 2026/, /Machine area/]);
    // The focus goes to the copy a frame later.
    await waitForDrawing(page);
    await page.keyboard.press('Delete');
    await expect(rows(page)).toHaveCount(3);

    for (let i = 0; i < 6; i++) await page.keyboard.press('Control+z');
    await expect(rows(page)).toHaveText([/Bob 2026/, /Ann/, /Machine area/]);
    await expect(textElement(page)).toHaveCount(2);
    await expectNoFaults(page, 'texts in the inspector', '[aria-label="Inspector"]');
  });

  await test.step('a locked text can be selected on the stage and not dragged', async () => {
    await row(page, /Ann/).focus();
    await page.keyboard.press('l');
    await expect(row(page, /Ann.*, locked$/)).toBeVisible();
    const where = await row(page, /Ann/).getAttribute('aria-label');
    const box = await boxAtRest(textElement(page).first());
    // Nothing is chosen: no grip of another element is in the way.
    await stage(page).focus();
    await page.keyboard.press('Escape');
    await expect(row(page, /Ann/)).toHaveAttribute('aria-pressed', 'false');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 40, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await expect(row(page, /Ann/)).toHaveAttribute('aria-pressed', 'true');
    await expect(row(page, /Ann/)).toHaveAttribute('aria-label', where!);
  });
});
