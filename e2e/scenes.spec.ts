/** Scenes for listings: the PNG of a product that stands somewhere. */
import sharp from 'sharp';
import { signInAsNew } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { addText, chooseProduct, openStudio, saveBy } from './studio.ts';
import { expect, test } from './test.ts';

test('a tumbler stands in the kitchen of a listing', { tag: '@detail' }, async ({ page }) => {
  await signInAsNew(page);
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Annabel');
  await page.getByRole('button', { name: 'Scene of the PNG: White' }).click();
  const dialog = page.getByRole('dialog', { name: 'PNG for a listing' });
  await dialog.getByRole('radio', { name: 'Kitchen' }).check();
  await expectNoFaults(page, 'the choice of a scene', 'dialog[open]');
  const { name, bytes } = await saveBy(page, () => dialog.getByRole('button', { name: 'Export PNG' }).click());
  expect(name).toBe('20_oz_Skinny_Tumbler_Matte_Black_preview.png');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 2000, height: 2000 });
  // White has a white corner.
  const [corner] = await sharp(bytes).extract({ left: 4, top: 4, width: 1, height: 1 }).raw().toBuffer();
  expect(corner).toBeLessThan(254);
  await expect(page.getByRole('button', { name: 'Scene of the PNG: Kitchen' })).toBeEnabled();
});
