/** Settings before a trace: crop, brightness and threshold. */
import type { Locator, Page } from '@playwright/test';
import { signInAsNew } from './accounts.ts';
import { pngFile } from './pictures.ts';
import {
  boxAtRest,
  chooseProduct,
  dropFile,
  element,
  openSettings,
  readNumbers,
  settingGroup,
  stage,
  storedWith,
  waitForDrawing,
  waitForTrace,
  waitUntilLoaded,
} from './studio.ts';
import { expect, test } from './test.ts';

/** Two bars on white, far apart, and a soft disc: what is cropped away and what a threshold moves. 800 × 600. */
const picture = () =>
  pngFile(
    'bars.png',
    `<defs><radialGradient id="g"><stop offset="0.2" stop-color="#000"/><stop offset="1" stop-color="#fff"/></radialGradient></defs>
      <rect width="800" height="600" fill="#fff"/><rect x="60" y="80" width="200" height="440" fill="#111"/>
      <circle cx="600" cy="300" r="160" fill="url(#g)"/>`,
  );

async function compose(page: Page): Promise<void> {
  await signInAsNew(page);
  await page.goto('/studio');
  await chooseProduct(page);
  await dropFile(page, await picture());
  await waitForTrace(page);
}

const openCrop = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Crop', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Crop/ });
  await expect(dialog.getByRole('button', { name: /^Crop frame/ })).toBeFocused();
  return dialog;
};
const number = (dialog: Locator, name: string) => dialog.getByRole('spinbutton', { name });
async function setNumber(page: Page, field: Locator, value: number): Promise<void> {
  await field.fill(String(value));
  await page.keyboard.press('Enter');
}
const outlines = (page: Page) =>
  element(page, 'design')
    .locator('path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')).join());

test('a picture is cropped in a frame, and its threshold changed', { tag: '@detail' }, async ({ page }) => {
  await compose(page);

  await test.step('the frame is set by mouse and by keys, keeps an aspect, and is trimmed to the picture', async () => {
    const dialog = await openCrop(page);
    const frame = dialog.getByRole('button', { name: /^Crop frame/ });
    await expect(frame).toHaveAccessibleName('Crop frame, 800 × 600 pixels at 0, 0');

    await page.keyboard.press('Alt+Shift+ArrowLeft');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Shift+ArrowRight');
    await expect(frame).toHaveAccessibleName('Crop frame, 790 × 599 pixels at 10, 0');

    await dialog.getByRole('button', { name: 'Trim empty edges' }).click();
    await expect(number(dialog, 'Crop left edge')).toHaveValue('60');
    await expect(number(dialog, 'Crop top edge')).toHaveValue('80');
    await expect(number(dialog, 'Crop height')).toHaveValue('440');

    await dialog.getByRole('radio', { name: '1:1' }).check();
    await expect(number(dialog, 'Crop width')).toHaveValue('440');
    await expect(frame).toHaveAccessibleName(/440 × 440 pixels/);
    const box = await boxAtRest(frame);
    const scale = box.width / 440;
    await page.mouse.move(box.x + box.width, box.y + box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 100 * scale, box.y + box.height - 100 * scale, { steps: 4 });
    await page.mouse.up();
    const side = async () => Number(await number(dialog, 'Crop width').inputValue());
    await expect.poll(async () => Math.abs((await side()) - 340)).toBeLessThanOrEqual(2);
    await expect(number(dialog, 'Crop height')).toHaveValue(String(await side()));

    // A tablet is turned: the page takes its narrow form when the window is done with.
    const sideBefore = await side();
    await page.setViewportSize({ width: 820, height: 1180 });
    await boxAtRest(frame);
    expect(await side()).toBe(sideBefore);
    await dialog.getByRole('button', { name: 'All of the picture' }).click();
    await expect(frame).toHaveAccessibleName('Crop frame, 800 × 600 pixels at 0, 0');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('region', { name: 'This design' })).toBeVisible();
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByRole('region', { name: 'This design' })).toBeHidden();

    await openCrop(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Crop', exact: true })).toBeFocused();
    await expect(page.getByText('800 × 600 px', { exact: true })).toBeVisible();
  });

  await test.step('a threshold changes where ink begins, live and stored, and Auto finds it again', async () => {
    const automatic = await outlines(page);
    await openSettings(page);
    const slider = page.getByRole('slider', { name: 'Threshold' });
    await expect(slider).toHaveAttribute('aria-valuetext', 'Found by itself');
    const field = page.getByRole('spinbutton', { name: 'Threshold in percent' });
    await expect(field).toHaveCount(0);
    await slider.press('ArrowLeft');
    await expect(field).toHaveValue('49');
    await storedWith(
      page,
      ({ threshold }) => threshold === 20,
      () => setNumber(page, field, 20),
    );
    await expect.poll(() => outlines(page)).not.toBe(automatic);
    const widths = () =>
      element(page, 'design')
        .locator('path')
        .evaluateAll((paths) => paths.reduce((sum, path) => sum + path.getBoundingClientRect().width, 0));
    const little = await widths();
    await setNumber(page, field, 80);
    await expect.poll(widths).toBeGreaterThan(1.1 * little);
    await page.getByRole('button', { name: 'Auto' }).click();
    await expect(slider).toHaveAttribute('aria-valuetext', 'Found by itself');
    await expect.poll(() => outlines(page)).toBe(automatic);
    // Unfolded, the settings stand in the place of the button that crops.
    await settingGroup(page, 'Picture').click();
  });

  await test.step('half a picture stays where it was, as large as its ink, and one key restores the whole', async () => {
    const whole = await readNumbers(page, /bars\.png/);
    const before = await outlines(page);

    const dialog = await openCrop(page);
    await setNumber(page, number(dialog, 'Crop width'), 400);
    await setNumber(page, number(dialog, 'Crop left edge'), 400);
    // The bar, 440 of the picture's 600 pixels high, is all the height there is.
    const [frameMm] = /^[\d.]+/.exec(await dialog.getByText(/on the product$/).innerText()) ?? [];
    expect(Math.abs(Number(frameMm) - (400 * whole.height) / 440)).toBeLessThan(0.2);
    await storedWith(
      page,
      ({ crop }) => crop !== undefined,
      () => dialog.getByRole('button', { name: 'Apply' }).click(),
    );
    await expect(dialog).toBeHidden();
    await expect(page.getByText('400 × 600 px cropped')).toBeVisible();

    await expect(element(page, 'design').locator('path')).toHaveCount(1);
    // The disc is left, with its right edge where it was: it is as high as wide, and as high up as the bar.
    const half = await readNumbers(page, /bars\.png/);
    const isNear = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(0.3);
    isNear(half.x + half.width / 2, whole.x + whole.width / 2);
    isNear(half.y, whole.y);
    isNear(half.width, half.height);
    expect(half.width).toBeLessThan(0.8 * whole.width);
    // The label below it says the same.
    await expect(
      stage(page)
        .getByText(new RegExp(`^${half.width.toFixed(1)} (mm|×)`))
        .first(),
    ).toBeVisible();
    await stage(page).focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => outlines(page)).toBe(before);
    expect(await readNumbers(page, /bars\.png/)).toEqual(whole);
    await expect(page.getByText('800 × 600 px', { exact: true })).toBeVisible();
    await stage(page).focus();
    await page.keyboard.press('Control+Shift+z');
    await expect(page.getByText('400 × 600 px cropped')).toBeVisible();
    await page.reload();
    await waitUntilLoaded(page);
    await expect(page.getByText('400 × 600 px cropped')).toBeVisible();
    await expect(async () => expect(await readNumbers(page, /bars\.png/)).toEqual(half)).toPass();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });

  test('the frame follows a finger, by a corner and as a whole', { tag: '@detail' }, async ({ page }) => {
    await compose(page);
    const dialog = await openCrop(page);
    const frame = dialog.getByRole('button', { name: /^Crop frame/ });
    const client = await page.context().newCDPSession(page);
    const drag = async (from: { x: number; y: number }, dx: number, dy: number) => {
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
        client.send('Input.dispatchTouchEvent', { type, touchPoints: points });
      await send('touchStart', [from]);
      for (const part of [0.3, 0.7, 1]) await send('touchMove', [{ x: from.x + dx * part, y: from.y + dy * part }]);
      await send('touchEnd', []);
    };
    const box = await boxAtRest(frame);
    const perPx = 800 / box.width;
    // A finger is wider than a handle: beside it counts too.
    await drag({ x: box.x + box.width - 9, y: box.y + box.height - 9 }, -80, -60);
    const off = async (name: string, expected: number) =>
      Math.abs(Number(await number(dialog, name).inputValue()) - expected);
    await expect.poll(() => off('Crop width', 800 - 80 * perPx)).toBeLessThan(6);
    await expect.poll(() => off('Crop height', 600 - 60 * perPx)).toBeLessThan(6);
    await waitForDrawing(page);
    const width = await number(dialog, 'Crop width').inputValue();
    const height = await number(dialog, 'Crop height').inputValue();
    await drag({ x: box.x + 100, y: box.y + 70 }, 40, 20);
    await expect.poll(() => off('Crop left edge', 40 * perPx)).toBeLessThan(6);
    await expect(number(dialog, 'Crop width')).toHaveValue(width);
    // The browser takes one tap in ten that follows a swipe at once for a part of it.
    await expect(async () => {
      if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Apply' }).tap();
      await expect(dialog).toBeHidden({ timeout: 5_000 });
    }).toPass();
    await expect(page.getByText(`${width} × ${height} px cropped`)).toBeVisible();
  });
});
