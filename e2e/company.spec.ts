/** A company sets itself up: own product, the base products it shows, and a production file of the true size. */
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFontPath } from '@markwright/fonts/files';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { type Account, signInAsNew, takePlan } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { tabTo } from './keys.ts';
import { readProductionFile } from './productionFile.ts';
import {
  addText,
  boxAtRest,
  chooseProduct,
  openStep,
  openStudio,
  readMachineArea,
  save,
  saveBy,
  stage,
} from './studio.ts';
import { expect, intercept, test } from './test.ts';

const BOARD = 'Walnut Serving Board';

/** A board from above, as a shop photographs it. */
const boardPicture = () =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: '#f2efe8' } })
    .composite([
      {
        input: Buffer.from(
          '<svg width="900" height="600"><rect x="120" y="110" width="660" height="380" rx="60" fill="#6b4630"/></svg>',
        ),
      },
    ])
    .jpeg()
    .toBuffer();

const materialLibrary = `<?xml version="1.0"?><LightBurnLibrary DisplayName="Shop"><Material name="Stainless 304">
  <Entry Thickness="-1" Desc="Logo"><CutSetting type="Scan"><maxPower Value="35"/><speed Value="900"/></CutSetting></Entry>
</Material></LightBurnLibrary>`;

async function openProfile(page: Page): Promise<Account> {
  const account = await signInAsNew(page);
  await page.goto('/profile/products');
  return account;
}

const card = (page: Page) => page.getByRole('region', { name: 'Product management' });
const ownProducts = (page: Page) => page.getByRole('list', { name: 'Your products' });
const expectNotice = (page: Page, text: string) =>
  expect(page.getByRole('region', { name: /Notifications/ }).getByText(text, { exact: true })).toBeVisible();

/** Reads the categories of the studio in the sheet of all products: step 2 shows as many as it has room for. */
async function expectCategories(
  page: Page,
  presentNames: readonly string[],
  absentNames: readonly string[],
): Promise<void> {
  await page.getByRole('button', { name: /^Show all/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Select Product' });
  const category = (name: string) => sheet.getByRole('button', { name: new RegExp(`^${name} \\d+$`) });
  for (const name of presentNames) await expect(category(name)).toBeVisible();
  for (const name of absentNames) await expect(category(name)).toHaveCount(0);
  await page.keyboard.press('Escape');
}

test(
  'a business adds a product, chooses what its studio shows, and exports the product at its size',
  { tag: '@detail' },
  async ({ page }, info) => {
    const account = await openProfile(page);
    await test.step('opts in by keys', async () => {
      await tabTo(page, page.getByRole('tab', { name: 'Base Products' }));
      await page.keyboard.press('ArrowRight');
      await tabTo(page, page.getByRole('button', { name: 'Enable Custom Products' }));
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'Add a product' })).toBeVisible();
    });

    await test.step('is told what is missing', async () => {
      await page.getByRole('button', { name: 'Add product' }).click();
      await expectNotice(page, 'Missing information');
      await expectNotice(page, 'Please fill in all required fields and select a file.');
      await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
      const text = { name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.from('words') };
      await page.getByLabel('Product picture').setInputFiles(text);
      await expectNotice(page, 'Invalid file type');
      await expectNoFaults(page, 'the form with what is missing');
    });

    await test.step('adds a product', async () => {
      await page.getByLabel('Name', { exact: true }).fill(BOARD);
      await page.getByLabel('Category', { exact: true }).fill('Boards');
      await page.getByLabel('Sub-category').fill('Serving');
      await page.getByLabel('Where the size comes from').fill('the maker’s data sheet');
      await page.getByRole('spinbutton', { name: 'Width in inches' }).fill('8');
      await page.getByRole('spinbutton', { name: 'Height in inches' }).fill('4');
      await page.keyboard.press('Tab');
      await page.getByLabel('Product picture').setInputFiles({
        name: 'board.jpg',
        mimeType: 'image/jpeg',
        buffer: await boardPicture(),
      });
      const area = page.getByRole('group', { name: /^Print area/ });
      await expect(area).toBeVisible();
      await expect
        .poll(() => area.evaluate(({ clientWidth, clientHeight }) => clientWidth / clientHeight))
        .toBeCloseTo(2, 1);
      const areaBox = await boxAtRest(area);
      await area.focus();
      await page.keyboard.press('ArrowUp');
      await expect.poll(async () => (await area.boundingBox())!.y).toBeLessThan(areaBox.y);
      await expectNoFaults(page, 'the print area');
      await page.getByRole('button', { name: 'Add product' }).click();
      await expectNotice(page, `${BOARD} added`);
      await expect(ownProducts(page)).toContainText('Boards / Serving');
      await expect(ownProducts(page)).toContainText(/8 × 4 in, [\d.]+ KB/);
      await expect(card(page)).toContainText(/[\d.]+ KB of 2 GB, 1 of 5,000 products/);
      const picture = ownProducts(page).locator('img');
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(104);
    });

    await test.step('sends a folder: every picture in it is a product, what is none is said', async () => {
      const folder = info.outputPath('blanks');
      await mkdir(join(folder, 'Signs/Desk'), { recursive: true });
      const sign = sharp({ create: { width: 300, height: 200, channels: 3, background: '#b08d57' } });
      await writeFile(join(folder, 'Signs/Desk/Oak.webp'), await sign.webp().toBuffer());
      await writeFile(join(folder, 'Signs/Desk/Ash.png'), await sign.png().toBuffer());
      await writeFile(join(folder, 'Signs/Desk/prices.txt'), 'oak 12');
      await page.getByRole('button', { name: 'Upload a folder' }).click();
      const dialog = page.getByRole('dialog', { name: 'Upload a folder' });
      await page.getByLabel('Folder of pictures').setInputFiles(folder);
      await expectNotice(page, '2 products uploaded successfully across 1 category: Signs');
      await expect(dialog.getByRole('status')).toContainText('2 added');
      await expect(dialog.getByRole('status')).toContainText('1 skipped');
      await expectNoFaults(page, 'a folder that was sent');
      await dialog.getByRole('button', { name: 'Another folder' }).click();
      await page.getByLabel('Folder of pictures').setInputFiles(folder);
      await expect(dialog.getByRole('status')).toContainText('2 there already');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect(ownProducts(page)).toContainText('Signs / Desk');
      for (const name of ['Oak', 'Ash']) {
        await page.getByRole('button', { name: `Delete ${name}` }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
        await expectNotice(page, `${name} deleted`);
      }
    });

    await test.step('puts it on the profile, once', async () => {
      await page.getByRole('button', { name: `Put ${BOARD} on your profile` }).click();
      await expect(ownProducts(page).getByText('On your profile')).toBeVisible();
    });

    await test.step('cannot add it twice', async () => {
      await page.getByLabel('Name', { exact: true }).fill(BOARD.toUpperCase());
      await page.getByLabel('Product picture').setInputFiles({
        name: 'board.jpg',
        mimeType: 'image/jpeg',
        buffer: await boardPicture(),
      });
      await page.getByRole('button', { name: 'Add product' }).click();
      await expectNotice(page, 'Upload failed');
      await expectNotice(page, `There is a product called “${BOARD.toUpperCase()}” in Boards / Serving already.`);
    });

    await test.step('switches a category off, and is asked before leaving', async () => {
      await page.getByRole('tab', { name: 'Base Products' }).click();
      await expect(card(page)).not.toContainText('Unsaved changes');
      await page.getByRole('switch', { name: 'Mugs' }).click();
      await expect(card(page)).toContainText('Unsaved changes');
      await page.getByRole('navigation', { name: 'Profile' }).getByRole('link', { name: 'Shop' }).click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Stay' }).click();
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect(page.getByRole('switch', { name: 'Mugs' })).toBeChecked();
      await page.getByRole('button', { name: 'Select none' }).click();
      await page.getByRole('button', { name: 'Select all' }).click();
      await expect(card(page)).not.toContainText('Unsaved changes');
      await page.getByRole('switch', { name: 'Mugs' }).click();
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expectNotice(page, 'Base products updated');
      await expect(card(page)).not.toContainText('Unsaved changes');
      await expectNoFaults(page, 'base products');
    });

    await test.step('gives itself a name', async () => {
      await page.getByRole('tab', { name: 'Settings' }).click();
      const name = page.getByLabel('Company name');
      const saving = card(page).getByRole('button', { name: 'Save', exact: true });
      await expect(saving).toBeDisabled();
      await name.fill(' Walnut & Wire ');
      await saving.click();
      await expectNotice(page, 'Company name saved');
      await expect(name).toHaveValue('Walnut & Wire');
      await expect(saving).toBeDisabled();
    });

    await test.step('reads the speeds of its laser from a LightBurn library', async () => {
      await page.getByRole('navigation', { name: 'Profile' }).getByRole('link', { name: 'Shop' }).click();
      await page.getByRole('button', { name: 'Add a laser' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a laser' });
      await dialog.getByLabel('Name', { exact: true }).fill('Diode 20 W');
      const library = { name: 'shop.clb', mimeType: 'application/octet-stream', buffer: Buffer.from(materialLibrary) };
      await dialog.getByLabel('LightBurn library').setInputFiles(library);
      await expect(dialog.getByText('1 entry has its row: check the material of each.')).toBeVisible();
      await expect(dialog.getByRole('spinbutton', { name: 'Power of “Engrave” of stainless steel' })).toHaveValue(
        '35.0',
      );
      await dialog.getByRole('combobox', { name: 'Material of “Engrave” of stainless steel' }).click();
      // As its board: nobody has said what that is made of.
      await page.getByRole('option', { name: 'Something else' }).click();
      await expectNoFaults(page, 'the settings of a laser', 'dialog[open]');
      await dialog.getByRole('button', { name: 'Save the laser' }).click();
      await expect(page.getByRole('list', { name: 'Lasers' })).toContainText('1 setting: Something else');
    });

    await test.step('keeps what it measured of slate, and gets a test card', async () => {
      await page.getByRole('combobox', { name: 'Material', exact: true }).scrollIntoViewIfNeeded();
      const levels = Array.from({ length: 20 }, (_, i) => 60 + 6 * i);
      const box = page.getByLabel('Paste 20 numbers from a scan');
      await box.fill(levels.slice(1).join(' '));
      await expect(page.getByText('19 numbers, and 20 are needed: one for each patch.')).toBeVisible();
      await box.fill(levels.join(', '));
      await expect(page.getByRole('spinbutton', { name: 'Patch 20', exact: true })).toHaveValue('174');
      await page.getByRole('button', { name: 'Save the curve' }).click();
      await expectNotice(page, 'Slate is measured');
      await expect(page.getByText('Measured by your shop.')).toBeVisible();
      await expectNoFaults(page, 'the engraving curves');
      const { name } = await saveBy(page, () => page.getByRole('button', { name: 'Download the test card' }).click());
      expect(name).toBe('Test_Card_0.1mm_floyd-steinberg.png');
      await page.getByRole('button', { name: 'Use the typical curve' }).click();
      await expectNotice(page, 'Slate is typical again');
      await expect(page.getByRole('spinbutton', { name: 'Patch 1', exact: true })).not.toHaveValue('60');
    });

    await test.step('takes a plan', async () => {
      await takePlan(page.request, account, 'starter');
    });

    await test.step('finds its product in the studio, and the category gone', async () => {
      await openStudio(page);
      await expectCategories(page, ['Boards', 'Tumblers'], ['Mugs']);
      await page.getByRole('searchbox', { name: 'Search products' }).fill(BOARD);
      await page
        .locator('[data-step="2"]')
        .getByRole('button', { name: new RegExp(`^${BOARD}`) })
        .click();
      await expect(stage(page).locator('img').first()).toBeVisible();
      await expect.poll(() => readMachineArea(page)).toEqual({ width: 203.2, height: 101.6 });
    });

    await test.step('exports it at its size', async () => {
      await addText(page, 'Oak & Ash');
      const { name, bytes } = await save(page, 'Export for Production Processing');
      expect(name).toBe('Walnut_Serving_Board_production.svg');
      const file = await readProductionFile(page, bytes.toString('utf8'));
      expect([file.width, file.height]).toEqual(['203.2mm', '101.6mm']);
      expect(file.paths.length).toBeGreaterThan(0);
      await expect(page.getByRole('link', { name: 'Find a local maker' })).toHaveAttribute('href', '/makers');
    });

    await test.step('exports it for LightBurn with the settings of its laser', async () => {
      await page.getByRole('button', { name: /^Format of the production file/ }).click();
      const question = page.getByRole('dialog', { name: 'Production file' });
      await question.getByRole('radio', { name: 'LightBurn project' }).check();
      await expect(question).toContainText('Diode 20 W on “Something else”: engrave.');
      const { bytes } = await saveBy(page, () => question.getByRole('button', { name: 'Export LBRN2' }).click());
      expect(bytes.toString('utf8')).toContain('<maxPower Value="35"/>');
      expect(bytes.toString('utf8')).not.toContain('SET POWER');
    });

    await test.step('finds both files in its list', async () => {
      await page.getByRole('banner').getByRole('link', { name: 'Profile' }).click();
      await page.getByRole('navigation', { name: 'Profile' }).getByRole('link', { name: 'My files' }).click();
      const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
      await expect(files).toHaveCount(2);
      await expect(files.first()).toContainText('Walnut_Serving_Board_203.2x101.6mm.lbrn2');
      await expect(files.last()).toContainText('203.2 × 101.6 mm');
      await expectNoFaults(page, '/profile/files');
    });

    await test.step('changes and deletes the product', async () => {
      await page.getByRole('navigation', { name: 'Profile' }).getByRole('link', { name: 'Products' }).click();
      await page.getByRole('tab', { name: 'Custom Products' }).click();
      await page.getByRole('button', { name: `Edit ${BOARD}` }).click();
      const edit = page.getByRole('dialog', { name: `Edit ${BOARD}` });
      await edit.getByLabel('Name', { exact: true }).fill('Oak Board');
      await edit.getByRole('button', { name: 'Save' }).click();
      await expect(ownProducts(page)).toContainText('Oak Board');
      await expect(edit).toBeHidden();
      await page.getByRole('button', { name: 'Delete Oak Board' }).click();
      await page.getByRole('dialog', { name: 'Delete Oak Board?' }).getByRole('button', { name: 'Delete' }).click();
      await expect(card(page)).toContainText('0 Bytes of 2 GB, 0 of 5,000 products');
      await page.getByRole('banner').getByRole('link', { name: 'Studio' }).click();
      await openStep(page, 'Select Product');
      await expectCategories(page, ['Tumblers'], ['Boards']);
    });

    await test.step('sees every base product again when it signs out', async () => {
      await page.getByRole('button', { name: 'Logout' }).click();
      await expectCategories(page, ['Mugs'], []);
    });
  },
);

test('a business brings a font of its own, sets a text in it, renames and deletes it', { tag: '@detail' }, async ({
  page,
}) => {
  await takePlan(page.request, await signInAsNew(page), 'starter');
  await openStudio(page);
  await chooseProduct(page);
  const text = await addText(page, 'Oak & Ash');
  const chooser = page.getByRole('dialog', { name: 'Choose a font' });
  const font = page.getByRole('combobox', { name: 'Font' });
  const before = await text.locator('path').first().getAttribute('d');

  await test.step('one that is damaged is refused in a sentence, and needs the right to be confirmed', async () => {
    await font.click();
    await bringFont(chooser, Buffer.from('wOF2'.repeat(99)));
    await expect(chooser.getByRole('alert')).toHaveText('This font is damaged and could not be read.');
    await chooser.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('a good one sets the text at once, and its file', async () => {
    await bringFont(chooser, readFileSync(findFontPath('rye-latin-400-normal.woff2')!));
    await expect(font).toContainText('Rye Regular');
    await expect(text.locator('path').first()).not.toHaveAttribute('d', before!);
    const { bytes } = await save(page, 'Export for Production Processing');
    expect((await readProductionFile(page, bytes.toString('utf8'))).paths.length).toBeGreaterThan(0);
  });

  await test.step('fonts are found by their looks, in the words of the text', async () => {
    await font.click();
    await chooser.getByRole('button', { name: 'Western' }).click();
    await expect(chooser.getByRole('option')).toHaveText(['Oak & AshRye']);
    await page.getByRole('combobox', { name: 'Search by name or look' }).fill('regular');
    await expect(chooser.getByRole('option')).toHaveAttribute('aria-selected', 'true');
    await expectNoFaults(page, 'the chooser of fonts', '[role=dialog]');
    await page.keyboard.press('Escape');
    await expect(font).toBeFocused();
  });

  await test.step('it is renamed and deleted on the page of the shop', async () => {
    await page.goto('/profile/shop');
    const fonts = page.getByRole('list', { name: 'Fonts' });
    await page.getByRole('button', { name: 'Rename Rye Regular' }).click();
    await page.getByRole('textbox', { name: 'New name of Rye Regular' }).fill('Saloon');
    await page.keyboard.press('Enter');
    await expect(fonts).toContainText('Saloon');
    await page.getByRole('button', { name: 'Delete Saloon' }).click();
    await page.getByRole('dialog', { name: 'Delete Saloon?' }).getByRole('button', { name: 'Delete it' }).click();
    await expect(fonts).toHaveCount(0);
  });

  await test.step('the text is then shown in another font, which is said', async () => {
    await page.goto('/studio');
    await expectNotice(page, 'A font is not there any more');
  });
});

async function bringFont(chooser: Locator, buffer: Buffer): Promise<void> {
  await chooser.getByLabel('Font file').setInputFiles({ name: 'saloon.woff2', mimeType: 'font/woff2', buffer });
  await expect(chooser.getByRole('button', { name: 'Add this font' })).toBeDisabled();
  await chooser.getByRole('checkbox', { name: /^I have the right/ }).check();
  await chooser.getByRole('button', { name: 'Add this font' }).click();
}

test('settings that do not load show a message, and can be loaded again', { tag: '@detail' }, async ({ page }) => {
  await openProfile(page);
  await expect(page.getByRole('list', { name: 'Base categories' })).toBeVisible();
  const restore = await intercept(page, '**/api/company', (route) =>
    route.fulfill({ status: 503, json: { message: 'The studio cannot reach its database just now.' } }),
  );
  await page.reload();
  await expect(card(page)).toContainText('Unable to load company settings');
  await expect(card(page)).toContainText('The studio cannot reach its database just now.');
  restore();
  await card(page).getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('list', { name: 'Base categories' })).toBeVisible();

  const restoreSaving = await intercept(page, '**/api/company', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 503, json: { message: 'Not now.' } })
      : route.continue(),
  );
  await page.getByRole('switch', { name: 'Mugs' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectNotice(page, 'Update failed');
  await expectNotice(page, 'Not now.');
  await expect(card(page)).toContainText('Unsaved changes');

  // The page still shows a product that the server has deleted.
  const product = {
    id: 'gone',
    productId: 'gone',
    name: 'Gone Board',
    category: 'Boards',
    mockupImageUrl: '/nothing.png',
  };
  const rest = {
    dimensions: '4x2',
    printArea: { x: 0, y: 0, width: 1, height: 1 },
    pictureAspect: 2,
    material: 'other',
  };
  const more = { markColor: '#000000', machines: [], fileSize: 1536, userId: 1, isOnProfile: false };
  const expectedProduct = { ...product, ...rest, ...more, subCategory: '', thumbnails: [] };
  const restoreProducts = await intercept(page, '**/api/company/products', (route) =>
    route.fulfill({ json: [expectedProduct] }),
  );
  await page.getByRole('tab', { name: 'Custom Products' }).click();
  await expect(ownProducts(page)).toContainText('4 × 2 in, 1.5 KB');
  await page.getByRole('button', { name: 'Delete Gone Board' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expectNotice(page, 'Delete failed');
  await expectNotice(page, 'This product was not found. It may have been deleted.');

  restoreSaving();
  restoreProducts();
  await page.getByRole('tab', { name: 'Base Products' }).click();
  await test.step('a studio with every category off leads back to where they are switched on', async () => {
    await card(page).getByRole('button', { name: 'Select none' }).click();
    await card(page).getByRole('button', { name: 'Save Changes' }).click();
    await expectNotice(page, 'Base products updated');
    await page.getByRole('banner').getByRole('link', { name: 'Studio' }).click();
    await expect(page.getByText('No products are switched on for your studio.')).toBeVisible();
    await page.getByRole('link', { name: 'Choose some on your profile' }).click();
    await expect(page).toHaveURL(/\/profile\/products$/);
  });
});
