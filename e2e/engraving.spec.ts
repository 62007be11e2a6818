/** A photograph on a laser: the four ways, its settings, its files. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { readLightBurn } from '../packages/scene/src/import/readLightBurn.ts';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { chooseProduct, countClicks, dropFile, element, openStudio, save, stage, waitForTrace } from './studio.ts';
import { expect, test } from './test.ts';

const portrait = {
  name: 'portrait.jpg',
  mimeType: 'image/jpeg',
  buffer: readFileSync(fileURLToPath(new URL('../apps/web/src/samples/portrait.jpg', import.meta.url))),
};
const SLATE = 'Slate Coaster, 4 in Square';
const ways = (page: Page) => page.getByRole('radiogroup', { name: 'Four ways to burn this picture' });
const dots = (page: Page) => element(page, 'design').locator('mask image');

test('a portrait on slate takes six clicks from the drop to a LightBurn project and a mockup', {
  tag: '@detail',
}, async ({ page }) => {
  await signInAsAdmin(page);
  await openStudio(page);
  await chooseProduct(page, SLATE);
  const clicks = await countClicks(page);
  await dropFile(page, portrait);
  await waitForTrace(page);
  await expect(ways(page).getByRole('radio')).toHaveCount(4);
  const photo = ways(page).getByRole('radio', { name: /Photo.*best for this picture/ });
  await expect(photo).toBeVisible();
  await photo.click();
  await expect(dots(page)).toHaveCount(1);
  await expect(page.getByText('Design Ready!')).toBeVisible();

  const project = await save(page, 'Export for Production Processing');
  expect(project.name).toMatch(/\.lbrn2$/);
  const [picture] = readLightBurn(project.bytes).pictures!;
  expect(picture!.passesThrough).toBe(true);
  const mockup = await save(page, 'Export PNG Preview');
  expect(mockup.bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(await clicks()).toBeLessThanOrEqual(6);
});

test('the ways of a photograph are taken by keys, undone, and kept with the design', { tag: '@detail' }, async ({
  page,
}) => {
  await openStudio(page);
  await chooseProduct(page, SLATE);
  await dropFile(page, portrait);
  await waitForTrace(page);
  const radio = (name: RegExp) => ways(page).getByRole('radio', { name });
  await expect(radio(/Photo/)).toBeVisible();
  await expect(ways(page).locator('svg')).toHaveCount(4);
  const advice = page.getByText(/^Background must be removed/);
  await expect(advice).toBeVisible();
  await expectNoFaults(page, 'the four ways', '#step-3');

  await radio(/Photo/).click();
  await expect(dots(page)).toHaveCount(1);
  await expect(advice).toHaveCount(0);
  await page.keyboard.press('ArrowLeft');
  await expect(radio(/Tones/)).toBeChecked();
  await expect(dots(page)).toHaveCount(0);
  await expect(element(page, 'design').locator('path').first()).toBeAttached();
  await stage(page).focus();
  await page.keyboard.press('Control+z');
  await expect(radio(/Photo/)).toBeChecked();
  await expect(dots(page)).toHaveCount(1);

  await expect(page.getByText('Saved on this device')).toBeVisible();
  await page.reload();
  await expect(dots(page)).toHaveCount(1);
  await expectNoFaults(page, 'a photograph in dots', 'main');
});
