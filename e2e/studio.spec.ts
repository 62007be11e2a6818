/** The studio beyond the main job: what it refuses and remembers, and its use by keyboard and touch. */
import type { Page } from '@playwright/test';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { tabTo } from './keys.ts';
import { logoPng, speckledPng } from './pictures.ts';
import {
  addText,
  boxAtRest,
  chooseProduct,
  dropFile,
  element,
  openStudio,
  openWithPicture,
  readMachineArea,
  readNumbers,
  save,
  stage,
  TUMBLER,
  textElement,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';

const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not a picture') };

test('a file that is no picture is refused before it is sent', async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  await dropFile(page, text);
  const notice = page.getByRole('region', { name: /Notifications/ });
  await expect(notice.getByText('Invalid file type')).toBeVisible();
  await expect(notice.getByText('Please upload an image file (PNG, JPG, etc.)')).toBeVisible();
});

test('a picture that cannot be read says so and can be replaced', async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  await dropFile(page, { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
  await expect(page.getByText('Upload Failed', { exact: true })).toBeVisible();
  await page.getByLabel('Design file').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await logoPng(),
  });
  await waitForTrace(page);
});

test('steps open one after the other and remember which are folded', async ({ page }) => {
  await openStudio(page);
  const step = (number: number) => page.locator(`[data-step="${number}"]`);
  await expect(step(2)).toHaveAttribute('data-state', 'active');
  await expect(step(3)).toHaveAttribute('data-state', 'waiting');
  await expect(step(3).getByText('Product Selection Required')).toBeVisible();
  await expect(page.getByText('Select a Product')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss the hint of step 1' }).click();

  await chooseProduct(page);
  await expect(step(2)).toHaveAttribute('data-state', 'done');
  await expect(step(3)).toHaveAttribute('data-state', 'active');
  await expect(step(4)).toHaveAttribute('data-state', 'waiting');
  await addText(page, 'Ann');
  await expect(step(4)).toHaveAttribute('data-state', 'active');
  await expect(page.getByText('Design Ready!')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Live Preview' })).toBeVisible();

  await page.reload();
  await expect(textElement(page).locator('path').first()).toBeAttached();
  await expect(page.getByRole('button', { name: 'Dismiss the hint of step 2' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Dismiss the hint of step 1' })).toHaveCount(0);
});

test('the accent follows the machine', async ({ page }) => {
  await openStudio(page);
  const accent = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());
  const laser = await accent();
  await page.getByRole('radio', { name: /UV printer/i }).check();
  await expect.poll(accent).not.toBe(laser);
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
  // The address changes before the page does.
  await expect.poll(accent).toBe(laser);
});

test('a visitor’s mockups are counted, and the exports ask for an account', async ({ page }) => {
  await openStudio(page);
  await expect(page.getByText("You've used 0 of your free mockups.")).toBeVisible();
  await chooseProduct(page);
  await dropFile(page, { name: 'logo.png', mimeType: 'image/png', buffer: await logoPng() });
  await waitForTrace(page);
  await expect(page.getByText("You've used 1 of your free mockups.")).toBeVisible();
  const record = () => page.evaluate(() => JSON.parse(localStorage.getItem('markwright-usage') ?? '{}'));
  await expect.poll(record).toMatchObject({ mockupsGenerated: 1 });

  for (const [button, title] of [
    ['Export for Production Processing', 'Production Export Requires Account'],
    ['Custom SVG', 'Custom SVG Export Requires Account'],
    ['Export PNG Preview', 'PNG Export Requires Account'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: button })).toBeFocused();
  }
  await page.getByRole('button', { name: 'Create an account for unlimited mockups' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Create an account' }).click();
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
});

test('used up free mockups open the limit dialog; text stays free', async ({ page }) => {
  await page.route('**/api/users/guest-usage', (route) =>
    route.fulfill({ json: { mockupsGenerated: 4, mockupsLimit: 4 } }),
  );
  await openStudio(page);
  await expect(page.getByText("You've used 4 of your free mockups.")).toBeVisible();
  await chooseProduct(page);
  await dropFile(page, { name: 'logo.png', mimeType: 'image/png', buffer: await logoPng() });
  const dialog = page.getByRole('dialog', { name: 'Free mockups used up' });
  await expect(dialog.getByText("You've used all 4 free mockups this month.")).toBeVisible();
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await addText(page, 'Still free');
});

test('a production file that cannot be made falls back to the plain SVG, which costs nothing', async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto('/studio');
  await chooseProduct(page);
  await addText(page, 'Ann');
  await page.route('**/api/designs/vectorize', (route) => route.fulfill({ status: 500, json: { message: 'No.' } }));
  const left = page.getByText(/Left this month/);
  const before = await left.textContent();
  const file = await save(page, 'Export for Production Processing');
  expect(file.bytes.toString('utf8')).toMatch(/^(<\?xml[^>]*>\s*)?<svg[^>]* width="400" height="400"/);
  await expect(page.getByText('SVG exported successfully!').first()).toBeVisible();
  expect(await left.textContent()).toBe(before);
});

test('a moving slider redraws the stage in the browser; the server stores the value when it is released', async ({
  page,
}) => {
  await openWithPicture(page, { name: 'specks.png', mimeType: 'image/png', buffer: await speckledPng() });
  const calls: { despeckle?: number }[] = [];
  page.on('request', (request) => {
    if (/designs\/(vectorize|generate-preview)$/.test(request.url())) calls.push(request.postDataJSON().settings);
  });
  const outlines = () =>
    element(page, 'design')
      .locator('path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')).join());
  const first = await outlines();

  const slider = page.getByRole('slider', { name: 'Despeckle' });
  await slider.scrollIntoViewIfNeeded();
  const track = await boxAtRest(slider.locator('xpath=ancestor::*[@data-orientation][1]'));
  const y = track.y + track.height / 2;
  await page.mouse.move(track.x + 12, y);
  await page.mouse.down();
  // A quick hand: most of these places are passed before a trace of them could be made.
  await page.mouse.move(track.x + track.width * 0.4, y, { steps: 12 });
  await page.mouse.move(track.x + track.width - 4, y, { steps: 12 });
  await expect(slider).toHaveAttribute('aria-valuenow', '10');
  await expect.poll(outlines).not.toBe(first);
  let live = first;
  await expect
    .poll(
      async () => {
        const before = live;
        live = await outlines();
        return live !== first && live === before;
      },
      { intervals: [1500] },
    )
    .toBe(true);
  expect(live.length).toBeLessThan(first.length);
  expect(calls).toEqual([]);

  await page.mouse.up();
  await expect.poll(() => calls.length).toBe(1);
  expect(calls[0]).toMatchObject({ despeckle: 10, mode: 'preview' });
  await expect(page.getByText('Traced', { exact: true })).toBeVisible();
  // The server's own trace is the one that was shown: same pixels, same options, same tracer.
  expect(await outlines()).toBe(live);
  await page.reload();
  await expect.poll(outlines).toBe(live);
});

test('products that do not load can be loaded again', async ({ page }) => {
  let isBroken = true;
  await page.route('**/api/products', (route) =>
    isBroken ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  await openStudio(page);
  await expect(page.getByText('The products could not be loaded.').first()).toBeVisible();
  isBroken = false;
  await page.getByRole('button', { name: 'Retry' }).first().click();
  await chooseProduct(page);
  await expect(page.getByText('The products could not be loaded.')).toHaveCount(0);
});

test('without a connection the studio says so and keeps the work', async ({ page, context }) => {
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Ann');
  await context.setOffline(true);
  await expect(page.getByText(/You are offline/)).toBeVisible();
  await page.getByPlaceholder(/Type a name/).fill('Annabel');
  await context.setOffline(false);
  await expect(page.getByText(/You are offline/)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: /Text Annabel/ }).first()).toBeAttached();
});

test('a design that was deleted is removed, the rest stays', async ({ page, context }) => {
  await openWithPicture(page, { name: 'logo.png', mimeType: 'image/png', buffer: await logoPng() });
  await addText(page, 'Ann');
  await expect(page.getByText('Saved on this device')).toBeVisible();
  await context.clearCookies(); // another visitor, as far as the server knows
  await page.reload();
  await expect(page.getByText('Your picture is no longer here').first()).toBeVisible();
  await expect(textElement(page).locator('path').first()).toBeAttached();
  await expect(element(page, 'design')).toHaveCount(0);
});

test('a text is placed with keys alone', async ({ page }) => {
  await openStudio(page);
  // To a blank: search, Tab to the card, Enter.
  await page.getByRole('searchbox', { name: 'Search products' }).focus();
  await page.keyboard.type(TUMBLER);
  await tabTo(page, page.getByRole('button', { name: TUMBLER }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('tab', { name: 'Upload Image' }));
  await page.keyboard.press('ArrowRight');
  await tabTo(page, page.getByPlaceholder(/Type a name/));
  await page.keyboard.type('Ann');
  await expect(textElement(page).locator('path').first()).toBeAttached();

  await tabTo(page, stage(page));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowRight');
  const area = await readMachineArea(page);
  const numbers = await readNumbers(page, /Ann/);
  expect(numbers.x).toBeCloseTo(0.05 * area.width, 1);
  expect(numbers.y).toBeCloseTo(0.01 * area.height, 1);

  await stage(page).focus();
  await page.keyboard.press('Delete');
  await expect(textElement(page)).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(textElement(page)).toHaveCount(1);
});

test('the machine area is set in numbers and moved with keys, and elements keep their size', async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Ann');
  const whole = await readMachineArea(page);
  const before = await readNumbers(page, /Ann/);

  await page.getByRole('button', { name: /^Change the machine area/ }).click();
  const field = (name: RegExp) => page.getByRole('spinbutton', { name });
  await field(/Machine area height/).fill('80');
  await page.keyboard.press('Enter');
  await expect.poll(() => readMachineArea(page)).toEqual({ width: whole.width, height: 80 });
  await stage(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(field(/Vertical offset/)).toHaveValue('0.8');

  const after = await readNumbers(page, /Ann/);
  expect([after.width, after.height]).toEqual([before.width, before.height]);
  expect(after.y).toBeCloseTo(before.y - 0.8, 1);
  await page.getByRole('button', { name: /^Change the machine area/ }).click();
  await page.getByRole('button', { name: 'Reset to print area' }).click();
  await expect.poll(() => readMachineArea(page)).toEqual(whole);
});

test('a new text is placed under the design, the next one under it', async ({ page }) => {
  await openWithPicture(page, { name: 'logo.png', mimeType: 'image/png', buffer: await logoPng() });
  await addText(page, 'Ann');
  await page.getByRole('button', { name: 'Add text' }).click();
  await page.getByPlaceholder(/Type a name/).fill('& Finn');
  await expect(textElement(page)).toHaveCount(2);
  const design = await readNumbers(page, /logo/);
  const first = await readNumbers(page, /Ann/);
  const second = await readNumbers(page, /Finn/);
  expect(first.y - first.height / 2).toBeGreaterThan(design.y + design.height / 2);
  expect(second.y - second.height / 2).toBeGreaterThan(first.y + first.height / 2);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the steps fold, nothing overflows, and a finger places the text', async ({ page }) => {
    await openStudioNarrow(page);
    await chooseProduct(page);
    await addText(page, 'Ann');
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByRole('button', { name: /Position & Preview/ }).click();
    const right = page.getByRole('button', { name: 'Move right' });
    await expect(right).toBeVisible();
    const box = await boxAtRest(right);
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
    await right.tap();
    await expect(page.getByRole('spinbutton', { name: /Horizontal position/ })).toHaveValue('0.6');
    await expectNoFaults(page);
  });
});

async function openStudioNarrow(page: Page): Promise<void> {
  await page.goto('/studio');
  await expect(page.getByRole('button', { name: /Select Product/ })).toHaveAttribute('aria-expanded', 'true');
}

test('no page violates the policy it is served with', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto('/auth');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await openWithPicture(page, { name: 'logo.png', mimeType: 'image/png', buffer: await logoPng() });
  await addText(page, 'Ann', 'Lobster');
  await page.getByRole('button', { name: 'Export PNG Preview' }).hover();
  await page.getByRole('button', { name: 'Export PNG Preview' }).click();
  const dialog = page.getByRole('dialog', { name: 'PNG Export Requires Account' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).first().hover();
  await expect(page.getByRole('tooltip')).toBeVisible();
  expect(complaints).toEqual([]);
});
