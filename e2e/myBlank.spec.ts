/** A blank of one's own: from its picture to placed artwork in seconds, at true size, on the device and in a shop. */
import type { Locator, Page } from '@playwright/test';
import { signIn, signUp, takePlan } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { boardPicture, busyPicture, cardPicture, coasterPicture, mugPicture } from './blankPictures.ts';
import { tabTo } from './keys.ts';
import { logoPng } from './pictures.ts';
import { readProductionFile, unite } from './productionFile.ts';
import { addText, openStep, openStudio, type Picture, readMachineArea, saveAnyway, waitForTrace } from './studio.ts';
import { expect, test } from './test.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: /^(My blank|Edit this blank)$/ });
const field = (page: Page, name: string) => dialog(page).getByRole('textbox', { name, exact: true });

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use my own blank' }).click();
  await expect(dialog(page)).toBeVisible();
}

async function choosePicture(page: Page, picture: Picture): Promise<void> {
  await page.getByLabel('Picture of the blank').first().setInputFiles(picture);
  await expect(dialog(page).getByRole('img', { name: 'Your blank' })).toBeVisible();
}

async function useBlank(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Use this blank' }).click();
  await expect(dialog(page)).toBeHidden();
}

/** Uses the blank, and returns its machine area as soon as that has the width, in mm. */
async function usedBlank(page: Page, width: number, tolerance: number): Promise<{ width: number; height: number }> {
  await useBlank(page);
  // A product of the shop comes back from the server after the dialog has gone.
  await expect.poll(async () => Math.abs((await readMachineArea(page)).width - width)).toBeLessThan(tolerance);
  return readMachineArea(page);
}

test('a blank is on the stage with its artwork after six clicks and fields', async ({ page }) => {
  await openStudio(page);
  const png = await logoPng();
  // The artwork waits for a blank.
  await page.getByLabel('Picture file').first().setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
  await expect(page.getByRole('region', { name: 'Your picture' })).toBeVisible();
  const board = await boardPicture();

  let acts = 0;
  const click = async (target: Locator) => {
    acts++;
    await target.click();
  };
  await click(page.getByRole('button', { name: 'Use my own blank' }));
  const chooser = page.waitForEvent('filechooser');
  await click(dialog(page).getByRole('button', { name: 'Choose a picture' }));
  await (await chooser).setFiles(board);
  // The field has the focus as soon as there is an outline.
  await expect(field(page, 'Width')).toBeFocused();
  acts++;
  await page.keyboard.type('150');
  await expect(field(page, 'Height')).toHaveAttribute('placeholder', '100');
  await expect(dialog(page)).toContainText('Straightened by 6.0°.');
  await click(dialog(page).getByRole('combobox', { name: 'Material', exact: true }));
  await click(page.getByRole('option', { name: 'Walnut' }));
  await click(dialog(page).getByRole('button', { name: 'Use this blank' }));
  await expect(dialog(page)).toBeHidden();
  const artwork = page.getByRole('application').locator('[data-element^="design"]');
  await expect(artwork).toBeAttached();
  expect(acts).toBeLessThanOrEqual(6);
  await waitForTrace(page);
  // A board of 150 × 100 mm with a margin of 4 mm.
  const area = await readMachineArea(page);
  expect(Math.abs(area.width - 142)).toBeLessThan(0.3);
  expect(Math.abs(area.height - 92)).toBeLessThan(0.6);
});

test('blanks of every kind are measured, changed and deleted', { tag: '@detail' }, async ({ page }) => {
  await openStudio(page);
  await openStep(page, 'Select Product');

  await test.step('says what is missing where it is missing', async () => {
    await openDialog(page);
    await expectNoFaults(page, 'the dialog without a picture');
    await choosePicture(page, await coasterPicture());
    await dialog(page).getByRole('button', { name: 'Use this blank' }).click();
    await expect(dialog(page).getByRole('alert')).toContainText('Type the width or the height');
    await expect(field(page, 'Width')).toBeFocused();
    await field(page, 'Width').fill('wide');
    await expect(dialog(page).getByRole('alert')).toHaveText('Type a length like 120, 12 cm or 4.7 in.');
  });

  await test.step('two points and a distance, by keys', async () => {
    await field(page, 'Width').fill('');
    await tabTo(page, dialog(page).getByRole('button', { name: 'Set two points' }));
    await page.keyboard.press('Enter');
    await field(page, 'Between the two points').fill('4 in');
    await expect(field(page, 'Width')).toHaveAttribute('placeholder', '101.6');
    const first = dialog(page).getByRole('button', { name: /^First point/ });
    await tabTo(page, first);
    await page.keyboard.press('Shift+ArrowRight');
    // The same length on less of the picture: the blank is larger.
    await expect.poll(async () => Number(await field(page, 'Width').getAttribute('placeholder'))).toBeGreaterThan(103);
    await page.keyboard.press('Shift+ArrowLeft');
    await expectNoFaults(page, 'two points', 'dialog[open]');
    // A circle of 101.6 mm with a margin of 4 mm.
    const area = await usedBlank(page, 93.6, 0.4);
    expect(Math.abs(area.width - area.height)).toBeLessThan(0.6);
  });

  await test.step('a bank card gives the size', async () => {
    await openStep(page, 'Select Product');
    await openDialog(page);
    await choosePicture(page, await cardPicture());
    await expect(dialog(page)).toContainText('A bank card in the picture gave the size.');
    const [width, height] = [field(page, 'Width'), field(page, 'Height')];
    expect(Math.abs(Number(await width.getAttribute('placeholder')) - 120)).toBeLessThan(0.6);
    expect(Math.abs(Number(await height.getAttribute('placeholder')) - 140)).toBeLessThan(0.7);
    await usedBlank(page, 110, 0.7);
  });

  await test.step('a mug has a diameter, and its handle stays free', async () => {
    await openStep(page, 'Select Product');
    await openDialog(page);
    await choosePicture(page, await mugPicture());
    await dialog(page).getByRole('radio', { name: 'Round' }).check();
    await field(page, 'Diameter').fill('82');
    await expect.poll(async () => Number(await field(page, 'Height').getAttribute('placeholder'))).toBeCloseTo(96, -1);
    await field(page, 'Height').fill('96');
    await usedBlank(page, 0.7 * 82, 0.2);
  });

  await test.step('on a table that is not plain, the corners are pulled', async () => {
    await openStep(page, 'Select Product');
    await openDialog(page);
    await choosePicture(page, await busyPicture());
    const corner = dialog(page).getByRole('button', { name: /^Top left corner/ });
    await expect(corner).toBeVisible();
    await expectNoFaults(page, 'corners to pull', 'dialog[open]');
    await corner.press('Shift+ArrowRight');
    await dialog(page).getByRole('button', { name: 'Cut it out' }).click();
    await expect(dialog(page).getByRole('button', { name: 'Pull the corners again' })).toBeVisible();
    await field(page, 'Width').fill('100');
    await useBlank(page);
  });

  await test.step('is changed later, and the stage with it', async () => {
    await openStep(page, 'Select Product');
    await page
      .getByRole('button', { name: /^Edit My blank ⌀ 82 × 96 mm/ })
      .first()
      .click();
    await expect(field(page, 'Diameter')).toHaveValue('82');
    await field(page, 'Diameter').fill('90');
    await field(page, 'Name').fill('Grandma’s mug');
    await expectNoFaults(page, 'a blank that is changed', 'dialog[open]');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(dialog(page)).toBeHidden();
    await expect.poll(async () => (await readMachineArea(page)).width).toBeCloseTo(63, 0);
    await page.reload();
    await openStep(page, 'Select Product');
    await expect(page.getByRole('button', { name: 'Edit Grandma’s mug' }).first()).toBeVisible();
    await expect.poll(async () => (await readMachineArea(page)).width).toBeCloseTo(63, 0);
  });

  await test.step('is deleted', async () => {
    await page.getByRole('button', { name: 'Edit Grandma’s mug' }).first().click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByRole('button', { name: 'Delete it for good' }).click();
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Edit Grandma’s mug' })).toHaveCount(0);
  });
});

test('a blank of the device becomes a product of the shop, and its file has the true size', { tag: '@detail' }, async ({
  page,
}) => {
  const account = await signUp(page.request);
  await takePlan(page.request, account, 'starter');
  await openStudio(page);
  await openStep(page, 'Select Product');
  await openDialog(page);
  await choosePicture(page, await boardPicture());
  await field(page, 'Width').fill('150');
  await field(page, 'Height').fill('104');
  const area = await usedBlank(page, 142, 0.3);

  await signIn(page, account);
  await openStudio(page);
  await openStep(page, 'Add Your Design & Text');
  await addText(page, 'Oak & Ash');
  const { bytes } = await saveAnyway(page, async () => {
    await page.getByRole('button', { name: 'Export for Production Processing' }).click();
    const question = page.getByRole('dialog', { name: 'Add this blank to your products?' });
    await question.getByRole('button', { name: 'Enable Custom Products' }).click();
  });
  const file = await readProductionFile(page, bytes.toString('utf8'));
  // The board of 150 × 104 mm without its margin, in millimeters that a machine reads.
  expect(Number.parseFloat(file.width)).toBeCloseTo(area.width, 0);
  expect(Math.abs(Number.parseFloat(file.width) - 142)).toBeLessThan(0.3);
  expect(Math.abs(Number.parseFloat(file.height) - 96)).toBeLessThan(0.6);
  expect(unite(file.paths.map(({ box }) => box)).width).toBeGreaterThan(0);
  const products = (await (await page.request.get('/api/company/products', { headers: account.headers })).json()) as {
    name: string;
    category: string;
  }[];
  expect(products).toMatchObject([{ name: 'My blank 150 × 104 mm', category: 'My blanks' }]);

  await test.step('a new one goes to the shop at once, and to its customers', async () => {
    await openStep(page, 'Select Product');
    await openDialog(page);
    await choosePicture(page, await coasterPicture());
    await field(page, 'Width').fill('90');
    await dialog(page).getByRole('checkbox', { name: 'Offer it to my customers' }).check();
    await expectNoFaults(page, 'a blank for the shop', 'dialog[open]');
    await usedBlank(page, 83, 0.5);
    const reply = await page.request.get('/api/company/products', { headers: account.headers });
    const own = (await reply.json()) as { isOnProfile: boolean; printArea: { shape?: { kind: string } } }[];
    expect(own.filter(({ isOnProfile }) => isOnProfile)).toMatchObject([{ printArea: { shape: { kind: 'circle' } } }]);
  });
});

test('the catalogue is searched by size, limited to a bed, and has favorites', { tag: '@detail' }, async ({ page }) => {
  await openStudio(page);
  await openStep(page, 'Select Product');
  await page.getByRole('button', { name: /^Show all/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Select Product' });
  const cards = sheet.locator('button[aria-pressed]', { hasText: 'mm' });
  const all = await cards.count();

  await test.step('shows what fits a bed', async () => {
    await sheet.getByRole('switch', { name: 'Fits my bed' }).click();
    await expect.poll(() => cards.count()).toBeLessThan(all);
    for (const text of await cards.allTextContents()) {
      const [, width, height] = /([\d.]+) × ([\d.]+) mm/.exec(text)!;
      expect(Math.max(Number(width), Number(height)), text).toBeLessThanOrEqual(100.05);
    }
    await expectNoFaults(page, 'what fits a bed', 'dialog[open]');
  });

  await test.step('finds a size', async () => {
    await sheet.getByRole('searchbox', { name: 'Search products' }).fill('61 x 61 mm');
    await expect.poll(() => cards.first().textContent()).toMatch(/6[0-3](\.\d)? × 6[0-3](\.\d)? mm/);
  });

  await test.step('keeps a favorite and the bed for the next visit', async () => {
    const name = (await cards.first().locator('span[id]').textContent())!;
    await sheet.getByRole('button', { name: 'Favorite' }).first().click();
    await expect(sheet.getByRole('button', { name: 'Favorite' }).first()).toHaveAttribute('aria-pressed', 'true');
    await page.reload();
    await openStep(page, 'Select Product');
    await page.getByRole('button', { name: /^Show all/ }).click();
    await expect(sheet.getByRole('region', { name: 'Favorites' })).toContainText(name);
    await expect(sheet.getByRole('switch', { name: 'Fits my bed' })).toBeChecked();
  });
});
