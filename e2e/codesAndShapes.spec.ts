/** Codes and shapes: added from the gallery, changed by their fields, and measured and read in the file. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { readProductionFile } from './productionFile.ts';
import { chooseProduct, openStudio, save, stage } from './studio.ts';
import { expect, test } from './test.ts';

const PRODUCTION = 'Export for Production Processing';
const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' });
const figures = (page: Page, kind: 'code' | 'shape') => stage(page).locator(`[data-element^="${kind}:"]`);
const add = (page: Page, name: string) => page.getByRole('button', { name: `Add ${name}`, exact: true }).click();

/** Types a number into a field of the inspector. */
async function type(page: Page, label: string, value: string): Promise<void> {
  const field = inspector(page).getByRole('spinbutton', { name: label });
  await field.fill(value);
  await field.press('Enter');
}

/** Returns what a decoder reads in a picture of a file, which has what the laser fills, and not its colored line. */
async function readCodes(svg: string): Promise<readonly string[]> {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });
  const fills = Buffer.from(svg.replaceAll(/ stroke="[^"]*"/g, ''));
  const picture = await sharp(fills, { density: 300 }).flatten({ background: '#ffffff' }).png().toBuffer();
  const codes = await readBarcodes(new Blob([new Uint8Array(picture)]), { tryInvert: false });
  return codes.map(({ text }) => text);
}

test('codes are typed, checked, exported and read', { tag: '@detail' }, async ({ page }) => {
  await signInAsAdmin(page);
  await openStudio(page);
  // Marks are dark on it: on others a new code is inverted.
  await chooseProduct(page, 'Cherry Plaque');
  await page.getByRole('tab', { name: 'Codes & Shapes' }).click();
  await expect(page.getByRole('button', { name: 'Add Banner' })).toBeVisible();
  await expectNoFaults(page, 'the gallery of codes and shapes');

  await test.step('a QR code is added, and its data typed over the example', async () => {
    await add(page, 'QR code');
    await expect(figures(page, 'code').locator('path')).toBeAttached();
    await expect(stage(page).locator('[data-quiet-zone]')).toBeAttached();
    const data = inspector(page).getByRole('textbox', { name: 'Data' });
    await expect(data).toBeFocused();
    await page.keyboard.type('https://markwright.test/blank/42');
    await page.keyboard.press('Tab');
    await expect(data).toHaveValue('https://markwright.test/blank/42');
    await type(page, 'Width in millimeters', '25');
    await expectNoFaults(page, 'the fields of a QR code', '[aria-label="Inspector"]');
  });

  await test.step('the file has it, at its size, and a decoder reads it', async () => {
    const { bytes } = await save(page, PRODUCTION);
    const svg = bytes.toString('utf8');
    expect(await readCodes(svg)).toEqual(['https://markwright.test/blank/42']);
    const { paths } = await readProductionFile(page, svg);
    const right = Math.max(...paths.map(({ box }) => box.x + box.width));
    expect(right - Math.min(...paths.map(({ box }) => box.x))).toBeCloseTo(25, 1);
  });

  await test.step('one undo takes the typing back, the next the size', async () => {
    await stage(page).focus();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect(inspector(page).getByRole('textbox', { name: 'Data' })).toHaveValue('https://example.com');
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Control+y');
  });

  await test.step('a wrong number is named at its field, and not drawn', async () => {
    await add(page, 'EAN-13');
    const number = inspector(page).getByRole('textbox', { name: 'Number' });
    await expect(number).toBeFocused();
    await number.fill('4006381333932');
    await expect(inspector(page).getByRole('alert')).toContainText('it would be 1');
    await expect(figures(page, 'code')).toHaveCount(1);
    await number.fill('4006381333931');
    await expect(inspector(page).getByRole('alert')).toHaveCount(0);
    await expect(figures(page, 'code')).toHaveCount(2);
    await number.press('Tab');
  });

  await test.step('a copy is one, and both codes are read in one file', async () => {
    await stage(page).focus();
    await page.keyboard.press('Control+d');
    await expect(figures(page, 'code')).toHaveCount(3);
    await page.keyboard.press('Delete');
    await expect(figures(page, 'code')).toHaveCount(2);
    const { bytes } = await save(page, PRODUCTION);
    const codes = await readCodes(bytes.toString('utf8'));
    expect([...codes].sort()).toEqual(['4006381333931', 'https://markwright.test/blank/42']);
  });
});

test('shapes, icons and cut lines have the size they say', { tag: '@detail' }, async ({ page }) => {
  await signInAsAdmin(page);
  await openStudio(page);
  await chooseProduct(page);
  await page.getByRole('tab', { name: 'Codes & Shapes' }).click();
  await add(page, 'Star');
  await expect(figures(page, 'shape').locator('path')).toBeAttached();
  await type(page, 'Width in millimeters', '33.3');
  await type(page, 'Height in millimeters', '21.4');
  await expectNoFaults(page, 'the fields of a star', '[aria-label="Inspector"]');

  const measure = async () => {
    const { bytes } = await save(page, PRODUCTION);
    const { paths } = await readProductionFile(page, bytes.toString('utf8'));
    return paths;
  };
  const [star, ...others] = await measure();
  expect(others).toEqual([]);
  expect(star!.subpaths).toBe(1);
  expect(star!.box.width).toBeCloseTo(33.3, 2);
  expect(star!.box.height).toBeCloseTo(21.4, 2);

  await inspector(page).getByRole('radio', { name: 'Outline' }).check();
  const [outline] = await measure();
  // Its inner edge is a second contour: the band between them is filled.
  expect(outline!.subpaths).toBe(2);
  expect(outline!.closed).toBe(2);
  expect(outline!.box.width).toBeCloseTo(33.3, 2);
  expect(outline!.box.height).toBeCloseTo(21.4, 2);

  await test.step('an icon is found by a word that is misspelled, kept as a favorite, and made as its outline', async () => {
    await page.getByRole('searchbox', { name: 'Search icons' }).fill('elephnt');
    const icon = page.getByRole('button', { name: 'Add Elephant', exact: true });
    await expect(icon).toBeEnabled();
    await page.getByRole('button', { name: 'Favorite: Elephant', exact: true }).click();
    await expectNoFaults(page, 'the icons', '[aria-label="Icons"]');
    await icon.click();
    await expect(figures(page, 'shape')).toHaveCount(2);
    await type(page, 'Width in millimeters', '20');
    await page.getByRole('searchbox', { name: 'Search icons' }).fill('');
    const favorites = page.getByRole('region', { name: 'Favorites: icons' });
    await expect(favorites.getByRole('button', { name: 'Add Elephant' })).toBeEnabled();
    const elephant = (await measure()).at(-1)!;
    expect(elephant.box.width).toBeCloseTo(20, 2);
    expect(elephant.closed).toBe(elephant.subpaths);
  });

  await test.step('a cut line goes around it, all become one outline, and a stencil', async () => {
    await inspector(page).getByRole('button', { name: 'Outline around it' }).click();
    await inspector(page).getByRole('button', { name: 'Add cut line' }).click();
    await expect(figures(page, 'shape')).toHaveCount(3);
    const line = (await measure()).at(-1)!;
    expect(line.box.width).toBeCloseTo(24, 1);
    await stage(page).focus();
    await page.keyboard.press('Control+a');
    await expectNoFaults(page, 'what several elements are combined by', '[aria-label="Outline"]');
    await inspector(page).getByRole('button', { name: 'Unite' }).click();
    await expect(figures(page, 'shape')).toHaveCount(1);
    await stage(page).focus();
    await page.keyboard.press('Control+z');
    await expect(figures(page, 'shape')).toHaveCount(3);
    await page.keyboard.press('Control+a');
    await inspector(page).getByRole('button', { name: 'Make a stencil' }).click();
    await expect(figures(page, 'shape')).toHaveCount(1);
    await inspector(page).getByRole('button', { name: 'Outline around it' }).click();
    await inspector(page).getByRole('button', { name: 'Make a stencil' }).click();
    await expect(inspector(page).getByRole('alert')).toHaveText('Nothing of it would fall out.');
  });
});
