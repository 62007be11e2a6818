/** The tutorial: taken by mouse, keyboard and touch, left, taken again, and never in the way. */
import type { Locator, Page } from '@playwright/test';
import { tabTo } from './keys.ts';
import { logoPng } from './pictures.ts';
import {
  boxAtRest,
  dragBy,
  element,
  openStep,
  openStudio,
  stage,
  TUMBLER,
  textElement,
  waitForDrawing,
  waitUntilLoaded,
} from './studio.ts';
import { expect, test } from './test.ts';

const steps = [
  'From a picture to a machine-ready file',
  'Choose the machine mode',
  'Add text',
  'Upload a picture',
  'Choose the blank',
  'Put it in its place',
  'Ready for the machine',
] as const;

const card = (page: Page): Locator => page.getByRole('dialog', { name: new RegExp(steps.join('|')) });
const press = (page: Page, name: string) => card(page).getByRole('button', { name }).click();
const help = (page: Page) => page.getByRole('button', { name: 'Help' });
const savedState = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('markwright-tutorial-state') ?? 'null'));

async function expectStep(page: Page, number: number): Promise<void> {
  await expect(card(page)).toHaveAccessibleName(steps[number - 1]!);
  await expect(card(page).getByText(`${number} of 7`)).toBeVisible();
  await expect(card(page).getByRole('progressbar')).toHaveAttribute('aria-valuenow', String(number));
}

/** Opens the studio as if nobody had used it in this browser. */
async function openAsFirstVisit(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear());
  await openStudio(page);
}

async function uploadLogo(page: Page): Promise<void> {
  await page.getByLabel('Design file').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await logoPng(),
  });
}

test('with the mouse, a maker ends with a name and a picture on a blank', { tag: '@detail' }, async ({ page }) => {
  await openStudio(page);
  await help(page).click();
  await expectStep(page, 1);
  await press(page, 'Next');
  await expectStep(page, 2);
  await expect(card(page).getByText('Try clicking the highlighted element')).toBeVisible();

  // Doing what the step asks advances the tutorial.
  await page.getByRole('radio', { name: /laser engraver/i }).click();
  await expectStep(page, 3);
  await expect(card(page).getByText('Text needs something to stand on.')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search products' }).fill('Skinny Matte Black');
  await page.getByRole('button', { name: TUMBLER }).click();
  await expect(card(page).getByText('Try entering some text')).toBeVisible();
  await page.getByPlaceholder(/Type a name/).fill('Ann & Bo');
  // The tutorial does not advance while a list is open.
  await page.getByRole('combobox', { name: 'Font' }).click();
  await page.getByRole('option', { name: 'Great Vibes', exact: true }).click();
  await expectStep(page, 4);

  await uploadLogo(page);
  await expectStep(page, 5);
  await expect(element(page, 'design').locator('path').first()).toBeAttached();
  await press(page, 'Next');
  await expectStep(page, 6);
  await expect(card(page).getByText('Take a moment to explore this area')).toBeVisible();
  // The text lies over the picture, both in the middle.
  const before = await boxAtRest(textElement(page));
  await dragBy(page, textElement(page), 0, -60);
  expect((await boxAtRest(textElement(page))).y).toBeLessThan(before.y - 30);

  await press(page, 'Next');
  await expectStep(page, 7);
  await press(page, 'Finish');
  await expect(card(page)).toHaveCount(0);
  await expect.poll(() => savedState(page)).toEqual({ completed: true, userId: null });
  await expect(page.getByText('Design Ready!')).toBeVisible();
  await expect(textElement(page).locator('path').first()).toBeAttached();
  await expect(help(page)).toBeFocused();
});

test('by keys alone, between the card and what is highlighted', { tag: '@detail' }, async ({ page }) => {
  await openStudio(page);
  await help(page).focus();
  await page.keyboard.press('Enter');
  await expectStep(page, 1);
  await expect(card(page)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expectStep(page, 1);
  await page.keyboard.press('ArrowRight');
  await expectStep(page, 2);
  await page.keyboard.press('ArrowLeft');
  await expectStep(page, 1);
  await page.keyboard.press('Enter');
  await expectStep(page, 2);

  // Only the highlighted step and the card can be reached; there an arrow key chooses the machine.
  await tabTo(page, page.getByRole('radio', { name: /laser engraver/i }));
  await page.keyboard.press('ArrowRight');
  // The tutorial may be on its way already, and the step out of reach.
  await expect(page.getByRole('radio', { name: /uv printer/i, includeHidden: true })).toBeChecked();
  await expectStep(page, 3);
  await expect(card(page)).toBeFocused();
  await tabTo(page, page.getByRole('searchbox', { name: 'Search products' }));
  await page.keyboard.type('Skinny Matte Black');
  await tabTo(page, page.getByRole('button', { name: TUMBLER }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByPlaceholder(/Type a name/));
  await page.keyboard.type('Ann');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('-');
  await expect(page.getByPlaceholder(/Type a name/)).toHaveValue('An-n');
  await expectStep(page, 4);
  await expect(card(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectStep(page, 5);
  await page.keyboard.press('Enter');
  await expectStep(page, 6);

  // On the stage the keys are the stage’s, and Escape lets go of the text before it leaves the tutorial.
  await tabTo(page, stage(page));
  const before = await boxAtRest(textElement(page));
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(async () => (await textElement(page).boundingBox())!.x).toBeGreaterThan(before.x + 1);
  await page.keyboard.press('Escape');
  await expectStep(page, 6);
  await page.keyboard.press('Escape');
  await expect(card(page)).toHaveCount(0);
  await expect(help(page)).toBeFocused();
  await expect.poll(() => savedState(page)).toEqual({ completed: false, userId: null });

  await page.keyboard.press('Enter');
  for (let number = 1; number < 7; number++) {
    await expectStep(page, number);
    await page.keyboard.press('ArrowRight');
  }
  await expectStep(page, 7);
  await page.keyboard.press('ArrowRight');
  await expectStep(page, 7);
  await page.keyboard.press('Enter');
  await expect(card(page)).toHaveCount(0);
  await expect.poll(() => savedState(page)).toEqual({ completed: true, userId: null });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the tutorial is taken by touch', { tag: '@detail' }, async ({ page }) => {
    await page.goto('/studio');
    await help(page).tap();

    await test.step('the whole card is in the window, at every step and when the phone is rotated', async () => {
      for (let number = 1; number <= 7; number++) {
        await expectStep(page, number);
        for (const size of [
          { width: 844, height: 390 },
          { width: 320, height: 568 },
          { width: 390, height: 844 },
        ]) {
          await page.setViewportSize(size);
          await expect(async () => {
            const { x, y, width, height } = (await card(page).boundingBox())!;
            expect(width).toBeCloseTo(size.width >= 640 ? 400 : Math.min(350, size.width - 40), 2);
            // A phone's pixels are not quite whole.
            for (const margin of [x, y, size.width - x - width, size.height - y - height]) {
              expect(margin).toBeGreaterThan(19.99);
            }
          }).toPass();
        }
        if (number < 7) await tapIn(page, 'Next');
      }
    });
    await tapIn(page, 'Finish');
    await expect(card(page)).toHaveCount(0);

    await help(page).tap();
    await test.step('by touch: the steps unfold, and the highlighted part scrolls above the card', async () => {
      await expectStep(page, 1);
      expect((await boxAtRest(card(page))).width).toBeCloseTo(350, 3);
      await tapIn(page, 'Next');
      await expectStep(page, 2);
      await page.getByRole('radio', { name: /laser engraver/i }).tap();
      await expectStep(page, 3);
      await page.getByRole('searchbox', { name: 'Search products' }).fill('Skinny Matte Black');
      await page.getByRole('button', { name: TUMBLER }).tap();
      const field = page.getByPlaceholder(/Type a name/);
      await field.tap();
      await field.fill('Ann');
      await expectStep(page, 4);
      await uploadLogo(page);
      await expectStep(page, 5);
      await tapIn(page, 'Next');
      await expectStep(page, 6);
      await expect(stage(page)).toBeInViewport();
      await expect(element(page, 'design').locator('path').first()).toBeAttached();
      await tapIn(page, 'Next');
      await expectStep(page, 7);
      await tapIn(page, 'Finish');
      await expect(card(page)).toHaveCount(0);
      await expect(page.getByText('Design Ready!')).toBeAttached();
    });
  });

  const tapIn = (page: Page, name: string) => card(page).getByRole('button', { name }).tap();
});

test('the tutorial leaves the studio as it was, remembers its end, and is offered once', { tag: '@detail' }, async ({
  page,
}) => {
  await openStudio(page);
  const offer = page.getByRole('complementary', { name: 'Tutorial offer' });

  await test.step('everything else is dimmed and inert, and the hints are hidden', async () => {
    const hint = page.getByRole('button', { name: 'Dismiss the hint of step 2' });
    await expect(hint).toBeVisible();
    await help(page).click();
    await expectStep(page, 1);
    await expect(hint).toHaveCount(0);
    const uv = page.getByText('UV Printer', { exact: true });
    const box = await boxAtRest(uv);
    await page.mouse.click(box.x + 5, box.y + 5);
    await expectStep(page, 1);
    await press(page, 'Next');
    await expectStep(page, 2);
    const mark = page.locator('[data-spot]');
    await expect(mark).toBeVisible();
    // It moves with what it is around: the step may still be scrolling into view.
    await expect(async () => {
      const [inner, spot] = [(await uv.boundingBox())!, (await mark.boundingBox())!];
      expect(inner.x).toBeGreaterThan(spot.x);
      expect(inner.y).toBeGreaterThan(spot.y);
      expect(inner.y + inner.height).toBeLessThan(spot.y + spot.height);
    }).toPass();
    await expect(page.getByRole('radio', { name: 'UV Printer', includeHidden: true })).not.toBeChecked();
    await press(page, 'Skip');
    await openStep(page, 'Select Product');
    await expect(hint).toBeVisible();
    await expect.poll(() => savedState(page)).toEqual({ completed: true, userId: null });
    await expect(page.locator('[inert]:not([data-step] *)')).toHaveCount(0);
  });

  await test.step('a state that cannot be parsed is logged and ignored', async () => {
    await page.evaluate(() => localStorage.setItem('markwright-tutorial-state', '{"completed":'));
    const consoleMessage = page.waitForEvent('console', (message) =>
      message.text().includes('Failed to parse tutorial state'),
    );
    await openStudio(page);
    await consoleMessage;
    await help(page).click();
    await expectStep(page, 1);
    await press(page, 'Skip');
    await expect.poll(() => savedState(page)).toEqual({ completed: true, userId: null });
  });

  await test.step('the state of an earlier visit is kept, and Help begins again', async () => {
    await openAsFirstVisit(page);
    await expect(offer).toBeVisible();
    await offer.getByRole('button', { name: 'Take the tour' }).click();
    await expectStep(page, 1);
    await press(page, 'Close the tutorial');
    await expect.poll(() => savedState(page)).toEqual({ completed: false, userId: null });
    await expect(offer).toHaveCount(0);

    await page.reload();
    await help(page).click();
    await expectStep(page, 1);
    await press(page, 'Next');
    await press(page, 'Skip');
    await expect.poll(() => savedState(page)).toEqual({ completed: true, userId: null });
    await page.reload();
    await help(page).click();
    await expectStep(page, 1);
  });

  await test.step('the offer appears once, moves nothing, and is dismissed for good', async () => {
    await openAsFirstVisit(page);
    await expect(offer).toBeVisible();
    const title = page.getByRole('heading', { level: 1 });
    const place = await boxAtRest(title);
    await page.getByRole('button', { name: 'Dismiss the tour offer' }).click();
    await expect(offer).toHaveCount(0);
    expect(await title.boundingBox()).toEqual(place);
    const tutorialScript = page.waitForResponse(/Tutorial-.*\.js/);
    await page.reload();
    await tutorialScript;
    await waitUntilLoaded(page);
    await waitForDrawing(page);
    await expect(offer).toHaveCount(0);
  });
});
