/** From the last free mockup to a paid file: what a guest may do, what a plan adds, and that counters are right. */
import sharp from 'sharp';
import { logoPng } from './pictures.ts';
import { chooseProduct, dropFile, element, openStudio, save, waitForTrace } from './studio.ts';
import { expect, test } from './test.ts';

test('a guest uses up the free mockups, takes a plan, and exports', { tag: '@detail' }, async ({ page }) => {
  // Small, because its trace is not what is tested.
  const picture = await sharp(await logoPng())
    .resize(240)
    .png()
    .toBuffer();
  await openStudio(page);
  await chooseProduct(page);
  for (let count = 1; count <= 4; count++) {
    await dropFile(page, { name: `logo-${count}.png`, mimeType: 'image/png', buffer: picture });
    await waitForTrace(page);
    await expect(page.getByText(`You've used ${count} of your free mockups.`)).toBeVisible();
    await page.getByRole('button', { name: 'Remove design' }).click();
  }
  await dropFile(page, { name: 'logo-5.png', mimeType: 'image/png', buffer: picture });
  const limit = page.getByRole('dialog', { name: 'Free mockups used up' });
  await expect(limit).toContainText("You've used all 4 free mockups this month.");
  await limit.getByRole('link', { name: 'Create an account' }).click();

  await page.getByLabel('Email').fill(`journey-${Date.now()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('walnut board');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/studio$/);
  await expect(page.getByText('Left this month: 0 exports, 4 mockups')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/plans');

  // What was refused to the guest is the account's to trace; its file takes a plan.
  await dropFile(page, { name: 'logo.png', mimeType: 'image/png', buffer: picture });
  await waitForTrace(page);
  await page.getByRole('button', { name: 'Export for Production Processing' }).click();
  const upgrade = page.getByRole('dialog', { name: 'Vector Export Limit Reached' });
  await expect(upgrade).toContainText('Your plan has no vector exports.');
  await expect(upgrade).toContainText(
    'Starter has 8 production exports and 24 image mockups a month. Today it costs $0 a month for the first 12 months, then $9.',
  );
  await upgrade.getByRole('link', { name: 'See Starter' }).click();
  await expect(page.getByRole('button', { name: 'Choose Starter' })).toBeFocused();
  await page.getByRole('button', { name: 'Choose Starter' }).click();
  await expect(page.getByText('Test checkout.')).toBeVisible();
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Starter' })).toBeVisible();
  await page.getByRole('link', { name: 'Open the studio' }).click();

  await expect(element(page, 'design').locator('path').first()).toBeAttached();
  await expect(page.getByText('8 exports, 24 mockups')).toBeVisible();
  const file = await save(page, 'Export for Production Processing');
  expect(file.bytes.toString('utf8')).toContain('mm"');
  await expect(page.getByText('7 exports, 24 mockups')).toBeVisible();
  // The same file again costs nothing.
  await save(page, 'Export for Production Processing');
  await expect(page.getByText('7 exports, 24 mockups')).toBeVisible();

  await page.goto('/profile/plan');
  await expect(page.getByRole('progressbar', { name: 'Production exports' })).toHaveAttribute('aria-valuenow', '1');
  await expect(page.getByText('1 of 8')).toBeVisible();
  await expect(page.getByText('Starter', { exact: true })).toBeVisible();
});
