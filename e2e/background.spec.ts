/** Taking the background away, and a picture whose background stays. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { logoSvg } from './pictures.ts';
import { chooseProduct, dropFile, element, openStudio, save, signInAsAdmin, waitForTrace } from './studio.ts';

const [SAGE, NAVY, RED, GOLD] = ['#b9d3c0', '#14213d', '#c8102e', '#f6c915'];

async function openOnUv(page: Page): Promise<void> {
  await page.goto('/auth');
  await signInAsAdmin(page);
  await expect(page.getByText('Welcome back!').first()).toBeVisible();
  await openStudio(page);
  await page.getByRole('radio', { name: /UV printer/i }).click();
  await chooseProduct(page);
}

const toPng = (content: string): Promise<Buffer> =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">${content}</svg>`))
    .png()
    .toBuffer();
const badge = `<rect x="100" y="80" width="600" height="440" fill="${NAVY}"/>
  <circle cx="400" cy="300" r="160" fill="${RED}"/><circle cx="400" cy="300" r="60" fill="${GOLD}"/>`;
/** On colored paper, which a UV printer would print too. */
const onPaper = () => toPng(`<rect width="800" height="600" fill="${SAGE}"/>${badge}`);
const stripes = [SAGE, NAVY, GOLD, RED].map((color, i) => `<path d="M${i * 200} 0h200v600h-200z" fill="${color}"/>`);
const onStripes = () => toPng(stripes.join('') + badge);

const fills = (page: Page) =>
  element(page, 'design')
    .locator('path')
    .evaluateAll((paths) => [...new Set(paths.map((path) => path.getAttribute('fill')))].sort());
const removeButton = (page: Page) => page.getByRole('button', { name: 'Remove background' });

test('a plain background goes from the stage and from the production file', async ({ page }) => {
  await openOnUv(page);
  await dropFile(page, { name: 'badge.png', mimeType: 'image/png', buffer: await onPaper() });
  await waitForTrace(page);
  await expect.poll(() => fills(page)).toEqual([SAGE, NAVY, RED, GOLD].sort());
  await removeButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Background removed', { exact: true }).first()).toBeVisible();
  await expect.poll(() => fills(page)).toEqual([NAVY, RED, GOLD].sort());
  await waitForTrace(page);
  const production = await save(page, 'Export for Production Processing');
  const text = production.bytes.toString();
  expect(text).toContain(RED);
  expect(text).not.toContain(SAGE);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);

  // It is still gone in the next visit.
  await page.reload();
  await expect.poll(() => fills(page)).toEqual([NAVY, RED, GOLD].sort());
});

test('a busy background stays, with a sentence; an SVG has no such button', async ({ page }) => {
  await openOnUv(page);
  await dropFile(page, { name: 'stripes.png', mimeType: 'image/png', buffer: await onStripes() });
  await waitForTrace(page);
  await removeButton(page).click();
  await expect(page.getByText(/not plain enough to be removed here/).first()).toBeVisible();
  await expect(removeButton(page)).toBeEnabled();
  await page.getByRole('button', { name: 'Remove design' }).click();
  await dropFile(page, { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: logoSvg() });
  await waitForTrace(page);
  await expect(removeButton(page)).toHaveCount(0);
});
