/** Several pictures on one product: each has its own trace, and all are in one file. */
import type { Page } from '@playwright/test';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { logoPng, posterPng } from './pictures.ts';
import { readProductionFile } from './productionFile.ts';
import { chooseMachine, chooseProduct, dropFile, openStudio, save, stage, storedWith, waitForTrace } from './studio.ts';
import { expect, test } from './test.ts';

const pictures = (page: Page) => stage(page).locator('[data-element^="design"]');

/** Returns the colors of each picture on the stage, sorted, from the lowest picture to the highest. */
const colorsOf = (page: Page): Promise<string[][]> =>
  pictures(page).evaluateAll((elements) =>
    elements.map((element) =>
      [...new Set([...element.querySelectorAll('path')].map((path) => path.getAttribute('fill') ?? ''))].sort(),
    ),
  );

test('two pictures share a mug, each with its own colors, in the file and after a reload', { tag: '@detail' }, async ({
  page,
}) => {
  await signInAsAdmin(page);
  await openStudio(page);
  await chooseMachine(page, /uv printer/i);
  await chooseProduct(page, '11 oz Ceramic Mug, White');
  await dropFile(page, { name: 'poster.png', mimeType: 'image/png', buffer: await posterPng() });
  await waitForTrace(page);

  await page.getByRole('button', { name: 'Add another' }).click();
  await expectNoFaults(page, 'another picture is added', '#step-3');
  await dropFile(page, { name: 'badge.png', mimeType: 'image/png', buffer: await logoPng() });
  await expect(pictures(page)).toHaveCount(2);
  await waitForTrace(page);
  await storedWith(
    page,
    ({ colorMode }) => colorMode === 'black',
    async () => {
      await page.getByRole('combobox', { name: 'Color mode' }).click();
      await page.getByRole('option', { name: 'Black' }).click();
    },
  );
  await expect.poll(async () => (await colorsOf(page))[1]).toEqual(['#000000']);
  const stageColors = await colorsOf(page);
  await expectNoFaults(page, 'two pictures', 'main');
  expect(stageColors[0]!.length).toBeGreaterThan(1);

  const { bytes } = await save(page, 'Export for Production Processing');
  const file = await readProductionFile(page, bytes.toString('utf8'));
  expect(file.parseError).toBeUndefined();
  const fills = new Set(file.paths.map(({ fill }) => fill));
  for (const color of stageColors.flat()) expect(fills).toContain(color);

  await page.getByRole('button', { name: 'Show poster.png' }).click();
  await expect(page.getByRole('button', { name: 'Show badge.png' })).toBeVisible();
  await page.reload();
  await expect(pictures(page)).toHaveCount(2);
  await expect.poll(() => colorsOf(page)).toEqual(stageColors);
});
