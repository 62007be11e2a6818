/** Background removal: with the brush and the edge settings, undone, and refused for a busy background. */
import type { Locator, Page } from '@playwright/test';
import { signInAsAdmin, signInAsNew } from './accounts.ts';
import { expectNoFaults } from './axe.ts';
import { logoSvg, pngFile } from './pictures.ts';
import {
  boxAtRest,
  chooseMachine,
  chooseProduct,
  dropFile,
  element,
  openStep,
  openStudio,
  save,
  waitForTrace,
} from './studio.ts';
import { expect, intercept, test } from './test.ts';

const [SAGE, NAVY, RED, GOLD] = ['#b9d3c0', '#14213d', '#c8102e', '#f6c915'];

async function chooseUv(page: Page): Promise<void> {
  await openStudio(page);
  await page.getByRole('radio', { name: /UV printer/i }).click();
  await chooseProduct(page);
}

const badge = `<rect x="100" y="80" width="600" height="440" fill="${NAVY}"/>
  <circle cx="400" cy="300" r="160" fill="${RED}"/><circle cx="400" cy="300" r="24" fill="${GOLD}"/>`;
/** On colored paper, which a UV printer would print too. */
const onPaper = () => pngFile('badge.png', `<rect width="800" height="600" fill="${SAGE}"/>${badge}`);
const stripes = [SAGE, NAVY, GOLD, RED].map((color, i) => `<path d="M${i * 200} 0h200v600h-200z" fill="${color}"/>`);
const onStripes = () => pngFile('stripes.png', stripes.join('') + badge);

const fills = (page: Page) =>
  element(page, 'design')
    .locator('path')
    .evaluateAll((paths) => [...new Set(paths.map((path) => path.getAttribute('fill')))].sort());
const removeButton = (page: Page) => page.getByRole('button', { name: 'Remove background' });
const editButton = (page: Page) => page.getByRole('button', { name: 'Edit cut-out' });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Background of/ });
const sheet = (dialog: Locator) => dialog.getByRole('application', { name: /^Cut-out of/ });
const done = (dialog: Locator) => dialog.getByRole('button', { name: 'Done' });
async function openDialog(page: Page, button: Locator): Promise<Locator> {
  await button.click();
  const dialog = dialogOf(page);
  await expect(done(dialog)).toBeEnabled();
  return dialog;
}
/** How opaque the shown cut-out is at a place of the picture, 0…255. */
const alphaAt = (dialog: Locator, x: number, y: number) =>
  dialog.locator('canvas').evaluate(
    (canvas: HTMLCanvasElement, [x, y]) => {
      const context = canvas.getContext('2d')!;
      return context.getImageData(Math.round(x * canvas.width), Math.round(y * canvas.height), 1, 1).data[3]!;
    },
    [x, y] as const,
  );
/** Of a place of the picture, on screen. */
async function screenOf(dialog: Locator, x: number, y: number) {
  const box = await boxAtRest(dialog.locator('canvas'));
  return { x: box.x + x * box.width, y: box.y + y * box.height };
}

test('a background is removed and corrected with brush, keys and edge, and restored again', { tag: '@detail' }, async ({
  page,
}) => {
  await signInAsAdmin(page);
  await chooseUv(page);
  await dropFile(page, await onPaper());
  await waitForTrace(page);
  await expect.poll(() => fills(page)).toEqual([SAGE, NAVY, RED, GOLD].sort());

  let dialog = await openDialog(page, removeButton(page));
  await expect.poll(() => alphaAt(dialog, 0.02, 0.02)).toBe(0);
  await expect.poll(() => alphaAt(dialog, 0.5, 0.5)).toBe(255);
  const divider = dialog.getByRole('slider', { name: 'Before and after' });
  await divider.focus();
  await page.keyboard.press('Home');
  await expect(divider).toHaveAttribute('aria-valuetext', '0 % original');
  await expectNoFaults(page, 'the window of a cut-out', 'dialog');

  // By mouse over the golden dot, undone and done again by keys.
  await dialog.getByRole('radio', { name: 'Erase' }).check();
  const dot = await screenOf(dialog, 0.5, 0.5);
  await page.mouse.move(dot.x - 6, dot.y);
  await page.mouse.down();
  await page.mouse.move(dot.x + 6, dot.y, { steps: 4 });
  await page.mouse.up();
  for (let i = 0; i < 3; i++) await page.keyboard.press(']');
  await expect(dialog.getByText('1 stroke')).toBeVisible();
  await expect.poll(() => alphaAt(dialog, 0.5, 0.5)).toBe(0);
  await page.keyboard.press('Control+z');
  await expect.poll(() => alphaAt(dialog, 0.5, 0.5)).toBe(255);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => alphaAt(dialog, 0.5, 0.5)).toBe(0);
  await page.keyboard.press('Control+z');

  // By keys alone: the brush stands where the mouse left it.
  await sheet(dialog).focus();
  await page.keyboard.press('ArrowLeft');
  const brush = dialog.getByRole('spinbutton', { name: /^Brush size/ });
  await brush.fill('12');
  await brush.press('Enter');
  await sheet(dialog).focus();
  await page.keyboard.press('Space');
  await expect(dialog.getByText('1 stroke')).toBeVisible();
  await expect.poll(() => alphaAt(dialog, 0.5, 0.5)).toBe(0);

  const feather = dialog.getByRole('spinbutton', { name: /^Feather/ });
  await expect.poll(() => alphaAt(dialog, 0.126, 0.3)).toBe(255);
  await feather.fill('3.2');
  await feather.press('Enter');
  await expect.poll(() => alphaAt(dialog, 0.126, 0.3)).toBeLessThan(250);
  await feather.fill('0');
  await feather.press('Enter');

  await test.step('saving the cut-out can be canceled, and loses nothing', async () => {
    const restore = await intercept(page, '**/api/designs/remove-background', () => undefined);
    await done(dialog).click();
    await expect(dialog.getByRole('progressbar', { name: 'Saving the cut-out' })).toBeVisible();
    await expectNoFaults(page, 'a cut-out that is saved', 'dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).first().click();
    await expect(dialog.getByText('1 stroke')).toBeVisible();
    await expect(done(dialog)).toBeEnabled();
    restore();
  });
  await done(dialog).click();
  await expect(dialog).toBeHidden();
  const notice = page.getByText('Background removed', { exact: true }).first();
  // A notice stays while the pointer is over it, however long the trace takes.
  await notice.hover();
  await expect.poll(() => fills(page)).toEqual([NAVY, RED].sort());
  await waitForTrace(page);
  // The notice of the trace does not replace it.
  await expect(notice).toBeVisible();
  const production = await save(page, 'Export for Production Processing');
  const text = production.bytes.toString();
  expect(text).toContain(RED);
  expect(text).not.toContain(SAGE);
  expect(text).not.toContain(GOLD);

  // In the next visit it is still gone, and the stroke is there to be undone.
  await page.reload();
  await expect.poll(() => fills(page)).toEqual([NAVY, RED].sort());
  dialog = await openDialog(page, editButton(page));
  await expect(dialog.getByText('1 stroke')).toBeVisible();
  await dialog.getByRole('button', { name: 'Undo stroke' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog.getByText('Your changes are not kept yet.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Go on editing' }).click();
  await dialog.getByRole('button', { name: 'Original' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => fills(page)).toEqual([SAGE, NAVY, RED, GOLD].sort());
  await expect(removeButton(page)).toBeEnabled();
});

test('a removal that is canceled, fails or is refused leaves the picture as it was', { tag: '@detail' }, async ({
  page,
  context,
}) => {
  await signInAsNew(page);
  await chooseUv(page);
  await dropFile(page, await onStripes());
  await waitForTrace(page);
  const dialog = dialogOf(page);

  await test.step('a running removal can be canceled; a lost connection and used-up mockups show a message', async () => {
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const restore = await intercept(page, '**/api/designs/remove-background', async (route) => {
      await mayAnswer;
      await route.abort().catch(() => undefined); // the page has given it up itself
    });
    await removeButton(page).click();
    await expect(dialog.getByText('This may take about 15 seconds.')).toBeVisible();
    await expectNoFaults(page, 'a removal that runs', 'dialog');
    await expect(done(dialog)).toBeDisabled();
    await dialog.getByRole('button', { name: 'Cancel' }).first().click();
    await expect(dialog).toBeHidden();
    await expect(removeButton(page)).toBeEnabled();
    answer();

    await context.setOffline(true);
    await removeButton(page).click();
    await expect(dialog.getByRole('alert')).toContainText('You are offline.');
    await context.setOffline(false);
    await expect(dialog.getByRole('alert')).toContainText('The connection is back. Please try again.');
    const sentence = "You've used your 4 free mockups this month. Create an account to go on.";
    restore();
    const restoreAllowance = await intercept(page, '**/api/designs/remove-background', (route) =>
      route.fulfill({ status: 402, json: { message: sentence } }),
    );
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('dialog')).toContainText(sentence);
    await page.keyboard.press('Escape');
    restoreAllowance();
  });

  await test.step('a busy background stays, with a message; an SVG has no button to remove it', async () => {
    await removeButton(page).click();
    await expect(dialog.getByRole('alert')).toContainText('The background stays');
    await expectNoFaults(page, 'a background that stays', 'dialog');
    await dialog.getByRole('button', { name: 'Keep the background' }).click();
    await expect(removeButton(page)).toBeEnabled();

    // The advice is for the laser, which would engrave the background too. The machine is a UV printer until now.
    const advice = page.getByRole('note').filter({ hasText: 'Background must be removed on images meant for laser' });
    await expect(advice).toHaveCount(0);
    await chooseMachine(page, /laser engraver/i);
    await openStep(page, 'Add Your Design & Text');
    await expect(advice).toBeVisible();

    await page.getByRole('button', { name: 'Remove design' }).click();
    await dropFile(page, { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: logoSvg() });
    await waitForTrace(page);
    await expect(removeButton(page)).toHaveCount(0);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('one finger paints, and two zoom', { tag: '@detail' }, async ({ page, context }) => {
    await signInAsNew(page);
    await page.goto('/studio');
    await chooseProduct(page);
    await dropFile(page, await onPaper());
    await waitForTrace(page);
    const dialog = await openDialog(page, removeButton(page));
    await dialog.getByText('Keep', { exact: true }).tap();
    const corner = await screenOf(dialog, 0.05, 0.05);
    await page.touchscreen.tap(corner.x, corner.y);
    await expect.poll(() => alphaAt(dialog, 0.05, 0.05)).toBe(255);

    const before = await boxAtRest(dialog.locator('canvas'));
    const middle = await screenOf(dialog, 0.5, 0.5);
    const touch = await context.newCDPSession(page);
    const fingers = (apart: number) => [-1, 1].map((side, id) => ({ x: middle.x + side * apart, y: middle.y, id }));
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(30) });
    for (const apart of [40, 60, 90]) {
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) });
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect
      .poll(async () => (await dialog.locator('canvas').boundingBox())!.width)
      .toBeGreaterThan(2 * before.width);
    // The pinch painted nothing.
    await expect(dialog.getByText('1 stroke')).toBeVisible();
    const bounds = await boxAtRest(done(dialog));
    expect(bounds.x + bounds.width).toBeLessThanOrEqual(390);
    expect(bounds.y + bounds.height).toBeLessThanOrEqual(844);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
