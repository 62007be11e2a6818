/** The colors of a trace: swatches, comparison with the picture, and its paths. */
import type { Page } from '@playwright/test';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { posterPng } from './pictures.ts';
import {
  boxAtRest,
  chooseProduct,
  dropFile,
  element,
  openSettings,
  openStudio,
  save,
  stage,
  storedWith,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';

const [NAVY, RED, GOLD] = ['#14213d', '#c8102e', '#f6c915'];

async function openTrace(page: Page): Promise<void> {
  await signInAsAdmin(page);
  await openStudio(page);
  await page.getByRole('radio', { name: /UV printer/i }).click();
  await chooseProduct(page);
  await dropFile(page, { name: 'poster.png', mimeType: 'image/png', buffer: await posterPng() });
  await waitForTrace(page);
  await openSettings(page, 'Palette');
}

const palette = (page: Page) => page.getByRole('region', { name: 'Colors of the trace' });
const swatch = (page: Page, name: RegExp | string) => palette(page).getByRole('button', { name });
const fills = (page: Page) =>
  element(page, 'design')
    .locator('path')
    .evaluateAll((paths) => [...new Set(paths.map((path) => path.getAttribute('fill')))].sort());
const fillsOf = (svg: string) =>
  [...new Set([...svg.matchAll(/fill="(#[0-9a-f]{6})"/g)].map(([, fill]) => fill!))].sort();

test('the colors of a trace are changed, selected on the stage and compared with the picture', {
  tag: '@detail',
}, async ({ page }) => {
  await openTrace(page);

  await test.step('the white ink of the file is shown on the stage, as the element has it', async () => {
    const white = page.getByRole('button', { name: 'Show the white ink' });
    await white.click();
    const status = page.getByRole('status').filter({ hasText: 'White ink' });
    await expect(status).toHaveText('White ink · choke 0.2 mm');
    const choose = async (name: string) => {
      await page.getByRole('combobox', { name: 'White ink below' }).click();
      await page.getByRole('option', { name }).click();
    };
    await choose('None');
    await expect(status).toHaveText('White ink · none');
    await choose('Under its colors');
    await expect(status).toHaveText('White ink · choke 0.2 mm');
    await white.click();
    await expect(status).toBeHidden();
  });

  await test.step('colors are recolored, merged and removed on the stage and in the files', async () => {
    await expect.poll(() => fills(page)).toEqual([NAVY, RED, GOLD].sort());
    await swatch(page, new RegExp(`^${RED}`)).click();
    const card = page.getByRole('group', { name: `Color ${RED}` });
    await card.getByLabel('Hex').fill('#0a8f3c');
    await page.keyboard.press('Enter');
    await expect.poll(() => fills(page)).toEqual(['#0a8f3c', NAVY, GOLD].sort());

    // By keys: the gold is merged into the navy.
    await page.keyboard.press('Escape');
    await swatch(page, new RegExp(`^${GOLD}`)).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Merge into…' }).press('Enter');
    await expect(palette(page).getByText('Choose the color to merge into')).toBeVisible();
    await storedWith(
      page,
      ({ palette }) => JSON.stringify(palette ?? []).includes(GOLD),
      () => swatch(page, new RegExp(`^${NAVY}`)).press('Enter'),
    );
    await expect.poll(() => fills(page)).toEqual(['#0a8f3c', NAVY].sort());
    await expect(swatch(page, new RegExp(`^${NAVY}.*merged from 2`))).toBeVisible();

    const production = await save(page, 'Export for Production Processing');
    expect(fillsOf(production.bytes.toString())).toEqual(['#0a8f3c', NAVY].sort());
    const custom = await save(page, /Custom SVG/);
    expect(fillsOf(custom.bytes.toString())).toEqual(['#0a8f3c', NAVY].sort());

    await swatch(page, /^#0a8f3c/).click();
    await storedWith(
      page,
      ({ palette }) => !JSON.stringify(palette ?? []).includes('#0a8f3c'),
      () => palette(page).getByRole('button', { name: 'Remove', exact: true }).click(),
    );
    await expect.poll(() => fills(page)).toEqual([NAVY]);
    await expect(swatch(page, `${RED}, removed`)).toBeVisible();
    await page.getByRole('button', { name: 'Undo', exact: true }).filter({ hasText: 'Undo' }).click();
    await expect.poll(() => fills(page)).toEqual(['#0a8f3c', NAVY].sort());
    await page.getByRole('button', { name: 'Reset colors' }).click();
    await expect.poll(() => fills(page)).toEqual([NAVY, RED, GOLD].sort());
    await expectNoFaults(page, 'the colors of the trace', '[aria-label="Colors of the trace"]');
    const over = () => page.locator('#step-3').evaluate((node) => node.scrollHeight - node.clientHeight);
    await page.setViewportSize({ width: 1280, height: 720 });
    await expect.poll(over, 'the step is whole with the card of a color').toBeLessThanOrEqual(1);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('the paths are shown and counted', async () => {
    await stage(page).focus();
    await page.keyboard.press('n');
    const readout = stage(page).getByRole('status');
    await expect(readout).toContainText(/^\d+ paths · \d+ nodes · all closed/);
    const counts = (await readout.textContent())!.split(' · all')[0]!;
    await expect(page.getByText(counts).first()).toBeVisible();
    await expect(stage(page).locator('canvas')).toBeVisible();
    await expect(page.getByRole('button', { name: 'See the paths' })).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('n');
    await expect(readout).toHaveCount(0);
  });

  await test.step('the picture and its trace are compared by keys and by mouse', async () => {
    await stage(page).focus();
    await page.keyboard.press('\\');
    const line = page.getByRole('slider', { name: 'Before and after' });
    await expect(line).toHaveAttribute('aria-valuenow', '50');
    const picture = page.locator('[data-compare="before"] img').last();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    // It lies exactly where the artwork does.
    const [before, after] = [await boxAtRest(picture), await boxAtRest(element(page, 'design'))];
    expect(Math.abs(before.x + before.width * 0.05 - after.x)).toBeLessThan(1.5);
    expect(Math.abs(before.y + before.height * (14 / 15) - after.y - after.height)).toBeLessThan(1.5);
    await line.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(line).toHaveAttribute('aria-valuenow', '48');
    await page.keyboard.press('End');
    await expect(line).toHaveAttribute('aria-valuenow', '100');
    // With reduced motion it is there a frame later.
    await expect.poll(async () => (await line.boundingBox())!.x).toBeGreaterThan(after.x + after.width - 20);
    const grip = await boxAtRest(line);
    await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
    await page.mouse.down();
    await page.mouse.move(after.x + after.width / 4, grip.y + grip.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Number(await line.getAttribute('aria-valuenow'))).toBeCloseTo(25, -1);
    // The live preview is of the trace alone, and so is a file.
    await expect(page.getByRole('complementary', { name: 'Live Preview' }).locator('img[src*="original"]')).toHaveCount(
      0,
    );
    await save(page, /Export PNG Preview/);
    await expect(line).toHaveCount(0);
  });

  await test.step('a color is selected on the stage, and more with Shift', async () => {
    await palette(page).getByRole('button', { name: 'Choose a color on the stage' }).click();
    await expect(page.getByRole('button', { name: /Press a color of the artwork/ })).toBeFocused();
    const box = await boxAtRest(element(page, 'design'));
    await page.mouse.click(box.x + box.width * 0.1, box.y + box.height * 0.5);
    await expect(swatch(page, new RegExp(`^${NAVY}`))).toHaveAttribute('aria-pressed', 'true');
    await expect(stage(page).locator('canvas')).toBeVisible();
    await swatch(page, new RegExp(`^${RED}`)).click({ modifiers: ['Shift'] });
    await page.getByRole('group', { name: '2 colors' }).getByRole('button', { name: 'Merge' }).click();
    await expect.poll(() => fills(page)).toEqual([GOLD, NAVY].sort());
    // Another number of colors starts over.
    const size = page.getByRole('spinbutton', { name: 'Palette size' });
    await size.fill('32');
    await page.keyboard.press('Enter');
    await expect.poll(() => fills(page)).toEqual([NAVY, RED, GOLD].sort());
  });
});
