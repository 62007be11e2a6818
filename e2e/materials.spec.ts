/** Marks on a material: the page shows the same as the mockup, with the brushed overlay and without it. */
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { signInAsAdmin } from './accounts.ts';
import { addText, chooseProduct, openStudio, save, stage, textElement, waitUntilLoaded } from './studio.ts';
import { expect, intercept, test } from './test.ts';

const OVERLAY = '**/api/overlay/brushed-nickel.png';

async function mark(page: Page): Promise<void> {
  await openStudio(page);
  await page.getByRole('radio', { name: /laser engraver/i }).click();
  await chooseProduct(page);
  await page.getByRole('tab', { name: 'Add Text' }).click();
  await page.getByRole('spinbutton', { name: 'Text size in inches' }).fill('0.6');
  await page.keyboard.press('Enter');
  await addText(page, 'HAZEL');
  await expectMarked(page);
  await stage(page).focus();
  await page.keyboard.press('Escape');
}

const expectMarked = (page: Page) =>
  expect(textElement(page).locator('path').first()).toHaveAttribute('fill', /^url\(#steel-/);

/** Returns the grays of the product's picture as it is shown, 400 px wide. */
const grays = async (picture: Buffer) =>
  sharp(picture).resize(400, 400, { fit: 'fill' }).flatten().grayscale().raw().toBuffer();

async function shotOfProduct(page: Page): Promise<Buffer> {
  const box = (await stage(page).locator('img').boundingBox())!;
  return page.screenshot({ clip: box });
}

/** Returns the pixels of the middle of the machine area, where the name is, row by row. */
function window(pixels: Buffer, dx = 0, dy = 0): number[] {
  const grayValues: number[] = [];
  for (let y = 190; y < 225; y++) {
    for (let x = 165; x < 235; x++) grayValues.push(pixels[(y + dy) * 400 + x + dx]!);
  }
  return grayValues;
}
const distance = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;

test('a mark on brushed steel looks alike on the page and in the mockup', { tag: '@detail' }, async ({ page }) => {
  await signInAsAdmin(page);

  const restore = await intercept(page, OVERLAY, (route) => route.abort());
  await test.step('brushed steel whose picture does not load is a drawn gradient, without a message', async () => {
    await mark(page);
    const countBright = async () =>
      window(await grays(await shotOfProduct(page))).filter((value) => value > 120).length;
    await expect.poll(countBright).toBeGreaterThan(100);
    await expect(page.getByText(/could not be loaded/)).toHaveCount(0);
  });

  await test.step('a mark is at the same place and as bright on the page as in the mockup', async () => {
    restore();
    const reply = page.waitForResponse(OVERLAY);
    await page.reload();
    expect((await reply).status()).toBe(200);
    await waitUntilLoaded(page);
    await expectMarked(page);
    const mockup = await grays((await save(page, /Export PNG Preview/)).bytes);
    // The page shows the picture of the steel when it is decoded, some frames after it arrived.
    await expect(async () => {
      const screenshot = await grays(await shotOfProduct(page));
      const here = distance(window(screenshot), window(mockup));
      for (const [dx, dy] of [
        [2, 0],
        [-2, 0],
        [0, 2],
        [0, -2],
      ] as const) {
        expect(distance(window(screenshot), window(mockup, dx, dy))).toBeGreaterThan(here);
      }
      expect(here).toBeLessThan(12);
      expect(Math.max(...window(screenshot))).toBeGreaterThan(130);
    }).toPass();
  });
});
