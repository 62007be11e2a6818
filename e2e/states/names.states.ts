/** Many names: a list with faults, the question about its findings. */
import type { Page } from '@playwright/test';
import { signInAsNew, takePlan } from '../accounts.ts';
import { zipLogos } from '../logoZip.ts';
import { logoPng } from '../pictures.ts';
import { addText, chooseProduct, dropFile, openStudio, waitForTrace } from '../studio.ts';
import { expect, test } from '../test.ts';
import { take } from './states.ts';

async function openNames(page: Page, text: string) {
  const account = await signInAsNew(page);
  await takePlan(page.request, account, 'studio');
  await openStudio(page);
  await chooseProduct(page);
  await dropFile(page, { name: 'logo.png', mimeType: 'image/png', buffer: await logoPng() });
  await waitForTrace(page);
  await addText(page, text);
  await page.getByRole('button', { name: 'Many names' }).click();
  return page.getByRole('dialog', { name: 'Many names' });
}

test('many names', async ({ page }) => {
  const dialog = await openNames(page, 'Wilhelmina');
  await dialog.getByRole('textbox').fill('Ada\nGrace\nBartholomew Vanderbilt\nKatherine\nHopper 😀\nMary');
  await dialog.getByRole('button', { name: 'Use this list' }).click();
  await expect(dialog.getByText('Not in our fonts')).toBeVisible();
  await dialog.getByRole('switch', { name: 'Leave out rows that cannot be made' }).check();
  for (const [label, value] of [
    ['Longest width of a name', '8'],
    ['Least size of a name, in percent', '20'],
  ] as const) {
    const field = dialog.getByRole('spinbutton', { name: label });
    await field.fill(value);
    await field.press('Enter');
  }
  await take(page, 'names-list');
  await dialog.getByRole('radio', { name: 'Contact sheet' }).check();
  await dialog.getByRole('checkbox', { name: 'Approve row 2' }).uncheck();
  await expect(dialog.getByRole('region', { name: 'Contact sheet' }).locator('svg path').first()).toBeAttached();
  await take(page, 'names-sheet');
  await dialog.getByRole('button', { name: /^Make \d+ files?$/ }).click();
  const question = page.getByRole('dialog', { name: /open finding/ });
  await expect(question).toBeVisible();
  await take(page, 'names-question');
  await question.getByRole('button', { name: 'Make anyway' }).click();
  await expect(dialog.getByRole('link', { name: 'Download' })).toBeVisible();
  await take(page, 'names-made');
  await page.goto('/profile/files');
  await expect(page.getByRole('list', { name: 'Files' })).toBeVisible();
  await take(page, 'names-files');
});

test('many names with pictures', async ({ page }) => {
  const dialog = await openNames(page, 'Wilhelmina');
  const rows = ['Name\tLogo', 'Ada\tacme.png', 'Grace\tBéta Ltd', 'Mary\tgamma', 'Joan\tinitech', 'Ivy\t'];
  await dialog.getByRole('textbox').fill(rows.join('\n'));
  await dialog.getByRole('button', { name: 'Use this list' }).click();
  await expect(dialog.getByText('Waits for its picture.').first()).toBeVisible();
  await take(page, 'pictures-none');
  const more = { 'fake.png': new TextEncoder().encode('no picture') };
  const zip = { name: 'logos.zip', mimeType: 'application/zip', buffer: await zipLogos(more) };
  await dialog.locator('input[type=file]').setInputFiles(zip);
  await expect(dialog.getByText('4 pictures.')).toBeVisible();
  await expect(dialog.getByRole('row').nth(1).locator('img')).toBeVisible();
  await take(page, 'pictures-list');
  await dialog.getByRole('region', { name: 'Pictures of the rows' }).scrollIntoViewIfNeeded();
  await take(page, 'pictures-files');
  await dialog.getByRole('radio', { name: 'Contact sheet' }).check();
  await expect(dialog.getByRole('region', { name: 'Contact sheet' }).locator('svg path').first()).toBeAttached();
  await take(page, 'pictures-sheet');
});
