/** Tilted pictures: the offer to straighten them, and the angle and corners of the crop dialog. */
import type { Locator, Page } from '@playwright/test';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { tiltedSign } from './pictures.ts';
import { readProductionFile, unite } from './productionFile.ts';
import {
  boxAtRest,
  chooseProduct,
  dropFile,
  element,
  middleOf,
  openStudio,
  readNumbers,
  save,
  stage,
  storedWith,
  waitForTrace,
  waitUntilLoaded,
} from './studio.ts';
import { expect, test } from './test.ts';
import { dragByFinger } from './touch.ts';

/** The width over the height of the frame; turned by 7° its box is 674 × 396. */
const STRAIGHT = 640 / 320;
const aspectOf = ({ width, height }: { width: number; height: number }) => width / height;

const offer = (page: Page): Locator => page.getByRole('note').filter({ hasText: 'tilted by 7.0°' });
const outlines = (page: Page) =>
  element(page, 'design')
    .locator('path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')).join());

async function dropSign(page: Page): Promise<void> {
  await dropFile(page, await tiltedSign('sign.png'));
  await waitForTrace(page);
  await expect(offer(page)).toBeVisible();
}

test('a tilted picture is straightened, by the offer and in the crop dialog', { tag: '@detail' }, async ({ page }) => {
  await signInAsAdmin(page);
  await openStudio(page);
  await chooseProduct(page);

  await test.step('it is offered straightened, with one click, and its file is straight', async () => {
    await dropSign(page);
    const before = await outlines(page);
    await expectNoFaults(page, 'the offer to straighten', '[role=note]');
    // Nothing is done unasked.
    await expect(page.getByText('1000 × 700 px', { exact: true })).toBeVisible();
    await storedWith(
      page,
      ({ straighten }) => straighten !== undefined,
      () => offer(page).getByRole('button', { name: 'Straighten', exact: true }).click(),
    );
    await expect(offer(page)).toBeHidden();
    await expect(page.getByText(/× \d+ px straightened$/)).toBeVisible();
    await waitForTrace(page);
    const file = await save(page, 'Export for Production Processing');
    const { paths } = await readProductionFile(page, file.bytes.toString());
    expect(Math.abs(aspectOf(unite(paths.map(({ box }) => box))) - STRAIGHT)).toBeLessThan(0.01);

    await test.step('one key takes it back, and what is saved comes back straight', async () => {
      await stage(page).focus();
      await page.keyboard.press('Control+z');
      await expect.poll(() => outlines(page)).toBe(before);
      await expect(page.getByText('1000 × 700 px', { exact: true })).toBeVisible();
      await stage(page).focus();
      await page.keyboard.press('Control+Shift+z');
      await expect(page.getByText(/px straightened$/)).toBeVisible();
      await page.reload();
      await waitUntilLoaded(page);
      await expect(page.getByText(/px straightened$/)).toBeVisible();
      await expect(offer(page)).toBeHidden();
    });
  });

  await test.step('the crop dialog straightens by an angle and by corners, with keys', async () => {
    await page.getByRole('button', { name: 'Remove design' }).click();
    await dropSign(page);
    const openCrop = async () => {
      await page.getByRole('button', { name: 'Crop', exact: true }).click();
      return page.getByRole('dialog', { name: /^Crop/ });
    };
    await test.step('a part of the picture is still offered straightened, and stays that part', async () => {
      const dialog = await openCrop();
      await dialog.getByRole('spinbutton', { name: 'Crop width' }).fill('900');
      await page.keyboard.press('Enter');
      await storedWith(
        page,
        ({ crop }) => crop !== undefined,
        () => dialog.getByRole('button', { name: 'Apply' }).click(),
      );
      await storedWith(
        page,
        ({ straighten, crop }) => straighten !== undefined && crop !== undefined,
        () => offer(page).getByRole('button', { name: 'Straighten', exact: true }).click(),
      );
      await expect(offer(page)).toBeHidden();
      await stage(page).focus();
      await page.keyboard.press('Control+z');
      await page.keyboard.press('Control+z');
      await expect(offer(page)).toBeVisible();
    });
    await offer(page).getByRole('button', { name: 'Leave the picture as it is' }).click();
    await expect(offer(page)).toBeHidden();
    const dialog = await openCrop();
    const frame = dialog.getByRole('button', { name: /^Crop frame/ });
    const angle = dialog.getByRole('spinbutton', { name: 'Angle in degrees' });
    await expect(frame).toHaveAccessibleName('Crop frame, 1000 × 700 pixels at 0, 0');
    await angle.fill('7');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await expect(angle).toHaveValue('7.1');
    await page.keyboard.press('ArrowDown');
    // All of the turned picture is inside of the frame.
    await expect(frame).toHaveAccessibleName('Crop frame, 1078 × 817 pixels at 0, 0');

    await dialog.getByRole('radio', { name: 'Corners' }).click();
    const corner = dialog.getByRole('button', { name: /^Top left corner/ });
    const nameOf = async () => (await corner.getAttribute('aria-label'))!;
    const [, x, y] = /at (-?\d+), (-?\d+)$/.exec(await nameOf())!.map(Number);
    await corner.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowDown');
    await expect.poll(nameOf).toBe(`Top left corner at ${x! + 10}, ${y! + 1}`);

    await test.step('a mouse drags a corner', async () => {
      const { x: fromX, y: fromY } = await middleOf(corner);
      await page.mouse.move(fromX, fromY);
      await page.mouse.down();
      await page.mouse.move(fromX + 30, fromY + 20, { steps: 4 });
      await page.mouse.up();
      const [, toX, toY] = /at (-?\d+), (-?\d+)$/.exec(await nameOf())!.map(Number);
      // A pixel of the screen is more than one of the picture.
      expect(toX! - x! - 10).toBeGreaterThan(30);
      expect((toX! - x! - 10) / (toY! - y! - 1)).toBeCloseTo(30 / 20, 0);
    });

    await dialog.getByRole('button', { name: 'As it was taken' }).click();
    await expect(corner).toHaveAccessibleName('Top left corner at 0, 0');
    await dialog.getByRole('button', { name: 'Find corners' }).click();
    await expect(dialog.getByText('The picture is tilted by 7.0°.')).toBeVisible();
    await dialog.getByRole('radio', { name: 'Crop' }).click();
    await expect(angle).toHaveValue('7.0');
    await storedWith(
      page,
      ({ straighten }) => straighten !== undefined,
      () => dialog.getByRole('button', { name: 'Apply' }).click(),
    );
    await expect(page.getByText(/px straightened$/)).toBeVisible();
    await waitForTrace(page);
    expect(Math.abs(aspectOf(await readNumbers(page, /sign\.png/)) - STRAIGHT)).toBeLessThan(0.02);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a finger drags a corner, and the picture is straightened by it', { tag: '@detail' }, async ({ page }) => {
    await page.goto('/studio');
    await chooseProduct(page);
    await page.getByLabel('Design file').setInputFiles(await tiltedSign('sign.png'));
    await waitForTrace(page);
    await page.getByRole('button', { name: 'Crop', exact: true }).tap();
    const dialog = page.getByRole('dialog', { name: /^Crop/ });
    await dialog.getByText('Corners', { exact: true }).tap();
    await expect(dialog.getByText('The picture is tilted by 7.0°.')).toBeVisible();
    const corner = dialog.getByRole('button', { name: /^Bottom right corner/ });
    const size = await boxAtRest(corner);
    expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(24);
    const before = (await corner.getAttribute('aria-label'))!;
    await dragByFinger(page, corner, -30, -20);
    await expect(corner).not.toHaveAttribute('aria-label', before);
    const placeOf = (label: string) => /at (-?\d+), (-?\d+)$/.exec(label)!.slice(1).map(Number);
    const [from, to] = [placeOf(before), placeOf((await corner.getAttribute('aria-label'))!)];
    // A pixel of the screen is about three of the picture.
    expect(to[0]! - from[0]!).toBeLessThan(-50);
    expect((to[0]! - from[0]!) / (to[1]! - from[1]!)).toBeCloseTo(30 / 20, 0);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText(/px straightened$/)).toBeAttached();
  });
});
