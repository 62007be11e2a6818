/** Lettering recognized in a trace: the offer to make live text of a line, and what becomes of it. */
import type { Page } from '@playwright/test';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { letteredPicture } from './letteredPicture.ts';
import { readProductionFile } from './productionFile.ts';
import { element, openWithPicture, save, stage, textElement, waitForTrace, waitUntilLoaded } from './studio.ts';
import { expect, test } from './test.ts';

const offer = (page: Page) => page.getByRole('note', { name: 'Lettering' });
const outlines = (page: Page, id: string) =>
  element(page, id)
    .locator('path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')).join());
/** The letters, each a contour or more, of all paths of a production file. */
async function countContours(page: Page): Promise<number> {
  const file = await save(page, 'Export for Production Processing');
  const { paths } = await readProductionFile(page, file.bytes.toString());
  return paths.reduce((sum, { subpaths }) => sum + subpaths, 0);
}

test('a line of a bundled font becomes live text by one click, and other lettering is not offered', {
  tag: '@detail',
}, async ({ page }) => {
  await signInAsAdmin(page);
  await openWithPicture(page, await letteredPicture('oak street.jpg', 'Oak Street'));
  await expect(offer(page)).toContainText('This looks like Montserrat Bold');
  await expect(offer(page)).toContainText('“Oak Street”');
  await expectNoFaults(page, 'the offer of live text', '[role=note]');
  const before = await outlines(page, 'design');
  const contours = await countContours(page);

  await test.step('one click puts a text in the place of its letters, and one key takes that back', async () => {
    await offer(page).getByRole('button', { name: 'Make it live text' }).click();
    await expect(textElement(page).locator('path').first()).toBeAttached();
    await expect.poll(() => outlines(page, 'design')).not.toBe(before);
    // The other line is set in no font of ours.
    await expect(offer(page)).toHaveCount(0);
    expect(await countContours(page)).toBe(contours);
    await stage(page).focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => outlines(page, 'design')).toBe(before);
    await expect(textElement(page)).toHaveCount(0);
    await expect(offer(page)).toBeVisible();
    await stage(page).focus();
    await page.keyboard.press('Control+Shift+z');
    await expect(textElement(page)).toBeAttached();
  });

  await test.step('the text is edited, saved and opened again, and the file has the new words alone', async () => {
    const after = await outlines(page, 'design');
    // In the list: the stage finds out by itself what a click is on.
    await page.getByRole('button', { name: /^Text Oak Street,/ }).click();
    await page.getByRole('tab', { name: 'Add Text' }).click();
    const words = page.getByPlaceholder(/Type a name/);
    await expect(words).toHaveValue('Oak Street');
    await words.fill('Elm');
    // From O, a, k, S, t, r, e, e, t with four counters to E, l, m.
    expect(await countContours(page)).toBe(contours - 13 + 3);
    await page.reload();
    await waitUntilLoaded(page);
    await expect(textElement(page).locator('path').first()).toBeAttached();
    await expect.poll(() => outlines(page, 'design')).toBe(after);
  });
});

test('a line can stay outlines', { tag: '@detail' }, async ({ page }) => {
  await openWithPicture(page, await letteredPicture('elm road.jpg', 'Elm Road'));
  await expect(offer(page)).toContainText('“Elm Road”');
  const before = await outlines(page, 'design');
  await offer(page).getByRole('button', { name: 'Keep the outlines' }).click();
  await expect(offer(page)).toHaveCount(0);
  await waitForTrace(page);
  expect(await outlines(page, 'design')).toBe(before);
});
