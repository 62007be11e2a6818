/** The administrator's catalogue: a folder becomes products, a category is renamed, a product gets its size. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Product } from '@markwright/contract/schemas';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { addText, chooseProduct, openStep, openStudio, readMachineArea, save, stage } from './studio.ts';
import { expect, test } from './test.ts';

const MARK = Date.now().toString(36);
const picture = (color: string) =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: color } })
    .png()
    .toBuffer();

const expectNotice = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('region', { name: /Notifications/ }).getByText(text)).toBeVisible();
const products = (page: Page) => page.getByRole('region', { name: /^Base products/ });
const categories = (page: Page) => page.getByRole('region', { name: /^Categories/ });
const group = (page: Page, name: string) => products(page).getByRole('button', { name: new RegExp(`^${name} \\d+$`) });

async function openCatalogue(page: Page): Promise<void> {
  await signInAsAdmin(page);
  await page.goto('/admin?room=catalogue');
  await expect(products(page).getByRole('searchbox')).toBeVisible();
}

test('a folder of three levels becomes products that the studio shows', { tag: '@detail' }, async ({ page }, info) => {
  const mugs = `Mugs ${MARK}`;
  const folder = info.outputPath('shop');
  const files: Record<string, Buffer> = {
    [`${mugs}/plain.png`]: await picture('#c9b28a'),
    [`${mugs}/Enamel/blue.png`]: await picture('#2f5d8a'),
    [`${mugs}/Enamel/red.png`]: await picture('#a33a2c'),
    [`${mugs}/prices.txt`]: Buffer.from('mug 12'),
    [`${mugs}/Enamel/broken.png`]: Buffer.from('no picture'),
  };
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }

  await openCatalogue(page);
  await page.getByRole('button', { name: 'Upload a folder' }).click();
  await page.getByLabel('Folder of pictures').setInputFiles(folder);
  const dialog = page.getByRole('dialog', { name: 'Upload a folder' });
  await expect(dialog.getByText('Done', { exact: true })).toBeVisible();
  // The folder that was chosen is the business, the next the category.
  await expectNotice(page, `3 products uploaded successfully across 1 category: ${mugs}`);
  await expect(dialog.getByRole('status')).toContainText('3 added');
  await expect(dialog.getByRole('status')).toContainText('2 skipped');
  await expectNoFaults(page, 'a folder that was sent');

  await test.step('sending it again adds nothing', async () => {
    await dialog.getByRole('button', { name: 'Another folder' }).click();
    await page.getByLabel('Folder of pictures').setInputFiles(folder);
    await expect(dialog.getByRole('status')).toContainText('3 there already');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('the category is renamed, its products follow', async () => {
    await expect(group(page, mugs)).toHaveAccessibleName(`${mugs} 3`);
    await categories(page)
      .getByRole('button', { name: `Rename ${mugs}` })
      .click();
    const field = page.getByLabel(`New name of ${mugs}`);
    await expect(field).toBeFocused();
    await field.fill('  ');
    await expect(categories(page).getByRole('button', { name: `Rename ${mugs}` })).toBeDisabled();
    await field.press('Escape');
    await expect(categories(page).getByText(mugs, { exact: true })).toBeVisible();
    await categories(page)
      .getByRole('button', { name: `Rename ${mugs}` })
      .click();
    await field.fill(`Cups ${MARK}`);
    await field.press('Enter');
    await expectNotice(page, `${mugs} is now Cups ${MARK}`);
    await expect(group(page, `Cups ${MARK}`)).toHaveAccessibleName(`Cups ${MARK} 3`);
  });

  await test.step('a product is given its true size', async () => {
    await group(page, `Cups ${MARK}`).click();
    await page.getByRole('button', { name: 'Edit blue' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit blue' });
    await edit.getByLabel('Name', { exact: true }).fill(`Blue ${MARK}`);
    await edit.getByRole('spinbutton', { name: 'Width in inches' }).fill('3.5');
    await edit.getByRole('spinbutton', { name: 'Width in inches' }).press('Enter');
    await edit.getByRole('spinbutton', { name: 'Height in inches' }).fill('2');
    await edit.getByRole('spinbutton', { name: 'Height in inches' }).press('Enter');
    await expect(edit.getByRole('spinbutton', { name: 'Height in inches' })).toHaveValue('2.000');
    const area = edit.getByRole('group', { name: /^Print area/ });
    await expect.poll(() => area.evaluate((node) => node.clientWidth / node.clientHeight)).toBeCloseTo(1.75, 1);
    const surface = edit.getByRole('radiogroup', { name: 'Surface' });
    await surface.getByRole('radio', { name: 'Round' }).check();
    await edit.getByRole('spinbutton', { name: 'Diameter in millimeters' }).fill('20');
    await edit.getByRole('spinbutton', { name: 'Diameter in millimeters' }).press('Enter');
    await edit.getByRole('button', { name: 'Save' }).click();
    await expectNotice(page, 'The print area does not fit');
    await edit.getByRole('spinbutton', { name: 'Diameter in millimeters' }).fill('82');
    await edit.getByRole('spinbutton', { name: 'Diameter in millimeters' }).press('Enter');
    await expect(edit.getByText('257.6 mm')).toBeVisible();
    await edit.getByRole('combobox', { name: 'Shape of the print area' }).click();
    await page.getByRole('option', { name: 'Drawn outline' }).click();
    await edit.getByRole('button', { name: 'Keep a part free' }).click();
    await edit.getByRole('button', { name: /^Corner 1 of the outline/ }).press('Delete');
    await edit.getByRole('button', { name: /^Hole 1, kept free/ }).press('Shift+ArrowDown');
    await expectNoFaults(page, 'a product that is changed', 'dialog[open]');
    await edit.getByRole('button', { name: 'Save' }).click();
    await expectNotice(page, `Blue ${MARK} saved`);
    const list = (await (await page.request.get('/api/products')).json()) as Product[];
    const { surface: savedSurface, printArea } = list.find(({ name }) => name === `Blue ${MARK}`)!;
    expect(savedSurface).toEqual({ kind: 'cylinder', diameterMm: 82 });
    expect(printArea.shape).toMatchObject({ kind: 'outline', keepOuts: [{ kind: 'ellipse', reason: 'hole' }] });
    expect(printArea.shape!.keepOuts![0]!.y).toBeGreaterThan(0.42);
  });

  await test.step('the studio finds it by a slip of the finger, at that size', async () => {
    await openStudio(page);
    await page.getByLabel('Search products').fill(`bleu ${MARK}`);
    await page.getByRole('button', { name: new RegExp(`^Blue ${MARK}`) }).click();
    await expect.poll(() => readMachineArea(page)).toEqual({ width: 88.9, height: 50.8 });
  });

  await test.step('a category goes with its products, after a question', async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Admin Portal' }).click();
    await page.getByRole('tab', { name: 'Catalogue' }).click();
    await categories(page)
      .getByRole('button', { name: `Delete Cups ${MARK}` })
      .click();
    const question = page.getByRole('dialog', { name: `Delete Cups ${MARK}?` });
    await expect(question).toContainText('Its 3 products are deleted with it.');
    await expectNoFaults(page, 'the question before deleting', 'dialog[open]');
    await question.getByRole('button', { name: 'Delete with its products' }).click();
    await expectNotice(page, `Cups ${MARK} deleted`);
    await expect(group(page, `Cups ${MARK}`)).toHaveCount(0);
  });
});

test('a category is added by its name, and deleting all products needs a confirmation', { tag: '@detail' }, async ({
  page,
}) => {
  await openCatalogue(page);
  const add = categories(page).getByRole('button', { name: 'Add' });
  await expect(add).toBeDisabled();
  await page.getByLabel('Name of a new category').fill(`Hats ${MARK}`);
  await add.click();
  await expectNotice(page, `Hats ${MARK} added`);
  await page.getByLabel('Name of a new category').fill(`hats ${MARK}`);
  await add.click();
  await expectNotice(page, 'Failed to create category');

  // A notice that appears while a dialog is open lies over the dialog's shade.
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add product' }).click();
  const notice = page.getByText('Please fill in all required fields and select a file.', { exact: true });
  await expect(notice).toBeVisible();
  const lightest = async () =>
    Math.max(...(await sharp(await notice.screenshot()).stats()).channels.map(({ max }) => max));
  await expect.poll(lightest).toBeGreaterThan(250);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Delete all products' }).click();
  const question = page.getByRole('dialog', { name: /^Delete all \d+ products\?/ });
  await expect(question.getByRole('button', { name: 'Delete all' })).toBeDisabled();
  await question.getByRole('button', { name: 'Keep' }).click();
  await expect(question).toBeHidden();

  await categories(page)
    .getByRole('button', { name: `Delete Hats ${MARK}` })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expectNotice(page, `Hats ${MARK} deleted`);
});

test('a shirt is chosen in a color and a size: on the stage, in its name and in its file', async ({ page }) => {
  await signInAsAdmin(page);
  await openStudio(page);
  await chooseProduct(page, 'Cotton T-Shirt');
  const color = (name: string) => choiceOf('color', name);
  const size = (name: string) => choiceOf('size', name);
  const choiceOf = (kind: string, name: string) =>
    page.getByRole('radiogroup', { name: `Product ${kind}` }).getByRole('radio', { name, exact: true });
  const picture = stage(page).locator('img');
  await expect(color('White')).toBeChecked();
  await expect(size('L')).toBeChecked();
  expect(await readMachineArea(page)).toEqual({ width: 254, height: 304.8 });
  const text = await addText(page, 'Ann');
  await expect(text).toBeAttached();

  // The swatches stay in sight below the folded step; arrows choose.
  await color('White').focus();
  await page.keyboard.press('ArrowRight');
  await expect(color('Black')).toBeChecked();
  await expect(picture).toHaveAttribute('src', '/products/tshirt-cotton-black.svg');
  await size('S').check();
  await expect.poll(async () => (await readMachineArea(page)).width).toBe(203.2);
  await expect(page.getByRole('button', { name: /Cotton T-Shirt, Black, S/ })).toBeVisible();
  await expect(text).toBeAttached();

  const { name, bytes } = await save(page, 'Export for Production Processing');
  expect(name).toBe('Cotton_T-Shirt_Black_S_production.svg');
  const [, width, height] = / width="([\d.]+)mm" height="([\d.]+)mm"/.exec(bytes.toString()) ?? [];
  expect([Number(width), Number(height)]).toEqual([expect.closeTo(203.2, 1), expect.closeTo(243.84, 1)]);

  // Each choice is one step back.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(size('L')).toBeChecked();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(color('White')).toBeChecked();
  await expect(picture).toHaveAttribute('src', '/products/tshirt-cotton-white.svg');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(picture).toHaveAttribute('src', '/products/tshirt-cotton-black.svg');

  await expectNoFaults(page, 'a product with colors below its folded step');
  await openStep(page, 'Select Product');
  await expect(page.getByRole('radiogroup', { name: 'Product color' })).toHaveCount(1);
  await expectNoFaults(page, 'a product with colors on its card', '[data-step="2"]');
});

test('a product gets colors and sizes in its form, and the studio offers them', { tag: '@detail' }, async ({
  page,
}) => {
  const name = `Apron ${MARK}`;
  await openCatalogue(page);
  await page.getByRole('button', { name: 'Add product' }).click();
  const form = page.getByRole('dialog', { name: 'Add a product' });
  const file = { name: 'apron.png', mimeType: 'image/png', buffer: await picture('#30506a') };
  await form.getByLabel('Product picture').setInputFiles(file);
  await form.getByLabel('Name', { exact: true }).fill(name);
  await form.getByLabel('Category', { exact: true }).fill('Apparel');
  const add = form.getByRole('button', { name: 'Add product' });

  await form.getByRole('button', { name: 'Add a color' }).click();
  await expect(form.getByLabel('Name of color 1')).toBeFocused();
  await add.click();
  await expect(form.getByRole('alert')).toHaveText('Please name each color.');
  await form.getByLabel('Name of color 1').fill('Sea');
  await form.getByLabel('Swatch of color 1').fill('#30506a');
  await form.getByRole('button', { name: 'Add a color' }).click();
  await form.getByLabel('Name of color 2').fill('sea');
  await expect(form.getByRole('alert')).toHaveText(
    'There is a color “sea” already. Each color needs a name of its own.',
  );
  await form.getByRole('button', { name: 'Remove sea', exact: true }).click();
  await form.getByRole('button', { name: 'Add a size' }).click();
  await form.getByLabel('Name of size 1').fill('Kids');
  await form.getByLabel('Width of the print area of size 1 in inches').fill('0.5');
  await form.getByLabel('Height of the print area of size 1 in inches').fill('0.5');
  await expectNoFaults(page, 'the form of a product with colors and sizes', 'dialog[open]');
  await add.click();
  await expectNotice(page, `${name} added`);

  await openStudio(page);
  await chooseProduct(page, name);
  await expect(page.getByRole('radio', { name: 'Sea' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Kids' })).toBeChecked();
  expect(await readMachineArea(page)).toEqual({ width: 12.7, height: 12.7 });
});
