/** Specified numbers of the studio: ranges of sliders, durations, sizes, and its use on a phone. */
import type { Locator, Page } from '@playwright/test';
import { signInAsAdmin } from './accounts.ts';
import { expectNoFaults, WIDE } from './axe.ts';
import { speckledPng } from './pictures.ts';
import {
  addText,
  boxAtRest,
  chooseMachine,
  chooseProduct,
  dropFile,
  element,
  openSettings,
  openStep,
  openStudio,
  openWithPicture,
  stage,
  storedWith,
  waitForDrawing,
  waitForTrace,
} from './studio.ts';
import { expect, test } from './test.ts';

const notices = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');

/** Drops a file that is no picture, so that the studio shows a notice. */
const refuseFile = (page: Page) =>
  dropFile(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not a picture') });

test('the sliders have their ranges and redraw the stage', { tag: '@detail' }, async ({ page }) => {
  await openWithPicture(page, { name: 'specks.png', mimeType: 'image/png', buffer: await speckledPng() });
  await openSettings(page);
  const sliderOf = (name: string) => page.getByRole('slider', { name, exact: true });
  const despeckle = sliderOf('Despeckle');
  for (const name of ['Despeckle', 'Rotation']) {
    await expect(sliderOf(name), name).toHaveAttribute('aria-valuenow', '0');
  }

  await test.step('a moving slider redraws the stage in the browser; the server stores the value when it is released', async () => {
    const outlines = () =>
      element(page, 'design')
        .locator('path')
        .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')).join());
    const first = await outlines();
    // The server's own trace, read from it after a reload, is what the stage shall show while the slider moves.
    await storedWith(
      page,
      (settings) => settings.despeckle === 10,
      () => despeckle.press('End'),
    );
    await page.reload();
    await waitForTrace(page);
    await openSettings(page);
    const serverOutlines = await outlines();
    expect(serverOutlines.length).toBeLessThan(first.length);
    await storedWith(
      page,
      (settings) => settings.despeckle === 0,
      () => despeckle.press('Home'),
    );
    await expect.poll(outlines).toBe(first);

    const calls: { despeckle?: number }[] = [];
    page.on('request', (request) => {
      if (/designs\/(vectorize|generate-preview)$/.test(request.url())) calls.push(request.postDataJSON().settings);
    });
    await despeckle.scrollIntoViewIfNeeded();
    const track = await boxAtRest(despeckle.locator('xpath=ancestor::*[@data-orientation][1]'));
    const y = track.y + track.height / 2;
    await page.mouse.move(track.x + 12, y);
    await page.mouse.down();
    // A quick hand: most of these places are passed before a trace of them could be made.
    await page.mouse.move(track.x + track.width * 0.4, y, { steps: 12 });
    await page.mouse.move(track.x + track.width - 4, y, { steps: 12 });
    await expect(despeckle).toHaveAttribute('aria-valuenow', '10');
    // The browser's trace is the server's: same pixels, same options, same tracer.
    await expect.poll(outlines).toBe(serverOutlines);
    expect(calls).toEqual([]);

    await page.mouse.up();
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]).toMatchObject({ despeckle: 10, mode: 'preview' });
    await expect(page.getByText('Traced', { exact: true })).toBeVisible();
    expect(await outlines()).toBe(serverOutlines);
  });

  await test.step('every slider has its range and its step', async () => {
    await chooseMachine(page, /UV printer/i);
    await openStep(page, 'Add Your Design & Text');
    await waitForTrace(page);
    const expectRange = async (name: string, min: number, max: number, step: number, initial?: number) => {
      const slider = sliderOf(name);
      await expect(slider, name).toHaveAttribute('aria-valuemin', String(min));
      await expect(slider, name).toHaveAttribute('aria-valuemax', String(max));
      const now = async () => Number(await slider.getAttribute('aria-valuenow'));
      const before = await now();
      if (initial !== undefined) expect(before, name).toBe(initial);
      await slider.press('ArrowRight');
      // From a value between two steps, as the size is after another trace, to the next step.
      await expect.poll(now, name).toBeCloseTo(min + (Math.floor((before - min) / step + 1e-6) + 1) * step, 6);
      await slider.press('End');
      await expect.poll(now, name).toBe(max);
      await slider.press('Home');
      await expect.poll(now, name).toBe(min);
    };
    // First, because another trace has other ink, and so another size.
    await expectRange('Size', 5, 500, 5);
    await expectRange('Rotation', 0, 360, 1, 0);
    await despeckle.press('Home');
    await expectRange('Despeckle', 0, 10, 1, 0);
    await openSettings(page, 'Palette');
    await expectRange('Palette size', 2, 256, 1);
    await openStep(page, 'Position & Preview');
    await expectRange('Product rotation', 0, 360, 1, 0);
    await openStep(page, 'Add Your Design & Text');
    await addText(page, 'Ann');
    await expectRange('Font size', 0.11, 1, 0.01, 0.22);
    await expect(page.getByRole('group', { name: 'Text color' }).getByRole('radio')).toHaveCount(9);
    await expect(page.getByLabel('Custom color')).toBeVisible();
  });
});

test('zoom, notices, columns and the status line fit the window; notices and tooltips have their times', {
  tag: '@detail',
}, async ({ page }) => {
  await signInAsAdmin(page); // whose bar has the most links
  await openStudio(page);
  await chooseProduct(page);

  await test.step('Ctrl with plus, minus and zero zooms', async () => {
    const zoom = page.getByLabel('Zoom of the stage');
    await stage(page).focus();
    await page.keyboard.press('Control++');
    await expect(zoom).toHaveText(/^110\s?%$/);
    for (let i = 0; i < 8; i++) await page.keyboard.press('Control+-');
    await expect(zoom).toHaveText(/^50\s?%$/);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect(zoom).toHaveText(/^25\s?%$/);
    await expect(page.getByRole('button', { name: 'Zoom out' })).toBeDisabled();
    await page.keyboard.press('Control+0');
    await expect(zoom).toHaveText(/^100\s?%$/);
  });

  await test.step('a notice is swiped away past 50 px, and never lies over the exports', async () => {
    await refuseFile(page);
    await expect(notices(page)).toHaveCount(1);
    const box = await boxAtRest(notices(page));
    expect(box.width).toBeLessThanOrEqual(420);
    await expectApart(notices(page), page.getByRole('region', { name: 'Export' }));
    await expectClear(page);

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
  });

  await addText(page, 'Hazel & Finn');
  await test.step('columns that stand side by side scroll, and the page does not', async () => {
    const pageHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
    await expect.poll(pageHeight).toBe(900);
    await page.setViewportSize({ width: 1440, height: 620 });
    await expect.poll(pageHeight).toBe(620);
  });

  await test.step('the status line shows each part whole or not at all', async () => {
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

  await page.setViewportSize(WIDE);
  await page.getByRole('tab', { name: 'Upload Image' }).click();
  const zoomOut = page.getByRole('button', { name: 'Zoom out' });
  await page.mouse.move(5, 5);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await test.step('a failure stays eight seconds, and for as long as the pointer is on it', async () => {
    await refuseFile(page);
    await expect(notices(page)).toHaveCount(1);
    await page.clock.runFor(7900);
    await expect(notices(page)).toHaveCount(1);
    await notices(page).hover();
    await page.clock.runFor(10_000);
    await expect(notices(page)).toHaveCount(1);
    await page.mouse.move(5, 5);
    await page.clock.runFor(300);
    await expect(notices(page)).toHaveCount(0);
  });

  await test.step('a tooltip appears after 700 ms, and the next one at once within 300 ms', async () => {
    const tip = page.getByRole('tooltip');
    await zoomOut.hover();
    await page.clock.runFor(690);
    await expect(tip).toHaveCount(0);
    await page.clock.runFor(20);
    await expect(tip).toContainText('Zoom out');

    await stage(page).hover({ position: { x: 420, y: 60 } });
    await page.clock.runFor(200);
    await expect(tip).toHaveCount(0);
    await page.clock.runFor(80);
    await page.getByRole('button', { name: 'Zoom in' }).hover();
    await page.clock.runFor(10);
    await expect(tip).toContainText('Zoom in');
    await stage(page).hover({ position: { x: 420, y: 60 } });
    await page.clock.runFor(200 + 310);
    await zoomOut.hover();
    await page.clock.runFor(600);
    await expect(tip).toHaveCount(0);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the studio is used on a phone', { tag: '@detail' }, async ({ page }) => {
    await page.goto('/studio');
    await chooseProduct(page);

    await test.step('a notice lies below the bar, and the name gives the links their room', async () => {
      await refuseFile(page);
      const exports = page.getByRole('region', { name: 'Export' });
      await exports.scrollIntoViewIfNeeded();
      await expectApart(notices(page), exports);
      const bar = page.getByRole('banner');
      await expectApart(notices(page), bar);
      await expectClear(page);

      const items = await bar.getByRole('link').or(bar.getByRole('button')).all();
      const allBoxes = (await Promise.all(items.map((each) => each.boundingBox()))).filter((box) => box !== null);
      // The skip link lies above the window until it has the focus.
      const boxes = allBoxes.filter(({ y }) => y >= 0);
      expect(boxes.length).toBeGreaterThan(2);
      for (const [i, box] of boxes.entries()) {
        const next = boxes[i + 1];
        if (next) expect(next.x).toBeGreaterThanOrEqual(box.x + box.width - 0.5);
        expect(box.x + box.width).toBeLessThanOrEqual(390);
      }
    });

    await test.step('the steps fold, nothing overflows, and a finger places the text', async () => {
      await addText(page, 'Ann');
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.getByRole('button', { name: /Position & Preview/ }).click();
      const right = page.getByRole('button', { name: 'Move right' });
      await expect(right).toBeVisible();
      const box = await boxAtRest(right);
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
      // The ink's place: its middle is not quite that of the line, which lies in the middle of the area.
      const across = page.getByRole('spinbutton', { name: /Horizontal position/ });
      const start = Number(await across.inputValue());
      await right.tap();
      await expect.poll(async () => Number(await across.inputValue()) - start).toBeGreaterThan(0.45);
      expect(Number(await across.inputValue()) - start).toBeLessThan(0.67);
      await expectNoFaults(page, 'a text that was moved', '[data-step="4"]');
    });
  });
});

/** Expects that a notice lies on no control and on nothing that is on the product. */
async function expectClear(page: Page): Promise<void> {
  const notice = await boxAtRest(notices(page));
  const coveredNames = await page.evaluate(({ x, y, width, height }) => {
    const controls = document.querySelectorAll(
      'button, a[href], input, textarea, [role="slider"], [data-element] path',
    );
    return [...controls].flatMap((control) => {
      if (control.closest('[role="region"][aria-label^="Notifications"]') || !control.checkVisibility()) return [];
      const box = control.getBoundingClientRect();
      const isApart = box.right <= x || box.left >= x + width || box.bottom <= y || box.top >= y + height;
      // What is only read aloud is a pixel in size.
      return isApart || box.width < 4 ? [] : [control.getAttribute('aria-label') ?? control.textContent];
    });
  }, notice);
  expect(coveredNames).toEqual([]);
}

async function expectApart(a: Locator, b: Locator): Promise<void> {
  const [one, other] = [await boxAtRest(a), await boxAtRest(b)];
  const isApart =
    one.x + one.width <= other.x ||
    other.x + other.width <= one.x ||
    one.y + one.height <= other.y ||
    other.y + other.height <= one.y;
  expect(isApart, JSON.stringify([one, other])).toBe(true);
}
