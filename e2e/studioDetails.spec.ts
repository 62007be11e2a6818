/** Specified numbers of the studio: ranges of sliders, durations, sizes, and targets of links. */
import type { Locator, Page } from '@playwright/test';
import { fillInAdminLogin, signInAsAdmin } from './accounts.ts';
import { logoPng } from './pictures.ts';
import {
  addText,
  boxAtRest,
  chooseProduct,
  dropFile,
  openStudio,
  stage,
  waitForDrawing,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';

const notices = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
const preview = (page: Page) => page.getByRole('complementary', { name: 'Live Preview' });

async function openSignedIn(page: Page): Promise<void> {
  await signInAsAdmin(page);
  await page.goto('/studio');
  await chooseProduct(page);
}

/** Notices come of a file that is no picture. */
const refuseFile = (page: Page) =>
  dropFile(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not a picture') });

test('every slider has its range, its step and its start', async ({ page }) => {
  await openSignedIn(page);
  await page.getByRole('radio', { name: /UV printer/i }).check();
  await dropFile(page, { name: 'logo.png', mimeType: 'image/png', buffer: await logoPng() });
  await waitForTrace(page);
  const expectRange = async (name: string, min: number, max: number, step: number, initial?: number) => {
    const slider = page.getByRole('slider', { name, exact: true });
    await expect(slider, name).toHaveAttribute('aria-valuemin', String(min));
    await expect(slider, name).toHaveAttribute('aria-valuemax', String(max));
    const now = async () => Number(await slider.getAttribute('aria-valuenow'));
    const before = await now();
    if (initial !== undefined) expect(before, name).toBe(initial);
    await slider.press('ArrowRight');
    await expect.poll(now, name).toBeCloseTo(before + step, 6);
    await slider.press('End');
    await expect.poll(now, name).toBe(max);
    await slider.press('Home');
    await expect.poll(now, name).toBe(min);
  };
  await expectRange('Despeckle', 0, 10, 1, 0);
  await expectRange('Palette size', 2, 256, 1);
  await expectRange('Size', 5, 500, 5);
  await expectRange('Rotation', 0, 360, 1, 0);
  await expectRange('Product rotation', 0, 360, 1, 0);
  await addText(page, 'Ann');
  await expectRange('Font size', 0.11, 1, 0.01, 0.22);
  await expect(page.getByRole('group', { name: 'Text color' }).getByRole('radio')).toHaveCount(9);
  await expect(page.getByLabel('Custom color')).toBeVisible();
});

test('Live Preview is small or expanded, follows what changes, and hides while a file is made', async ({ page }) => {
  await openSignedIn(page);
  await expect(preview(page)).toHaveCount(0);
  await addText(page, 'Ann');
  await expect(page.getByText('Design Ready!')).toBeVisible();
  await expect(page.getByText('Laser engraver, 20 oz Skinny Tumbler, Matte Black')).toBeVisible();
  const image = preview(page).getByRole('img', { name: 'Your product' });
  const outlines = () => image.locator('[data-element^="text:"] path').first().getAttribute('d');
  await expect(image.locator('[data-element^="text:"]')).toBeAttached();
  const first = await outlines();
  await page.getByPlaceholder(/Type a name/).fill('Annabel');
  await expect.poll(outlines).not.toBe(first);

  const windowPx = async () => (await image.locator('..').boundingBox())!.width;
  const { width: small } = await boxAtRest(image.locator('..'));
  expect((await boxAtRest(image)).width).toBeCloseTo(0.8 * small, 0);
  await page.getByRole('button', { name: 'Expand preview' }).click();
  await expect.poll(windowPx).toBeGreaterThan(2 * small);
  await page.getByRole('button', { name: 'Shrink preview' }).click();
  await expect.poll(windowPx).toBe(small);

  let goOn = () => {};
  const mayAnswer = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route('**/api/exports/mockup', async (route) => {
    await mayAnswer;
    await route.fulfill({ status: 503, json: { message: 'Not now.' } });
  });
  await page.getByRole('button', { name: 'Export PNG Preview' }).click();
  await expect(preview(page)).toHaveCount(0);
  goOn();
  await expect(preview(page)).toBeVisible();

  await page.getByRole('button', { name: 'Close preview' }).click();
  await page.getByPlaceholder(/Type a name/).fill('Anna');
  await expect(page.getByRole('button', { name: /^Text Anna\b/ }).first()).toBeVisible();
  await waitForDrawing(page);
  await expect(preview(page)).toHaveCount(0);
});

test('a step that cannot be used yet is dimmed; Ctrl with plus, minus and zero zooms', async ({ page }) => {
  await openStudio(page);
  const color = (step: number) =>
    page.locator(`[data-step="${step}"] h2`).evaluate((heading) => getComputedStyle(heading).color);
  await expect.poll(() => color(3)).not.toBe(await color(2));
  expect(await color(3)).toBe(await color(4));
  await expect(
    page.getByRole('searchbox', { name: 'Search products' }).locator('xpath=../following-sibling::*[1]'),
  ).toHaveCSS('max-height', '384px');

  await chooseProduct(page);
  await expect.poll(() => color(3)).toBe(await color(1));
  const zoom = page.getByLabel('Zoom', { exact: true });
  await stage(page).focus();
  await page.keyboard.press('Control++');
  await expect(zoom).toHaveText('110%');
  for (let i = 0; i < 8; i++) await page.keyboard.press('Control+-');
  await expect(zoom).toHaveText('50%');
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect(zoom).toHaveText('25%');
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeDisabled();
  await page.keyboard.press('Control+0');
  await expect(zoom).toHaveText('100%');
});

test('what was used last is offered first at the next visit', async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page, 'Slate Coaster, 4 in Square');
  await chooseProduct(page);
  await page.reload();
  const recent = page.getByRole('region', { name: 'Recently used' }).getByRole('button');
  await expect(recent).toHaveText([/^20 oz Skinny Tumbler, Matte Black/, /^Slate Coaster, 4 in Square/]);
  await page.getByRole('searchbox', { name: 'Search products' }).fill('tumbelr');
  await expect(recent).toHaveCount(0);
  await expect(page.getByRole('region', { name: /^Tumblers/ })).toBeVisible();
});

test('columns that stand side by side scroll, and the page does not', async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Hazel & Finn');
  const pageHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
  await expect.poll(pageHeight).toBe(900);
  await page.setViewportSize({ width: 1440, height: 620 });
  await expect.poll(pageHeight).toBe(620);
});

test('the status line shows each part whole or not at all', async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  await addText(page, 'Hazel & Finn');
  const line = page.getByTitle('Machine area', { exact: true }).locator('..');
  for (const width of [1440, 1240, 1180, 1100, 820, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(line).toContainText(/\d mm/);
    await waitForDrawing(page);
    const findCut = () =>
      line.evaluate((node) => {
        const frame = node.getBoundingClientRect();
        const parts = [...node.querySelectorAll('span')].map((part) => ({
          text: part.textContent,
          box: part.getBoundingClientRect(),
        }));
        const isOnLine = (box: DOMRect) => box.width > 1 && box.top < frame.bottom - 4;
        return parts.filter(({ box }) => isOnLine(box) && box.right > frame.right + 0.5).map(({ text }) => text);
      });
    await expect.poll(findCut, `${width} px wide`).toEqual([]);
  }
});

test('a tooltip appears after 700 ms, and the next one at once within 300 ms', async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  const rotate = page.getByRole('button', { name: 'Rotate product 90°' });
  await rotate.scrollIntoViewIfNeeded();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const tip = page.getByRole('tooltip');
  await rotate.hover();
  await page.clock.runFor(690);
  await expect(tip).toHaveCount(0);
  await page.clock.runFor(20);
  await expect(tip).toHaveText('Rotate product 90°');

  await stage(page).hover({ position: { x: 40, y: 40 } });
  await page.clock.runFor(200);
  await expect(tip).toHaveCount(0);
  await page.clock.runFor(80);
  await page.getByRole('button', { name: 'Zoom in' }).hover();
  await page.clock.runFor(10);
  await expect(tip).toContainText('Zoom in');
  await stage(page).hover({ position: { x: 40, y: 40 } });
  await page.clock.runFor(200 + 310);
  await rotate.hover();
  await page.clock.runFor(600);
  await expect(tip).toHaveCount(0);
});

test('a notice stays five seconds, is swiped away past 50 px, and never lies over the exports', async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  await refuseFile(page);
  await expect(notices(page)).toHaveCount(1);
  const box = await boxAtRest(notices(page));
  expect(box.width).toBeLessThanOrEqual(420);
  await expectApart(notices(page), page.getByRole('region', { name: 'Export' }));

  const swipe = async (px: number) => {
    await page.mouse.move(box.x + 120, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 120 + px, box.y + 20, { steps: 8 });
    await page.mouse.up();
  };
  await swipe(44);
  await expect(notices(page)).toHaveCount(1);
  await swipe(60);
  await expect(notices(page)).toHaveCount(0);

  await page.mouse.move(5, 5);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await refuseFile(page);
  await expect(notices(page)).toHaveCount(1);
  await page.clock.runFor(4900);
  await expect(notices(page)).toHaveCount(1);
  await page.clock.runFor(300);
  await expect(notices(page)).toHaveCount(0);
});

test('of several dropped pictures only the first is uploaded', async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  const uploads: string[] = [];
  await page.route('**/api/designs/upload', (route) => {
    uploads.push(route.request().postDataBuffer()?.toString('latin1') ?? '');
    return route.fulfill({ status: 400, json: { message: 'No.' } });
  });
  const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(name) });
  await dropFile(page, picture('first.png'), picture('second.png'));
  await expect(page.getByText('Upload Failed', { exact: true })).toBeVisible();
  expect(uploads).toHaveLength(1);
  expect(uploads[0]).toContain('filename="first.png"');
});

test('a typeface that does not load within three seconds is replaced by the default one', async ({ page }) => {
  await openStudio(page);
  await chooseProduct(page);
  await page.route(/\/fonts\/lobster/i, () => undefined); // never answered
  // Timed by the page's own clock, because the test learns of a request some time after it.
  await page.evaluate(() => {
    const originalFetch = window.fetch;
    window.fetch = (...request) => {
      if (/lobster/i.test(String(request[0]))) Object.assign(window, { requestedAt: performance.now() });
      return originalFetch(...request);
    };
  });
  const textOnStage = addText(page, 'Ann', 'Lobster');
  await expect(notices(page)).toContainText('Lobster did not load');
  const waitedMs = await page.evaluate(
    () => performance.now() - (window as unknown as { requestedAt: number }).requestedAt,
  );
  expect(waitedMs).toBeGreaterThan(2900);
  await expect((await textOnStage).locator('path').first()).toBeAttached();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a notice lies over the bar, and the name gives the links their room', async ({ page }) => {
    await page.goto('/studio');
    await chooseProduct(page);
    await refuseFile(page);
    const exports = page.getByRole('region', { name: 'Export' });
    await exports.scrollIntoViewIfNeeded();
    await expectApart(notices(page), exports);

    const bar = page.getByRole('banner');
    const items = await bar.getByRole('link').or(bar.getByRole('button')).all();
    const allBoxes = (await Promise.all(items.map((each) => each.boundingBox()))).filter((box) => box !== null);
    // The way past the bar waits above the window until a key reaches it.
    const boxes = allBoxes.filter(({ y }) => y >= 0);
    expect(boxes.length).toBeGreaterThan(2);
    for (const [i, box] of boxes.entries()) {
      const next = boxes[i + 1];
      if (next) expect(next.x).toBeGreaterThanOrEqual(box.x + box.width - 0.5);
      expect(box.x + box.width).toBeLessThanOrEqual(390);
    }
  });
});

test('the header shows each visitor the links that are for them', async ({ page }) => {
  const hrefs = () =>
    page
      .getByRole('banner')
      .locator('a[href]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  await openStudio(page);
  await expect(page.getByRole('link', { name: 'Login / Sign Up' })).toBeVisible();
  expect(await hrefs()).toEqual(expect.arrayContaining(['/', '/auth?next=%2Fstudio', '/plans', '/feedback']));
  expect(await hrefs()).not.toContain('/profile');
  await page.getByRole('link', { name: 'Login / Sign Up' }).click();
  await fillInAdminLogin(page);
  await expect(page.getByRole('link', { name: 'Profile' })).toBeVisible();
  expect(await hrefs()).toEqual(expect.arrayContaining(['/', '/plans', '/feedback', '/admin', '/profile']));
});

async function expectApart(a: Locator, b: Locator): Promise<void> {
  const [one, other] = [await boxAtRest(a), await boxAtRest(b)];
  const isApart =
    one.x + one.width <= other.x ||
    other.x + other.width <= one.x ||
    one.y + one.height <= other.y ||
    other.y + other.height <= one.y;
  expect(isApart, JSON.stringify([one, other])).toBe(true);
}
