/** Draws the pictures of the README: `SCREENSHOTS=1 npx playwright test screenshots`. */
import type { Page } from '@playwright/test';
import { photographOfLogo } from './pictures.ts';
import { chooseProduct, dropFile, element, stage, textElement, waitForTrace } from './studio.ts';
import { expect, test } from './test.ts';

test.skip(!process.env.SCREENSHOTS, 'made on demand');

const folder = 'docs/screenshots';

async function compose(page: Page): Promise<void> {
  await page.goto('/studio');
  await chooseProduct(page);
  await dropFile(page, { name: 'customer logo.jpg', mimeType: 'image/jpeg', buffer: await photographOfLogo() });
  await waitForTrace(page);
  await page.getByRole('tab', { name: 'Add Text' }).click();
  await page.getByRole('combobox', { name: 'Font' }).click();
  await page.getByRole('option', { name: 'Lobster', exact: true }).click();
  await page.getByRole('spinbutton', { name: 'Text size in inches' }).fill('0.34');
  await page.keyboard.press('Enter');
  await page.getByPlaceholder(/Type a name/).fill('Hazel & Finn');
  await expect(textElement(page).locator('path').first()).toBeAttached();
  await stage(page).focus();
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Tab');
  await expect(element(page, 'design').locator('path').first()).toBeAttached();
  const hints = page.getByRole('button', { name: /Dismiss the hint/ }).filter({ visible: true });
  for (let left = await hints.count(); left > 0; left--) await hints.first().click();
  await stage(page).focus();
  // The whole product, beside which the Live Preview has room.
  const fit = page.getByRole('button', { name: 'Fit', exact: true });
  if (await fit.isVisible()) await fit.click();
  const preview = page.getByRole('complementary', { name: 'Live Preview' });
  await expect(preview.locator('[data-element^="text:"]')).toBeAttached();
  await expect(page.getByRole('button', { name: 'Preflight: all clear' })).toBeVisible();
  await page
    .getByRole('region', { name: /Notifications/ })
    .getByRole('button', { name: 'Close' })
    .click();
}

for (const [name, colorScheme] of [
  ['studio-wide', 'light'],
  ['studio-dark', 'dark'],
] as const) {
  test.describe(name, () => {
    test.use({ colorScheme });
    test('is drawn', async ({ page }) => {
      await compose(page);
      await page.screenshot({ path: `${folder}/${name}.png` });
    });
  });
}

test.describe('studio-narrow', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  test('is drawn', async ({ page }) => {
    await compose(page);
    await stage(page).focus();
    await page.keyboard.press('Escape');
    // At the head of the sheet: the Live Preview lies at its foot.
    await page.getByRole('tab', { name: 'Upload Image' }).click();
    await page.locator(':focus').blur();
    await page.screenshot({ path: `${folder}/studio-narrow.png` });
  });
});
