/** Round blanks in the Live Preview: turned by keys and by the pointer. */
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { signInAsNew } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import {
  addText,
  chooseProduct,
  middleOf,
  openStudio,
  readNumbers,
  save,
  stage,
  textElement,
  waitForDrawing,
} from './studio.ts';
import { expect, test } from './test.ts';

const preview = (page: Page) => page.getByRole('complementary', { name: 'Live Preview' });

/** Drags the name by 80 px to the right, without snapping. Returns by how many mm that moved it, and undoes it. */
async function dragAside(page: Page): Promise<number> {
  const before = (await readNumbers(page, /Annabel/)).x;
  const { x, y } = await middleOf(textElement(page));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 10, y);
  await page.keyboard.down('Alt');
  await page.mouse.move(x + 80, y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Alt');
  await waitForDrawing(page);
  const after = (await readNumbers(page, /Annabel/)).x;
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await readNumbers(page, /Annabel/)).x).toBe(before);
  return after - before;
}

test('a tumbler is turned in the Live Preview, by keys and by the pointer', { tag: '@detail' }, async ({ page }) => {
  await signInAsNew(page);
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Annabel');
  const picture = preview(page).getByRole('img', { name: 'Your product' });
  const outlines = () => picture.locator('[data-element^="text:"] path').first().getAttribute('d');
  // The light of the product's picture is the last thing that comes.
  await expect(picture.locator('mask')).toBeAttached();
  await test.step('its name is dragged on the stage as it will be, by millimeters of the surface', async () => {
    const button = page.getByRole('button', { name: 'Show it as it will be' });
    const flatMm = await dragAside(page);
    await button.click();
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    // The light of the blank is the last thing that comes here, too.
    await expect(stage(page).locator('mask')).toBeAttached();
    const roundMm = await dragAside(page);
    // The same way across the picture is an arc of the tumbler, whose radius is 36.7 mm.
    expect(Math.abs(roundMm / (36.7 * Math.asin(flatMm / 36.7)) - 1)).toBeLessThan(0.03);
    expect(roundMm).toBeGreaterThan(flatMm * 1.05);
    await button.click();
  });

  await page.getByRole('button', { name: 'Expand preview' }).click();
  const slider = preview(page).getByRole('slider', { name: 'Turn the product' });
  const front = await outlines();

  await test.step('its wall is shown unrolled on the stage', async () => {
    const unroll = page.getByRole('button', { name: 'Show it unrolled' });
    await unroll.click();
    await expect(page.getByText(/^Unrolled · [\d.]+ (mm|in) round$/)).toBeVisible();
    await expect(page.getByText('Seam', { exact: true })).toHaveCount(2);
    await unroll.click();
    await expect(page.getByText('Seam', { exact: true })).toHaveCount(0);
  });

  await test.step('by keys', async () => {
    await slider.focus();
    for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight');
    await expect(slider).toHaveAttribute('aria-valuetext', '30°');
    await expect.poll(outlines).not.toBe(front);
    await expectNoFaults(page, 'a blank that is turned', '[aria-label="Live Preview"]');
  });

  await test.step('by the pointer, until the name is behind', async () => {
    const box = (await picture.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x - 120, y);
    await page.mouse.down();
    await page.mouse.move(x + 120, y, { steps: 6 });
    await page.mouse.up();
    await expect(slider).toHaveAttribute('aria-valuetext', '138°');
    await expect(picture.locator('[data-element^="text:"]')).toHaveCount(0);
  });

  await test.step('as a moving picture, beside the still one', async () => {
    await save(page, /Export PNG Preview/);
    const movie = await save(page, 'Moving picture (WebP)');
    expect(movie.name).toBe('20_oz_Skinny_Tumbler_Matte_Black_spin.webp');
    expect((await sharp(movie.bytes, { animated: true }).metadata()).pages).toBeGreaterThan(10);
    // The card speaks of it now, and offers it no more.
    await expect(page.getByRole('region', { name: 'Last export' })).toContainText('WebP');
    await expect(page.getByRole('button', { name: 'Moving picture (WebP)' })).toHaveCount(0);
  });
});
